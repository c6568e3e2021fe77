//! A figure that was drawn: the plot, and the frames that its numbers come from.

use plotly::Plot;
use serde_json::Value;

use super::{Figure, output, read, sheet};
use crate::error::Result;
use crate::frame::Frame;

/// A drawn figure.
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// let profile = "tests/data/first_look/profiler-output";
/// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
/// let figure = s.figure("step_timeline", &[("run", "first_look")])?;
/// assert!(figure.frames()[0].rows()? > 0);
/// assert!(figure.to_json().contains("\"layout\""));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Drawn {
    figure: &'static Figure,
    frames: Vec<Frame>,
    json: String,
    part: String,
    empty: bool,
    outside: bool,
}

impl std::fmt::Debug for Drawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Figure({})", self.figure.name)
    }
}

impl Drawn {
    /// Draws the answers to the figure's queries, in their order.
    ///
    /// # Errors
    /// Whatever the queries meet.
    pub fn new(figure: &'static Figure, frames: Vec<Frame>) -> Result<Self> {
        Self::made(figure, frames, false)
    }

    /// Draws answers about a window of time: where it holds nothing, the figure says so, and not that nothing was recorded.
    pub(crate) fn in_window(figure: &'static Figure, frames: Vec<Frame>) -> Result<Self> {
        Self::made(figure, frames, true)
    }

    fn made(figure: &'static Figure, frames: Vec<Frame>, windowed: bool) -> Result<Self> {
        Frame::compute(&frames)?;
        let outside = match frames.first() {
            Some(frame) if windowed => frame.rows()? == 0,
            _ => false,
        };
        // A plot cannot be sent to another thread: what it is written as can.
        let plot = drawn(figure, &frames, outside)?;
        let (json, part) = (output::to_json(&plot), output::to_html_part(&plot, &output::content_id(&plot)));
        let empty = plot.data().is_empty();
        Ok(Self { figure, frames, json, part, empty, outside })
    }

    /// The figure's name.
    pub fn name(&self) -> &'static str {
        self.figure.name
    }

    /// Whether there was nothing to draw: the figure then says what is missing.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Height of the figure in pixels of a page; its width is that of the page.
    pub fn height(&self) -> u32 {
        // The plot itself is gone; only pictures ask.
        let plot: Value = serde_json::from_str(&self.json).unwrap_or_default();
        output::height(&plot["layout"])
    }

    /// The numbers of the figure.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Begin and length of the window of time that each panel shows, in ns since the Unix epoch and ns, the panel on top first.
    /// Only figures whose axes count from the begin of a window have any: `trace_timeline`.
    ///
    /// # Errors
    /// Whatever the query meets.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/pytorch_ddp";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// let window = s.figure("trace_timeline", &[("run", "pytorch_ddp")])?.windows()?[0];
    /// let half = s.figure("trace_timeline", &[("start", window.0), ("end", window.0 + window.1 / 2)])?;
    /// assert_eq!(half.windows()?, [(window.0, window.1 / 2)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn windows(&self) -> Result<Vec<(i64, i64)>> {
        let Some(frame) = self.frames.first().filter(|_| self.figure.name == "trace_timeline") else {
            return Ok(Vec::new());
        };
        let runs = read::texts(frame, "run")?;
        let (begin, length) = (read::integers(frame, "window_ts")?, read::integers(frame, "window_dur")?);
        let panels = read::groups(runs.iter()).into_iter();
        Ok(panels.filter_map(|(_, rows)| Some((begin[rows[0]]?, length[rows[0]]?))).collect())
    }

    /// The plot, drawn anew from the frames, for changes of one's own.
    ///
    /// # Errors
    /// As [`Drawn::new`].
    pub fn plot(&self) -> Result<Plot> {
        drawn(self.figure, &self.frames, self.outside)
    }

    /// The plot as Plotly JSON.
    pub fn to_json(&self) -> &str {
        &self.json
    }

    /// The figure as a part of a page that has plotly.js already.
    pub fn to_html_part(&self) -> &str {
        &self.part
    }

    /// A block for a notebook: needs no network, and brings plotly.js only if the page has none.
    pub fn to_html_block(&self) -> String {
        output::to_html_block(&self.part)
    }

    /// A whole page that needs no network.
    pub fn to_html_page(&self) -> String {
        output::to_html_page(&[&self.part], self.figure.name)
    }
}

/// The plot; `outside` where the window that was asked for holds nothing.
fn drawn(figure: &Figure, frames: &[Frame], outside: bool) -> Result<Plot> {
    if !outside {
        return (figure.draw)(frames);
    }
    let name = figure.name.replace('_', " ");
    let title = name.get(..1).map_or(String::new(), str::to_uppercase) + name.get(1..).unwrap_or_default();
    let why = "Nothing lies in this window. Leave out start and end to see where the recording lies.";
    Ok(sheet::message(&title, "nothing recorded here", why))
}
