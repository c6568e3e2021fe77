//! Stores step marks until the end of the file. Only then is it known whether a step trained, and which number a mark of
//! the user's own annotation has.
//!
//! A step with backward or optimizer work is a training step. Without such work its mode is unknown: it can be an evaluation
//! step, or the operators were not recorded.

use std::collections::BTreeMap;

use crate::table::{Mode, Rows, Step};

/// Number of marks that are stored and sorted together, which limits memory.
const GROUP: usize = 1 << 16;

/// The step marks of a file.
#[derive(Debug, Default)]
pub(crate) struct StepMarks {
    marks: Vec<StepMark>,
    /// The next number of a mark without one, by `span`.
    next_steps: BTreeMap<Option<i64>, i64>,
    /// Starts of backward and optimizer work, by `span`.
    training: BTreeMap<Option<i64>, Vec<i64>>,
}

#[derive(Debug)]
struct StepMark {
    rank: Option<i64>,
    span: Option<i64>,
    process: Option<String>,
    step: Option<i64>,
    ts: Option<i64>,
    dur: Option<i64>,
    complete: Option<bool>,
    row: i64,
}

impl StepMarks {
    /// Adds backward or optimizer work.
    pub(crate) fn add_training(&mut self, span: Option<i64>, ts: i64) {
        self.training.entry(span).or_default().push(ts);
    }

    /// Adds a mark, and writes the stored marks if a group is complete. Machine and mode are those of the file.
    pub(crate) fn add(&mut self, mark: &Step<'_>, rows: &mut Rows) {
        let Step { rank, span, process, step, ts, dur, complete, row, .. } = *mark;
        let process = process.map(str::to_owned);
        self.marks.push(StepMark { rank, span, process, step, ts, dur, complete, row });
        if self.marks.len() == GROUP {
            self.write(mark.node, mark.mode, rows);
        }
    }

    /// Adds the marks of a later section of the file. `first_row` is the number of its first row.
    pub(crate) fn append(&mut self, section: Self, first_row: i64) {
        self.marks.extend(section.marks.into_iter().map(|mark| StepMark { row: mark.row + first_row, ..mark }));
        for (span, times) in section.training {
            self.training.entry(span).or_default().extend(times);
        }
    }

    /// Writes the stored marks as steps, in the order of their times. Marks without a time come last. `mode` is that of the
    /// file.
    pub(crate) fn write(&mut self, node: Option<&str>, mode: Option<&str>, rows: &mut Rows) {
        self.training.values_mut().for_each(|times| times.sort_unstable());
        self.marks.sort_by_key(|mark| (mark.ts.is_none(), mark.ts, mark.row));
        for StepMark { rank, span, process, step, ts, dur, complete, row } in self.marks.drain(..) {
            let step = step.unwrap_or_else(|| {
                let next = self.next_steps.entry(span).or_default();
                *next += 1;
                *next - 1
            });
            let trains = ts.is_some_and(|start| {
                let end = dur.map_or(i64::MAX, |dur| start.saturating_add(dur));
                let times = self.training.get(&span).map(Vec::as_slice).unwrap_or_default();
                times.get(times.partition_point(|ts| *ts < start)).is_some_and(|ts| *ts < end)
            });
            let mode = mode.or(trains.then_some(Mode::Train.as_str()));
            let process = process.as_deref();
            rows.step(&Step { node, rank, span, process, step: Some(step), mode, ts, dur, complete, row });
        }
    }
}
