//! Bars of several parts, stacked or overlaid: one bar per row, one color per part.

use plotly::Bar;
use plotly::common::{Font, Line, Marker, Orientation};
use plotly::layout::Axis;

use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, theme};

/// One part of all bars.
pub(crate) struct BarPart {
    name: String,
    color: String,
    /// Size in each bar, in the unit of the axis.
    values: Vec<f64>,
    hover: Vec<String>,
}

impl BarPart {
    /// A part of the bars of some rows, with the size and the hover text of each row.
    pub(crate) fn new<T>(
        name: &str,
        color: impl Into<String>,
        rows: &[T],
        value: impl Fn(&T) -> f64,
        hover: impl Fn(&T) -> String,
    ) -> Self {
        Self {
            name: name.to_owned(),
            color: color.into(),
            values: rows.iter().map(value).collect(),
            hover: rows.iter().map(hover).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.values.iter().all(|value| *value == 0.0 || value.is_nan())
    }
}

/// Draws horizontal bars with the first row on top. Row `n` is at `n` on its axis, so that two rows with the same name
/// remain separate.
pub(crate) fn draw(sheet: &mut Sheet, axes: &PanelAxes, parts: impl IntoIterator<Item = BarPart>) {
    draw_bars(sheet, axes, parts, Orientation::Horizontal);
}

/// Draws vertical bars from left to right.
pub(crate) fn draw_vertical(sheet: &mut Sheet, axes: &PanelAxes, parts: impl IntoIterator<Item = BarPart>) {
    draw_bars(sheet, axes, parts, Orientation::Vertical);
}

fn draw_bars(sheet: &mut Sheet, axes: &PanelAxes, parts: impl IntoIterator<Item = BarPart>, orientation: Orientation) {
    let mut parts: Vec<BarPart> = parts.into_iter().collect();
    // A panel without any trace has no axes, so the first part remains if all parts are empty.
    if parts.iter().all(BarPart::is_empty) {
        parts.truncate(1);
    } else {
        parts.retain(|part| !part.is_empty());
    }
    for part in parts {
        let rows: Vec<f64> = (0..part.values.len()).map(|row| row as f64).collect();
        let (x, y) =
            if matches!(orientation, Orientation::Vertical) { (rows, part.values) } else { (part.values, rows) };
        let bars = Bar::new(x, y).orientation(orientation.clone()).marker(marker(&part.color)).hover_texts(part.hover);
        sheet.add_named_trace(axes, &part.name, bars);
    }
}

/// A filled bar. A bar with opacity has an edge, so that it is visible on a dark background.
fn marker(color: &str) -> Marker {
    let marker = Marker::new().color(color.to_owned());
    match theme::without_opacity(color) {
        Some(edge) => marker.line(Line::new().width(1.0).color(edge)),
        None => marker,
    }
}

/// Adds a panel of horizontal bars with these names next to the axis.
pub(crate) fn add_panel(sheet: &mut Sheet, label: &str, height: usize, x: Axis, names: &[String]) -> PanelAxes {
    sheet.add_panel(label, height, x, name_axis(names), true)
}

/// The axis of horizontal bars: a name for each bar, the first on top.
pub(crate) fn name_axis(names: &[String]) -> Axis {
    let (positions, texts) = ticks(names, 64);
    theme::axis("")
        .range(vec![names.len() as f64 - 0.5, -0.5])
        .tick_values(positions)
        .tick_text(texts)
        .tick_font(Font::new().size(11))
        .show_grid(false)
}

/// Positions and texts of at most `max` evenly spaced labels for rows with these names.
pub(crate) fn ticks(names: &[String], max: usize) -> (Vec<f64>, Vec<String>) {
    let step = names.len().div_ceil(max.max(1)).max(1);
    names.iter().enumerate().step_by(step).map(|(row, name)| (row as f64, label::fit_to_axis(name))).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_evenly_spaced() {
        let names: Vec<String> = (0..10).map(|row| format!("<{row}>")).collect();
        assert_eq!(
            ticks(&names, 4),
            (vec![0.0, 3.0, 6.0, 9.0], ["0", "3", "6", "9"].map(|n| format!("&lt;{n}&gt;")).to_vec())
        );
        assert_eq!(ticks(&names[..2], 4).0, [0.0, 1.0]);
    }
}
