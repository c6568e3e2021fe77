//! Time to the first step, and steps that took too long.

use plotly::Plot;
use plotly::common::MarkerSymbol;
use plotly::layout::RangeMode;

use crate::kit::boxes::{BoxRow, Stats};
use crate::kit::label::Scale;
use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{group_by, row_types, rows};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::sum::saturating_sum;
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_steps",
    doc: "The time to the first step (rule MaxInitializationTime), and the step durations of each process and mode, \
          compared with the limit above which a step is an outlier (rule StepOutlier).",
    queries: &[FigureQuery::new("rules.max_initialization_time"), FigureQuery::new("rules.step_outlier")],
    draw,
};

/// Maximum number of rows in a panel.
const ROWS: usize = 32;
/// A minute in ns.
const MINUTE: f64 = 60e9;
const LIMIT_MARK: (&str, MarkerSymbol) = ("limit for outliers", MarkerSymbol::LineNSOpen);

/// The time to the first step of a run.
struct FirstStep {
    run: String,
    triggered: bool,
    minutes: f64,
    parameters: String,
}

impl FirstStep {
    /// The limit of the rule, in minutes.
    fn limit(&self) -> Option<f64> {
        boxes::parse_limit(&self.parameters, "threshold")
    }
}

row_types! {
    /// The steps of a process and mode. Times are in ns.
    struct StepRule {
        origin: Origin,
        mode: String,
        triggered: bool,
        datapoints: i64,
        outliers: i64,
        min: f64 = "dur_min",
        median: f64 = "dur_p50",
        p95: f64 = "dur_p95",
        max: f64 = "dur_max",
        /// Duration above which a step is an outlier.
        limit: f64 = "dur_limit",
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let starts = read_first_steps(read::frame(frames, 0)?)?;
    let steps = StepRule::read(read::frame(frames, 1)?)?;
    if starts.is_empty() && steps.is_empty() {
        let title = "Steps compared with their limits";
        return Ok(sheet::message_plot(title, "no steps in this profile", sheet::NO_STEPS));
    }
    let mut notes = Vec::new();
    let mut sheet = Sheet::default();
    if !starts.is_empty() {
        draw_first_steps(&mut sheet, &starts, &mut notes);
    }
    let mut runs = group_by(&steps, |row| row.origin.run.as_str());
    read::truncate(&mut runs, PANELS - 1, "runs", &mut notes);
    if !runs.is_empty() {
        notes.push(
            "steps: box from the median to the 95th percentile, whiskers to the shortest and the longest".to_owned(),
        );
    }
    let labels = OriginLabels::new(steps.iter().map(|row| &row.origin));
    for (run, steps) in &mut runs {
        steps.sort_by_key(|row| (-row.outliers, &row.origin, &row.mode));
        read::truncate(steps, ROWS, &format!("processes and modes of {}", label::clip(run, 20)), &mut notes);
        let names: Vec<String> =
            steps.iter().map(|row| label::join(&[&labels.label(&row.origin), &row.mode], " ")).collect();
        let scale = Scale::time(steps.iter().flat_map(|row| [row.max, row.limit]).fold(0.0, f64::max));
        let x = theme::axis_from_zero("step duration", scale.unit);
        let label = format!("run {run}: steps of each process");
        let axes = stack::add_panel(&mut sheet, &label, 30 + 26 * names.len(), x, &names);
        let rows: Vec<BoxRow> = steps.iter().enumerate().map(|(position, row)| box_row(position, row, scale)).collect();
        boxes::draw(&mut sheet, &axes, &rows, "steps", theme::color("step"), LIMIT_MARK);
    }
    Ok(sheet.into_plot(&title(&starts, &steps), &notes))
}

/// Draws a bar for each run: minutes to its first step.
fn draw_first_steps(sheet: &mut Sheet, starts: &[FirstStep], notes: &mut Vec<String>) {
    let mut starts: Vec<&FirstStep> = starts.iter().collect();
    starts.sort_by(|a, b| b.minutes.total_cmp(&a.minutes).then_with(|| a.run.cmp(&b.run)));
    read::truncate(&mut starts, ROWS, "runs with a first step", notes);
    let names: Vec<String> = starts.iter().map(|start| start.run.clone()).collect();
    let x = theme::axis("minutes to the first step").range_mode(RangeMode::ToZero);
    let axes = stack::add_panel(sheet, "time to the first step", 26 + 26 * names.len(), x, &names);
    let part = |triggered: bool, role: &str, name: &str| {
        let value = |start: &&FirstStep| if start.triggered == triggered { start.minutes } else { 0.0 };
        BarPart::new(name, theme::color(role), &starts, value, |start| first_step_hover(start))
    };
    let parts = [part(false, "step", "to the first step"), part(true, "outlier", "rule triggered")];
    stack::draw(sheet, &axes, parts);
    let mut limits: Vec<f64> = starts.iter().filter_map(|start| start.limit()).collect();
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    for limit in limits {
        boxes::draw_limit(sheet, &axes, limit);
    }
}

fn first_step_hover(start: &FirstStep) -> String {
    let limit = start.limit().map_or("?".to_owned(), label::number);
    let run = label::sanitize(&start.run);
    format!("run {run}<br>first step after {}<br>limit {limit} min", label::duration(start.minutes * MINUTE))
}

fn box_row(position: usize, row: &StepRule, scale: Scale) -> BoxRow {
    let numbers = [row.min, row.median, row.p95, row.max, row.limit];
    let [min, median, p95, max, limit] = numbers.map(label::duration);
    let hover = format!(
        "{}<br>{} of {} {}steps above {limit}<br>median {median}, 95th percentile {p95}, from {min} to {max}",
        row.origin.full_label(),
        label::group_digits(row.outliers),
        label::group_digits(row.datapoints),
        if row.mode.is_empty() { String::new() } else { format!("{} ", label::sanitize(&row.mode)) }
    );
    let [lower, middle, high, upper, mark] = numbers.map(|ns| scale.convert(ns));
    let stats = Stats { lower, low: middle, middle, high, upper, mark };
    BoxRow { position, stats, triggered: row.triggered, hover }
}

/// Reads the runs with a first step.
fn read_first_steps(frame: &Frame) -> Result<Vec<FirstStep>> {
    let minutes: Vec<f64> = read::column(frame, "dur")?.into_iter().map(|ns: f64| ns / MINUTE).collect();
    let mut starts = rows!(frame, FirstStep { run, triggered, minutes: minutes, parameters });
    starts.retain(|start| !start.minutes.is_nan());
    Ok(starts)
}

/// `first step after 44.6 s; 3 of 240 steps far above the mean of their process`
fn title(starts: &[FirstStep], steps: &[StepRule]) -> String {
    let slowest = starts.iter().max_by(|a, b| a.minutes.total_cmp(&b.minutes)).map(|start| {
        let run = if starts.len() > 1 { format!("{}: ", label::clip(&start.run, 20)) } else { String::new() };
        let triggered = if start.triggered { " (triggered)" } else { "" };
        format!("{run}first step after {}{triggered}", label::duration(start.minutes * MINUTE))
    });
    let sum = |value: fn(&StepRule) -> i64| saturating_sum(steps.iter().map(value));
    let outliers = (!steps.is_empty()).then(|| {
        format!(
            "{} of {} steps far above the mean of their process{}",
            label::group_digits(sum(|row| row.outliers)),
            label::group_digits(sum(|row| row.datapoints)),
            if steps.iter().any(|row| row.triggered) { " (triggered)" } else { "" }
        )
    });
    label::join(&[&slowest.unwrap_or_default(), &outliers.unwrap_or_default()], "; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{
        flags, floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows,
    };

    const S: i64 = 1_000_000_000;

    fn frames() -> [Frame; 2] {
        let first = frame(vec![
            texts("run", &["<a>"]),
            flags("triggered", &[true]),
            ints("dur", &[1_500 * S]),
            texts("parameters", &[r#"{"threshold":20.0}"#]),
        ]);
        let second = frame(vec![
            texts("run", &["<a>", "<a>"]),
            texts("node", &["n", "n"]),
            nullable_ints("rank", &[0, 1]),
            nullable_ints("span", &[0, 0]),
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
    fn steps_are_compared_with_their_limits() {
        let plot = to_value(&draw(&frames()).unwrap());
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
        assert!(heading(&plot).starts_with(title), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let empty = frames().map(|frame| without_rows(&frame));
        let (title, note) = message(&draw(&empty).unwrap());
        assert_eq!(title, "<b>Steps compared with their limits</b>");
        assert!(note.starts_with("<b>no steps in this profile</b>"), "{note}");
    }
}
