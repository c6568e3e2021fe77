//! Lanes of a track: intervals that overlap without nesting are written to separate threads.
//!
//! Viewers nest the intervals of a thread. An interval that begins inside another one and ends after it does not nest, and
//! Perfetto before release 57 drops it. Here it goes to another lane of its track. Intervals arrive sorted by start, the
//! longest first if starts are equal. The first lane is tried first, then the one with the shortest enclosing interval, so
//! the search takes logarithmic time in the number of lanes.

use std::collections::BTreeSet;

/// Maximum nesting depth of a lane: Perfetto draws intervals deeper than 512 on top of each other.
const MAX_DEPTH: usize = 500;

/// An interval that has not ended at the current time.
#[derive(Debug, Clone, Copy)]
struct OpenSlice {
    start: i64,
    end: i64,
    correlation: Option<i64>,
}

/// The lanes of one track.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// Open intervals of each lane, outermost first.
    lanes: Vec<Vec<OpenSlice>>,
    /// End of the innermost open interval and number of each lane, without the first lane and empty lanes.
    ends: BTreeSet<(i64, usize)>,
    /// Numbers of lanes without open intervals, without the first lane.
    empty: BTreeSet<usize>,
}

impl Lanes {
    /// Returns the lane of the next interval.
    pub(super) fn assign(&mut self, start: i64, end: i64, correlation: Option<i64>) -> usize {
        let open = OpenSlice { start, end, correlation };
        if self.lanes.is_empty() {
            self.lanes.push(Vec::new());
        }
        if let Some(first) = self.lanes.first_mut() {
            pop_ended(first, start);
            if first.len() < MAX_DEPTH && first.last().is_none_or(|enclosing| enclosing.end >= end) {
                first.push(open);
                return 0;
            }
        }
        while let Some((ended, lane)) = self.ends.first().copied().filter(|(ended, _)| *ended <= start) {
            self.ends.remove(&(ended, lane));
            let Some(stack) = self.lanes.get_mut(lane) else { continue };
            pop_ended(stack, start);
            match stack.last() {
                Some(enclosing) => self.ends.insert((enclosing.end, lane)),
                None => self.empty.insert(lane),
            };
        }
        let has_room = |top: &&(i64, usize)| self.lanes.get(top.1).is_some_and(|stack| stack.len() < MAX_DEPTH);
        let shortest = self.ends.range((end, 0)..).find(has_room).copied();
        let lane = match shortest {
            Some(enclosing) => {
                self.ends.remove(&enclosing);
                enclosing.1
            }
            None => self.empty.pop_first().unwrap_or(self.lanes.len()),
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

    /// Returns the lane of the interval at one end of an arrow: the interval with its correlation, else the innermost one.
    pub(super) fn find(&self, ts: i64, correlation: Option<i64>) -> usize {
        if self.lanes.len() < 2 {
            return 0;
        }
        let open = || {
            let lanes = self.lanes.iter().enumerate();
            lanes.flat_map(|(lane, stack)| stack.iter().filter(|open| open.end >= ts).map(move |open| (lane, open)))
        };
        let own = open().find(|(_, open)| correlation.is_some() && open.correlation == correlation);
        // If several began at the same time, the one on the first lane.
        own.or_else(|| open().max_by_key(|(lane, open)| (open.start, usize::MAX - lane))).map_or(0, |(lane, _)| lane)
    }
}

/// Removes intervals that have ended.
fn pop_ended(stack: &mut Vec<OpenSlice>, ts: i64) {
    while stack.last().is_some_and(|open| open.end <= ts) {
        stack.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assign_lanes(intervals: &[(i64, i64)]) -> Vec<usize> {
        let mut lanes = Lanes::default();
        intervals.iter().map(|(start, end)| lanes.assign(*start, *end, None)).collect()
    }

    #[test]
    fn nested_and_consecutive_intervals_share_a_lane() {
        assert_eq!(assign_lanes(&[(0, 10), (0, 5), (1, 5), (5, 10), (10, 12), (12, 12), (12, 12)]), [0; 7]);
    }

    #[test]
    fn partly_overlapping_intervals_have_separate_lanes() {
        // The second ends after the first. The third is inside both, the fourth only inside the second.
        assert_eq!(
            assign_lanes(&[(0, 10), (5, 15), (6, 8), (9, 14), (15, 20), (16, 30), (20, 40)]),
            [0, 1, 0, 1, 0, 1, 0]
        );
        // Three intervals overlap each other; then the lanes are used again.
        assert_eq!(assign_lanes(&[(0, 10), (1, 11), (2, 12), (12, 20), (13, 21)]), [0, 1, 2, 0, 1]);
    }

    /// Checks all pairs of random intervals.
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
            let lanes = assign_lanes(&intervals);
            for (n, (a, b)) in intervals.iter().enumerate() {
                for (m, (c, d)) in intervals.iter().enumerate().skip(n + 1) {
                    let apart = c >= b || d <= b;
                    assert!(apart || lanes[n] != lanes[m], "[{a}, {b}) and [{c}, {d}) in lane {}", lanes[n]);
                }
            }
        }
    }

    #[test]
    fn intervals_beyond_the_maximum_depth_have_another_lane() {
        let nested: Vec<(i64, i64)> = (0..1200).map(|n| (n, 5000 - n)).collect();
        let lanes = assign_lanes(&nested);
        let count = |lane| lanes.iter().filter(|other| **other == lane).count();
        assert_eq!([0, 1, 2, 3].map(count), [500, 500, 200, 0]);
    }

    #[test]
    fn an_arrow_finds_its_interval() {
        let mut lanes = Lanes::default();
        for (start, end, correlation) in [(0, 10, 1), (5, 15, 2), (6, 8, 3)] {
            lanes.assign(start, end, Some(correlation));
        }
        assert_eq!(lanes.find(5, Some(2)), 1);
        assert_eq!(lanes.find(6, Some(1)), 0);
        assert_eq!(lanes.find(6, None), 0);
        assert_eq!(lanes.find(9, None), 1);
        assert_eq!(lanes.find(99, Some(9)), 0);
    }
}
