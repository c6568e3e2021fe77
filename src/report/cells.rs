//! Formats values for tables of a page, in the unit of their column, with the number to sort them by.

use crate::error::Result;
use crate::figure::{amount, group_digits};
use crate::frame::{ColumnInfo, Frame, timestamp};
use crate::unit::Unit;

/// The value of a table cell.
pub(super) struct TableCell {
    pub(super) text: String,
    /// The number to sort by; None for text.
    pub(super) order: Option<f64>,
}

/// Returns the cells of a column, row by row; None for null. `units` has the unit of each row, for columns of mixed units.
pub(super) fn cells(frame: &Frame, column: &ColumnInfo, units: &[Option<String>]) -> Result<Vec<Option<TableCell>>> {
    let name = column.name.as_str();
    let ty = &column.data_type;
    if column.unit == Some(Unit::Time) && ty.is_integer() {
        let cell = |ns: i64| TableCell { text: format_time(ns), order: Some(ns as f64) };
        return Ok(frame.column::<i64>(name)?.into_iter().map(|ns| ns.map(cell)).collect());
    }
    if ty.is_integer() && !is_quantity(column.unit) {
        let cell = |n: i64| {
            let text = if column.unit == Some(Unit::Count) { group_digits(n) } else { n.to_string() };
            TableCell { text, order: Some(n as f64) }
        };
        return Ok(frame.column::<i64>(name)?.into_iter().map(|n| n.map(cell)).collect());
    }
    if ty.is_numeric() {
        let values = frame.column::<f64>(name)?.into_iter().enumerate();
        return Ok(values
            .map(|(row, value)| {
                let mixed = || units.get(row).and_then(|unit| Unit::parse(unit.as_deref()?).ok());
                let unit = if column.unit == Some(Unit::Mixed) { mixed() } else { column.unit };
                value.map(|value| TableCell { text: amount(value, unit), order: Some(value) })
            })
            .collect());
    }
    let texts = frame.column::<String>(name)?.into_iter();
    Ok(texts.map(|text| text.map(|text| TableCell { text: yes_or_no(text, column.unit), order: None })).collect())
}

/// Returns true if numbers of this unit are quantities, rather than ids or counts.
fn is_quantity(unit: Option<Unit>) -> bool {
    !matches!(unit, None | Some(Unit::Id | Unit::Count | Unit::Name | Unit::Text))
}

/// Returns `yes` or `no` for a flag, and any other text unchanged.
fn yes_or_no(text: String, unit: Option<Unit>) -> String {
    match (unit, text.as_str()) {
        (Some(Unit::Flag), "true") => "yes".to_owned(),
        (Some(Unit::Flag), "false") => "no".to_owned(),
        _ => text,
    }
}

/// Formats a timestamp in UTC, to the millisecond.
fn format_time(ns: i64) -> String {
    let text = timestamp(ns);
    text.get(..23).unwrap_or(&text).replace('T', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc() {
        assert_eq!(format_time(1_600_000_000_123_456_789), "2020-09-13 12:26:40.123");
    }
}
