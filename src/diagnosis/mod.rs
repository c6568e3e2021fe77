//! What it means: findings over canned queries.

mod diagnose;

pub use diagnose::{Diagnosis, Finding, Outcome, Verdict};
