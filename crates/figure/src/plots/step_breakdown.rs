//! Time of each step by kind of work, per rank.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{group_by, rows};
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "step_breakdown",
    doc: "How each step spent its time, from kernels to waiting for data, by rank and by step.",
    queries: &[FigureQuery::new("step.breakdown")],
    draw,
};

/// Maximum number of bars in a panel, of panels of steps, and of runs.
const BARS: usize = 120;
const PANELS: usize = 4;
const RUNS: usize = 4;
/// Column, color role and legend entry, in the order of the query.
const PARTS: &[(&str, &str, &str)] = &[
    ("kernel", "kernel", "kernel"),
    ("memcpy", "memcpy", "copy"),
    ("memset", "memset", "fill"),
    ("communication", "communication", "communication"),
    ("runtime", "runtime", "runtime calls"),
    ("exposed_loader", "loader", "data loader"),
    ("cpu", "cpu", "host"),
    ("other", "other", "other"),
];

/// Number of parts of the device: the first ones.
const DEVICE_PARTS: usize = 4;

/// A marked step, or a whole recording without marked steps. Times are in ns.
struct StepParts {
    origin: Origin,
    mode: String,
    step: Option<i64>,
    ts: i64,
    dur: i64,
    /// Times in the order of `PARTS`.
    parts: Vec<i64>,
    complete: Option<bool>,
    /// Null if device work of the run could not be read.
    exposed_loader_ratio: Option<f64>,
}

impl StepParts {
    fn is_marked(&self) -> bool {
        self.step.is_some()
    }

    fn is_cut(&self) -> bool {
        self.complete == Some(false)
    }

    /// `eval 5`. Most steps are train steps, so only other modes are named.
    fn name(&self) -> String {
        let mode = if self.mode == "train" { "" } else { self.mode.as_str() };
        self.step.map_or_else(|| "recording".to_owned(), |step| label::join(&[mode, &step.to_string()], " "))
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut steps = read_steps(read::frame(frames, 0)?)?;
    if steps.is_empty() {
        let why = "No step and no recording with a time was found. Call prof.step() in the training loop, so that the \
                   profiler marks the steps.";
        return Ok(sheet::message_plot("Step breakdown", "no steps in this profile", why));
    }
    let all = steps.len();
    steps.retain(|step| step.exposed_loader_ratio.is_some());
    if steps.is_empty() {
        return Ok(sheet::unread_plot("Step breakdown"));
    }
    let mut notes = Vec::from_iter(sheet::unread_note(all - steps.len(), "step"));
    let unmarked = steps.iter().filter(|step| !step.is_marked()).count();
    if unmarked > 0 && unmarked < steps.len() {
        notes.push(format!("{} without marked steps excluded from the mean", label::count(unmarked, "recording")));
    }
    let mut ranks = group_by(&steps, |step| (&step.origin.run, &step.origin.node, step.origin.rank));
    let mut runs = group_by(0..ranks.len(), |rank| ranks[rank].0.0.as_str());
    read::truncate(&mut runs, RUNS, "runs", &mut notes);
    let durs: Vec<f64> = steps.iter().map(|step| step.dur as f64).collect();
    let scale = Scale::time(label::quantile(&durs, 0.5).unwrap_or(0.0));
    let mut sheet = Sheet::with_stacked_bars();
    for (run, members) in &runs {
        if members.len() > 1 {
            let mut members = members.clone();
            read::truncate(&mut members, BARS, &format!("ranks of {}", label::clip(run, 20)), &mut notes);
            let ranks: Vec<&[&StepParts]> = members.iter().map(|rank| ranks[*rank].1.as_slice()).collect();
            draw_ranks(&mut sheet, run, &ranks, scale);
        }
    }
    let runs: Vec<&str> = runs.into_iter().map(|(run, _)| run).collect();
    ranks.retain(|((run, ..), _)| runs.contains(&run.as_str()));
    if ranks.len() > PANELS {
        ranks.sort_by(|a, b| mean_dur(&b.1).total_cmp(&mean_dur(&a.1)));
        read::truncate(&mut ranks, PANELS, "ranks (with the longest mean steps)", &mut notes);
        ranks.sort_by(|a, b| a.0.cmp(&b.0));
    }
    let labels = OriginLabels::new(steps.iter().map(|step| &step.origin));
    for ((run, ..), steps) in &ranks {
        let steps_per_bar = steps.len().div_ceil(BARS).max(1);
        let bars: Vec<Vec<&StepParts>> = steps.chunks(steps_per_bar).map(<[_]>::to_vec).collect();
        let names: Vec<String> = bars.iter().map(|bar| bar[0].name()).collect();
        let origin = Origin { span: None, ..steps[0].origin.clone() };
        let who = label::join(&[&format!("run {run}"), &labels.label(&origin)], ", ");
        if steps_per_bar > 1 {
            notes.push(format!("{}: each bar is the mean of {steps_per_bar} steps", label::clip(&who, 40)));
        }
        draw_panel(&mut sheet, &who, "step", &bars, &names, scale);
    }
    notes.extend(coverage(&measured(&steps)));
    let cut = steps.iter().filter(|step| step.is_cut()).count();
    if cut > 0 {
        notes.push(format!("{} cut short by the end of a recording", label::count(cut, "step")));
    }
    Ok(sheet.into_plot(&title(&steps), &notes))
}

/// Draws the mean step of each rank of a run. If any rank has marked steps, other recordings are excluded.
fn draw_ranks(sheet: &mut Sheet, run: &str, ranks: &[&[&StepParts]], scale: Scale) {
    let marked = ranks.iter().copied().flatten().any(|step| step.is_marked());
    let mut bars: Vec<Vec<&StepParts>> =
        ranks.iter().map(|steps| steps.iter().copied().filter(|step| step.is_marked() == marked).collect()).collect();
    bars.retain(|bar| !bar.is_empty());
    let name = |origin: &Origin| origin.rank.map_or_else(|| origin.node.clone(), |rank| format!("rank {rank}"));
    let names: Vec<String> = bars.iter().map(|bar| name(&bar[0].origin)).collect();
    draw_panel(sheet, &format!("run {run}, mean step of each rank"), "rank", &bars, &names, scale);
}

/// Draws a panel of stacked bars. Each bar is the mean of some steps.
fn draw_panel(sheet: &mut Sheet, label: &str, axis: &str, bars: &[Vec<&StepParts>], names: &[String], scale: Scale) {
    let (positions, texts) = stack::ticks(names, 12);
    let x = theme::axis(axis).tick_values(positions).tick_text(texts).range(vec![-0.6, bars.len() as f64 - 0.4]);
    let y = theme::axis_from_zero("step duration", scale.unit);
    let axes = sheet.add_panel(label, 170, x.show_grid(false), y, true);
    let parts = PARTS.iter().enumerate().map(|(part, (_, role, name))| {
        let value = |bar: &Vec<&StepParts>| scale.convert(mean(bar, |step| step.parts[part]));
        BarPart::new(name, theme::work_color(role), bars, value, |bar| hover(bar, part))
    });
    stack::draw_vertical(sheet, &axes, parts);
}

#[expect(clippy::cast_possible_truncation, reason = "ns of a time far below the limit")]
fn hover(bar: &[&StepParts], part: usize) -> String {
    let (value, whole) = (mean(bar, |step| step.parts[part]), mean_dur(bar));
    let what = match bar {
        [step] => {
            let cut = if step.is_cut() { " (cut short)" } else { "" };
            format!("step {}{cut}, from {}", label::sanitize(&step.name()), label::moment(step.ts))
        }
        steps => format!(
            "mean of {} steps, {} to {}",
            steps.len(),
            label::sanitize(&steps[0].name()),
            label::sanitize(&steps[steps.len() - 1].name())
        ),
    };
    let share = label::percentage(value, whole);
    let (value, whole) = (label::precise_duration(value.round() as i64), label::precise_duration(whole.round() as i64));
    format!("{}<br>{what}<br>{}: {value}, {share} of {whole}", bar[0].origin.full_label(), PARTS[part].2)
}

/// The marked steps; all recordings if none is marked.
fn measured(steps: &[StepParts]) -> Vec<&StepParts> {
    let marked = steps.iter().any(StepParts::is_marked);
    steps.iter().filter(|step| step.is_marked() == marked).collect()
}

fn what(steps: &[&StepParts]) -> &'static str {
    if steps.iter().any(|step| step.is_marked()) { "step" } else { "recording" }
}

/// Returns what the bars lack: device work that was recorded in some of the steps, and time in which nothing was recorded.
fn coverage(steps: &[&StepParts]) -> Vec<String> {
    let mut notes = Vec::new();
    let has_device = |step: &&&StepParts| step.parts[..DEVICE_PARTS].iter().any(|part| *part > 0);
    let with_device = steps.iter().filter(has_device).count();
    if (1..steps.len()).contains(&with_device) {
        notes.push(format!("device work recorded in {with_device} of {}", label::count(steps.len(), what(steps))));
    }
    let sum = |value: fn(&StepParts) -> i64| steps.iter().map(|step| value(step) as f64).sum::<f64>();
    let other = sum(|step| step.parts[PARTS.len() - 1]) / sum(|step| step.dur);
    if other > 0.5 {
        notes.push(format!("other ({}): no work was recorded in this time", label::percentage(other, 1.0)));
    }
    notes
}

fn mean(steps: &[&StepParts], value: impl Fn(&StepParts) -> i64) -> f64 {
    steps.iter().map(|step| value(step) as f64).sum::<f64>() / steps.len().max(1) as f64
}

fn mean_dur(steps: &[&StepParts]) -> f64 {
    mean(steps, |step| step.dur)
}

/// Reads the steps and recordings that took time.
fn read_steps(frame: &Frame) -> Result<Vec<StepParts>> {
    let columns = PARTS.iter().map(|(name, ..)| read::column(frame, name)).collect::<Result<Vec<Vec<i64>>>>()?;
    let parts: Vec<Vec<i64>> =
        (0..frame.len()?).map(|row| columns.iter().map(|column| column[row]).collect()).collect();
    let mut steps =
        rows!(frame, StepParts { origin, mode, step, ts, dur, parts: parts, complete, exposed_loader_ratio });
    steps.retain(|step| step.dur > 0);
    Ok(steps)
}

/// `84 ms per step (mean of 9 steps): host 60 %, kernel 30 %, data loader 8 %`
///
/// A recording without marked steps is not a step. The mean covers such recordings only if there are no marked steps.
fn title(steps: &[StepParts]) -> String {
    let steps = measured(steps);
    let what = what(&steps);
    let whole = mean_dur(&steps);
    let mut parts: Vec<(f64, &str)> =
        PARTS.iter().enumerate().map(|(part, (.., name))| (mean(&steps, |step| step.parts[part]), *name)).collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shares: Vec<String> = parts
        .iter()
        .take(3)
        .filter(|(value, _)| *value > 0.0)
        .map(|(value, name)| format!("{name} {}", label::percentage(*value, whole)))
        .collect();
    let count = label::count(steps.len(), what);
    format!("{} per {what} (mean of {count}): {}", label::duration(whole), shares.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{
        flags, floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows,
    };

    /// Steps of two ranks; a quarter of each is a kernel, the rest waits for data.
    fn breakdown(steps_per_rank: usize) -> Frame {
        let n = 2 * steps_per_rank;
        let dur: Vec<i64> = (1_i64..).take(n).map(|nth| 4_000_000 * nth).collect();
        let mut columns = vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec!["n1"; n]),
            nullable_ints("rank", &(0..n).map(|row| i64::from(row >= steps_per_rank)).collect::<Vec<_>>()),
            ints("span", &vec![0; n]),
            texts("mode", &vec![""; n]),
            nullable_ints("step", &(5..).take(steps_per_rank).chain((5..).take(steps_per_rank)).collect::<Vec<_>>()),
            ints("ts", &vec![0; n]),
            ints("dur", &dur),
            floats("exposed_loader_ratio", &vec![0.75; n]),
            flags("complete", &(0..n).map(|row| row > 0).collect::<Vec<_>>()),
        ];
        for (name, ..) in PARTS {
            let share = match *name {
                "kernel" => 1,
                "exposed_loader" => 3,
                _ => 0,
            };
            columns.push(ints(name, &dur.iter().map(|dur| dur / 4 * share).collect::<Vec<_>>()));
        }
        frame(columns)
    }

    #[test]
    fn a_bar_per_rank_and_a_bar_per_step() {
        let plot = to_value(&draw(&[breakdown(2)]).unwrap());
        let data = plot["data"].as_array().unwrap();
        // Two parts in three panels: means of the ranks, rank 0, rank 1.
        assert_eq!(data.len(), 6);
        assert_eq!((&data[0]["name"], &data[0]["y"]), (&json!("kernel"), &json!([1.5, 3.5])));
        assert_eq!(data[2]["y"], json!([1.0, 2.0]));
        assert_eq!(data[5]["y"], json!([9.0, 12.0]));
        assert_eq!(data[5]["marker"]["color"], theme::color("loader"));
        assert_eq!(
            data[5]["hovertext"][1],
            "run a, n1, rank 1<br>step 6, from +0 ms<br>data loader: 12 ms, 75 % of 16 ms"
        );
        assert!(data[3]["hovertext"][0].as_str().unwrap().contains("step 5 (cut short), from"));
        assert_eq!(plot["layout"]["xaxis2"]["ticktext"], json!(["5", "6"]));
        assert_eq!(plot["layout"]["yaxis2"]["title"]["text"], "step duration (ms)");
        assert_eq!(
            heading(&plot),
            "10 ms per step (mean of 4 steps): data loader 75 %, kernel 25 % | 1 step cut short by the end of a recording"
        );
    }

    #[test]
    fn a_recording_without_steps_is_not_a_step() {
        // Steps of 4 and 8 ms, and a recording of 1 s without marked steps.
        let row = |step: Option<i64>, dur: i64| StepParts {
            origin: Origin { run: "a".into(), node: "n1".into(), rank: Some(0), span: Some(0) },
            mode: String::new(),
            step,
            ts: 0,
            dur,
            parts: PARTS.iter().map(|(name, ..)| if *name == "kernel" { dur / 4 } else { 0 }).collect(),
            complete: None,
            exposed_loader_ratio: Some(0.0),
        };
        let mixed = [row(Some(1), 4_000_000), row(None, 1_000_000_000), row(Some(2), 8_000_000)];
        assert_eq!(title(&mixed), "6 ms per step (mean of 2 steps): kernel 25 %");
        assert_eq!(title(&mixed[1..2]), "1 s per recording (mean of 1 recording): kernel 25 %");
    }

    #[test]
    fn many_steps_become_means_of_neighbors() {
        let plot = to_value(&draw(&[breakdown(1000)]).unwrap());
        let kernel = plot["data"][2]["y"].as_array().unwrap();
        assert_eq!(kernel.len(), 112);
        // The mean of the first nine steps: 1 to 9 ms of kernels, in s.
        assert_eq!(kernel[0], 0.005);
        assert!(heading(&plot).contains("each bar is the mean of 9 steps"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&breakdown(1))]).unwrap());
        assert_eq!(title, "<b>Step breakdown</b>");
        assert!(note.starts_with("<b>no steps in this profile</b><br>No step and no recording"), "{note}");
    }
}
