//! Unions of intervals, for the functions `union_length`, `union_intervals`, `priority_lengths`,
//! `priority_intervals`, `covered` and `priority_covered`.
//!
//! Time in which intervals overlap counts once. A recording has as many intervals as kernels, so
//! each is encoded in a few bytes. Intervals arrive in sequences sorted by their start, such as the
//! rows of one kind in one file. Each sequence becomes a sorted run, and the runs are merged at the
//! end. Intervals that fit no run are collected in a list, which is merged when it is large.

use arrow::array::{Array, Int64Array};

/// Maximum number of sorted runs. A recording has few files, kinds of rows and partitions.
const MAX_RUNS: usize = 8;

/// A set of intervals `[start, end)`. They are disjoint and sorted once they are merged into one
/// run.
#[derive(Debug, Default, Clone)]
pub(super) struct Union {
    /// Each interval was added to the first run with a last interval that does not start later.
    runs: Vec<SortedRun>,
    /// Intervals that start before the last interval of each run.
    out_of_order: Vec<(i64, i64)>,
}

/// Disjoint, sorted intervals.
#[derive(Debug, Clone)]
struct SortedRun {
    /// All intervals but the last.
    encoded: EncodedIntervals,
    /// The last interval. The next one may extend it.
    last: (i64, i64),
}

impl SortedRun {
    fn new(start: i64, end: i64) -> Self {
        Self { encoded: EncodedIntervals::default(), last: (start, end) }
    }

    /// Adds an interval. Returns false if the interval starts before the last one.
    fn add(&mut self, start: i64, end: i64) -> bool {
        if start > self.last.1 {
            self.encoded.push(std::mem::replace(&mut self.last, (start, end)));
        } else if start >= self.last.0 {
            self.last.1 = self.last.1.max(end);
        } else {
            return false;
        }
        true
    }

    fn intervals(&self) -> impl Iterator<Item = (i64, i64)> {
        decode(&self.encoded.bytes).chain([self.last])
    }
}

impl Union {
    /// Adds an interval. Ignores an empty one.
    pub(super) fn add(&mut self, start: i64, end: i64) {
        if end <= start || self.runs.iter_mut().any(|run| run.add(start, end)) {
            return;
        }
        if self.runs.len() < MAX_RUNS {
            // Most unions have one run, and there can be many small groups.
            self.runs.reserve_exact(1);
            self.runs.push(SortedRun::new(start, end));
        } else {
            self.add_out_of_order(start, end);
        }
    }

    /// Adds an interval to the list. Merges all when the list needs more memory than the runs, so
    /// that merges are rare.
    fn add_out_of_order(&mut self, start: i64, end: i64) {
        self.out_of_order.push((start, end));
        let encoded_bytes: usize = self.runs.iter().map(|run| run.encoded.bytes.len()).sum();
        if self.out_of_order.len() >= 64 && size_of_val(self.out_of_order.as_slice()) > encoded_bytes {
            self.merge();
        }
    }

    /// Merges all intervals into one run.
    fn merge(&mut self) {
        if self.runs.len() <= 1 && self.out_of_order.is_empty() {
            return;
        }
        let Self { mut runs, mut out_of_order } = std::mem::take(self);
        out_of_order.sort_unstable();
        let mut out_of_order = out_of_order.into_iter();
        if let Some((start, end)) = out_of_order.next() {
            let mut run = SortedRun::new(start, end);
            out_of_order.for_each(|(start, end)| _ = run.add(start, end));
            runs.push(run);
        }
        let mut remaining: Vec<_> = runs.iter().map(SortedRun::intervals).collect();
        let mut heads: Vec<_> = remaining.iter_mut().map(Iterator::next).collect();
        let first = |heads: &[Option<(i64, i64)>]| {
            heads.iter().enumerate().filter_map(|(run, head)| head.map(|interval| (interval, run))).min()
        };
        while let Some(((start, end), run)) = first(&heads) {
            self.add(start, end);
            heads[run] = remaining[run].next();
        }
    }

    /// The intervals of the first run. Call `merge` before.
    fn merged_intervals(&self) -> impl Iterator<Item = (i64, i64)> {
        self.runs.first().into_iter().flat_map(SortedRun::intervals)
    }

    /// The merged intervals, disjoint and sorted.
    pub(super) fn intervals(&mut self) -> impl Iterator<Item = (i64, i64)> {
        self.merge();
        self.merged_intervals()
    }

    /// The length of the union. The maximum of `i64` if it does not fit.
    pub(super) fn length(&mut self) -> i64 {
        clamp(self.intervals().map(|(start, end)| length(start, end)).sum())
    }

    /// Adds the interval `ts .. ts + dur` of a row. Ignores a row with a null.
    pub(super) fn add_row(&mut self, ts: &Int64Array, dur: &Int64Array, row: usize) {
        if ts.is_valid(row) && dur.is_valid(row) {
            self.add(ts.value(row), ts.value(row).saturating_add(dur.value(row)));
        }
    }

    /// Returns the encoded intervals and removes them.
    pub(super) fn take_encoded(&mut self) -> Vec<u8> {
        self.merge();
        let Some(SortedRun { mut encoded, last }) = std::mem::take(self).runs.pop() else { return Vec::new() };
        encoded.push(last);
        encoded.bytes
    }

    /// Adds encoded intervals.
    pub(super) fn add_encoded(&mut self, bytes: &[u8]) {
        decode(bytes).for_each(|(start, end)| self.add(start, end));
    }

    /// Allocated memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        let encoded_bytes: usize = self.runs.iter().map(|run| run.encoded.bytes.capacity()).sum();
        encoded_bytes
            + self.runs.capacity() * size_of::<SortedRun>()
            + self.out_of_order.capacity() * size_of::<(i64, i64)>()
    }
}

/// Disjoint, sorted intervals in bytes. Each interval is two numbers: the distance from the end of
/// the previous interval to its start, and its length. Numbers are in LEB128: 7 bits in each byte,
/// the low bits first. The high bit is set if another byte follows.
#[derive(Debug, Clone)]
struct EncodedIntervals {
    bytes: Vec<u8>,
    /// End of the last interval.
    end: i64,
}

impl Default for EncodedIntervals {
    fn default() -> Self {
        Self { bytes: Vec::new(), end: i64::MIN }
    }
}

impl EncodedIntervals {
    /// Adds an interval that starts at the end of the last one or later.
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

/// Decodes the bytes of `EncodedIntervals`. Stops at the first malformed byte.
fn decode(bytes: &[u8]) -> impl Iterator<Item = (i64, i64)> {
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
    let mut end = i64::MIN;
    std::iter::from_fn(move || {
        let start = end.checked_add_unsigned(number()?)?;
        end = start.checked_add_unsigned(number()?)?;
        Some((start, end))
    })
}

/// The length of each union without the time that earlier unions cover. The maximum of `i64` if it
/// does not fit.
pub(super) fn union_lengths(unions: &mut [Union]) -> Vec<i64> {
    unions.iter_mut().for_each(Union::merge);
    let mut remaining: Vec<_> = unions.iter().map(Union::merged_intervals).collect();
    let mut heads: Vec<_> = remaining.iter_mut().map(Iterator::next).collect();
    let mut lengths = vec![0; remaining.len()];
    let mut time = i64::MIN;
    loop {
        for (head, remaining) in heads.iter_mut().zip(&mut remaining) {
            while head.is_some_and(|(_, end)| end <= time) {
                *head = remaining.next();
            }
        }
        // The time counts for the first running interval, until it ends or one of an earlier union
        // starts.
        let running = heads.iter().position(|head| head.is_some_and(|(start, _)| start <= time));
        let start = heads[..running.unwrap_or(heads.len())].iter().flatten().map(|(start, _)| *start).min();
        let end = running.and_then(|union| heads[union]).map(|(_, end)| end);
        let Some(next) = start.into_iter().chain(end).min() else { break };
        if let Some(union) = running {
            lengths[union] += length(time, next);
        }
        time = next;
    }
    lengths.into_iter().map(clamp).collect()
}

/// The time from `start` to `end`, which may not fit into an `i64`.
fn length(start: i64, end: i64) -> i128 {
    i128::from(end) - i128::from(start)
}

/// The nearest number of 64 bits.
pub(super) fn clamp(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

/// The part of windows that intervals cover.
pub(super) struct Windows<'a> {
    windows: &'a [Option<(i64, i64)>],
    /// All starts and ends, sorted.
    times: Vec<i64>,
}

impl<'a> Windows<'a> {
    pub(super) fn new(windows: &'a [Option<(i64, i64)>]) -> Self {
        let mut times: Vec<_> = windows.iter().flatten().flat_map(|(start, end)| [*start, *end]).collect();
        times.sort_unstable();
        times.dedup();
        Self { windows, times }
    }

    /// For each window, the length of the part that the intervals cover. They are sorted by their
    /// start, and visited once.
    pub(super) fn covered(&self, intervals: impl Iterator<Item = (i64, i64)>) -> Vec<Option<i64>> {
        let before = self.covered_before(intervals);
        let until = |time: &i64| self.times.binary_search(time).map_or(0, |index| before[index]);
        let length = |(start, end)| if end > start { clamp(until(&end) - until(&start)) } else { 0 };
        self.windows.iter().map(|window| window.map(length)).collect()
    }

    /// For each time, the length that intervals cover before it.
    fn covered_before(&self, intervals: impl Iterator<Item = (i64, i64)>) -> Vec<i128> {
        let mut before = Vec::with_capacity(self.times.len());
        let (mut sum, mut covered_until) = (0, i64::MIN);
        for (start, end) in intervals {
            let start = start.max(covered_until);
            if end <= start {
                continue;
            }
            while let Some(time) = self.times.get(before.len()).filter(|time| **time <= end) {
                before.push(sum + length(start, *time).max(0));
            }
            sum += length(start, end);
            covered_until = end;
        }
        before.resize(self.times.len(), sum);
        before
    }
}

/// The intervals of several sorted sequences in the order of their starts.
pub(super) fn by_start<I: Iterator<Item = (i64, i64)>>(
    sequences: impl IntoIterator<Item = I>,
) -> impl Iterator<Item = (i64, i64)> {
    let mut sequences: Vec<_> = sequences.into_iter().map(Iterator::peekable).collect();
    std::iter::from_fn(move || {
        let starts = sequences.iter_mut().enumerate().filter_map(|(index, rest)| Some((*rest.peek()?, index)));
        let (_, first) = starts.min()?;
        sequences[first].next()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_length_that_does_not_fit_becomes_the_maximum() {
        let mut union = Union::default();
        union.add(i64::MIN, -1);
        union.add(1, i64::MAX);
        assert_eq!(union.length(), i64::MAX);
        assert_eq!(union_lengths(&mut [union.clone(), union.clone()]), [i64::MAX, 0]);
        let mut decoded = Union::default();
        decoded.add_encoded(&union.clone().take_encoded());
        assert_eq!(decoded.intervals().collect::<Vec<_>>(), [(i64::MIN, -1), (1, i64::MAX)]);
        let windows = [(i64::MIN, i64::MAX), (i64::MIN, 0), (-3, 4), (i64::MAX, i64::MIN)];
        // In [-3, 4), the intervals cover [-3, -1) and [1, 4).
        let lengths = Windows::new(&windows.map(Some)).covered(union.intervals());
        assert_eq!(lengths, [Some(i64::MAX), Some(i64::MAX), Some(5), Some(0)]);
        // Lists from other sources may not be disjoint or sorted, and must not cause a panic.
        let lengths = Windows::new(&[Some((0, 1)), None]).covered([(i64::MAX, i64::MIN); 3].into_iter());
        assert_eq!(lengths, [Some(0), None]);
    }

    proptest! {
        /// Checked against a count of the covered points.
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

        /// Checked against a count of the points that a union covers and no earlier one. The state
        /// is encoded and decoded.
        #[test]
        fn the_first_priority_that_covers_a_point_counts_it(
            drawn in proptest::collection::vec((0_usize..4, 0_i64..400, 0_i64..20), 0..200)
        ) {
            let mut unions = vec![Union::default(); 4];
            for (priority, ts, dur) in &drawn {
                unions[*priority].add(*ts, ts + dur);
            }
            let mut decoded = vec![Union::default(); 4];
            for (decoded, union) in decoded.iter_mut().zip(&mut unions) {
                decoded.add_encoded(&union.clone().take_encoded());
            }
            let mut counts = [0; 4];
            for point in 0..420 {
                let covering = drawn.iter().filter(|(_, ts, dur)| (*ts..ts + dur).contains(&point));
                if let Some((priority, ..)) = covering.min() {
                    counts[*priority] += 1;
                }
            }
            prop_assert_eq!(union_lengths(&mut unions), counts);
            prop_assert_eq!(union_lengths(&mut decoded), counts);
        }

        /// Checked against a sorted list.
        #[test]
        fn sequences_are_merged_by_start(drawn in proptest::collection::vec((0_usize..3, 0_i64..50, 0_i64..9), 0..60)) {
            let mut sequences = vec![Vec::new(); 3];
            drawn.iter().for_each(|(sequence, ts, dur)| sequences[*sequence].push((*ts, ts + dur)));
            sequences.iter_mut().for_each(|sequence| sequence.sort_unstable());
            let mut all = sequences.concat();
            all.sort_unstable();
            prop_assert_eq!(by_start(sequences.into_iter().map(Vec::into_iter)).collect::<Vec<_>>(), all);
        }

        /// Checked against a count of the covered points of each window.
        #[test]
        fn the_covered_length_of_a_window_is_the_number_of_its_covered_points(
            drawn in proptest::collection::vec((0_i64..200, 0_i64..20), 0..40),
            windows in proptest::collection::vec((-20_i64..220, -5_i64..80), 1..20),
        ) {
            let mut union = Union::default();
            drawn.iter().for_each(|(ts, dur)| union.add(*ts, ts + dur));
            let all: Vec<_> = windows.iter().map(|(ts, dur)| Some((*ts, ts + dur))).collect();
            let lengths = Windows::new(&all).covered(union.intervals());
            for ((ts, dur), length) in windows.iter().zip(lengths) {
                let is_covered = |point: &i64| drawn.iter().any(|(ts, dur)| (*ts..ts + dur).contains(point));
                prop_assert_eq!(length, Some(i64::try_from((*ts..ts + dur).filter(is_covered).count()).unwrap()));
            }
        }
    }
}
