//! Communication of each rank that overlapped with computation, and communication that did not.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "comm_overlap",
    doc: "Communication time of each rank: hidden behind computation and exposed; a panel per run.",
    queries: &[FigureQuery::new("kernel.comm_overlap")],
    draw,
};

/// Maximum number of bars in the figure.
const ROWS: usize = 96;
const EXPOSED: &str = "exposed: no compute kernel ran at the same time";
const HIDDEN: &str = "hidden behind computation";

row_types! {
    /// Communication of a recording. Times are in ns.
    struct RankCommunication {
        origin: Origin,
        n: i64 = read::Required("n"),
        communication: i64,
        overlap: i64,
        exposed: i64,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::frame(frames, 0)?;
    let mut ranks = RankCommunication::read(frame)?;
    ranks.retain(|rank| rank.communication > 0);
    if ranks.is_empty() {
        let (what, why) = match frame.len()? {
            0 => (
                "no kernels were read",
                "Overlap can only be computed from kernels. Record with the activity of the device \
                 (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU). If there are kernels that could not be read, table `problem` \
                 names them. For collectives that run on the host (gloo), see figure step_breakdown.",
            ),
            _ => (
                "no communication in this profile",
                "Kernels were recorded, but none of a collective (such as those of NCCL). Either the job ran on one device, or \
                 its collectives run on the host: see figure step_breakdown.",
            ),
        };
        return Ok(sheet::message_plot("Overlap of communication", what, why));
    }
    let mut notes = Vec::new();
    let mut runs = group_by(&ranks, |rank| rank.origin.run.as_str());
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let max_rows = ROWS / runs.len();
    let labels = OriginLabels::new(ranks.iter().map(|rank| &rank.origin));
    let scale = Scale::time(ranks.iter().map(|rank| rank.communication as f64).fold(0.0, f64::max));
    let mut sheet = Sheet::with_stacked_bars();
    for (run, ranks) in &mut runs {
        read::truncate(ranks, max_rows, &format!("ranks of {}", label::clip(run, 20)), &mut notes);
        let names: Vec<String> = ranks.iter().map(|rank| labels.label(&rank.origin)).collect();
        let x = theme::axis_from_zero("communication", scale.unit);
        let axes = stack::add_panel(&mut sheet, &format!("run {run}"), 22 + 18 * ranks.len(), x, &names);
        let part = |name: &str, color: String, value: fn(&RankCommunication) -> i64| {
            BarPart::new(
                name,
                color,
                ranks,
                |rank| scale.convert(value(rank) as f64),
                |rank| hover(rank, name, value(rank)),
            )
        };
        let color = theme::color("communication");
        let exposed = part(EXPOSED, color.to_owned(), |rank| rank.exposed);
        let hidden = part(HIDDEN, theme::with_opacity(color, 0.35), |rank| rank.overlap);
        stack::draw(&mut sheet, &axes, [exposed, hidden]);
    }
    Ok(sheet.into_plot(&title(&ranks), &notes))
}

fn hover(rank: &RankCommunication, name: &str, value: i64) -> String {
    format!(
        "{}<br>{name}<br>{}: {} of {}<br>{}",
        rank.origin.full_label(),
        label::percentage(value as f64, rank.communication as f64),
        label::precise_duration(value),
        label::precise_duration(rank.communication),
        label::count(rank.n, "communicating kernel")
    )
}

/// `38 % of 1.2 s of communication hidden behind computation; 740 ms exposed`
fn title(ranks: &[RankCommunication]) -> String {
    let sum = |value: fn(&RankCommunication) -> i64| ranks.iter().map(|rank| value(rank) as f64).sum::<f64>();
    let total = sum(|rank| rank.communication);
    let recordings = if ranks.len() > 1 { format!(" in {} recordings", ranks.len()) } else { String::new() };
    format!(
        "{} of {} of communication{recordings} hidden behind computation; {} exposed",
        label::percentage(sum(|rank| rank.overlap), total),
        label::duration(total),
        label::duration(sum(|rank| rank.exposed))
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn overlap(communication: [i64; 2]) -> Frame {
        frame(vec![
            texts("run", &["a", "a"]),
            texts("node", &["<n1>", "<n1>"]),
            nullable_ints("rank", &[0, 1]),
            ints("span", &[0, 0]),
            ints("n", &[communication[0].min(4), communication[1].min(4)]),
            ints("communication", &communication),
            ints("overlap", &communication.map(|time| time / 4)),
            ints("exposed", &communication.map(|time| time - time / 4)),
        ])
    }

    #[test]
    fn hidden_and_exposed_add_up_to_the_communication() {
        let plot = to_value(&draw(&[overlap([2_000_000, 4_000_000])]).unwrap());
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
            heading(&plot),
            "25 % of 6 ms of communication in 2 recordings hidden behind computation; 4.5 ms exposed"
        );
    }

    #[test]
    fn a_message_says_what_is_missing() {
        let (title, note) = message(&draw(&[without_rows(&overlap([0, 0]))]).unwrap());
        assert_eq!(title, "<b>Overlap of communication</b>");
        assert!(note.starts_with("<b>no kernels were read</b>"), "{note}");
        let (_, note) = message(&draw(&[overlap([0, 0])]).unwrap());
        assert!(note.starts_with("<b>no communication in this profile</b>"), "{note}");
    }
}
