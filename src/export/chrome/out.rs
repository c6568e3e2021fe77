//! Writes trace-event JSON to a sink, in blocks.

use std::fmt::Write as _;
use std::io::Write;

use crate::error::{Error, ErrorKind, Result};
use crate::format::add_string;

/// Bytes that are buffered before they are written to the sink.
const BLOCK_BYTES: usize = 1 << 18;

/// An open trace file.
pub(super) struct TraceOutput<'a> {
    sink: &'a mut dyn Write,
    text: String,
    events: u64,
    bytes: u64,
}

impl<'a> TraceOutput<'a> {
    /// Begins a file. `members` are written before the events: names and JSON.
    pub(super) fn begin(sink: &'a mut dyn Write, members: &[(String, String)]) -> Self {
        let mut text = String::with_capacity(BLOCK_BYTES + (BLOCK_BYTES >> 2));
        text.push('{');
        for (key, raw) in members {
            add_string(&mut text, key);
            text.push(':');
            text.push_str(raw);
            text.push_str(",\n");
        }
        text.push_str("\"traceEvents\":[");
        Self { sink, text, events: 0, bytes: 0 }
    }

    /// Writes an event; `write` writes the members of its object.
    pub(super) fn event(&mut self, write: impl FnOnce(&mut String)) -> Result<()> {
        self.text.push_str(if self.events == 0 { "\n{" } else { ",\n{" });
        self.events += 1;
        write(&mut self.text);
        self.text.push('}');
        if self.text.len() >= BLOCK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Ends the file and returns its size in bytes.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.text.push_str("\n]}\n");
        self.flush()?;
        Ok(self.bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.sink
            .write_all(self.text.as_bytes())
            .map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the trace: {error}")))?;
        self.bytes += self.text.len() as u64;
        self.text.clear();
        Ok(())
    }
}

/// Writes the first members of every event: phase, process and thread.
pub(super) fn write_head(out: &mut String, phase: &str, pid: i64, tid: i64) {
    out.push_str("\"ph\":\"");
    out.push_str(phase);
    out.push_str("\",\"pid\":");
    write_integer(out, pid);
    out.push_str(",\"tid\":");
    write_integer(out, tid);
}

/// Appends a member to an object without its closing brace.
pub(super) fn append_member(object: &mut String, key: &str, raw: &str) {
    object.push(if object.is_empty() { '{' } else { ',' });
    add_string(object, key);
    object.push(':');
    object.push_str(raw);
}

/// Writes a member that is a text.
pub(super) fn write_text(out: &mut String, key: &str, value: &str) {
    out.push_str(key);
    add_string(out, value);
}

/// Writes an integer.
pub(super) fn write_integer(out: &mut String, value: i64) {
    out.push_str(itoa::Buffer::new().format(value));
}

/// Writes nanoseconds as microseconds, exactly.
pub(super) fn write_micros(out: &mut String, ns: i64) {
    if ns < 0 {
        out.push('-');
    }
    let ns = ns.unsigned_abs();
    write_integer(out, i64::try_from(ns / 1000).unwrap_or_default());
    let rest = ns % 1000;
    if rest != 0 {
        // Writing to a String cannot fail.
        let _ = write!(out, ".{rest:03}");
    }
}

/// Writes metadata `name` of a process or thread: its name or its sort index. `raw` is JSON.
pub(super) fn write_metadata(out: &mut String, name: &str, pid: i64, tid: i64, raw: &str) {
    write_head(out, "M", pid, tid);
    out.push_str(",\"name\":\"");
    out.push_str(name);
    let key = if name.ends_with("_name") { "name" } else { "sort_index" };
    // Writing to a String cannot fail.
    let _ = write!(out, "\",\"args\":{{\"{key}\":{raw}}}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        for (ns, expected) in [
            (0, "0"),
            (1, "0.001"),
            (-1, "-0.001"),
            (1_000, "1"),
            (1_050, "1.050"),
            (1_712_195_495_519_689_047, "1712195495519689.047"),
            (i64::MAX, "9223372036854775.807"),
            (i64::MIN, "-9223372036854775.808"),
        ] {
            let mut out = String::new();
            write_micros(&mut out, ns);
            assert_eq!(out, expected);
        }
        for value in [0, 7, -10, i64::MAX, i64::MIN] {
            let mut out = String::new();
            write_integer(&mut out, value);
            assert_eq!(out, value.to_string());
        }
    }

    #[test]
    fn a_file_without_events_is_json() {
        let mut file = Vec::new();
        let bytes = TraceOutput::begin(&mut file, &[("a\"b".to_owned(), "1".to_owned())]).finish().unwrap();
        assert_eq!(bytes, file.len() as u64);
        let json: serde_json::Value = serde_json::from_slice(&file).unwrap();
        assert_eq!(json, serde_json::json!({"a\"b": 1, "traceEvents": []}));
    }

    #[test]
    fn a_full_sink_is_an_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        assert_eq!(TraceOutput::begin(&mut Full, &[]).finish().unwrap_err().kind(), ErrorKind::Exhausted);
    }
}
