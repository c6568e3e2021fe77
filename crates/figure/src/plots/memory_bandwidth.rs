//! Bandwidth of copies and fills over time.

use plotly::Plot;
use plotly::layout::RangeMode;

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stepped::Stepped;
use crate::kit::whose::{Telling, Whose};
use crate::kit::{label, read, sheet, stepped, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "memory_bandwidth",
    doc: "The bandwidth of copies and fills over time, a panel per device and direction, in descending busy time.",
    queries: &[Ask::new("memory.bandwidth_over_time"), Ask::new("memory.bandwidth_summary")],
    draw,
};

/// Copies in one direction on a device of a recording.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Lane {
    whose: Whose,
    device: String,
    name: String,
}

struct Summary {
    lane: Lane,
    copied: Option<i64>,
    busy: i64,
    mean: f64,
    most: f64,
}

struct Bin {
    ts: i64,
    dur: i64,
    n: i64,
    copied: Option<i64>,
    most: f64,
    last: f64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = bins(read::answer(frames, 0)?)?;
    let mut summaries = summaries(read::answer(frames, 1)?)?;
    if bins.is_empty() {
        let why = "No copy or fill with a bandwidth or a size was recorded. Either the job ran on the CPU, or the \
                   profiler did not record the device. Record with ProfilerActivity.CUDA.";
        return Ok(sheet::message("Memory bandwidth", "no copies in this profile", why));
    }
    let width = bins.iter().map(|(_, bin)| bin.dur).max().unwrap_or(0);
    let mut notes = vec![format!(
        "maximum bandwidth in bins of up to {}; concurrent copies in one direction are summed",
        label::duration(width as f64)
    )];
    summaries.sort_by(|a, b| (&a.lane.whose.run, -a.busy, &a.lane).cmp(&(&b.lane.whose.run, -b.busy, &b.lane)));
    let place = |lane: &Lane| summaries.iter().position(|summary| summary.lane == *lane);
    let mut panels = groups(bins.iter().map(|(lane, _)| lane));
    panels.sort_by_key(|(lane, _)| place(lane));
    read::cap(&mut panels, PANELS, "directions of a device", &mut notes);
    let telling = Telling::of(bins.iter().map(|(lane, _)| &lane.whose));
    let height = if panels.len() == 1 { 280 } else { 120 };
    let mut sheet = Sheet::default();
    for (lane, rows) in &panels {
        let rows: Vec<&Bin> = rows.iter().map(|row| &bins[*row].1).collect();
        let scale = Scale::rate(rows.iter().map(|bin| bin.most).fold(0.0, f64::max));
        let name = label::join(
            &[&format!("run {}", lane.whose.run), &telling.name(&lane.whose), &lane.device, &lane.name],
            ", ",
        );
        let y = theme::axis(&format!("bandwidth ({})", scale.unit)).range_mode(RangeMode::ToZero).n_ticks(4);
        let at = sheet.panel_over_time(&name, height, y, &lane.whose);
        let steps: Vec<Stepped> = rows
            .iter()
            .map(|bin| Stepped {
                ts: bin.ts,
                dur: bin.dur,
                min: 0.0,
                max: scale.of(bin.most),
                last: scale.of(bin.last),
                hover: hover(lane, bin),
            })
            .collect();
        let (entry, color) = if lane.name == "Memset" { ("fills", "memset") } else { ("copies", "memcpy") };
        stepped::draw(&mut sheet, &at, &steps, entry, theme::color(color));
    }
    Ok(sheet.plot(&title(&summaries, telling), &notes))
}

fn lanes(frame: &Frame) -> Result<Vec<Lane>> {
    let rows = whose::whose(frame)?.into_iter().zip(read::texts(frame, "device")?).zip(read::texts(frame, "name")?);
    Ok(rows.map(|((whose, device), name)| Lane { whose, device, name }).collect())
}

fn bins(frame: &Frame) -> Result<Vec<(Lane, Bin)>> {
    let column = |name| read::integers(frame, name);
    let (ts, dur, n, copied) = (column("ts")?, column("dur")?, column("n")?, column("copied_bytes")?);
    let (most, last) = (read::floats(frame, "max_bytes_per_s")?, read::floats(frame, "last_bytes_per_s")?);
    let rows = lanes(frame)?.into_iter().enumerate().filter_map(|(row, lane)| {
        let bin = Bin {
            ts: ts[row]?,
            dur: dur[row]?,
            n: n[row].unwrap_or(0),
            copied: copied[row],
            most: most[row],
            last: last[row],
        };
        Some((lane, bin))
    });
    Ok(rows.collect())
}

fn summaries(frame: &Frame) -> Result<Vec<Summary>> {
    let (copied, busy) = (read::integers(frame, "copied_bytes")?, read::integers(frame, "busy")?);
    let (mean, most) = (read::floats(frame, "mean_bytes_per_s")?, read::floats(frame, "max_bytes_per_s")?);
    let rows = lanes(frame)?.into_iter().enumerate().map(|(row, lane)| Summary {
        lane,
        copied: copied[row],
        busy: busy[row].unwrap_or(0),
        mean: mean[row],
        most: most[row],
    });
    Ok(rows.collect())
}

/// A bandwidth in the unit that fits.
fn rate(bytes_per_s: f64) -> String {
    Scale::rate(bytes_per_s).text(bytes_per_s)
}

fn size(bytes: i64) -> String {
    Scale::bytes(bytes as f64).text(bytes as f64)
}

fn hover(lane: &Lane, bin: &Bin) -> String {
    let who = format!("{}, {}", whose::who(&lane.whose), label::plain(&label::join(&[&lane.device, &lane.name], ", ")));
    let n = usize::try_from(bin.n).unwrap_or(0);
    let n = if n == 1 { "1 starts".to_owned() } else { format!("{n} start") };
    let copied = bin.copied.map_or(String::new(), |bytes| format!(", {}", size(bytes)));
    let (width, from) = (label::duration(bin.dur as f64), label::time(bin.ts));
    format!("{who}<br>up to {}<br>{n}{copied}<br>in {width} from {from} UTC", rate(bin.most))
}

/// `Memcpy HtoD moves 424 MB at a mean of 8.36 GB/s, maximum 11.7 GB/s`
fn title(summaries: &[Summary], telling: Telling) -> String {
    let Some(longest) = summaries.iter().max_by_key(|summary| summary.busy) else {
        return "bandwidth of copies and fills".to_owned();
    };
    let lane = &longest.lane;
    let several = summaries.iter().any(|other| (&other.lane.whose, &other.lane.device) != (&lane.whose, &lane.device));
    let runs = summaries.iter().any(|other| other.lane.whose.run != lane.whose.run);
    let run = if runs { format!("run {}", label::clip(&lane.whose.run, 20)) } else { String::new() };
    let place =
        if several { label::join(&[&run, &telling.name(&lane.whose), &lane.device], ", ") } else { String::new() };
    let moves = longest.copied.map_or("runs".to_owned(), |bytes| format!("moves {}", size(bytes)));
    let of = if place.is_empty() { lane.name.clone() } else { format!("{} of {place}", lane.name) };
    format!("{of} {moves} at a mean of {}, maximum {}", rate(longest.mean), rate(longest.most))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, known, message, none, texts, told, value};

    fn over_time() -> Frame {
        frame(vec![
            texts("run", &["a<b>", "a<b>"]),
            texts("node", &["", ""]),
            known("rank", &[0, 0]),
            ints("span", &[0, 0]),
            texts("device", &["gpu0", "gpu0"]),
            texts("name", &["Memset", "Memcpy HtoD"]),
            ints("ts", &[1_000, 2_000]),
            ints("dur", &[1_000, 1_000]),
            ints("n", &[2, 1]),
            known("copied_bytes", &[-1, 4_096]),
            floats("max_bytes_per_s", &[2.5e9, 8e6]),
            floats("last_bytes_per_s", &[0.0, 0.0]),
        ])
    }

    fn summary() -> Frame {
        frame(vec![
            texts("run", &["a<b>", "a<b>"]),
            texts("node", &["", ""]),
            known("rank", &[0, 0]),
            ints("span", &[0, 0]),
            texts("device", &["gpu0", "gpu0"]),
            texts("name", &["Memcpy HtoD", "Memset"]),
            known("copied_bytes", &[4_096, -1]),
            ints("busy", &[512_000, 10]),
            floats("mean_bytes_per_s", &[8e6, 2e9]),
            floats("max_bytes_per_s", &[8e6, 2.5e9]),
        ])
    }

    #[test]
    fn each_direction_has_its_panel_and_unit() {
        let plot = value(&draw(&[over_time(), summary()]).unwrap());
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
        let told = told(&plot);
        assert!(told.starts_with("Memcpy HtoD moves 4.1 kB at a mean of 8 MB/s, maximum 8 MB/s | "), "{told}");
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&over_time()), none(&summary())]).unwrap());
        assert_eq!(title, "<b>Memory bandwidth</b>");
        assert!(note.starts_with("<b>no copies in this profile</b><br>"), "{note}");
    }
}
