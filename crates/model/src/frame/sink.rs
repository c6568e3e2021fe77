//! Where rows are written to: keeps what went wrong there, since writers of rows hand on its text alone.

use std::fmt;
use std::io::{self, Write};

/// A writer that remembers its first failure.
#[doc(hidden)]
pub struct Sink<'a> {
    out: &'a mut dyn Write,
    failed: Option<io::Error>,
}

impl fmt::Debug for Sink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl<'a> Sink<'a> {
    /// A writer to `out`.
    #[doc(hidden)]
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, failed: None }
    }

    /// What went wrong, if anything did.
    #[doc(hidden)]
    pub fn failure(&self) -> Option<&io::Error> {
        self.failed.as_ref()
    }

    fn noted<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        done.inspect_err(|error| {
            // An interrupted call is made again by whoever made it.
            if error.kind() != io::ErrorKind::Interrupted {
                self.failed.get_or_insert_with(|| io::Error::new(error.kind(), error.to_string()));
            }
        })
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.noted(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.noted(done)
    }
}
