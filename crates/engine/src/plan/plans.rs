//! Plans of questions that were asked before. To plan a question takes longer than to read the rows of a small run.
//!
//! The logical plan is valid whatever the lake contains; what is executed is valid as long as the session sees the same runs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

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

use crate::cluster::Planner;
use crate::lake::Snapshot;
use crate::plan::cached_view::{Cache, Resolver, ViewCache, locked};
use crate::plan::few_rows::planning_for;
use crate::plan::stages;
use crate::provider::Pinned;

/// Questions that are kept; when there are more, all are forgotten.
const MOST: usize = 64;

/// A question: SQL or the name of a canned query, with its values, and the runs that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Asked {
    pub text: String,
    pub values: Vec<(String, ScalarValue)>,
    pub runs: Option<Vec<String>>,
}

/// A planned question. Which rows there are matters only to what is executed.
#[derive(Debug)]
pub struct Plan {
    pub logical: LogicalPlan,
    /// SQL, or the name of a canned query; empty for what nobody asked in words.
    pub question: Box<str>,
    /// The runs that the caller named; none for all runs.
    pub runs: Option<Vec<String>>,
    /// Whether it is executed on one core, for less memory.
    narrow: bool,
    executable: Mutex<Option<Executable>>,
}

/// A plan, and what it is executed with.
pub(super) type Executed = (Arc<dyn ExecutionPlan>, Arc<TaskContext>);

/// Times that one plan is executed: the engine counts rows and times of a scan on and on, in memory.
const MOST_TIMES: usize = 64;

/// What reads the rows of one snapshot.
#[derive(Debug)]
struct Executable {
    snapshot: Snapshot,
    plan: Arc<dyn ExecutionPlan>,
    task: Arc<TaskContext>,
    times: usize,
}

impl Plan {
    pub fn new(logical: LogicalPlan, question: &str) -> Arc<Self> {
        Arc::new(Self::with(logical, question, None, false))
    }

    /// For an execution on one core: slower, with less in memory.
    pub fn narrow(logical: LogicalPlan, question: &str) -> Arc<Self> {
        Arc::new(Self::with(logical, question, None, true))
    }

    fn with(logical: LogicalPlan, question: &str, runs: Option<Vec<String>>, narrow: bool) -> Self {
        Self { logical, question: question.into(), runs, narrow, executable: Mutex::default() }
    }

    /// What is executed over the rows that a snapshot has. With `explained` it reads tables only, no cached rows, and uses
    /// the full optimizer.
    pub async fn executable(
        &self,
        context: &SessionContext,
        views: &ViewCache,
        snapshot: &Snapshot,
        explained: bool,
    ) -> Result<Executed> {
        let mut state = context.state();
        let explained = explained || matches!(self.logical, LogicalPlan::Explain(_) | LogicalPlan::Analyze(_));
        // Rows in memory would be sent to a cluster with every plan.
        let use_cache = !explained && !self.narrow && !Planner::is_of(&state);
        if self.narrow {
            state.config_mut().options_mut().execution.target_partitions = 1;
        } else if use_cache {
            state = planning_for(&self.logical, state, snapshot)?;
        }
        let pinned = Pinned { snapshot: Arc::clone(snapshot), use_cache };
        state.config_mut().set_extension(Arc::new(pinned));
        let cache = if use_cache { Cache::OfSession(views) } else { Cache::None };
        let resolved = Resolver::new(&state, snapshot, cache).resolve(self.logical.clone()).await?;
        let (plan, keep) = optimize(&state, resolved)?;
        // What follows an ingest is the work of who ingests.
        let plan = if self.narrow {
            DefaultPhysicalPlanner::default().create_physical_plan(&plan, &state).await?
        } else {
            stages::physical_plan(&state, &plan).await?
        };
        let task = state.task_ctx();
        if keep && !explained && !learns(&plan)? {
            let (snapshot, plan, task) = (Arc::clone(snapshot), Arc::clone(&plan), Arc::clone(&task));
            *locked(&self.executable) = Some(Executable { snapshot, plan, task, times: 1 });
        }
        Ok((plan, task))
    }

    /// What was executed over the rows of this snapshot before, ready to be executed again.
    pub fn ready(&self, snapshot: &Snapshot) -> Result<Option<Executed>> {
        let mut kept = locked(&self.executable);
        let known = kept.as_mut().filter(|known| Arc::ptr_eq(&known.snapshot, snapshot) && known.times < MOST_TIMES);
        let Some(known) = known else { return Ok(None) };
        known.times += 1;
        Ok(Some((reset_plan_states(Arc::clone(&known.plan))?, Arc::clone(&known.task))))
    }
}

/// The optimized plan, and whether it may be kept: one that depends on the time is made again and again.
fn optimize(state: &SessionState, plan: LogicalPlan) -> Result<(LogicalPlan, bool)> {
    if matches!(plan, LogicalPlan::Explain(_) | LogicalPlan::Analyze(_)) {
        return Ok((state.optimize(&plan)?, false));
    }
    let analyzed = stages::analyze(state, plan)?;
    let keep = !asks_the_time(&analyzed)?;
    Ok((stages::optimize(state, analyzed)?, keep))
}

/// Whether a part of the plan would still know the next time what it was told while it was executed: a scan what need not
/// be read, an expression the answer to a subquery.
fn learns(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    let mut found = false;
    plan.apply(|node| {
        found |= node.downcast_ref::<ScalarSubqueryExec>().is_some();
        node.apply_expressions(&mut |expr| {
            found |= !matches!(DynamicFilterTracking::classify(expr), DynamicFilterTracking::Static);
            Ok(TreeNodeRecursion::Continue)
        })
    })?;
    Ok(found)
}

/// Whether the plan calls a function such as `now()`, whose value the optimizer puts in.
fn asks_the_time(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                found |= matches!(expr, Expr::ScalarFunction(call) if call.func.signature().volatility == Volatility::Stable);
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(found)
}

/// The questions of a session that were asked before. One that changes tables keeps none.
#[derive(Debug, Default)]
pub struct Plans(Mutex<HashMap<Asked, Arc<Plan>>>);

impl Plans {
    pub fn get(&self, asked: &Asked) -> Option<Arc<Plan>> {
        locked(&self.0).get(asked).cloned()
    }

    pub fn keep(&self, asked: Asked, plan: LogicalPlan) -> Arc<Plan> {
        let plan = Arc::new(Plan::with(plan, &asked.text, asked.runs.clone(), false));
        let mut plans = locked(&self.0);
        if plans.len() == MOST {
            plans.clear();
        }
        plans.insert(asked, Arc::clone(&plan));
        plan
    }

    /// Lets go of everything: from now on a name may stand for another query.
    pub fn forget(&self) {
        locked(&self.0).clear();
    }

    /// Lets go of the rows' snapshots: from now on the session sees another one.
    pub fn forget_snapshots(&self) {
        let plans = locked(&self.0);
        #[expect(clippy::iter_over_hash_type, reason = "all are treated alike")]
        for plan in plans.values() {
            *locked(&plan.executable) = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::dataframe::DataFrameWriteOptions;
    use datafusion::prelude::ParquetReadOptions;

    use super::*;
    use crate::runtime::Engine;

    /// What a session plans over few rows never learns; this is what it plans over many.
    #[test]
    fn a_scan_that_learns_from_the_first_rows_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.parquet").to_str().unwrap().to_owned();
        let learnt = Engine::start().unwrap().run(async move {
            let context = SessionContext::new();
            let rows = context.sql("select * from (values (1), (2)) t(x)").await.unwrap();
            rows.write_parquet(&file, DataFrameWriteOptions::new(), None).await.unwrap();
            context.register_parquet("t", &file, ParquetReadOptions::default()).await.unwrap();
            let mut learnt = Vec::new();
            for text in ["select x from t order by x limit 1", "select x from t order by x"] {
                let plan = context.sql(text).await.unwrap().create_physical_plan().await.unwrap();
                learnt.push(learns(&plan).unwrap());
            }
            Ok(learnt)
        });
        assert_eq!(learnt.unwrap(), [true, false]);
    }
}
