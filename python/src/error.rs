//! Errors as Python raises them: one class per kind, defined in `tracelake.errors`.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread::{ThreadId, current};

use pyo3::prelude::*;
use tracelake::{Error, ErrorKind};

/// The Python exception for an error of the engine.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    let class = format!("{}Error", error.kind().name());
    let text = error.text_with(|option| match option {
        "create" | "local_fallback" | "writable" => format!("`{option}=True`"),
        option => format!("`{option}=`"),
    });
    let raised =
        py.import("tracelake.errors").and_then(|errors| errors.getattr(class)).and_then(|class| class.call1((text,)));
    match raised {
        Ok(value) => PyErr::from_value(value),
        Err(failed) => failed,
    }
}

/// An argument that cannot be used; the text begins with a verb.
pub(crate) fn refuse(py: Python<'_>, text: String) -> PyErr {
    raise(py, &Error::new(ErrorKind::Argument, text))
}

/// Exceptions that Python raised while the engine was waited for: Ctrl-C, or one of a progress function. The engine
/// stops with Cancelled, and the exception is raised again in its place, in the thread whose call it concerns.
#[derive(Clone, Default)]
pub(crate) struct Pending(Arc<Mutex<HashMap<ThreadId, PyErr>>>);

impl Pending {
    fn slots(&self) -> std::sync::MutexGuard<'_, HashMap<ThreadId, PyErr>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Keeps the exception of a function that was called for the call of this thread; true if there was one.
    pub(crate) fn keep<T>(&self, caller: ThreadId, result: PyResult<T>) -> bool {
        match result {
            Ok(_) => false,
            Err(error) => {
                self.slots().entry(caller).or_insert(error);
                true
            }
        }
    }

    /// The exception that concerns the call of this thread. Whoever waited takes it, so that none is left for a later call.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.slots().remove(&current().id())
    }

    /// Calls the engine while other Python threads run, and turns its error into an exception.
    pub(crate) fn call<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> tracelake::Result<T> + Send,
    ) -> PyResult<T> {
        let result = py.detach(|| guarded(work));
        match (self.take(), result) {
            // Also if the work was done by then: a Ctrl-C is never swallowed.
            (Some(raised), _) => Err(raised),
            (None, Ok(value)) => Ok(value),
            (None, Err(error)) => Err(raise(py, &error)),
        }
    }
}

/// The result, or an error in place of a panic: PyO3's own exception for it passes every `except Exception`.
pub(crate) fn guarded<T>(work: impl FnOnce() -> tracelake::Result<T>) -> tracelake::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(Error::new(ErrorKind::Internal, format!("cannot go on: {}: this is a bug", said.unwrap_or("a panic")))
            .with_hint("please report it with the call that shows it"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_that_asks_for_a_report() {
        let error = guarded::<()>(|| panic!("index {} out of bounds", 7)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert_eq!(
            error.to_string(),
            "cannot go on: index 7 out of bounds: this is a bug\n  hint:   please report it with the call that shows it"
        );
        assert_eq!(guarded(|| Ok(5)).unwrap(), 5);
    }
}
