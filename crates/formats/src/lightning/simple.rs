//! Tables of `SimpleProfiler`: one row per action.
//!
//! The header names the columns: five by default, three with `extended=False`. Releases before 1.6 draw no bars around the
//! table. Cells are split from the right, because the name of an action may contain any character.

use super::parse_finite;
use super::writer::ReportWriter;
use crate::position::Position;
use crate::secret;
use crate::table::{Action, Rows};

/// The columns of a table, after that of the action.
const MEAN: &str = "Mean duration (s)";
const CALLS: &str = "Num calls";
const TOTAL: &str = "Total time (s)";
const PERCENT: &str = "Percentage %";

/// A table after its header was read.
#[derive(Debug, Default)]
pub(super) struct ActionTable {
    columns: Vec<&'static str>,
    /// Every line begins with a bar, and a rule closes the table.
    has_leading_bar: bool,
    /// Every line ends with a bar.
    has_trailing_bar: bool,
    /// Calls and time of the row `Total`.
    total: (Option<i64>, Option<f64>),
    rows: i64,
    calls: i64,
    /// The last line was a rule.
    ends_with_rule: bool,
}

impl ActionTable {
    /// The table with this header; none if the line is not a header.
    pub(super) fn parse_header(line: &str) -> Option<Self> {
        let line = line.trim();
        let mut names = line.split('|').map(str::trim).filter(|name| !name.is_empty());
        if names.next() != Some("Action") {
            return None;
        }
        let find = |name: &str| [MEAN, CALLS, TOTAL, PERCENT].into_iter().find(|column| *column == name);
        let columns = names.map(find).collect::<Option<Vec<_>>>()?;
        let (has_leading_bar, has_trailing_bar) = (line.starts_with('|'), line.ends_with('|'));
        (columns.contains(&MEAN) && columns.contains(&TOTAL)).then(|| Self {
            columns,
            has_leading_bar,
            has_trailing_bar,
            ..Self::default()
        })
    }

    /// Returns true if this line, the last of the file and without a line feed, is certain to be complete.
    pub(super) fn is_complete_row(&self, line: &str) -> bool {
        self.has_trailing_bar && self.split_row(line).is_some()
    }

    pub(super) fn read_rule(&mut self) {
        self.ends_with_rule = true;
    }

    /// Reads one row. An error is the reason why the line is malformed.
    pub(super) fn read_line(
        &mut self,
        line: &str,
        position: Position,
        writer: &mut ReportWriter,
        rows: &mut Rows,
    ) -> Result<(), String> {
        self.ends_with_rule = false;
        let Some((name, cells)) = self.split_row(line) else {
            return Err(format!("expected an action with {} numbers", self.columns.len()));
        };
        let columns = || self.columns.iter().zip(&cells);
        let is_total = name == "Total" && columns().any(|cell| cell == (&MEAN, &"-"));
        let mut action = Action { profiler: Some("simple"), ..Action::default() };
        for (column, text) in columns() {
            parse_cell(&mut action, column, text, is_total)?;
        }
        if is_total {
            self.total = (action.calls, action.total_s);
            return Ok(());
        }
        if !self.columns.contains(&CALLS) {
            action.calls = estimate_calls(action.total_s, action.mean_s);
            let why = "the report has no calls: they are computed as total / mean, rounded, and exact up to 5,000";
            position.notice(rows, "calls_computed", || why);
        }
        let name = secret::mask_and_report(name, position, rows);
        let (report_calls, report_s) = self.total;
        let name = Some(&*name).filter(|name| !name.is_empty());
        writer.write_action(&Action { action: name, report_calls, report_s, ..action }, rows);
        self.rows += 1;
        self.calls = self.calls.saturating_add(action.calls.unwrap_or(0));
        Ok(())
    }

    /// Describes what is missing in the table when it has ended.
    pub(super) fn describe_missing(&self) -> Option<String> {
        if self.has_leading_bar && !(self.ends_with_rule && (self.rows > 0 || self.total.0 == Some(0))) {
            return Some("the table ends without its closing line".to_owned());
        }
        let (rows, calls) = (self.rows, self.calls);
        let total = self.total.0.filter(|total| *total != calls)?;
        Some(format!("the {rows} rows of the table have {calls} calls, its row Total has {total}"))
    }

    /// Splits a row into the name of the action and the texts of the other cells.
    fn split_row<'a>(&self, line: &'a str) -> Option<(&'a str, Vec<&'a str>)> {
        let mut row = line.trim_end();
        if self.has_leading_bar {
            row = row.trim_start().strip_prefix('|')?;
        }
        if self.has_trailing_bar {
            row = row.strip_suffix('|')?;
        }
        let mut from_right = row.rsplitn(self.columns.len() + 1, '|');
        let mut cells: Vec<&str> = from_right.by_ref().take(self.columns.len()).map(str::trim).collect();
        cells.reverse();
        let name = from_right.next()?;
        let name = if self.has_leading_bar { name.strip_prefix("  ").unwrap_or(name) } else { name };
        // Lightning pads a name with blanks and appends a tab
        Some((name.strip_suffix('\t').unwrap_or(name).trim_end_matches(' '), cells))
    }
}

/// Parses a cell into its field of `action`. An error is the reason why the text is malformed.
fn parse_cell(action: &mut Action<'_>, column: &str, text: &str, is_total: bool) -> Result<(), String> {
    let error = |name: &str| format!("{name} is `{}`, expected a number", secret::quote_masked(text));
    let parse = |name: &str, text: &str| parse_finite(text).ok_or_else(|| error(name));
    match column {
        MEAN if is_total => {}
        // releases before 1.6 do not count the calls of all actions
        CALLS if is_total && text == "_" => {}
        MEAN => action.mean_s = parse("Mean duration", text)?,
        TOTAL => action.total_s = parse("Total time", text)?,
        PERCENT => action.percent = parse("Percentage", text.trim_end_matches('%').trim_end())?,
        _ => action.calls = Some(text.parse().map_err(|_| error("Num calls"))?),
    }
    Ok(())
}

/// Estimates the number of calls from their total and their mean duration.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn estimate_calls(total: Option<f64>, mean: Option<f64>) -> Option<i64> {
    let calls = (total? / mean?).round();
    (0.0..9e15).contains(&calls).then_some(calls as i64)
}
