//! Timings that people write themselves, into `loader`: how long each batch was waited for, and computed with.
//!
//! A loop takes a stamp on each side of the batch and writes a table with a row for each step: CSV, JSON (a list of objects,
//! or an object on each line) or Parquet. A table is known by its column `load_s`; [`Columns`] says what else is read. Each
//! file is a loader of its own, called after the file: files are never put together.
//!
//! # Units
//! Times are seconds unless the user declared another unit. The decimal text is rounded to ns.
//!
//! # Source
//! The names are ours. Waits and computing are those of PyTorch's tutorial on the performance of data loading, which
//! stamps `next(iterator)` and what follows it.

mod columns;
mod csv;
mod json;
mod parquet_file;
mod row;

use std::sync::Arc;

use super::{Decoder, Decoding, Descriptor, Format, ObjectInfo, Probe, Stream, stem};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Rows, Severity};
use row::Writer;

pub use columns::Columns;

/// Timings that people write themselves.
#[derive(Debug)]
pub struct LoaderTimings;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "loader_timings",
    doc: "tables that users write: wait time for the batch and compute time of each step",
    files: "*.csv, *.json, *.jsonl, *.parquet with a column `load_s`, or a column that the user declares as `load_s`",
    tables: &["loader"],
    fields: &[
        ("name of the file, without its ending", "loader.loader"),
        ("load_s", "loader.dur"),
        ("compute_s", "loader.compute_dur; a blank cell as null"),
        ("step_s", "loader.compute_dur, minus load_s, if there is no compute_s"),
        ("step", "loader.step; without the column, the number of the row from 0"),
        ("epoch", "loader.epoch; without the column, 0"),
        ("rank", "rank"),
        ("worker", "loader.worker"),
        ("batch_size", "loader.batch_size"),
    ],
    not_read: &["other columns: read only if the user declares them"],
    source: "the columns of this page",
    version: 1,
};

impl Format for LoaderTimings {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        if probe.head.starts_with(parquet_file::MAGIC) {
            return true;
        }
        let known = |names: Vec<String>| columns(probe.info).know(&texts(&names));
        names(probe.head).is_some_and(known)
    }

    fn declines(&self, probe: &Probe<'_>) -> Option<String> {
        columns(probe.info).miss(&texts(&names(probe.head)?))
    }

    fn decoder(&self) -> Decoding {
        Decoding::Stream(Box::new(Timings::default()))
    }
}

/// What the user declared; it was looked at when the ingest began.
fn columns(info: &ObjectInfo) -> Columns {
    Columns::declared(&info.loader_columns).unwrap_or_default()
}

/// The names of the columns, as far as the first bytes tell.
fn names(head: &[u8]) -> Option<Vec<String>> {
    match shape(head, true)? {
        Kind::List | Kind::Objects => json::names(head),
        Kind::Csv => csv::header(head),
        Kind::Parquet => None,
    }
}

/// Whether a table with these columns looks like timings by other names than ours.
pub(super) fn may_be_timings(names: &[String]) -> bool {
    Columns::default().miss(&texts(names)).is_some()
}

fn texts(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// What a table is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Csv,
    List,
    Objects,
    Parquet,
}

/// What the first bytes say; none if they are too few and more may come.
fn shape(head: &[u8], all: bool) -> Option<Kind> {
    if head.len() < parquet_file::MAGIC.len() && !all {
        return None;
    }
    if head.starts_with(parquet_file::MAGIC) {
        return Some(Kind::Parquet);
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    match text.first() {
        Some(b'[') => Some(Kind::List),
        Some(b'{') => Some(Kind::Objects),
        Some(_) => Some(Kind::Csv),
        None => None,
    }
}

/// Decodes one file.
#[derive(Debug, Default)]
struct Timings {
    path: Arc<str>,
    columns: Columns,
    writer: Writer,
    /// The first bytes, until they say what the file is written in.
    head: Vec<u8>,
    reader: Option<Reader>,
}

#[derive(Debug)]
enum Reader {
    Csv(Box<csv::Csv>),
    List(json::List),
    Objects(json::Objects),
    Parquet(Vec<u8>),
}

impl Decoder for Timings {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        let writer = Writer { loader: stem(object.name()).to_owned(), ..Writer::default() };
        *self = Self { path: Arc::clone(&object.path), columns: columns(object), writer, ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        if self.reader.is_none()
            && let Some(kind) = shape(&self.head, true)
        {
            self.begun(kind, rows)?;
        }
        let writer = &mut self.writer;
        match self.reader.take() {
            Some(Reader::Csv(mut csv)) => csv.end(writer, rows),
            Some(Reader::List(mut list)) => list.end(writer, rows),
            Some(Reader::Objects(mut objects)) => objects.end(writer, rows),
            Some(Reader::Parquet(file)) => {
                parquet_file::read(file, &self.columns, writer, rows).map_err(|why| self.refused(&why))?;
            }
            None => {}
        }
        let Writer { written, bad, .. } = self.writer;
        if written == 0 && bad > 0 {
            return Err(self.refused(&format!("none of its {bad} rows has a valid load_s")));
        }
        if written == 0 {
            rows.problem(Severity::Notice, "empty_file", None, || "the table has no rows".to_owned());
        }
        Ok(())
    }
}

impl Stream for Timings {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        if self.reader.is_some() {
            return self.read(chunk, rows);
        }
        self.head.extend_from_slice(chunk);
        let Some(kind) = shape(&self.head, false) else { return Ok(()) };
        self.begun(kind, rows)
    }
}

impl Timings {
    fn refused(&self, why: &str) -> Error {
        let text = format!("cannot read {}: {why}", self.path);
        Error::new(ErrorKind::Malformed, text).with_context("format", DESCRIPTOR.name)
    }

    /// Reads the first bytes, now that it is known what they are.
    fn begun(&mut self, kind: Kind, rows: &mut Rows) -> Result<()> {
        let columns = self.columns.clone();
        self.reader = Some(match kind {
            Kind::Csv => Reader::Csv(Box::new(csv::Csv::new(columns))),
            Kind::List => Reader::List(json::List::new(columns)),
            Kind::Objects => Reader::Objects(json::Objects::new(columns)),
            Kind::Parquet => Reader::Parquet(Vec::new()),
        });
        let head = std::mem::take(&mut self.head);
        self.read(&head, rows)
    }

    fn read(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let writer = &mut self.writer;
        match &mut self.reader {
            Some(Reader::Csv(csv)) => csv.push(chunk, writer, rows),
            Some(Reader::List(list)) => list.push(chunk, writer, rows),
            Some(Reader::Objects(objects)) => objects.push(chunk, writer, rows),
            Some(Reader::Parquet(file)) if file.len() + chunk.len() > parquet_file::MAX_FILE => {
                let most = parquet_file::MAX_FILE >> 20;
                return Err(self.refused(&format!(
                    "a Parquet file of more than {most} MiB is not read: split it into several files"
                )));
            }
            Some(Reader::Parquet(file)) => file.extend_from_slice(chunk),
            None => {}
        }
        Ok(())
    }
}
