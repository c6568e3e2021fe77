//! A figure as a static SVG picture, for pages that do not run plotly.js: GitHub, editors, printed notebooks.
//!
//! It reads the Plotly JSON of our figures: bars, lines and points, boxes, heatmaps, lines and rectangles in the
//! background. Hierarchies become a list of their largest leaves. What is smaller than a pixel is merged, so that the
//! picture is small for any number of points.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "pixels, decimals and colors are small numbers"
)]

mod axis;
mod json;
mod list;
mod text;
mod traces;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use self::text::{Anchor, escape, lines, write_text};
use self::traces::PanelPicture;
use crate::kit::theme;
use crate::output::height;

/// Width of the picture in pixels.
const WIDTH: f64 = 760.0;
/// Height of a row of the legend.
const LEGEND_ROW: f64 = 18.0;
/// Space for the color bar of a heatmap.
const COLOR_BAR: f64 = 70.0;

/// A rectangle on the picture in pixels.
#[derive(Debug, Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
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
    let figure: Value = serde_json::from_str(json).unwrap_or_default();
    let (layout, no_traces) = (&figure["layout"], Vec::new());
    let traces = figure["data"].as_array().unwrap_or(&no_traces);
    let height = f64::from(height(layout));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         style=\"max-width:100%;height:auto;background:#fff\" font-family=\"system-ui,sans-serif\" font-size=\"12\" \
         fill=\"{ink}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        ink = theme::ON_LIGHT,
    );
    draw_title(&mut svg, layout);
    let margin = |side: &str, default: f64| layout["margin"][side].as_f64().unwrap_or(default);
    let mut area = Area {
        left: margin("l", 64.0),
        top: margin("t", 60.0),
        right: WIDTH - margin("r", 24.0),
        bottom: height - margin("b", 50.0),
    };
    if let Some(hierarchy) = traces.iter().find(|trace| !trace["parents"].is_null()) {
        list::draw(&mut svg, hierarchy, area);
        return svg + "</svg>\n";
    }
    let panels = panels(layout, traces);
    area.left = panels.iter().map(|panel| panel.y.label_space()).fold(area.left, f64::max);
    if traces.iter().any(|trace| trace["showscale"] == true) {
        area.right -= COLOR_BAR;
    }
    for panel in &panels {
        panel.draw(&mut svg, area, layout);
    }
    draw_annotations(&mut svg, layout, area);
    draw_legend(&mut svg, layout, traces, area);
    svg + "</svg>\n"
}

/// The pairs of axes that traces or shapes use, in order. Axes that match share their range.
fn panels(layout: &Value, traces: &[Value]) -> Vec<PanelPicture> {
    let axis_of = |trace: &Value, letter: &str| trace[format!("{letter}axis")].as_str().unwrap_or(letter).to_owned();
    let mut pairs: Vec<(String, String)> = Vec::new();
    for trace in traces {
        let pair = (axis_of(trace, "x"), axis_of(trace, "y"));
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    let mut panels: Vec<PanelPicture> =
        pairs.into_iter().map(|(x, y)| PanelPicture::new(layout, traces, &x, &y)).collect();
    let ranges: Vec<(String, (f64, f64))> =
        panels.iter().flat_map(|panel| [&panel.x, &panel.y]).map(|axis| (axis.group.clone(), axis.range)).collect();
    for axis in panels.iter_mut().flat_map(|panel| [&mut panel.x, &mut panel.y]) {
        for (_, (low, high)) in ranges.iter().filter(|(group, _)| *group == axis.group) {
            if axis.range.0 <= axis.range.1 {
                axis.range = (axis.range.0.min(*low), axis.range.1.max(*high));
            }
        }
    }
    panels
}

/// Draws the title, with notes in small letters below it.
fn draw_title(svg: &mut String, layout: &Value) {
    let title = layout["title"]["text"].as_str().unwrap_or_default();
    let mut y = 26.0;
    for line in lines(title) {
        write_text(svg, 8.0, y, Anchor::Start, if line.is_small { 11.0 } else { 15.0 }, line.is_bold, &line.text);
        y += 20.0;
    }
}

/// Draws texts at positions relative to the plot, such as the names of panels.
fn draw_annotations(svg: &mut String, layout: &Value, area: Area) {
    for note in layout["annotations"].as_array().into_iter().flatten() {
        let position = |name: &str| note[name].as_f64().unwrap_or(0.5);
        let x = area.left + position("x") * (area.right - area.left);
        let y = area.bottom - position("y") * (area.bottom - area.top);
        let anchor = if note["xanchor"] == "left" { Anchor::Start } else { Anchor::Middle };
        let size = note["font"]["size"].as_f64().unwrap_or(12.0);
        let texts = lines(note["text"].as_str().unwrap_or_default());
        let above = if note["yanchor"] == "bottom" { 5.0 } else { (texts.len() as f64 - 1.0) * size * 0.65 };
        for (index, line) in texts.iter().enumerate() {
            write_text(svg, x, y - above + index as f64 * size * 1.3, anchor, size, line.is_bold, &line.text);
        }
    }
}

/// Draws the legend below the plot: an entry for each name.
fn draw_legend(svg: &mut String, layout: &Value, traces: &[Value], area: Area) {
    if layout["showlegend"] == false {
        return;
    }
    let mut names = BTreeSet::new();
    let (mut x, mut y) = (area.left, area.bottom + 66.0);
    for trace in traces.iter().filter(|trace| trace["showlegend"] != false) {
        let Some(name) = trace["name"].as_str().filter(|name| names.insert(*name)) else { continue };
        let text = lines(name).remove(0).text;
        let width = 30.0 + text::width(&text, 11.0);
        if x > area.left && x + width > WIDTH {
            (x, y) = (area.left, y + LEGEND_ROW);
        }
        let color = escape(&traces::legend_color(trace));
        let _ = if trace["mode"] == "lines" && trace["fill"].is_null() {
            writeln!(svg, "<path d=\"M{x} {}h12\" stroke=\"{color}\" stroke-width=\"2\"/>", y - 4.0)
        } else {
            writeln!(svg, "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"10\" fill=\"{color}\"/>", y - 9.0)
        };
        write_text(svg, x + 17.0, y, Anchor::Start, 11.0, false, &text);
        x += width;
    }
}
