//! Idle time of device streams by cause.

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
    name: "idle_breakdown",
    doc: "How long each stream waited for the host, for the next kernel or for something else; a panel per run.",
    queries: &[Ask::new("kernel.idle_breakdown")],
    draw,
};

/// Maximum number of bars in the figure.
const ROWS: usize = 96;
/// Cause, legend entry, and color role.
const CAUSES: &[(&str, &str, &str)] = &[
    ("host_wait", "the host had launched nothing", "runtime"),
    ("kernel_wait", "between two kernels", "kernel"),
    ("other", "something else, such as another stream", "other work"),
    ("unknown", "no launch recorded", "other"),
];

/// The waits of a stream.
struct Row {
    whose: Whose,
    place: String,
    /// Time and number of the waits of each cause, in the order of `CAUSES`.
    waits: Vec<(i64, i64)>,
}

impl Row {
    fn dur(&self) -> i64 {
        self.waits.iter().map(|(dur, _)| *dur).fold(0, i64::saturating_add)
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let rows = rows(read::answer(frames, 0)?)?;
    if rows.is_empty() {
        let why = "No stream ran two kernels or copies at known times. Either the job ran on the CPU, or the profiler \
                   did not record the device. Record with ProfilerActivity.CUDA.";
        return Ok(sheet::message("Idle breakdown", "no waits of a device in this profile", why));
    }
    let mut notes = vec!["time between work items of a stream; streams can wait at the same time".to_owned()];
    let title = title(&rows);
    let mut runs = groups(rows.iter().map(|row| row.whose.run.as_str()));
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let most = ROWS / runs.len();
    let telling = Telling::of(rows.iter().map(|row| &row.whose));
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    for (run, members) in &mut runs {
        read::cap(members, most, &format!("streams of {}", label::clip(run, 20)), &mut notes);
        let rows: Vec<&Row> = members.iter().map(|row| &rows[*row]).collect();
        let names: Vec<String> =
            rows.iter().map(|row| label::join(&[&telling.name(&row.whose), &row.place], ", ")).collect();
        let scale = Scale::time(rows.iter().map(|row| row.dur() as f64).fold(0.0, f64::max));
        let x = theme::axis(&format!("idle time ({})", scale.unit)).range_mode(RangeMode::ToZero);
        let at = sheet.panel(&format!("run {run}"), 22 + 18 * rows.len(), x, stack::side(&names), true);
        let parts = CAUSES.iter().enumerate().map(|(cause, (_, name, role))| Part {
            name: (*name).to_owned(),
            color: theme::color(role).to_owned(),
            values: rows.iter().map(|row| scale.of(row.waits[cause].0 as f64)).collect(),
            hover: rows.iter().map(|row| hover(row, cause)).collect(),
        });
        stack::draw(&mut sheet, &at, parts.collect(), &Orientation::Horizontal);
    }
    Ok(sheet.plot(&title, &notes))
}

fn rows(frame: &Frame) -> Result<Vec<Row>> {
    let (devices, causes) = (read::texts(frame, "device")?, read::texts(frame, "idle_cause")?);
    let column = |name| read::integers(frame, name);
    let (streams, n, dur) = (column("stream")?, column("n")?, column("dur_sum")?);
    let whose = whose::whose(frame)?;
    let places = whose.into_iter().zip(devices).zip(streams.iter().copied());
    let grouped = groups(places.map(|((whose, device), stream)| (whose, device, stream)));
    let rows = grouped.into_iter().map(|((whose, device, stream), members)| {
        let number = stream.map_or(String::new(), |stream| format!("stream {stream}"));
        let waits = CAUSES.iter().map(|(cause, ..)| {
            let row = members.iter().copied().find(|row| causes[*row] == *cause);
            row.map_or((0, 0), |row| (dur[row].unwrap_or(0), n[row].unwrap_or(0)))
        });
        Row { whose, place: label::join(&[&device, &number], ", "), waits: waits.collect() }
    });
    Ok(rows.collect())
}

fn hover(row: &Row, cause: usize) -> String {
    let (dur, n) = row.waits[cause];
    let times = if n == 1 { "once".to_owned() } else { format!("{} times", label::grouped(n)) };
    format!(
        "{}, {}<br>{}<br>{} of its idle time: {}, {times}",
        whose::who(&row.whose),
        label::plain(&row.place),
        CAUSES[cause].1,
        label::share(dur as f64, row.dur() as f64),
        label::precise_duration(dur)
    )
}

/// `97.1 % of the idle time of streams is spent waiting for the host; most of it 12.9 s (gpu0, stream 7)`
fn title(rows: &[Row]) -> String {
    let whole: i64 = rows.iter().map(Row::dur).fold(0, i64::saturating_add);
    let host: i64 = rows.iter().map(|row| row.waits[0].0).fold(0, i64::saturating_add);
    let share = label::share(host as f64, whole as f64);
    let text = format!("{share} of the idle time of streams is spent waiting for the host");
    match rows {
        [one] => format!("{text}: {} of {}", label::duration(host as f64), label::duration(one.dur() as f64)),
        rows => {
            let telling = Telling::of(rows.iter().map(|row| &row.whose));
            let several = rows.iter().any(|row| row.whose.run != rows[0].whose.run);
            let most = rows.iter().max_by_key(|row| row.waits[0].0);
            most.map_or(text.clone(), |row| {
                let run = if several { format!("run {}", label::clip(&row.whose.run, 20)) } else { String::new() };
                let who = label::join(&[&run, &telling.name(&row.whose), &row.place], ", ");
                format!("{text}; most of it {} ({who})", label::duration(row.waits[0].0 as f64))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, known, message, none, texts, told, value};

    fn breakdown(streams: usize) -> Frame {
        let rows = 2 * streams;
        let number = |row: usize| i64::try_from(row / 2).unwrap();
        frame(vec![
            texts("run", &vec!["a<b>"; rows]),
            texts("node", &vec![""; rows]),
            known("rank", &vec![0; rows]),
            ints("span", &vec![0; rows]),
            texts("device", &vec!["gpu0"; rows]),
            ints("stream", &(0..rows).map(number).collect::<Vec<_>>()),
            texts("idle_cause", &(0..rows).map(|row| ["host_wait", "kernel_wait"][row % 2]).collect::<Vec<_>>()),
            ints("n", &(0..rows).map(|row| [1, 20][row % 2]).collect::<Vec<_>>()),
            ints("dur_sum", &(0..rows).map(|row| [3_000_000 + number(row), 1_000_000][row % 2]).collect::<Vec<_>>()),
        ])
    }

    #[test]
    fn each_cause_of_a_stream_is_a_part_of_its_bar() {
        let plot = value(&draw(&[breakdown(2)]).unwrap());
        let (host, kernel) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!((&host["x"], &host["y"]), (&json!([3.0, 3.000_001]), &json!([0.0, 1.0])));
        assert_eq!((&kernel["x"], &kernel["marker"]["color"]), (&json!([1.0, 1.0]), &json!(theme::color("kernel"))));
        assert_eq!(plot["data"].as_array().unwrap().len(), 2, "causes that never were have no entry");
        assert_eq!(plot["layout"]["barmode"], "stack");
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["rank 0, gpu0, stream 0", "rank 0, gpu0, stream 1"]));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "idle time (ms)");
        assert_eq!(
            kernel["hovertext"][0],
            "run a&lt;b&gt;, rank 0, gpu0, stream 0<br>between two kernels<br>25 % of its idle time: 1 ms, 20 times"
        );
        assert!(
            told(&plot).starts_with(
                "75 % of the idle time of streams is spent waiting for the host; most of it 3 ms (rank 0, gpu0, stream 1) | "
            ),
            "{}",
            told(&plot)
        );
        let one = value(&draw(&[breakdown(1)]).unwrap());
        assert!(
            told(&one).starts_with("75 % of the idle time of streams is spent waiting for the host: 3 ms of 4 ms | ")
        );
    }

    #[test]
    fn many_streams_are_bounded() {
        let plot = value(&draw(&[breakdown(300)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), ROWS);
        assert!(told(&plot).ends_with("96 of 300 streams of a&lt;b&gt; shown"), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&breakdown(1))]).unwrap());
        assert_eq!(title, "<b>Idle breakdown</b>");
        assert!(note.starts_with("<b>no waits of a device in this profile</b><br>"), "{note}");
    }
}
