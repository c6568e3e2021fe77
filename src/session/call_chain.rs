//! `call_chain(value, is_frame, ts, dur)`: the values of the frames around an interval, innermost first.
//!
//! A window function over the intervals of one thread, in the order that `encloser` wants. Where `call_stack` makes one
//! text of the names, this gives a list of anything: `[1]` is what an interval is directly inside of, `unnest` makes a row of
//! each. The list is empty where nothing is around, and null for a row without a time.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, ListArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::function::{PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{PartitionEvaluator, Signature, Volatility, WindowUDFImpl};

use super::encloser::enclosers;

/// The window function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct CallChain {
    signature: Signature,
}

impl CallChain {
    pub(super) fn new() -> Self {
        Self { signature: Signature::any(4, Volatility::Immutable) }
    }
}

impl WindowUDFImpl for CallChain {
    fn name(&self) -> &'static str {
        "call_chain"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn partition_evaluator(&self, _: PartitionEvaluatorArgs<'_>) -> Result<Box<dyn PartitionEvaluator>> {
        Ok(Box::new(Thread))
    }

    fn field(&self, arguments: WindowUDFFieldArgs<'_>) -> Result<FieldRef> {
        let fields = arguments.input_fields();
        let wanted = [&DataType::Boolean, &DataType::Int64, &DataType::Int64];
        if fields.iter().skip(1).map(|field| field.data_type()).ne(wanted) {
            return plan_err!(
                "call_chain(value, is_frame, ts, dur): a boolean and two bigint expected after the value"
            );
        }
        let element = Field::new_list_field(fields[0].data_type().clone(), true);
        Ok(Arc::new(Field::new(arguments.name(), DataType::List(Arc::new(element)), true)))
    }
}

/// Evaluates the intervals of one thread.
#[derive(Debug)]
struct Thread;

impl PartitionEvaluator for Thread {
    fn evaluate_all(&mut self, values: &[ArrayRef], _rows: usize) -> Result<ArrayRef> {
        let integers = |column: usize| values[column].as_primitive::<Int64Type>();
        Ok(Arc::new(chains(&values[0], values[1].as_boolean(), integers(2), integers(3))?))
    }
}

fn chains(values: &ArrayRef, frames: &BooleanArray, ts: &Int64Array, dur: &Int64Array) -> Result<ListArray> {
    let is_frame = |row: usize| frames.is_valid(row) && frames.value(row);
    let enclosers: Vec<Option<usize>> = enclosers(ts, dur, is_frame);
    let mut around: Vec<u32> = Vec::new();
    let mut lengths = Vec::with_capacity(enclosers.len());
    for encloser in &enclosers {
        let before = around.len();
        let frames = std::iter::successors(*encloser, |frame| enclosers[*frame]);
        around.extend(frames.map(|frame| u32::try_from(frame).unwrap_or(u32::MAX)));
        lengths.push(around.len() - before);
    }
    let values = take(values, &UInt32Array::from(around), None)?;
    let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    let timed = ts.nulls().map(|nulls| NullBuffer::new(nulls.inner().clone()));
    Ok(ListArray::try_new(field, OffsetBuffer::from_lengths(lengths), values, timed)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn innermost_first_and_only_what_is_around() {
        // 1 [0, 100) holds 2 [10, 40), which holds a call [12, 13); 4 [30, 60) overlaps 2 in part; the last has no time
        let values: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5, 6]));
        let frames = BooleanArray::from(vec![true, true, false, true, false, false]);
        let ts = Int64Array::from(vec![Some(0), Some(10), Some(12), Some(30), Some(50), None]);
        let dur = Int64Array::from(vec![100, 30, 1, 30, 1, 1]);
        let found = chains(&values, &frames, &ts, &dur).unwrap();
        let found: Vec<Option<Vec<i64>>> =
            found.iter().map(|chain| Some(chain?.as_primitive::<Int64Type>().values().to_vec())).collect();
        assert_eq!(found, [Some(vec![]), Some(vec![1]), Some(vec![2, 1]), Some(vec![1]), Some(vec![4, 1]), None]);
    }
}
