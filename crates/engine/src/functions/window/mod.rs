//! Window functions: the rows of a partition in, a value for each out.

pub(crate) mod call_chain;
pub(crate) mod call_frame;
pub(crate) mod call_stack;
pub(crate) mod change_point;
pub(crate) mod encloser;
pub(crate) mod recent_percentile;
