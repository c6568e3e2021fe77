//! The error for a file in which nothing can be read.

use super::Descriptor;
use super::error::{Error, ErrorKind};

impl Descriptor {
    /// The error for the file at `path`, with the reason why nothing in it can be read.
    pub(super) fn malformed(&self, path: &str, why: &str) -> Error {
        Error::new(ErrorKind::Malformed, format!("cannot read {path}: {why}")).with_context("format", self.name)
    }
}
