//! `union_length(ts, dur)`: the length of the union of intervals, and `union_intervals(ts, dur)`:
//! the union itself.
//!
//! The state of a group is its merged intervals (see `intervals`). `union_intervals` returns them
//! as a list of `ts` and `dur`, disjoint and sorted. So a query merges intervals once and compares
//! several windows with them, by `covered`.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, LargeBinaryArray, ListArray, StructArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility};

use crate::functions::intervals::Union;

/// The result for the union of a group.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum UnionOutput {
    /// The length, for `union_length`.
    #[default]
    Length,
    /// The intervals, for `union_intervals`.
    Intervals,
}

/// The aggregate functions.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct IntervalUnion {
    output: UnionOutput,
    signature: Signature,
}

impl IntervalUnion {
    pub(crate) fn new(output: UnionOutput) -> Self {
        Self { output, signature: Signature::exact(vec![DataType::Int64, DataType::Int64], Volatility::Immutable) }
    }
}

impl UnionOutput {
    pub(super) fn data_type(self) -> DataType {
        match self {
            Self::Length => DataType::Int64,
            Self::Intervals => DataType::new_list(DataType::Struct(interval_fields()), true),
        }
    }

    fn evaluate(self, unions: &mut [Union]) -> Result<ArrayRef> {
        match self {
            Self::Length => Ok(Arc::new(Int64Array::from_iter_values(unions.iter_mut().map(Union::length)))),
            Self::Intervals => interval_lists(unions),
        }
    }
}

/// The fields of an interval in a list.
pub(super) fn interval_fields() -> Fields {
    Fields::from(vec![Field::new("ts", DataType::Int64, true), Field::new("dur", DataType::Int64, true)])
}

/// The offset of a list, after this number of values.
fn offset(values: usize) -> Result<i32> {
    let Ok(offset) = i32::try_from(values) else {
        return exec_err!("{values} disjoint intervals in one batch of groups: more than a column of lists holds");
    };
    Ok(offset)
}

/// The result of `union_intervals`. A length that does not fit into an `i64` becomes the maximum.
pub(super) fn interval_lists(unions: &mut [Union]) -> Result<ArrayRef> {
    let mut offsets = vec![0];
    let (mut starts, mut lengths) = (Vec::new(), Vec::new());
    for union in unions {
        for (start, end) in union.intervals() {
            starts.push(start);
            lengths.push(end.saturating_sub(start));
        }
        offsets.push(offset(starts.len())?);
    }
    let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(starts)), Arc::new(Int64Array::from(lengths))];
    let intervals = StructArray::try_new(interval_fields(), columns, None)?;
    let field = Arc::new(Field::new_list_field(DataType::Struct(interval_fields()), true));
    Ok(Arc::new(ListArray::try_new(field, OffsetBuffer::new(offsets.into()), Arc::new(intervals), None)?))
}

fn integers(values: &[ArrayRef]) -> (&Int64Array, &Int64Array) {
    (values[0].as_primitive::<Int64Type>(), values[1].as_primitive::<Int64Type>())
}

/// The state: the encoded intervals of each group.
fn encode(unions: &mut [Union]) -> ArrayRef {
    Arc::new(LargeBinaryArray::from_iter_values(unions.iter_mut().map(Union::take_encoded)))
}

/// Adds the intervals of one row of a state to a union.
fn add_state(union: &mut Union, state: &LargeBinaryArray, row: usize) {
    if state.is_valid(row) {
        union.add_encoded(state.value(row));
    }
}

#[derive(Debug, Default)]
struct UnionAccumulator(Union, UnionOutput);

impl Accumulator for UnionAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (ts, dur) = integers(values);
        (0..ts.len()).for_each(|row| self.0.add_row(ts, dur, row));
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.1.evaluate(std::slice::from_mut(&mut self.0))?, 0)
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.0.bytes()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::LargeBinary(Some(self.0.take_encoded()))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let state = states[0].as_binary::<i64>();
        (0..state.len()).for_each(|row| add_state(&mut self.0, state, row));
        Ok(())
    }
}

#[derive(Debug, Default)]
struct UnionGroupsAccumulator {
    output: UnionOutput,
    unions: Vec<Union>,
    bytes: usize,
}

impl UnionGroupsAccumulator {
    /// Changes a union and updates the number of bytes. A merge makes a union smaller.
    fn update(&mut self, group: usize, change: impl FnOnce(&mut Union)) {
        let union = &mut self.unions[group];
        let before = union.bytes();
        change(union);
        self.bytes = (self.bytes + union.bytes()).saturating_sub(before);
    }
}

fn passes(filter: Option<&BooleanArray>, row: usize) -> bool {
    filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row))
}

impl GroupsAccumulator for UnionGroupsAccumulator {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.unions.resize_with(total, Union::default);
        let (ts, dur) = integers(values);
        for row in (0..ts.len()).filter(|row| passes(filter, *row)) {
            self.update(groups[row], |union| union.add_row(ts, dur, row));
        }
        Ok(())
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        self.output.evaluate(&mut emit.take_needed(&mut self.unions))
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![encode(&mut emit.take_needed(&mut self.unions))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.unions.resize_with(total, Union::default);
        let state = states[0].as_binary::<i64>();
        for (row, group) in groups.iter().enumerate() {
            self.update(*group, |union| add_state(union, state, row));
        }
        Ok(())
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let (ts, dur) = integers(values);
        let mut unions = vec![Union::default(); ts.len()];
        for (row, union) in unions.iter_mut().enumerate().filter(|(row, _)| passes(filter, *row)) {
            union.add_row(ts, dur, row);
        }
        Ok(vec![encode(&mut unions)])
    }

    fn size(&self) -> usize {
        self.unions.capacity() * size_of::<Union>() + self.bytes
    }
}

impl AggregateUDFImpl for IntervalUnion {
    fn name(&self) -> &'static str {
        match self.output {
            UnionOutput::Length => "union_length",
            UnionOutput::Intervals => "union_intervals",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.output.data_type())
    }

    /// The unit of a length is that of `dur`.
    fn return_field(&self, arguments: &[FieldRef]) -> Result<FieldRef> {
        let field = Field::new(self.name(), self.output.data_type(), true);
        Ok(Arc::new(match self.output {
            UnionOutput::Length => field.with_metadata(arguments[1].metadata().clone()),
            UnionOutput::Intervals => field,
        }))
    }

    fn accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(UnionAccumulator(Union::default(), self.output)))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs<'_>) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(UnionGroupsAccumulator { output: self.output, ..UnionGroupsAccumulator::default() }))
    }

    fn state_fields(&self, _: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new("intervals", DataType::LargeBinary, true))])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Merging the states of two parts gives the length of the whole, for any split.
        #[test]
        fn partial_states_merge(
            intervals in proptest::collection::vec((0_i64..200, 0_i64..40), 1..60), split in 0_usize..60
        ) {
            let split = split.min(intervals.len());
            let expected = length(&intervals);
            let mut merged = UnionAccumulator::default();
            for part in [&intervals[..split], &intervals[split..]] {
                let mut partial = UnionAccumulator::default();
                part.iter().for_each(|(ts, dur)| partial.0.add(*ts, ts + dur));
                let state: Vec<ArrayRef> = partial.state().unwrap().into_iter().map(|s| s.to_array().unwrap()).collect();
                merged.merge_batch(&state).unwrap();
            }
            prop_assert_eq!(merged.0.length(), expected);
        }
    }

    #[test]
    fn an_offset_beyond_32_bits_is_an_error() {
        assert_eq!(offset(2_147_483_647).unwrap(), i32::MAX);
        assert!(offset(2_147_483_648).unwrap_err().to_string().contains("2147483648 disjoint intervals"));
    }

    fn length(intervals: &[(i64, i64)]) -> i64 {
        let mut union = Union::default();
        intervals.iter().for_each(|(ts, dur)| union.add(*ts, ts + dur));
        union.length()
    }
}
