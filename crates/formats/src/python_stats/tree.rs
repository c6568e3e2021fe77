//! Sums the frames of a sampled call tree into functions and calls.

use std::collections::HashMap;

use super::calls::{CallCounts, FunctionLocation, ProfileWriter};
use crate::table::Rows;

/// A frame of the tree: one call, or several calls of one function from one line.
#[derive(Debug, Clone, Default)]
pub(super) struct SampledFrame {
    /// Index of its parent, which comes before it.
    pub(super) parent: Option<usize>,
    pub(super) file: String,
    pub(super) line: Option<i64>,
    pub(super) function: String,
    /// Time in it and in the functions that it called, s.
    pub(super) time: Option<f64>,
    /// The frame and its children were read to the end.
    pub(super) is_complete: bool,
}

impl SampledFrame {
    fn location(&self) -> FunctionLocation<'_> {
        FunctionLocation { file: &self.file, line: self.line, name: &self.function }
    }

    /// Returns true for the frame that pyinstrument adds for the own time of its parent.
    fn is_self(&self) -> bool {
        self.function == "[self]" && self.file.is_empty()
    }
}

/// Sums for a function, or for a caller and a callee.
#[derive(Debug, Default)]
struct TimeSums {
    /// Index of a frame of this function or call.
    frame: usize,
    own_s: Option<f64>,
    cumulative_s: f64,
    /// Number of its frames on the stack.
    open: u32,
}

impl TimeSums {
    fn counts(&self) -> CallCounts {
        CallCounts { own_s: self.own_s, cumulative_s: Some(self.cumulative_s), ..CallCounts::default() }
    }
}

/// Sums by key, in the order of the first frame of each key.
#[derive(Debug)]
struct SumTable<K> {
    indices: HashMap<K, usize>,
    sums: Vec<TimeSums>,
}

impl<K: Eq + std::hash::Hash> SumTable<K> {
    fn new() -> Self {
        Self { indices: HashMap::new(), sums: Vec::new() }
    }

    /// Adds a frame that begins, and returns the index of its sums. A recursive call counts in the time of the outer call.
    fn enter(&mut self, key: K, frame: usize, time: Option<f64>, own: Option<f64>) -> usize {
        let index = *self.indices.entry(key).or_insert_with(|| {
            self.sums.push(TimeSums { frame, ..TimeSums::default() });
            self.sums.len() - 1
        });
        let sums = &mut self.sums[index];
        if sums.open == 0 {
            sums.cumulative_s += time.unwrap_or(0.0);
        }
        sums.open += 1;
        if let Some(own) = own {
            *sums.own_s.get_or_insert(0.0) += own;
        }
        index
    }

    fn leave(&mut self, index: usize) {
        self.sums[index].open -= 1;
    }
}

/// Writes the functions and calls of these frames. A parent comes before its children.
pub(super) fn write(frames: &[SampledFrame], writer: &mut ProfileWriter, rows: &mut Rows) {
    let own_times = own_times(frames);
    let mut functions = SumTable::new();
    let mut calls = SumTable::new();
    // open frames: the index of the frame, of its function and of its call
    let mut stack: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        if frame.is_self() {
            continue;
        }
        while let Some((open, function, call)) = stack.pop_if(|(open, ..)| Some(*open) != frame.parent) {
            debug_assert!(open < index);
            functions.leave(function);
            if let Some(call) = call {
                calls.leave(call);
            }
        }
        let (time, own) = (frame.time, own_times[index]);
        let function = functions.enter((&frame.file, frame.line, &frame.function), index, time, own);
        let call = stack.last().map(|(_, caller, _)| calls.enter((*caller, function), index, time, own));
        stack.push((index, function, call));
    }
    for sums in &functions.sums {
        writer.write_function(frames[sums.frame].location(), sums.counts(), rows);
    }
    for sums in &calls.sums {
        let callee = &frames[sums.frame];
        if let Some(caller) = callee.parent {
            writer.write_call(frames[caller].location(), callee.location(), sums.counts(), rows);
        }
    }
}

/// The time of each frame minus that of its children; none if the frame is truncated.
fn own_times(frames: &[SampledFrame]) -> Vec<Option<f64>> {
    let mut own_times: Vec<Option<f64>> = frames.iter().map(|frame| frame.time.filter(|_| frame.is_complete)).collect();
    for frame in frames.iter().filter(|frame| !frame.is_self()) {
        if let (Some(parent), Some(time)) = (frame.parent, frame.time)
            && let Some(own) = &mut own_times[parent]
        {
            *own -= time;
        }
    }
    // rounding errors may give a result below zero
    for own in own_times.iter_mut().flatten() {
        *own = own.max(0.0);
    }
    own_times
}
