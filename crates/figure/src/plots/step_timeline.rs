//! Duration of each step over time, with outliers marked.

use plotly::common::{Line, Marker, MarkerSymbol, Mode};
use plotly::layout::RangeMode;
use plotly::{Plot, Scatter};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{Place, Sheet};
use crate::kit::{label, read, series, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "step_timeline",
    doc: "The duration of every step over time, with outliers marked; a panel per run.",
    queries: &[Ask::new("step.over_time"), Ask { query: "step.outliers", params: &[("factor", "2.0")] }],
    draw,
};

/// Maximum number of steps of one mode drawn in a panel.
const STEPS: usize = 4000;
const RUNS: usize = 6;
const OUTLIER: &str = "at least 2x the median";

struct Step {
    run: String,
    mode: String,
    number: Option<i64>,
    ts: i64,
    dur: f64,
    cut: bool,
    /// Duration relative to the median, only for outliers.
    relative: Option<f64>,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let steps = steps(read::answer(frames, 0)?)?;
    let whole: Vec<f64> = steps.iter().filter(|step| !step.cut).map(|step| step.dur).collect();
    let Some(typical) = label::quantile(&whole, 0.5) else {
        return Ok(sheet::message("Step timeline", "no steps in this profile", sheet::NO_STEPS));
    };
    let outliers = steps_out(read::answer(frames, 1)?)?;
    let scale = Scale::time(typical);
    let mut notes = Vec::new();
    let mut runs = groups(steps.iter().map(|step| step.run.as_str()));
    read::cap(&mut runs, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    let height = if runs.len() == 1 { 280 } else { 160 };
    let mut left_out = 0;
    for (run, rows) in &runs {
        let y = theme::axis(&format!("step duration ({})", scale.unit)).range_mode(RangeMode::ToZero).matches("y");
        let at = sheet.panel(&format!("run {run}"), height, theme::time_axis(), y, true);
        for (mode, members) in groups(rows.iter().map(|row| steps[*row].mode.as_str())) {
            let members: Vec<&Step> = members.iter().map(|place| &steps[rows[*place]]).collect();
            let (cut, whole): (Vec<&Step>, Vec<&Step>) = members.iter().partition(|step| step.cut);
            let drawn = reduce(whole, STEPS);
            left_out += members.len() - cut.len() - drawn.len();
            let show = sheet.first(name(mode));
            sheet.trace(points(&drawn, mode, scale, &at).show_legend(show));
            if !cut.is_empty() {
                let open = Marker::new().symbol(MarkerSymbol::CircleOpen).size(7).color(theme::color(mode));
                sheet.trace(points(&cut, mode, scale, &at).mode(Mode::Markers).marker(open).show_legend(false));
            }
        }
        let marked: Vec<&Step> = outliers.iter().filter(|step| step.run == *run).collect();
        if !marked.is_empty() {
            let show = sheet.first(OUTLIER);
            let x = marked.iter().map(|step| label::time(step.ts)).collect();
            let y = marked.iter().map(|step| scale.of(step.dur)).collect();
            let hover = marked.iter().map(|step| hover(step, scale)).collect();
            sheet.trace(series::marks(x, y, hover, &at).name(OUTLIER).legend_group(OUTLIER).show_legend(show));
        }
    }
    if left_out > 0 {
        notes.push(format!(
            "{left_out} of {} steps not drawn: only the shortest and longest of each stretch are",
            steps.len()
        ));
    }
    let cut = steps.len() - whole.len();
    if cut > 0 {
        notes.push(format!(
            "{} cut short by the end of a recording: open circle, excluded from the title",
            label::count(cut, "step")
        ));
    }
    Ok(sheet.plot(&title(&steps, outliers.len()), &notes))
}

fn steps(frame: &Frame) -> Result<Vec<Step>> {
    let complete = frame.column::<bool>("complete")?;
    let mut steps = rows(frame)?;
    for (row, step) in &mut steps {
        step.cut = complete[*row] == Some(false);
    }
    Ok(steps.into_iter().map(|(_, step)| step).collect())
}

fn steps_out(frame: &Frame) -> Result<Vec<Step>> {
    let relative = frame.column::<f64>("relative")?;
    let mut steps = rows(frame)?;
    for (row, step) in &mut steps {
        step.relative = relative[*row];
    }
    Ok(steps.into_iter().map(|(_, step)| step).collect())
}

/// Steps with a time and a duration, and their row numbers.
fn rows(frame: &Frame) -> Result<Vec<(usize, Step)>> {
    let (runs, modes) = (read::texts(frame, "run")?, read::texts(frame, "mode")?);
    let (ts, dur) = (read::integers(frame, "ts")?, frame.column::<f64>("dur")?);
    let mut steps = Vec::with_capacity(runs.len());
    for (row, ((run, mode), number)) in runs.into_iter().zip(modes).zip(read::integers(frame, "step")?).enumerate() {
        if let (Some(ts), Some(dur)) = (ts[row], dur[row]) {
            steps.push((row, Step { run, mode, number, ts, dur, cut: false, relative: None }));
        }
    }
    Ok(steps)
}

/// The legend entry of a mode.
pub(crate) fn name(mode: &str) -> &str {
    if mode.is_empty() { "step" } else { mode }
}

/// The steps of one mode. The line has a gap where the mode paused.
fn points(steps: &[&Step], mode: &str, scale: Scale, at: &Place) -> series::Lines {
    let apart: Vec<f64> = steps.windows(2).map(|two| two[1].ts.saturating_sub(two[0].ts) as f64).collect();
    let pause = 10.0 * label::quantile(&apart, 0.5).unwrap_or(0.0);
    let (mut x, mut y, mut text) = (Vec::new(), Vec::new(), Vec::new());
    for (place, step) in steps.iter().enumerate() {
        if place > 0 && apart[place - 1] > pause {
            x.push(None);
            y.push(None);
            text.push(String::new());
        }
        x.push(Some(label::time(step.ts)));
        y.push(Some(scale.of(step.dur)));
        text.push(hover(step, scale));
    }
    Scatter::new(x, y)
        .name(label::plain(name(mode)))
        .legend_group(label::plain(mode))
        .mode(Mode::LinesMarkers)
        .line(Line::new().width(1.0).color(theme::faint(theme::color(mode), 0.7)))
        .marker(Marker::new().size(4).color(theme::color(mode)))
        .hover_text_array(text)
        .hover_template("%{hovertext}<extra></extra>")
        .x_axis(&at.x)
        .y_axis(&at.y)
}

fn hover(step: &Step, scale: Scale) -> String {
    let number = step.number.map_or(String::new(), |number| format!(" {number}"));
    let (run, mode) = (label::plain(&step.run), label::plain(name(&step.mode)));
    let cut = if step.cut { " (cut short)" } else { "" };
    let relative = step.relative.map_or(String::new(), |times| format!(", {}x the median", label::number(times)));
    let what = if mode == "step" { mode } else { format!("{mode} step") };
    format!("run {run}<br>{what}{number}<br>{}{relative}{cut}<br>{} UTC", scale.text(step.dur), label::time(step.ts))
}

/// Reduces the steps to at most `most`: the shortest and the longest of each stretch, in time order.
fn reduce(steps: Vec<&Step>, most: usize) -> Vec<&Step> {
    if steps.len() <= most {
        return steps;
    }
    let stretch = (2 * steps.len()).div_ceil(most);
    let mut kept = Vec::with_capacity(most);
    for part in steps.chunks(stretch) {
        let by = |a: &(usize, &&Step), b: &(usize, &&Step)| a.1.dur.total_cmp(&b.1.dur);
        let least = part.iter().enumerate().min_by(by).map(|(place, _)| place);
        let most = part.iter().enumerate().max_by(by).map(|(place, _)| place);
        let mut places: Vec<usize> = [least, most].into_iter().flatten().collect();
        places.sort_unstable();
        places.dedup();
        kept.extend(places.into_iter().map(|place| part[place]));
    }
    kept
}

/// `3 of 40 steps at least 2x the median; train step p50 84 ms, p95 86 ms`
fn title(steps: &[Step], outliers: usize) -> String {
    let mut kinds = groups(steps.iter().map(|step| (step.run.as_str(), step.mode.as_str())));
    let one_run = kinds.iter().all(|((run, _), _)| *run == kinds[0].0.0);
    kinds.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let more = kinds.len().saturating_sub(3);
    let mut parts = Vec::new();
    for ((run, mode), rows) in kinds.iter().take(3) {
        let whole: Vec<f64> = rows.iter().map(|row| &steps[*row]).filter(|s| !s.cut).map(|s| s.dur).collect();
        if let (Some(p50), Some(p95)) = (label::quantile(&whole, 0.5), label::quantile(&whole, 0.95)) {
            let of = if one_run { String::new() } else { format!("{} ", label::clip(run, 20)) };
            let what = if mode.is_empty() { format!("{of}step") } else { format!("{of}{mode} step") };
            parts.push(format!("{what} p50 {}, p95 {}", label::duration(p50), label::duration(p95)));
        }
    }
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    let whole = steps.iter().filter(|step| !step.cut).count();
    let median = if kinds.len() == 1 { "the median" } else { "the median of their mode" };
    format!("{outliers} of {} at least 2x {median}; {}", label::count(whole, "step"), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, ints, message, none, texts, told, value};

    const MS: i64 = 1_000_000;

    fn over_time() -> Frame {
        let ts = [0, 100, 200, 300, 400].map(|at| 1_594_662_597_000_000_000 + at * MS);
        frame(vec![
            texts("run", &["a<b>", "a<b>", "a<b>", "a<b>", "a<b>"]),
            texts("mode", &["train", "train", "train", "eval", "train"]),
            ints("step", &[0, 1, 2, 0, 3]),
            ints("ts", &ts),
            ints("dur", &[84 * MS, 80 * MS, 200 * MS, 40 * MS, 7 * MS]),
            flags("complete", &[true, true, true, true, false]),
        ])
    }

    fn outliers() -> Frame {
        frame(vec![
            texts("run", &["a<b>"]),
            texts("mode", &["train"]),
            ints("step", &[2]),
            ints("ts", &[1_594_662_597_200_000_000]),
            ints("dur", &[200 * MS]),
            floats("relative", &[2.38]),
        ])
    }

    #[test]
    fn steps_stand_at_their_time_in_the_unit_of_the_axis() {
        let plot = value(&draw(&[over_time(), outliers()]).unwrap());
        let train = &plot["data"][0];
        assert_eq!(train["name"], "train");
        assert_eq!(train["line"]["color"], "rgba(0,114,178,0.7)");
        assert_eq!(train["y"], json!([84.0, 80.0, 200.0]));
        assert_eq!(train["x"][1], "2020-07-13 17:49:57.100");
        assert_eq!(train["hovertext"][2], "run a&lt;b&gt;<br>train step 2<br>200 ms<br>2020-07-13 17:49:57.200 UTC");
        assert_eq!(
            plot["data"][1]["hovertext"],
            json!(["run a&lt;b&gt;<br>train step 3<br>7 ms (cut short)<br>2020-07-13 17:49:57.400 UTC"])
        );
        assert_eq!(plot["data"][1]["marker"]["symbol"], "circle-open");
        assert_eq!(plot["data"][2]["name"], "eval");
        let marked = &plot["data"][3];
        assert_eq!((&marked["x"], &marked["y"]), (&json!(["2020-07-13 17:49:57.200"]), &json!([200.0])));
        assert_eq!(
            marked["hovertext"][0],
            "run a&lt;b&gt;<br>train step 2<br>200 ms, 2.38x the median<br>2020-07-13 17:49:57.200 UTC"
        );
        assert_eq!(marked["marker"]["color"], theme::color("outlier"));
        assert_eq!(plot["data"].as_array().unwrap().len(), 4);
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "step duration (ms)");
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "time (UTC)");
        assert_eq!(plot["layout"]["annotations"][0]["text"], "run a&lt;b&gt;");
        assert_eq!(
            told(&plot),
            "1 of 4 steps at least 2x the median of their mode; train step p50 84 ms, p95 188 ms, eval step p50 40 ms, p95 40 ms | 1 step cut short by the end of a recording: open circle, excluded from the title"
        );
    }

    #[test]
    fn many_steps_keep_their_extremes() {
        let step = |dur: f64| Step {
            run: String::new(),
            mode: String::new(),
            number: None,
            ts: 0,
            dur,
            cut: false,
            relative: None,
        };
        let steps: Vec<Step> = (0..100).map(|n| step(if n == 57 { 1e9 } else { f64::from(n % 10) })).collect();
        let kept = reduce(steps.iter().collect(), 20);
        assert_eq!(kept.len(), 20);
        assert_eq!(kept.iter().filter(|step| step.dur > 1e8).count(), 1);
        assert_eq!(kept.iter().filter(|step| step.dur == 0.0).count(), 10);
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&over_time()), none(&outliers())]).unwrap());
        assert_eq!(title, "<b>Step timeline</b>");
        assert_eq!(
            note,
            "<b>no steps in this profile</b><br>No complete step with a time and a duration was<br>recorded. Call prof.step() in a \
             profiled loop, or<br>record the loop with tracelake.record."
        );
    }
}
