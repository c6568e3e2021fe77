//! Bars of several parts, stacked or overlaid: one bar per row, one color per part.

use plotly::Bar;
use plotly::common::{Font, Line, Marker, Orientation};
use plotly::layout::Axis;

use crate::kit::sheet::{Place, Sheet};
use crate::kit::{label, theme};

/// One part of all bars.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) color: String,
    /// Size in each bar, in the unit of the axis.
    pub(crate) values: Vec<f64>,
    pub(crate) hover: Vec<String>,
}

/// Draws horizontal bars with the first row on top, or vertical bars from left to right. Row `n` is at `n` on its axis,
/// so that two rows with the same name remain separate.
pub(crate) fn draw(sheet: &mut Sheet, at: &Place, parts: Vec<Part>, orientation: &Orientation) {
    let empty = |part: &Part| part.values.iter().all(|value| *value == 0.0 || value.is_nan());
    // A panel without any trace has no axes.
    let nothing = parts.iter().all(empty);
    for (place, part) in parts.into_iter().enumerate() {
        if empty(&part) && !(nothing && place == 0) {
            continue;
        }
        let name = label::plain(&part.name);
        let show = sheet.first(&part.name);
        let rows: Vec<f64> = (0..part.values.len()).map(|row| row as f64).collect();
        let (x, y) =
            if matches!(orientation, Orientation::Vertical) { (rows, part.values) } else { (part.values, rows) };
        let bars = Bar::new(x, y)
            .name(&name)
            .legend_group(&name)
            .show_legend(show)
            .orientation(orientation.clone())
            .marker(marker(&part.color))
            .hover_text_array(part.hover)
            .hover_template("%{hovertext}<extra></extra>")
            .x_axis(&at.x)
            .y_axis(&at.y);
        sheet.trace(bars);
    }
}

/// A filled bar. A faint bar has an edge, to be visible on a dark background.
fn marker(color: &str) -> Marker {
    let marker = Marker::new().color(color.to_owned());
    match theme::strong(color) {
        Some(edge) => marker.line(Line::new().width(1.0).color(edge)),
        None => marker,
    }
}

/// The axis of horizontal bars: a name for each bar, the first on top.
pub(crate) fn side(names: &[String]) -> Axis {
    let (places, texts) = ticks(names, 64);
    theme::axis("")
        .range(vec![names.len() as f64 - 0.5, -0.5])
        .tick_values(places)
        .tick_text(texts)
        .tick_font(Font::new().size(11))
        .show_grid(false)
}

/// Positions and texts of at most `most` evenly spaced labels for rows with these names.
pub(crate) fn ticks(names: &[String], most: usize) -> (Vec<f64>, Vec<String>) {
    let every = names.len().div_ceil(most.max(1)).max(1);
    names.iter().enumerate().step_by(every).map(|(row, name)| (row as f64, label::narrow(name))).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_spread() {
        let names: Vec<String> = (0..10).map(|row| format!("<{row}>")).collect();
        assert_eq!(
            ticks(&names, 4),
            (vec![0.0, 3.0, 6.0, 9.0], ["0", "3", "6", "9"].map(|n| format!("&lt;{n}&gt;")).to_vec())
        );
        assert_eq!(ticks(&names[..2], 4).0, [0.0, 1.0]);
    }
}
