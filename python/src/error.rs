//! Errors as Python raises them: one class per kind, defined in `tracelake.errors`.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{ThreadId, current};

use parking_lot::Mutex;
use pyo3::prelude::*;
use tracelake::{Error, ErrorKind};

/// Converts an error of the library into a Python exception.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    let class = format!("{}Error", error.kind().name());
    let text = error.text_with(|option| match option {
        "create" | "local_fallback" | "writable" => format!("`{option}=True`"),
        option => format!("`{option}=`"),
    });
    let exception =
        py.import("tracelake.errors").and_then(|errors| errors.getattr(class)).and_then(|class| class.call1((text,)));
    exception.map_or_else(|error| error, PyErr::from_value)
}

/// The exception for an invalid argument. The text begins with a verb.
pub(crate) fn refuse(py: Python<'_>, text: String) -> PyErr {
    raise(py, &Error::new(ErrorKind::Argument, text))
}

/// Exceptions that Python raised during calls of the library: Ctrl-C, or an exception of a progress function.
///
/// The call stops with an error of kind Cancelled. Then the thread of the call raises the stored exception instead.
#[derive(Clone, Default)]
pub(crate) struct PendingExceptions(Arc<Mutex<HashMap<ThreadId, PyErr>>>);

impl PendingExceptions {
    /// Stores the exception of a callback for the thread of the call. Returns true if there was one.
    pub(crate) fn store<T>(&self, caller: ThreadId, result: PyResult<T>) -> bool {
        let Err(error) = result else { return false };
        self.0.lock().entry(caller).or_insert(error);
        true
    }

    /// Takes the exception for the call of this thread, so that no later call raises it.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().remove(&current().id())
    }

    /// Calls the library while other Python threads run, and converts its error into an exception.
    pub(crate) fn call<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> tracelake::Result<T> + Send,
    ) -> PyResult<T> {
        let result = py.detach(|| catch_panic(work));
        match (self.take(), result) {
            // Also if the work has succeeded: a Ctrl-C is never ignored.
            (Some(exception), _) => Err(exception),
            (None, Ok(value)) => Ok(value),
            (None, Err(error)) => Err(raise(py, &error)),
        }
    }
}

/// Converts a panic into an error. `except Exception` does not catch PyO3's own exception for a panic.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> tracelake::Result<T>) -> tracelake::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(Error::new(ErrorKind::Internal, format!("cannot go on: {}: this is a bug", text.unwrap_or("a panic")))
            .with_hint("please report it with the call that shows it"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_that_asks_for_a_report() {
        let error = catch_panic::<()>(|| panic!("index {} out of bounds", 7)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert_eq!(
            error.to_string(),
            "cannot go on: index 7 out of bounds: this is a bug\n  hint:   please report it with the call that shows it"
        );
        assert_eq!(catch_panic(|| Ok(5)).unwrap(), 5);
    }
}
