//! Panels of a picture: two axes, and their traces and shapes as marks in the units of the axes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::Area;
use super::axis::Axis;
use super::marks::{Mark, MarkKind, Point, draw, write_rects};
use super::text::{first_line, items, short, text_of, write_text};
use crate::kit::{label, theme};

/// Number of colors of a heatmap.
const COLORS: f64 = 32.0;

/// The colors of a heatmap at positions from 0 to 1, and the values at both ends.
struct ColorScale {
    stops: Vec<(f64, [f64; 3])>,
    low: f64,
    high: f64,
}

/// Two axes and what is drawn between them.
pub(super) struct PanelPicture {
    pub(super) x: Axis,
    pub(super) y: Axis,
    marks: Vec<Mark>,
    shapes: Vec<Value>,
    color_bar: Option<ColorScale>,
}

impl PanelPicture {
    pub(super) fn new(layout: &Value, traces: Vec<&Value>, x: &str, y: &str) -> Self {
        let shapes = items(&layout["shapes"]).cloned().collect();
        let (x, y) = (Axis::new(layout, x), Axis::new(layout, y));
        let mut panel = Self { x, y, marks: Vec::new(), shapes, color_bar: None };
        panel.add_bars(layout, traces.iter().copied().filter(|trace| trace["type"] == "bar").collect());
        let mut before = Vec::new();
        for trace in traces {
            match trace["type"].as_str() {
                Some("bar") => {}
                Some("box") => panel.add_boxes(trace),
                Some("heatmap") => panel.add_cells(trace),
                _ => before = panel.add_points(trace, &before),
            }
        }
        let points: Vec<Point> = panel.marks.iter().flat_map(|mark| mark.points.iter().copied().flatten()).collect();
        let has_dots = panel.marks.iter().any(|mark| matches!(mark.kind, MarkKind::Dot(_)));
        let ends = |axis: &Axis, keys: [&'static str; 2]| -> Vec<f64> {
            let is_value = |shape: &&Value| shape[format!("{}ref", &keys[0][..1])] == axis.name;
            let own = panel.shapes.iter().filter(is_value);
            own.flat_map(|shape| keys.map(|key| axis.value(&shape[key]))).flatten().collect()
        };
        let (xs, ys) = (ends(&panel.x, ["x0", "x1"]), ends(&panel.y, ["y0", "y1"]));
        panel.x.set_range(points.iter().map(|point| point.0).chain(xs), if has_dots { 0.03 } else { 0.0 });
        let padding = if panel.color_bar.is_some() { 0.0 } else { 0.05 };
        panel.y.set_range(points.iter().map(|point| point.1).chain(ys), padding);
        panel
    }

    fn add_bars(&mut self, layout: &Value, bars: Vec<&Value>) {
        let mode = layout["barmode"].as_str().unwrap_or("group");
        let count = if mode == "group" { bars.len() as f64 } else { 1.0 };
        let mut stacks: BTreeMap<(i64, bool), f64> = BTreeMap::new();
        for (index, trace) in bars.into_iter().enumerate() {
            let is_flat = trace["orientation"] == "h";
            let (along, across) = if is_flat { (&self.y, &self.x) } else { (&self.x, &self.y) };
            let (positions, values) = if is_flat { (&trace["y"], &trace["x"]) } else { (&trace["x"], &trace["y"]) };
            let places: Vec<f64> = items(positions).filter_map(|value| along.value(value)).collect();
            let distances = places.windows(2).map(|pair| (pair[1] - pair[0]).abs()).filter(|distance| *distance > 0.0);
            let closest = distances.min_by(f64::total_cmp).unwrap_or(1.0);
            for (row, (position, value)) in items(positions).zip(items(values)).enumerate() {
                let (Some(position), Some(value)) = (along.value(position), value.as_f64()) else { continue };
                let width = row_value(&trace["width"], row).as_f64().map(|width| width * along.per_ms());
                let width = width.unwrap_or(closest * (1.0 - layout["bargap"].as_f64().unwrap_or(0.2))) / count;
                let center = position + (index as f64 - (count - 1.0) / 2.0) * width * f64::from(mode == "group");
                let length = value * across.per_ms();
                let start = match stacks.entry(((position * 1e6) as i64, value < 0.0)).or_default() {
                    sum if mode == "stack" => std::mem::replace(sum, *sum + length),
                    _ => across.value(row_value(&trace["base"], row)).unwrap_or(0.0),
                };
                let corner = |across: f64, along: f64| if is_flat { (across, along) } else { (along, across) };
                let ends = [corner(start, center - width / 2.0), corner(start + length, center + width / 2.0)];
                let text = row_value(&trace["text"], row).as_str().map(first_line);
                self.marks.push(Mark::new(MarkKind::Rect(text), &ends, &row_color(trace, row)));
                let error = &trace["error_x"];
                if let Some(more) = error["array"][row].as_f64() {
                    let less = error["arrayminus"][row].as_f64().unwrap_or(more);
                    let ends = [(start + length - less, center), (start + length + more, center)];
                    self.marks.push(Mark::new(MarkKind::Line(""), &ends, theme::ON_LIGHT));
                }
            }
        }
    }

    /// Adds a rectangle between the quartiles, and lines at the median and to both fences.
    fn add_boxes(&mut self, trace: &Value) {
        let is_flat = trace["orientation"] == "h";
        let (axis, places) = if is_flat { (&self.y, &trace["y"]) } else { (&self.x, &trace["x"]) };
        for (row, place) in items(places).enumerate() {
            let values = ["q1", "q3", "median", "lowerfence", "upperfence"].map(|key| trace[key][row].as_f64());
            let (Some(center), [Some(q1), Some(q3), Some(median), Some(low), Some(high)]) = (axis.value(place), values)
            else {
                continue;
            };
            let mut add = |kind, ends: [Point; 2], color: &Value| {
                let ends = ends.map(|(along, across)| if is_flat { (across, along) } else { (along, across) });
                self.marks.push(Mark::new(kind, &ends, color.as_str().unwrap_or(theme::ON_LIGHT)));
            };
            add(MarkKind::Rect(None), [(center - 0.3, q1), (center + 0.3, q3)], &trace["fillcolor"]);
            add(MarkKind::Line(""), [(center - 0.3, median), (center + 0.3, median)], &trace["line"]["color"]);
            add(MarkKind::Line(""), [(center, low), (center, q1)], &trace["line"]["color"]);
            add(MarkKind::Line(""), [(center, q3), (center, high)], &trace["line"]["color"]);
        }
    }

    fn add_cells(&mut self, trace: &Value) {
        let stop = |stop: &Value| Some((stop[0].as_f64()?, theme::channels(stop[1].as_str()?)));
        let stops = items(&trace["colorscale"]).filter_map(stop).collect();
        let (low, high) = (trace["zmin"].as_f64().unwrap_or(0.0), trace["zmax"].as_f64().unwrap_or(1.0));
        let scale = ColorScale { stops, low, high };
        let (rows, columns) = (items(&trace["z"]).count(), trace["z"][0].as_array().map_or(0, Vec::len));
        let columns = edges(items(&trace["x"]).filter_map(|value| self.x.value(value)).collect(), columns);
        let rows = edges(items(&trace["y"]).filter_map(|value| self.y.value(value)).collect(), rows);
        // Cells of one color follow each other, so that they become one path.
        let mut by_color: BTreeMap<String, Vec<Mark>> = BTreeMap::new();
        for (cells, y) in items(&trace["z"]).zip(rows.windows(2)) {
            let color = |z: &Value| Some(scale.color(((z.as_f64()? - low) / (high - low) * COLORS).round() / COLORS));
            let cells: Vec<(Option<String>, &[f64])> = items(cells).map(color).zip(columns.windows(2)).collect();
            for same in cells.chunk_by(|a, b| a.0 == b.0) {
                let (Some((Some(fill), first)), Some((_, last))) = (same.first(), same.last()) else { continue };
                let cell = Mark::new(MarkKind::Rect(None), &[(first[0], y[0]), (last[1], y[1])], fill);
                by_color.entry(fill.clone()).or_default().push(cell);
            }
        }
        self.marks.extend(by_color.into_values().flatten());
        self.color_bar = Some(scale).filter(|_| trace["showscale"] == true);
    }

    /// Adds lines, areas and dots; returns the points. `before` are those of the trace before.
    fn add_points(&mut self, trace: &Value, before: &[Option<Point>]) -> Vec<Option<Point>> {
        let pairs = items(&trace["x"]).zip(items(&trace["y"]));
        let points: Vec<Option<Point>> = pairs.map(|(x, y)| Some((self.x.value(x)?, self.y.value(y)?))).collect();
        let area = match trace["fill"].as_str() {
            Some("tonexty") => before.iter().chain(points.iter().rev()).copied().collect(),
            Some("toself") => points.clone(),
            _ => Vec::new(),
        };
        if !area.is_empty() {
            self.marks.push(Mark { kind: MarkKind::Area, points: area, color: text_of(&trace["fillcolor"]) });
        }
        let mode = trace["mode"].as_str().unwrap_or("lines");
        if mode.contains("lines") && trace["line"]["width"] != 0.0 {
            let color = trace["line"]["color"].as_str().map_or_else(|| row_color(trace, 0), str::to_owned);
            let points = if trace["line"]["shape"] == "hv" { stepped(&points) } else { points.clone() };
            self.marks.push(Mark { kind: MarkKind::Line(dashes(trace)), points, color });
        }
        let dots = points.iter().enumerate().filter(|_| mode.contains("markers"));
        self.marks.extend(dots.filter_map(|(row, center)| {
            let size = row_value(&trace["marker"]["size"], row).as_f64().unwrap_or(6.0);
            Some(Mark::new(MarkKind::Dot(size), &[(*center)?], &row_color(trace, row)))
        }));
        points
    }

    /// Draws the panel into the plot area of the figure.
    pub(super) fn draw(&self, svg: &mut String, plot: Area) {
        let (left, bottom) = plot.pixel(self.x.domain.0, self.y.domain.0);
        let (right, top) = plot.pixel(self.x.domain.1, self.y.domain.1);
        let area = Area { left, top, right, bottom };
        self.x.draw(svg, area, true);
        self.y.draw(svg, area, false);
        // An inner picture clips what is out of its range.
        let [x, y, w, h] = [area.left, area.top, area.right - area.left, area.bottom - area.top].map(short);
        let _ = writeln!(svg, "<svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\">");
        let pixel = |(x, y): Point| area.pixel(self.x.share(x), self.y.share(y));
        draw(svg, &self.shapes(true), pixel);
        draw(svg, &self.marks, pixel);
        draw(svg, &self.shapes(false), pixel);
        svg.push_str("</svg>\n");
        if let Some(scale) = &self.color_bar {
            scale.draw(svg, area);
        }
    }

    /// The lines and rectangles of the layout that are below or above the traces.
    fn shapes(&self, is_below: bool) -> Vec<Mark> {
        let mark = |shape: &Value| {
            let start = (self.x.shape_end(shape, "x0")?, self.y.shape_end(shape, "y0")?);
            let end = (self.x.shape_end(shape, "x1")?, self.y.shape_end(shape, "y1")?);
            let is_rect = shape["type"] == "rect";
            let kind = if is_rect { MarkKind::Rect(None) } else { MarkKind::Line(dashes(shape)) };
            let color = if is_rect { &shape["fillcolor"] } else { &shape["line"]["color"] };
            Some(Mark::new(kind, &[start, end], &text_of(color)))
        };
        self.shapes.iter().filter(|shape| (shape["layer"] == "below") == is_below).filter_map(mark).collect()
    }
}

impl ColorScale {
    /// The color at a position.
    fn color(&self, position: f64) -> String {
        let last = self.stops.len().saturating_sub(1);
        let above = self.stops.iter().position(|(stop, _)| *stop >= position).unwrap_or(last);
        let Some((end, high)) = self.stops.get(above) else { return theme::color("other").to_owned() };
        let (start, low) = self.stops[above.saturating_sub(1)];
        let share = if *end > start { (position - start) / (end - start) } else { 1.0 };
        let [red, green, blue] = [0, 1, 2].map(|c| (low[c] + (high[c] - low[c]) * share).round() as u8);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Draws the colors to the right of the plot, with the values at both ends.
    fn draw(&self, svg: &mut String, area: Area) {
        let (left, height) = (area.right + 12.0, (area.bottom - area.top).min(150.0));
        for level in 0..16 {
            let top = area.top + f64::from(15 - level) / 16.0 * height;
            let rect = ((left, top), (left + 12.0, top + height / 16.0));
            write_rects(svg, &self.color(f64::from(level) / 15.0), &[rect]);
        }
        for (value, y) in [(self.high, area.top + 9.0), (self.low, area.top + height)] {
            write_text(svg, (left + 16.0, y), "start", 11.0, &label::number(value));
        }
    }
}

/// The lengths of the dashes of a trace or shape; empty for a solid line.
fn dashes(value: &Value) -> &'static str {
    match value["line"]["dash"].as_str() {
        None | Some("solid") => "",
        Some("dot") => "2 3",
        Some(_) => "7 4",
    }
}

/// The color of a trace in the legend.
pub(super) fn legend_color(trace: &Value) -> String {
    let colors = [&trace["marker"]["color"], &trace["line"]["color"], &trace["fillcolor"]];
    let color = colors.into_iter().find_map(|color| color.as_str().or_else(|| color.get(0)?.as_str()));
    color.unwrap_or(theme::ON_LIGHT).to_owned()
}

/// The value of a row: an item of a list, or one value for all rows.
fn row_value(value: &Value, row: usize) -> &Value {
    if value.is_array() { &value[row] } else { value }
}

fn row_color(trace: &Value, row: usize) -> String {
    row_value(&trace["marker"]["color"], row).as_str().map_or_else(|| legend_color(trace), str::to_owned)
}

/// The edges of some cells, from their centers or from one more value: the edges.
fn edges(centers: Vec<f64>, cells: usize) -> Vec<f64> {
    if centers.len() == cells + 1 {
        return centers;
    }
    let (Some(first), Some(last)) = (centers.first(), centers.last()) else { return Vec::new() };
    let half = |pair: Option<&[f64]>| pair.map_or(0.5, |pair| (pair[1] - pair[0]) / 2.0);
    let middle = centers.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
    let (start, end) = (first - half(centers.windows(2).next()), last + half(centers.windows(2).next_back()));
    std::iter::once(start).chain(middle).chain([end]).collect()
}

/// The points of a line that is level up to the next point.
fn stepped(points: &[Option<Point>]) -> Vec<Option<Point>> {
    let next = points.iter().skip(1).chain([&None]);
    let level = |(point, next): (&Option<Point>, &Option<Point>)| {
        [*point, point.zip(*next).map(|(start, end)| (end.0, start.1)).or(*point)]
    };
    points.iter().zip(next).flat_map(level).collect()
}
