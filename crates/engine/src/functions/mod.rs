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
use datafusion::logical_expr::{AggregateUDF, ScalarUDF, WindowUDF};

use crate::functions::aggregate::{critical_path, percentile, priority_lengths, union_length};
use crate::functions::scalar::{bound_by, covered, dictionary_encode, distinct, extract_arg, ratio_interval};
use crate::functions::window::{call_chain, call_frame, call_stack, change_point, recent_percentile};
use crate::plan::like::LikeByView;

/// Registers the functions by name. Some replace functions of DataFusion.
pub fn register_functions(registry: &mut dyn FunctionRegistry) -> Result<()> {
    let aggregates = [
        AggregateUDF::from(union_length::IntervalUnion::length()),
        AggregateUDF::from(union_length::IntervalUnion::intervals()),
        AggregateUDF::from(priority_lengths::PriorityLengths::new()),
        AggregateUDF::from(percentile::PercentileCont::new()),
        AggregateUDF::from(critical_path::CriticalPath::new()),
    ];
    let windows = [
        WindowUDF::from(call_frame::CallFrame::new()),
        WindowUDF::from(call_stack::CallStack::new()),
        WindowUDF::from(call_chain::CallChain::innermost()),
        WindowUDF::from(call_chain::CallChain::all()),
        WindowUDF::from(change_point::ChangePoint::new()),
        WindowUDF::from(recent_percentile::RecentPercentile::new()),
    ];
    let scalars = [
        ScalarUDF::from(bound_by::BoundBy::new()),
        ScalarUDF::from(covered::CoveredLengths::new()),
        ScalarUDF::from(distinct::RegexpLike::new()),
        ScalarUDF::from(extract_arg::ExtractArg::new()),
        ScalarUDF::from(dictionary_encode::DictionaryEncode::new()),
        ScalarUDF::from(ratio_interval::RatioInterval::new()),
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

/// Registers all functions that plans of a session can call: those of [`register_functions`], and those that replace `LIKE` and
/// `ILIKE` in plans.
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
    for function in LikeByView::default().functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}
