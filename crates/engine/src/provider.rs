//! The tables of a lake for the engine: exactly the parts that the manifests list, pruned before any
//! footer is read.

use std::collections::HashSet;
use std::sync::{Arc, RwLock};

use arrow::array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::{Column, ColumnStatistics, DFSchema, Result, ScalarValue, Statistics, internal_err};
use datafusion::datasource::MemTable;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::logical_expr::expr_rewriter::unnormalize_col;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_optimizer::pruning::{PruningPredicateBuilder, PruningStatistics};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;

use object_store::ObjectMeta;

use crate::lake::{Lake, Part, Snapshot};
use crate::manifest_rows::{self, read_schema};
use crate::table::Table;

/// The snapshot that queries see; replaced after an ingest.
pub type Current = Arc<RwLock<Snapshot>>;

/// The snapshot of this moment.
pub fn current(snapshot: &Current) -> Snapshot {
    // A writer that panicked has replaced nothing: the snapshot is whole.
    Arc::clone(&snapshot.read().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// The snapshot that one execution sees, whatever was committed since its question was asked.
pub struct Pinned {
    pub snapshot: Snapshot,
    /// Whether cached rows of views may be read.
    pub use_cache: bool,
}

/// The snapshot that a scan sees: the pinned one, else that of this moment.
pub fn visible(state: &dyn Session, snapshot: &Current) -> Snapshot {
    let pinned = state.config().get_extension::<Pinned>();
    pinned.map_or_else(|| current(snapshot), |pinned| Arc::clone(&pinned.snapshot))
}

/// A table whose rows are parts of the lake.
#[derive(Debug)]
pub struct LakeTable {
    table: &'static Table,
    schema: SchemaRef,
    lake: Lake,
    snapshot: Current,
}

/// A part and the run it belongs to.
#[derive(Clone, Copy)]
struct Listed<'a> {
    run: &'a str,
    part: &'a Part,
}

impl LakeTable {
    pub fn new(table: &'static Table, lake: Lake, snapshot: Current) -> Self {
        Self { table, schema: read_schema(table), lake, snapshot }
    }

    pub(super) fn name(&self) -> &'static str {
        self.table.name
    }

    /// The parts that may hold rows which pass the filters.
    fn parts<'a>(&self, state: &dyn Session, filters: &[Expr], snapshot: &'a Snapshot) -> Result<Vec<Listed<'a>>> {
        let mut listed = Vec::new();
        for manifest in snapshot.values() {
            let parts = manifest.parts.iter().filter(|part| part.table == self.table.name);
            listed.extend(parts.map(|part| Listed { run: &manifest.run, part }));
        }
        let Some(filter) = conjunction(filters.iter().cloned()) else { return Ok(listed) };
        let schema = DFSchema::try_from(Arc::clone(&self.schema))?;
        let filter = state.create_physical_expr(unnormalize_col(filter), &schema)?;
        let builder = PruningPredicateBuilder::new().with_file_schema(Arc::clone(&self.schema));
        // A filter that says nothing about `run` or `ts` prunes nothing.
        let Some(predicate) = builder.build(filter) else { return Ok(listed) };
        let keep = predicate.prune(&Bounds(&listed))?;
        Ok(listed.into_iter().zip(keep).filter_map(|(part, keep)| keep.then_some(part)).collect())
    }

    /// A file, or a stretch of it that holds the rows of one run or of several behind each other.
    fn file(&self, listed: &[Listed<'_>]) -> Result<PartitionedFile> {
        let (Some(first), Some(last)) = (listed.first(), listed.last()) else {
            return internal_err!("a file without a part");
        };
        let mut statistics = Statistics::new_unknown(&self.schema);
        let rows: u64 = listed.iter().map(|listed| listed.part.rows).sum();
        statistics.num_rows = Precision::Exact(usize::try_from(rows).unwrap_or(usize::MAX));
        let run = |listed: &Listed<'_>| Precision::Exact(ScalarValue::Utf8(Some(listed.run.to_owned())));
        statistics.column_statistics[self.schema.index_of("run")?] = ColumnStatistics {
            min_value: run(first),
            max_value: run(last),
            null_count: Precision::Exact(0),
            ..ColumnStatistics::new_unknown()
        };
        let location = self.lake.place().at(&first.part.path);
        // Not from text: the path is encoded already.
        #[expect(clippy::default_trait_access, reason = "a type of a crate that we do not name")]
        let meta = ObjectMeta {
            location,
            last_modified: Default::default(),
            size: first.part.file_bytes(),
            e_tag: None,
            version: None,
        };
        let file = PartitionedFile::from(meta);
        let file = match (first.part.slice, last.part.slice) {
            (Some(first), Some(last)) => {
                let byte = |at: u64| i64::try_from(at).unwrap_or(i64::MAX);
                file.with_range(byte(first.from), byte(last.to))
            }
            _ => file,
        };
        Ok(file.with_statistics(Arc::new(statistics)))
    }
}

/// The parts by stretches of files: slices of runs that follow each other in a file are read as one.
fn stretches(mut parts: Vec<Listed<'_>>) -> Vec<Vec<Listed<'_>>> {
    // In the order of the file, and parts without slices as they came: nothing changes where there are none.
    parts.sort_by_key(|listed| listed.part.slice.map(|slice| (listed.part.path.as_str(), slice.from)));
    let mut stretches: Vec<Vec<Listed<'_>>> = Vec::new();
    for listed in parts {
        let goes_on = stretches.last().and_then(|stretch| stretch.last()).is_some_and(|last| {
            let touch = last.part.slice.zip(listed.part.slice).is_some_and(|(last, next)| last.to == next.from);
            touch && last.part.path == listed.part.path && last.run < listed.run
        });
        match stretches.last_mut() {
            Some(stretch) if goes_on => stretch.push(listed),
            _ => stretches.push(vec![listed]),
        }
    }
    stretches
}

/// Smallest and largest values of `run` and `ts` of each part.
struct Bounds<'a>(&'a [Listed<'a>]);

impl Bounds<'_> {
    fn values(&self, column: &Column, ts: impl Fn(&(i64, i64)) -> i64) -> Option<ArrayRef> {
        match column.name.as_str() {
            "run" => Some(Arc::new(StringArray::from_iter_values(self.0.iter().map(|listed| listed.run)))),
            "ts" => {
                Some(Arc::new(self.0.iter().map(|listed| listed.part.ts.as_ref().map(&ts)).collect::<Int64Array>()))
            }
            _ => None,
        }
    }
}

impl PruningStatistics for Bounds<'_> {
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

    /// What a long list of runs is asked by; a short one is compared with the bounds.
    fn contained(&self, column: &Column, values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        let runs: HashSet<&str> = values.iter().filter_map(|value| value.try_as_str().flatten()).collect();
        (column.name == "run").then(|| self.0.iter().map(|listed| Some(runs.contains(listed.run))).collect())
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
        let snapshot = visible(state, &self.snapshot);
        let parts = self.parts(state, filters, &snapshot)?;
        if parts.is_empty() {
            let schema = match projection {
                Some(columns) => Arc::new(self.schema.project(columns)?),
                None => Arc::clone(&self.schema),
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        let mut statistics = Statistics::new_unknown(&self.schema);
        let rows: u64 = parts.iter().map(|listed| listed.part.rows).sum();
        let files = stretches(parts).iter().map(|stretch| self.file(stretch)).collect::<Result<Vec<_>>>()?;
        statistics.num_rows = Precision::Exact(usize::try_from(rows).unwrap_or(usize::MAX));
        let store = ObjectStoreUrl::parse(self.lake.place().store_url())?;
        let config = FileScanConfigBuilder::new(store, Arc::new(ParquetSource::new(Arc::clone(&self.schema))))
            .with_statistics(statistics)
            .with_file_groups(FileGroup::new(files).split_files(state.config().target_partitions()))
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        ParquetFormat::default()
            .with_options(state.default_table_options().parquet)
            .create_physical_plan(state, config)
            .await
    }
}

/// `run` and `object`: rows made from the manifests.
#[derive(Debug)]
pub struct ManifestTable {
    schema: SchemaRef,
    rows: fn(&Snapshot) -> arrow::error::Result<RecordBatch>,
    snapshot: Current,
}

impl ManifestTable {
    pub fn new(table: &'static Table, snapshot: Current) -> Self {
        Self { schema: read_schema(table), rows: manifest_rows::of(table), snapshot }
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
        let rows = (self.rows)(&visible(state, &self.snapshot))?;
        MemTable::try_new(Arc::clone(&self.schema), vec![vec![rows]])?.scan(state, projection, filters, limit).await
    }
}
