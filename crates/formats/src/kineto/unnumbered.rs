//! Numbers the user's step marks that have no number, in the order of their times.

use crate::table::{Rows, Step};

/// Number of marks that are sorted together, which limits memory.
const GROUP: usize = 1 << 16;

/// The step marks of a file.
#[derive(Debug, Default)]
pub(crate) struct UnnumberedSteps {
    marks: Vec<StepMark>,
    next_step: i64,
}

#[derive(Debug)]
struct StepMark {
    ts: Option<i64>,
    dur: Option<i64>,
    complete: Option<bool>,
    row: i64,
}

impl UnnumberedSteps {
    /// Stores a mark, and writes the stored marks if a group is complete.
    pub(crate) fn push(&mut self, mark: &Step<'_>, rows: &mut Rows) {
        let Step { ts, dur, complete, row, .. } = *mark;
        self.marks.push(StepMark { ts, dur, complete, row });
        if self.marks.len() == GROUP {
            self.write(mark, rows);
        }
    }

    /// Writes the stored marks as steps. `common` has the columns that all have in common. Marks without a
    /// time come last.
    pub(crate) fn write(&mut self, common: &Step<'_>, rows: &mut Rows) {
        self.marks.sort_by_key(|mark| (mark.ts.is_none(), mark.ts, mark.row));
        for StepMark { ts, dur, complete, row } in self.marks.drain(..) {
            rows.step(&Step { step: Some(self.next_step), ts, dur, complete, row, ..*common });
            self.next_step += 1;
        }
    }
}
