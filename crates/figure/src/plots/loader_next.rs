//! Wait of the training process for batches, over time.

use plotly::Plot;
use plotly::common::Line;
use plotly::layout::RangeMode;

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::series::Bin;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, series, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_next",
    doc: "How long each rank waited for its batches over time: mean and range, with outliers marked; a panel per rank.",
    queries: &[Ask::new("loader.next_over_time"), Ask { query: "loader.next_outliers", params: &[("factor", "2.0")] }],
    draw,
};

/// Maximum number of outliers marked in a panel: the longest.
const MARKS: usize = 500;
const OUTLIER: &str = "at least 2x the median";

/// Run, machine and rank of a wait.
type Who = (String, String, Option<i64>);

struct Wait {
    who: Who,
    ts: i64,
    dur: i64,
    n: f64,
    min: f64,
    mean: f64,
    max: f64,
}

struct Outlier {
    who: Who,
    ts: i64,
    dur: f64,
    relative: f64,
    worker: Option<i64>,
    batch: Option<i64>,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let waits = waits(read::answer(frames, 0)?)?;
    let (outliers, untimed) = outliers(read::answer(frames, 1)?)?;
    if waits.is_empty() {
        let why = "No request for a batch with a time and a duration was recorded. Record the loop with \
                   tracelake.record, with torch.profiler, or with SageMaker's data loader profiling.";
        return Ok(sheet::message("Waits for batches", "no data loader events in this profile", why));
    }
    let width = waits.iter().map(|wait| wait.dur).max().unwrap_or(0);
    let mut notes =
        vec![format!("line: mean in bins of up to {}; band: shortest to longest wait", label::duration(width as f64))];
    let scale = Scale::time(waits.iter().map(|wait| wait.mean).fold(0.0, f64::max) / 2.0);
    let mut ranks = groups(waits.iter().map(|wait| wait.who.clone()));
    if ranks.len() > PANELS {
        let mean = |rows: &[usize]| mean(rows.iter().map(|row| &waits[*row]));
        ranks.sort_by(|a, b| mean(&b.1).total_cmp(&mean(&a.1)));
        read::cap(&mut ranks, PANELS, "ranks (with the longest mean waits)", &mut notes);
        ranks.sort_by(|a, b| a.0.cmp(&b.0));
    }
    let height = if ranks.len() == 1 { 260 } else { 120 };
    let mut sheet = Sheet::default();
    let mut before = "";
    for (who, rows) in &ranks {
        let (run, node, rank) = who;
        let name = label::join(&[&format!("run {run}"), &label::place(node, *rank)], ", ");
        let y = theme::axis(&format!("wait ({})", scale.unit)).range_mode(RangeMode::ToZero).n_ticks(5).matches("y");
        let x = if before == run { theme::time_axis().matches(&sheet.last().x) } else { theme::time_axis() };
        before = run;
        let at = sheet.panel(&name, height, x, y, true);
        let bins: Vec<Bin> = rows.iter().map(|row| bin(&waits[*row], &name, scale)).collect();
        let color = theme::color("loader");
        let (line, ring) = series::band(&bins, &at, &theme::faint(color, 0.18));
        let show = sheet.first("mean wait");
        sheet.trace(ring.legend_group("mean wait"));
        sheet.trace(
            line.name("mean wait")
                .legend_group("mean wait")
                .show_legend(show)
                .line(Line::new().color(color).width(1.5)),
        );
        let mut marked: Vec<&Outlier> = outliers.iter().filter(|outlier| outlier.who == *who).collect();
        marked.sort_by(|a, b| b.dur.total_cmp(&a.dur));
        read::cap(&mut marked, MARKS, &format!("outliers of {} (the longest)", label::clip(&name, 30)), &mut notes);
        if !marked.is_empty() {
            let show = sheet.first(OUTLIER);
            let x = marked.iter().map(|outlier| label::time(outlier.ts)).collect();
            let y = marked.iter().map(|outlier| scale.of(outlier.dur)).collect();
            let hover = marked.iter().map(|outlier| hover(outlier, &name, scale)).collect();
            sheet.trace(series::marks(x, y, hover, &at).name(OUTLIER).legend_group(OUTLIER).show_legend(show));
        }
    }
    if untimed > 0 {
        notes.push(format!("{} without a time not marked", label::count(untimed, "outlier")));
    }
    Ok(sheet.plot(&title(&waits, outliers.len() + untimed), &notes))
}

fn waits(frame: &Frame) -> Result<Vec<Wait>> {
    let whose = whose(frame)?;
    let (ts, dur, n) = (read::integers(frame, "ts")?, read::integers(frame, "dur")?, read::floats(frame, "n")?);
    let (min, mean, max) =
        (read::floats(frame, "wait_min")?, read::floats(frame, "wait_mean")?, read::floats(frame, "wait_max")?);
    let mut waits = Vec::with_capacity(whose.len());
    for (row, who) in whose.into_iter().enumerate() {
        if let (Some(ts), Some(dur)) = (ts[row], dur[row]) {
            waits.push(Wait { who, ts, dur, n: n[row], min: min[row], mean: mean[row], max: max[row] });
        }
    }
    Ok(waits)
}

/// The outliers that have a time, and the number of outliers without one.
fn outliers(frame: &Frame) -> Result<(Vec<Outlier>, usize)> {
    let whose = whose(frame)?;
    let all = whose.len();
    let (ts, dur, relative) =
        (read::integers(frame, "ts")?, read::floats(frame, "dur")?, read::floats(frame, "relative")?);
    let (worker, batch) = (read::integers(frame, "worker")?, read::integers(frame, "batch")?);
    let mut outliers = Vec::new();
    for (row, who) in whose.into_iter().enumerate() {
        if let Some(ts) = ts[row] {
            outliers.push(Outlier {
                who,
                ts,
                dur: dur[row],
                relative: relative[row],
                worker: worker[row],
                batch: batch[row],
            });
        }
    }
    let untimed = all - outliers.len();
    Ok((outliers, untimed))
}

fn whose(frame: &Frame) -> Result<Vec<Who>> {
    let (runs, nodes, ranks) =
        (read::texts(frame, "run")?, read::texts(frame, "node")?, read::integers(frame, "rank")?);
    Ok(runs.into_iter().zip(nodes).zip(ranks).map(|((run, node), rank)| (run, node, rank)).collect())
}

fn mean<'a>(waits: impl Iterator<Item = &'a Wait> + Clone) -> f64 {
    let n: f64 = waits.clone().map(|wait| wait.n).sum();
    waits.map(|wait| wait.mean * wait.n).sum::<f64>() / n
}

fn bin(wait: &Wait, name: &str, scale: Scale) -> Bin {
    let hover = format!(
        "{}<br>mean wait {}, shortest {}, longest {}<br>{} in {} from {} UTC",
        label::plain(name),
        scale.text(wait.mean),
        scale.text(wait.min),
        scale.text(wait.max),
        if wait.n > 1.0 { format!("{} calls", wait.n) } else { "1 call".to_owned() },
        label::duration(wait.dur as f64),
        label::time(wait.ts)
    );
    let of = |value| scale.of(value);
    Bin { ts: wait.ts, dur: wait.dur, mean: of(wait.mean), min: of(wait.min), max: of(wait.max), hover }
}

fn hover(outlier: &Outlier, name: &str, scale: Scale) -> String {
    let worker = outlier.worker.map_or(String::new(), |worker| format!(", worker {worker}"));
    let batch = outlier.batch.map_or(String::new(), |batch| format!("<br>batch {batch}{worker}"));
    format!(
        "{}<br>waited {}, {}x the median{}<br>{} UTC",
        label::plain(name),
        scale.text(outlier.dur),
        label::number(outlier.relative),
        if batch.is_empty() { worker.replace(", ", "<br>") } else { batch },
        label::time(outlier.ts)
    )
}

/// `mean wait for a batch 3.2 ms, longest 1.2 s; 4 of 120 at least 2x the median`
fn title(waits: &[Wait], outliers: usize) -> String {
    let n: f64 = waits.iter().map(|wait| wait.n).sum();
    let longest = waits.iter().map(|wait| wait.max).fold(0.0, f64::max);
    format!(
        "mean wait for a batch {}, longest {}; {outliers} of {n} at least 2x the median",
        label::duration(mean(waits.iter())),
        label::duration(longest),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, known, message, none, texts, told, value};

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
            known("ts", &[5 * MS, -1]),
            ints("dur", &[20 * MS, 30 * MS]),
            floats("relative", &[13.33, 20.0]),
            ints("worker", &[3, 3]),
            ints("batch", &[7, 8]),
        ])
    }

    #[test]
    fn each_rank_has_a_panel_with_its_outliers() {
        let plot = value(&draw(&[over_time(2), outliers()]).unwrap());
        assert_eq!(plot["data"].as_array().unwrap().len(), 5);
        let (line, marked) = (&plot["data"][3], &plot["data"][4]);
        assert_eq!(
            (&line["x"], &line["y"], &line["yaxis"]),
            (&json!(["1970-01-01 00:00:00.005"]), &json!([2.0]), &json!("y2"))
        );
        assert_eq!(
            line["hovertext"][0],
            "run &lt;a&gt;, n1, rank 1<br>mean wait 2 ms, shortest 0.5 ms, longest 20 ms<br>4 calls in 10 ms from 1970-01-01 00:00:00 UTC"
        );
        assert_eq!(line["line"]["color"], theme::color("loader"));
        assert_eq!((&marked["y"], &marked["yaxis"]), (&json!([20.0]), &json!("y2")));
        assert_eq!(
            marked["hovertext"][0],
            "run &lt;a&gt;, n1, rank 1<br>waited 20 ms, 13.3x the median<br>batch 7, worker 3<br>1970-01-01 00:00:00.005 UTC"
        );
        assert_eq!(plot["layout"]["yaxis2"]["title"]["text"], "wait (ms)");
        assert_eq!(
            told(&plot),
            "mean wait for a batch 1.5 ms, longest 20 ms; 2 of 8 at least 2x the median | line: mean in bins of up to 10 ms; band: shortest to longest wait 1 outlier without a time not marked"
        );
    }

    #[test]
    fn of_many_ranks_those_that_waited_longest_are_shown() {
        let plot = value(&draw(&[over_time(12), none(&outliers())]).unwrap());
        let labels = plot["layout"]["annotations"].as_array().unwrap();
        assert_eq!(labels.len(), PANELS);
        assert_eq!(labels[0]["text"], "run &lt;a&gt;, n1, rank 4");
        let title = told(&plot);
        assert!(title.ends_with("8 of 12 ranks (with the longest mean waits) shown"), "{title}");
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&over_time(1)), none(&outliers())]).unwrap());
        assert_eq!(title, "<b>Waits for batches</b>");
        assert!(note.starts_with("<b>no data loader events in this profile</b><br>No request for a"), "{note}");
    }
}
