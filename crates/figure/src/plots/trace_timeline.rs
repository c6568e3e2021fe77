//! Timeline of the threads and streams of a rank.

use std::cmp::Reverse;

use plotly::common::HoverInfo;
use plotly::{Plot, Trace};
use serde::Serialize;
use serde_json::{Value, json};

use crate::kit::label::Scale;
use crate::kit::read::{groups, natural};
use crate::kit::sheet::{PANELS, Place, Sheet};
use crate::kit::whose::Whose;
use crate::kit::{label, read, series, sheet, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "trace_timeline",
    doc: "Timeline of each thread and stream of a rank in any time window, with short intervals merged; a panel per \
          run.",
    queries: &[Ask::new("trace.timeline")],
    draw,
};

/// Maximum number of panels. `trace.timeline` limits the rows of each.
const RUNS: usize = 3;
/// Height of a lane in pixels.
const LANE: usize = 16;

/// A row of `trace.timeline`.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) whose: Whose,
    pub(crate) pid: Option<i64>,
    pub(crate) track: String,
    pub(crate) device: String,
    pub(crate) depth: i64,
    pub(crate) category: String,
    pub(crate) name: String,
    pub(crate) ts: i64,
    pub(crate) dur: i64,
    pub(crate) n: i64,
    pub(crate) busy: i64,
    pub(crate) bin: i64,
    pub(crate) window_ts: i64,
    pub(crate) window_dur: i64,
    pub(crate) excluded_lanes: i64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let rows = rows(read::answer(frames, 0)?)?;
    if rows.is_empty() {
        let why = "This rank has no interval in this time window. Omit start and end to see the whole recording. \
                   Profiles of profilers other than PyTorch's may have no intervals.";
        return Ok(sheet::message("Trace timeline", "nothing recorded here", why));
    }
    let mut notes = Vec::new();
    let mut runs = groups(rows.iter().map(|row| row.whose.run.as_str()));
    let title = title(&rows, &runs);
    read::cap(&mut runs, RUNS.min(PANELS), "runs", &mut notes);
    let bin = runs.iter().map(|(_, members)| rows[members[0]].bin).max().unwrap_or(0);
    notes.push(format!(
        "intervals shorter than {} are merged: the height of a bar is the busy share of its time",
        label::duration(bin as f64)
    ));
    let mut sheet = Sheet::default();
    for (run, members) in &runs {
        let rows: Vec<&Row> = members.iter().map(|row| &rows[*row]).collect();
        let first = rows[0];
        if first.excluded_lanes > 0 {
            notes.push(format!("{} less busy lanes of {} not shown", first.excluded_lanes, label::clip(run, 20)));
        }
        let scale = Scale::time(first.window_dur as f64 / 2.0);
        // Devices come first, then the busiest threads.
        let mut tracks = groups(rows.iter().map(|row| (row.device.as_str(), row.pid, row.track.as_str())));
        let busy = |members: &[usize]| members.iter().map(|row| rows[*row].busy).sum::<i64>();
        tracks.sort_by_cached_key(|((device, pid, track), members)| {
            (
                matches!(*device, "cpu" | ""),
                device.is_empty(),
                natural(device),
                Reverse(busy(members)),
                *pid,
                natural(track),
            )
        });
        let pids = groups(rows.iter().filter_map(|row| row.pid)).len();
        let mut lanes: Vec<usize> = vec![0; rows.len()];
        let (mut count, mut places, mut names, mut edges) = (0, Vec::new(), Vec::new(), Vec::new());
        for ((device, pid, track), members) in &tracks {
            // Some depths may be missing. Only existing depths get a lane.
            let mut depths: Vec<i64> = members.iter().map(|row| rows[*row].depth).collect();
            depths.sort_unstable();
            depths.dedup();
            for member in members {
                lanes[*member] = count + depths.partition_point(|depth| *depth < rows[*member].depth);
            }
            let device = if *device == "cpu" { "" } else { *device };
            let process = pid.filter(|_| pids > 1).map_or(String::new(), |pid| format!("process {pid}"));
            places.push(count as f64 + (depths.len() - 1) as f64 / 2.0);
            names.push(label::narrow(&label::join(&[device, track, &process], ", ")));
            count += depths.len();
            edges.push(count as f64 - 0.5);
        }
        edges.pop();
        let x = theme::axis(&format!("time since {} UTC ({})", label::time(first.window_ts), scale.unit))
            .range(vec![0.0, scale.of(first.window_dur as f64)]);
        let y = theme::axis("")
            .range(vec![count as f64 - 0.4, -0.6])
            .tick_values(places)
            .tick_text(names)
            .show_grid(false)
            .fixed_range(true);
        let name = label::join(&[&format!("run {run}"), &label::place(&first.whose.node, first.whose.rank)], ", ");
        let at = sheet.panel(&name, 16 + LANE * count.max(4), x, y, true);
        for edge in edges {
            sheet.shape(series::rule(edge, &at));
        }
        let mut categories = groups(rows.iter().map(|row| row.category.as_str()));
        categories.sort_by_key(|(_, members)| Reverse(busy(members)));
        for (category, members) in categories {
            let show = sheet.first(category);
            let bars: Vec<(&Row, usize)> = members.iter().map(|row| (rows[*row], lanes[*row])).collect();
            sheet.trace(Box::new(Intervals::new(category, &bars, scale, &at)));
            if show {
                let key = series::key(&label::plain(category), theme::work(category)).hover_info(HoverInfo::Skip);
                sheet.trace(key.x_axis(&at.x).y_axis(&at.y));
            }
        }
    }
    Ok(sheet.plot(&title, &notes))
}

/// Horizontal bars, each with its own start and height. The Rust types of plotly do not support this.
#[derive(Clone, Serialize)]
pub(crate) struct Intervals {
    #[serde(flatten)]
    fields: Value,
}

impl Intervals {
    pub(crate) fn new(category: &str, bars: &[(&Row, usize)], scale: Scale, at: &Place) -> Self {
        Self::faint(category, 1.0, bars, scale, at)
    }

    /// Like `new`, with an opacity, as a background for other traces.
    pub(crate) fn faint(category: &str, alpha: f64, bars: &[(&Row, usize)], scale: Scale, at: &Place) -> Self {
        let color = theme::work(category);
        let color = if alpha < 1.0 { theme::faint(color, alpha) } else { color.to_owned() };
        let column = |value: &dyn Fn(&Row) -> f64| bars.iter().map(|(row, _)| value(row)).collect::<Vec<f64>>();
        let fields = json!({
            "type": "bar",
            "orientation": "h",
            "name": label::plain(category),
            "legendgroup": label::plain(category),
            "showlegend": false,
            "base": column(&|row| scale.of(row.ts.saturating_sub(row.window_ts) as f64)),
            "x": column(&|row| scale.of(row.dur as f64)),
            "y": bars.iter().map(|(_, lane)| *lane).collect::<Vec<_>>(),
            "width": column(&height),
            "hovertext": bars.iter().map(|(row, _)| hover(row)).collect::<Vec<_>>(),
            "hovertemplate": "%{hovertext}<extra></extra>",
            "marker": {"color": color, "line": {"width": 0.5, "color": theme::faint("#ffffff", 0.5)}},
            "xaxis": at.x,
            "yaxis": at.y,
        });
        Self { fields }
    }
}

impl Trace for Intervals {
    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Height of a bar in lanes: the busy share of its time, but never too thin to be visible.
fn height(row: &Row) -> f64 {
    if row.n == 1 { 0.86 } else { 0.86 * (row.busy as f64 / row.dur.max(1) as f64).clamp(0.12, 1.0) }
}

fn hover(row: &Row) -> String {
    let name = label::whole(&row.name);
    let from = label::precise_duration(row.ts.saturating_sub(row.window_ts));
    let place = label::plain(&label::join(&[&row.track, &row.device], ", "));
    let times = format!("from +{from} ({} UTC)", label::time(row.ts));
    match row.n {
        1 => format!(
            "{name}<br>{}, {place}<br>{} {times}",
            label::plain(&row.category),
            label::precise_duration(row.dur)
        ),
        n => format!(
            "{} short intervals, {place}<br>busy {} in a bin of {} {times}<br>longest: {name} ({})",
            label::grouped(n),
            label::precise_duration(row.busy),
            label::precise_duration(row.dur),
            label::plain(&row.category)
        ),
    }
}

/// The intervals in a result of `trace.timeline`.
pub(crate) fn rows(frame: &Frame) -> Result<Vec<Row>> {
    let column = |name| read::integers(frame, name);
    let text = |name| read::texts(frame, name);
    let (pids, depths, ts, durs) = (column("pid")?, column("depth")?, column("ts")?, column("dur")?);
    let (n, busy, bins) = (column("n")?, column("busy")?, column("bin_dur")?);
    let (window_ts, window_dur, excluded_lanes) =
        (column("window_ts")?, column("window_dur")?, column("excluded_lanes")?);
    let texts = text("track")?.into_iter().zip(text("device")?).zip(text("category")?).zip(text("name")?);
    let rows = whose::whose(frame)?.into_iter().zip(texts).enumerate();
    let rows = rows.filter_map(|(row, (whose, (((track, device), category), name)))| {
        Some(Row {
            whose,
            pid: pids[row],
            track,
            device,
            depth: depths[row].unwrap_or(0),
            category,
            name,
            ts: ts[row]?,
            dur: durs[row]?,
            n: n[row].unwrap_or(1),
            busy: busy[row].unwrap_or(0),
            bin: bins[row].unwrap_or(1),
            window_ts: window_ts[row]?,
            window_dur: window_dur[row].unwrap_or(1),
            excluded_lanes: excluded_lanes[row].unwrap_or(0),
        })
    });
    Ok(rows.collect())
}

/// `45,420 intervals of rank 0 in 1.2 s on 12 tracks`
fn title(rows: &[Row], runs: &[(&str, Vec<usize>)]) -> String {
    let n: i64 = rows.iter().map(|row| row.n).sum();
    let tracks = groups(rows.iter().map(|row| (&row.whose.run, &row.device, row.pid, &row.track))).len();
    let first = &rows[0];
    let who = match runs {
        [_] => first.whose.rank.map_or(String::new(), |rank| format!(" of rank {rank}")),
        many => format!(" of {} runs", many.len()),
    };
    let window = rows.iter().map(|row| row.window_dur).max().unwrap_or(0);
    format!(
        "{} intervals{who} in {} on {}",
        label::grouped(n),
        label::duration(window as f64),
        label::count(tracks, "track")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::testing::{frame, ints, known, message, none, texts, told, value};

    fn timeline() -> Frame {
        let start = 1_600_000_000_000_000_000;
        frame(vec![
            texts("run", &["a"; 4]),
            texts("node", &[""; 4]),
            known("rank", &[1; 4]),
            known("pid", &[-1, 7, 7, 7]),
            texts("track", &["stream 7", "thread 7", "thread 7", "thread 7"]),
            texts("device", &["gpu0", "cpu", "cpu", "cpu"]),
            ints("depth", &[0, 0, 2, 2]),
            texts("category", &["kernel", "operator", "operator", "runtime"]),
            texts("name", &["k<float>", "aten::mm", "aten::add", "cudaLaunchKernel"]),
            ints("ts", &[start + 3_000_000, start, start + 1_000_000, start + 2_000_000]),
            ints("dur", &[1_000_001, 6_000_000, 1_000_000, 1_000_000]),
            ints("n", &[1, 1, 12, 2]),
            ints("busy", &[1_000_001, 6_000_000, 500_000, 1]),
            ints("bin_dur", &[1_000_000; 4]),
            ints("window_ts", &[start; 4]),
            ints("window_dur", &[8_000_000; 4]),
            ints("excluded_lanes", &[3; 4]),
        ])
    }

    #[test]
    fn intervals_lie_in_their_lanes() {
        let plot = value(&draw(&[timeline()]).unwrap());
        let data: Vec<&Value> =
            plot["data"].as_array().unwrap().iter().filter(|trace| trace["type"] == "bar").collect();
        let (operator, kernel, runtime) = (data[0], data[1], data[2]);
        assert_eq!((&operator["base"], &operator["x"]), (&json!([0.0, 1.0]), &json!([6.0, 1.0])));
        assert_eq!((&operator["y"], &operator["width"]), (&json!([1, 2]), &json!([0.86, 0.43])));
        assert_eq!((&kernel["base"], &kernel["x"], &kernel["y"]), (&json!([3.0]), &json!([1.000_001]), &json!([0])));
        assert_eq!((&runtime["y"], &runtime["width"]), (&json!([2]), &json!([0.1032])));
        assert_eq!(kernel["marker"]["color"], theme::color("kernel"));
        assert_eq!(
            kernel["hovertext"][0],
            "k&lt;float&gt;<br>kernel, stream 7, gpu0<br>1 ms from +3 ms (2020-09-13 12:26:40.003 UTC)"
        );
        assert_eq!(
            operator["hovertext"][1],
            "12 short intervals, thread 7, cpu<br>busy 500 us in a bin of 1 ms from +1 ms (2020-09-13 12:26:40.001 UTC)<br>longest: aten::add (operator)"
        );
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["gpu0, stream 7", "thread 7"]));
        assert_eq!(plot["layout"]["yaxis"]["tickvals"], json!([0.0, 1.5]));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "time since 2020-09-13 12:26:40 UTC (ms)");
        assert_eq!(
            told(&plot),
            "16 intervals of rank 1 in 8 ms on 2 tracks | intervals shorter than 1 ms are merged: the height of a bar is the busy share of its time 3 less busy lanes of a not shown"
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&timeline())]).unwrap());
        assert_eq!(title, "<b>Trace timeline</b>");
        assert!(note.starts_with("<b>nothing recorded here</b>"), "{note}");
    }
}
