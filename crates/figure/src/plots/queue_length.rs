//! Number of launches queued for each device stream over time.

use plotly::Plot;
use plotly::layout::RangeMode;

use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stepped::Stepped;
use crate::kit::whose::{Telling, Whose};
use crate::kit::{label, read, sheet, stepped, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "queue_length",
    doc: "The number of launches queued for each device stream over time, a panel per stream, the stream with the most \
          launches first.",
    queries: &[Ask::new("kernel.queue_length_over_time"), Ask::new("kernel.queue_length_summary")],
    draw,
};

const NAME: &str = "queued launches";

/// A stream of a recording.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Stream {
    whose: Whose,
    device: String,
    stream: Option<i64>,
}

struct Summary {
    stream: Stream,
    launches: i64,
    most: i64,
    empty: f64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = bins(read::answer(frames, 0)?)?;
    let mut summaries = summaries(read::answer(frames, 1)?)?;
    if bins.is_empty() {
        let why = "No launch of device work was recorded. Either the job ran on the CPU, or the profiler did not \
                   record both sides. Record with ProfilerActivity.CPU and ProfilerActivity.CUDA.";
        return Ok(sheet::message("Queue length", "no launches in this profile", why));
    }
    let width = bins.iter().map(|(_, bin)| bin.dur).max().unwrap_or(0);
    let mut notes = vec![format!(
        "launches that have not started on the device: range in bins of up to {}; at 0 the device waits for the host",
        label::duration(width as f64)
    )];
    // Streams with the most launches come first.
    summaries.sort_by(|a, b| {
        (&a.stream.whose.run, -a.launches, &a.stream).cmp(&(&b.stream.whose.run, -b.launches, &b.stream))
    });
    let place = |stream: &Stream| summaries.iter().position(|summary| summary.stream == *stream);
    let mut panels = groups(bins.iter().map(|(stream, _)| stream));
    panels.sort_by_key(|(stream, _)| place(stream));
    read::cap(&mut panels, PANELS, "streams", &mut notes);
    let telling = Telling::of(bins.iter().map(|(stream, _)| &stream.whose));
    let height = if panels.len() == 1 { 280 } else { 120 };
    let mut sheet = Sheet::default();
    for (stream, rows) in &panels {
        let name = label::join(&[&format!("run {}", stream.whose.run), &self::name(stream, telling)], ", ");
        let y = theme::axis("launches (count)").range_mode(RangeMode::ToZero).n_ticks(4);
        let at = sheet.panel_over_time(&name, height, y, &stream.whose);
        let bins: Vec<Stepped> = rows.iter().map(|row| bins[*row].1.clone()).collect();
        stepped::draw(&mut sheet, &at, &bins, NAME, theme::color("kernel"));
    }
    Ok(sheet.plot(&title(&summaries, telling), &notes))
}

/// `rank 0, gpu0, stream 7`
fn name(stream: &Stream, telling: Telling) -> String {
    let number = stream.stream.map_or(String::new(), |stream| format!("stream {stream}"));
    label::join(&[&telling.name(&stream.whose), &stream.device, &number], ", ")
}

fn streams(frame: &Frame) -> Result<Vec<Stream>> {
    let rows = whose::whose(frame)?.into_iter().zip(read::texts(frame, "device")?);
    let rows = rows.zip(read::integers(frame, "stream")?);
    Ok(rows.map(|((whose, device), stream)| Stream { whose, device, stream }).collect())
}

fn bins(frame: &Frame) -> Result<Vec<(Stream, Stepped)>> {
    let column = |name| read::integers(frame, name);
    let (ts, dur, n) = (column("ts")?, column("dur")?, column("n")?);
    let (least, most, last) = (column("length_min")?, column("length_max")?, column("length_last")?);
    let rows = streams(frame)?.into_iter().enumerate().filter_map(|(row, stream)| {
        let (ts, dur, least, most) = (ts[row]?, dur[row]?, least[row]?, most[row]?);
        let hover = format!(
            "{}, {}<br>{least} to {most} queued launches<br>{} in {} from {} UTC",
            whose::who(&stream.whose),
            label::plain(&label::join(
                &[&stream.device, &stream.stream.map_or(String::new(), |s| format!("stream {s}"))],
                ", "
            )),
            label::count(usize::try_from(n[row].unwrap_or(0)).unwrap_or(0), "change"),
            label::duration(dur as f64),
            label::time(ts)
        );
        let last = last[row].unwrap_or(most) as f64;
        Some((stream, Stepped { ts, dur, min: least as f64, max: most as f64, last, hover }))
    });
    Ok(rows.collect())
}

fn summaries(frame: &Frame) -> Result<Vec<Summary>> {
    let (launches, most) = (read::integers(frame, "launches")?, read::integers(frame, "length_max")?);
    let empty = read::floats(frame, "empty_ratio")?;
    let rows = streams(frame)?.into_iter().enumerate().map(|(row, stream)| Summary {
        stream,
        launches: launches[row].unwrap_or(0),
        most: most[row].unwrap_or(0),
        empty: empty[row],
    });
    Ok(rows.collect())
}

/// `up to 1,022 launches queued for stream 7; queue empty 22.6 % of the time`
fn title(summaries: &[Summary], telling: Telling) -> String {
    let Some(busiest) = summaries.iter().max_by_key(|summary| summary.launches) else {
        return "launches queued for the device".to_owned();
    };
    let several = summaries.iter().any(|summary| summary.stream.whose.run != busiest.stream.whose.run);
    let run = if several { format!("run {}", label::clip(&busiest.stream.whose.run, 20)) } else { String::new() };
    let who = label::join(&[&run, &name(&busiest.stream, telling)], ", ");
    let most = label::grouped(busiest.most);
    let text = format!("up to {most} {} queued for {who}", if busiest.most == 1 { "launch" } else { "launches" });
    if busiest.empty.is_nan() {
        text
    } else {
        format!("{text}; queue empty {} of the time", label::share(busiest.empty, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, known, message, none, texts, told, value};

    fn over_time() -> Frame {
        frame(vec![
            texts("run", &["a<b>", "a<b>", "a<b>"]),
            texts("node", &["", "", ""]),
            known("rank", &[0, 0, 0]),
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
            known("rank", &[0, 0]),
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
        let plot = value(&draw(&[over_time(), summary()]).unwrap());
        // the stream with the most launches is on top
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
            told(&plot)
                .starts_with("up to 1,022 launches queued for rank 0, gpu0, stream 7; queue empty 25 % of the time | "),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&over_time()), none(&summary())]).unwrap());
        assert_eq!(title, "<b>Queue length</b>");
        assert!(note.starts_with("<b>no launches in this profile</b><br>"), "{note}");
    }
}
