//! Diagnosis of runs: findings, comparison of two groups of runs, and gates for CI.

pub(crate) mod compare;
mod diagnose;
pub mod gate;
mod missing;
mod tree;

pub use compare::Compare;
pub use diagnose::{Diagnosis, Finding, Outcome, Verdict};
pub use gate::{Gate, GateOutcome, Inconclusive, Rule, Rules};
pub use tree::DecisionTree;
