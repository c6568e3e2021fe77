//! The rows of one execution as an Arrow C stream, and what stopped it.

use std::ffi::CStr;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::{Pending, guarded, raise};

const STREAM: &CStr = c"arrow_array_stream";

/// Why a stream ended early.
pub(crate) enum Failure {
    /// Of the query.
    Engine(tracelake::Error),
    /// Of Python, while it was waited for.
    Raised(PyErr),
}

pub(crate) type Kept = Arc<Mutex<Option<Failure>>>;

/// One execution of a frame's query, for a consumer that this package calls itself: the Arrow C stream hands on a text
/// only, and the consumer raises an exception of its own; `error` has ours.
#[pyclass(frozen, module = "tracelake._tracelake")]
pub(crate) struct Stream {
    pub(crate) frame: tracelake::Frame,
    pub(crate) pending: Pending,
    kept: Kept,
}

impl Stream {
    pub(crate) fn new(frame: tracelake::Frame, pending: Pending) -> Self {
        Self { frame, pending, kept: Kept::default() }
    }
}

#[pymethods]
impl Stream {
    /// Starts the execution.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a wish, which the protocol allows to ignore
        capsule(py, &self.frame, &self.pending, Some(Arc::clone(&self.kept)))
    }

    /// The exception that ended the stream, if one did.
    fn error(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let failure = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(match failure {
            Failure::Engine(error) => raise(py, &error).into_value(py).into_any(),
            Failure::Raised(error) => error.into_value(py).into_any(),
        })
    }
}

/// Starts an execution and hands it out. Without `kept` nobody asks for the exception afterwards.
pub(crate) fn capsule<'py>(
    py: Python<'py>,
    frame: &tracelake::Frame,
    pending: &Pending,
    kept: Option<Kept>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = pending.call(py, || frame.stream())?;
    let reader = Reader { schema: frame.schema(), batches, pending: pending.clone(), kept };
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
}

/// Pulls batches when the consumer asks, with or without the GIL.
struct Reader {
    schema: SchemaRef,
    batches: tracelake::frame::Batches,
    pending: Pending,
    kept: Option<Kept>,
}

impl Reader {
    /// Keeps what ended the stream; the text for the consumer.
    fn keep(&self, error: tracelake::Error) -> ArrowError {
        let raised = self.pending.take();
        let text = raised.as_ref().map_or_else(|| error.to_string(), |raised| format!("stopped: {raised}"));
        let failure = raised.map_or(Failure::Engine(error), Failure::Raised);
        match &self.kept {
            Some(kept) => *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure),
            // A foreign consumer raises what it likes; Ctrl-C comes again once it is back in Python.
            None => Python::attach(|py| {
                if let Failure::Raised(raised) = failure
                    && raised.is_instance_of::<PyKeyboardInterrupt>(py)
                    && let Err(error) = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"))
                {
                    error.write_unraisable(py, None);
                }
            }),
        }
        ArrowError::ExternalError(text.into())
    }
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // A panic must not cross the C interface: it would end the process.
        let batches = &mut self.batches;
        let next = guarded(|| batches.next().transpose());
        next.map_err(|error| self.keep(error)).transpose()
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
