//! Builds the JSON of the arguments that are not columns.

use std::borrow::Cow;

use crate::json;
use crate::position::Position;
use crate::secret::{self, mask_json_and_report, quote_masked};
use crate::table::Rows;

/// Members of an event's arguments that are not columns. One instance is reused for all events of a file.
#[derive(Debug, Default)]
pub(crate) struct ArgsJson {
    /// Empty, or JSON without its closing brace.
    json: String,
    /// A value was hidden.
    has_hidden: bool,
    /// There is a text, which may be a token.
    pub(crate) has_text: bool,
}

impl ArgsJson {
    /// Removes the arguments of the last event.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.json.clear();
        (self.has_hidden, self.has_text) = (false, false);
    }

    /// Adds a member.
    pub(crate) fn add(&mut self, key: &str, raw: &str) {
        let replacement = secret::hide_secrets(key, raw);
        self.has_hidden |= replacement.is_some();
        self.has_text = true;
        json::add_member(&mut self.json, key, replacement.as_deref().unwrap_or(raw));
    }

    /// Adds a text.
    pub(crate) fn add_text(&mut self, key: &str, text: &str) {
        self.has_text = true;
        json::add_member(&mut self.json, key, "");
        json::add_string(&mut self.json, text);
    }

    /// Adds members as written, without credentials. The caller sets `has_text`.
    #[inline]
    pub(crate) fn add_run(&mut self, members: &str) {
        self.json.push(if self.json.is_empty() { '{' } else { ',' });
        self.json.push_str(members);
    }

    /// Stores a time that cannot be converted to `ts`, as written, and reports why: the kind of the problem and a text.
    pub(crate) fn add_time(&mut self, raw: &str, why: (&str, &str), place: Position, rows: &mut Rows) {
        self.add("ts", raw);
        place.repair(rows, why.0, || format!("ts is {}, {}; it is stored in args", quote_masked(raw), why.1));
    }

    /// Completes the JSON and masks credentials. None if it has no members.
    #[inline]
    pub(crate) fn finish(&mut self, place: Position, rows: &mut Rows) -> Option<&str> {
        if self.json.is_empty() {
            return None;
        }
        self.json.push('}');
        if self.has_hidden {
            secret::report_masked(rows, place);
        }
        // A slash may be part of a URL.
        if (self.has_text || self.json.contains('/'))
            && let Cow::Owned(clean) = mask_json_and_report(&self.json, place, rows)
        {
            self.json = clean;
        }
        Some(&self.json)
    }
}
