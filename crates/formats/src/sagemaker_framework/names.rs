//! A cache of the names of events: a name occurs thousands of times, and is parsed once.

use std::borrow::Cow;

use crate::position::Position;
use crate::table::{Interner, Rows};
use crate::{json, secret};

/// Limits of the cache: the number of names, and their size in bytes. A trace with more has names that do not repeat.
const MAX_NAMES: usize = 1 << 14;
const MAX_BYTES: usize = 4 << 20;

/// Maps raw names to their texts with credentials masked.
#[derive(Debug, Default)]
pub(super) struct NameCache {
    raw: Interner,
    /// The text of each raw name; `None` if it contains a credential, because each occurrence is reported.
    texts: Vec<Option<Box<str>>>,
    /// The last text that was masked.
    masked: String,
}

impl NameCache {
    /// The text of a raw name, which is JSON.
    pub(super) fn text(&mut self, raw: &str, place: Position, rows: &mut Rows) -> &str {
        if self.texts.len() >= MAX_NAMES || self.raw.bytes() >= MAX_BYTES {
            self.raw.clear();
            self.texts.clear();
        }
        let key = usize::try_from(self.raw.key(raw)).unwrap_or(usize::MAX);
        let parse = || json::unquote(raw).unwrap_or(Cow::Borrowed(raw));
        if key == self.texts.len() {
            let name = parse();
            let is_clean = matches!(secret::mask(&name), Cow::Borrowed(_));
            self.texts.push(is_clean.then(|| name.into()));
        }
        match self.texts.get(key) {
            Some(Some(text)) => text,
            _ => {
                self.masked = secret::mask_and_report(&parse(), place, rows).into_owned();
                &self.masked
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_once_and_masked_names_are_reported_each_time() {
        let mut names = NameCache::default();
        let token = format!("\"ghp_{}\"", "a1".repeat(18));
        for round in 0..3 {
            let mut rows = Rows::new("r");
            for (raw, text) in [("\"x\\u0041\"", "xA"), ("7", "7"), ("\"\"", "")] {
                assert_eq!(names.text(raw, Position::START, &mut rows), text);
            }
            assert!(rows.has_no_problems());
            assert_eq!(names.text(&token, Position::START, &mut rows), "ghp_***");
            assert!(!rows.has_no_problems());
            for n in 0..MAX_NAMES {
                let raw = format!("\"name {round} {n}\"");
                assert_eq!(names.text(&raw, Position::START, &mut rows), raw.trim_matches('"'));
            }
            assert!(names.texts.len() <= MAX_NAMES);
        }
    }
}
