//! The Python class of the verdicts of a gate.

use pyo3::prelude::*;

use crate::error::PendingExceptions;
use crate::frame::PyFrame;

/// The verdicts of a gate.
#[pyclass(name = "Gate", frozen, module = "tracelake._tracelake")]
pub(crate) struct PyGate {
    pub(crate) gate: tracelake::diagnosis::Gate,
    pub(crate) pending: PendingExceptions,
}

#[pymethods]
impl PyGate {
    /// Whether the exit code is 0.
    #[getter]
    fn passed(&self) -> bool {
        self.gate.passed()
    }

    /// The outcome of all limits together.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.gate.outcome().as_str()
    }

    /// The exit code of the program.
    #[getter]
    fn exit_code(&self) -> u8 {
        self.gate.exit_code()
    }

    /// The runs that were judged.
    #[getter]
    fn candidate(&self) -> Vec<String> {
        self.gate.candidate.clone()
    }

    /// The runs that they were compared with.
    #[getter]
    fn baseline(&self) -> Vec<String> {
        self.gate.baseline.clone()
    }

    /// The verdicts as rows.
    fn frame(&self, py: Python<'_>) -> PyResult<PyFrame> {
        let frame = self.pending.call(py, || self.gate.frame())?;
        Ok(PyFrame { frame, pending: self.pending.clone() })
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
