//! Finds the interval that encloses each interval of a thread, for the functions `call_frame`,
//! `call_chain` and `call_stack`.

use arrow::array::{Array, Int64Array};
use tracelake_model::call_stack::CallStack;

/// For each interval the row of the frame that encloses it (see [`CallStack`]). `None` for an outermost interval and for a
/// row without a time. Rows for which `is_frame` is false enclose nothing.
pub(super) fn enclosers(ts: &Int64Array, dur: &Int64Array, is_frame: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let mut enclosers = vec![None; ts.len()];
    let mut stack = CallStack::default();
    for row in (0..ts.len()).filter(|row| ts.is_valid(*row)) {
        let (start, end) = (ts.value(row), end(ts, dur, row));
        enclosers[row] = stack.encloser(start, end).copied();
        if is_frame(row) {
            stack.open(end, row);
        }
    }
    enclosers
}

/// Duration of a row. A negative or unknown one is 0.
pub(super) fn length(dur: &Int64Array, row: usize) -> i64 {
    if dur.is_valid(row) { dur.value(row).max(0) } else { 0 }
}

/// The end of a row that has a time.
pub(super) fn end(ts: &Int64Array, dur: &Int64Array, row: usize) -> i64 {
    ts.value(row).saturating_add(length(dur, row))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn enclosers_of(rows: &[(i64, i64)]) -> Vec<Option<usize>> {
        let ts = Int64Array::from_iter_values(rows.iter().map(|row| row.0));
        let dur = Int64Array::from_iter_values(rows.iter().map(|row| row.1));
        enclosers(&ts, &dur, |_| true)
    }

    #[test]
    fn a_partial_overlap_does_not_enclose() {
        // [50, 120) overlaps [0, 100) in part and is inside [0, 200). It encloses [110, 115), and
        // not an interval that starts at 120.
        let rows = [(0, 200), (0, 100), (50, 70), (110, 5), (120, 0)];
        assert_eq!(enclosers_of(&rows), [None, Some(0), Some(0), Some(2), Some(0)]);
        // Of two equal intervals, the first encloses the second.
        assert_eq!(enclosers_of(&[(0, 10), (0, 10), (0, 0)]), [None, Some(0), Some(1)]);
    }

    proptest! {
        /// Checked against the definition, by a comparison of all pairs.
        #[test]
        fn the_encloser_fits_the_definition(mut rows in proptest::collection::vec((0_i64..60, 0_i64..30), 0..60), skipped in 0_usize..4) {
            rows.sort_by_key(|row| (row.0, -row.1));
            let ts = Int64Array::from_iter_values(rows.iter().map(|row| row.0));
            let dur = Int64Array::from_iter_values(rows.iter().map(|row| row.1));
            let enclosers = enclosers(&ts, &dur, |row| row % 4 != skipped);
            for (row, (start, length)) in rows.iter().enumerate() {
                let expected = (0..row).rev().find(|other| {
                    let end = rows[*other].0 + rows[*other].1;
                    other % 4 != skipped && end >= start + length && end > *start
                });
                prop_assert_eq!(enclosers[row], expected);
            }
        }
    }
}
