//! A trace of tracelake itself.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

use crate::error::Pending;

/// A trace that is being written.
#[pyclass(frozen, module = "tracelake._tracelake")]
pub(crate) struct OwnProfile(Mutex<Option<tracelake::OwnProfile>>);

#[pymethods]
impl OwnProfile {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let begun = Pending::default().call(py, || tracelake::own_profile(path))?;
        Ok(Self(Mutex::new(Some(begun))))
    }

    /// Ends the file; the second time nothing happens.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        let begun = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        Pending::default().call(py, || begun.map_or(Ok(()), tracelake::OwnProfile::end))
    }
}
