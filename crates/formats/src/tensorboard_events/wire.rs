//! Reads the fields of a Protocol Buffers message, zero-copy.
//!
//! Five messages with fifteen fields are read, and most bytes are skipped. This is shorter than declaring the messages for
//! prost.
//!
//! # Source
//! "Encoding" in the documentation of Protocol Buffers.

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum WireValue<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Fixed32([u8; 4]),
    /// Text, bytes, a message, or a list of numbers.
    Bytes(&'a [u8]),
}

/// Iterates over the fields of a message: number and value. If the message is malformed, the last item is `None`.
pub(super) fn fields(mut rest: &[u8]) -> impl Iterator<Item = Option<(u64, WireValue<'_>)>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let field = read_field(&mut rest);
        if field.is_none() {
            rest = &[];
        }
        Some(field)
    })
}

fn read_field<'a>(rest: &mut &'a [u8]) -> Option<(u64, WireValue<'a>)> {
    let key = read_varint(rest)?;
    let value = match key & 7 {
        0 => WireValue::Varint(read_varint(rest)?),
        1 => WireValue::Fixed64(*read_array(rest)?),
        2 => {
            let length = usize::try_from(read_varint(rest)?).ok()?;
            WireValue::Bytes(rest.split_off(..length)?)
        }
        5 => WireValue::Fixed32(*read_array(rest)?),
        _ => return None,
    };
    Some((key >> 3, value))
}

/// Reads the next `N` bytes.
pub(super) fn read_array<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (array, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(array)
}

/// Reads the next integer: seven bits in a byte, at most ten bytes.
pub(super) fn read_varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for index in 0..10 {
        let byte = *rest.get(index)?;
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            *rest = &rest[index + 1..];
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_every_kind() {
        let message = [8, 0x96, 1, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x1a, 2, b'h', b'i', 0x25, 1, 2, 3, 4];
        let read: Vec<_> = fields(&message).map(Option::unwrap).collect();
        assert_eq!(
            read,
            [
                (1, WireValue::Varint(150)),
                (2, WireValue::Fixed64([1, 2, 3, 4, 5, 6, 7, 8])),
                (3, WireValue::Bytes(b"hi")),
                (4, WireValue::Fixed32([1, 2, 3, 4])),
            ]
        );
    }

    #[test]
    fn a_malformed_field_ends_the_message() {
        for message in [&[8_u8][..], &[0x0a, 5, 1], &[0x0b], &[8, 1, 9, 1], &[0xff; 11]] {
            let read: Vec<_> = fields(message).collect();
            assert_eq!(read.last(), Some(&None), "{message:?}");
        }
        assert_eq!(
            read_varint(&mut [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1].as_slice()),
            Some(u64::MAX)
        );
        assert_eq!(read_varint(&mut [0x80_u8; 12].as_slice()), None);
    }
}
