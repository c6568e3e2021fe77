//! `call_frame(name, ts, dur, work)`: the position of an interval in the call tree of its thread.
//!
//! A window function over the intervals of one thread, `partition by` thread and `order by ts, dur
//! desc`. A join would compare all pairs of intervals. A stack finds the enclosing frames in one
//! pass (see `encloser`).
//!
//! A row without a name is not a frame. Its time does not count as own time of the frame around it,
//! but its work counts as that frame's own work. An example is a call into the runtime of a device,
//! with the work that it launched. The result has the fields
//!
//! - `path`: a hash of the names from the outermost frame to this one; null for a row without a
//!   name;
//! - `parent`: the path of the enclosing frame; null for the outermost;
//! - `depth`: number of enclosing frames;
//! - `outermost`: whether no enclosing frame has the same name, so that a sum over a name counts
//!   recursion once;
//! - `self_dur`: `dur` without the time of the intervals directly inside;
//! - `self_work`: `work` of the row and of the rows without a name directly inside;
//! - `total_work`: `work` of the row and of all rows inside.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, StringViewArray, StructArray};
use arrow::datatypes::{DataType, Field, Fields, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{Signature, Volatility, WindowUDF};

use crate::functions::window::encloser::{enclosers, end, length};
use crate::functions::window::{ResultField, partition_function};

/// The window function.
pub(crate) fn call_frame() -> WindowUDF {
    let signature = Signature::exact(
        vec![DataType::Utf8View, DataType::Int64, DataType::Int64, DataType::Int64],
        Volatility::Immutable,
    );
    let field: ResultField = |arguments| Ok(Arc::new(Field::new(arguments.name(), DataType::Struct(fields()), true)));
    partition_function("call_frame", signature, field, evaluate)
}

fn fields() -> Fields {
    let names = ["path", "parent", "depth", "outermost", "self_dur", "self_work", "total_work"];
    let data_type = |name: &str| if name == "outermost" { DataType::Boolean } else { DataType::Int64 };
    names.map(|name| Field::new(name, data_type(name), true)).to_vec().into()
}

/// Evaluates the intervals of one thread.
#[expect(clippy::unnecessary_wraps, reason = "all window functions have this signature")]
fn evaluate(values: &[ArrayRef], _rows: usize) -> Result<ArrayRef> {
    let integers = |column: usize| values[column].as_primitive::<Int64Type>();
    Ok(Arc::new(frames(values[0].as_string_view(), integers(1), integers(2), integers(3))))
}

/// The intermediate results for one row.
#[derive(Debug, Default, Clone)]
struct FrameRow {
    encloser: Option<usize>,
    /// Hash of the name. `None` for a row that is not a frame.
    name: Option<u64>,
    path: u64,
    depth: i64,
    outermost: bool,
    /// Time that the intervals directly inside cover, up to `child_end`.
    child_time: i64,
    child_end: i64,
    self_work: i64,
    total_work: i64,
}

/// 64-bit FNV-1a. Unlike hashes of the standard library, it is the same in every process.
fn fnv1a(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn frames(names: &StringViewArray, ts: &Int64Array, dur: &Int64Array, work: &Int64Array) -> StructArray {
    let enclosers = enclosers(ts, dur, |row| names.is_valid(row));
    let mut rows = vec![FrameRow::default(); ts.len()];
    // A frame comes before the intervals that it encloses.
    for (index, encloser) in enclosers.into_iter().enumerate().filter(|(index, _)| ts.is_valid(*index)) {
        let self_work = if work.is_valid(index) { work.value(index) } else { 0 };
        let name = names.is_valid(index).then(|| fnv1a(FNV_START, names.value(index).as_bytes()));
        let (start, end) = (ts.value(index), end(ts, dur, index));
        if let Some(parent) = encloser.and_then(|row| rows.get_mut(row)) {
            let uncovered = parent.child_end.max(start);
            parent.child_time = parent.child_time.saturating_add(end.saturating_sub(uncovered).max(0));
            parent.child_end = parent.child_end.max(end);
            if name.is_none() {
                parent.self_work = parent.self_work.saturating_add(self_work);
            }
        }
        let parent = encloser.map(|row| &rows[row]);
        let path = fnv1a(parent.map_or(FNV_START, |parent| parent.path), &name.unwrap_or_default().to_le_bytes());
        let depth = parent.map_or(0, |parent| parent.depth + 1);
        let mut ancestors = std::iter::successors(parent, |frame| frame.encloser.map(|row| &rows[row]));
        let outermost = ancestors.all(|frame| frame.name != name);
        let frame = FrameRow { encloser, name, path, depth, outermost, self_work, ..FrameRow::default() };
        rows[index] = FrameRow { child_end: start, ..frame };
    }
    for index in (0..rows.len()).rev() {
        let FrameRow { encloser, name, self_work, total_work, .. } = rows[index];
        let total = total_work.saturating_add(self_work);
        rows[index].total_work = total;
        // The own work of the enclosing frame already contains the work of a row without a name.
        if let (Some(encloser), Some(_)) = (encloser, name) {
            rows[encloser].total_work = rows[encloser].total_work.saturating_add(total);
        }
    }
    columns(&rows, ts, dur)
}

fn columns(rows: &[FrameRow], ts: &Int64Array, dur: &Int64Array) -> StructArray {
    let row_with_time = |index: usize| ts.is_valid(index).then(|| &rows[index]);
    let frame = |index: usize| row_with_time(index).filter(|row| row.name.is_some());
    let integers = |value: &dyn Fn(usize) -> Option<i64>| -> ArrayRef {
        Arc::new((0..rows.len()).map(value).collect::<Int64Array>())
    };
    let outermost: BooleanArray = (0..rows.len()).map(|index| frame(index).map(|row| row.outermost)).collect();
    let arrays = vec![
        integers(&|index| frame(index).map(|row| row.path.cast_signed())),
        integers(&|index| row_with_time(index)?.encloser.map(|encloser| rows[encloser].path.cast_signed())),
        integers(&|index| frame(index).map(|row| row.depth)),
        Arc::new(outermost),
        integers(&|index| frame(index).map(|row| length(dur, index) - row.child_time)),
        integers(&|index| row_with_time(index).map(|row| row.self_work)),
        integers(&|index| row_with_time(index).map(|row| row.total_work)),
    ];
    StructArray::new(fields(), arrays, None)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Interval = (Option<&'static str>, i64, i64, i64);

    fn evaluate(rows: &[Interval]) -> StructArray {
        let integers = |value: fn(&Interval) -> i64| Int64Array::from_iter_values(rows.iter().map(value));
        let names: StringViewArray = rows.iter().map(|row| row.0).collect();
        frames(&names, &integers(|row| row.1), &integers(|row| row.2), &integers(|row| row.3))
    }

    fn column(frames: &StructArray, name: &str) -> Vec<Option<i64>> {
        frames.column_by_name(name).unwrap().as_primitive::<Int64Type>().iter().collect()
    }

    #[test]
    fn time_and_work_count_for_the_enclosing_frame() {
        // a [0, 100) encloses b [10, 60), which encloses a call with work 7 and another a [30, 40)
        // with a call of work 2. A call with work 1 is outside of all frames.
        let result = evaluate(&[
            (Some("a"), 0, 100, 0),
            (Some("b"), 10, 50, 0),
            (None, 12, 5, 7),
            (Some("a"), 30, 10, 0),
            (None, 31, 4, 2),
            (None, 200, 1, 1),
        ]);
        let path = column(&result, "path");
        assert_eq!(column(&result, "parent"), [None, path[0], path[1], path[1], path[3], None]);
        assert_eq!(column(&result, "depth"), [Some(0), Some(1), None, Some(2), None, None]);
        assert_eq!(column(&result, "self_dur"), [Some(50), Some(35), None, Some(6), None, None]);
        assert_eq!(column(&result, "self_work"), [0, 7, 7, 2, 2, 1].map(Some));
        assert_eq!(column(&result, "total_work"), [9, 9, 7, 2, 2, 1].map(Some));
        let outermost = result.column_by_name("outermost").unwrap().as_boolean();
        let outermost: Vec<Option<bool>> = outermost.iter().collect();
        assert_eq!(outermost, [Some(true), Some(true), None, Some(false), None, None]);
    }

    #[test]
    fn overlapping_time_inside_a_frame_counts_once() {
        // [10, 60) and [50, 90) cover 80 of 100. The second is not inside the first.
        let result = evaluate(&[(Some("root"), 0, 100, 0), (Some("a"), 10, 50, 0), (Some("b"), 50, 40, 0)]);
        assert_eq!(column(&result, "self_dur"), [20, 50, 40].map(Some));
    }

    #[test]
    fn equal_chains_of_names_have_equal_paths() {
        let result = evaluate(&[
            (Some("a"), 0, 10, 0),
            (Some("b"), 1, 2, 0),
            (Some("a"), 20, 10, 0),
            (Some("b"), 21, 2, 0),
            (Some("b"), 40, 1, 0),
        ]);
        let path = column(&result, "path");
        assert_eq!((path[0], path[1]), (path[2], path[3]));
        assert_ne!(path[1], path[4]);
        // The hash must not change between versions, because queries compare trees of different
        // runs by it.
        assert_eq!(path[0], Some(-2_665_937_026_142_228_616));
    }

    #[test]
    fn rows_without_a_time_are_null() {
        let names: StringViewArray = [Some("a"), Some("b")].into_iter().collect();
        let (ts, one) = (Int64Array::from(vec![None, Some(3)]), Int64Array::from(vec![1, 1]));
        let result = frames(&names, &ts, &one, &one);
        assert_eq!(column(&result, "self_dur"), [None, Some(1)]);
        assert_eq!(column(&result, "depth"), [None, Some(0)]);
    }

    proptest! {
        /// Checked against the definitions, with counts of points and descendants.
        #[test]
        fn time_and_work_add_up(drawn in proptest::collection::vec((0_usize..4, 0_i64..60, 0_i64..30, 0_i64..5), 0..60)) {
            let mut rows: Vec<Interval> = drawn
                .into_iter()
                .map(|(name, ts, dur, work)| ([Some("a"), Some("b"), Some("c"), None][name], ts, dur, work))
                .collect();
            rows.sort_by_key(|row| (row.1, -row.2));
            let ts = Int64Array::from_iter_values(rows.iter().map(|row| row.1));
            let dur = Int64Array::from_iter_values(rows.iter().map(|row| row.2));
            let parents = enclosers(&ts, &dur, |row| rows[row].0.is_some());
            let ancestors = |row: usize| std::iter::successors(parents[row], |ancestor| parents[*ancestor]);
            let result = evaluate(&rows);
            let path = column(&result, "path");
            for (row, (name, start, length, _)) in rows.iter().enumerate() {
                prop_assert_eq!(column(&result, "parent")[row], parents[row].and_then(|other| path[other]));
                let is_inside = |other: &usize| *other == row || ancestors(*other).any(|ancestor| ancestor == row);
                let total = (0..rows.len()).filter(is_inside);
                prop_assert_eq!(column(&result, "total_work")[row], Some(total.map(|other| rows[other].3).sum()));
                if name.is_none() {
                    continue;
                }
                let children: Vec<usize> = (0..rows.len()).filter(|other| parents[*other] == Some(row)).collect();
                let covers = |child: &usize, point: &i64| (rows[*child].1..rows[*child].1 + rows[*child].2).contains(point);
                let own = (*start..start + length).filter(|point| !children.iter().any(|child| covers(child, point)));
                prop_assert_eq!(column(&result, "self_dur")[row], Some(i64::try_from(own.count()).unwrap()));
                let outermost = result.column_by_name("outermost").unwrap().as_boolean().value(row);
                prop_assert_eq!(outermost, ancestors(row).all(|ancestor| rows[ancestor].0 != *name));
            }
        }
    }
}
