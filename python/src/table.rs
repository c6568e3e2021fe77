//! The Python class of a table for PyPI `datafusion`. It reads the table through the C interface, without a copy.

use std::sync::Arc;

use datafusion_ffi::proto::logical_extension_codec::FFI_LogicalExtensionCodec;
use datafusion_ffi::table_provider::FFI_TableProvider;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use tracelake::{Error, ErrorKind};

use crate::error::{PendingExceptions, raise};

/// The major version that both sides must have, because the memory layout depends on it.
const DATAFUSION_MAJOR: &str = "55";

/// A table, view or query of a session.
#[pyclass(name = "Provider", frozen, module = "tracelake._tracelake")]
pub(crate) struct PyTableProvider {
    pub(crate) session: tracelake::Session,
    pub(crate) name: String,
    pub(crate) pending: PendingExceptions,
}

#[pymethods]
impl PyTableProvider {
    /// Lets `datafusion.SessionContext.register_table("event", table)` read this table.
    #[expect(unsafe_code, reason = "the C interface hands out a pointer in a capsule")]
    fn __datafusion_table_provider__<'py>(
        &self,
        py: Python<'py>,
        session: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        check_version(py)?;
        let codec = session.getattr("__datafusion_logical_extension_codec__")?.call0()?;
        let codec = codec.cast::<PyCapsule>()?.pointer_checked(Some(c"datafusion_logical_extension_codec"))?;
        // SAFETY: the capsule's name was checked, and a capsule of this name holds this type, since both
        // sides have the same major version; it stays alive while `session` is borrowed.
        let codec = unsafe { codec.cast::<FFI_LogicalExtensionCodec>().as_ref() }.clone();
        let provider = self.pending.call(py, || self.session.provider(&self.name))?;
        let runtime = Some(self.session.engine_runtime());
        let table = FFI_TableProvider::new_with_ffi_codec(Arc::clone(&provider), true, runtime, codec);
        PyCapsule::new_with_value(py, table, c"datafusion_table_provider")
    }
}

/// Returns an error for another major version of PyPI `datafusion`: its memory layout is different.
fn check_version(py: Python<'_>) -> PyResult<()> {
    let version: String = py.import("datafusion")?.getattr("__version__")?.extract()?;
    if version.split('.').next() == Some(DATAFUSION_MAJOR) {
        return Ok(());
    }
    let text = format!("cannot hand a table to datafusion {version}: version {DATAFUSION_MAJOR} is needed");
    Err(raise(
        py,
        &Error::new(ErrorKind::Argument, text).with_hint(format!("pip install 'datafusion=={DATAFUSION_MAJOR}.*'")),
    ))
}
