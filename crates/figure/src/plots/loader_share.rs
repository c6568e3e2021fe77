//! Share of the time of each training loop that is spent waiting for data.

use plotly::Plot;
use plotly::layout::ShapeLine;

use crate::kit::loops::{self, Loop};
use crate::kit::read::{Scaled, row_types};
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::{label, read, series, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_share",
    doc: "The share of time that each training loop spent waiting for data, with and without the first batches, \
          compared with the limit of 30 %.",
    queries: &[FigureQuery::new("loader.share")],
    draw,
};

/// Maximum number of loops: those with the largest shares.
const LOOPS: usize = 40;
/// The limit of PyTorch's tutorial, in percent.
const LIMIT: f64 = 30.0;

row_types! {
    /// A loop with its shares in percent. Times are in ns.
    struct LoopShare {
        training_loop: Loop,
        /// Pass of the loop, if a row is not the whole loop.
        pass: Option<i64>,
        measure: String,
        batches: Option<i64>,
        load: Option<i64>,
        total: Option<i64>,
        all: f64 = Scaled("loader_ratio", 100.0),
        /// The share without the first batches.
        rest: f64 = Scaled("loader_ratio_rest", 100.0),
        /// Why the share is unknown.
        why: String,
    }
}

impl LoopShare {
    /// The share for comparisons: without the first batches if known.
    fn main_share(&self) -> f64 {
        if self.rest.is_nan() { self.all } else { self.rest }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let (mut shares, mut notes) = read_shares(read::frame(frames, 0)?)?;
    if shares.is_empty() {
        let what = if notes.is_empty() { "no waits for batches in this profile" } else { "no share can be computed" };
        let why = "A share needs the total time. Measure both the wait and the work of each step, let DALI's Loader \
                   Evaluator finish its pass, or record the calls with their times.";
        return Ok(sheet::message_plot("Waiting for data", what, why));
    }
    shares
        .sort_by(|a, b| b.main_share().total_cmp(&a.main_share()).then_with(|| a.training_loop.cmp(&b.training_loop)));
    let title = title(&shares);
    read::truncate(&mut shares, LOOPS, "loops", &mut notes);
    if shares.iter().any(|share| share.measure != shares[0].measure) {
        notes.push("measures differ (see hover): compare only loops with the same measure".to_owned());
    }
    let names = names(&shares);
    let mut sheet = Sheet::with_grouped_bars();
    let x = theme::axis_from_zero("share of the time", "%");
    let axes = stack::add_panel(&mut sheet, "", 30 + 30 * names.len(), x, &names);
    let color = theme::color("loader");
    let rest = BarPart::new("without the first batches", color, &shares, |share| share.rest, hover);
    let all = BarPart::new("all batches", theme::with_opacity(color, 0.4), &shares, |share| share.all, hover);
    stack::draw(&mut sheet, &axes, [rest, all]);
    let line = ShapeLine::new().width(1.5).color(theme::color("outlier"));
    sheet.add_shape(series::vertical_line(LIMIT, &axes, line));
    notes.push("line: 30 %, the share above which PyTorch's tutorial calls loading the bottleneck".to_owned());
    Ok(sheet.into_plot(&title, &notes))
}

/// Reads the loops with a share, and notes on loops without one.
fn read_shares(frame: &Frame) -> Result<(Vec<LoopShare>, Vec<String>)> {
    let shares = LoopShare::read(frame)?.into_iter();
    let (unknown, shares): (Vec<_>, Vec<_>) = shares.partition(|share| share.all.is_nan());
    let note = |share: &LoopShare| format!("no share of {}: {}", share.training_loop.short_label(), share.why);
    let mut notes: Vec<String> = unknown.iter().take(3).map(note).collect();
    if unknown.len() > 3 {
        notes.push(format!("no share of {} more loops", unknown.len() - 3));
    }
    Ok((shares, notes))
}

fn hover(share: &LoopShare) -> String {
    let duration = |ns: Option<i64>| ns.map_or_else(|| "?".to_owned(), label::precise_duration);
    let rest = if share.rest.is_nan() {
        "unknown without the first batches".to_owned()
    } else {
        format!("{} % without the first batch of each pass", label::number(share.rest))
    };
    format!(
        "{}<br>{} of {} spent waiting in {} batches: {} %<br>{rest}<br>measure: {}",
        share.training_loop.full_label(),
        duration(share.load),
        duration(share.total),
        share.batches.map_or_else(|| "?".to_owned(), label::group_digits),
        label::number(share.all),
        label::sanitize(&share.measure)
    )
}

fn names(shares: &[LoopShare]) -> Vec<String> {
    let labels = loops::labels(shares.iter().map(|share| &share.training_loop)).into_iter();
    labels.zip(shares).map(|(name, share)| label::join(&[&name, &label::numbered("pass", share.pass)], ", ")).collect()
}

/// `nw2_slow waits for data 51.7 % of its time, first batches excluded`
fn title(shares: &[LoopShare]) -> String {
    let largest = &shares[0];
    let name = &names(shares)[0];
    let what = if largest.rest.is_nan() { "" } else { ", first batches excluded" };
    format!("{name} waits for data {} % of its time{what}", label::number(largest.main_share()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, message, nullable_ints, texts, to_value, without_rows};

    fn share(n: usize) -> Frame {
        let loaders: Vec<String> = (0..n).map(|row| format!("w{row}")).collect();
        let ratio: Vec<f64> = (0..n).map(|row| 0.5 / (row + 1) as f64).collect();
        let rest: Vec<f64> = (0..n).map(|row| if row == 0 { 0.4 } else { f64::NAN }).collect();
        frame(vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec![""; n]),
            nullable_ints("rank", &vec![-1; n]),
            nullable_ints("pid", &vec![-1; n]),
            texts("loader", &loaders.iter().map(String::as_str).collect::<Vec<_>>()),
            nullable_ints("object", &vec![0; n]),
            nullable_ints("pass", &vec![-1; n]),
            texts("measure", &vec!["steps"; n]),
            nullable_ints("batches", &vec![1_000; n]),
            nullable_ints("load", &vec![500_000_000; n]),
            nullable_ints("total", &vec![1_000_000_000; n]),
            floats("loader_ratio", &ratio),
            floats("loader_ratio_rest", &rest),
            texts("why", &vec![""; n]),
        ])
    }

    #[test]
    fn the_share_without_first_batches_is_the_main_share() {
        let plot = to_value(&draw(&[share(2)]).unwrap());
        assert_eq!(plot["data"][1]["x"], json!([50.0, 25.0]));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["w0", "w1"]));
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(30.0));
        assert!(
            heading(&plot).starts_with("w0 waits for data 40 % of its time, first batches excluded | line"),
            "{}",
            heading(&plot)
        );
        assert_eq!(
            plot["data"][0]["hovertext"][0],
            "run a, w0<br>500 ms of 1 s spent waiting in 1,000 batches: 50 %<br>40 % without the first batch of each pass<br>measure: steps"
        );
    }

    #[test]
    fn the_number_of_loops_is_limited_and_an_empty_frame_shows_a_message() {
        let plot = to_value(&draw(&[share(100)]).unwrap());
        assert_eq!(plot["data"][1]["x"].as_array().unwrap().len(), LOOPS);
        assert!(heading(&plot).contains("40 of 100 loops shown"), "{}", heading(&plot));
        let (title, note) = message(&draw(&[without_rows(&share(1))]).unwrap());
        assert_eq!(title, "<b>Waiting for data</b>");
        assert!(note.starts_with("<b>no waits for batches in this profile</b>"), "{note}");
    }
}
