//! Reads what applies to all events of a file: time base, rank, machine, names of threads.
//!
//! These members of the root object can be before the events or after them. So the first and the last bytes
//! of a file are previewed before it is read.

use super::args::parse_canonical;
use super::track::TrackId;
use super::vocabulary;
use crate::json;
use crate::number::parse_scaled;
use crate::repair::repair_json;
use crate::trace_event::{EventFields, EventReader, TraceItem, TraceProblem};

/// Facts that apply to all events of a file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct TraceHeader {
    /// Base of the times, in ns since the epoch.
    pub(super) base: Option<i64>,
    /// Global rank.
    pub(super) rank: Option<i64>,
    /// Machine.
    pub(super) host: Option<String>,
}

impl TraceHeader {
    /// Stores a member of the root object.
    pub(super) fn set(&mut self, key: &str, raw: &str) {
        match key {
            "baseTimeNanoseconds" => self.base = parse_scaled(json::number_text(raw), 0).value().or(self.base),
            "viztracer_metadata" => {
                let _ = json::visit_members(raw, |key, raw| {
                    if key == "baseTimeNanoseconds" {
                        self.set(key, raw);
                    }
                });
            }
            "host_name" => {
                let host = json::unquote(raw).filter(|host| !host.trim().is_empty());
                self.host = host.map(|host| host.trim().to_owned()).or(self.host.take());
            }
            "distributedInfo" => {
                // If the object is invalid, its members before the error count.
                let _ = json::visit_members(raw, |key, raw| {
                    if key == "rank" {
                        self.rank = parse_canonical(json::number_text(raw)).filter(|rank| *rank >= 0).or(self.rank);
                    }
                });
            }
            _ => {}
        }
    }
}

/// The facts in some of the bytes of a file.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact")]
pub(super) struct FilePreview {
    pub(super) header: TraceHeader,
    /// Names of threads, with their process and thread.
    pub(super) threads: Vec<(TrackId, TrackId, String)>,
    pub(super) has_events: bool,
    /// The base is before the events.
    pub(super) has_early_base: bool,
    /// It has members or events that only the PyTorch profiler writes.
    pub(super) is_kineto: bool,
    /// The root has a version. Other JSON can have one too.
    has_version: bool,
    /// The root is that of an execution trace of PyTorch.
    pub(super) is_execution_trace: bool,
}

impl FilePreview {
    /// Reads the first bytes.
    pub(super) fn of_start(bytes: &[u8]) -> Self {
        let mut preview = Self::default();
        preview.read(EventReader::default(), bytes, false);
        preview
    }

    /// Reads the last bytes, which can start anywhere, or a whole file.
    pub(super) fn of_end(bytes: &[u8]) -> Self {
        let whole = Self::of_start(bytes);
        if whole.has_events {
            return whole;
        }
        let mut preview = Self::default();
        let is_closed = preview.read(EventReader::inside_list(), bytes, true);
        if !is_closed || preview.header == TraceHeader::default() {
            // The members after the events have more bytes than these, or the list was not closed. Then a
            // member counts if only members of the root follow it.
            preview.header = TraceHeader::default();
            let text = String::from_utf8_lossy(bytes);
            for key in ["\"baseTimeNanoseconds\"", "\"distributedInfo\"", "\"host_name\""] {
                let Some(start) = text.rfind(key) else { continue };
                let mut rest = Self::default();
                if rest.read(EventReader::default(), format!("{{{}", &text[start..]).as_bytes(), false) {
                    preview.header.base = preview.header.base.or(rest.header.base);
                    preview.header.rank = preview.header.rank.or(rest.header.rank);
                    preview.header.host = preview.header.host.or(rest.header.host);
                }
            }
        }
        preview
    }

    /// Reads these bytes. Returns true if the root was closed at their end. If they start inside the event
    /// list, members before an event are not members of the root.
    fn read(&mut self, mut reader: EventReader, bytes: &[u8], starts_in_list: bool) -> bool {
        let mut each = |item: TraceItem<'_>| {
            if starts_in_list && matches!(item, TraceItem::Event(..) | TraceItem::Problem(TraceProblem::Reopened, _)) {
                self.header = TraceHeader::default();
            }
            match item {
                TraceItem::Event(_, Some(fields), _) => self.add_event(fields),
                TraceItem::Event(text, None, _) => match EventFields::parse(text) {
                    Ok(fields) => self.add_event(&fields),
                    Err(_) => {
                        let repaired = repair_json(text);
                        if let Some(Ok(fields)) = repaired.as_deref().map(EventFields::parse) {
                            self.add_event(&fields);
                        }
                    }
                },
                TraceItem::Entry(key, raw, _) => self.add_member(key, raw),
                // The first event has more bytes than these.
                TraceItem::Problem(TraceProblem::TruncatedEvent, place) if !starts_in_list => {
                    let event = usize::try_from(place.offset).ok().and_then(|start| bytes.get(start..));
                    let has_object = bytes.starts_with(b"{");
                    self.has_events |= event.is_some_and(|event| has_object || event.starts_with(b"{\"ph\""));
                }
                TraceItem::Problem(..) => {}
            }
        };
        if reader.push(bytes, &mut each).is_ok() {
            reader.end(&mut each);
        }
        // A member can have more bytes than these, for example the groups of thousands of ranks.
        if let Some((key, raw)) = reader.unfinished_member().filter(|_| !starts_in_list) {
            self.is_kineto |= is_kineto(key);
            if key == "distributedInfo" {
                self.header.set(key, &raw);
            }
        }
        reader.is_closed()
    }

    fn add_member(&mut self, key: &str, raw: &str) {
        self.header.set(key, raw);
        self.has_early_base |= !self.has_events && self.header.base.is_some();
        self.is_kineto |= is_kineto(key);
        self.has_version |= key == "schemaVersion";
        self.is_execution_trace |= is_execution_trace(key, raw);
    }

    fn add_event(&mut self, fields: &EventFields<'_>) {
        if fields.phase().is_empty() {
            return;
        }
        self.has_events = true;
        self.is_kineto |= self.has_version;
        self.is_kineto |= fields.cat.is_some_and(|cat| vocabulary::is_kineto(cat.trim_matches('"')));
        if fields.phase() == "M" && fields.name.and_then(json::unquote).is_some_and(|name| name == "thread_name") {
            let mut thread = String::new();
            // If the arguments are invalid, their members before the error count.
            let _ = json::visit_members(fields.args.unwrap_or("{}"), |key, raw| {
                if key == "name" {
                    thread = json::unquote(raw).unwrap_or_default().into_owned();
                }
            });
            self.threads.push((TrackId::parse(fields.pid), TrackId::parse(fields.tid), thread));
        }
    }
}

/// Returns true if only the PyTorch profiler writes a member of this name in the root object.
fn is_kineto(key: &str) -> bool {
    matches!(key, "deviceProperties" | "distributedInfo" | "traceName")
}

/// Returns true if a member of the root object is the version of PyTorch's execution traces.
pub(super) fn is_execution_trace(key: &str, raw: &str) -> bool {
    key == "schema" && (raw.starts_with("\"1.0.") || raw.contains("-chakra"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_can_be_at_either_end() {
        let event = r#"{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 2, "ts": 1, "dur": 1}"#;
        let name = r#"{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "thread 2 (main)"}}"#;
        let rest = r#""distributedInfo": {"backend": "nccl", "rank": 3}, "host_name": "h", "baseTimeNanoseconds": 5"#;
        let expected = TraceHeader { base: Some(5), rank: Some(3), host: Some("h".to_owned()) };
        let first = format!("{{{rest}, \"traceEvents\": [\n{event}");
        let preview = FilePreview::of_start(first.as_bytes());
        assert_eq!((&preview.header, preview.has_events, preview.is_kineto), (&expected, true, true));
        let last = format!("{{\"traceEvents\": [\n{event},\n{event},\n{name}\n], {rest}}}\n");
        for from in [0, 1, 5, 30, 60, 100, 250] {
            let preview = FilePreview::of_end(&last.as_bytes()[from..]);
            assert_eq!(preview.header, expected, "from {from}");
            let threads = [(TrackId::Number(1), TrackId::Number(2), "thread 2 (main)".to_owned())];
            assert_eq!(preview.threads, if from < 250 { &threads[..] } else { &[] }, "from {from}");
        }
        // Members of the last event are not members of the root.
        let list = vec!["{\"a\": 1}"; 3000].join(", ");
        let long = "x".repeat(3000);
        for args in [
            format!(r#"{{"l": [{list}], "host_name": "WRONG"}}"#),
            format!(r#"{{"l": [{list}], "host_name": "WRONG", "long": "{long}"}}"#),
        ] {
            let event = format!(r#"{{"ph": "X", "name": "a", "ts": 1, "args": {args}}}"#);
            let text = format!(r#"{{"traceEvents": [{event}], "baseTimeNanoseconds": 5}}"#);
            for from in [100, 5000, 20_000] {
                let expected = TraceHeader { base: Some(5), ..TraceHeader::default() };
                assert_eq!(FilePreview::of_end(&text.as_bytes()[from..]).header, expected, "from {from}");
            }
            let text = format!(r#"{{"traceEvents": [{event}]}}"#);
            assert_eq!(FilePreview::of_end(&text.as_bytes()[5000..]).header, TraceHeader::default());
        }
        assert_eq!(FilePreview::of_end(b"").header, TraceHeader::default());
        assert!(FilePreview::of_start(br#"{"schema": "1.1.1-chakra.0.0.4", "nodes": []}"#).is_execution_trace);
        assert!(!FilePreview::of_start(b"[{\"ph\": \"X\"}]").is_kineto);
        for (start, has_events) in [
            (&b"{\"traceEvents\": [{\"args\": \"xxx"[..], true),
            (b"[{\"ph\": \"X\", \"args\": \"xxx", true),
            (b"[{\"load_s\": \"xxx", false),
        ] {
            assert_eq!(FilePreview::of_start(start).has_events, has_events);
        }
    }
}
