//! Call trees of pyinstrument, into `function` and `call`.
//!
//! The file is the output of `pyinstrument -r json`: an object with the tree in `root_frame`. Frames of one function are
//! summed; recursive time counts once. A sampling profiler does not count calls, so those columns are null. The whole file
//! is buffered, because a frame's own time is known only after its children.
//!
//! # Source
//! pyinstrument 3.4.2 to 5.1, `pyinstrument/renderers/jsonrenderer.py`. The folders are those of
//! `awslabs/sagemaker-debugger` 1.0.34, `smdebug/profiler/python_profiler.py`.

use std::borrow::Cow;
use std::sync::Arc;

use super::calls::ProfileWriter;
use super::scope;
use super::tree::{self, SampledFrame};
use crate::error::Result;
use crate::position::Position;
use crate::table::{Rows, Severity};
use crate::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream, json, secret};

/// Call trees of pyinstrument.
#[derive(Debug)]
pub struct Pyinstrument;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "pyinstrument",
    doc: "call trees of pyinstrument as JSON, from `-r json` or from SageMaker Debugger: functions and their callers",
    files: "framework/<framework>/pyinstrument/<number>-<host>/<start>_<end>/python_stats.json",
    tables: &["function", "call"],
    fields: &[
        ("path of the file", "function.profile, call.profile"),
        ("folder: framework", "run.framework"),
        ("folder: number", "rank if the numbers of all processes are 0..n-1"),
        ("folder: host", "node"),
        ("folder: modes, steps, phases and times of start and end", "function.scope, a missing step as null"),
        ("function, file_path, line_no", "function.function, function.file, function.line; call.caller, call.callee"),
        ("time", "function.cumulative_s, call.cumulative_s; minus the time of the children: own_s"),
    ],
    not_read: &[
        "start_time, duration, sample_count, program, cpu_percent: about the recording, not about functions",
        "file_path_short, is_application_code, group_id, class_name, await_time: for display",
        "the order of calls: calls are summed per function",
        "python_stats.html: a page that shows the same tree",
        "sessions (.pyisession): samples before they become a tree",
    ],
    source: "pyinstrument 3.4.2 to 5.1, pyinstrument/renderers/jsonrenderer.py; awslabs/sagemaker-debugger 1.0.34, smdebug/profiler/python_profiler.py",
    version: 1,
};

/// Maximum size of a file in bytes. A tree has about 200 bytes for each frame.
const MAX_FILE: usize = 256 << 20;

impl Format for Pyinstrument {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let head = String::from_utf8_lossy(probe.head);
        let text = head.trim_start();
        let has = |name: &str| text.contains(name);
        let is_tree = text.starts_with('{') && has("\"sample_count\"") && has("\"root_frame\"");
        is_tree || self.group(probe.info).is_some()
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        scope::parse_scope(&object.path, scope::PYINSTRUMENT_FILE).map(|_| Arc::clone(&object.path))
    }

    fn ignore_reason(&self, object: &ObjectInfo) -> Option<&'static str> {
        scope::parse_scope(&object.path, scope::PYINSTRUMENT_PAGE)
            .map(|_| "a page that shows the tree of python_stats.json")
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(PyinstrumentDecoder::default()))
    }
}

/// Decodes one tree.
#[derive(Debug, Default)]
struct PyinstrumentDecoder {
    path: Arc<str>,
    writer: ProfileWriter,
    bytes: Vec<u8>,
}

impl Decoder for PyinstrumentDecoder {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        let scope = scope::parse_scope(&object.path, scope::PYINSTRUMENT_FILE);
        let writer = ProfileWriter::new(DESCRIPTOR.name, object, scope, rows);
        *self = Self { path: Arc::clone(&object.path), writer, bytes: Vec::new() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let bytes = std::mem::take(&mut self.bytes);
        let text = String::from_utf8_lossy(&bytes);
        if text.trim_ascii().is_empty() {
            rows.problem(Severity::Notice, "empty_file", None, || "the file is empty".to_owned());
            return Ok(());
        }
        let mut reader = TreeReader::new(&text);
        let result = reader.read();
        let TreeReader { frames, offset, mut untimed, .. } = reader;
        if let Err(why) = result {
            if frames.is_empty() {
                return Err(DESCRIPTOR.malformed(&self.path, &format!("byte {offset}: {why}")));
            }
            let open = frames.iter().filter(|frame| !frame.is_complete).count();
            let message = || format!("byte {offset}: {why}; the own time of {open} open frames is unknown");
            rows.problem(Severity::Warning, "truncated", i64::try_from(offset).ok(), message);
        } else if frames.is_empty() {
            rows.problem(Severity::Notice, "no_frames", None, || "there is no tree: the recording failed".to_owned());
        }
        // a truncated frame without a time is already reported
        untimed.retain(|frame| frames[*frame].is_complete);
        for frame in untimed {
            let name = secret::quote_masked(&frames[frame].function);
            rows.repair("bad_time", None, || format!("frame {frame} ({name}): time is not a number, read as 0"));
        }
        let frames: Vec<SampledFrame> = frames.into_iter().map(|frame| mask_credentials(frame, rows)).collect();
        tree::write(&frames, &mut self.writer, rows);
        Ok(())
    }
}

impl Stream for PyinstrumentDecoder {
    fn push(&mut self, chunk: &[u8], _rows: &mut Rows) -> Result<()> {
        if self.bytes.len() + chunk.len() > MAX_FILE {
            return Err(DESCRIPTOR.malformed(&self.path, &format!("a tree of more than {MAX_FILE} bytes")));
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }
}

fn mask_credentials(frame: SampledFrame, rows: &mut Rows) -> SampledFrame {
    let file = secret::mask_and_report(&frame.file, Position::START, rows).into_owned();
    let function = secret::mask_and_report(&frame.function, Position::START, rows).into_owned();
    SampledFrame { file, function, ..frame }
}

/// The role of an open object or list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContainerRole {
    Root,
    Frame(usize),
    Children(usize),
    Other,
}

/// Reads the JSON with an explicit stack: trees are too deep for a recursive parser.
#[derive(Debug)]
struct TreeReader<'a> {
    text: &'a str,
    /// Offset of the next byte.
    offset: usize,
    /// Open objects and lists: the closing bracket and the role.
    stack: Vec<(u8, ContainerRole)>,
    frames: Vec<SampledFrame>,
    /// Frames without a time.
    untimed: Vec<usize>,
}

type TreeResult<T> = std::result::Result<T, &'static str>;

const TRUNCATED: &str = "the file ends within the tree";

impl<'a> TreeReader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, offset: 0, stack: Vec::new(), frames: Vec::new(), untimed: Vec::new() }
    }

    /// Skips white space and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.offset..];
        self.offset += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.offset).copied()
    }

    /// Reads the whole tree. An error is the reason why the text at `offset` is malformed.
    fn read(&mut self) -> TreeResult<()> {
        if self.peek() != Some(b'{') {
            return Err("expected an object");
        }
        self.open(b'}', ContainerRole::Root);
        // the next element is the first one of its container, so that it needs no comma
        let mut is_first = true;
        while let Some((end, role)) = self.stack.last().copied() {
            let next = self.peek().ok_or(TRUNCATED)?;
            if next == end {
                self.close(role);
                is_first = false;
                continue;
            }
            if !is_first {
                if next != b',' {
                    return Err("expected a comma");
                }
                self.offset += 1;
            }
            let key = if end == b'}' { self.read_key()? } else { Cow::Borrowed("") };
            is_first = self.read_value(&key, role)?;
        }
        Ok(())
    }

    fn open(&mut self, end: u8, role: ContainerRole) {
        self.offset += 1;
        self.stack.push((end, role));
    }

    fn close(&mut self, role: ContainerRole) {
        self.offset += 1;
        self.stack.pop();
        if let ContainerRole::Frame(frame) = role {
            self.frames[frame].is_complete = true;
            if self.frames[frame].time.is_none() {
                self.untimed.push(frame);
            }
        }
    }

    fn read_key(&mut self) -> TreeResult<Cow<'a, str>> {
        if self.peek() != Some(b'"') {
            return Err("expected the name of a member");
        }
        let raw = self.read_string()?;
        if self.peek() != Some(b':') {
            return Err("expected a colon");
        }
        self.offset += 1;
        Ok(json::unquote(raw).unwrap_or(Cow::Borrowed("")))
    }

    /// Reads the value of `key` in a container of this role. Returns true if the value is an object or a list: it is then
    /// open, and its first element comes next.
    fn read_value(&mut self, key: &str, parent: ContainerRole) -> TreeResult<bool> {
        let start = self.offset;
        match self.peek().ok_or(TRUNCATED)? {
            b'{' => {
                let role = match parent {
                    ContainerRole::Root if key == "root_frame" => self.add_frame(None),
                    ContainerRole::Children(frame) => self.add_frame(Some(frame)),
                    _ => ContainerRole::Other,
                };
                self.open(b'}', role);
                return Ok(true);
            }
            b'[' => {
                let role = match parent {
                    ContainerRole::Frame(frame) if key == "children" => ContainerRole::Children(frame),
                    _ => ContainerRole::Other,
                };
                self.open(b']', role);
                return Ok(true);
            }
            next => {
                let raw = if next == b'"' { self.read_string()? } else { self.read_literal(start)? };
                if let ContainerRole::Frame(frame) = parent {
                    self.set_member(frame, key, raw);
                }
            }
        }
        Ok(false)
    }

    fn add_frame(&mut self, parent: Option<usize>) -> ContainerRole {
        self.frames.push(SampledFrame { parent, ..SampledFrame::default() });
        ContainerRole::Frame(self.frames.len() - 1)
    }

    fn set_member(&mut self, frame: usize, key: &str, raw: &str) {
        let frame = &mut self.frames[frame];
        let text = || json::unquote(raw).unwrap_or_default().into_owned();
        match key {
            "function" => frame.function = text(),
            "file_path" => frame.file = text(),
            "line_no" => frame.line = raw.parse().ok(),
            "time" => frame.time = raw.parse().ok().filter(|time: &f64| time.is_finite()),
            _ => {}
        }
    }

    /// Reads a number, `true`, `false` or `null`. If the file ends in it, the offset becomes `start`.
    fn read_literal(&mut self, start: usize) -> TreeResult<&'a str> {
        let rest = &self.text[self.offset..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.');
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err("expected a value");
        }
        if length == rest.len() {
            // the rest of a number may be missing
            self.offset = start;
            return Err(TRUNCATED);
        }
        self.offset += length;
        Ok(&rest[..length])
    }

    /// Reads a string with its quotes.
    fn read_string(&mut self) -> TreeResult<&'a str> {
        let start = self.offset;
        let mut is_escaped = false;
        for (index, byte) in self.text.as_bytes()[start + 1..].iter().enumerate() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    self.offset = start + index + 2;
                    return Ok(&self.text[start..self.offset]);
                }
                _ => {}
            }
        }
        Err(TRUNCATED)
    }
}
