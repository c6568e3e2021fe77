//! Our own SQL functions, for sessions and for executors of a cluster.
//!
//! They are defined in `scalar`, `aggregate` and `window`, and [`register_functions`] lists them.

pub(crate) mod aggregate;
pub(crate) mod intervals;
pub(crate) mod scalar;
pub(crate) mod window;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

use crate::functions::aggregate::{critical_path, percentile, priority_lengths, union_length};
use crate::functions::scalar::{bound_by, covered, dictionary_encode, distinct, extract_arg, ratio_interval};
use crate::functions::window::{call_chain, call_frame, call_stack, change_point, recent_percentile};
use crate::plan::like::LikeRewrite;

/// Registers the functions by name. Some replace functions of DataFusion.
pub fn register_functions(registry: &mut dyn FunctionRegistry) -> Result<()> {
    let aggregates = [
        AggregateUDF::from(union_length::IntervalUnion::length()),
        AggregateUDF::from(union_length::IntervalUnion::intervals()),
        priority_lengths::priority_lengths(),
        AggregateUDF::from(percentile::PercentileCont::new()),
        critical_path::critical_path(),
    ];
    let windows = [
        call_frame::call_frame(),
        call_stack::call_stack(),
        call_chain::call_parent(),
        call_chain::call_chain(),
        change_point::change_point(),
        recent_percentile::recent_percentile(),
    ];
    let scalars = [
        bound_by::bound_by(),
        ScalarUDF::from(covered::CoveredLengths::new()),
        ScalarUDF::from(distinct::RegexpLike::new()),
        ScalarUDF::from(extract_arg::ExtractArg::new()),
        dictionary_encode::dictionary_encode(),
        ratio_interval::ratio_interval(),
    ];
    for function in aggregates {
        registry.register_udaf(Arc::new(function))?;
    }
    for function in windows {
        registry.register_udwf(Arc::new(function))?;
    }
    for function in scalars {
        registry.register_udf(Arc::new(function))?;
    }
    Ok(())
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
