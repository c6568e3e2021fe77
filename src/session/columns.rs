//! Columns of frames, from lists of values.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};

/// Returns a column with the text of each item.
pub(crate) fn text_column<T>(items: &[T], value: impl Fn(&T) -> Option<&str>) -> ArrayRef {
    Arc::new(items.iter().map(value).collect::<StringArray>())
}

/// Returns a column with the number of each item; null for a number above the range of bigint.
pub(crate) fn count_column<T, N>(items: &[T], value: impl Fn(&T) -> Option<N>) -> ArrayRef
where
    i64: TryFrom<N>,
{
    Arc::new(items.iter().map(|item| i64::try_from(value(item)?).ok()).collect::<Int64Array>())
}

/// Returns a column of doubles.
pub(crate) fn number_column<T>(items: &[T], value: impl Fn(&T) -> Option<f64>) -> ArrayRef {
    Arc::new(items.iter().map(value).collect::<Float64Array>())
}

/// Returns a column with the flag of each item.
pub(crate) fn flag_column<T>(items: &[T], value: impl Fn(&T) -> Option<bool>) -> ArrayRef {
    Arc::new(items.iter().map(value).collect::<BooleanArray>())
}
