//! Scalar functions. They return one value for each row.

pub(crate) mod bound_by;
pub(crate) mod covered;
pub(crate) mod dictionary_encode;
pub(crate) mod distinct;
pub(crate) mod enclosed_work;
pub(crate) mod extract_arg;
pub(crate) mod format_amount;
pub(crate) mod histogram_distance;
pub(crate) mod is_collective;
pub(crate) mod limited;
pub(crate) mod operator_flops;
pub(crate) mod ratio_interval;
