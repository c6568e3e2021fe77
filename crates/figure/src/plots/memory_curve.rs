//! Memory in use on each device over time.

use std::fmt::Write as _;

use plotly::Plot;
use plotly::common::{DashType, Line};

use crate::kit::label::Scale;
use crate::kit::origin::{Origin, OriginLabels};
use crate::kit::read::{Required, group_by, row_types};
use crate::kit::sheet::{PANELS, PanelAxes, Sheet};
use crate::kit::stepped::StepBin;
use crate::kit::{label, read, series, sheet, stepped, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "memory_curve",
    doc: "Memory in use and reserved by the allocator over time, with peaks marked; a panel per recording and device.",
    queries: &[FigureQuery::new("memory.curve"), FigureQuery::new("memory.peak")],
    draw,
};

const IN_USE: &str = "maximum in use";
const RESERVED: &str = "reserved by the allocator";
const INCREASE: &str = "change since the start of the recording";
const PEAK: &str = "peak";

row_types! {
    /// The memory of a device in a time bin. Sizes are in bytes, times in ns.
    struct MemoryBin {
        origin: Origin,
        device: String,
        ts: i64 = Required("ts"),
        dur: i64 = Required("dur"),
        n: i64,
        min: Option<i64> = "min_bytes",
        max: Option<i64> = "max_bytes",
        reserved: Option<i64> = "reserved_bytes",
        increase: i64 = "increase_bytes",
        last: Option<i64> = "last_bytes",
    }

    /// The maximum of a device in a recording. Sizes are in bytes.
    struct MemoryPeak {
        origin: Origin,
        device: String,
        ts: Option<i64>,
        bytes: Option<i64> = "peak_bytes",
        increase: i64 = "increase_bytes",
        device_bytes: Option<i64>,
    }
}

impl MemoryPeak {
    /// `, 45 % of the device`, or an empty text if its memory is unknown.
    fn device_share(&self, bytes: i64) -> String {
        self.device_bytes.map_or(String::new(), |device_bytes| {
            format!(", {} of the device", label::percentage(bytes as f64, device_bytes as f64))
        })
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = MemoryBin::read(read::frame(frames, 0)?)?;
    let peaks = MemoryPeak::read(read::frame(frames, 1)?)?;
    if bins.is_empty() {
        let why = "No allocation was recorded. Record with profile(profile_memory=True).";
        return Ok(sheet::message_plot("Memory curve", "no memory events in this profile", why));
    }
    let width = bins.iter().map(|bin| bin.dur).max().unwrap_or(0);
    let width = format!("bins of up to {}", label::duration(width as f64));
    let mut notes = vec![if bins.iter().any(|bin| bin.max.is_some()) {
        format!("minimum and maximum in {width}, so that no peak is lost")
    } else {
        format!("only changes were recorded: their sum at the end of {width}")
    }];
    let scale = Scale::bytes(bins.iter().map(|bin| bin.max.unwrap_or(bin.increase) as f64).fold(0.0, f64::max));
    let mut panels = group_by(&bins, |bin| (&bin.origin, bin.device.as_str()));
    // Accelerators run out of memory first.
    panels.sort_by_key(|((origin, device), _)| (&origin.run, *device == "cpu", *origin, *device));
    read::truncate(&mut panels, PANELS, "recordings of a device", &mut notes);
    let labels = OriginLabels::new(bins.iter().map(|bin| &bin.origin));
    let height = if panels.len() == 1 { 280 } else { 150 };
    let mut sheet = Sheet::default();
    for ((origin, device), bins) in &panels {
        let label = label::join(&[&format!("run {}", origin.run), &labels.label(origin), device], ", ");
        let x = sheet.time_axis(&origin.run, origin.span, bins[0].ts);
        let y = theme::axis_from_zero("memory", scale.unit).n_ticks(6);
        let axes = sheet.add_panel(&label, height, x, y, true);
        draw_curves(&mut sheet, &axes, bins, scale);
        // Peaks are for the whole recording, so the window may not contain them.
        let last = bins[bins.len() - 1];
        let window = bins[0].ts..=last.ts.saturating_add(last.dur);
        let points = peaks.iter().filter(|peak| &peak.origin == *origin && peak.device == *device).filter_map(|peak| {
            let (ts, bytes) = (peak.ts.filter(|ts| window.contains(ts))?, peak.bytes?);
            Some((label::time(ts), scale.convert(bytes as f64), peak_hover(peak, ts, bytes)))
        });
        series::draw_outliers(&mut sheet, &axes, PEAK, points);
    }
    Ok(sheet.into_plot(&title(&peaks, &bins), &notes))
}

/// Draws the curves of one recording.
fn draw_curves(sheet: &mut Sheet, axes: &PanelAxes, bins: &[&MemoryBin], scale: Scale) {
    let step_bin = |bin: &&MemoryBin| {
        let max = bin.max.unwrap_or(bin.increase);
        StepBin {
            ts: bin.ts,
            dur: bin.dur,
            min: scale.convert(bin.min.unwrap_or(max) as f64),
            max: scale.convert(max as f64),
            last: scale.convert(bin.last.unwrap_or(max) as f64),
            hover: hover(bin),
        }
    };
    let steps: Vec<StepBin> = bins.iter().map(step_bin).collect();
    let has_totals = bins.iter().all(|bin| bin.max.is_some());
    let color = theme::color(if has_totals { "memory" } else { "other" });
    let line = Line::new().color(color).width(1.5);
    if has_totals {
        stepped::draw(sheet, axes, &steps, IN_USE, color);
    } else {
        stepped::draw_line(sheet, axes, &steps, INCREASE, line.clone(), true);
    }
    // The allocator of the host reserves no memory.
    if bins.iter().any(|bin| bin.device != "cpu" && bin.reserved.is_some_and(|bytes| bytes > 0)) {
        let reserved = bins.iter().map(|bin| bin.reserved.map_or(f64::NAN, |bytes| scale.convert(bytes as f64)));
        let reserved = steps.into_iter().zip(reserved);
        let steps: Vec<StepBin> = reserved.map(|(step, max)| StepBin { max, last: max, ..step }).collect();
        stepped::draw_line(sheet, axes, &steps, RESERVED, line.dash(DashType::Dot), false);
    }
}

/// `1.2 GB (1,200,000,000 bytes)`
fn size(bytes: i64) -> String {
    format!("{} ({} bytes)", Scale::bytes(bytes as f64).text(bytes as f64), label::group_digits(bytes))
}

fn hover(bin: &MemoryBin) -> String {
    let mut text = format!("{}, {}<br>", bin.origin.full_label(), label::sanitize(&bin.device));
    let _ = match (bin.min, bin.max) {
        (Some(min), Some(max)) => write!(text, "maximum in use {}<br>minimum in use {}", size(max), size(min)),
        _ => write!(text, "{INCREASE}: {}", size(bin.increase)),
    };
    if let Some(reserved) = bin.reserved {
        let _ = write!(text, "<br>{RESERVED}: {}", size(reserved));
    }
    let n = label::count(bin.n, "event");
    format!("{text}<br>{n} in {} from {}", label::duration(bin.dur as f64), label::moment(bin.ts))
}

fn peak_hover(peak: &MemoryPeak, ts: i64, bytes: i64) -> String {
    format!(
        "{}, {}<br>peak {}{}<br>{}",
        peak.origin.full_label(),
        label::sanitize(&peak.device),
        size(bytes),
        peak.device_share(bytes),
        label::moment(ts)
    )
}

/// `memory of gpu0 peaks at 7.2 GB, 45 % of the device`: the largest peak of the accelerators, or else of the hosts.
fn title(peaks: &[MemoryPeak], bins: &[MemoryBin]) -> String {
    // The bins may be those of a time window.
    let most = |peak: &MemoryPeak| {
        let shown = bins.iter().filter(|bin| bin.origin == peak.origin && bin.device == peak.device);
        shown.filter_map(|bin| bin.max).max()
    };
    let is_shown = |peak: &&MemoryPeak| bins.iter().any(|bin| bin.origin == peak.origin && bin.device == peak.device);
    let accelerators: Vec<&MemoryPeak> = peaks.iter().filter(is_shown).filter(|peak| peak.device != "cpu").collect();
    let chosen = if accelerators.is_empty() { peaks.iter().filter(is_shown).collect() } else { accelerators };
    let Some(largest) = chosen.iter().max_by_key(|peak| (peak.bytes, peak.increase)) else {
        return "memory in use".to_owned();
    };
    let first = chosen[0];
    let several_runs = chosen.iter().any(|peak| peak.origin.run != first.origin.run);
    let several_devices = chosen.iter().any(|peak| (&peak.origin, &peak.device) != (&first.origin, &first.device));
    let labels = OriginLabels::new(chosen.iter().map(|peak| &peak.origin));
    let run = if several_runs { format!("run {}", label::clip(&largest.origin.run, 20)) } else { String::new() };
    let process = if several_devices { labels.label(&largest.origin) } else { String::new() };
    let who = label::join(&[&run, &process, &largest.device], ", ");
    let text = |bytes: i64| Scale::bytes(bytes as f64).text(bytes as f64);
    match largest.bytes.and_then(|_| most(largest)) {
        Some(bytes) => format!("Memory of {who} peaks at {}{}", text(bytes), largest.device_share(bytes)),
        None => format!("Memory of {who} grows by up to {}", text(largest.increase)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn curve(max: [i64; 2]) -> Frame {
        frame(vec![
            texts("run", &["a", "a"]),
            texts("node", &["", ""]),
            nullable_ints("rank", &[0, 0]),
            ints("span", &[0, 0]),
            texts("device", &["gpu<0>", "gpu<0>"]),
            ints("ts", &[1_000, 3_000]),
            ints("dur", &[1_000, 1_000]),
            ints("n", &[3, 1]),
            nullable_ints("min_bytes", &max.map(|max| max.min(max / 2))),
            nullable_ints("max_bytes", &max),
            nullable_ints("reserved_bytes", &[8_000_000, 8_000_000]),
            ints("increase_bytes", &[500_000, -500_000]),
            nullable_ints("last_bytes", &max.map(|max| max.min(3_000_000))),
        ])
    }

    fn peak() -> Frame {
        frame(vec![
            texts("run", &["a"]),
            texts("node", &[""]),
            nullable_ints("rank", &[0]),
            ints("span", &[0]),
            texts("device", &["gpu<0>"]),
            ints("ts", &[1_750]),
            ints("peak_bytes", &[4_000_000]),
            ints("increase_bytes", &[1]),
            ints("device_bytes", &[16_000_000]),
        ])
    }

    #[test]
    fn the_maximum_in_use_is_drawn_and_the_peak_is_marked() {
        use label::time;

        let plot = to_value(&draw(&[curve([4_000_000, 2_000_001]), peak()]).unwrap());
        let (min, line, reserved, peak) = (&plot["data"][0], &plot["data"][1], &plot["data"][2], &plot["data"][3]);
        // A bin over its width, then the last value until the next bin.
        assert_eq!((&line["name"], &line["y"]), (&json!(IN_USE), &json!([4.0, 4.0, 3.0, 3.0, 2.000_001, 2.000_001])));
        assert_eq!(min["y"], json!([2.0, 2.0, 3.0, 3.0, 1.0, 1.0]));
        assert_eq!(line["x"], json!([time(1_000), time(2_000), time(2_000), time(3_000), time(3_000), time(4_000)]));
        assert_eq!(
            (&line["fill"], &reserved["name"], &reserved["y"][5]),
            (&json!("tonexty"), &json!(RESERVED), &json!(8.0))
        );
        assert_eq!((&peak["x"], &peak["y"]), (&json!(["0.00175"]), &json!([4.0])));
        assert_eq!(
            peak["hovertext"][0],
            "run a, rank 0, gpu&lt;0&gt;<br>peak 4 MB (4,000,000 bytes), 25 % of the device<br>+1.75 us"
        );
        assert!(line["hovertext"][5].as_str().unwrap().contains("maximum in use 2 MB (2,000,001 bytes)"));
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "memory (MB)");
        assert_eq!(
            heading(&plot).split(" | ").next(),
            Some("Memory of gpu&lt;0&gt; peaks at 4 MB, 25 % of the device")
        );
    }

    #[test]
    fn without_totals_the_change_is_drawn() {
        let plot = to_value(&draw(&[curve([-1, -1]), peak()]).unwrap());
        let heading = heading(&plot);
        assert!(heading.ends_with("their sum at the end of bins of up to 1 us"), "{heading}");
        assert_eq!(
            (&plot["data"][0]["name"], &plot["data"][0]["y"]),
            (&json!(INCREASE), &json!([500.0, 500.0, 500.0, 500.0, -500.0, -500.0]))
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&curve([1, 1])), without_rows(&peak())]).unwrap());
        assert_eq!(title, "<b>Memory curve</b>");
        assert!(note.contains("profile_memory=True"), "{note}");
    }
}
