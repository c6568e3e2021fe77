//! Panels of timelines: threads and streams with consecutive lanes, and bars from a start to an end in a lane.

use serde_json::json;

use crate::kit::label::Scale;
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::{HOVER_TEXT, JsonTrace, TraceExt};
use crate::kit::{label, series, theme};

/// Height of a lane in pixels.
const LANE_HEIGHT: usize = 16;

/// The lanes of a panel, from top to bottom. A track is a thread or a stream and has one or more lanes.
#[derive(Default)]
pub(crate) struct TrackLanes {
    count: usize,
    tick_values: Vec<f64>,
    tick_texts: Vec<String>,
    first_lanes: Vec<usize>,
}

impl TrackLanes {
    /// Adds a track with this number of lanes below the others. Returns its first lane.
    pub(crate) fn add_track(&mut self, name: &str, lanes: usize) -> usize {
        let first = self.count;
        self.count += lanes;
        self.tick_values.push(first as f64 + (lanes as f64 - 1.0) / 2.0);
        self.tick_texts.push(label::fit_to_axis(name));
        self.first_lanes.push(first);
        first
    }

    /// Adds a panel with these lanes. Its axis counts from `begin` and ends after `dur`, both in ns.
    pub(crate) fn add_panel(&self, sheet: &mut Sheet, label: &str, begin: i64, dur: i64, scale: Scale) -> PanelAxes {
        let since = if begin == 0 { "the first event".to_owned() } else { label::moment(begin) };
        let x =
            theme::axis(&format!("time since {since} ({})", scale.unit)).range(vec![0.0, scale.convert(dur as f64)]);
        let y = theme::axis("")
            .range(vec![self.count as f64 - 0.4, -0.6])
            .tick_values(self.tick_values.clone())
            .tick_text(self.tick_texts.clone())
            .show_grid(false)
            .fixed_range(true);
        let axes = sheet.add_panel(label, 16 + LANE_HEIGHT * self.count.max(4), x, y, true);
        for first in self.first_lanes.iter().skip(1) {
            sheet.add_shape(series::horizontal_line(*first as f64 - 0.5, &axes));
        }
        axes
    }
}

/// A bar in a lane. Start and length are in the unit of the axis, the height is a fraction of the lane.
pub(crate) struct LaneBar {
    pub(crate) lane: usize,
    pub(crate) start: f64,
    pub(crate) length: f64,
    pub(crate) height: f64,
    pub(crate) hover: String,
}

/// Bars with the same name and color. plotly's Rust types lack the start and the height of a bar.
pub(crate) fn lane_bars(name: &str, color: &str, edge: &str, axes: &PanelAxes, bars: Vec<LaneBar>) -> JsonTrace {
    let column = |value: fn(&LaneBar) -> f64| bars.iter().map(value).collect::<Vec<f64>>();
    JsonTrace(json!({
        "type": "bar",
        "orientation": "h",
        "name": name,
        "legendgroup": name,
        "showlegend": false,
        "base": column(|bar| bar.start),
        "x": column(|bar| bar.length),
        "y": bars.iter().map(|bar| bar.lane).collect::<Vec<_>>(),
        "width": column(|bar| bar.height),
        "hovertext": bars.iter().map(|bar| &bar.hover).collect::<Vec<_>>(),
        "hovertemplate": HOVER_TEXT,
        "marker": {"color": color, "line": {"width": 0.5, "color": edge}},
        "xaxis": axes.x,
        "yaxis": axes.y,
    }))
}

/// Adds a legend entry for bars of a lane, unless the figure has one of this name.
pub(crate) fn add_legend_key(sheet: &mut Sheet, axes: &PanelAxes, name: &str, color: &str) {
    if sheet.register_name(name) {
        sheet.add_trace(series::legend_key(&label::sanitize(name), color).on_axes(axes));
    }
}
