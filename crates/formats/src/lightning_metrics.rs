//! `metrics.csv` of Lightning's CSVLogger, into `sample`: one row for each cell that has a number.
//!
//! The file is wide and sparse. It has a column for each name that was ever logged and a line for each call of the logger;
//! most cells are empty. It has no times: the order of lines is the only clock, and column `entry` records it.
//!
//! `step` is the number of training batches so far, also for values of validation and test. Only the throughput of these
//! stages counts the batches of their own loop. `epoch` is null for values that a callback logged directly.
//!
//! NaN and infinite values become rows, because a loss that is not a number is worth finding. Two kinds of lines are skipped:
//! - a last line without a line feed: its last number may be truncated
//! - a line with more or fewer cells than the header: the columns of its numbers are unknown
//!
//! # Source
//! `Lightning-AI/pytorch-lightning` 2.6, `src/lightning/fabric/loggers/csv_logs.py` and
//! `src/lightning/pytorch/loggers/csv_logs.py`; for names see `scalar.rs`.

use std::borrow::Cow;
use std::sync::Arc;

use super::cells::{CsvCells, CsvItem, first_record_end, names};
use super::line_ends::{LineEnds, convert_head};
use super::loader_timings::may_be_timings;
use super::position::Position;
use super::scalar::{self, scalar};
use super::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream, secret};
use crate::error::{Error, Result};
use crate::table::{Rows, Sample, Severity};

/// Scalars that Lightning's CSVLogger wrote.
#[derive(Debug)]
pub struct LightningMetrics;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "lightning_metrics",
    doc: "metrics.csv of Lightning's CSVLogger: scalars of the training and what callbacks measured",
    files: "metrics.csv",
    tables: &["sample"],
    fields: scalar::FIELDS,
    not_read: &[
        "cells that are not numbers: they are counted",
        "lines with more or fewer cells than the header above them, and a last line without its end: they are counted",
    ],
    source: "Lightning-AI/pytorch-lightning 2.6, src/lightning/fabric/loggers/csv_logs.py",
    version: 2,
};

/// Maximum size of the header in bytes. One with 100,000 names has about 10 MB.
const MAX_HEADER: usize = 64 << 20;

impl Format for LightningMetrics {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        // a JSON list of names looks like a header
        if probe.head.trim_ascii_start().starts_with(b"{") || probe.head.trim_ascii_start().starts_with(b"[") {
            return false;
        }
        let head = convert_head(probe.head);
        let end = first_record_end(&head, &mut false);
        let is_complete = end.is_some() || head.len() < 64 << 10;
        let Some(header) = MetricsHeader::parse(&head[..end.unwrap_or(head.len())]) else {
            // in a header of thousands of names, `step` may come after the first 64 KiB
            return !is_complete
                && probe.info.name() == "metrics.csv"
                && probe.head.starts_with(b"DeviceStatsMonitor.");
        };
        let has = |matches: &dyn Fn(&str) -> bool| header.columns.iter().any(|name| matches(name));
        if has(&|name| name == "load_s") {
            return false;
        }
        // tables that users write may have an epoch too; format `loader_timings` reads them by their declared columns
        let is_of_training =
            || has(&|name| name == "epoch" || name.ends_with("-epoch")) && !may_be_timings(&header.columns);
        probe.info.name() == "metrics.csv" || has(&scalar::is_callback_metric) || is_of_training()
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(MetricsDecoder::default()))
    }
}

/// The columns of a file, from its first line.
#[derive(Debug)]
struct MetricsHeader {
    delimiter: u8,
    columns: Vec<String>,
    /// Index of the column `step`.
    step: usize,
    /// Index of the column `epoch`.
    epoch: Option<usize>,
}

impl MetricsHeader {
    /// Parses the header; none if no delimiter gives a column `step`.
    fn parse(record: &[u8]) -> Option<Self> {
        let record = record.strip_prefix(b"\xef\xbb\xbf").unwrap_or(record).trim_ascii_end();
        let parse = |delimiter: u8| {
            let names = names(record, delimiter);
            let columns = names.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
            Self::new(delimiter, columns)
        };
        [b',', b';', b'\t'].into_iter().find_map(parse)
    }

    /// None without a column `step`.
    fn new(delimiter: u8, columns: Vec<String>) -> Option<Self> {
        let step = columns.iter().position(|name| name == "step")?;
        let epoch = columns.iter().position(|name| name == "epoch").or_else(|| find_prefixed_epoch(&columns));
        Some(Self { delimiter, columns, step, epoch })
    }

    /// Masks credentials in names, and reports names that are not unique.
    fn check(&mut self, position: Position, rows: &mut Rows) {
        for name in &mut self.columns {
            if let Cow::Owned(clean) = secret::mask_and_report(name, position, rows) {
                *name = clean;
            }
        }
        let mut sorted: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        for pair in sorted.windows(2).filter(|pair| pair[0] == pair[1]) {
            rows.problem(Severity::Warning, "duplicate_column", position.byte(), || {
                format!("{position}: more than one column is called {}", secret::quote_masked(pair[0]))
            });
        }
    }
}

/// Index of the epoch column if the logger put a prefix before all names except `step`.
fn find_prefixed_epoch(columns: &[String]) -> Option<usize> {
    let index = columns.iter().position(|name| name.ends_with("-epoch"))?;
    let prefix = columns[index].strip_suffix("epoch")?;
    columns.iter().all(|name| name == "step" || name.starts_with(prefix)).then_some(index)
}

/// Decodes one file.
#[derive(Debug, Default)]
struct MetricsDecoder {
    path: Arc<str>,
    ends: LineEnds,
    /// The bytes of the header so far, until it has ended.
    header_bytes: Vec<u8>,
    /// A quote in the header is open.
    in_quotes: bool,
    table: Option<(MetricsHeader, CsvCells)>,
    record: MetricsRecord,
    /// Records so far, without blank lines.
    entry: i64,
    row: i64,
}

/// The values of the current line.
#[derive(Debug, Default)]
struct MetricsRecord {
    step: Option<i64>,
    epoch: Option<i64>,
    /// Columns and their numbers.
    values: Vec<(usize, f64)>,
    /// Number of cells that are not numbers; the column and text of the first one.
    bad_values: i64,
    first_bad_value: Option<(usize, String)>,
    /// Column and text of a step or an epoch that is not an integer.
    bad_step: Option<(usize, String)>,
    /// Number of values with a decimal comma.
    decimal_commas: usize,
    /// The texts of the cells, until one is a number.
    names: Vec<String>,
}

impl Decoder for MetricsDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        *self = Self { path: Arc::clone(&object.path), ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let rest = self.ends.end();
        self.read(&rest, rows)?;
        match &self.table {
            None if self.in_quotes => {
                return Err(DESCRIPTOR.malformed(&self.path, "a quote in the header is not closed"));
            }
            None if MetricsHeader::parse(&self.header_bytes).is_none() => return Err(self.no_step_error()),
            Some((_, cells)) if cells.is_inside => {
                let position = cells.place;
                position.skip(rows, "truncated", || "the file ends inside this line");
                self.entry += 1;
            }
            _ => {}
        }
        if self.entry == 0 {
            rows.problem(Severity::Notice, "empty_file", None, || "the file has no line below its header".to_owned());
        }
        Ok(())
    }
}

impl Stream for MetricsDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let chunk = self.ends.convert(chunk);
        self.read(&chunk, rows)
    }
}

impl MetricsDecoder {
    fn read(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        if self.table.is_some() {
            self.read_records(chunk, rows);
            return Ok(());
        }
        let Some(end) = first_record_end(chunk, &mut self.in_quotes) else {
            self.header_bytes.extend_from_slice(chunk);
            if self.header_bytes.len() > MAX_HEADER {
                return Err(DESCRIPTOR.malformed(&self.path, "the header does not end within 64 MiB"));
            }
            return Ok(());
        };
        self.header_bytes.extend_from_slice(&chunk[..end]);
        self.finish_header(rows)?;
        self.read_records(&chunk[end..], rows);
        Ok(())
    }

    fn no_step_error(&self) -> Error {
        DESCRIPTOR.malformed(&self.path, "no column is called step")
    }

    /// Parses the complete header and begins the table.
    fn finish_header(&mut self, rows: &mut Rows) -> Result<()> {
        let bytes = std::mem::take(&mut self.header_bytes);
        let mut header = MetricsHeader::parse(&bytes).ok_or_else(|| self.no_step_error())?;
        header.check(Position::START, rows);
        let cells = CsvCells::new(header.delimiter, Position::START.after(&bytes));
        self.table = Some((header, cells));
        Ok(())
    }

    fn read_records(&mut self, chunk: &[u8], rows: &mut Rows) {
        let Some((mut header, mut cells)) = self.table.take() else { return };
        cells.push(chunk, |piece, position| match piece {
            CsvItem::Cell(column, text) => self.record.read_cell(&header, column, text),
            CsvItem::End { cells: 1, open: false } if header.columns.len() > 1 && self.record.is_blank() => {}
            // A training that was resumed may log further metrics: then its lines come below another header.
            CsvItem::End { cells, open: false } if self.record.is_header(cells) => {
                let names = std::mem::take(&mut self.record.names);
                if let Some(mut next) = MetricsHeader::new(header.delimiter, names) {
                    next.check(position, rows);
                    header = next;
                }
                self.record.clear();
            }
            CsvItem::End { cells, open } if open || cells != header.columns.len() => {
                let expected = header.columns.len();
                position.skip(rows, "bad_line", || {
                    if open {
                        "a quote is not closed".to_owned()
                    } else {
                        format!("{cells} cells, expected {expected}")
                    }
                });
                self.record.clear();
                self.entry += 1;
            }
            CsvItem::End { .. } => self.write_record(&header, position, rows),
        });
        self.table = Some((header, cells));
    }

    /// Writes a row for each number of the line.
    fn write_record(&mut self, header: &MetricsHeader, position: Position, rows: &mut Rows) {
        let record = &mut self.record;
        let name = |column: usize| header.columns.get(column).map_or("", String::as_str);
        if let Some((column, text)) = &record.bad_step {
            position.repair(rows, "bad_step", || format!("{} is {text}, expected a whole number", name(*column)));
        } else if record.step.is_none() {
            position.repair(rows, "bad_step", || "no step");
        }
        rows.skip_many(record.bad_values, "bad_value", position.byte(), || {
            let (column, text) = record.first_bad_value.clone().unwrap_or_default();
            format!("{position}: {} is {text}, expected a number", secret::quote_masked(name(column)))
        });
        for _ in 0..record.decimal_commas {
            position.repair(rows, "decimal_comma", || "a comma was read as a decimal point");
        }
        for (column, value) in &record.values {
            let raw_name = name(*column);
            let scalar = scalar(raw_name);
            rows.sample(&Sample {
                step: record.step,
                epoch: record.epoch,
                resource: scalar.resource,
                metric: Some(scalar.metric),
                // drop the sign of NaN
                value: Some(if value.is_nan() { f64::NAN } else { *value }),
                unit: scalar.unit,
                hook: scalar.hook,
                raw_name: Some(raw_name),
                entry: Some(self.entry),
                row: self.row,
                ..Sample::default()
            });
            self.row += 1;
        }
        record.clear();
        self.entry += 1;
    }
}

impl MetricsRecord {
    fn is_blank(&self) -> bool {
        self.values.is_empty() && self.bad_values == 0 && self.step.is_none() && self.bad_step.is_none()
    }

    /// Whether the line, which has some number of cells, is a header.
    fn is_header(&self, cells: usize) -> bool {
        (1..=cells).contains(&self.names.len()) && self.names.iter().any(|name| name == "step")
    }

    /// Clears the record and keeps the memory of its values.
    fn clear(&mut self) {
        self.values.clear();
        *self = Self { values: std::mem::take(&mut self.values), ..Self::default() };
    }

    fn read_cell(&mut self, header: &MetricsHeader, column: usize, text: &[u8]) {
        let number = parse_number(text);
        let has_number = self.step.is_some() || self.epoch.is_some() || !self.values.is_empty();
        if number.is_none() && !has_number {
            // Cells without a text have no name.
            self.names.resize(column, String::new());
            self.names.push(String::from_utf8_lossy(text).trim().to_owned());
        }
        let quote = || (column, secret::quote_masked(&String::from_utf8_lossy(text)));
        if column == header.step || Some(column) == header.epoch {
            let integer = number.and_then(|(number, _)| to_integer(number));
            *(if column == header.step { &mut self.step } else { &mut self.epoch }) = integer;
            if integer.is_none() {
                self.bad_step.get_or_insert_with(quote);
            }
        } else if let Some((value, has_comma)) = number {
            self.values.push((column, value));
            self.decimal_commas += usize::from(has_comma);
        } else {
            self.bad_values += 1;
            self.first_bad_value.get_or_insert_with(quote);
        }
    }
}

/// Parses a number, NaN and infinity included. The flag is true if it has a decimal comma.
fn parse_number(text: &[u8]) -> Option<(f64, bool)> {
    let text = str::from_utf8(text).ok()?;
    if let Ok(value) = text.parse() {
        return Some((value, false));
    }
    let has_comma = text.matches(',').count() == 1 && !text.contains('.');
    let value = text.replace(',', ".").parse().ok()?;
    has_comma.then_some((value, true))
}

/// Converts a number without a fraction to an integer.
fn to_integer(number: f64) -> Option<i64> {
    // above 2^53, doubles are not exact
    let fits = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is a whole number that fits")]
    fits.then_some(number as i64)
}
