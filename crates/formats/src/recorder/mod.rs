//! What `tracelake.record` writes: JSON lines of the loaders, steps, measurements and incidents of one process.
//!
//! One file per process, `<name>-<rank>-<pid>.jsonl`. Its first line says who records; every other line is one row and
//! has its `kind`. Lines are appended in blocks, so that a process that is killed loses the last second and leaves a line
//! that is cut: that is no damage worth a warning of its own kind, and rows before it are read. On an object store each
//! block is an object of its own, with the first line repeated. docs/recorder.md has all members.
//!
//! # Units
//! `ts` is ns since the Unix epoch, `dur` ns: clock and monotonic clock are read once when the recording begins, and only
//! the latter from then on, so that times do not jump.
//!
//! # Source
//! docs/recorder.md, `python/tracelake/record`.

mod fields;
mod line;

use std::sync::Arc;

use self::line::Recording;
use super::lines::Lines;
use super::{Decoder, Decoding, Descriptor, Format, ObjectInfo, Probe, Stream, json};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Rows, Severity};

/// Recordings of `tracelake.record`.
#[derive(Debug)]
pub struct Recorder;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "recorder",
    doc: "recordings of tracelake.record: data loaders and their workers, steps, phases, measurements, incidents",
    files: "<name>-<rank>-<pid>.jsonl",
    tables: &["loader", "step", "event", "sample", "incident", "run_attribute", "device"],
    fields: &[
        ("first line: host, rank, pid", "node, rank, pid of all rows"),
        ("first line: name, world_size, versions, attributes", "run_attribute"),
        ("kind loader: num_workers, prefetch_factor, ...", "these columns of the loader rows that follow"),
        ("kind init, next, item, collate, worker, pass, trial", "loader, members named like its columns"),
        ("kind step", "step"),
        ("kind phase, annotation", "event of that category"),
        ("kind sample", "sample"),
        ("kind incident: what", "incident.kind"),
        ("kind attribute", "run_attribute"),
        ("kind device: type", "device.kind"),
    ],
    not_read: &[
        "first line: time_ns, monotonic_ns: the times of rows are already Unix time",
        "first line: run: the name of a run is chosen when a profile is read",
    ],
    source: "docs/recorder.md",
    version: 1,
};

impl Format for Recorder {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let head = String::from_utf8_lossy(probe.head);
        head.lines().find(|line| !line.trim().is_empty()).is_some_and(is_header)
    }

    fn decoder(&self) -> Decoding {
        Decoding::Stream(Box::new(RecorderDecoder::default()))
    }
}

/// Whether a line, which may be cut, begins a recording.
fn is_header(line: &str) -> bool {
    let mut found = false;
    // a cut line is an error behind the members that it has
    let _ = json::members(line, |key, raw| found |= key == "recorder" && raw == "\"tracelake\"");
    found
}

/// Decodes one file after the other.
#[derive(Debug, Default)]
struct RecorderDecoder {
    path: Arc<str>,
    lines: Lines,
    recording: Recording,
}

impl Decoder for RecorderDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        *self = Self { path: Arc::clone(&object.path), ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let recording = &mut self.recording;
        self.lines.end(|line, place| recording.line(line, place, rows));
        if !recording.begun {
            let text = format!("cannot read {}: the first line of a recording is missing", self.path);
            return Err(Error::new(ErrorKind::Malformed, text).with_context("format", DESCRIPTOR.name));
        }
        if !recording.ended {
            rows.problem(Severity::Notice, "no_end", None, || {
                "the recording has no end: it is still running, or its process was killed".to_owned()
            });
        }
        Ok(())
    }
}

impl Stream for RecorderDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let recording = &mut self.recording;
        self.lines.push(chunk, |line, place| recording.line(line, place, rows));
        Ok(())
    }
}
