//! A row as SQLite encodes it: a header with the type of each value, followed by the values.

use std::borrow::Cow;

use crate::number::exact_int;

/// The error for a row that is shorter than its header declares.
pub(super) const TRUNCATED_ROW: &str = "a row ends inside its values";

/// Reads a number of one to nine bytes. Returns the number and its length.
#[inline]
pub(super) fn read_varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    if first < 0x80 {
        return Some((u64::from(first), 1));
    }
    let mut value = u64::from(first & 0x7f);
    for (index, byte) in bytes.iter().enumerate().take(8).skip(1) {
        value = value << 7 | u64::from(byte & 0x7f);
        if *byte < 0x80 {
            return Some((value, index + 1));
        }
    }
    Some((value << 8 | u64::from(*bytes.get(8)?), 9))
}

/// A value of a row: its serial type, as SQLite calls it, and its offset in the row.
pub(super) type ValueLocation = (u64, usize);

/// A row, read by column index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SqliteRow<'a> {
    pub(super) rowid: i64,
    pub(super) bytes: &'a [u8],
    /// The locations that [`locate_values`] found.
    pub(super) values: &'a [ValueLocation],
    /// The column that is an alias of the rowid.
    pub(super) rowid_column: Option<usize>,
}

/// The length of a value in bytes.
#[inline]
fn value_length(serial_type: u64) -> u64 {
    match serial_type {
        0..=4 => serial_type,
        5 => 6,
        6 | 7 => 8,
        8..=11 => 0,
        _ => (serial_type - 12) / 2,
    }
}

/// Fills `values` with the locations of the values of a row. Returns `None` if the row is truncated.
#[inline]
pub(super) fn locate_values(bytes: &[u8], values: &mut Vec<ValueLocation>) -> Option<()> {
    values.clear();
    let (length, mut position) = read_varint(bytes)?;
    let length = usize::try_from(length).ok().filter(|length| *length <= bytes.len())?;
    let mut offset = length as u64;
    while position < length {
        let (serial_type, size) = read_varint(&bytes[position..length])?;
        values.push((serial_type, usize::try_from(offset).ok()?));
        offset = offset.checked_add(value_length(serial_type))?;
        position += size;
    }
    (offset <= bytes.len() as u64).then_some(())
}

impl<'a> SqliteRow<'a> {
    /// The serial type and the bytes of a value.
    #[inline]
    fn value(&self, column: usize) -> Option<(u64, &'a [u8])> {
        let (serial_type, offset) = *self.values.get(column)?;
        let length = usize::try_from(value_length(serial_type)).ok()?;
        Some((serial_type, self.bytes.get(offset..offset + length)?))
    }

    /// The value as an integer, also from a text or a float that is one.
    #[inline]
    pub(crate) fn int(&self, column: usize) -> Option<i64> {
        let (serial_type, bytes) = self.value(column)?;
        match serial_type {
            0 if self.rowid_column == Some(column) => Some(self.rowid),
            8 => Some(0),
            9 => Some(1),
            1..=6 => {
                let first = i64::from(bytes.first()?.cast_signed());
                Some(bytes[1..].iter().fold(first, |value, byte| value << 8 | i64::from(*byte)))
            }
            7 => exact_int(f64::from_be_bytes(bytes.try_into().ok()?)),
            _ => self.text(column)?.parse().ok(),
        }
    }

    /// Whether the row has no value in the column.
    pub(crate) fn is_null(&self, column: usize) -> bool {
        self.value(column).is_none_or(|(serial_type, _)| serial_type == 0 && self.rowid_column != Some(column))
    }

    /// The value as a float.
    pub(crate) fn float(&self, column: usize) -> Option<f64> {
        match self.value(column)? {
            (7, bytes) => Some(f64::from_be_bytes(bytes.try_into().ok()?)),
            _ => self.int(column).map(|value| value as f64),
        }
    }

    /// The value as text. Bytes that are not UTF-8 are replaced.
    #[inline]
    pub(crate) fn text(&self, column: usize) -> Option<Cow<'a, str>> {
        let (serial_type, bytes) = self.value(column)?;
        (serial_type >= 13 && serial_type % 2 == 1).then(|| String::from_utf8_lossy(bytes))
    }
}
