//! The critical path of a step, drawn over the events on the threads and streams.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use plotly::common::{HoverInfo, Line, Mode};
use plotly::{Plot, Scatter};
use serde_json::json;

use crate::kit::label::Scale;
use crate::kit::lanes::{LaneBar, TrackLanes, add_legend_key, lane_bars};
use crate::kit::origin::Origin;
use crate::kit::read::{group_by, natural_key, row_types};
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::sum::saturating_sum;
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, sheet, theme};
use crate::plots::trace_timeline::{TimelineInterval, draw_intervals};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "critical_path",
    doc: "The critical path of a step over the events on each thread and stream, colored by what it was bound by; a \
          panel per step.",
    queries: &[
        FigureQuery::new("step.critical_path"),
        FigureQuery { query: "trace.timeline", params: &[("bins", "2000"), ("depth", "5"), ("lanes", "24")] },
    ],
    draw,
};

/// Maximum number of panels.
const PATHS: usize = 3;
/// Edges shorter than the window divided by this number are merged.
const BINS: i64 = 1000;

row_types! {
    /// An edge of a path. Times are in ns.
    struct CriticalEdge {
        origin: Origin,
        /// Trace file of the path, and its number among the paths of the step.
        object: i64,
        instance: i64,
        annotation: String,
        step: Option<i64>,
        device: String,
        pid: Option<i64>,
        track: String,
        bound_by: String,
        kind: String,
        name: String,
        ts: i64,
        dur: i64,
        gap: i64,
        synced: Option<bool>,
        window_ts: i64,
        window_dur: i64,
    }
}

/// Device, process and name of a thread or stream.
type PathTrack<'a> = (&'a str, Option<i64>, &'a str);

impl CriticalEdge {
    fn end(&self) -> i64 {
        self.ts.saturating_add(self.dur).saturating_add(self.gap)
    }

    fn track(&self) -> PathTrack<'_> {
        (&self.device, self.pid, &self.track)
    }

    /// `step 105`, the name of an annotation, or `whole recording`.
    fn window(&self) -> String {
        match (self.step, self.annotation.as_str()) {
            (Some(step), _) => format!("step {step}"),
            (None, "") => "whole recording".to_owned(),
            (None, annotation) => label::clip(annotation, 48),
        }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let edges = CriticalEdge::read(read::frame(frames, 0)?)?;
    let intervals = TimelineInterval::read(read::frame(frames, 1)?)?;
    if edges.is_empty() {
        let why = "No operator, call or device work starts in a step. Only traces of the PyTorch profiler have a \
                   critical path. Queries step.over_time and annotation.summary list the steps and annotations of a \
                   profile.";
        return Ok(sheet::message_plot("Critical path", "no path in this profile", why));
    }
    let mut notes = Vec::new();
    let mut paths = group_by(&edges, |edge| (&edge.origin, edge.object, edge.instance));
    // The timeline has one rank of each run, so paths of other ranks would have no background.
    paths.retain(|((origin, ..), _)| {
        let mut of_run = intervals.iter().filter(|interval| interval.origin.run == origin.run).peekable();
        let same_rank =
            |interval: &TimelineInterval| (&interval.origin.node, interval.origin.rank) == (&origin.node, origin.rank);
        of_run.peek().is_none() || of_run.any(same_rank)
    });
    let mut paths: Vec<Vec<&CriticalEdge>> = paths.into_iter().map(|(_, edges)| edges).collect();
    let title = title(&paths);
    read::truncate(&mut paths, PATHS, "paths", &mut notes);
    let mut sheet = Sheet::default();
    // The smallest limit: shorter edges are merged in every panel.
    let mut merged = i64::MAX;
    for path in &paths {
        let of_run = intervals.iter().filter(|interval| interval.origin.run == path[0].origin.run);
        merged = merged.min(draw_path(&mut sheet, path, of_run));
    }
    if (1..i64::MAX).contains(&merged) {
        notes.push(format!("edges shorter than {} are merged", label::duration(merged as f64)));
    }
    notes.push("faint: events; thin: time on the path without weight, such as Python between operators".to_owned());
    if paths.iter().any(|path| path[0].synced == Some(false)) {
        notes.push("no synchronization was recorded: it is unknown when the host waited for a device".to_owned());
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// Tracks of a panel. Each has a lane for the path, above the lanes of its events.
#[derive(Default)]
struct PathLanes<'a> {
    axis: TrackLanes,
    /// First lane and depths of the events of each track.
    tracks: BTreeMap<PathTrack<'a>, (usize, Vec<i64>)>,
}

impl<'a> PathLanes<'a> {
    /// Devices come first, then the tracks with the most edges.
    fn new(path: &[&'a CriticalEdge], intervals: &[&'a TimelineInterval]) -> Self {
        let mut depths: BTreeMap<PathTrack<'a>, Vec<i64>> =
            path.iter().map(|edge| (edge.track(), Vec::new())).collect();
        for interval in intervals {
            depths.entry(interval.track()).or_default().push(interval.depth);
        }
        let mut tracks: Vec<(PathTrack<'a>, Vec<i64>)> = depths.into_iter().collect();
        tracks.sort_by_cached_key(|((device, pid, track), _)| {
            let edges = path.iter().filter(|edge| edge.track == *track).count();
            (matches!(*device, "cpu" | ""), natural_key(device), Reverse(edges), *pid, natural_key(track))
        });
        let mut lanes = Self::default();
        for (key, mut depths) in tracks {
            depths.sort_unstable();
            depths.dedup();
            let device = if key.0 == "cpu" { "" } else { key.0 };
            let first = lanes.axis.add_track(&label::join(&[device, key.2], ", "), depths.len() + 1);
            lanes.tracks.insert(key, (first, depths));
        }
        lanes
    }

    /// The lane of an event.
    fn lane(&self, interval: &TimelineInterval) -> usize {
        self.tracks
            .get(&interval.track())
            .map_or(0, |(first, depths)| first + 1 + depths.partition_point(|depth| *depth < interval.depth))
    }

    /// The lane of a bar of the path.
    fn path_lane(&self, bar: &PathBar<'_>) -> usize {
        self.tracks.get(&bar.track).map_or(0, |(first, _)| *first)
    }
}

/// Draws one path over the events of its run. Returns the length of a bin if edges were merged, else 0.
fn draw_path<'a>(
    sheet: &mut Sheet,
    path: &[&'a CriticalEdge],
    intervals: impl Iterator<Item = &'a TimelineInterval>,
) -> i64 {
    let first = path[0];
    let begin = path.iter().map(|edge| edge.ts).min().unwrap_or(0).min(first.window_ts);
    let end =
        path.iter().map(|edge| edge.end()).max().unwrap_or(0).max(first.window_ts.saturating_add(first.window_dur));
    let extent = (end - begin).max(1);
    let intervals: Vec<&TimelineInterval> =
        intervals.filter(|row| row.ts < end && row.ts.saturating_add(row.dur) > begin).collect();
    let bars = merge_edges(path, begin, extent / BINS);
    let lanes = PathLanes::new(path, &intervals);

    let scale = Scale::time(extent as f64 / 2.0);
    let process = label::process(&first.origin.run, &first.origin.node, first.origin.rank);
    let label = label::join(&[&process, &first.window()], ", ");
    let axes = lanes.axis.add_panel(sheet, &label, begin, extent, scale);
    let mut categories = group_by(&intervals, |interval| interval.category.as_str());
    categories.sort_by_key(|(category, _)| *category);
    for (category, intervals) in categories {
        let cut: Vec<(TimelineInterval, usize)> =
            intervals.iter().map(|interval| (cut(interval, begin, end), lanes.lane(interval))).collect();
        draw_intervals(sheet, &axes, scale, category, 0.35, cut.iter().map(|(interval, lane)| (interval, *lane)));
    }
    draw_jumps(sheet, &axes, &bars, &lanes, begin, scale);
    let mut bounds = group_by(&bars, |bar| bar.bound_by);
    bounds.sort_by_key(|(_, bars)| Reverse(saturating_sum(bars.iter().map(|bar| bar.dur))));
    for (bound_by, bars) in bounds {
        draw_bars(sheet, &axes, bound_by, &bars, &lanes, begin, scale);
    }
    if bars.len() < path.len() { extent / BINS } else { 0 }
}

/// Legend entry and color of a value of `bound_by`.
fn bound_style(bound_by: &str) -> (&'static str, &'static str) {
    match bound_by {
        "host" => ("host", theme::work_color("operator")),
        "loader" => ("data loader", theme::color("loader")),
        "computation" => ("computation", theme::color("kernel")),
        "communication" => ("communication", theme::color("communication")),
        "memory" => ("copies and fills", theme::color("memcpy")),
        "launch_delay" => ("launch delay", theme::color("outlier")),
        "kernel_delay" => ("delay between kernels", theme::color("runtime")),
        _ => ("no weight", theme::color("other")),
    }
}

/// One edge, or merged short edges of a track in one bin. Times are in ns.
struct PathBar<'a> {
    track: PathTrack<'a>,
    /// For merged edges, the value with the most weight.
    bound_by: &'a str,
    ts: i64,
    end: i64,
    dur: i64,
    n: usize,
    hover: String,
}

/// Merges consecutive edges of a track that are shorter than a bin and begin in the same bin.
fn merge_edges<'a>(path: &[&'a CriticalEdge], begin: i64, bin: i64) -> Vec<PathBar<'a>> {
    let is_short = |edge: &CriticalEdge| edge.dur + edge.gap < bin;
    let bin_of = |edge: &CriticalEdge| (edge.ts - begin) / bin.max(1);
    let is_same = |a: &&CriticalEdge, b: &&CriticalEdge| {
        is_short(a) && is_short(b) && a.track() == b.track() && bin_of(a) == bin_of(b)
    };
    path.chunk_by(is_same).map(|edges| merge(edges, begin)).collect()
}

fn merge<'a>(edges: &[&'a CriticalEdge], begin: i64) -> PathBar<'a> {
    let first = edges[0];
    let mut weights: BTreeMap<&str, i64> = BTreeMap::new();
    for edge in edges {
        let weight: &mut i64 = weights.entry(&edge.bound_by).or_default();
        *weight = weight.saturating_add(edge.dur);
    }
    let bound_by = weights.iter().max_by_key(|(_, weight)| **weight).map_or("", |(bound_by, _)| *bound_by);
    let end = edges.iter().map(|edge| edge.end()).max().unwrap_or(first.ts);
    let dur = saturating_sum(edges.iter().map(|edge| edge.dur));
    let from = label::precise_duration(first.ts.saturating_sub(begin));
    let track = label::sanitize(&label::join(&[&first.track, &first.device], ", "));
    let (bound_name, _) = bound_style(bound_by);
    let hover = match edges {
        [edge] => format!(
            "{}<br>{bound_name} ({}), {track}<br>{}{} from +{from}",
            label::wrap_name(&edge.name),
            label::sanitize(&edge.kind),
            label::precise_duration(edge.dur),
            if edge.gap > 0 {
                format!(" and {} without weight", label::precise_duration(edge.gap))
            } else {
                String::new()
            }
        ),
        _ => format!(
            "{} short edges, {track}<br>{} in total, mostly {bound_name}<br>from +{from}",
            label::group_digits(i64::try_from(edges.len()).unwrap_or(i64::MAX)),
            label::precise_duration(dur)
        ),
    };
    PathBar { track: first.track(), bound_by, ts: first.ts, end, dur, n: edges.len(), hover }
}

/// Draws thin lines between tracks where the path changes the track.
fn draw_jumps(
    sheet: &mut Sheet,
    axes: &PanelAxes,
    bars: &[PathBar<'_>],
    lanes: &PathLanes<'_>,
    begin: i64,
    scale: Scale,
) {
    let (mut x, mut y): (Vec<Option<f64>>, Vec<Option<f64>>) = Default::default();
    for pair in bars.windows(2).filter(|pair| pair[0].track != pair[1].track) {
        for (ts, bar) in [(pair[0].end, &pair[0]), (pair[1].ts, &pair[1])] {
            x.push(Some(scale.convert((ts - begin) as f64)));
            y.push(Some(lanes.path_lane(bar) as f64));
        }
        x.push(None);
        y.push(None);
    }
    let jumps = Scatter::new(x, y)
        .mode(Mode::Lines)
        .line(Line::new().width(1.0).color(theme::INK))
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .on_axes(axes);
    sheet.add_trace(jumps);
}

/// Draws the bars of the path with one value of `bound_by`.
fn draw_bars(
    sheet: &mut Sheet,
    axes: &PanelAxes,
    bound_by: &str,
    bars: &[&PathBar<'_>],
    lanes: &PathLanes<'_>,
    begin: i64,
    scale: Scale,
) {
    let lane_bar = |bar: &&PathBar<'_>| LaneBar {
        lane: lanes.path_lane(bar),
        start: scale.convert((bar.ts - begin) as f64),
        length: scale.convert((bar.end - bar.ts) as f64),
        height: if bound_by.is_empty() { 0.2 } else { 0.9 },
        hover: bar.hover.clone(),
    };
    let (name, color) = bound_style(bound_by);
    let mut trace = lane_bars(name, color, color, axes, bars.iter().map(lane_bar).collect());
    trace.0["customdata"] = json!(bars.iter().map(|bar| bar.n).collect::<Vec<_>>());
    sheet.add_trace(Box::new(trace));
    add_legend_key(sheet, axes, name, color);
}

/// The part of an interval between `begin` and `end`, the limits of the panel.
fn cut(interval: &TimelineInterval, begin: i64, end: i64) -> TimelineInterval {
    let ts = interval.ts.max(begin);
    let dur = interval.ts.saturating_add(interval.dur).min(end) - ts;
    TimelineInterval { ts, dur, window_ts: begin, ..interval.clone() }
}

/// `critical path of step 105: 95.4 ms, 98 % of it computation`
fn title(paths: &[Vec<&CriticalEdge>]) -> String {
    let total = |edges: &[&CriticalEdge]| edges.iter().map(|edge| edge.dur as f64).sum::<f64>();
    let all: Vec<&CriticalEdge> = paths.concat();
    let bounds = group_by(all.iter().copied(), |edge| bound_style(&edge.bound_by).0);
    let largest = bounds.iter().max_by(|a, b| total(&a.1).total_cmp(&total(&b.1)));
    let what = match paths {
        [path] => path[0].window(),
        many => label::count(many.len(), "window"),
    };
    let share = largest.map_or(String::new(), |(name, edges)| {
        format!(", {} of it {name}", label::percentage(total(edges), total(&all)))
    });
    format!("Critical path of {what}: {}{share}", label::duration(total(&all)))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::kit::testing::{flags, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    const START: i64 = 1_600_000_000_000_000_000;

    /// Host 0-2 ms, wait until 3 ms, launch delay until 4 ms, kernel 4-8 ms.
    fn path() -> Frame {
        frame(vec![
            texts("run", &["a"; 4]),
            texts("node", &[""; 4]),
            nullable_ints("rank", &[1; 4]),
            nullable_ints("span", &[0; 4]),
            ints("object", &[0; 4]),
            ints("instance", &[2; 4]),
            texts("annotation", &[""; 4]),
            nullable_ints("step", &[7; 4]),
            ints("window_ts", &[START; 4]),
            ints("window_dur", &[6_000_000; 4]),
            texts("kind", &["host", "sequence", "launch_delay", "work"]),
            texts("bound_by", &["host", "", "launch_delay", "computation"]),
            texts("name", &["aten::mm", "aten::add", "k<float>", "k<float>"]),
            nullable_ints("pid", &[7, 7, -1, -1]),
            texts("track", &["thread 7", "thread 7", "stream 7", "stream 7"]),
            texts("device", &["cpu", "cpu", "gpu0", "gpu0"]),
            ints("ts", &[START, START + 2_000_000, START + 3_000_000, START + 4_000_000]),
            ints("dur", &[2_000_000, 0, 1_000_000, 4_000_000]),
            ints("gap", &[0, 1_000_000, 0, 0]),
            flags("synced", &[false; 4]),
        ])
    }

    /// The kernel, an operator that begins before the window, and one far outside the window.
    fn timeline() -> Frame {
        frame(vec![
            texts("run", &["a"; 3]),
            texts("node", &[""; 3]),
            nullable_ints("rank", &[1; 3]),
            nullable_ints("pid", &[-1, 7, 7]),
            texts("track", &["stream 7", "thread 7", "thread 7"]),
            texts("device", &["gpu0", "cpu", "cpu"]),
            ints("depth", &[0, 0, 0]),
            texts("category", &["kernel", "operator", "operator"]),
            texts("name", &["k<float>", "aten::mm", "aten::far"]),
            ints("ts", &[START + 4_000_000, START - 1_000_000, START + 90_000_000]),
            ints("dur", &[4_000_000, 3_000_000, 1]),
            ints("n", &[1; 3]),
            ints("busy", &[4_000_000, 3_000_000, 1]),
            ints("bin_dur", &[1000; 3]),
            ints("window_ts", &[START - 1_000_000; 3]),
            ints("window_dur", &[99_000_000; 3]),
            ints("excluded_lanes", &[0; 3]),
        ])
    }

    #[test]
    fn the_path_is_above_the_events() {
        let plot = to_value(&draw(&[path(), timeline()]).unwrap());
        let bars: Vec<&Value> =
            plot["data"].as_array().unwrap().iter().filter(|trace| trace["type"] == "bar").collect();
        let bar = |name: &str| *bars.iter().find(|bar| bar["name"] == name).unwrap();
        // Lanes 0 and 1: path and events of the stream. Lanes 2 and 3: those of the thread.
        let (kernel, operator) = (bar("kernel"), bar("operator"));
        assert_eq!((&kernel["base"], &kernel["x"], &kernel["y"]), (&json!([4.0]), &json!([4.0]), &json!([1])));
        assert_eq!((&operator["base"], &operator["x"], &operator["y"]), (&json!([0.0]), &json!([2.0]), &json!([3])));
        assert_eq!(operator["marker"]["color"], theme::with_opacity(theme::work_color("operator"), 0.35));
        let (host, work, delay) = (bar("host"), bar("computation"), bar("launch delay"));
        assert_eq!((&host["base"], &host["x"], &host["y"]), (&json!([0.0]), &json!([2.0]), &json!([2])));
        assert_eq!((&work["base"], &work["x"], &work["y"]), (&json!([4.0]), &json!([4.0]), &json!([0])));
        assert_eq!((&delay["base"], &delay["x"]), (&json!([3.0]), &json!([1.0])));
        assert_eq!(bar("no weight")["width"], json!([0.2]));
        assert_eq!(work["hovertext"][0], "k&lt;float&gt;<br>computation (work), stream 7, gpu0<br>4 ms from +4 ms");
        // From the thread to the stream.
        let jump = plot["data"].as_array().unwrap().iter().find(|trace| trace["mode"] == "lines").unwrap();
        assert_eq!((&jump["x"], &jump["y"]), (&json!([3.0, 3.0, null]), &json!([2.0, 0.0, null])));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["gpu0, stream 7", "thread 7"]));
        let heading = heading(&plot);
        assert!(heading.starts_with("Critical path of step 7: 7 ms, 57.1 % of it computation | "), "{heading}");
        assert!(heading.contains("no synchronization was recorded"), "{heading}");
    }

    #[test]
    fn short_edges_of_a_track_are_merged() {
        let n = 5000_usize;
        let edges: Vec<CriticalEdge> = (0..n)
            .map(|index| CriticalEdge {
                origin: Origin { run: "a".into(), node: String::new(), rank: None, span: None },
                object: 0,
                instance: 0,
                annotation: String::new(),
                step: Some(7),
                device: "cpu".into(),
                pid: Some(7),
                track: "thread 7".into(),
                bound_by: if index % 4 == 0 { "loader" } else { "host" }.into(),
                kind: "host".into(),
                name: String::new(),
                ts: START + i64::try_from(index).unwrap() * 1000,
                dur: 1000,
                gap: 0,
                synced: None,
                window_ts: START,
                window_dur: 5_000_000,
            })
            .collect();
        let path: Vec<&CriticalEdge> = edges.iter().collect();
        let bars = merge_edges(&path, START, 5_000_000 / BINS);
        assert_eq!(bars.len(), 1000);
        assert!(bars.iter().all(|bar| bar.n == 5 && bar.bound_by == "host" && bar.dur == 5000));
        assert_eq!(bars.last().map(|bar| bar.end), edges.last().map(CriticalEdge::end));
    }

    #[test]
    fn a_message_says_what_is_missing() {
        let (title, note) = message(&draw(&[without_rows(&path()), timeline()]).unwrap());
        assert_eq!(title, "<b>Critical path</b>");
        assert!(note.starts_with("<b>no path in this profile</b>"), "{note}");
        // Without a timeline, only the path is drawn.
        let plot = to_value(&draw(&[path(), without_rows(&timeline())]).unwrap());
        assert_eq!(plot["layout"]["yaxis"]["tickvals"], json!([0.0, 1.0]));
    }
}
