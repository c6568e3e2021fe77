//! Column `args` of an event: a JSON object, member by member.

use crate::json::add_string;

/// The members of one event. Keys are our own words: nothing in them has to be escaped.
#[derive(Debug, Default)]
pub(super) struct Args(String);

impl Args {
    /// No members yet.
    pub(super) fn clear(&mut self) -> &mut Self {
        self.0.clear();
        self
    }

    /// A number; none is left out.
    pub(super) fn add(&mut self, key: &'static str, value: Option<i64>) -> &mut Self {
        if let Some(value) = value {
            self.key(key);
            self.number(value);
        }
        self
    }

    /// A member that says something by being there.
    pub(super) fn flag(&mut self, key: &'static str, is_set: bool) -> &mut Self {
        self.json(key, is_set.then_some("true"))
    }

    /// A member that is JSON already; none is left out.
    pub(super) fn json(&mut self, key: &'static str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.key(key);
            self.0.push_str(value);
        }
        self
    }

    /// A member that is a text, without secrets; none is left out.
    pub(super) fn text(&mut self, key: &'static str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.key(key);
            add_string(&mut self.0, value);
        }
        self
    }

    /// Numbers in a row, if all are there.
    pub(super) fn list(&mut self, key: &'static str, values: [Option<i64>; 3]) -> &mut Self {
        if let [Some(x), Some(y), Some(z)] = values {
            self.key(key);
            for (before, value) in [("[", x), (",", y), (",", z)] {
                self.0.push_str(before);
                self.number(value);
            }
            self.0.push(']');
        }
        self
    }

    fn key(&mut self, key: &'static str) {
        self.0.push_str(if self.0.is_empty() { "{\"" } else { ",\"" });
        self.0.push_str(key);
        self.0.push_str("\":");
    }

    fn number(&mut self, value: i64) {
        self.0.push_str(itoa::Buffer::new().format(value));
    }

    /// The object; none without members.
    pub(super) fn all(&mut self) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        self.0.push('}');
        Some(&self.0)
    }
}
