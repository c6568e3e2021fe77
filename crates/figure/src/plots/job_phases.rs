//! Phases of a job over time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use plotly::Plot;

use crate::kit::read::{Required, group_by, row_types};
use crate::kit::series::{SpanBar, draw_span_bars};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "job_phases",
    doc: "When a job trained, evaluated and predicted, and when no step ran; a panel per run.",
    queries: &[FigureQuery::new("job.phases")],
    draw,
};

/// Maximum number of phases in a panel: the longest.
const PHASES: usize = 600;
/// The lane of phases without steps.
const NO_STEPS: &str = "no steps";

row_types! {
    /// A row of `job.phases`. Times are in ns.
    struct JobPhase {
        run: String,
        phase: String,
        /// Mode of the steps, or an empty text.
        mode: String,
        ts: i64 = Required("ts"),
        dur: i64 = Required("dur"),
        steps: i64,
    }
}

impl JobPhase {
    fn lane(&self) -> &str {
        match (self.mode.as_str(), self.steps) {
            ("", 0) => NO_STEPS,
            ("", _) => "step",
            (mode, _) => mode,
        }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let phases = JobPhase::read(read::frame(frames, 0)?)?;
    if phases.is_empty() {
        let why = "Phases are derived from steps, and no step with a time was recorded. Call prof.step() in a profiled \
                   loop, or record the loop with tracelake.record.";
        return Ok(sheet::message_plot("Job phases", "no phases in this profile", why));
    }
    let mut notes = Vec::new();
    let mut runs = group_by(&phases, |phase| phase.run.as_str());
    let title = title(&phases, &runs);
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (run, phases) in &mut runs {
        phases.sort_by_key(|phase| (Reverse(phase.dur), phase.ts));
        read::truncate(phases, PHASES, &format!("phases of {} (the longest)", label::clip(run, 20)), &mut notes);
        phases.sort_by_key(|phase| phase.ts);
        let lanes = group_by(phases.iter().copied(), JobPhase::lane);
        let names = lanes.iter().map(|(lane, _)| label::sanitize(lane)).collect();
        let y = theme::category_axis(names);
        let axes =
            sheet.add_panel(&format!("run {run}"), 24 + 30 * lanes.len(), theme::time_axis(phases[0].ts), y, true);
        for (lane, phases) in lanes {
            let color = theme::color(if lane == NO_STEPS { "idle" } else { lane });
            let name = label::sanitize(lane);
            let bar =
                |phase: &JobPhase| SpanBar { row: name.clone(), ts: phase.ts, dur: phase.dur, hover: hover(phase) };
            draw_span_bars(&mut sheet, &axes, &name, color, phases.into_iter().map(bar).collect());
        }
    }
    Ok(sheet.into_plot(&title, &notes))
}

fn hover(phase: &JobPhase) -> String {
    format!(
        "run {}<br>{}<br>{}, {}<br>from {}",
        label::sanitize(&phase.run),
        label::sanitize(&phase.phase),
        label::duration(phase.dur as f64),
        label::count(phase.steps, "step"),
        label::moment(phase.ts)
    )
}

/// `train 80 % of 12 min, no steps 20 %`, over all runs.
fn title(phases: &[JobPhase], runs: &[(&str, Vec<&JobPhase>)]) -> String {
    let mut lanes: BTreeMap<&str, f64> = BTreeMap::new();
    for phase in phases {
        *lanes.entry(phase.lane()).or_default() += phase.dur as f64;
    }
    let extent = |phases: &[&JobPhase]| {
        let begin = phases.iter().map(|phase| phase.ts).min().unwrap_or(0);
        let end = phases.iter().map(|phase| phase.ts.saturating_add(phase.dur)).max().unwrap_or(0);
        end.saturating_sub(begin) as f64
    };
    let total: f64 = runs.iter().map(|(_, phases)| extent(phases)).sum();
    let mut lanes: Vec<(&str, f64)> = lanes.into_iter().collect();
    lanes.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shares: Vec<String> =
        lanes.iter().map(|(lane, dur)| format!("{lane} {}", label::percentage(*dur, total))).collect();
    let in_runs = if runs.len() > 1 { format!(" in {} runs", runs.len()) } else { String::new() };
    format!("Phases: {} of {}{in_runs}", shares.join(", "), label::duration(total))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, texts, to_value, without_rows};

    const S: i64 = 1_000_000_000;

    fn phases() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("phase", &["before train", "train", "<eval>"]),
            texts("mode", &["", "train", "<eval>"]),
            ints("ts", &[0, 20 * S, 80 * S]),
            ints("dur", &[20 * S, 60 * S, 20 * S]),
            ints("steps", &[0, 40, 1]),
        ])
    }

    #[test]
    fn phases_are_bars_from_their_start_in_the_lane_of_their_mode() {
        let plot = to_value(&draw(&[phases()]).unwrap());
        let train = &plot["data"][1];
        assert_eq!((&train["base"], &train["x"]), (&json!(["20000"]), &json!([60_000.0])));
        assert_eq!((&train["y"], &train["orientation"]), (&json!(["train"]), &json!("h")));
        assert_eq!(train["hovertext"][0], "run a<br>train<br>60 s, 40 steps<br>from +20 s");
        assert_eq!(train["marker"]["line"]["color"], theme::color("train"));
        assert_eq!(plot["data"][0]["y"], json!([NO_STEPS]));
        assert_eq!(plot["data"][2]["y"], json!(["&lt;eval&gt;"]));
        assert_eq!(plot["layout"]["yaxis"]["categoryarray"], json!(["&lt;eval&gt;", "train", "no steps"]));
        assert_eq!(plot["layout"]["xaxis"]["type"], "linear");
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "time since the first event (ms)");
        assert_eq!(heading(&plot), "Phases: train 60 %, &lt;eval&gt; 20 %, no steps 20 % of 100 s");
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&phases())]).unwrap());
        assert_eq!(title, "<b>Job phases</b>");
        assert!(note.starts_with("<b>no phases in this profile</b><br>Phases are derived from"), "{note}");
    }
}
