//! Reads profiles into lakes: `source` reads bytes, `ingest` decodes them, and `lake` stores the rows.
//!
//! [`own_profile()`] writes a trace of tracelake itself.

pub mod ingest;
pub mod lake;
mod notebook;
mod own_profile;
pub mod source;

pub use own_profile::{OwnProfile, own_profile};

use tracelake_formats as format;
use tracelake_formats::parquet_pages;
use tracelake_model::{error, table, unit};
