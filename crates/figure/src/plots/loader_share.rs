//! Share of the time of each training loop that is spent waiting for data.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode, Shape, ShapeLayer, ShapeLine, ShapeType};

use crate::kit::loops::Loop;
use crate::kit::sheet::{Place, Sheet};
use crate::kit::stack::Part;
use crate::kit::{label, loops, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "loader_share",
    doc: "The share of time that each training loop spent waiting for data, with and without the first batches, \
          compared with the limit of 30 %.",
    queries: &[Ask::new("loader.share")],
    draw,
};

/// Maximum number of loops: those with the largest shares.
const LOOPS: usize = 40;
/// The limit of PyTorch's tutorial.
const LIMIT: f64 = 30.0;

/// A loop with a known share, in percent.
struct Share {
    whose: Loop,
    measure: String,
    batches: Option<i64>,
    load: Option<i64>,
    total: Option<i64>,
    all: f64,
    rest: f64,
}

impl Share {
    /// The share that decides: without the first batches if known.
    fn judged(&self) -> f64 {
        if self.rest.is_nan() { self.all } else { self.rest }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let (mut shares, mut notes) = shares(frame)?;
    if shares.is_empty() {
        let what = if notes.is_empty() { "no waits for batches in this profile" } else { "no share can be computed" };
        let why = "A share needs the total time. Measure both the wait and the work of each step, let DALI's Loader \
                   Evaluator finish its pass, or record the calls with their times.";
        return Ok(sheet::message("Waiting for data", what, why));
    }
    shares.sort_by(|a, b| b.judged().total_cmp(&a.judged()).then_with(|| a.whose.cmp(&b.whose)));
    let title = title(&shares);
    read::cap(&mut shares, LOOPS, "loops", &mut notes);
    let measures: Vec<&str> = shares.iter().map(|share| share.measure.as_str()).collect();
    if measures.iter().any(|measure| *measure != measures[0]) {
        notes.push("measures differ (see hover): compare only loops with the same measure".to_owned());
    }
    let names = loops::names(&shares.iter().map(|share| &share.whose).collect::<Vec<_>>());
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Group);
    let x = theme::axis("share of the time (%)").range_mode(RangeMode::ToZero);
    let at = sheet.panel("", 30 + 30 * names.len(), x, stack::side(&names), true);
    let hover: Vec<String> = shares.iter().map(hover).collect();
    let color = theme::color("loader");
    let part = |name: &str, color: String, value: fn(&Share) -> f64| Part {
        name: name.to_owned(),
        color,
        values: shares.iter().map(value).collect(),
        hover: hover.clone(),
    };
    let rest = part("without the first batches", color.to_owned(), |share| share.rest);
    let all = part("all batches", theme::faint(color, 0.4), |share| share.all);
    stack::draw(&mut sheet, &at, vec![rest, all], &Orientation::Horizontal);
    sheet.shape(limit(&at));
    notes.push("line: 30 %, the share above which PyTorch's tutorial calls loading the bottleneck".to_owned());
    Ok(sheet.plot(&title, &notes))
}

/// The loops with a share, and notes on loops without one.
fn shares(frame: &Frame) -> Result<(Vec<Share>, Vec<String>)> {
    let (measures, whys) = (read::texts(frame, "measure")?, read::texts(frame, "why")?);
    let column = |name| read::integers(frame, name);
    let (batches, load, total) = (column("batches")?, column("load")?, column("total")?);
    let (all, rest) = (read::floats(frame, "loader_ratio")?, read::floats(frame, "loader_ratio_rest")?);
    let mut shares = Vec::new();
    let mut notes = Vec::new();
    for (row, whose) in loops::loops(frame)?.into_iter().enumerate() {
        if all[row].is_nan() {
            notes.push(format!("no share of {}: {}", loops::names(&[&whose])[0], whys[row]));
            continue;
        }
        shares.push(Share {
            whose,
            measure: measures[row].clone(),
            batches: batches[row],
            load: load[row],
            total: total[row],
            all: 100.0 * all[row],
            rest: 100.0 * rest[row],
        });
    }
    let more = notes.len().saturating_sub(3);
    notes.truncate(3);
    if more > 0 {
        notes.push(format!("no share of {more} more loops"));
    }
    Ok((shares, notes))
}

fn hover(share: &Share) -> String {
    let exact = |ns: Option<i64>| ns.map_or_else(|| "?".to_owned(), label::precise_duration);
    let rest = if share.rest.is_nan() {
        "unknown without the first batches".to_owned()
    } else {
        format!("{} % without the first batch of each pass", label::number(share.rest))
    };
    format!(
        "{}<br>{} of {} spent waiting in {} batches: {} %<br>{rest}<br>measure: {}",
        loops::who(&share.whose),
        exact(share.load),
        exact(share.total),
        share.batches.map_or_else(|| "?".to_owned(), label::grouped),
        label::number(share.all),
        label::plain(&share.measure)
    )
}

fn limit(at: &Place) -> Shape {
    Shape::new()
        .shape_type(ShapeType::Line)
        .layer(ShapeLayer::Above)
        .x_ref(&at.x)
        .x0(LIMIT)
        .x1(LIMIT)
        .y_ref(format!("{} domain", at.y))
        .y0(0.0)
        .y1(1.0)
        .line(ShapeLine::new().width(1.5).color(theme::color("outlier")))
}

/// `nw2_slow waits for data 51.7 % of its time, first batches excluded`
fn title(shares: &[Share]) -> String {
    let most = &shares[0];
    let name = &loops::names(&shares.iter().map(|share| &share.whose).collect::<Vec<_>>())[0];
    let how = if most.rest.is_nan() { "" } else { ", first batches excluded" };
    format!("{name} waits for data {} % of its time{how}", label::number(most.judged()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, known, message, none, texts, told, value};

    fn share(n: usize) -> Frame {
        let loaders: Vec<String> = (0..n).map(|row| format!("w{row}")).collect();
        let ratio: Vec<f64> = (0..n).map(|row| 0.5 / (row + 1) as f64).collect();
        let rest: Vec<f64> = (0..n).map(|row| if row == 0 { 0.4 } else { f64::NAN }).collect();
        frame(vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec![""; n]),
            known("rank", &vec![-1; n]),
            known("pid", &vec![-1; n]),
            texts("loader", &loaders.iter().map(String::as_str).collect::<Vec<_>>()),
            known("object", &vec![0; n]),
            texts("measure", &vec!["steps"; n]),
            known("batches", &vec![1_000; n]),
            known("load", &vec![500_000_000; n]),
            known("total", &vec![1_000_000_000; n]),
            floats("loader_ratio", &ratio),
            floats("loader_ratio_rest", &rest),
            texts("why", &vec![""; n]),
        ])
    }

    #[test]
    fn the_share_without_first_batches_is_the_one_that_counts() {
        let plot = value(&draw(&[share(2)]).unwrap());
        assert_eq!(plot["data"][1]["x"], json!([50.0, 25.0]));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["w0", "w1"]));
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(30.0));
        assert!(
            told(&plot).starts_with("w0 waits for data 40 % of its time, first batches excluded | line"),
            "{}",
            told(&plot)
        );
        assert_eq!(
            plot["data"][0]["hovertext"][0],
            "run a, w0<br>500 ms of 1 s spent waiting in 1,000 batches: 50 %<br>40 % without the first batch of each pass<br>measure: steps"
        );
    }

    #[test]
    fn many_loops_are_bounded_and_none_is_said() {
        let plot = value(&draw(&[share(100)]).unwrap());
        assert_eq!(plot["data"][1]["x"].as_array().unwrap().len(), LOOPS);
        assert!(told(&plot).contains("40 of 100 loops shown"), "{}", told(&plot));
        let (title, note) = message(&draw(&[none(&share(1))]).unwrap());
        assert_eq!(title, "<b>Waiting for data</b>");
        assert!(note.starts_with("<b>no waits for batches in this profile</b>"), "{note}");
    }
}
