//! The plan cache of a session. Planning a query takes longer than reading the rows of a small run.
//!
//! A logical plan is valid for each snapshot of the lake. A physical plan is valid for the snapshot
//! that it was made for.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue};
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::{Expr, LogicalPlan, Volatility};
use datafusion::physical_expr::expressions::DynamicFilterTracking;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::scalar_subquery::ScalarSubqueryExec;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};
use datafusion::prelude::SessionContext;
use parking_lot::Mutex;

use crate::cluster::ClusterPlanner;
use crate::lake::Snapshot;
use crate::plan::cached_view::{RowCache, ViewCache, ViewResolver};
use crate::plan::few_rows::{has_few_rows, planner_settings};
use crate::plan::stages;
use crate::provider::PinnedSnapshot;

/// Maximum number of cached plans. The cache is cleared when it is full.
const MAX_PLANS: usize = 64;

/// The key of a cached plan: SQL or the name of a canned query, the values of its parameters, and
/// the runs that it reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlanKey {
    pub text: String,
    pub values: Vec<(String, ScalarValue)>,
    pub runs: Option<Vec<String>>,
}

/// A planned query. Only the physical plan depends on the rows of a snapshot.
#[derive(Debug)]
pub struct QueryPlan {
    pub logical: LogicalPlan,
    /// SQL, or the name of a canned query. Empty for a plan that was made without a text.
    pub question: Box<str>,
    /// The runs that the caller named. `None` for all runs.
    pub runs: Option<Vec<String>>,
    /// For a plan that is executed on one core, to use less memory: its cache of views.
    single_core: Option<Arc<ViewCache>>,
    executable: Mutex<Option<CachedExecution>>,
}

/// A physical plan, and the context to execute it in.
pub(super) type ExecutablePlan = (Arc<dyn ExecutionPlan>, Arc<TaskContext>);

/// Maximum number of executions of one physical plan. The metrics of its scans use more memory with
/// each execution.
const MAX_EXECUTIONS: usize = 64;

/// A physical plan for one snapshot.
#[derive(Debug)]
struct CachedExecution {
    snapshot: Snapshot,
    plan: Arc<dyn ExecutionPlan>,
    task: Arc<TaskContext>,
    executions: usize,
}

impl QueryPlan {
    pub fn new(logical: LogicalPlan, question: &str) -> Arc<Self> {
        Self::with_runs(logical, question, None, None)
    }

    /// A plan that is executed on one core. It is slower and uses less memory. Plans of the same snapshot share the rows of
    /// views, if it has few rows.
    pub fn single_core(logical: LogicalPlan, question: &str, views: &Arc<ViewCache>) -> Arc<Self> {
        Self::with_runs(logical, question, None, Some(Arc::clone(views)))
    }

    fn with_runs(
        logical: LogicalPlan,
        question: &str,
        runs: Option<Vec<String>>,
        single_core: Option<Arc<ViewCache>>,
    ) -> Arc<Self> {
        Arc::new(Self { logical, question: question.into(), runs, single_core, executable: Mutex::default() })
    }

    /// Creates the physical plan for a snapshot. With `explained` it reads only tables, no cached
    /// rows, and all optimizer rules are applied.
    pub async fn create_executable(
        &self,
        context: &SessionContext,
        views: &Arc<ViewCache>,
        snapshot: &Snapshot,
        explained: bool,
    ) -> Result<ExecutablePlan> {
        let (mut state, single_core) = (context.state(), self.single_core.is_some());
        let explained = explained || matches!(self.logical, LogicalPlan::Explain(_) | LogicalPlan::Analyze(_));
        // Rows in memory would be sent to a cluster with every plan.
        let may_use_cache = !explained && !ClusterPlanner::is_planner_of(&state);
        let use_cache = may_use_cache && !single_core && views.is_useful(self.runs.as_deref(), snapshot);
        if may_use_cache || single_core {
            state = planner_settings(&self.logical, state, snapshot)?;
        }
        if single_core {
            state.config_mut().options_mut().execution.target_partitions = 1;
        }
        let pinned = PinnedSnapshot { snapshot: Arc::clone(snapshot), use_cache };
        state.config_mut().set_extension(Arc::new(pinned));
        let cache = match &self.single_core {
            Some(views) if may_use_cache && has_few_rows(snapshot) => RowCache::OfSession(Arc::clone(views)),
            None if use_cache => RowCache::OfSession(Arc::clone(views)),
            _ => RowCache::None,
        };
        let state = Arc::new(state);
        let resolved = ViewResolver::new(&state, snapshot, cache).resolve(self.logical.clone()).await?;
        let (plan, is_reusable) = optimize(&state, resolved)?;
        // Queries on one core follow an ingest, and run in the process that ingests instead of on
        // the cluster.
        let plan = if single_core {
            DefaultPhysicalPlanner::default().create_physical_plan(&plan, state.as_ref()).await?
        } else {
            stages::physical_plan(&state, &plan).await?
        };
        let task = state.task_ctx();
        if is_reusable && !explained && !has_execution_state(&plan)? {
            let (snapshot, plan, task) = (Arc::clone(snapshot), Arc::clone(&plan), Arc::clone(&task));
            *self.executable.lock() = Some(CachedExecution { snapshot, plan, task, executions: 1 });
        }
        Ok((plan, task))
    }

    /// Returns the cached physical plan for this snapshot, if there is one.
    pub fn ready(&self, snapshot: &Snapshot) -> Result<Option<ExecutablePlan>> {
        let mut cached = self.executable.lock();
        let is_valid = |cached: &&mut CachedExecution| {
            Arc::ptr_eq(&cached.snapshot, snapshot) && cached.executions < MAX_EXECUTIONS
        };
        let Some(cached) = cached.as_mut().filter(is_valid) else { return Ok(None) };
        cached.executions += 1;
        Ok(Some((reset_plan_states(Arc::clone(&cached.plan))?, Arc::clone(&cached.task))))
    }
}

/// Optimizes a plan. Also returns whether the physical plan can be executed again: not if it
/// depends on the current time.
fn optimize(state: &SessionState, plan: LogicalPlan) -> Result<(LogicalPlan, bool)> {
    if matches!(plan, LogicalPlan::Explain(_) | LogicalPlan::Analyze(_)) {
        return Ok((state.optimize(&plan)?, false));
    }
    let analyzed = stages::analyze(state, plan)?;
    let is_reusable = !depends_on_time(&analyzed)?;
    Ok((stages::optimize(state, analyzed)?, is_reusable))
}

/// Whether the plan would use state of one execution in the next one: a dynamic filter of a scan,
/// or the result of a subquery in an expression.
fn has_execution_state(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    let mut has_state = false;
    plan.apply(|node| {
        has_state |= node.is::<ScalarSubqueryExec>();
        node.apply_expressions(&mut |expr| {
            has_state |= !matches!(DynamicFilterTracking::classify(expr), DynamicFilterTracking::Static);
            Ok(TreeNodeRecursion::Continue)
        })
    })?;
    Ok(has_state)
}

/// Whether the plan calls a function such as `now()`. The optimizer replaces the call with its
/// value.
fn depends_on_time(plan: &LogicalPlan) -> Result<bool> {
    let mut is_stable = false;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                is_stable |=
                    matches!(expr, Expr::ScalarFunction(call) if call.func.signature().volatility == Volatility::Stable);
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(is_stable)
}

/// The cached plans of a session. A session that can change tables caches none.
#[derive(Debug, Default)]
pub struct PlanCache(Mutex<HashMap<PlanKey, Arc<QueryPlan>>>);

impl PlanCache {
    pub fn get(&self, key: &PlanKey) -> Option<Arc<QueryPlan>> {
        self.0.lock().get(key).cloned()
    }

    pub fn keep(&self, key: PlanKey, plan: LogicalPlan) -> Arc<QueryPlan> {
        let plan = QueryPlan::with_runs(plan, &key.text, key.runs.clone(), None);
        let mut plans = self.0.lock();
        if plans.len() == MAX_PLANS {
            plans.clear();
        }
        plans.insert(key, Arc::clone(&plan));
        plan
    }

    /// Removes all plans. Call it when a name may stand for another query.
    pub fn clear(&self) {
        self.0.lock().clear();
    }

    /// Removes all physical plans. Call it when the session sees another snapshot.
    pub fn clear_executables(&self) {
        let plans = self.0.lock();
        #[expect(clippy::iter_over_hash_type, reason = "all are treated alike")]
        for plan in plans.values() {
            *plan.executable.lock() = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::dataframe::DataFrameWriteOptions;
    use datafusion::prelude::ParquetReadOptions;

    use super::*;
    use crate::runtime::Engine;

    /// Plans over few rows have no dynamic filters. This plan is made as for many rows.
    #[test]
    fn a_dynamic_filter_is_execution_state() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.parquet").to_str().unwrap().to_owned();
        let has_state = Engine::start().unwrap().run(async move {
            let context = SessionContext::new();
            let rows = context.sql("select * from (values (1), (2)) t(x)").await.unwrap();
            rows.write_parquet(&file, DataFrameWriteOptions::new(), None).await.unwrap();
            context.register_parquet("t", &file, ParquetReadOptions::default()).await.unwrap();
            let mut has_state = Vec::new();
            for text in ["select x from t order by x limit 1", "select x from t order by x"] {
                let plan = context.sql(text).await.unwrap().create_physical_plan().await.unwrap();
                has_state.push(has_execution_state(&plan).unwrap());
            }
            Ok(has_state)
        });
        assert_eq!(has_state.unwrap(), [true, false]);
    }
}
