//! Objects put into a store.

use std::collections::BTreeMap;

use pyo3::prelude::*;

use crate::error::Pending;

/// A folder of a store that can be written to.
#[pyclass(frozen, module = "tracelake._tracelake")]
pub(crate) struct Upload(tracelake::session::Upload);

#[pymethods]
impl Upload {
    #[new]
    fn new(py: Python<'_>, url: String, options: BTreeMap<String, String>) -> PyResult<Self> {
        Pending::default().call(py, || tracelake::session::Upload::to(&url, &options)).map(Self)
    }

    /// Writes one object.
    fn put(&self, py: Python<'_>, path: String, data: Vec<u8>) -> PyResult<()> {
        Pending::default().call(py, || self.0.put(&path, data))
    }
}
