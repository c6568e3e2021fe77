//! Step marks that the user named and that carry no number: they are counted in the order of their times.

use crate::table::{Rows, Step};

/// Marks that are kept back to be sorted; more are sorted by so many.
const MOST: usize = 1 << 16;

/// The marks of a file.
#[derive(Debug, Default)]
pub(crate) struct Unnumbered {
    held: Vec<Mark>,
    next: i64,
}

#[derive(Debug)]
struct Mark {
    ts: Option<i64>,
    dur: Option<i64>,
    complete: Option<bool>,
    row: i64,
}

impl Unnumbered {
    /// Keeps a mark back.
    pub(crate) fn push(&mut self, mark: &Step<'_>, rows: &mut Rows) {
        let Step { ts, dur, complete, row, .. } = *mark;
        self.held.push(Mark { ts, dur, complete, row });
        if self.held.len() == MOST {
            self.write(mark, rows);
        }
    }

    /// Writes what is kept back; `whose` tells what all have in common. Marks whose time is unknown come last.
    pub(crate) fn write(&mut self, whose: &Step<'_>, rows: &mut Rows) {
        self.held.sort_by_key(|mark| (mark.ts.is_none(), mark.ts, mark.row));
        for Mark { ts, dur, complete, row } in self.held.drain(..) {
            rows.step(&Step { step: Some(self.next), ts, dur, complete, row, ..*whose });
            self.next += 1;
        }
    }
}
