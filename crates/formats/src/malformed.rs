//! The error for a file that cannot be read at all.

use super::Descriptor;
use super::error::{Error, ErrorKind};

impl Descriptor {
    /// The error for a file that cannot be read at all, with its path and the reason.
    pub(super) fn malformed(&self, path: &str, why: &str) -> Error {
        Error::new(ErrorKind::Malformed, format!("cannot read {path}: {why}")).with_context("format", self.name)
    }
}
