//! What is wrong with a trace, in the words of table `problem`.

use super::{Damage, Fields};
use crate::json;
use crate::number::{Number, scaled};
use crate::place::Place;
use crate::secret::quote;
use crate::table::{Rows, Severity};

impl Damage {
    /// Counts it.
    pub(crate) fn report(self, place: Place, rows: &mut Rows) {
        let byte = place.byte();
        match self {
            Self::NotUtf8 => {
                rows.repair("not_utf8", byte, || format!("{place}: bytes that are not UTF-8 were replaced"));
            }
            Self::Event(why) => bad(why, place, rows),
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

/// Hands out the members of an event, mended and counted where it is not quite JSON.
pub(crate) fn read(
    text: &str,
    place: Place,
    rows: &mut Rows,
    mut each: impl FnMut(&Fields<'_>, &mut Rows),
) -> serde_json::Result<()> {
    let error = match Fields::parse(text) {
        Ok(fields) => {
            each(&fields, rows);
            return Ok(());
        }
        Err(error) => error,
    };
    let Some(mended) = json::mend(text) else { return Err(error) };
    let Ok(fields) = Fields::parse(&mended) else { return Err(error) };
    rows.repair("mended", place.byte(), || format!("{place}: not valid JSON ({error}); read anyway"));
    each(&fields, rows);
    Ok(())
}

/// Counts an event that could not be read.
pub(crate) fn bad(why: &str, place: Place, rows: &mut Rows) {
    rows.skip("bad_line", place.byte(), || format!("{place}: {why}"));
}

impl Fields<'_> {
    /// When it began, in ns; what is no number is reported.
    #[inline]
    pub(crate) fn start(&self, place: Place, rows: &mut Rows) -> Option<i64> {
        self.numbers.ts.or_else(|| microseconds("ts", self.ts, place, rows))
    }

    /// How long it took, in ns; what is no number is reported.
    #[inline]
    pub(crate) fn duration(&self, place: Place, rows: &mut Rows) -> Option<i64> {
        self.numbers.dur.or_else(|| microseconds("dur", self.dur, place, rows))
    }
}

#[inline(never)]
fn microseconds(what: &str, raw: Option<&str>, place: Place, rows: &mut Rows) -> Option<i64> {
    let Some(raw) = raw else {
        if what == "ts" {
            rows.repair("no_ts", place.byte(), || format!("{place}: no ts; time unknown"));
        }
        return None;
    };
    match scaled(json::number_text(raw), 3) {
        Number::Is(ns) => Some(ns),
        Number::Not => {
            rows.repair("bad_value", place.byte(), || format!("{place}: {what} is {}, expected a number", quote(raw)));
            None
        }
        Number::OutOfRange => {
            rows.repair("out_of_range", place.byte(), || {
                format!("{place}: {what} is {}, which does not fit in 64 bits of ns", quote(raw))
            });
            None
        }
    }
}
