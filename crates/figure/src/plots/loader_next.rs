//! Wait of the training process for batches, over time.

use plotly::Plot;
use plotly::common::Line;

use crate::kit::label::Scale;
use crate::kit::origin::Origin;
use crate::kit::read::{Required, group_by, row_types};
use crate::kit::series::SeriesBin;
use crate::kit::sheet::{PANELS, PanelAxes, Sheet};
use crate::kit::sum::saturating_sum;
use crate::kit::{label, read, series, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_next",
    doc: "How long each rank waited for its batches over time: mean and range, with outliers marked; a panel per rank.",
    queries: &[
        FigureQuery::new("loader.next_over_time"),
        FigureQuery { query: "loader.next_outliers", params: &[("factor", "2.0")] },
    ],
    draw,
};

/// Maximum number of outliers marked in a panel: the longest.
const MARKS: usize = 500;

row_types! {
    /// The waits of a rank that begin in a time bin. Times are in ns.
    struct WaitBin {
        origin: Origin,
        ts: i64 = Required("ts"),
        dur: i64 = Required("dur"),
        n: i64,
        min: f64 = "wait_min",
        mean: f64 = "wait_mean",
        max: f64 = "wait_max",
    }

    /// A much longer wait than the other waits of its run. Times are in ns.
    struct LongWait {
        origin: Origin,
        ts: Option<i64>,
        dur: f64,
        relative: f64,
        worker: Option<i64>,
        batch: Option<i64>,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let waits = WaitBin::read(read::frame(frames, 0)?)?;
    let outliers = LongWait::read(read::frame(frames, 1)?)?;
    if waits.is_empty() {
        let why = "No request for a batch with a time and a duration was recorded. Record the loop with \
                   tracelake.record, with torch.profiler, or with SageMaker's data loader profiling.";
        return Ok(sheet::message_plot("Waits for batches", "no data loader events in this profile", why));
    }
    let width = waits.iter().map(|wait| wait.dur).max().unwrap_or(0);
    let mut notes =
        vec![format!("line: mean in bins of up to {}; band: shortest to longest wait", label::duration(width as f64))];
    let scale = Scale::time(waits.iter().map(|wait| wait.mean).fold(0.0, f64::max) / 2.0);
    let mut ranks = group_by(&waits, |wait| &wait.origin);
    if ranks.len() > PANELS {
        ranks.sort_by(|a, b| mean_wait(&b.1).total_cmp(&mean_wait(&a.1)));
        read::truncate(&mut ranks, PANELS, "ranks (with the longest mean waits)", &mut notes);
        ranks.sort_by(|a, b| a.0.cmp(b.0));
    }
    let height = if ranks.len() == 1 { 260 } else { 120 };
    let mut sheet = Sheet::default();
    for (origin, waits) in &ranks {
        let label = label::process(&origin.run, &origin.node, origin.rank);
        let y = theme::axis_from_zero("wait", scale.unit).n_ticks(5).matches("y");
        let x = sheet.time_axis(&origin.run, None, waits[0].ts);
        let axes = sheet.add_panel(&label, height, x, y, true);
        draw_means(&mut sheet, &axes, waits, &label, scale);
        let mut of_rank: Vec<(i64, &LongWait)> = outliers
            .iter()
            .filter(|outlier| outlier.origin == **origin)
            .filter_map(|outlier| Some((outlier.ts?, outlier)))
            .collect();
        of_rank.sort_by(|(_, a), (_, b)| b.dur.total_cmp(&a.dur));
        let what = format!("outliers of {} (the longest)", label::clip(&label, 30));
        read::truncate(&mut of_rank, MARKS, &what, &mut notes);
        let points = of_rank.iter().map(|(ts, outlier)| {
            let hover = outlier_hover(outlier, &label, &label::moment(*ts), scale);
            (label::time(*ts), scale.convert(outlier.dur), hover)
        });
        series::draw_outliers(&mut sheet, &axes, "outlier", points);
    }
    let untimed = outliers.iter().filter(|outlier| outlier.ts.is_none()).count();
    if untimed > 0 {
        notes.push(format!("{} without a time not marked", label::count(untimed, "outlier")));
    }
    Ok(sheet.into_plot(&title(&waits, outliers.len() - untimed), &notes))
}

/// Draws the mean wait as a line and the range as a band.
fn draw_means(sheet: &mut Sheet, axes: &PanelAxes, waits: &[&WaitBin], label: &str, scale: Scale) {
    let bin = |wait: &&WaitBin| SeriesBin {
        ts: wait.ts,
        dur: wait.dur,
        mean: scale.convert(wait.mean),
        min: scale.convert(wait.min),
        max: scale.convert(wait.max),
        hover: hover(wait, label, scale),
    };
    let color = theme::color("loader");
    let bins: Vec<SeriesBin> = waits.iter().map(bin).collect();
    let (line, band) = series::line_and_band(&bins, axes, &theme::with_opacity(color, 0.18));
    sheet.add_trace(band.legend_group("mean wait"));
    sheet.add_named_trace(axes, "mean wait", line.line(Line::new().color(color).width(1.5)));
}

fn mean_wait(waits: &[&WaitBin]) -> f64 {
    let n = saturating_sum(waits.iter().map(|wait| wait.n));
    waits.iter().map(|wait| wait.mean * wait.n as f64).sum::<f64>() / n as f64
}

fn hover(wait: &WaitBin, label: &str, scale: Scale) -> String {
    format!(
        "{}<br>mean wait {}, shortest {}, longest {}<br>{} in {} from {}",
        label::sanitize(label),
        scale.text(wait.mean),
        scale.text(wait.min),
        scale.text(wait.max),
        label::count(wait.n, "call"),
        label::duration(wait.dur as f64),
        label::moment(wait.ts)
    )
}

fn outlier_hover(outlier: &LongWait, label: &str, time: &str, scale: Scale) -> String {
    let (batch, worker) = (label::numbered("batch", outlier.batch), label::numbered("worker", outlier.worker));
    let source = label::join(&[&batch, &worker], ", ");
    format!(
        "{}<br>waited {}, {}x the median{}{source}<br>{time}",
        label::sanitize(label),
        scale.text(outlier.dur),
        label::number(outlier.relative),
        if source.is_empty() { "" } else { "<br>" }
    )
}

/// `mean wait for a batch 3.2 ms, longest 1.2 s; 4 outliers among 120 waits`
fn title(waits: &[WaitBin], outliers: usize) -> String {
    let n = saturating_sum(waits.iter().map(|wait| wait.n));
    let longest = waits.iter().map(|wait| wait.max).fold(0.0, f64::max);
    format!(
        "Mean wait for a batch {}, longest {}; {} among {}",
        label::duration(mean_wait(&waits.iter().collect::<Vec<_>>())),
        label::duration(longest),
        label::count(outliers, "outlier"),
        label::count(n, "wait")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    const MS: i64 = 1_000_000;

    fn over_time(ranks: usize) -> Frame {
        let rank: Vec<i64> = (0..).take(ranks).collect();
        let mean: Vec<f64> = rank.iter().map(|rank| (rank + 1) as f64 * 1e6).collect();
        frame(vec![
            texts("run", &vec!["<a>"; ranks]),
            texts("node", &vec!["n1"; ranks]),
            ints("rank", &rank),
            ints("ts", &vec![0; ranks]),
            ints("dur", &vec![10 * MS; ranks]),
            ints("n", &vec![4; ranks]),
            ints("wait_min", &vec![MS / 2; ranks]),
            floats("wait_mean", &mean),
            ints("wait_max", &vec![20 * MS; ranks]),
        ])
    }

    fn outliers() -> Frame {
        frame(vec![
            texts("run", &["<a>", "<a>"]),
            texts("node", &["n1", "n1"]),
            ints("rank", &[1, 1]),
            nullable_ints("ts", &[5 * MS, -1]),
            ints("dur", &[20 * MS, 30 * MS]),
            floats("relative", &[13.33, 20.0]),
            ints("worker", &[3, 3]),
            ints("batch", &[7, 8]),
        ])
    }

    #[test]
    fn each_rank_has_a_panel_with_its_outliers() {
        let plot = to_value(&draw(&[over_time(2), outliers()]).unwrap());
        assert_eq!(plot["data"].as_array().unwrap().len(), 5);
        let (line, marked) = (&plot["data"][3], &plot["data"][4]);
        assert_eq!((&line["x"], &line["y"], &line["yaxis"]), (&json!(["5"]), &json!([2.0]), &json!("y2")));
        assert_eq!(
            line["hovertext"][0],
            "run &lt;a&gt;, n1, rank 1<br>mean wait 2 ms, shortest 0.5 ms, longest 20 ms<br>4 calls in 10 ms from +0 ms"
        );
        assert_eq!(line["line"]["color"], theme::color("loader"));
        assert_eq!((&marked["y"], &marked["yaxis"]), (&json!([20.0]), &json!("y2")));
        assert_eq!(
            marked["hovertext"][0],
            "run &lt;a&gt;, n1, rank 1<br>waited 20 ms, 13.3x the median<br>batch 7, worker 3<br>+5 ms"
        );
        assert_eq!(plot["layout"]["yaxis2"]["title"]["text"], "wait (ms)");
        assert_eq!(
            heading(&plot),
            "Mean wait for a batch 1.5 ms, longest 20 ms; 1 outlier among 8 waits | line: mean in bins of up to 10 ms; band: shortest to longest wait 1 outlier without a time not marked"
        );
    }

    #[test]
    fn ranks_with_the_longest_waits_are_shown() {
        let plot = to_value(&draw(&[over_time(12), without_rows(&outliers())]).unwrap());
        let labels = plot["layout"]["annotations"].as_array().unwrap();
        assert_eq!(labels.len(), PANELS);
        assert_eq!(labels[0]["text"], "run &lt;a&gt;, n1, rank 4");
        let title = heading(&plot);
        assert!(title.ends_with("8 of 12 ranks (with the longest mean waits) shown"), "{title}");
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&over_time(1)), without_rows(&outliers())]).unwrap());
        assert_eq!(title, "<b>Waits for batches</b>");
        assert!(note.starts_with("<b>no data loader events in this profile</b><br>No request for a"), "{note}");
    }
}
