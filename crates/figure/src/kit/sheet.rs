//! Layout of a figure: a title with notes, panels below each other, a legend at the bottom.
//!
//! Heights are in pixels, so that nothing overlaps with any number of panels. The width is the width of the page.

use std::fmt::Write as _;

use plotly::common::{Anchor, Font, Label, Orientation, Reference, Title};
use plotly::layout::{Annotation, Axis, BarMode, HoverMode, Layout, Legend, Margin, ModeBar, Shape, TraceOrder};
use plotly::layout::{UniformText, UniformTextMode};
use plotly::{Plot, Trace};
use serde_json::json;

pub(crate) use crate::kit::panel_axes::PanelAxes;
use crate::kit::theme::{GRID, HOVER, INK};
use crate::kit::trace::{JsonTrace, TraceExt};
use crate::kit::{label, theme};

/// Maximum number of panels: plotly's Rust types have eight axes.
pub(crate) const PANELS: usize = 8;
/// Explanation for a figure without steps.
pub(crate) const NO_STEPS: &str = "No complete step with a time and a duration was recorded. Call prof.step() in a \
                                   profiled loop, or record the loop with tracelake.record.";
/// Explanation for a figure without machine metrics.
pub(crate) const NO_MACHINE_METRICS: &str =
    "SageMaker Debugger (system/incremental) and `tracelake record` sample machines.";
/// Number of letters of a line of the title that fit into 600 pixels.
const TITLE_LETTERS: usize = 54;
/// Number of letters of a line of a note that fit into 600 pixels.
const NOTE_LETTERS: usize = 84;
/// A line break that depends on the width: pages and pictures, which know their width, break other lines. Plotly reads it as
/// a line break.
pub(crate) const SOFT_BREAK: &str = "<br >";
/// Height of a line of the title and of a note in pixels.
const LINE_HEIGHT: usize = 20;
/// Height of the tick labels, in two lines, and of the axis title below the last panel.
const AXIS_HEIGHT: usize = 52;

struct Panel {
    label: String,
    height: usize,
    x: Axis,
    y: Axis,
    ticks: bool,
}

/// A figure under construction.
#[derive(Default)]
pub(crate) struct Sheet {
    panels: Vec<Panel>,
    traces: Vec<Box<dyn Trace>>,
    shapes: Vec<Shape>,
    legend: Vec<String>,
    bar_mode: Option<BarMode>,
    /// Run and recording of the last time axis.
    recording: Option<(String, Option<i64>)>,
}

impl Sheet {
    /// A figure that stacks bars at the same position. The default is to overlay them.
    pub(crate) fn with_stacked_bars() -> Self {
        Self { bar_mode: Some(BarMode::Stack), ..Self::default() }
    }

    /// A figure with bars at the same position next to each other.
    pub(crate) fn with_grouped_bars() -> Self {
        Self { bar_mode: Some(BarMode::Group), ..Self::default() }
    }

    /// Adds a panel of this height in pixels below the others. The label may come from a profile. Without `ticks`, the
    /// panel shares the time axis of the panel below it.
    pub(crate) fn add_panel(&mut self, label: &str, height: usize, x: Axis, y: Axis, ticks: bool) -> PanelAxes {
        self.panels.push(Panel { label: label::sanitize(label), height, x, y, ticks });
        PanelAxes::new(self.panels.len() - 1)
    }

    /// A time axis for the next panel, which has a row at `ts`. It is the one of the panel above if both have the same recording, because
    /// recordings may be hours apart.
    pub(crate) fn time_axis(&mut self, run: &str, span: Option<i64>, ts: i64) -> Axis {
        let axis = theme::time_axis(ts);
        let before = self.recording.replace((run.to_owned(), span));
        if before == self.recording { axis.matches(&PanelAxes::new(self.panels.len() - 1).x) } else { axis }
    }

    /// Adds a trace. Later traces are drawn over it.
    pub(crate) fn add_trace(&mut self, trace: Box<dyn Trace>) {
        self.traces.push(trace);
    }

    /// Adds a trace to a panel, with a legend entry. Traces of the same name share one.
    #[expect(clippy::boxed_local, reason = "the setters of plotly return boxes")]
    pub(crate) fn add_named_trace(
        &mut self,
        axes: &PanelAxes,
        name: &str,
        trace: Box<impl TraceExt + Trace + 'static>,
    ) {
        let show = self.register_name(name);
        self.add_trace(trace.legend_entry(&label::sanitize(name), show).on_axes(axes));
    }

    /// Returns true at the first call with this name, which therefore needs a legend entry.
    pub(crate) fn register_name(&mut self, name: &str) -> bool {
        let is_new = !self.legend.iter().any(|entry| entry == name);
        if is_new {
            self.legend.push(name.to_owned());
        }
        is_new
    }

    /// Adds a shape, such as a line or a shaded area.
    pub(crate) fn add_shape(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    /// The finished figure. Title and notes are text and may contain names from a profile.
    pub(crate) fn into_plot(self, title: &str, notes: &[String]) -> Plot {
        let (heading, top) = heading(title, notes);
        let labeled = self.panels.iter().any(|panel| !panel.label.is_empty());
        let top = top + if labeled { 20 } else { 6 };
        let last = self.panels.len().saturating_sub(1);
        // Panels with the same axis title share one title. Another quantity or unit gets a title below its panel.
        let shared_title = self.panels.last().and_then(|last| axis_title(&last.x));
        let gap = |panel: &Panel| {
            let titled = axis_title(&panel.x) != shared_title;
            let ticks = if panel.ticks { 34 } else { 0 };
            (10 + ticks + if labeled { 18 } else { 0 } + if titled { 22 } else { 0 }, titled)
        };
        let gaps: Vec<(usize, bool)> = self.panels.iter().map(gap).collect();
        let height: usize = self.panels.iter().map(|panel| panel.height).sum::<usize>()
            + gaps.iter().take(last).map(|(gap, _)| gap).sum::<usize>();
        let legend = legend_rows(&self.legend) * 20;
        let bottom = AXIS_HEIGHT + if legend > 0 { legend + 12 } else { 0 };

        let mut layout = base_layout(heading, top + height + bottom)
            .margin(Margin::new().top(top).bottom(bottom).left(64).right(24).auto_expand(true))
            .show_legend(legend > 0)
            .legend(bottom_legend().y(-((AXIS_HEIGHT + 4) as f64) / height.max(1) as f64))
            .shapes(self.shapes)
            .bar_mode(self.bar_mode.unwrap_or(BarMode::Overlay));
        let mut annotations = Vec::new();
        let mut above = 0;
        for (index, panel) in self.panels.into_iter().enumerate() {
            let (gap, titled) = gaps[index];
            let share = |pixels: usize| 1.0 - pixels as f64 / height.max(1) as f64;
            let names = PanelAxes::new(index);
            let domain = [share(above + panel.height).max(0.0), share(above)];
            let x = panel.x.anchor(names.y).show_tick_labels(panel.ticks || index == last);
            let x = if titled || index == last { x } else { x.title(Title::with_text("")) };
            let y = panel.y.anchor(names.x).domain(&domain);
            if !panel.label.is_empty() {
                let label = annotation(&panel.label, 12).x(0.0).x_anchor(Anchor::Left);
                annotations.push(label.y(domain[1]).y_anchor(Anchor::Bottom));
            }
            above += panel.height + gap;
            layout = set_axes(layout, index, x, y);
        }
        new_plot(self.traces, layout.annotations(annotations))
    }
}

/// A figure with one trace that has no axes and takes the whole width, and a legend of names with their colors.
pub(crate) fn full_width_plot(
    title: &str,
    notes: &[String],
    height: usize,
    trace: Box<dyn Trace>,
    legend: Vec<(String, &'static str)>,
) -> Plot {
    let (heading, top) = heading(title, notes);
    let hidden = || Axis::new().visible(false).fixed_range(true);
    let layout = base_layout(heading, top + height + 40)
        .margin(Margin::new().top(top + 6).bottom(34).left(12).right(12))
        .show_legend(true)
        .legend(bottom_legend().y(-6.0 / height.max(1) as f64))
        .x_axis(hidden())
        .y_axis(hidden())
        .uniform_text(UniformText::new().mode(UniformTextMode::Hide).min_size(9));
    // A trace without points for each entry: the boxes have none.
    let entries = legend.into_iter().map(|(name, color)| {
        Box::new(JsonTrace(json!({
            "type": "scatter", "mode": "markers", "x": [null], "y": [null], "hoverinfo": "skip",
            "name": label::sanitize(&name), "marker": {"symbol": "square", "size": 10, "color": color},
        }))) as Box<dyn Trace>
    });
    new_plot(std::iter::once(trace).chain(entries).collect(), layout)
}

/// A legend in lines below the panels.
fn bottom_legend() -> Legend {
    Legend::new()
        .orientation(Orientation::Horizontal)
        .trace_order(TraceOrder::Normal)
        .x(0.0)
        .y_anchor(Anchor::Top)
        .font(Font::new().size(11))
}

/// A figure for runs with device work that could not be read: its shares would be wrong.
pub(crate) fn unread_plot(title: &str) -> Plot {
    let why = "Tables of the device in the export have a form that is not known, so the shares of the time are not known \
               either. Table `problem` names what is missing.";
    message_plot(title, "device work that could not be read", why)
}

/// A note about what is excluded because device work of its run could not be read.
pub(crate) fn unread_note(n: usize, what: &str) -> Option<String> {
    (n > 0).then(|| format!("{} excluded: device work of the run could not be read", label::count(n, what)))
}

/// A figure that says what is missing, and why.
pub(crate) fn message_plot(title: &str, what: &str, why: &str) -> Plot {
    let (heading, top) = heading(title, &[]);
    let text = format!("<b>{}</b><br>{}", label::sanitize(what), wrap(why, TITLE_LETTERS).join("<br>"));
    let hidden = || Axis::new().visible(false);
    let layout = base_layout(heading, top + 160)
        .margin(Margin::new().top(top).bottom(20).left(24).right(24))
        .x_axis(hidden())
        .y_axis(hidden())
        .annotations(vec![annotation(&text, 14).x(0.5).y(0.5)]);
    new_plot(Vec::new(), layout)
}

fn new_plot(traces: Vec<Box<dyn Trace>>, layout: Layout) -> Plot {
    let mut plot = Plot::new();
    plot.add_traces(traces);
    plot.set_layout(layout);
    plot.set_configuration(theme::configuration());
    plot
}

/// The common layout of all figures, with this height in pixels.
fn base_layout(heading: String, height: usize) -> Layout {
    // With this anchor, `y` is the baseline of the first line for any number of lines.
    let title = Title::with_text(heading)
        .font(Font::new().size(15).color(INK))
        .x_ref(Reference::Container)
        .x(0.01)
        .x_anchor(Anchor::Left)
        .y_ref(Reference::Container)
        .y(1.0 - 24.0 / height as f64)
        .y_anchor(Anchor::Bottom);
    Layout::new()
        .title(title)
        .height(height)
        .mode_bar(ModeBar::new().background_color("rgba(0,0,0,0)").color(GRID).active_color(INK))
        .auto_size(true)
        .paper_background_color("rgba(0,0,0,0)")
        .plot_background_color("rgba(0,0,0,0)")
        .font(Font::new().family("system-ui, -apple-system, Segoe UI, Roboto, sans-serif").size(12).color(INK))
        .hover_mode(HoverMode::Closest)
        .hover_label(
            Label::new()
                .align("left")
                .background_color(HOVER)
                .border_color(GRID)
                .font(Font::new().size(12).color("#f4f5f7")),
        )
        .bar_gap(0.25)
}

/// HTML of the title with the notes in small letters below it, and its height in pixels.
fn heading(title: &str, notes: &[String]) -> (String, usize) {
    let lines = wrap(title, TITLE_LETTERS);
    let notes: Vec<Vec<String>> = notes.iter().map(|note| wrap(note, NOTE_LETTERS)).collect();
    let mut text = format!("<b>{}</b>", lines.join(SOFT_BREAK));
    if !notes.is_empty() {
        let lines: Vec<String> = notes.iter().map(|lines| lines.join(SOFT_BREAK)).collect();
        let _ = write!(text, "<br><span style=\"font-size:11px\">{}</span>", lines.join("<br>"));
    }
    (text, 18 + (lines.len() + notes.iter().map(Vec::len).sum::<usize>()) * LINE_HEIGHT)
}

/// Units that must stay on the same line as their number.
const UNITS: &[&str] = &["ns", "us", "ms", "s", "min", "h", "%", "B/s", "kB/s", "MB/s", "GB/s"];

/// Wraps a text at spaces into lines of at most `width` letters, and escapes HTML.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut words: Vec<(String, usize)> = Vec::new();
    for word in text.split_whitespace() {
        let length = word.chars().count();
        let is_unit = UNITS.contains(&word.trim_end_matches([',', ';', ')', ':']));
        match words.last_mut().filter(|_| is_unit) {
            Some((before, letters)) => {
                let _ = write!(before, " {}", label::sanitize(word));
                *letters += 1 + length;
            }
            None => words.push((label::sanitize(word), length)),
        }
    }
    let mut lines: Vec<(String, usize)> = Vec::new();
    for (word, length) in words {
        match lines.last_mut().filter(|(_, used)| used + 1 + length <= width) {
            Some((line, used)) => {
                let _ = write!(line, " {word}");
                *used += 1 + length;
            }
            None => lines.push((word, length)),
        }
    }
    lines.into_iter().map(|(line, _)| line).collect()
}

/// Number of rows of a horizontal legend in 600 pixels. Its columns are as wide as the widest entry.
fn legend_rows(names: &[String]) -> usize {
    let widest = names.iter().map(|name| 46 + 6 * name.chars().count()).max().unwrap_or(0);
    names.len().div_ceil((500 / widest.max(1)).max(1))
}

/// The title of an axis.
fn axis_title(axis: &Axis) -> Option<String> {
    let value = serde_json::to_value(axis).ok()?;
    value.get("title")?.get("text")?.as_str().map(str::to_owned)
}

/// A text at a position relative to the figure, with this font size in pixels.
fn annotation(text: &str, size: usize) -> Annotation {
    Annotation::new().text(text).x_ref("paper").y_ref("paper").show_arrow(false).font(Font::new().size(size).color(INK))
}

/// Sets the axes of the panel with this index.
fn set_axes(layout: Layout, index: usize, x: Axis, y: Axis) -> Layout {
    match index {
        0 => layout.x_axis(x).y_axis(y),
        1 => layout.x_axis2(x).y_axis2(y),
        2 => layout.x_axis3(x).y_axis3(y),
        3 => layout.x_axis4(x).y_axis4(y),
        4 => layout.x_axis5(x).y_axis5(y),
        5 => layout.x_axis6(x).y_axis6(y),
        6 => layout.x_axis7(x).y_axis7(y),
        _ => layout.x_axis8(x).y_axis8(y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_html_is_escaped() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a <b> c", 80), ["a &lt;b&gt; c"]);
        assert_eq!(wrap("takes 12 ms, or so", 9), ["takes", "12 ms, or", "so"]);
    }

    #[test]
    fn a_legend_has_as_many_rows_as_its_entries_need() {
        assert_eq!(legend_rows(&[]), 0);
        assert_eq!(legend_rows(&["train", "eval", "global"].map(str::to_owned)), 1);
        assert_eq!(legend_rows(&["at least 2x the median of its mode", "eval", "global"].map(str::to_owned)), 2);
    }

    #[test]
    fn panels_are_below_each_other() {
        let mut sheet = Sheet::default();
        let first = sheet.add_panel("", 100, theme::time_axis(i64::MAX), theme::axis("a (ms)"), true);
        let second = sheet.add_panel("", 100, theme::time_axis(i64::MAX), theme::axis("b (ms)"), true);
        assert_eq!((first.x.as_str(), second.y.as_str()), ("x", "y2"));
        let json: serde_json::Value = serde_json::to_value(sheet.into_plot("t", &[])).unwrap();
        let layout = &json["layout"];
        let edge = |axis: &str, end: usize| layout[axis]["domain"][end].as_f64().unwrap();
        assert!(edge("yaxis", 0) > edge("yaxis2", 1) && edge("yaxis2", 0) == 0.0);
        assert_eq!(layout["xaxis"]["title"]["text"], "");
        assert_eq!(layout["xaxis2"]["title"]["text"], "time (UTC)");
        assert_eq!(layout["height"], 44 + 100 + 44 + 100 + 52);
    }
}
