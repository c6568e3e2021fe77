//! Fields of a Protocol Buffers message, in place.
//!
//! Five messages with fifteen fields are read, and most bytes are skipped: this is shorter than declaring the messages for
//! prost, and copies nothing.
//!
//! # Source
//! "Encoding" in the documentation of Protocol Buffers.

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Field<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Fixed32([u8; 4]),
    /// Text, bytes, a message or packed numbers.
    Bytes(&'a [u8]),
}

/// Goes through the fields of a message: number and value.
#[derive(Debug, Clone)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

/// The fields of a message; an item is none where the message is damaged, and nothing follows it.
pub(super) fn fields(message: &[u8]) -> Fields<'_> {
    Fields { rest: message }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u64, Field<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.rest = &[];
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<(u64, Field<'a>)> {
        let key = varint(&mut self.rest)?;
        let value = match key & 7 {
            0 => Field::Varint(varint(&mut self.rest)?),
            1 => Field::Fixed64(*chunk(&mut self.rest)?),
            2 => {
                let length = usize::try_from(varint(&mut self.rest)?).ok()?;
                let (bytes, rest) = self.rest.split_at_checked(length)?;
                self.rest = rest;
                Field::Bytes(bytes)
            }
            5 => Field::Fixed32(*chunk(&mut self.rest)?),
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

/// The next bytes.
pub(super) fn chunk<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (chunk, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(chunk)
}

/// The next integer, seven bits to a byte, at most ten bytes.
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for at in 0..10 {
        let byte = *rest.get(at)?;
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            *rest = &rest[at + 1..];
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
                (1, Field::Varint(150)),
                (2, Field::Fixed64([1, 2, 3, 4, 5, 6, 7, 8])),
                (3, Field::Bytes(b"hi")),
                (4, Field::Fixed32([1, 2, 3, 4])),
            ]
        );
    }

    #[test]
    fn damage_ends_the_message() {
        for message in [&[8_u8][..], &[0x0a, 5, 1], &[0x0b], &[8, 1, 9, 1], &[0xff; 11]] {
            let read: Vec<_> = fields(message).collect();
            assert_eq!(read.last(), Some(&None), "{message:?}");
        }
        assert_eq!(varint(&mut [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1].as_slice()), Some(u64::MAX));
        assert_eq!(varint(&mut [0x80_u8; 12].as_slice()), None);
    }
}
