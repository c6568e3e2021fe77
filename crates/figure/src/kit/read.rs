//! Reads the columns of a figure's frames, groups rows by key, and limits the number of items drawn.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, ErrorKind, Result};
use crate::frame::{Cell, Frame};

/// The result of the query at this index of a figure's list.
///
/// # Errors
/// Internal if the caller passed fewer frames.
pub(crate) fn frame(frames: &[Frame], index: usize) -> Result<&Frame> {
    frames.get(index).ok_or_else(|| {
        Error::new(ErrorKind::Internal, format!("draw a figure from {} frames: no frame {index}", frames.len()))
    })
}

/// A type that the values of a column can be read as. A type that combines several columns may ignore the name.
///
/// Null becomes `None` in an `Option`. Otherwise it becomes 0, an empty string or `false`. In `f64` it becomes NaN,
/// which plotly.js does not draw.
pub(crate) trait ColumnValue: Sized {
    /// All values of a column.
    fn read(frame: &Frame, column: &str) -> Result<Vec<Self>>;
}

impl<T: Cell> ColumnValue for Option<T> {
    fn read(frame: &Frame, column: &str) -> Result<Vec<Self>> {
        frame.column(column)
    }
}

macro_rules! impl_column_value {
    ($($value:ty: $null:expr),+) => {$(
        impl ColumnValue for $value {
            fn read(frame: &Frame, column: &str) -> Result<Vec<Self>> {
                Ok(frame.column::<Self>(column)?.into_iter().map(|value| value.unwrap_or($null)).collect())
            }
        }
    )+};
}

impl_column_value!(i64: 0, f64: f64::NAN, bool: false, String: String::new());

/// The values of a column.
pub(crate) fn column<T: ColumnValue>(frame: &Frame, name: &str) -> Result<Vec<T>> {
    T::read(frame, name)
}

/// The value, or 0 if it is unknown.
pub(crate) fn zero_if_nan(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value }
}

/// Source of a struct field: the name of a column, one of the types below, or a vector of values.
pub(crate) trait FieldSource<T> {
    /// One value for each row. `None` excludes the row.
    fn values(self, frame: &Frame) -> Result<Vec<Option<T>>>;
}

/// The name of a column. Rows with null in this column are excluded.
pub(crate) struct Required(pub(crate) &'static str);

/// The name of a column, and the value for null.
pub(crate) struct NullAs<T>(pub(crate) &'static str, pub(crate) T);

/// The name of a column, and a factor for its values. Null becomes NaN.
pub(crate) struct Scaled(pub(crate) &'static str, pub(crate) f64);

impl<T: ColumnValue> FieldSource<T> for &str {
    fn values(self, frame: &Frame) -> Result<Vec<Option<T>>> {
        Ok(column(frame, self)?.into_iter().map(Some).collect())
    }
}

impl<T: Cell> FieldSource<T> for Required {
    fn values(self, frame: &Frame) -> Result<Vec<Option<T>>> {
        frame.column(self.0)
    }
}

impl<T: Cell + Copy> FieldSource<T> for NullAs<T> {
    fn values(self, frame: &Frame) -> Result<Vec<Option<T>>> {
        Ok(frame.column::<T>(self.0)?.into_iter().map(|value| value.or(Some(self.1))).collect())
    }
}

impl FieldSource<f64> for Scaled {
    fn values(self, frame: &Frame) -> Result<Vec<Option<f64>>> {
        Ok(column::<f64>(frame, self.0)?.into_iter().map(|value| Some(self.1 * value)).collect())
    }
}

impl<T> FieldSource<T> for Vec<T> {
    fn values(self, _: &Frame) -> Result<Vec<Option<T>>> {
        Ok(self.into_iter().map(Some).collect())
    }
}

/// The rows of a frame as a vector of structs.
///
/// Each field has a [`FieldSource`]. A field without one is read from the column of the same name. The macro returns
/// from the enclosing function if a column is missing or has another type.
macro_rules! rows {
    ($frame:expr, $row:ident { $($field:ident $(: $source:expr)?),+ $(,)? }) => {{
        $(let mut $field = $crate::kit::read::FieldSource::values(
            $crate::kit::read::rows!(@source $field $($source)?),
            $frame,
        )?.into_iter();)+
        let mut rows = Vec::new();
        while let ($(Some($field),)+) = ($($field.next(),)+) {
            if let ($(Some($field),)+) = ($($field,)+) {
                rows.push($row { $($field),+ });
            }
        }
        rows
    }};
    (@source $field:ident) => { stringify!($field) };
    (@source $field:ident $source:expr) => { $source };
}
pub(crate) use rows;

/// Structs with a function `read` that returns the rows of a frame.
///
/// The source of a field follows its type. A field without one is read from the column of the same name.
macro_rules! row_types {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis struct $row:ident {
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $value:ty $(= $source:expr)?,)+
        }
    )+) => {$(
        $(#[$attribute])*
        $visibility struct $row {
            $($(#[$field_attribute])* $field_visibility $field: $value),+
        }

        impl $row {
            /// Reads the rows of a frame.
            $visibility fn read(frame: &$crate::Frame) -> $crate::Result<Vec<Self>> {
                Ok($crate::kit::read::rows!(frame, Self { $($field $(: $source)?),+ }))
            }
        }
    )+};
}
pub(crate) use row_types;

/// The items of each key, in the order of the first item of each key.
pub(crate) fn group_by<T: Copy, K: Ord + Clone>(
    items: impl IntoIterator<Item = T>,
    key: impl Fn(T) -> K,
) -> Vec<(K, Vec<T>)> {
    let mut positions: BTreeMap<K, usize> = BTreeMap::new();
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for item in items {
        let key = key(item);
        let position = *positions.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[position].1.push(item);
    }
    groups
}

/// Number of different keys.
pub(crate) fn count_distinct<K: Ord>(keys: impl Iterator<Item = K>) -> usize {
    keys.collect::<BTreeSet<K>>().len()
}

/// Keeps the first `max` items. Adds a note if it removes any.
pub(crate) fn truncate<T>(items: &mut Vec<T>, max: usize, what: &str, notes: &mut Vec<String>) {
    if items.len() > max {
        notes.push(format!("{max} of {} {what} shown", items.len()));
        items.truncate(max);
    }
}

/// A key for natural sort order: `cpu2` before `cpu10`.
pub(crate) fn natural_key(name: &str) -> (String, u64, String) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.to_owned(), name[stem.len()..].parse().unwrap_or(0), name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::testing::{floats, frame, nullable_ints, texts};

    #[test]
    fn rows_are_structs_with_a_value_for_null() {
        #[derive(Debug, PartialEq)]
        struct TestRow {
            name: String,
            ts: i64,
            rank: Option<i64>,
            total: f64,
            doubled: f64,
        }
        fn read_rows(frame: &Frame) -> Result<Vec<TestRow>> {
            let doubled = column::<f64>(frame, "total")?.into_iter().map(|value| 2.0 * value).collect::<Vec<f64>>();
            Ok(rows!(frame, TestRow { name: "label", ts: Required("ts"), rank, total, doubled: doubled }))
        }
        let frame = frame(vec![
            texts("label", &["a", "b", ""]),
            nullable_ints("ts", &[5, -1, 7]),
            nullable_ints("rank", &[-1, 1, 2]),
            floats("total", &[0.5, 1.5, 2.5]),
        ]);
        let row =
            |name: &str, ts, rank, total| TestRow { name: name.to_owned(), ts, rank, total, doubled: 2.0 * total };
        assert_eq!(read_rows(&frame).unwrap(), [row("a", 5, None, 0.5), row("", 7, Some(2), 2.5)]);
    }

    #[test]
    fn fields_declare_their_sources() {
        row_types! {
            #[derive(Debug, PartialEq)]
            struct TestRow {
                name: String = "label",
                ts: i64 = Required("ts"),
                rank: Option<i64>,
                /// The rank, or 9.
                known_rank: i64 = NullAs("rank", 9),
                total: f64 = Scaled("total", 2.0),
            }
        }
        let frame = frame(vec![
            texts("label", &["a", "b", ""]),
            nullable_ints("ts", &[5, -1, 7]),
            nullable_ints("rank", &[-1, 1, 2]),
            floats("total", &[0.5, 1.5, 2.5]),
        ]);
        let row =
            |name: &str, ts, rank, known_rank, total| TestRow { name: name.to_owned(), ts, rank, known_rank, total };
        assert_eq!(TestRow::read(&frame).unwrap(), [row("a", 5, None, 9, 1.0), row("", 7, Some(2), 2, 5.0)]);
    }

    #[test]
    fn groups_are_in_the_order_of_their_first_items() {
        assert_eq!(group_by(["b", "a", "b"], |item| item), [("b", vec!["b", "b"]), ("a", vec!["a"])]);
        assert_eq!(count_distinct(["b", "a", "b"].into_iter()), 2);
    }

    #[test]
    fn a_note_reports_removed_items() {
        let mut notes = Vec::new();
        let mut items = vec![1, 2, 3];
        truncate(&mut items, 2, "runs", &mut notes);
        truncate(&mut items, 2, "ranks", &mut notes);
        assert_eq!((items, notes), (vec![1, 2], vec!["2 of 3 runs shown".to_owned()]));
    }

    #[test]
    fn numbers_in_names_sort_by_value() {
        let mut names = ["cpu10", "gpu0", "cpu2", "cpu"];
        names.sort_by_key(|name| natural_key(name));
        assert_eq!(names, ["cpu", "cpu2", "cpu10", "gpu0"]);
    }
}
