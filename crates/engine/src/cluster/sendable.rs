//! A plan in the form in which Ballista runs it rightly.

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

type Plan = Arc<dyn ExecutionPlan>;

/// The plan with what a cluster needs, and without what it does not.
pub(super) fn sendable(plan: Plan) -> Result<Plan> {
    let node = |node| {
        leaf(node)?
            .transform_data(whole_order)?
            .transform_data(union_of_stages)?
            .transform_data(|node| Ok(join_that_yields(node)))
    };
    Ok(plan.transform_up(node)?.data)
}

/// A window over what is sorted by all columns that it divides by. The engine leaves out those of which it knows that they have
/// one value; behind a shuffle nobody knows that any more, and the window is refused.
fn whole_order(node: Plan) -> Result<Transformed<Plan>> {
    let divided = if let Some(window) = node.downcast_ref::<BoundedWindowAggExec>() {
        window.window_expr().first()
    } else if let Some(window) = node.downcast_ref::<WindowAggExec>() {
        window.window_expr().first()
    } else {
        None
    };
    let [input] = node.children()[..] else { return Ok(Transformed::no(node)) };
    let (Some(window), Some(sort)) = (divided, input.downcast_ref::<SortExec>()) else {
        return Ok(Transformed::no(node));
    };
    let is_sorted_by = |column: &Arc<dyn PhysicalExpr>| sort.expr().iter().any(|key| key.expr.eq(column));
    let missing = window.partition_by().iter().filter(|column| !is_sorted_by(column));
    let missing: Vec<_> = missing
        .map(|column| PhysicalSortExpr::new(Arc::clone(column), arrow::compute::SortOptions::default()))
        .collect();
    if missing.is_empty() {
        return Ok(Transformed::no(node));
    }
    let Some(order) = LexOrdering::new(missing.into_iter().chain(sort.expr().iter().cloned())) else {
        return Ok(Transformed::no(node));
    };
    let sort = SortExec::new(order, Arc::clone(sort.input()))
        .with_preserve_partitioning(sort.preserve_partitioning())
        .with_fetch(sort.fetch());
    let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
    Ok(Transformed::yes(Arc::clone(&node).replace_children(vec![Arc::new(sort)], options)?))
}

/// A union whose inputs come from stages of their own where they join. A task of Ballista 55 runs one partition of a union, and leaves
/// out the other inputs by their scans; a join that collects one side goes on there, and each task gives its rows once more.
fn union_of_stages(node: Plan) -> Result<Transformed<Plan>> {
    if !node.is::<UnionExec>() {
        return Ok(Transformed::no(node));
    }
    let mut changed = false;
    let inputs = node.children().into_iter().map(|input| {
        // What is sorted would have to be sorted again; joins that collect do not sort.
        if input.schema().fields().is_empty() || input.output_ordering().is_some() || !collects(input) {
            return Ok(Arc::clone(input));
        }
        changed = true;
        let key: Arc<dyn PhysicalExpr> = Arc::new(Column::new(input.schema().field(0).name(), 0));
        let partitions = input.output_partitioning().partition_count();
        Ok(Arc::new(RepartitionExec::try_new(Arc::clone(input), Partitioning::Hash(vec![key], partitions))?) as Plan)
    });
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    if !changed {
        return Ok(Transformed::no(node));
    }
    let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
    Ok(Transformed::yes(node.replace_children(inputs, options)?))
}

/// Whether a step of this stage reads one of its inputs as a whole.
fn collects(plan: &Plan) -> bool {
    if plan.is::<RepartitionExec>() {
        return false;
    }
    let required = plan.input_distribution_requirements();
    let whole = required.per_child_distributions().any(|input| matches!(input, Distribution::SinglePartition));
    whole || plan.is::<CoalescePartitionsExec>() || plan.children().into_iter().any(collects)
}

/// A join that gives up its core now and then. One that makes many rows of few is not asked whether it was cancelled before it has
/// made them all: a question that nobody waits for any more would keep an executor busy for minutes.
fn join_that_yields(node: Plan) -> Transformed<Plan> {
    let joins = node.is::<HashJoinExec>()
        || node.is::<NestedLoopJoinExec>()
        || node.is::<CrossJoinExec>()
        || node.is::<SortMergeJoinExec>();
    if joins { Transformed::yes(Arc::new(CooperativeExec::new(node))) } else { Transformed::no(node) }
}

/// A leaf as tasks can share it.
fn leaf(node: Plan) -> Result<Transformed<Plan>> {
    // Ballista 55 puts a scan of memory in the place of these where a task has no share of them. A scan has metrics and these have
    // none: tasks of one stage then differ in their number, their end is not noted, and the job waits for ever.
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
        return Ok(Transformed::yes(DataSourceExec::from_data_source(memory) as Plan));
    }
    let Some(scan) = node.downcast_ref::<DataSourceExec>() else { return Ok(Transformed::no(node)) };
    let Some(files) = scan.data_source().downcast_ref::<FileScanConfig>() else { return Ok(Transformed::no(node)) };
    // Statistics of single files have served when the plan was made, and are twelve times the rest; those of whole scans stay.
    let groups = files.file_groups.iter().map(|group| {
        let files = group.iter().cloned().map(|mut file| {
            file.statistics = None;
            file
        });
        FileGroup::new(files.collect())
    });
    let files = FileScanConfigBuilder::from(files.clone()).with_file_groups(groups.collect()).build();
    Ok(Transformed::yes(DataSourceExec::from_data_source(files) as Plan))
}

/// What `PlaceholderRowExec` has.
fn row_of_nulls(schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = schema.fields().iter().map(|field| new_null_array(field.data_type(), 1)).collect();
    let one = RecordBatchOptions::new().with_row_count(Some(1));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &one)?)
}
