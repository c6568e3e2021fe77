//! Python profiles, into `function` and `call`: which functions took how much time, and who called whom.
//!
//! Two profilers write them: cProfile (and `profile`) dump a marshalled dictionary, see [`Cprofile`], and pyinstrument a tree
//! of samples as JSON, see [`Pyinstrument`]. SageMaker Debugger writes either for stretches of a job and says in a folder's
//! name what the stretch is, which becomes `scope`. A profile is one file, and its path is the column `profile`.
//!
//! # Units
//! Times are s, as recorded: wall time, or what the profiler's timer was told to count.

mod calls;
mod cprofile;
mod marshal;
mod pyinstrument;
mod scope;
mod tree;

pub use cprofile::Cprofile;
pub use pyinstrument::Pyinstrument;

pub(super) use scope::process;

use crate::error::{Error, ErrorKind};

/// A file in which nothing can be read.
fn malformed(format: &'static str, text: &str) -> Error {
    Error::new(ErrorKind::Malformed, text).with_context("format", format)
}

#[cfg(test)]
mod tests;
