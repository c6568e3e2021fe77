//! Phases of a job over time.

use std::collections::BTreeMap;

use plotly::Plot;
use plotly::layout::CategoryOrder;

use crate::kit::read::groups;
use crate::kit::series::Spans;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "job_phases",
    doc: "When a job trained, evaluated and predicted, and when no step ran; a panel per run.",
    queries: &[Ask::new("job.phases")],
    draw,
};

/// Maximum number of phases in a panel: the longest.
const PHASES: usize = 600;
/// The lane of phases without steps.
const NONE: &str = "no steps";

struct Phase {
    run: String,
    name: String,
    lane: String,
    ts: i64,
    dur: i64,
    steps: i64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let phases = phases(read::answer(frames, 0)?)?;
    if phases.is_empty() {
        let why = "Phases are derived from steps, and no step with a time was recorded. Call prof.step() in a profiled \
                   loop, or record the loop with tracelake.record.";
        return Ok(sheet::message("Job phases", "no phases in this profile", why));
    }
    let title = title(&phases);
    let mut notes = Vec::new();
    let mut runs = groups(phases.iter().map(|phase| phase.run.as_str()));
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (run, rows) in &runs {
        let mut rows: Vec<&Phase> = rows.iter().map(|row| &phases[*row]).collect();
        rows.sort_by_key(|phase| (std::cmp::Reverse(phase.dur), phase.ts));
        read::cap(&mut rows, PHASES, &format!("phases of {} (the longest)", label::clip(run, 20)), &mut notes);
        rows.sort_by_key(|phase| phase.ts);
        let lanes = groups(rows.iter().map(|phase| phase.lane.as_str()));
        let names: Vec<String> = lanes.iter().rev().map(|(lane, _)| label::plain(lane)).collect();
        let y = theme::axis("").category_order(CategoryOrder::Array).category_array(names);
        let at = sheet.panel(&format!("run {run}"), 24 + 30 * lanes.len(), theme::time_axis(), y, true);
        for (lane, members) in lanes {
            let color = theme::color(if lane == NONE { "idle" } else { lane });
            let spans = members
                .iter()
                .map(|place| rows[*place])
                .map(|phase| (label::plain(lane), phase.ts, phase.dur, hover(phase)));
            sheet.trace(Box::new(Spans::new(&label::plain(lane), color, &at, spans.collect())));
        }
    }
    Ok(sheet.plot(&title, &notes))
}

fn phases(frame: &Frame) -> Result<Vec<Phase>> {
    let (runs, names, modes) = (read::texts(frame, "run")?, read::texts(frame, "phase")?, read::texts(frame, "mode")?);
    let (ts, dur, steps) =
        (read::integers(frame, "ts")?, read::integers(frame, "dur")?, read::integers(frame, "steps")?);
    let mut phases = Vec::with_capacity(runs.len());
    for (row, ((run, name), mode)) in runs.into_iter().zip(names).zip(modes).enumerate() {
        if let (Some(ts), Some(dur)) = (ts[row], dur[row]) {
            let steps = steps[row].unwrap_or(0);
            let lane = match (mode.is_empty(), steps) {
                (false, _) => mode,
                (true, 0) => NONE.to_owned(),
                (true, _) => "step".to_owned(),
            };
            phases.push(Phase { run, name, lane, ts, dur, steps });
        }
    }
    Ok(phases)
}

fn hover(phase: &Phase) -> String {
    let steps = label::count(usize::try_from(phase.steps).unwrap_or(0), "step");
    let (run, name) = (label::plain(&phase.run), label::plain(&phase.name));
    let from = label::time(phase.ts);
    format!("run {run}<br>{name}<br>{}, {steps}<br>from {from} UTC", label::duration(phase.dur as f64))
}

/// `train 80 % of 12 min, no steps 20 %`, over all runs.
fn title(phases: &[Phase]) -> String {
    let mut lanes: BTreeMap<&str, f64> = BTreeMap::new();
    for phase in phases {
        *lanes.entry(&phase.lane).or_default() += phase.dur as f64;
    }
    let runs = groups(phases.iter().map(|phase| phase.run.as_str()));
    let whole: f64 = runs
        .iter()
        .map(|(_, rows)| {
            let rows = rows.iter().map(|row| &phases[*row]);
            let first = rows.clone().map(|phase| phase.ts).min().unwrap_or(0);
            let last = rows.map(|phase| phase.ts.saturating_add(phase.dur)).max().unwrap_or(0);
            last.saturating_sub(first) as f64
        })
        .sum();
    let mut lanes: Vec<(&str, f64)> = lanes.into_iter().collect();
    lanes.sort_by(|a, b| b.1.total_cmp(&a.1));
    let texts: Vec<String> = lanes.iter().map(|(lane, dur)| format!("{lane} {}", label::share(*dur, whole))).collect();
    let of = if runs.len() > 1 { format!(" in {} runs", runs.len()) } else { String::new() };
    format!("{} of {}{of}", texts.join(", "), label::duration(whole))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, message, none, texts, told, value};

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
        let plot = value(&draw(&[phases()]).unwrap());
        let train = &plot["data"][1];
        assert_eq!((&train["base"], &train["x"]), (&json!(["1970-01-01 00:00:20"]), &json!([60_000.0])));
        assert_eq!((&train["y"], &train["orientation"]), (&json!(["train"]), &json!("h")));
        assert_eq!(train["hovertext"][0], "run a<br>train<br>60 s, 40 steps<br>from 1970-01-01 00:00:20 UTC");
        assert_eq!(train["marker"]["line"]["color"], theme::color("train"));
        assert_eq!(plot["data"][0]["y"], json!([NONE]));
        assert_eq!(plot["data"][2]["y"], json!(["&lt;eval&gt;"]));
        assert_eq!(plot["layout"]["yaxis"]["categoryarray"], json!(["&lt;eval&gt;", "train", "no steps"]));
        assert_eq!(plot["layout"]["xaxis"]["type"], "date");
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "time (UTC)");
        assert_eq!(told(&plot), "train 60 %, &lt;eval&gt; 20 %, no steps 20 % of 100 s");
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&phases())]).unwrap());
        assert_eq!(title, "<b>Job phases</b>");
        assert!(note.starts_with("<b>no phases in this profile</b><br>Phases are derived from"), "{note}");
    }
}
