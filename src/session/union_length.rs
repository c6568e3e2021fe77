//! `union_length(ts, dur)`: how long at least one of several intervals lasted.
//!
//! Overlap must never be summed. The state of a group is its merged intervals; intervals that arrive
//! in order of their start extend the last one, and only others make a sort necessary.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, ListArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility};

/// The aggregate function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct UnionLength {
    signature: Signature,
}

impl UnionLength {
    pub(super) fn new() -> Self {
        Self { signature: Signature::exact(vec![DataType::Int64, DataType::Int64], Volatility::Immutable) }
    }
}

/// Disjoint intervals `[start, end)` in order, once merged.
#[derive(Debug, Default, Clone)]
struct Union {
    intervals: Vec<(i64, i64)>,
    /// An interval arrived out of order, so that the list must be sorted before it is read.
    dirty: bool,
    /// Length at which a dirty list is merged, so that it does not grow with the input.
    limit: usize,
}

impl Union {
    fn add(&mut self, start: i64, end: i64) {
        if end <= start {
            return;
        }
        match self.intervals.last_mut() {
            Some(last) if !self.dirty && start >= last.0 && start <= last.1 => {
                last.1 = last.1.max(end);
                return;
            }
            Some(last) if start < last.0 => self.dirty = true,
            _ => {}
        }
        self.intervals.push((start, end));
        if self.dirty && self.intervals.len() > self.limit.max(64) {
            self.merge();
            self.limit = self.intervals.len() * 2;
        }
    }

    fn merge(&mut self) {
        if !self.dirty {
            return;
        }
        self.intervals.sort_unstable();
        self.intervals.dedup_by(|next, kept| {
            let overlap = next.0 <= kept.1;
            if overlap {
                kept.1 = kept.1.max(next.1);
            }
            overlap
        });
        self.dirty = false;
    }

    fn length(&mut self) -> i64 {
        self.merge();
        self.intervals.iter().map(|(start, end)| end - start).sum()
    }

    /// Adds the rows' intervals `ts .. ts + dur`; a null in either is no interval.
    fn add_row(&mut self, ts: &Int64Array, dur: &Int64Array, row: usize) {
        if ts.is_valid(row) && dur.is_valid(row) {
            self.add(ts.value(row), ts.value(row).saturating_add(dur.value(row)));
        }
    }

    fn bytes(&self) -> usize {
        self.intervals.capacity() * size_of::<(i64, i64)>()
    }
}

fn integers(values: &[ArrayRef]) -> (&Int64Array, &Int64Array) {
    (values[0].as_primitive::<Int64Type>(), values[1].as_primitive::<Int64Type>())
}

/// The state as two lists a group: starts and ends.
fn lists(unions: &mut [Union]) -> Vec<ArrayRef> {
    let mut offsets = vec![0_i32];
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for union in unions {
        union.merge();
        for (start, end) in &union.intervals {
            starts.push(*start);
            ends.push(*end);
        }
        offsets.push(i32::try_from(starts.len()).unwrap_or(i32::MAX));
    }
    let offsets = OffsetBuffer::new(offsets.into());
    let list = |values: Vec<i64>| -> ArrayRef {
        let field = Arc::new(Field::new_list_field(DataType::Int64, true));
        Arc::new(ListArray::new(field, offsets.clone(), Arc::new(Int64Array::from(values)), None))
    };
    vec![list(starts), list(ends)]
}

/// Adds the intervals of one row of a state to a union.
fn add_state(union: &mut Union, state: &[ArrayRef], row: usize) {
    let (starts, ends) = (state[0].as_list::<i32>(), state[1].as_list::<i32>());
    if starts.is_null(row) {
        return;
    }
    let (starts, ends) = (starts.value(row), ends.value(row));
    let (starts, ends) = (starts.as_primitive::<Int64Type>(), ends.as_primitive::<Int64Type>());
    for (start, end) in starts.values().iter().zip(ends.values()) {
        union.add(*start, *end);
    }
}

#[derive(Debug, Default)]
struct One(Union);

impl Accumulator for One {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (ts, dur) = integers(values);
        (0..ts.len()).for_each(|row| self.0.add_row(ts, dur, row));
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Int64(Some(self.0.length())))
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.0.bytes()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let lists = lists(std::slice::from_mut(&mut self.0));
        Ok(lists.iter().map(|list| ScalarValue::List(Arc::new(list.as_list::<i32>().clone()))).collect())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        (0..states[0].len()).for_each(|row| add_state(&mut self.0, states, row));
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Groups {
    unions: Vec<Union>,
    bytes: usize,
}

impl Groups {
    fn grow(&mut self, group: usize, change: impl FnOnce(&mut Union)) {
        let union = &mut self.unions[group];
        let before = union.bytes();
        change(union);
        self.bytes += union.bytes().saturating_sub(before);
    }
}

fn passes(filter: Option<&BooleanArray>, row: usize) -> bool {
    filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row))
}

impl GroupsAccumulator for Groups {
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
            self.grow(groups[row], |union| union.add_row(ts, dur, row));
        }
        Ok(())
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let lengths = emit.take_needed(&mut self.unions).into_iter().map(|mut union| union.length());
        Ok(Arc::new(Int64Array::from_iter_values(lengths)))
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(lists(&mut emit.take_needed(&mut self.unions)))
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.unions.resize_with(total, Union::default);
        for (row, group) in groups.iter().enumerate() {
            self.grow(*group, |union| add_state(union, states, row));
        }
        Ok(())
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let (ts, dur) = integers(values);
        let mut unions: Vec<Union> = (0..ts.len())
            .map(|row| {
                let mut union = Union::default();
                if passes(filter, row) {
                    union.add_row(ts, dur, row);
                }
                union
            })
            .collect();
        Ok(lists(&mut unions))
    }

    fn size(&self) -> usize {
        self.unions.capacity() * size_of::<Union>() + self.bytes
    }
}

impl AggregateUDFImpl for UnionLength {
    fn name(&self) -> &'static str {
        "union_length"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    /// The unit of the result is that of `dur`.
    fn return_field(&self, arguments: &[FieldRef]) -> Result<FieldRef> {
        let metadata = arguments[1].metadata().clone();
        Ok(Arc::new(Field::new(self.name(), DataType::Int64, true).with_metadata(metadata)))
    }

    fn accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(One::default()))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs<'_>) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Groups::default()))
    }

    fn state_fields(&self, _: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let list = DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)));
        Ok(vec![Arc::new(Field::new("starts", list.clone(), true)), Arc::new(Field::new("ends", list, true))])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a count of the covered points, which knows nothing of intervals.
        #[test]
        fn length_is_the_number_of_covered_points(
            intervals in proptest::collection::vec((0_i64..200, -5_i64..40), 0..200)
        ) {
            let mut union = Union { limit: 0, ..Union::default() };
            let mut covered = std::collections::BTreeSet::new();
            for (ts, dur) in intervals {
                union.add(ts, ts + dur);
                covered.extend(ts..ts + dur.max(0));
            }
            prop_assert_eq!(union.length(), i64::try_from(covered.len()).unwrap());
        }

        /// A state that was written and merged again in any cut gives the same length.
        #[test]
        fn partial_states_merge(
            intervals in proptest::collection::vec((0_i64..200, 0_i64..40), 1..60), cut in 0_usize..60
        ) {
            let cut = cut.min(intervals.len());
            let whole = length(&intervals);
            let mut one = One::default();
            for part in [&intervals[..cut], &intervals[cut..]] {
                let mut other = One::default();
                part.iter().for_each(|(ts, dur)| other.0.add(*ts, ts + dur));
                let state: Vec<ArrayRef> = other.state().unwrap().into_iter().map(|s| s.to_array().unwrap()).collect();
                one.merge_batch(&state).unwrap();
            }
            prop_assert_eq!(one.0.length(), whole);
        }
    }

    fn length(intervals: &[(i64, i64)]) -> i64 {
        let mut union = Union::default();
        intervals.iter().for_each(|(ts, dur)| union.add(*ts, ts + dur));
        union.length()
    }
}
