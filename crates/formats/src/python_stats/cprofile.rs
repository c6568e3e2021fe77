//! Dumps of cProfile, into `function` and `call`.
//!
//! A dump is one marshalled dictionary: `(file, line, function)` to `(primitive calls, calls, own time, cumulative time,
//! callers)`, where callers is a dictionary of the same keys to `(calls, primitive calls, own time, cumulative time)`: there
//! the two counts stand the other way round. `profile`, written in Python, counts only calls of a caller. Entries are
//! read as they arrive; what stands before damage is kept.
//!
//! # Source
//! CPython 3.8 to 3.13: `Lib/cProfile.py` (`snapshot_stats`, `dump_stats`), `Lib/profile.py`, `Lib/pstats.py` (`Stats.add`).
//! The folders are those of `awslabs/sagemaker-debugger` 1.0.34, `smdebug/profiler/python_profiler.py`; names of dumps as in [`super::super::lightning`].

use std::sync::Arc;

use super::calls::{Counts, Place, Writer};
use super::marshal::{Cursor, Next, References, Stop, Value};
use super::{malformed, scope};
use crate::error::Result;
use crate::table::{Rows, Severity};
use crate::{Decoder, Decoding, Descriptor, Format, ObjectInfo, Probe, Stream};

/// Dumps of cProfile.
#[derive(Debug)]
pub struct Cprofile;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "cprofile",
    doc: "dumps of Python's cProfile, from `dump_stats` or from SageMaker Debugger: functions and their callers",
    files: "framework/<framework>/cprofile/<number>-<host>/<start>_<end>/python_stats, *.prof",
    tables: &["function", "call"],
    fields: &[
        ("path of the file", "function.profile, call.profile"),
        ("folder: framework", "run.framework"),
        ("folder: number", "rank if the numbers of all processes are 0..n-1"),
        ("folder: host", "node"),
        ("folder: modes, steps, phases and times of start and end", "function.scope, a missing step as null"),
        ("name of a dump of Lightning: stage, action, rank", "function.scope; rank if those of all dumps are 0..n-1"),
        ("key: file, line, function", "function.file, function.line, function.function; call.callee"),
        ("primitive calls, calls", "function.primitive_calls, function.calls"),
        ("own time, cumulative time", "function.own_s, function.cumulative_s"),
        ("key of a caller", "call.caller, as file:line(function)"),
        ("calls, primitive calls of a caller", "call.calls, call.primitive_calls"),
        ("own time, cumulative time of a caller", "call.own_s, call.cumulative_s"),
    ],
    not_read: &[
        "which timer was used: it is not in the file",
        "bytes after the dictionary: pstats does not read them either",
    ],
    source: "CPython 3.8 to 3.13, Lib/cProfile.py and Python/marshal.c; awslabs/sagemaker-debugger 1.0.34, smdebug/profiler/python_profiler.py",
    version: 2,
};

/// The longest entry that is waited for: one has about 100 bytes, and 50 more for each caller.
const MAX_ENTRY: usize = 64 << 20;

impl Format for Cprofile {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let named = probe.info.name().ends_with(".prof");
        match *probe.head {
            // the first key: a tuple of three, in the short form or the long one of old versions
            [b'{' | 0xfb, b')' | 0xa9, 3, ..] | [b'{' | 0xfb, b'(' | 0xa8, 3, 0, 0, 0, ..] => true,
            // a profile of nothing
            [b'{' | 0xfb, b'0'] => named,
            _ => self.group(probe.info).is_some(),
        }
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        scope::covered(&object.path, scope::CPROFILE).map(|_| Arc::clone(&object.path))
    }

    fn decoder(&self) -> Decoding {
        Decoding::Stream(Box::new(Dump::default()))
    }
}

/// Decodes one dump.
#[derive(Debug, Default)]
struct Dump {
    path: Arc<str>,
    writer: Writer,
    references: References,
    /// What was not understood yet, and where in the file it begins.
    rest: Vec<u8>,
    offset: usize,
    /// No entry is looked for before so many bytes are there: one that grows is not begun again with every chunk.
    wanted: usize,
    state: State,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    Entries,
    /// The rest of the file is passed over.
    Over,
}

impl Decoder for Dump {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        let covered = scope::covered(&object.path, scope::CPROFILE);
        let writer = Writer::new(DESCRIPTOR.name, object, covered, rows);
        *self = Self { path: Arc::clone(&object.path), writer, ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        self.read(rows)?;
        if self.state == State::Start {
            rows.problem(Severity::Notice, "empty_file", None, || "the file is empty".to_owned());
        } else if self.state == State::Entries {
            let offset = self.offset;
            let message = || format!("byte {offset}: the file ends within the dictionary");
            rows.problem(Severity::Warning, "truncated", i64::try_from(offset).ok(), message);
        }
        if self.references.masked > 0 {
            let masked = self.references.masked;
            let message = || format!("text that looks like a credential was masked in {masked} names");
            rows.problem(Severity::Notice, "masked", None, message);
        }
        Ok(())
    }
}

impl Stream for Dump {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        if self.state == State::Over {
            return Ok(());
        }
        self.rest.extend_from_slice(chunk);
        if self.rest.len() < self.wanted {
            return Ok(());
        }
        self.read(rows)?;
        if self.rest.len() > MAX_ENTRY {
            self.damaged(0, &format!("an entry of more than {MAX_ENTRY} bytes"), rows)?;
        }
        Ok(())
    }
}

impl Dump {
    /// Reads all that is there.
    fn read(&mut self, rows: &mut Rows) -> Result<()> {
        let bytes = std::mem::take(&mut self.rest);
        let mut cursor = Cursor::new(&bytes);
        let mut done = 0;
        let stop = loop {
            if self.state == State::Over {
                return Ok(());
            }
            let mark = self.references.mark();
            if let Err(stop) = self.step(&mut cursor, done, rows) {
                if stop == Stop::More {
                    self.references.back_to(mark);
                }
                break stop;
            }
            done = cursor.at;
        };
        if let Stop::Bad(at, why) = stop {
            return self.damaged(at, &why, rows);
        }
        self.offset += done;
        self.rest.extend_from_slice(&bytes[done..]);
        self.wanted = 2 * self.rest.len();
        Ok(())
    }

    /// Reads the beginning, one entry or the end.
    fn step(&mut self, cursor: &mut Cursor<'_>, at: usize, rows: &mut Rows) -> std::result::Result<(), Stop> {
        if self.state == State::Start {
            cursor.enter_dict(&mut self.references)?;
            self.state = State::Entries;
            return Ok(());
        }
        if cursor.next_in_dict()? == Next::End {
            self.state = State::Over;
            return Ok(());
        }
        let key = cursor.value(&mut self.references)?;
        let value = cursor.value(&mut self.references)?;
        self.entry(&key, &value, self.offset + at, rows);
        Ok(())
    }

    /// Writes one function and its callers.
    fn entry(&mut self, key: &Value, value: &Value, offset: usize, rows: &mut Rows) {
        let at = i64::try_from(offset).ok();
        let Some((place, counts, callers)) = place(key).zip(function(value)).map(|(p, (c, of))| (p, c, of)) else {
            let message = || {
                format!("byte {offset}: an entry is not (file, line, function): (calls, calls, time, time, callers)")
            };
            rows.skip("bad_function", at, message);
            return;
        };
        self.writer.function(place, counts, rows);
        for (key, value) in callers {
            match self::place(key).zip(caller(value)) {
                Some((from, counts)) => self.writer.call(from, place, counts, rows),
                None => rows.skip("bad_caller", at, || {
                    format!("byte {offset}: a caller of this entry is not (file, line, function): (calls, calls, time, time)")
                }),
            }
        }
    }

    /// Nothing behind damage can be understood. That at byte `at` of what is at hand.
    fn damaged(&mut self, at: usize, why: &str, rows: &mut Rows) -> Result<()> {
        let at = self.offset + at;
        self.state = State::Over;
        self.rest = Vec::new();
        if self.writer.functions() == 0 {
            return Err(malformed(DESCRIPTOR.name, &format!("cannot read {}: byte {at}: {why}", self.path)));
        }
        let read = self.writer.functions();
        let message = || format!("byte {at}: {why}; the {read} functions before it are read");
        rows.skip("damaged", i64::try_from(at).ok(), message);
        Ok(())
    }
}

fn place(key: &Value) -> Option<Place<'_>> {
    let Value::Tuple(key) = key else { return None };
    match &**key {
        [Value::Text(file), Value::Int(line), Value::Text(name)] => Some(Place { file, line: Some(*line), name }),
        _ => None,
    }
}

fn function(value: &Value) -> Option<(Counts, &[(Value, Value)])> {
    let Value::Tuple(value) = value else { return None };
    match &**value {
        [Value::Int(primitive), Value::Int(calls), own, cumulative, Value::Dict(callers)] => {
            Some((counts(*primitive, *calls, own, cumulative)?, callers))
        }
        _ => None,
    }
}

fn caller(value: &Value) -> Option<Counts> {
    match value {
        Value::Int(calls) => Some(Counts { calls: Some(*calls), ..Counts::default() }),
        Value::Tuple(value) => match &**value {
            [Value::Int(calls), Value::Int(primitive), own, cumulative] => counts(*primitive, *calls, own, cumulative),
            _ => None,
        },
        _ => None,
    }
}

fn counts(primitive: i64, calls: i64, own: &Value, cumulative: &Value) -> Option<Counts> {
    Some(Counts {
        primitive_calls: Some(primitive),
        calls: Some(calls),
        own_s: Some(seconds(own)?),
        cumulative_s: Some(seconds(cumulative)?),
    })
}

/// A timer may count whole numbers.
#[expect(clippy::cast_precision_loss, reason = "times of a timer, far below 2^53")]
fn seconds(value: &Value) -> Option<f64> {
    match value {
        Value::Float(seconds) => Some(*seconds),
        Value::Int(seconds) => Some(*seconds as f64),
        _ => None,
    }
}
