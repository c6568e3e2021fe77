//! Builds column `args` of an event: a JSON object, member by member.

use crate::json::add_string;

/// The members of one event, as JSON without the closing brace. Keys are literals of this crate and need no escapes.
#[derive(Debug, Default)]
pub(super) struct NsysArgs(String);

impl NsysArgs {
    /// Removes all members.
    pub(super) fn clear(&mut self) -> &mut Self {
        self.0.clear();
        self
    }

    /// Adds a number; skips `None`.
    pub(super) fn add(&mut self, key: &'static str, value: Option<i64>) -> &mut Self {
        if let Some(value) = value {
            self.add_key(key);
            self.push_number(value);
        }
        self
    }

    /// Adds `true` if the flag is set.
    pub(super) fn add_flag(&mut self, key: &'static str, is_set: bool) -> &mut Self {
        self.add_json(key, is_set.then_some("true"))
    }

    /// Adds a value that is JSON already; skips `None`.
    pub(super) fn add_json(&mut self, key: &'static str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.add_key(key);
            self.0.push_str(value);
        }
        self
    }

    /// Adds a text, which must be free of credentials; skips `None`.
    pub(super) fn add_text(&mut self, key: &'static str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.add_key(key);
            add_string(&mut self.0, value);
        }
        self
    }

    /// Adds a list of three numbers if none of them is `None`.
    pub(super) fn add_list(&mut self, key: &'static str, values: [Option<i64>; 3]) -> &mut Self {
        if let [Some(x), Some(y), Some(z)] = values {
            self.add_key(key);
            for (separator, value) in [("[", x), (",", y), (",", z)] {
                self.0.push_str(separator);
                self.push_number(value);
            }
            self.0.push(']');
        }
        self
    }

    fn add_key(&mut self, key: &'static str) {
        self.0.push_str(if self.0.is_empty() { "{\"" } else { ",\"" });
        self.0.push_str(key);
        self.0.push_str("\":");
    }

    fn push_number(&mut self, value: i64) {
        self.0.push_str(itoa::Buffer::new().format(value));
    }

    /// Closes and returns the object; `None` if it has no members.
    pub(super) fn finish(&mut self) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        self.0.push('}');
        Some(&self.0)
    }
}
