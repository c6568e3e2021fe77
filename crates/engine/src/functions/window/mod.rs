//! Window functions. They return one value for each row, computed from the rows of its partition.

pub(crate) mod call_chain;
pub(crate) mod call_frame;
pub(crate) mod call_stack;
pub(crate) mod change_point;
pub(crate) mod encloser;
pub(crate) mod recent_percentile;
