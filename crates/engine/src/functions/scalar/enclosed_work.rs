//! `enclosed_work(launches, ranges)`: the device work that was launched within each range of a thread.
//!
//! `launches` is a list of structs with the fields `ts` and `dur` of the call, and `ops`, `first_ts` and `last_ts` of the
//! work that it launched: how many operations, the start of the first and the end of the last. `ranges` is a list of
//! structs with the fields `ts` and `dur`. A launch is within a range if it starts inside the half-open range and
//! ends no later than the range.
//!
//! The result is a list with a struct of `ops`, `first_ts` and `last_ts` for each range, null for a range without work.
//! Nested ranges have the same launches: a join would have a row for each range around each launch.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, StructArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, Fields, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use crate::functions::scalar::covered::has_fields;

/// The scalar function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct EnclosedWork {
    signature: Signature,
}

impl EnclosedWork {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::any(2, Volatility::Immutable) }
    }
}

fn fields() -> Fields {
    ["ops", "first_ts", "last_ts"].map(|name| Field::new(name, DataType::Int64, true)).to_vec().into()
}

/// The work of several launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Work {
    ops: i64,
    first_ts: i64,
    last_ts: i64,
}

impl Work {
    const NONE: Self = Self { ops: 0, first_ts: i64::MAX, last_ts: i64::MIN };

    fn merge(self, other: Self) -> Self {
        Self {
            ops: self.ops.saturating_add(other.ops),
            first_ts: self.first_ts.min(other.first_ts),
            last_ts: self.last_ts.max(other.last_ts),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct WorkLaunch {
    start: i64,
    end: i64,
    work: Work,
}

/// The work within each range, in time `n log n`.
///
/// A binary tree has the launches in the order of their starts, and in each node the work of the launches below it. The
/// launches enter the tree in the order of their ends, so that a range finds only those that have ended.
fn work_of_ranges(mut launches: Vec<WorkLaunch>, ranges: &[Option<(i64, i64)>]) -> Vec<Work> {
    launches.sort_unstable_by_key(|launch| launch.start);
    let mut by_end: Vec<usize> = (0..launches.len()).collect();
    by_end.sort_unstable_by_key(|index| launches[*index].end);
    let mut by_end = by_end.into_iter().peekable();
    let mut range_order: Vec<usize> = (0..ranges.len()).collect();
    range_order.sort_unstable_by_key(|index| ranges[*index].map(|(_, end)| end));

    let leaves = launches.len();
    let mut tree = vec![Work::NONE; 2 * leaves];
    let mut within = vec![Work::NONE; ranges.len()];
    for index in range_order {
        let Some((start, end)) = ranges[index] else { continue };
        while let Some(launch) = by_end.next_if(|launch| launches[*launch].end <= end) {
            let mut node = launch + leaves;
            while node > 0 {
                tree[node] = tree[node].merge(launches[launch].work);
                node /= 2;
            }
        }
        let mut low = launches.partition_point(|launch| launch.start < start) + leaves;
        let mut high = launches.partition_point(|launch| launch.start < end) + leaves;
        while low < high {
            if low % 2 == 1 {
                within[index] = within[index].merge(tree[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                within[index] = within[index].merge(tree[high]);
            }
            low /= 2;
            high /= 2;
        }
    }
    within
}

/// A field of the structs in a list.
fn column<'a>(structs: &'a StructArray, name: &str) -> Result<&'a Int64Array> {
    match structs.column_by_name(name).and_then(|column| column.as_primitive_opt::<Int64Type>()) {
        Some(column) => Ok(column),
        None => exec_err!("enclosed_work: expected structs with a field {name} of type bigint"),
    }
}

/// Start and end of every interval. `None` for an interval without a time.
fn intervals(structs: &StructArray) -> Result<Vec<Option<(i64, i64)>>> {
    let (ts, dur) = (column(structs, "ts")?, column(structs, "dur")?);
    Ok(ts.iter().zip(dur).map(|(ts, dur)| Some((ts?, ts?.saturating_add(dur?)))).collect())
}

fn launches(structs: &StructArray) -> Result<Vec<WorkLaunch>> {
    let (ops, first_ts, last_ts) = (column(structs, "ops")?, column(structs, "first_ts")?, column(structs, "last_ts")?);
    let intervals = intervals(structs)?;
    let launch = |(row, interval): (usize, &Option<(i64, i64)>)| {
        let (start, end) = (*interval)?;
        let work = Work { ops: ops.value(row), first_ts: first_ts.value(row), last_ts: last_ts.value(row) };
        Some(WorkLaunch { start, end, work })
    };
    Ok(intervals.iter().enumerate().filter_map(launch).collect())
}

fn evaluate(launch_lists: &ListArray, range_lists: &ListArray) -> Result<ArrayRef> {
    let mut within = Vec::new();
    let mut lengths = Vec::with_capacity(range_lists.len());
    for row in 0..range_lists.len() {
        let ranges =
            if range_lists.is_valid(row) { intervals(range_lists.value(row).as_struct())? } else { Vec::new() };
        let launches =
            if launch_lists.is_valid(row) { launches(launch_lists.value(row).as_struct())? } else { Vec::new() };
        lengths.push(ranges.len());
        within.extend(work_of_ranges(launches, &ranges));
    }
    let nulls: NullBuffer = within.iter().map(|work| *work != Work::NONE).collect();
    // A field of a null struct is read as it is: it must be null, too.
    let column = |field: fn(&Work) -> i64| -> ArrayRef {
        let value = |work: &Work| (*work != Work::NONE).then(|| field(work));
        Arc::new(within.iter().map(value).collect::<Int64Array>())
    };
    let columns = vec![column(|work| work.ops), column(|work| work.first_ts), column(|work| work.last_ts)];
    let structs = StructArray::try_new(fields(), columns, Some(nulls))?;
    let field = Arc::new(Field::new_list_field(structs.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(field, offsets, Arc::new(structs), range_lists.nulls().cloned())?))
}

impl ScalarUDFImpl for EnclosedWork {
    fn name(&self) -> &'static str {
        "enclosed_work"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let [launches, ranges] = types else { return plan_err!("enclosed_work: expected two arguments") };
        if !has_fields(launches, &["ts", "dur", "ops", "first_ts", "last_ts"]) || !has_fields(ranges, &["ts", "dur"]) {
            return plan_err!(
                "enclosed_work(launches, ranges): expected lists of structs with the fields ts and dur, for launches also ops, \
                 first_ts and last_ts"
            );
        }
        Ok(DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields()), true))))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let lists = ColumnarValue::values_to_arrays(&arguments.args)?;
        Ok(ColumnarValue::Array(evaluate(lists[0].as_list::<i32>(), lists[1].as_list::<i32>())?))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Checked against a comparison of every range with every launch.
        #[test]
        fn the_work_of_a_range_is_that_of_its_launches(
            drawn in proptest::collection::vec((0_i64..60, 0_i64..20, 1_i64..9, 0_i64..100), 0..40),
            ranges in proptest::collection::vec((0_i64..60, 1_i64..40), 0..20),
        ) {
            let launches: Vec<WorkLaunch> = drawn
                .iter()
                .map(|(start, dur, ops, ts)| WorkLaunch {
                    start: *start,
                    end: start + dur,
                    work: Work { ops: *ops, first_ts: *ts, last_ts: ts + ops },
                })
                .collect();
            let ranges: Vec<_> = ranges.iter().map(|(ts, dur)| Some((*ts, ts + dur))).chain([None]).collect();
            let expected: Vec<Work> = ranges
                .iter()
                .map(|range| {
                    let Some((start, end)) = *range else { return Work::NONE };
                    launches
                        .iter()
                        .filter(|launch| launch.start >= start && launch.start < end && launch.end <= end)
                        .fold(Work::NONE, |sum, launch| sum.merge(launch.work))
                })
                .collect();
            prop_assert_eq!(work_of_ranges(launches, &ranges), expected);
        }
    }
}
