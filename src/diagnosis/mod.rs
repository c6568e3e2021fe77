//! What answers mean: what changed between runs, and whether that may be.
//!
//! Asks canned queries through a session, adds methods of its own to it, and gives frames and verdicts.

mod compare;
mod gate;
mod group;

pub use compare::Compare;
pub use gate::{Gate, Limit, Outcome, Rule, Rules, Verdict};
