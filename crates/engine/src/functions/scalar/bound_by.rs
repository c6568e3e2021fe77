//! `bound_by(steps, input, communication, host, compute, idle, busy, high, near, idle_above,
//! busy_above)`: the resource that limits a run, from shares of its time.
//!
//! A share is null if it is unknown. Query `job.verdict` documents the rule. The key metrics of a
//! run use the same function.

use std::sync::Arc;

use arrow::array::{Array, AsArray, Float64Array, StringViewArray};
use arrow::datatypes::{DataType, Float64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};

/// Minimum number of steps for a verdict.
const MIN_STEPS: f64 = 2.0;

/// The scalar function.
pub(crate) fn bound_by() -> ScalarUDF {
    let arguments = vec![DataType::Float64; 11];
    create_udf("bound_by", arguments, DataType::Utf8View, Volatility::Immutable, Arc::new(evaluate))
}

/// The verdict for these arguments, in the order of the SQL function.
fn verdict(known: [Option<f64>; 11]) -> &'static str {
    let [steps, input, communication, host, compute, idle, busy, limits @ ..] = known;
    let [high, near, idle_above, busy_above] = limits.map(|limit| limit.unwrap_or(f64::INFINITY));
    let above = |share: Option<f64>, limit: f64| share.is_some_and(|share| share > limit);
    if steps.is_some_and(|steps| steps < MIN_STEPS) {
        return "no_data";
    }
    // A busy GPU does not wait for data.
    let is_complete = input.is_some() && (compute.is_some() || busy.is_some());
    let input = if above(busy, busy_above) { 0.0 } else { input.unwrap_or(0.0) };
    let communication = communication.unwrap_or(0.0);
    let mut stalls = [input, communication, host.unwrap_or(0.0)];
    stalls.sort_by(f64::total_cmp);
    let [_, second, first] = stalls;
    if second > high && first <= near * second {
        "mixed"
    } else if input > high && input >= first {
        "input-bound"
    } else if communication > high && communication >= first {
        "communication-bound"
    } else if let (Some(idle), true) = (idle, host.is_some())
        && idle > idle_above
        && input + communication < idle / 2.0
    {
        "host-bound"
    } else if first <= high && (above(compute, busy_above) || above(busy, busy_above)) {
        "compute-bound"
    } else if is_complete {
        "mixed"
    } else {
        "no_data"
    }
}

fn evaluate(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(arguments)?;
    let columns: [&Float64Array; 11] = std::array::from_fn(|index| arrays[index].as_primitive::<Float64Type>());
    let value = |column: &Float64Array, row: usize| column.is_valid(row).then(|| column.value(row));
    let verdicts = (0..columns[0].len()).map(|row| verdict(columns.map(|column| value(column, row))));
    Ok(ColumnarValue::Array(Arc::new(StringViewArray::from_iter_values(verdicts))))
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn each_rule_decides() {
        let verdict_of = |[input, communication, host, compute]: [f64; 4], busy: f64| {
            let shares = [input, communication, host, compute, input + host, busy].map(Some);
            let mut known = [None; 11];
            known[0] = Some(100.0);
            known[1..7].copy_from_slice(&shares);
            known[7..].copy_from_slice(&[0.2, 2.0, 0.5, 0.8].map(Some));
            verdict(known)
        };
        assert_eq!(verdict_of([0.5, 0.1, 0.1, 0.3], 0.4), "input-bound");
        assert_eq!(verdict_of([0.5, 0.1, 0.0, 0.3], 0.9), "compute-bound", "the GPU does not wait for data");
        assert_eq!(verdict_of([0.1, 0.5, 0.1, 0.3], 0.8), "communication-bound");
        assert_eq!(verdict_of([0.4, 0.3, 0.1, 0.2], 0.5), "mixed");
        assert_eq!(verdict_of([0.1, 0.0, 0.6, 0.3], 0.3), "host-bound");
        assert_eq!(verdict_of([0.05, 0.0, 0.1, 0.85], 0.85), "compute-bound");
        assert_eq!(verdict_of([0.1, 0.1, 0.2, 0.6], 0.7), "mixed");
    }

    #[test]
    fn an_unknown_share_decides_nothing() {
        let mut known = [None; 11];
        known[7..].copy_from_slice(&[0.2, 2.0, 0.5, 0.8].map(Some));
        assert_eq!(verdict(known), "no_data");
        known[1] = Some(0.3);
        assert_eq!(verdict(known), "input-bound");
        known[0] = Some(1.0);
        assert_eq!(verdict(known), "no_data", "one step is not enough");
    }
}
