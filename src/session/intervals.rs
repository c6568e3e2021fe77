//! The union of intervals: what `union_length`, `union_intervals` and `covered` count with.
//!
//! Overlap must never be summed. Intervals that arrive in order of their start extend the last one, and only others make a
//! sort necessary.

use arrow::array::{Array, Int64Array};

/// Disjoint intervals `[start, end)` in order, once merged.
#[derive(Debug, Default, Clone)]
pub(super) struct Union {
    intervals: Vec<(i64, i64)>,
    /// An interval arrived out of order, so that the list must be sorted before it is read.
    dirty: bool,
    /// Length at which a dirty list is merged, so that it does not grow with the input.
    limit: usize,
}

impl Union {
    /// Adds the interval from `start` up to `end`; one without a length is none.
    pub(super) fn add(&mut self, start: i64, end: i64) {
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
        // the stable sort finds stretches in order, and rows of one file arrive in a few
        self.intervals.sort_by(Ord::cmp);
        self.intervals.dedup_by(|next, kept| {
            let overlap = next.0 <= kept.1;
            if overlap {
                kept.1 = kept.1.max(next.1);
            }
            overlap
        });
        self.dirty = false;
    }

    /// How long at least one of the intervals lasts; the greatest number there is if it is longer.
    pub(super) fn length(&mut self) -> i64 {
        clamped(self.intervals().iter().map(|(start, end)| length(*start, *end)).sum())
    }

    /// Adds the rows' intervals `ts .. ts + dur`; a null in either is no interval.
    pub(super) fn add_row(&mut self, ts: &Int64Array, dur: &Int64Array, row: usize) {
        if ts.is_valid(row) && dur.is_valid(row) {
            self.add(ts.value(row), ts.value(row).saturating_add(dur.value(row)));
        }
    }

    /// The merged intervals, disjoint and in order.
    pub(super) fn intervals(&mut self) -> &[(i64, i64)] {
        self.merge();
        &self.intervals
    }

    /// Memory it holds.
    pub(super) fn bytes(&self) -> usize {
        self.intervals.capacity() * size_of::<(i64, i64)>()
    }
}

/// From `start` to `end`, which may be further apart than an `i64` tells.
fn length(start: i64, end: i64) -> i128 {
    i128::from(end) - i128::from(start)
}

fn clamped(length: i128) -> i64 {
    i64::try_from(length).unwrap_or(if length < 0 { i64::MIN } else { i64::MAX })
}

/// How much of the windows `start .. end` intervals cover that are disjoint and in order.
///
/// The lengths are summed once, so that a window costs two searches, however many intervals lie in it.
pub(super) fn covered(intervals: &[(i64, i64)], windows: impl Iterator<Item = Option<(i64, i64)>>) -> Vec<Option<i64>> {
    let mut before = Vec::with_capacity(intervals.len() + 1);
    let mut passed = 0_i128;
    for (start, end) in intervals {
        before.push(passed);
        passed += length(*start, *end);
    }
    before.push(passed);
    // the length that lies before a time: all of the intervals that ended, and a part of one that did not
    let until = |time: i64| {
        let ended = intervals.partition_point(|(_, end)| *end <= time);
        before[ended] + intervals.get(ended).map_or(0, |(start, _)| length(*start, time).max(0))
    };
    let inside = |(start, end)| if end > start { clamped(until(end) - until(start)) } else { 0 };
    windows.map(|window| window.map(inside)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lengths_beyond_the_greatest_number_are_that_number() {
        let mut union = Union::default();
        union.add(i64::MIN, -1);
        union.add(1, i64::MAX);
        assert_eq!(union.length(), i64::MAX);
        let windows = [(i64::MIN, i64::MAX), (i64::MIN, 0), (-3, 4), (i64::MAX, i64::MIN)];
        // of [-3, 4) the intervals cover [-3, -1) and [1, 4)
        let found = covered(union.intervals(), windows.into_iter().map(Some));
        assert_eq!(found, [Some(i64::MAX), Some(i64::MAX), Some(5), Some(0)]);
        // lists that are no union are not checked, and must not fail either
        assert_eq!(covered(&[(i64::MAX, i64::MIN); 3], [Some((0, 1))].into_iter()), [Some(0)]);
    }

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

        /// Against a count of the covered points of each window.
        #[test]
        fn a_window_is_covered_as_far_as_points_of_it_are(
            drawn in proptest::collection::vec((0_i64..200, 0_i64..20), 0..40),
            windows in proptest::collection::vec((-20_i64..220, -5_i64..80), 1..20),
        ) {
            let mut union = Union::default();
            drawn.iter().for_each(|(ts, dur)| union.add(*ts, ts + dur));
            let found = covered(union.intervals(), windows.iter().map(|(ts, dur)| Some((*ts, ts + dur))));
            for ((ts, dur), found) in windows.iter().zip(found) {
                let inside = |point: &i64| drawn.iter().any(|(ts, dur)| (*ts..ts + dur).contains(point));
                prop_assert_eq!(found, Some(i64::try_from((*ts..ts + dur).filter(inside).count()).unwrap()));
            }
        }
    }
}
