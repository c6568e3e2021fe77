//! Shapes that several figures use: bands, marks, time spans, shaded phases.

use plotly::common::{Fill, HoverInfo, Line, Marker, MarkerSymbol, Mode, Orientation};
use plotly::layout::{Shape, ShapeLayer, ShapeLine, ShapeType};
use plotly::{Bar, Scatter, Trace};
use serde::Serialize;

use crate::kit::sheet::Place;
use crate::kit::{label, theme};

/// Timestamps. `None` is a gap between two stretches.
pub(crate) type Times = Vec<Option<String>>;
/// Values at these times.
pub(crate) type Values = Vec<Option<f64>>;

/// A line trace that may have gaps.
pub(crate) type Lines = Box<Scatter<Option<String>, Option<f64>>>;

/// One time bin of a series, with values in the unit of the axis.
#[derive(Debug, Clone)]
pub(crate) struct Bin {
    pub(crate) ts: i64,
    pub(crate) dur: i64,
    pub(crate) mean: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) hover: String,
}

impl Bin {
    /// The middle of the bin, where its values are drawn.
    pub(crate) fn middle(&self) -> String {
        label::time(self.ts.saturating_add(self.dur / 2))
    }
}

/// The mean over time as a line, and the range from minimum to maximum as a band. Both have gaps at missing bins.
pub(crate) fn band(bins: &[Bin], at: &Place, fill: &str) -> (Lines, Lines) {
    let (mut x, mut y, mut hover): (Times, Values, Vec<String>) = Default::default();
    let (mut ring_x, mut ring_y): (Times, Values) = Default::default();
    for stretch in bins.chunk_by(|a, b| b.ts.saturating_sub(a.ts) <= a.dur.saturating_mul(3) / 2) {
        if !x.is_empty() {
            x.push(None);
            y.push(None);
            hover.push(String::new());
            ring_x.push(None);
            ring_y.push(None);
        }
        for bin in stretch {
            x.push(Some(bin.middle()));
            y.push(Some(bin.mean));
            hover.push(bin.hover.clone());
            ring_x.push(Some(bin.middle()));
            ring_y.push(Some(bin.max));
        }
        for bin in stretch.iter().rev() {
            ring_x.push(Some(bin.middle()));
            ring_y.push(Some(bin.min));
        }
    }
    let alone = bins.len() == 1;
    let line = Scatter::new(x, y)
        .mode(if alone { Mode::Markers } else { Mode::Lines })
        .hover_text_array(hover)
        .hover_template("%{hovertext}<extra></extra>")
        .x_axis(&at.x)
        .y_axis(&at.y);
    let ring = Scatter::new(ring_x, ring_y)
        .mode(Mode::Lines)
        .fill(Fill::ToSelf)
        .fill_color(fill.to_owned())
        .line(Line::new().width(0.0))
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .x_axis(&at.x)
        .y_axis(&at.y);
    (line, ring)
}

/// Marks of single points, in the color of outliers.
pub(crate) fn marks(x: Vec<String>, y: Vec<f64>, hover: Vec<String>, at: &Place) -> Box<Scatter<String, f64>> {
    Scatter::new(x, y)
        .mode(Mode::Markers)
        .marker(Marker::new().symbol(MarkerSymbol::X).size(8).color(theme::color("outlier")))
        .hover_text_array(hover)
        .hover_template("%{hovertext}<extra></extra>")
        .x_axis(&at.x)
        .y_axis(&at.y)
}

/// Horizontal bars between two times. The Rust types of plotly do not support the start of a bar.
#[derive(Clone, Serialize)]
pub(crate) struct Spans {
    base: Vec<String>,
    #[serde(flatten)]
    bars: Box<Bar<f64, String>>,
}

impl Spans {
    /// Bars of one color. Each span has a row, a start and a length in ns, and a hover text.
    pub(crate) fn new(name: &str, color: &str, at: &Place, spans: Vec<(String, i64, i64, String)>) -> Self {
        let base = spans.iter().map(|(_, ts, ..)| label::time(*ts)).collect();
        // On a time axis, the length of a bar is in ms.
        let lengths = spans.iter().map(|(_, _, dur, _)| *dur as f64 / 1e6).collect();
        let rows = spans.iter().map(|(row, ..)| row.clone()).collect();
        let bars = Bar::new(lengths, rows)
            .name(name)
            .orientation(Orientation::Horizontal)
            .marker(Marker::new().color(theme::faint(color, 0.75)).line(Line::new().width(1.0).color(color.to_owned())))
            .hover_text_array(spans.into_iter().map(|(.., hover)| hover).collect())
            .hover_template("%{hovertext}<extra></extra>")
            .x_axis(&at.x)
            .y_axis(&at.y);
        Self { base, bars: bars.show_legend(false) }
    }
}

impl Trace for Spans {
    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A time span shaded over the whole height of a panel, with a strip in the full color above it.
pub(crate) fn shade(color: &str, ts: i64, dur: i64, at: &Place) -> [Shape; 2] {
    let part = |from: f64, to: f64, alpha: f64| {
        Shape::new()
            .shape_type(ShapeType::Rect)
            .layer(ShapeLayer::Below)
            .x_ref(&at.x)
            .x0(label::time(ts))
            .x1(label::time(ts.saturating_add(dur)))
            .y_ref(format!("{} domain", at.y))
            .y0(from)
            .y1(to)
            .fill_color(theme::faint(color, alpha))
            .line(ShapeLine::new().width(0.0))
    };
    [part(0.0, 1.0, 0.08), part(1.0, 1.03, 0.9)]
}

/// A thin horizontal line between two lanes.
pub(crate) fn rule(y: f64, at: &Place) -> Shape {
    Shape::new()
        .shape_type(ShapeType::Line)
        .layer(ShapeLayer::Below)
        .x_ref(format!("{} domain", at.x))
        .x0(0.0)
        .x1(1.0)
        .y_ref(&at.y)
        .y0(y)
        .y1(y)
        .line(ShapeLine::new().width(1.0).color(theme::GRID))
}

/// A legend entry for something that is not a series, as a colored square.
pub(crate) fn key(name: &str, color: &str) -> Box<Scatter<Option<f64>, Option<f64>>> {
    Scatter::new(vec![None], vec![None])
        .name(name)
        .mode(Mode::Markers)
        .marker(Marker::new().symbol(MarkerSymbol::Square).size(12).color(theme::faint(color, 0.9)))
        .hover_info(HoverInfo::Skip)
}
