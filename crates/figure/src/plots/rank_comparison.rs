//! Ranks that the other ranks wait for, and parts of a step that differ between ranks.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::Part;
use crate::kit::whose::{Telling, Whose};
use crate::kit::{label, read, sheet, stack, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rank_comparison",
    doc: "Which ranks the others wait for in collectives, and which part of a step differs between ranks; two panels \
          per run.",
    queries: &[Ask::new("rank.stragglers"), Ask::new("rank.imbalance")],
    draw,
};

/// Maximum number of ranks in a panel.
const RANKS: usize = 48;

/// A rank with its waiting times in collectives.
struct Rank {
    whose: Whose,
    collectives: i64,
    last: i64,
    held_up: i64,
    waited: i64,
}

/// A part of the step, compared over the ranks of a run.
struct Spread {
    run: String,
    part: String,
    ranks: i64,
    mean: f64,
    least: (f64, i64),
    most: (f64, i64),
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let ranks = ranks(read::answer(frames, 0)?)?;
    let spreads = spreads(read::answer(frames, 1)?)?;
    if ranks.is_empty() && spreads.is_empty() {
        let why = "Ranks are compared within a run. Ingest the traces of all ranks of a job as one run: a folder with \
                   one trace per rank. A trace without a rank in its contents or file name is not compared.";
        return Ok(sheet::message("Comparison of ranks", "no two ranks in this profile", why));
    }
    let mut notes = Vec::new();
    let of_ranks = ranks.iter().map(|rank| rank.whose.run.as_str());
    let mut runs = groups(of_ranks.chain(spreads.iter().map(|spread| spread.run.as_str())));
    read::cap(&mut runs, PANELS / 2, "runs", &mut notes);
    let longest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let waits = longest(&mut ranks.iter().map(|rank| rank.held_up.max(rank.waited) as f64));
    let scale = Scale::time(waits.max(longest(&mut spreads.iter().map(|spread| spread.most.0))));
    let telling = Telling::of(ranks.iter().map(|rank| &rank.whose));
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Group);
    for (run, _) in &runs {
        let mut here: Vec<&Rank> = ranks.iter().filter(|rank| rank.whose.run == *run).collect();
        read::cap(&mut here, RANKS, &format!("ranks of {}", label::clip(run, 20)), &mut notes);
        if !here.is_empty() {
            waiting(&mut sheet, run, &here, telling, scale);
        }
        let parts: Vec<&Spread> = spreads.iter().filter(|spread| spread.run == *run && spread.most.0 > 0.0).collect();
        if !parts.is_empty() {
            differing(&mut sheet, run, &parts, scale);
        }
    }
    if !ranks.is_empty() {
        notes
            .push("waiting: time in a collective beyond that of the fastest rank, over the whole recording".to_owned());
    }
    Ok(sheet.plot(&title(runs[0].0, runs.len(), &ranks, &spreads), &notes))
}

fn ranks(frame: &Frame) -> Result<Vec<Rank>> {
    let column = |name| read::integers(frame, name);
    let (collectives, last) = (column("collectives")?, column("times_last")?);
    let (held_up, waited) = (column("held_up")?, column("waited")?);
    let rows = whose::whose(frame)?.into_iter().enumerate();
    let rows = rows.map(|(row, whose)| Rank {
        whose,
        collectives: collectives[row].unwrap_or(0),
        last: last[row].unwrap_or(0),
        held_up: held_up[row].unwrap_or(0),
        waited: waited[row].unwrap_or(0),
    });
    Ok(rows.collect())
}

fn spreads(frame: &Frame) -> Result<Vec<Spread>> {
    let (runs, parts) = (read::texts(frame, "run")?, read::texts(frame, "part")?);
    let column = |name| read::integers(frame, name);
    let (ranks, least_rank, most_rank) = (column("ranks")?, column("min_rank")?, column("max_rank")?);
    let value = |name| read::floats(frame, name);
    let (mean, least, most) = (value("dur_mean")?, value("dur_min")?, value("dur_max")?);
    let rows = runs.into_iter().zip(parts).enumerate();
    let rows = rows.map(|(row, (run, part))| Spread {
        run,
        part,
        ranks: ranks[row].unwrap_or(0),
        mean: mean[row],
        least: (least[row], least_rank[row].unwrap_or(-1)),
        most: (most[row], most_rank[row].unwrap_or(-1)),
    });
    Ok(rows.collect())
}

/// Draws two bars for each rank: how long other ranks waited for it, and how long it waited.
fn waiting(sheet: &mut Sheet, run: &str, ranks: &[&Rank], telling: Telling, scale: Scale) {
    let names: Vec<String> = ranks.iter().map(|rank| telling.name(&rank.whose)).collect();
    let at = panel(sheet, &format!("run {run}: waiting in collectives"), &names, scale);
    let color = theme::color("communication");
    let part = |name: &str, color: String, value: fn(&Rank) -> i64| Part {
        name: name.to_owned(),
        color,
        values: ranks.iter().map(|rank| scale.of(value(rank) as f64)).collect(),
        hover: ranks
            .iter()
            .map(|rank| {
                format!(
                    "{}<br>{name}: {}<br>last to arrive at {} of {} collectives",
                    whose::who(&rank.whose),
                    label::precise_duration(value(rank)),
                    label::grouped(rank.last),
                    label::grouped(rank.collectives)
                )
            })
            .collect(),
    };
    let parts = vec![
        part("others waited for this rank", theme::color("outlier").to_owned(), |rank| rank.held_up),
        part("this rank waited for others", color.to_owned(), |rank| rank.waited),
    ];
    stack::draw(sheet, &at, parts, &Orientation::Horizontal);
}

/// Draws two bars for each part of a step: the ranks with the most and the least time in it.
fn differing(sheet: &mut Sheet, run: &str, parts: &[&Spread], scale: Scale) {
    let names: Vec<String> = parts.iter().map(|spread| spread.part.clone()).collect();
    let at = panel(sheet, &format!("run {run}: mean step of a rank"), &names, scale);
    let part = |name: &str, color: String, value: fn(&Spread) -> (f64, i64)| Part {
        name: name.to_owned(),
        color,
        values: parts.iter().map(|spread| scale.of(value(spread).0)).collect(),
        hover: parts
            .iter()
            .map(|spread| {
                let (time, rank) = value(spread);
                format!(
                    "run {}<br>{}, {name}: rank {rank}<br>{} per step; mean of {} ranks {}",
                    label::plain(run),
                    label::plain(&spread.part),
                    label::duration(time),
                    label::grouped(spread.ranks),
                    label::duration(spread.mean)
                )
            })
            .collect(),
    };
    let color = theme::color("kernel");
    let parts = vec![
        part("rank with the maximum", color.to_owned(), |spread| spread.most),
        part("rank with the minimum", theme::faint(color, 0.35), |spread| spread.least),
    ];
    stack::draw(sheet, &at, parts, &Orientation::Horizontal);
}

fn panel(sheet: &mut Sheet, label: &str, names: &[String], scale: Scale) -> sheet::Place {
    let x = theme::axis(&format!("time ({})", scale.unit)).range_mode(RangeMode::ToZero);
    sheet.panel(label, 26 + 26 * names.len(), x, stack::side(names), true)
}

/// `97.5 % of 12.3 ms of waiting is for rank 1; loader differs most: 253 us on rank 0, 1.61 ms on rank 1`
fn title(run: &str, runs: usize, ranks: &[Rank], spreads: &[Spread]) -> String {
    let of = if runs > 1 { format!("{}: ", label::clip(run, 20)) } else { String::new() };
    let here = || ranks.iter().filter(|rank| rank.whose.run == run);
    let whole: f64 = here().map(|rank| rank.held_up as f64).sum();
    let worst = here().max_by_key(|rank| rank.held_up).filter(|_| whole > 0.0).map(|rank| {
        let who = label::place(if rank.whose.rank.is_none() { &rank.whose.node } else { "" }, rank.whose.rank);
        format!("{} of {} of waiting is for {who}", label::share(rank.held_up as f64, whole), label::duration(whole))
    });
    // Waiting counts as communication, and the step includes all parts. Only another part can be the cause.
    let own = |spread: &&Spread| spread.run == run && spread.part != "step" && spread.part != "communication";
    let by = |spread: &&Spread| spread.most.0 - spread.least.0;
    let most = spreads.iter().filter(own).max_by(|a, b| by(a).total_cmp(&by(b))).filter(|spread| by(spread) > 0.0);
    let most = most.map(|spread| {
        format!(
            "{} differs most: {} on rank {}, {} on rank {}",
            spread.part,
            label::duration(spread.least.0),
            spread.least.1,
            label::duration(spread.most.0),
            spread.most.1
        )
    });
    match (worst, most) {
        (None, None) => format!("{of}no difference between ranks"),
        (worst, most) => {
            format!("{of}{}", label::join(&[&worst.unwrap_or_default(), &most.unwrap_or_default()], "; "))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, known, message, none, texts, told, value};

    fn stragglers(n: usize) -> Frame {
        let rows: Vec<i64> = (0..i64::try_from(n).unwrap()).collect();
        frame(vec![
            texts("run", &vec!["<a>"; n]),
            texts("node", &vec!["n1"; n]),
            known("rank", &rows),
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
    fn waiting_stands_beside_what_differs() {
        let plot = value(&draw(&[stragglers(2), imbalance()]).unwrap());
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
            told(&plot).starts_with(
                "100 % of 1 ms of waiting is for rank 1; loader differs most: 1 ms on rank 0, 3 ms on rank 1 | waiting:"
            ),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn one_of_the_two_is_enough() {
        let plot = value(&draw(&[none(&stragglers(1)), imbalance()]).unwrap());
        assert_eq!(plot["data"].as_array().unwrap().len(), 2);
        assert_eq!(told(&plot), "loader differs most: 1 ms on rank 0, 3 ms on rank 1");
    }

    #[test]
    fn many_ranks_are_bounded() {
        let plot = value(&draw(&[stragglers(300), none(&imbalance())]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), RANKS);
        assert!(told(&plot).contains("48 of 300 ranks of &lt;a&gt; shown"), "{}", told(&plot));
    }

    #[test]
    fn a_single_rank_is_said() {
        let (title, note) = message(&draw(&[none(&stragglers(1)), none(&imbalance())]).unwrap());
        assert_eq!(title, "<b>Comparison of ranks</b>");
        assert!(note.starts_with("<b>no two ranks in this profile</b><br>Ranks are compared"), "{note}");
    }
}
