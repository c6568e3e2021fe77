//! Number of launches queued for each device stream over time.

use plotly::Plot;

use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{ColumnValue, Required, group_by, row_types, rows};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stepped::StepBin;
use crate::kit::{label, read, sheet, stepped, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "queue_length",
    doc: "The number of launches queued for each device stream over time, a panel per stream, the stream with the most \
          launches first.",
    queries: &[FigureQuery::new("kernel.queue_length_over_time"), FigureQuery::new("kernel.queue_length_summary")],
    draw,
};

const NAME: &str = "queued launches";

/// A stream of a recording.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct QueueStream {
    origin: Origin,
    device: String,
    stream: Option<i64>,
}

impl QueueStream {
    /// `rank 0, gpu0, stream 7`
    fn label(&self, labels: OriginLabels) -> String {
        label::join(&[&labels.label(&self.origin), &self.device, &label::numbered("stream", self.stream)], ", ")
    }
}

row_types! {
    /// The queue of a stream in a time bin. Times are in ns.
    struct QueueBin {
        stream: QueueStream,
        ts: i64 = Required("ts"),
        dur: i64 = Required("dur"),
        changes: i64 = "n",
        min: i64 = Required("length_min"),
        max: i64 = Required("length_max"),
        last: Option<i64> = "length_last",
    }

    /// The queue of a stream over the whole recording.
    struct QueueSummary {
        stream: QueueStream,
        launches: i64,
        empty_ratio: f64,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = QueueBin::read(read::frame(frames, 0)?)?;
    let mut summaries = QueueSummary::read(read::frame(frames, 1)?)?;
    if bins.is_empty() {
        let why = "No launch of device work was recorded. Either the job ran on the CPU, or the profiler did not \
                   record both sides. Record with ProfilerActivity.CPU and the activity of the device (CUDA, XPU, \
                   MTIA, HPU or NPU).";
        return Ok(sheet::message_plot("Queue length", "no launches in this profile", why));
    }
    let width = bins.iter().map(|bin| bin.dur).max().unwrap_or(0);
    let mut notes = vec![format!(
        "launches that have not started on the device: range in bins of up to {}; at 0 none waits: the device idles when its current work ends",
        label::duration(width as f64)
    )];
    // Streams with the most launches come first.
    summaries
        .sort_by_cached_key(|summary| (summary.stream.origin.run.clone(), -summary.launches, summary.stream.clone()));
    let mut panels = group_by(&bins, |bin| &bin.stream);
    panels.sort_by_key(|(stream, _)| summaries.iter().position(|summary| summary.stream == **stream));
    read::truncate(&mut panels, PANELS, "streams", &mut notes);
    let labels = OriginLabels::new(bins.iter().map(|bin| &bin.stream.origin));
    let height = if panels.len() == 1 { 280 } else { 120 };
    let mut sheet = Sheet::default();
    for (stream, bins) in &panels {
        let label = label::join(&[&format!("run {}", stream.origin.run), &stream.label(labels)], ", ");
        let x = sheet.time_axis(&stream.origin.run, stream.origin.span, bins[0].ts);
        let y = theme::axis_from_zero("launches", "count").n_ticks(4);
        let axes = sheet.add_panel(&label, height, x, y, true);
        let steps: Vec<StepBin> = bins.iter().map(|bin| step_bin(bin)).collect();
        stepped::draw(&mut sheet, &axes, &steps, NAME, theme::color("kernel"));
    }
    Ok(sheet.into_plot(&title(&summaries, &bins, labels), &notes))
}

impl ColumnValue for QueueStream {
    fn read(frame: &Frame, _: &str) -> Result<Vec<Self>> {
        Ok(rows!(frame, Self { origin, device, stream }))
    }
}

fn step_bin(bin: &QueueBin) -> StepBin {
    let QueueBin { stream, ts, dur, min, max, .. } = bin;
    let hover = format!(
        "{}, {}<br>{min} to {max} queued launches<br>{} in {} from {}",
        stream.origin.full_label(),
        label::sanitize(&label::join(&[&stream.device, &label::numbered("stream", stream.stream)], ", ")),
        label::count(bin.changes, "change"),
        label::duration(*dur as f64),
        label::moment(*ts)
    );
    let last = bin.last.unwrap_or(*max) as f64;
    StepBin { ts: *ts, dur: *dur, min: *min as f64, max: *max as f64, last, hover }
}

/// `up to 1,022 launches queued for stream 7; queue empty 22.6 % of the recording`: the stream with the most launches.
fn title(summaries: &[QueueSummary], bins: &[QueueBin], labels: OriginLabels) -> String {
    let is_shown = |summary: &&QueueSummary| bins.iter().any(|bin| bin.stream == summary.stream);
    let Some(busiest) = summaries.iter().filter(is_shown).max_by_key(|summary| summary.launches) else {
        return "launches queued for the device".to_owned();
    };
    let run = &busiest.stream.origin.run;
    let several_runs = summaries.iter().any(|summary| summary.stream.origin.run != *run);
    let run = if several_runs { format!("run {}", label::clip(run, 20)) } else { String::new() };
    let who = label::join(&[&run, &busiest.stream.label(labels)], ", ");
    // The bins may be those of a time window.
    let max = bins.iter().filter(|bin| bin.stream == busiest.stream).map(|bin| bin.max).max().unwrap_or(0);
    let what = if max == 1 { "launch" } else { "launches" };
    let text = format!("Up to {} {what} queued for {who}", label::group_digits(max));
    if busiest.empty_ratio.is_nan() {
        text
    } else {
        format!("{text}; queue empty {} of the recording", label::percentage(busiest.empty_ratio, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn over_time() -> Frame {
        frame(vec![
            texts("run", &["a<b>", "a<b>", "a<b>"]),
            texts("node", &["", "", ""]),
            nullable_ints("rank", &[0, 0, 0]),
            ints("span", &[0, 0, 0]),
            texts("device", &["gpu0", "gpu0", "gpu0"]),
            ints("stream", &[20, 7, 7]),
            ints("ts", &[1_000, 1_000, 3_000]),
            ints("dur", &[1_000, 1_000, 1_000]),
            ints("n", &[1, 9, 2]),
            ints("length_min", &[0, 1, 2]),
            ints("length_max", &[1, 5, 1_022]),
            ints("length_last", &[1, 3, 0]),
        ])
    }

    fn summary() -> Frame {
        frame(vec![
            texts("run", &["a<b>", "a<b>"]),
            texts("node", &["", ""]),
            nullable_ints("rank", &[0, 0]),
            ints("span", &[0, 0]),
            texts("device", &["gpu0", "gpu0"]),
            ints("stream", &[7, 20]),
            ints("launches", &[600, 1]),
            ints("length_max", &[1_022, 1]),
            floats("empty_ratio", &[0.25, 0.5]),
        ])
    }

    #[test]
    fn the_range_is_drawn_and_holds_between_bins() {
        let plot = to_value(&draw(&[over_time(), summary()]).unwrap());
        // The stream with the most launches is on top.
        let (least, most) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!(most["y"], json!([5.0, 5.0, 3.0, 3.0, 1022.0, 1022.0]));
        assert_eq!(least["y"], json!([1.0, 1.0, 3.0, 3.0, 2.0, 2.0]));
        assert_eq!((&most["name"], &most["fill"]), (&json!(NAME), &json!("tonexty")));
        assert_eq!(most["x"][1], json!(label::time(2_000)));
        let hover = most["hovertext"][4].as_str().unwrap();
        assert!(
            hover.starts_with("run a&lt;b&gt;, rank 0, gpu0, stream 7<br>2 to 1022 queued launches<br>2 changes"),
            "{hover}"
        );
        assert_eq!(plot["data"][3]["yaxis"], "y2");
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "launches (count)");
        assert!(
            heading(&plot).starts_with(
                "Up to 1,022 launches queued for rank 0, gpu0, stream 7; queue empty 25 % of the recording | "
            ),
            "{}",
            heading(&plot)
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&over_time()), without_rows(&summary())]).unwrap());
        assert_eq!(title, "<b>Queue length</b>");
        assert!(note.starts_with("<b>no launches in this profile</b><br>"), "{note}");
    }
}
