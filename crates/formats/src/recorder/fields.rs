//! The members of one line.

use std::borrow::Cow;

use crate::number::{Number, scaled};
use crate::{json, secret};

/// The members of a line, raw. Of a member that comes twice the last counts.
#[derive(Debug, Default)]
pub(super) struct Fields<'a>(Vec<(Cow<'static, str>, &'a str)>);

/// Names of members that every other line has: these are not copied.
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

impl<'a> Fields<'a> {
    pub(super) fn parse(line: &'a str) -> serde_json::Result<Self> {
        let mut fields = Self(Vec::with_capacity(12));
        json::members(line, |key, raw| {
            let name = NAMES.iter().find(|name| **name == key);
            fields.0.push((name.map_or_else(|| Cow::Owned(key.to_owned()), |name| Cow::Borrowed(*name)), raw));
        })?;
        Ok(fields)
    }

    /// What was written, unless it is null.
    pub(super) fn raw(&self, name: &str) -> Option<&'a str> {
        let (_, raw) = self.0.iter().rev().find(|(key, _)| *key == name)?;
        Some(*raw).filter(|raw| *raw != "null")
    }

    /// An integer; an error is the name of a member that is none.
    pub(super) fn int(&self, name: &'static str) -> Result<Option<i64>, &'static str> {
        match self.raw(name).map(|raw| scaled(raw, 0)) {
            None => Ok(None),
            Some(Number::Is(value)) => Ok(Some(value)),
            Some(_) => Err(name),
        }
    }

    /// A number.
    pub(super) fn float(&self, name: &'static str) -> Result<Option<f64>, &'static str> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        let value: f64 = raw.parse().map_err(|_| name)?;
        Ok(Some(value).filter(|value| value.is_finite()))
    }

    /// true or false.
    pub(super) fn flag(&self, name: &'static str) -> Result<Option<bool>, &'static str> {
        match self.raw(name) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(_) => Err(name),
        }
    }

    /// A text with what looks like a credential masked, also of a number or a flag; empty is null.
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
