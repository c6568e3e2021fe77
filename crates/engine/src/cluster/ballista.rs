//! Changes a physical plan so that Ballista 55 executes it correctly.

use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchOptions, new_null_array};
use arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{Distribution, LexOrdering, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::joins::{CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec};
use datafusion::physical_plan::placeholder_row::PlaceholderRowExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, ExecutionPlan, ExecutionPlanProperties, Partitioning, ReplaceChildrenOptions,
};

type PlanNode = Arc<dyn ExecutionPlan>;

/// Adds the operators that a cluster needs to a plan, and removes statistics that it does not need.
pub(super) fn adapt_for_ballista(plan: PlanNode) -> Result<PlanNode> {
    let adapt_node = |node| {
        adapt_leaf(node)?
            .transform_data(sort_by_partition_columns)?
            .transform_data(shuffle_union_inputs)?
            .transform_data(|node| Ok(yield_in_joins(node)))
    };
    Ok(plan.transform_up(adapt_node)?.data)
}

/// Sorts the input of a window by all its partition columns.
///
/// DataFusion omits columns that it knows to be constant. Ballista does not know that after a
/// shuffle, and refuses the window.
fn sort_by_partition_columns(node: PlanNode) -> Result<Transformed<PlanNode>> {
    match sort_with_partition_columns(&node) {
        Some(sort) => replace_inputs(node, vec![Arc::new(sort)]),
        None => Ok(Transformed::no(node)),
    }
}

/// Returns the sort of the input of a window with the partition columns that it lacks; none if it
/// lacks none.
fn sort_with_partition_columns(node: &PlanNode) -> Option<SortExec> {
    let bounded = node.downcast_ref::<BoundedWindowAggExec>().map(BoundedWindowAggExec::window_expr);
    let windows = bounded.or_else(|| node.downcast_ref::<WindowAggExec>().map(WindowAggExec::window_expr));
    let [input] = node.children()[..] else { return None };
    let (window, sort) = (windows?.first()?, input.downcast_ref::<SortExec>()?);
    let is_sorted_by = |column: &Arc<dyn PhysicalExpr>| sort.expr().iter().any(|key| key.expr.eq(column));
    let missing = window.partition_by().iter().filter(|column| !is_sorted_by(column));
    let missing: Vec<_> = missing
        .map(|column| PhysicalSortExpr::new(Arc::clone(column), arrow::compute::SortOptions::default()))
        .collect();
    if missing.is_empty() {
        return None;
    }
    let order = LexOrdering::new(missing.into_iter().chain(sort.expr().iter().cloned()))?;
    let new_sort = SortExec::new(order, Arc::clone(sort.input()));
    Some(new_sort.with_preserve_partitioning(sort.preserve_partitioning()).with_fetch(sort.fetch()))
}

fn replace_inputs(node: PlanNode, inputs: Vec<PlanNode>) -> Result<Transformed<PlanNode>> {
    let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
    Ok(Transformed::yes(node.replace_children(inputs, options)?))
}

/// Moves each input of a union that collects rows into its own stage, by a shuffle.
///
/// A task of Ballista 55 runs one partition of a union, and omits the scans of the other inputs.
/// But a join that collects one side still runs in each task, so that its rows would be repeated.
fn shuffle_union_inputs(node: PlanNode) -> Result<Transformed<PlanNode>> {
    if !node.is::<UnionExec>() {
        return Ok(Transformed::no(node));
    }
    let mut changed = false;
    let inputs = node.children().into_iter().map(|input| {
        // A shuffle would lose the order of a sorted input. Joins that collect do not sort.
        if input.schema().fields().is_empty() || input.output_ordering().is_some() || !collects(input) {
            return Ok(Arc::clone(input));
        }
        changed = true;
        let key: Arc<dyn PhysicalExpr> = Arc::new(Column::new(input.schema().field(0).name(), 0));
        let partitions = input.output_partitioning().partition_count();
        Ok(Arc::new(RepartitionExec::try_new(Arc::clone(input), Partitioning::Hash(vec![key], partitions))?)
            as PlanNode)
    });
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    if changed { replace_inputs(node, inputs) } else { Ok(Transformed::no(node)) }
}

/// Whether an operator of this stage reads an input as one partition.
fn collects(plan: &PlanNode) -> bool {
    if plan.is::<RepartitionExec>() {
        return false;
    }
    let required = plan.input_distribution_requirements();
    let needs_one_partition =
        required.per_child_distributions().any(|input| matches!(input, Distribution::SinglePartition));
    needs_one_partition || plan.is::<CoalescePartitionsExec>() || plan.children().into_iter().any(collects)
}

/// Makes a join yield to the scheduler regularly.
///
/// Otherwise a join that makes many rows from few checks for cancellation only after the last row.
/// Then a cancelled query would keep an executor busy for minutes.
fn yield_in_joins(node: PlanNode) -> Transformed<PlanNode> {
    let is_join = node.is::<HashJoinExec>()
        || node.is::<NestedLoopJoinExec>()
        || node.is::<CrossJoinExec>()
        || node.is::<SortMergeJoinExec>();
    if is_join { Transformed::yes(Arc::new(CooperativeExec::new(node))) } else { Transformed::no(node) }
}

/// Changes a leaf so that several tasks can divide it.
fn adapt_leaf(node: PlanNode) -> Result<Transformed<PlanNode>> {
    // Ballista 55 replaces `EmptyExec` and `PlaceholderRowExec` with a scan of memory in tasks that
    // read no partition of them. The scan has metrics and these operators do not. So the tasks of a
    // stage differ in the number of metrics, Ballista does not register their end, and the job
    // never ends. A scan of memory in all tasks avoids that.
    let rows = if node.is::<EmptyExec>() {
        Some(Vec::new())
    } else if node.is::<PlaceholderRowExec>() {
        Some(vec![row_of_nulls(&node.schema())?])
    } else {
        None
    };
    if let Some(rows) = rows {
        let partitions = node.properties().output_partitioning().partition_count();
        let memory = MemorySourceConfig::try_new(&vec![rows; partitions], node.schema(), None)?;
        return Ok(Transformed::yes(DataSourceExec::from_data_source(memory) as PlanNode));
    }
    let Some(scan) = node.downcast_ref::<DataSourceExec>() else { return Ok(Transformed::no(node)) };
    let Some(files) = scan.data_source().downcast_ref::<FileScanConfig>() else { return Ok(Transformed::no(node)) };
    // Only planning needs the statistics of single files, and they are twelve times as large as the
    // rest of a plan. The statistics of whole scans remain.
    let groups = files.file_groups.iter().map(|group| {
        let files = group.iter().cloned().map(|mut file| {
            file.statistics = None;
            file
        });
        FileGroup::new(files.collect())
    });
    let files = FileScanConfigBuilder::from(files.clone()).with_file_groups(groups.collect()).build();
    Ok(Transformed::yes(DataSourceExec::from_data_source(files) as PlanNode))
}

/// The row of a `PlaceholderRowExec`.
fn row_of_nulls(schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = schema.fields().iter().map(|field| new_null_array(field.data_type(), 1)).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(1));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}
