//! `priority_lengths(ts, dur, priority)`: for how long each priority was the first of those that had work.
//!
//! A list: its first element is the time in which something of priority 1 was running, the second that in which something of
//! priority 2 was and nothing of 1, and so on up to the last priority there is. So they add up to the `union_length` of all.
//! One aggregate for all of them keeps each interval once.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, LargeBinaryArray};
use arrow::buffer::{Buffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, Signature, Volatility};

use crate::functions::intervals::{Union, union_lengths};

/// Each of them is a union of its own.
const PRIORITIES: i64 = 16;

/// The aggregate function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct PriorityLengths {
    signature: Signature,
}

impl PriorityLengths {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::exact(vec![DataType::Int64; 3], Volatility::Immutable) }
    }
}

/// The intervals of one group by their priority.
#[derive(Debug, Default)]
struct ByPriority(Vec<Union>);

impl ByPriority {
    fn of(&mut self, place: usize) -> &mut Union {
        if self.0.len() <= place {
            self.0.resize_with(place + 1, Union::default);
        }
        &mut self.0[place]
    }
}

fn place(priority: i64) -> Result<usize> {
    match usize::try_from(priority) {
        Ok(n @ 1..) if priority <= PRIORITIES => Ok(n - 1),
        _ => exec_err!(
            "priority_lengths(ts, dur, priority): expected a priority from 1 to {PRIORITIES}, found {priority}"
        ),
    }
}

impl Accumulator for ByPriority {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [ts, dur, priority] = [0, 1, 2].map(|n| values[n].as_primitive::<Int64Type>());
        for row in (0..ts.len()).filter(|row| priority.is_valid(*row)) {
            self.of(place(priority.value(row))?).add_row(ts, dur, row);
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let lengths: Vec<ScalarValue> =
            union_lengths(&mut self.0).into_iter().map(|length| ScalarValue::Int64(Some(length))).collect();
        Ok(ScalarValue::List(ScalarValue::new_list_nullable(&lengths, &DataType::Int64)))
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.0.iter().map(|union| size_of::<Union>() + union.bytes()).sum::<usize>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        // some MB, mostly of the first: not copied
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for coded in std::mem::take(&mut self.0).iter_mut().map(Union::take_coded) {
            if bytes.is_empty() {
                bytes = coded;
            } else {
                bytes.extend_from_slice(&coded);
            }
            ends.push(i64::try_from(bytes.len()).unwrap_or(i64::MAX));
        }
        let ends = OffsetBuffer::new(ends.into());
        let coded = LargeBinaryArray::try_new(ends, Buffer::from_vec(bytes), None)?;
        Ok(vec![SingleRowListArrayBuilder::new(Arc::new(coded)).with_nullable(true).build_list_scalar()])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for coded in states[0].as_list::<i32>().iter().flatten() {
            for (place, coded) in coded.as_binary::<i64>().iter().enumerate() {
                self.of(place).add_coded(coded.unwrap_or_default());
            }
        }
        Ok(())
    }
}

impl AggregateUDFImpl for PriorityLengths {
    fn name(&self) -> &'static str {
        "priority_lengths"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true))))
    }

    fn accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(ByPriority::default()))
    }

    fn state_fields(&self, _: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let bytes = Field::new_list_field(DataType::LargeBinary, true);
        Ok(vec![Arc::new(Field::new("intervals", DataType::List(Arc::new(bytes)), true))])
    }
}
