//! Traces and shapes that several figures use: bands, outlier marks, bars over time, lines, shaded phases.

use plotly::common::{ColorBar, Fill, HoverInfo, Line, Marker, MarkerSymbol, Mode, Orientation};
use plotly::layout::{Shape, ShapeLayer, ShapeLine, ShapeType};
use plotly::{Bar, HeatMap, Scatter};
use serde::Serialize;
use serde_json::json;

use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::{JsonTrace, TraceExt};
use crate::kit::{label, theme};

/// A line trace over time that may have gaps, where time and value are `None`.
pub(crate) type TimeLine = Box<Scatter<Option<String>, Option<f64>>>;

/// One time bin of a series, with values in the unit of the axis.
#[derive(Debug, Clone)]
pub(crate) struct SeriesBin {
    pub(crate) ts: i64,
    pub(crate) dur: i64,
    pub(crate) mean: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) hover: String,
}

/// The mean over time as a line, and the range from minimum to maximum as a band. Both have gaps at missing bins.
pub(crate) fn line_and_band(bins: &[SeriesBin], axes: &PanelAxes, fill: &str) -> (TimeLine, TimeLine) {
    let (mut x, mut y, mut hover) = (Vec::new(), Vec::new(), Vec::new());
    let (mut band_x, mut band_y) = (Vec::new(), Vec::new());
    for stretch in bins.chunk_by(|a, b| b.ts.saturating_sub(a.ts) <= a.dur.saturating_mul(3) / 2) {
        if !x.is_empty() {
            x.push(None);
            y.push(None);
            hover.push(String::new());
            band_x.push(None);
            band_y.push(None);
        }
        let middles: Vec<Option<String>> =
            stretch.iter().map(|bin| Some(label::time(bin.ts.saturating_add(bin.dur / 2)))).collect();
        x.extend(middles.iter().cloned());
        y.extend(stretch.iter().map(|bin| Some(bin.mean)));
        hover.extend(stretch.iter().map(|bin| bin.hover.clone()));
        band_x.extend(middles.iter().chain(middles.iter().rev()).cloned());
        band_y.extend(stretch.iter().map(|bin| Some(bin.max)).chain(stretch.iter().rev().map(|bin| Some(bin.min))));
    }
    let mode = if bins.len() == 1 { Mode::Markers } else { Mode::Lines };
    let line = Scatter::new(x, y).mode(mode).hover_texts(hover).on_axes(axes);
    (line, filled_band(band_x, band_y, axes, fill))
}

/// An area without an edge. The points go around it.
pub(crate) fn filled_band<X: Serialize + Clone + 'static, Y: Serialize + Clone + 'static>(
    x: Vec<X>,
    y: Vec<Y>,
    axes: &PanelAxes,
    fill: &str,
) -> Box<Scatter<X, Y>> {
    Scatter::new(x, y)
        .mode(Mode::Lines)
        .fill(Fill::ToSelf)
        .fill_color(fill.to_owned())
        .line(Line::new().width(0.0))
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .on_axes(axes)
}

/// Marks points in the color of outliers. Each point has a hover text. Without points, it draws nothing.
pub(crate) fn draw_outliers<X: Serialize + Clone + 'static>(
    sheet: &mut Sheet,
    axes: &PanelAxes,
    name: &str,
    points: impl Iterator<Item = (X, f64, String)>,
) {
    let (mut x, mut y, mut hover) = (Vec::new(), Vec::new(), Vec::new());
    for (point_x, point_y, text) in points {
        x.push(point_x);
        y.push(point_y);
        hover.push(text);
    }
    if x.is_empty() {
        return;
    }
    let marks = Scatter::new(x, y)
        .mode(Mode::Markers)
        .marker(Marker::new().symbol(MarkerSymbol::X).size(8).color(theme::color("outlier")));
    sheet.add_named_trace(axes, name, marks.hover_texts(hover));
}

/// A heatmap of values from 0 to `max`, with or without a color bar. Unknown values are gaps.
pub(crate) fn heatmap<K: Serialize + Clone + 'static>(
    x: Vec<K>,
    y: Vec<K>,
    values: Vec<Vec<Option<f64>>>,
    max: f64,
    color_bar: Option<ColorBar>,
    axes: &PanelAxes,
) -> Box<HeatMap<K, K, Vec<Option<f64>>>> {
    let map = HeatMap::new(x, y, values)
        .zmin(0.0)
        .zmax(max)
        .color_scale(theme::heatmap_colors())
        .show_scale(color_bar.is_some())
        .hover_on_gaps(false)
        .x_axis(&axes.x)
        .y_axis(&axes.y);
    match color_bar {
        Some(color_bar) => map.color_bar(color_bar),
        None => map,
    }
}

/// A horizontal bar between two times.
pub(crate) struct SpanBar {
    /// Name of the row of the bar.
    pub(crate) row: String,
    /// Start, in ns since the Unix epoch.
    pub(crate) ts: i64,
    /// Length, in ns.
    pub(crate) dur: i64,
    pub(crate) hover: String,
}

/// Draws horizontal bars of one color on a time axis. plotly's Rust types lack the start of a bar.
pub(crate) fn draw_span_bars(sheet: &mut Sheet, axes: &PanelAxes, name: &str, color: &str, spans: Vec<SpanBar>) {
    let starts: Vec<String> = spans.iter().map(|span| label::time(span.ts)).collect();
    // On a time axis, the length of a bar is in ms.
    let lengths: Vec<f64> = spans.iter().map(|span| span.dur as f64 / 1e6).collect();
    let (rows, hover): (Vec<String>, Vec<String>) = spans.into_iter().map(|span| (span.row, span.hover)).unzip();
    let line = Line::new().width(1.0).color(color.to_owned());
    let bars = Bar::new(lengths, rows)
        .name(name)
        .orientation(Orientation::Horizontal)
        .marker(Marker::new().color(theme::with_opacity(color, 0.75)).line(line))
        .show_legend(false)
        .hover_texts(hover)
        .on_axes(axes);
    let mut fields = serde_json::to_value(bars).unwrap_or_default();
    fields["base"] = json!(starts);
    sheet.add_trace(Box::new(JsonTrace(fields)));
}

/// Shades a time span over the whole height of a panel, with a strip in the full color above it.
pub(crate) fn shaded_span(color: &str, ts: i64, dur: i64, axes: &PanelAxes) -> [Shape; 2] {
    let rectangle = |bottom: f64, top: f64, opacity: f64| {
        Shape::new()
            .shape_type(ShapeType::Rect)
            .layer(ShapeLayer::Below)
            .x_ref(&axes.x)
            .x0(label::time(ts))
            .x1(label::time(ts.saturating_add(dur)))
            .y_ref(format!("{} domain", axes.y))
            .y0(bottom)
            .y1(top)
            .fill_color(theme::with_opacity(color, opacity))
            .line(ShapeLine::new().width(0.0))
    };
    [rectangle(0.0, 1.0, 0.08), rectangle(1.0, 1.03, 0.9)]
}

/// A thin horizontal line at `y` over the width of a panel, below the traces.
pub(crate) fn horizontal_line(y: f64, axes: &PanelAxes) -> Shape {
    Shape::new()
        .shape_type(ShapeType::Line)
        .layer(ShapeLayer::Below)
        .x_ref(format!("{} domain", axes.x))
        .x0(0.0)
        .x1(1.0)
        .y_ref(&axes.y)
        .y0(y)
        .y1(y)
        .line(ShapeLine::new().width(1.0).color(theme::GRID))
}

/// A vertical line at `x` over the height of a panel, above the traces.
pub(crate) fn vertical_line(x: f64, axes: &PanelAxes, line: ShapeLine) -> Shape {
    Shape::new()
        .shape_type(ShapeType::Line)
        .layer(ShapeLayer::Above)
        .x_ref(&axes.x)
        .x0(x)
        .x1(x)
        .y_ref(format!("{} domain", axes.y))
        .y0(0.0)
        .y1(1.0)
        .line(line)
}

/// A trace without points that only adds a legend entry, as a colored square.
pub(crate) fn legend_key(name: &str, color: &str) -> Box<Scatter<Option<f64>, Option<f64>>> {
    Scatter::new(vec![None], vec![None])
        .name(name)
        .mode(Mode::Markers)
        .marker(Marker::new().symbol(MarkerSymbol::Square).size(12).color(theme::with_opacity(color, 0.9)))
        .hover_info(HoverInfo::Skip)
}
