//! Event files of TensorBoard, into `sample`: one row for each scalar, with the time at which it was logged.
//!
//! A file is a sequence of records (`record.rs`), each with one event (`event.rs`): time, step and any number of tagged values.
//! Scalars are read in their old form, a number, and in their new one, a tensor of one element. Images, histograms, texts and
//! other values are counted as notices.
//!
//! The writer puts the name of its machine into the file's name; that is all that is known of it.
//!
//! # Units
//! Times are s as doubles, which are exact to about 200 ns, and become ns. Numbers are of single precision unless a tensor
//! holds others.
//!
//! # Source
//! `tensorflow/tensorflow` 2.x, `tensorflow/core/lib/io/record_writer.cc`, `core/util/event.proto`,
//! `core/framework/{summary,tensor,tensor_shape,types}.proto`; `tensorflow/tensorboard`,
//! `tensorboard/summary/writer/event_file_writer.py` for names of files.

mod crc32c;
mod event;
mod record;
mod wire;

use std::collections::HashMap;
use std::sync::Arc;

use self::event::{Event, Value, event};
use self::record::{Read, Records};
use super::scalar::scalar;
use super::{Decoder, Decoding, Descriptor, Format, ObjectInfo, Probe, Stream, secret};
use crate::error::{Error, ErrorKind, Result};
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
    version: 1,
};

impl Format for TensorboardEvents {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        record::first(probe.head).is_some_and(|payload| payload.windows(12).any(|text| text == b"brain.Event:"))
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        let name = object.name();
        (name.contains(".tfevents.") || name.ends_with(".tfevents")).then(|| Arc::clone(&object.path))
    }

    fn decoder(&self) -> Decoding {
        Decoding::Stream(Box::new(EventsDecoder::default()))
    }
}

/// The machine in a name such as `events.out.tfevents.1795225713.vm.30940.0`. Process and number of the writer may be missing.
fn machine(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once(".tfevents.")?;
    let (_, rest) = rest.split_once('.').filter(|(seconds, _)| is_number(seconds))?;
    let rest = rest.strip_suffix(".v2").unwrap_or(rest);
    let host = last_number_off(rest).and_then(last_number_off);
    // the last parts of an address are numbers, too
    let host = host.filter(|host| host.split('.').count() == 4 || !host.split('.').all(is_number));
    Some(host.unwrap_or(rest)).filter(|host| !host.is_empty())
}

/// The name without its last part, if that is a number.
fn last_number_off(name: &str) -> Option<&str> {
    name.rsplit_once('.').filter(|(_, last)| is_number(last)).map(|(rest, _)| rest)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// More names than any run has; beyond that the memory of them starts anew.
const MAX_NAMES: usize = 1 << 14;

/// Decodes one file.
#[derive(Debug, Default)]
struct EventsDecoder {
    path: Arc<str>,
    node: Option<String>,
    records: Records,
    /// Tags that hold a credential, masked; and those that hold none.
    names: HashMap<String, Option<String>>,
    /// Records that were whole.
    good: i64,
    row: i64,
    bad: bool,
}

impl Decoder for EventsDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        let node = machine(object.name()).map(|node| secret::mask(node).into_owned());
        *self = Self { path: Arc::clone(&object.path), node, ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        match self.records.rest() {
            Some((record::Rest::Cut, offset)) => {
                rows.skip("truncated", Some(offset), || format!("byte {offset}: the file ends inside this record"));
            }
            Some((record::Rest::Lost(bytes), offset)) => {
                rows.problem(Severity::Warning, "lost", Some(offset), || {
                    format!("byte {offset}: {bytes} bytes from here on are not read: no record can be found in them")
                });
            }
            None => {}
        }
        if self.good == 0 && self.bad {
            let text = format!("cannot read {}: no record is complete", self.path);
            return Err(Error::new(ErrorKind::Malformed, text).with_context("format", DESCRIPTOR.name));
        }
        if self.row == 0 && rows.is_undamaged() {
            rows.problem(Severity::Notice, "empty_file", None, || "the file holds no scalar".to_owned());
        }
        Ok(())
    }
}

impl Stream for EventsDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let mut records = std::mem::take(&mut self.records);
        records.push(chunk, |read, entry, offset| self.record(read, entry, offset, rows));
        self.records = records;
        Ok(())
    }
}

impl EventsDecoder {
    fn record(&mut self, read: Read<'_>, entry: i64, offset: i64, rows: &mut Rows) {
        let skip = |rows: &mut Rows, kind, why: &str| rows.skip(kind, Some(offset), || format!("byte {offset}: {why}"));
        match read {
            Read::Payload(payload) => match event(payload) {
                Some(event) => {
                    self.good += 1;
                    self.event(&event, entry, offset, rows);
                }
                None => {
                    self.bad = true;
                    skip(rows, "bad_record", "the record is not an event");
                }
            },
            Read::BadChecksum => {
                self.bad = true;
                skip(rows, "bad_checksum", "the record does not match its checksum");
            }
            Read::BadLength => {
                self.bad = true;
                skip(rows, "bad_length", "the length of the record does not match its checksum");
            }
            Read::TooLong(bytes) => {
                self.good += 1;
                skip(rows, "too_long", &format!("the record has {bytes} bytes, at most 16 MiB are read"));
            }
        }
    }

    fn event(&mut self, event: &Event<'_>, entry: i64, offset: i64, rows: &mut Rows) {
        let ts = event.wall_time.and_then(nanoseconds);
        if ts.is_none() && !event.values.is_empty() {
            rows.repair("bad_time", Some(offset), || {
                format!("byte {offset}: the time is {:?}, expected seconds", event.wall_time)
            });
        }
        if let Some(kind) = event.other {
            notice(kind, offset, rows);
        }
        for (tag, value) in &event.values {
            match value {
                Value::Number(value) => self.scalar(tag, *value, (event.step, ts), (entry, offset), rows),
                Value::Other(kind) => notice(kind, offset, rows),
            }
        }
    }

    fn scalar(
        &mut self,
        tag: &str,
        value: f64,
        (step, ts): (i64, Option<i64>),
        (entry, offset): (i64, i64),
        rows: &mut Rows,
    ) {
        if !self.names.contains_key(tag) {
            if self.names.len() >= MAX_NAMES {
                self.names.clear();
            }
            let masked = match secret::mask(tag) {
                std::borrow::Cow::Owned(masked) => Some(masked),
                std::borrow::Cow::Borrowed(_) => None,
            };
            self.names.insert(tag.to_owned(), masked);
        }
        let masked = self.names.get(tag).and_then(Option::as_deref);
        if masked.is_some() {
            rows.problem(Severity::Notice, "masked", Some(offset), || {
                format!("byte {offset}: text that looks like a credential was masked")
            });
        }
        let raw_name = masked.unwrap_or(tag);
        let scalar = scalar(raw_name);
        rows.sample(&Sample {
            node: self.node.as_deref(),
            ts,
            step: Some(step),
            resource: scalar.resource,
            metric: Some(scalar.metric),
            // one NaN, whatever its bits: machines write different ones
            value: Some(if value.is_nan() { f64::NAN } else { value }),
            unit: scalar.unit,
            hook: scalar.hook,
            raw_name: Some(raw_name),
            entry: Some(entry),
            row: self.row,
            ..Sample::default()
        });
        self.row += 1;
    }
}

/// Counts a value that is no scalar.
fn notice(kind: &'static str, offset: i64, rows: &mut Rows) {
    rows.problem(Severity::Notice, kind, Some(offset), || {
        format!("byte {offset}: this is not a scalar and is not read")
    });
}

/// Seconds in ns, to the nearest.
fn nanoseconds(seconds: f64) -> Option<i64> {
    // whole seconds and the rest apart: their product with 1e9 has more digits than a double
    let whole = seconds.floor();
    let fits = whole.abs() < 9.2e9;
    #[expect(clippy::cast_possible_truncation, reason = "both fit")]
    fits.then(|| whole as i64 * 1_000_000_000 + ((seconds - whole) * 1e9).round() as i64)
}

#[cfg(test)]
mod tests;
