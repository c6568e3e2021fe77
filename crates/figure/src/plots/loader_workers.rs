//! Lifetimes of the data loader workers.

use plotly::Plot;

use crate::kit::read::{Required, count_distinct, group_by, row_types};
use crate::kit::series::{SpanBar, draw_span_bars};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_workers",
    doc: "The lifetimes of the data loader workers as bars, a row per worker; a panel per run.",
    queries: &[FigureQuery::new("loader.workers")],
    draw,
};

/// Maximum number of rows in the figure.
const ROWS: usize = 64;
/// Maximum number of bars in a panel.
const BARS: usize = 2000;

row_types! {
    /// The lifetime of a worker process. Times are in ns.
    struct WorkerLifetime {
        run: String,
        node: String,
        rank: Option<i64>,
        pid: Option<i64>,
        worker: Option<i64>,
        ts: i64 = Required("ts"),
        dur: i64 = Required("dur"),
    }
}

impl WorkerLifetime {
    /// Key of its row. Without a worker number, the process identifies the worker.
    fn row(&self) -> (&str, Option<i64>, Option<i64>, Option<i64>) {
        (&self.node, self.rank, self.worker, if self.worker.is_none() { self.pid } else { None })
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::frame(frames, 0)?;
    let lifetimes = WorkerLifetime::read(frame)?;
    let untimed = frame.len()? - lifetimes.len();
    if lifetimes.is_empty() {
        let (what, why) = match untimed {
            0 => ("no data loader workers in this profile", "A loader with num_workers=0 has no workers.".to_owned()),
            _ => {
                ("no start times of workers in this profile", format!("{} recorded", label::count(untimed, "lifetime")))
            }
        };
        return Ok(sheet::message_plot("Loader workers", what, &why));
    }
    let mut notes = Vec::new();
    let mut runs = group_by(&lifetimes, |lifetime| lifetime.run.as_str());
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let max_rows = ROWS / runs.len();
    let mut sheet = Sheet::default();
    for (run, lifetimes) in &mut runs {
        lifetimes.sort_by_key(|lifetime| (lifetime.row(), lifetime.ts));
        let with_node = count_distinct(lifetimes.iter().map(|lifetime| &lifetime.node)) > 1;
        let mut rows = group_by(lifetimes.iter().copied(), WorkerLifetime::row);
        read::truncate(&mut rows, max_rows, &format!("workers of {}", label::clip(run, 20)), &mut notes);
        let names: Vec<String> = rows.iter().map(|(_, lifetimes)| name(lifetimes[0], with_node)).collect();
        let mut spans: Vec<SpanBar> = Vec::new();
        for ((_, lifetimes), name) in rows.iter().zip(&names) {
            spans.extend(lifetimes.iter().map(|lifetime| SpanBar {
                row: name.clone(),
                ts: lifetime.ts,
                dur: lifetime.dur,
                hover: hover(lifetime),
            }));
        }
        read::truncate(&mut spans, BARS, &format!("lifetimes of {}", label::clip(run, 20)), &mut notes);
        // Any time tells whether the run has an epoch.
        let any_ts = spans.first().map_or(0, |span| span.ts);
        let (x, y) = (theme::time_axis(any_ts).n_ticks(4), theme::category_axis(names));
        let axes = sheet.add_panel(&format!("run {run}"), 20 + 20 * rows.len(), x, y, true);
        draw_span_bars(&mut sheet, &axes, "worker", theme::color("loader"), spans);
    }
    if untimed > 0 {
        notes.push(format!("{} without a start time not drawn", label::count(untimed, "lifetime")));
    }
    Ok(sheet.into_plot(&title(&lifetimes), &notes))
}

fn name(lifetime: &WorkerLifetime, with_node: bool) -> String {
    let process = label::node_and_rank(if with_node { &lifetime.node } else { "" }, lifetime.rank);
    label::sanitize(&label::join(&[&process, &label::worker(lifetime.worker, lifetime.pid)], ", "))
}

fn hover(lifetime: &WorkerLifetime) -> String {
    let worker = label::join(&[&label::worker(lifetime.worker, None), &label::numbered("process", lifetime.pid)], ", ");
    format!(
        "{}<br>{worker}<br>{} from {}",
        label::sanitize(&label::process(&lifetime.run, &lifetime.node, lifetime.rank)),
        label::duration(lifetime.dur as f64),
        label::moment(lifetime.ts)
    )
}

/// `4 workers started 24 times; median lifetime 3.2 s`
fn title(lifetimes: &[WorkerLifetime]) -> String {
    let workers = count_distinct(lifetimes.iter().map(|lifetime| (&lifetime.run, lifetime.row())));
    let durations: Vec<f64> = lifetimes.iter().map(|lifetime| lifetime.dur as f64).collect();
    let median = label::quantile(&durations, 0.5).unwrap_or(0.0);
    let (workers, starts) = (label::count(workers, "worker"), label::count(lifetimes.len(), "time"));
    format!("{workers} started {starts}; median lifetime {}", label::duration(median))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    const S: i64 = 1_000_000_000;

    fn workers() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a", "a"]),
            texts("node", &["<n>", "<n>", "<n>", "<n>"]),
            nullable_ints("rank", &[0, 0, 0, -1]),
            ints("pid", &[11, 12, 13, 14]),
            nullable_ints("worker", &[0, 1, 0, -1]),
            nullable_ints("ts", &[0, S, 5 * S, 2 * S]),
            ints("dur", &[3 * S, 2 * S, 4 * S, 6 * S]),
        ])
    }

    #[test]
    fn lifetimes_are_bars_in_the_row_of_their_worker() {
        let plot = to_value(&draw(&[workers()]).unwrap());
        let bars = &plot["data"][0];
        assert_eq!(bars["y"], json!(["process 14", "rank 0, worker 0", "rank 0, worker 0", "rank 0, worker 1"]));
        assert_eq!(bars["x"], json!([6000.0, 3000.0, 4000.0, 2000.0]));
        assert_eq!(bars["base"][2], "5000");
        assert_eq!(bars["type"], "bar");
        assert_eq!(bars["hovertext"][2], "run a, &lt;n&gt;, rank 0<br>worker 0, process 13<br>4 s from +5 s");
        assert_eq!(
            plot["layout"]["yaxis"]["categoryarray"],
            json!(["rank 0, worker 1", "rank 0, worker 0", "process 14"])
        );
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "time since the first event (ms)");
        assert_eq!(heading(&plot), "3 workers started 4 times; median lifetime 3.5 s");
    }

    #[test]
    fn messages_for_no_lifetimes_and_for_lifetimes_without_a_time() {
        let (title, note) = message(&draw(&[without_rows(&workers())]).unwrap());
        assert_eq!(title, "<b>Loader workers</b>");
        assert!(
            note.starts_with("<b>no data loader workers in this profile</b><br>A loader with num_workers=0"),
            "{note}"
        );
        let untimed = frame(vec![
            texts("run", &["a"]),
            texts("node", &[""]),
            nullable_ints("rank", &[-1]),
            nullable_ints("pid", &[-1]),
            nullable_ints("worker", &[-1]),
            nullable_ints("ts", &[-1]),
            ints("dur", &[S]),
        ]);
        let (_, note) = message(&draw(&[untimed]).unwrap());
        assert!(note.ends_with("<b>no start times of workers in this profile</b><br>1 lifetime recorded"), "{note}");
    }
}
