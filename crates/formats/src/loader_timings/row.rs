//! One row of a table of timings, whatever it was written in, into `loader`.

use std::fmt;

use super::columns::{BATCH_SIZE, COMPUTE, EPOCH, FIELDS, LOAD, NAMES, RANK, STEP, STEP_TIME, WORKER};
use crate::number::{Number, rounded, scaled};
use crate::place::Place;
use crate::secret::quote;
use crate::table::{Loader, Rows};

/// The cells of a row: text, and the power of ten that makes a time ns; none where the file has no such column.
pub(super) type Cells<'a> = [Option<(&'a str, u32)>; FIELDS];

/// Where a row stands; a binary file has no lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub(super) row: i64,
    pub(super) place: Option<Place>,
}

impl At {
    pub(super) fn byte(self) -> Option<i64> {
        self.place.and_then(Place::byte)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => place.fmt(f),
            None => write!(f, "row {}", self.row),
        }
    }
}

/// Writes the rows of one file.
#[derive(Debug, Default)]
pub(super) struct Writer {
    /// Name of the loader: that of the file.
    pub(super) loader: String,
    /// Rows of the file so far, also those left out: a row without a step has this number.
    pub(super) seen: i64,
    /// Rows written.
    pub(super) written: i64,
    /// Rows left out.
    pub(super) bad: i64,
}

impl Writer {
    /// The place of the row that is next.
    pub(super) fn at(&self, place: Option<Place>) -> At {
        At { row: self.seen, place }
    }

    /// Counts a row that cannot be read.
    pub(super) fn skip(&mut self, kind: &str, at: At, rows: &mut Rows, why: impl FnOnce() -> String) {
        self.seen += 1;
        self.bad += 1;
        rows.skip(kind, at.byte(), || format!("{at}: {}", why()));
    }

    /// Writes a row, unless it does not say how long loading took.
    pub(super) fn row(&mut self, cells: &Cells<'_>, at: At, rows: &mut Rows) {
        let load = match time(cells, LOAD) {
            Ok(Some(load)) => load,
            Ok(None) => return self.skip("bad_value", at, rows, || "load_s is blank".to_owned()),
            Err(why) => return self.skip("bad_value", at, rows, || why),
        };
        let compute = match time(cells, COMPUTE) {
            Ok(None) if cells[COMPUTE].is_none() => rest(cells, load),
            compute => compute,
        };
        let mut told = |value: Result<Option<i64>, String>| {
            value.unwrap_or_else(|why| {
                rows.repair("bad_value", at.byte(), || format!("{at}: {why}; read as null"));
                None
            })
        };
        let compute_dur = told(compute);
        let mut integer = |field: usize, missing| match cells[field] {
            None => missing,
            Some((text, _)) => told(whole(text).ok_or_else(|| {
                format!("{} is {}, expected an integer that is not negative", NAMES[field], quote(text))
            })),
        };
        let row = Loader {
            rank: integer(RANK, None),
            kind: Some("next"),
            dur: Some(load),
            compute_dur,
            epoch: integer(EPOCH, Some(0)),
            step: integer(STEP, Some(self.seen)),
            worker: integer(WORKER, None),
            batch_size: integer(BATCH_SIZE, None),
            loader: Some(&self.loader),
            row: self.written,
            ..Loader::default()
        };
        rows.loader(&row);
        self.seen += 1;
        self.written += 1;
    }
}

/// A time in ns; none if there is no such column or the cell is blank.
fn time(cells: &Cells<'_>, field: usize) -> Result<Option<i64>, String> {
    let Some((text, scale)) = cells[field] else { return Ok(None) };
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Ok(None);
    }
    // a comma where the point should be, as spreadsheets write it in many languages
    let point = (text.matches(',').count() == 1 && !text.contains('.')).then(|| text.replace(',', "."));
    let name = NAMES[field];
    match rounded(point.as_deref().unwrap_or(text), scale) {
        Number::Is(_) if text.starts_with('-') => {
            Err(format!("{name} is {}, expected a time that is not negative", quote(text)))
        }
        Number::Is(time) => Ok(Some(time)),
        Number::OutOfRange => Err(format!("{name} is {}, which does not fit in 64 bits of ns", quote(text))),
        Number::Not => Err(format!("{name} is {}, expected a number", quote(text))),
    }
}

/// What a step of known length leaves for computing.
fn rest(cells: &Cells<'_>, load: i64) -> Result<Option<i64>, String> {
    match time(cells, STEP_TIME)? {
        Some(step) if step < load => Err(format!("step_s is {step} ns, less than load_s")),
        step => Ok(step.map(|step| step - load)),
    }
}

/// An integer, also one that pandas wrote as a float; a blank cell is null.
#[expect(clippy::option_option, reason = "no integer, or none known")]
fn whole(text: &str) -> Option<Option<i64>> {
    const DIGITS: i64 = 1_000_000;
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Some(None);
    }
    if let Ok(value) = text.parse::<i64>() {
        return (value >= 0).then_some(Some(value));
    }
    let value = scaled(text, 6).value()?;
    (value % DIGITS == 0 && value >= 0).then_some(Some(value / DIGITS))
}
