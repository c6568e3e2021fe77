//! The tables of a lake as DataFusion table providers.
//!
//! A scan reads exactly the data files that the manifests list. Files are pruned by the manifests
//! before any footer is read.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::{
    Column, ColumnStatistics, DFSchema, DataFusionError, Result, ScalarValue, Statistics, internal_err, project_schema,
};
use datafusion::datasource::MemTable;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::datasource::physical_plan::{
    FileGroup, FileScanConfigBuilder, ParquetFileReaderFactory, ParquetSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::logical_expr::expr_rewriter::unnormalize_col;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_optimizer::pruning::{PruningPredicateBuilder, PruningStatistics};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use object_store::ObjectMeta;
use parking_lot::RwLock;

use crate::coalesced_read::{CoalescingReaderFactory, SliceRanges, WindowCache};
use crate::error::{Error, ErrorKind};
use crate::lake::{DataFile, Lake, Manifest, Snapshot};
use crate::manifest_rows::{self, read_schema};
use crate::table::Table;

/// The table with the paths of calls. All queries that need nested calls read it.
pub const NESTED_TABLE: &str = "call_path";

/// The error of a query over nested calls for a run of an older version.
pub fn nesting_error(run: &str, lake: &Lake) -> Error {
    let text = format!("run `{run}` is stored without the nesting of its calls, as by an older version");
    let hint = format!("run `tracelake --lake {} upgrade`", lake.location().url());
    Error::new(ErrorKind::Unrecognized, text).with_hint(hint)
}

/// The snapshot that queries see. A session replaces it after an ingest.
pub type CurrentSnapshot = Arc<RwLock<Snapshot>>;

/// Returns the current snapshot; a copy of it is cheap.
pub fn current_snapshot(snapshot: &CurrentSnapshot) -> Snapshot {
    Arc::clone(&snapshot.read())
}

/// The snapshot that one execution sees, even if another one is committed meanwhile.
pub struct PinnedSnapshot {
    pub snapshot: Snapshot,
    /// Whether the execution may read cached rows of views.
    pub use_cache: bool,
}

/// Returns the snapshot that a scan sees: the pinned one if there is one, else the current one.
pub fn visible_snapshot(state: &dyn Session, snapshot: &CurrentSnapshot) -> Snapshot {
    let pinned = state.config().get_extension::<PinnedSnapshot>();
    pinned.map_or_else(|| current_snapshot(snapshot), |pinned| Arc::clone(&pinned.snapshot))
}

/// A table with its rows in data files of the lake.
#[derive(Debug)]
pub struct LakeTable {
    table: &'static Table,
    schema: SchemaRef,
    lake: Lake,
    snapshot: CurrentSnapshot,
    windows: Arc<WindowCache>,
}

/// A data file, or a slice of one, and the run that it belongs to.
#[derive(Clone, Copy)]
struct ScannedDataFile<'a> {
    run: &'a str,
    part: &'a DataFile,
}

impl LakeTable {
    pub fn new(table: &'static Table, lake: Lake, snapshot: CurrentSnapshot, windows: Arc<WindowCache>) -> Self {
        Self { table, schema: read_schema(table), lake, snapshot, windows }
    }

    pub(super) fn name(&self) -> &'static str {
        self.table.name
    }

    /// The data files that may contain rows which pass the filters.
    fn parts<'a>(
        &self,
        state: &dyn Session,
        filters: &[Expr],
        snapshot: &'a Snapshot,
    ) -> Result<Vec<ScannedDataFile<'a>>> {
        let parts = Self::parts_of(self.table.name, snapshot.values());
        self.prune(state, filters, parts)
    }

    /// The data files of a table in these runs.
    fn parts_of<'a>(table: &str, runs: impl Iterator<Item = &'a Arc<Manifest>>) -> Vec<ScannedDataFile<'a>> {
        let parts = runs.flat_map(|run| run.parts.iter().map(|part| ScannedDataFile { run: &run.run, part }));
        parts.filter(|scanned| scanned.part.table == table).collect()
    }

    /// Checks that the calls of a run which passes the filters are nested, if this table has their paths. If only some runs of
    /// several lack the nesting, queries exclude them, which a session says when it is opened.
    fn check_nesting(&self, state: &dyn Session, filters: &[Expr], snapshot: &Snapshot) -> Result<()> {
        if self.table.name != NESTED_TABLE || !snapshot.values().any(|run| run.lacks_nesting()) {
            return Ok(());
        }
        let parts = self.prune(state, filters, Self::parts_of("event", snapshot.values()))?;
        let lacks_nesting = |part: &ScannedDataFile<'_>| snapshot.get(part.run).is_some_and(|run| run.lacks_nesting());
        let Some(first) = parts.first().filter(|_| parts.iter().all(lacks_nesting)) else { return Ok(()) };
        Err(DataFusionError::External(Box::new(nesting_error(first.run, &self.lake))))
    }

    /// Returns the data files that may contain rows which pass the filters.
    fn prune<'a>(
        &self,
        state: &dyn Session,
        filters: &[Expr],
        mut parts: Vec<ScannedDataFile<'a>>,
    ) -> Result<Vec<ScannedDataFile<'a>>> {
        let Some(filter) = conjunction(filters.iter().cloned()) else { return Ok(parts) };
        let schema = DFSchema::try_from(Arc::clone(&self.schema))?;
        let filter = state.create_physical_expr(unnormalize_col(filter), &schema)?;
        let builder = PruningPredicateBuilder::new().with_file_schema(Arc::clone(&self.schema));
        // A filter on columns other than `run` and `ts` prunes nothing.
        let Some(predicate) = builder.build(filter) else { return Ok(parts) };
        let mut keep = predicate.prune(&PartBounds(&parts))?.into_iter();
        parts.retain(|_| keep.next() == Some(true));
        Ok(parts)
    }

    /// A statistic of this table: the number of rows of some data files.
    fn row_statistics(&self, parts: &[ScannedDataFile<'_>]) -> Statistics {
        let rows: u64 = parts.iter().map(|part| part.part.rows).sum();
        let num_rows = Precision::Exact(usize::try_from(rows).unwrap_or(usize::MAX));
        Statistics { num_rows, ..Statistics::new_unknown(&self.schema) }
    }

    /// A reader of the files, with few requests to a remote store.
    fn source(&self, state: &dyn Session, store: &ObjectStoreUrl) -> Result<ParquetSource> {
        let options = state.default_table_options().parquet;
        let end_bytes = options.global.metadata_size_hint;
        let footers = state.runtime_env().cache_manager.get_file_metadata_cache();
        let store = state.runtime_env().object_store(store)?;
        let readers: Arc<dyn ParquetFileReaderFactory> = if self.lake.location().is_on_disk() {
            Arc::new(CachedParquetFileReaderFactory::new(store, footers))
        } else {
            Arc::new(CoalescingReaderFactory { store, footers, cache: Arc::clone(&self.windows) })
        };
        let source = ParquetSource::new(Arc::clone(&self.schema))
            .with_table_parquet_options(options)
            .with_parquet_file_reader_factory(readers);
        Ok(match end_bytes {
            Some(bytes) => source.with_metadata_size_hint(bytes),
            None => source,
        })
    }

    /// A file, or a range of it that contains the rows of one run or of consecutive runs.
    fn file(&self, parts: &[ScannedDataFile<'_>]) -> Result<PartitionedFile> {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return internal_err!("a file without a part");
        };
        let mut statistics = self.row_statistics(parts);
        let run = |part: &ScannedDataFile<'_>| Precision::Exact(ScalarValue::Utf8(Some(part.run.to_owned())));
        statistics.column_statistics[self.schema.index_of("run")?] = ColumnStatistics {
            min_value: run(first),
            max_value: run(last),
            null_count: Precision::Exact(0),
            ..ColumnStatistics::new_unknown()
        };
        let (location, size) = (self.lake.location().resolve(&first.part.path), first.part.file_bytes());
        // `PartitionedFile::new` would encode the path again.
        #[expect(clippy::default_trait_access, reason = "a type of a crate that we do not name")]
        let meta = ObjectMeta { location, last_modified: Default::default(), size, e_tag: None, version: None };
        let file = PartitionedFile::from(meta);
        let file = match (first.part.slice, last.part.slice) {
            (Some(first_slice), Some(last_slice)) => {
                let slices = first_slice.start..last_slice.end;
                let slices_end = last_slice.slices.map_or(u64::MAX, |(_, end)| end);
                let offset = |byte: u64| i64::try_from(byte).unwrap_or(i64::MAX);
                let range = (offset(slices.start), offset(slices.end));
                file.with_range(range.0, range.1).with_extension(SliceRanges { slices, slices_end })
            }
            _ => file,
        };
        Ok(file.with_statistics(Arc::new(statistics)))
    }
}

/// Groups adjacent slices of a file, which are read as one range of bytes.
fn group_by_range(mut parts: Vec<ScannedDataFile<'_>>) -> Vec<Vec<ScannedDataFile<'_>>> {
    // The sort is stable: parts without slices keep their order.
    parts.sort_by_key(|part| part.part.slice.map(|slice| (part.part.path.as_str(), slice.start)));
    let is_adjacent = |last: &ScannedDataFile<'_>, next: &ScannedDataFile<'_>| {
        let touch = last.part.slice.zip(next.part.slice).is_some_and(|(last, next)| last.end == next.start);
        touch && last.part.path == next.part.path && last.run < next.run
    };
    parts.chunk_by(is_adjacent).map(<[_]>::to_vec).collect()
}

/// Minimum and maximum values of `run` and `ts` of each data file.
struct PartBounds<'a>(&'a [ScannedDataFile<'a>]);

impl PartBounds<'_> {
    fn values(&self, column: &Column, ts: impl Fn(&(i64, i64)) -> i64) -> Option<ArrayRef> {
        match column.name.as_str() {
            "run" => Some(Arc::new(StringArray::from_iter_values(self.0.iter().map(|part| part.run)))),
            "ts" => Some(Arc::new(self.0.iter().map(|part| part.part.ts.as_ref().map(&ts)).collect::<Int64Array>())),
            _ => None,
        }
    }
}

impl PruningStatistics for PartBounds<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.values(column, |ts| ts.0)
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.values(column, |ts| ts.1)
    }

    fn num_containers(&self) -> usize {
        self.0.len()
    }

    fn null_counts(&self, _: &Column) -> Option<ArrayRef> {
        None
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        None
    }

    /// DataFusion calls this for long lists of runs; it compares short lists with the minimum and maximum values.
    fn contained(&self, column: &Column, values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        let runs: HashSet<&str> = values.iter().filter_map(|value| value.try_as_str().flatten()).collect();
        (column.name == "run").then(|| self.0.iter().map(|part| Some(runs.contains(part.run))).collect())
    }
}

#[async_trait]
impl TableProvider for LakeTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let snapshot = visible_snapshot(state, &self.snapshot);
        self.check_nesting(state, filters, &snapshot)?;
        let parts = self.parts(state, filters, &snapshot)?;
        if parts.is_empty() {
            return Ok(Arc::new(EmptyExec::new(project_schema(&self.schema, projection)?)));
        }
        let statistics = self.row_statistics(&parts);
        let files = group_by_range(parts).iter().map(|parts| self.file(parts)).collect::<Result<Vec<_>>>()?;
        let store = ObjectStoreUrl::parse(self.lake.location().store_url())?;
        let config = FileScanConfigBuilder::new(store.clone(), Arc::new(self.source(state, &store)?))
            .with_statistics(statistics)
            .with_file_groups(FileGroup::new(files).split_files(state.config().target_partitions()))
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

/// The tables `run` and `object`, with rows made from the manifests.
#[derive(Debug)]
pub struct ManifestTable {
    schema: SchemaRef,
    rows: fn(&Snapshot) -> arrow::error::Result<RecordBatch>,
    snapshot: CurrentSnapshot,
}

impl ManifestTable {
    pub fn new(table: &'static Table, snapshot: CurrentSnapshot) -> Self {
        Self { schema: read_schema(table), rows: manifest_rows::row_builder(table), snapshot }
    }
}

#[async_trait]
impl TableProvider for ManifestTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let rows = (self.rows)(&visible_snapshot(state, &self.snapshot))?;
        MemTable::try_new(Arc::clone(&self.schema), vec![vec![rows]])?.scan(state, projection, filters, limit).await
    }
}
