//! How much faster an epoch would be without waiting for data.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::label::Scale;
use crate::kit::loops::Loop;
use crate::kit::sheet::Sheet;
use crate::kit::stack::Part;
use crate::kit::{label, loops, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_comparison",
    doc: "The real time of each training loop compared with the ideal time, without waiting for data.",
    queries: &[Ask::new("loader.real_vs_ideal")],
    draw,
};

/// Maximum number of pairs: those with the largest speedup.
const PAIRS: usize = 24;

/// A loop and its ideal. Times are in ns.
struct Pair {
    whose: Loop,
    against: String,
    measure: String,
    real: f64,
    ideal: f64,
    speedup: f64,
    verdict: String,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let (mut pairs, mut notes) = pairs(read::answer(frames, 0)?)?;
    if pairs.is_empty() {
        let what = if notes.is_empty() { "no loader timings in this profile" } else { "nothing to compare with" };
        let why = "Run the loop twice with DALI's Loader Evaluator, in mode log and in mode replay, each to the end of \
                   its pass, and ingest both files as one run. Or measure the wait and the work of each step.";
        return Ok(sheet::message("Real and ideal loader", what, why));
    }
    pairs.sort_by(|a, b| b.speedup.total_cmp(&a.speedup).then_with(|| a.whose.cmp(&b.whose)));
    let names = labels(&pairs);
    let title = title(&pairs[0], &names[0]);
    read::cap(&mut pairs, PAIRS, "pairs", &mut notes);
    let scale = Scale::time(pairs.iter().map(|pair| pair.real).fold(0.0, f64::max));
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    let x = theme::axis(&format!("time ({})", scale.unit)).range_mode(RangeMode::ToZero);
    let at = sheet.panel("", 26 + 26 * pairs.len(), x, stack::side(&names[..pairs.len()]), true);
    let hover: Vec<String> = pairs.iter().map(hover).collect();
    let part = |name: &str, color: String, value: &dyn Fn(&Pair) -> f64| Part {
        name: name.to_owned(),
        color,
        values: pairs.iter().map(|pair| scale.of(value(pair))).collect(),
        hover: hover.clone(),
    };
    let ideal = part("ideal: no waiting for data", theme::color("busy").to_owned(), &|pair| pair.ideal);
    let gap =
        part("gap to the real time", theme::color("loader").to_owned(), &|pair| (pair.real - pair.ideal).max(0.0));
    stack::draw(&mut sheet, &at, vec![ideal, gap], &Orientation::Horizontal);
    if pairs.iter().any(|pair| pair.measure == "replay") {
        notes.push(
            "a replay repeats a few batches, so caches make it faster; one pass on each side has no error bar"
                .to_owned(),
        );
    }
    if pairs.iter().any(|pair| pair.measure != "replay") {
        notes.push("without a replay, the ideal time is computed: the same steps without their waits".to_owned());
    }
    Ok(sheet.plot(&title, &notes))
}

/// The pairs with a speedup, and notes on pairs without one.
fn pairs(frame: &Frame) -> Result<(Vec<Pair>, Vec<String>)> {
    let text = |name| read::texts(frame, name);
    let (against, measures, verdicts, whys) = (text("ideal_loader")?, text("measure")?, text("rating")?, text("why")?);
    let value = |name| read::floats(frame, name);
    let (real, ideal, speedup) = (value("real")?, value("ideal")?, value("speedup")?);
    let mut pairs = Vec::new();
    let mut notes = Vec::new();
    for (row, whose) in loops::loops(frame)?.into_iter().enumerate() {
        if speedup[row].is_nan() {
            notes.push(format!("{}: {}", loops::names(&[&whose])[0], whys[row]));
            continue;
        }
        pairs.push(Pair {
            whose,
            against: against[row].clone(),
            measure: measures[row].clone(),
            real: real[row],
            ideal: ideal[row],
            speedup: speedup[row],
            verdict: verdicts[row].clone(),
        });
    }
    let more = notes.len().saturating_sub(3);
    notes.truncate(3);
    if more > 0 {
        notes.push(format!("{more} more without a speedup"));
    }
    Ok((pairs, notes))
}

/// Labels of the pairs: `log, compared with replay` if a loop has several ideals.
fn labels(pairs: &[Pair]) -> Vec<String> {
    let names = loops::names(&pairs.iter().map(|pair| &pair.whose).collect::<Vec<_>>());
    let several = |pair: &Pair| pairs.iter().filter(|other| other.whose == pair.whose).count() > 1;
    let one = |(pair, name): (&Pair, String)| {
        if several(pair) { format!("{name}, compared with {}", label::clip(&pair.against, 20)) } else { name }
    };
    pairs.iter().zip(names).map(one).collect()
}

fn hover(pair: &Pair) -> String {
    let against = match pair.measure.as_str() {
        "replay" => format!("replay {}", label::plain(&pair.against)),
        _ => "the same steps without waits".to_owned(),
    };
    format!(
        "{}<br>real {}, ideal {} ({against})<br>{}x as fast, {} saved: {}",
        loops::who(&pair.whose),
        label::duration(pair.real),
        label::duration(pair.ideal),
        label::number(pair.speedup),
        label::share(pair.real - pair.ideal, pair.real),
        label::plain(&pair.verdict)
    )
}

/// `log_nw0: 9.57x as fast without waiting for data, 721 ms of 805 ms saved`
fn title(most: &Pair, name: &str) -> String {
    format!(
        "{name}: {}x as fast without waiting for data, {} of {} saved",
        label::number(most.speedup),
        label::duration(most.real - most.ideal),
        label::duration(most.real)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, known, message, none, texts, told, value};

    fn compared() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("node", &["", "", ""]),
            known("rank", &[-1, -1, -1]),
            known("pid", &[-1, -1, -1]),
            texts("loader", &["cut", "log", "steps"]),
            known("object", &[0, 1, 2]),
            texts("ideal_loader", &["replay", "replay", ""]),
            texts("measure", &["replay", "replay", "steps"]),
            floats("real", &[f64::NAN, 1e9, 2e9]),
            floats("ideal", &[4e8, 4e8, 1.8e9]),
            floats("speedup", &[f64::NAN, 2.5, 2.0 / 1.8]),
            texts("rating", &["", "bottleneck", "potential"]),
            texts("why", &["the real pass did not end", "", ""]),
        ])
    }

    #[test]
    fn the_gap_lies_on_the_ideal() {
        let plot = value(&draw(&[compared()]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([0.4, 1.8]));
        assert_eq!(plot["data"][1]["x"], json!([0.6, 0.2]));
        assert_eq!(plot["layout"]["barmode"], "stack");
        assert!(
            told(&plot).starts_with(
                "log: 2.5x as fast without waiting for data, 600 ms of 1 s saved | cut: the real pass did not end"
            ),
            "{}",
            told(&plot)
        );
        assert_eq!(
            plot["data"][0]["hovertext"][0],
            "run a, log<br>real 1 s, ideal 400 ms (replay replay)<br>2.5x as fast, 60 % saved: bottleneck"
        );
    }

    #[test]
    fn nothing_to_compare_is_said() {
        let (title, note) = message(&draw(&[none(&compared())]).unwrap());
        assert_eq!(title, "<b>Real and ideal loader</b>");
        assert!(note.starts_with("<b>no loader timings in this profile</b>"), "{note}");
    }
}
