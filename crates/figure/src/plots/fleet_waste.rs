//! Idle GPU-hours by cause and run.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::read::groups;
use crate::kit::sheet::Sheet;
use crate::kit::stack::Part;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "fleet_waste",
    doc: "GPU-hours without computation by cause, over all runs and for the runs with the most; upper bounds.",
    queries: &[Ask::new("fleet.waste")],
    draw,
};

/// Maximum number of runs, and of letters in a name.
const RUNS: usize = 20;
const LETTERS: usize = 40;
const HOUR: f64 = 3600.0;

/// Causes with their legend entries and colors.
const CAUSES: [(&str, &str, &str); 4] = [
    ("loader", "waiting for data", "loader"),
    ("communication", "communication only", "communication"),
    ("other", "host, or nothing to do", "runtime"),
    ("unknown", "cause unknown", "idle"),
];

/// Idle time of one cause in one run, GPU-seconds.
struct Waste {
    run: String,
    cause: String,
    idle: f64,
    gpu: f64,
    ratio: f64,
    /// Idle time of this cause over all runs.
    fleet: f64,
    fleet_ratio: f64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let wastes = wastes(read::answer(frames, 0)?)?;
    if wastes.is_empty() {
        let why = "GPU time is known from the kernels in traces, or from samples of GPU utilization.";
        return Ok(sheet::message("Idle GPU-hours", "no idle device in these runs", why));
    }
    let mut notes = vec!["the time of each cause is an upper bound of the potential saving".to_owned()];
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    // Every row of a cause contains the sum over the fleet.
    let fleet: Vec<Option<&Waste>> =
        CAUSES.iter().map(|(cause, ..)| wastes.iter().find(|waste| waste.cause == *cause)).collect();
    let (unit, per) = unit(wastes.iter().map(|waste| waste.idle).fold(0.0, f64::max));
    let sums: Vec<f64> = fleet.iter().map(|waste| waste.map_or(0.0, |waste| waste.fleet / per)).collect();
    let hours = || theme::axis(&format!("idle ({unit})")).range_mode(RangeMode::ToZero);
    let at = sheet.panel("all runs", 50, hours(), stack::side(&["all runs".to_owned()]), true);
    let all = CAUSES.iter().zip(&fleet).zip(&sums).map(|(((_, name, color), waste), sum)| Part {
        name: (*name).to_owned(),
        color: theme::color(color).to_owned(),
        values: vec![*sum],
        hover: vec![waste.map_or(String::new(), |waste| {
            format!(
                "{name}<br>{}, {} of the GPU-hours of all runs",
                gpu_hours(waste.fleet),
                label::share(waste.fleet_ratio, 1.0)
            )
        })],
    });
    stack::draw(&mut sheet, &at, all.collect(), &Orientation::Horizontal);

    let mut runs = groups(wastes.iter().map(|waste| waste.run.as_str()));
    let idle = |rows: &[usize]| rows.iter().map(|row| wastes[*row].idle).sum::<f64>();
    runs.sort_by(|a, b| idle(&b.1).total_cmp(&idle(&a.1)).then_with(|| a.0.cmp(b.0)));
    read::cap(&mut runs, RUNS, "runs", &mut notes);
    let names: Vec<String> = runs.iter().map(|(run, _)| label::clip(run, LETTERS)).collect();
    let at = sheet.panel("runs with the most", 22 + 18 * names.len(), hours(), stack::side(&names), true);
    let parts = CAUSES.iter().map(|(cause, name, color)| {
        let of_run = |rows: &[usize]| rows.iter().map(|row| &wastes[*row]).find(|waste| waste.cause == *cause);
        Part {
            name: (*name).to_owned(),
            color: theme::color(color).to_owned(),
            values: runs.iter().map(|(_, rows)| of_run(rows).map_or(0.0, |waste| waste.idle / per)).collect(),
            hover: runs
                .iter()
                .map(|(_, rows)| of_run(rows).map_or(String::new(), |waste| hover(waste, name)))
                .collect(),
        }
    });
    stack::draw(&mut sheet, &at, parts.collect(), &Orientation::Horizontal);
    Ok(sheet.plot(&title(&fleet), &notes))
}

fn wastes(frame: &Frame) -> Result<Vec<Waste>> {
    let (runs, causes) = (read::texts(frame, "run")?, read::texts(frame, "idle_cause")?);
    let (idle, gpu) = (read::floats(frame, "idle_s")?, read::floats(frame, "gpu_s")?);
    let (ratio, fleet) = (read::floats(frame, "ratio")?, read::floats(frame, "fleet_s")?);
    let fleet_ratio = read::floats(frame, "fleet_ratio")?;
    let rows = runs.into_iter().zip(causes).enumerate();
    Ok(rows
        .map(|(row, (run, cause))| Waste {
            run,
            cause,
            idle: idle[row],
            gpu: gpu[row],
            ratio: ratio[row],
            fleet: fleet[row],
            fleet_ratio: fleet_ratio[row],
        })
        .collect())
}

/// The unit for this many GPU-seconds, and the number of seconds in the unit.
fn unit(seconds: f64) -> (&'static str, f64) {
    if seconds < HOUR / 10.0 { ("GPU-seconds", 1.0) } else { ("GPU-hours", HOUR) }
}

/// `1.5 GPU-hours`
fn gpu_hours(seconds: f64) -> String {
    let (unit, per) = unit(seconds);
    format!("{} {unit}", label::number(seconds / per))
}

fn hover(waste: &Waste, name: &str) -> String {
    format!(
        "{}<br>{name}<br>{}, {} of its {}",
        label::plain(&waste.run),
        gpu_hours(waste.idle),
        label::share(waste.ratio, 1.0),
        gpu_hours(waste.gpu)
    )
}

/// `up to 26 % of all GPU-hours idle: most of it waiting for data (20 %)`
fn title(fleet: &[Option<&Waste>]) -> String {
    let known = || CAUSES.iter().zip(fleet).filter_map(|((_, name, _), waste)| Some((name, (*waste)?)));
    let whole: f64 = known().map(|(_, waste)| waste.fleet_ratio).sum();
    let most = known().max_by(|a, b| a.1.fleet.total_cmp(&b.1.fleet));
    most.map_or(String::new(), |(name, waste)| {
        format!(
            "up to {} of all GPU-hours idle, most of it {name} ({})",
            label::share(whole, 1.0),
            label::share(waste.fleet_ratio, 1.0)
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, message, none, texts, told, value};

    /// Of 10 h each, run `a` idles 1 h for its loader and 2 h for other causes, and run `b` 4 h for its loader.
    fn waste() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "b"]),
            texts("idle_cause", &["loader", "other", "loader"]),
            floats("idle_s", &[HOUR, 2.0 * HOUR, 4.0 * HOUR]),
            floats("gpu_s", &[10.0 * HOUR; 3]),
            floats("ratio", &[0.1, 0.2, 0.4]),
            floats("fleet_s", &[5.0 * HOUR, 2.0 * HOUR, 5.0 * HOUR]),
            floats("fleet_ratio", &[0.25, 0.1, 0.25]),
        ])
    }

    #[test]
    fn the_fleet_stands_above_the_runs_with_most() {
        let plot = value(&draw(&[waste()]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([5.0]));
        assert_eq!(plot["data"][1]["x"], json!([2.0]));
        assert_eq!(plot["layout"]["yaxis2"]["ticktext"], json!(["b", "a"]));
        assert_eq!(plot["data"][2]["x"], json!([4.0, 1.0]));
        assert_eq!(plot["data"][3]["x"], json!([0.0, 2.0]));
        assert_eq!(plot["data"][2]["hovertext"][0], "b<br>waiting for data<br>4 GPU-hours, 40 % of its 10 GPU-hours");
        assert_eq!(
            told(&plot),
            "up to 35 % of all GPU-hours idle, most of it waiting for data (25 %) | \
             the time of each cause is an upper bound of the potential saving"
        );
    }

    #[test]
    fn nothing_idle_is_said() {
        let (title, note) = message(&draw(&[none(&waste())]).unwrap());
        assert_eq!(title, "<b>Idle GPU-hours</b>");
        assert!(note.starts_with("<b>no idle device in these runs</b>"), "{note}");
    }
}
