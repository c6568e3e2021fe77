//! Throughput of training with each data loader setting.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::loops::Loop;
use crate::kit::sheet::Sheet;
use crate::kit::stack::Part;
use crate::kit::{label, loops, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_scaling",
    doc: "The throughput of training with each data loader setting, over all runs, in ascending number of workers.",
    queries: &[Ask::new("loader.scaling")],
    draw,
};

/// Maximum number of loops.
const LOOPS: usize = 40;

/// A loop with its settings and its throughput, in batches or samples per second.
struct Pace {
    whose: Loop,
    workers: Option<i64>,
    batch: Option<i64>,
    batches: f64,
    rest: f64,
    samples: f64,
    speedup: f64,
    speedup_rest: f64,
    is_baseline: bool,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut paces = paces(read::answer(frames, 0)?)?;
    if paces.is_empty() {
        let why = "Ingest a recording for each setting into one lake, with the setting as a tag: ingest(url, \
                   run=\"w4\", tags={\"num_workers\": \"4\"}).";
        return Ok(sheet::message("Settings of the data loader", "no timed loop in this profile", why));
    }
    let mut notes = Vec::new();
    // Batch sizes may differ, so compare samples if all sizes are known.
    let sized = paces.iter().all(|pace| pace.batch.is_some());
    let unit = if sized { "samples/s" } else { "batches/s" };
    let per = |pace: &Pace| if sized { pace.samples / pace.batches } else { 1.0 };
    paces.sort_by_key(|pace| (pace.workers.unwrap_or(i64::MAX), pace.batch, pace.whose.clone()));
    let loops: Vec<&Loop> = paces.iter().map(|pace| &pace.whose).collect();
    let mut names: Vec<String> =
        paces.iter().zip(loops::names(&loops)).map(|(pace, name)| named(pace, &name)).collect();
    let title = title(&paces, &names, sized);
    read::cap(&mut paces, LOOPS, "loops", &mut notes);
    names.truncate(LOOPS);
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Group);
    let x = theme::axis(&format!("throughput ({unit})")).range_mode(RangeMode::ToZero);
    let at = sheet.panel("", 30 + 30 * names.len(), x, stack::side(&names), true);
    let hover: Vec<String> = paces.iter().map(hover).collect();
    let color = theme::color("busy");
    let part = |name: &str, color: String, value: &dyn Fn(&Pace) -> f64| Part {
        name: name.to_owned(),
        color,
        values: paces.iter().map(value).collect(),
        hover: hover.clone(),
    };
    let rest = part("without the first batches", color.to_owned(), &|pace| per(pace) * pace.rest);
    let all = part("all batches", theme::faint(color, 0.4), &|pace| per(pace) * pace.batches);
    stack::draw(&mut sheet, &at, vec![rest, all], &Orientation::Horizontal);
    if paces.iter().any(|pace| pace.workers.is_none()) {
        notes.push("if the number of workers was not recorded, tag the run with num_workers at ingest".to_owned());
    }
    Ok(sheet.plot(&title, &notes))
}

fn paces(frame: &Frame) -> Result<Vec<Pace>> {
    let (workers, sizes) = (read::integers(frame, "num_workers")?, read::integers(frame, "batch_size")?);
    let value = |name| read::floats(frame, name);
    let (batches, rest) = (value("batches_per_s")?, value("rest_batches_per_s")?);
    let (samples, speedup, speedup_rest) = (value("samples_per_s")?, value("speedup")?, value("speedup_rest")?);
    let baseline = frame.column::<bool>("is_baseline")?;
    let rows = loops::loops(frame)?.into_iter().enumerate();
    let rows = rows.map(|(row, whose)| Pace {
        whose,
        workers: workers[row],
        batch: sizes[row],
        batches: batches[row],
        rest: rest[row],
        samples: samples[row],
        speedup: speedup[row],
        speedup_rest: speedup_rest[row],
        is_baseline: baseline[row].unwrap_or(false),
    });
    Ok(rows.collect())
}

/// `w4, 4 workers, batch 32`
fn named(pace: &Pace, name: &str) -> String {
    let workers = pace.workers.map_or(String::new(), |n| label::count(usize::try_from(n).unwrap_or(0), "worker"));
    let batch = pace.batch.map_or(String::new(), |n| format!("batch {n}"));
    label::join(&[name, &workers, &batch], ", ")
}

fn hover(pace: &Pace) -> String {
    let samples =
        if pace.samples.is_nan() { String::new() } else { format!(", {} samples/s", label::number(pace.samples)) };
    let speedup = match (pace.is_baseline, pace.speedup.is_nan()) {
        (true, _) => "<br>baseline of the comparison".to_owned(),
        (false, true) => String::new(),
        (false, false) => format!(
            "<br>{}x the baseline, {}x without the first batches",
            label::number(pace.speedup),
            label::number(pace.speedup_rest)
        ),
    };
    format!(
        "{}<br>{} batches/s{samples}<br>{} batches/s without the first batches{speedup}",
        loops::who(&pace.whose),
        label::number(pace.batches),
        label::number(pace.rest)
    )
}

/// `w4, 4 workers: 2.44x as fast as w0, 0 workers`
fn title(paces: &[Pace], names: &[String], sized: bool) -> String {
    let rate = |pace: &Pace| if sized { pace.samples } else { pace.batches };
    let all = || paces.iter().zip(names);
    let Some((best, name)) = all().max_by(|a, b| rate(a.0).total_cmp(&rate(b.0))) else { return String::new() };
    match all().find(|(pace, _)| pace.is_baseline) {
        Some((baseline, _)) if baseline.whose == best.whose && paces.len() > 1 => {
            format!(
                "no setting is faster than the baseline {name} ({} compared)",
                label::count(paces.len() - 1, "other")
            )
        }
        Some((_, base)) if best.speedup > 1.0 => format!("{name}: {}x as fast as {base}", label::number(best.speedup)),
        _ => {
            let unit = if sized { "samples" } else { "batches" };
            format!(
                "{name}: {} {unit}/s, the fastest of {}",
                label::number(rate(best)),
                label::count(paces.len(), "loop")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, known, message, none, texts, told, value};

    fn scaling(workers: &[i64]) -> Frame {
        let n = workers.len();
        let runs: Vec<String> = workers.iter().map(|workers| format!("w{workers}")).collect();
        let rate: Vec<f64> = workers.iter().map(|workers| 10.0 * (1.0 + *workers as f64)).collect();
        frame(vec![
            texts("run", &runs.iter().map(String::as_str).collect::<Vec<_>>()),
            texts("node", &vec![""; n]),
            known("rank", &vec![-1; n]),
            known("pid", &vec![-1; n]),
            texts("loader", &vec![""; n]),
            known("object", &vec![0; n]),
            known("num_workers", workers),
            known("batch_size", &vec![8; n]),
            floats("batches_per_s", &rate),
            floats("rest_batches_per_s", &rate),
            floats("samples_per_s", &rate.iter().map(|rate| 8.0 * rate).collect::<Vec<_>>()),
            floats("speedup", &rate.iter().map(|rate| rate / 10.0).collect::<Vec<_>>()),
            floats("speedup_rest", &rate.iter().map(|rate| rate / 10.0).collect::<Vec<_>>()),
            flags("is_baseline", &workers.iter().map(|workers| *workers == 0).collect::<Vec<_>>()),
        ])
    }

    #[test]
    fn settings_stand_in_the_order_of_their_workers() {
        let plot = value(&draw(&[scaling(&[4, 0, 2])]).unwrap());
        assert_eq!(plot["data"][1]["x"], json!([80.0, 240.0, 400.0]));
        assert_eq!(
            plot["layout"]["yaxis"]["ticktext"],
            json!(["run w0, 0 workers, batch 8", "run w2, 2 workers, batch 8", "run w4, 4 workers, batch 8"])
        );
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "throughput (samples/s)");
        assert_eq!(told(&plot), "run w4, 4 workers, batch 8: 5x as fast as run w0, 0 workers, batch 8");
    }

    #[test]
    fn one_setting_or_none_is_said() {
        let plot = value(&draw(&[scaling(&[0])]).unwrap());
        assert_eq!(told(&plot), "run w0, 0 workers, batch 8: 80 samples/s, the fastest of 1 loop");
        let (title, note) = message(&draw(&[none(&scaling(&[0]))]).unwrap());
        assert_eq!(title, "<b>Settings of the data loader</b>");
        assert!(note.starts_with("<b>no timed loop in this profile</b>"), "{note}");
    }
}
