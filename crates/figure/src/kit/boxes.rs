//! Box plots in rows, each with a mark, and lines for the limits of a rule.

use plotly::common::{DashType, HoverInfo, Line, Marker, MarkerSymbol, Mode, Orientation};
use plotly::layout::{Shape, ShapeLayer, ShapeLine, ShapeType};
use plotly::{BoxPlot, Scatter};
use serde_json::Value;

use crate::kit::sheet::{Place, Sheet};
use crate::kit::{label, read, theme};
use crate::{Frame, Result};

/// The five numbers of a box plot, and the value to mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stats {
    pub(crate) lower: f64,
    pub(crate) low: f64,
    pub(crate) middle: f64,
    pub(crate) high: f64,
    pub(crate) upper: f64,
    pub(crate) mark: f64,
}

/// Whiskers, quartiles and 95th percentile of each row, from the columns with this prefix.
pub(crate) fn stats(frame: &Frame, prefix: &str) -> Result<Vec<Stats>> {
    let column = |name: &str| read::floats(frame, &format!("{prefix}{name}"));
    let (lower, upper, p95) = (column("lower")?, column("upper")?, column("p95")?);
    let (p25, p50, p75) = (column("p25")?, column("p50")?, column("p75")?);
    let of = |row: usize| Stats {
        lower: lower[row],
        low: p25[row],
        middle: p50[row],
        high: p75[row],
        upper: upper[row],
        mark: p95[row],
    };
    Ok((0..p50.len()).map(of).collect())
}

/// A row of a panel.
pub(crate) struct Row {
    /// Position on the axis, from 0.
    pub(crate) place: usize,
    pub(crate) stats: Stats,
    /// Whether the rule is triggered. If so, the row has the color of outliers.
    pub(crate) triggered: bool,
    pub(crate) hover: String,
}

/// Legend entry of rows with a triggered rule.
const TRIGGERED: &str = "rule triggered";

/// Draws the rows, each at its position on the axis of [`crate::kit::stack::side`]. `name` and `mark` are legend entries.
pub(crate) fn draw(sheet: &mut Sheet, at: &Place, rows: &[Row], name: &str, color: &str, mark: (&str, MarkerSymbol)) {
    for (triggered, name, color) in [(false, name, color), (true, TRIGGERED, theme::color("outlier"))] {
        let members = || rows.iter().filter(|row| row.triggered == triggered);
        if members().next().is_none() {
            continue;
        }
        let value = |part: fn(&Stats) -> f64| members().map(|row| part(&row.stats)).collect::<Vec<f64>>();
        let places: Vec<f64> = members().map(|row| row.place as f64).collect();
        let show = sheet.first(name);
        sheet.trace(
            BoxPlot::new(places.clone())
                .orientation(Orientation::Horizontal)
                .lower_fence(value(|stats| stats.lower))
                .q1(value(|stats| stats.low))
                .median(value(|stats| stats.middle))
                .q3(value(|stats| stats.high))
                .upper_fence(value(|stats| stats.upper))
                .name(label::plain(name))
                .legend_group(label::plain(name))
                .show_legend(show)
                .fill_color(theme::faint(color, 0.3))
                .line(Line::new().width(1.5).color(color.to_owned()))
                .hover_info(HoverInfo::Skip)
                .x_axis(&at.x)
                .y_axis(&at.y),
        );
        let show = sheet.first(mark.0);
        sheet.trace(
            Scatter::new(value(|stats| stats.mark), places)
                .mode(Mode::Markers)
                .marker(Marker::new().symbol(mark.1.clone()).size(8).color(color.to_owned()))
                .name(mark.0)
                .legend_group(mark.0)
                .show_legend(show)
                .hover_text_array(members().map(|row| row.hover.clone()).collect())
                .hover_template("%{hovertext}<extra></extra>")
                .x_axis(&at.x)
                .y_axis(&at.y),
        );
    }
}

/// A dashed vertical line over the height of a panel, at `x` on its axis.
pub(crate) fn limit(x: f64, at: &Place) -> Shape {
    Shape::new()
        .shape_type(ShapeType::Line)
        .layer(ShapeLayer::Above)
        .x_ref(&at.x)
        .x0(x)
        .x1(x)
        .y_ref(format!("{} domain", at.y))
        .y0(0.0)
        .y1(1.0)
        .line(ShapeLine::new().width(1.5).dash(DashType::Dash).color(theme::color("outlier")))
}

/// The limit of this name in column `parameters` of a rule's query, or `None` if the column does not have it.
pub(crate) fn limit_of(parameters: &str, name: &str) -> Option<f64> {
    serde_json::from_str::<Value>(parameters).ok()?.get(name)?.as_f64()
}

/// Draws the limits with these names. Each value is drawn once.
pub(crate) fn limits<'a>(
    sheet: &mut Sheet,
    at: &Place,
    parameters: impl Iterator<Item = &'a str> + Clone,
    names: &[&str],
) {
    let mut drawn: Vec<f64> = Vec::new();
    for name in names {
        for value in parameters.clone().filter_map(|parameters| limit_of(parameters, name)) {
            if !drawn.iter().any(|other| other.total_cmp(&value).is_eq()) {
                drawn.push(value);
                sheet.shape(limit(value, at));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stand_in_json() {
        assert_eq!(limit_of(r#"{"window":500,"threshold":0.2}"#, "threshold"), Some(0.2));
        assert_eq!(limit_of(r#"{"mode":null}"#, "mode"), None);
        assert_eq!(limit_of("", "mode"), None);
    }
}
