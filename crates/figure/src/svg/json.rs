//! Values of Plotly JSON.

use serde_json::Value;

/// The items of a list; none for another value.
pub(super) fn items(value: &Value) -> impl DoubleEndedIterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The text of a value; empty for another value.
pub(super) fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
