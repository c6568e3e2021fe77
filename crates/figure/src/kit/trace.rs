//! Settings that most traces share, and traces that plotly's Rust types lack.

use plotly::{Bar, BoxPlot, Scatter, Trace};
use serde::Serialize;
use serde_json::Value;

use crate::kit::panel_axes::PanelAxes;

/// Hover template that shows only the hover text of a point.
pub(crate) const HOVER_TEXT: &str = "%{hovertext}<extra></extra>";

/// Settings that most traces share.
#[expect(clippy::unnecessary_box_returns, reason = "the setters of plotly return boxes")]
pub(crate) trait TraceExt: Sized {
    /// Draws the trace on the axes of a panel.
    fn on_axes(self, axes: &PanelAxes) -> Box<Self>;
    /// Names the trace. Traces with the same name share the legend entry of the trace with `show`.
    fn legend_entry(self, name: &str, show: bool) -> Box<Self>;
    /// Sets a hover text for each point.
    fn hover_texts(self, texts: Vec<String>) -> Box<Self>;
}

macro_rules! impl_trace_ext {
    ($($trace:ident),+) => {$(
        impl<X: Serialize + Clone + 'static, Y: Serialize + Clone + 'static> TraceExt for $trace<X, Y> {
            fn on_axes(self, axes: &PanelAxes) -> Box<Self> {
                self.x_axis(&axes.x).y_axis(&axes.y)
            }

            fn legend_entry(self, name: &str, show: bool) -> Box<Self> {
                self.name(name).legend_group(name).show_legend(show)
            }

            fn hover_texts(self, texts: Vec<String>) -> Box<Self> {
                self.hover_text_array(texts).hover_template(HOVER_TEXT)
            }
        }
    )+};
}

impl_trace_ext!(Bar, BoxPlot, Scatter);

/// A trace in JSON, for types and attributes of traces that plotly's Rust types lack.
#[derive(Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct JsonTrace(pub(crate) Value);

impl Trace for JsonTrace {
    fn to_json(&self) -> String {
        self.0.to_string()
    }
}
