//! Call trees of pyinstrument, into `function` and `call`.
//!
//! The file is what `pyinstrument -r json` writes: an object with the tree in `root_frame`. Frames of one function are
//! summed up; time in recursion counts once. A sampler counts no calls: these columns are null. The file is kept
//! until it ends, because a frame's own time is what its children leave of it.
//!
//! # Source
//! pyinstrument 3.4.2 to 5.1, `pyinstrument/renderers/jsonrenderer.py`. The folders are those of
//! `awslabs/sagemaker-debugger` 1.0.34, `smdebug/profiler/python_profiler.py`.

use std::borrow::Cow;
use std::sync::Arc;

use super::calls::Writer;
use super::tree::{self, Frame};
use super::{malformed, scope};
use crate::error::Result;
use crate::place::Place;
use crate::table::{Rows, Severity};
use crate::{Decoder, Decoding, Descriptor, Format, ObjectInfo, Probe, Stream, json, secret};

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

/// Most that is kept; a tree has some 200 bytes for each frame.
const MAX_FILE: usize = 256 << 20;

impl Format for Pyinstrument {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let head = String::from_utf8_lossy(probe.head);
        let text = head.trim_start();
        let has = |name: &str| text.contains(name);
        let tree = text.starts_with('{') && has("\"sample_count\"") && has("\"root_frame\"");
        tree || self.group(probe.info).is_some()
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        scope::covered(&object.path, scope::PYINSTRUMENT).map(|_| Arc::clone(&object.path))
    }

    fn ignores(&self, object: &ObjectInfo) -> Option<&'static str> {
        scope::covered(&object.path, scope::PAGE).map(|_| "a page that shows the tree of python_stats.json")
    }

    fn decoder(&self) -> Decoding {
        Decoding::Stream(Box::new(Tree::default()))
    }
}

/// Decodes one tree.
#[derive(Debug, Default)]
struct Tree {
    path: Arc<str>,
    writer: Writer,
    bytes: Vec<u8>,
}

impl Decoder for Tree {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        let covered = scope::covered(&object.path, scope::PYINSTRUMENT);
        let writer = Writer::new(DESCRIPTOR.name, object, covered, rows);
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
        let mut reader = Reader::new(&text);
        let read = reader.read();
        let Reader { frames, at, mut untimed, .. } = reader;
        if let Err(why) = read {
            if frames.is_empty() {
                return Err(malformed(DESCRIPTOR.name, &format!("cannot read {}: byte {at}: {why}", self.path)));
            }
            let open = frames.iter().filter(|frame| !frame.closed).count();
            let message = || format!("byte {at}: {why}; the own time of {open} open frames is unknown");
            rows.problem(Severity::Warning, "truncated", i64::try_from(at).ok(), message);
        } else if frames.is_empty() {
            let message = || "there is no tree: the recording failed".to_owned();
            rows.problem(Severity::Notice, "no_frames", None, message);
        }
        // a frame that was cut off before its time is no damage of its own
        untimed.retain(|frame| frames[*frame].closed);
        for frame in untimed {
            let name = secret::quote(&frames[frame].function);
            rows.repair("bad_time", None, || format!("frame {frame} ({name}): time is not a number, read as 0"));
        }
        let frames: Vec<Frame> = frames.into_iter().map(|frame| masked(frame, rows)).collect();
        tree::write(&frames, &mut self.writer, rows);
        Ok(())
    }
}

impl Stream for Tree {
    fn push(&mut self, chunk: &[u8], _rows: &mut Rows) -> Result<()> {
        if self.bytes.len() + chunk.len() > MAX_FILE {
            let text = format!("cannot read {}: a tree of more than {MAX_FILE} bytes", self.path);
            return Err(malformed(DESCRIPTOR.name, &text));
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }
}

fn masked(frame: Frame, rows: &mut Rows) -> Frame {
    let file = secret::clean(&frame.file, Place::START, rows).into_owned();
    let function = secret::clean(&frame.function, Place::START, rows).into_owned();
    Frame { file, function, ..frame }
}

/// What an open object or list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Root,
    Frame(usize),
    Children(usize),
    Other,
}

/// Goes through the JSON with a stack of its own: trees are deeper than a recursive reader may go.
#[derive(Debug)]
struct Reader<'a> {
    text: &'a str,
    at: usize,
    stack: Vec<(u8, Kind)>,
    frames: Vec<Frame>,
    /// Frames without a time.
    untimed: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, stack: Vec::new(), frames: Vec::new(), untimed: Vec::new() }
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn read(&mut self) -> std::result::Result<(), &'static str> {
        match self.peek() {
            Some(b'{') => self.open(b'}', Kind::Root),
            _ => return Err("expected an object"),
        }
        // whether a comma has to stand before the next element
        let mut first = true;
        while let Some((end, kind)) = self.stack.last().copied() {
            let next = self.peek().ok_or("the file ends within the tree")?;
            if next == end {
                self.close(kind);
                first = false;
                continue;
            }
            if !first {
                if next != b',' {
                    return Err("expected a comma");
                }
                self.at += 1;
            }
            let key = if end == b'}' { self.key()? } else { Cow::Borrowed("") };
            first = self.value(&key, kind)?;
        }
        Ok(())
    }

    fn open(&mut self, end: u8, kind: Kind) {
        self.at += 1;
        self.stack.push((end, kind));
    }

    fn close(&mut self, kind: Kind) {
        self.at += 1;
        self.stack.pop();
        if let Kind::Frame(frame) = kind {
            self.frames[frame].closed = true;
            if self.frames[frame].time.is_none() {
                self.untimed.push(frame);
            }
        }
    }

    fn key(&mut self) -> std::result::Result<Cow<'a, str>, &'static str> {
        if self.peek() != Some(b'"') {
            return Err("expected the name of a member");
        }
        let raw = self.string()?;
        if self.peek() != Some(b':') {
            return Err("expected a colon");
        }
        self.at += 1;
        Ok(json::unquote(raw).unwrap_or(Cow::Borrowed("")))
    }

    /// Reads what stands under `key`; true if something was opened, whose first element is next.
    fn value(&mut self, key: &str, around: Kind) -> std::result::Result<bool, &'static str> {
        let start = self.at;
        match self.peek().ok_or("the file ends within the tree")? {
            b'{' => {
                let parent = match around {
                    Kind::Root if key == "root_frame" => Some(None),
                    Kind::Children(parent) => Some(Some(parent)),
                    _ => None,
                };
                let kind = parent.map_or(Kind::Other, |parent| {
                    self.frames.push(Frame { parent, ..Frame::default() });
                    Kind::Frame(self.frames.len() - 1)
                });
                self.open(b'}', kind);
                return Ok(true);
            }
            b'[' => {
                let kind = match around {
                    Kind::Frame(frame) if key == "children" => Kind::Children(frame),
                    _ => Kind::Other,
                };
                self.open(b']', kind);
                return Ok(true);
            }
            b'"' => {
                let raw = self.string()?;
                if let Kind::Frame(frame) = around {
                    let text = || json::unquote(raw).unwrap_or_default().into_owned();
                    match key {
                        "function" => self.frames[frame].function = text(),
                        "file_path" => self.frames[frame].file = text(),
                        _ => {}
                    }
                }
            }
            _ => {
                let rest = &self.text.as_bytes()[self.at..];
                let length = rest
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
                    .count();
                if length == 0 {
                    return Err("expected a value");
                }
                let raw = &self.text[self.at..self.at + length];
                self.at += length;
                if self.at == self.text.len() {
                    // the rest of a number may be missing
                    self.at = start;
                    return Err("the file ends within the tree");
                }
                if let Kind::Frame(frame) = around {
                    match key {
                        "line_no" => self.frames[frame].line = raw.parse().ok(),
                        "time" => self.frames[frame].time = raw.parse().ok().filter(|time: &f64| time.is_finite()),
                        _ => {}
                    }
                }
            }
        }
        Ok(false)
    }

    /// A string with its quotes.
    fn string(&mut self) -> std::result::Result<&'a str, &'static str> {
        let start = self.at;
        let mut escaped = false;
        for (offset, byte) in self.text.as_bytes()[start + 1..].iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    self.at = start + offset + 2;
                    return Ok(&self.text[start..self.at]);
                }
                _ => {}
            }
        }
        Err("the file ends within the tree")
    }
}
