//! Converts errors of DataFusion into errors for users.

use datafusion::common::{DataFusionError, SchemaError};

use crate::corrupt_files::{panic_error, store_failure};
use crate::error::{Error, ErrorKind, find_cause};

/// Converts an error of DataFusion into an error for users.
pub fn query_error(error: &DataFusionError) -> Error {
    if let Some(store) = find_cause(error) {
        return store_failure(store);
    }
    if let Some((why, hint)) = temporary_file_failure(&error.to_string()) {
        return Error::new(ErrorKind::Exhausted, format!("cannot write temporary rows of the query: {why}"))
            .with_hint(format!("{hint}set TMPDIR to another folder, or restrict the query to fewer runs or columns"));
    }
    match error.find_root() {
        DataFusionError::ResourcesExhausted(text) => {
            Error::new(ErrorKind::Exhausted, format!("the query needs too much memory: {}", shorten(text)))
                .with_hint("restrict it to fewer runs or columns")
        }
        DataFusionError::SchemaError(schema, _) => schema_error(schema),
        DataFusionError::SQL(parser, _) => {
            use datafusion::sql::sqlparser::parser::ParserError;
            let text = match parser.as_ref() {
                ParserError::TokenizerError(text) | ParserError::ParserError(text) => lowercase_first(text),
                ParserError::RecursionLimitExceeded => "it is nested too deeply".to_owned(),
            };
            Error::new(ErrorKind::Query, format!("cannot read the SQL: {text}"))
        }
        DataFusionError::NotImplemented(text) if text.contains("single SQL statement") => {
            Error::new(ErrorKind::Query, "cannot run several statements at once").with_hint("call `sql` once for each")
        }
        DataFusionError::Internal(text) => match unknown_call(text) {
            Some(text) => Error::new(ErrorKind::Query, text),
            None => Error::new(ErrorKind::Internal, shorten(text)),
        },
        DataFusionError::ExecutionJoin(task) if task.is_panic() => panic_error(),
        DataFusionError::External(inner) => match inner.downcast_ref::<Error>() {
            Some(ours) => Error::new(ours.kind(), ours.to_string()),
            None => Error::new(ErrorKind::Query, shorten(&inner.to_string())),
        },
        other => {
            let text = other.strip_backtrace();
            let text = unknown_call(&text).unwrap_or_else(|| shorten(&text));
            let unsupported = ["DDL not supported", "DML not supported", "statement not supported"];
            if unsupported.iter().any(|prefix| text.starts_with(prefix)) {
                return Error::new(ErrorKind::Query, "cannot run a statement that changes something: `sql` only reads")
                    .with_hint("create tables with option `writable`");
            }
            Error::new(ErrorKind::Query, text)
        }
    }
}

/// Why a file of temporary rows cannot be written, and what helps. Arrow converts errors of the file system to texts. Those
/// of the lake are errors of its store.
fn temporary_file_failure(text: &str) -> Option<(String, &'static str)> {
    let full = ["No space left on device", "Disk quota exceeded", "File too large"];
    let (before, _) = text.split_once(" (os error ").filter(|_| text.to_lowercase().contains("io error"))?;
    let why = before.rsplit(": ").next()?;
    Some(if full.contains(&why) {
        ("no space left".to_owned(), "free some space, ")
    } else {
        (lowercase_first(why), "")
    })
}

fn schema_error(error: &SchemaError) -> Error {
    if let SchemaError::FieldNotFound { field, valid_fields } = error {
        let known: Vec<&str> = valid_fields.iter().map(|column| column.name.as_str()).collect();
        return Error::unknown("column", &field.name, &known).with_kind(ErrorKind::Query);
    }
    Error::new(ErrorKind::Query, shorten(&error.to_string()))
}

/// Maximum number of forms of a function in a message.
const MAX_FORMS: usize = 3;

/// Returns the error of a call with wrong arguments, without the names of Arrow's types: DataFusion lists hundreds of forms.
fn unknown_call(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("No function matches the given name and argument types '")?;
    let (call, rest) = rest.split_once("'.")?;
    let mut forms = Vec::new();
    for form in rest.split("Candidate functions:").nth(1).unwrap_or_default().lines() {
        let form = sql_types(form.trim().trim_start_matches("\\t").trim());
        if !form.is_empty() && !form.contains("UserDefined") && !forms.contains(&form) {
            forms.push(form);
        }
    }
    let more = if forms.len() > MAX_FORMS { ", ..." } else { "" };
    let forms = forms.into_iter().take(MAX_FORMS).collect::<Vec<_>>().join(", ");
    let usage = text.split_once("the call is ").and_then(|(_, rest)| rest.split([')', '\n']).next());
    let there_is = match (forms.is_empty(), usage) {
        (false, _) => format!("; there is {forms}{more}"),
        (true, Some(usage)) => format!("; the call is {usage})"),
        (true, None) => String::new(),
    };
    Some(format!("no function {}{there_is}", sql_types(call)))
}

/// Returns the error of a text that is compared with a number.
fn no_number(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("Cannot cast string '")?;
    let (value, ty) = rest.split_once("' to value of ")?;
    let (ty, _) = ty.split_once(" type")?;
    Some(format!("cannot read '{value}' as {}", sql_types(ty)))
}

/// Replaces the names of Arrow's types by those of SQL.
fn sql_types(text: &str) -> String {
    let mut sql = text.to_owned();
    // A timestamp has a unit and a time zone.
    for name in ["Timestamp", "Interval", "Time32", "Time64", "Duration"] {
        while let Some(start) = sql.find(&format!("{name}(")) {
            let end = sql[start..].find(')').map_or(sql.len(), |end| start + end + 1);
            sql.replace_range(start..end, &name.to_lowercase());
        }
    }
    let names = [
        ("Numeric(1)", "number"),
        ("Utf8View", "text"),
        ("LargeUtf8", "text"),
        ("Utf8", "text"),
        ("String", "text"),
        ("UInt64", "bigint"),
        ("Int64", "bigint"),
        ("Float64", "double"),
        ("Boolean", "boolean"),
        ("Date32", "date"),
        ("Date64", "date"),
        ("Timestamp", "timestamp"),
        ("Interval", "interval"),
        ("Null", "null"),
    ];
    names
        .iter()
        .fold(sql, |sql, (arrow, name)| sql.replace(arrow, name))
        .replace("time32", "time")
        .replace("time64", "time")
}

/// Removes DataFusion's prefixes for its stages, and its request to report a bug.
fn shorten(text: &str) -> String {
    if let Some(text) = no_number(text) {
        return text;
    }
    let text = text.split("\nThis issue was likely caused by").next().unwrap_or(text).trim();
    let stages = [
        "Error during planning: ",
        "SQL error: ",
        "Execution error: ",
        "Arrow error: ",
        "This feature is not implemented: ",
        "Schema error: ",
    ];
    let text = stages.iter().fold(text, |text, stage| text.strip_prefix(stage).unwrap_or(text));
    lowercase_first(&text.replace("datafusion.public.", ""))
}

/// Converts the first letter to lower case, unless the text begins with a name in capitals. Removes
/// dots at the end.
fn lowercase_first(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}
