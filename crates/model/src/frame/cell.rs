//! Single values: read as Rust types, or written as text.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};

use super::zone::Zone;
use crate::unit::Unit;

/// A Rust type that a column can be read as.
pub trait Cell: Sized {
    /// The type's name in messages.
    const NAME: &'static str;
    /// Whether a column of this Arrow type can be read.
    fn fits(data_type: &DataType) -> bool;
    /// The value; `None` for null.
    fn read(array: &ArrayRef, row: usize) -> Option<Self>;
}

/// The value of an integer array of any width.
fn integer(array: &ArrayRef, row: usize) -> Option<i64> {
    if array.is_null(row) {
        return None;
    }
    if let Some(array) = array.as_primitive_opt::<Int64Type>() {
        return Some(array.value(row));
    }
    let one = arrow::compute::cast(&array.slice(row, 1), &DataType::Int64).ok()?;
    let one = one.as_primitive::<Int64Type>();
    one.is_valid(0).then(|| one.value(0))
}

impl Cell for i64 {
    const NAME: &'static str = "i64";
    fn fits(data_type: &DataType) -> bool {
        data_type.is_integer() || matches!(data_type, DataType::Null)
    }
    fn read(array: &ArrayRef, row: usize) -> Option<Self> {
        integer(array, row)
    }
}

impl Cell for f64 {
    const NAME: &'static str = "f64";
    fn fits(data_type: &DataType) -> bool {
        data_type.is_numeric() || matches!(data_type, DataType::Null)
    }
    #[expect(clippy::cast_precision_loss, reason = "asked for as f64")]
    fn read(array: &ArrayRef, row: usize) -> Option<Self> {
        if array.is_null(row) {
            return None;
        }
        if let Some(array) = array.as_primitive_opt::<Float64Type>() {
            return Some(array.value(row));
        }
        if array.data_type().is_integer() {
            return integer(array, row).map(|value| value as Self);
        }
        let one = arrow::compute::cast(&array.slice(row, 1), &DataType::Float64).ok()?;
        Some(one.as_primitive::<Float64Type>().value(0))
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
        array.is_valid(row).then(|| text(array, row, None, Zone::Utc))
    }
}

/// A value as people read it: unit `time` as a timestamp of this zone, null as nothing.
pub(super) fn text(array: &ArrayRef, row: usize, unit: Option<Unit>, zone: Zone) -> String {
    if array.is_null(row) {
        return String::new();
    }
    if unit == Some(Unit::Time)
        && let Some(ns) = integer(array, row)
    {
        return timestamp_in(ns, zone);
    }
    if let Some(array) = array.as_primitive_opt::<Float64Type>() {
        return float(array.value(row));
    }
    ArrayFormatter::try_new(array, &FormatOptions::default())
        .map_or_else(|_| String::from("?"), |formatter| formatter.value(row).to_string())
}

/// At most six digits after the point, and none that say nothing.
fn float(value: f64) -> String {
    if !value.is_finite() || value.abs() >= 1e15 || (value != 0.0 && value.abs() < 1e-6) {
        return value.to_string();
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `2020-07-13T17:49:57.737738000Z`: ns since the Unix epoch as RFC 3339, always nine digits.
#[doc(hidden)]
pub fn timestamp(ns: i64) -> String {
    let (seconds, nanos) = (ns.div_euclid(1_000_000_000), ns.rem_euclid(1_000_000_000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanos:09}Z")
}

/// The same by the clock of a zone, with its offset: `2020-07-13T19:49:57.737738000+02:00`.
fn timestamp_in(ns: i64, zone: Zone) -> String {
    let offset = zone.offset(ns);
    match ns.checked_add(offset * 1_000_000_000) {
        Some(there) if zone == Zone::Local => {
            let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
            let text = timestamp(there);
            format!("{}{sign}{:02}:{:02}", text.trim_end_matches('Z'), minutes / 60, minutes % 60)
        }
        _ => timestamp(ns),
    }
}

/// Year, month and day of a day counted from the Unix epoch (proleptic Gregorian calendar).
fn civil(days: i64) -> (i64, i64, i64) {
    // Count from 1 March of year 0, so that a leap day is the last day of a year.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000000000Z");
        assert_eq!(timestamp(1_594_662_597_737_738_001), "2020-07-13T17:49:57.737738001Z");
        assert_eq!(timestamp(951_782_400_000_000_000), "2000-02-29T00:00:00.000000000Z");
        assert_eq!(timestamp(-1), "1969-12-31T23:59:59.999999999Z");
    }

    #[test]
    fn floats_have_no_idle_digits() {
        assert_eq!(float(3.0), "3");
        assert_eq!(float(84_234.5), "84234.5");
        assert_eq!(float(1.0 / 3.0), "0.333333");
        assert_eq!(float(1e-9), "0.000000001");
    }
}
