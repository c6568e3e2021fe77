//! Cached views: a session computes their rows once per snapshot.
//!
//! Most views read other views. Inlining them all would make planning far slower than execution. So
//! a plan contains a scan of each view that it reads, and a [`ViewResolver`] replaces the scan.
//!
//! - In a small lake it replaces the scans of all views with their rows.
//! - In one large run it does so for views with `cache large` in the header, because they have few
//!   rows.
//! - Elsewhere it replaces the scan with the plan of the view, so that filters reach the tables.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, new_empty_array};
use arrow::compute::{cast, concat};
use arrow::datatypes::{Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::datasource::{MemTable, ViewTable, provider_as_source, source_as_provider};
use datafusion::execution::SessionState;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::logical_expr::expr_rewriter::unnormalize_col;
use datafusion::logical_expr::{
    EmptyRelation, Expr, LogicalPlan, LogicalPlanBuilder, SubqueryAlias, TableProviderFilterPushDown, TableScan,
    TableType,
};
use datafusion::physical_plan::{ExecutionPlan, collect};
use futures::StreamExt;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::Mutex as AsyncMutex;

use crate::lake::{Manifest, Snapshot};
use crate::plan::few_rows::is_small;
use crate::plan::stages;
use crate::provider::{LakeTable, NESTED_TABLE};
use crate::runtime::run_together;

/// Bytes of one view above which its rows are not cached.
const MAX_VIEW_BYTES: usize = 64 << 20;

/// Bytes of all views above which rows of further views are not cached.
const MAX_TOTAL_BYTES: usize = 256 << 20;

/// A table provider that stands for a view in a logical plan. What replaces it is known only when
/// the plan is executed.
#[derive(Debug, Clone)]
pub struct CachedView {
    name: Arc<str>,
    view: Arc<ViewTable>,
    /// Whether the rows are also cached for one large run.
    cache_large: bool,
}

impl CachedView {
    pub fn new(name: &str, plan: LogicalPlan, cache_large: bool) -> Result<Self> {
        Ok(Self { name: name.into(), view: Arc::new(ViewTable::new(without_order(plan)?, None)), cache_large })
    }

    /// The key of the view: its address.
    fn key(&self) -> usize {
        Arc::as_ptr(&self.view) as usize
    }
}

/// Removes the outermost ORDER BY, as SQL does for any view in a FROM clause.
fn without_order(plan: LogicalPlan) -> Result<LogicalPlan> {
    let unordered = plan.transform_down(|plan| match plan {
        LogicalPlan::Sort(sort) if sort.fetch.is_none() => {
            Ok(Transformed::new(Arc::unwrap_or_clone(sort.input), true, TreeNodeRecursion::Stop))
        }
        LogicalPlan::Projection(_) | LogicalPlan::SubqueryAlias(_) => Ok(Transformed::no(plan)),
        _ => Ok(Transformed::new(plan, false, TreeNodeRecursion::Stop)),
    })?;
    Ok(unordered.data)
}

/// Hides the plan of the view from the planner, so that the planner does not inline it.
#[async_trait]
impl TableProvider for CachedView {
    fn schema(&self) -> SchemaRef {
        self.view.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::View
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.view.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.view.scan(state, projection, filters, limit).await
    }
}

/// A cache of the rows of views in one snapshot.
#[derive(Debug, Default)]
pub struct ViewCache {
    rows: Mutex<Option<CachedRows>>,
    /// By key of a view. Who computes its rows has the lock; others wait for these rows.
    computing: Mutex<HashMap<usize, Arc<AsyncMutex<()>>>>,
    /// Whether reading a file of the lake takes a request.
    is_remote: bool,
}

#[derive(Debug)]
struct CachedRows {
    snapshot: Snapshot,
    /// By key. Contains the view too, so that its address is not reused.
    views: BTreeMap<usize, (CachedView, ViewRows)>,
    /// Counts the rows as part of the memory for queries.
    reservation: MemoryReservation,
}

/// The rows of a view.
#[derive(Debug, Clone)]
enum ViewRows {
    Empty,
    Cached(Arc<MemTable>),
    /// There are too many rows, or computing them failed. A query that reads the plan of the view
    /// may need only some rows, and succeed.
    NotCached,
}

impl ViewCache {
    /// Creates an empty cache. `is_remote` tells whether reading a file of the lake takes a request.
    pub fn new(is_remote: bool) -> Self {
        Self { is_remote, ..Self::default() }
    }

    /// Returns true if a query of these runs, or of all, should use cached rows, which are those of all runs. A query of a
    /// few runs would read the files of all others, too.
    pub(super) fn is_useful(&self, runs: Option<&[String]>, snapshot: &Snapshot) -> bool {
        !self.is_remote || runs.is_none_or(|runs| 2 * runs.len() >= snapshot.len())
    }

    fn get(&self, view: &CachedView, snapshot: &Snapshot) -> Option<ViewRows> {
        let cached = self.rows.lock();
        let cached = cached.as_ref().filter(|cached| Arc::ptr_eq(&cached.snapshot, snapshot))?;
        cached.views.get(&view.key()).map(|(_, rows)| rows.clone())
    }

    /// Caches the rows of a view, unless they exceed the limits.
    fn put(&self, view: &CachedView, rows: Vec<RecordBatch>, resolver: &ViewResolver) -> Result<ViewRows> {
        let rows = concat_compact(&view.schema(), &rows)?;
        let bytes = rows.get_array_memory_size();
        let mut cached = self.rows.lock();
        let cached = match cached.as_mut() {
            Some(cached) if Arc::ptr_eq(&cached.snapshot, &resolver.snapshot) => cached,
            _ => {
                let pool = &resolver.state.runtime_env().memory_pool;
                let reservation = MemoryConsumer::new("cached views").register(pool);
                let snapshot = Arc::clone(&resolver.snapshot);
                cached.insert(CachedRows { snapshot, views: BTreeMap::new(), reservation })
            }
        };
        let fits = bytes <= MAX_VIEW_BYTES && cached.reservation.size() + bytes <= MAX_TOTAL_BYTES;
        let rows = if rows.num_rows() == 0 {
            ViewRows::Empty
        } else if !fits && matches!(resolver.cache, RowCache::OfSession(_)) {
            ViewRows::NotCached
        } else if cached.reservation.try_grow(bytes).is_ok() {
            ViewRows::Cached(Arc::new(MemTable::try_new(rows.schema(), vec![vec![rows]])?))
        } else {
            // Other queries use the memory now. The next query tries again.
            return Ok(ViewRows::NotCached);
        };
        cached.views.insert(view.key(), (view.clone(), rows.clone()));
        Ok(rows)
    }

    /// Returns the lock of a view for the time in which its rows are computed.
    fn computing(&self, view: &CachedView) -> Arc<AsyncMutex<()>> {
        Arc::clone(self.computing.lock().entry(view.key()).or_default())
    }

    /// Removes all rows.
    pub fn clear(&self) {
        *self.rows.lock() = None;
    }
}

/// Concatenates the rows into one batch with this schema. Copies the texts, so that the memory of
/// other rows is released.
fn concat_compact(schema: &SchemaRef, rows: &[RecordBatch]) -> Result<RecordBatch> {
    // Nullability can differ between plan and batches, and so can the representation of texts.
    let fields = schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let mut columns = Vec::new();
    for (index, field) in schema.fields().iter().enumerate() {
        let arrays = rows.iter().map(|batch| cast(batch.column(index), field.data_type()));
        let arrays = arrays.collect::<std::result::Result<Vec<_>, _>>()?;
        let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
        let column = if arrays.is_empty() { new_empty_array(field.data_type()) } else { concat(&arrays)? };
        columns.push(match column.as_string_view_opt() {
            Some(texts) => Arc::new(texts.gc()) as ArrayRef,
            None => column,
        });
    }
    Ok(RecordBatch::try_new(schema, columns)?)
}

/// The cache that a plan may take rows of views from.
#[derive(Clone)]
pub enum RowCache {
    /// No cache: views are replaced with their plans.
    None,
    /// The cache of the session.
    OfSession(Arc<ViewCache>),
    /// A cache for one query: rows of the views that have few rows, for the runs that pass the
    /// filters.
    OfQuery(Arc<ViewCache>, Arc<[Expr]>),
}

/// Replaces scans of views and of empty tables in plans, for one snapshot.
#[derive(Clone)]
pub struct ViewResolver {
    state: Arc<SessionState>,
    snapshot: Snapshot,
    /// Whether the snapshot has few enough rows to cache those of all views.
    small: bool,
    cache: RowCache,
    /// Keys of the views with rows that could not be computed.
    failed: Arc<Mutex<BTreeSet<usize>>>,
}

/// Whether a session caches the rows of some views.
pub fn is_cacheable(snapshot: &Snapshot) -> bool {
    snapshot.len() == 1 || is_small(snapshot)
}

impl ViewResolver {
    pub fn new(state: &Arc<SessionState>, snapshot: &Snapshot, cache: RowCache) -> Self {
        let cache = match cache {
            RowCache::OfSession(_) if !is_cacheable(snapshot) => RowCache::None,
            cache => cache,
        };
        let (state, snapshot) = (Arc::clone(state), Arc::clone(snapshot));
        Self { small: is_small(&snapshot), state, snapshot, cache, failed: Arc::default() }
    }

    /// Replaces scans of views with their rows, or with their plans where rows are not cached.
    ///
    /// It also replaces scans of empty tables with empty relations: most profiles fill few tables,
    /// and this shortens planning.
    pub async fn resolve(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        let (mut visited, mut rows) = (BTreeSet::new(), BTreeMap::new());
        let mut views = views_in(&plan)?;
        while !views.is_empty() {
            views.retain(|view| visited.insert(view.key()));
            let mut inner = Vec::new();
            for (view, cached) in self.rows_of_all(std::mem::take(&mut views)).await {
                match cached {
                    ViewRows::NotCached => inner.extend(views_in(view.view.logical_plan())?),
                    cached => _ = rows.insert(view.key(), cached),
                }
            }
            views = inner;
        }
        let mut is_empty = BTreeMap::new();
        let empty_relation = |scan: &TableScan| {
            let schema = Arc::clone(&scan.projected_schema);
            LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: false, schema })
        };
        let replaced = plan.transform_down_with_subqueries(|plan| {
            let LogicalPlan::TableScan(scan) = &plan else { return Ok(Transformed::no(plan)) };
            let Ok(provider) = source_as_provider(&scan.source) else { return Ok(Transformed::no(plan)) };
            if let Some(table) = provider.downcast_ref::<LakeTable>() {
                let name = table.name();
                let is_empty = *is_empty.entry(name).or_insert_with(|| !has_rows(&self.snapshot, name));
                return Ok(if is_empty { Transformed::yes(empty_relation(scan)) } else { Transformed::no(plan) });
            }
            let Some(view) = provider.downcast_ref::<CachedView>() else { return Ok(Transformed::no(plan)) };
            debug_assert!(scan.projection.is_none() && scan.filters.is_empty(), "the plan is not optimized yet");
            match rows.get(&view.key()) {
                Some(ViewRows::Empty) => Ok(Transformed::yes(empty_relation(scan))),
                Some(ViewRows::Cached(table)) => {
                    let source = provider_as_source(Arc::clone(table) as Arc<dyn TableProvider>);
                    let scan = LogicalPlanBuilder::scan(scan.table_name.clone(), source, None)?.build()?;
                    Ok(Transformed::new(scan, true, TreeNodeRecursion::Jump))
                }
                Some(ViewRows::NotCached) | None => {
                    let plan = Arc::new(view.view.logical_plan().clone());
                    let view = SubqueryAlias::try_new(plan, scan.table_name.clone())?;
                    Ok(Transformed::yes(LogicalPlan::SubqueryAlias(view)))
                }
            }
        })?;
        Ok(replaced.data)
    }

    /// Returns the cached rows of views, or computes them. In a small lake, planning takes most of that time, so several views
    /// are planned and computed at the same time.
    async fn rows_of_all(&self, views: Vec<CachedView>) -> Vec<(CachedView, ViewRows)> {
        let rows = views.into_iter().map(|view| {
            let resolver = self.clone();
            async move {
                let rows = resolver.rows(&view).await;
                (view, rows)
            }
        });
        if self.small && rows.len() > 1 && !matches!(self.cache, RowCache::None) {
            run_together(rows).await
        } else {
            futures::stream::iter(rows).then(|rows| rows).collect().await
        }
    }

    /// Returns the cached rows of a view, or computes them.
    async fn rows(&self, view: &CachedView) -> ViewRows {
        let (cache, is_cached) = match &self.cache {
            RowCache::None => return ViewRows::NotCached,
            RowCache::OfSession(cache) => (cache, view.cache_large || self.small),
            RowCache::OfQuery(cache, _) => (cache, view.cache_large),
        };
        if !is_cached {
            return ViewRows::NotCached;
        }
        let known = || {
            let has_failed = self.failed.lock().contains(&view.key());
            if has_failed { Some(ViewRows::NotCached) } else { cache.get(view, &self.snapshot) }
        };
        if let Some(known) = known() {
            return known;
        }
        let computing = cache.computing(view);
        let _computing = computing.lock().await;
        // Another task may have computed them meanwhile.
        if let Some(known) = known() {
            return known;
        }
        let computed = self.compute(view).await;
        computed.and_then(|rows| cache.put(view, rows, self)).unwrap_or_else(|_| {
            // A query that reads the plan of the view reports the error.
            self.failed.lock().insert(view.key());
            ViewRows::NotCached
        })
    }

    /// Boxed, because a view may read other views.
    fn compute<'a>(&'a self, view: &'a CachedView) -> BoxFuture<'a, Result<Vec<RecordBatch>>> {
        Box::pin(async move {
            let _span = tracing::info_span!("view", view = &*view.name);
            let mut plan = LogicalPlanBuilder::from(view.view.logical_plan().clone());
            if let RowCache::OfQuery(_, filters) = &self.cache {
                for filter in filters.iter() {
                    plan = plan.filter(unnormalize_col(filter.clone()))?;
                }
            }
            let plan = self.resolve(plan.build()?).await?;
            match stages::optimize(&self.state, stages::analyze(&self.state, plan)?)? {
                LogicalPlan::EmptyRelation(none) if !none.produce_one_row => Ok(Vec::new()),
                plan => {
                    let plan = stages::physical_plan(&self.state, &plan).await?;
                    let _span = tracing::info_span!("execute");
                    collect(plan, self.state.task_ctx()).await
                }
            }
        })
    }
}

/// Returns the views that a plan reads.
fn views_in(plan: &LogicalPlan) -> Result<Vec<CachedView>> {
    let mut views = Vec::new();
    plan.apply_with_subqueries(|plan| {
        if let LogicalPlan::TableScan(scan) = plan
            && let Ok(provider) = source_as_provider(&scan.source)
        {
            views.extend(provider.downcast_ref::<CachedView>().cloned());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(views)
}

/// Whether a scan of a table may have rows. The scan of `call_path` is an error for a run of an older version.
fn has_rows(snapshot: &Snapshot, table: &str) -> bool {
    let has_parts = |run: &Arc<Manifest>| run.parts.iter().any(|part| part.table == table);
    snapshot.values().any(|run| has_parts(run) || table == NESTED_TABLE && run.lacks_nesting())
}

#[cfg(test)]
mod tests {
    use arrow::array::Int64Array;
    use datafusion::execution::memory_pool::GreedyMemoryPool;
    use datafusion::execution::runtime_env::RuntimeEnvBuilder;
    use datafusion::prelude::{SessionConfig, SessionContext, lit};

    use super::*;

    fn view() -> CachedView {
        let plan = LogicalPlanBuilder::values(vec![vec![lit(0_i64)]]).unwrap().build().unwrap();
        CachedView::new("v", plan, false).unwrap()
    }

    fn rows(bytes: usize) -> Vec<RecordBatch> {
        let column: ArrayRef = Arc::new(Int64Array::from(vec![0; bytes / 8]));
        vec![RecordBatch::try_from_iter([("column1", column)]).unwrap()]
    }

    #[test]
    fn memory_of_cached_rows_is_bounded_and_counted() {
        let pool = Arc::new(GreedyMemoryPool::new(MAX_TOTAL_BYTES * 2));
        let runtime = RuntimeEnvBuilder::new().with_memory_pool(pool).build_arc().unwrap();
        let state = Arc::new(SessionContext::new_with_config_rt(SessionConfig::new(), runtime).state());
        let pool = &state.runtime_env().memory_pool;
        let (snapshot, cache) = (Snapshot::default(), Arc::new(ViewCache::default()));
        let resolver = ViewResolver::new(&state, &snapshot, RowCache::OfSession(Arc::clone(&cache)));
        let put = |bytes| cache.put(&view(), rows(bytes), &resolver).unwrap();

        assert!(matches!(put(0), ViewRows::Empty));
        assert!(matches!(put(MAX_VIEW_BYTES * 2), ViewRows::NotCached), "too large for one view");
        assert_eq!(pool.reserved(), 0);
        let bytes = MAX_VIEW_BYTES - (1 << 20);
        let cached = (0..6).take_while(|_| matches!(put(bytes), ViewRows::Cached(_))).count();
        assert_eq!(cached, MAX_TOTAL_BYTES / bytes);
        assert!((cached * bytes..=MAX_TOTAL_BYTES).contains(&pool.reserved()), "{} bytes", pool.reserved());
        cache.clear();
        assert_eq!(pool.reserved(), 0);

        // Other queries use all memory: the view is not cached now, and the next query tries again.
        let other = MemoryConsumer::new("other").register(pool);
        other.grow(MAX_TOTAL_BYTES * 2);
        let view = view();
        assert!(matches!(cache.put(&view, rows(8), &resolver).unwrap(), ViewRows::NotCached));
        drop(other);
        assert!(cache.get(&view, &snapshot).is_none());
        assert!(matches!(cache.put(&view, rows(8), &resolver).unwrap(), ViewRows::Cached(_)));
    }
}
