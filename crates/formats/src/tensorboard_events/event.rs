//! Parses the messages `Event`, `Summary` and `TensorProto` into time, step, and numbers with their tags.

use std::borrow::Cow;

use arrow::datatypes::{ArrowPrimitiveType, Float16Type};

use super::wire::{WireValue, fields, read_array, read_varint};

/// One event.
#[derive(Debug, Default, PartialEq)]
pub(super) struct TensorboardEvent<'a> {
    /// Unix s.
    pub(super) wall_time: Option<f64>,
    /// 0 if the field is missing: writers omit a step of 0.
    pub(super) step: i64,
    pub(super) values: Vec<(Cow<'a, str>, TagValue)>,
    /// The kind of content that is not read, if the event has such content instead of values.
    pub(super) other: Option<&'static str>,
}

/// A tagged value.
#[derive(Debug, PartialEq)]
pub(super) enum TagValue {
    Number(f64),
    /// The kind of a value that is not read.
    Other(&'static str),
}

/// Parses the event in a payload; none if the payload is malformed.
pub(super) fn parse_event(payload: &[u8]) -> Option<TensorboardEvent<'_>> {
    let mut event = TensorboardEvent::default();
    for field in fields(payload) {
        match field? {
            (1, WireValue::Fixed64(bytes)) => event.wall_time = Some(f64::from_le_bytes(bytes)),
            (2, WireValue::Varint(step)) => event.step = step.cast_signed(),
            (4 | 9, WireValue::Bytes(_)) => event.other = Some("graph"),
            (8, WireValue::Bytes(_)) => event.other = Some("run_metadata"),
            (5, WireValue::Bytes(summary)) => {
                for value in fields(summary) {
                    if let (1, WireValue::Bytes(message)) = value? {
                        event.values.push(parse_tag(message)?);
                    }
                }
            }
            _ => {}
        }
    }
    Some(event)
}

/// Parses a tag and its value.
fn parse_tag(message: &[u8]) -> Option<(Cow<'_, str>, TagValue)> {
    let (mut tag, mut value) = (Cow::Borrowed(""), TagValue::Other("metadata"));
    for field in fields(message) {
        match field? {
            (1, WireValue::Bytes(text)) => tag = String::from_utf8_lossy(text),
            (2, WireValue::Fixed32(bytes)) => value = TagValue::Number(f64::from(f32::from_le_bytes(bytes))),
            (3 | 5, WireValue::Bytes(_)) => value = TagValue::Other("histogram"),
            (4, WireValue::Bytes(_)) => value = TagValue::Other("image"),
            (6, WireValue::Bytes(_)) => value = TagValue::Other("audio"),
            (8, WireValue::Bytes(tensor)) => value = parse_scalar_tensor(tensor)?,
            _ => {}
        }
    }
    Some((tag, value))
}

/// Element types: their numbers in enum `DataType`.
const DT_FLOAT: u64 = 1;
const DT_DOUBLE: u64 = 2;
const DT_INT32: u64 = 3;
const DT_UINT8: u64 = 4;
const DT_INT16: u64 = 5;
const DT_INT8: u64 = 6;
const DT_STRING: u64 = 7;
const DT_INT64: u64 = 9;
const DT_BOOL: u64 = 10;
const DT_BFLOAT16: u64 = 14;
const DT_UINT16: u64 = 17;
const DT_HALF: u64 = 19;
const DT_UINT32: u64 = 22;
const DT_UINT64: u64 = 23;

/// Parses a tensor of one element; none if it is malformed. A tensor of several elements gives `TagValue::Other`.
fn parse_scalar_tensor(tensor: &[u8]) -> Option<TagValue> {
    let (mut ty, mut elements, mut value) = (0, 1_u64, None);
    let mut content: &[u8] = &[];
    for field in fields(tensor) {
        match field? {
            (1, WireValue::Varint(number)) => ty = number,
            (2, WireValue::Bytes(shape)) => elements = count_elements(shape)?,
            (4, WireValue::Bytes(bytes)) => content = bytes,
            // single numbers instead of a list: only old writers use them
            (5, WireValue::Fixed32(bytes)) => value = Some(f64::from(f32::from_le_bytes(bytes))),
            (6, WireValue::Fixed64(bytes)) => value = Some(f64::from_le_bytes(bytes)),
            (7 | 10 | 11 | 13 | 16 | 17, WireValue::Varint(integer)) => value = convert_integer(ty, integer),
            (5, WireValue::Bytes(mut list)) => {
                value = read_array(&mut list).map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
            }
            (6, WireValue::Bytes(mut list)) => value = read_array(&mut list).map(|bytes| f64::from_le_bytes(*bytes)),
            (7 | 10 | 11 | 13 | 16 | 17, WireValue::Bytes(mut list)) => {
                value = read_varint(&mut list).and_then(|integer| convert_integer(ty, integer));
            }
            _ => {}
        }
    }
    if ty == DT_STRING {
        return Some(TagValue::Other("text"));
    }
    if elements != 1 {
        return Some(TagValue::Other("tensor"));
    }
    // writers omit zeros
    let content = if content.is_empty() { &[0; 8] } else { content };
    Some(value.or_else(|| read_element(ty, content)).map_or(TagValue::Other("tensor"), TagValue::Number))
}

/// The number of elements of a shape, 0 if its rank is unknown; none if it is malformed.
fn count_elements(shape: &[u8]) -> Option<u64> {
    let mut elements = 1_u64;
    for field in fields(shape) {
        match field? {
            (2, WireValue::Bytes(dimension)) => {
                let mut size = 0;
                for field in fields(dimension) {
                    if let (1, WireValue::Varint(value)) = field? {
                        size = value;
                    }
                }
                elements = elements.saturating_mul(size);
            }
            // unknown rank
            (3, WireValue::Varint(1)) => elements = 0,
            _ => {}
        }
    }
    Some(elements)
}

/// Converts an element from a list of integers. The list has the bits of numbers of half precision.
#[expect(clippy::cast_possible_truncation, reason = "halves are the lower bits; the rest is 0")]
fn convert_integer(ty: u64, integer: u64) -> Option<f64> {
    match ty {
        DT_HALF => Some(half(integer as u16)),
        DT_BFLOAT16 => Some(bfloat16(integer as u16)),
        DT_UINT32 | DT_UINT64 => Some(integer as f64),
        DT_INT32 | DT_INT64 | DT_INT16 | DT_INT8 | DT_UINT16 | DT_UINT8 | DT_BOOL => Some(integer.cast_signed() as f64),
        _ => None,
    }
}

/// Reads the first element of a tensor's bytes, little endian; none if there are too few bytes or the type is not read.
fn read_element(ty: u64, mut bytes: &[u8]) -> Option<f64> {
    let rest = &mut bytes;
    Some(match ty {
        DT_FLOAT => f64::from(f32::from_le_bytes(*read_array(rest)?)),
        DT_DOUBLE => f64::from_le_bytes(*read_array(rest)?),
        DT_INT32 => f64::from(i32::from_le_bytes(*read_array(rest)?)),
        DT_UINT32 => f64::from(u32::from_le_bytes(*read_array(rest)?)),
        DT_INT64 => i64::from_le_bytes(*read_array(rest)?) as f64,
        DT_UINT64 => u64::from_le_bytes(*read_array(rest)?) as f64,
        DT_INT16 => f64::from(i16::from_le_bytes(*read_array(rest)?)),
        DT_UINT16 => f64::from(u16::from_le_bytes(*read_array(rest)?)),
        DT_INT8 => f64::from(i8::from_le_bytes(*read_array(rest)?)),
        DT_UINT8 | DT_BOOL => f64::from(u8::from_le_bytes(*read_array(rest)?)),
        DT_HALF => half(u16::from_le_bytes(*read_array(rest)?)),
        DT_BFLOAT16 => bfloat16(u16::from_le_bytes(*read_array(rest)?)),
        _ => return None,
    })
}

/// Converts the bits of a number of half precision (IEEE 754 binary16).
fn half(bits: u16) -> f64 {
    <<Float16Type as ArrowPrimitiveType>::Native>::from_bits(bits).to_f64()
}

/// Converts the bits of a bfloat16: the upper half of a number of single precision.
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
