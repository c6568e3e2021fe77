//! The union of intervals: what `union_length`, `union_intervals`, `priority_lengths` and `covered` count with.
//!
//! Overlap must never be summed. There are as many intervals as kernels in a recording, so each is kept in a few bytes. They arrive
//! in stretches that are in order of their start, such as the rows of one file and one kind: each such stretch is a run of its own,
//! and the runs are merged in the end. What fits no run waits in a list until there is much of it.

use arrow::array::{Array, Int64Array};

/// Stretches in order that are kept side by side: files, kinds and partitions of a recording are a few.
const RUNS: usize = 8;

/// Disjoint intervals `[start, end)` in order, once they are merged into one run.
#[derive(Debug, Default, Clone)]
pub(super) struct Union {
    /// What was added, each interval to the first of them that it is not late for.
    runs: Vec<Run>,
    /// Intervals that are late for all.
    late: Vec<(i64, i64)>,
}

/// Disjoint intervals in order.
#[derive(Debug, Clone)]
struct Run {
    /// All but the last.
    coded: Coded,
    /// The last, which the next one may extend.
    last: (i64, i64),
}

impl Run {
    fn new(start: i64, end: i64) -> Self {
        Self { coded: Coded::default(), last: (start, end) }
    }

    /// Adds an interval, unless it begins before the last one.
    fn add(&mut self, start: i64, end: i64) -> bool {
        if start > self.last.1 {
            self.coded.push(std::mem::replace(&mut self.last, (start, end)));
        } else if start >= self.last.0 {
            self.last.1 = self.last.1.max(end);
        } else {
            return false;
        }
        true
    }

    fn intervals(&self) -> impl Iterator<Item = (i64, i64)> {
        decoded(&self.coded.bytes).chain([self.last])
    }
}

impl Union {
    /// Adds the interval from `start` up to `end`; one without a length is none.
    pub(super) fn add(&mut self, start: i64, end: i64) {
        if end <= start || self.runs.iter_mut().any(|run| run.add(start, end)) {
            return;
        }
        if self.runs.len() < RUNS {
            // most have one, and of small groups there are many
            self.runs.reserve_exact(1);
            self.runs.push(Run::new(start, end));
        } else {
            self.add_late(start, end);
        }
    }

    /// They take at most as much memory as the others, and each is read again with a few others only.
    fn add_late(&mut self, start: i64, end: i64) {
        self.late.push((start, end));
        let coded: usize = self.runs.iter().map(|run| run.coded.bytes.len()).sum();
        if self.late.len() >= 64 && size_of_val(self.late.as_slice()) > coded {
            self.merge();
        }
    }

    /// Makes one run of all.
    fn merge(&mut self) {
        if self.runs.len() <= 1 && self.late.is_empty() {
            return;
        }
        let Self { mut runs, mut late } = std::mem::take(self);
        late.sort_unstable();
        let mut late = late.into_iter();
        if let Some((start, end)) = late.next() {
            let mut run = Run::new(start, end);
            late.for_each(|(start, end)| {
                run.add(start, end);
            });
            runs.push(run);
        }
        let mut left: Vec<_> = runs.iter().map(Run::intervals).collect();
        let mut next: Vec<_> = left.iter_mut().map(Iterator::next).collect();
        let first = |next: &[Option<(i64, i64)>]| {
            let there = next.iter().enumerate().filter_map(|(nth, next)| next.map(|next| (next, nth)));
            there.min()
        };
        while let Some(((start, end), nth)) = first(&next) {
            self.add(start, end);
            next[nth] = left[nth].next();
        }
    }

    /// Those of the one run.
    fn in_order(&self) -> impl Iterator<Item = (i64, i64)> {
        self.runs.first().into_iter().flat_map(Run::intervals)
    }

    /// The merged intervals, disjoint and in order.
    pub(super) fn intervals(&mut self) -> impl Iterator<Item = (i64, i64)> {
        self.merge();
        self.in_order()
    }

    /// How long at least one of the intervals lasts; the greatest number there is if it is longer.
    pub(super) fn length(&mut self) -> i64 {
        clamped(self.intervals().map(|(start, end)| length(start, end)).sum())
    }

    /// Adds the rows' intervals `ts .. ts + dur`; a null in either is no interval.
    pub(super) fn add_row(&mut self, ts: &Int64Array, dur: &Int64Array, row: usize) {
        if ts.is_valid(row) && dur.is_valid(row) {
            self.add(ts.value(row), ts.value(row).saturating_add(dur.value(row)));
        }
    }

    /// The intervals as bytes, and nothing is left here.
    pub(super) fn take_coded(&mut self) -> Vec<u8> {
        self.merge();
        let Some(Run { mut coded, last }) = std::mem::take(self).runs.pop() else { return Vec::new() };
        coded.push(last);
        coded.bytes
    }

    /// Adds the intervals of such bytes.
    pub(super) fn add_coded(&mut self, bytes: &[u8]) {
        decoded(bytes).for_each(|(start, end)| self.add(start, end));
    }

    /// Memory it holds.
    pub(super) fn bytes(&self) -> usize {
        let coded: usize = self.runs.iter().map(|run| run.coded.bytes.capacity()).sum();
        coded + self.runs.capacity() * size_of::<Run>() + self.late.capacity() * size_of::<(i64, i64)>()
    }
}

/// Disjoint intervals in order, each as two numbers: how far behind the end of the one before it begins, and its length.
/// A number takes 7 bits of each of its bytes, the low ones first; the high bit says that another byte follows (LEB128).
#[derive(Debug, Clone)]
struct Coded {
    bytes: Vec<u8>,
    /// End of the last one.
    end: i64,
}

impl Default for Coded {
    fn default() -> Self {
        Self { bytes: Vec::new(), end: i64::MIN }
    }
}

impl Coded {
    /// Adds an interval that begins behind the last one, or where it ends.
    fn push(&mut self, (start, end): (i64, i64)) {
        for mut number in [start.abs_diff(self.end), end.abs_diff(start)] {
            while number >= 0x80 {
                #[expect(clippy::cast_possible_truncation, reason = "the low bits are what is meant")]
                self.bytes.push(number as u8 | 0x80);
                number >>= 7;
            }
            #[expect(clippy::cast_possible_truncation, reason = "below 128")]
            self.bytes.push(number as u8);
        }
        self.end = end;
    }
}

/// The intervals in the bytes of a `Coded`; those up to the damage, if others changed them.
fn decoded(bytes: &[u8]) -> impl Iterator<Item = (i64, i64)> {
    let mut bytes = bytes.iter();
    let mut number = move || {
        let mut number = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = *bytes.next()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    };
    let mut before = i64::MIN;
    std::iter::from_fn(move || {
        let start = before.checked_add_unsigned(number()?)?;
        before = start.checked_add_unsigned(number()?)?;
        Some((start, before))
    })
}

/// For each union how long it lasts without those before it; the greatest number there is if that is longer.
pub(super) fn union_lengths(unions: &mut [Union]) -> Vec<i64> {
    unions.iter_mut().for_each(Union::merge);
    let mut open: Vec<_> = unions.iter().map(Union::in_order).collect();
    let mut next: Vec<_> = open.iter_mut().map(Iterator::next).collect();
    let mut lengths = vec![0; open.len()];
    let mut time = i64::MIN;
    loop {
        for (next, open) in next.iter_mut().zip(&mut open) {
            while next.is_some_and(|(_, end)| end <= time) {
                *next = open.next();
            }
        }
        // The first that has begun counts, until it ends or one before it begins.
        let first = next.iter().position(|next| next.is_some_and(|(start, _)| start <= time));
        let begin = next[..first.unwrap_or(next.len())].iter().flatten().map(|(start, _)| *start).min();
        let end = first.and_then(|first| next[first]).map(|(_, end)| end);
        let Some(until) = begin.into_iter().chain(end).min() else { break };
        if let Some(first) = first {
            lengths[first] += length(time, until);
        }
        time = until;
    }
    lengths.into_iter().map(clamped).collect()
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
        assert_eq!(union_lengths(&mut [union.clone(), union.clone()]), [i64::MAX, 0]);
        let mut read = Union::default();
        read.add_coded(&union.clone().take_coded());
        assert_eq!(read.intervals().collect::<Vec<_>>(), [(i64::MIN, -1), (1, i64::MAX)]);
        let windows = [(i64::MIN, i64::MAX), (i64::MIN, 0), (-3, 4), (i64::MAX, i64::MIN)];
        // of [-3, 4) the intervals cover [-3, -1) and [1, 4)
        let intervals: Vec<_> = union.intervals().collect();
        let found = covered(&intervals, windows.into_iter().map(Some));
        assert_eq!(found, [Some(i64::MAX), Some(i64::MAX), Some(5), Some(0)]);
        // lists that are no union are not checked, and must not fail either
        assert_eq!(covered(&[(i64::MAX, i64::MIN); 3], [Some((0, 1))].into_iter()), [Some(0)]);
    }

    proptest! {
        /// Against a count of the covered points, which knows nothing of intervals.
        #[test]
        fn length_is_the_number_of_covered_points(
            intervals in proptest::collection::vec((0_i64..2000, -5_i64..40), 0..300)
        ) {
            let mut union = Union::default();
            let mut covered = std::collections::BTreeSet::new();
            for (ts, dur) in intervals {
                union.add(ts, ts + dur);
                covered.extend(ts..ts + dur.max(0));
            }
            prop_assert_eq!(union.length(), i64::try_from(covered.len()).unwrap());
        }

        /// Against a count of the points that the union covers and none before it, over a state written and read in between.
        #[test]
        fn the_first_priority_that_covers_a_point_counts_it(
            drawn in proptest::collection::vec((0_usize..4, 0_i64..400, 0_i64..20), 0..200)
        ) {
            let mut unions = vec![Union::default(); 4];
            for (place, ts, dur) in &drawn {
                unions[*place].add(*ts, ts + dur);
            }
            let mut read = vec![Union::default(); 4];
            for (read, union) in read.iter_mut().zip(&mut unions) {
                read.add_coded(&union.clone().take_coded());
            }
            let mut counts = [0; 4];
            for point in 0..420 {
                let covering = drawn.iter().filter(|(_, ts, dur)| (*ts..ts + dur).contains(&point));
                if let Some((place, ..)) = covering.min() {
                    counts[*place] += 1;
                }
            }
            prop_assert_eq!(union_lengths(&mut unions), counts);
            prop_assert_eq!(union_lengths(&mut read), counts);
        }

        /// Against a count of the covered points of each window.
        #[test]
        fn a_window_is_covered_as_far_as_points_of_it_are(
            drawn in proptest::collection::vec((0_i64..200, 0_i64..20), 0..40),
            windows in proptest::collection::vec((-20_i64..220, -5_i64..80), 1..20),
        ) {
            let mut union = Union::default();
            drawn.iter().for_each(|(ts, dur)| union.add(*ts, ts + dur));
            let intervals: Vec<_> = union.intervals().collect();
            let found = covered(&intervals, windows.iter().map(|(ts, dur)| Some((*ts, ts + dur))));
            for ((ts, dur), found) in windows.iter().zip(found) {
                let inside = |point: &i64| drawn.iter().any(|(ts, dur)| (*ts..ts + dur).contains(point));
                prop_assert_eq!(found, Some(i64::try_from((*ts..ts + dur).filter(inside).count()).unwrap()));
            }
        }
    }
}
