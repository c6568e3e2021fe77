//! `sum` of integers that saturates at the bounds of 64 bits, where DataFusion's function wraps around.
//!
//! If values of both signs pass a bound, the sum depends on how the rows are divided over threads. DataFusion's function
//! computes `sum(DISTINCT x)` over a window that moves.

use arrow::array::{ArrayRef, AsArray};
use arrow::datatypes::{ArrowPrimitiveType, DataType, FieldRef, Int64Type, UInt64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_aggregate::sum::Sum as DataFusionSum;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, SetMonotonicity, Signature,
};
use datafusion_functions_aggregate_common::aggregate::groups_accumulator::prim_op::PrimitiveGroupsAccumulator;

use crate::functions::intervals::clamp;

/// The aggregate function. Sums of other types are those of DataFusion.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Sum(DataFusionSum);

/// The exact sum of the integers of a thread, and how many there are.
#[derive(Debug)]
struct ExactSum {
    sum: i128,
    count: usize,
    data_type: DataType,
}

impl ExactSum {
    fn new(args: &AccumulatorArgs<'_>) -> Self {
        Self { sum: 0, count: 0, data_type: args.return_field.data_type().clone() }
    }

    /// The sum and the number of values that are not null.
    fn total(&self, values: &ArrayRef) -> (i128, usize) {
        let sum =
            if self.data_type == DataType::UInt64 { total::<UInt64Type>(values) } else { total::<Int64Type>(values) };
        (sum, values.len() - values.null_count())
    }
}

fn total<T: ArrowPrimitiveType<Native: Into<i128>>>(values: &ArrayRef) -> i128 {
    values.as_primitive::<T>().iter().flatten().map(Into::into).sum()
}

/// The sum within the bounds of the type, or null for no values.
fn bounded(sum: i128, count: usize, data_type: &DataType) -> ScalarValue {
    if *data_type == DataType::UInt64 {
        let sum = u64::try_from(sum.max(0)).unwrap_or(u64::MAX);
        ScalarValue::UInt64((count > 0).then_some(sum))
    } else {
        ScalarValue::Int64((count > 0).then_some(clamp(sum)))
    }
}

impl Accumulator for ExactSum {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (sum, count) = self.total(&values[0]);
        self.sum += sum;
        self.count += count;
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (sum, count) = self.total(&values[0]);
        self.sum -= sum;
        self.count -= count;
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(bounded(self.sum, self.count, &self.data_type))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }
}

/// Sums distinct values, which DataFusion's accumulator collects.
#[derive(Debug)]
struct DistinctSum {
    values: Box<dyn Accumulator>,
    data_type: DataType,
}

impl Accumulator for DistinctSum {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.values.update_batch(values)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mut sum = ExactSum { sum: 0, count: 0, data_type: self.data_type.clone() };
        for state in self.values.state()? {
            let lists = state.to_array()?;
            for values in lists.as_list::<i32>().iter().flatten() {
                sum.update_batch(&[values])?;
            }
        }
        sum.evaluate()
    }

    fn size(&self) -> usize {
        self.values.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.values.state()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.values.merge_batch(states)
    }
}

impl AggregateUDFImpl for Sum {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        self.0.return_type(arguments)
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let data_type = args.return_field.data_type().clone();
        Ok(match (data_type, args.is_distinct) {
            (DataType::Int64 | DataType::UInt64, false) => Box::new(ExactSum::new(&args)),
            (data_type @ (DataType::Int64 | DataType::UInt64), true) => {
                Box::new(DistinctSum { values: self.0.accumulator(args)?, data_type })
            }
            _ => self.0.accumulator(args)?,
        })
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        match args.return_field.data_type() {
            DataType::Int64 | DataType::UInt64 if !args.is_distinct => Ok(Box::new(ExactSum::new(&args))),
            _ => self.0.create_sliding_accumulator(args),
        }
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        self.0.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(match args.return_field.data_type() {
            DataType::Int64 => {
                Box::new(PrimitiveGroupsAccumulator::<Int64Type, _>::new(&DataType::Int64, |sum: &mut i64, value| {
                    *sum = sum.saturating_add(value);
                }))
            }
            DataType::UInt64 => {
                Box::new(PrimitiveGroupsAccumulator::<UInt64Type, _>::new(&DataType::UInt64, |sum: &mut u64, value| {
                    *sum = sum.saturating_add(value);
                }))
            }
            _ => self.0.create_groups_accumulator(args)?,
        })
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        self.0.state_fields(args)
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.0.reverse_expr()
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.0.order_sensitivity()
    }

    fn set_monotonicity(&self, data_type: &DataType) -> SetMonotonicity {
        self.0.set_monotonicity(data_type)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.0.documentation()
    }
}
