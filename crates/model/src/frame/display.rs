//! Values as people read them: in the unit that fits, with three significant digits.

use std::collections::HashSet;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::TimestampNanosecondType;
use chrono::{DateTime, Local};

use super::cell::{Cell, format_value, time_since_first_event};
use super::zone::Zone;
use super::{ColumnInfo, Frame};
use crate::amount::{amount, group_digits};
use crate::error::Result;
use crate::table::MIN_EPOCH_TIME;
use crate::unit::Unit;

/// A value as text, and the number to sort it by.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct DisplayCell {
    pub text: String,
    /// None for text.
    pub order: Option<f64>,
}

impl Frame {
    /// Returns the values of all columns as people read them, column by column; None for null. The frame should be in
    /// memory.
    ///
    /// # Errors
    /// The error of the query.
    #[doc(hidden)]
    pub fn display_columns(&self) -> Result<Vec<Vec<Option<DisplayCell>>>> {
        let (batch, columns) = (self.batch()?, self.columns());
        Ok(display_columns(&batch, &columns, self.view.zone, &time_digits(&batch, &columns)))
    }
}

/// Returns the values of a batch as people read them. `digits` are those of [`time_digits`].
pub(super) fn display_columns(
    batch: &RecordBatch,
    columns: &[ColumnInfo],
    zone: Zone,
    digits: &[u32],
) -> Vec<Vec<Option<DisplayCell>>> {
    let unit_column = columns.iter().position(|column| column.name == "unit").map(|index| batch.column(index));
    let columns = columns.iter().zip(batch.columns()).zip(digits);
    columns
        .map(|((column, array), digits)| {
            let cell = |row| display_cell(column, array, row, unit_column, zone, *digits);
            (0..batch.num_rows()).map(|row| array.is_valid(row).then(|| cell(row))).collect()
        })
        .collect()
}

/// Formats a value that is not null. For columns of mixed units, `unit_column` has the unit of each row.
fn display_cell(
    column: &ColumnInfo,
    array: &ArrayRef,
    row: usize,
    unit_column: Option<&ArrayRef>,
    zone: Zone,
    digits: u32,
) -> DisplayCell {
    let unit = match column.unit {
        Some(Unit::Mixed) => {
            unit_column.and_then(|units| String::read(units, row)).and_then(|unit| Unit::parse(&unit).ok())
        }
        unit => unit,
    };
    if (column.data_type.is_integer() || unit == Some(Unit::Time))
        && let Some(value) = i64::read(array, row)
    {
        let order = Some(value as f64);
        let text = match unit {
            Some(Unit::Time) => format_time(value, zone, digits),
            Some(Unit::Count) => group_digits(value),
            None | Some(Unit::Id | Unit::Name | Unit::Text) => value.to_string(),
            unit => amount(value as f64, unit),
        };
        return DisplayCell { text, order };
    }
    if column.data_type.is_numeric()
        && let Some(value) = f64::read(array, row)
    {
        let text = if value.is_finite() { amount(value, unit) } else { value.to_string() };
        return DisplayCell { text, order: Some(value) };
    }
    DisplayCell { text: format_value(array, row), order: None }
}

/// Returns the number of decimals of a second that tell the times of each column apart: 0, 3, 6 or 9.
pub(super) fn time_digits(batch: &RecordBatch, columns: &[ColumnInfo]) -> Vec<u32> {
    let digits = |(column, array): (&ColumnInfo, &ArrayRef)| {
        let times = array.as_primitive_opt::<TimestampNanosecondType>().filter(|_| column.unit == Some(Unit::Time));
        let Some(times) = times else { return 0 };
        let distinct = |digits: u32| {
            let unit = 10_i64.pow(9 - digits);
            times.iter().flatten().map(|ns| ns.div_euclid(unit)).collect::<HashSet<_>>().len()
        };
        let all = distinct(9);
        [0, 3, 6].into_iter().find(|digits| distinct(*digits) == all).unwrap_or(9)
    };
    columns.iter().zip(batch.columns()).map(digits).collect()
}

/// Formats a time with some decimals of a second: `2020-07-13 17:49:57.737`. A time that counts from the first event of
/// its recording has a sign and at least six decimals: `+12.3 ms`.
fn format_time(ns: i64, zone: Zone, digits: u32) -> String {
    let has_epoch = ns >= MIN_EPOCH_TIME;
    let digits = if has_epoch { digits } else { digits.max(6) };
    let ns = ns.saturating_sub(ns.rem_euclid(10_i64.pow(9 - digits)));
    if !has_epoch {
        return time_since_first_event(ns);
    }
    let time = DateTime::from_timestamp_nanos(ns);
    let fraction = if digits == 0 { String::new() } else { format!("%.{digits}f") };
    let format = format!("%Y-%m-%d %H:%M:%S{fraction}");
    match zone {
        Zone::Utc => time.format(&format).to_string(),
        Zone::Local => time.with_timezone(&Local).format(&format!("{format}%:z")).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Float64Array, Int64Array, StringArray};

    use super::*;

    fn texts(columns: Vec<(&str, Unit, ArrayRef)>) -> Vec<Vec<String>> {
        let columns = Frame::from_columns(columns).unwrap().display_columns().unwrap();
        let text = |cell: Option<DisplayCell>| cell.map_or_else(String::new, |cell| cell.text);
        columns.into_iter().map(|cells| cells.into_iter().map(text).collect()).collect()
    }

    fn time_texts(times: &[i64]) -> Vec<String> {
        texts(vec![("ts", Unit::Time, Arc::new(Int64Array::from(times.to_vec())))]).remove(0)
    }

    #[test]
    fn each_value_has_the_unit_that_fits() {
        let shown = texts(vec![
            ("dur", Unit::Ns, Arc::new(Int64Array::from(vec![Some(451_000_123), Some(3_256_000_000), None]))),
            ("bytes", Unit::Bytes, Arc::new(Int64Array::from(vec![1_500_000, 12, 0]))),
            ("share", Unit::Ratio, Arc::new(Float64Array::from(vec![0.45219, 1.0, f64::NAN]))),
            ("n", Unit::Count, Arc::new(Int64Array::from(vec![1_234_567, -5, 0]))),
            ("rank", Unit::Id, Arc::new(Int64Array::from(vec![12_345, 1, 2]))),
        ]);
        assert_eq!(shown[0], ["451 ms", "3.26 s", ""]);
        assert_eq!(shown[1], ["1.5 MB", "12 B", "0 B"]);
        assert_eq!(shown[2], ["45.2 %", "100 %", "NaN"]);
        assert_eq!(shown[3], ["1,234,567", "-5", "0"]);
        assert_eq!(shown[4], ["12345", "1", "2"]);
    }

    #[test]
    fn a_mixed_column_has_the_units_of_the_unit_column() {
        let shown = texts(vec![
            ("unit", Unit::Name, Arc::new(StringArray::from(vec![Some("ns"), Some("percent"), Some("kB"), None]))),
            ("value", Unit::Mixed, Arc::new(Float64Array::from(vec![1.5e6, 12.25, 7.0, 2_477_598_210.000_004]))),
        ]);
        assert_eq!(shown[1], ["1.5 ms", "12.2 %", "7", "2477598210"]);
    }

    #[test]
    fn times_have_the_decimals_that_differ() {
        let second = 1_594_662_597_000_000_000;
        assert_eq!(time_texts(&[second + 737_738_001]), ["2020-07-13 17:49:57"]);
        assert_eq!(time_texts(&[second, second + 1_000_000]), ["2020-07-13 17:49:57.000", "2020-07-13 17:49:57.001"]);
        assert_eq!(time_texts(&[second, second, second + 1])[2], "2020-07-13 17:49:57.000000001");
        assert_eq!(time_texts(&[12_345_678, -2_000_000]), ["+12.345 ms", "-2 ms"]);
    }
}
