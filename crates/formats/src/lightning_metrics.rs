//! `metrics.csv` of Lightning's CSVLogger, into `sample`: one row for each cell that has a number.
//!
//! The file is wide and sparse: a column for each name that was ever logged, a line for each call of the logger, most cells
//! empty. It has no times: the order of lines is the only clock, and `entry` keeps it. `step` is the number of training batches
//! so far, also of what was logged during validation and test; only the throughput of these counts batches of their own loop.
//! `epoch` is null where a callback logged directly.
//!
//! NaN and infinite values are kept: that a loss is no longer a number is what is looked for. A last line without its end is
//! left out, as its last number may be cut, and so is a line whose number of cells is not that of the header: nobody knows
//! which column its numbers belong to.
//!
//! # Source
//! `Lightning-AI/pytorch-lightning` 2.6, `src/lightning/fabric/loggers/csv_logs.py` and
//! `src/lightning/pytorch/loggers/csv_logs.py`; for names see `scalar.rs`.

use std::sync::Arc;

use super::cells::{Cells, Piece, first_record, names};
use super::loader_timings::may_be_timings;
use super::place::Place;
use super::scalar::{self, scalar};
use super::{Decoder, Decoding, Descriptor, Format, ObjectInfo, Probe, Stream, secret};
use crate::error::{Error, ErrorKind, Result};
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
        "lines with more or fewer cells than the header, and a last line without its end: they are counted",
    ],
    source: "Lightning-AI/pytorch-lightning 2.6, src/lightning/fabric/loggers/csv_logs.py",
    version: 1,
};

/// A header of a hundred thousand names has about 10 MB.
const MAX_HEADER: usize = 64 << 20;

impl Format for LightningMetrics {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        // lists of names in JSON look like a header
        if probe.head.trim_ascii_start().starts_with(b"{") || probe.head.trim_ascii_start().starts_with(b"[") {
            return false;
        }
        let mut quoted = false;
        let end = first_record(probe.head, &mut quoted);
        let whole = end.is_some() || probe.head.len() < 64 << 10;
        let Some(header) = Header::read(&probe.head[..end.unwrap_or(probe.head.len())]) else {
            // a header of thousands of names: its `step` may stand further on
            return !whole && probe.info.name() == "metrics.csv" && probe.head.starts_with(b"DeviceStatsMonitor.");
        };
        let has = |is: &dyn Fn(&str) -> bool| header.columns.iter().any(|name| is(name));
        if has(&|name| name == "load_s") {
            return false;
        }
        // people's own tables have epochs, too, and are read by the names that they declare
        let is_of_training =
            || has(&|name| name == "epoch" || name.ends_with("-epoch")) && !may_be_timings(&header.columns);
        probe.info.name() == "metrics.csv" || has(&scalar::is_of_callback) || is_of_training()
    }

    fn decoder(&self) -> Decoding {
        Decoding::Stream(Box::new(MetricsDecoder::default()))
    }
}

/// The first line: what the columns are.
#[derive(Debug)]
struct Header {
    delimiter: u8,
    columns: Vec<String>,
    step: usize,
    epoch: Option<usize>,
}

impl Header {
    /// None if no column is called `step`, whatever divides columns.
    fn read(record: &[u8]) -> Option<Self> {
        let record = record.strip_prefix(b"\xef\xbb\xbf").unwrap_or(record).trim_ascii_end();
        let read = |delimiter: u8| {
            let names = names(record, delimiter);
            let columns: Vec<String> =
                names.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
            let step = columns.iter().position(|name| name == "step")?;
            let epoch = columns.iter().position(|name| name == "epoch").or_else(|| prefixed_epoch(&columns));
            Some(Self { delimiter, columns, step, epoch })
        };
        [b',', b';', b'\t'].into_iter().find_map(read)
    }
}

/// The column of the epoch where the logger puts a prefix before all names but `step`.
fn prefixed_epoch(columns: &[String]) -> Option<usize> {
    let at = columns.iter().position(|name| name.ends_with("-epoch"))?;
    let prefix = columns[at].strip_suffix("epoch")?;
    columns.iter().all(|name| name == "step" || name.starts_with(prefix)).then_some(at)
}

/// Decodes one file.
#[derive(Debug, Default)]
struct MetricsDecoder {
    path: Arc<str>,
    /// The header as far as it was pushed, until it ended.
    head: Vec<u8>,
    quoted: bool,
    table: Option<(Header, Cells)>,
    record: Record,
    /// Records so far, without blank lines.
    entry: i64,
    row: i64,
}

/// What the current line holds.
#[derive(Debug, Default)]
struct Record {
    step: Option<i64>,
    epoch: Option<i64>,
    /// Columns and their numbers.
    values: Vec<(usize, f64)>,
    /// Cells that are no number, and the first of them.
    odd: usize,
    first_odd: Option<(usize, String)>,
    /// The cells of step and epoch that could not be read.
    unread: Option<(usize, String)>,
    /// Numbers with a comma for a point.
    commas: usize,
}

impl Decoder for MetricsDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        *self = Self { path: Arc::clone(&object.path), ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let Some((_, cells)) = &self.table else {
            if self.quoted {
                return Err(self.malformed("a quote in the header is not closed"));
            }
            if Header::read(&self.head).is_none() {
                return Err(self.malformed("no column is called step"));
            }
            rows.problem(Severity::Notice, "empty_file", None, || "the file has no line below its header".to_owned());
            return Ok(());
        };
        if cells.is_inside() {
            let place = cells.place();
            rows.skip("truncated", place.byte(), || format!("{place}: the file ends inside this line"));
            self.entry += 1;
        }
        if self.entry == 0 {
            rows.problem(Severity::Notice, "empty_file", None, || "the file has no line below its header".to_owned());
        }
        Ok(())
    }
}

impl Stream for MetricsDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        if self.table.is_some() {
            self.records(chunk, rows);
            return Ok(());
        }
        let Some(end) = first_record(chunk, &mut self.quoted) else {
            self.head.extend_from_slice(chunk);
            if self.head.len() > MAX_HEADER {
                return Err(self.malformed("the header does not end within 64 MiB"));
            }
            return Ok(());
        };
        self.head.extend_from_slice(&chunk[..end]);
        self.header_ended(rows)?;
        self.records(&chunk[end..], rows);
        Ok(())
    }
}

impl MetricsDecoder {
    fn malformed(&self, why: &str) -> Error {
        let text = format!("cannot read {}: {why}", self.path);
        Error::new(ErrorKind::Malformed, text).with_context("format", DESCRIPTOR.name)
    }

    fn header_ended(&mut self, rows: &mut Rows) -> Result<()> {
        let head = std::mem::take(&mut self.head);
        let Some(mut header) = Header::read(&head) else { return Err(self.malformed("no column is called step")) };
        for name in &mut header.columns {
            if let std::borrow::Cow::Owned(clean) = secret::clean(name, Place::START, rows) {
                *name = clean;
            }
        }
        let mut sorted: Vec<&str> = header.columns.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        for pair in sorted.windows(2).filter(|pair| pair[0] == pair[1]) {
            rows.problem(Severity::Warning, "duplicate_column", Some(0), || {
                format!("{}: more than one column is called {}", Place::START, secret::quote(pair[0]))
            });
        }
        let cells = Cells::new(header.delimiter, Place::START.behind(&head));
        self.table = Some((header, cells));
        Ok(())
    }

    fn records(&mut self, chunk: &[u8], rows: &mut Rows) {
        let Some((header, mut cells)) = self.table.take() else { return };
        cells.push(chunk, |piece, place| match piece {
            Piece::Cell(column, text) => self.record.cell(&header, column, text),
            Piece::End { cells: 1, open: false } if header.columns.len() > 1 && self.record.is_blank() => {}
            Piece::End { cells, open } => {
                let expected = header.columns.len();
                if open || cells != expected {
                    let why = if open {
                        "a quote is not closed".to_owned()
                    } else {
                        format!("{cells} cells, expected {expected}")
                    };
                    rows.skip("bad_line", place.byte(), || format!("{place}: {why}"));
                    self.record.clear();
                    self.entry += 1;
                } else {
                    self.write(&header, place, rows);
                }
            }
        });
        self.table = Some((header, cells));
    }

    /// Writes the line's numbers.
    fn write(&mut self, header: &Header, place: Place, rows: &mut Rows) {
        let record = &mut self.record;
        let name = |column: usize| header.columns.get(column).map_or("", String::as_str);
        if let Some((column, text)) = &record.unread {
            rows.repair("bad_step", place.byte(), || {
                format!("{place}: {} is {text}, expected a whole number", name(*column))
            });
        } else if record.step.is_none() {
            rows.repair("bad_step", place.byte(), || format!("{place}: no step"));
        }
        for _ in 0..record.odd {
            rows.skip("bad_value", place.byte(), || {
                let (column, text) = record.first_odd.clone().unwrap_or_default();
                format!("{place}: {} is {text}, expected a number", secret::quote(name(column)))
            });
        }
        for _ in 0..record.commas {
            rows.repair("decimal_comma", place.byte(), || format!("{place}: a comma was read as a decimal point"));
        }
        for (column, value) in &record.values {
            let raw_name = name(*column);
            let scalar = scalar(raw_name);
            rows.sample(&Sample {
                step: record.step,
                epoch: record.epoch,
                resource: scalar.resource,
                metric: Some(scalar.metric),
                // one NaN, whatever its sign
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

impl Record {
    fn is_blank(&self) -> bool {
        self.values.is_empty() && self.odd == 0 && self.step.is_none() && self.unread.is_none()
    }

    fn clear(&mut self) {
        let values = std::mem::take(&mut self.values);
        *self = Self { values, ..Self::default() };
        self.values.clear();
    }

    fn cell(&mut self, header: &Header, column: usize, text: &[u8]) {
        let number = number(text);
        if column == header.step || Some(column) == header.epoch {
            let whole = number.and_then(|(number, _)| whole(number));
            let cell = if column == header.step { &mut self.step } else { &mut self.epoch };
            *cell = whole;
            if whole.is_none() {
                self.unread.get_or_insert_with(|| (column, secret::quote(&String::from_utf8_lossy(text))));
            }
        } else if let Some((value, comma)) = number {
            self.values.push((column, value));
            self.commas += usize::from(comma);
        } else {
            self.odd += 1;
            self.first_odd.get_or_insert_with(|| (column, secret::quote(&String::from_utf8_lossy(text))));
        }
    }
}

/// A number, NaN and infinity included, and whether it has a comma for a point.
fn number(text: &[u8]) -> Option<(f64, bool)> {
    let text = str::from_utf8(text).ok()?;
    if let Ok(value) = text.parse() {
        return Some((value, false));
    }
    let comma = text.matches(',').count() == 1 && !text.contains('.');
    let value = text.replace(',', ".").parse().ok()?;
    comma.then_some((value, true))
}

/// The integer that a number is.
fn whole(number: f64) -> Option<i64> {
    // doubles are exact up to there
    let fits = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is a whole number that fits")]
    fits.then_some(number as i64)
}
