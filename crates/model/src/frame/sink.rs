//! A writer that stores its first error, because Arrow writers only return the text of an error.

use std::fmt;
use std::io::{self, Write};

/// A writer that stores its first error.
#[doc(hidden)]
pub struct Sink<'a> {
    out: &'a mut dyn Write,
    first_error: Option<io::Error>,
}

impl fmt::Debug for Sink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("first_error", &self.first_error).finish_non_exhaustive()
    }
}

impl<'a> Sink<'a> {
    /// Creates a writer to `out`.
    #[doc(hidden)]
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, first_error: None }
    }

    /// The first error, if there was one.
    #[doc(hidden)]
    pub fn failure(&self) -> Option<&io::Error> {
        self.first_error.as_ref()
    }

    fn store_error<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| {
            // The caller repeats an interrupted call.
            if error.kind() != io::ErrorKind::Interrupted {
                self.first_error.get_or_insert_with(|| io::Error::new(error.kind(), error.to_string()));
            }
        })
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.out.write(bytes);
        self.store_error(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.store_error(result)
    }
}
