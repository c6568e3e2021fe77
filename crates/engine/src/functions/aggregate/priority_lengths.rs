//! `priority_lengths(ts, dur, priority)`: the time during which each priority was the first with a
//! running interval, and `priority_intervals(ts, dur, priority)`: the union of the intervals of each
//! priority.
//!
//! The result is a list. Its first element is the length of the union of the intervals with
//! priority 1. The second is the time in which an interval with priority 2 was running and none
//! with priority 1, and so on up to the last priority. So the elements add up to the `union_length`
//! of all intervals. One aggregate for all priorities stores each interval once. `priority_covered`
//! compares the unions with several windows.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, LargeBinaryArray};
use arrow::buffer::{Buffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{Accumulator, AggregateUDF, SimpleAggregateUDF, Volatility};

use super::union_length::{UnionOutput, interval_lists};
use crate::functions::intervals::{Union, union_lengths};

/// The highest number of a priority. Each priority has its own union of intervals.
const MAX_PRIORITY: i64 = 16;

/// The aggregate functions.
pub(crate) fn priority_functions() -> [AggregateUDF; 2] {
    [
        function("priority_lengths", DataType::Int64, lengths),
        function("priority_intervals", UnionOutput::Intervals.data_type(), interval_lists),
    ]
}

/// A function with a list that has an element for each priority.
fn function(name: &'static str, element: DataType, evaluate: Evaluate) -> AggregateUDF {
    AggregateUDF::from(SimpleAggregateUDF::new(
        name,
        vec![DataType::Int64; 3],
        DataType::new_list(element, true),
        Volatility::Immutable,
        Arc::new(move |_| Ok(Box::new(PriorityAccumulator { name, unions: Vec::new(), evaluate }))),
        vec![Arc::new(Field::new_list("intervals", Field::new_list_field(DataType::LargeBinary, true), true))],
    ))
}

/// Computes the elements of a result.
type Evaluate = fn(&mut [Union]) -> Result<ArrayRef>;

#[expect(clippy::unnecessary_wraps, reason = "the other result can have too many intervals")]
fn lengths(unions: &mut [Union]) -> Result<ArrayRef> {
    Ok(Arc::new(Int64Array::from(union_lengths(unions))))
}

/// The intervals of one group, by priority.
#[derive(Debug)]
struct PriorityAccumulator {
    name: &'static str,
    unions: Vec<Union>,
    evaluate: Evaluate,
}

impl PriorityAccumulator {
    fn union_mut(&mut self, index: usize) -> &mut Union {
        if self.unions.len() <= index {
            self.unions.resize_with(index + 1, Union::default);
        }
        &mut self.unions[index]
    }

    fn index(&self, priority: i64) -> Result<usize> {
        let Self { name, .. } = self;
        match usize::try_from(priority) {
            Ok(n @ 1..) if priority <= MAX_PRIORITY => Ok(n - 1),
            _ => {
                exec_err!("{name}(ts, dur, priority): expected a priority from 1 to {MAX_PRIORITY}, found {priority}")
            }
        }
    }
}

impl Accumulator for PriorityAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [ts, dur, priority] = [0, 1, 2].map(|n| values[n].as_primitive::<Int64Type>());
        for row in (0..ts.len()).filter(|row| priority.is_valid(*row)) {
            let index = self.index(priority.value(row))?;
            self.union_mut(index).add_row(ts, dur, row);
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let elements = (self.evaluate)(&mut std::mem::take(&mut self.unions))?;
        Ok(SingleRowListArrayBuilder::new(elements).build_list_scalar())
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.unions.iter().map(|union| size_of::<Union>() + union.bytes()).sum::<usize>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        // These are some MB, mostly of the first priority, which is not copied.
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        for encoded in std::mem::take(&mut self.unions).iter_mut().map(Union::take_encoded) {
            if bytes.is_empty() {
                bytes = encoded;
            } else {
                bytes.extend_from_slice(&encoded);
            }
            offsets.push(i64::try_from(bytes.len()).unwrap_or(i64::MAX));
        }
        let offsets = OffsetBuffer::new(offsets.into());
        let encoded = LargeBinaryArray::try_new(offsets, Buffer::from_vec(bytes), None)?;
        Ok(vec![SingleRowListArrayBuilder::new(Arc::new(encoded)).build_list_scalar()])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for unions in states[0].as_list::<i32>().iter().flatten() {
            for (index, encoded) in unions.as_binary::<i64>().iter().enumerate() {
                self.union_mut(index).add_encoded(encoded.unwrap_or_default());
            }
        }
        Ok(())
    }
}
