//! Operators below the roofline of their device.

use plotly::Plot;
use plotly::Scatter;
use plotly::common::{Line, Marker, Mode};
use plotly::layout::{Axis, AxisType};

use crate::kit::label::prefixed;
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "roofline",
    doc: "Operations per second of each operator over its operations per byte, and the most that the device can do; a \
          panel per run.",
    queries: &[FigureQuery::new("operator.flops")],
    draw,
};

/// Maximum number of panels, and their height in pixels.
const RUNS: usize = 4;
const HEIGHT: usize = 320;
/// Data types with the roles of their colors.
const TYPES: [(&str, &str); 5] = [
    ("float32", "kernel"),
    ("bfloat16", "python"),
    ("float16", "memset"),
    ("float8", "runtime"),
    ("float64", "annotation"),
];

row_types! {
    /// Work of an operator with one data type on a rank. Rates are per second, times in ns.
    struct OperatorWork {
        run: String,
        node: String,
        rank: Option<i64>,
        name: String,
        data_type: String,
        n: i64,
        host_total: i64,
        device_total: i64,
        rate: f64 = "flops_per_s",
        intensity: f64,
        peak: f64 = "peak_flops_per_s",
        memory: f64 = "memory_bytes_per_s",
        attainable: f64 = "attainable_flops_per_s",
    }
}

impl OperatorWork {
    fn time(&self) -> i64 {
        if self.device_total > 0 { self.device_total } else { self.host_total }
    }

    fn data_type(&self) -> &str {
        if self.data_type.is_empty() { "other" } else { &self.data_type }
    }

    fn color(&self) -> &'static str {
        let role = TYPES.iter().find(|(name, _)| *name == self.data_type).map_or("other", |(_, role)| role);
        theme::color(role)
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut work = OperatorWork::read(read::frame(frames, 0)?)?;
    let all = work.len();
    work.retain(|operator| operator.intensity > 0.0 && operator.rate > 0.0);
    if work.is_empty() {
        let what = if all > 0 { "no operator with a known data type" } else { "no operations in this profile" };
        let why = "The operations follow from the shapes of the inputs of operators. Record the trace with \
                   record_shapes=True.";
        return Ok(sheet::message_plot("Roofline", what, why));
    }
    let mut notes = vec![
        "each point is an operator with one data type on a rank; the line is the smaller one of peak \
                          and memory bandwidth times operations per byte"
            .to_owned(),
    ];
    if all > work.len() {
        notes.push(format!("{} without a known data type or time", label::count(all - work.len(), "operator")));
    }
    if work.iter().any(|operator| operator.attainable.is_nan()) {
        notes.push("no line where the peak is unknown: give parameters peak and memory_bandwidth".to_owned());
    }
    let title = title(&work);
    let mut panels = group_by(&work, |operator| operator.run.as_str());
    read::truncate(&mut panels, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (run, work) in &panels {
        let roofs = roofs(work);
        let ends = intensities(work, &roofs);
        let rates = work.iter().map(|operator| operator.rate);
        let tops = roofs.iter().flat_map(|roof| [roof.rate(ends.0), roof.peak]);
        let x = logarithmic("operations per byte", [ends.0, ends.1].into_iter());
        let y = logarithmic("operations per second", rates.chain(tops));
        let axes = sheet.add_panel(&format!("run {run}"), HEIGHT, x, y, true);
        for roof in &roofs {
            draw_roof(&mut sheet, &axes, roof, ends);
        }
        draw_points(&mut sheet, &axes, work);
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// The most that a device can do with a data type. Rates are per second.
#[derive(PartialEq)]
struct Roof {
    data_type: String,
    color: &'static str,
    peak: f64,
    memory: f64,
}

impl Roof {
    fn rate(&self, intensity: f64) -> f64 {
        self.peak.min(self.memory * intensity)
    }
}

/// The different roofs of these operators.
fn roofs(work: &[&OperatorWork]) -> Vec<Roof> {
    let mut roofs = Vec::new();
    for operator in work.iter().filter(|operator| operator.peak > 0.0 && operator.memory > 0.0) {
        let data_type = operator.data_type().to_owned();
        let roof = Roof { data_type, color: operator.color(), peak: operator.peak, memory: operator.memory };
        if !roofs.contains(&roof) {
            roofs.push(roof);
        }
    }
    roofs
}

/// The smallest and the largest number of operations per byte to draw: those of the operators, and both sides of the
/// corners of the roofs.
fn intensities(work: &[&OperatorWork], roofs: &[Roof]) -> (f64, f64) {
    let values = work.iter().map(|operator| operator.intensity);
    let corners = roofs.iter().flat_map(|roof| [0.5, 2.0].map(|factor| factor * roof.peak / roof.memory));
    values.chain(corners).fold((f64::INFINITY, 0.0), |(low, high), value| (value.min(low), value.max(high)))
}

/// A logarithmic axis for these values, with a tick at each power of ten.
fn logarithmic(title: &str, values: impl Iterator<Item = f64>) -> Axis {
    let powers: Vec<f64> = values.filter(|value| *value > 0.0).map(f64::log10).collect();
    let low = powers.iter().copied().fold(f64::INFINITY, f64::min).floor();
    let high = powers.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil();
    let powers = (-30..=30).filter(|power| (low..=high).contains(&f64::from(*power)));
    let ticks: Vec<f64> = powers.map(|power| 10_f64.powi(power)).collect();
    let labels: Vec<String> = ticks.iter().map(|tick| prefixed(*tick)).collect();
    theme::axis(title).type_(AxisType::Log).tick_values(ticks).tick_text(labels)
}

fn draw_roof(sheet: &mut Sheet, axes: &PanelAxes, roof: &Roof, (low, high): (f64, f64)) {
    let corner = roof.peak / roof.memory;
    let x: Vec<f64> = [low, corner, high].into_iter().filter(|x| (low..=high).contains(x)).collect();
    let y = x.iter().map(|x| roof.rate(*x)).collect();
    let peak = format!("peak {} operations/s", prefixed(roof.peak));
    let hover =
        vec![
            format!("{}<br>{peak}<br>memory {}", roof.data_type, label::Scale::rate(roof.memory).text(roof.memory));
            x.len()
        ];
    let line = Line::new().width(1.5).color(roof.color);
    let line = Scatter::new(x, y).mode(Mode::Lines).line(line).hover_texts(hover);
    sheet.add_named_trace(axes, &format!("{}, attainable", roof.data_type), line);
}

fn draw_points(sheet: &mut Sheet, axes: &PanelAxes, work: &[&OperatorWork]) {
    for (data_type, work) in group_by(work.iter().copied(), OperatorWork::data_type) {
        let x = work.iter().map(|operator| operator.intensity).collect();
        let y = work.iter().map(|operator| operator.rate).collect();
        let marker = Marker::new().size(9).color(work.first().map_or("", |operator| operator.color()));
        let points = Scatter::new(x, y).mode(Mode::Markers).marker(marker);
        sheet.add_named_trace(
            axes,
            data_type,
            points.hover_texts(work.iter().map(|operator| hover(operator)).collect()),
        );
    }
}

fn hover(operator: &OperatorWork) -> String {
    let place = label::node_and_rank(&operator.node, operator.rank);
    let share = if operator.attainable.is_nan() {
        String::new()
    } else {
        format!(
            "<br>{} of the attainable {}/s",
            label::percentage(operator.rate, operator.attainable),
            prefixed(operator.attainable)
        )
    };
    format!(
        "{}<br>{}<br>{} operations/s, {} operations per byte{share}<br>{}, {}",
        label::wrap_name(&operator.name),
        label::join(&[&place, operator.data_type()], ", "),
        prefixed(operator.rate),
        label::number(operator.intensity),
        label::count(operator.n, "call"),
        label::duration(operator.time() as f64),
    )
}

/// `aten::addmm takes the most time and does 314 T operations/s, 15.6 % of what the bandwidth of the memory allows`
fn title(work: &[OperatorWork]) -> String {
    let Some(first) = work.iter().max_by_key(|operator| operator.time()) else { return String::new() };
    let rate = format!("{} takes the most time and does {} operations/s", first.name, prefixed(first.rate));
    if first.attainable.is_nan() {
        return rate;
    }
    let limit =
        if first.peak <= first.memory * first.intensity { "peak of the device" } else { "bandwidth of the memory" };
    format!("{rate}, {} of what the {limit} allows", label::percentage(first.rate, first.attainable))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn work(peak: f64) -> Frame {
        frame(vec![
            texts("run", &["a<b>", "a<b>"]),
            texts("node", &["", ""]),
            nullable_ints("rank", &[0, 0]),
            texts("name", &["aten::mm", "aten::mul"]),
            texts("data_type", &["float32", "float32"]),
            ints("n", &[3, 5]),
            ints("host_total", &[900, 900]),
            ints("device_total", &[2_000, 1_000]),
            floats("flops_per_s", &[4e12, 5e10]),
            floats("intensity", &[100.0, 0.125]),
            floats("peak_flops_per_s", &[peak, peak]),
            floats("memory_bytes_per_s", &[1e12, 1e12]),
            floats("attainable_flops_per_s", &[peak, 0.125 * peak / 8.0]),
        ])
    }

    #[test]
    fn points_and_roof() {
        let plot = to_value(&draw(&[work(8e12)]).unwrap());
        let (roof, points) = (&plot["data"][0], &plot["data"][1]);
        // Corner at 8 operations per byte.
        assert_eq!((&roof["x"], &roof["y"]), (&json!([0.125, 8.0, 100.0]), &json!([1.25e11, 8e12, 8e12])));
        assert_eq!((&points["x"], &points["y"]), (&json!([100.0, 0.125]), &json!([4e12, 5e10])));
        assert_eq!(points["name"], "float32");
        assert_eq!(plot["layout"]["xaxis"]["type"], "log");
        assert_eq!(plot["layout"]["xaxis"]["ticktext"], json!(["0.1", "1", "10", "100"]));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["10 G", "100 G", "1 T", "10 T"]));
        assert_eq!(
            points["hovertext"][0],
            "aten::mm<br>rank 0, float32<br>4 T operations/s, 100 operations per byte<br>50 % of the attainable 8 T/s<br>3 calls, 2 us"
        );
        let title =
            "aten::mm takes the most time and does 4 T operations/s, 50 % of what the peak of the device allows | ";
        assert!(heading(&plot).starts_with(title), "{}", heading(&plot));
    }

    #[test]
    fn without_a_peak_there_are_only_points() {
        let plot = to_value(&draw(&[work(f64::NAN)]).unwrap());
        assert_eq!(plot["data"].as_array().unwrap().len(), 1);
        assert!(heading(&plot).contains("give parameters peak and memory_bandwidth"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&work(8e12))]).unwrap());
        assert_eq!(title, "<b>Roofline</b>");
        assert!(note.starts_with("<b>no operations in this profile</b><br>"), "{note}");
    }
}
