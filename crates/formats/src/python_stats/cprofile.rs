//! Dumps of cProfile, into `function` and `call`.
//!
//! A dump is one marshalled dictionary from `(file, line, function)` to `(primitive calls, calls, own time, cumulative time,
//! callers)`. `callers` is a dictionary from the same keys to `(calls, primitive calls, own time, cumulative time)`; note that
//! the two counts have the opposite order there. `profile`, the version in pure Python, only counts the calls of a caller.
//! Entries are read as they arrive, and entries before a corrupt one become rows.
//!
//! # Source
//! CPython 3.8 to 3.15: `Lib/cProfile.py` (`snapshot_stats`, `dump_stats`), `Lib/profile.py`, `Lib/pstats.py` (`Stats.add`).
//! The folders are those of `awslabs/sagemaker-debugger` 1.0.34, `smdebug/profiler/python_profiler.py`. Names of dumps are
//! those of [`super::super::lightning`].

use std::sync::Arc;

use super::calls::{CallCounts, FunctionLocation, ProfileWriter};
use super::marshal::{MarshalError, MarshalReader, MarshalValue, References};
use super::scope;
use crate::error::Result;
use crate::table::{Rows, Severity};
use crate::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream};

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
        (
            "primitive calls, calls; samples in a dump of Python 3.15's sampler",
            "function.primitive_calls, function.calls",
        ),
        ("own time, cumulative time", "function.own_s, function.cumulative_s"),
        ("key of a caller", "call.caller, as file:line(function)"),
        ("calls, primitive calls of a caller", "call.calls, call.primitive_calls"),
        ("own time, cumulative time of a caller", "call.own_s, call.cumulative_s"),
    ],
    not_read: &[
        "which timer was used: it is not in the file",
        "bytes after the dictionary: pstats does not read them either",
    ],
    source: "CPython 3.8 to 3.15, Lib/cProfile.py and Python/marshal.c; awslabs/sagemaker-debugger 1.0.34, smdebug/profiler/python_profiler.py",
    version: 2,
};

/// Maximum size of an entry in bytes. One has about 100 bytes, and 50 more for each caller.
const MAX_ENTRY: usize = 64 << 20;

impl Format for Cprofile {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let has_suffix = probe.info.name().ends_with(".prof");
        match *probe.head {
            // the first key is a tuple of three, in the short form or in the long form of old versions
            [b'{' | 0xfb, b')' | 0xa9, 3, ..] | [b'{' | 0xfb, b'(' | 0xa8, 3, 0, 0, 0, ..] => true,
            // an empty profile
            [b'{' | 0xfb, b'0'] => has_suffix,
            _ => self.group(probe.info).is_some(),
        }
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        scope::parse_scope(&object.path, scope::CPROFILE_FILE).map(|_| Arc::clone(&object.path))
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(CprofileDecoder::default()))
    }
}

/// Decodes one dump.
#[derive(Debug, Default)]
struct CprofileDecoder {
    path: Arc<str>,
    writer: ProfileWriter,
    references: References,
    /// The bytes of an incomplete entry, and its offset in the file.
    rest: Vec<u8>,
    offset: usize,
    /// Parse again only with this many bytes, so that a large entry is not parsed again for every chunk.
    min_bytes: usize,
    state: DumpState,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum DumpState {
    #[default]
    Start,
    Entries,
    /// The rest of the file is skipped.
    Finished,
}

impl Decoder for CprofileDecoder {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        let scope = scope::parse_scope(&object.path, scope::CPROFILE_FILE);
        let writer = ProfileWriter::new(DESCRIPTOR.name, object, scope, rows);
        *self = Self { path: Arc::clone(&object.path), writer, ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        self.read_entries(rows)?;
        if self.state == DumpState::Start {
            rows.problem(Severity::Notice, "empty_file", None, || "the file is empty".to_owned());
        } else if self.state == DumpState::Entries {
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

impl Stream for CprofileDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        if self.state == DumpState::Finished {
            return Ok(());
        }
        self.rest.extend_from_slice(chunk);
        if self.rest.len() < self.min_bytes {
            return Ok(());
        }
        self.read_entries(rows)?;
        if self.rest.len() > MAX_ENTRY {
            self.report_corrupt(0, &format!("an entry of more than {MAX_ENTRY} bytes"), rows)?;
        }
        Ok(())
    }
}

impl CprofileDecoder {
    /// Reads all complete entries.
    fn read_entries(&mut self, rows: &mut Rows) -> Result<()> {
        let bytes = std::mem::take(&mut self.rest);
        let mut reader = MarshalReader::new(&bytes);
        let mut entry_start = 0;
        let error = loop {
            if self.state == DumpState::Finished {
                return Ok(());
            }
            let checkpoint = self.references.checkpoint();
            if let Err(error) = self.read_next(&mut reader, entry_start, rows) {
                if error == MarshalError::Incomplete {
                    self.references.roll_back(checkpoint);
                }
                break error;
            }
            entry_start = reader.offset;
        };
        if let MarshalError::Corrupt(offset, why) = error {
            return self.report_corrupt(offset, &why, rows);
        }
        self.offset += entry_start;
        self.rest.extend_from_slice(&bytes[entry_start..]);
        self.min_bytes = 2 * self.rest.len();
        Ok(())
    }

    /// Reads the start of the dictionary, one entry or the end.
    fn read_next(
        &mut self,
        reader: &mut MarshalReader<'_>,
        entry_start: usize,
        rows: &mut Rows,
    ) -> std::result::Result<(), MarshalError> {
        if self.state == DumpState::Start {
            reader.enter_dict(&mut self.references)?;
            self.state = DumpState::Entries;
        } else if reader.skip_dict_end()? {
            self.state = DumpState::Finished;
        } else {
            let key = reader.read_value(&mut self.references)?;
            let value = reader.read_value(&mut self.references)?;
            self.write_entry(&key, &value, self.offset + entry_start, rows);
        }
        Ok(())
    }

    /// Writes one function and its callers.
    fn write_entry(&mut self, key: &MarshalValue, value: &MarshalValue, offset: usize, rows: &mut Rows) {
        let byte_offset = i64::try_from(offset).ok();
        if is_sampled(key) {
            return rows.problem(Severity::Notice, "sampled", byte_offset, || {
                "the profile is of a sampler: its numbers of calls are numbers of samples".to_owned()
            });
        }
        let Some((location, (counts, callers))) = parse_location(key).zip(parse_function(value)) else {
            let message = || {
                format!("byte {offset}: an entry is not (file, line, function): (calls, calls, time, time, callers)")
            };
            rows.skip("bad_function", byte_offset, message);
            return;
        };
        self.writer.write_function(location, counts, rows);
        for (key, value) in callers {
            match parse_location(key).zip(parse_caller(value)) {
                Some((caller, counts)) => self.writer.write_call(caller, location, counts, rows),
                None => rows.skip("bad_caller", byte_offset, || {
                    format!("byte {offset}: a caller of this entry is not (file, line, function): (calls, calls, time, time)")
                }),
            }
        }
    }

    /// Reports that the data at byte `offset` of the buffer is corrupt, and skips the rest of the file.
    fn report_corrupt(&mut self, offset: usize, why: &str, rows: &mut Rows) -> Result<()> {
        let offset = self.offset + offset;
        self.state = DumpState::Finished;
        self.rest = Vec::new();
        let read = self.writer.functions;
        if read == 0 {
            return Err(DESCRIPTOR.malformed(&self.path, &format!("byte {offset}: {why}")));
        }
        let message = || format!("byte {offset}: {why}; the {read} functions before it are read");
        rows.skip("corrupt", i64::try_from(offset).ok(), message);
        Ok(())
    }
}

fn parse_location(key: &MarshalValue) -> Option<FunctionLocation<'_>> {
    let MarshalValue::Tuple(key) = key else { return None };
    match &**key {
        [MarshalValue::Text(file), MarshalValue::Int(line), MarshalValue::Text(name)] => {
            Some(FunctionLocation { file, line: Some(*line), name })
        }
        _ => None,
    }
}

/// Whether a key is the mark of Python 3.15's sampling profiler. Its dumps have the form of cProfile's.
fn is_sampled(key: &MarshalValue) -> bool {
    matches!(key, MarshalValue::Tuple(key) if matches!(&**key, [MarshalValue::Text(text)] if &**text == "__sampled__"))
}

fn parse_function(value: &MarshalValue) -> Option<(CallCounts, &[(MarshalValue, MarshalValue)])> {
    let MarshalValue::Tuple(value) = value else { return None };
    match &**value {
        [primitive, calls, own, cumulative, MarshalValue::Dict(callers)] => {
            Some((parse_counts(primitive, calls, own, cumulative)?, callers))
        }
        _ => None,
    }
}

fn parse_caller(value: &MarshalValue) -> Option<CallCounts> {
    match value {
        MarshalValue::Int(calls) => Some(CallCounts { calls: Some(*calls), ..CallCounts::default() }),
        MarshalValue::Tuple(value) => match &**value {
            [calls, primitive, own, cumulative] => parse_counts(primitive, calls, own, cumulative),
            _ => None,
        },
        _ => None,
    }
}

fn parse_counts(
    primitive: &MarshalValue,
    calls: &MarshalValue,
    own: &MarshalValue,
    cumulative: &MarshalValue,
) -> Option<CallCounts> {
    let (MarshalValue::Int(primitive), MarshalValue::Int(calls)) = (primitive, calls) else { return None };
    Some(CallCounts {
        primitive_calls: Some(*primitive),
        calls: Some(*calls),
        own_s: Some(parse_seconds(own)?),
        cumulative_s: Some(parse_seconds(cumulative)?),
    })
}

/// Converts a time to s. A timer that the user passed may return integers.
#[expect(clippy::cast_precision_loss, reason = "times of a timer, far below 2^53")]
fn parse_seconds(value: &MarshalValue) -> Option<f64> {
    match value {
        MarshalValue::Float(seconds) => Some(*seconds),
        MarshalValue::Int(seconds) => Some(*seconds as f64),
        _ => None,
    }
}
