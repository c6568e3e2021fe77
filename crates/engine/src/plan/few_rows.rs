//! Planning for small lakes. Most lakes that users open have one run, or a few. For these, planning
//! takes longer than execution.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::config::ConfigOptions;
use datafusion::datasource::source_as_provider;
use datafusion::execution::SessionState;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::{LogicalPlan, TableType};
use datafusion::physical_expr::OrderingRequirements;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::combine_partial_final_agg::CombinePartialFinalAggregate;
use datafusion::physical_optimizer::ensure_coop::EnsureCooperative;
use datafusion::physical_optimizer::sanity_checker::SanityCheckPlan;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{Distribution, ExecutionPlan, ExecutionPlanProperties};

use crate::lake::Snapshot;
use crate::provider::{LakeTable, ManifestTable};

/// Maximum number of rows, in all tables of all runs, for caching the rows of views.
const SMALL_ROWS: u64 = 1_000_000;

/// Maximum number of rows for a plan for one core with few optimizer rules: planning less saves
/// more time than a better plan.
const FEW_ROWS: u64 = 100_000;

/// Logical optimizer rules that are skipped for few rows: applying them takes longer than they
/// save.
const SKIPPED_RULES: [&str; 10] = [
    "unions_to_filter",
    "eliminate_join",
    "eliminate_duplicated_expr",
    "filter_null_join_keys",
    "eliminate_outer_join",
    "single_distinct_aggregation_to_group_by",
    "eliminate_group_by_constant",
    "common_sub_expression_eliminate",
    "extract_leaf_expressions",
    "push_down_leaf_projections",
];

/// Whether a snapshot has few enough rows to cache those of all views.
pub(super) fn is_small(snapshot: &Snapshot) -> bool {
    count_rows(snapshot) <= SMALL_ROWS
}

/// Whether a snapshot has so few rows that planning takes longer than execution.
pub fn has_few_rows(snapshot: &Snapshot) -> bool {
    count_rows(snapshot) <= FEW_ROWS
}

fn count_rows(snapshot: &Snapshot) -> u64 {
    snapshot.values().flat_map(|run| &run.parts).map(|part| part.rows).sum()
}

/// Whether a plan reads only tables of the lake. The number of rows of other tables is unknown.
fn reads_only_the_lake(plan: &LogicalPlan) -> Result<bool> {
    let mut reads_only_lake = true;
    plan.apply_with_subqueries(|plan| {
        if let LogicalPlan::TableScan(scan) = plan {
            // Views that are not inlined are those of the catalog, cached or as functions.
            reads_only_lake &= source_as_provider(&scan.source).is_ok_and(|table| {
                table.is::<LakeTable>() || table.is::<ManifestTable>() || table.table_type() == TableType::View
            });
        }
        Ok(if reads_only_lake { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    })?;
    Ok(reads_only_lake)
}

/// Returns the settings of the planner for a plan. There are fewer rules for few rows.
pub(super) fn planner_settings(
    plan: &LogicalPlan,
    mut state: SessionState,
    snapshot: &Snapshot,
) -> Result<SessionState> {
    if !is_small(snapshot) {
        return Ok(state);
    }
    if has_few_rows(snapshot) && reads_only_the_lake(plan)? {
        let mut rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> = vec![
            Arc::new(CombinePartialFinalAggregate::new()),
            Arc::new(EnforceRequirements),
            Arc::new(EnsureCooperative::new()),
        ];
        if cfg!(debug_assertions) {
            rules.push(Arc::new(SanityCheckPlan::new()));
        }
        let mut optimizer_rules = state.optimizer().rules.clone();
        optimizer_rules.retain(|rule| !SKIPPED_RULES.contains(&rule.name()));
        state = SessionStateBuilder::new_from_existing(state)
            .with_optimizer_rules(optimizer_rules)
            .with_physical_optimizer_rules(rules)
            .build();
        let options = state.config_mut().options_mut();
        options.execution.target_partitions = 1;
        options.optimizer.max_passes = 1;
    }
    let options = state.config_mut().options_mut();
    // A plan with dynamic filters cannot be executed again, and they save less time than the reuse
    // of a plan.
    options.optimizer.enable_topk_dynamic_filter_pushdown = false;
    options.optimizer.enable_join_dynamic_filter_pushdown = false;
    options.optimizer.enable_aggregate_dynamic_filter_pushdown = false;
    Ok(state)
}

/// Adds the sorts, and the merges into one partition, that operators require in a plan for one
/// core.
///
/// DataFusion's own rules also search for the cheapest positions, which takes longer than sorting
/// few rows.
#[derive(Debug)]
struct EnforceRequirements;

impl PhysicalOptimizerRule for EnforceRequirements {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let satisfied = plan.transform_up(|step| {
            let mut inputs: Vec<_> = step.children().into_iter().map(Arc::clone).collect();
            let (orders, distributions) = (step.required_input_ordering(), step.input_distribution_requirements());
            let mut changed = false;
            for ((input, order), distribution) in inputs.iter_mut().zip(orders).zip(distributions.into_per_child()) {
                let is_partitioned = input.output_partitioning().partition_count() > 1;
                if is_partitioned && !matches!(distribution, Distribution::UnspecifiedDistribution) {
                    *input = Arc::new(CoalescePartitionsExec::new(Arc::clone(input)));
                    changed = true;
                }
                let Some((alternatives, _)) = order.map(OrderingRequirements::into_alternatives) else { continue };
                // Further alternatives need another mode of the operator.
                let Some(order) = alternatives.into_iter().next() else { continue };
                if !input.equivalence_properties().ordering_satisfy_requirement(order.clone())? {
                    let sort = SortExec::new(order.into(), Arc::clone(input));
                    let is_partitioned = input.output_partitioning().partition_count() > 1;
                    *input = Arc::new(sort.with_preserve_partitioning(is_partitioned));
                    changed = true;
                }
            }
            Ok(if changed {
                Transformed::yes(replace_children_if_necessary(step, inputs)?)
            } else {
                Transformed::no(step)
            })
        })?;
        Ok(satisfied.data)
    }

    fn name(&self) -> &'static str {
        "enforce_requirements"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use datafusion::optimizer::Optimizer;

    use super::*;

    #[test]
    fn skipped_rules_exist() {
        let rules = Optimizer::new().rules;
        for name in SKIPPED_RULES {
            assert!(rules.iter().any(|rule| rule.name() == name), "{name}");
        }
    }
}
