//! Memory in use on each device over time.

use std::fmt::Write as _;

use plotly::common::{DashType, Fill, HoverInfo, Line, Mode};
use plotly::layout::RangeMode;
use plotly::{Plot, Scatter};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Place, Sheet};
use crate::kit::whose::{Telling, Whose};
use crate::kit::{label, read, series, sheet, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "memory_curve",
    doc: "Memory in use and reserved by the allocator over time, with peaks marked; a panel per recording and device.",
    queries: &[Ask::new("memory.curve"), Ask::new("memory.peak")],
    draw,
};

const IN_USE: &str = "maximum in use";
const RESERVED: &str = "reserved by the allocator";
const INCREASE: &str = "change since the start of the recording";
const PEAK: &str = "peak";

struct Point {
    whose: Whose,
    device: String,
    ts: i64,
    dur: i64,
    n: i64,
    least: Option<i64>,
    most: Option<i64>,
    reserved: Option<i64>,
    increase: i64,
    last: Option<i64>,
}

struct Peak {
    whose: Whose,
    device: String,
    ts: Option<i64>,
    bytes: Option<i64>,
    increase: i64,
    of: Option<i64>,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let points = points(read::answer(frames, 0)?)?;
    let peaks = peaks(read::answer(frames, 1)?)?;
    if points.is_empty() {
        let why = "No allocation was recorded. Record with profile(profile_memory=True).";
        return Ok(sheet::message("Memory curve", "no memory events in this profile", why));
    }
    let width = points.iter().map(|point| point.dur).max().unwrap_or(0);
    let bins = format!("bins of up to {}", label::duration(width as f64));
    let mut notes = vec![if points.iter().any(|point| point.most.is_some()) {
        format!("minimum and maximum in {bins}, so that no peak is lost")
    } else {
        format!("only changes were recorded: their sum at the end of {bins}")
    }];
    let scale =
        Scale::bytes(points.iter().map(|point| point.most.unwrap_or(point.increase) as f64).fold(0.0, f64::max));
    let mut panels = groups(points.iter().map(|point| {
        let whose = &point.whose;
        (whose, point.device.as_str())
    }));
    // Accelerators run out of memory first.
    panels.sort_by_key(|((whose, device), _)| (&whose.run, *device == "cpu", *whose, *device));
    read::cap(&mut panels, PANELS, "recordings of a device", &mut notes);
    let telling = Telling::of(points.iter().map(|point| &point.whose));
    let height = if panels.len() == 1 { 280 } else { 150 };
    let mut sheet = Sheet::default();
    for ((whose, device), rows) in &panels {
        let rows: Vec<&Point> = rows.iter().map(|row| &points[*row]).collect();
        let name = label::join(&[&format!("run {}", whose.run), &telling.name(whose), device], ", ");
        let y = theme::axis(&format!("memory ({})", scale.unit)).range_mode(RangeMode::ToZero).n_ticks(6);
        let at = sheet.panel_over_time(&name, height, y, whose);
        curve(&mut sheet, &at, &rows, scale);
        let here = peaks.iter().filter(|peak| &peak.whose == *whose && peak.device == *device);
        // Peaks are for the whole recording, so the window may not contain them.
        let (begin, end) = (rows[0].ts, rows[rows.len() - 1].ts.saturating_add(rows[rows.len() - 1].dur));
        let marked: Vec<&Peak> =
            here.filter(|peak| peak.bytes.is_some() && peak.ts.is_some_and(|ts| (begin..=end).contains(&ts))).collect();
        if !marked.is_empty() {
            let show = sheet.first(PEAK);
            let x = marked.iter().map(|peak| label::time(peak.ts.unwrap_or(0))).collect();
            let y = marked.iter().map(|peak| scale.of(peak.bytes.unwrap_or(0) as f64)).collect();
            let hover = marked.iter().map(|peak| told(peak)).collect();
            sheet.trace(series::marks(x, y, hover, &at).name(PEAK).legend_group(PEAK).show_legend(show));
        }
    }
    Ok(sheet.plot(&title(&peaks), &notes))
}

/// Draws the curves of one recording. A value holds until the next event.
fn curve(sheet: &mut Sheet, at: &Place, points: &[&Point], scale: Scale) {
    let known = points.iter().all(|point| point.most.is_some());
    let (name, color) = if known { (IN_USE, theme::color("memory")) } else { (INCREASE, theme::color("other")) };
    let (mut x, mut hover) = (Vec::new(), Vec::new());
    let (mut least, mut most, mut reserved) = (Vec::new(), Vec::new(), Vec::new());
    for (place, point) in points.iter().enumerate() {
        let end = point.ts.saturating_add(point.dur);
        let mut push = |ts: i64, low: i64, high: i64| {
            x.push(label::time(ts));
            least.push(scale.of(low as f64));
            most.push(scale.of(high as f64));
            reserved.push(point.reserved.map_or(f64::NAN, |bytes| scale.of(bytes as f64)));
            hover.push(self::hover(point));
        };
        let high = point.most.unwrap_or(point.increase);
        let low = point.least.unwrap_or(high);
        push(point.ts, low, high);
        push(end, low, high);
        if let Some(next) = points.get(place + 1).filter(|next| next.ts > end) {
            let last = point.last.unwrap_or(high);
            push(end, last, last);
            push(next.ts, last, last);
        }
    }
    let line = |values: Vec<f64>| Scatter::new(x.clone(), values).mode(Mode::Lines).x_axis(&at.x).y_axis(&at.y);
    if known {
        let hidden = || Line::new().width(0.0);
        let low = line(least).line(hidden()).hover_info(HoverInfo::Skip).show_legend(false).legend_group(name);
        sheet.trace(low);
    }
    let show = sheet.first(name);
    let mut high = line(most).line(Line::new().color(color).width(1.5)).name(name).legend_group(name).show_legend(show);
    if known {
        high = high.fill(Fill::ToNextY).fill_color(theme::faint(color, 0.25));
    }
    sheet.trace(high.hover_text_array(hover).hover_template("%{hovertext}<extra></extra>"));
    // The allocator of the host reserves no memory.
    if points.iter().any(|point| point.device != "cpu" && point.reserved.is_some_and(|bytes| bytes > 0)) {
        let show = sheet.first(RESERVED);
        let dotted = Line::new().color(color).width(1.5).dash(DashType::Dot);
        let held = line(reserved).line(dotted).hover_info(HoverInfo::Skip);
        sheet.trace(held.name(RESERVED).legend_group(RESERVED).show_legend(show));
    }
}

fn points(frame: &Frame) -> Result<Vec<Point>> {
    let column = |name| read::integers(frame, name);
    let (ts, dur, n) = (column("ts")?, column("dur")?, column("n")?);
    let (least, most) = (column("min_bytes")?, column("max_bytes")?);
    let (reserved, increase, last) = (column("reserved_bytes")?, column("increase_bytes")?, column("last_bytes")?);
    let rows = whose::whose(frame)?.into_iter().zip(read::texts(frame, "device")?).enumerate();
    let points = rows.filter_map(|(row, (whose, device))| {
        Some(Point {
            whose,
            device,
            ts: ts[row]?,
            dur: dur[row]?,
            n: n[row].unwrap_or(0),
            least: least[row],
            most: most[row],
            reserved: reserved[row],
            increase: increase[row].unwrap_or(0),
            last: last[row],
        })
    });
    Ok(points.collect())
}

fn peaks(frame: &Frame) -> Result<Vec<Peak>> {
    let column = |name| read::integers(frame, name);
    let (ts, bytes, increase, of) =
        (column("ts")?, column("peak_bytes")?, column("increase_bytes")?, column("device_bytes")?);
    let rows = whose::whose(frame)?.into_iter().zip(read::texts(frame, "device")?).enumerate();
    let peaks = rows.map(|(row, (whose, device))| Peak {
        whose,
        device,
        ts: ts[row],
        bytes: bytes[row],
        increase: increase[row].unwrap_or(0),
        of: of[row],
    });
    Ok(peaks.collect())
}

/// `1.2 GB (1,200,000,000 bytes)`
fn size(bytes: i64) -> String {
    format!("{} ({} bytes)", Scale::bytes(bytes as f64).text(bytes as f64), label::grouped(bytes))
}

fn hover(point: &Point) -> String {
    let mut text = format!("{}, {}<br>", whose::who(&point.whose), label::plain(&point.device));
    match (point.least, point.most) {
        (Some(least), Some(most)) => {
            let _ = write!(text, "maximum in use {}<br>minimum in use {}", size(most), size(least));
        }
        _ => {
            let _ = write!(text, "{INCREASE}: {}", size(point.increase));
        }
    }
    if let Some(reserved) = point.reserved {
        let _ = write!(text, "<br>{RESERVED}: {}", size(reserved));
    }
    let n = label::count(usize::try_from(point.n).unwrap_or(0), "event");
    format!("{text}<br>{n} in {} from {} UTC", label::duration(point.dur as f64), label::time(point.ts))
}

fn told(peak: &Peak) -> String {
    let (bytes, who) = (peak.bytes.unwrap_or(0), whose::who(&peak.whose));
    let of = peak.of.map_or(String::new(), |of| format!(", {} of the device", label::share(bytes as f64, of as f64)));
    let at = label::time(peak.ts.unwrap_or(0));
    format!("{who}, {}<br>peak {}{of}<br>{at} UTC", label::plain(&peak.device), size(bytes))
}

/// `memory of gpu0 peaks at 7.2 GB, 45 % of the device`
fn title(peaks: &[Peak]) -> String {
    let text = |bytes: i64| Scale::bytes(bytes as f64).text(bytes as f64);
    let greatest = |peaks: Vec<&Peak>| {
        let with_runs = peaks.iter().any(|peak| peak.whose.run != peaks[0].whose.run);
        let telling = Telling::of(peaks.iter().map(|peak| &peak.whose));
        let several = peaks.iter().any(|peak| (&peak.whose, &peak.device) != (&peaks[0].whose, &peaks[0].device));
        let peak = peaks.into_iter().max_by_key(|peak| (peak.bytes, peak.increase))?;
        let run = if with_runs { format!("run {}", label::clip(&peak.whose.run, 20)) } else { String::new() };
        let place = if several { telling.name(&peak.whose) } else { String::new() };
        let who = label::join(&[&run, &place, &peak.device], ", ");
        Some(match peak.bytes {
            Some(bytes) => {
                let of = peak
                    .of
                    .map_or(String::new(), |of| format!(", {} of the device", label::share(bytes as f64, of as f64)));
                format!("memory of {who} peaks at {}{of}", text(bytes))
            }
            None => format!("memory of {who} grows by up to {}", text(peak.increase)),
        })
    };
    let accelerators: Vec<&Peak> = peaks.iter().filter(|peak| peak.device != "cpu").collect();
    let chosen = if accelerators.is_empty() { peaks.iter().collect() } else { accelerators };
    if chosen.is_empty() { "memory in use".to_owned() } else { greatest(chosen).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, known, message, none, texts, value};

    fn curve(most: [i64; 2]) -> Frame {
        frame(vec![
            texts("run", &["a", "a"]),
            texts("node", &["", ""]),
            known("rank", &[0, 0]),
            ints("span", &[0, 0]),
            texts("device", &["gpu<0>", "gpu<0>"]),
            ints("ts", &[1_000, 3_000]),
            ints("dur", &[1_000, 1_000]),
            ints("n", &[3, 1]),
            known("min_bytes", &most.map(|most| most.min(most / 2))),
            known("max_bytes", &most),
            known("reserved_bytes", &[8_000_000, 8_000_000]),
            ints("increase_bytes", &[500_000, -500_000]),
            known("last_bytes", &most.map(|most| most.min(3_000_000))),
        ])
    }

    fn peak() -> Frame {
        frame(vec![
            texts("run", &["a"]),
            texts("node", &[""]),
            known("rank", &[0]),
            ints("span", &[0]),
            texts("device", &["gpu<0>"]),
            ints("ts", &[1_750]),
            ints("peak_bytes", &[4_000_000]),
            ints("increase_bytes", &[1]),
            ints("device_bytes", &[16_000_000]),
        ])
    }

    #[test]
    fn the_most_in_use_is_drawn_and_the_peak_marked() {
        let plot = value(&draw(&[curve([4_000_000, 2_000_001]), peak()]).unwrap());
        let (least, line, reserved, peak) = (&plot["data"][0], &plot["data"][1], &plot["data"][2], &plot["data"][3]);
        // A bin over its width, then the last value until the next bin.
        assert_eq!((&line["name"], &line["y"]), (&json!(IN_USE), &json!([4.0, 4.0, 3.0, 3.0, 2.000_001, 2.000_001])));
        assert_eq!(least["y"], json!([2.0, 2.0, 3.0, 3.0, 1.0, 1.0]));
        let at = |ns: i64| label::time(ns);
        assert_eq!(line["x"], json!([at(1_000), at(2_000), at(2_000), at(3_000), at(3_000), at(4_000)]));
        assert_eq!(
            (&line["fill"], &reserved["name"], &reserved["y"][5]),
            (&json!("tonexty"), &json!(RESERVED), &json!(8.0))
        );
        assert_eq!((&peak["x"], &peak["y"]), (&json!(["1970-01-01 00:00:00.000001750"]), &json!([4.0])));
        assert_eq!(
            peak["hovertext"][0],
            "run a, rank 0, gpu&lt;0&gt;<br>peak 4 MB (4,000,000 bytes), 25 % of the device<br>1970-01-01 00:00:00.000001750 UTC"
        );
        assert!(line["hovertext"][5].as_str().unwrap().contains("maximum in use 2 MB (2,000,001 bytes)"));
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "memory (MB)");
        assert_eq!(
            crate::kit::testing::told(&plot).split(" | ").next(),
            Some("memory of gpu&lt;0&gt; peaks at 4 MB, 25 % of the device")
        );
    }

    #[test]
    fn without_totals_the_change_is_drawn() {
        let plot = value(&draw(&[curve([-1, -1]), peak()]).unwrap());
        let told = crate::kit::testing::told(&plot);
        assert!(told.ends_with("their sum at the end of bins of up to 1 us"), "{told}");
        assert_eq!(
            (&plot["data"][0]["name"], &plot["data"][0]["y"]),
            (&json!(INCREASE), &json!([500.0, 500.0, 500.0, 500.0, -500.0, -500.0]))
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&curve([1, 1])), none(&peak())]).unwrap());
        assert_eq!(title, "<b>Memory curve</b>");
        assert!(note.contains("profile_memory=True"), "{note}");
    }
}
