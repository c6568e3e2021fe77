//! tracelake as one dynamic library. All cells of a Rust notebook link it, so that they share one engine.

pub use tracelake::*;
