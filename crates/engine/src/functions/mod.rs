//! Our own SQL functions, for sessions and for executors of a cluster.
//!
//! They are defined in `scalar`, `aggregate` and `window`, and [`register_functions`] lists them.

pub(crate) mod aggregate;
pub mod help;
pub(crate) mod intervals;
pub(crate) mod scalar;
pub(crate) mod window;

pub use scalar::is_collective::COLLECTIVE_NAMES;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;

use crate::functions::aggregate::union_length::{IntervalUnion, UnionOutput};
use crate::functions::aggregate::{critical_path, percentile, priority_lengths, sum};
use crate::functions::scalar::{
    bound_by, collective_work, covered, dictionary_encode, distinct, enclosed_work, extract_arg, format_amount,
    histogram_distance, is_collective, limited, operator_work, ratio_interval,
};
use crate::functions::window::{call_chain, call_frame, call_stack, change_point, recent_percentile};
use crate::plan::like::LikeRewrite;

/// Registers the functions by name. Some replace functions of DataFusion.
pub fn register_functions(registry: &mut dyn FunctionRegistry) -> Result<()> {
    registry.register_udaf(Arc::new(IntervalUnion::new(UnionOutput::Length).into()))?;
    registry.register_udaf(Arc::new(IntervalUnion::new(UnionOutput::Intervals).into()))?;
    for function in priority_lengths::priority_functions() {
        registry.register_udaf(Arc::new(function))?;
    }
    registry.register_udaf(Arc::new(percentile::PercentileCont::new().into()))?;
    registry.register_udaf(Arc::new(critical_path::critical_path()))?;
    registry.register_udaf(Arc::new(sum::Sum::default().into()))?;
    registry.register_udwf(Arc::new(call_frame::call_frame()))?;
    registry.register_udwf(Arc::new(call_stack::call_stack()))?;
    registry.register_udwf(Arc::new(call_chain::call_parent()))?;
    registry.register_udwf(Arc::new(call_chain::call_chain()))?;
    registry.register_udwf(Arc::new(change_point::change_point()))?;
    registry.register_udwf(Arc::new(recent_percentile::recent_percentile()))?;
    registry.register_udf(Arc::new(bound_by::bound_by()))?;
    registry.register_udf(Arc::new(collective_work::collective_work()))?;
    registry.register_udf(Arc::new(covered::CoveredLengths::new().into()))?;
    registry.register_udf(Arc::new(covered::PriorityCovered::new().into()))?;
    registry.register_udf(Arc::new(enclosed_work::EnclosedWork::new().into()))?;
    registry.register_udf(Arc::new(distinct::RegexpLike::new().into()))?;
    registry.register_udf(Arc::new(extract_arg::extract_arg()))?;
    registry.register_udf(Arc::new(format_amount::format_amount()))?;
    registry.register_udf(Arc::new(histogram_distance::histogram_distance()))?;
    registry.register_udf(Arc::new(is_collective::IsCollective::new().into()))?;
    for function in operator_work::operator_functions() {
        registry.register_udf(Arc::new(function))?;
    }
    registry.register_udf(Arc::new(dictionary_encode::dictionary_encode()))?;
    registry.register_udf(Arc::new(ratio_interval::ratio_interval()))?;
    crate::times::functions::register(registry)?;
    limited::limit_functions(registry)
}

/// Registers all functions that plans of a session can call: those of [`register_functions`], and
/// those that replace `LIKE` and `ILIKE` in plans.
///
/// # Errors
/// Returns the errors of the registry, for example if it is read-only.
///
/// ```
/// use datafusion::execution::FunctionRegistry;
///
/// let mut context = datafusion::prelude::SessionContext::new();
/// tracelake_engine::functions::register_for_plans(&mut context)?;
/// assert!(context.udaf("union_length").is_ok());
/// # Ok::<_, datafusion::error::DataFusionError>(())
/// ```
pub fn register_for_plans(registry: &mut dyn FunctionRegistry) -> Result<()> {
    register_functions(registry)?;
    for function in LikeRewrite::default().functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}
