//! `histogram_distance(a, b)`: the Jensen-Shannon distance of two histograms, with natural logarithms.
//!
//! Each histogram is a list with the shares of its bins. A join by bin would have a row for each bin of each pair.

use std::sync::Arc;

use arrow::array::{Array, AsArray, Float64Array, ListArray};
use arrow::datatypes::{DataType, Float64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};

/// The scalar function.
pub(crate) fn histogram_distance() -> ScalarUDF {
    let shares = DataType::new_list(DataType::Float64, true);
    let arguments = vec![shares.clone(), shares];
    create_udf("histogram_distance", arguments, DataType::Float64, Volatility::Immutable, Arc::new(evaluate))
}

fn evaluate(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let lists = ColumnarValue::values_to_arrays(arguments)?;
    let (a, b) = (lists[0].as_list::<i32>(), lists[1].as_list::<i32>());
    let shares = |lists: &ListArray, row| lists.is_valid(row).then(|| lists.value(row));
    let distance = |row| {
        let (a, b) = (shares(a, row)?, shares(b, row)?);
        // Histograms with different bins cannot be compared.
        (a.len() == b.len())
            .then(|| distance(a.as_primitive::<Float64Type>().values(), b.as_primitive::<Float64Type>().values()))
    };
    Ok(ColumnarValue::Array(Arc::new((0..a.len()).map(distance).collect::<Float64Array>())))
}

/// The root of the mean of the Kullback-Leibler divergences to the average of both.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let part = |share: f64, sum: f64| if share > 0.0 { share * (2.0 * share / sum).ln() } else { 0.0 };
    let divergence: f64 = a.iter().zip(b).map(|(a, b)| part(*a, a + b) + part(*b, a + b)).sum();
    // For two equal histograms, rounding may give a value below 0.
    (divergence / 2.0).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_histograms_have_no_distance_and_disjoint_ones_the_root_of_ln_2() {
        let (a, b) = ([0.1, 0.2, 0.7, 0.0], [0.0, 0.0, 0.0, 1.0]);
        assert!(distance(&a, &a).abs() < 1e-12);
        assert!((distance(&a, &b) - std::f64::consts::LN_2.sqrt()).abs() < 1e-12);
        let half = [0.05, 0.1, 0.35, 0.5];
        let expected = f64::midpoint((4.0_f64 / 3.0).ln(), 0.5 * (2.0_f64 / 3.0).ln() + 0.5 * 2.0_f64.ln());
        assert!((distance(&half, &a).powi(2) - expected).abs() < 1e-12);
    }
}
