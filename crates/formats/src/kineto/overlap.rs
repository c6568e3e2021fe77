//! Intervals of one track that overlap in part: neither contains the other.
//!
//! Kernels of one stream do (programmatic dependent launch), and annotations with Python functions. Sums
//! of their durations exceed the time that passed, so a file that has some says so. Events are in no order;
//! they are kept as two numbers each, sorted by track, and looked at in pieces so that memory is bounded.

/// Intervals held before they are looked at: 8 MiB.
const PIECE: usize = 1 << 19;

/// Counts partial overlaps.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    /// Start and end of the intervals of each track.
    tracks: Vec<Vec<(i64, i64)>>,
    held: usize,
    count: u64,
    pieces: u64,
    /// All of them in order, if they are only to be handed on.
    in_order: Option<Vec<(usize, i64, i64)>>,
}

impl Overlaps {
    /// Keeps the intervals for [`Overlaps::replay`].
    pub(super) fn in_order() -> Self {
        Self { in_order: Some(Vec::new()), ..Self::default() }
    }

    /// Hands on the intervals that were kept, in their order: track, start and duration.
    pub(super) fn replay(self, mut each: impl FnMut(usize, i64, i64)) {
        self.in_order.unwrap_or_default().into_iter().for_each(|(track, ts, dur)| each(track, ts, dur));
    }

    /// Takes an interval of a track.
    #[inline]
    pub(super) fn add(&mut self, track: usize, ts: i64, dur: i64) {
        if let Some(in_order) = &mut self.in_order {
            return in_order.push((track, ts, dur));
        }
        if track >= self.tracks.len() {
            self.tracks.resize_with(track + 1, Vec::new);
        }
        if let Some(intervals) = self.tracks.get_mut(track) {
            intervals.push((ts, ts.saturating_add(dur)));
        }
        self.held += 1;
        if self.held >= PIECE {
            self.settle();
        }
    }

    /// How many intervals begin inside one of their track and end behind it; whether all of the file were
    /// compared, and not only those of one piece with each other.
    pub(super) fn finish(mut self) -> (u64, bool) {
        self.settle();
        (self.count, self.pieces <= 1)
    }

    fn settle(&mut self) {
        if self.held == 0 {
            return;
        }
        let mut open = Vec::new();
        for intervals in &mut self.tracks {
            // of those that start together the longest contains the others
            intervals.sort_by(|(ts, end), (other, other_end)| ts.cmp(other).then(other_end.cmp(end)));
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
        self.held = 0;
        self.pieces += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(intervals: &[(usize, i64, i64)]) -> u64 {
        let mut overlaps = Overlaps::default();
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
    fn memory_is_bounded() {
        let mut overlaps = Overlaps::default();
        for at in 0..i64::try_from(PIECE).unwrap() + 3 {
            overlaps.add(0, at * 10, 15);
        }
        assert_eq!(overlaps.held, 3);
        let (count, whole) = overlaps.finish();
        // each second one ends behind the one before it
        assert!(!whole && count > 250_000);
    }
}
