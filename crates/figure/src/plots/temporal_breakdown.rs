//! Shares of computation, other device work and idle time of each rank.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::BarMode;

use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::Part;
use crate::kit::whose::{Telling, Whose};
use crate::kit::{label, read, sheet, stack, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "temporal_breakdown",
    doc: "The shares of computation, other device work and idle time of each rank; a panel per run.",
    queries: &[Ask::new("kernel.temporal_breakdown")],
    draw,
};

/// Maximum number of bars in the figure.
const ROWS: usize = 96;
/// Column and its legend entry.
const PARTS: &[(&str, &str)] =
    &[("computation", "computation"), ("non_computation", "communication and copies only"), ("idle", "idle")];

struct Row {
    whose: Whose,
    dur: i64,
    parts: Vec<i64>,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let rows = rows(read::answer(frames, 0)?)?;
    if rows.is_empty() {
        let why = "No kernel, copy or fill was recorded. Either the job ran on the CPU, or the profiler did not record \
                   the device. Record with ProfilerActivity.CUDA.";
        return Ok(sheet::message("Temporal breakdown", "no device work in this profile", why));
    }
    let mut notes = vec!["share of the time from the first to the last work on the devices of a rank".to_owned()];
    let mut runs = groups(rows.iter().map(|row| row.whose.run.as_str()));
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let most = ROWS / runs.len();
    let telling = Telling::of(rows.iter().map(|row| &row.whose));
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    for (run, members) in &mut runs {
        read::cap(members, most, &format!("ranks of {}", label::clip(run, 20)), &mut notes);
        let rows: Vec<&Row> = members.iter().map(|row| &rows[*row]).collect();
        let names: Vec<String> = rows.iter().map(|row| telling.name(&row.whose)).collect();
        let x = theme::axis("share of the time (%)").range(vec![0.0, 100.0]);
        let at = sheet.panel(&format!("run {run}"), 22 + 18 * rows.len(), x, stack::side(&names), true);
        let parts = PARTS.iter().enumerate().map(|(part, (column, name))| Part {
            name: (*name).to_owned(),
            color: theme::work(column).to_owned(),
            values: rows.iter().map(|row| 100.0 * row.parts[part] as f64 / row.dur as f64).collect(),
            hover: rows.iter().map(|row| hover(row, part)).collect(),
        });
        stack::draw(&mut sheet, &at, parts.collect(), &Orientation::Horizontal);
    }
    Ok(sheet.plot(&title(&rows), &notes))
}

fn rows(frame: &Frame) -> Result<Vec<Row>> {
    let durs = read::integers(frame, "dur")?;
    let columns = PARTS.iter().map(|(column, _)| read::integers(frame, column)).collect::<Result<Vec<_>>>()?;
    let rows = whose::whose(frame)?.into_iter().enumerate().filter_map(|(row, whose)| {
        let parts = columns.iter().map(|column| column[row].unwrap_or(0)).collect();
        Some(Row { whose, dur: durs[row].filter(|dur| *dur > 0)?, parts })
    });
    Ok(rows.collect())
}

fn hover(row: &Row, part: usize) -> String {
    let (value, name) = (row.parts[part], PARTS[part].1);
    let share = label::share(value as f64, row.dur as f64);
    format!(
        "{}<br>{name}<br>{share}: {} of {}",
        whose::who(&row.whose),
        label::precise_duration(value),
        label::precise_duration(row.dur)
    )
}

/// `devices computed 38.1 % of the time and were idle 60.2 %; idle from 55 % (rank 1) to 62 % (rank 0)`
fn title(rows: &[Row]) -> String {
    let sum = |part: usize| rows.iter().map(|row| row.parts[part] as f64).sum::<f64>();
    let whole: f64 = rows.iter().map(|row| row.dur as f64).sum();
    let mut text = format!(
        "devices computed {} of the time and were idle {}",
        label::share(sum(0), whole),
        label::share(sum(2), whole)
    );
    let idle = |row: &Row| row.parts[2] as f64 / row.dur as f64;
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| idle(a).total_cmp(&idle(b)));
    if let [first, .., last] = sorted.as_slice() {
        let several = rows.iter().any(|row| row.whose.run != first.whose.run);
        let telling = Telling::of(rows.iter().map(|row| &row.whose));
        let name =
            |row: &Row| label::join(&[if several { &row.whose.run } else { "" }, &telling.name(&row.whose)], " ");
        let part = |row: &Row| format!("{} ({})", label::share(row.parts[2] as f64, row.dur as f64), name(row));
        text = format!("{text}; idle from {} to {}", part(first), part(last));
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, known, message, none, texts, told, value};

    fn breakdown(n: usize) -> Frame {
        let rows: Vec<i64> = (0..i64::try_from(n).unwrap()).collect();
        frame(vec![
            texts("run", &vec!["a<b>"; n]),
            texts("node", &vec!["n1"; n]),
            known("rank", &rows),
            ints("span", &vec![0; n]),
            ints("dur", &vec![1_000_001; n]),
            ints("computation", &rows.iter().map(|row| 250_000 + row).collect::<Vec<_>>()),
            ints("non_computation", &vec![250_000; n]),
            ints("idle", &rows.iter().map(|row| 500_001 - row).collect::<Vec<_>>()),
        ])
    }

    #[test]
    fn the_shares_of_a_rank_add_up() {
        let plot = value(&draw(&[breakdown(2)]).unwrap());
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
            told(&plot),
            "devices computed 25 % of the time and were idle 50 %; idle from 50 % (rank 1) to 50 % (rank 0) | share of the time from the first to the last work on the devices of a rank"
        );
    }

    #[test]
    fn many_ranks_are_bounded() {
        let plot = value(&draw(&[breakdown(300)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), ROWS);
        assert!(told(&plot).ends_with("96 of 300 ranks of a&lt;b&gt; shown"), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&breakdown(1))]).unwrap());
        assert_eq!(title, "<b>Temporal breakdown</b>");
        assert!(note.starts_with("<b>no device work in this profile</b><br>No kernel, copy or fill"), "{note}");
    }
}
