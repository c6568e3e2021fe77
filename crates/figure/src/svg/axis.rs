//! Axes of a picture: positions of values, ticks and their labels.

use std::fmt::Write as _;

use chrono::{DateTime, NaiveDateTime};
use serde_json::Value;

use super::Area;
use super::json::{items, text_of};
use super::text::{Anchor, escape, lines, short, width, write_text};

/// What the values of an axis are.
#[derive(Debug, Clone, PartialEq)]
enum AxisScale {
    Number,
    /// Times in seconds since the Unix epoch.
    Date,
    /// Names; the value of a name is its index.
    Category(Vec<String>),
}

/// An axis of a panel.
pub(super) struct Axis {
    pub(super) name: String,
    scale: AxisScale,
    /// The values at its ends, from left to right or from bottom to top.
    pub(super) range: (f64, f64),
    /// The part of the plot that it covers, from 0 to 1.
    pub(super) domain: (f64, f64),
    /// Axes of the same group have the same range.
    pub(super) group: String,
    title: String,
    starts_at_zero: bool,
    has_labels: bool,
    has_grid: bool,
    /// Position and text of each tick.
    given_ticks: Option<Vec<(f64, String)>>,
    max_ticks: Option<f64>,
}

impl Axis {
    /// Reads an axis, such as `x2`. `values` are the values of its traces.
    pub(super) fn new(layout: &Value, name: &str, values: &[&Value]) -> Self {
        let (letter, number) = name.split_at(1);
        let axis = &layout[format!("{letter}axis{number}")];
        let scale = scale(axis, values);
        let text = |value: &Value| lines(&text_of(value)).remove(0).text;
        let tick = |(value, label)| Some((position(&scale, value)?, text(label)));
        let ticks = || items(&axis["tickvals"]).zip(items(&axis["ticktext"])).filter_map(tick).collect();
        let end = |index: usize| position(&scale, &axis["range"][index]);
        Self {
            range: end(0).zip(end(1)).unwrap_or((f64::INFINITY, f64::NEG_INFINITY)),
            domain: axis["domain"][0].as_f64().zip(axis["domain"][1].as_f64()).unwrap_or((0.0, 1.0)),
            group: axis["matches"].as_str().unwrap_or(name).to_owned(),
            name: name.to_owned(),
            title: text(&axis["title"]["text"]),
            starts_at_zero: axis["rangemode"] == "tozero",
            has_labels: axis["showticklabels"] != false && axis["visible"] != false,
            has_grid: axis["showgrid"] != false && axis["visible"] != false,
            given_ticks: axis["tickvals"].is_array().then(ticks),
            max_ticks: axis["nticks"].as_f64(),
            scale,
        }
    }

    /// The position of a value on the axis; None if it has none.
    pub(super) fn value(&self, value: &Value) -> Option<f64> {
        position(&self.scale, value)
    }

    /// Widths and lengths of bars on a time axis are in ms.
    pub(super) fn per_ms(&self) -> f64 {
        if self.scale == AxisScale::Date { 1e-3 } else { 1.0 }
    }

    /// Sets the range to that of the values if the layout has none. `padding` is the share to add at each end.
    pub(super) fn set_range(&mut self, values: impl Iterator<Item = f64>, padding: f64) {
        if let AxisScale::Category(names) = &self.scale
            && !self.range.0.is_finite()
        {
            self.range = (-0.5, names.len() as f64 - 0.5);
        }
        if self.range.0.is_finite() {
            return;
        }
        let zero = self.starts_at_zero.then_some(0.0);
        let values: Vec<f64> = values.filter(|value| value.is_finite()).chain(zero).collect();
        let low = values.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
        let high = values.iter().copied().max_by(f64::total_cmp).unwrap_or(1.0);
        let padding = if high > low { (high - low) * padding } else { 0.5 * low.abs().max(1.0) };
        let pad = |end: f64, by: f64| if Some(end) == zero && high > low { end } else { end + by };
        self.range = (pad(low, -padding), pad(high, padding));
    }

    /// The share of the axis at a position, from 0 to 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        if high == low { 0.5 } else { (value - low) / (high - low) }
    }

    /// The space for labels and title of a vertical axis in pixels.
    pub(super) fn label_space(&self) -> f64 {
        let title = if self.title.is_empty() { 12.0 } else { 32.0 };
        title + self.widest_label()
    }

    fn widest_label(&self) -> f64 {
        let ticks = if self.has_labels { self.ticks(6.0) } else { Vec::new() };
        ticks.iter().map(|(_, label)| width(label, 11.0) + 8.0).fold(0.0, f64::max)
    }

    /// Draws grid, labels and title of a horizontal or vertical axis around the area of its panel.
    pub(super) fn draw(&self, svg: &mut String, area: Area, is_horizontal: bool) {
        let (across, down) = (area.right - area.left, area.bottom - area.top);
        let mut grid = String::new();
        for (value, label) in self.ticks(if is_horizontal { across / 80.0 } else { down / 32.0 }) {
            let share = self.share(value);
            if !(-1e-6..=1.000_001).contains(&share) {
                continue;
            }
            let (x, y) = (area.left + share * across, area.bottom - share * down);
            let _ = if is_horizontal {
                write!(grid, "M{} {}V{}", short(x), short(area.top), short(area.bottom))
            } else {
                write!(grid, "M{} {}H{}", short(area.left), short(y), short(area.right))
            };
            let lines = label.split('\n').enumerate().filter(|_| self.has_labels);
            for (line, text) in lines {
                let (x, y, anchor) = if is_horizontal {
                    (x, area.bottom + 15.0 + 13.0 * line as f64, Anchor::Middle)
                } else {
                    (area.left - 6.0, y + 4.0, Anchor::End)
                };
                write_text(svg, x, y, anchor, 11.0, false, text);
            }
        }
        if self.has_grid {
            let _ = writeln!(svg, "<path d=\"{grid}\" stroke=\"#e2e4e7\" fill=\"none\"/>");
        }
        let (middle, center) = (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom));
        if is_horizontal {
            write_text(
                svg,
                middle,
                area.bottom + if self.has_labels { 44.0 } else { 20.0 },
                Anchor::Middle,
                12.0,
                false,
                &self.title,
            );
        } else {
            let [x, y] = [area.left - self.widest_label() - 8.0, center].map(short);
            let turned = format!("transform=\"translate({x} {y}) rotate(-90)\" text-anchor=\"middle\"");
            let _ = writeln!(svg, "<text {turned}>{}</text>", escape(&self.title));
        }
    }

    /// Position and label of the ticks of an axis with about this many labels.
    fn ticks(&self, max: f64) -> Vec<(f64, String)> {
        if let Some(ticks) = &self.given_ticks {
            return ticks.clone();
        }
        let (low, high) = (self.range.0.min(self.range.1), self.range.0.max(self.range.1));
        let max = self.max_ticks.unwrap_or(max).clamp(2.0, 12.0);
        match &self.scale {
            AxisScale::Category(names) => {
                names.iter().enumerate().map(|(index, name)| (index as f64, lines(name).remove(0).text)).collect()
            }
            AxisScale::Number => {
                let step = nice_step((high - low) / max);
                let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
                multiples(low, high, step).map(|value| (value, format!("{value:.decimals$}"))).collect()
            }
            AxisScale::Date => {
                let step = date_step((high - low) / max);
                let mut date_of_last = String::new();
                let tick = |value: f64| {
                    // A tick is a multiple of the step; its value in seconds is not exact.
                    let time = DateTime::from_timestamp_micros((value * 1e6).round() as i64).unwrap_or_default();
                    let date = time.format("%b %-d, %Y").to_string();
                    let clock = match step {
                        86_400.0.. => String::new(),
                        60.0.. => time.format("%H:%M").to_string(),
                        1.0.. => time.format("%H:%M:%S").to_string(),
                        0.001.. => time.format("%H:%M:%S%.3f").to_string(),
                        _ => time.format("%H:%M:%S%.6f").to_string(),
                    };
                    let is_new = date != date_of_last;
                    date_of_last.clone_from(&date);
                    let lines = if is_new { [clock, date] } else { [clock, String::new()] };
                    (value, lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"))
                };
                multiples(low, high, step).map(tick).collect()
            }
        }
    }
}

/// The scale that the layout declares, or that the values have.
fn scale(axis: &Value, values: &[&Value]) -> AxisScale {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if axis["type"] == "date" {
        return AxisScale::Date;
    }
    if let Some(names) = axis["categoryarray"].as_array() {
        return AxisScale::Category(names.iter().filter_map(text).collect());
    }
    let texts: Vec<String> = values.iter().filter_map(|value| value.as_array()).flatten().filter_map(text).collect();
    if texts.is_empty() || texts.iter().all(|text| text.parse::<f64>().is_ok()) {
        return AxisScale::Number;
    }
    if texts.iter().all(|text| seconds(text).is_some()) {
        return AxisScale::Date;
    }
    let mut names: Vec<String> = Vec::new();
    for text in texts {
        if !names.contains(&text) {
            names.push(text);
        }
    }
    AxisScale::Category(names)
}

fn position(scale: &AxisScale, value: &Value) -> Option<f64> {
    match (scale, value) {
        (_, Value::Number(number)) => number.as_f64(),
        (AxisScale::Number, Value::String(text)) => text.parse().ok(),
        (AxisScale::Date, Value::String(text)) => seconds(text),
        (AxisScale::Category(names), Value::String(text)) => {
            names.iter().position(|name| name == text).map(|index| index as f64)
        }
        _ => None,
    }
}

/// Seconds since the Unix epoch of a time in the format of plotly.js.
fn seconds(text: &str) -> Option<f64> {
    let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f").ok()?.and_utc();
    Some(time.timestamp() as f64 + f64::from(time.timestamp_subsec_nanos()) / 1e9)
}

/// The multiples of a step in a range, at most 100.
fn multiples(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    let first = (low / step - 1e-6).ceil();
    let last = (high / step + 1e-6).floor();
    (0..100).map(move |index| first + f64::from(index)).take_while(move |n| *n <= last).map(move |n| n * step)
}

/// The smallest of 1, 2, 5, 10 ... that is at least as large.
fn nice_step(step: f64) -> f64 {
    if !step.is_finite() || step <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|nice| *nice >= step * 0.999).unwrap_or(step)
}

/// The smallest step of a clock or calendar that is at least as large, in seconds.
fn date_step(step: f64) -> f64 {
    const STEPS: [f64; 18] = [
        1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0, 10_800.0, 21_600.0,
        43_200.0, 86_400.0,
    ];
    if step < 1.0 {
        return nice_step(step);
    }
    STEPS.into_iter().find(|nice| *nice >= step).unwrap_or_else(|| nice_step(step / 86_400.0) * 86_400.0)
}
