//! Writes one row of a table of timings into `loader`, for all encodings.

use std::fmt;

use super::columns::{BATCH_SIZE, COMPUTE, EPOCH, FIELDS, LOAD, NAMES, RANK, STEP, STEP_TIME, WORKER};
use crate::number::{ParsedInteger, parse_rounded, parse_scaled};
use crate::position::Position;
use crate::secret::quote_masked;
use crate::table::{Loader, Rows};

/// The cells of a row: text, and the power of ten that converts a time to ns; none if the file has no such column.
pub(super) type TimingCells<'a> = [Option<(&'a str, u32)>; FIELDS];

/// Writes the rows of one file.
#[derive(Debug, Default)]
pub(super) struct TimingsWriter {
    /// Name of the loader: that of the file.
    pub(super) loader: String,
    /// Rows of the file so far, skipped rows included. It is the step of a row without a step.
    pub(super) rows_read: i64,
    pub(super) rows_written: i64,
    pub(super) rows_skipped: i64,
    /// Whether an earlier row had this field.
    pub(super) has_field: [bool; FIELDS],
}

impl TimingsWriter {
    /// The position of the next row for messages. Without a `place`, it is the number of the row: binary files have no
    /// lines.
    fn describe_row(&self, place: Option<Position>) -> String {
        place.map_or_else(|| format!("row {}", self.rows_read), |place| place.to_string())
    }

    /// Counts and reports a row that cannot be read.
    pub(super) fn skip(&mut self, kind: &str, place: Option<Position>, rows: &mut Rows, why: impl fmt::Display) {
        rows.skip(kind, place.and_then(Position::byte), || format!("{}: {why}", self.describe_row(place)));
        self.rows_read += 1;
        self.rows_skipped += 1;
    }

    /// Writes a row, or skips it if it has no valid loading time.
    pub(super) fn row(&mut self, cells: &TimingCells<'_>, place: Option<Position>, rows: &mut Rows) {
        if cells[LOAD].is_none() {
            return self.skip("no_load_time", place, rows, "no load_s, as in a row of another kind");
        }
        let load = match parse_time(cells, LOAD) {
            Ok(Some(load)) => load,
            Ok(None) => return self.skip("bad_value", place, rows, "load_s is blank"),
            Err(why) => return self.skip("bad_value", place, rows, why),
        };
        let compute = match parse_time(cells, COMPUTE) {
            Ok(None) if cells[COMPUTE].is_none() => compute_from_step(cells, load),
            compute => compute,
        };
        cells.iter().zip(&mut self.has_field).for_each(|(cell, has_field)| *has_field |= cell.is_some());
        let has_field = self.has_field;
        let mut or_null = |value: Result<Option<i64>, String>| {
            value.unwrap_or_else(|why| {
                let message = || format!("{}: {why}; read as null", self.describe_row(place));
                rows.repair("bad_value", place.and_then(Position::byte), message);
                None
            })
        };
        let compute_dur = or_null(compute);
        let mut integer = |field: usize, default: Option<i64>| match cells[field] {
            // A row of a JSON file may lack a member that other rows have.
            None => default.filter(|_| !has_field[field]),
            Some((text, _)) => or_null(parse_integer(text).ok_or_else(|| {
                format!("{} is {}, expected an integer that is not negative", NAMES[field], quote_masked(text))
            })),
        };
        let row = Loader {
            rank: integer(RANK, None),
            kind: Some("next"),
            dur: Some(load),
            compute_dur,
            epoch: integer(EPOCH, Some(0)),
            step: integer(STEP, Some(self.rows_read)),
            worker: integer(WORKER, None),
            batch_size: integer(BATCH_SIZE, None),
            loader: Some(&self.loader),
            row: self.rows_written,
            ..Loader::default()
        };
        rows.loader(&row);
        self.rows_read += 1;
        self.rows_written += 1;
    }
}

/// Parses a time into ns. None if the file has no such column or the cell is blank.
fn parse_time(cells: &TimingCells<'_>, field: usize) -> Result<Option<i64>, String> {
    let Some((text, scale)) = cells[field] else { return Ok(None) };
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Ok(None);
    }
    // spreadsheets write a decimal comma in many languages
    let with_point = (text.matches(',').count() == 1 && !text.contains('.')).then(|| text.replace(',', "."));
    let expected = match parse_rounded(with_point.as_deref().unwrap_or(text), scale) {
        ParsedInteger::Is(_) if text.starts_with('-') => "expected a time that is not negative",
        ParsedInteger::Is(time) => return Ok(Some(time)),
        ParsedInteger::OutOfRange => "which does not fit in 64 bits of ns",
        ParsedInteger::Not => "expected a number",
    };
    Err(format!("{} is {}, {expected}", NAMES[field], quote_masked(text)))
}

/// The compute time of a step: the time of the step minus the loading time.
fn compute_from_step(cells: &TimingCells<'_>, load: i64) -> Result<Option<i64>, String> {
    match parse_time(cells, STEP_TIME)? {
        Some(step) if step < load => Err(format!("step_s is {step} ns, less than load_s")),
        step => Ok(step.map(|step| step - load)),
    }
}

/// Parses an integer that is not negative, also one that pandas wrote as a float. A blank cell gives `Some(None)`.
#[expect(clippy::option_option, reason = "not an integer, blank, an integer")]
fn parse_integer(text: &str) -> Option<Option<i64>> {
    const MILLION: i64 = 1_000_000;
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Some(None);
    }
    if let Ok(value) = text.parse::<i64>() {
        return (value >= 0).then_some(Some(value));
    }
    let value = parse_scaled(text, 6).value()?;
    (value % MILLION == 0 && value >= 0).then_some(Some(value / MILLION))
}
