//! Arrows between events.

use super::event::Row;
use crate::format::{add_string, members, unquote};

/// Numbers up to here are exact in every viewer.
const EXACT: u64 = 1 << 53;

/// An arrow begins, goes on or ends.
#[derive(Debug)]
pub(super) struct Flow<'a> {
    pub(super) phase: &'static str,
    /// Its id as it was written, if it is no correlation.
    pub(super) id: Option<&'a str>,
    /// Arguments of its own.
    pub(super) rest: String,
}

impl<'a> Flow<'a> {
    /// The arrow of a row; none if it says not which end it is.
    pub(super) fn read(row: &Row<'a>, without_ts: bool) -> Option<Self> {
        let args = row.args?;
        let (mut phase, mut id, mut rest) = (None, None, String::new());
        // A reader puts phase and id before the arguments of the event's own.
        let read = members(args, |key, raw| match (key, raw) {
            ("ph", "\"s\"") if phase.is_none() => phase = Some("s"),
            ("ph", "\"t\"") if phase.is_none() => phase = Some("t"),
            ("ph", "\"f\"") if phase.is_none() => phase = Some("f"),
            // an arrow has hardly a `ts` of its own
            ("ts", _) if without_ts => {}
            ("id", raw) if id.is_none() && row.correlation.is_none() => id = Some(raw),
            (key, raw) => {
                rest.push(if rest.is_empty() { '{' } else { ',' });
                add_string(&mut rest, key);
                rest.push(':');
                rest.push_str(raw);
            }
        });
        if !rest.is_empty() {
            rest.push('}');
        }
        read.ok()?;
        Some(Self { phase: phase?, id, rest })
    }
}

/// Keeps the arrows of several recordings apart: each counts its ids for itself.
#[derive(Debug)]
pub(super) struct Flows {
    pub(super) recordings: u64,
}

impl Flows {
    /// The id of an arrow in the file, as JSON. Of a single recording it is the recorded one.
    pub(super) fn id(&self, correlation: Option<i64>, raw: Option<&str>, recording: u64) -> Option<String> {
        let written = correlation.map(|number| number.to_string()).or(raw.map(str::to_owned))?;
        if self.recordings < 2 {
            return Some(written);
        }
        let text = unquote(&written).unwrap_or_default();
        let number = match written.parse::<u64>() {
            Ok(number) => Some(number),
            // viewers read a text as a hexadecimal number
            Err(_) => u64::from_str_radix(text.trim_start_matches("0x"), 16).ok(),
        };
        let apart = number.and_then(|number| number.checked_mul(self.recordings)?.checked_add(recording));
        let apart = apart.filter(|number| *number < EXACT).unwrap_or_else(|| hash(&written, recording));
        Some(apart.to_string())
    }
}

/// A number for an id that has no room for the recording beside it (FNV-1a).
fn hash(id: &str, recording: u64) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = id.bytes().chain(recording.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ hash >> 53) % EXACT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_recording_keeps_its_ids() {
        let one = Flows { recordings: 1 };
        assert_eq!(one.id(Some(7), None, 0).as_deref(), Some("7"));
        assert_eq!(one.id(None, Some("\"0x7f\""), 0).as_deref(), Some("\"0x7f\""));
        assert_eq!(one.id(None, None, 0), None);
    }

    #[test]
    fn recordings_stay_apart_and_both_ends_together() {
        let eight = Flows { recordings: 8 };
        let mut seen = std::collections::HashSet::new();
        for recording in 0..8 {
            for raw in ["7", "\"9\"", "-1", "\"0xffffffffffffffff\"", "\"a name\"", "18446744073709551615"] {
                let id = eight.id(None, Some(raw), recording).unwrap();
                assert_eq!(eight.id(None, Some(raw), recording).unwrap(), id);
                assert!(id.parse::<u64>().unwrap() < EXACT);
                assert!(seen.insert(id), "{raw} of {recording}");
            }
        }
        assert_eq!(eight.id(Some(7), None, 3).as_deref(), Some("59"));
    }
}
