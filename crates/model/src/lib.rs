//! What all crates of tracelake share: errors, types and units, the tables that rows are in, frames, and statistics of numbers.

pub mod error;
pub mod frame;
#[doc(hidden)]
pub mod notebook;
pub mod statistics;
pub mod table;

pub use error::{Error, ErrorKind, Result};
pub use frame::Frame;
pub use tracelake_header::unit;
