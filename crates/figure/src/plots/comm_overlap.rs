//! Communication of each rank that overlapped with computation, and communication that did not.

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
    name: "comm_overlap",
    doc: "Communication time of each rank: hidden behind computation and exposed; a panel per run.",
    queries: &[Ask::new("kernel.comm_overlap")],
    draw,
};

/// Maximum number of bars in the figure.
const ROWS: usize = 96;
const EXPOSED: &str = "exposed: no compute kernel ran at the same time";
const HIDDEN: &str = "hidden behind computation";

struct Row {
    whose: Whose,
    n: i64,
    communication: i64,
    overlap: i64,
    exposed: i64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let rows = rows(frame)?;
    if rows.is_empty() {
        let (what, why) = match frame.rows()? {
            0 => (
                "no kernels in this profile",
                "Overlap can only be computed from kernels. Record with ProfilerActivity.CUDA. For collectives that \
                 run on the host (gloo), see figure step_breakdown.",
            ),
            _ => (
                "no communication in this profile",
                "Kernels were recorded, but none of a collective (NCCL, RCCL). Either the job ran on one device, or \
                 its collectives run on the host: see figure step_breakdown.",
            ),
        };
        return Ok(sheet::message("Overlap of communication", what, why));
    }
    let mut notes = Vec::new();
    let mut runs = groups(rows.iter().map(|row| row.whose.run.as_str()));
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let most = ROWS / runs.len();
    let telling = Telling::of(rows.iter().map(|row| &row.whose));
    let scale = Scale::time(rows.iter().map(|row| row.communication as f64).fold(0.0, f64::max));
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    for (run, members) in &mut runs {
        read::cap(members, most, &format!("ranks of {}", label::clip(run, 20)), &mut notes);
        let rows: Vec<&Row> = members.iter().map(|row| &rows[*row]).collect();
        let names: Vec<String> = rows.iter().map(|row| telling.name(&row.whose)).collect();
        let x = theme::axis(&format!("communication ({})", scale.unit)).range_mode(RangeMode::ToZero);
        let at = sheet.panel(&format!("run {run}"), 22 + 18 * rows.len(), x, stack::side(&names), true);
        let color = theme::color("communication");
        let part = |name: &str, color: String, value: fn(&Row) -> i64| Part {
            name: name.to_owned(),
            color,
            values: rows.iter().map(|row| scale.of(value(row) as f64)).collect(),
            hover: rows.iter().map(|row| hover(row, name, value(row))).collect(),
        };
        let parts = vec![
            part(EXPOSED, color.to_owned(), |row| row.exposed),
            part(HIDDEN, theme::faint(color, 0.35), |row| row.overlap),
        ];
        stack::draw(&mut sheet, &at, parts, &Orientation::Horizontal);
    }
    Ok(sheet.plot(&title(&rows), &notes))
}

/// The recordings with communication.
fn rows(frame: &Frame) -> Result<Vec<Row>> {
    let column = |name| read::integers(frame, name);
    let (n, communication) = (column("n")?, column("communication")?);
    let (overlap, exposed) = (column("overlap")?, column("exposed")?);
    let rows = whose::whose(frame)?.into_iter().enumerate().filter_map(|(row, whose)| {
        Some(Row {
            whose,
            n: n[row]?,
            communication: communication[row].filter(|time| *time > 0)?,
            overlap: overlap[row].unwrap_or(0),
            exposed: exposed[row].unwrap_or(0),
        })
    });
    Ok(rows.collect())
}

fn hover(row: &Row, name: &str, value: i64) -> String {
    format!(
        "{}<br>{name}<br>{}: {} of {}<br>{}",
        whose::who(&row.whose),
        label::share(value as f64, row.communication as f64),
        label::precise_duration(value),
        label::precise_duration(row.communication),
        label::count(usize::try_from(row.n).unwrap_or(0), "communicating kernel")
    )
}

/// `38 % of 1.2 s of communication hidden behind computation; 740 ms exposed`
fn title(rows: &[Row]) -> String {
    let sum = |value: fn(&Row) -> i64| rows.iter().map(|row| value(row) as f64).sum::<f64>();
    let whole = sum(|row| row.communication);
    let ranks = if rows.len() > 1 { format!(" in {} recordings", rows.len()) } else { String::new() };
    format!(
        "{} of {} of communication{ranks} hidden behind computation; {} exposed",
        label::share(sum(|row| row.overlap), whole),
        label::duration(whole),
        label::duration(sum(|row| row.exposed))
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, known, message, none, texts, told, value};

    fn overlap(communication: [i64; 2]) -> Frame {
        frame(vec![
            texts("run", &["a", "a"]),
            texts("node", &["<n1>", "<n1>"]),
            known("rank", &[0, 1]),
            ints("span", &[0, 0]),
            ints("n", &[communication[0].min(4), communication[1].min(4)]),
            ints("communication", &communication),
            ints("overlap", &communication.map(|time| time / 4)),
            ints("exposed", &communication.map(|time| time - time / 4)),
        ])
    }

    #[test]
    fn hidden_and_exposed_add_up_to_the_communication() {
        let plot = value(&draw(&[overlap([2_000_000, 4_000_000])]).unwrap());
        let (exposed, hidden) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!((&exposed["x"], &hidden["x"]), (&json!([1.5, 3.0]), &json!([0.5, 1.0])));
        assert_eq!(exposed["marker"]["color"], theme::color("communication"));
        assert_eq!(
            hidden["hovertext"][1],
            "run a, &lt;n1&gt;, rank 1<br>hidden behind computation<br>25 %: 1 ms of 4 ms<br>4 communicating kernels"
        );
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "communication (ms)");
        assert_eq!(plot["layout"]["yaxis"]["range"], json!([1.5, -0.5]));
        assert_eq!(
            told(&plot),
            "25 % of 6 ms of communication in 2 recordings hidden behind computation; 4.5 ms exposed"
        );
    }

    #[test]
    fn what_is_missing_is_said() {
        let (title, note) = message(&draw(&[none(&overlap([0, 0]))]).unwrap());
        assert_eq!(title, "<b>Overlap of communication</b>");
        assert!(note.starts_with("<b>no kernels in this profile</b>"), "{note}");
        let (_, note) = message(&draw(&[overlap([0, 0])]).unwrap());
        assert!(note.starts_with("<b>no communication in this profile</b>"), "{note}");
    }
}
