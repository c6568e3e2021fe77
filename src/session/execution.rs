//! Executes plans: a frame runs its plan each time its rows are read.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch, RecordBatchOptions};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::common::DataFusionError;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, SendableRecordBatchStream, execute_stream};
use futures::{FutureExt, StreamExt};
use object_store::path::Path;
use parking_lot::Mutex;
use tracelake_engine::corrupt_files::{
    ExplainedError, QueryFailure, explain, explain_lost_file, explain_planning_failure, find_lost_file_on_disk,
    scanned_files,
};
use tracelake_engine::plan::plans::QueryPlan;
use tracelake_engine::provider::current_snapshot;
use tracelake_engine::query_error;
use tracelake_engine::runtime::PulledStream;
use tracelake_engine::times::units::column_units;

use super::Session;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::{Batches, Frame, RowSource, frame_field};
use crate::lake::{Lake, LakeFault, Manifest, Snapshot};

/// A planned query that can be run again and again.
#[derive(Clone)]
pub(super) struct PlannedQuery {
    /// Keeps a temporary lake until no frame reads it any more.
    pub(super) session: Session,
    plan: Arc<QueryPlan>,
    schema: SchemaRef,
    /// The runs as they were when the query was made: each execution sees these.
    pub(super) snapshot: Snapshot,
}

/// Returns a frame for a plan, without running it.
pub(super) fn frame(session: &Session, plan: Arc<QueryPlan>) -> Frame {
    frame_of(session, plan, current_snapshot(&session.inner.snapshot))
}

/// As [`frame`], for the runs of this snapshot.
pub(super) fn frame_of(session: &Session, plan: Arc<QueryPlan>, snapshot: Snapshot) -> Frame {
    let planned = plan_query(session, plan, snapshot);
    Frame::new(Arc::clone(&planned.schema), Box::new(planned))
}

/// Runs a plan once on a snapshot.
pub(crate) fn batches(session: &Session, plan: LogicalPlan, snapshot: &Snapshot) -> Result<Batches> {
    plan_query(session, QueryPlan::new(plan, ""), Arc::clone(snapshot)).stream()
}

/// Returns a query with the schema of its frame.
fn plan_query(session: &Session, plan: Arc<QueryPlan>, snapshot: Snapshot) -> PlannedQuery {
    let units = column_units(&plan.logical);
    let fields = plan.logical.schema().as_arrow().fields().iter().zip(units).map(|(field, unit)| {
        // Nullability sometimes differs between plan and batches, so every column may have nulls.
        let field = field.as_ref().clone().with_nullable(true);
        // Some libraries that read Arrow do not know view types.
        let field = if field.data_type() == &DataType::Utf8View { field.with_data_type(DataType::Utf8) } else { field };
        let mut metadata = field.metadata().clone();
        metadata.remove("unit");
        metadata.extend(unit.map(|unit| ("unit".to_owned(), unit.as_str().to_owned())));
        frame_field(field.with_metadata(metadata))
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    PlannedQuery { session: session.clone(), plan, schema, snapshot }
}

impl RowSource for PlannedQuery {
    fn stream(&self) -> Result<Batches> {
        let span = tracing::info_span!("query", name = self.question(), rows = tracing::field::Empty);
        let mut query = self.clone();
        let (pulled, lost) = query.start_excluding_lost_files()?;
        Ok(Box::new(ResultBatches { query, pulled, lost, started: false, rows: 0, span }))
    }

    fn explain(&self) -> Result<Frame> {
        self.explain_query()
    }
}

impl PlannedQuery {
    /// Returns the text of the query.
    pub(super) fn question(&self) -> &str {
        &self.plan.question
    }

    /// Plans the query for `explain`, which reads tables and not cached views, and starts it.
    pub(super) fn start_uncached(&self) -> Result<(Arc<dyn ExecutionPlan>, SendableRecordBatchStream)> {
        self.try_start(true).map_err(|explained| explained.error)
    }

    /// Plans the query and starts it.
    fn try_start(
        &self,
        explained: bool,
    ) -> Result<(Arc<dyn ExecutionPlan>, SendableRecordBatchStream), ExplainedError> {
        let inner = &self.session.inner;
        let (plan, snapshot, lake) = (Arc::clone(&self.plan), Arc::clone(&self.snapshot), inner.lake.clone());
        let (context, views) = (inner.context.clone(), Arc::clone(&inner.views));
        inner.engine.run(async move {
            let started = async {
                let (plan, task) = plan.create_executable(&context, &views, &snapshot, explained).await?;
                Ok((Arc::clone(&plan), execute_stream(plan, task)?))
            };
            Ok(match AssertUnwindSafe(started).catch_unwind().await {
                Ok(Ok(started)) => Ok(started),
                Ok(Err(error)) => Err(explain_planning_failure(&lake, &snapshot, QueryFailure::Error(&error)).await),
                Err(_) => Err(explain_planning_failure(&lake, &snapshot, QueryFailure::Panic).await),
            })
        })?
    }

    /// Starts an execution. If planning finds a missing or corrupt data file, excludes the runs in that file and plans again.
    fn start_excluding_lost_files(&mut self) -> Result<(PulledStream<RecordBatch>, Arc<LostFile>)> {
        loop {
            match self.pull() {
                Ok(started) => return Ok(started),
                Err(ExplainedError { error, lost }) => self.exclude_runs_in(lost, error)?,
            }
        }
    }

    fn pull(&self) -> Result<(PulledStream<RecordBatch>, Arc<LostFile>), ExplainedError> {
        let inner = &self.session.inner;
        let ready = self.plan.ready(&self.snapshot).map_err(|error| query_error(&error))?;
        let (plan, batches) = match ready {
            Some((plan, task)) => {
                // The execution spawns tasks.
                let _runtime = inner.engine.handle().enter();
                let batches = execute_stream(Arc::clone(&plan), task);
                (plan, batches.map_err(|error| query_error(&error))?)
            }
            None => self.try_start(false)?,
        };
        let lake = inner.lake.clone();
        if let Some(lost) = find_lost_file_on_disk(&lake, &plan)
            && let Some(explained) = inner.engine.run(async move { Ok(explain_lost_file(&lake, lost).await) })?
        {
            return Err(explained);
        }
        let lost = Arc::new(LostFile::default());
        let running = Arc::new(Running {
            lake: inner.lake.clone(),
            plan,
            schema: Arc::clone(&self.schema),
            lost: Arc::clone(&lost),
        });
        let batches = AssertUnwindSafe(batches).catch_unwind().then(move |batch| {
            let running = Arc::clone(&running);
            async move { running.convert(batch).await }
        });
        Ok((inner.engine.pull(batches)?, lost))
    }

    /// Excludes the runs that have rows in a missing or corrupt data file, and reports them to the session.
    ///
    /// # Errors
    /// `error`, if it is not about a data file, if the query names the run, or if no other run is left.
    fn exclude_runs_in(&mut self, lost: Option<Path>, error: Error) -> Result<()> {
        let Some(lost) = lost else { return Err(error) };
        let lake = &self.session.inner.lake;
        let has_lost = |run: &&Arc<Manifest>| run.parts.iter().any(|part| lake.location().resolve(&part.path) == lost);
        let excluded: Vec<String> = self.snapshot.values().filter(has_lost).map(|run| run.run.clone()).collect();
        let mut remaining = BTreeMap::clone(&self.snapshot);
        remaining.retain(|run, _| !excluded.contains(run));
        let is_about = |run: &String| self.plan.runs.as_ref().is_some_and(|runs| runs.contains(run));
        if excluded.is_empty() || remaining.is_empty() || excluded.iter().any(is_about) {
            return Err(error);
        }
        for run in excluded {
            self.session.report_fault(LakeFault::for_data_file(run, lake.location(), &lost, &error));
        }
        self.snapshot = Arc::new(remaining);
        Ok(())
    }
}

/// The missing or corrupt data file that stopped an execution.
type LostFile = Mutex<Option<Path>>;

/// A running execution, as far as its batches and errors need it.
struct Running {
    lake: Lake,
    plan: Arc<dyn ExecutionPlan>,
    schema: SchemaRef,
    lost: Arc<LostFile>,
}

impl Running {
    /// Returns a batch with the schema of the frame, or the explained error.
    async fn convert(&self, batch: std::thread::Result<Result<RecordBatch, DataFusionError>>) -> Result<RecordBatch> {
        let failure = match &batch {
            Ok(Ok(batch)) => {
                check_text(batch)?;
                let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
                // A constant that the optimizer inserts may have another text type than the column.
                let columns = batch.columns().iter().zip(self.schema.fields());
                let columns = columns.map(|(column, field)| cast(column, field.data_type()));
                let columns = columns.collect::<std::result::Result<Vec<_>, _>>();
                return columns
                    .and_then(|columns| RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows))
                    .map_err(|error| query_error(&error.into()));
            }
            Ok(Err(error)) => QueryFailure::Error(error),
            Err(_) => QueryFailure::Panic,
        };
        let ExplainedError { error, lost } = explain(&self.lake, scanned_files(&self.plan), failure).await;
        *self.lost.lock() = lost;
        Err(error)
    }
}

/// Maximum bytes of text in a batch of a result. In a file, a text that repeats is stored once; a result may have a copy for
/// each row.
const MAX_TEXT: usize = 1 << 30;

/// Returns an error for a batch with more text than fits into memory.
fn check_text(batch: &RecordBatch) -> Result<()> {
    let mut bytes = 0;
    for texts in batch.columns().iter().filter_map(|column| column.as_string_view_opt()) {
        bytes += texts.lengths().map(|length| length as usize).sum::<usize>();
    }
    if bytes > MAX_TEXT {
        let text = format!("the result is too large: {} rows have {bytes} bytes of text", batch.num_rows());
        return Err(
            Error::new(ErrorKind::Exhausted, text).with_hint("select fewer columns, or shorten the texts with `left`")
        );
    }
    Ok(())
}

/// The batches of one execution.
struct ResultBatches {
    /// Keeps a temporary lake until the last batch.
    query: PlannedQuery,
    pulled: PulledStream<RecordBatch>,
    lost: Arc<LostFile>,
    /// True after the first batch.
    started: bool,
    /// Number of returned rows.
    rows: usize,
    span: tracing::Span,
}

impl Iterator for ResultBatches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.pulled.next() {
                Some(Ok(batch)) => {
                    self.started = true;
                    self.rows += batch.num_rows();
                    self.span.record("rows", self.rows);
                    return Some(Ok(batch));
                }
                Some(Err(error)) if !self.started => {
                    let lost = self.lost.lock().take();
                    let restarted =
                        self.query.exclude_runs_in(lost, error).and_then(|()| self.query.start_excluding_lost_files());
                    match restarted {
                        Ok((pulled, lost)) => (self.pulled, self.lost) = (pulled, lost),
                        Err(error) => return Some(Err(error)),
                    }
                }
                ended => return ended,
            }
        }
    }
}
