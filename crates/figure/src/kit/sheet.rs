//! Layout of a figure: a title with notes, panels below each other, a legend at the bottom.
//!
//! Sizes are in pixels, so that nothing overlaps with any number of panels. The width is the width of the page.

use std::fmt::Write as _;

use plotly::common::{Anchor, Font, Label, Orientation, Reference, Title};
use plotly::layout::{Annotation, Axis, BarMode, HoverMode, Layout, Legend, Margin, ModeBar, Shape, TraceOrder};
use plotly::layout::{UniformText, UniformTextMode};
use plotly::{Plot, Trace};

use crate::kit::theme::{GRID, HOVER, INK};
use crate::kit::whose::Whose;
use crate::kit::{label, theme};

/// Maximum number of panels: plotly's Rust types have eight axes.
pub(crate) const PANELS: usize = 8;
/// Explanation for a figure without steps.
pub(crate) const NO_STEPS: &str = "No complete step with a time and a duration was recorded. Call prof.step() in a \
                                   profiled loop, or record the loop with tracelake.record.";
/// Explanation for a figure without machine metrics.
pub(crate) const MACHINES: &str = "SageMaker Debugger (system/incremental) and `tracelake record` sample machines.";
/// Letters of a line of the title and of a note that fit into 600 pixels.
const TITLE: usize = 54;
const NOTE: usize = 84;

/// Names of the axes of a panel, used by traces and shapes.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) x: String,
    pub(crate) y: String,
}

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
    bars: Option<BarMode>,
    /// Run and recording of the last panel with a time axis.
    recording: Option<(String, Option<i64>)>,
}

impl Sheet {
    /// Adds a panel of this height in pixels below the others. The label may come from a profile. Without `ticks`, the
    /// panel shares the time axis of the panel below it.
    pub(crate) fn panel(&mut self, label: &str, height: usize, x: Axis, y: Axis, ticks: bool) -> Place {
        self.panels.push(Panel { label: label::plain(label), height, x, y, ticks });
        place(self.panels.len())
    }

    /// Adds a panel with a time axis. It shares the axis with the panel above if both have the same recording, because
    /// recordings may be hours apart.
    pub(crate) fn panel_over_time(&mut self, label: &str, height: usize, y: Axis, whose: &Whose) -> Place {
        let recording = Some((whose.run.clone(), whose.span));
        let x = theme::time_axis();
        let x = if self.recording == recording { x.matches(&self.last().x) } else { x };
        self.recording = recording;
        self.panel(label, height, x, y, true)
    }

    /// The axes of the last panel.
    pub(crate) fn last(&self) -> Place {
        place(self.panels.len())
    }

    /// Adds a trace. Later traces are drawn over it.
    pub(crate) fn trace(&mut self, trace: Box<dyn Trace>) {
        self.traces.push(trace);
    }

    /// Whether this name is new and needs a legend entry.
    pub(crate) fn first(&mut self, name: &str) -> bool {
        let new = !self.legend.iter().any(|known| known == name);
        if new {
            self.legend.push(name.to_owned());
        }
        new
    }

    /// Sets how bars at the same position are arranged. The default is overlay.
    pub(crate) fn bars(&mut self, mode: BarMode) {
        self.bars = Some(mode);
    }

    pub(crate) fn shape(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    /// The finished figure. Title and notes are plain text and may contain names from a profile.
    pub(crate) fn plot(self, title: &str, notes: &[String]) -> Plot {
        let (heading, top) = heading(title, notes);
        let labeled = self.panels.iter().any(|panel| !panel.label.is_empty());
        let top = top + if labeled { 20 } else { 6 };
        let last = 52; // tick labels in two lines, and the axis title
        let inner = self.panels.len().saturating_sub(1);
        // Panels with the same axis title share one title. Another quantity or unit gets a title below its panel.
        let shared = self.panels.last().and_then(|last| of_axis(&last.x));
        let gap = |panel: &Panel| {
            let named = of_axis(&panel.x) != shared;
            let ticks = if panel.ticks { 34 } else { 0 };
            (10 + ticks + if labeled { 18 } else { 0 } + if named { 22 } else { 0 }, named)
        };
        let gaps: Vec<(usize, bool)> = self.panels.iter().map(gap).collect();
        let height: usize = self.panels.iter().map(|panel| panel.height).sum::<usize>()
            + gaps.iter().take(inner).map(|(gap, _)| gap).sum::<usize>();
        let legend = rows(&self.legend) * 20;
        let bottom = last + if legend > 0 { legend + 12 } else { 0 };

        let mut layout = base(heading, top + height + bottom)
            .margin(Margin::new().top(top).bottom(bottom).left(64).right(24).auto_expand(true))
            .show_legend(legend > 0)
            .legend(
                Legend::new()
                    .orientation(Orientation::Horizontal)
                    .trace_order(TraceOrder::Normal)
                    .x(0.0)
                    .y(-((last + 4) as f64) / height.max(1) as f64)
                    .y_anchor(Anchor::Top)
                    .font(Font::new().size(11)),
            )
            .shapes(self.shapes)
            .bar_mode(self.bars.unwrap_or(BarMode::Overlay));
        let mut annotations = Vec::new();
        let mut above = 0;
        for (index, panel) in self.panels.into_iter().enumerate() {
            let (gap, named) = gaps[index];
            let share = |pixels: usize| 1.0 - pixels as f64 / height.max(1) as f64;
            let names = place(index + 1);
            let domain = [share(above + panel.height).max(0.0), share(above)];
            let x = panel.x.anchor(names.y).show_tick_labels(panel.ticks || index == inner);
            let x = if named || index == inner { x } else { x.title(Title::with_text("")) };
            let y = panel.y.anchor(names.x).domain(&domain);
            if !panel.label.is_empty() {
                annotations.push(aside(&panel.label, domain[1]));
            }
            above += panel.height + gap;
            layout = axes(layout, index, x, y);
        }
        let mut plot = Plot::new();
        plot.add_traces(self.traces);
        plot.set_layout(layout.annotations(annotations));
        plot.set_configuration(theme::configuration());
        plot
    }
}

/// A figure with one trace that has no axes and takes the whole width.
pub(crate) fn whole(title: &str, notes: &[String], height: usize, trace: Box<dyn Trace>) -> Plot {
    let (heading, top) = heading(title, notes);
    let mut plot = Plot::new();
    plot.add_trace(trace);
    plot.set_layout(
        base(heading, top + height + 16)
            .margin(Margin::new().top(top + 6).bottom(10).left(12).right(12))
            .uniform_text(UniformText::new().mode(UniformTextMode::Hide).min_size(9)),
    );
    plot.set_configuration(theme::configuration());
    plot
}

/// A figure that says what is missing, and why.
pub(crate) fn message(title: &str, what: &str, why: &str) -> Plot {
    let (heading, top) = heading(title, &[]);
    let lines = wrap(why, TITLE);
    let text = format!("<b>{}</b><br>{}", label::plain(what), lines.join("<br>"));
    let hidden = || Axis::new().visible(false);
    let note = Annotation::new()
        .text(text)
        .x_ref("paper")
        .y_ref("paper")
        .x(0.5)
        .y(0.5)
        .show_arrow(false)
        .font(Font::new().size(14).color(INK));
    let mut plot = Plot::new();
    plot.set_layout(
        base(heading, top + 160)
            .margin(Margin::new().top(top).bottom(20).left(24).right(24))
            .x_axis(hidden())
            .y_axis(hidden())
            .annotations(vec![note]),
    );
    plot.set_configuration(theme::configuration());
    plot
}

/// The common layout of all figures, with this height in pixels.
fn base(heading: String, height: usize) -> Layout {
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

/// The title with its notes in small letters below, and the height in pixels.
fn heading(title: &str, notes: &[String]) -> (String, usize) {
    let lines = wrap(title, TITLE);
    let small: Vec<String> = notes.iter().flat_map(|note| wrap(note, NOTE)).collect();
    let mut text = format!("<b>{}</b>", lines.join("<br>"));
    if !small.is_empty() {
        let _ = write!(text, "<br><span style=\"font-size:11px\">{}</span>", small.join("<br>"));
    }
    (text, 18 + (lines.len() + small.len()) * 20)
}

/// Units that must stay on the same line as their number.
const UNITS: &[&str] = &["ns", "us", "ms", "s", "min", "h", "%", "B/s", "kB/s", "MB/s", "GB/s"];

/// Lines of at most `width` letters, broken at spaces, with HTML escaped.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut words: Vec<(String, usize)> = Vec::new();
    for word in text.split_whitespace() {
        let length = word.chars().count();
        let unit = UNITS.contains(&word.trim_end_matches([',', ';', ')', ':']));
        match words.last_mut().filter(|_| unit) {
            Some((before, letters)) => {
                let _ = write!(before, " {}", label::plain(word));
                *letters += 1 + length;
            }
            None => words.push((label::plain(word), length)),
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

/// Rows of a horizontal legend in 600 pixels. Its columns are as wide as the widest entry.
fn rows(names: &[String]) -> usize {
    let widest = names.iter().map(|name| 46 + 6 * name.chars().count()).max().unwrap_or(0);
    names.len().div_ceil((500 / widest.max(1)).max(1))
}

/// The title of an axis.
fn of_axis(axis: &Axis) -> Option<String> {
    let value = serde_json::to_value(axis).ok()?;
    value.get("title")?.get("text")?.as_str().map(str::to_owned)
}

/// The label of a panel, above its left corner.
fn aside(text: &str, y: f64) -> Annotation {
    Annotation::new()
        .text(text)
        .x_ref("paper")
        .x(0.0)
        .x_anchor(Anchor::Left)
        .y_ref("paper")
        .y(y)
        .y_anchor(Anchor::Bottom)
        .show_arrow(false)
        .font(Font::new().size(12).color(INK))
}

fn place(ordinal: usize) -> Place {
    let number = if ordinal == 1 { String::new() } else { ordinal.to_string() };
    Place { x: format!("x{number}"), y: format!("y{number}") }
}

fn axes(layout: Layout, index: usize, x: Axis, y: Axis) -> Layout {
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
    fn lines_break_at_blanks_and_names_stay_text() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a <b> c", 80), ["a &lt;b&gt; c"]);
        assert_eq!(wrap("takes 12 ms, or so", 9), ["takes", "12 ms, or", "so"]);
    }

    #[test]
    fn a_legend_takes_the_rows_it_needs() {
        assert_eq!(rows(&[]), 0);
        assert_eq!(rows(&["train", "eval", "global"].map(str::to_owned)), 1);
        assert_eq!(rows(&["at least 2x the median of its mode", "eval", "global"].map(str::to_owned)), 2);
    }

    #[test]
    fn panels_stand_below_each_other() {
        let mut sheet = Sheet::default();
        let one = sheet.panel("", 100, theme::time_axis(), theme::axis("a (ms)"), true);
        let two = sheet.panel("", 100, theme::time_axis(), theme::axis("b (ms)"), true);
        assert_eq!((one.x.as_str(), two.y.as_str()), ("x", "y2"));
        let json: serde_json::Value = serde_json::to_value(sheet.plot("t", &[])).unwrap();
        let layout = &json["layout"];
        let edge = |axis: &str, at: usize| layout[axis]["domain"][at].as_f64().unwrap();
        assert!(edge("yaxis", 0) > edge("yaxis2", 1) && edge("yaxis2", 0) == 0.0);
        assert_eq!(layout["xaxis"]["title"]["text"], "");
        assert_eq!(layout["xaxis2"]["title"]["text"], "time (UTC)");
        assert_eq!(layout["height"], 44 + 100 + 44 + 100 + 52);
    }
}
