//! Event files of TensorBoard, into `sample`: one row for each scalar, with the time at which it was logged.
//!
//! A file is a sequence of records (`record.rs`). Each has one event (`event.rs`): time, step and any number of tagged values.
//! Scalars are read in their old form, a number, and in their new form, a tensor of one element. Images, histograms, texts and
//! other values are counted as notices. The only information about the writer is the name of its machine in the file name.
//!
//! # Units
//! Times are s as doubles with a resolution of about 200 ns, and are converted to ns. Numbers have single precision unless a
//! tensor has another type.
//!
//! # Source
//! `tensorflow/tensorflow` 2.x, `tensorflow/core/lib/io/record_writer.cc`, `core/util/event.proto`,
//! `core/framework/{summary,tensor,tensor_shape,types}.proto`; `tensorflow/tensorboard`,
//! `tensorboard/summary/writer/event_file_writer.py` for names of files.

mod event;
mod record;
mod wire;

use std::borrow::Cow;
use std::sync::Arc;

use self::event::{TagValue, TensorboardEvent, parse_event};
use self::record::{RecordContent, RecordReader, UnreadEnd};
use super::number::is_digits;
use super::scalar::scalar;
use super::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream, secret};
use crate::error::Result;
use crate::table::{Rows, Sample, Severity};

/// Scalars in event files of TensorBoard.
#[derive(Debug)]
pub struct TensorboardEvents;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "tensorboard_events",
    doc: "event files of TensorBoard: scalars of the training with the time at which they were logged",
    files: "events.out.tfevents.<seconds>.<machine>.<pid>.<n>",
    tables: &["sample"],
    fields: &[
        ("Event.wall_time", "sample.ts"),
        ("Event.step", "sample.step"),
        ("number of the record", "sample.entry"),
        ("Summary.Value.tag", "sample.raw_name, sample.metric, sample.hook, sample.unit, as of lightning_metrics"),
        ("Summary.Value.simple_value", "sample.value"),
        ("Summary.Value.tensor of one element", "sample.value"),
        ("machine in the file's name", "node"),
    ],
    not_read: &[
        "images, audio, histograms, texts, tensors of several elements, hyperparameters: they are counted",
        "graphs and metadata of runs: they are counted",
        "seconds, process id and number in the file's name",
    ],
    source: "tensorflow/tensorflow 2.x, tensorflow/core/util/event.proto and core/lib/io/record_writer.cc",
    version: 2,
};

impl Format for TensorboardEvents {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        record::first_payload(probe.head).is_some_and(|payload| payload.windows(12).any(|text| text == b"brain.Event:"))
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        let name = object.name();
        (name.contains(".tfevents.") || name.ends_with(".tfevents")).then(|| Arc::clone(&object.path))
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(EventsDecoder::default()))
    }
}

/// The machine in a name such as `events.out.tfevents.1795225713.vm.30940.0`. Process and number of the writer are optional.
fn parse_machine(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once(".tfevents.")?;
    let (_, rest) = rest.split_once('.').filter(|(seconds, _)| is_digits(seconds))?;
    let rest = rest.strip_suffix(".v2").unwrap_or(rest);
    let host = strip_last_number(rest).and_then(strip_last_number);
    // the last parts of an IP address are numbers too
    let host = host.filter(|host| host.split('.').count() == 4 || !host.split('.').all(is_digits));
    Some(host.unwrap_or(rest)).filter(|host| !host.is_empty())
}

/// The name without its last part; none if that part is not a number.
fn strip_last_number(name: &str) -> Option<&str> {
    name.rsplit_once('.').filter(|(_, last)| is_digits(last)).map(|(rest, _)| rest)
}

/// Decodes one file.
#[derive(Debug, Default)]
struct EventsDecoder {
    path: Arc<str>,
    node: Option<String>,
    records: RecordReader,
    /// Number of complete records.
    complete_records: i64,
    has_bad_record: bool,
    row: i64,
}

impl Decoder for EventsDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        let node = parse_machine(object.name()).map(|node| secret::mask(node).into_owned());
        *self = Self { path: Arc::clone(&object.path), node, ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        match self.records.unread_end() {
            Some((UnreadEnd::Truncated, offset)) => {
                rows.skip("truncated", Some(offset), || format!("byte {offset}: the file ends inside this record"));
            }
            Some((UnreadEnd::Lost(bytes), offset)) => {
                rows.problem(Severity::Warning, "lost", Some(offset), || {
                    format!("byte {offset}: {bytes} bytes from here on are not read: no record can be found in them")
                });
            }
            None => {}
        }
        if self.complete_records == 0 && self.has_bad_record {
            return Err(DESCRIPTOR.malformed(&self.path, "no record is complete"));
        }
        if self.row == 0 && rows.has_no_problems() {
            rows.problem(Severity::Notice, "empty_file", None, || "the file holds no scalar".to_owned());
        }
        Ok(())
    }
}

impl Stream for EventsDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let mut records = std::mem::take(&mut self.records);
        records.push(chunk, |content, entry, offset| self.read_record(&content, entry, offset, rows));
        self.records = records;
        Ok(())
    }
}

impl EventsDecoder {
    fn read_record(&mut self, content: &RecordContent<'_>, entry: i64, offset: i64, rows: &mut Rows) {
        let (kind, why) = match content {
            RecordContent::Payload(payload) => match parse_event(payload) {
                Some(event) => {
                    self.complete_records += 1;
                    return self.read_event(&event, entry, offset, rows);
                }
                None => ("bad_record", "the record is not an event".to_owned()),
            },
            RecordContent::BadChecksum => ("bad_checksum", "the record does not match its checksum".to_owned()),
            RecordContent::BadLength => {
                ("bad_length", "the length of the record does not match its checksum".to_owned())
            }
            RecordContent::TooLong(bytes) => {
                ("too_long", format!("the record has {bytes} bytes, at most 16 MiB are read"))
            }
        };
        if matches!(content, RecordContent::TooLong(_)) {
            self.complete_records += 1;
        } else {
            self.has_bad_record = true;
        }
        rows.skip(kind, Some(offset), || format!("byte {offset}: {why}"));
    }

    fn read_event(&mut self, event: &TensorboardEvent<'_>, entry: i64, offset: i64, rows: &mut Rows) {
        let ts = event.wall_time.and_then(seconds_to_ns);
        if ts.is_none() && !event.values.is_empty() {
            rows.repair("bad_time", Some(offset), || {
                format!("byte {offset}: the time is {:?}, expected seconds", event.wall_time)
            });
        }
        if let Some(kind) = event.other {
            report_not_scalar(kind, offset, rows);
        }
        for (tag, value) in &event.values {
            match value {
                TagValue::Number(value) => {
                    let row = Sample { ts, step: Some(event.step), entry: Some(entry), ..Sample::default() };
                    self.write_scalar(tag, *value, &row, offset, rows);
                }
                TagValue::Other(kind) => report_not_scalar(kind, offset, rows),
            }
        }
    }

    /// Writes one scalar. `row` has the columns that all scalars of an event share.
    fn write_scalar(&mut self, tag: &str, value: f64, row: &Sample<'_>, offset: i64, rows: &mut Rows) {
        let raw_name = secret::mask(tag);
        if matches!(raw_name, Cow::Owned(_)) {
            rows.problem(Severity::Notice, "masked", Some(offset), || {
                format!("byte {offset}: text that looks like a credential was masked")
            });
        }
        let scalar = scalar(&raw_name);
        rows.sample(&Sample {
            node: self.node.as_deref(),
            resource: scalar.resource,
            metric: Some(scalar.metric),
            // one NaN for all its bit patterns, which differ between machines
            value: Some(if value.is_nan() { f64::NAN } else { value }),
            unit: scalar.unit,
            hook: scalar.hook,
            raw_name: Some(&raw_name),
            row: self.row,
            ..*row
        });
        self.row += 1;
    }
}

/// Counts a value that is not a scalar.
fn report_not_scalar(kind: &'static str, offset: i64, rows: &mut Rows) {
    rows.problem(Severity::Notice, &format!("not_read:{kind}"), Some(offset), || {
        format!("byte {offset}: this is not a scalar and is not read")
    });
}

/// Converts seconds to ns, rounded to the nearest integer.
fn seconds_to_ns(seconds: f64) -> Option<i64> {
    // Whole seconds and the fraction are converted separately: the product of all and 1e9 has more digits than a double.
    let whole = seconds.floor();
    let fits = whole.abs() < 9.2e9;
    #[expect(clippy::cast_possible_truncation, reason = "both fit")]
    fits.then(|| whole as i64 * 1_000_000_000 + ((seconds - whole) * 1e9).round() as i64)
}

#[cfg(test)]
mod tests;
