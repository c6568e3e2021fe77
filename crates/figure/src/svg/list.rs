//! A hierarchy (treemap, flame graph) as a list of its largest leaves.

use std::collections::HashSet;

use serde_json::Value;
use tracelake_model::amount::number;

use super::Area;
use super::json::items;
use super::text::{Anchor, escape, lines, short, width, write_text};

/// Height of a row in pixels.
const ROW: f64 = 20.0;

/// Draws a bar for each of the largest nodes without children, with its share of the whole.
pub(super) fn draw(svg: &mut String, trace: &Value, area: Area) {
    let texts = |key: &str| -> Vec<&str> { items(&trace[key]).map(|text| text.as_str().unwrap_or_default()).collect() };
    let (ids, parents, labels) = (texts("ids"), texts("parents"), texts("labels"));
    let values: Vec<f64> = items(&trace["values"]).map(|value| value.as_f64().unwrap_or(0.0)).collect();
    let whole: f64 = values.iter().zip(&parents).filter(|(_, parent)| parent.is_empty()).map(|(value, _)| value).sum();
    let inner: HashSet<&str> = parents.iter().copied().collect();
    let mut leaves: Vec<(f64, &str, usize)> = values
        .iter()
        .zip(&labels)
        .enumerate()
        .filter(|(index, _)| ids.get(*index).is_some_and(|id| !inner.contains(id)))
        .map(|(index, (value, label))| (*value, *label, index))
        .collect();
    leaves.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    let rows = ((area.bottom - area.top) / ROW).floor().clamp(1.0, 20.0) as usize;
    let largest = leaves.first().map_or(1.0, |(value, ..)| value.max(f64::MIN_POSITIVE));
    let left = 260.0;
    for (row, (value, label, index)) in leaves.into_iter().take(rows).enumerate() {
        let y = area.top + ROW * row as f64;
        let mut name = lines(label).remove(0).text;
        if width(&name, 11.0) > left - 20.0 {
            while width(&name, 11.0) > left - 30.0 {
                name.pop();
            }
            name.push('…');
        }
        write_text(svg, left - 8.0, y + 13.0, Anchor::End, 11.0, false, &name);
        let length = value / largest * (area.right - left - 60.0);
        let color = trace["marker"]["colors"].get(index).and_then(Value::as_str).unwrap_or("#999999");
        let rect = format!(
            "<rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"15\" fill=\"{}\"/>\n",
            short(y + 2.0),
            short(length),
            escape(color)
        );
        svg.push_str(&rect);
        let share = if whole > 0.0 { format!("{} %", number(100.0 * value / whole)) } else { String::new() };
        write_text(svg, left + length + 6.0, y + 13.0, Anchor::Start, 11.0, false, &share);
    }
}
