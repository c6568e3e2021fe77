//! Where bytes come from (`source`), where rows live (`lake`), and how the one becomes the other (`ingest`).

pub mod ingest;
pub mod lake;
mod notebook;
mod own_profile;
pub mod source;

pub use own_profile::{OwnProfile, own_profile};

use tracelake_formats as format;
use tracelake_formats::parquet_pages;
use tracelake_model::{error, table, unit};
