//! Lifetimes of the data loader workers.

use std::collections::BTreeSet;

use plotly::Plot;
use plotly::layout::CategoryOrder;

use crate::kit::read::groups;
use crate::kit::series::Spans;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_workers",
    doc: "The lifetimes of the data loader workers as bars, a row per worker; a panel per run.",
    queries: &[Ask::new("loader.workers")],
    draw,
};

/// Maximum number of rows in the figure.
const ROWS: usize = 64;
/// Maximum number of bars in a panel.
const BARS: usize = 2000;

struct Life {
    run: String,
    node: String,
    rank: Option<i64>,
    pid: Option<i64>,
    worker: Option<i64>,
    ts: i64,
    dur: i64,
}

impl Life {
    /// Key of its row. Without a worker number, the process identifies the worker.
    fn row(&self) -> (&str, Option<i64>, Option<i64>, Option<i64>) {
        (&self.node, self.rank, self.worker, if self.worker.is_none() { self.pid } else { None })
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let lives = lives(frame)?;
    let untimed = frame.rows()? - lives.len();
    if lives.is_empty() {
        let why = match untimed {
            0 => "No lifetime of a worker was recorded. Loaders without workers have none.".to_owned(),
            _ => format!("{} recorded, but without a time.", label::count(untimed, "worker")),
        };
        return Ok(sheet::message("Loader workers", "no data loader workers in this profile", &why));
    }
    let mut notes = Vec::new();
    let mut runs = groups(lives.iter().map(|life| life.run.as_str()));
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let most = ROWS / runs.len();
    let mut sheet = Sheet::default();
    for (run, rows) in &runs {
        let mut rows: Vec<&Life> = rows.iter().map(|row| &lives[*row]).collect();
        rows.sort_by_key(|life| (life.row(), life.ts));
        let nodes = groups(rows.iter().map(|life| life.node.as_str())).len();
        let mut lanes = groups(rows.iter().map(|life| life.row()));
        read::cap(&mut lanes, most, &format!("workers of {}", label::clip(run, 20)), &mut notes);
        let mut names = Vec::new();
        let mut spans = Vec::new();
        for (_, members) in &lanes {
            let name = name(rows[members[0]], nodes > 1);
            spans.extend(
                members.iter().map(|place| rows[*place]).map(|life| (name.clone(), life.ts, life.dur, hover(life))),
            );
            names.push(name);
        }
        read::cap(&mut spans, BARS, &format!("lifetimes of {}", label::clip(run, 20)), &mut notes);
        names.reverse();
        let y = theme::axis("").category_order(CategoryOrder::Array).category_array(names);
        let at = sheet.panel(&format!("run {run}"), 20 + 20 * lanes.len(), theme::time_axis().n_ticks(4), y, true);
        sheet.trace(Box::new(Spans::new("worker", theme::color("loader"), &at, spans)));
    }
    if untimed > 0 {
        notes.push(format!("{} without a time not drawn", label::count(untimed, "worker")));
    }
    Ok(sheet.plot(&title(&lives), &notes))
}

fn lives(frame: &Frame) -> Result<Vec<Life>> {
    let (runs, nodes) = (read::texts(frame, "run")?, read::texts(frame, "node")?);
    let (ranks, pids, workers) =
        (read::integers(frame, "rank")?, read::integers(frame, "pid")?, read::integers(frame, "worker")?);
    let (ts, dur) = (read::integers(frame, "ts")?, read::integers(frame, "dur")?);
    let mut lives = Vec::with_capacity(runs.len());
    for (row, (run, node)) in runs.into_iter().zip(nodes).enumerate() {
        if let (Some(ts), Some(dur)) = (ts[row], dur[row]) {
            lives.push(Life { run, node, rank: ranks[row], pid: pids[row], worker: workers[row], ts, dur });
        }
    }
    Ok(lives)
}

fn name(life: &Life, with_node: bool) -> String {
    let worker = match (life.worker, life.pid) {
        (Some(worker), _) => format!("worker {worker}"),
        (None, Some(pid)) => format!("process {pid}"),
        (None, None) => "worker".to_owned(),
    };
    label::plain(&label::join(&[&label::place(if with_node { &life.node } else { "" }, life.rank), &worker], ", "))
}

fn hover(life: &Life) -> String {
    let who = label::join(&[&format!("run {}", life.run), &label::place(&life.node, life.rank)], ", ");
    let pid = life.pid.map_or(String::new(), |pid| format!(", process {pid}"));
    let worker = life.worker.map_or("worker".to_owned(), |worker| format!("worker {worker}"));
    let from = label::time(life.ts);
    format!("{}<br>{worker}{pid}<br>{} from {from} UTC", label::plain(&who), label::duration(life.dur as f64))
}

/// `4 workers started 24 times; median lifetime 3.2 s`
fn title(lives: &[Life]) -> String {
    let workers: BTreeSet<_> = lives.iter().map(|life| (&life.run, life.row())).collect();
    let durations: Vec<f64> = lives.iter().map(|life| life.dur as f64).collect();
    let median = label::quantile(&durations, 0.5).unwrap_or(0.0);
    let workers = label::count(workers.len(), "worker");
    format!("{workers} started {}; median lifetime {}", label::count(lives.len(), "time"), label::duration(median))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, known, message, none, texts, told, value};

    const S: i64 = 1_000_000_000;

    fn workers() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a", "a"]),
            texts("node", &["<n>", "<n>", "<n>", "<n>"]),
            known("rank", &[0, 0, 0, -1]),
            ints("pid", &[11, 12, 13, 14]),
            known("worker", &[0, 1, 0, -1]),
            known("ts", &[0, S, 5 * S, 2 * S]),
            ints("dur", &[3 * S, 2 * S, 4 * S, 6 * S]),
        ])
    }

    #[test]
    fn lives_are_bars_in_the_row_of_their_worker() {
        let plot = value(&draw(&[workers()]).unwrap());
        let bars = &plot["data"][0];
        assert_eq!(bars["y"], json!(["process 14", "rank 0, worker 0", "rank 0, worker 0", "rank 0, worker 1"]));
        assert_eq!(bars["x"], json!([6000.0, 3000.0, 4000.0, 2000.0]));
        assert_eq!(bars["base"][2], "1970-01-01 00:00:05");
        assert_eq!(bars["type"], "bar");
        assert_eq!(
            bars["hovertext"][2],
            "run a, &lt;n&gt;, rank 0<br>worker 0, process 13<br>4 s from 1970-01-01 00:00:05 UTC"
        );
        assert_eq!(
            plot["layout"]["yaxis"]["categoryarray"],
            json!(["rank 0, worker 1", "rank 0, worker 0", "process 14"])
        );
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "time (UTC)");
        assert_eq!(told(&plot), "3 workers started 4 times; median lifetime 3.5 s");
    }

    #[test]
    fn nothing_recorded_is_said_and_so_are_lives_without_a_time() {
        let (title, note) = message(&draw(&[none(&workers())]).unwrap());
        assert_eq!(title, "<b>Loader workers</b>");
        assert!(note.starts_with("<b>no data loader workers in this profile</b><br>No lifetime of"), "{note}");
        let untimed = frame(vec![
            texts("run", &["a"]),
            texts("node", &[""]),
            known("rank", &[-1]),
            known("pid", &[-1]),
            known("worker", &[-1]),
            known("ts", &[-1]),
            ints("dur", &[S]),
        ]);
        let (_, note) = message(&draw(&[untimed]).unwrap());
        assert!(note.ends_with("<br>1 worker recorded, but without a time."), "{note}");
    }
}
