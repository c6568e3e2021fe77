//! Duration of each step over time, with outliers marked.

use plotly::common::{Line, Marker, MarkerSymbol, Mode};
use plotly::{Plot, Scatter};

use crate::kit::label::Scale;
use crate::kit::read::{Required, group_by, rows};
use crate::kit::series::TimeLine;
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, series, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "step_timeline",
    doc: "The duration of every step over time, with outliers marked; a panel per run.",
    queries: &[
        FigureQuery::new("step.over_time"),
        FigureQuery { query: "step.outliers", params: &[("factor", "2.0")] },
    ],
    draw,
};

/// Maximum number of steps of one mode drawn in a panel.
const STEPS: usize = 4000;
const RUNS: usize = 6;

/// A step with a known time, in ns.
struct StepTime {
    run: String,
    mode: String,
    step: Option<i64>,
    ts: i64,
    dur: f64,
    /// Whether the recording ended before the step.
    cut: bool,
    /// Duration relative to the median, only for outliers.
    relative: Option<f64>,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let steps = read_steps(read::frame(frames, 0)?)?;
    let complete: Vec<f64> = steps.iter().filter(|step| !step.cut).map(|step| step.dur).collect();
    let Some(typical) = label::quantile(&complete, 0.5) else {
        return Ok(sheet::message_plot("Step timeline", "no steps in this profile", sheet::NO_STEPS));
    };
    let outliers = read_outliers(read::frame(frames, 1)?)?;
    let scale = Scale::time(typical);
    let mut notes = Vec::new();
    let mut runs = group_by(&steps, |step| step.run.as_str());
    read::truncate(&mut runs, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    let height = if runs.len() == 1 { 280 } else { 160 };
    let mut excluded = 0;
    for (run, steps) in &runs {
        let y = theme::axis_from_zero("step duration", scale.unit).matches("y");
        let axes = sheet.add_panel(&format!("run {run}"), height, theme::time_axis(steps[0].ts), y, true);
        for (mode, steps) in group_by(steps.iter().copied(), |step| step.mode.as_str()) {
            excluded += draw_mode(&mut sheet, &axes, mode, steps, scale);
        }
        let of_run = outliers.iter().filter(|step| step.run == *run);
        let points = of_run.map(|step| (label::time(step.ts), scale.convert(step.dur), hover(step, scale)));
        series::draw_outliers(&mut sheet, &axes, "outlier", points);
    }
    if excluded > 0 {
        notes.push(format!(
            "{excluded} of {} steps not drawn: only the shortest and longest of each stretch are",
            steps.len()
        ));
    }
    let cut = steps.len() - complete.len();
    if cut > 0 {
        notes.push(format!(
            "{} cut short by the end of a recording: open circle, excluded from the title",
            label::count(cut, "step")
        ));
    }
    Ok(sheet.into_plot(&title(&steps, outliers.len()), &notes))
}

fn read_steps(frame: &Frame) -> Result<Vec<StepTime>> {
    let complete: Vec<Option<bool>> = read::column(frame, "complete")?;
    let cut: Vec<bool> = complete.into_iter().map(|complete| complete == Some(false)).collect();
    let relative = vec![None; cut.len()];
    let (ts, dur) = (Required("ts"), Required("dur"));
    Ok(rows!(frame, StepTime { run, mode, step, ts: ts, dur: dur, cut: cut, relative: relative }))
}

fn read_outliers(frame: &Frame) -> Result<Vec<StepTime>> {
    let cut = vec![false; frame.len()?];
    let (ts, dur) = (Required("ts"), Required("dur"));
    Ok(rows!(frame, StepTime { run, mode, step, ts: ts, dur: dur, cut: cut, relative }))
}

/// The name of a mode in a legend.
pub(crate) fn mode_name(mode: &str) -> &str {
    if mode.is_empty() { "step" } else { mode }
}

/// Draws the steps of one mode. Returns the number of steps that it does not draw.
fn draw_mode(sheet: &mut Sheet, axes: &PanelAxes, mode: &str, steps: Vec<&StepTime>, scale: Scale) -> usize {
    let (cut, complete): (Vec<&StepTime>, Vec<&StepTime>) = steps.into_iter().partition(|step| step.cut);
    let all = complete.len();
    let drawn = reduce(complete, STEPS);
    let show = sheet.register_name(mode_name(mode));
    sheet.add_trace(step_line(&drawn, mode, scale, axes).show_legend(show));
    if !cut.is_empty() {
        let circle = Marker::new().symbol(MarkerSymbol::CircleOpen).size(7).color(theme::color(mode));
        let marks = step_line(&cut, mode, scale, axes).mode(Mode::Markers).marker(circle);
        sheet.add_trace(marks.show_legend(false));
    }
    all - drawn.len()
}

/// The steps of one mode as a line with points. The line has a gap where the mode paused.
fn step_line(steps: &[&StepTime], mode: &str, scale: Scale, axes: &PanelAxes) -> TimeLine {
    let distances: Vec<f64> = steps.windows(2).map(|pair| pair[1].ts.saturating_sub(pair[0].ts) as f64).collect();
    let pause = 10.0 * label::quantile(&distances, 0.5).unwrap_or(0.0);
    let (mut x, mut y, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for (index, step) in steps.iter().enumerate() {
        if index > 0 && distances[index - 1] > pause {
            x.push(None);
            y.push(None);
            texts.push(String::new());
        }
        x.push(Some(label::time(step.ts)));
        y.push(Some(scale.convert(step.dur)));
        texts.push(hover(step, scale));
    }
    Scatter::new(x, y)
        .name(label::sanitize(mode_name(mode)))
        .legend_group(label::sanitize(mode))
        .mode(Mode::LinesMarkers)
        .line(Line::new().width(1.0).color(theme::with_opacity(theme::color(mode), 0.7)))
        .marker(Marker::new().size(4).color(theme::color(mode)))
        .hover_texts(texts)
        .on_axes(axes)
}

fn hover(step: &StepTime, scale: Scale) -> String {
    let (run, mode) = (label::sanitize(&step.run), label::sanitize(mode_name(&step.mode)));
    let what = if mode == "step" { mode } else { format!("{mode} step") };
    let number = step.step.map_or(String::new(), |number| format!(" {number}"));
    let relative = step.relative.map_or(String::new(), |times| format!(", {}x the median", label::number(times)));
    let cut = if step.cut { " (cut short)" } else { "" };
    format!("run {run}<br>{what}{number}<br>{}{relative}{cut}<br>{}", scale.text(step.dur), label::moment(step.ts))
}

/// Reduces the steps to at most `max`: the shortest and the longest of each stretch, in time order.
fn reduce(steps: Vec<&StepTime>, max: usize) -> Vec<&StepTime> {
    if steps.len() <= max {
        return steps;
    }
    let stretch = (2 * steps.len()).div_ceil(max);
    let mut reduced = Vec::with_capacity(max);
    for part in steps.chunks(stretch) {
        let by_dur = |a: &usize, b: &usize| part[*a].dur.total_cmp(&part[*b].dur);
        let shortest = (0..part.len()).min_by(by_dur);
        let longest = (0..part.len()).max_by(by_dur);
        let mut indices: Vec<usize> = [shortest, longest].into_iter().flatten().collect();
        indices.sort_unstable();
        indices.dedup();
        reduced.extend(indices.into_iter().map(|index| part[index]));
    }
    reduced
}

/// `3 outliers among 40 steps; train step p50 84 ms, p95 86 ms`
fn title(steps: &[StepTime], outliers: usize) -> String {
    let mut groups = group_by(steps, |step| (step.run.as_str(), step.mode.as_str()));
    let several_runs = groups.iter().any(|((run, _), _)| *run != groups[0].0.0);
    groups.sort_by_key(|(_, steps)| std::cmp::Reverse(steps.len()));
    let mut parts = Vec::new();
    for ((run, mode), steps) in groups.iter().take(3) {
        let complete: Vec<f64> = steps.iter().filter(|step| !step.cut).map(|step| step.dur).collect();
        if let (Some(p50), Some(p95)) = (label::quantile(&complete, 0.5), label::quantile(&complete, 0.95)) {
            let run = if several_runs { label::clip(run, 20) } else { String::new() };
            let what = label::join(&[&run, mode, "step"], " ");
            parts.push(format!("{what} p50 {}, p95 {}", label::duration(p50), label::duration(p95)));
        }
    }
    if groups.len() > 3 {
        parts.push(format!("{} more", groups.len() - 3));
    }
    let complete = label::count(steps.iter().filter(|step| !step.cut).count(), "step");
    format!("{} among {complete}; {}", label::count(outliers, "outlier"), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, heading, ints, message, texts, to_value, without_rows};

    const MS: i64 = 1_000_000;

    fn over_time() -> Frame {
        let ts = [0, 100, 200, 300, 400].map(|offset| 1_594_662_597_000_000_000 + offset * MS);
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
    fn steps_are_at_their_time_in_the_unit_of_the_axis() {
        let plot = to_value(&draw(&[over_time(), outliers()]).unwrap());
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
            heading(&plot),
            "1 outlier among 4 steps; train step p50 84 ms, p95 188 ms, eval step p50 40 ms, p95 40 ms | 1 step cut short by the end of a recording: open circle, excluded from the title"
        );
    }

    #[test]
    fn many_steps_keep_their_extremes() {
        let step = |dur: f64| StepTime {
            run: String::new(),
            mode: String::new(),
            step: None,
            ts: 0,
            dur,
            cut: false,
            relative: None,
        };
        let steps: Vec<StepTime> = (0..100).map(|n| step(if n == 57 { 1e9 } else { f64::from(n % 10) })).collect();
        let reduced = reduce(steps.iter().collect(), 20);
        assert_eq!(reduced.len(), 20);
        assert_eq!(reduced.iter().filter(|step| step.dur > 1e8).count(), 1);
        assert_eq!(reduced.iter().filter(|step| step.dur == 0.0).count(), 10);
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&over_time()), without_rows(&outliers())]).unwrap());
        assert_eq!(title, "<b>Step timeline</b>");
        assert_eq!(
            note,
            "<b>no steps in this profile</b><br>No complete step with a time and a duration was<br>recorded. Call prof.step() in a \
             profiled loop, or<br>record the loop with tracelake.record."
        );
    }
}
