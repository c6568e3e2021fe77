//! Questions that a cluster answers.
//!
//! A session plans every question itself, as for its own engine: the snapshot, the views, our functions and rules are here and
//! nowhere else. What is sent is the finished plan, with the parts that it reads. So a cluster only has to run what Arrow,
//! Parquet and our functions need, and answers cannot differ by what it knows of the lake.
//!
//! The cluster's side is the program `tracelake-cluster` (folder `cluster/`); what both sides need is public here.

mod client;
mod job;
mod sendable;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::sink::DataSinkExec;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::{SendableRecordBatchStream, SessionState, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::analyze::AnalyzeExec;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
    ReplaceChildrenOptions,
};
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};
use datafusion::prelude::SessionConfig;

pub use self::client::Cluster;
pub use self::job::{About, Failure, Job, PORT, VERSION};
pub use crate::damage::task_error;
pub use crate::functions::register_for_plans;

/// Plans as the engine does, and hands what reads parts of the lake to a cluster.
#[derive(Debug)]
pub struct Planner {
    cluster: Arc<Cluster>,
}

impl Planner {
    pub fn new(cluster: Arc<Cluster>) -> Self {
        Self { cluster }
    }

    /// Plans must not hold what connects their steps in memory: steps run in different processes.
    pub fn configure(config: SessionConfig, cluster: &Cluster) -> SessionConfig {
        let mut config = config.with_target_partitions(cluster.partitions()).with_round_robin_repartition(false);
        let optimizer = &mut config.options_mut().optimizer;
        optimizer.enable_dynamic_filter_pushdown = false;
        optimizer.enable_topk_dynamic_filter_pushdown = false;
        optimizer.enable_join_dynamic_filter_pushdown = false;
        optimizer.enable_aggregate_dynamic_filter_pushdown = false;
        optimizer.enable_physical_uncorrelated_scalar_subquery = false;
        optimizer.enable_sort_pushdown = false;
        // A left join whose small side is collected has one partition, and what is above it is planned for one. Ballista 55 makes it
        // a join of partitions and leaves what is above: rows are lost. It collects small sides itself, where that is safe.
        optimizer.hash_join_single_partition_threshold = 0;
        optimizer.hash_join_single_partition_threshold_rows = 0;
        config
    }

    /// Whether plans of this session are executed elsewhere.
    pub fn is_of(state: &SessionState) -> bool {
        let planner: &dyn Any = state.query_planner().as_ref();
        planner.is::<Self>()
    }

    fn elsewhere(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        // A table that is planned by itself, such as `diagnosis`, is part of the plan around it.
        let plan = plan
            .transform_down(|node| {
                Ok(match node.downcast_ref::<Elsewhere>() {
                    Some(within) => Transformed::new(Arc::clone(&within.plan), true, TreeNodeRecursion::Jump),
                    None => Transformed::no(node),
                })
            })?
            .data;
        self.placed(plan)
    }

    fn placed(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        if !reads_files(&plan)? {
            return Ok(plan);
        }
        // These concern this session.
        if plan.is::<AnalyzeExec>() || plan.is::<DataSinkExec>() {
            let children = plan.children().into_iter().map(|child| self.placed(Arc::clone(child)));
            let children = children.collect::<Result<Vec<_>>>()?;
            return plan.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute));
        }
        Ok(Arc::new(Elsewhere::new(plan, Arc::clone(&self.cluster))))
    }
}

/// Whether a plan reads files: what is in memory is looked at here.
fn reads_files(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    plan.exists(|node| {
        Ok(node
            .downcast_ref::<DataSourceExec>()
            .is_some_and(|scan| scan.data_source().downcast_ref::<FileScanConfig>().is_some()))
    })
}

#[async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(&self, plan: &LogicalPlan, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        self.elsewhere(DefaultPhysicalPlanner::default().create_physical_plan(plan, session).await?)
    }
}

/// A plan that a cluster executes; its partitions come one after the other.
struct Elsewhere {
    plan: Arc<dyn ExecutionPlan>,
    cluster: Arc<Cluster>,
    properties: Arc<PlanProperties>,
}

impl Elsewhere {
    fn new(plan: Arc<dyn ExecutionPlan>, cluster: Arc<Cluster>) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(plan.schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { plan, cluster, properties: Arc::new(properties) }
    }
}

impl fmt::Debug for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere").field("cluster", &self.cluster).finish_non_exhaustive()
    }
}

impl DisplayAs for Elsewhere {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name(), self.cluster)
    }
}

impl ExecutionPlan for Elsewhere {
    fn name(&self) -> &'static str {
        "ClusterExec"
    }

    fn schema(&self) -> SchemaRef {
        self.plan.schema()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    /// What is executed elsewhere, so that errors and explanations find the parts.
    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.plan]
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        match <[_; 1]>::try_from(children) {
            Ok([plan]) => Ok(Arc::new(Self::new(plan, Arc::clone(&self.cluster)))),
            Err(_) => plan_err!("what is executed elsewhere is one plan"),
        }
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(&self, _: usize, task: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.cluster.execute(Arc::clone(&self.plan), task)
    }
}
