//! Idle time of device streams by cause.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "idle_breakdown",
    doc: "How long each stream waited for the host, for the next kernel or for something else; a panel per run.",
    queries: &[FigureQuery::new("kernel.idle_breakdown")],
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

row_types! {
    /// A row of the query: the waits of a stream with one cause. Times are in ns.
    struct IdleCause {
        origin: Origin,
        device: String,
        stream: Option<i64>,
        cause: String = "idle_cause",
        n: i64,
        dur: i64 = "dur_sum",
    }
}

/// The waits of a stream.
struct StreamWaits {
    origin: Origin,
    stream: String,
    /// Time and number of the waits of each cause, in the order of `CAUSES`.
    waits: Vec<(i64, i64)>,
}

impl StreamWaits {
    fn dur(&self) -> i64 {
        self.waits.iter().map(|(dur, _)| *dur).fold(0, i64::saturating_add)
    }

    fn host_wait(&self) -> i64 {
        self.waits[0].0
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let streams = read_streams(read::frame(frames, 0)?)?;
    if streams.is_empty() {
        let why = "No stream ran two kernels or copies at known times. Either the job ran on the CPU, or the profiler \
                   did not record the device. Record with the activity of the device (ProfilerActivity.CUDA, XPU, \
                   MTIA, HPU or NPU).";
        return Ok(sheet::message_plot("Idle breakdown", "no waits of a device in this profile", why));
    }
    let mut notes = vec!["time between work items of a stream; streams can wait at the same time".to_owned()];
    let mut runs = group_by(&streams, |stream| stream.origin.run.as_str());
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let max_rows = ROWS / runs.len();
    let labels = OriginLabels::new(streams.iter().map(|stream| &stream.origin));
    let mut sheet = Sheet::with_stacked_bars();
    for (run, streams) in &mut runs {
        read::truncate(streams, max_rows, &format!("streams of {}", label::clip(run, 20)), &mut notes);
        let names: Vec<String> =
            streams.iter().map(|row| label::join(&[&labels.label(&row.origin), &row.stream], ", ")).collect();
        let scale = Scale::time(streams.iter().map(|stream| stream.dur() as f64).fold(0.0, f64::max));
        let x = theme::axis_from_zero("idle time", scale.unit);
        let axes = stack::add_panel(&mut sheet, &format!("run {run}"), 22 + 18 * streams.len(), x, &names);
        let parts = CAUSES.iter().enumerate().map(|(cause, (_, name, role))| {
            let value = |stream: &&StreamWaits| scale.convert(stream.waits[cause].0 as f64);
            BarPart::new(name, theme::color(role), streams, value, |stream| hover(stream, cause))
        });
        stack::draw(&mut sheet, &axes, parts);
    }
    Ok(sheet.into_plot(&title(&streams, labels), &notes))
}

fn read_streams(frame: &Frame) -> Result<Vec<StreamWaits>> {
    let rows = IdleCause::read(frame)?;
    let streams = group_by(&rows, |row| (&row.origin, &row.device, row.stream)).into_iter();
    let streams = streams.map(|((origin, device, stream), rows)| {
        let waits = CAUSES
            .iter()
            .map(|(cause, ..)| rows.iter().find(|row| row.cause == *cause).map_or((0, 0), |row| (row.dur, row.n)));
        StreamWaits {
            origin: origin.clone(),
            stream: label::join(&[device, &label::numbered("stream", stream)], ", "),
            waits: waits.collect(),
        }
    });
    Ok(streams.collect())
}

fn hover(stream: &StreamWaits, cause: usize) -> String {
    let (dur, n) = stream.waits[cause];
    let times = if n == 1 { "once".to_owned() } else { format!("{} times", label::group_digits(n)) };
    format!(
        "{}, {}<br>{}<br>{} of its idle time: {}, {times}",
        stream.origin.full_label(),
        label::sanitize(&stream.stream),
        CAUSES[cause].1,
        label::percentage(dur as f64, stream.dur() as f64),
        label::precise_duration(dur)
    )
}

/// `97.1 % of the idle time of streams is spent waiting for the host; most of it 12.9 s (gpu0, stream 7)`
fn title(streams: &[StreamWaits], labels: OriginLabels) -> String {
    let total: i64 = streams.iter().map(StreamWaits::dur).fold(0, i64::saturating_add);
    let host: i64 = streams.iter().map(StreamWaits::host_wait).fold(0, i64::saturating_add);
    let share = label::percentage(host as f64, total as f64);
    let text = format!("{share} of the idle time of streams is spent waiting for the host");
    if let [stream] = streams {
        return format!("{text}: {} of {}", label::duration(host as f64), label::duration(stream.dur() as f64));
    }
    let several_runs = streams.iter().any(|stream| stream.origin.run != streams[0].origin.run);
    let longest = streams.iter().max_by_key(|stream| stream.host_wait());
    longest.filter(|stream| 2 * i128::from(stream.host_wait()) > i128::from(host)).map_or(text.clone(), |longest| {
        let run = if several_runs { format!("run {}", label::clip(&longest.origin.run, 20)) } else { String::new() };
        let who = label::join(&[&run, &labels.label(&longest.origin), &longest.stream], ", ");
        format!("{text}; most of it {} ({who})", label::duration(longest.host_wait() as f64))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn breakdown(streams: usize) -> Frame {
        let rows = 2 * streams;
        let number = |row: usize| i64::try_from(row / 2).unwrap();
        frame(vec![
            texts("run", &vec!["a<b>"; rows]),
            texts("node", &vec![""; rows]),
            nullable_ints("rank", &vec![0; rows]),
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
        let plot = to_value(&draw(&[breakdown(2)]).unwrap());
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
            heading(&plot).starts_with(
                "75 % of the idle time of streams is spent waiting for the host; most of it 3 ms (rank 0, gpu0, stream 1) | "
            ),
            "{}",
            heading(&plot)
        );
        let plot = to_value(&draw(&[breakdown(1)]).unwrap());
        assert!(
            heading(&plot)
                .starts_with("75 % of the idle time of streams is spent waiting for the host: 3 ms of 4 ms | ")
        );
    }

    #[test]
    fn the_number_of_streams_is_limited() {
        let plot = to_value(&draw(&[breakdown(300)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), ROWS);
        assert!(heading(&plot).ends_with("96 of 300 streams of a&lt;b&gt; shown"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&breakdown(1))]).unwrap());
        assert_eq!(title, "<b>Idle breakdown</b>");
        assert!(note.starts_with("<b>no waits of a device in this profile</b><br>"), "{note}");
    }
}
