//! Ranks that the other ranks wait for, and parts of a step that differ between ranks.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PANELS, PanelAxes, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rank_comparison",
    doc: "Which ranks the others wait for in collectives, and which part of a step differs between ranks; two panels \
          per run.",
    queries: &[FigureQuery::new("rank.stragglers"), FigureQuery::new("rank.imbalance")],
    draw,
};

/// Maximum number of ranks in a panel.
const RANKS: usize = 48;

row_types! {
    /// A rank with its waiting times in collectives, in ns.
    struct RankWaits {
        origin: Origin,
        collectives: i64,
        /// Number of collectives in which it was the last rank to arrive.
        times_last: i64,
        /// Time that other ranks waited for it.
        held_up: i64,
        waited: i64,
    }

    /// A part of the step, compared over the ranks of a run. Times are in ns.
    struct PartSpread {
        run: String,
        part: String,
        ranks: i64,
        mean: f64 = "dur_mean",
        min: f64 = "dur_min",
        min_rank: Option<i64>,
        max: f64 = "dur_max",
        max_rank: Option<i64>,
    }
}

impl PartSpread {
    fn spread(&self) -> f64 {
        self.max - self.min
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let ranks = RankWaits::read(read::frame(frames, 0)?)?;
    let parts = PartSpread::read(read::frame(frames, 1)?)?;
    if ranks.is_empty() && parts.is_empty() {
        let why = "Ranks are compared within a run. Ingest the traces of all ranks of a job as one run: a folder with \
                   one trace per rank. A trace without a rank in its contents or file name is not compared.";
        return Ok(sheet::message_plot("Comparison of ranks", "no two ranks in this profile", why));
    }
    let mut notes = Vec::new();
    let rank_runs = ranks.iter().map(|rank| rank.origin.run.as_str());
    let mut runs = group_by(rank_runs.chain(parts.iter().map(|part| part.run.as_str())), |run| run);
    read::truncate(&mut runs, PANELS / 2, "runs", &mut notes);
    let waits = ranks.iter().map(|rank| rank.held_up.max(rank.waited) as f64).fold(0.0, f64::max);
    let scale = Scale::time(waits.max(parts.iter().map(|part| part.max).fold(0.0, f64::max)));
    let labels = OriginLabels::new(ranks.iter().map(|rank| &rank.origin));
    let mut sheet = Sheet::with_grouped_bars();
    for (run, _) in &runs {
        let mut ranks: Vec<&RankWaits> = ranks.iter().filter(|rank| rank.origin.run == *run).collect();
        read::truncate(&mut ranks, RANKS, &format!("ranks of {}", label::clip(run, 20)), &mut notes);
        if !ranks.is_empty() {
            draw_waits(&mut sheet, run, &ranks, labels, scale);
        }
        let parts: Vec<&PartSpread> = parts.iter().filter(|part| part.run == *run && part.max > 0.0).collect();
        if !parts.is_empty() {
            draw_parts(&mut sheet, run, &parts, scale);
        }
    }
    if !ranks.is_empty() {
        notes
            .push("waiting: time in a collective beyond that of the fastest rank, over the whole recording".to_owned());
    }
    Ok(sheet.into_plot(&title(runs[0].0, runs.len(), &ranks, &parts), &notes))
}

/// Draws two bars for each rank: how long other ranks waited for it, and how long it waited.
fn draw_waits(sheet: &mut Sheet, run: &str, ranks: &[&RankWaits], labels: OriginLabels, scale: Scale) {
    let names: Vec<String> = ranks.iter().map(|rank| labels.label(&rank.origin)).collect();
    let axes = add_panel(sheet, &format!("run {run}: waiting in collectives"), &names, scale);
    let part = |name: &str, role: &str, value: fn(&RankWaits) -> i64| {
        let hover = |rank: &&RankWaits| {
            format!(
                "{}<br>{name}: {}<br>last to arrive at {} of {} collectives",
                rank.origin.full_label(),
                label::precise_duration(value(rank)),
                label::group_digits(rank.times_last),
                label::group_digits(rank.collectives)
            )
        };
        BarPart::new(name, theme::color(role), ranks, |rank| scale.convert(value(rank) as f64), hover)
    };
    let held_up = part("others waited for this rank", "outlier", |rank| rank.held_up);
    let waited = part("this rank waited for others", "communication", |rank| rank.waited);
    stack::draw(sheet, &axes, [held_up, waited]);
}

/// Draws two bars for each part of a step: the ranks with the maximum and the minimum time.
fn draw_parts(sheet: &mut Sheet, run: &str, parts: &[&PartSpread], scale: Scale) {
    let names: Vec<String> = parts.iter().map(|part| part.part.clone()).collect();
    let axes = add_panel(sheet, &format!("run {run}: mean step of a rank"), &names, scale);
    let bar_part = |name: &str, color: String, value: fn(&PartSpread) -> (f64, Option<i64>)| {
        let hover = |part: &&PartSpread| {
            let (time, rank) = value(part);
            format!(
                "run {}<br>{}, {name}: rank {}<br>{} per step; mean of {} ranks {}",
                label::sanitize(run),
                label::sanitize(&part.part),
                rank.unwrap_or(-1),
                label::duration(time),
                label::group_digits(part.ranks),
                label::duration(part.mean)
            )
        };
        BarPart::new(name, color, parts, |part| scale.convert(value(part).0), hover)
    };
    let color = theme::color("kernel");
    let max = bar_part("rank with the maximum", color.to_owned(), |part| (part.max, part.max_rank));
    let min = bar_part("rank with the minimum", theme::with_opacity(color, 0.35), |part| (part.min, part.min_rank));
    stack::draw(sheet, &axes, [max, min]);
}

fn add_panel(sheet: &mut Sheet, label: &str, names: &[String], scale: Scale) -> PanelAxes {
    stack::add_panel(sheet, label, 26 + 26 * names.len(), theme::axis_from_zero("time", scale.unit), names)
}

/// `97.5 % of 12.3 ms of waiting is for rank 1; loader differs most: 253 us on rank 0, 1.61 ms on rank 1`
fn title(run: &str, runs: usize, ranks: &[RankWaits], parts: &[PartSpread]) -> String {
    let of_run = || ranks.iter().filter(|rank| rank.origin.run == run);
    let total: f64 = of_run().map(|rank| rank.held_up as f64).sum();
    let straggler = of_run().max_by_key(|rank| rank.held_up).filter(|_| total > 0.0).map(|rank| {
        let node = if rank.origin.rank.is_none() { rank.origin.node.as_str() } else { "" };
        let who = label::node_and_rank(node, rank.origin.rank);
        let share = label::percentage(rank.held_up as f64, total);
        format!("{share} of {} of waiting is for {who}", label::duration(total))
    });
    // Waiting counts as communication, and the step includes all parts. Only another part can be the cause.
    let is_cause = |part: &&PartSpread| part.run == run && part.part != "step" && part.part != "communication";
    let widest = parts.iter().filter(is_cause).max_by(|a, b| a.spread().total_cmp(&b.spread()));
    let widest = widest.filter(|part| part.spread() > 0.0).map(|part| {
        format!(
            "{} differs most: {} on rank {}, {} on rank {}",
            part.part,
            label::duration(part.min),
            part.min_rank.unwrap_or(-1),
            label::duration(part.max),
            part.max_rank.unwrap_or(-1)
        )
    });
    let prefix = if runs > 1 { format!("{}: ", label::clip(run, 20)) } else { String::new() };
    match (straggler, widest) {
        (None, None) => format!("{prefix}no difference between ranks"),
        (straggler, widest) => {
            format!("{prefix}{}", label::join(&[&straggler.unwrap_or_default(), &widest.unwrap_or_default()], "; "))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn stragglers(n: usize) -> Frame {
        let rows: Vec<i64> = (0..i64::try_from(n).unwrap()).collect();
        frame(vec![
            texts("run", &vec!["<a>"; n]),
            texts("node", &vec!["n1"; n]),
            nullable_ints("rank", &rows),
            ints("collectives", &vec![1_200; n]),
            ints("times_last", &rows.iter().map(|row| 100 * row).collect::<Vec<_>>()),
            ints("held_up", &rows.iter().map(|row| 1_000_000 * row).collect::<Vec<_>>()),
            ints("waited", &vec![500_000; n]),
        ])
    }

    fn imbalance() -> Frame {
        frame(vec![
            texts("run", &["<a>", "<a>", "<a>"]),
            texts("part", &["communication", "loader", "memset"]),
            ints("ranks", &[2, 2, 2]),
            floats("dur_mean", &[3e6, 2e6, 0.0]),
            floats("dur_min", &[1e6, 1e6, 0.0]),
            ints("min_rank", &[1, 0, 0]),
            floats("dur_max", &[5e6, 3e6, 0.0]),
            ints("max_rank", &[0, 1, 0]),
        ])
    }

    #[test]
    fn waits_and_parts_have_panels() {
        let plot = to_value(&draw(&[stragglers(2), imbalance()]).unwrap());
        assert_eq!((&plot["data"][0]["x"], &plot["data"][1]["x"]), (&json!([0.0, 1.0]), &json!([0.5, 0.5])));
        assert_eq!((&plot["data"][2]["x"], &plot["data"][3]["x"]), (&json!([5.0, 3.0]), &json!([1.0, 1.0])));
        assert_eq!(plot["layout"]["barmode"], "group");
        assert_eq!(plot["layout"]["yaxis2"]["ticktext"], json!(["communication", "loader"]));
        assert_eq!(plot["layout"]["xaxis2"]["title"]["text"], "time (ms)");
        assert_eq!(
            plot["data"][0]["hovertext"][1],
            "run &lt;a&gt;, n1, rank 1<br>others waited for this rank: 1 ms<br>last to arrive at 100 of 1,200 collectives"
        );
        assert_eq!(
            plot["data"][2]["hovertext"][1],
            "run &lt;a&gt;<br>loader, rank with the maximum: rank 1<br>3 ms per step; mean of 2 ranks 2 ms"
        );
        assert!(
            heading(&plot).starts_with(
                "100 % of 1 ms of waiting is for rank 1; loader differs most: 1 ms on rank 0, 3 ms on rank 1 | waiting:"
            ),
            "{}",
            heading(&plot)
        );
    }

    #[test]
    fn one_of_the_two_frames_is_enough() {
        let plot = to_value(&draw(&[without_rows(&stragglers(1)), imbalance()]).unwrap());
        assert_eq!(plot["data"].as_array().unwrap().len(), 2);
        assert_eq!(heading(&plot), "loader differs most: 1 ms on rank 0, 3 ms on rank 1");
    }

    #[test]
    fn the_number_of_ranks_is_limited() {
        let plot = to_value(&draw(&[stragglers(300), without_rows(&imbalance())]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), RANKS);
        assert!(heading(&plot).contains("48 of 300 ranks of &lt;a&gt; shown"), "{}", heading(&plot));
    }

    #[test]
    fn empty_frames_show_a_message() {
        let (title, note) = message(&draw(&[without_rows(&stragglers(1)), without_rows(&imbalance())]).unwrap());
        assert_eq!(title, "<b>Comparison of ranks</b>");
        assert!(note.starts_with("<b>no two ranks in this profile</b><br>Ranks are compared"), "{note}");
    }
}
