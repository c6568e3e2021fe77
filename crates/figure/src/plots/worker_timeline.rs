//! Timeline of the batches that each data loader worker prepared.

use plotly::Plot;

use crate::kit::read::{Required, count_distinct, group_by, row_types};
use crate::kit::series::{SpanBar, draw_span_bars};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "worker_timeline",
    doc: "When each data loader worker read items and collated a batch, a row per worker; a panel per loader.",
    queries: &[FigureQuery::new("loader.workers_timeline")],
    draw,
};

/// Maximum number of rows in the figure.
const ROWS: usize = 64;
/// Maximum number of batches in a panel: the first ones.
const BATCHES: usize = 2000;

row_types! {
    /// A batch that a worker prepared. Times are in ns.
    struct WorkerBatch {
        run: String,
        node: String,
        rank: Option<i64>,
        loader: String,
        worker: Option<i64>,
        pid: Option<i64>,
        epoch: Option<i64>,
        batch: Option<i64>,
        ts: i64 = Required("ts"),
        dur: i64 = Required("dur"),
        collate: i64 = "collate_dur",
        items: i64,
        queue: Option<i64> = "queue_dur",
    }
}

impl WorkerBatch {
    /// Key of its row: the worker, or the process of a worker without a number. A restarted worker is a new process but
    /// keeps its row.
    fn row(&self) -> (Option<i64>, Option<i64>) {
        (self.worker, if self.worker.is_none() { self.pid } else { None })
    }

    fn panel(&self) -> String {
        label::join(&[&label::process(&self.run, &self.node, self.rank), &self.loader], ", ")
    }

    /// Time of the collate call, at most the whole time.
    fn collate(&self) -> i64 {
        self.collate.clamp(0, self.dur.max(0))
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let batches = WorkerBatch::read(read::frame(frames, 0)?)?;
    if batches.is_empty() {
        let why = "No item of a dataset was recorded. tracelake.record records the items of a PyTorch DataLoader.";
        return Ok(sheet::message_plot("Batches by worker", "no work of loader workers in this profile", why));
    }
    let mut notes = Vec::new();
    let mut panels = group_by(&batches, WorkerBatch::panel);
    read::truncate(&mut panels, PANELS, "loaders", &mut notes);
    let max_rows = ROWS / panels.len();
    let mut sheet = Sheet::default();
    for (label, batches) in &mut panels {
        batches.sort_by_key(|batch| batch.ts);
        read::truncate(batches, BATCHES, &format!("batches of {}", label::clip(label, 30)), &mut notes);
        let mut rows = group_by(batches.iter().copied(), WorkerBatch::row);
        rows.sort_by_key(|(row, _)| (row.0.is_none(), *row));
        read::truncate(&mut rows, max_rows, &format!("workers of {}", label::clip(label, 30)), &mut notes);
        let names: Vec<String> = rows.iter().map(|((worker, pid), _)| label::worker(*worker, *pid)).collect();
        let (mut items, mut collates) = (Vec::new(), Vec::new());
        for ((_, batches), row) in rows.iter().zip(&names) {
            for batch in batches {
                let (hover, items_dur) = (hover(batch, row), batch.dur - batch.collate());
                items.push(SpanBar { row: row.clone(), ts: batch.ts, dur: items_dur, hover: hover.clone() });
                if batch.collate() > 0 {
                    let ts = batch.ts + items_dur;
                    collates.push(SpanBar { row: row.clone(), ts, dur: batch.collate(), hover });
                }
            }
        }
        let y = theme::category_axis(names);
        let axes = sheet.add_panel(label, 20 + 20 * rows.len(), theme::time_axis(rows[0].1[0].ts), y, true);
        draw_span_bars(&mut sheet, &axes, "items", theme::color("loader"), items);
        draw_span_bars(&mut sheet, &axes, "collate", theme::color("outlier"), collates);
    }
    notes.push("each bar: first the items, then the collate call".to_owned());
    Ok(sheet.into_plot(&title(&batches), &notes))
}

fn hover(batch: &WorkerBatch, worker: &str) -> String {
    let (epoch, number) = (label::numbered("epoch", batch.epoch), label::numbered("batch", batch.batch));
    let queue = batch.queue.map_or(String::new(), |ns| format!("<br>{} in the queue", label::duration(ns as f64)));
    format!(
        "{}<br>{} items in {}, collate {}{queue}<br>from {}",
        label::join(&[worker, &epoch, &number], ", "),
        batch.items,
        label::duration((batch.dur - batch.collate()) as f64),
        label::duration(batch.collate() as f64),
        label::moment(batch.ts)
    )
}

/// `12 batches by 2 workers; median time to prepare a batch 45 ms`
fn title(batches: &[WorkerBatch]) -> String {
    let workers = count_distinct(batches.iter().map(|batch| (batch.panel(), batch.row())));
    let durations: Vec<f64> = batches.iter().map(|batch| batch.dur as f64).collect();
    let median = label::quantile(&durations, 0.5).unwrap_or(0.0);
    format!(
        "{} by {}; median time to prepare a batch {}",
        if batches.len() == 1 { "1 batch".to_owned() } else { format!("{} batches", batches.len()) },
        label::count(workers, "worker"),
        label::duration(median)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    const MS: i64 = 1_000_000;

    fn batches() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("node", &["n", "n", "n"]),
            nullable_ints("rank", &[0, 0, 0]),
            texts("loader", &["train", "train", "train"]),
            nullable_ints("worker", &[0, 1, -1]),
            nullable_ints("pid", &[11, 12, 13]),
            nullable_ints("epoch", &[0, 0, -1]),
            nullable_ints("batch", &[0, 1, -1]),
            ints("ts", &[0, 10 * MS, 20 * MS]),
            ints("dur", &[50 * MS, 40 * MS, 30 * MS]),
            ints("items", &[2, 2, 1]),
            ints("item_dur", &[40 * MS, 40 * MS, 30 * MS]),
            nullable_ints("collate_dur", &[10 * MS, -1, -1]),
            nullable_ints("queue_dur", &[5 * MS, -1, -1]),
        ])
    }

    #[test]
    fn items_and_collate_calls_are_bars_in_the_row_of_their_worker() {
        let plot = to_value(&draw(&[batches()]).unwrap());
        let (items, collates) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!(items["y"], json!(["worker 0", "worker 1", "process 13"]));
        assert_eq!(items["x"], json!([40.0, 40.0, 30.0]));
        assert_eq!((&collates["y"], &collates["x"]), (&json!(["worker 0"]), &json!([10.0])));
        assert_eq!(collates["base"][0], "40");
        let hover = items["hovertext"][0].as_str().unwrap();
        assert!(
            hover.starts_with("worker 0, epoch 0, batch 0<br>2 items in 40 ms, collate 10 ms<br>5 ms in the queue")
        );
        assert!(
            heading(&plot).starts_with("3 batches by 3 workers; median time to prepare a batch 40 ms"),
            "{}",
            heading(&plot)
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&batches())]).unwrap());
        assert_eq!(title, "<b>Batches by worker</b>");
        assert!(note.contains("tracelake.record"), "{note}");
    }
}
