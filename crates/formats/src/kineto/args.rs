//! Splits the arguments of an event into columns and the rest, as JSON.

use std::collections::BTreeSet;

use crate::json;
use crate::position::Position;
use crate::scanner::{MemberName, Scanner};
use crate::secret;
use crate::table::Rows;
use crate::trace_event::ArgMember;
use crate::trace_event::args::ArgsJson;

/// The kind of an event, which determines its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgsKind {
    /// Work on the host.
    Host,
    /// Work on a device.
    Device,
    /// An event of the allocator.
    Memory,
}

/// The arguments that are columns.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ArgsColumns {
    /// Number of the device.
    pub(super) device: Option<i64>,
    pub(super) stream: Option<i64>,
    pub(super) correlation: Option<i64>,
    pub(super) external_id: Option<i64>,
    /// The recording ended before the event.
    pub(super) is_unfinished: bool,
    /// Number of the device type in PyTorch's `c10::DeviceType`.
    pub(super) device_type: Option<i64>,
    pub(super) address: Option<i64>,
    pub(super) bytes: Option<i64>,
    pub(super) allocated_bytes: Option<i64>,
    pub(super) reserved_bytes: Option<i64>,
}

/// The arguments of an event. One instance is reused for all events of a file.
#[derive(Debug, Default)]
pub(super) struct KinetoArgs {
    pub(super) columns: ArgsColumns,
    /// Members that are not columns.
    pub(super) rest: ArgsJson,
}

impl KinetoArgs {
    /// Removes the arguments of the last event.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.columns = ArgsColumns::default();
        self.rest.clear();
    }

    /// Adds arguments that were read with the event: `visit_members` are parts of `raw`. Members that are not
    /// columns are copied in runs, as written.
    #[inline]
    pub(super) fn add_members(&mut self, raw: &str, members: &[ArgMember<'_>], kind: ArgsKind) {
        let position = |part: &[u8]| (part.as_ptr() as usize).wrapping_sub(raw.as_ptr() as usize);
        let mut run: Option<(usize, usize)> = None;
        for (name, value) in members {
            if self.set_column(*name, value.text, value.integer(), kind) {
                self.add_run(raw, run.take());
                continue;
            }
            // A short name and digits cannot have a token.
            if !(name.bytes.len() < secret::MIN_TOKEN && value.text.as_bytes().first().is_some_and(u8::is_ascii_digit))
            {
                let key = name.text();
                if secret::hide_secrets(key, value.text).is_some() {
                    self.add_run(raw, run.take());
                    self.rest.add(key, value.text);
                    continue;
                }
                self.rest.has_text |= !secret::is_too_plain(key, value.text);
            }
            // The run starts at the quote before the name.
            let start = run.map_or(position(name.bytes).wrapping_sub(1), |(start, _)| start);
            run = Some((start, position(value.text.as_bytes()).wrapping_add(value.text.len())));
        }
        self.add_run(raw, run);
    }

    fn add_run(&mut self, raw: &str, run: Option<(usize, usize)>) {
        if let Some(run) = run.and_then(|(start, end)| raw.get(start..end)) {
            self.rest.add_run(run);
        }
    }

    /// Adds arguments that were not read with the event, because it was split between chunks or is not plain
    /// JSON. Members that are not columns are copied as written if the arguments are plain JSON.
    pub(super) fn add_object(&mut self, raw: &str, kind: ArgsKind, place: Position, rows: &mut Rows) {
        let mut members = Vec::new();
        if raw.starts_with('{') && Scanner::new(raw, 0).read_members(&mut members).is_some() {
            self.add_members(raw, &members, kind);
        } else {
            self.parse(raw, &BTreeSet::new(), kind, place, rows);
        }
    }

    /// Parses and adds arguments of any form, without the members named in `skip`.
    pub(super) fn parse(
        &mut self,
        raw: &str,
        skip: &BTreeSet<String>,
        kind: ArgsKind,
        place: Position,
        rows: &mut Rows,
    ) {
        if !raw.starts_with('{') {
            if raw != "null" {
                self.rest.add("args", raw);
            }
            return;
        }
        let result = json::visit_members(raw, |key, value| {
            if !skip.contains(key) && !self.set_column(MemberName::new(key.as_bytes()), value, None, kind) {
                self.rest.add(key, value);
            }
        });
        // The text was checked with the event, but it can exceed the depth limit of the parser.
        if let Err(error) = result {
            place.repair(rows, "bad_value", || format!("args can be read only in part: {error}"));
        }
    }

    /// Stores a member that is a column. Returns false for all others, for the second one of a name, and for
    /// values that are not canonical integers. `integer` is the value if the scanner parsed it.
    #[inline]
    fn set_column(&mut self, name: MemberName<'_>, raw: &str, integer: Option<i64>, kind: ArgsKind) -> bool {
        const fn word(name: &str) -> u64 {
            MemberName::word(name.as_bytes())
        }
        const EXTERNAL: u64 = word("External");
        const LOWER_EXTERNAL: u64 = word("external");
        const CORRELATION: u64 = word("correlation");
        const STREAM: u64 = word("stream");
        const DEVICE: u64 = word("device");
        const FINISHED: u64 = word("finished");
        let columns = &mut self.columns;
        let column = match (name.word, name.bytes) {
            (EXTERNAL, b"External id") | (LOWER_EXTERNAL, b"external id") => &mut columns.external_id,
            (CORRELATION, b"correlation") => &mut columns.correlation,
            (STREAM, _) => &mut columns.stream,
            (DEVICE, _) if kind == ArgsKind::Device => &mut columns.device,
            (FINISHED, b"finished") => {
                columns.is_unfinished = raw == "false";
                return false;
            }
            (_, name) if kind == ArgsKind::Memory => match name {
                b"Device Type" => &mut columns.device_type,
                b"Device Id" => &mut columns.device,
                b"Addr" => &mut columns.address,
                b"Bytes" => &mut columns.bytes,
                b"Total Allocated" => &mut columns.allocated_bytes,
                b"Total Reserved" => &mut columns.reserved_bytes,
                _ => return false,
            },
            _ => return false,
        };
        if column.is_some() {
            return false;
        }
        *column = integer.or_else(|| parse_canonical(raw));
        column.is_some()
    }
}

/// Parses an integer, if `raw` is its canonical text. None for anything else.
#[inline]
pub(super) fn parse_canonical(raw: &str) -> Option<i64> {
    match raw.as_bytes() {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] | [b'-', b'1'..=b'9', ..] => raw.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the arguments with the scanner and with the parser. The results may differ in blanks only.
    fn read(raw: &str, kind: ArgsKind) -> (ArgsColumns, String) {
        let mut rows = Rows::new("r");
        let mut slow = KinetoArgs::default();
        slow.parse(raw, &BTreeSet::new(), kind, Position::START, &mut rows);
        let mut members = Vec::new();
        assert!(Scanner::new(raw, 0).read_members(&mut members).is_some());
        let mut fast = KinetoArgs::default();
        fast.add_members(raw, &members, kind);
        let (slow_rest, fast_rest) =
            (slow.rest.finish(Position::START, &mut rows), fast.rest.finish(Position::START, &mut rows));
        let value = |rest: Option<&str>| rest.map(|rest| serde_json::from_str::<serde_json::Value>(rest).unwrap());
        assert_eq!(value(slow_rest), value(fast_rest), "{raw}");
        let rest = fast_rest.unwrap_or_default().to_owned();
        (fast.columns, rest)
    }

    #[test]
    fn members_that_are_not_columns_stay_as_written() {
        let raw = r#"{ "External id": 7, "queued": 0, "grid": [1,
            2], "device": 3, "stream": 4294967295, "correlation": -5 , "block" : {"x": 1} }"#;
        let (args, rest) = read(raw, ArgsKind::Device);
        assert_eq!((args.external_id, args.device), (Some(7), Some(3)));
        assert_eq!((args.stream, args.correlation), (Some(4_294_967_295), Some(-5)));
        assert_eq!(rest, "{\"queued\": 0, \"grid\": [1,\n            2],\"block\" : {\"x\": 1}}");
        let (args, rest) = read(r#"{"correlation":1}"#, ArgsKind::Host);
        assert_eq!((args.correlation, rest.as_str()), (Some(1), ""));
        assert_eq!(read("{}", ArgsKind::Host).1, "");
    }

    #[test]
    fn only_integers_that_fit_are_columns() {
        for raw in ["10159970886766084423", "1.0", "-0", "\"0x0\"", "\"7\"", "null", "1e3", "[1]"] {
            let (args, rest) = read(&format!("{{\"stream\":{raw}}}"), ArgsKind::Host);
            assert_eq!((args.stream, rest), (None, format!("{{\"stream\":{raw}}}")));
        }
        // Only the first one, and a device only for work on a device.
        let (args, rest) = read(r#"{"external id":1,"External id":2,"device":3}"#, ArgsKind::Host);
        assert_eq!((args.external_id, args.device), (Some(1), None));
        assert_eq!(rest, r#"{"External id":2,"device":3}"#);
    }

    #[test]
    fn allocations_have_columns_of_their_own() {
        let raw = r#"{"Total Reserved": 9, "Total Allocated": 8, "Bytes": -7, "Addr": 6, "Device Id": -1,
            "Device Type": 0, "finished": false, "Ev Idx": 5}"#;
        let (args, rest) = read(raw, ArgsKind::Memory);
        assert_eq!((args.reserved_bytes, args.allocated_bytes, args.bytes), (Some(9), Some(8), Some(-7)));
        assert_eq!((args.address, args.device, args.device_type), (Some(6), Some(-1), Some(0)));
        assert!(args.is_unfinished);
        assert_eq!(rest, r#"{"finished": false, "Ev Idx": 5}"#);
        assert_eq!(read(raw, ArgsKind::Host).0.bytes, None);
    }

    #[test]
    fn names_of_numbers_are_masked_too() {
        for (name, clean) in [("user:secret@", None), ("a://b:c@d", Some("a://b:***@d"))] {
            let (_, rest) = read(&format!(r#"{{"Ev Idx":1,"{name}":2}}"#), ArgsKind::Host);
            assert_eq!(rest, format!(r#"{{"Ev Idx":1,"{}":2}}"#, clean.unwrap_or(name)));
        }
        let token = format!("AKIA{}", "ABCDEFGHIJKLMNO7");
        for raw in [format!(r#"{{"{token}":1}}"#), format!(r#"{{"a":[1, "{token}"]}}"#)] {
            assert_eq!(read(&raw, ArgsKind::Host).1, raw.replace(&token, "AKIA***"));
        }
    }

    #[test]
    fn environments_and_tokens_are_masked() {
        let token = format!("AKIA{}", "ABCDEFGHIJKLMNO7");
        let (_, rest) = read(&format!(r#"{{"a":1,"environ":{{"KEY":"{token}"}},"x":"{token}"}}"#), ArgsKind::Host);
        assert_eq!(rest, r#"{"a":1,"environ":["KEY"],"x":"AKIA***"}"#);
    }
}
