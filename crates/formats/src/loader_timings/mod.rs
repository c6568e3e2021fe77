//! Timings that users record themselves, into `loader`: wait time for each batch, and compute time.
//!
//! A training loop measures the time before and after each batch, and writes a table with a row for each step. Encodings are
//! CSV, JSON (a list of objects, or an object on each line) and Parquet. The column `load_s` identifies such a table;
//! [`LoaderColumns`] describes the other columns. Each file is a loader with the name of the file: files are never merged.
//!
//! # Units
//! Times are seconds unless the user declared another unit. The decimal text is rounded to ns.
//!
//! # Source
//! tracelake defines the names. Wait and compute times are those of PyTorch's tutorial on the performance of data loading,
//! which measures `next(iterator)` and the code that follows it.

mod columns;
mod csv;
mod json;
mod parquet_file;
mod row;

use std::sync::Arc;

use super::elements::{ElementSplitter, MAX_ELEMENT};
use super::lines::LineSplitter;
use super::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream, file_stem};
use crate::error::Result;
use crate::table::{Rows, Severity};
use row::TimingsWriter;

pub use columns::LoaderColumns;

/// Timings that users record themselves.
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
    version: 4,
};

impl Format for LoaderTimings {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        if probe.head.starts_with(parquet_file::MAGIC) {
            return true;
        }
        let columns = declared_columns(probe.info);
        column_names(probe.head).is_some_and(|names| columns.has_load_column(&names))
    }

    fn decline_reason(&self, probe: &Probe<'_>) -> Option<String> {
        declared_columns(probe.info).explain_mismatch(&column_names(probe.head)?)
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(TimingsDecoder::default()))
    }
}

/// The columns that the user declared. The declarations were validated before the ingest.
fn declared_columns(info: &ObjectInfo) -> LoaderColumns {
    LoaderColumns::declared(&info.loader_columns).unwrap_or_default()
}

/// The names of the columns in the first bytes of a file; none for Parquet.
fn column_names(head: &[u8]) -> Option<Vec<String>> {
    match TimingsReader::detect(head, true)? {
        TimingsReader::JsonList(_) | TimingsReader::JsonLines(_) => json::names(head),
        TimingsReader::Csv(_) => csv::parse_header(head),
        TimingsReader::Parquet(_) | TimingsReader::ParquetRows(_) => None,
    }
}

/// Returns true if these column names look like timings with names other than those of the format.
pub(super) fn may_be_timings(names: &[String]) -> bool {
    LoaderColumns::default().explain_mismatch(names).is_some()
}

/// Decodes one file.
#[derive(Debug, Default)]
struct TimingsDecoder {
    path: Arc<str>,
    columns: LoaderColumns,
    writer: TimingsWriter,
    /// The first bytes, until they show the encoding.
    head: Vec<u8>,
    reader: Option<TimingsReader>,
}

/// Reads a table in one of the encodings.
#[derive(Debug)]
enum TimingsReader {
    Csv(Box<csv::Csv>),
    JsonList(ElementSplitter),
    JsonLines(LineSplitter),
    /// The bytes of the file so far.
    Parquet(Vec<u8>),
    ParquetRows(Box<parquet_file::ParquetTimings>),
}

impl TimingsReader {
    /// The reader for the encoding that the first bytes of a file show; none if they are too few. `is_all` if the file
    /// has no more bytes.
    fn detect(head: &[u8], is_all: bool) -> Option<Self> {
        if head.len() < parquet_file::MAGIC.len() && !is_all {
            return None;
        }
        if head.starts_with(parquet_file::MAGIC) {
            return Some(Self::Parquet(Vec::new()));
        }
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        Some(match text.first()? {
            b'[' => Self::JsonList(ElementSplitter::default()),
            b'{' => Self::JsonLines(LineSplitter::with_max_length(MAX_ELEMENT)),
            _ => Self::Csv(Box::default()),
        })
    }
}

impl Decoder for TimingsDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        let writer = TimingsWriter { loader: file_stem(object.name()).to_owned(), ..TimingsWriter::default() };
        *self = Self { path: Arc::clone(&object.path), columns: declared_columns(object), writer, ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        if self.reader.is_none() {
            self.start_reader(true, rows)?;
        }
        while self.advance(rows)? {}
        let malformed = |why: &str| DESCRIPTOR.malformed(&self.path, why);
        let (writer, columns) = (&mut self.writer, &self.columns);
        match self.reader.take() {
            Some(TimingsReader::Csv(mut csv)) => csv.end(columns, writer, rows),
            Some(TimingsReader::JsonList(list)) => json::end_list(&list, writer, rows),
            Some(TimingsReader::JsonLines(mut lines)) => {
                lines.end(|line, position| json::read_line(line, columns, position, writer, rows));
            }
            Some(TimingsReader::Parquet(_) | TimingsReader::ParquetRows(_)) | None => {}
        }
        writer.flush(rows);
        if writer.rows_written == 0 && writer.rows_skipped > 0 {
            return Err(malformed(&format!("none of its {} rows has a valid load_s", writer.rows_skipped)));
        }
        if writer.rows_written == 0 {
            rows.problem(Severity::Notice, "empty_file", None, || "the table has no rows".to_owned());
        }
        Ok(())
    }
}

impl Stream for TimingsDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        if self.reader.is_some() {
            return self.read_chunk(chunk, rows);
        }
        self.head.extend_from_slice(chunk);
        self.start_reader(false, rows)
    }

    fn advance(&mut self, rows: &mut Rows) -> Result<bool> {
        let malformed = |why: String| DESCRIPTOR.malformed(&self.path, &why);
        if let Some(TimingsReader::Parquet(file)) = &mut self.reader {
            let opened = parquet_file::ParquetTimings::open(std::mem::take(file), &self.columns).map_err(malformed)?;
            self.reader = Some(TimingsReader::ParquetRows(Box::new(opened)));
        }
        match &mut self.reader {
            Some(TimingsReader::ParquetRows(file)) => file.advance(&mut self.writer, rows).map_err(malformed),
            _ => Ok(false),
        }
    }
}

impl TimingsDecoder {
    /// Starts the reader and gives it the first bytes, if they show the encoding.
    fn start_reader(&mut self, is_all: bool, rows: &mut Rows) -> Result<()> {
        self.reader = TimingsReader::detect(&self.head, is_all);
        if self.reader.is_none() {
            return Ok(());
        }
        let head = std::mem::take(&mut self.head);
        self.read_chunk(&head, rows)
    }

    fn read_chunk(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let (writer, columns) = (&mut self.writer, &self.columns);
        match &mut self.reader {
            Some(TimingsReader::Csv(csv)) => csv.push(chunk, columns, writer, rows),
            Some(TimingsReader::JsonList(list)) => json::push_list(list, chunk, columns, writer, rows),
            Some(TimingsReader::JsonLines(lines)) => {
                lines.push(chunk, |line, position| json::read_line(line, columns, position, writer, rows));
            }
            Some(TimingsReader::Parquet(file)) if file.len() + chunk.len() > parquet_file::MAX_FILE => {
                let max = parquet_file::MAX_FILE >> 20;
                let why = format!("a Parquet file of more than {max} MiB is not read: split it into several files");
                return Err(DESCRIPTOR.malformed(&self.path, &why));
            }
            Some(TimingsReader::Parquet(file)) => file.extend_from_slice(chunk),
            Some(TimingsReader::ParquetRows(_)) | None => {}
        }
        Ok(())
    }
}
