//! Messages `Event`, `Summary` and `TensorProto`: time, step, and numbers with their tags.

use std::borrow::Cow;

use super::wire::{Field, chunk, fields, varint};

/// One event.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Event<'a> {
    /// Unix s.
    pub(super) wall_time: Option<f64>,
    /// Writers leave out a step of 0.
    pub(super) step: i64,
    pub(super) values: Vec<(Cow<'a, str>, Value)>,
    /// What it holds instead of values, if that is left out.
    pub(super) other: Option<&'static str>,
}

/// A tagged value.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    Number(f64),
    /// What it is instead.
    Other(&'static str),
}

/// The event in a payload; none if it is no event.
pub(super) fn event(payload: &[u8]) -> Option<Event<'_>> {
    let mut event = Event::default();
    for field in fields(payload) {
        match field? {
            (1, Field::Fixed64(bytes)) => event.wall_time = Some(f64::from_le_bytes(bytes)),
            (2, Field::Varint(step)) => event.step = step.cast_signed(),
            (4 | 9, Field::Bytes(_)) => event.other = Some("graph"),
            (8, Field::Bytes(_)) => event.other = Some("run_metadata"),
            (5, Field::Bytes(summary)) => {
                for value in fields(summary) {
                    if let (1, Field::Bytes(message)) = value? {
                        event.values.push(tagged(message)?);
                    }
                }
            }
            _ => {}
        }
    }
    Some(event)
}

fn tagged(message: &[u8]) -> Option<(Cow<'_, str>, Value)> {
    let (mut tag, mut value) = (Cow::Borrowed(""), Value::Other("metadata"));
    for field in fields(message) {
        match field? {
            (1, Field::Bytes(text)) => tag = String::from_utf8_lossy(text),
            (2, Field::Fixed32(bytes)) => value = Value::Number(f64::from(f32::from_le_bytes(bytes))),
            (3 | 5, Field::Bytes(_)) => value = Value::Other("histogram"),
            (4, Field::Bytes(_)) => value = Value::Other("image"),
            (6, Field::Bytes(_)) => value = Value::Other("audio"),
            (8, Field::Bytes(tensor)) => value = number(tensor)?,
            _ => {}
        }
    }
    Some((tag, value))
}

/// Types of elements, by their numbers in `DataType`.
mod element {
    pub(super) const FLOAT: u64 = 1;
    pub(super) const DOUBLE: u64 = 2;
    pub(super) const INT32: u64 = 3;
    pub(super) const UINT8: u64 = 4;
    pub(super) const INT16: u64 = 5;
    pub(super) const INT8: u64 = 6;
    pub(super) const STRING: u64 = 7;
    pub(super) const INT64: u64 = 9;
    pub(super) const BOOL: u64 = 10;
    pub(super) const BFLOAT16: u64 = 14;
    pub(super) const UINT16: u64 = 17;
    pub(super) const HALF: u64 = 19;
    pub(super) const UINT32: u64 = 22;
    pub(super) const UINT64: u64 = 23;
}

/// The one element of a tensor.
fn number(tensor: &[u8]) -> Option<Value> {
    let (mut kind, mut elements, mut value) = (0, 1_u64, None);
    let mut content: &[u8] = &[];
    for field in fields(tensor) {
        match field? {
            (1, Field::Varint(number)) => kind = number,
            (2, Field::Bytes(shape)) => elements = size(shape)?,
            (4, Field::Bytes(bytes)) => content = bytes,
            // unpacked, as nobody writes them any more
            (5, Field::Fixed32(bytes)) => value = Some(f64::from(f32::from_le_bytes(bytes))),
            (6, Field::Fixed64(bytes)) => value = Some(f64::from_le_bytes(bytes)),
            (7 | 10 | 11 | 13 | 16 | 17, Field::Varint(integer)) => value = integer_of(kind, integer),
            // packed
            (5, Field::Bytes(mut packed)) => {
                value = chunk(&mut packed).map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
            }
            (6, Field::Bytes(mut packed)) => value = chunk(&mut packed).map(|bytes| f64::from_le_bytes(*bytes)),
            (7 | 10 | 11 | 13 | 16 | 17, Field::Bytes(mut packed)) => {
                value = varint(&mut packed).and_then(|integer| integer_of(kind, integer));
            }
            _ => {}
        }
    }
    if kind == element::STRING {
        return Some(Value::Other("text"));
    }
    if elements != 1 {
        return Some(Value::Other("tensor"));
    }
    let known = content_of(kind, content);
    Some(match (value, content.is_empty()) {
        (Some(value), _) => Value::Number(value),
        // zeros may be left out
        (None, true) if known.is_none() && zero(kind) => Value::Number(0.0),
        (None, _) => known.map_or(Value::Other("tensor"), Value::Number),
    })
}

/// Whether elements of this type are numbers that are read.
fn zero(kind: u64) -> bool {
    content_of(kind, &[0; 8]).is_some()
}

/// How many elements a shape has; none if it is damaged.
fn size(shape: &[u8]) -> Option<u64> {
    let mut elements = 1_u64;
    for field in fields(shape) {
        match field? {
            (2, Field::Bytes(dimension)) => {
                let mut size = 0;
                for field in fields(dimension) {
                    if let (1, Field::Varint(found)) = field? {
                        size = found;
                    }
                }
                elements = elements.saturating_mul(size);
            }
            // of unknown rank
            (3, Field::Varint(1)) => elements = 0,
            _ => {}
        }
    }
    Some(elements)
}

/// An element that a list of integers holds: integers as they are, halves as their bits.
#[expect(clippy::cast_possible_truncation, reason = "halves are the lower bits; the rest is 0")]
fn integer_of(kind: u64, integer: u64) -> Option<f64> {
    match kind {
        element::HALF => Some(half(integer as u16)),
        element::BFLOAT16 => Some(bfloat16(integer as u16)),
        element::UINT32 | element::UINT64 => Some(integer as f64),
        element::INT32
        | element::INT64
        | element::INT16
        | element::INT8
        | element::UINT16
        | element::UINT8
        | element::BOOL => Some(integer.cast_signed() as f64),
        _ => None,
    }
}

/// The first element of a tensor's bytes, little endian; none if there are too few or their type is not read.
fn content_of(kind: u64, mut bytes: &[u8]) -> Option<f64> {
    let rest = &mut bytes;
    Some(match kind {
        element::FLOAT => f64::from(f32::from_le_bytes(*chunk(rest)?)),
        element::DOUBLE => f64::from_le_bytes(*chunk(rest)?),
        element::INT32 => f64::from(i32::from_le_bytes(*chunk(rest)?)),
        element::UINT32 => f64::from(u32::from_le_bytes(*chunk(rest)?)),
        element::INT64 => i64::from_le_bytes(*chunk(rest)?) as f64,
        element::UINT64 => u64::from_le_bytes(*chunk(rest)?) as f64,
        element::INT16 => f64::from(i16::from_le_bytes(*chunk(rest)?)),
        element::UINT16 => f64::from(u16::from_le_bytes(*chunk(rest)?)),
        element::INT8 => f64::from(i8::from_le_bytes(*chunk(rest)?)),
        element::UINT8 | element::BOOL => f64::from(u8::from_le_bytes(*chunk(rest)?)),
        element::HALF => half(u16::from_le_bytes(*chunk(rest)?)),
        element::BFLOAT16 => bfloat16(u16::from_le_bytes(*chunk(rest)?)),
        _ => return None,
    })
}

/// A number of half precision (IEEE 754 binary16) from its bits.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction > 0.0 => f64::NAN,
        31 => f64::INFINITY,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    }
}

/// A number of the upper half of single precision.
fn bfloat16(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_exact() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 2_f64.powi(-24)),
            (0x3555, 0.333_251_953_125),
            (0x7c00, f64::INFINITY),
            (0xfc00, f64::NEG_INFINITY),
            (0x8000, 0.0),
        ] {
            assert_eq!(half(bits).to_bits() << 1, value.to_bits() << 1, "{bits:#x}");
        }
        assert!(half(0x7e00).is_nan());
        assert_eq!((bfloat16(0x3f80), bfloat16(0xc049)), (1.0, -3.140_625));
    }
}
