//! Numbers the user's step marks that have no number, in the order of their times in each process.

use std::collections::BTreeMap;

use crate::table::{Rows, Step};

/// Number of marks that are sorted together, which limits memory.
const GROUP: usize = 1 << 16;

/// The step marks of a file.
#[derive(Debug, Default)]
pub(crate) struct UnnumberedSteps {
    marks: Vec<StepMark>,
    /// The next number, by `span`.
    next_steps: BTreeMap<Option<i64>, i64>,
}

#[derive(Debug)]
struct StepMark {
    span: Option<i64>,
    process: Option<String>,
    ts: Option<i64>,
    dur: Option<i64>,
    complete: Option<bool>,
    row: i64,
}

impl UnnumberedSteps {
    /// Stores a mark, and writes the stored marks if a group is complete.
    pub(crate) fn push(&mut self, mark: &Step<'_>, rows: &mut Rows) {
        let Step { span, process, ts, dur, complete, row, .. } = *mark;
        let process = process.map(str::to_owned);
        self.marks.push(StepMark { span, process, ts, dur, complete, row });
        if self.marks.len() == GROUP {
            self.write(mark, rows);
        }
    }

    /// Writes the stored marks as steps. `common` has the columns that all have in common. Marks without a
    /// time come last.
    pub(crate) fn write(&mut self, common: &Step<'_>, rows: &mut Rows) {
        self.marks.sort_by_key(|mark| (mark.ts.is_none(), mark.ts, mark.row));
        for StepMark { span, process, ts, dur, complete, row } in self.marks.drain(..) {
            let next_step = self.next_steps.entry(span).or_default();
            let process = process.as_deref();
            rows.step(&Step { span, process, step: Some(*next_step), ts, dur, complete, row, ..*common });
            *next_step += 1;
        }
    }
}
