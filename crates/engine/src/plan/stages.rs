//! The stages of planning: analyzer, logical optimizer and physical planner. Each is a span of
//! `self_trace`.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use tracing::Span;
use tracing::field::Empty;

/// Resolves the types of a plan.
pub fn analyze(state: &SessionState, plan: LogicalPlan) -> Result<LogicalPlan> {
    let span = tracing::info_span!("analyze", nodes = Empty);
    record_nodes(&span, &plan);
    state.analyzer().execute_and_check(plan, state.config_options(), |_, _| {})
}

/// Applies the rules of the logical optimizer. Each rule is a span too.
pub fn optimize(state: &SessionState, plan: LogicalPlan) -> Result<LogicalPlan> {
    let span = tracing::info_span!("optimize", nodes = Empty);
    let rule_span = || tracing::info_span!("rule", rule = Empty);
    let mut rule = rule_span();
    let plan = state.optimizer().optimize(plan, state, |_, finished| {
        rule.record("rule", finished.name());
        // Ends the span before the next one begins.
        rule = Span::none();
        rule = rule_span();
    })?;
    rule.record("rule", "final checks");
    drop(rule);
    record_nodes(&span, &plan);
    Ok(plan)
}

/// Chooses the operators that execute an optimized plan.
pub async fn physical_plan(state: &SessionState, plan: &LogicalPlan) -> Result<Arc<dyn ExecutionPlan>> {
    let _span = tracing::info_span!("physical_plan");
    state.query_planner().create_physical_plan(plan, state).await
}

fn record_nodes(span: &Span, plan: &LogicalPlan) {
    if span.is_disabled() {
        return;
    }
    let mut nodes = 0_u64;
    let counted = plan.apply_with_subqueries(|_| {
        nodes += 1;
        Ok(TreeNodeRecursion::Continue)
    });
    debug_assert!(counted.is_ok(), "counting does not fail");
    span.record("nodes", nodes);
}
