//! Axes of a picture: positions of values, ticks and their labels.

use std::fmt::Write as _;

use chrono::{DateTime, NaiveDateTime};
use serde_json::Value;

use super::Area;
use super::text::{first_line, items, short, text_of, width, write_text};
use crate::kit::label::escape;

/// Steps of a clock or calendar in seconds.
const CLOCK_STEPS: [u32; 18] =
    [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/// What the values of an axis are.
#[derive(Debug, Clone, PartialEq)]
enum AxisScale {
    Number,
    /// The logarithms of positive numbers.
    Logarithm,
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
}

impl Axis {
    /// Reads an axis, such as `x2`.
    pub(super) fn new(layout: &Value, name: &str) -> Self {
        let (letter, number) = name.split_at(1);
        let axis = &layout[format!("{letter}axis{number}")];
        let scale = match axis["categoryarray"].as_array() {
            Some(names) => AxisScale::Category(names.iter().map(text_of).collect()),
            None if axis["type"] == "date" => AxisScale::Date,
            None if axis["type"] == "log" => AxisScale::Logarithm,
            None => AxisScale::Number,
        };
        let tick = |(value, label)| Some((position(&scale, value)?, first_line(&text_of(label))));
        let ticks = || items(&axis["tickvals"]).zip(items(&axis["ticktext"])).filter_map(tick).collect();
        let end = |index: usize| position(&scale, &axis["range"][index]);
        Self {
            range: end(0).zip(end(1)).unwrap_or((f64::INFINITY, f64::NEG_INFINITY)),
            domain: axis["domain"][0].as_f64().zip(axis["domain"][1].as_f64()).unwrap_or((0.0, 1.0)),
            group: axis["matches"].as_str().unwrap_or(name).to_owned(),
            name: name.to_owned(),
            title: first_line(&text_of(&axis["title"]["text"])),
            starts_at_zero: axis["rangemode"] == "tozero",
            has_labels: axis["showticklabels"] != false && axis["visible"] != false,
            has_grid: axis["showgrid"] != false && axis["visible"] != false,
            given_ticks: axis["tickvals"].is_array().then(ticks),
            scale,
        }
    }

    /// The position of a value on the axis; None if it has none.
    pub(super) fn value(&self, value: &Value) -> Option<f64> {
        position(&self.scale, value)
    }

    /// The position of an end of a shape, such as `x0`; None if it is not on this axis.
    pub(super) fn shape_end(&self, shape: &Value, key: &str) -> Option<f64> {
        let reference = shape[format!("{}ref", &key[..1])].as_str().unwrap_or(&key[..1]);
        if reference == self.name {
            return self.value(&shape[key]);
        }
        // A share of the axis.
        let share = shape[key].as_f64().filter(|_| reference.strip_suffix(" domain") == Some(&self.name))?;
        Some(self.range.0 + share * (self.range.1 - self.range.0))
    }

    /// Widths and lengths of bars on a time axis are in ms.
    pub(super) fn per_ms(&self) -> f64 {
        if self.scale == AxisScale::Date { 1e-3 } else { 1.0 }
    }

    /// Sets the range to that of the values if the layout has none. `padding` is the share to add at each end.
    pub(super) fn set_range(&mut self, values: impl Iterator<Item = f64>, padding: f64) {
        if self.range.0.is_finite() {
            return;
        }
        if let AxisScale::Category(names) = &self.scale {
            self.range = (-0.5, names.len() as f64 - 0.5);
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
        self.widest_label() + if self.title.is_empty() { 12.0 } else { 32.0 }
    }

    fn widest_label(&self) -> f64 {
        self.ticks(6.0).iter().filter(|_| self.has_labels).map(|(_, label)| width(label) + 8.0).fold(0.0, f64::max)
    }

    /// Draws grid, labels and title of a horizontal or vertical axis around the area of its panel.
    pub(super) fn draw(&self, svg: &mut String, area: Area, is_horizontal: bool) {
        let (across, down) = (area.right - area.left, area.bottom - area.top);
        let mut grid = String::new();
        for (value, label) in self.ticks(if is_horizontal { across / 110.0 } else { down / 32.0 }) {
            let share = self.share(value);
            if !(-1e-6..=1.000_001).contains(&share) {
                continue;
            }
            let (x, y) = area.pixel(share, share);
            let (start, line, anchor) = if is_horizontal {
                let _ = write!(grid, "M{} {}V{}", short(x), short(area.top), short(area.bottom));
                (x, area.bottom + 15.0, "middle")
            } else {
                let _ = write!(grid, "M{} {}H{}", short(area.left), short(y), short(area.right));
                (area.left - 6.0, y + 4.0, "end")
            };
            for (row, text) in label.split('\n').enumerate().filter(|_| self.has_labels) {
                write_text(svg, (start, line + 13.0 * row as f64), anchor, 11.0, text);
            }
        }
        if self.has_grid {
            let _ = writeln!(svg, "<path d=\"{grid}\" stroke=\"#e2e4e7\" fill=\"none\"/>");
        }
        let (middle, center) = area.pixel(0.5, 0.5);
        if is_horizontal {
            let below = if self.has_labels { 44.0 } else { 20.0 };
            write_text(svg, (middle, area.bottom + below), "middle", 12.0, &self.title);
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
        if let AxisScale::Category(names) = &self.scale {
            return names.iter().enumerate().map(|(index, name)| (index as f64, first_line(name))).collect();
        }
        let (low, high) = (self.range.0.min(self.range.1), self.range.0.max(self.range.1));
        let step = self.step((high - low) / max.clamp(2.0, 12.0));
        let values = (0..100).map(|index| ((low / step - 1e-6).ceil() + f64::from(index)) * step);
        let ticks = values.take_while(|value| *value <= high + step * 1e-6).enumerate();
        ticks.map(|(index, value)| (value, self.label(value, step, index == 0))).collect()
    }

    /// The smallest round step that is at least as large.
    fn step(&self, step: f64) -> f64 {
        let is_clock = self.scale == AxisScale::Date && step >= 1.0;
        let clock = CLOCK_STEPS.into_iter().map(f64::from).find(|nice| is_clock && *nice >= step);
        let unit = if is_clock { 86_400.0 } else { 1.0 };
        let power = 10_f64.powf((step / unit).log10().floor()) * unit;
        let round = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|nice| *nice >= step * 0.999);
        clock.or(round).filter(|step| *step > 0.0 && step.is_finite()).unwrap_or(1.0)
    }

    /// The label of a tick. The first one, and the first one of a day, have the date below the time.
    fn label(&self, value: f64, step: f64, is_first: bool) -> String {
        if self.scale == AxisScale::Number {
            let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
            return format!("{value:.decimals$}");
        }
        // A tick is a multiple of the step; its value in seconds is not exact.
        let time = DateTime::from_timestamp_micros((value * 1e6).round() as i64).unwrap_or_default();
        let day = |value: f64| (value / 86_400.0 + 1e-9).floor();
        let clock = match step {
            86_400.0.. => return time.format("%b %-d, %Y").to_string(),
            1.0.. => "%H:%M:%S",
            0.001.. => "%H:%M:%S%.3f",
            _ => "%H:%M:%S%.6f",
        };
        let date = if is_first || day(value) != day(value - step) { "\n%b %-d, %Y" } else { "" };
        time.format(&format!("{clock}{date}")).to_string()
    }
}

fn position(scale: &AxisScale, value: &Value) -> Option<f64> {
    match (scale, value) {
        (AxisScale::Logarithm, value) => Some(value.as_f64().filter(|value| *value > 0.0)?.log10()),
        (_, Value::Number(number)) => number.as_f64(),
        (AxisScale::Number, Value::String(text)) => text.parse().ok(),
        (AxisScale::Date, Value::String(text)) => {
            let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f").ok()?.and_utc();
            Some(time.timestamp() as f64 + f64::from(time.timestamp_subsec_nanos()) / 1e9)
        }
        (AxisScale::Category(names), Value::String(text)) => {
            names.iter().position(|name| name == text).map(|index| index as f64)
        }
        _ => None,
    }
}
