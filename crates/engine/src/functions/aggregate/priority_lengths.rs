//! `priority_lengths(ts, dur, priority)`: the time during which each priority was the first with a
//! running interval.
//!
//! The result is a list. Its first element is the length of the union of the intervals with
//! priority 1. The second is the time in which an interval with priority 2 was running and none
//! with priority 1, and so on up to the last priority. So the elements add up to the `union_length`
//! of all intervals. One aggregate for all priorities stores each interval once.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, LargeBinaryArray};
use arrow::buffer::{Buffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{Accumulator, AggregateUDF, SimpleAggregateUDF, Volatility};

use crate::functions::intervals::{Union, union_lengths};

/// The highest number of a priority. Each priority has its own union of intervals.
const MAX_PRIORITY: i64 = 16;

/// The aggregate function.
pub(crate) fn priority_lengths() -> AggregateUDF {
    AggregateUDF::from(SimpleAggregateUDF::new(
        "priority_lengths",
        vec![DataType::Int64; 3],
        DataType::new_list(DataType::Int64, true),
        Volatility::Immutable,
        Arc::new(|_| Ok(Box::new(PriorityAccumulator::default()))),
        vec![Arc::new(Field::new_list("intervals", Field::new_list_field(DataType::LargeBinary, true), true))],
    ))
}

/// The intervals of one group, by priority.
#[derive(Debug, Default)]
struct PriorityAccumulator(Vec<Union>);

impl PriorityAccumulator {
    fn union_mut(&mut self, index: usize) -> &mut Union {
        if self.0.len() <= index {
            self.0.resize_with(index + 1, Union::default);
        }
        &mut self.0[index]
    }
}

fn priority_index(priority: i64) -> Result<usize> {
    match usize::try_from(priority) {
        Ok(n @ 1..) if priority <= MAX_PRIORITY => Ok(n - 1),
        _ => exec_err!(
            "priority_lengths(ts, dur, priority): expected a priority from 1 to {MAX_PRIORITY}, found {priority}"
        ),
    }
}

impl Accumulator for PriorityAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [ts, dur, priority] = [0, 1, 2].map(|n| values[n].as_primitive::<Int64Type>());
        for row in (0..ts.len()).filter(|row| priority.is_valid(*row)) {
            self.union_mut(priority_index(priority.value(row))?).add_row(ts, dur, row);
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let lengths: Vec<_> = union_lengths(&mut self.0).into_iter().map(ScalarValue::from).collect();
        Ok(ScalarValue::List(ScalarValue::new_list_nullable(&lengths, &DataType::Int64)))
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.0.iter().map(|union| size_of::<Union>() + union.bytes()).sum::<usize>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        // These are some MB, mostly of the first priority, which is not copied.
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        for encoded in std::mem::take(&mut self.0).iter_mut().map(Union::take_encoded) {
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
