//! Recordings of `tracelake.record`: JSON lines with the loaders, steps, measurements and incidents of one process.
//!
//! There is one file per process, `<name>-<rank>-<pid>.jsonl`. Its first line describes the process. Every other line is one
//! row and has a `kind`. Lines are appended in blocks: a killed process loses the last second and leaves a truncated last
//! line. The rows before it are read, and the line is reported like any truncated line. On an object store each block is an
//! object of its own, and repeats the first line. docs/recorder.md has all members.
//!
//! # Units
//! `ts` is ns since the Unix epoch, `dur` is ns. The recorder reads the clock and the monotonic clock once when the recording
//! begins, and only the monotonic clock after that, so that times do not jump.
//!
//! # Source
//! docs/recorder.md, `python/tracelake/record`.

mod fields;
mod line;

use std::sync::Arc;

use self::line::RecordingReader;
use super::lines::LineSplitter;
use super::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream, json};
use crate::error::Result;
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
    version: 2,
};

impl Format for Recorder {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let head = String::from_utf8_lossy(probe.head);
        head.lines().find(|line| !line.trim().is_empty()).is_some_and(is_header)
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(RecorderDecoder::default()))
    }
}

/// Returns true if a line, which may be truncated, begins a recording.
fn is_header(line: &str) -> bool {
    let mut is_header = false;
    // a truncated line is an error only after its complete members
    let _ = json::visit_members(line, |key, raw| is_header |= key == "recorder" && raw == "\"tracelake\"");
    is_header
}

/// Decodes one file after the other.
#[derive(Debug, Default)]
struct RecorderDecoder {
    path: Arc<str>,
    lines: LineSplitter,
    reader: RecordingReader,
}

impl Decoder for RecorderDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        *self = Self { path: Arc::clone(&object.path), ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let reader = &mut self.reader;
        self.lines.end(|line, position| reader.read_line(line, position, rows));
        if !reader.has_header {
            return Err(DESCRIPTOR.malformed(&self.path, "the first line of a recording is missing"));
        }
        if !reader.has_end {
            rows.problem(Severity::Notice, "no_end", None, || {
                "the recording has no end: it is still running, or its process was killed".to_owned()
            });
        }
        Ok(())
    }
}

impl Stream for RecorderDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let reader = &mut self.reader;
        self.lines.push(chunk, |line, position| reader.read_line(line, position, rows));
        Ok(())
    }
}
