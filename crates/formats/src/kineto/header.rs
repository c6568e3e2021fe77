//! What the members beside the events say about all events: time base, rank, machine, names of threads.
//!
//! They may stand before the events or after them, so they are looked for in the first and in the last
//! bytes of a file before it is read.

use super::args::canonical;
use super::track::Id;
use super::vocabulary;
use crate::json;
use crate::number::scaled;
use crate::trace_event::{Damage, Fields, Item, Reader};

/// What is known of a whole file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Header {
    /// What times count from, in ns since the epoch.
    pub(super) base: Option<i64>,
    /// Global rank.
    pub(super) rank: Option<i64>,
    /// Machine.
    pub(super) host: Option<String>,
}

impl Header {
    /// Takes a member of the root object.
    pub(super) fn learn(&mut self, key: &str, raw: &str) {
        match key {
            "baseTimeNanoseconds" => self.learn_base(raw),
            "viztracer_metadata" => {
                let _ = json::members(raw, |key, raw| {
                    if key == "baseTimeNanoseconds" {
                        self.learn_base(raw);
                    }
                });
            }
            "host_name" => {
                let host = json::unquote(raw).filter(|host| !host.trim().is_empty());
                self.host = host.map(|host| host.trim().to_owned()).or(self.host.take());
            }
            "distributedInfo" => {
                // of damaged information: what could be read
                let _ = json::members(raw, |key, raw| {
                    if key == "rank" {
                        self.rank = canonical(json::number_text(raw)).filter(|rank| *rank >= 0).or(self.rank);
                    }
                });
            }
            _ => {}
        }
    }

    fn learn_base(&mut self, raw: &str) {
        self.base = scaled(json::number_text(raw), 0).value().or(self.base);
    }
}

/// What some bytes of a file say, as far as they go.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact")]
pub(super) struct Glance {
    pub(super) header: Header,
    /// Names of threads.
    pub(super) threads: Vec<(Id, Id, String)>,
    /// There is an event.
    pub(super) events: bool,
    /// The base stands before the events.
    pub(super) early_base: bool,
    /// Only the PyTorch profiler writes such members or events.
    pub(super) kineto: bool,
    /// The root has a version, as that of other JSON may.
    versioned: bool,
    /// Names that an execution trace of PyTorch has at its root.
    pub(super) execution_trace: bool,
}

impl Glance {
    /// Looks at the first bytes.
    pub(super) fn head(head: &[u8]) -> Self {
        let mut glance = Self::default();
        glance.read(Reader::default(), head, false);
        glance
    }

    /// Looks at the last bytes, which begin anywhere; or at a whole file.
    pub(super) fn tail(tail: &[u8]) -> Self {
        let whole = Self::head(tail);
        if whole.events {
            return whole;
        }
        let mut glance = Self::default();
        let closed = glance.read(Reader::amid(), tail, true);
        if !closed || glance.header == Header::default() {
            // what is behind the events is larger than this, or they were not closed: members count that
            // stand in a row with the end of the file
            glance.header = Header::default();
            let text = String::from_utf8_lossy(tail);
            for key in ["\"baseTimeNanoseconds\"", "\"distributedInfo\"", "\"host_name\""] {
                let Some(at) = text.rfind(key) else { continue };
                let mut rest = Self::default();
                if rest.read(Reader::default(), format!("{{{}", &text[at..]).as_bytes(), false) {
                    glance.header.base = glance.header.base.or(rest.header.base);
                    glance.header.rank = glance.header.rank.or(rest.header.rank);
                    glance.header.host = glance.header.host.or(rest.header.host);
                }
            }
        }
        glance
    }

    /// Reads on; whether the root was closed at the end. `amid` the events, members before an event are
    /// no members of the root.
    fn read(&mut self, mut reader: Reader, bytes: &[u8], amid: bool) -> bool {
        let mut each = |item: Item<'_>| match item {
            Item::Event(_, Some(fields), _) => {
                self.forget(amid);
                self.event(fields);
            }
            Item::Event(text, None, _) => {
                self.forget(amid);
                if let Ok(fields) = Fields::parse(text) {
                    self.event(&fields);
                }
            }
            Item::Entry(key, raw, _) => self.entry(key, raw),
            Item::Damage(Damage::Reopened, _) => self.forget(amid),
            // the first event is larger than what there is
            Item::Damage(Damage::TruncatedEvent, place) if !amid => {
                let start = usize::try_from(place.offset).ok().and_then(|start| bytes.get(start..));
                let listed = bytes.starts_with(b"{");
                self.events |= start.is_some_and(|event| listed || event.starts_with(b"{\"ph\""));
            }
            Item::Damage(..) => {}
        };
        if reader.push(bytes, &mut each).is_ok() {
            reader.end(&mut each);
        }
        // a member may be larger than what there is: the groups of thousands of ranks
        if let Some((key, raw)) = reader.open_entry().filter(|_| !amid) {
            self.kineto |= is_kineto(key);
            if key == "distributedInfo" {
                self.header.learn(key, &raw);
            }
        }
        reader.is_closed()
    }

    fn forget(&mut self, amid: bool) {
        if amid {
            self.header = Header::default();
        }
    }

    fn entry(&mut self, key: &str, raw: &str) {
        self.header.learn(key, raw);
        self.early_base |= !self.events && self.header.base.is_some();
        self.kineto |= is_kineto(key);
        self.versioned |= key == "schemaVersion";
        self.execution_trace |= is_execution_trace(key, raw);
    }

    fn event(&mut self, fields: &Fields<'_>) {
        if fields.phase().is_empty() {
            return;
        }
        self.events = true;
        self.kineto |= self.versioned;
        let text = |raw: Option<&str>| raw.and_then(json::unquote).unwrap_or_default().into_owned();
        let name = text(fields.name);
        self.kineto |= fields.cat.is_some_and(|cat| vocabulary::is_kineto(cat.trim_matches('"')));
        if fields.phase() == "M" && name == "thread_name" {
            let mut thread = String::new();
            // a name that cannot be read is none
            let _ = json::members(fields.args.unwrap_or("{}"), |key, raw| {
                if key == "name" {
                    thread = text(Some(raw));
                }
            });
            self.threads.push((Id::parse(fields.pid), Id::parse(fields.tid), thread));
        }
    }
}

/// Whether only the PyTorch profiler writes a member of this name at the root.
fn is_kineto(key: &str) -> bool {
    matches!(key, "deviceProperties" | "distributedInfo" | "traceName")
}

/// Whether a member of the root object is the version of PyTorch's execution traces.
pub(super) fn is_execution_trace(key: &str, raw: &str) -> bool {
    key == "schema" && (raw.starts_with("\"1.0.") || raw.contains("-chakra"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_may_stand_at_either_end() {
        let event = r#"{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 2, "ts": 1, "dur": 1}"#;
        let name = r#"{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "thread 2 (main)"}}"#;
        let rest = r#""distributedInfo": {"backend": "nccl", "rank": 3}, "host_name": "h", "baseTimeNanoseconds": 5"#;
        let expected = Header { base: Some(5), rank: Some(3), host: Some("h".to_owned()) };
        let first = format!("{{{rest}, \"traceEvents\": [\n{event}");
        let glance = Glance::head(first.as_bytes());
        assert_eq!((&glance.header, glance.events, glance.kineto), (&expected, true, true));
        let last = format!("{{\"traceEvents\": [\n{event},\n{event},\n{name}\n], {rest}}}\n");
        for from in [0, 1, 5, 30, 60, 100, 250] {
            let glance = Glance::tail(&last.as_bytes()[from..]);
            assert_eq!(glance.header, expected, "from {from}");
            let named = [(Id::Number(1), Id::Number(2), "thread 2 (main)".to_owned())];
            assert_eq!(glance.threads, if from < 250 { &named[..] } else { &[] }, "from {from}");
        }
        // members of the last event are not those of the root
        let list = vec!["{\"a\": 1}"; 3000].join(", ");
        let long = "x".repeat(3000);
        for args in [
            format!(r#"{{"l": [{list}], "host_name": "WRONG"}}"#),
            format!(r#"{{"l": [{list}], "host_name": "WRONG", "long": "{long}"}}"#),
        ] {
            let event = format!(r#"{{"ph": "X", "name": "a", "ts": 1, "args": {args}}}"#);
            let text = format!(r#"{{"traceEvents": [{event}], "baseTimeNanoseconds": 5}}"#);
            for from in [100, 5000, 20_000] {
                let expected = Header { base: Some(5), ..Header::default() };
                assert_eq!(Glance::tail(&text.as_bytes()[from..]).header, expected, "from {from}");
            }
            let text = format!(r#"{{"traceEvents": [{event}]}}"#);
            assert_eq!(Glance::tail(&text.as_bytes()[5000..]).header, Header::default());
        }
        assert_eq!(Glance::tail(b"").header, Header::default());
        assert!(Glance::head(br#"{"schema": "1.1.1-chakra.0.0.4", "nodes": []}"#).execution_trace);
        assert!(!Glance::head(b"[{\"ph\": \"X\"}]").kineto);
        for (head, events) in [
            (&b"{\"traceEvents\": [{\"args\": \"xxx"[..], true),
            (b"[{\"ph\": \"X\", \"args\": \"xxx", true),
            (b"[{\"load_s\": \"xxx", false),
        ] {
            assert_eq!(Glance::head(head).events, events);
        }
    }
}
