//! The Python class of a query result. Consumers read it as an Arrow C stream.

use std::ffi::CStr;

use arrow::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use tracelake::frame::Zone;

use crate::error::{PendingExceptions, raise};
use crate::stream::{PyStream, capsule};

const SCHEMA_CAPSULE: &CStr = c"arrow_schema";

/// The rows of one query.
#[pyclass(name = "Frame", frozen, module = "tracelake._tracelake")]
pub(crate) struct PyFrame {
    pub(crate) frame: tracelake::Frame,
    pub(crate) pending: PendingExceptions,
}

#[pymethods]
impl PyFrame {
    /// Name, type and unit of each column.
    fn columns(&self) -> Vec<(String, String, Option<&'static str>)> {
        let columns = self.frame.columns().into_iter();
        columns.map(|c| (c.sql_type(), c)).map(|(ty, c)| (c.name, ty, c.unit.map(tracelake::Unit::as_str))).collect()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.pending.call(py, || self.frame.len())
    }

    /// Some rows from a position on.
    fn slice(&self, py: Python<'_>, offset: usize, rows: usize) -> PyResult<Self> {
        let frame = self.pending.call(py, || self.frame.slice(offset, rows))?;
        Ok(Self { frame, pending: self.pending.clone() })
    }

    /// Some columns.
    fn select(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Self> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let frame = self.pending.call(py, || self.frame.select(&names))?;
        Ok(Self { frame, pending: self.pending.clone() })
    }

    /// All rows and the title as bytes, for pickle.
    fn ipc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.pending.call(py, || self.frame.to_ipc())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The frame of `ipc`.
    #[staticmethod]
    fn from_ipc(py: Python<'_>, data: &[u8], title: Option<&str>, why_empty: Option<&str>) -> PyResult<Self> {
        let pending = PendingExceptions::default();
        let frame = pending.call(py, || tracelake::Frame::from_ipc(data))?;
        let frame = frame.with_empty_reason(why_empty.unwrap_or_default());
        Ok(Self { frame: title.map_or(frame.clone(), |title| frame.with_title(title)), pending })
    }

    /// The result in one sentence, for comparisons.
    fn title(&self) -> Option<&str> {
        self.frame.title()
    }

    /// Why there are no rows, if the reason is known.
    fn why_empty(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.pending.call(py, || Ok(self.frame.why_empty()?.map(str::to_owned)))
    }

    /// The first 50 rows as text for a terminal of this width, with times of this machine's zone or of UTC.
    fn text(&self, py: Python<'_>, local: bool, wide: bool, width: Option<usize>) -> PyResult<String> {
        self.pending.call(py, || {
            // Formatting cannot return an error, so the query runs before. The frame caches the rows.
            self.frame.len()?;
            let frame = self.shown(local, wide);
            Ok(width.map_or_else(|| frame.to_string(), |width| frame.fit(width).to_string()))
        })
    }

    /// The first 50 rows as an HTML table, with times as in `text`.
    fn html(&self, py: Python<'_>, local: bool, wide: bool) -> PyResult<String> {
        self.pending.call(py, || self.shown(local, wide).to_html())
    }

    /// All rows as CSV.
    fn csv(&self, py: Python<'_>, iso_times: bool) -> PyResult<String> {
        self.pending.call(py, || with_times(&self.frame, iso_times).to_csv())
    }

    /// Writes all rows as CSV into a file, which is whole or as it was.
    fn write_csv(&self, py: Python<'_>, path: std::path::PathBuf, iso_times: bool) -> PyResult<()> {
        let frame = with_times(&self.frame, iso_times);
        self.pending.call(py, || tracelake::cli::write_file(&path, &mut |out| frame.write_csv(out)))
    }

    /// Runs the query again and returns its plan.
    fn explain(&self, py: Python<'_>) -> PyResult<Self> {
        let frame = self.pending.call(py, || self.frame.explain())?;
        Ok(Self { frame, pending: self.pending.clone() })
    }

    /// Starts a new execution, or returns the cached rows: consumers may call this more than once.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // The protocol allows to ignore it.
        capsule(py, &self.frame, &self.pending, None)
    }

    /// One execution, for a consumer that raises an error of its own, which ours replaces.
    fn stream(&self) -> PyStream {
        PyStream::new(self.frame.clone(), self.pending.clone())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.frame.schema().as_ref())
            .map_err(|error| raise(py, &tracelake::Error::new(tracelake::ErrorKind::Internal, error.to_string())))?;
        PyCapsule::new_with_value(py, schema, SCHEMA_CAPSULE)
    }
}

impl PyFrame {
    /// The frame as the options of the display show it.
    fn shown(&self, local: bool, wide: bool) -> tracelake::Frame {
        let frame = self.frame.in_zone(if local { Zone::Local } else { Zone::Utc });
        if wide { frame.wide() } else { frame }
    }
}

/// Returns a frame that writes its times as text, or as integers.
fn with_times(frame: &tracelake::Frame, iso_times: bool) -> tracelake::Frame {
    use tracelake::frame::TimeFormat;
    frame.with_times(if iso_times { TimeFormat::Iso } else { TimeFormat::Ns })
}
