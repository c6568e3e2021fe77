//! Load of each machine over time.

use plotly::Plot;
use plotly::common::Line;
use plotly::layout::Axis;

use crate::kit::label::Scale;
use crate::kit::load::{Load, metric_name};
use crate::kit::read::{Required, count_distinct, group_by, row_types};
use crate::kit::series::SeriesBin;
use crate::kit::sheet::{PANELS, PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, series, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "utilization_timeline",
    doc: "The load of every machine over time: mean and range from minimum to maximum, with the phases of the job \
          shaded.",
    queries: &[FigureQuery::new("utilization.over_time"), FigureQuery::new("job.phases")],
    draw,
};

/// Maximum number of phases shaded in a panel.
const PHASES: usize = 60;

row_types! {
    /// A phase with steps. Times are in ns.
    struct StepPhase {
        run: String,
        mode: String,
        ts: i64 = Required("ts"),
        dur: i64 = Required("dur"),
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let loads = Load::read(read::frame(frames, 0)?)?;
    if loads.is_empty() {
        let why = format!("No machine metrics were recorded. {}", sheet::NO_MACHINE_METRICS);
        return Ok(sheet::message_plot("Utilization timeline", "no system metrics in this profile", &why));
    }
    let mut phases = StepPhase::read(read::frame(frames, 1)?)?;
    phases.retain(|phase| !phase.mode.is_empty());
    let width = loads.iter().map(|load| load.dur).max().unwrap_or(0);
    let mut notes =
        vec![format!("line: mean in bins of up to {}; band: minimum to maximum", label::duration(width as f64))];
    let mut machines = group_by(&loads, |load| (load.run.as_str(), load.node.as_str()));
    let mut units: Vec<&str> = group_by(&loads, |load| load.unit.as_str()).into_iter().map(|(unit, _)| unit).collect();
    units.sort_by_key(|unit| (*unit != "percent", *unit != "bytes_per_s", *unit));
    if machines.len() * units.len() > PANELS && machines.len() > 2 {
        read::truncate(&mut units, 1, "units", &mut notes);
    }
    read::truncate(&mut machines, (PANELS / units.len().min(PANELS)).max(1), "machines", &mut notes);
    read::truncate(&mut units, PANELS, "units", &mut notes);
    let mut sheet = Sheet::default();
    let mut has_more_phases = false;
    for ((run, node), loads) in &machines {
        let phases: Vec<&StepPhase> = phases.iter().filter(|phase| phase.run == *run).collect();
        let of_unit = |unit: &&str| loads.iter().copied().filter(|load| load.unit == **unit).collect::<Vec<&Load>>();
        let mut panels: Vec<(&str, Vec<&Load>)> = units.iter().map(|unit| (*unit, of_unit(unit))).collect();
        panels.retain(|(_, loads)| !loads.is_empty());
        for (index, (unit, loads)) in panels.iter().enumerate() {
            let (y, scale) = value_axis(unit, loads);
            let height = if *unit == "percent" { 180 } else { 130 };
            let label = if index == 0 { label::process(run, node, None) } else { String::new() };
            let x = sheet.time_axis(run, None, loads[0].ts);
            let axes = sheet.add_panel(&label, height, x, y, index + 1 == panels.len());
            draw_metrics(&mut sheet, loads, scale, &axes);
            draw_phases(&mut sheet, &phases, &axes);
        }
        has_more_phases |= !panels.is_empty() && phases.len() > PHASES;
    }
    if has_more_phases {
        notes.push(format!("only the first {PHASES} phases are shaded"));
    }
    Ok(sheet.into_plot(&title(&loads), &notes))
}

/// Draws the line and the band of each metric of a panel.
fn draw_metrics(sheet: &mut Sheet, loads: &[&Load], scale: Scale, axes: &PanelAxes) {
    let mut metrics = group_by(loads.iter().copied(), |load| (load.resource.as_str(), load.metric.as_str()));
    metrics.sort_by_key(|((resource, metric), _)| (*resource, *metric != "utilization", *metric));
    let mut lines = Vec::new();
    for resource_metrics in metrics.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
        for (style, ((resource, metric), loads)) in resource_metrics.iter().enumerate() {
            let color = theme::color(resource);
            let bins: Vec<SeriesBin> = loads.iter().map(|load| series_bin(load, scale)).collect();
            let (line, band) = series::line_and_band(&bins, axes, &theme::with_opacity(color, 0.1));
            let name = metric_name(resource, metric);
            let show = sheet.register_name(&name);
            let name = label::sanitize(&name);
            sheet.add_trace(band.legend_group(&name));
            let style = Line::new().color(color).width(1.5).dash(theme::dash(style));
            lines.push(line.legend_entry(&name, show).line(style));
        }
    }
    // Lines are drawn over all bands.
    for line in lines {
        sheet.add_trace(line);
    }
}

/// Shades the first phases of a run.
fn draw_phases(sheet: &mut Sheet, phases: &[&StepPhase], axes: &PanelAxes) {
    for phase in phases.iter().take(PHASES) {
        let color = theme::color(&phase.mode);
        let name = format!("{} (shaded)", phase.mode);
        if sheet.register_name(&name) {
            sheet.add_trace(series::legend_key(&label::sanitize(&name), color));
        }
        for shape in series::shaded_span(color, phase.ts, phase.dur, axes) {
            sheet.add_shape(shape);
        }
    }
}

fn series_bin(load: &Load, scale: Scale) -> SeriesBin {
    let value = |value: f64| {
        if scale.unit.is_empty() {
            format!("{} {}", label::number(value), label::sanitize(&load.unit))
        } else {
            scale.text(value)
        }
    };
    let hover = format!(
        "{}<br>{}<br>mean {}, min {}, max {}<br>{} from {}",
        label::sanitize(&label::process(&load.run, &load.node, None)),
        label::sanitize(&metric_name(&load.resource, &load.metric)),
        value(load.mean),
        value(load.min),
        value(load.max),
        label::duration(load.dur as f64),
        label::moment(load.ts)
    );
    let [mean, min, max] = [load.mean, load.min, load.max].map(|value| scale.convert(value));
    SeriesBin { ts: load.ts, dur: load.dur, mean, min, max, hover }
}

/// The axis of a unit, and the scale of its values.
fn value_axis(unit: &str, loads: &[&Load]) -> (Axis, Scale) {
    let unscaled = |unit: &'static str| Scale { unit, divisor: 1.0 };
    match unit {
        "percent" => (theme::axis("load (%)").range(vec![0.0, 102.0]).n_ticks(6), unscaled("%")),
        "bytes_per_s" => {
            let scale = Scale::rate(loads.iter().map(|load| load.max).fold(0.0, f64::max) / 2.0);
            (theme::axis_from_zero("rate", scale.unit).n_ticks(5), scale)
        }
        "per_s" => (theme::axis_from_zero("operations", "1/s").n_ticks(5), unscaled("1/s")),
        "" => (theme::axis("value (unit unknown)").n_ticks(5), unscaled("")),
        other => (theme::axis(&format!("value ({})", label::sanitize(other))).n_ticks(5), unscaled("")),
    }
}

/// `Mean: gpu utilization 42 %, cpu utilization 13 %`: the metrics in percent, accelerators first.
fn title(loads: &[Load]) -> String {
    let percent = loads.iter().filter(|load| load.unit == "percent");
    let mut metrics = group_by(percent, |load| (load.resource.as_str(), load.metric.as_str()));
    metrics.sort_by_key(|((resource, metric), _)| (*metric != "utilization", *resource != "gpu", *resource));
    let texts: Vec<String> = metrics
        .iter()
        .take(3)
        .map(|((resource, metric), loads)| {
            format!("{} {}", metric_name(resource, metric), label::percentage(Load::mean_of(loads), 100.0))
        })
        .collect();
    // A number of machines is named only if each mean is over this number.
    let machines = |loads: &[&Load]| count_distinct(loads.iter().map(|load| (&load.run, &load.node)));
    let mut counts: Vec<usize> = metrics.iter().take(3).map(|(_, loads)| machines(loads)).collect();
    if counts.is_empty() {
        counts.push(machines(&loads.iter().collect::<Vec<_>>()));
    }
    counts.dedup();
    let machines = if let [machines] = counts[..] { machines } else { 0 };
    let over = if machines > 1 { format!(" over {machines} machines") } else { String::new() };
    if texts.is_empty() { format!("Load of the machines{over}") } else { format!("Mean{over}: {}", texts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, texts, to_value, without_rows};

    const S: i64 = 1_000_000_000;

    fn over_time() -> Frame {
        let row = |a: &'static str, b: &'static str| [a, a, a, b];
        frame(vec![
            texts("run", &row("a", "a")),
            texts("node", &row("<n>", "<n>")),
            texts("resource", &row("gpu", "network")),
            texts("metric", &row("utilization", "receive")),
            texts("unit", &row("percent", "bytes_per_s")),
            texts("device", &row("", "")),
            ints("ts", &[0, 10 * S, 30 * S, 0]),
            ints("dur", &[10 * S; 4]),
            ints("n", &[20, 20, 10, 20]),
            floats("mean", &[50.0, 60.0, 10.0, 2e6]),
            floats("min", &[0.0, 20.0, 5.0, 0.0]),
            floats("max", &[90.0, 100.0, 15.0, 5e6]),
        ])
    }

    fn phases() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "other"]),
            texts("mode", &["", "train", "train"]),
            ints("ts", &[0, 5 * S, 0]),
            ints("dur", &[5 * S, 20 * S, S]),
        ])
    }

    #[test]
    fn means_are_lines_with_bands_that_break_at_gaps() {
        let plot = to_value(&draw(&[over_time(), phases()]).unwrap());
        let (ring, line) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!(line["name"], "gpu utilization");
        assert_eq!(line["line"]["color"], theme::color("gpu"));
        assert_eq!(line["y"], json!([50.0, 60.0, null, 10.0]));
        assert_eq!(line["x"], json!(["5000", "15000", null, "35000"]));
        assert_eq!(
            line["hovertext"][0],
            "run a, &lt;n&gt;<br>gpu utilization<br>mean 50 %, min 0 %, max 90 %<br>10 s from +0 ms"
        );
        assert_eq!(ring["y"], json!([90.0, 100.0, 20.0, 0.0, null, 15.0, 5.0]));
        assert_eq!((&ring["fill"], &ring["showlegend"]), (&json!("toself"), &json!(false)));
        // The legend entry of the phase, then the network panel.
        assert_eq!(plot["data"][2]["name"], "train (shaded)");
        assert_eq!((&plot["data"][4]["y"], &plot["data"][4]["yaxis"]), (&json!([2.0]), &json!("y2")));
        let layout = &plot["layout"];
        assert_eq!(layout["yaxis"]["title"]["text"], "load (%)");
        assert_eq!(layout["yaxis"]["range"], json!([0.0, 102.0]));
        assert_eq!(layout["yaxis2"]["title"]["text"], "rate (MB/s)");
        let shade = &layout["shapes"][2];
        assert_eq!((&shade["xref"], &shade["yref"]), (&json!("x2"), &json!("y2 domain")));
        assert_eq!(shade["fillcolor"], "rgba(0,114,178,0.08)");
        assert_eq!((&shade["x0"], &shade["x1"]), (&json!("5000"), &json!("25000")));
        assert_eq!(layout["shapes"].as_array().unwrap().len(), 4);
        assert_eq!(
            heading(&plot),
            "Mean: gpu utilization 46 % | line: mean in bins of up to 10 s; band: minimum to maximum"
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&over_time()), without_rows(&phases())]).unwrap());
        assert_eq!(title, "<b>Utilization timeline</b>");
        assert!(note.starts_with("<b>no system metrics in this profile</b><br>"), "{note}");
    }

    #[test]
    fn a_profile_without_steps_has_no_shaded_phases() {
        let plot = to_value(&draw(&[over_time(), without_rows(&phases())]).unwrap());
        assert_eq!(plot["layout"]["shapes"], json!([]));
    }
}
