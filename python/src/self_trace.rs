//! The Python class of a trace of tracelake itself.

use std::path::PathBuf;

use parking_lot::Mutex;
use pyo3::prelude::*;

use crate::error::PendingExceptions;

/// A trace that is being written.
#[pyclass(name = "SelfTrace", frozen, module = "tracelake._tracelake")]
pub(crate) struct PySelfTrace(Mutex<Option<tracelake::SelfTrace>>);

#[pymethods]
impl PySelfTrace {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let profile = PendingExceptions::default().call(py, || tracelake::self_trace(path))?;
        Ok(Self(Mutex::new(Some(profile))))
    }

    /// Ends the file; the second time nothing happens.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        let profile = self.0.lock().take();
        PendingExceptions::default().call(py, || profile.map_or(Ok(()), tracelake::SelfTrace::end))
    }
}
