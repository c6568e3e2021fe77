//! Display of a figure in a Rust notebook.

use std::sync::atomic::{AtomicBool, Ordering};

use tracelake_model::notebook::{HTML, TEXT, block, show};

use crate::DrawnFigure;

const PLOTLY: &str = "application/vnd.plotly.v1+json";
const SVG: &str = "image/svg+xml";

/// Whether this process has shown an embedded figure. A process is a notebook, and plotly.js has 4.7 MB, so only the first
/// one includes it. In a kernel that links each cell separately, each cell has its own flag: more bytes, but correct.
static SHOWN: AtomicBool = AtomicBool::new(false);

impl DrawnFigure {
    /// Shows the figure below the cell of a Rust notebook: as Plotly JSON for JupyterLab and VS Code, and as SVG for pages
    /// that do not run plotly.js.
    ///
    /// The output of an embedded figure ([`DrawnFigure::embed`]) also has HTML. That of the first one includes plotly.js,
    /// which the others use. If the cell of the first figure was cleared or run again, restart the kernel and run all cells
    /// before you make a page from the notebook.
    pub fn evcxr_display(&self) {
        show(&self.blocks(self.is_embedded() && !SHOWN.swap(true, Ordering::Relaxed)));
    }

    fn blocks(&self, is_first: bool) -> String {
        let html = match (self.is_embedded(), is_first) {
            (false, _) => String::new(),
            (true, true) => block(HTML, &self.to_html_block()),
            (true, false) => block(HTML, self.to_html_part()),
        };
        let blocks = block(PLOTLY, &self.to_notebook_json()) + &block(SVG, &self.to_svg());
        blocks + &html + &block(TEXT, &format!("{self:?}"))
    }
}
