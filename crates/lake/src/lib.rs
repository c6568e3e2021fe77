//! Reads profiles into lakes: `source` reads bytes, `ingest` decodes them, and `lake` stores the rows.
//!
//! [`self_trace()`] writes a trace of tracelake itself.

pub mod ingest;
pub mod lake;
mod notebook;
mod self_trace;
pub mod source;

pub use self_trace::{SelfTrace, TASK_TARGET, self_trace};

use tracelake_formats as format;
use tracelake_formats::parquet_pages;
use tracelake_model::{error, table, unit};
