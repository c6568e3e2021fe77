//! tracelake as one dynamic library: what the cells of a Rust notebook link, so that all share one engine.

pub use tracelake::*;
