//! Counts intervals of one track that overlap partially: neither contains the other.
//!
//! Kernels of one stream can overlap (programmatic dependent launch), and annotations with Python functions.
//! The sum of their durations is then longer than the elapsed time, so such a file gets a notice. Events come
//! in any order. Start and end of each interval are stored by track. The intervals are compared in groups,
//! which limits memory.

use std::cmp::Reverse;

/// Number of intervals in a group: 8 MiB.
const GROUP: usize = 1 << 19;

/// Counts partial overlaps.
#[derive(Debug, Default)]
pub(super) struct OverlapCounter {
    /// Start and end of the intervals of each track.
    tracks: Vec<Vec<(i64, i64)>>,
    /// Number of these intervals.
    stored: usize,
    count: u64,
    groups: u64,
    /// All intervals, if another counter compares them: track, start and duration.
    recorded: Option<Vec<(usize, i64, i64)>>,
}

impl OverlapCounter {
    /// Records the intervals for [`OverlapCounter::replay`], and does not compare them.
    pub(super) fn recording() -> Self {
        Self { recorded: Some(Vec::new()), ..Self::default() }
    }

    /// Calls `each` with track, start and duration of the recorded intervals, in their order.
    pub(super) fn replay(self, mut each: impl FnMut(usize, i64, i64)) {
        self.recorded.unwrap_or_default().into_iter().for_each(|(track, ts, dur)| each(track, ts, dur));
    }

    /// Adds an interval of a track.
    #[inline]
    pub(super) fn add(&mut self, track: usize, ts: i64, dur: i64) {
        if let Some(recorded) = &mut self.recorded {
            return recorded.push((track, ts, dur));
        }
        if track >= self.tracks.len() {
            self.tracks.resize_with(track + 1, Vec::new);
        }
        self.tracks[track].push((ts, ts.saturating_add(dur)));
        self.stored += 1;
        if self.stored >= GROUP {
            self.compare_group();
        }
    }

    /// Number of intervals that start inside another one of their track and end after it. The second value is
    /// true if all intervals were compared, and not only those of one group with each other.
    pub(super) fn finish(mut self) -> (u64, bool) {
        self.compare_group();
        (self.count, self.groups <= 1)
    }

    fn compare_group(&mut self) {
        if self.stored == 0 {
            return;
        }
        let mut open = Vec::new();
        for intervals in &mut self.tracks {
            // If intervals start together, the longest one contains the others, so it comes first.
            intervals.sort_by_key(|(ts, end)| (*ts, Reverse(*end)));
            for (ts, end) in intervals.drain(..) {
                while open.last().is_some_and(|last| *last <= ts) {
                    open.pop();
                }
                match open.last() {
                    Some(last) if end > *last => self.count += 1,
                    _ => open.push(end),
                }
            }
            open.clear();
        }
        self.stored = 0;
        self.groups += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(intervals: &[(usize, i64, i64)]) -> u64 {
        let mut overlaps = OverlapCounter::default();
        intervals.iter().for_each(|(track, ts, dur)| overlaps.add(*track, *ts, *dur));
        overlaps.finish().0
    }

    #[test]
    fn only_partial_overlaps_of_one_track_count() {
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&[(0, 5, 5), (0, 0, 10), (0, 10, 1), (0, 5, 0), (0, 0, 10)]), 0);
        assert_eq!(count(&[(0, 5, 10), (0, 0, 10), (1, 5, 10)]), 1);
        assert_eq!(count(&[(0, 0, 10), (0, 5, 10), (0, 9, 10), (0, 30, -5)]), 2);
        assert_eq!(count(&[(0, i64::MAX, i64::MAX), (0, 0, i64::MAX)]), 0);
    }

    #[test]
    fn memory_is_limited() {
        let mut overlaps = OverlapCounter::default();
        for i in 0..i64::try_from(GROUP).unwrap() + 3 {
            overlaps.add(0, i * 10, 15);
        }
        assert_eq!(overlaps.stored, 3);
        let (count, all_compared) = overlaps.finish();
        // Every second interval ends after the one before it.
        assert!(!all_compared && count > 250_000);
    }
}
