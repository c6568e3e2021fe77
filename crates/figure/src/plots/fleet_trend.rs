//! Trend of a key metric over runs, with the changes that exceed noise.

use plotly::common::{Line, Marker, Mode};
use plotly::layout::ShapeLine;
use plotly::{Plot, Scatter};

use crate::kit::label::Scale;
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, series, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "fleet_trend",
    doc: "A key metric of every run in the order of the runs, with the median of the previous runs and the changes of \
          level.",
    queries: &[FigureQuery::new("fleet.trend"), FigureQuery::new("fleet.regressions")],
    draw,
};

const PANELS: usize = 6;
/// Maximum number of runs in a panel: the latest ones, because recent changes matter most.
const RUNS: usize = 4000;

row_types! {
    /// A run and its key metric.
    struct RunMetric {
        run: String,
        series: String,
        position: i64,
        metric: String,
        value: f64,
        median: f64,
        relative_change: f64,
    }

    /// A change of level, just before the run at `position`.
    struct LevelChange {
        run: String,
        series: String,
        position: i64,
        before: f64,
        after: f64,
        relative_change: f64,
        worse: bool,
        confidence: String,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let runs = RunMetric::read(read::frame(frames, 0)?)?;
    let Some(metric) = runs.first().map(|run| run.metric.as_str()) else {
        let why = "Ingest computes and stores the key metrics of each run. View run_metric lists their names.";
        return Ok(sheet::message_plot("Trend over runs", "no run has this key metric", why));
    };
    let changes = LevelChange::read(read::frame(frames, 1)?)?;
    let values: Vec<f64> = runs.iter().map(|run| run.value).collect();
    let scale = metric_scale(metric, label::quantile(&values, 0.5).unwrap_or(0.0));
    let mut notes = Vec::new();
    let mut series = group_by(&runs, |run| run.series.as_str());
    read::truncate(&mut series, PANELS, "series", &mut notes);
    let mut sheet = Sheet::default();
    let mut excluded = 0;
    for (name, members) in &series {
        let excluded_here = members.len().saturating_sub(RUNS);
        excluded += excluded_here;
        let members = &members[excluded_here..];
        let y = theme::axis(&format!("{metric} ({})", scale.unit));
        let height = if series.len() == 1 { 280 } else { 160 };
        let axes = sheet.add_panel(name, height, theme::axis("run, in order"), y, true);
        draw_runs(&mut sheet, members, scale, &axes);
        let first = members.first().map_or(0, |run| run.position);
        for change in changes.iter().filter(|change| change.series == *name && change.position >= first) {
            let color = theme::color(if change.worse { "outlier" } else { "busy" });
            let line = ShapeLine::new().width(1.5).color(color);
            sheet.add_shape(series::vertical_line(change.position as f64 - 0.5, &axes, line));
        }
    }
    if excluded > 0 {
        notes.push(format!("{excluded} of {} runs (the earliest) are not drawn", runs.len()));
    }
    if !changes.is_empty() {
        notes.push("vertical lines: the level changed by more than noise (fleet.regressions)".to_owned());
    }
    Ok(sheet.into_plot(&title(metric, runs.len(), &changes, scale), &notes))
}

/// The unit of a key metric, derived from its name.
fn metric_scale(metric: &str, typical: f64) -> Scale {
    match metric {
        "step_p50" | "step_p95" => Scale::time(typical),
        ratio if ratio == "gpu_utilization" || ratio.ends_with("_ratio") => Scale { unit: "%", divisor: 0.01 },
        seconds if seconds.ends_with("_s") => Scale { unit: "s", divisor: 1.0 },
        _ => Scale { unit: "count", divisor: 1.0 },
    }
}

/// Draws the runs as dots, and the median of the previous runs as a line.
fn draw_runs(sheet: &mut Sheet, runs: &[&RunMetric], scale: Scale, axes: &PanelAxes) {
    let (x, y) = runs.iter().map(|run| (run.position as f64, scale.convert(run.value))).unzip();
    let dots = Scatter::new(x, y)
        .mode(Mode::Markers)
        .marker(Marker::new().size(5).color(theme::color("step")))
        .hover_texts(runs.iter().map(|run| hover(run, scale)).collect());
    sheet.add_named_trace(axes, "run", dots);
    let show_medians = sheet.register_name("median of previous runs");
    let with_median = runs.iter().filter(|run| !run.median.is_nan());
    let (x, y) = with_median.map(|run| (run.position as f64, scale.convert(run.median))).unzip();
    let medians: Box<Scatter<f64, f64>> = Scatter::new(x, y)
        .name("median of previous runs")
        .legend_group("median")
        .show_legend(show_medians)
        .mode(Mode::Lines)
        .line(Line::new().width(1.5).color(theme::color("busy")))
        .hover_template(format!("%{{y:.4g}} {}<extra>median of previous runs</extra>", scale.unit))
        .on_axes(axes);
    sheet.add_trace(medians);
}

fn hover(run: &RunMetric, scale: Scale) -> String {
    let change = if run.relative_change.is_nan() {
        String::new()
    } else {
        format!("<br>{} from the median of previous runs", signed_percentage(run.relative_change))
    };
    format!("{}<br>{}{change}", label::sanitize(&run.run), scale.text(run.value))
}

/// `+5.1 %`
fn signed_percentage(change: f64) -> String {
    let sign = if change > 0.0 { "+" } else { "" };
    format!("{sign}{} %", label::number((1000.0 * change).round() / 10.0))
}

/// `step_p50 +5.1 % since run-0601: 10 ms, then 10.5 ms`: the largest regression, or else the largest change.
fn title(metric: &str, runs: usize, changes: &[LevelChange], scale: Scale) -> String {
    let largest = changes
        .iter()
        .max_by(|a, b| a.worse.cmp(&b.worse).then(a.relative_change.abs().total_cmp(&b.relative_change.abs())));
    match largest {
        Some(change) => {
            let series = if change.series.is_empty() { String::new() } else { format!(" of {}", change.series) };
            format!(
                "{metric}{series} {} since {}: {}, then {} (confidence {})",
                signed_percentage(change.relative_change),
                change.run,
                scale.text(change.before),
                scale.text(change.after),
                change.confidence
            )
        }
        None => format!("No change of the level of {metric} in {}", label::count(runs, "run")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, heading, message, nullable_ints, texts, to_value, without_rows};

    fn trend(n: usize) -> Frame {
        let names: Vec<String> = (0..n).map(|run| format!("r{run}")).collect();
        let places: Vec<i64> = (1..).take(n).collect();
        let values: Vec<f64> = (0..n).map(|run| if run < 2 { 10e6 } else { 11e6 }).collect();
        let medians: Vec<f64> = (0..n).map(|run| if run == 0 { f64::NAN } else { 10e6 }).collect();
        let changes: Vec<f64> = values.iter().zip(&medians).map(|(value, median)| value / median - 1.0).collect();
        frame(vec![
            texts("run", &names.iter().map(String::as_str).collect::<Vec<_>>()),
            texts("series", &vec![""; n]),
            nullable_ints("position", &places),
            texts("metric", &vec!["step_p50"; n]),
            floats("value", &values),
            floats("median", &medians),
            floats("relative_change", &changes),
        ])
    }

    fn regression() -> Frame {
        frame(vec![
            texts("run", &["r2"]),
            texts("series", &[""]),
            nullable_ints("position", &[3]),
            floats("before", &[10e6]),
            floats("after", &[11e6]),
            floats("relative_change", &[0.1]),
            flags("worse", &[true]),
            texts("confidence", &["high"]),
        ])
    }

    #[test]
    fn runs_are_in_order_and_changes_are_between_them() {
        let plot = to_value(&draw(&[trend(4), regression()]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(plot["data"][0]["y"], json!([10.0, 10.0, 11.0, 11.0]));
        assert_eq!(plot["data"][1]["x"], json!([2.0, 3.0, 4.0]));
        assert_eq!(plot["data"][0]["hovertext"][2], "r2<br>11 ms<br>+10 % from the median of previous runs");
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(2.5));
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "step_p50 (ms)");
        let heading = heading(&plot);
        assert!(heading.starts_with("step_p50 +10 % since r2: 10 ms, then 11 ms (confidence high)"), "{heading}");
    }

    #[test]
    fn without_a_change_the_title_says_so() {
        let plot = to_value(&draw(&[trend(4), without_rows(&regression())]).unwrap());
        assert_eq!(heading(&plot), "No change of the level of step_p50 in 4 runs");
        assert_eq!(plot["layout"]["shapes"], json!([]));
    }

    #[test]
    fn the_number_of_runs_is_limited() {
        let plot = to_value(&draw(&[trend(RUNS + 5), regression()]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), RUNS);
        assert!(heading(&plot).contains("5 of 4005 runs (the earliest) are not drawn"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&trend(1)), without_rows(&regression())]).unwrap());
        assert_eq!(title, "<b>Trend over runs</b>");
        assert!(note.starts_with("<b>no run has this key metric</b>"), "{note}");
    }
}
