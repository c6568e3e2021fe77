//! The Python class that writes objects into a store.

use std::collections::BTreeMap;

use pyo3::prelude::*;

use crate::error::PendingExceptions;

/// A folder of a store that can be written to.
#[pyclass(name = "Upload", frozen, module = "tracelake._tracelake")]
pub(crate) struct PyUpload(tracelake::session::Upload);

#[pymethods]
impl PyUpload {
    #[new]
    fn new(py: Python<'_>, url: String, options: BTreeMap<String, String>) -> PyResult<Self> {
        PendingExceptions::default().call(py, || tracelake::session::Upload::open(&url, &options)).map(Self)
    }

    /// Writes one object.
    fn put(&self, py: Python<'_>, path: String, data: Vec<u8>) -> PyResult<()> {
        PendingExceptions::default().call(py, || self.0.put(&path, data))
    }
}
