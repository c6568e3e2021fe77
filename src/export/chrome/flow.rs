//! Flow events: the ends of arrows between events.

use super::event::EventRow;
use super::out::append_member;
use crate::format::{unquote, visit_members};

/// Numbers below this are exact in every viewer.
const MAX_EXACT: u64 = 1 << 53;

/// One end of an arrow, or a point between.
#[derive(Debug)]
pub(super) struct Flow<'a> {
    /// `s` (start), `t` (step) or `f` (finish).
    pub(super) phase: &'static str,
    /// The id as JSON; None if the correlation is the id.
    pub(super) id: Option<&'a str>,
    /// Other arguments of the event, as JSON.
    pub(super) args: String,
}

impl<'a> Flow<'a> {
    /// Parses a row; None without a phase.
    pub(super) fn parse(row: &EventRow<'a>) -> Option<Self> {
        let row_args = row.args?;
        let (mut phase, mut id, mut args) = (None, None, String::new());
        // A reader puts phase and id before the arguments of the event.
        let parsed = visit_members(row_args, |key, raw| match (key, raw) {
            ("ph", "\"s\"") if phase.is_none() => phase = Some("s"),
            ("ph", "\"t\"") if phase.is_none() => phase = Some("t"),
            ("ph", "\"f\"") if phase.is_none() => phase = Some("f"),
            ("id", raw) if id.is_none() && row.correlation.is_none() => id = Some(raw),
            (key, raw) => append_member(&mut args, key, raw),
        });
        if !args.is_empty() {
            args.push('}');
        }
        parsed.ok()?;
        Some(Self { phase: phase?, id, args })
    }
}

/// Makes the ids of arrows unique: each recording numbers its arrows separately.
#[derive(Debug)]
pub(super) struct FlowIds {
    pub(super) recordings: u64,
}

impl FlowIds {
    /// Returns the id of an arrow in the file, as JSON. With one recording it is the recorded id.
    pub(super) fn id(&self, correlation: Option<i64>, raw: Option<&str>, recording: u64) -> Option<String> {
        let recorded_id = correlation.map(|number| number.to_string()).or(raw.map(str::to_owned))?;
        if self.recordings < 2 {
            return Some(recorded_id);
        }
        let text = unquote(&recorded_id).unwrap_or_default();
        let number = match recorded_id.parse::<u64>() {
            Ok(number) => Some(number),
            // Viewers read a text as a hexadecimal number.
            Err(_) => u64::from_str_radix(text.trim_start_matches("0x"), 16).ok(),
        };
        let unique = number.and_then(|number| number.checked_mul(self.recordings)?.checked_add(recording));
        let unique = unique.filter(|number| *number < MAX_EXACT).unwrap_or_else(|| hash(&recorded_id, recording));
        Some(unique.to_string())
    }
}

/// Returns a hash (FNV-1a) for an id that cannot be combined with the number of the recording.
fn hash(id: &str, recording: u64) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = id.bytes().chain(recording.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ hash >> 53) % MAX_EXACT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_recording_has_its_recorded_ids() {
        let one = FlowIds { recordings: 1 };
        assert_eq!(one.id(Some(7), None, 0).as_deref(), Some("7"));
        assert_eq!(one.id(None, Some("\"0x7f\""), 0).as_deref(), Some("\"0x7f\""));
        assert_eq!(one.id(None, None, 0), None);
    }

    #[test]
    fn ids_are_unique_per_recording_and_equal_at_both_ends() {
        let eight = FlowIds { recordings: 8 };
        let mut ids = std::collections::HashSet::new();
        for recording in 0..8 {
            for raw in ["7", "\"9\"", "-1", "\"0xffffffffffffffff\"", "\"a name\"", "18446744073709551615"] {
                let id = eight.id(None, Some(raw), recording).unwrap();
                assert_eq!(eight.id(None, Some(raw), recording).unwrap(), id);
                assert!(id.parse::<u64>().unwrap() < MAX_EXACT);
                assert!(ids.insert(id), "{raw} of {recording}");
            }
        }
        assert_eq!(eight.id(Some(7), None, 3).as_deref(), Some("59"));
    }
}
