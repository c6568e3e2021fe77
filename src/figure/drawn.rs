//! A figure that was drawn: the plot, and the frames that its numbers come from.

use plotly::Plot;

use super::{Figure, output};
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
    height: u32,
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
        // A plot cannot be sent to another thread: what it is written as can.
        let plot = (figure.draw)(&frames)?;
        let (json, part) = (output::to_json(&plot), output::to_html_part(&plot, &output::content_id(&plot)));
        let empty = plot.data().is_empty();
        let height = output::height(&plot);
        Ok(Self { figure, frames, json, part, empty, height })
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
        self.height
    }

    /// The numbers of the figure.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The plot, drawn anew from the frames, for changes of one's own.
    ///
    /// # Errors
    /// As [`Drawn::new`].
    pub fn plot(&self) -> Result<Plot> {
        (self.figure.draw)(&self.frames)
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
