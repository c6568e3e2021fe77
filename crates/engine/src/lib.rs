//! The engine of a session: DataFusion with functions and rules of our own, tables over the files of a lake, plans that are cached,
//! and plans that a cluster runs. It knows nothing of the catalog: a session hands it views as plans.

#![expect(missing_debug_implementations, reason = "what is public for the session is not what users hold")]

#[doc(hidden)]
pub mod cluster;
#[doc(hidden)]
pub mod damage;
mod failure;
pub mod functions;
#[doc(hidden)]
pub mod manifest_rows;
#[doc(hidden)]
pub mod memory_pool;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod provider;
pub mod runtime;

pub use failure::query_error;

use tracelake_formats as format;
use tracelake_lake::{lake, source};
use tracelake_model::{error, statistics, table};
