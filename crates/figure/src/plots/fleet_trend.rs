//! Trend of a key metric over runs, with the changes that exceed noise.

use plotly::common::{Line, Marker, Mode};
use plotly::layout::{Shape, ShapeLayer, ShapeLine, ShapeType};
use plotly::{Plot, Scatter};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{Place, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "fleet_trend",
    doc: "A key metric of every run in the order of the runs, with the median of the previous runs and the changes of \
          level.",
    queries: &[Ask::new("fleet.trend"), Ask::new("fleet.regressions")],
    draw,
};

const PANELS: usize = 6;
/// Maximum number of runs in a panel: the latest ones, because recent changes matter most.
const RUNS: usize = 4000;

/// A run and its key metric.
struct Point {
    run: String,
    series: String,
    place: f64,
    value: f64,
    median: f64,
    change: f64,
}

/// A change of level, just before the run at `place`.
struct Change {
    run: String,
    series: String,
    place: f64,
    before: f64,
    after: f64,
    change: f64,
    worse: Option<bool>,
    confidence: String,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let points = points(frame)?;
    let Some(metric) = read::texts(frame, "metric")?.into_iter().next() else {
        let why = "Ingest computes and stores the key metrics of each run. View run_metric lists their names.";
        return Ok(sheet::message("Trend over runs", "no run has this key metric", why));
    };
    let changes = changes(read::answer(frames, 1)?)?;
    let values: Vec<f64> = points.iter().map(|point| point.value).collect();
    let scale = scale(&metric, label::quantile(&values, 0.5).unwrap_or(0.0));
    let mut notes = Vec::new();
    let mut series = groups(points.iter().map(|point| point.series.as_str()));
    read::cap(&mut series, PANELS, "series", &mut notes);
    let mut sheet = Sheet::default();
    let mut left_out = 0;
    for (name, rows) in &series {
        left_out += rows.len().saturating_sub(RUNS);
        let rows = &rows[rows.len().saturating_sub(RUNS)..];
        let members: Vec<&Point> = rows.iter().map(|row| &points[*row]).collect();
        let y = theme::axis(&format!("{metric} ({})", scale.unit));
        let height = if series.len() == 1 { 280 } else { 160 };
        let at = sheet.panel(name, height, theme::axis("run, in order"), y, true);
        let (dots, line) = (sheet.first("run"), sheet.first("median of previous runs"));
        sheet.trace(runs(&members, scale, &at, dots));
        sheet.trace(medians(&members, scale, &at, line));
        let first = members.first().map_or(0.0, |point| point.place);
        for change in changes.iter().filter(|change| change.series == *name && change.place >= first) {
            sheet.shape(border(change, &at));
        }
    }
    if left_out > 0 {
        notes.push(format!("{left_out} of {} runs (the earliest) are not drawn", points.len()));
    }
    if !changes.is_empty() {
        notes.push("vertical lines: the level changed by more than noise (fleet.regressions)".to_owned());
    }
    Ok(sheet.plot(&title(&metric, &points, &changes, scale), &notes))
}

fn points(frame: &Frame) -> Result<Vec<Point>> {
    let (runs, series) = (read::texts(frame, "run")?, read::texts(frame, "series")?);
    let (places, values) = (read::integers(frame, "position")?, read::floats(frame, "value")?);
    let (medians, changes) = (read::floats(frame, "median")?, read::floats(frame, "relative_change")?);
    let rows = runs.into_iter().zip(series).enumerate();
    Ok(rows
        .map(|(row, (run, series))| Point {
            run,
            series,
            place: places[row].unwrap_or(0) as f64,
            value: values[row],
            median: medians[row],
            change: changes[row],
        })
        .collect())
}

fn changes(frame: &Frame) -> Result<Vec<Change>> {
    let (runs, series) = (read::texts(frame, "run")?, read::texts(frame, "series")?);
    let (places, confidence) = (read::integers(frame, "position")?, read::texts(frame, "confidence")?);
    let (before, after) = (read::floats(frame, "before")?, read::floats(frame, "after")?);
    let (change, worse) = (read::floats(frame, "relative_change")?, frame.column::<bool>("worse")?);
    let rows = runs.into_iter().zip(series).zip(confidence).enumerate();
    Ok(rows
        .map(|(row, ((run, series), confidence))| Change {
            run,
            series,
            place: places[row].unwrap_or(0) as f64,
            before: before[row],
            after: after[row],
            change: change[row],
            worse: worse[row],
            confidence,
        })
        .collect())
}

/// The unit of a key metric, derived from its name.
fn scale(metric: &str, typical: f64) -> Scale {
    match metric {
        "step_p50" | "step_p95" => Scale::time(typical),
        ratio if ratio == "gpu_utilization" || ratio.ends_with("_ratio") => Scale { unit: "%", per: 0.01 },
        seconds if seconds.ends_with("_s") => Scale { unit: "s", per: 1.0 },
        _ => Scale { unit: "count", per: 1.0 },
    }
}

fn runs(points: &[&Point], scale: Scale, at: &Place, show: bool) -> Box<Scatter<f64, f64>> {
    let hover: Vec<String> = points.iter().map(|point| hover(point, scale)).collect();
    Scatter::new(
        points.iter().map(|point| point.place).collect(),
        points.iter().map(|point| scale.of(point.value)).collect(),
    )
    .name("run")
    .legend_group("run")
    .show_legend(show)
    .mode(Mode::Markers)
    .marker(Marker::new().size(5).color(theme::color("step")))
    .hover_text_array(hover)
    .hover_template("%{hovertext}<extra></extra>")
    .x_axis(&at.x)
    .y_axis(&at.y)
}

fn medians(points: &[&Point], scale: Scale, at: &Place, show: bool) -> Box<Scatter<f64, f64>> {
    let known = || points.iter().filter(|point| !point.median.is_nan());
    Scatter::new(known().map(|point| point.place).collect(), known().map(|point| scale.of(point.median)).collect())
        .name("median of previous runs")
        .legend_group("median")
        .show_legend(show)
        .mode(Mode::Lines)
        .line(Line::new().width(1.5).color(theme::color("busy")))
        .hover_template(format!("%{{y:.4g}} {}<extra>median of previous runs</extra>", scale.unit))
        .x_axis(&at.x)
        .y_axis(&at.y)
}

fn border(change: &Change, at: &Place) -> Shape {
    let color = if change.worse == Some(true) { "outlier" } else { "busy" };
    Shape::new()
        .shape_type(ShapeType::Line)
        .layer(ShapeLayer::Above)
        .x_ref(&at.x)
        .x0(change.place - 0.5)
        .x1(change.place - 0.5)
        .y_ref(format!("{} domain", at.y))
        .y0(0.0)
        .y1(1.0)
        .line(ShapeLine::new().width(1.5).color(theme::color(color)))
}

fn hover(point: &Point, scale: Scale) -> String {
    let change = if point.change.is_nan() {
        String::new()
    } else {
        format!("<br>{} from the median of previous runs", percent(point.change))
    };
    format!("{}<br>{}{change}", label::plain(&point.run), scale.text(point.value))
}

/// `+5.1 %`
fn percent(change: f64) -> String {
    let sign = if change > 0.0 { "+" } else { "" };
    format!("{sign}{} %", label::number((1000.0 * change).round() / 10.0))
}

/// `step_p50 +5.1 % since run-0601: 10 ms, then 10.5 ms`: the largest regression, or else the largest change.
fn title(metric: &str, points: &[Point], changes: &[Change], scale: Scale) -> String {
    let size = |change: &&Change| (change.worse == Some(true), change.change.abs());
    let greatest = changes.iter().max_by(|a, b| {
        let (a, b) = (size(a), size(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    match greatest {
        Some(change) => {
            let series = if change.series.is_empty() { String::new() } else { format!(" of {}", change.series) };
            format!(
                "{metric}{series} {} since {}: {}, then {} (confidence {})",
                percent(change.change),
                change.run,
                scale.text(change.before),
                scale.text(change.after),
                change.confidence
            )
        }
        None => format!("{metric}: no change of level in {}", label::count(points.len(), "run")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, known, message, none, texts, told, value};

    fn trend(n: usize) -> Frame {
        let names: Vec<String> = (0..n).map(|run| format!("r{run}")).collect();
        let places: Vec<i64> = (1..).take(n).collect();
        let values: Vec<f64> = (0..n).map(|run| if run < 2 { 10e6 } else { 11e6 }).collect();
        let medians: Vec<f64> = (0..n).map(|run| if run == 0 { f64::NAN } else { 10e6 }).collect();
        let changes: Vec<f64> = values.iter().zip(&medians).map(|(value, median)| value / median - 1.0).collect();
        frame(vec![
            texts("run", &names.iter().map(String::as_str).collect::<Vec<_>>()),
            texts("series", &vec![""; n]),
            known("position", &places),
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
            known("position", &[3]),
            floats("before", &[10e6]),
            floats("after", &[11e6]),
            floats("relative_change", &[0.1]),
            flags("worse", &[true]),
            texts("confidence", &["high"]),
        ])
    }

    #[test]
    fn runs_stand_in_order_and_changes_between_them() {
        let plot = value(&draw(&[trend(4), regression()]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(plot["data"][0]["y"], json!([10.0, 10.0, 11.0, 11.0]));
        assert_eq!(plot["data"][1]["x"], json!([2.0, 3.0, 4.0]));
        assert_eq!(plot["data"][0]["hovertext"][2], "r2<br>11 ms<br>+10 % from the median of previous runs");
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(2.5));
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "step_p50 (ms)");
        let told = told(&plot);
        assert!(told.starts_with("step_p50 +10 % since r2: 10 ms, then 11 ms (confidence high)"), "{told}");
    }

    #[test]
    fn without_a_change_the_title_says_so() {
        let plot = value(&draw(&[trend(4), none(&regression())]).unwrap());
        assert_eq!(told(&plot), "step_p50: no change of level in 4 runs");
        assert_eq!(plot["layout"]["shapes"], json!([]));
    }

    #[test]
    fn many_runs_are_bounded() {
        let plot = value(&draw(&[trend(RUNS + 5), regression()]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), RUNS);
        assert!(told(&plot).contains("5 of 4005 runs (the earliest) are not drawn"), "{}", told(&plot));
    }

    #[test]
    fn no_figure_is_said() {
        let (title, note) = message(&draw(&[none(&trend(1)), none(&regression())]).unwrap());
        assert_eq!(title, "<b>Trend over runs</b>");
        assert!(note.starts_with("<b>no run has this key metric</b>"), "{note}");
    }
}
