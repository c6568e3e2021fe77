//! Aggregate functions. They return one value for each group of rows.

pub(crate) mod critical_path;
pub(crate) mod percentile;
pub(crate) mod priority_lengths;
pub(crate) mod sum;
pub(crate) mod union_length;
