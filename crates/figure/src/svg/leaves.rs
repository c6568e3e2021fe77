//! A hierarchy (treemap, flame graph) as bars of its largest leaves.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::text::{first_line, items, text_of};
use crate::kit::label::{clip, escape, percentage};
use crate::output::height;

/// Maximum number of letters of a name.
const MAX_LETTERS: usize = 36;

/// Replaces a hierarchy by a bar for each of its largest nodes without children, with its share of the whole.
pub(super) fn replace_hierarchy(figure: &mut Value) {
    let trace = &figure["data"][0];
    if trace["parents"].is_null() {
        return;
    }
    let inner: HashSet<&Value> = items(&trace["parents"]).collect();
    let values = || items(&trace["values"]).map(|value| value.as_f64().unwrap_or(0.0));
    let roots = values().zip(items(&trace["parents"])).filter(|(_, parent)| *parent == "");
    let whole: f64 = roots.map(|(value, _)| value).sum();
    let rows = items(&trace["ids"]).zip(values()).zip(items(&trace["labels"])).zip(items(&trace["marker"]["colors"]));
    let mut leaves: Vec<(f64, String, &Value)> = rows
        .filter(|(((id, _), _), _)| !inner.contains(id))
        .map(|(((_, value), label), color)| {
            let name = clip(&first_line(&text_of(label)), MAX_LETTERS);
            (value, escape(&format!("{name}, {}", percentage(value, whole))), color)
        })
        .collect();
    leaves.sort_by(|a, b| b.0.total_cmp(&a.0));
    // A label needs 18 pixels.
    leaves.truncate(((f64::from(height(&figure["layout"])) - 110.0) / 18.0).clamp(1.0, 20.0) as usize);
    let rows: Vec<usize> = (0..leaves.len()).rev().collect();
    let colors: Vec<&Value> = leaves.iter().map(|(_, _, color)| *color).collect();
    let lengths: Vec<f64> = leaves.iter().map(|(value, ..)| *value).collect();
    let bars = json!({"type": "bar", "orientation": "h", "x": lengths, "y": rows, "marker": {"color": colors}});
    let names: Vec<String> = leaves.into_iter().map(|(_, name, _)| name).collect();
    figure["layout"]["yaxis"] = json!({"tickvals": rows, "ticktext": names, "showgrid": false});
    figure["layout"]["xaxis"] = json!({"visible": false});
    figure["data"] = json!([bars]);
}
