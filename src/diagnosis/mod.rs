//! What it means: findings over canned queries, what changed between runs, and whether that may be.

mod compare;
mod diagnose;
pub mod gate;
mod tree;

pub use compare::Compare;
pub use diagnose::{Diagnosis, Finding, Outcome, Verdict};
pub use gate::{Gate, Rule, Rules};
pub use tree::Tree;
