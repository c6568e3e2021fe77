//! Names of events that were met before: a name comes thousands of times, and is looked at once.

use std::borrow::Cow;

use crate::place::Place;
use crate::table::{Interner, Rows};
use crate::{json, secret};

/// Names that are kept, and their length together; a trace with more has names that do not repeat.
const MOST: usize = 1 << 14;
const MOST_BYTES: usize = 4 << 20;

/// Names as they were written, and as text without credentials.
#[derive(Debug, Default)]
pub(super) struct KnownNames {
    raw: Interner,
    /// The text of each; none where something has to be masked, which is reported each time.
    clean: Vec<Option<Box<str>>>,
    /// The last one that was masked.
    masked: String,
}

impl KnownNames {
    /// The text of a raw name, which is JSON.
    pub(super) fn text(&mut self, raw: &str, place: Place, rows: &mut Rows) -> &str {
        if self.clean.len() >= MOST || self.raw.bytes() >= MOST_BYTES {
            self.raw.clear();
            self.clean.clear();
        }
        let key = usize::try_from(self.raw.key(raw)).unwrap_or(usize::MAX);
        if key == self.clean.len() {
            let name = json::unquote(raw).unwrap_or(Cow::Borrowed(raw));
            let is_clean = matches!(secret::mask(&name), Cow::Borrowed(_));
            self.clean.push(is_clean.then(|| name.into()));
        }
        match self.clean.get(key) {
            Some(Some(clean)) => clean,
            _ => {
                let name = json::unquote(raw).unwrap_or(Cow::Borrowed(raw));
                self.masked = secret::clean(&name, place, rows).into_owned();
                &self.masked
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_once_and_what_is_masked_is_reported_each_time() {
        let mut names = KnownNames::default();
        let token = format!("\"ghp_{}\"", "a1".repeat(18));
        for round in 0..3 {
            let mut rows = Rows::new("r");
            for (raw, text) in [("\"x\\u0041\"", "xA"), ("7", "7"), ("\"\"", "")] {
                assert_eq!(names.text(raw, Place::START, &mut rows), text);
            }
            assert!(rows.is_undamaged());
            assert_eq!(names.text(&token, Place::START, &mut rows), "ghp_***");
            assert!(!rows.is_undamaged());
            for n in 0..MOST {
                let raw = format!("\"name {round} {n}\"");
                assert_eq!(names.text(&raw, Place::START, &mut rows), raw.trim_matches('"'));
            }
            assert!(names.clean.len() <= MOST);
        }
    }
}
