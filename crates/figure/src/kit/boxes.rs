//! Box plots in rows, each with a mark, and lines for the limits of a rule.

use plotly::common::{DashType, HoverInfo, Line, Marker, MarkerSymbol, Mode, Orientation};
use plotly::layout::ShapeLine;
use plotly::{BoxPlot, Scatter};
use serde_json::Value;

use crate::kit::read::{ColumnValue, rows};
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{read, series, theme};
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

/// Whiskers, quartiles and 95th percentile, from the columns with this prefix.
impl ColumnValue for Stats {
    fn read(frame: &Frame, prefix: &str) -> Result<Vec<Self>> {
        let column = |name: &str| read::column::<f64>(frame, &format!("{prefix}{name}"));
        Ok(rows!(
            frame,
            Self {
                lower: column("lower")?,
                low: column("p25")?,
                middle: column("p50")?,
                high: column("p75")?,
                upper: column("upper")?,
                mark: column("p95")?
            }
        ))
    }
}

/// A row of a panel.
pub(crate) struct BoxRow {
    /// Position on the axis, from 0.
    pub(crate) position: usize,
    pub(crate) stats: Stats,
    /// Whether the rule is triggered. If so, the row has the color of outliers.
    pub(crate) triggered: bool,
    pub(crate) hover: String,
}

/// Legend entry of rows with a triggered rule.
const TRIGGERED: &str = "rule triggered";
/// The mark of a 95th percentile.
pub(crate) const P95_MARK: (&str, MarkerSymbol) = ("95th percentile", MarkerSymbol::Diamond);

/// Draws the rows on an axis of [`crate::kit::stack::name_axis`]. The names of rows and mark are legend entries.
pub(crate) fn draw(
    sheet: &mut Sheet,
    axes: &PanelAxes,
    rows: &[BoxRow],
    name: &str,
    color: &str,
    (mark, symbol): (&str, MarkerSymbol),
) {
    for (triggered, name, color) in [(false, name, color), (true, TRIGGERED, theme::color("outlier"))] {
        let members: Vec<&BoxRow> = rows.iter().filter(|row| row.triggered == triggered).collect();
        if members.is_empty() {
            continue;
        }
        let values = |value: fn(&Stats) -> f64| members.iter().map(|row| value(&row.stats)).collect::<Vec<f64>>();
        let positions: Vec<f64> = members.iter().map(|row| row.position as f64).collect();
        let boxes = BoxPlot::new(positions.clone())
            .orientation(Orientation::Horizontal)
            .lower_fence(values(|stats| stats.lower))
            .q1(values(|stats| stats.low))
            .median(values(|stats| stats.middle))
            .q3(values(|stats| stats.high))
            .upper_fence(values(|stats| stats.upper))
            .fill_color(theme::with_opacity(color, 0.3))
            .line(Line::new().width(1.5).color(color.to_owned()))
            .hover_info(HoverInfo::Skip);
        sheet.add_named_trace(axes, name, boxes);
        let marks = Scatter::new(values(|stats| stats.mark), positions)
            .mode(Mode::Markers)
            .marker(Marker::new().symbol(symbol.clone()).size(8).color(color.to_owned()))
            .hover_texts(members.iter().map(|row| row.hover.clone()).collect());
        sheet.add_named_trace(axes, mark, marks);
    }
}

/// Draws a dashed vertical line at `x`.
pub(crate) fn draw_limit(sheet: &mut Sheet, axes: &PanelAxes, x: f64) {
    let line = ShapeLine::new().width(1.5).dash(DashType::Dash).color(theme::color("outlier"));
    sheet.add_shape(series::vertical_line(x, axes, line));
}

/// The limit of this name in column `parameters` of a rule's query, or `None` if the column does not have it.
pub(crate) fn parse_limit(parameters: &str, name: &str) -> Option<f64> {
    serde_json::from_str::<Value>(parameters).ok()?.get(name)?.as_f64()
}

/// Draws the limits with these names. Each value is drawn once.
pub(crate) fn draw_limits<'a>(
    sheet: &mut Sheet,
    axes: &PanelAxes,
    parameters: impl Iterator<Item = &'a str> + Clone,
    names: &[&str],
) {
    let limits =
        names.iter().flat_map(|name| parameters.clone().filter_map(|parameters| parse_limit(parameters, name)));
    for (limit, _) in read::group_by(limits, f64::to_bits) {
        draw_limit(sheet, axes, f64::from_bits(limit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_from_json() {
        assert_eq!(parse_limit(r#"{"window":500,"threshold":0.2}"#, "threshold"), Some(0.2));
        assert_eq!(parse_limit(r#"{"mode":null}"#, "mode"), None);
        assert_eq!(parse_limit("", "mode"), None);
    }
}
