//! Executes queries on a cluster.
//!
//! A session plans each query itself, as for local execution: only the session knows the snapshot,
//! the views, and our optimizer rules. It sends the physical plan with the paths of the data files
//! to the cluster, and receives the rows. So the cluster needs only Arrow, Parquet and our
//! functions, and its results cannot depend on what it knows of the lake.
//!
//! The other side is the program `tracelake-cluster` (folder `cluster/`). The items that both sides
//! need are public here.

mod ballista;
mod client;
mod job;

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

pub use self::client::ClusterClient;
pub use self::job::{ClusterFailure, ClusterInfo, ClusterJob, PORT, VERSION};
pub use crate::corrupt_files::task_error;
pub use crate::functions::register_for_plans;

/// A query planner that sends the parts of a plan that read data files to a cluster.
#[derive(Debug)]
pub struct ClusterPlanner {
    cluster: Arc<ClusterClient>,
}

impl ClusterPlanner {
    pub fn new(cluster: Arc<ClusterClient>) -> Self {
        Self { cluster }
    }

    /// Turns off the features that connect operators in memory, because operators run in different
    /// processes.
    pub fn configure(config: SessionConfig, cluster: &ClusterClient) -> SessionConfig {
        let mut config = config.with_target_partitions(cluster.partitions).with_round_robin_repartition(false);
        let optimizer = &mut config.options_mut().optimizer;
        optimizer.enable_dynamic_filter_pushdown = false;
        optimizer.enable_topk_dynamic_filter_pushdown = false;
        optimizer.enable_join_dynamic_filter_pushdown = false;
        optimizer.enable_aggregate_dynamic_filter_pushdown = false;
        optimizer.enable_physical_uncorrelated_scalar_subquery = false;
        optimizer.enable_sort_pushdown = false;
        // Ballista 55 loses rows of a left join that collects its build side. Such a join has one
        // partition, and the operators above it are planned for one. Ballista converts it to a
        // partitioned join and does not change these operators. It collects build sides itself
        // where that is safe.
        optimizer.hash_join_single_partition_threshold = 0;
        optimizer.hash_join_single_partition_threshold_rows = 0;
        config
    }

    /// Whether a cluster executes the plans of this session.
    pub fn is_planner_of(state: &SessionState) -> bool {
        let planner: &dyn Any = state.query_planner().as_ref();
        planner.is::<Self>()
    }

    /// Wraps the largest subplans that read files and that a cluster can execute.
    fn send_to_cluster(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        if !reads_files(&plan)? {
            return Ok(plan);
        }
        // The session itself executes these operators.
        if plan.is::<AnalyzeExec>() || plan.is::<DataSinkExec>() {
            let children = plan.children().into_iter().map(|child| self.send_to_cluster(Arc::clone(child)));
            let children = children.collect::<Result<Vec<_>>>()?;
            return plan.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute));
        }
        Ok(Arc::new(ClusterExec::new(plan, Arc::clone(&self.cluster))))
    }
}

/// Whether a plan reads files. The session itself scans rows in memory.
fn reads_files(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    plan.exists(|node| {
        Ok(node
            .downcast_ref::<DataSourceExec>()
            .is_some_and(|scan| scan.data_source().downcast_ref::<FileScanConfig>().is_some()))
    })
}

#[async_trait]
impl QueryPlanner for ClusterPlanner {
    async fn create_physical_plan(&self, plan: &LogicalPlan, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = DefaultPhysicalPlanner::default().create_physical_plan(plan, session).await?;
        // A table that has its own plan, such as `diagnosis`, becomes part of the plan that
        // contains it.
        let plan = plan.transform_down(|node| {
            Ok(match node.downcast_ref::<ClusterExec>() {
                Some(inner) => Transformed::new(Arc::clone(&inner.plan), true, TreeNodeRecursion::Jump),
                None => Transformed::no(node),
            })
        })?;
        self.send_to_cluster(plan.data)
    }
}

/// A plan that a cluster executes. It has one partition: the rows of all partitions, one after the
/// other.
struct ClusterExec {
    plan: Arc<dyn ExecutionPlan>,
    cluster: Arc<ClusterClient>,
    properties: Arc<PlanProperties>,
}

impl ClusterExec {
    fn new(plan: Arc<dyn ExecutionPlan>, cluster: Arc<ClusterClient>) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(plan.schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { plan, cluster, properties: Arc::new(properties) }
    }
}

impl fmt::Debug for ClusterExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterExec").field("cluster", &self.cluster).finish_non_exhaustive()
    }
}

impl DisplayAs for ClusterExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name(), self.cluster)
    }
}

impl ExecutionPlan for ClusterExec {
    fn name(&self) -> &'static str {
        "ClusterExec"
    }

    fn schema(&self) -> SchemaRef {
        self.plan.schema()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    /// The plan on the cluster, so that errors and `explain` find its data files.
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
