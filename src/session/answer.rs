//! From a plan to a frame, and from the engine's errors to ours.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use arrow::array::RecordBatch;
use arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::{DataFusionError, SchemaError};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::DataFrame;
use futures::StreamExt;

use super::Session;
use super::engine::boxed;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::{Batches, Frame, Rerun};
use crate::source::store_error;

/// A planned query that can be run again and again.
struct Planned {
    /// Also keeps a temporary lake as long as a frame may still read it.
    session: Session,
    plan: LogicalPlan,
    schema: SchemaRef,
}

/// A frame over a plan. Nothing is executed yet.
pub(super) fn frame(session: &Session, plan: LogicalPlan) -> Frame {
    // Nullability differs between plan and batches in places; every column may hold null.
    let fields = plan.schema().as_arrow().fields().iter();
    let fields: Vec<_> = fields.map(|field| Arc::new(field.as_ref().clone().with_nullable(true))).collect();
    let schema = Arc::new(Schema::new(fields));
    let planned = Planned { session: session.clone(), plan, schema: Arc::clone(&schema) };
    Frame::new(schema, Box::new(planned))
}

impl Rerun for Planned {
    fn stream(&self) -> Result<Batches> {
        let (inner, plan) = (&self.session.inner, self.plan.clone());
        let context = inner.context.clone();
        let started = inner.engine.run(async move {
            let frame = DataFrame::new(context.state(), plan);
            frame.execute_stream().await.map_err(|error| query_error(&error))
        })?;
        let (handle, schema) = (inner.engine.handle().clone(), Arc::clone(&self.schema));
        Ok(boxed(inner.engine.batches(move |give| handle.block_on(pull(started, &schema, give)))?))
    }
}

async fn pull(mut stream: SendableRecordBatchStream, schema: &SchemaRef, give: &SyncSender<Result<RecordBatch>>) {
    while let Some(batch) = stream.next().await {
        let batch = batch.map_err(|error| query_error(&error)).and_then(|batch| {
            RecordBatch::try_new_with_options(
                Arc::clone(schema),
                batch.columns().to_vec(),
                &arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows())),
            )
            .map_err(|error| query_error(&error.into()))
        });
        let failed = batch.is_err();
        // The consumer may have gone: then nobody wants more.
        if give.send(batch).is_err() || failed {
            return;
        }
    }
}

/// What an error of the engine means to a user.
pub(super) fn query_error(error: &DataFusionError) -> Error {
    match error.find_root() {
        DataFusionError::ObjectStore(store) => {
            if matches!(store.as_ref(), object_store::Error::NotFound { .. }) {
                return Error::new(ErrorKind::NotFound, "cannot read a part of the lake: it is gone")
                    .with_hint("the lake was changed meanwhile: call `refresh`, or open it again");
            }
            let copy = object_store::Error::Generic { store: "store", source: store.to_string().into() };
            store_error("read the lake", copy)
        }
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
        DataFusionError::Internal(text) => Error::new(ErrorKind::Internal, short(text)),
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
