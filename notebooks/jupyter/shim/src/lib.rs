//! tracelake for a Rust notebook: rustc sees the finished library, rust-analyzer a list of signatures.
//!
//! In a Rust notebook the kernel compiles against the finished library, and asks rust-analyzer for the types of
//! variables, completion and help. For that it need not read this crate and the 400 below it.

#[cfg(not(rust_analyzer))]
pub use tracelake_real::*;

#[cfg(rust_analyzer)]
mod stub;
#[cfg(rust_analyzer)]
pub use stub::*;
