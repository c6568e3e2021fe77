//! Stores the calls of a data loader's iterator until the end of the file. Only then is it known which of them ended a pass.
//!
//! PyTorch marks each call of `__next__`, also the last one of a pass, which raises StopIteration and returns no batch. Two
//! properties distinguish it. In a process without workers, a call runs operators, which make the batch, but the last
//! one does not. And no work follows it before the next call, because there is no batch to work on.

use std::collections::BTreeMap;

use super::vocabulary::LoaderCall;
use crate::table::{Event, Loader, Rows};

/// Number of starts of work that are stored, 16 MiB. Beyond that, all calls count as batches.
const MAX_STARTS: usize = 1 << 21;

/// The calls of a file, and the work on their threads.
#[derive(Debug, Default)]
pub(crate) struct LoaderCalls {
    calls: Vec<StoredCall>,
    /// Starts of operators and calls into the runtime, by thread.
    work: BTreeMap<u64, Vec<i64>>,
    starts: usize,
}

#[derive(Debug)]
struct StoredCall {
    thread: u64,
    rank: Option<i64>,
    kind: &'static str,
    class: String,
    num_workers: Option<i64>,
    pid: Option<i64>,
    ts: Option<i64>,
    dur: Option<i64>,
    row: i64,
}

impl StoredCall {
    fn end(&self) -> i64 {
        self.ts.unwrap_or_default().saturating_add(self.dur.unwrap_or_default())
    }
}

/// Whether work starts inside or after a call.
#[derive(Debug, Clone, Copy)]
struct Surroundings {
    /// Index of the call.
    call: usize,
    /// Whether work starts inside.
    inside: bool,
    /// Whether work starts between the call and the next one.
    after: bool,
}

impl LoaderCalls {
    /// Adds the start of an operator or of a call into the runtime.
    #[inline]
    pub(crate) fn add_work(&mut self, thread: u64, ts: i64) {
        if self.starts < MAX_STARTS {
            self.work.entry(thread).or_default().push(ts);
        }
        self.starts += 1;
    }

    /// Adds a call.
    pub(crate) fn add(&mut self, thread: u64, call: &LoaderCall<'_>, event: &Event<'_>) {
        let Event { rank, ts, dur, pid, row, .. } = *event;
        let LoaderCall { kind, class, num_workers } = *call;
        let class = class.to_owned();
        self.calls.push(StoredCall { thread, rank, kind, class, num_workers, pid, ts, dur, row });
    }

    /// Adds the calls of a later section of the file. `first_row` is the number of its first row.
    pub(crate) fn append(&mut self, section: Self, first_row: i64) {
        self.calls.extend(section.calls.into_iter().map(|call| StoredCall { row: call.row + first_row, ..call }));
        self.starts += section.starts;
        for (thread, starts) in section.work {
            self.work.entry(thread).or_default().extend(starts);
        }
    }

    /// Writes the calls as rows of `loader`, in the order of the file.
    pub(crate) fn write(&mut self, node: Option<&str>, rows: &mut Rows) {
        let ends = if self.starts <= MAX_STARTS { self.ends() } else { vec![false; self.calls.len()] };
        for (call, ended) in self.calls.drain(..).zip(ends) {
            let StoredCall { rank, kind, ref class, num_workers, pid, ts, dur, row, .. } = call;
            let kind = Some(if ended { "end" } else { kind });
            let loader = Some(class.as_str());
            rows.loader(&Loader { node, rank, kind, ts, dur, num_workers, pid, loader, row, ..Loader::default() });
        }
    }

    /// Returns for each call whether it ended a pass.
    fn ends(&mut self) -> Vec<bool> {
        self.work.values_mut().for_each(|starts| starts.sort_unstable());
        let mut threads: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (index, call) in self.calls.iter().enumerate().filter(|(_, call)| call.ts.is_some() && call.dur.is_some()) {
            threads.entry(call.thread).or_default().push(index);
        }
        let mut ends = vec![false; self.calls.len()];
        for (thread, mut calls) in threads {
            calls.sort_by_key(|&call| (self.calls[call].ts, self.calls[call].row));
            let starts = self.work.get(&thread).map(Vec::as_slice).unwrap_or_default();
            let has_work =
                |start: i64, end: i64| starts.get(starts.partition_point(|ts| *ts < start)).is_some_and(|ts| *ts < end);
            let mut loops: BTreeMap<&str, Vec<Surroundings>> = BTreeMap::new();
            // A range that the user named around the loading has no call without a batch.
            let is_next =
                |call: usize| self.calls[call].kind == "next" && self.calls[call].class.contains("DataLoaderIter");
            for (place, &call) in calls.iter().enumerate().filter(|(_, call)| is_next(**call)) {
                let StoredCall { ts, class, .. } = &self.calls[call];
                let (begin, end) = (ts.unwrap_or_default(), self.calls[call].end());
                let next = calls.get(place + 1).and_then(|next| self.calls[*next].ts).unwrap_or(i64::MAX);
                let around = Surroundings { call, inside: has_work(begin, end), after: has_work(end, next) };
                loops.entry(class).or_default().push(around);
            }
            for calls in loops.values() {
                pass_ends(calls).into_iter().for_each(|call| ends[call] = true);
            }
        }
        ends
    }
}

/// Returns the calls of a loop that ended a pass.
fn pass_ends(calls: &[Surroundings]) -> Vec<usize> {
    let at_least_half = |n: usize| n > 0 && 2 * n >= calls.len();
    let makes_batches = at_least_half(calls.iter().filter(|call| call.inside).count());
    let has_work = at_least_half(calls.iter().filter(|call| call.after).count());
    let mut ended = Vec::new();
    let (mut batches, mut previous) = (0, None);
    for (place, call) in calls.iter().enumerate() {
        // A recording can stop after a call for a batch. The previous pass shows the number of batches.
        let can_end = place + 1 < calls.len() || previous == Some(batches);
        let ends = if makes_batches { !call.inside } else { has_work && !call.after && can_end };
        if ends {
            ended.push(call.call);
            previous = Some(batches);
            batches = 0;
        } else {
            batches += 1;
        }
    }
    ended
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `i`: work inside and after; `a`: only after; `-`: none. Returns the places of the calls that ended a pass.
    fn ends(calls: &str) -> Vec<usize> {
        let around = |(call, kind)| Surroundings { call, inside: kind == 'i', after: kind != '-' };
        pass_ends(&calls.chars().enumerate().map(around).collect::<Vec<_>>())
    }

    #[test]
    fn a_call_without_operators_ends_a_pass_without_workers() {
        assert_eq!(ends("ii-ii-"), [2, 5]);
        assert_eq!(ends("i-i-"), [1, 3]);
        // Work of an evaluation follows the last call.
        assert_eq!(ends("iiaiia"), [2, 5]);
        assert!(ends("iiii").is_empty());
    }

    #[test]
    fn a_call_without_work_behind_it_ends_a_pass_of_workers() {
        assert_eq!(ends("aa-aa-"), [2, 5]);
        // The recording stopped after the second call of a pass of two batches.
        assert_eq!(ends("aa-a-"), [2]);
        assert!(ends("aaa-").is_empty());
    }

    #[test]
    fn a_loop_that_does_nothing_with_its_batches_has_no_known_end() {
        assert!(ends("------").is_empty());
        assert!(ends("").is_empty());
    }
}
