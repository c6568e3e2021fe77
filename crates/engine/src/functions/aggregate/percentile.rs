//! `percentile_cont(p) within group (order by x)`: the exact percentile with linear interpolation.
//!
//! It replaces DataFusion's function of this name, which rounds the weight of the interpolation to
//! six digits. For durations in ns, that is an error of microseconds. For n sorted values, the
//! percentile is the value at position h = p * (n - 1), as in numpy and pandas.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Float64Array};
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, Signature, Volatility};
use datafusion::physical_plan::ColumnarValue;

/// The aggregate function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct PercentileCont {
    signature: Signature,
}

impl PercentileCont {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::exact(vec![DataType::Float64, DataType::Float64], Volatility::Immutable) }
    }
}

/// The values of one group, and the percentile to compute.
#[derive(Debug)]
struct PercentileAccumulator {
    values: Vec<f64>,
    percentile: f64,
}

impl PercentileAccumulator {
    fn add(&mut self, values: &Float64Array) {
        self.values.extend(values.iter().flatten());
    }
}

/// The position `percentile * (n - 1)` among `n` sorted values: its integer part and its fraction.
fn position(n: usize, percentile: f64) -> Option<(usize, f64)> {
    let last = n.checked_sub(1)?;
    #[expect(clippy::cast_precision_loss, reason = "a position among fewer than 2^52 values")]
    let position = percentile * last as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and last")]
    let index = (position.floor() as usize).min(last);
    Some((index, position - position.floor()))
}

/// The percentile of values in any order. Reorders the values.
fn percentile_of(values: &mut [f64], percentile: f64) -> Option<f64> {
    let (index, fraction) = position(values.len(), percentile)?;
    let (_, low, above) = values.select_nth_unstable_by(index, f64::total_cmp);
    let low = *low;
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    Some(low + fraction * (high - low))
}

/// The percentile of sorted values.
pub(crate) fn percentile_of_sorted(values: &[f64], percentile: f64) -> Option<f64> {
    let (index, fraction) = position(values.len(), percentile)?;
    let low = values[index];
    Some(low + fraction * (values.get(index + 1).unwrap_or(&low) - low))
}

impl Accumulator for PercentileAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(values[0].as_primitive::<Float64Type>());
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Float64(percentile_of(&mut self.values, self.percentile)))
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.values.capacity() * size_of::<f64>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values: ArrayRef = Arc::new(Float64Array::from(std::mem::take(&mut self.values)));
        Ok(vec![SingleRowListArrayBuilder::new(values).build_list_scalar()])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for list in states[0].as_list::<i32>().iter().flatten() {
            self.add(list.as_primitive::<Float64Type>());
        }
        Ok(())
    }
}

impl AggregateUDFImpl for PercentileCont {
    fn name(&self) -> &'static str {
        "percentile_cont"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn return_field(&self, arguments: &[FieldRef]) -> Result<FieldRef> {
        let metadata = arguments[0].metadata().clone();
        Ok(Arc::new(Field::new(self.name(), DataType::Float64, true).with_metadata(metadata)))
    }

    fn supports_within_group_clause(&self) -> bool {
        true
    }

    fn accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let empty = arrow::array::RecordBatch::new_empty(Arc::new(arrow::datatypes::Schema::empty()));
        let percentile = match arguments.exprs[1].evaluate(&empty)? {
            ColumnarValue::Scalar(value) => value.cast_to(&DataType::Float64)?,
            ColumnarValue::Array(_) => return plan_err!("percentile_cont: the percentile is not a constant"),
        };
        match percentile {
            ScalarValue::Float64(Some(percentile)) if (0.0..=1.0).contains(&percentile) => {
                let descending = arguments.order_bys.first().is_some_and(|order| order.options.descending);
                let percentile = if descending { 1.0 - percentile } else { percentile };
                Ok(Box::new(PercentileAccumulator { values: Vec::new(), percentile }))
            }
            other => plan_err!("percentile_cont: the percentile is {other}, expected a number from 0 to 1"),
        }
    }

    fn state_fields(&self, _: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let list = DataType::List(Arc::new(Field::new_list_field(DataType::Float64, true)));
        Ok(vec![Arc::new(Field::new("values", list, true))])
    }
}

#[cfg(test)]
mod tests {
    use super::percentile_of;

    #[test]
    fn interpolation_is_linear_and_exact() {
        // h = 0.95 * 2 = 1.9: 2 + 0.9 * (4 - 2)
        assert_eq!(percentile_of(&mut [4.0, 1.0, 2.0], 0.95), Some(3.8));
        assert_eq!(percentile_of(&mut [7.0], 0.99), Some(7.0));
        assert_eq!(percentile_of(&mut [1.0, 3.0], 0.0), Some(1.0));
        assert_eq!(percentile_of(&mut [1.0, 3.0], 1.0), Some(3.0));
        assert_eq!(percentile_of(&mut [], 0.5), None);
    }
}
