//! What errors of DataFusion mean to a user.

use datafusion::common::{DataFusionError, SchemaError};

use crate::damage::{cause, panicked, store_failure};
use crate::error::{Error, ErrorKind};

/// What an error of the engine means to a user.
pub fn query_error(error: &DataFusionError) -> Error {
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
                    .with_hint("create tables with option `writable`");
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
