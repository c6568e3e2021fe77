//! Time to the first step, and steps that took too long.

use plotly::Plot;
use plotly::common::{MarkerSymbol, Orientation};
use plotly::layout::RangeMode;

use crate::kit::boxes::{Row, Stats};
use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::Part;
use crate::kit::whose::{Telling, Whose};
use crate::kit::{boxes, label, read, sheet, stack, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_steps",
    doc: "The time to the first step (rule MaxInitializationTime), and the step durations of each process and mode, \
          compared with the limit above which a step is an outlier (rule StepOutlier).",
    queries: &[Ask::new("rules.max_initialization_time"), Ask::new("rules.step_outlier")],
    draw,
};

/// Maximum number of rows in a panel.
const ROWS: usize = 32;
const MINUTE: f64 = 60e9;
const LIMIT: (&str, MarkerSymbol) = ("limit for outliers", MarkerSymbol::LineNSOpen);

/// The time to the first step of a run.
struct Start {
    run: String,
    triggered: bool,
    minutes: f64,
    limit: Option<f64>,
}

/// The steps of a process and mode.
struct Steps {
    whose: Whose,
    mode: String,
    triggered: bool,
    datapoints: i64,
    outliers: i64,
    /// Minimum, median, 95th percentile, maximum and limit, in ns.
    numbers: [f64; 5],
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let starts = starts(read::answer(frames, 0)?)?;
    let steps = steps(read::answer(frames, 1)?)?;
    if starts.is_empty() && steps.is_empty() {
        return Ok(sheet::message("Steps compared with their limits", "no steps in this profile", sheet::NO_STEPS));
    }
    let mut notes = Vec::new();
    let mut sheet = Sheet::default();
    if !starts.is_empty() {
        waiting(&mut sheet, &starts, &mut notes);
    }
    let mut runs = groups(steps.iter().map(|row| row.whose.run.as_str()));
    read::cap(&mut runs, PANELS - 1, "runs", &mut notes);
    if !runs.is_empty() {
        notes.push(
            "steps: box from the median to the 95th percentile, whiskers to the shortest and the longest".to_owned(),
        );
    }
    let telling = Telling::of(steps.iter().map(|row| &row.whose));
    for (run, rows) in &runs {
        let mut here: Vec<&Steps> = rows.iter().map(|row| &steps[*row]).collect();
        here.sort_by_key(|row| (-row.outliers, row.whose.clone(), row.mode.clone()));
        read::cap(&mut here, ROWS, &format!("processes and modes of {}", label::clip(run, 20)), &mut notes);
        let names: Vec<String> =
            here.iter().map(|row| label::join(&[&telling.name(&row.whose), &row.mode], " ")).collect();
        let longest = here.iter().flat_map(|row| [row.numbers[3], row.numbers[4]]).fold(0.0, f64::max);
        let scale = Scale::time(longest);
        let x = theme::axis(&format!("step duration ({})", scale.unit)).range_mode(RangeMode::ToZero);
        let title = format!("run {run}: steps of each process");
        let at = sheet.panel(&title, 30 + 26 * names.len(), x, stack::side(&names), true);
        let drawn: Vec<Row> = here.iter().enumerate().map(|(place, row)| boxed(place, row, scale)).collect();
        boxes::draw(&mut sheet, &at, &drawn, "steps", theme::color("step"), LIMIT);
    }
    Ok(sheet.plot(&title(&starts, &steps), &notes))
}

/// Draws a bar for each run: minutes to its first step.
fn waiting(sheet: &mut Sheet, starts: &[Start], notes: &mut Vec<String>) {
    let mut starts: Vec<&Start> = starts.iter().collect();
    starts.sort_by(|a, b| b.minutes.total_cmp(&a.minutes).then_with(|| a.run.cmp(&b.run)));
    read::cap(&mut starts, ROWS, "runs with a first step", notes);
    let names: Vec<String> = starts.iter().map(|start| start.run.clone()).collect();
    let x = theme::axis("minutes to the first step").range_mode(RangeMode::ToZero);
    let at = sheet.panel("time to the first step", 26 + 26 * names.len(), x, stack::side(&names), true);
    let parts = [(false, "step", "to the first step"), (true, "outlier", "rule triggered")];
    let parts = parts.map(|(triggered, role, name)| Part {
        name: name.to_owned(),
        color: theme::color(role).to_owned(),
        values: starts.iter().map(|start| if start.triggered == triggered { start.minutes } else { 0.0 }).collect(),
        hover: starts.iter().map(|start| told(start)).collect(),
    });
    stack::draw(sheet, &at, parts.into(), &Orientation::Horizontal);
    let mut limits: Vec<f64> = starts.iter().filter_map(|start| start.limit).collect();
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    for limit in limits {
        sheet.shape(boxes::limit(limit, &at));
    }
}

fn told(start: &Start) -> String {
    let limit = start.limit.map_or("?".to_owned(), label::number);
    let run = label::plain(&start.run);
    format!("run {run}<br>first step after {}<br>limit {limit} min", label::duration(start.minutes * MINUTE))
}

fn boxed(place: usize, row: &Steps, scale: Scale) -> Row {
    let [least, middle, p95, most, limit] = row.numbers.map(|ns| scale.of(ns));
    let [of_least, of_middle, of_p95, of_most, of_limit] = row.numbers.map(label::duration);
    let hover = format!(
        "{}<br>{} of {} {}steps above {of_limit}<br>median {of_middle}, 95th percentile {of_p95}, from {of_least} to \
         {of_most}",
        whose::who(&row.whose),
        label::grouped(row.outliers),
        label::grouped(row.datapoints),
        if row.mode.is_empty() { String::new() } else { format!("{} ", label::plain(&row.mode)) }
    );
    let stats = Stats { lower: least, low: middle, middle, high: p95, upper: most, mark: limit };
    Row { place, stats, triggered: row.triggered, hover }
}

/// The runs with a first step.
fn starts(frame: &Frame) -> Result<Vec<Start>> {
    let (runs, parameters) = (read::texts(frame, "run")?, read::texts(frame, "parameters")?);
    let (dur, triggered) = (read::floats(frame, "dur")?, frame.column::<bool>("triggered")?);
    let rows = runs.into_iter().zip(parameters).enumerate().filter(|(row, _)| !dur[*row].is_nan());
    let rows = rows.map(|(row, (run, parameters))| Start {
        run,
        triggered: triggered[row] == Some(true),
        minutes: dur[row] / MINUTE,
        limit: boxes::limit_of(&parameters, "threshold"),
    });
    Ok(rows.collect())
}

fn steps(frame: &Frame) -> Result<Vec<Steps>> {
    let column = |name| read::floats(frame, name);
    let columns =
        [column("dur_min")?, column("dur_p50")?, column("dur_p95")?, column("dur_max")?, column("dur_limit")?];
    let (datapoints, outliers) = (read::integers(frame, "datapoints")?, read::integers(frame, "outliers")?);
    let triggered = frame.column::<bool>("triggered")?;
    let rows = whose::whose(frame)?.into_iter().zip(read::texts(frame, "mode")?).enumerate();
    let rows = rows.map(|(row, (whose, mode))| Steps {
        whose,
        mode,
        triggered: triggered[row] == Some(true),
        datapoints: datapoints[row].unwrap_or(0),
        outliers: outliers[row].unwrap_or(0),
        numbers: columns.each_ref().map(|column| column[row]),
    });
    Ok(rows.collect())
}

/// `first step after 44.6 s; 3 of 240 steps far above the mean of their process`
fn title(starts: &[Start], steps: &[Steps]) -> String {
    let slowest = starts.iter().max_by(|a, b| a.minutes.total_cmp(&b.minutes)).map(|start| {
        let of = if starts.len() > 1 { format!("{}: ", label::clip(&start.run, 20)) } else { String::new() };
        let late = if start.triggered { " (triggered)" } else { "" };
        format!("{of}first step after {}{late}", label::duration(start.minutes * MINUTE))
    });
    let sum = |of: fn(&Steps) -> i64| steps.iter().map(of).sum::<i64>();
    let triggered = if steps.iter().any(|row| row.triggered) { " (triggered)" } else { "" };
    let outliers = (!steps.is_empty()).then(|| {
        format!(
            "{} of {} steps far above the mean of their process{triggered}",
            label::grouped(sum(|row| row.outliers)),
            label::grouped(sum(|row| row.datapoints))
        )
    });
    label::join(&[&slowest.unwrap_or_default(), &outliers.unwrap_or_default()], "; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, ints, known, message, none, texts, told, value};

    const S: i64 = 1_000_000_000;

    fn answers() -> [Frame; 2] {
        let first = frame(vec![
            texts("run", &["<a>"]),
            flags("triggered", &[true]),
            ints("dur", &[1_500 * S]),
            texts("parameters", &[r#"{"threshold":20.0}"#]),
        ]);
        let second = frame(vec![
            texts("run", &["<a>", "<a>"]),
            texts("node", &["n", "n"]),
            known("rank", &[0, 1]),
            known("span", &[0, 0]),
            texts("mode", &["train", "train"]),
            flags("triggered", &[false, true]),
            ints("datapoints", &[100, 120]),
            ints("outliers", &[0, 12]),
            floats("dur_limit", &[3e9, 4e9]),
            ints("dur_min", &[S, S]),
            floats("dur_p50", &[1.5e9, 2e9]),
            floats("dur_p95", &[2e9, 3e9]),
            ints("dur_max", &[2 * S, 9 * S]),
        ]);
        [first, second]
    }

    #[test]
    fn steps_lie_to_their_limits() {
        let plot = value(&draw(&answers()).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([25.0]));
        assert_eq!(plot["data"][0]["hovertext"][0], "run &lt;a&gt;<br>first step after 25 min<br>limit 20 min");
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(20.0));
        assert_eq!(plot["layout"]["yaxis2"]["ticktext"], json!(["rank 1 train", "rank 0 train"]));
        let boxes: Vec<&serde_json::Value> =
            plot["data"].as_array().unwrap().iter().filter(|trace| trace["type"] == "box").collect();
        assert_eq!(
            (&boxes[0]["y"], &boxes[0]["q3"], &boxes[0]["upperfence"]),
            (&json!([1.0]), &json!([2.0]), &json!([2.0]))
        );
        assert_eq!(
            (&boxes[1]["y"], &boxes[1]["median"], &boxes[1]["upperfence"]),
            (&json!([0.0]), &json!([2.0]), &json!([9.0]))
        );
        let marks = &plot["data"][4];
        assert_eq!((&marks["x"], &marks["y"]), (&json!([4.0]), &json!([0.0])));
        assert_eq!(
            marks["hovertext"][0],
            "run &lt;a&gt;, n, rank 1<br>12 of 120 train steps above 4 s<br>median 2 s, 95th percentile 3 s, from 1 s to 9 s"
        );
        let title =
            "first step after 25 min (triggered); 12 of 220 steps far above the mean of their process (triggered) | ";
        assert!(told(&plot).starts_with(title), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let empty = answers().map(|answer| none(&answer));
        let (title, note) = message(&draw(&empty).unwrap());
        assert_eq!(title, "<b>Steps compared with their limits</b>");
        assert!(note.starts_with("<b>no steps in this profile</b>"), "{note}");
    }
}
