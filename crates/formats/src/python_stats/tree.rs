//! The frames of a sampled call tree, and what they say about functions and calls.

use std::collections::HashMap;

use super::calls::{Counts, Place, Writer};
use crate::table::Rows;

/// One call, or several calls of one function from one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// Number of the frame around it, which stands before it.
    pub(super) parent: Option<usize>,
    pub(super) file: String,
    pub(super) line: Option<i64>,
    pub(super) function: String,
    /// Time in it and all it called, in s.
    pub(super) time: Option<f64>,
    /// Its end was read, and with it all frames inside.
    pub(super) closed: bool,
}

impl Frame {
    fn place(&self) -> Place<'_> {
        Place { file: &self.file, line: self.line, name: &self.function }
    }

    /// Stands for what the frame around it did itself.
    fn is_self(&self) -> bool {
        self.function == "[self]" && self.file.is_empty()
    }
}

/// Sums for a function, or for a caller and a callee.
#[derive(Debug, Default)]
struct Sums {
    /// A frame by which it can be named.
    frame: usize,
    own_s: Option<f64>,
    cumulative_s: f64,
    /// How many of it are open.
    open: u32,
}

impl Sums {
    fn counts(&self) -> Counts {
        Counts { own_s: self.own_s, cumulative_s: Some(self.cumulative_s), ..Counts::default() }
    }
}

/// Sums by a key, in the order in which the keys came.
#[derive(Debug)]
struct Table<K> {
    places: HashMap<K, usize>,
    sums: Vec<Sums>,
}

impl<K: Eq + std::hash::Hash> Table<K> {
    fn new() -> Self {
        Self { places: HashMap::new(), sums: Vec::new() }
    }

    fn place(&mut self, key: K, frame: usize) -> usize {
        *self.places.entry(key).or_insert_with(|| {
            self.sums.push(Sums { frame, ..Sums::default() });
            self.sums.len() - 1
        })
    }

    /// A frame begins: a call that is open already is in the time of the outer one.
    fn enter(&mut self, place: usize, frame: &Frame, own: Option<f64>) {
        let sums = &mut self.sums[place];
        if sums.open == 0 {
            sums.cumulative_s += frame.time.unwrap_or(0.0);
        }
        sums.open += 1;
        if let Some(own) = own {
            *sums.own_s.get_or_insert(0.0) += own;
        }
    }

    fn leave(&mut self, place: usize) {
        self.sums[place].open -= 1;
    }
}

/// Writes the functions and calls of frames, which stand in the order of their beginnings.
pub(super) fn write(frames: &[Frame], writer: &mut Writer, rows: &mut Rows) {
    let own = own(frames);
    let mut functions = Table::new();
    let mut calls = Table::new();
    // frames that are open: their number, place of the function, place of the call
    let mut stack: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        if frame.is_self() {
            continue;
        }
        while let Some((open, function, call)) = stack.pop_if(|(open, ..)| Some(*open) != frame.parent) {
            debug_assert!(open < number);
            functions.leave(function);
            if let Some(call) = call {
                calls.leave(call);
            }
        }
        let function = functions.place((&frame.file, frame.line, &frame.function), number);
        functions.enter(function, frame, own[number]);
        let call = stack.last().map(|(_, caller, _)| calls.place((*caller, function), number));
        if let Some(call) = call {
            calls.enter(call, frame, own[number]);
        }
        stack.push((number, function, call));
    }
    for sums in &functions.sums {
        writer.function(frames[sums.frame].place(), sums.counts(), rows);
    }
    for sums in &calls.sums {
        let callee = &frames[sums.frame];
        if let Some(caller) = callee.parent {
            writer.call(frames[caller].place(), callee.place(), sums.counts(), rows);
        }
    }
}

/// The time of each frame less that of the frames inside; none where the frame was cut off.
fn own(frames: &[Frame]) -> Vec<Option<f64>> {
    let mut own: Vec<Option<f64>> = frames.iter().map(|frame| frame.time.filter(|_| frame.closed)).collect();
    for frame in frames.iter().filter(|frame| !frame.is_self()) {
        if let (Some(parent), Some(time)) = (frame.parent, frame.time)
            && let Some(left) = &mut own[parent]
        {
            *left -= time;
        }
    }
    // what is left of a sum of samples may be a rounding error below zero
    for own in own.iter_mut().flatten() {
        *own = own.max(0.0);
    }
    own
}
