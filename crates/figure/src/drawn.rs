//! A drawn figure: the plot and the query results that it shows.

use plotly::Plot;
use serde_json::Value;

use super::{Figure, output, to_svg};
use crate::error::Result;
use crate::frame::Frame;
use crate::kit::{read, sheet};

/// A drawn figure: the plot as JSON and HTML, and the query results that it shows.
///
/// # Examples
/// ```
/// # fn main() -> tracelake_model::Result<()> {
/// use std::sync::Arc;
///
/// use arrow::array::{BooleanArray, Float64Array, Int64Array, StringArray};
/// use tracelake_figure::{DrawnFigure, figure};
/// use tracelake_model::{Frame, unit::Unit};
///
/// // The rows of query `step.histogram`. A session runs the queries of a figure and passes their results on.
/// let rows = Frame::from_columns(vec![
///     ("run", Unit::Id, Arc::new(StringArray::from(vec!["a"]))),
///     ("mode", Unit::Name, Arc::new(StringArray::from(vec!["train"]))),
///     ("dur_from", Unit::Ns, Arc::new(Float64Array::from(vec![1e6]))),
///     ("dur_to", Unit::Ns, Arc::new(Float64Array::from(vec![2e6]))),
///     ("n", Unit::Count, Arc::new(Int64Array::from(vec![3]))),
///     ("is_longer", Unit::Flag, Arc::new(BooleanArray::from(vec![false]))),
/// ])?;
/// let drawn = DrawnFigure::new(figure("step_histogram").unwrap(), vec![rows])?;
/// assert_eq!(drawn.frames()[0].len()?, 1);
/// assert!(drawn.to_json().contains("\"layout\""));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct DrawnFigure {
    figure: &'static Figure,
    frames: Vec<Frame>,
    json: String,
    html_part: String,
    is_empty: bool,
    /// Whether the requested time window has no rows.
    is_window_empty: bool,
    /// Whether the output in a Rust notebook has HTML too.
    is_embedded: bool,
}

impl std::fmt::Debug for DrawnFigure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Figure({})", self.figure.name)
    }
}

impl DrawnFigure {
    /// Draws the results of the figure's queries, in the order of the queries.
    ///
    /// # Errors
    /// The errors of the queries.
    pub fn new(figure: &'static Figure, frames: Vec<Frame>) -> Result<Self> {
        Self::draw(figure, frames, false)
    }

    /// Draws results that are limited to a time window. If the window is empty, the figure says that, and not that
    /// nothing was recorded.
    #[doc(hidden)]
    pub fn in_window(figure: &'static Figure, frames: Vec<Frame>) -> Result<Self> {
        Self::draw(figure, frames, true)
    }

    fn draw(figure: &'static Figure, frames: Vec<Frame>, has_window: bool) -> Result<Self> {
        Frame::compute(&frames)?;
        let is_window_empty = match frames.first() {
            Some(frame) if has_window => frame.len()? == 0,
            _ => false,
        };
        // A plot is not `Send`; its JSON and HTML are.
        let plot = draw_plot(figure, &frames, is_window_empty)?;
        let (json, html_part) = (output::to_json(&plot), output::to_html_part(&plot, &output::content_id(&plot)));
        let is_empty = plot.data().is_empty();
        Ok(Self { figure, frames, json, html_part, is_empty, is_window_empty, is_embedded: false })
    }

    /// The figure's name.
    pub fn name(&self) -> &'static str {
        self.figure.name
    }

    /// Whether the figure has no data. It then says what is missing.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Height of the figure in pixels. The width is the width of the page.
    pub fn height(&self) -> u32 {
        // The plot is not stored, and only pictures need the height.
        let plot: Value = serde_json::from_str(&self.json).unwrap_or_default();
        output::height(&plot["layout"])
    }

    /// The query results that the figure shows.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Start and length of the time window of each panel, from top to bottom, in ns since the Unix epoch and in ns.
    /// Empty for all figures except `trace_timeline`. Its axes count from the start of a window.
    ///
    /// # Errors
    /// The errors of the query.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use std::sync::Arc;
    /// #
    /// # use arrow::array::{BooleanArray, Float64Array, Int64Array, StringArray};
    /// # use tracelake_figure::{DrawnFigure, figure};
    /// # use tracelake_model::{Frame, unit::Unit};
    /// #
    /// # let rows = Frame::from_columns(vec![
    /// #     ("run", Unit::Id, Arc::new(StringArray::from(vec!["a"]))),
    /// #     ("mode", Unit::Name, Arc::new(StringArray::from(vec!["train"]))),
    /// #     ("dur_from", Unit::Ns, Arc::new(Float64Array::from(vec![1e6]))),
    /// #     ("dur_to", Unit::Ns, Arc::new(Float64Array::from(vec![2e6]))),
    /// #     ("n", Unit::Count, Arc::new(Int64Array::from(vec![3]))),
    /// #     ("is_longer", Unit::Flag, Arc::new(BooleanArray::from(vec![false]))),
    /// # ])?;
    /// let drawn = DrawnFigure::new(figure("step_histogram").unwrap(), vec![rows])?;
    /// assert_eq!(drawn.windows()?, []);
    /// # Ok(())
    /// # }
    /// ```
    pub fn windows(&self) -> Result<Vec<(i64, i64)>> {
        let Some(frame) = self.frames.first().filter(|_| self.figure.name == "trace_timeline") else {
            return Ok(Vec::new());
        };
        let runs = read::column::<String>(frame, "run")?;
        let (starts, lengths) = (frame.column::<i64>("window_ts")?, frame.column::<i64>("window_dur")?);
        let panels = read::group_by(0..runs.len(), |row| runs[row].as_str()).into_iter();
        Ok(panels.filter_map(|(_, rows)| Some((starts[rows[0]]?, lengths[rows[0]]?))).collect())
    }

    /// Draws the plot again from the frames, so that the caller can change it.
    ///
    /// # Errors
    /// See [`DrawnFigure::new`].
    pub fn plot(&self) -> Result<Plot> {
        draw_plot(self.figure, &self.frames, self.is_window_empty)
    }

    /// The plot as Plotly JSON.
    pub fn to_json(&self) -> &str {
        &self.json
    }

    /// The plot as Plotly JSON for a notebook: with a white background, and with settings that JupyterLab needs.
    pub fn to_notebook_json(&self) -> String {
        output::to_notebook_json(&self.json)
    }

    /// The figure as a static SVG picture of at most some 100 kB; see [`crate::to_svg`].
    pub fn to_svg(&self) -> String {
        to_svg(&self.json)
    }

    /// Returns the figure with HTML in its output in a Rust notebook, so that a page that is made from the notebook shows it
    /// with zoom and hover texts. The first such figure of a notebook brings plotly.js, 4.7 MB.
    #[must_use]
    pub fn embed(self) -> Self {
        Self { is_embedded: true, ..self }
    }

    /// Whether the output in a Rust notebook has HTML too; see [`DrawnFigure::embed`].
    pub(crate) fn is_embedded(&self) -> bool {
        self.is_embedded
    }

    /// The figure as HTML for a page that already has plotly.js.
    pub fn to_html_part(&self) -> &str {
        &self.html_part
    }

    /// The figure as HTML for a notebook. It needs no network and loads its plotly.js only if the page has none.
    pub fn to_html_block(&self) -> String {
        output::to_html_block(&self.html_part)
    }

    /// The figure as a complete HTML page that needs no network.
    pub fn to_html_page(&self) -> String {
        output::to_html_page(&[&self.html_part], self.figure.name)
    }
}

/// Draws the plot, or a message if the requested time window is empty.
fn draw_plot(figure: &Figure, frames: &[Frame], is_window_empty: bool) -> Result<Plot> {
    if !is_window_empty {
        return (figure.draw)(frames);
    }
    let name = figure.name.replace('_', " ");
    let title = name.get(..1).map_or(String::new(), str::to_uppercase) + name.get(1..).unwrap_or_default();
    let why = "This time window is empty. Omit start and end to see the whole recording.";
    Ok(sheet::message_plot(&title, "nothing recorded here", why))
}
