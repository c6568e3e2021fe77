//! Rows of views that take long to compute, kept by a session for the next question about the same runs.
//!
//! To find out which call encloses which takes longer than anything that is asked about the calls. And many findings look at the
//! same few rows of evidence, for which all events were read.

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

use super::empty_tables::Filled;
use crate::lake::Snapshot;

/// Views with a row for each call. A session keeps them if its runs have few rows.
const CALLS: [&str; 3] = ["device_launch", "event_operator", "host_frame"];

/// How the names of views begin that have a row, or a few, for each run. A session also keeps them of its only run,
/// however large: of many runs one alone may be asked about.
const EVIDENCE: &str = "evidence_";

/// Views with far fewer rows than samples of machines, which they are made of. Several rules look at each; they are kept as
/// evidence is.
const MACHINES: [&str; 4] = ["gpu_pair", "system_box", "system_extreme", "system_recent"];

/// Rows of all runs in all tables that are few: most lakes that are looked at have one run, or a few.
const FEW: u64 = 1_000_000;

/// Bytes of one view; more are not kept.
const MOST_BYTES: usize = 64 << 20;

/// Whether the runs have few rows.
pub(super) fn few_rows(snapshot: &Snapshot) -> bool {
    let mut left = FEW;
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
    /// The views as plans have them that read them; none for a name that is not that of a view.
    views: Mutex<BTreeMap<String, Option<Arc<LogicalPlan>>>>,
    rows: Mutex<Option<(Snapshot, BTreeMap<String, View>)>>,
}

/// What is known of a view.
#[derive(Debug, Clone)]
enum View {
    Rows(Arc<MemTable>),
    TooMany,
}

impl Kept {
    /// The plan with kept rows in the place of views; those that are not there yet are computed if `compute`. None if the
    /// plan reads no view of which rows are kept. `few` is what [`few_rows`] says of the snapshot.
    pub(super) async fn over(
        &self,
        plan: &LogicalPlan,
        state: &SessionState,
        snapshot: &Snapshot,
        few: bool,
        compute: bool,
    ) -> Result<Option<LogicalPlan>> {
        if !few && snapshot.len() != 1 {
            return Ok(None);
        }
        let is_kept = |name: &str| match name {
            name if name.starts_with(EVIDENCE) => true,
            // With arguments, which may be the defaults, it has the name of its function.
            name if MACHINES.contains(&name.trim_end_matches("()")) => true,
            name => few && CALLS.contains(&name),
        };
        let mut named = BTreeSet::new();
        plan.apply_with_subqueries(|plan| {
            named.extend(alias(plan).map(|alias| alias.alias.table()).filter(|name| is_kept(name)).map(str::to_owned));
            Ok(TreeNodeRecursion::Continue)
        })?;
        let mut views = BTreeMap::new();
        for name in named {
            if let Some(view) = self.view(&name, state).await? {
                views.insert(name, view);
            }
        }
        // A name alone may be that of somebody's own subquery.
        let view = |plan: &LogicalPlan| {
            let alias = alias(plan)?;
            let (name, view) = views.get_key_value(alias.alias.table())?;
            (*view == alias.input).then(|| (name.clone(), alias.alias.clone()))
        };
        let mut read = BTreeSet::new();
        plan.apply_with_subqueries(|plan| {
            let found = view(plan);
            let within = if found.is_some() { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue };
            read.extend(found.map(|(name, _)| name));
            Ok(within)
        })?;
        let mut rows = BTreeMap::new();
        for name in read {
            let known = match self.known(&name, snapshot) {
                None if compute => Some(Box::pin(self.compute(&name, &views[&name], state, snapshot, few)).await?),
                known => known,
            };
            rows.extend(known.map(|known| (name, known)));
        }
        let replaced = plan.clone().transform_down_with_subqueries(|plan| {
            if let Some((name, alias)) = view(&plan)
                && let Some(View::Rows(table)) = rows.get(&name)
            {
                let rows = provider_as_source(Arc::clone(table) as Arc<dyn TableProvider>);
                let scan = LogicalPlanBuilder::scan(alias, rows, None)?.build()?;
                return Ok(Transformed::new(scan, true, TreeNodeRecursion::Jump));
            }
            Ok(Transformed::no(plan))
        })?;
        Ok(replaced.transformed.then_some(replaced.data))
    }

    /// What the planner puts in the place of a view: without its order, for one thing.
    async fn view(&self, name: &str, state: &SessionState) -> Result<Option<Arc<LogicalPlan>>> {
        if let Some(known) = locked(&self.views).get(name) {
            return Ok(known.clone());
        }
        let mut view = None;
        if let Ok(plan) = state.create_logical_plan(&format!("SELECT * FROM {name}")).await {
            plan.apply(|plan| {
                let Some(alias) = alias(plan).filter(|alias| alias.alias.table() == name) else {
                    return Ok(TreeNodeRecursion::Continue);
                };
                view = Some(Arc::clone(&alias.input));
                Ok(TreeNodeRecursion::Stop)
            })?;
        }
        locked(&self.views).insert(name.to_owned(), view.clone());
        Ok(view)
    }

    async fn compute(
        &self,
        name: &str,
        view: &LogicalPlan,
        state: &SessionState,
        snapshot: &Snapshot,
        few: bool,
    ) -> Result<View> {
        // Evidence may read other evidence.
        let over = self.over(view, state, snapshot, few, true).await?;
        let plan = Filled::new(over.unwrap_or_else(|| view.clone()), snapshot)?.plan;
        let plan = state.create_physical_plan(&plan).await?;
        let schema = plan.schema();
        let rows = collect(plan, state.task_ctx()).await?;
        let rows = rows.iter().map(alone).collect::<Result<Vec<_>>>()?;
        let bytes: usize = rows.iter().map(RecordBatch::get_array_memory_size).sum();
        let view = if bytes > MOST_BYTES {
            View::TooMany
        } else {
            View::Rows(Arc::new(MemTable::try_new(schema, vec![rows])?))
        };
        let mut kept = locked(&self.rows);
        if kept.as_ref().is_none_or(|(of, _)| !Arc::ptr_eq(of, snapshot)) {
            *kept = Some((Arc::clone(snapshot), BTreeMap::new()));
        }
        if let Some((_, rows)) = kept.as_mut() {
            rows.insert(name.to_owned(), view.clone());
        }
        Ok(view)
    }

    fn known(&self, name: &str, snapshot: &Snapshot) -> Option<View> {
        locked(&self.rows).as_ref().filter(|(of, _)| Arc::ptr_eq(of, snapshot))?.1.get(name).cloned()
    }

    /// Lets go of all rows.
    pub(super) fn forget(&self) {
        *locked(&self.rows) = None;
    }
}

pub(super) fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept is replaced as a whole: a thread that panicked has left it whole.
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

fn alias(plan: &LogicalPlan) -> Option<&SubqueryAlias> {
    if let LogicalPlan::SubqueryAlias(alias) = plan { Some(alias) } else { None }
}
