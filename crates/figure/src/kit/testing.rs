//! Test helpers: frames from literal values, and plots as JSON values that tests can compare.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use plotly::Plot;
use serde_json::Value;

use crate::Frame;

/// A named column.
pub(crate) type TestColumn = (&'static str, ArrayRef);

/// Texts; an empty text becomes null.
pub(crate) fn texts(name: &'static str, values: &[&str]) -> TestColumn {
    (name, Arc::new(values.iter().map(|v| (!v.is_empty()).then_some(*v)).collect::<StringArray>()))
}

pub(crate) fn ints(name: &'static str, values: &[i64]) -> TestColumn {
    (name, Arc::new(Int64Array::from(values.to_vec())))
}

/// Integers; negative numbers become null.
pub(crate) fn nullable_ints(name: &'static str, values: &[i64]) -> TestColumn {
    (name, Arc::new(values.iter().map(|v| (*v >= 0).then_some(*v)).collect::<Int64Array>()))
}

pub(crate) fn floats(name: &'static str, values: &[f64]) -> TestColumn {
    (name, Arc::new(Float64Array::from(values.to_vec())))
}

pub(crate) fn flags(name: &'static str, values: &[bool]) -> TestColumn {
    (name, Arc::new(BooleanArray::from(values.to_vec())))
}

pub(crate) fn frame(columns: Vec<TestColumn>) -> Frame {
    let nullable = columns.into_iter().map(|(name, array)| (name, array, true));
    Frame::from_batch(RecordBatch::try_from_iter_with_nullable(nullable).unwrap())
}

/// The same columns with no rows.
pub(crate) fn without_rows(frame: &Frame) -> Frame {
    Frame::from_batch(frame.batch().unwrap().slice(0, 0))
}

/// The plot as a JSON value, with numbers round to six decimal places.
pub(crate) fn to_value(plot: &Plot) -> Value {
    fn round(value: Value) -> Value {
        match value {
            Value::Number(n) if n.is_f64() => {
                serde_json::json!((n.as_f64().unwrap() * 1e6).round() / 1e6)
            }
            Value::Array(items) => items.into_iter().map(round).collect(),
            Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, round(value))).collect(),
            other => other,
        }
    }
    round(serde_json::from_str(&crate::to_json(plot)).unwrap())
}

/// Title and message of a plot without data.
pub(crate) fn message(plot: &Plot) -> (String, String) {
    let value = to_value(plot);
    assert_eq!(value["data"], Value::Array(Vec::new()));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&value["layout"]["title"]["text"]), text(&value["layout"]["annotations"][0]["text"]))
}

/// Title and notes of a plot without line breaks: `title | notes`.
pub(crate) fn heading(value: &Value) -> String {
    let text = value["layout"]["title"]["text"].as_str().unwrap();
    let text = text.replace("<br><span style=\"font-size:11px\">", " | ").replace("<br>", " ").replace("<br >", " ");
    text.replace("<b>", "").replace("</b>", "").replace("</span>", "")
}
