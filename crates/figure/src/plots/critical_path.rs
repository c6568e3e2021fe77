//! The critical path of a step, drawn over the events on the threads and streams.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use plotly::common::{HoverInfo, Line, Mode};
use plotly::{Plot, Scatter, Trace};
use serde::Serialize;
use serde_json::{Value, json};

use crate::kit::label::Scale;
use crate::kit::read::{groups, natural};
use crate::kit::sheet::{Place, Sheet};
use crate::kit::whose::Whose;
use crate::kit::{label, read, series, sheet, theme, whose};
use crate::plots::trace_timeline::{self, Intervals};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "critical_path",
    doc: "The critical path of a step over the events on each thread and stream, colored by what it was bound by; a \
          panel per step.",
    queries: &[
        Ask::new("step.critical_path"),
        Ask { query: "trace.timeline", params: &[("bins", "2000"), ("depth", "5"), ("lanes", "24")] },
    ],
    draw,
};

/// Maximum number of panels.
const PATHS: usize = 3;
/// Edges shorter than the window divided by this number are merged.
const BINS: i64 = 1000;
/// Height of a lane in pixels.
const LANE: usize = 16;

/// An edge of a path.
struct Edge {
    whose: Whose,
    window: String,
    track: Track,
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

/// Device, process and name.
type Track = (String, Option<i64>, String);

impl Edge {
    fn end(&self) -> i64 {
        self.ts.saturating_add(self.dur).saturating_add(self.gap)
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let (edges, keys) = (edges(frame)?, keys(frame)?);
    let ran = trace_timeline::rows(read::answer(frames, 1)?)?;
    if edges.is_empty() {
        let why = "No operator, call or device work starts in a step. Only traces of the PyTorch profiler have a \
                   critical path. Queries step.over_time and annotation.summary list the steps and annotations of a \
                   profile.";
        return Ok(sheet::message("Critical path", "no path in this profile", why));
    }
    let mut notes = Vec::new();
    let mut paths = groups(keys.into_iter());
    // The timeline has one rank of each run, so paths of other ranks would have no background.
    paths.retain(|(_, members)| {
        let whose = &edges[members[0]].whose;
        let mut same = ran.iter().filter(|row| row.whose.run == whose.run).peekable();
        same.peek().is_none() || same.any(|row| (&row.whose.node, row.whose.rank) == (&whose.node, whose.rank))
    });
    let title = title(&edges, &paths);
    read::cap(&mut paths, PATHS, "paths", &mut notes);
    let mut sheet = Sheet::default();
    let mut merged = 0;
    for (_, members) in &paths {
        let path: Vec<&Edge> = members.iter().map(|edge| &edges[*edge]).collect();
        let shown: Vec<&trace_timeline::Row> = ran.iter().filter(|row| row.whose.run == path[0].whose.run).collect();
        merged = merged.max(panel(&mut sheet, &path, &shown));
    }
    if merged > 0 {
        notes.push(format!("edges shorter than {} are merged", label::duration(merged as f64)));
    }
    notes.push("faint: events; thin: time on the path without weight, such as Python between operators".to_owned());
    if paths.iter().any(|(_, members)| edges[members[0]].synced == Some(false)) {
        notes.push("no synchronization was recorded: it is unknown when the host waited for a device".to_owned());
    }
    Ok(sheet.plot(&title, &notes))
}

/// Draws one path. Returns the length of a bin if edges were merged, else 0.
fn panel(sheet: &mut Sheet, path: &[&Edge], ran: &[&trace_timeline::Row]) -> i64 {
    let first = path[0];
    let begin = path.iter().map(|edge| edge.ts).min().unwrap_or(0).min(first.window_ts);
    let end =
        path.iter().map(|edge| edge.end()).max().unwrap_or(0).max(first.window_ts.saturating_add(first.window_dur));
    let extent = (end - begin).max(1);
    let ran: Vec<&trace_timeline::Row> =
        ran.iter().copied().filter(|row| row.ts < end && row.ts.saturating_add(row.dur) > begin).collect();
    let bars = bars(path, begin, extent / BINS);
    let merged = if bars.len() < path.len() { extent / BINS } else { 0 };

    // Each track has a lane for the path, above the lanes of its events.
    let mut depths: BTreeMap<Track, Vec<i64>> = path.iter().map(|edge| (edge.track.clone(), Vec::new())).collect();
    for row in &ran {
        depths.entry(track_of(row)).or_default().push(row.depth);
    }
    let mut tracks: Vec<(Track, Vec<i64>)> = depths.into_iter().collect();
    tracks.sort_by_cached_key(|((device, pid, track), _)| {
        let on_path = path.iter().filter(|edge| edge.track.2 == *track).count();
        (matches!(device.as_str(), "cpu" | ""), natural(device), Reverse(on_path), *pid, natural(track))
    });
    let mut lanes: BTreeMap<&Track, (usize, &[i64])> = BTreeMap::new();
    let (mut count, mut places, mut names, mut edges) = (0, Vec::new(), Vec::new(), Vec::new());
    for (track, depths) in &mut tracks {
        depths.sort_unstable();
        depths.dedup();
        let device = if track.0 == "cpu" { "" } else { track.0.as_str() };
        places.push(count as f64 + depths.len() as f64 / 2.0);
        names.push(label::narrow(&label::join(&[device, &track.2], ", ")));
        lanes.insert(track, (count, depths));
        count += depths.len() + 1;
        edges.push(count as f64 - 0.5);
    }
    edges.pop();

    let scale = Scale::time(extent as f64 / 2.0);
    let x = theme::axis(&format!("time since {} UTC ({})", label::time(begin), scale.unit))
        .range(vec![0.0, scale.of(extent as f64)]);
    let y = theme::axis("")
        .range(vec![count as f64 - 0.4, -0.6])
        .tick_values(places)
        .tick_text(names)
        .show_grid(false)
        .fixed_range(true);
    let place = label::place(&first.whose.node, first.whose.rank);
    let name = label::join(&[&format!("run {}", first.whose.run), &place, &first.window], ", ");
    let at = sheet.panel(&name, 16 + LANE * count.max(4), x, y, true);
    for edge in edges {
        sheet.shape(series::rule(edge, &at));
    }
    let mut categories = groups(ran.iter().map(|row| row.category.as_str()));
    categories.sort();
    for (category, members) in categories {
        let rows: Vec<(trace_timeline::Row, usize)> = members
            .iter()
            .map(|row| (cut(ran[*row], begin, end), ran[*row]))
            .filter_map(|(cut, row)| {
                let (lane, depths) = lanes.get(&track_of(row))?;
                Some((cut, lane + 1 + depths.partition_point(|depth| *depth < row.depth)))
            })
            .collect();
        let rows: Vec<(&trace_timeline::Row, usize)> = rows.iter().map(|(row, lane)| (row, *lane)).collect();
        sheet.trace(Box::new(Intervals::faint(category, 0.35, &rows, scale, &at)));
    }
    let lane = |bar: &Bar| lanes.get(&bar.track).map_or(0, |(lane, _)| *lane);
    sheet.trace(jumps(&bars, &lane, begin, scale, &at));
    let mut bounds = groups(bars.iter().map(|bar| bar.bound_by.as_str()));
    bounds.sort_by_key(|(_, members)| Reverse(members.iter().map(|bar| bars[*bar].dur).sum::<i64>()));
    for (bound_by, members) in bounds {
        let bars: Vec<&Bar> = members.iter().map(|bar| &bars[*bar]).collect();
        let (name, color) = look(bound_by);
        let show = sheet.first(name);
        sheet.trace(Box::new(Steps::new(&bars, &lane, begin, scale, &at, color)));
        if show {
            let key = series::key(name, color).hover_info(HoverInfo::Skip);
            sheet.trace(key.x_axis(&at.x).y_axis(&at.y));
        }
    }
    merged
}

/// Legend entry and color of a value of `bound_by`.
fn look(bound_by: &str) -> (&'static str, &'static str) {
    match bound_by {
        "host" => ("host", theme::work("operator")),
        "loader" => ("data loader", theme::color("loader")),
        "computation" => ("computation", theme::color("kernel")),
        "communication" => ("communication", theme::color("communication")),
        "memory" => ("copies and fills", theme::color("memcpy")),
        "launch_delay" => ("launch delay", theme::color("outlier")),
        "kernel_delay" => ("delay between kernels", theme::color("runtime")),
        _ => ("no weight", theme::color("other")),
    }
}

/// One edge, or merged short edges of a track in one bin.
struct Bar {
    track: Track,
    /// For merged edges, the value with the most weight.
    bound_by: String,
    ts: i64,
    end: i64,
    dur: i64,
    n: usize,
    text: String,
}

fn bars(path: &[&Edge], begin: i64, bin: i64) -> Vec<Bar> {
    let short = |edge: &Edge| edge.dur + edge.gap < bin;
    let place = |edge: &Edge| (edge.ts - begin) / bin.max(1);
    let same = |a: &&Edge, b: &&Edge| short(a) && short(b) && a.track == b.track && place(a) == place(b);
    let merge = |edges: &[&Edge]| {
        let first = edges[0];
        let mut weights: BTreeMap<&str, i64> = BTreeMap::new();
        for edge in edges {
            *weights.entry(&edge.bound_by).or_default() += edge.dur;
        }
        let most = weights.iter().max_by_key(|(_, weight)| **weight).map_or("", |(bound_by, _)| *bound_by);
        let end = edges.iter().map(|edge| edge.end()).max().unwrap_or(first.ts);
        let (dur, n) = (edges.iter().map(|edge| edge.dur).sum(), edges.len());
        let from = label::precise_duration(first.ts.saturating_sub(begin));
        let track = label::plain(&label::join(&[&first.track.2, &first.track.0], ", "));
        let text = match edges {
            [edge] => format!(
                "{}<br>{} ({}), {track}<br>{}{} from +{from}",
                label::whole(&edge.name),
                look(most).0,
                label::plain(&edge.kind),
                label::precise_duration(edge.dur),
                if edge.gap > 0 {
                    format!(" and {} without weight", label::precise_duration(edge.gap))
                } else {
                    String::new()
                }
            ),
            _ => format!(
                "{} short edges, {track}<br>{} in total, mostly {}<br>from +{from}",
                label::grouped(i64::try_from(n).unwrap_or(i64::MAX)),
                label::precise_duration(dur),
                look(most).0
            ),
        };
        Bar { track: first.track.clone(), bound_by: most.to_owned(), ts: first.ts, end, dur, n, text }
    };
    path.chunk_by(same).map(merge).collect()
}

/// Thin lines between tracks where the path changes the track.
fn jumps(bars: &[Bar], lane: &dyn Fn(&Bar) -> usize, begin: i64, scale: Scale, at: &Place) -> Box<dyn Trace> {
    let (mut x, mut y): (Vec<Option<f64>>, Vec<Option<f64>>) = Default::default();
    for two in bars.windows(2).filter(|two| two[0].track != two[1].track) {
        for (ts, bar) in [(two[0].end, &two[0]), (two[1].ts, &two[1])] {
            x.push(Some(scale.of((ts - begin) as f64)));
            y.push(Some(lane(bar) as f64));
        }
        x.push(None);
        y.push(None);
    }
    Scatter::new(x, y)
        .mode(Mode::Lines)
        .line(Line::new().width(1.0).color(theme::INK))
        .hover_info(HoverInfo::Skip)
        .show_legend(false)
        .x_axis(&at.x)
        .y_axis(&at.y)
}

/// Bars of the path with one color.
#[derive(Clone, Serialize)]
struct Steps {
    #[serde(flatten)]
    fields: Value,
}

impl Steps {
    fn new(bars: &[&Bar], lane: &dyn Fn(&Bar) -> usize, begin: i64, scale: Scale, at: &Place, color: &str) -> Self {
        let column = |value: &dyn Fn(&Bar) -> f64| bars.iter().map(|bar| value(bar)).collect::<Vec<f64>>();
        let name = look(bars.first().map_or("", |bar| &bar.bound_by)).0;
        let fields = json!({
            "type": "bar",
            "orientation": "h",
            "name": name,
            "legendgroup": name,
            "showlegend": false,
            "base": column(&|bar| scale.of((bar.ts - begin) as f64)),
            "x": column(&|bar| scale.of((bar.end - bar.ts) as f64)),
            "y": bars.iter().map(|bar| lane(bar)).collect::<Vec<_>>(),
            "width": column(&|bar| if bar.bound_by.is_empty() { 0.2 } else { 0.9 }),
            "customdata": bars.iter().map(|bar| bar.n).collect::<Vec<_>>(),
            "hovertext": bars.iter().map(|bar| &bar.text).collect::<Vec<_>>(),
            "hovertemplate": "%{hovertext}<extra></extra>",
            "marker": {"color": color, "line": {"width": 0.5, "color": color}},
            "xaxis": at.x,
            "yaxis": at.y,
        });
        Self { fields }
    }
}

impl Trace for Steps {
    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The part of an interval between `begin` and `end`, the edges of the panel.
fn cut(row: &trace_timeline::Row, begin: i64, end: i64) -> trace_timeline::Row {
    let ts = row.ts.max(begin);
    trace_timeline::Row { ts, dur: row.ts.saturating_add(row.dur).min(end) - ts, window_ts: begin, ..row.clone() }
}

fn track_of(row: &trace_timeline::Row) -> Track {
    (row.device.clone(), row.pid, row.track.clone())
}

/// The path of each edge: recording, file, window.
fn keys(frame: &Frame) -> Result<Vec<(Whose, i64, i64)>> {
    let (objects, instances) = (read::integers(frame, "object")?, read::integers(frame, "instance")?);
    let whose = whose::whose(frame)?.into_iter().zip(objects).zip(instances);
    Ok(whose.map(|((whose, object), instance)| (whose, object.unwrap_or(0), instance.unwrap_or(0))).collect())
}

fn edges(frame: &Frame) -> Result<Vec<Edge>> {
    let column = |name| read::integers(frame, name);
    let text = |name| read::texts(frame, name);
    let (ts, durs, gaps, pids, steps) =
        (column("ts")?, column("dur")?, column("gap")?, column("pid")?, column("step")?);
    let (window_ts, window_dur, synced) =
        (column("window_ts")?, column("window_dur")?, frame.column::<bool>("synced")?);
    let (windows, tracks, devices) = (text("annotation")?, text("track")?, text("device")?);
    let (bounds, kinds, names) = (text("bound_by")?, text("kind")?, text("name")?);
    let edge = |(row, whose): (usize, Whose)| Edge {
        whose,
        window: match (steps[row], windows[row].as_str()) {
            (Some(step), _) => format!("step {step}"),
            (None, "") => "whole recording".to_owned(),
            (None, name) => label::clip(name, 48),
        },
        track: (devices[row].clone(), pids[row], tracks[row].clone()),
        bound_by: bounds[row].clone(),
        kind: kinds[row].clone(),
        name: names[row].clone(),
        ts: ts[row].unwrap_or(0),
        dur: durs[row].unwrap_or(0),
        gap: gaps[row].unwrap_or(0),
        synced: synced[row],
        window_ts: window_ts[row].unwrap_or(0),
        window_dur: window_dur[row].unwrap_or(0),
    };
    Ok(whose::whose(frame)?.into_iter().enumerate().map(edge).collect())
}

/// `critical path of step 105: 95.4 ms, 98 % of it computation`
fn title<K>(edges: &[Edge], paths: &[(K, Vec<usize>)]) -> String {
    let of = |members: &[usize]| members.iter().map(|edge| edges[*edge].dur as f64).sum::<f64>();
    let all: Vec<usize> = paths.iter().flat_map(|(_, members)| members.iter().copied()).collect();
    let mut bounds = groups(all.iter().map(|edge| look(&edges[*edge].bound_by).0));
    for (_, members) in &mut bounds {
        members.iter_mut().for_each(|place| *place = all[*place]);
    }
    let most = bounds.iter().max_by(|a, b| of(&a.1).total_cmp(&of(&b.1)));
    let what = match paths {
        [(_, members)] => edges[members[0]].window.clone(),
        many => label::count(many.len(), "window"),
    };
    let share =
        most.map_or(String::new(), |(name, members)| format!(", {} of it {name}", label::share(of(members), of(&all))));
    format!("critical path of {what}: {}{share}", label::duration(of(&all)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::testing::{flags, frame, ints, known, message, none, texts, told, value};

    const START: i64 = 1_600_000_000_000_000_000;

    /// Host 0-2 ms, wait until 3 ms, launch delay until 4 ms, kernel 4-8 ms.
    fn path() -> Frame {
        frame(vec![
            texts("run", &["a"; 4]),
            texts("node", &[""; 4]),
            known("rank", &[1; 4]),
            known("span", &[0; 4]),
            ints("object", &[0; 4]),
            ints("instance", &[2; 4]),
            texts("annotation", &[""; 4]),
            known("step", &[7; 4]),
            ints("window_ts", &[START; 4]),
            ints("window_dur", &[6_000_000; 4]),
            texts("kind", &["host", "sequence", "launch_delay", "work"]),
            texts("bound_by", &["host", "", "launch_delay", "computation"]),
            texts("name", &["aten::mm", "aten::add", "k<float>", "k<float>"]),
            known("pid", &[7, 7, -1, -1]),
            texts("track", &["thread 7", "thread 7", "stream 7", "stream 7"]),
            texts("device", &["cpu", "cpu", "gpu0", "gpu0"]),
            ints("ts", &[START, START + 2_000_000, START + 3_000_000, START + 4_000_000]),
            ints("dur", &[2_000_000, 0, 1_000_000, 4_000_000]),
            ints("gap", &[0, 1_000_000, 0, 0]),
            flags("synced", &[false; 4]),
        ])
    }

    /// The kernel, an operator that begins before the window, and one far outside the window.
    fn ran() -> Frame {
        frame(vec![
            texts("run", &["a"; 3]),
            texts("node", &[""; 3]),
            known("rank", &[1; 3]),
            known("pid", &[-1, 7, 7]),
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
    fn the_path_lies_over_what_ran() {
        let plot = value(&draw(&[path(), ran()]).unwrap());
        let bars: Vec<&Value> =
            plot["data"].as_array().unwrap().iter().filter(|trace| trace["type"] == "bar").collect();
        let bar = |name: &str| *bars.iter().find(|bar| bar["name"] == name).unwrap();
        // lanes 0 and 1: path and events of the stream; lanes 2 and 3: of the thread
        let (kernel, operator) = (bar("kernel"), bar("operator"));
        assert_eq!((&kernel["base"], &kernel["x"], &kernel["y"]), (&json!([4.0]), &json!([4.0]), &json!([1])));
        assert_eq!((&operator["base"], &operator["x"], &operator["y"]), (&json!([0.0]), &json!([2.0]), &json!([3])));
        assert_eq!(operator["marker"]["color"], theme::faint(theme::work("operator"), 0.35));
        let (host, work, delay) = (bar("host"), bar("computation"), bar("launch delay"));
        assert_eq!((&host["base"], &host["x"], &host["y"]), (&json!([0.0]), &json!([2.0]), &json!([2])));
        assert_eq!((&work["base"], &work["x"], &work["y"]), (&json!([4.0]), &json!([4.0]), &json!([0])));
        assert_eq!((&delay["base"], &delay["x"]), (&json!([3.0]), &json!([1.0])));
        assert_eq!(bar("no weight")["width"], json!([0.2]));
        assert_eq!(work["hovertext"][0], "k&lt;float&gt;<br>computation (work), stream 7, gpu0<br>4 ms from +4 ms");
        // from the thread to the stream
        let jump = plot["data"].as_array().unwrap().iter().find(|trace| trace["mode"] == "lines").unwrap();
        assert_eq!((&jump["x"], &jump["y"]), (&json!([3.0, 3.0, null]), &json!([2.0, 0.0, null])));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["gpu0, stream 7", "thread 7"]));
        let said = told(&plot);
        assert!(said.starts_with("critical path of step 7: 7 ms, 57.1 % of it computation | "), "{said}");
        assert!(said.contains("no synchronization was recorded"), "{said}");
    }

    #[test]
    fn short_edges_of_a_track_are_merged() {
        let n = 5000_usize;
        let edges: Vec<Edge> = (0..n)
            .map(|place| Edge {
                whose: Whose { run: "a".into(), node: String::new(), rank: None, span: None },
                window: "step 7".into(),
                track: ("cpu".into(), Some(7), "thread 7".into()),
                bound_by: if place % 4 == 0 { "loader" } else { "host" }.into(),
                kind: "host".into(),
                name: String::new(),
                ts: START + i64::try_from(place).unwrap() * 1000,
                dur: 1000,
                gap: 0,
                synced: None,
                window_ts: START,
                window_dur: 5_000_000,
            })
            .collect();
        let path: Vec<&Edge> = edges.iter().collect();
        let bars = bars(&path, START, 5_000_000 / BINS);
        assert_eq!(bars.len(), 1000);
        assert!(bars.iter().all(|bar| bar.n == 5 && bar.bound_by == "host" && bar.dur == 5000));
        assert_eq!(bars.last().map(|bar| bar.end), edges.last().map(Edge::end));
    }

    #[test]
    fn what_is_missing_is_said() {
        let (title, note) = message(&draw(&[none(&path()), ran()]).unwrap());
        assert_eq!(title, "<b>Critical path</b>");
        assert!(note.starts_with("<b>no path in this profile</b>"), "{note}");
        // without a timeline, only the path is drawn
        let plot = value(&draw(&[path(), none(&ran())]).unwrap());
        assert_eq!(plot["layout"]["yaxis"]["tickvals"], json!([0.0, 1.0]));
    }
}
