//! The Python class of one execution: an Arrow C stream of rows, and the error that ended it.

use std::ffi::CStr;
use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ffi_stream::FFI_ArrowArrayStream;
use parking_lot::Mutex;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::{PendingExceptions, catch_panic, raise};

const STREAM_CAPSULE: &CStr = c"arrow_array_stream";

/// Why a stream ended early.
pub(crate) enum StreamFailure {
    /// An error of the query.
    Query(tracelake::Error),
    /// An exception of Python, raised during the call.
    Exception(PyErr),
}

/// Stores the failure of a stream until the consumer asks for it.
pub(crate) type FailureSlot = Arc<Mutex<Option<StreamFailure>>>;

/// One execution of a frame's query, for a consumer that this package calls itself: the Arrow C stream hands on a text
/// only, and the consumer raises an exception of its own; `error` has ours.
#[pyclass(name = "Stream", frozen, module = "tracelake._tracelake")]
pub(crate) struct PyStream {
    pub(crate) frame: tracelake::Frame,
    pub(crate) pending: PendingExceptions,
    failure_slot: FailureSlot,
}

impl PyStream {
    pub(crate) fn new(frame: tracelake::Frame, pending: PendingExceptions) -> Self {
        Self { frame, pending, failure_slot: FailureSlot::default() }
    }
}

#[pymethods]
impl PyStream {
    /// Starts the execution.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // The protocol allows to ignore it.
        capsule(py, &self.frame, &self.pending, Some(Arc::clone(&self.failure_slot)))
    }

    /// The exception that ended the stream, if one did.
    fn error(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let failure = self.failure_slot.lock().take()?;
        let exception = match failure {
            StreamFailure::Query(error) => raise(py, &error),
            StreamFailure::Exception(exception) => exception,
        };
        Some(exception.into_value(py).into_any())
    }
}

/// Starts an execution and returns it as a capsule. `failure_slot` is `None` for consumers that do
/// not call `error` afterwards.
pub(crate) fn capsule<'py>(
    py: Python<'py>,
    frame: &tracelake::Frame,
    pending: &PendingExceptions,
    failure_slot: Option<FailureSlot>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = pending.call(py, || frame.stream())?;
    let reader = BatchReader { schema: frame.schema(), batches, pending: pending.clone(), failure_slot };
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM_CAPSULE)
}

/// Reads batches when the consumer asks for them, with or without the GIL.
struct BatchReader {
    schema: SchemaRef,
    batches: tracelake::frame::Batches,
    pending: PendingExceptions,
    failure_slot: Option<FailureSlot>,
}

impl BatchReader {
    /// Stores the failure that ended the stream. Returns its text for the consumer.
    fn store_failure(&self, error: tracelake::Error) -> ArrowError {
        let exception = self.pending.take();
        let text = exception.as_ref().map_or_else(|| error.to_string(), |exception| format!("stopped: {exception}"));
        let failure = exception.map_or(StreamFailure::Query(error), StreamFailure::Exception);
        match &self.failure_slot {
            Some(failure_slot) => *failure_slot.lock() = Some(failure),
            // Another consumer raises its own exception. It would lose Ctrl-C, so Ctrl-C is raised again in Python.
            None => Python::attach(|py| {
                if let StreamFailure::Exception(exception) = failure
                    && exception.is_instance_of::<PyKeyboardInterrupt>(py)
                    && let Err(error) = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"))
                {
                    error.write_unraisable(py, None);
                }
            }),
        }
        ArrowError::ExternalError(text.into())
    }
}

impl Iterator for BatchReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // A panic must not cross the C interface: it would end the process.
        let batches = &mut self.batches;
        let next = catch_panic(|| batches.next().transpose());
        next.map_err(|error| self.store_failure(error)).transpose()
    }
}

impl RecordBatchReader for BatchReader {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
