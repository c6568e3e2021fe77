//! Reports what is wrong with a trace as rows of table `problem`.

use super::{EventFields, TraceProblem};
use crate::json;
use crate::number::{ParsedInteger, parse_scaled};
use crate::position::Position;
use crate::secret::quote_masked;
use crate::table::{Rows, Severity};

impl TraceProblem {
    /// Adds it to table `problem`.
    pub(crate) fn report(self, place: Position, rows: &mut Rows) {
        let byte = place.byte();
        match self {
            Self::NotUtf8 => {
                rows.repair("not_utf8", byte, || format!("{place}: bytes that are not UTF-8 were replaced"));
            }
            Self::Event(why) => report_unreadable(why, place, rows),
            Self::Member(why) => rows.skip("bad_member", byte, || format!("{place}: {why}")),
            Self::TruncatedEvent => {
                rows.skip("truncated", byte, || format!("{place}: the file ends inside this event"));
            }
            Self::Truncated => rows.problem(Severity::Warning, "truncated", byte, || {
                format!("{place}: the file ends without its closing bracket")
            }),
            Self::Reopened => rows.problem(Severity::Warning, "bad_structure", byte, || {
                format!(
                    "{place}: the list of events continues; members of a corrupt event may have been read as members of the root"
                )
            }),
            Self::Structure(why) => rows.problem(Severity::Warning, "bad_structure", byte, || {
                format!("{place}: {why}; the rest of the file is not read")
            }),
        }
    }
}

/// Calls `each` with the members of an event. An event that is nearly JSON is repaired and reported.
pub(crate) fn read(
    text: &str,
    place: Position,
    rows: &mut Rows,
    mut each: impl FnMut(&EventFields<'_>, &mut Rows),
) -> serde_json::Result<()> {
    let repaired;
    let fields = match EventFields::parse(text) {
        Ok(fields) => fields,
        Err(error) => {
            let Some(text) = json::repair_json(text) else { return Err(error) };
            repaired = text;
            let Ok(fields) = EventFields::parse(&repaired) else { return Err(error) };
            rows.repair("repaired", place.byte(), || format!("{place}: not valid JSON ({error}); read anyway"));
            fields
        }
    };
    each(&fields, rows);
    Ok(())
}

/// Reports an event that could not be read.
pub(crate) fn report_unreadable(why: &str, place: Position, rows: &mut Rows) {
    rows.skip("bad_line", place.byte(), || format!("{place}: {why}"));
}

impl EventFields<'_> {
    /// Start in ns. Reports a missing or invalid `ts`.
    #[inline]
    pub(crate) fn start(&self, place: Position, rows: &mut Rows) -> Option<i64> {
        self.numbers.ts.or_else(|| parse_microseconds("ts", self.ts, place, rows))
    }

    /// Duration in ns. Reports an invalid `dur`.
    #[inline]
    pub(crate) fn duration(&self, place: Position, rows: &mut Rows) -> Option<i64> {
        self.numbers.dur.or_else(|| parse_microseconds("dur", self.dur, place, rows))
    }
}

#[inline(never)]
fn parse_microseconds(name: &str, raw: Option<&str>, place: Position, rows: &mut Rows) -> Option<i64> {
    let Some(raw) = raw else {
        if name == "ts" {
            rows.repair("no_ts", place.byte(), || format!("{place}: no ts; time unknown"));
        }
        return None;
    };
    let number = parse_scaled(json::number_text(raw), 3);
    match number {
        ParsedInteger::Is(_) => {}
        ParsedInteger::Not => {
            rows.repair("bad_value", place.byte(), || {
                format!("{place}: {name} is {}, expected a number", quote_masked(raw))
            });
        }
        ParsedInteger::OutOfRange => rows.repair("out_of_range", place.byte(), || {
            format!("{place}: {name} is {}, which does not fit in 64 bits of ns", quote_masked(raw))
        }),
    }
    number.value()
}
