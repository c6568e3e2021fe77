//! Shares of computation, other device work and idle time of each rank.

use plotly::Plot;

use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "temporal_breakdown",
    doc: "The shares of computation, other device work and idle time of each rank; a panel per run.",
    queries: &[FigureQuery::new("kernel.temporal_breakdown")],
    draw,
};

/// Maximum number of bars in the figure.
const ROWS: usize = 96;

row_types! {
    /// Times of a rank, in ns.
    struct RankTimes {
        origin: Origin,
        dur: i64,
        computation: i64,
        non_computation: i64,
        idle: i64,
        /// Null if device work of the run could not be read.
        idle_ratio: Option<f64>,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut ranks = RankTimes::read(read::frame(frames, 0)?)?;
    ranks.retain(|rank| rank.dur > 0);
    if ranks.is_empty() {
        let why = "No kernel, copy or fill was recorded. Either the job ran on the CPU, or the profiler did not record \
                   the device. Record with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU).";
        return Ok(sheet::message_plot("Temporal breakdown", "no device work in this profile", why));
    }
    let all = ranks.len();
    ranks.retain(|rank| rank.idle_ratio.is_some());
    if ranks.is_empty() {
        return Ok(sheet::unread_plot("Temporal breakdown"));
    }
    let mut notes = vec!["share of the time from the first to the last work on the devices of a rank".to_owned()];
    notes.extend(sheet::unread_note(all - ranks.len(), "rank"));
    let mut runs = group_by(&ranks, |rank| rank.origin.run.as_str());
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let max_rows = ROWS / runs.len();
    let labels = OriginLabels::new(ranks.iter().map(|rank| &rank.origin));
    let mut sheet = Sheet::with_stacked_bars();
    for (run, ranks) in &mut runs {
        read::truncate(ranks, max_rows, &format!("ranks of {}", label::clip(run, 20)), &mut notes);
        let names: Vec<String> = ranks.iter().map(|rank| labels.label(&rank.origin)).collect();
        let x = theme::axis("share of the time (%)").range(vec![0.0, 100.0]);
        let axes = stack::add_panel(&mut sheet, &format!("run {run}"), 22 + 18 * ranks.len(), x, &names);
        let part = |name: &str, category: &str, time: fn(&RankTimes) -> i64| {
            let value = |rank: &&RankTimes| 100.0 * time(rank) as f64 / rank.dur as f64;
            BarPart::new(name, theme::work_color(category), ranks, value, |rank| hover(rank, name, time(rank)))
        };
        let parts = [
            part("computation", "computation", |rank| rank.computation),
            part("communication and copies only", "non_computation", |rank| rank.non_computation),
            part("idle", "idle", |rank| rank.idle),
        ];
        stack::draw(&mut sheet, &axes, parts);
    }
    Ok(sheet.into_plot(&title(&ranks, labels), &notes))
}

fn hover(rank: &RankTimes, name: &str, time: i64) -> String {
    format!(
        "{}<br>{name}<br>{}: {} of {}",
        rank.origin.full_label(),
        label::percentage(time as f64, rank.dur as f64),
        label::precise_duration(time),
        label::precise_duration(rank.dur)
    )
}

/// `devices computed 38.1 % of the time and were idle 60.2 %; idle from 55 % (rank 1) to 62 % (rank 0)`
fn title(ranks: &[RankTimes], labels: OriginLabels) -> String {
    let sum = |time: fn(&RankTimes) -> i64| ranks.iter().map(|rank| time(rank) as f64).sum::<f64>();
    let total = sum(|rank| rank.dur);
    let text = format!(
        "Devices computed {} of the time and were idle {}",
        label::percentage(sum(|rank| rank.computation), total),
        label::percentage(sum(|rank| rank.idle), total)
    );
    let idle_share = |rank: &RankTimes| rank.idle as f64 / rank.dur as f64;
    let mut sorted: Vec<&RankTimes> = ranks.iter().collect();
    sorted.sort_by(|a, b| idle_share(a).total_cmp(&idle_share(b)));
    let [first, .., last] = sorted[..] else { return text };
    let several_runs = ranks.iter().any(|rank| rank.origin.run != first.origin.run);
    let share = |rank: &RankTimes| {
        let run = if several_runs { rank.origin.run.as_str() } else { "" };
        let name = label::join(&[run, &labels.label(&rank.origin)], " ");
        format!("{} ({name})", label::percentage(rank.idle as f64, rank.dur as f64))
    };
    format!("{text}; idle from {} to {}", share(first), share(last))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn breakdown(n: usize) -> Frame {
        let rows: Vec<i64> = (0..i64::try_from(n).unwrap()).collect();
        frame(vec![
            texts("run", &vec!["a<b>"; n]),
            texts("node", &vec!["n1"; n]),
            nullable_ints("rank", &rows),
            ints("span", &vec![0; n]),
            ints("dur", &vec![1_000_001; n]),
            ints("computation", &rows.iter().map(|row| 250_000 + row).collect::<Vec<_>>()),
            ints("non_computation", &vec![250_000; n]),
            ints("idle", &rows.iter().map(|row| 500_001 - row).collect::<Vec<_>>()),
            floats("idle_ratio", &vec![0.5; n]),
        ])
    }

    #[test]
    fn the_shares_of_a_rank_add_up() {
        let plot = to_value(&draw(&[breakdown(2)]).unwrap());
        let (computation, idle) = (&plot["data"][0], &plot["data"][2]);
        assert_eq!((&computation["x"], &computation["y"]), (&json!([24.999_975, 25.000_075]), &json!([0.0, 1.0])));
        assert_eq!(
            (&computation["marker"]["color"], &computation["orientation"]),
            (&json!(theme::color("kernel")), &json!("h"))
        );
        assert_eq!(idle["hovertext"][1], "run a&lt;b&gt;, n1, rank 1<br>idle<br>50 %: 500 us of 1 ms");
        assert_eq!(plot["layout"]["barmode"], "stack");
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["rank 0", "rank 1"]));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "share of the time (%)");
        assert_eq!(
            heading(&plot),
            "Devices computed 25 % of the time and were idle 50 %; idle from 50 % (rank 1) to 50 % (rank 0) | share of the time from the first to the last work on the devices of a rank"
        );
    }

    #[test]
    fn the_number_of_ranks_is_limited() {
        let plot = to_value(&draw(&[breakdown(300)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), ROWS);
        assert!(heading(&plot).ends_with("96 of 300 ranks of a&lt;b&gt; shown"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&breakdown(1))]).unwrap());
        assert_eq!(title, "<b>Temporal breakdown</b>");
        assert!(note.starts_with("<b>no device work in this profile</b><br>No kernel, copy or fill"), "{note}");
    }
}
