//! Panels of a picture: their traces as marks in the units of the axes, drawn to pixels.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::Area;
use super::axis::Axis;
use super::json::{items, text_of};
use super::text::{Anchor, escape, lines, short, width, write_text};
use crate::kit::{label, theme};

/// Number of colors of a heatmap.
const COLORS: f64 = 32.0;

type Point = (f64, f64);

/// Something to draw, in the units of the axes.
enum Mark {
    Rect {
        start: Point,
        end: Point,
        fill: String,
        text: Option<String>,
    },
    /// A line, or an area if the second text is its color. It is interrupted where a point is missing.
    Path {
        points: Vec<Option<Point>>,
        stroke: String,
        fill: Option<String>,
        dash: &'static str,
    },
    Dot {
        center: Point,
        size: f64,
        fill: String,
    },
}

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
    color_bar: Option<ColorScale>,
}

impl PanelPicture {
    pub(super) fn new(layout: &Value, traces: &[Value], x: &str, y: &str) -> Self {
        let name = |trace: &Value, axis: &str| trace[format!("{axis}axis")].as_str().unwrap_or(axis).to_owned();
        let own: Vec<&Value> = traces.iter().filter(|trace| name(trace, "x") == x && name(trace, "y") == y).collect();
        let values = |key: &str| own.iter().map(|trace| &trace[key]).collect::<Vec<_>>();
        let (x, y) = (Axis::new(layout, x, &values("x")), Axis::new(layout, y, &values("y")));
        let mut panel = Self { x, y, marks: Vec::new(), color_bar: None };
        panel.add_bars(layout, own.iter().copied().filter(|trace| trace["type"] == "bar").collect());
        let mut before = Vec::new();
        for trace in own {
            match trace["type"].as_str() {
                Some("bar") => {}
                Some("box") => panel.add_boxes(trace),
                Some("heatmap") => panel.add_cells(trace),
                _ => before = panel.add_points(trace, &before),
            }
        }
        let mut points: Vec<Point> = Vec::new();
        for mark in &panel.marks {
            match mark {
                Mark::Rect { start, end, .. } => points.extend([start, end]),
                Mark::Path { points: path, .. } => points.extend(path.iter().flatten()),
                Mark::Dot { center, .. } => points.push(*center),
            }
        }
        let has_dots = panel.marks.iter().any(|mark| matches!(mark, Mark::Dot { .. }));
        let ends = |axis: &Axis, keys: [&'static str; 2]| {
            let (name, letter) = (axis.name.clone(), &keys[0][..1]);
            let own = items(&layout["shapes"]).filter(move |shape| shape[format!("{letter}ref")] == name);
            own.flat_map(move |shape| keys.map(|key| &shape[key])).filter_map(|value| axis.value(value)).collect()
        };
        let (xs, ys): (Vec<f64>, Vec<f64>) = (ends(&panel.x, ["x0", "x1"]), ends(&panel.y, ["y0", "y1"]));
        panel.x.set_range(points.iter().map(|point| point.0).chain(xs), if has_dots { 0.03 } else { 0.0 });
        panel.y.set_range(
            points.iter().map(|point| point.1).chain(ys),
            if panel.color_bar.is_some() { 0.0 } else { 0.05 },
        );
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
                let center =
                    if mode == "group" { position + (index as f64 - (count - 1.0) / 2.0) * width } else { position };
                let length = value * across.per_ms();
                let start = match stacks.entry(((position * 1e6) as i64, value < 0.0)).or_default() {
                    sum if mode == "stack" => std::mem::replace(sum, *sum + length),
                    _ => across.value(row_value(&trace["base"], row)).unwrap_or(0.0),
                };
                let corner = |across: f64, along: f64| if is_flat { (across, along) } else { (along, across) };
                let text = row_value(&trace["text"], row).as_str().map(|text| lines(text).remove(0).text);
                let (first, last) = (corner(start, center - width / 2.0), corner(start + length, center + width / 2.0));
                self.marks.push(Mark::Rect { start: first, end: last, fill: row_color(trace, row), text });
                if let Some(more) = trace["error_x"]["array"].get(row).and_then(Value::as_f64) {
                    let less = trace["error_x"]["arrayminus"].get(row).and_then(Value::as_f64).unwrap_or(more);
                    self.marks.push(line(
                        theme::ON_LIGHT,
                        &[(start + length - less, center), (start + length + more, center)],
                    ));
                }
            }
        }
    }

    fn add_boxes(&mut self, trace: &Value) {
        let is_flat = trace["orientation"] == "h";
        let (axis, places) = if is_flat { (&self.y, &trace["y"]) } else { (&self.x, &trace["x"]) };
        let turn = |along: f64, across: f64| if is_flat { (across, along) } else { (along, across) };
        let color = trace["line"]["color"].as_str().unwrap_or(theme::ON_LIGHT);
        for (row, place) in items(places).enumerate() {
            let value = |key: &str| trace[key].get(row).and_then(Value::as_f64);
            let (Some(center), Some(q1), Some(q3)) = (axis.value(place), value("q1"), value("q3")) else { continue };
            let (low, high) = (center - 0.3, center + 0.3);
            let fill = text_of(&trace["fillcolor"]);
            self.marks.push(Mark::Rect { start: turn(low, q1), end: turn(high, q3), fill, text: None });
            let outline = [(low, q1), (low, q3), (high, q3), (high, q1), (low, q1)];
            self.marks.push(line(color, &outline.map(|(along, across)| turn(along, across))));
            for across in ["median", "lowerfence", "upperfence"].into_iter().filter_map(value) {
                self.marks.push(line(color, &[turn(low, across), turn(high, across)]));
                self.marks
                    .push(line(color, &[turn(center, across), turn(center, across.clamp(q1.min(q3), q3.max(q1)))]));
            }
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
        // Cells of one color are one path.
        let mut by_color: BTreeMap<String, Vec<(Point, Point)>> = BTreeMap::new();
        for (cells, y) in items(&trace["z"]).zip(rows.windows(2)) {
            let color = |z: &Value| Some(scale.color(((z.as_f64()? - low) / (high - low) * COLORS).round() / COLORS));
            let cells: Vec<(Option<String>, &[f64])> = items(cells).map(color).zip(columns.windows(2)).collect();
            for same in cells.chunk_by(|a, b| a.0 == b.0) {
                let (Some((Some(fill), first)), Some((_, last))) = (same.first(), same.last()) else { continue };
                by_color.entry(fill.clone()).or_default().push(((first[0], y[0]), (last[1], y[1])));
            }
        }
        for (fill, cells) in by_color {
            let mark = |(start, end)| Mark::Rect { start, end, fill: fill.clone(), text: None };
            self.marks.extend(cells.into_iter().map(mark));
        }
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
            let fill = Some(text_of(&trace["fillcolor"]));
            self.marks.push(Mark::Path { points: area, stroke: String::new(), fill, dash: "" });
        }
        let mode = trace["mode"].as_str().unwrap_or("lines");
        if mode.contains("lines") && trace["line"]["width"] != 0.0 {
            let dash = dash_array(trace);
            let stroke = trace["line"]["color"].as_str().map_or_else(|| row_color(trace, 0), str::to_owned);
            let points = if trace["line"]["shape"] == "hv" { stepped(&points) } else { points.clone() };
            self.marks.push(Mark::Path { points, stroke, fill: None, dash });
        }
        if mode.contains("markers") {
            for (row, center) in points.iter().enumerate().filter_map(|(row, center)| Some((row, (*center)?))) {
                let size = row_value(&trace["marker"]["size"], row).as_f64().unwrap_or(6.0);
                self.marks.push(Mark::Dot { center, size, fill: row_color(trace, row) });
            }
        }
        points
    }

    /// Draws the panel into the plot area of the figure.
    pub(super) fn draw(&self, svg: &mut String, plot: Area, layout: &Value) {
        let (across, down) = (plot.right - plot.left, plot.bottom - plot.top);
        let area = Area {
            left: plot.left + self.x.domain.0 * across,
            right: plot.left + self.x.domain.1 * across,
            top: plot.bottom - self.y.domain.1 * down,
            bottom: plot.bottom - self.y.domain.0 * down,
        };
        self.x.draw(svg, area, true);
        self.y.draw(svg, area, false);
        self.draw_shapes(svg, area, layout, true);
        // An inner picture clips what is out of its range.
        let [x, y, w, h] = [area.left, area.top, area.right - area.left, area.bottom - area.top].map(short);
        let _ = writeln!(svg, "<svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\">");
        self.draw_marks(svg, area);
        svg.push_str("</svg>\n");
        self.draw_shapes(svg, area, layout, false);
        if let Some(scale) = &self.color_bar {
            scale.draw(svg, area);
        }
    }

    /// Draws the lines and rectangles of the layout that are below or above the traces.
    fn draw_shapes(&self, svg: &mut String, area: Area, layout: &Value, is_below: bool) {
        for shape in items(&layout["shapes"]).filter(|shape| (shape["layer"] == "below") == is_below) {
            let share = |axis: &Axis, key: &str| {
                let reference = shape[format!("{}ref", &key[..1])].as_str().unwrap_or(&key[..1]);
                let value = &shape[key];
                let share = match reference.strip_suffix(" domain") {
                    Some(name) => value.as_f64().filter(|_| name == axis.name)?,
                    None => axis.share(axis.value(value).filter(|_| reference == axis.name)?),
                };
                // A line outside the range is not shown; a rectangle is cut.
                if shape["type"] == "rect" {
                    Some(share.clamp(0.0, 1.0))
                } else {
                    (-1e-6..1.000_001).contains(&share).then_some(share)
                }
            };
            let x = |key: &str| Some(area.left + share(&self.x, key)? * (area.right - area.left));
            let y = |key: &str| Some(area.bottom - share(&self.y, key)? * (area.bottom - area.top));
            let (Some(x0), Some(x1), Some(y0), Some(y1)) = (x("x0"), x("x1"), y("y0"), y("y1")) else { continue };
            if shape["type"] == "rect" {
                write_rects(svg, &text_of(&shape["fillcolor"]), &[((x0, y0), (x1, y1))]);
            } else {
                let (color, dash) = (escape(&text_of(&shape["line"]["color"])), dash_array(shape));
                let path = path(&[Some((x0, y0)), Some((x1, y1))]);
                let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"{color}\" stroke-dasharray=\"{dash}\"/>");
            }
        }
    }

    fn draw_marks(&self, svg: &mut String, area: Area) {
        let pixel = |(x, y): Point| {
            let left = area.left + self.x.share(x) * (area.right - area.left);
            (left, area.bottom - self.y.share(y) * (area.bottom - area.top))
        };
        let (mut rects, mut rects_fill, mut texts) = (Vec::new(), "", String::new());
        for mark in &self.marks {
            if !matches!(mark, Mark::Rect { fill, .. } if fill == rects_fill) {
                write_rects(svg, rects_fill, &rects);
                rects.clear();
            }
            let _ = match mark {
                Mark::Rect { start, end, fill, text } => {
                    let ((x0, y0), (x1, y1)) = (pixel(*start), pixel(*end));
                    rects_fill = fill;
                    rects.push(((x0, y0), (x1, y1)));
                    let text =
                        text.as_deref().filter(|text| width(text, 11.0) < (x1 - x0).abs() && (y1 - y0).abs() > 10.0);
                    if let Some(text) = text {
                        let (x, y) = (f64::midpoint(x0, x1), f64::midpoint(y0, y1) + 4.0);
                        write_text(&mut texts, x, y, Anchor::Middle, 11.0, false, text);
                    }
                    Ok(())
                }
                Mark::Path { points, stroke, fill, dash } => {
                    let points = points.iter().map(|point| point.map(pixel)).collect();
                    let path = path(&thinned(points, area));
                    let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
                    match fill {
                        Some(fill) => writeln!(svg, "<path d=\"{path}\" fill=\"{}\"/>", escape(fill)),
                        None => writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{}\"{dash}/>", escape(stroke)),
                    }
                }
                Mark::Dot { center, size, fill } => {
                    let [x, y, radius] = [pixel(*center).0, pixel(*center).1, size / 2.0].map(short);
                    writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\"/>", escape(fill))
                }
            };
        }
        write_rects(svg, rects_fill, &rects);
        svg.push_str(&texts);
    }
}

impl ColorScale {
    /// The color at a position.
    fn color(&self, position: f64) -> String {
        let above =
            self.stops.iter().position(|(stop, _)| *stop >= position).unwrap_or(self.stops.len().saturating_sub(1));
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
            write_rects(
                svg,
                &self.color(f64::from(level) / 15.0),
                &[((left, top), (left + 12.0, top + height / 16.0))],
            );
        }
        for (value, y) in [(self.high, area.top + 9.0), (self.low, area.top + height)] {
            write_text(svg, left + 16.0, y, Anchor::Start, 11.0, false, &label::number(value));
        }
    }
}

/// The lengths of the dashes of a trace or shape; empty for a solid line.
fn dash_array(value: &Value) -> &'static str {
    match value["line"]["dash"].as_str() {
        Some("dash") => "7 4",
        Some("dot") => "2 3",
        Some("dashdot") => "7 3 2 3",
        _ => "",
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
    if value.is_array() { value.get(row).unwrap_or(&Value::Null) } else { value }
}

fn row_color(trace: &Value, row: usize) -> String {
    row_value(&trace["marker"]["color"], row).as_str().map_or_else(|| legend_color(trace), str::to_owned)
}

fn line(color: &str, points: &[Point]) -> Mark {
    Mark::Path { points: points.iter().copied().map(Some).collect(), stroke: color.to_owned(), fill: None, dash: "" }
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
    points
        .iter()
        .zip(next)
        .flat_map(|(point, next)| [*point, point.zip(*next).map(|(start, end)| (end.0, start.1)).or(*point)])
        .collect()
}

/// Reduces a line with many points to the first, minimum, maximum and last one of each column of pixels.
fn thinned(points: Vec<Option<Point>>, area: Area) -> Vec<Option<Point>> {
    if (points.len() as f64) < 2.0 * (area.right - area.left) {
        return points;
    }
    let column = |point: &Option<Point>| point.map(|(x, _)| x.round() as i64);
    let height = |point: &Option<Point>| point.map_or(0.0, |(_, y)| y);
    let mut out = Vec::new();
    for part in points.chunk_by(|a, b| column(a) == column(b)) {
        let lowest = part.iter().min_by(|a, b| height(a).total_cmp(&height(b)));
        let highest = part.iter().max_by(|a, b| height(a).total_cmp(&height(b)));
        out.extend([part.first(), lowest, highest, part.last()].into_iter().flatten().copied());
        out.dedup();
    }
    out
}

/// The path of a line, which is interrupted where a point is missing.
fn path(points: &[Option<Point>]) -> String {
    let mut path = String::new();
    let mut is_new = true;
    for point in points {
        if let Some((x, y)) = point {
            let _ = write!(path, "{}{} {}", if is_new { 'M' } else { 'L' }, short(*x), short(*y));
        }
        is_new = point.is_none();
    }
    path
}

/// Writes rectangles of one color as one path. Of those that cover the same pixel, only the first one is drawn.
pub(super) fn write_rects(svg: &mut String, fill: &str, rects: &[(Point, Point)]) {
    let mut path = String::new();
    let mut last = None;
    for ((x0, y0), (x1, y1)) in rects {
        let (x, y, width, height) = (x0.min(*x1), y0.min(*y1), (x1 - x0).abs(), (y1 - y0).abs());
        let place = (x.round() as i64, y.round() as i64, height.round() as i64);
        let is_repeated = width < 1.0 && last.replace(place) == Some(place);
        if width > 0.0 && height > 0.0 && (x + y + width + height).is_finite() && !is_repeated {
            let [x, y, width, height] = [x, y, width.max(0.6), height.max(0.6)].map(short);
            let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
        }
    }
    if !path.is_empty() {
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"{}\"/>", escape(fill));
    }
}
