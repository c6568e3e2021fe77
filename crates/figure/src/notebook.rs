//! Display of a figure in a Rust notebook.

use std::sync::atomic::{AtomicBool, Ordering};

use tracelake_model::notebook::{HTML, TEXT, block, show};

use crate::DrawnFigure;

const PLOTLY: &str = "application/vnd.plotly.v1+json";

/// Whether this process has shown a figure. A process is a notebook, and plotly.js has 4.7 MB, so only the first figure
/// includes it. In a kernel that links each cell separately, each cell has its own flag: more bytes, but correct.
static SHOWN: AtomicBool = AtomicBool::new(false);

impl DrawnFigure {
    /// Shows the figure below the cell of a Rust notebook, as Plotly JSON and as HTML that needs no network.
    ///
    /// The HTML of the first figure includes plotly.js, and later figures use it. If the cell of the first figure was
    /// cleared or run again, restart the kernel and run all cells before you export the notebook as a page.
    pub fn evcxr_display(&self) {
        show(&self.blocks(!SHOWN.swap(true, Ordering::Relaxed)));
    }

    fn blocks(&self, is_first: bool) -> String {
        let html = if is_first { self.to_html_block() } else { self.to_html_part().to_owned() };
        block(PLOTLY, self.to_json()) + &block(HTML, &html) + &block(TEXT, &format!("{self:?}"))
    }
}
