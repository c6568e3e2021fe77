//! What a gate says.

use pyo3::prelude::*;

use crate::error::Pending;
use crate::frame::Frame;

/// The verdicts of a gate.
#[pyclass(frozen, module = "tracelake._tracelake")]
pub(crate) struct Gate {
    pub(crate) gate: tracelake::diagnosis::Gate,
    pub(crate) pending: Pending,
}

#[pymethods]
impl Gate {
    /// Whether all limits hold.
    #[getter]
    fn passed(&self) -> bool {
        self.gate.passed()
    }

    /// The runs that were judged.
    #[getter]
    fn candidate(&self) -> Vec<String> {
        self.gate.candidate.clone()
    }

    /// The runs that they were held against.
    #[getter]
    fn baseline(&self) -> Vec<String> {
        self.gate.baseline.clone()
    }

    /// The verdicts as rows.
    fn frame(&self, py: Python<'_>) -> PyResult<Frame> {
        let frame = self.pending.call(py, || self.gate.frame())?;
        Ok(Frame { frame, pending: self.pending.clone() })
    }

    /// The verdicts as short text.
    fn text(&self) -> String {
        self.gate.text()
    }

    /// The verdicts as HTML.
    fn html(&self) -> String {
        self.gate.to_html()
    }

    /// The verdicts as Markdown.
    fn markdown(&self) -> String {
        self.gate.markdown()
    }

    /// The verdicts as JUnit XML.
    fn junit(&self) -> String {
        self.gate.junit()
    }

    /// The verdicts as JSON.
    fn json(&self) -> String {
        self.gate.json()
    }
}
