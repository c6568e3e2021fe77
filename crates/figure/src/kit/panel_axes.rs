//! Names of the axes of a panel.

/// Names of the axes of a panel, for traces and shapes.
#[derive(Debug, Clone)]
pub(crate) struct PanelAxes {
    pub(crate) x: String,
    pub(crate) y: String,
}

impl PanelAxes {
    /// The names that plotly.js gives the axes of the panel with this index.
    pub(super) fn new(index: usize) -> Self {
        let number = if index == 0 { String::new() } else { (index + 1).to_string() };
        Self { x: format!("x{number}"), y: format!("y{number}") }
    }
}
