//! How much faster an epoch would be without waiting for data.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::loops::{self, Loop};
use crate::kit::read::row_types;
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_comparison",
    doc: "The real time of each training loop compared with the ideal time, without waiting for data.",
    queries: &[FigureQuery::new("loader.real_vs_ideal")],
    draw,
};

/// Maximum number of pairs: those with the largest speedup.
const PAIRS: usize = 24;

row_types! {
    /// A loop and its ideal. Times are in ns.
    struct LoopComparison {
        training_loop: Loop,
        ideal_loader: String,
        measure: String,
        real: f64,
        ideal: f64,
        speedup: f64,
        rating: String,
        /// Why the speedup is unknown.
        why: String,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let (mut pairs, mut notes) = read_pairs(read::frame(frames, 0)?)?;
    if pairs.is_empty() {
        let what = if notes.is_empty() { "no loader timings in this profile" } else { "nothing to compare with" };
        let why = "Run the loop twice with DALI's Loader Evaluator, in mode log and in mode replay, each to the end of \
                   its pass, and ingest both files as one run. Or measure the wait and the work of each step.";
        return Ok(sheet::message_plot("Real and ideal loader", what, why));
    }
    pairs.sort_by(|a, b| b.speedup.total_cmp(&a.speedup).then_with(|| a.training_loop.cmp(&b.training_loop)));
    let names = pair_names(&pairs);
    let title = title(&pairs[0], &names[0]);
    read::truncate(&mut pairs, PAIRS, "pairs", &mut notes);
    let scale = Scale::time(pairs.iter().map(|pair| pair.real).fold(0.0, f64::max));
    let mut sheet = Sheet::with_stacked_bars();
    let x = theme::axis_from_zero("time", scale.unit);
    let axes = stack::add_panel(&mut sheet, "", 26 + 26 * pairs.len(), x, &names[..pairs.len()]);
    let part = |name: &str, role: &str, value: fn(&LoopComparison) -> f64| {
        BarPart::new(name, theme::color(role), &pairs, |pair| scale.convert(value(pair)), hover)
    };
    let ideal = part("ideal: no waiting for data", "busy", |pair| pair.ideal);
    let gap = part("gap to the real time", "loader", |pair| (pair.real - pair.ideal).max(0.0));
    stack::draw(&mut sheet, &axes, [ideal, gap]);
    if pairs.iter().any(|pair| pair.measure == "replay") {
        notes.push(
            "a replay repeats a few batches, so caches make it faster; one pass on each side has no error bar"
                .to_owned(),
        );
    }
    if pairs.iter().any(|pair| pair.measure != "replay") {
        notes.push("without a replay, the ideal time is computed: the same steps without their waits".to_owned());
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// Reads the pairs with a speedup, and notes on pairs without one.
fn read_pairs(frame: &Frame) -> Result<(Vec<LoopComparison>, Vec<String>)> {
    let pairs = LoopComparison::read(frame)?.into_iter();
    let (unknown, pairs): (Vec<_>, Vec<_>) = pairs.partition(|pair| pair.speedup.is_nan());
    let mut notes: Vec<String> =
        unknown.iter().take(3).map(|pair| format!("{}: {}", pair.training_loop.short_label(), pair.why)).collect();
    if unknown.len() > 3 {
        notes.push(format!("{} more without a speedup", unknown.len() - 3));
    }
    Ok((pairs, notes))
}

/// Names of the pairs: `log, compared with replay` if a loop has several ideals.
fn pair_names(pairs: &[LoopComparison]) -> Vec<String> {
    let names = loops::labels(pairs.iter().map(|pair| &pair.training_loop));
    let name = |(pair, name): (&LoopComparison, String)| {
        let ideals = pairs.iter().filter(|other| other.training_loop == pair.training_loop).count();
        if ideals > 1 { format!("{name}, compared with {}", label::clip(&pair.ideal_loader, 20)) } else { name }
    };
    pairs.iter().zip(names).map(name).collect()
}

fn hover(pair: &LoopComparison) -> String {
    let ideal = match pair.measure.as_str() {
        "replay" => format!("replay {}", label::sanitize(&pair.ideal_loader)),
        _ => "the same steps without waits".to_owned(),
    };
    format!(
        "{}<br>real {}, ideal {} ({ideal})<br>{}x as fast, {} saved: {}",
        pair.training_loop.full_label(),
        label::duration(pair.real),
        label::duration(pair.ideal),
        label::number(pair.speedup),
        label::percentage(pair.real - pair.ideal, pair.real),
        label::sanitize(&pair.rating)
    )
}

/// `log_nw0: 9.57x as fast without waiting for data, 721 ms of 805 ms saved`
fn title(pair: &LoopComparison, name: &str) -> String {
    format!(
        "{name}: {}x as fast without waiting for data, {} of {} saved",
        label::number(pair.speedup),
        label::duration(pair.real - pair.ideal),
        label::duration(pair.real)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, message, nullable_ints, texts, to_value, without_rows};

    fn compared() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("node", &["", "", ""]),
            nullable_ints("rank", &[-1, -1, -1]),
            nullable_ints("pid", &[-1, -1, -1]),
            texts("loader", &["cut", "log", "steps"]),
            nullable_ints("object", &[0, 1, 2]),
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
    fn the_gap_is_stacked_on_the_ideal() {
        let plot = to_value(&draw(&[compared()]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([0.4, 1.8]));
        assert_eq!(plot["data"][1]["x"], json!([0.6, 0.2]));
        assert_eq!(plot["layout"]["barmode"], "stack");
        assert!(
            heading(&plot).starts_with(
                "log: 2.5x as fast without waiting for data, 600 ms of 1 s saved | cut: the real pass did not end"
            ),
            "{}",
            heading(&plot)
        );
        assert_eq!(
            plot["data"][0]["hovertext"][0],
            "run a, log<br>real 1 s, ideal 400 ms (replay replay)<br>2.5x as fast, 60 % saved: bottleneck"
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&compared())]).unwrap());
        assert_eq!(title, "<b>Real and ideal loader</b>");
        assert!(note.starts_with("<b>no loader timings in this profile</b>"), "{note}");
    }
}
