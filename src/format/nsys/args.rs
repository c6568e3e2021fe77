//! Column `args` of an event: a JSON object, member by member.

use std::fmt::{Display, Write as _};

use crate::format::json::add_string;

/// The members of one event.
#[derive(Debug, Default)]
pub(super) struct Args(String);

impl Args {
    /// No members yet.
    pub(super) fn clear(&mut self) -> &mut Self {
        self.0.clear();
        self
    }

    /// A member that is JSON already, or a number; none is left out.
    pub(super) fn add(&mut self, key: &str, value: Option<impl Display>) -> &mut Self {
        if let Some(value) = value {
            self.key(key);
            // a string takes whatever is written
            let _ = write!(self.0, "{value}");
        }
        self
    }

    /// A member that is a text, without secrets.
    pub(super) fn text(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.key(key);
            add_string(&mut self.0, value);
        }
        self
    }

    /// Numbers in a row, if all are there.
    pub(super) fn list(&mut self, key: &str, values: [Option<i64>; 3]) -> &mut Self {
        if let [Some(x), Some(y), Some(z)] = values {
            self.add(key, Some(format_args!("[{x},{y},{z}]")));
        }
        self
    }

    fn key(&mut self, key: &str) {
        self.0.push_str(if self.0.is_empty() { "{" } else { "," });
        add_string(&mut self.0, key);
        self.0.push(':');
    }

    /// The object; none without members.
    pub(super) fn json(&mut self) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        self.0.push('}');
        Some(&self.0)
    }
}
