//! The types that the crates of tracelake share: errors, types and units of columns, tables, frames, and statistics.

#[doc(hidden)]
pub mod amount;
#[doc(hidden)]
pub mod call_stack;
pub mod error;
#[doc(hidden)]
pub mod file;
pub mod frame;
#[doc(hidden)]
pub mod notebook;
pub mod statistics;
pub mod table;

pub use error::{Error, ErrorKind, Result};
pub use frame::Frame;
pub use tracelake_header::unit;
