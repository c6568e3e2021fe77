//! Bandwidth of copies and fills over time.

use plotly::Plot;
use tracelake_model::unit::Unit;

use crate::kit::label::Scale;
use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{ColumnValue, Required, group_by, row_types, rows};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stepped::StepBin;
use crate::kit::{label, read, sheet, stepped, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "memory_bandwidth",
    doc: "The bandwidth of copies and fills over time, a panel per device and direction, in descending busy time.",
    queries: &[FigureQuery::new("memory.bandwidth_over_time"), FigureQuery::new("memory.bandwidth_summary")],
    draw,
};

/// Copies in one direction on a device of a recording.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct CopyDirection {
    origin: Origin,
    device: String,
    name: String,
}

row_types! {
    /// All copies in a direction. Times are in ns, bandwidths in bytes per second.
    struct CopySummary {
        direction: CopyDirection,
        busy: i64,
        mean: f64 = "mean_bytes_per_s",
    }

    /// The copies in a direction in a time bin. Times are in ns, bandwidths in bytes per second.
    struct CopyBin {
        direction: CopyDirection,
        ts: i64 = Required("ts"),
        dur: i64 = Required("dur"),
        n: i64,
        copied: Option<i64> = "copied_bytes",
        max: f64 = "max_bytes_per_s",
        last: f64 = "last_bytes_per_s",
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = CopyBin::read(read::frame(frames, 0)?)?;
    let mut summaries = CopySummary::read(read::frame(frames, 1)?)?;
    if bins.is_empty() {
        let why = "No copy or fill with a bandwidth or a size was recorded. Either the job ran on the CPU, or the \
                   profiler did not record the device. Record with the activity of the device \
                   (ProfilerActivity.CUDA, XPU, MTIA, HPU or NPU).";
        return Ok(sheet::message_plot("Memory bandwidth", "no copies in this profile", why));
    }
    let width = bins.iter().map(|bin| bin.dur).max().unwrap_or(0);
    let mut notes = vec![format!(
        "maximum bandwidth in bins of up to {}; concurrent copies in one direction are summed",
        label::duration(width as f64)
    )];
    summaries
        .sort_by_cached_key(|summary| (summary.direction.origin.run.clone(), -summary.busy, summary.direction.clone()));
    let mut panels = group_by(&bins, |bin| &bin.direction);
    panels.sort_by_key(|(direction, _)| summaries.iter().position(|summary| summary.direction == **direction));
    read::truncate(&mut panels, PANELS, "directions of a device", &mut notes);
    let labels = OriginLabels::new(bins.iter().map(|bin| &bin.direction.origin));
    let height = if panels.len() == 1 { 280 } else { 120 };
    let mut sheet = Sheet::default();
    for (direction, bins) in &panels {
        let CopyDirection { origin, device, name } = direction;
        let scale = Scale::rate(bins.iter().map(|bin| bin.max).fold(0.0, f64::max));
        let label = label::join(&[&format!("run {}", origin.run), &labels.label(origin), device, name], ", ");
        let x = sheet.time_axis(&origin.run, origin.span, bins[0].ts);
        let y = theme::axis_from_zero("bandwidth", scale.unit).n_ticks(4);
        let axes = sheet.add_panel(&label, height, x, y, true);
        let step_bin = |bin: &&CopyBin| StepBin {
            ts: bin.ts,
            dur: bin.dur,
            min: 0.0,
            max: scale.convert(bin.max),
            last: scale.convert(bin.last),
            hover: hover(bin),
        };
        let steps: Vec<StepBin> = bins.iter().map(step_bin).collect();
        let (entry, color) = if name == "Memset" { ("fills", "memset") } else { ("copies", "memcpy") };
        stepped::draw(&mut sheet, &axes, &steps, entry, theme::color(color));
    }
    Ok(sheet.into_plot(&title(&summaries, &bins, labels), &notes))
}

impl ColumnValue for CopyDirection {
    fn read(frame: &Frame, _: &str) -> Result<Vec<Self>> {
        Ok(rows!(frame, Self { origin, device, name }))
    }
}

fn rate(bytes_per_s: f64) -> String {
    label::amount(bytes_per_s, Some(Unit::BytesPerS))
}

fn size(bytes: i64) -> String {
    label::amount(bytes as f64, Some(Unit::Bytes))
}

fn hover(bin: &CopyBin) -> String {
    let CopyDirection { origin, device, name } = &bin.direction;
    let starts = if bin.n == 1 { "1 starts".to_owned() } else { format!("{} start", bin.n.max(0)) };
    format!(
        "{}, {}<br>up to {}<br>{starts}{}<br>in {} from {}",
        origin.full_label(),
        label::sanitize(&label::join(&[device, name], ", ")),
        rate(bin.max),
        bin.copied.map_or(String::new(), |bytes| format!(", {}", size(bytes))),
        label::duration(bin.dur as f64),
        label::moment(bin.ts)
    )
}

/// `Memcpy HtoD moves 424 MB at up to 11.7 GB/s, 8.36 GB/s on average over the recording`: the direction with the longest busy time.
fn title(summaries: &[CopySummary], bins: &[CopyBin], labels: OriginLabels) -> String {
    let bins_of = |summary: &CopySummary| {
        let direction = summary.direction.clone();
        bins.iter().filter(move |bin| bin.direction == direction)
    };
    let Some(longest) =
        summaries.iter().filter(|summary| bins_of(summary).next().is_some()).max_by_key(|summary| summary.busy)
    else {
        return "bandwidth of copies and fills".to_owned();
    };
    let CopyDirection { origin, device, name } = &longest.direction;
    let is_other = |other: &CopyDirection| (&other.origin, &other.device) != (origin, device);
    let several_devices = summaries.iter().any(|other| is_other(&other.direction));
    let several_runs = summaries.iter().any(|other| other.direction.origin.run != origin.run);
    let run = if several_runs { format!("run {}", label::clip(&origin.run, 20)) } else { String::new() };
    let of_device = if several_devices {
        format!(" of {}", label::join(&[&run, &labels.label(origin), device], ", "))
    } else {
        String::new()
    };
    // The bins may be those of a time window.
    let copied = bins_of(longest).filter_map(|bin| bin.copied).reduce(i64::saturating_add);
    let moves = copied.map_or("runs".to_owned(), |bytes| format!("moves {}", size(bytes)));
    let max = bins_of(longest).map(|bin| bin.max).fold(0.0, f64::max);
    format!("{name}{of_device} {moves} at up to {}, {} on average over the recording", rate(max), rate(longest.mean))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn over_time() -> Frame {
        frame(vec![
            texts("run", &["a<b>", "a<b>"]),
            texts("node", &["", ""]),
            nullable_ints("rank", &[0, 0]),
            ints("span", &[0, 0]),
            texts("device", &["gpu0", "gpu0"]),
            texts("name", &["Memset", "Memcpy HtoD"]),
            ints("ts", &[1_000, 2_000]),
            ints("dur", &[1_000, 1_000]),
            ints("n", &[2, 1]),
            nullable_ints("copied_bytes", &[-1, 4_096]),
            floats("max_bytes_per_s", &[2.5e9, 8e6]),
            floats("last_bytes_per_s", &[0.0, 0.0]),
        ])
    }

    fn summary() -> Frame {
        frame(vec![
            texts("run", &["a<b>", "a<b>"]),
            texts("node", &["", ""]),
            nullable_ints("rank", &[0, 0]),
            ints("span", &[0, 0]),
            texts("device", &["gpu0", "gpu0"]),
            texts("name", &["Memcpy HtoD", "Memset"]),
            nullable_ints("copied_bytes", &[4_096, -1]),
            ints("busy", &[512_000, 10]),
            floats("mean_bytes_per_s", &[8e6, 2e9]),
            floats("max_bytes_per_s", &[8e6, 2.5e9]),
        ])
    }

    #[test]
    fn each_direction_has_its_panel_and_unit() {
        let plot = to_value(&draw(&[over_time(), summary()]).unwrap());
        let (copies, fills) = (&plot["data"][1], &plot["data"][3]);
        assert_eq!((&copies["name"], &copies["y"]), (&json!("copies"), &json!([8.0, 8.0])));
        assert_eq!((&fills["name"], &fills["y"], &fills["yaxis"]), (&json!("fills"), &json!([2.5, 2.5]), &json!("y2")));
        assert_eq!(copies["line"]["color"], theme::color("memcpy"));
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "bandwidth (MB/s)");
        assert_eq!(plot["layout"]["yaxis2"]["title"]["text"], "bandwidth (GB/s)");
        let hover = copies["hovertext"][0].as_str().unwrap();
        assert!(
            hover.starts_with(
                "run a&lt;b&gt;, rank 0, gpu0, Memcpy HtoD<br>up to 8 MB/s<br>1 starts, 4.1 kB<br>in 1 us from"
            ),
            "{hover}"
        );
        let heading = heading(&plot);
        assert!(
            heading.starts_with("Memcpy HtoD moves 4.1 kB at up to 8 MB/s, 8 MB/s on average over the recording | "),
            "{heading}"
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&over_time()), without_rows(&summary())]).unwrap());
        assert_eq!(title, "<b>Memory bandwidth</b>");
        assert!(note.starts_with("<b>no copies in this profile</b><br>"), "{note}");
    }
}
