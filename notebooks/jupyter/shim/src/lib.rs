//! tracelake for a Rust notebook: rustc uses the compiled library, rust-analyzer a list of
//! signatures.
//!
//! The kernel of a Rust notebook compiles cells with the compiled library. It asks rust-analyzer
//! for the types of variables, completion and help. With the signatures, rust-analyzer does not
//! need to read this crate and its 400 dependencies.

#[cfg(not(rust_analyzer))]
pub use tracelake_real::*;

#[cfg(rust_analyzer)]
mod stub;
#[cfg(rust_analyzer)]
pub use stub::*;
