//! Which interval of a thread encloses which: the stack behind `call_frame` and `call_stack`.

use arrow::array::{Array, Int64Array};

/// For each interval the row of the frame that encloses it, none for the outermost and for rows without a time.
///
/// The rows come in order of `ts`, of those that start together the longest first, so that a frame comes before
/// what it encloses. A frame encloses an interval if it starts no later, ends no earlier and has not ended before the
/// interval begins; of several it is the last one. Intervals are half-open; one without a length has no inside. An interval
/// that overlaps another one only in part lies beside it. Rows for which `is_frame` is false enclose nothing.
pub(super) fn enclosers(ts: &Int64Array, dur: &Int64Array, is_frame: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let mut found = vec![None; ts.len()];
    let mut open: Vec<(i64, usize)> = Vec::new();
    for row in (0..ts.len()).filter(|row| ts.is_valid(*row)) {
        let (start, end) = (ts.value(row), end(ts, dur, row));
        while open.last().is_some_and(|(end, _)| *end <= start) {
            open.pop();
        }
        // one that ended may lie below one that it overlapped in part
        let around = open.iter().rev().find(|(other, _)| *other >= end && *other > start);
        found[row] = around.map(|(_, row)| *row);
        if is_frame(row) {
            open.push((end, row));
        }
    }
    found
}

/// Duration of a row; a negative or unknown one is none.
pub(super) fn length(dur: &Int64Array, row: usize) -> i64 {
    if dur.is_valid(row) { dur.value(row).max(0) } else { 0 }
}

/// Where a row with a time ends.
pub(super) fn end(ts: &Int64Array, dur: &Int64Array, row: usize) -> i64 {
    ts.value(row).saturating_add(length(dur, row))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(rows: &[(i64, i64)]) -> Vec<Option<usize>> {
        let ts = Int64Array::from_iter_values(rows.iter().map(|row| row.0));
        let dur = Int64Array::from_iter_values(rows.iter().map(|row| row.1));
        enclosers(&ts, &dur, |_| true)
    }

    #[test]
    fn what_overlaps_in_part_lies_beside() {
        // [50, 120) outlasts [0, 100) but not [0, 200); [110, 115) lies in it, what starts at 120 does not
        let rows = [(0, 200), (0, 100), (50, 70), (110, 5), (120, 0)];
        assert_eq!(found(&rows), [None, Some(0), Some(0), Some(2), Some(0)]);
        // of two equal ones the first is outside
        assert_eq!(found(&[(0, 10), (0, 10), (0, 0)]), [None, Some(0), Some(1)]);
    }

    proptest! {
        /// Against the definition, by trying all pairs.
        #[test]
        fn as_all_pairs_say(mut rows in proptest::collection::vec((0_i64..60, 0_i64..30), 0..60), skipped in 0_usize..4) {
            rows.sort_by_key(|row| (row.0, -row.1));
            let ts = Int64Array::from_iter_values(rows.iter().map(|row| row.0));
            let dur = Int64Array::from_iter_values(rows.iter().map(|row| row.1));
            let found = enclosers(&ts, &dur, |row| row % 4 != skipped);
            for (row, (start, length)) in rows.iter().enumerate() {
                let expected = (0..row).rev().find(|other| {
                    let end = rows[*other].0 + rows[*other].1;
                    other % 4 != skipped && end >= start + length && end > *start
                });
                prop_assert_eq!(found[row], expected);
            }
        }
    }
}
