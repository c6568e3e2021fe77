//! The arguments of an event: what becomes a column, and the rest as JSON.

use std::borrow::Cow;

use crate::json;
use crate::place::Place;
use crate::scanner::{Name, Scanner};
use crate::secret::{self, clean_json};
use crate::table::Rows;
use crate::trace_event::Member;

/// Which arguments an event of this sort has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Work on the host.
    Host,
    /// Work on a device.
    Device,
    /// An allocator's event.
    Memory,
}

/// What an event's arguments say. One is reused for all events of a file.
#[derive(Debug, Default)]
pub(super) struct Args {
    /// Number of the device.
    pub(super) device: Option<i64>,
    pub(super) stream: Option<i64>,
    pub(super) correlation: Option<i64>,
    pub(super) external_id: Option<i64>,
    /// The recording ended before the event did.
    pub(super) unfinished: bool,
    /// c10's number of the type of the device.
    pub(super) device_type: Option<i64>,
    pub(super) address: Option<i64>,
    pub(super) bytes: Option<i64>,
    pub(super) allocated_bytes: Option<i64>,
    pub(super) reserved_bytes: Option<i64>,
    /// Members that no column took: empty, or JSON without its closing brace.
    rest: String,
    /// Something in the rest was hidden.
    masked: bool,
    /// There is a text in the rest, which may be a token.
    has_text: bool,
}

impl Args {
    /// Forgets the event before.
    #[inline]
    pub(super) fn clear(&mut self) {
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        *self = Self { rest, ..Self::default() };
    }

    /// Takes arguments that have been read already: `members` are parts of `raw`. The rest is copied in
    /// runs, as it was written.
    #[inline]
    pub(super) fn take(&mut self, raw: &str, members: &[Member<'_>], sort: Sort) {
        // a name begins behind its quote
        let start = |part: &[u8]| (part.as_ptr() as usize).wrapping_sub(raw.as_ptr() as usize);
        let mut run: Option<(usize, usize)> = None;
        for (name, value) in members {
            if self.promote(*name, value.text, value.integer(), sort) {
                if let Some((from, to)) = run.take() {
                    self.add_run(raw.get(from..to));
                }
                continue;
            }
            // digits are none, and beside a short name no part of a token
            if !(name.bytes.len() < secret::SHORTEST && value.text.as_bytes().first().is_some_and(u8::is_ascii_digit)) {
                let key = name.text();
                if let Some(kept) = secret::hidden(key, value.text) {
                    if let Some((from, to)) = run.take() {
                        self.add_run(raw.get(from..to));
                    }
                    (self.masked, self.has_text) = (true, true);
                    json::add_member(&mut self.rest, key, &kept);
                    continue;
                }
                self.has_text |= !secret::is_too_plain(key, value.text);
            }
            let from = run.map_or(start(name.bytes).wrapping_sub(1), |(from, _)| from);
            run = Some((from, start(value.text.as_bytes()).wrapping_add(value.text.len())));
        }
        if let Some((from, to)) = run {
            self.add_run(raw.get(from..to));
        }
    }

    fn add_run(&mut self, run: Option<&str>) {
        let Some(run) = run else { return };
        self.rest.push(if self.rest.is_empty() { '{' } else { ',' });
        self.rest.push_str(run);
    }

    /// Takes the arguments of an event whose members were not read with it, because it came in pieces or is no plain
    /// JSON: the rest stays as it was written all the same.
    pub(super) fn scan(&mut self, raw: &str, sort: Sort, place: Place, rows: &mut Rows) {
        let mut members = Vec::new();
        if raw.starts_with('{') && Scanner::new(raw, 0).members_into(&mut members).is_some() {
            self.take(raw, &members, sort);
        } else {
            self.read(raw, |_| false, sort, place, rows);
        }
    }

    /// Reads the arguments `raw`, whatever they are; without those that `except` says.
    pub(super) fn read(&mut self, raw: &str, except: impl Fn(&str) -> bool, sort: Sort, place: Place, rows: &mut Rows) {
        if !raw.starts_with('{') {
            if raw != "null" {
                self.add("args", raw);
            }
            return;
        }
        let read = json::members(raw, |key, value| {
            if !except(key) && !self.promote(Name::new(key.as_bytes()), value, None, sort) {
                self.add(key, value);
            }
        });
        // the text was checked when the event was; the depth limit of the parser may still be met
        if let Err(error) = read {
            rows.repair("bad_value", place.byte(), || format!("{place}: args can be read only in part: {error}"));
        }
    }

    /// Takes a member that is a column; only the first of a name, and only integers as programs write them: `integer` is it
    /// if that is known.
    #[inline]
    fn promote(&mut self, name: Name<'_>, raw: &str, integer: Option<i64>, sort: Sort) -> bool {
        const fn word(name: &str) -> u64 {
            Name::word(name.as_bytes())
        }
        const EXTERNAL: u64 = word("External");
        const LOWER_EXTERNAL: u64 = word("external");
        const CORRELATION: u64 = word("correlation");
        const STREAM: u64 = word("stream");
        const DEVICE: u64 = word("device");
        const FINISHED: u64 = word("finished");
        let column = match (name.word, name.bytes) {
            (EXTERNAL, b"External id") | (LOWER_EXTERNAL, b"external id") => &mut self.external_id,
            (CORRELATION, b"correlation") => &mut self.correlation,
            (STREAM, _) => &mut self.stream,
            (DEVICE, _) if sort == Sort::Device => &mut self.device,
            (FINISHED, b"finished") => {
                self.unfinished = raw == "false";
                return false;
            }
            (_, name) if sort == Sort::Memory => match name {
                b"Device Type" => &mut self.device_type,
                b"Device Id" => &mut self.device,
                b"Addr" => &mut self.address,
                b"Bytes" => &mut self.bytes,
                b"Total Allocated" => &mut self.allocated_bytes,
                b"Total Reserved" => &mut self.reserved_bytes,
                _ => return false,
            },
            _ => return false,
        };
        if column.is_some() {
            return false;
        }
        *column = integer.or_else(|| canonical(raw));
        column.is_some()
    }

    /// Adds a member to the rest.
    pub(super) fn add(&mut self, key: &str, raw: &str) {
        let kept = secret::hidden(key, raw);
        self.masked |= kept.is_some();
        self.has_text = true;
        json::add_member(&mut self.rest, key, kept.as_deref().unwrap_or(raw));
    }

    /// Adds a text to the rest.
    pub(super) fn add_text(&mut self, key: &str, text: &str) {
        self.has_text = true;
        json::add_member(&mut self.rest, key, "");
        json::add_string(&mut self.rest, text);
    }

    /// What no column took, as JSON, with credentials masked; none if there is nothing.
    #[inline]
    pub(super) fn rest(&mut self, place: Place, rows: &mut Rows) -> Option<&str> {
        if self.rest.is_empty() {
            return None;
        }
        self.rest.push('}');
        if self.masked {
            secret::masked(rows, place);
        }
        // a slash may be one of an address
        if (self.has_text || self.rest.contains('/'))
            && let Cow::Owned(clean) = clean_json(&self.rest, place, rows)
        {
            self.rest = clean;
        }
        Some(&self.rest)
    }
}

/// An integer written in the one way that gives the same text back; anything else stays text.
#[inline]
pub(super) fn canonical(raw: &str) -> Option<i64> {
    match raw.as_bytes() {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] | [b'-', b'1'..=b'9', ..] => raw.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments by both ways, which agree but for blanks.
    fn read(raw: &str, sort: Sort) -> (Args, String) {
        let mut rows = Rows::new("r");
        let mut slow = Args::default();
        slow.read(raw, |_| false, sort, Place::START, &mut rows);
        let mut members = Vec::new();
        assert!(Scanner::new(raw, 0).members_into(&mut members).is_some());
        let mut fast = Args::default();
        fast.take(raw, &members, sort);
        let (slow_rest, fast_rest) = (slow.rest(Place::START, &mut rows), fast.rest(Place::START, &mut rows));
        let value = |rest: Option<&str>| rest.map(|rest| serde_json::from_str::<serde_json::Value>(rest).unwrap());
        assert_eq!(value(slow_rest), value(fast_rest), "{raw}");
        let rest = fast_rest.unwrap_or_default().to_owned();
        (fast, rest)
    }

    #[test]
    fn columns_are_taken_out_and_the_rest_stays_as_it_was() {
        let raw = r#"{ "External id": 7, "queued": 0, "grid": [1,
            2], "device": 3, "stream": 4294967295, "correlation": -5 , "block" : {"x": 1} }"#;
        let (args, rest) = read(raw, Sort::Device);
        assert_eq!((args.external_id, args.device), (Some(7), Some(3)));
        assert_eq!((args.stream, args.correlation), (Some(4_294_967_295), Some(-5)));
        assert_eq!(rest, "{\"queued\": 0, \"grid\": [1,\n            2],\"block\" : {\"x\": 1}}");
        let (args, rest) = read(r#"{"correlation":1}"#, Sort::Host);
        assert_eq!((args.correlation, rest.as_str()), (Some(1), ""));
        assert_eq!(read("{}", Sort::Host).1, "");
    }

    #[test]
    fn only_integers_that_fit_are_columns() {
        for raw in ["10159970886766084423", "1.0", "-0", "\"0x0\"", "\"7\"", "null", "1e3", "[1]"] {
            let (args, rest) = read(&format!("{{\"stream\":{raw}}}"), Sort::Host);
            assert_eq!((args.stream, rest), (None, format!("{{\"stream\":{raw}}}")));
        }
        // only the first; a device only of work on a device
        let (args, rest) = read(r#"{"external id":1,"External id":2,"device":3}"#, Sort::Host);
        assert_eq!((args.external_id, args.device), (Some(1), None));
        assert_eq!(rest, r#"{"External id":2,"device":3}"#);
    }

    #[test]
    fn allocations_have_columns_of_their_own() {
        let raw = r#"{"Total Reserved": 9, "Total Allocated": 8, "Bytes": -7, "Addr": 6, "Device Id": -1,
            "Device Type": 0, "finished": false, "Ev Idx": 5}"#;
        let (args, rest) = read(raw, Sort::Memory);
        assert_eq!((args.reserved_bytes, args.allocated_bytes, args.bytes), (Some(9), Some(8), Some(-7)));
        assert_eq!((args.address, args.device, args.device_type), (Some(6), Some(-1), Some(0)));
        assert!(args.unfinished);
        assert_eq!(rest, r#"{"finished": false, "Ev Idx": 5}"#);
        assert_eq!(read(raw, Sort::Host).0.bytes, None);
    }

    #[test]
    fn a_name_is_looked_at_beside_numbers_too() {
        for (name, clean) in [("user:secret@", None), ("a://b:c@d", Some("a://b:***@d"))] {
            let (_, rest) = read(&format!(r#"{{"Ev Idx":1,"{name}":2}}"#), Sort::Host);
            assert_eq!(rest, format!(r#"{{"Ev Idx":1,"{}":2}}"#, clean.unwrap_or(name)));
        }
        let token = format!("AKIA{}", "ABCDEFGHIJKLMNO7");
        for raw in [format!(r#"{{"{token}":1}}"#), format!(r#"{{"a":[1, "{token}"]}}"#)] {
            assert_eq!(read(&raw, Sort::Host).1, raw.replace(&token, "AKIA***"));
        }
    }

    #[test]
    fn environments_and_tokens_are_masked() {
        let token = format!("AKIA{}", "ABCDEFGHIJKLMNO7");
        let (_, rest) = read(&format!(r#"{{"a":1,"environ":{{"KEY":"{token}"}},"x":"{token}"}}"#), Sort::Host);
        assert_eq!(rest, r#"{"a":1,"environ":["KEY"],"x":"AKIA***"}"#);
    }
}
