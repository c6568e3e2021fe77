//! `recent_percentile(x, p, n)`: the percentile `p` of the last `n` rows of a series, for each row.
//!
//! A window function. Nulls count as rows and not as values. The percentile is defined as in
//! `percentile_cont`. That function would sort every frame of rows again. This one keeps a sorted
//! list, and for each row inserts a value and removes one.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use arrow::datatypes::{DataType, Field, Float64Type, Int64Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{Signature, Volatility, WindowUDF};

use crate::functions::aggregate::percentile::percentile_of_sorted;
use crate::functions::window::{ResultField, partition_function};

/// The window function.
pub(crate) fn recent_percentile() -> WindowUDF {
    let signature =
        Signature::exact(vec![DataType::Float64, DataType::Float64, DataType::Int64], Volatility::Immutable);
    // The unit of the result is the unit of the values.
    let field: ResultField = |arguments| {
        let metadata = arguments.input_fields().first().map(|field| field.metadata().clone()).unwrap_or_default();
        Ok(Arc::new(Field::new(arguments.name(), DataType::Float64, true).with_metadata(metadata)))
    };
    partition_function("recent_percentile", signature, field, evaluate)
}

/// Evaluates one series.
fn evaluate(values: &[ArrayRef], _rows: usize) -> Result<ArrayRef> {
    let series = values[0].as_primitive::<Float64Type>();
    let (percentiles, counts) = (values[1].as_primitive::<Float64Type>(), values[2].as_primitive::<Int64Type>());
    if series.is_empty() {
        return Ok(Arc::new(Float64Array::new_null(0)));
    }
    let (percentile, count) = (percentiles.value(0), counts.value(0));
    match usize::try_from(count) {
        Ok(count @ 1..) if (0.0..=1.0).contains(&percentile) => {
            Ok(Arc::new(recent_percentiles(series, percentile, count)))
        }
        _ => exec_err!(
            "recent_percentile(x, p, n): expected p from 0 to 1 and n of at least 1, found {percentile} and {count}"
        ),
    }
}

fn recent_percentiles(series: &Float64Array, percentile: f64, count: usize) -> Float64Array {
    let value = |row: usize| series.is_valid(row).then(|| series.value(row));
    let mut sorted: Vec<f64> = Vec::with_capacity(count.min(series.len()) + 1);
    let position = |sorted: &[f64], value: f64| sorted.partition_point(|other| other.total_cmp(&value).is_lt());
    let percentiles = (0..series.len()).map(|row| {
        if let Some(old) = row.checked_sub(count).and_then(value) {
            sorted.remove(position(&sorted, old));
        }
        if let Some(new) = value(row) {
            sorted.insert(position(&sorted, new), new);
        }
        percentile_of_sorted(&sorted, percentile)
    });
    percentiles.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Checked against a sort of each frame.
        #[test]
        fn the_percentile_is_that_of_the_sorted_frame(
            drawn in proptest::collection::vec(proptest::option::weighted(0.8, -5_i8..5), 0..60),
            count in 1_usize..20,
            percent in 0_u8..=100,
        ) {
            let series: Float64Array = drawn.iter().map(|value| value.map(f64::from)).collect();
            let expected = (0..drawn.len()).map(|row| {
                let frame = &drawn[(row + 1).saturating_sub(count)..=row];
                let mut frame: Vec<f64> = frame.iter().flatten().copied().map(f64::from).collect();
                frame.sort_by(f64::total_cmp);
                let hundredths = usize::from(percent) * frame.len().checked_sub(1)?;
                let fraction = u8::try_from(hundredths % 100).ok().map(f64::from)? / 100.0;
                let (low, high) = (frame[hundredths / 100], frame[hundredths.div_ceil(100)]);
                Some(low + fraction * (high - low))
            });
            for (actual, expected) in recent_percentiles(&series, f64::from(percent) / 100.0, count).iter().zip(expected) {
                prop_assert_eq!(actual.is_some(), expected.is_some());
                prop_assert!((actual.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-9);
            }
        }
    }
}
