//! Timeline of the batches that each data loader worker prepared.

use plotly::Plot;
use plotly::layout::CategoryOrder;

use crate::kit::read::groups;
use crate::kit::series::Spans;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "worker_timeline",
    doc: "When each data loader worker read items and collated a batch, a row per worker; a panel per loader.",
    queries: &[Ask::new("loader.workers_timeline")],
    draw,
};

/// Maximum number of rows in the figure.
const ROWS: usize = 64;
/// Maximum number of batches in a panel: the first ones.
const BATCHES: usize = 2000;

struct Made {
    panel: String,
    row: (Option<i64>, Option<i64>),
    epoch: Option<i64>,
    batch: Option<i64>,
    ts: i64,
    dur: i64,
    collate: i64,
    items: Option<i64>,
    queue: Option<i64>,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let made = made(frame)?;
    if made.is_empty() {
        let why = "No item of a dataset was recorded. tracelake.record records the items of a PyTorch DataLoader.";
        return Ok(sheet::message("Batches by worker", "no work of loader workers in this profile", why));
    }
    let mut notes = Vec::new();
    let mut panels = groups(made.iter().map(|one| one.panel.as_str()));
    read::cap(&mut panels, PANELS, "loaders", &mut notes);
    let most = ROWS / panels.len();
    let mut sheet = Sheet::default();
    for (panel, rows) in &panels {
        let mut rows: Vec<&Made> = rows.iter().map(|row| &made[*row]).collect();
        rows.sort_by_key(|one| one.ts);
        read::cap(&mut rows, BATCHES, &format!("batches of {}", label::clip(panel, 30)), &mut notes);
        let mut lanes = groups(rows.iter().map(|one| one.row));
        lanes.sort_by_key(|(row, _)| (row.0.is_none(), *row));
        read::cap(&mut lanes, most, &format!("workers of {}", label::clip(panel, 30)), &mut notes);
        let (mut items, mut collates) = (Vec::new(), Vec::new());
        let mut names = Vec::new();
        for ((worker, pid), members) in &lanes {
            let name = name(*worker, *pid);
            for one in members.iter().map(|place| rows[*place]) {
                let hover = hover(one, &name);
                items.push((name.clone(), one.ts, one.dur - one.collate, hover.clone()));
                if one.collate > 0 {
                    collates.push((name.clone(), one.ts + one.dur - one.collate, one.collate, hover));
                }
            }
            names.push(name);
        }
        names.reverse();
        let y = theme::axis("").category_order(CategoryOrder::Array).category_array(names);
        let at = sheet.panel(panel, 20 + 20 * lanes.len(), theme::time_axis(), y, true);
        sheet.trace(Box::new(Spans::new("items", theme::color("loader"), &at, items)));
        sheet.trace(Box::new(Spans::new("collate", theme::color("outlier"), &at, collates)));
    }
    notes.push("each bar: first the items, then the collate call".to_owned());
    Ok(sheet.plot(&title(&made), &notes))
}

fn made(frame: &Frame) -> Result<Vec<Made>> {
    let (runs, nodes, loaders) =
        (read::texts(frame, "run")?, read::texts(frame, "node")?, read::texts(frame, "loader")?);
    let int = |name| read::integers(frame, name);
    let (ranks, workers, pids) = (int("rank")?, int("worker")?, int("pid")?);
    let (epochs, batches, items) = (int("epoch")?, int("batch")?, int("items")?);
    let (ts, dur, collate, queue) = (int("ts")?, int("dur")?, int("collate_dur")?, int("queue_dur")?);
    let mut made = Vec::with_capacity(runs.len());
    for (row, run) in runs.iter().enumerate() {
        let (Some(ts), Some(dur)) = (ts[row], dur[row]) else { continue };
        let place = label::place(&nodes[row], ranks[row]);
        made.push(Made {
            panel: label::join(&[&format!("run {run}"), &place, &loaders[row]], ", "),
            // a restarted worker is a new process but keeps its row
            row: (workers[row], if workers[row].is_none() { pids[row] } else { None }),
            epoch: epochs[row],
            batch: batches[row],
            ts,
            dur,
            collate: collate[row].unwrap_or(0).clamp(0, dur.max(0)),
            items: items[row],
            queue: queue[row],
        });
    }
    Ok(made)
}

fn name(worker: Option<i64>, pid: Option<i64>) -> String {
    match (worker, pid) {
        (Some(worker), _) => format!("worker {worker}"),
        (None, Some(pid)) => format!("process {pid}"),
        (None, None) => "worker".to_owned(),
    }
}

fn hover(one: &Made, name: &str) -> String {
    let known = |what: &str, number: Option<i64>| number.map_or(String::new(), |number| format!("{what} {number}"));
    let which = label::join(&[name, &known("epoch", one.epoch), &known("batch", one.batch)], ", ");
    let queue = one.queue.map_or(String::new(), |queue| format!("<br>{} in the queue", label::duration(queue as f64)));
    format!(
        "{which}<br>{} items in {}, collate {}{queue}<br>from {} UTC",
        one.items.unwrap_or(0),
        label::duration((one.dur - one.collate) as f64),
        label::duration(one.collate as f64),
        label::time(one.ts)
    )
}

/// `12 batches by 2 workers; median time to prepare a batch 45 ms`
fn title(made: &[Made]) -> String {
    let workers = groups(made.iter().map(|one| (&one.panel, one.row))).len();
    let durations: Vec<f64> = made.iter().map(|one| one.dur as f64).collect();
    let median = label::quantile(&durations, 0.5).unwrap_or(0.0);
    let batches = match made.len() {
        1 => "1 batch".to_owned(),
        n => format!("{n} batches"),
    };
    format!(
        "{batches} by {}; median time to prepare a batch {}",
        label::count(workers, "worker"),
        label::duration(median)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, known, message, none, texts, told, value};

    const MS: i64 = 1_000_000;

    fn answer() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("node", &["n", "n", "n"]),
            known("rank", &[0, 0, 0]),
            texts("loader", &["train", "train", "train"]),
            known("worker", &[0, 1, -1]),
            known("pid", &[11, 12, 13]),
            known("epoch", &[0, 0, -1]),
            known("batch", &[0, 1, -1]),
            ints("ts", &[0, 10 * MS, 20 * MS]),
            ints("dur", &[50 * MS, 40 * MS, 30 * MS]),
            ints("items", &[2, 2, 1]),
            ints("item_dur", &[40 * MS, 40 * MS, 30 * MS]),
            known("collate_dur", &[10 * MS, -1, -1]),
            known("queue_dur", &[5 * MS, -1, -1]),
        ])
    }

    #[test]
    fn items_and_collate_calls_are_bars_in_the_row_of_their_worker() {
        let plot = value(&draw(&[answer()]).unwrap());
        let (items, collates) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!(items["y"], json!(["worker 0", "worker 1", "process 13"]));
        assert_eq!(items["x"], json!([40.0, 40.0, 30.0]));
        assert_eq!((&collates["y"], &collates["x"]), (&json!(["worker 0"]), &json!([10.0])));
        assert_eq!(collates["base"][0], "1970-01-01 00:00:00.040");
        let hover = items["hovertext"][0].as_str().unwrap();
        assert!(
            hover.starts_with("worker 0, epoch 0, batch 0<br>2 items in 40 ms, collate 10 ms<br>5 ms in the queue")
        );
        assert!(
            told(&plot).starts_with("3 batches by 3 workers; median time to prepare a batch 40 ms"),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&answer())]).unwrap());
        assert_eq!(title, "<b>Batches by worker</b>");
        assert!(note.contains("tracelake.record"), "{note}");
    }
}
