//! From a plan to a frame, and from the engine's errors to ours.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::common::{DataFusionError, SchemaError};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, SendableRecordBatchStream, execute_stream};
use futures::StreamExt;

use super::Session;
use super::damage::{cause, explain, explain_panic, panicked, store_failure};
use super::engine::Pulled;
use super::plans::Plan;
use super::provider::current;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::{Batches, Frame, Rerun};
use crate::lake::{Lake, Snapshot};

/// A planned query that can be run again and again.
pub(super) struct Planned {
    /// Also keeps a temporary lake as long as a frame may still read it.
    pub(super) session: Session,
    plan: Arc<Plan>,
    schema: SchemaRef,
    /// The runs as they were when the question was asked: every execution sees these.
    pub(super) snapshot: Snapshot,
}

/// A frame over a plan. Nothing is executed yet.
pub(super) fn frame(session: &Session, plan: Arc<Plan>) -> Frame {
    frame_of(session, plan, current(&session.inner.snapshot))
}

/// The same over the runs of this snapshot.
pub(super) fn frame_of(session: &Session, plan: Arc<Plan>, snapshot: Snapshot) -> Frame {
    let planned = planned(session, plan, snapshot);
    Frame::new(Arc::clone(&planned.schema), Box::new(planned))
}

/// The rows of a plan as a snapshot has them, once.
pub(super) fn batches(session: &Session, plan: LogicalPlan, snapshot: &Snapshot) -> Result<Batches> {
    planned(session, Plan::new(plan, ""), Arc::clone(snapshot)).stream()
}

fn planned(session: &Session, plan: Arc<Plan>, snapshot: Snapshot) -> Planned {
    let fields = plan.logical.schema().as_arrow().fields().iter().map(|field| {
        // Nullability differs between plan and batches in places; every column may hold null.
        let field = field.as_ref().clone().with_nullable(true);
        // Not every library that takes Arrow knows views.
        if field.data_type() == &DataType::Utf8View { field.with_data_type(DataType::Utf8) } else { field }
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    Planned { session: session.clone(), plan, schema, snapshot }
}

impl Rerun for Planned {
    fn stream(&self) -> Result<Batches> {
        let inner = &self.session.inner;
        let span = tracing::info_span!("answer", question = self.question(), rows = tracing::field::Empty);
        let ready = self.plan.ready(&self.snapshot).map_err(|error| query_error(&error))?;
        let (plan, batches) = match ready {
            Some((plan, task)) => {
                // What is executed begins tasks.
                let _runtime = inner.engine.handle().enter();
                let batches = execute_stream(Arc::clone(&plan), task);
                (plan, batches.map_err(|error| query_error(&error))?)
            }
            None => self.planned()?,
        };
        let running = Arc::new(Running { lake: inner.lake.clone(), plan, schema: Arc::clone(&self.schema) });
        let batches = AssertUnwindSafe(batches).catch_unwind().then(move |batch| {
            let running = Arc::clone(&running);
            async move { running.hand_out(batch).await }
        });
        Ok(Box::new(Rows { pulled: inner.engine.pull(batches)?, rows: 0, span, _session: self.session.clone() }))
    }

    fn explain(&self) -> Result<Frame> {
        self.explained()
    }
}

impl Planned {
    /// What was asked.
    pub(super) fn question(&self) -> &str {
        &self.plan.question
    }

    /// The rows of a plan that is made now.
    pub(super) fn planned(&self) -> Result<(Arc<dyn ExecutionPlan>, SendableRecordBatchStream)> {
        let inner = &self.session.inner;
        let (plan, snapshot) = (Arc::clone(&self.plan), Arc::clone(&self.snapshot));
        let (context, kept) = (inner.context.clone(), Arc::clone(&inner.kept));
        inner.engine.run(async move {
            let planned = async {
                let (plan, task) = plan.executable(&context, &kept, &snapshot).await?;
                Ok((Arc::clone(&plan), execute_stream(plan, task)?))
            };
            planned.await.map_err(|error| query_error(&error))
        })
    }
}

/// What its batches have to be held against.
struct Running {
    lake: Lake,
    plan: Arc<dyn ExecutionPlan>,
    schema: SchemaRef,
}

impl Running {
    async fn hand_out(&self, batch: std::thread::Result<Result<RecordBatch, DataFusionError>>) -> Result<RecordBatch> {
        match batch {
            Ok(Ok(batch)) => {
                let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
                // Also, the optimiser takes text of one representation for that of another, where it puts a constant in.
                let columns = batch.columns().iter().zip(self.schema.fields()).map(|(column, field)| {
                    if column.data_type() == field.data_type() {
                        Ok(Arc::clone(column))
                    } else {
                        cast(column, field.data_type())
                    }
                });
                let columns = columns.collect::<std::result::Result<Vec<_>, _>>();
                columns
                    .and_then(|columns| RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows))
                    .map_err(|error| query_error(&error.into()))
            }
            Ok(Err(error)) => Err(explain(&self.lake, &self.plan, &error).await),
            Err(_) => Err(explain_panic(&self.lake, &self.plan).await),
        }
    }
}

/// The batches of one execution.
struct Rows {
    pulled: Pulled<RecordBatch>,
    /// Rows that were handed out.
    rows: usize,
    span: tracing::Span,
    /// A temporary lake stays as long as it is read.
    _session: Session,
}

impl Iterator for Rows {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.pulled.next();
        if let Some(Ok(batch)) = &next {
            self.rows += batch.num_rows();
            self.span.record("rows", self.rows);
        }
        next
    }
}

/// What an error of the engine means to a user.
pub(super) fn query_error(error: &DataFusionError) -> Error {
    if let Some(store) = cause(error) {
        return store_failure(store);
    }
    match error.find_root() {
        DataFusionError::ResourcesExhausted(text) => {
            Error::new(ErrorKind::Exhausted, format!("the query needs too much memory: {}", short(text)))
                .with_hint("restrict it to fewer runs or columns")
        }
        DataFusionError::SchemaError(schema, _) => schema_error(schema),
        DataFusionError::SQL(parser, _) => {
            use datafusion::sql::sqlparser::parser::ParserError;
            let text = match parser.as_ref() {
                ParserError::TokenizerError(text) | ParserError::ParserError(text) => lower(text),
                ParserError::RecursionLimitExceeded => "it is nested too deeply".to_owned(),
            };
            Error::new(ErrorKind::Query, format!("cannot read the SQL: {text}"))
        }
        DataFusionError::NotImplemented(text) if text.contains("single SQL statement") => {
            Error::new(ErrorKind::Query, "cannot run several statements at once").with_hint("call `sql` once for each")
        }
        DataFusionError::Internal(text) => Error::new(ErrorKind::Internal, short(text)),
        DataFusionError::ExecutionJoin(task) if task.is_panic() => panicked(),
        DataFusionError::External(inner) => match inner.downcast_ref::<Error>() {
            Some(ours) => Error::new(ours.kind(), ours.to_string()),
            None => Error::new(ErrorKind::Query, short(&inner.to_string())),
        },
        other => {
            let text = short(&other.strip_backtrace());
            if ["DDL not supported", "DML not supported", "statement not supported"]
                .iter()
                .any(|word| text.starts_with(word))
            {
                return Error::new(ErrorKind::Query, "cannot run a statement that changes something: `sql` only reads")
                    .with_hint("open the session with writable=True for tables of its own");
            }
            Error::new(ErrorKind::Query, text)
        }
    }
}

fn schema_error(error: &SchemaError) -> Error {
    if let SchemaError::FieldNotFound { field, valid_fields } = error {
        let known: Vec<&str> = valid_fields.iter().map(|column| column.name.as_str()).collect();
        return Error::unknown("column", &field.name, &known).of_kind(ErrorKind::Query);
    }
    Error::new(ErrorKind::Query, short(&error.to_string()))
}

/// The text without the engine's own names for its stages.
fn short(text: &str) -> String {
    let text = text.trim();
    let stages = [
        "Error during planning: ",
        "SQL error: ",
        "Execution error: ",
        "Arrow error: ",
        "This feature is not implemented: ",
        "Schema error: ",
    ];
    let text = stages.iter().fold(text, |text, stage| text.strip_prefix(stage).unwrap_or(text));
    lower(&text.replace("datafusion.public.", ""))
}

/// The text with a small first letter, unless it begins with a name in capitals.
fn lower(text: &str) -> String {
    let mut letters = text.trim().trim_end_matches('.').chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.trim().trim_end_matches('.').to_owned(),
    }
}
