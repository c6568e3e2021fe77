//! Time of each step by kind of work, per rank.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::Sheet;
use crate::kit::stack::Part;
use crate::kit::whose::{Telling, Whose};
use crate::kit::{label, read, sheet, stack, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "step_breakdown",
    doc: "How each step spent its time, from kernels to waiting for data, by rank and by step.",
    queries: &[Ask::new("step.breakdown")],
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

struct Step {
    whose: Whose,
    name: String,
    ts: i64,
    dur: i64,
    parts: Vec<i64>,
    cut: bool,
    /// Whether it is a marked step. Otherwise it is a whole recording without marked steps.
    marked: bool,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let steps = steps(read::answer(frames, 0)?)?;
    if steps.is_empty() {
        let why = "No step and no recording with a time was found. Call prof.step() in the training loop, so that the \
                   profiler marks the steps.";
        return Ok(sheet::message("Step breakdown", "no steps in this profile", why));
    }
    let mut notes = Vec::new();
    let bare = steps.iter().filter(|step| !step.marked).count();
    if bare > 0 && bare < steps.len() {
        notes.push(format!("{} without marked steps excluded from the mean", label::count(bare, "recording")));
    }
    let mut ranks = groups(steps.iter().map(|step| (&step.whose.run, &step.whose.node, step.whose.rank)));
    let mut runs = groups(ranks.iter().map(|((run, ..), _)| run.as_str()));
    read::cap(&mut runs, RUNS, "runs", &mut notes);
    ranks.retain(|((run, ..), _)| runs.iter().any(|(kept, _)| kept == run));
    let durs: Vec<f64> = steps.iter().map(|step| step.dur as f64).collect();
    let scale = Scale::time(label::quantile(&durs, 0.5).unwrap_or(0.0));
    let telling = Telling::of(steps.iter().map(|step| &step.whose));
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    for (run, members) in &runs {
        if members.len() > 1 {
            let mut members = members.clone();
            read::cap(&mut members, BARS, &format!("ranks of {}", label::clip(run, 20)), &mut notes);
            let all = |rank: &usize| ranks[*rank].1.iter().map(|step| &steps[*step]);
            let marked = members.iter().flat_map(all).any(|step| step.marked);
            let mut bars: Vec<Vec<&Step>> =
                members.iter().map(|rank| all(rank).filter(|step| step.marked == marked).collect()).collect();
            bars.retain(|bar| !bar.is_empty());
            let names: Vec<String> = bars.iter().map(|bar| short(bar[0])).collect();
            panel(&mut sheet, &format!("run {run}, mean step of each rank"), "rank", &bars, &names, scale);
        }
    }
    if ranks.len() > PANELS {
        let mean =
            |rows: &[usize]| rows.iter().map(|row| steps[*row].dur as f64).sum::<f64>() / rows.len().max(1) as f64;
        ranks.sort_by(|a, b| mean(&b.1).total_cmp(&mean(&a.1)));
        read::cap(&mut ranks, PANELS, "ranks (with the longest mean steps)", &mut notes);
        ranks.sort_by(|a, b| a.0.cmp(&b.0));
    }
    for ((run, ..), rows) in &ranks {
        let every = rows.len().div_ceil(BARS).max(1);
        let bars: Vec<Vec<&Step>> =
            rows.chunks(every).map(|chunk| chunk.iter().map(|step| &steps[*step]).collect()).collect();
        let names: Vec<String> = bars.iter().map(|bar| bar[0].name.clone()).collect();
        let one = Whose { span: None, ..steps[rows[0]].whose.clone() };
        let who = label::join(&[&format!("run {run}"), &telling.name(&one)], ", ");
        if every > 1 {
            notes.push(format!("{}: each bar is the mean of {every} steps", label::clip(&who, 40)));
        }
        panel(&mut sheet, &who, "step", &bars, &names, scale);
    }
    let cut = steps.iter().filter(|step| step.cut).count();
    if cut > 0 {
        notes.push(format!("{} cut short by the end of a recording", label::count(cut, "step")));
    }
    Ok(sheet.plot(&title(&steps), &notes))
}

/// Draws a panel of stacked bars. Each bar is the mean of some steps.
fn panel(sheet: &mut Sheet, name: &str, axis: &str, bars: &[Vec<&Step>], names: &[String], scale: Scale) {
    let (places, texts) = stack::ticks(names, 12);
    let x = theme::axis(axis).tick_values(places).tick_text(texts).range(vec![-0.6, bars.len() as f64 - 0.4]);
    let y = theme::axis(&format!("step duration ({})", scale.unit)).range_mode(RangeMode::ToZero);
    let at = sheet.panel(name, 170, x.show_grid(false), y, true);
    let parts = PARTS.iter().enumerate().map(|(part, (_, role, name))| Part {
        name: (*name).to_owned(),
        color: theme::work(role).to_owned(),
        values: bars.iter().map(|bar| scale.of(mean(bar, |step| step.parts[part]))).collect(),
        hover: bars.iter().map(|bar| hover(bar, part)).collect(),
    });
    stack::draw(sheet, &at, parts.collect(), &Orientation::Vertical);
}

#[expect(clippy::cast_possible_truncation, reason = "ns of a time far below the limit")]
fn hover(bar: &[&Step], part: usize) -> String {
    let (value, whole) = (mean(bar, |step| step.parts[part]), mean(bar, |step| step.dur));
    let what = match bar {
        [one] if one.cut => format!("step {} (cut short), from {} UTC", label::plain(&one.name), label::time(one.ts)),
        [one] => format!("step {}, from {} UTC", label::plain(&one.name), label::time(one.ts)),
        many => format!(
            "mean of {} steps, {} to {}",
            many.len(),
            label::plain(&many[0].name),
            label::plain(&many[many.len() - 1].name)
        ),
    };
    let share = label::share(value, whole);
    let (value, whole) = (label::precise_duration(value.round() as i64), label::precise_duration(whole.round() as i64));
    format!("{}<br>{what}<br>{}: {value}, {share} of {whole}", whose::who(&bar[0].whose), PARTS[part].2)
}

fn mean(bar: &[&Step], value: impl Fn(&Step) -> i64) -> f64 {
    bar.iter().map(|step| value(step) as f64).sum::<f64>() / bar.len().max(1) as f64
}

/// The label of a rank below its bar.
fn short(step: &Step) -> String {
    step.whose.rank.map_or_else(|| step.whose.node.clone(), |rank| format!("rank {rank}"))
}

fn steps(frame: &Frame) -> Result<Vec<Step>> {
    let column = |name| read::integers(frame, name);
    let (modes, numbers) = (read::texts(frame, "mode")?, column("step")?);
    let (ts, durs) = (column("ts")?, column("dur")?);
    let complete = frame.column::<bool>("complete")?;
    let columns = PARTS.iter().map(|(name, ..)| column(name)).collect::<Result<Vec<_>>>()?;
    let mut steps = Vec::with_capacity(durs.len());
    for (row, (whose, mode)) in whose::whose(frame)?.into_iter().zip(modes).enumerate() {
        let Some(dur) = durs[row].filter(|dur| *dur > 0) else { continue };
        let number = numbers[row].map(|number| number.to_string());
        // Most steps are train steps, so only other modes are named.
        let mode = if mode == "train" { "" } else { mode.as_str() };
        let (marked, cut) = (number.is_some(), complete[row] == Some(false));
        let name = number.map_or_else(|| "recording".to_owned(), |number| label::join(&[mode, &number], " "));
        let parts = columns.iter().map(|column| column[row].unwrap_or(0)).collect();
        steps.push(Step { whose, name, ts: ts[row].unwrap_or(0), dur, parts, cut, marked });
    }
    Ok(steps)
}

/// `84 ms per step (mean of 9 steps): host 60 %, kernel 30 %, data loader 8 %`
///
/// A recording without marked steps is not a step. The mean covers such recordings only if there are no marked steps.
fn title(steps: &[Step]) -> String {
    let marked = steps.iter().any(|step| step.marked);
    let what = if marked { "step" } else { "recording" };
    let all: Vec<&Step> = steps.iter().filter(|step| step.marked == marked).collect();
    let whole = mean(&all, |step| step.dur);
    let mut parts: Vec<(f64, &str)> =
        PARTS.iter().enumerate().map(|(part, (.., name))| (mean(&all, |step| step.parts[part]), *name)).collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let texts: Vec<String> = parts
        .iter()
        .take(3)
        .filter(|(value, _)| *value > 0.0)
        .map(|(value, name)| format!("{name} {}", label::share(*value, whole)))
        .collect();
    format!("{} per {what} (mean of {}): {}", label::duration(whole), label::count(all.len(), what), texts.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, frame, ints, known, message, none, texts, told, value};

    /// Steps of two ranks; a quarter of each is a kernel, the rest waits for data.
    fn breakdown(each: usize) -> Frame {
        let n = 2 * each;
        let dur: Vec<i64> = (1_i64..).take(n).map(|nth| 4_000_000 * nth).collect();
        let mut columns = vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec!["n1"; n]),
            known("rank", &(0..n).map(|row| i64::from(row >= each)).collect::<Vec<_>>()),
            ints("span", &vec![0; n]),
            texts("mode", &vec![""; n]),
            known("step", &(5..).take(each).chain((5..).take(each)).collect::<Vec<_>>()),
            ints("ts", &vec![0; n]),
            ints("dur", &dur),
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
        let plot = value(&draw(&[breakdown(2)]).unwrap());
        let data = plot["data"].as_array().unwrap();
        // Two parts in three panels: means of the ranks, rank 0, rank 1.
        assert_eq!(data.len(), 6);
        assert_eq!((&data[0]["name"], &data[0]["y"]), (&json!("kernel"), &json!([1.5, 3.5])));
        assert_eq!(data[2]["y"], json!([1.0, 2.0]));
        assert_eq!(data[5]["y"], json!([9.0, 12.0]));
        assert_eq!(data[5]["marker"]["color"], theme::color("loader"));
        assert_eq!(
            data[5]["hovertext"][1],
            "run a, n1, rank 1<br>step 6, from 1970-01-01 00:00:00 UTC<br>data loader: 12 ms, 75 % of 16 ms"
        );
        assert!(data[3]["hovertext"][0].as_str().unwrap().contains("step 5 (cut short), from"));
        assert_eq!(plot["layout"]["xaxis2"]["ticktext"], json!(["5", "6"]));
        assert_eq!(plot["layout"]["yaxis2"]["title"]["text"], "step duration (ms)");
        assert_eq!(
            told(&plot),
            "10 ms per step (mean of 4 steps): data loader 75 %, kernel 25 % | 1 step cut short by the end of a recording"
        );
    }

    #[test]
    fn a_recording_without_steps_is_no_step() {
        // steps of 4 and 8 ms, and a recording of 1 s without marks
        let row = |step: Option<i64>, dur: i64| Step {
            whose: Whose { run: "a".into(), node: "n1".into(), rank: Some(0), span: Some(0) },
            name: String::new(),
            ts: 0,
            dur,
            parts: PARTS.iter().map(|(name, ..)| if *name == "kernel" { dur / 4 } else { 0 }).collect(),
            cut: false,
            marked: step.is_some(),
        };
        let mixed = [row(Some(1), 4_000_000), row(None, 1_000_000_000), row(Some(2), 8_000_000)];
        assert_eq!(title(&mixed), "6 ms per step (mean of 2 steps): kernel 25 %");
        assert_eq!(title(&mixed[1..2]), "1 s per recording (mean of 1 recording): kernel 25 %");
    }

    #[test]
    fn many_steps_become_means_of_neighbors() {
        let plot = value(&draw(&[breakdown(1000)]).unwrap());
        let kernel = plot["data"][2]["y"].as_array().unwrap();
        assert_eq!(kernel.len(), 112);
        // The mean of the first nine steps: 1 to 9 ms of kernels, in s.
        assert_eq!(kernel[0], 0.005);
        assert!(told(&plot).contains("each bar is the mean of 9 steps"), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&breakdown(1))]).unwrap());
        assert_eq!(title, "<b>Step breakdown</b>");
        assert!(note.starts_with("<b>no steps in this profile</b><br>No step and no recording"), "{note}");
    }
}
