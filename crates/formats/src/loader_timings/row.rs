//! Writes one row of a table of timings into `loader`, for all encodings.

use std::fmt;

use super::columns::{BATCH_SIZE, COMPUTE, EPOCH, FIELDS, LOAD, NAMES, RANK, STEP, STEP_TIME, WORKER};
use crate::number::{ParsedInteger, parse_rounded, parse_scaled};
use crate::position::Position;
use crate::secret::quote_masked;
use crate::table::{Loader, Rows};

/// The cells of a row: text, and the power of ten that converts a time to ns; none if the file has no such column.
pub(super) type TimingCells<'a> = [Option<(&'a str, u32)>; FIELDS];

/// Maximum number of rows that wait for a later row with a field that they lack.
const MAX_WAITING: usize = 1 << 16;

/// A row, and which of its fields with a default are missing.
#[derive(Debug)]
pub(super) struct WaitingRow {
    row: Loader<'static>,
    /// Number of rows of the file before it.
    number: i64,
    has_epoch: bool,
    has_step: bool,
}

/// Writes the rows of one file.
#[derive(Debug, Default)]
pub(super) struct TimingsWriter {
    /// Name of the loader: that of the file.
    pub(super) loader: String,
    /// Rows of the file so far, skipped rows included. It is the step of a row without a step.
    pub(super) rows_read: i64,
    pub(super) rows_written: i64,
    pub(super) rows_skipped: i64,
    /// Whether a row had this field.
    pub(super) has_field: [bool; FIELDS],
    /// A field that no row has gets a default. A field that only some rows have is null in the others.
    pub(super) waiting: Vec<WaitingRow>,
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
        let mut or_null = |value: Result<Option<i64>, String>| {
            value.unwrap_or_else(|why| {
                let message = || format!("{}: {why}; read as null", self.describe_row(place));
                rows.repair("bad_value", place.and_then(Position::byte), message);
                None
            })
        };
        let compute_dur = or_null(compute);
        let mut integer = |field: usize| {
            let (text, _) = cells[field]?;
            or_null(parse_integer(text).ok_or_else(|| {
                format!("{} is {}, expected an integer that is not negative", NAMES[field], quote_masked(text))
            }))
        };
        let row = Loader {
            rank: integer(RANK),
            kind: Some("next"),
            dur: Some(load),
            compute_dur,
            epoch: integer(EPOCH),
            step: integer(STEP),
            worker: integer(WORKER),
            batch_size: integer(BATCH_SIZE),
            row: self.rows_written,
            ..Loader::default()
        };
        let (has_epoch, has_step) = (cells[EPOCH].is_some(), cells[STEP].is_some());
        self.waiting.push(WaitingRow { row, number: self.rows_read, has_epoch, has_step });
        self.rows_read += 1;
        self.rows_written += 1;
        if self.has_field[EPOCH] && self.has_field[STEP] || self.waiting.len() == MAX_WAITING {
            self.flush(rows);
        }
    }

    /// Writes the rows that wait. The epoch and the step of a file without these fields are 0 and the number of the row.
    pub(super) fn flush(&mut self, rows: &mut Rows) {
        for WaitingRow { mut row, number, has_epoch, has_step } in self.waiting.drain(..) {
            row.loader = Some(&self.loader);
            if !has_epoch && !self.has_field[EPOCH] {
                row.epoch = Some(0);
            }
            if !has_step && !self.has_field[STEP] {
                row.step = Some(number);
            }
            rows.loader(&row);
        }
    }
}

/// Maximum length of a number, in bytes. A small Parquet file can have a text of a megabyte in a million rows.
const MAX_NUMBER: usize = 400;

/// Parses a time into ns. None if the file has no such column or the cell is blank.
fn parse_time(cells: &TimingCells<'_>, field: usize) -> Result<Option<i64>, String> {
    let Some((text, scale)) = cells[field] else { return Ok(None) };
    if text.len() > MAX_NUMBER {
        return Err(format!("{} has {} bytes, expected a number", NAMES[field], text.len()));
    }
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
    if text.len() > MAX_NUMBER {
        return None;
    }
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
