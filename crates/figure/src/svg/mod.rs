//! A figure as a static SVG picture, for pages that do not run plotly.js: GitHub, editors, printed notebooks.
//!
//! It reads the Plotly JSON of our figures: bars, lines and points, boxes, heatmaps, lines and rectangles in the
//! background. Hierarchies become bars of their largest leaves. What is smaller than a pixel is merged, so that the
//! picture is small for any number of points.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "pixels, decimals and colors are small numbers"
)]

mod axis;
mod leaves;
mod marks;
mod panel;
mod text;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use self::panel::{PanelPicture, legend_color};
use self::text::{items, lines, text_of, write_text};
use crate::kit::label::escape;
use crate::kit::theme;
use crate::output::height;

/// Width of the picture in pixels.
const WIDTH: f64 = 760.0;

/// A rectangle on the picture in pixels.
#[derive(Debug, Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    /// The pixel at shares of its width and height, from the bottom left corner.
    fn pixel(self, across: f64, up: f64) -> (f64, f64) {
        (self.left + across * (self.right - self.left), self.bottom - up * (self.bottom - self.top))
    }
}

/// Draws the Plotly JSON of a figure as SVG. Text is dark on white, so that it is readable on any page.
///
/// # Examples
/// ```
/// let figure = r#"{"data": [{"type": "bar", "x": [1, 2], "y": [3, 4]}], "layout": {"height": 200}}"#;
/// let svg = tracelake_figure::to_svg(figure);
/// assert!(svg.starts_with("<svg ") && svg.contains("<path "));
/// ```
pub fn to_svg(json: &str) -> String {
    let mut figure: Value = serde_json::from_str(json).unwrap_or_default();
    leaves::replace_hierarchy(&mut figure);
    let (layout, traces) = (&figure["layout"], items(&figure["data"]).collect::<Vec<_>>());
    let height = f64::from(height(layout));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         style=\"max-width:100%;height:auto;background:#fff\" font-family=\"system-ui,sans-serif\" font-size=\"12\" \
         fill=\"{ink}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        ink = theme::ON_LIGHT,
    );
    for (index, line) in lines(&text_of(&layout["title"]["text"])).iter().enumerate() {
        write_text(&mut svg, (8.0, 26.0 + 20.0 * index as f64), "start", line.size(15.0), &line.text);
    }
    let panels = panels(layout, &traces);
    let margin = |side: &str, default: f64| layout["margin"][side].as_f64().unwrap_or(default);
    let color_bar = if traces.iter().any(|trace| trace["showscale"] == true) { 70.0 } else { 0.0 };
    let area = Area {
        left: panels.iter().map(|panel| panel.y.label_space()).fold(margin("l", 64.0), f64::max),
        top: margin("t", 60.0),
        right: WIDTH - margin("r", 24.0) - color_bar,
        bottom: height - margin("b", 50.0),
    };
    panels.iter().for_each(|panel| panel.draw(&mut svg, area));
    // The names of panels, or what to record for an empty figure.
    for note in items(&layout["annotations"]) {
        let position = |name: &str| note[name].as_f64().unwrap_or(0.5);
        let (x, y) = area.pixel(position("x"), position("y"));
        let anchor = if note["xanchor"] == "left" { "start" } else { "middle" };
        for (index, line) in lines(&text_of(&note["text"])).iter().enumerate() {
            write_text(&mut svg, (x, y - 5.0 + 15.0 * index as f64), anchor, line.size(12.0), &line.text);
        }
    }
    draw_legend(&mut svg, layout, &traces, area);
    svg + "</svg>\n"
}

/// The pairs of axes that traces use, in order. Axes that match share their range.
fn panels(layout: &Value, traces: &[&Value]) -> Vec<PanelPicture> {
    let axis_of = |trace: &Value, letter: &str| trace[format!("{letter}axis")].as_str().unwrap_or(letter).to_owned();
    let pairs = traces.iter().map(|trace| (axis_of(trace, "x"), axis_of(trace, "y")));
    let mut panels: Vec<PanelPicture> = Vec::new();
    for (x, y) in pairs.clone() {
        if !panels.iter().any(|panel| panel.x.name == x && panel.y.name == y) {
            let own = traces.iter().zip(pairs.clone()).filter(|(_, pair)| pair.0 == x && pair.1 == y);
            panels.push(PanelPicture::new(layout, own.map(|(trace, _)| *trace).collect(), &x, &y));
        }
    }
    let ranges: Vec<(String, (f64, f64))> =
        panels.iter().flat_map(|panel| [&panel.x, &panel.y]).map(|axis| (axis.group.clone(), axis.range)).collect();
    for axis in panels.iter_mut().flat_map(|panel| [&mut panel.x, &mut panel.y]) {
        for (_, (low, high)) in ranges.iter().filter(|(group, (low, high))| *group == axis.group && low <= high) {
            axis.range = (axis.range.0.min(*low), axis.range.1.max(*high));
        }
    }
    panels
}

/// Draws the legend below the plot: an entry for each name.
fn draw_legend(svg: &mut String, layout: &Value, traces: &[&Value], area: Area) {
    let mut names = BTreeSet::new();
    let (mut x, mut y) = (area.left, area.bottom + 66.0);
    let is_shown = |trace: &&&Value| layout["showlegend"] != false && trace["showlegend"] != false;
    for trace in traces.iter().filter(is_shown) {
        let Some(name) = trace["name"].as_str().filter(|name| names.insert(*name)) else { continue };
        let text = text::first_line(name);
        let width = 30.0 + text::width(&text);
        if x > area.left && x + width > WIDTH {
            (x, y) = (area.left, y + 18.0);
        }
        let color = escape(&legend_color(trace));
        let (top, height) = if trace["mode"] == "lines" && trace["fill"].is_null() { (5.0, 2) } else { (9.0, 10) };
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"{height}\" fill=\"{color}\"/>", y - top);
        write_text(svg, (x + 17.0, y), "start", 11.0, &text);
        x += width;
    }
}
