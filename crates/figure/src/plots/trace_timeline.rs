//! Timeline of the threads and streams of a rank.

use std::cmp::Reverse;

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::lanes::{LaneBar, TrackLanes, add_legend_key, lane_bars};
use crate::kit::origin::Origin;
use crate::kit::read::{NullAs, Required, count_distinct, group_by, natural_key, row_types};
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::sum::saturating_sum;
use crate::kit::{label, read, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "trace_timeline",
    doc: "Timeline of each thread and stream of a rank in any time window, with short intervals merged; a panel per \
          run.",
    queries: &[FigureQuery::new("trace.timeline")],
    draw,
};

/// Maximum number of panels. `trace.timeline` limits the rows of each.
const RUNS: usize = 3;

row_types! {
    /// A row of `trace.timeline`: one interval, or merged short intervals. Times are in ns.
    #[derive(Clone)]
    pub(crate) struct TimelineInterval {
        pub(crate) origin: Origin,
        pub(crate) pid: Option<i64>,
        pub(crate) track: String,
        pub(crate) device: String,
        pub(crate) depth: i64,
        pub(crate) category: String,
        pub(crate) name: String,
        pub(crate) ts: i64 = Required("ts"),
        pub(crate) dur: i64 = Required("dur"),
        /// Number of merged intervals.
        pub(crate) n: i64 = NullAs("n", 1),
        pub(crate) busy: i64,
        pub(crate) bin_dur: i64 = NullAs("bin_dur", 1),
        pub(crate) window_ts: i64 = Required("window_ts"),
        pub(crate) window_dur: i64 = NullAs("window_dur", 1),
        pub(crate) excluded_lanes: i64,
    }
}

impl TimelineInterval {
    /// Device, process and name of the thread or stream.
    pub(crate) fn track(&self) -> (&str, Option<i64>, &str) {
        (&self.device, self.pid, &self.track)
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let intervals = TimelineInterval::read(read::frame(frames, 0)?)?;
    if intervals.is_empty() {
        let why = "This rank has no interval in this time window. Omit start and end to see the whole recording. \
                   Profiles of profilers other than PyTorch's may have no intervals.";
        return Ok(sheet::message_plot("Trace timeline", "nothing recorded here", why));
    }
    let mut notes = Vec::new();
    let mut runs = group_by(&intervals, |interval| interval.origin.run.as_str());
    let title = title(&intervals, runs.len());
    read::truncate(&mut runs, RUNS, "runs", &mut notes);
    // The smallest limit: shorter intervals are merged in every run.
    let bin = runs.iter().map(|(_, intervals)| intervals[0].bin_dur).min().unwrap_or(0);
    notes.push(format!(
        "intervals shorter than {} are merged: the height of a bar is the busy share of its time",
        label::duration(bin as f64)
    ));
    let mut sheet = Sheet::default();
    for (run, intervals) in &runs {
        let excluded = intervals[0].excluded_lanes;
        if excluded > 0 {
            notes.push(format!("{} of {} not shown", label::count(excluded, "less busy lane"), label::clip(run, 20)));
        }
        draw_run(&mut sheet, intervals);
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// Draws the panel of a run.
fn draw_run(sheet: &mut Sheet, intervals: &[&TimelineInterval]) {
    let first = intervals[0];
    let scale = Scale::time(first.window_dur as f64 / 2.0);
    let (axis, lanes) = assign_lanes(intervals);
    let label = label::process(&first.origin.run, &first.origin.node, first.origin.rank);
    let axes = axis.add_panel(sheet, &label, first.window_ts, first.window_dur, scale);
    let mut categories = group_by(0..intervals.len(), |index| intervals[index].category.as_str());
    categories.sort_by_key(|(_, members)| Reverse(saturating_sum(members.iter().map(|index| intervals[*index].busy))));
    for (category, members) in categories {
        let bars = members.iter().map(|index| (intervals[*index], lanes[*index]));
        draw_intervals(sheet, &axes, scale, category, 1.0, bars);
        add_legend_key(sheet, &axes, category, theme::work_color(category));
    }
}

/// The lanes of a panel, and the lane of each interval. Devices come first, then the busiest threads.
fn assign_lanes(intervals: &[&TimelineInterval]) -> (TrackLanes, Vec<usize>) {
    let mut tracks = group_by(0..intervals.len(), |index| intervals[index].track());
    tracks.sort_by_cached_key(|((device, pid, track), members)| {
        let busy = saturating_sum(members.iter().map(|index| intervals[*index].busy));
        let is_host = matches!(*device, "cpu" | "");
        (is_host, device.is_empty(), natural_key(device), Reverse(busy), *pid, natural_key(track))
    });
    let processes = count_distinct(intervals.iter().filter_map(|interval| interval.pid));
    let mut axis = TrackLanes::default();
    let mut lanes: Vec<usize> = vec![0; intervals.len()];
    for ((device, pid, track), members) in &tracks {
        // Some depths may be missing. Only existing depths get a lane.
        let mut depths: Vec<i64> = members.iter().map(|index| intervals[*index].depth).collect();
        depths.sort_unstable();
        depths.dedup();
        let device = if *device == "cpu" { "" } else { *device };
        let process = label::numbered("process", pid.filter(|_| processes > 1));
        let first = axis.add_track(&label::join(&[device, track, &process], ", "), depths.len());
        for index in members {
            lanes[*index] = first + depths.partition_point(|depth| *depth < intervals[*index].depth);
        }
    }
    (axis, lanes)
}

/// Draws intervals of one category, each in a lane. With an opacity below 1, they are a background for other traces.
pub(crate) fn draw_intervals<'a>(
    sheet: &mut Sheet,
    axes: &PanelAxes,
    scale: Scale,
    category: &str,
    opacity: f64,
    intervals: impl Iterator<Item = (&'a TimelineInterval, usize)>,
) {
    let color = theme::work_color(category);
    let color = if opacity < 1.0 { theme::with_opacity(color, opacity) } else { color.to_owned() };
    let bars = intervals.map(|(interval, lane)| LaneBar {
        lane,
        start: scale.convert(interval.ts.saturating_sub(interval.window_ts) as f64),
        length: scale.convert(interval.dur as f64),
        height: bar_height(interval),
        hover: hover(interval),
    });
    let edge = theme::with_opacity("#ffffff", 0.5);
    sheet.add_trace(Box::new(lane_bars(&label::sanitize(category), &color, &edge, axes, bars.collect())));
}

/// Height of a bar in lanes: the busy share of its time, but always large enough to be visible.
fn bar_height(interval: &TimelineInterval) -> f64 {
    if interval.n == 1 { 0.86 } else { 0.86 * (interval.busy as f64 / interval.dur.max(1) as f64).clamp(0.12, 1.0) }
}

fn hover(interval: &TimelineInterval) -> String {
    let name = label::wrap_name(&interval.name);
    let from = label::precise_duration(interval.ts.saturating_sub(interval.window_ts));
    let track = label::sanitize(&label::join(&[&interval.track, &interval.device], ", "));
    let times = format!("from +{from} ({})", label::moment(interval.ts));
    match interval.n {
        1 => format!(
            "{name}<br>{}, {track}<br>{} {times}",
            label::sanitize(&interval.category),
            label::precise_duration(interval.dur)
        ),
        n => format!(
            "{} short intervals, {track}<br>busy {} in a bin of {} {times}<br>longest: {name} ({})",
            label::group_digits(n),
            label::precise_duration(interval.busy),
            label::precise_duration(interval.dur),
            label::sanitize(&interval.category)
        ),
    }
}

/// `45,420 intervals of rank 0 in 1.2 s on 12 tracks`
fn title(intervals: &[TimelineInterval], runs: usize) -> String {
    let n = saturating_sum(intervals.iter().map(|interval| interval.n));
    let tracks = count_distinct(intervals.iter().map(|interval| (&interval.origin.run, interval.track())));
    let who = match runs {
        1 => intervals[0].origin.rank.map_or(String::new(), |rank| format!(" of rank {rank}")),
        many => format!(" of {many} runs"),
    };
    let windows = group_by(intervals, |interval| interval.origin.run.as_str()).into_iter();
    let window = saturating_sum(windows.map(|(_, intervals)| intervals[0].window_dur));
    format!(
        "{} intervals{who} in {} on {}",
        label::group_digits(n),
        label::duration(window as f64),
        label::count(tracks, "track")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn timeline() -> Frame {
        let start = 1_600_000_000_000_000_000;
        frame(vec![
            texts("run", &["a"; 4]),
            texts("node", &[""; 4]),
            nullable_ints("rank", &[1; 4]),
            nullable_ints("pid", &[-1, 7, 7, 7]),
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
    fn intervals_are_in_their_lanes() {
        let plot = to_value(&draw(&[timeline()]).unwrap());
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
            heading(&plot),
            "16 intervals of rank 1 in 8 ms on 2 tracks | intervals shorter than 1 ms are merged: the height of a bar is the busy share of its time 3 less busy lanes of a not shown"
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&timeline())]).unwrap());
        assert_eq!(title, "<b>Trace timeline</b>");
        assert!(note.starts_with("<b>nothing recorded here</b>"), "{note}");
    }
}
