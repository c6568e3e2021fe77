//! Display of a figure in a Rust notebook.

use std::sync::atomic::{AtomicBool, Ordering};

use tracelake_model::notebook::{HTML, TEXT, block, show};

use crate::Drawn;

const PLOTLY: &str = "application/vnd.plotly.v1+json";

/// Whether a figure was shown in this process. One process is one notebook, and plotly.js is 4.7 MB, so only the first
/// figure brings it. In a kernel that links each cell by itself every cell has a flag of its own: more bytes, and right.
static SHOWN: AtomicBool = AtomicBool::new(false);

impl Drawn {
    /// Shows the figure below the cell of a Rust notebook, as Plotly JSON and as HTML that needs no network.
    ///
    /// The HTML of the first figure brings plotly.js, and the later ones find it on the page. After that figure's cell
    /// was cleared or run again, restart the kernel and run all cells before the notebook is exported as a page.
    pub fn evcxr_display(&self) {
        show(&self.blocks(!SHOWN.swap(true, Ordering::Relaxed)));
    }

    fn blocks(&self, first: bool) -> String {
        let html = if first { self.to_html_block() } else { self.to_html_part().to_owned() };
        block(PLOTLY, self.to_json()) + &block(HTML, &html) + &block(TEXT, &format!("{self:?}"))
    }
}
