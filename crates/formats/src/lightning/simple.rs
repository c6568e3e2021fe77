//! Tables of `SimpleProfiler`: one row per action.
//!
//! Columns are told by the heads over them: five by default, three with `extended=False`, and in releases before 1.6 without
//! bars around the table. A cell is read from the right, because the name of an action may hold any character.

use super::writer::Writer;
use crate::place::Place;
use crate::secret;
use crate::table::{Action, Rows, Severity};

/// What a column of a table holds, behind that of the action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Mean,
    Calls,
    Total,
    Percent,
}

/// A table whose head was read.
#[derive(Debug)]
pub(super) struct Table {
    cells: Vec<Cell>,
    /// Every line begins with a bar, and a rule closes the table.
    barred: bool,
    /// Every line ends with a bar.
    closed: bool,
    /// Calls and time of the row `Total`.
    total: (Option<i64>, Option<f64>),
    rows: i64,
    calls: i64,
    /// The last line was a rule.
    ruled: bool,
}

/// The numbers of a row.
#[derive(Debug, Default)]
struct Numbers {
    mean_s: Option<f64>,
    calls: Option<i64>,
    total_s: Option<f64>,
    percent: Option<f64>,
}

impl Table {
    /// The table under this head; none if it is none.
    pub(super) fn under(line: &str) -> Option<Self> {
        let line = line.trim();
        let mut heads = line.split('|').map(str::trim).filter(|head| !head.is_empty());
        if heads.next() != Some("Action") {
            return None;
        }
        let cells: Option<Vec<Cell>> = heads
            .map(|head| match head {
                "Mean duration (s)" => Some(Cell::Mean),
                "Num calls" => Some(Cell::Calls),
                "Total time (s)" => Some(Cell::Total),
                "Percentage %" => Some(Cell::Percent),
                _ => None,
            })
            .collect();
        let cells = cells.filter(|cells| cells.contains(&Cell::Mean) && cells.contains(&Cell::Total))?;
        let (barred, closed) = (line.starts_with('|'), line.ends_with('|'));
        Some(Self { cells, barred, closed, total: (None, None), rows: 0, calls: 0, ruled: false })
    }

    /// Whether a line that the file ended in can be told from one that was cut.
    pub(super) fn ends_in(&self, line: &str) -> bool {
        self.closed && self.split(line).is_some()
    }

    pub(super) fn rule(&mut self) {
        self.ruled = true;
    }

    /// One line; says what is wrong with it.
    pub(super) fn line(
        &mut self,
        line: &str,
        place: Place,
        writer: &mut Writer,
        rows: &mut Rows,
    ) -> Result<(), String> {
        self.ruled = false;
        let Some((action, texts)) = self.split(line) else {
            return Err(format!("expected an action with {} numbers", self.cells.len()));
        };
        let is_total = action == "Total" && self.text(&texts, Cell::Mean) == Some("-");
        let mut numbers = Numbers::default();
        for (cell, text) in self.cells.iter().zip(&texts) {
            numbers.read(*cell, text, is_total)?;
        }
        if is_total {
            self.total = (numbers.calls, numbers.total_s);
            return Ok(());
        }
        if !self.cells.contains(&Cell::Calls) {
            numbers.calls = divided(numbers.total_s, numbers.mean_s);
            rows.problem(Severity::Notice, "calls_computed", place.byte(), || {
                format!("{place}: the report has no calls: they are computed as total / mean, rounded, and exact up to 5,000")
            });
        }
        let action = secret::clean(action, place, rows);
        writer.action(
            &Action {
                action: Some(&*action).filter(|action| !action.is_empty()),
                calls: numbers.calls,
                mean_s: numbers.mean_s,
                total_s: numbers.total_s,
                percent: numbers.percent,
                profiler: Some("simple"),
                report_calls: self.total.0,
                report_s: self.total.1,
                ..Action::default()
            },
            rows,
        );
        self.rows += 1;
        self.calls = self.calls.saturating_add(numbers.calls.unwrap_or(0));
        Ok(())
    }

    /// What is missing, if the table is over.
    pub(super) fn missing(&self) -> Option<String> {
        if self.barred && !(self.ruled && (self.rows > 0 || self.total.0 == Some(0))) {
            return Some("the table ends without its closing line".to_owned());
        }
        let (rows, calls) = (self.rows, self.calls);
        let total = self.total.0.filter(|total| *total != calls)?;
        Some(format!("the {rows} rows of the table have {calls} calls, its row Total has {total}"))
    }

    /// The action, and the texts of the other cells.
    fn split<'a>(&self, line: &'a str) -> Option<(&'a str, Vec<&'a str>)> {
        let mut row = line.trim_end();
        if self.barred {
            row = row.trim_start().strip_prefix('|')?;
        }
        if self.closed {
            row = row.strip_suffix('|')?;
        }
        let mut cells = row.rsplitn(self.cells.len() + 1, '|');
        let mut texts: Vec<&str> = cells.by_ref().take(self.cells.len()).map(str::trim).collect();
        texts.reverse();
        let action = cells.next()?;
        let action = if self.barred { action.strip_prefix("  ").unwrap_or(action) } else { action };
        // a name is padded with blanks, and then comes a tab
        Some((action.strip_suffix('\t').unwrap_or(action).trim_end_matches(' '), texts))
    }

    fn text<'a>(&self, texts: &[&'a str], cell: Cell) -> Option<&'a str> {
        self.cells.iter().position(|other| *other == cell).and_then(|at| texts.get(at).copied())
    }
}

impl Numbers {
    fn read(&mut self, cell: Cell, text: &str, is_total: bool) -> Result<(), String> {
        let wrong = |what: &str| format!("{what} is `{}`, expected a number", secret::quote(text));
        let seconds = |what: &str| number(text).ok_or_else(|| wrong(what));
        match cell {
            // of the row `Total`
            Cell::Mean if is_total => {}
            // releases before 1.6 do not count the calls of all actions
            Cell::Calls if is_total && text == "_" => {}
            Cell::Mean => self.mean_s = seconds("Mean duration")?,
            Cell::Total => self.total_s = seconds("Total time")?,
            Cell::Percent => {
                self.percent = number(text.trim_end_matches('%').trim_end()).ok_or_else(|| wrong("Percentage"))?;
            }
            Cell::Calls => self.calls = Some(text.parse().map_err(|_| wrong("Num calls"))?),
        }
        Ok(())
    }
}

/// A number; one that is not finite is known to be none.
#[expect(clippy::option_option, reason = "no number, an invalid number, a number")]
fn number(text: &str) -> Option<Option<f64>> {
    text.parse().ok().map(|number: f64| Some(number).filter(|number| number.is_finite()))
}

/// How often what took `mean` was done in `total`.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn divided(total: Option<f64>, mean: Option<f64>) -> Option<i64> {
    let calls = (total? / mean?).round();
    (0.0..9e15).contains(&calls).then_some(calls as i64)
}
