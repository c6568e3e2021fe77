//! Single values: read as Rust types, or formatted as text.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type, TimeUnit, TimestampNanosecondType};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use chrono::{DateTime, SecondsFormat};

use crate::table::MIN_EPOCH_TIME;

/// A Rust type that the values of a column can be read as.
pub trait Cell: Sized {
    /// Name of the type in messages.
    const NAME: &'static str;
    /// Whether a column of this Arrow type can be read.
    fn fits(data_type: &DataType) -> bool;
    /// The value; `None` for null.
    fn read(array: &ArrayRef, row: usize) -> Option<Self>;
}

impl Cell for i64 {
    const NAME: &'static str = "i64";
    fn fits(data_type: &DataType) -> bool {
        data_type.is_integer() || matches!(data_type, DataType::Null | DataType::Timestamp(TimeUnit::Nanosecond, _))
    }
    /// Reads an integer array of any width, or ns since the Unix epoch.
    fn read(array: &ArrayRef, row: usize) -> Option<Self> {
        if array.is_null(row) {
            return None;
        }
        if let Some(array) = array.as_primitive_opt::<Int64Type>() {
            return Some(array.value(row));
        }
        if let Some(array) = array.as_primitive_opt::<TimestampNanosecondType>() {
            return Some(array.value(row));
        }
        let value = arrow::compute::cast(&array.slice(row, 1), &DataType::Int64).ok()?;
        let value = value.as_primitive::<Int64Type>();
        value.is_valid(0).then(|| value.value(0))
    }
}

impl Cell for f64 {
    const NAME: &'static str = "f64";
    fn fits(data_type: &DataType) -> bool {
        data_type.is_numeric() || matches!(data_type, DataType::Null)
    }
    #[expect(clippy::cast_precision_loss, reason = "the caller reads the column as f64")]
    fn read(array: &ArrayRef, row: usize) -> Option<Self> {
        if array.is_null(row) {
            return None;
        }
        if let Some(array) = array.as_primitive_opt::<Float64Type>() {
            return Some(array.value(row));
        }
        if array.data_type().is_integer() {
            return i64::read(array, row).map(|value| value as Self);
        }
        let value = arrow::compute::cast(&array.slice(row, 1), &DataType::Float64).ok()?;
        Some(value.as_primitive::<Float64Type>().value(0))
    }
}

impl Cell for bool {
    const NAME: &'static str = "bool";
    fn fits(data_type: &DataType) -> bool {
        matches!(data_type, DataType::Boolean | DataType::Null)
    }
    fn read(array: &ArrayRef, row: usize) -> Option<Self> {
        let array = array.as_boolean_opt()?;
        array.is_valid(row).then(|| array.value(row))
    }
}

impl Cell for String {
    const NAME: &'static str = "String";
    fn fits(_: &DataType) -> bool {
        true
    }
    fn read(array: &ArrayRef, row: usize) -> Option<Self> {
        array.is_valid(row).then(|| format_value(array, row))
    }
}

/// Formats a value as text; null is empty.
pub(super) fn format_value(array: &ArrayRef, row: usize) -> String {
    if array.is_null(row) {
        return String::new();
    }
    if let Some(array) = array.as_primitive_opt::<Float64Type>() {
        return format_float(array.value(row));
    }
    ArrayFormatter::try_new(array, &FormatOptions::default())
        .map_or_else(|_| String::from("?"), |formatter| formatter.value(row).to_string())
}

/// Formats with at most six decimals and without trailing zeros.
fn format_float(value: f64) -> String {
    if !value.is_finite() || value.abs() >= 1e15 || (value != 0.0 && value.abs() < 1e-6) {
        return value.to_string();
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats ns since the Unix epoch as RFC 3339 with nine decimals: `2020-07-13T17:49:57.737738000Z`. Times of a
/// recording without an epoch have a sign: `+12.3 ms`.
#[doc(hidden)]
pub fn timestamp(ns: i64) -> String {
    if ns < MIN_EPOCH_TIME {
        return time_since_first_event(ns);
    }
    DateTime::from_timestamp_nanos(ns).to_rfc3339_opts(SecondsFormat::Nanos, true)
}

/// Formats a time that counts from the first event of its recording, exactly: `+12.3 ms`.
pub(super) fn time_since_first_event(ns: i64) -> String {
    let (sign, size) = (if ns < 0 { '-' } else { '+' }, ns.unsigned_abs());
    let (unit, digits) = match size {
        1_000_000_000.. => ("s", 9),
        1_000_000.. | 0 => ("ms", 6),
        1_000.. => ("us", 3),
        _ => ("ns", 0),
    };
    let divisor = 10_u64.pow(digits);
    let text = format!("{}.{:0width$}", size / divisor, size % divisor, width = digits as usize);
    format!("{sign}{} {unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        assert_eq!(timestamp(1_594_662_597_737_738_001), "2020-07-13T17:49:57.737738001Z");
        assert_eq!(timestamp(1_709_164_800_000_000_000), "2024-02-29T00:00:00.000000000Z");
    }

    #[test]
    fn times_without_an_epoch_count_from_the_first_event() {
        let times = [0, 7, 1_500, 12_300_000, 3_723_000_000_001, -2_000_000].map(timestamp);
        assert_eq!(times, ["+0 ms", "+7 ns", "+1.5 us", "+12.3 ms", "+3723.000000001 s", "-2 ms"]);
    }

    #[test]
    fn floats_have_no_trailing_zeros() {
        assert_eq!(format_float(3.0), "3");
        assert_eq!(format_float(84_234.5), "84234.5");
        assert_eq!(format_float(1.0 / 3.0), "0.333333");
        assert_eq!(format_float(1e-9), "0.000000001");
    }
}
