//! Step plot of a value that holds until it changes, in bins with their minimum, maximum and last value.

use plotly::Scatter;
use plotly::common::{Fill, HoverInfo, Line, Mode};

use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, theme};

/// One bin, with values in the unit of the axis.
#[derive(Debug, Clone)]
pub(crate) struct StepBin {
    pub(crate) ts: i64,
    pub(crate) dur: i64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// The value from the last change in the bin to the next bin.
    pub(crate) last: f64,
    pub(crate) hover: String,
}

/// The corners of a step plot.
struct Corners {
    x: Vec<String>,
    min: Vec<f64>,
    max: Vec<f64>,
    hover: Vec<String>,
}

impl Corners {
    /// Two corners for each bin, and two for each gap, where the last value holds.
    fn new(bins: &[StepBin]) -> Self {
        let (mut x, mut min, mut max, mut hover) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (index, bin) in bins.iter().enumerate() {
            let mut push = |begin: i64, end: i64, low: f64, high: f64| {
                x.extend([label::time(begin), label::time(end)]);
                min.extend([low, low]);
                max.extend([high, high]);
                hover.extend([bin.hover.clone(), bin.hover.clone()]);
            };
            let end = bin.ts.saturating_add(bin.dur);
            push(bin.ts, end, bin.min, bin.max);
            if let Some(next) = bins.get(index + 1).filter(|next| next.ts > end) {
                push(end, next.ts, bin.last, bin.last);
            }
        }
        Self { x, min, max, hover }
    }
}

/// Draws the maximum as a line and the range below it as an area.
pub(crate) fn draw(sheet: &mut Sheet, axes: &PanelAxes, bins: &[StepBin], name: &str, color: &str) {
    let corners = Corners::new(bins);
    let min = Scatter::new(corners.x.clone(), corners.min)
        .mode(Mode::Lines)
        .line(Line::new().width(0.0))
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .legend_group(label::sanitize(name))
        .on_axes(axes);
    sheet.add_trace(min);
    let max = Scatter::new(corners.x, corners.max)
        .mode(Mode::Lines)
        .line(Line::new().color(color.to_owned()).width(1.5))
        .fill(Fill::ToNextY)
        .fill_color(theme::with_opacity(color, 0.25));
    sheet.add_named_trace(axes, name, max.hover_texts(corners.hover));
}

/// Draws the maximum as a line.
pub(crate) fn draw_line(sheet: &mut Sheet, axes: &PanelAxes, bins: &[StepBin], name: &str, line: Line, hover: bool) {
    let corners = Corners::new(bins);
    let trace = Scatter::new(corners.x, corners.max).mode(Mode::Lines).line(line);
    let trace = if hover { trace.hover_texts(corners.hover) } else { trace.hover_info(HoverInfo::Skip) };
    sheet.add_named_trace(axes, name, trace);
}
