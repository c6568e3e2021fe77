//! A row: the values of its columns, as they are packed.

use std::borrow::Cow;

/// What is said of a row that does not hold what it says.
pub(super) const WRONG: &str = "a row ends inside its values";

/// A number of one to nine bytes, and how many they are.
#[inline]
pub(super) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    if first < 0x80 {
        return Some((u64::from(first), 1));
    }
    let mut value = u64::from(first & 0x7f);
    for (nth, byte) in bytes.iter().enumerate().take(8).skip(1) {
        value = value << 7 | u64::from(byte & 0x7f);
        if *byte < 0x80 {
            return Some((value, nth + 1));
        }
    }
    Some((value << 8 | u64::from(*bytes.get(8)?), 9))
}

/// How a value is packed, and where it begins.
pub(super) type Field = (u64, usize);

/// The values of a row by the number of their column.
#[derive(Debug, Clone, Copy)]
pub(in crate::nsys) struct Row<'a> {
    rowid: i64,
    bytes: &'a [u8],
    fields: &'a [Field],
    /// The column that is another name of the rowid.
    key: Option<usize>,
}

/// Bytes that a value takes.
#[inline]
fn width(packed: u64) -> u64 {
    match packed {
        0..=4 => packed,
        5 => 6,
        6 | 7 => 8,
        8..=11 => 0,
        _ => (packed - 12) / 2,
    }
}

/// Finds where the values of a row are; whether they are all there.
#[inline]
pub(super) fn find(bytes: &[u8], fields: &mut Vec<Field>) -> bool {
    let mut read = || {
        fields.clear();
        let (length, mut at) = varint(bytes)?;
        let length = usize::try_from(length).ok().filter(|length| *length <= bytes.len())?;
        let mut value = length as u64;
        while at < length {
            let (packed, size) = varint(&bytes[at..length])?;
            fields.push((packed, usize::try_from(value).ok()?));
            value = value.checked_add(width(packed))?;
            at += size;
        }
        Some(value)
    };
    read().is_some_and(|end| end <= bytes.len() as u64)
}

impl<'a> Row<'a> {
    /// A row whose values were found.
    pub(super) fn new(rowid: i64, bytes: &'a [u8], fields: &'a [Field], key: Option<usize>) -> Self {
        Self { rowid, bytes, fields, key }
    }

    #[inline]
    fn value(&self, column: usize) -> Option<(u64, &'a [u8])> {
        let (packed, at) = *self.fields.get(column)?;
        let length = usize::try_from(width(packed)).ok()?;
        Some((packed, self.bytes.get(at..at + length)?))
    }

    /// An integer.
    #[inline]
    pub(in crate::nsys) fn int(&self, column: usize) -> Option<i64> {
        let (packed, bytes) = self.value(column)?;
        match packed {
            0 if self.key == Some(column) => Some(self.rowid),
            8 => Some(0),
            9 => Some(1),
            1..=6 => {
                let first = i64::from(bytes.first()?.cast_signed());
                Some(bytes[1..].iter().fold(first, |value, byte| value << 8 | i64::from(*byte)))
            }
            _ => None,
        }
    }

    /// A number.
    pub(in crate::nsys) fn number(&self, column: usize) -> Option<f64> {
        match self.value(column)? {
            (7, bytes) => Some(f64::from_be_bytes(bytes.try_into().ok()?)),
            _ => self.int(column).map(|value| value as f64),
        }
    }

    /// A text; what is no UTF-8 in it is replaced.
    #[inline]
    pub(in crate::nsys) fn text(&self, column: usize) -> Option<Cow<'a, str>> {
        let (packed, bytes) = self.value(column)?;
        (packed >= 13 && packed % 2 == 1).then(|| String::from_utf8_lossy(bytes))
    }
}
