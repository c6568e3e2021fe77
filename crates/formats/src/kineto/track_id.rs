//! The process or thread of an event, as its file names it.

use std::borrow::Cow;

use crate::json;

/// The process or thread of an event.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) enum TrackId {
    #[default]
    None,
    /// A number, or the number in a text such as `"stream 7 "`.
    Number(i64),
    /// Any other text.
    Text(String),
}

impl TrackId {
    /// Parses a `pid` or `tid`.
    pub(super) fn parse(raw: Option<&str>) -> Self {
        let Some(raw) = raw.filter(|raw| *raw != "null") else { return Self::None };
        if let Ok(number) = raw.parse() {
            return Self::Number(number);
        }
        let text = json::unquote(raw).unwrap_or(Cow::Borrowed(raw));
        let text = text.trim();
        let number = text.strip_prefix("stream ").unwrap_or(text).parse();
        match number {
            Ok(number) => Self::Number(number),
            Err(_) if text.is_empty() => Self::None,
            Err(_) => Self::Text(text.to_owned()),
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::None | Self::Text(_) => None,
        }
    }
}
