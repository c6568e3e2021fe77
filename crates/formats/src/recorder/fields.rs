//! Parses one line into its members.

use std::borrow::Cow;

use crate::number::parse_scaled;
use crate::{json, secret};

/// The members of a line, as raw JSON. If a name occurs twice, the last value is used.
#[derive(Debug, Default)]
pub(super) struct LineFields<'a>(Vec<(Cow<'static, str>, &'a str)>);

/// Names of members that most lines have. They are not copied.
const NAMES: [&str; 14] = [
    "kind",
    "ts",
    "dur",
    "compute_dur",
    "epoch",
    "batch",
    "batch_size",
    "loader",
    "item",
    "worker",
    "step",
    "bytes",
    "metric",
    "value",
];

impl<'a> LineFields<'a> {
    pub(super) fn parse(line: &'a str) -> serde_json::Result<Self> {
        let mut fields = Self(Vec::with_capacity(12));
        json::visit_members(line, |key, raw| {
            let name = NAMES.iter().find(|name| **name == key);
            fields.0.push((name.map_or_else(|| Cow::Owned(key.to_owned()), |name| Cow::Borrowed(*name)), raw));
        })?;
        Ok(fields)
    }

    /// The raw value, unless it is null.
    pub(super) fn raw(&self, name: &str) -> Option<&'a str> {
        let (_, raw) = self.0.iter().rev().find(|(key, _)| *key == name)?;
        Some(*raw).filter(|raw| *raw != "null")
    }

    /// An integer. An error is the name of a member that is not an integer.
    pub(super) fn int(&self, name: &'static str) -> Result<Option<i64>, &'static str> {
        self.raw(name).map(|raw| parse_scaled(raw, 0).value().ok_or(name)).transpose()
    }

    /// A number; none if it is not finite.
    pub(super) fn float(&self, name: &'static str) -> Result<Option<f64>, &'static str> {
        let value = self.raw(name).map(|raw| raw.parse::<f64>().map_err(|_| name)).transpose()?;
        Ok(value.filter(|value| value.is_finite()))
    }

    /// A boolean.
    pub(super) fn flag(&self, name: &'static str) -> Result<Option<bool>, &'static str> {
        self.raw(name).map(|raw| raw.parse().map_err(|_| name)).transpose()
    }

    /// A text with credentials masked. Numbers and booleans are texts too; an empty text is null.
    pub(super) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        let raw = self.raw(name)?;
        let text = json::unquote(raw).unwrap_or(Cow::Borrowed(raw));
        let text = match text {
            Cow::Borrowed(text) => secret::mask(text),
            Cow::Owned(text) => Cow::Owned(secret::mask(&text).into_owned()),
        };
        Some(text).filter(|text| !text.is_empty())
    }
}
