//! Throughput of training with each data loader setting.

use plotly::Plot;

use crate::kit::loops::{self, Loop};
use crate::kit::read::row_types;
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_scaling",
    doc: "The throughput of training with each data loader setting, over all runs, in ascending number of workers.",
    queries: &[FigureQuery::new("loader.scaling")],
    draw,
};

/// Maximum number of loops.
const LOOPS: usize = 40;

row_types! {
    /// A loop with its settings and its throughput, in batches or samples per second.
    struct LoopThroughput {
        training_loop: Loop,
        workers: Option<i64> = "num_workers",
        batch_size: Option<i64>,
        batches: f64 = "batches_per_s",
        /// Throughput without the first batches.
        rest_batches: f64 = "rest_batches_per_s",
        samples: f64 = "samples_per_s",
        speedup: f64,
        speedup_rest: f64,
        is_baseline: bool,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut loops = LoopThroughput::read(read::frame(frames, 0)?)?;
    if loops.is_empty() {
        let why = "Ingest a recording for each setting into one lake, with the setting as a tag: ingest(url, \
                   run=\"w4\", tags={\"num_workers\": \"4\"}).";
        return Ok(sheet::message_plot("Settings of the data loader", "no timed loop in this profile", why));
    }
    let mut notes = Vec::new();
    // Batch sizes may differ, so compare samples if all sizes are known.
    let has_samples = loops.iter().all(|row| row.batch_size.is_some());
    let unit = if has_samples { "samples/s" } else { "batches/s" };
    let per_batch = |row: &LoopThroughput| if has_samples { row.samples / row.batches } else { 1.0 };
    loops.sort_by_key(|row| (row.workers.unwrap_or(i64::MAX), row.batch_size, row.training_loop.clone()));
    let labels = loops::labels(loops.iter().map(|row| &row.training_loop));
    let mut names: Vec<String> = loops.iter().zip(labels).map(|(row, label)| name(row, &label)).collect();
    let title = title(&loops, &names, has_samples);
    read::truncate(&mut loops, LOOPS, "loops", &mut notes);
    names.truncate(LOOPS);
    let mut sheet = Sheet::with_grouped_bars();
    let x = theme::axis_from_zero("throughput", unit);
    let axes = stack::add_panel(&mut sheet, "", 30 + 30 * names.len(), x, &names);
    let part = |name: &str, color: String, batches: fn(&LoopThroughput) -> f64| {
        BarPart::new(name, color, &loops, |row| per_batch(row) * batches(row), hover)
    };
    let color = theme::color("busy");
    let rest = part("without the first batches", color.to_owned(), |row| row.rest_batches);
    let all = part("all batches", theme::with_opacity(color, 0.4), |row| row.batches);
    stack::draw(&mut sheet, &axes, [rest, all]);
    if loops.iter().any(|row| row.workers.is_none()) {
        notes.push("if the number of workers was not recorded, tag the run with num_workers at ingest".to_owned());
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// `w4, 4 workers, batch 32`
fn name(row: &LoopThroughput, label: &str) -> String {
    let workers = row.workers.map_or(String::new(), |n| label::count(n, "worker"));
    label::join(&[label, &workers, &label::numbered("batch", row.batch_size)], ", ")
}

fn hover(row: &LoopThroughput) -> String {
    let samples =
        if row.samples.is_nan() { String::new() } else { format!(", {} samples/s", label::number(row.samples)) };
    let speedup = match (row.is_baseline, row.speedup.is_nan()) {
        (true, _) => "<br>baseline of the comparison".to_owned(),
        (false, true) => String::new(),
        (false, false) => format!(
            "<br>{}x the baseline, {}x without the first batches",
            label::number(row.speedup),
            label::number(row.speedup_rest)
        ),
    };
    format!(
        "{}<br>{} batches/s{samples}<br>{} batches/s without the first batches{speedup}",
        row.training_loop.full_label(),
        label::number(row.batches),
        label::number(row.rest_batches)
    )
}

/// `w4, 4 workers: 2.44x as fast as w0, 0 workers`
fn title(loops: &[LoopThroughput], names: &[String], has_samples: bool) -> String {
    let rate = |row: &LoopThroughput| if has_samples { row.samples } else { row.batches };
    let all = || loops.iter().zip(names);
    let Some((best, name)) = all().max_by(|a, b| rate(a.0).total_cmp(&rate(b.0))) else { return String::new() };
    match all().find(|(row, _)| row.is_baseline) {
        Some((baseline, _)) if baseline.training_loop == best.training_loop && loops.len() > 1 => {
            let others = label::count(loops.len() - 1, "other");
            format!("no setting is faster than the baseline {name} ({others} compared)")
        }
        Some((_, base)) if best.speedup > 1.0 => format!("{name}: {}x as fast as {base}", label::number(best.speedup)),
        _ => {
            let unit = if has_samples { "samples" } else { "batches" };
            let count = label::count(loops.len(), "loop");
            format!("{name}: {} {unit}/s, the fastest of {count}", label::number(rate(best)))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, heading, message, nullable_ints, texts, to_value, without_rows};

    fn scaling(workers: &[i64]) -> Frame {
        let n = workers.len();
        let runs: Vec<String> = workers.iter().map(|workers| format!("w{workers}")).collect();
        let rate: Vec<f64> = workers.iter().map(|workers| 10.0 * (1.0 + *workers as f64)).collect();
        frame(vec![
            texts("run", &runs.iter().map(String::as_str).collect::<Vec<_>>()),
            texts("node", &vec![""; n]),
            nullable_ints("rank", &vec![-1; n]),
            nullable_ints("pid", &vec![-1; n]),
            texts("loader", &vec![""; n]),
            nullable_ints("object", &vec![0; n]),
            nullable_ints("num_workers", workers),
            nullable_ints("batch_size", &vec![8; n]),
            floats("batches_per_s", &rate),
            floats("rest_batches_per_s", &rate),
            floats("samples_per_s", &rate.iter().map(|rate| 8.0 * rate).collect::<Vec<_>>()),
            floats("speedup", &rate.iter().map(|rate| rate / 10.0).collect::<Vec<_>>()),
            floats("speedup_rest", &rate.iter().map(|rate| rate / 10.0).collect::<Vec<_>>()),
            flags("is_baseline", &workers.iter().map(|workers| *workers == 0).collect::<Vec<_>>()),
        ])
    }

    #[test]
    fn settings_are_in_the_order_of_their_workers() {
        let plot = to_value(&draw(&[scaling(&[4, 0, 2])]).unwrap());
        assert_eq!(plot["data"][1]["x"], json!([80.0, 240.0, 400.0]));
        assert_eq!(
            plot["layout"]["yaxis"]["ticktext"],
            json!(["run w0, 0 workers, batch 8", "run w2, 2 workers, batch 8", "run w4, 4 workers, batch 8"])
        );
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "throughput (samples/s)");
        assert_eq!(heading(&plot), "run w4, 4 workers, batch 8: 5x as fast as run w0, 0 workers, batch 8");
    }

    #[test]
    fn a_single_setting_and_an_empty_frame() {
        let plot = to_value(&draw(&[scaling(&[0])]).unwrap());
        assert_eq!(heading(&plot), "run w0, 0 workers, batch 8: 80 samples/s, the fastest of 1 loop");
        let (title, note) = message(&draw(&[without_rows(&scaling(&[0]))]).unwrap());
        assert_eq!(title, "<b>Settings of the data loader</b>");
        assert!(note.starts_with("<b>no timed loop in this profile</b>"), "{note}");
    }
}
