//! Runs the queries of a session with DataFusion.
//!
//! It contains the tables over the files of a lake, our own functions and optimizer rules, the
//! caches of plans and of rows of views, and the client of a cluster. It does not depend on the
//! catalog: a session passes the views to it as plans.

#![expect(missing_debug_implementations, reason = "the session uses these types, and users do not")]

#[doc(hidden)]
pub mod cluster;
#[doc(hidden)]
pub mod coalesced_read;
#[doc(hidden)]
pub mod corrupt_files;
mod error_conversion;
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
#[doc(hidden)]
pub mod times;

pub use error_conversion::query_error;

use tracelake_formats as format;
use tracelake_lake::{lake, source};
use tracelake_model::{amount, error, statistics, table, unit};
