//! Load of each machine over time.

use plotly::Plot;
use plotly::common::Line;
use plotly::layout::{Axis, RangeMode};

use crate::kit::label::Scale;
use crate::kit::load::{Load, loads, words};
use crate::kit::read::groups;
use crate::kit::series::Bin;
use crate::kit::sheet::{PANELS, Place, Sheet};
use crate::kit::{label, read, series, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "utilization_timeline",
    doc: "The load of every machine over time: mean and range from minimum to maximum, with the phases of the job \
          shaded.",
    queries: &[Ask::new("utilization.over_time"), Ask::new("job.phases")],
    draw,
};

/// Maximum number of phases shaded in a panel.
const PHASES: usize = 60;

struct Phase {
    run: String,
    mode: String,
    ts: i64,
    dur: i64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let loads = loads(read::answer(frames, 0)?)?;
    if loads.is_empty() {
        let why = format!("No machine metrics were recorded. {}", sheet::MACHINES);
        return Ok(sheet::message("Utilization timeline", "no system metrics in this profile", &why));
    }
    let phases = phases(read::answer(frames, 1)?)?;
    let bins = loads.iter().map(|load| load.dur).max().unwrap_or(0);
    let mut notes =
        vec![format!("line: mean in bins of up to {}; band: minimum to maximum", label::duration(bins as f64))];
    let mut machines = groups(loads.iter().map(|load| (load.run.as_str(), load.node.as_str())));
    let mut units: Vec<&str> =
        groups(loads.iter().map(|load| load.unit.as_str())).into_iter().map(|(unit, _)| unit).collect();
    units.sort_by_key(|unit| (*unit != "percent", *unit != "bytes_per_s", *unit));
    if machines.len() * units.len() > PANELS && machines.len() > 2 {
        read::cap(&mut units, 1, "units", &mut notes);
    }
    read::cap(&mut machines, (PANELS / units.len().min(PANELS)).max(1), "machines", &mut notes);
    read::cap(&mut units, PANELS, "units", &mut notes);
    let mut sheet = Sheet::default();
    let mut unshaded = 0;
    let mut before = "";
    for ((run, node), rows) in &machines {
        let of_machine: Vec<&str> =
            units.iter().copied().filter(|unit| rows.iter().any(|row| loads[*row].unit == *unit)).collect();
        for (ordinal, unit) in of_machine.iter().enumerate() {
            let rows: Vec<&Load> = rows.iter().map(|row| &loads[*row]).filter(|load| load.unit == *unit).collect();
            let (y, scale) = axis(unit, &rows);
            let last = ordinal + 1 == of_machine.len();
            let height = if *unit == "percent" { 180 } else { 130 };
            let name = label::join(&[&format!("run {run}"), node], ", ");
            let x = if before == *run { theme::time_axis().matches(&sheet.last().x) } else { theme::time_axis() };
            before = run;
            let at = sheet.panel(if ordinal == 0 { &name } else { "" }, height, x, y, last);
            quantities(&mut sheet, &rows, scale, &at);
            let of_run = phases.iter().filter(|phase| phase.run == *run);
            for (place, phase) in of_run.enumerate() {
                if place >= PHASES {
                    unshaded += 1;
                    continue;
                }
                let name = format!("{} (shaded)", phase.mode);
                if sheet.first(&name) {
                    sheet.trace(series::key(&label::plain(&name), theme::color(&phase.mode)));
                }
                for shape in series::shade(theme::color(&phase.mode), phase.ts, phase.dur, &at) {
                    sheet.shape(shape);
                }
            }
        }
    }
    if unshaded > 0 {
        notes.push(format!("only the first {PHASES} phases are shaded"));
    }
    Ok(sheet.plot(&title(&loads), &notes))
}

/// Adds the line and the band of each metric of a panel.
fn quantities(sheet: &mut Sheet, rows: &[&Load], scale: Scale, at: &Place) {
    let mut kinds = groups(rows.iter().map(|load| (load.resource.as_str(), load.metric.as_str())));
    kinds.sort_by_key(|((resource, metric), _)| (*resource, *metric != "utilization", *metric));
    let mut lines = Vec::new();
    let mut before = "";
    let mut style = 0;
    for ((resource, metric), members) in kinds {
        style = if before == resource { style + 1 } else { 0 };
        before = resource;
        let color = theme::color(resource);
        let bins: Vec<Bin> = members.iter().map(|place| bin(rows[*place], scale)).collect();
        let (line, ring) = series::band(&bins, at, &theme::faint(color, 0.1));
        let name = words(resource, metric);
        let show = sheet.first(&name);
        let line = line
            .name(label::plain(&name))
            .legend_group(label::plain(&name))
            .show_legend(show)
            .line(Line::new().color(color).width(1.5).dash(theme::dash(style)));
        sheet.trace(ring.legend_group(label::plain(&name)));
        lines.push(line);
    }
    // Lines are drawn over all bands.
    for line in lines {
        sheet.trace(line);
    }
}

fn bin(load: &Load, scale: Scale) -> Bin {
    let value = |value: f64| {
        if scale.unit.is_empty() {
            format!("{} {}", label::number(value), label::plain(&load.unit))
        } else {
            scale.text(value)
        }
    };
    let who = label::plain(&label::join(&[&format!("run {}", load.run), &load.node], ", "));
    let what = label::plain(&words(&load.resource, &load.metric));
    let hover = format!(
        "{who}<br>{what}<br>mean {}, min {}, max {}<br>{} from {} UTC",
        value(load.mean),
        value(load.min),
        value(load.max),
        label::duration(load.dur as f64),
        label::time(load.ts)
    );
    let of = |value| scale.of(value);
    Bin { ts: load.ts, dur: load.dur, mean: of(load.mean), min: of(load.min), max: of(load.max), hover }
}

/// The axis of a unit, and the scale of its values.
fn axis(unit: &str, rows: &[&Load]) -> (Axis, Scale) {
    match unit {
        "percent" => {
            let axis = theme::axis("load (%)").range(vec![0.0, 102.0]).n_ticks(6);
            (axis, Scale { unit: "%", per: 1.0 })
        }
        "bytes_per_s" => {
            let largest = rows.iter().map(|load| load.max).fold(0.0, f64::max);
            let scale = Scale::rate(largest / 2.0);
            (theme::axis(&format!("rate ({})", scale.unit)).range_mode(RangeMode::ToZero).n_ticks(5), scale)
        }
        "per_s" => {
            (theme::axis("operations (1/s)").range_mode(RangeMode::ToZero).n_ticks(5), Scale { unit: "1/s", per: 1.0 })
        }
        "" => (theme::axis("value (unit unknown)").n_ticks(5), Scale { unit: "", per: 1.0 }),
        other => (theme::axis(&format!("value ({})", label::plain(other))).n_ticks(5), Scale { unit: "", per: 1.0 }),
    }
}

/// Only the phases with steps.
fn phases(frame: &Frame) -> Result<Vec<Phase>> {
    let (runs, modes) = (read::texts(frame, "run")?, read::texts(frame, "mode")?);
    let (ts, dur) = (read::integers(frame, "ts")?, read::integers(frame, "dur")?);
    let mut phases = Vec::new();
    for (row, (run, mode)) in runs.into_iter().zip(modes).enumerate() {
        if let (Some(ts), Some(dur), false) = (ts[row], dur[row], mode.is_empty()) {
            phases.push(Phase { run, mode, ts, dur });
        }
    }
    Ok(phases)
}

/// `mean: gpu utilization 42 %, cpu utilization 13 %`: the metrics in percent, accelerators first.
fn title(loads: &[Load]) -> String {
    let percent: Vec<&Load> = loads.iter().filter(|load| load.unit == "percent").collect();
    let mut kinds = groups(percent.iter().map(|load| (load.resource.as_str(), load.metric.as_str())));
    kinds.sort_by_key(|((resource, metric), _)| (*metric != "utilization", *resource != "gpu", *resource));
    let mut texts = Vec::new();
    for ((resource, metric), members) in kinds.iter().take(3) {
        let sum: f64 = members.iter().map(|place| percent[*place].mean * percent[*place].n).sum();
        let n: f64 = members.iter().map(|place| percent[*place].n).sum();
        texts.push(format!("{} {}", words(resource, metric), label::share(sum / n, 100.0)));
    }
    let machines = groups(loads.iter().map(|load| (load.run.as_str(), load.node.as_str()))).len();
    let of = if machines > 1 { format!(" over {machines} machines") } else { String::new() };
    if texts.is_empty() { format!("load of the machines{of}") } else { format!("mean{of}: {}", texts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, message, none, texts, told, value};

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
        let plot = value(&draw(&[over_time(), phases()]).unwrap());
        let (ring, line) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!(line["name"], "gpu utilization");
        assert_eq!(line["line"]["color"], theme::color("gpu"));
        assert_eq!(line["y"], json!([50.0, 60.0, null, 10.0]));
        assert_eq!(line["x"], json!(["1970-01-01 00:00:05", "1970-01-01 00:00:15", null, "1970-01-01 00:00:35"]));
        assert_eq!(
            line["hovertext"][0],
            "run a, &lt;n&gt;<br>gpu utilization<br>mean 50 %, min 0 %, max 90 %<br>10 s from 1970-01-01 00:00:00 UTC"
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
        assert_eq!((&shade["x0"], &shade["x1"]), (&json!("1970-01-01 00:00:05"), &json!("1970-01-01 00:00:25")));
        assert_eq!(layout["shapes"].as_array().unwrap().len(), 4);
        assert_eq!(
            told(&plot),
            "mean: gpu utilization 46 % | line: mean in bins of up to 10 s; band: minimum to maximum"
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&over_time()), none(&phases())]).unwrap());
        assert_eq!(title, "<b>Utilization timeline</b>");
        assert!(note.starts_with("<b>no system metrics in this profile</b><br>"), "{note}");
    }

    #[test]
    fn a_profile_without_steps_has_no_shades() {
        let plot = value(&draw(&[over_time(), none(&phases())]).unwrap());
        assert_eq!(plot["layout"]["shapes"], json!([]));
    }
}
