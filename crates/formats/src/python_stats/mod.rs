//! Python profiles, into `function` and `call`: how much time each function took, and which functions called it.
//!
//! Two profilers write them. cProfile (and `profile`) dumps a marshalled dictionary, see [`Cprofile`]. pyinstrument writes a
//! tree of samples as JSON, see [`Pyinstrument`]. SageMaker Debugger uses either of them for sections of a job. It puts the
//! section into the name of a folder, which becomes column `scope`. A profile is one file; its path is column `profile`.
//!
//! # Units
//! Times are s, as recorded: wall time, or the unit of a timer that the user passed to the profiler.

mod calls;
mod cprofile;
mod marshal;
mod pyinstrument;
mod scope;
mod tree;

pub use cprofile::Cprofile;
pub use pyinstrument::Pyinstrument;

pub(super) use scope::process;

#[cfg(test)]
mod tests;
