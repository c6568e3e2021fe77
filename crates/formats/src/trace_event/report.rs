//! Reports what is wrong with a trace as rows of table `problem`.

use super::{EventFields, RootKind, TraceProblem};
use crate::json;
use crate::number::{ParsedInteger, parse_scaled};
use crate::position::Position;
use crate::secret::quote_masked;
use crate::table::{Rows, Severity};

impl TraceProblem {
    /// Adds it to table `problem`.
    fn report(self, place: Position, rows: &mut Rows) {
        match self {
            Self::NotUtf8 => place.repair(rows, "not_utf8", || "bytes that are not UTF-8 were replaced"),
            Self::Event(why) => place.skip(rows, "bad_line", || why),
            Self::Member(why) => place.skip(rows, "bad_member", || why),
            Self::TruncatedEvent => place.skip(rows, "truncated", || "the file ends inside this event"),
            Self::Truncated => place.warn(rows, "truncated", || "the file ends without its closing bracket"),
            Self::Reopened => {
                let why = "members of a corrupt event may have been read as members of the root";
                place.warn(rows, "bad_structure", || format!("the list of events continues; {why}"));
            }
            Self::Structure(why) => {
                place.warn(rows, "bad_structure", || format!("{why}; the rest of the file is not read"));
            }
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
    let mut repaired = String::new();
    let fields = json::parse_or_repair(text, &mut repaired, EventFields::parse, place, rows)?;
    each(&fields, rows);
    Ok(())
}

/// What a file had so far.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct FileSummary {
    /// Number of events, including metadata.
    pub(crate) events: u64,
    /// Number of elements that could not be read.
    pub(crate) unreadable: u64,
    /// The file ended too early.
    is_truncated: bool,
}

impl FileSummary {
    /// Counts an event and returns its type. None if it has no type, which is reported. `ends_with_empty`: the writer
    /// ends its list with an empty object, which is not reported.
    #[inline]
    pub(crate) fn count_event<'a>(
        &mut self,
        fields: &EventFields<'a>,
        ends_with_empty: bool,
        place: Position,
        rows: &mut Rows,
    ) -> Option<&'a str> {
        let phase = fields.phase();
        if !phase.is_empty() {
            self.events += 1;
            return Some(phase);
        }
        if !fields.is_empty() {
            self.skip_event("no ph, the type of the event", place, rows);
        } else if !ends_with_empty {
            place.notice(rows, "empty_object", || "an empty object instead of an event");
        }
        None
    }

    /// Counts and reports an event that could not be read.
    pub(crate) fn skip_event(&mut self, why: &str, place: Position, rows: &mut Rows) {
        self.unreadable += 1;
        place.skip(rows, "bad_line", || why);
    }

    /// Counts and reports a problem.
    pub(crate) fn add_problem(&mut self, problem: TraceProblem, place: Position, rows: &mut Rows) {
        self.is_truncated |= matches!(problem, TraceProblem::Truncated | TraceProblem::TruncatedEvent);
        self.unreadable += u64::from(matches!(problem, TraceProblem::Event(_)));
        problem.report(place, rows);
    }

    /// Checks a file that has ended. An error is the reason why it could not be read.
    pub(crate) fn check(self, root: RootKind, rows: &mut Rows) -> Result<(), &'static str> {
        match root {
            RootKind::Empty => rows.problem(Severity::Notice, "empty_file", None, || "the file is empty".to_owned()),
            // A file that ends before its first event is not an error, because it has nothing else to read.
            _ if self.is_truncated => {}
            RootKind::OtherObject => return Err("the object has no `traceEvents`"),
            RootKind::Events if self.events == 0 && self.unreadable > 0 => {
                return Err("none of its elements is an event");
            }
            RootKind::Events => {}
        }
        Ok(())
    }
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
            place.repair(rows, "no_ts", || "no ts; time unknown");
        }
        return None;
    };
    let number = parse_scaled(json::number_text(raw), 3);
    match number {
        ParsedInteger::Is(_) => {}
        ParsedInteger::Not => {
            place.repair(rows, "bad_value", || format!("{name} is {}, expected a number", quote_masked(raw)));
        }
        ParsedInteger::OutOfRange => place.repair(rows, "out_of_range", || {
            format!("{name} is {}, which does not fit in 64 bits of ns", quote_masked(raw))
        }),
    }
    number.value()
}
