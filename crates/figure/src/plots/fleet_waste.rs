//! Idle GPU-hours by cause and run.

use plotly::Plot;

use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "fleet_waste",
    doc: "GPU-hours without computation by cause, over all runs and for the runs with the most; upper bounds.",
    queries: &[FigureQuery::new("fleet.waste")],
    draw,
};

/// Maximum number of runs, and of letters in a name.
const RUNS: usize = 20;
const LETTERS: usize = 40;
/// Seconds in an hour.
const HOUR: f64 = 3600.0;

/// Causes with their legend entries and colors.
const CAUSES: [(&str, &str, &str); 4] = [
    ("loader", "waiting for data", "loader"),
    ("communication", "communication only", "communication"),
    ("other", "host, or nothing to do", "runtime"),
    ("unknown", "cause unknown", "idle"),
];

row_types! {
    /// Idle time of one cause in one run. Times are in GPU-seconds.
    struct IdleGpuTime {
        run: String,
        cause: String = "idle_cause",
        idle: f64 = "idle_s",
        gpu: f64 = "gpu_s",
        ratio: f64,
        /// Idle time of this cause over all runs.
        fleet: f64 = "fleet_s",
        fleet_ratio: f64,
    }
}

/// Idle time of one cause over the runs of the frame. Times are in GPU-seconds.
struct FleetTime {
    idle: f64,
    ratio: f64,
}

/// Returns the idle time of each cause, and whether the frame lacks runs of the fleet.
fn fleet_times(times: &[IdleGpuTime]) -> (Vec<FleetTime>, bool) {
    let of_cause = |cause: &'static str| times.iter().filter(move |time| time.cause == cause);
    let idle = |cause| of_cause(cause).map(|time| time.idle).sum::<f64>();
    // Every row of a cause contains the sum over the fleet, which includes runs without idle time.
    let lacks_runs = |(cause, ..): &(&'static str, &str, &str)| {
        of_cause(cause).next().is_some_and(|time| (time.fleet - idle(cause)).abs() > 1e-9 * time.fleet)
    };
    let is_filtered = CAUSES.iter().any(lacks_runs);
    let gpu: f64 = group_by(times, |time| time.run.as_str()).iter().map(|(_, times)| times[0].gpu).sum();
    let ratio = |cause| match of_cause(cause).next() {
        Some(time) if !is_filtered => time.fleet_ratio,
        _ => idle(cause) / gpu,
    };
    (CAUSES.iter().map(|(cause, ..)| FleetTime { idle: idle(cause), ratio: ratio(cause) }).collect(), is_filtered)
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let times = IdleGpuTime::read(read::frame(frames, 0)?)?;
    if times.is_empty() {
        let why = "GPU time is known from the kernels in traces, or from samples of GPU utilization.";
        return Ok(sheet::message_plot("Idle GPU-hours", "no idle device in these runs", why));
    }
    let mut notes = vec!["the time of each cause is an upper bound of the potential saving".to_owned()];
    let mut sheet = Sheet::with_stacked_bars();
    let (fleet, is_filtered) = fleet_times(&times);
    let who = if is_filtered { "these runs" } else { "all runs" };
    let (unit, seconds) = fit_unit(times.iter().map(|time| time.idle).fold(0.0, f64::max));
    let x = || theme::axis_from_zero("idle", unit);
    let axes = stack::add_panel(&mut sheet, who, 50, x(), &[who.to_owned()]);
    let all_runs = CAUSES.iter().zip(&fleet).map(|((_, name, color), time)| {
        BarPart::new(
            name,
            theme::color(color),
            &[time],
            |time| time.idle / seconds,
            |time| {
                format!(
                    "{name}<br>{}, {} of the GPU-hours of {who}",
                    gpu_hours(time.idle),
                    label::percentage(time.ratio, 1.0)
                )
            },
        )
    });
    stack::draw(&mut sheet, &axes, all_runs);

    let mut runs = group_by(&times, |time| time.run.as_str());
    let idle = |times: &[&IdleGpuTime]| times.iter().map(|time| time.idle).sum::<f64>();
    runs.sort_by(|a, b| idle(&b.1).total_cmp(&idle(&a.1)).then_with(|| a.0.cmp(b.0)));
    read::truncate(&mut runs, RUNS, "runs", &mut notes);
    let names: Vec<String> = runs.iter().map(|(run, _)| label::clip(run, LETTERS)).collect();
    let axes = stack::add_panel(&mut sheet, "runs with the most", 22 + 18 * names.len(), x(), &names);
    let by_run = CAUSES.iter().map(|(cause, name, color)| {
        let times: Vec<Option<&IdleGpuTime>> =
            runs.iter().map(|(_, times)| times.iter().copied().find(|time| time.cause == *cause)).collect();
        BarPart::new(
            name,
            theme::color(color),
            &times,
            |time| time.map_or(0.0, |time| time.idle / seconds),
            |time| time.map_or(String::new(), |time| hover(time, name)),
        )
    });
    stack::draw(&mut sheet, &axes, by_run);
    Ok(sheet.into_plot(&title(&fleet, who), &notes))
}

/// The unit for this many GPU-seconds, and the number of seconds in the unit.
fn fit_unit(seconds: f64) -> (&'static str, f64) {
    if seconds < HOUR / 10.0 { ("GPU-seconds", 1.0) } else { ("GPU-hours", HOUR) }
}

/// `1.5 GPU-hours`
fn gpu_hours(seconds: f64) -> String {
    let (unit, per_unit) = fit_unit(seconds);
    format!("{} {unit}", label::number(seconds / per_unit))
}

fn hover(time: &IdleGpuTime, name: &str) -> String {
    format!(
        "{}<br>{name}<br>{}, {} of its {}",
        label::sanitize(&time.run),
        gpu_hours(time.idle),
        label::percentage(time.ratio, 1.0),
        gpu_hours(time.gpu)
    )
}

/// `up to 26 % of the GPU-hours of all runs idle, most of it waiting for data (20 %)`
fn title(fleet: &[FleetTime], who: &str) -> String {
    let causes = || CAUSES.iter().zip(fleet).map(|((_, name, _), time)| (name, time));
    let idle: f64 = fleet.iter().map(|time| time.ratio).sum();
    let largest = causes().max_by(|a, b| a.1.idle.total_cmp(&b.1.idle));
    largest.map_or(String::new(), |(name, time)| {
        format!(
            "Up to {} of the GPU-hours of {who} idle{}",
            label::percentage(idle, 1.0),
            // Often no single cause accounts for most of it.
            if 2.0 * time.ratio > idle {
                format!(", most of it {name} ({})", label::percentage(time.ratio, 1.0))
            } else {
                String::new()
            }
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, message, texts, to_value, without_rows};

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
    fn the_fleet_is_above_the_runs() {
        let plot = to_value(&draw(&[waste()]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([5.0]));
        assert_eq!(plot["data"][1]["x"], json!([2.0]));
        assert_eq!(plot["layout"]["yaxis2"]["ticktext"], json!(["b", "a"]));
        assert_eq!(plot["data"][2]["x"], json!([4.0, 1.0]));
        assert_eq!(plot["data"][3]["x"], json!([0.0, 2.0]));
        assert_eq!(plot["data"][2]["hovertext"][0], "b<br>waiting for data<br>4 GPU-hours, 40 % of its 10 GPU-hours");
        assert_eq!(
            heading(&plot),
            "Up to 35 % of the GPU-hours of all runs idle, most of it waiting for data (25 %) | \
             the time of each cause is an upper bound of the potential saving"
        );
    }

    #[test]
    fn a_filter_on_runs_is_in_the_title() {
        let one = frame(vec![
            texts("run", &["a", "a"]),
            texts("idle_cause", &["loader", "other"]),
            floats("idle_s", &[HOUR, 2.0 * HOUR]),
            floats("gpu_s", &[10.0 * HOUR; 2]),
            floats("ratio", &[0.1, 0.2]),
            floats("fleet_s", &[5.0 * HOUR, 2.0 * HOUR]),
            floats("fleet_ratio", &[0.25, 0.1]),
        ]);
        let plot = to_value(&draw(&[one]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([1.0]));
        let heading = heading(&plot);
        assert!(heading.starts_with("Up to 30 % of the GPU-hours of these runs idle, most of it host"), "{heading}");
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&waste())]).unwrap());
        assert_eq!(title, "<b>Idle GPU-hours</b>");
        assert!(note.starts_with("<b>no idle device in these runs</b>"), "{note}");
    }
}
