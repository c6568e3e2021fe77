//! Scalar functions. They return one value for each row.

pub(crate) mod bound_by;
pub(crate) mod collective_work;
pub(crate) mod covered;
mod data_type;
pub(crate) mod dictionary_encode;
pub(crate) mod distinct;
pub(crate) mod enclosed_work;
pub(crate) mod extract_arg;
pub(crate) mod format_amount;
pub(crate) mod histogram_distance;
pub(crate) mod is_collective;
pub(crate) mod limited;
pub(crate) mod operator_work;
pub(crate) mod ratio_interval;
