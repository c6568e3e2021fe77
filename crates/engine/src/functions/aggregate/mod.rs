//! Aggregates: the rows of a group in, a value out.

pub(crate) mod critical_path;
pub(crate) mod percentile;
pub(crate) mod priority_lengths;
pub(crate) mod union_length;
