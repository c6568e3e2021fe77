//! Lanes of a track: intervals that overlap in part cannot lie on one, so that none is lost.
//!
//! Viewers nest the intervals of a thread; one that begins inside another and ends behind it fits nowhere, and Perfetto
//! before its release 57 drops it. Here it goes to another lane of its track. Intervals come in the order of their start,
//! of those that start together the longest first. The first lane is tried first, and then the one with the shortest
//! interval that holds the new one, so a search costs the logarithm of the lanes.

use std::collections::BTreeSet;

/// Intervals inside each other on one lane: Perfetto draws all that are nested deeper than 512 over each other.
const DEPTH: usize = 500;

/// An interval that has begun.
#[derive(Debug, Clone, Copy)]
struct Open {
    start: i64,
    end: i64,
    correlation: Option<i64>,
}

/// The lanes of one track.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// What is open in each lane, outermost first.
    lanes: Vec<Vec<Open>>,
    /// Where the innermost interval ends, of all lanes but the first in which one is open.
    ends: BTreeSet<(i64, usize)>,
    /// Lanes but the first in which none is open.
    free: BTreeSet<usize>,
}

impl Lanes {
    /// The lane of the next interval.
    pub(super) fn place(&mut self, start: i64, end: i64, correlation: Option<i64>) -> usize {
        let open = Open { start, end, correlation };
        if self.lanes.is_empty() {
            self.lanes.push(Vec::new());
        }
        if let Some(first) = self.lanes.first_mut() {
            close(first, start);
            if first.len() < DEPTH && first.last().is_none_or(|around| around.end >= end) {
                first.push(open);
                return 0;
            }
        }
        while let Some((ended, lane)) = self.ends.first().copied().filter(|(ended, _)| *ended <= start) {
            self.ends.remove(&(ended, lane));
            let Some(stack) = self.lanes.get_mut(lane) else { continue };
            close(stack, start);
            match stack.last() {
                Some(around) => self.ends.insert((around.end, lane)),
                None => self.free.insert(lane),
            };
        }
        let room = |top: &&(i64, usize)| self.lanes.get(top.1).is_some_and(|stack| stack.len() < DEPTH);
        let around = self.ends.range((end, 0)..).find(room).copied();
        let lane = match around {
            Some(around) => {
                self.ends.remove(&around);
                around.1
            }
            None => self.free.pop_first().unwrap_or(self.lanes.len()),
        };
        if lane == self.lanes.len() {
            self.lanes.push(Vec::new());
        }
        if let Some(stack) = self.lanes.get_mut(lane) {
            stack.push(open);
        }
        self.ends.insert((end, lane));
        lane
    }

    /// The lane of the interval that an arrow at this time belongs to: the one with its correlation, else the innermost.
    pub(super) fn find(&self, at: i64, correlation: Option<i64>) -> usize {
        if self.lanes.len() < 2 {
            return 0;
        }
        let open = || {
            let lanes = self.lanes.iter().enumerate();
            lanes.flat_map(|(lane, stack)| stack.iter().filter(|open| open.end >= at).map(move |open| (lane, open)))
        };
        let own = open().find(|(_, open)| correlation.is_some() && open.correlation == correlation);
        // of those that began together the first lane's
        own.or_else(|| open().max_by_key(|(lane, open)| (open.start, usize::MAX - lane))).map_or(0, |(lane, _)| lane)
    }
}

/// Takes away what has ended.
fn close(stack: &mut Vec<Open>, at: i64) {
    while stack.last().is_some_and(|open| open.end <= at) {
        stack.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(intervals: &[(i64, i64)]) -> Vec<usize> {
        let mut lanes = Lanes::default();
        intervals.iter().map(|(start, end)| lanes.place(*start, *end, None)).collect()
    }

    #[test]
    fn what_nests_or_follows_stays_together() {
        assert_eq!(placed(&[(0, 10), (0, 5), (1, 5), (5, 10), (10, 12), (12, 12), (12, 12)]), [0; 7]);
    }

    #[test]
    fn what_overlaps_in_part_gets_a_lane() {
        // the second ends behind the first; the third lies in both, the fourth in the second alone
        assert_eq!(placed(&[(0, 10), (5, 15), (6, 8), (9, 14), (15, 20), (16, 30), (20, 40)]), [0, 1, 0, 1, 0, 1, 0]);
        // three that overlap each other; then the lanes are used again
        assert_eq!(placed(&[(0, 10), (1, 11), (2, 12), (12, 20), (13, 21)]), [0, 1, 2, 0, 1]);
    }

    /// Every lane nests, whatever comes; compared by trying all pairs.
    #[test]
    fn every_lane_nests() {
        let mut state = 7_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from((state >> 33) % below).unwrap()
        };
        for _ in 0..200 {
            let mut intervals: Vec<(i64, i64)> = (0..40).map(|_| (random(60), random(20))).collect();
            intervals.iter_mut().for_each(|(start, end)| *end += *start);
            intervals.sort_by_key(|(start, end)| (*start, start - end));
            let lanes = placed(&intervals);
            for (n, (a, b)) in intervals.iter().enumerate() {
                for (m, (c, d)) in intervals.iter().enumerate().skip(n + 1) {
                    let apart = c >= b || d <= b;
                    assert!(apart || lanes[n] != lanes[m], "[{a}, {b}) and [{c}, {d}) in lane {}", lanes[n]);
                }
            }
        }
    }

    #[test]
    fn what_is_nested_too_deeply_gets_a_lane() {
        let nested: Vec<(i64, i64)> = (0..1200).map(|n| (n, 5000 - n)).collect();
        let lanes = placed(&nested);
        let count = |lane| lanes.iter().filter(|found| **found == lane).count();
        assert_eq!([0, 1, 2, 3].map(count), [500, 500, 200, 0]);
    }

    #[test]
    fn an_arrow_finds_its_interval() {
        let mut lanes = Lanes::default();
        for (start, end, correlation) in [(0, 10, 1), (5, 15, 2), (6, 8, 3)] {
            lanes.place(start, end, Some(correlation));
        }
        assert_eq!(lanes.find(5, Some(2)), 1);
        assert_eq!(lanes.find(6, Some(1)), 0);
        assert_eq!(lanes.find(6, None), 0);
        assert_eq!(lanes.find(9, None), 1);
        assert_eq!(lanes.find(99, Some(9)), 0);
    }
}
