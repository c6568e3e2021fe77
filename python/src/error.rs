//! Errors as Python raises them: one class per kind, defined in `tracelake.errors`.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;

/// The Python exception for an error of the engine.
pub(crate) fn raise(py: Python<'_>, error: &tracelake::Error) -> PyErr {
    let class = format!("{}Error", error.kind().name());
    let raised = py
        .import("tracelake.errors")
        .and_then(|errors| errors.getattr(class))
        .and_then(|class| class.call1((error.to_string(),)));
    match raised {
        Ok(value) => PyErr::from_value(value),
        Err(failed) => failed,
    }
}

/// An exception that Python raised while the engine was waited for: Ctrl-C, or one of a progress
/// function. The engine stops with Cancelled, and the exception is raised again in its place.
#[derive(Clone, Default)]
pub(crate) struct Pending(Arc<Mutex<Option<PyErr>>>);

impl Pending {
    fn slot(&self) -> std::sync::MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Keeps the exception of a failed call; true if there was one.
    pub(crate) fn keep<T>(&self, result: PyResult<T>) -> bool {
        match result {
            Ok(_) => false,
            Err(error) => {
                self.slot().get_or_insert(error);
                true
            }
        }
    }

    /// Calls the engine while other Python threads run, and turns its error into an exception.
    pub(crate) fn call<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> tracelake::Result<T> + Send,
    ) -> PyResult<T> {
        let result = py.detach(work);
        let pending = self.slot().take();
        match (pending, result) {
            (Some(pending), Err(_)) => Err(pending),
            (_, Ok(value)) => Ok(value),
            (None, Err(error)) => Err(raise(py, &error)),
        }
    }
}
