//! Rows of views that take long to compute, kept by a session for the next question about the same runs.
//!
//! To find out which call encloses which takes longer than anything that is asked about the calls.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use datafusion::catalog::TableProvider;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::datasource::{MemTable, provider_as_source};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, SubqueryAlias};
use datafusion::physical_plan::collect;
use tokio::sync::OnceCell;

use super::empty_tables::Filled;
use crate::lake::Snapshot;

/// The views of which rows are kept.
const KEPT: [&str; 3] = ["device_launch", "event_operator", "host_frame"];

/// A session keeps rows if all its runs have no more than this many, in all tables: most lakes that are looked at have
/// one run, or a few.
const MOST_ROWS: u64 = 1_000_000;

/// Bytes of one view; more are not kept.
const MOST_BYTES: usize = 64 << 20;

/// Whether the runs have few rows.
pub(super) fn few_rows(snapshot: &Snapshot) -> bool {
    let mut left = MOST_ROWS;
    let mut parts = snapshot.values().flat_map(|run| &run.parts);
    parts.all(|part| {
        let enough = left.checked_sub(part.rows);
        left = enough.unwrap_or_default();
        enough.is_some()
    })
}

/// The rows without the texts of others, whose memory they would hold.
fn alone(rows: &RecordBatch) -> Result<RecordBatch> {
    let columns = rows.columns().iter().map(|column| match column.as_string_view_opt() {
        Some(texts) => Arc::new(texts.gc()) as ArrayRef,
        None => Arc::clone(column),
    });
    Ok(RecordBatch::try_new(rows.schema(), columns.collect())?)
}

/// The rows of views as one snapshot has them.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The views as plans have them that read them.
    views: OnceCell<BTreeMap<&'static str, Arc<LogicalPlan>>>,
    rows: Mutex<Option<(Snapshot, Rows)>>,
}

type Rows = BTreeMap<&'static str, View>;

/// What is known of a view.
#[derive(Debug, Clone)]
enum View {
    Rows(Arc<MemTable>),
    TooMany,
}

impl Kept {
    /// The plan with kept rows in the place of views; those that are not there yet are computed if `compute`. None if the
    /// plan reads no view of which rows are kept. Ask it about few rows only.
    pub(super) async fn over(
        &self,
        plan: &LogicalPlan,
        state: &SessionState,
        snapshot: &Snapshot,
        compute: bool,
    ) -> Result<Option<LogicalPlan>> {
        let named = plan.exists(|plan| Ok(alias(plan).is_some_and(|alias| KEPT.contains(&alias.alias.table()))))?;
        if !named {
            return Ok(None);
        }
        let views = self.views.get_or_try_init(|| planned(state)).await?;
        // A name alone may be that of somebody's own subquery.
        let view = |plan: &LogicalPlan| {
            let alias = alias(plan)?;
            let (name, view) = views.get_key_value(alias.alias.table())?;
            (*view == alias.input).then(|| (*name, alias.alias.clone()))
        };
        let mut read = BTreeSet::new();
        plan.apply(|plan| {
            read.extend(view(plan).map(|(name, _)| name));
            Ok(TreeNodeRecursion::Continue)
        })?;
        let mut rows = Rows::new();
        for name in read {
            let known = match self.known(name, snapshot) {
                None if compute => Some(self.compute(name, &views[name], state, snapshot).await?),
                known => known,
            };
            rows.extend(known.map(|known| (name, known)));
        }
        let replaced = plan.clone().transform_down_with_subqueries(|plan| {
            if let Some((name, alias)) = view(&plan)
                && let Some(View::Rows(table)) = rows.get(name)
            {
                let rows = provider_as_source(Arc::clone(table) as Arc<dyn TableProvider>);
                let scan = LogicalPlanBuilder::scan(alias, rows, None)?.build()?;
                return Ok(Transformed::new(scan, true, TreeNodeRecursion::Jump));
            }
            Ok(Transformed::no(plan))
        })?;
        Ok(replaced.transformed.then_some(replaced.data))
    }

    async fn compute(
        &self,
        name: &'static str,
        view: &LogicalPlan,
        state: &SessionState,
        snapshot: &Snapshot,
    ) -> Result<View> {
        let plan = state.create_physical_plan(&Filled::new(view.clone(), snapshot)?.plan).await?;
        let schema = plan.schema();
        let rows = collect(plan, state.task_ctx()).await?;
        let rows = rows.iter().map(alone).collect::<Result<Vec<_>>>()?;
        let bytes: usize = rows.iter().map(RecordBatch::get_array_memory_size).sum();
        let view = if bytes > MOST_BYTES {
            View::TooMany
        } else {
            View::Rows(Arc::new(MemTable::try_new(schema, vec![rows])?))
        };
        let mut kept = self.locked();
        if kept.as_ref().is_none_or(|(of, _)| !Arc::ptr_eq(of, snapshot)) {
            *kept = Some((Arc::clone(snapshot), Rows::new()));
        }
        if let Some((_, rows)) = kept.as_mut() {
            rows.insert(name, view.clone());
        }
        Ok(view)
    }

    fn known(&self, name: &str, snapshot: &Snapshot) -> Option<View> {
        self.locked().as_ref().filter(|(of, _)| Arc::ptr_eq(of, snapshot))?.1.get(name).cloned()
    }

    /// Lets go of all rows.
    pub(super) fn forget(&self) {
        *self.locked() = None;
    }

    fn locked(&self) -> MutexGuard<'_, Option<(Snapshot, Rows)>> {
        // A thread that panicked has left it whole.
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn alias(plan: &LogicalPlan) -> Option<&SubqueryAlias> {
    if let LogicalPlan::SubqueryAlias(alias) = plan { Some(alias) } else { None }
}

/// What the planner puts in the place of the views: without their order, for one thing.
async fn planned(state: &SessionState) -> Result<BTreeMap<&'static str, Arc<LogicalPlan>>> {
    let mut views = BTreeMap::new();
    for name in KEPT {
        let plan = state.create_logical_plan(&format!("SELECT * FROM {name}")).await?;
        plan.apply(|plan| {
            let Some(alias) = alias(plan).filter(|alias| alias.alias.table() == name) else {
                return Ok(TreeNodeRecursion::Continue);
            };
            views.insert(name, Arc::clone(&alias.input));
            Ok(TreeNodeRecursion::Stop)
        })?;
    }
    Ok(views)
}
