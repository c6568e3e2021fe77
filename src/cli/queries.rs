//! `tracelake queries`: lists and describes canned queries, saves and deletes queries in the lake.

use clap::Args;

use super::failure::CommandFailure;
use super::lake_args::LakeArgs;
use super::{name_and_value, output, parameter};
use crate::catalog::{self, Query};
use crate::error::{Error, ErrorKind, ErrorSubject, Result};
use crate::session::{Value, full_saved_name};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake queries
  tracelake queries step.duration
  tracelake queries my.slow_steps --save 'select run, step, dur from step where dur > $dur' --param dur=1000000000
  tracelake queries my.slow_steps --delete")]
pub(super) struct QueriesArgs {
    /// Name of the query to describe [default: list all queries]
    name: Option<String>,
    /// List only the queries that are saved in the lake
    #[arg(long, conflicts_with_all = ["name", "save", "delete"])]
    saved: bool,
    /// Save this SQL in the lake as query NAME; a header is optional. `-` reads it from stdin
    #[arg(long, value_name = "SQL", requires = "name", allow_hyphen_values = true)]
    save: Option<String>,
    /// Default of `$name` in the SQL to save, written as for `sql`; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = name_and_value, requires = "save")]
    params: Vec<(String, String)>,
    /// Delete the saved query NAME
    #[arg(long, requires = "name", conflicts_with = "save")]
    delete: bool,
}

/// Runs the command.
pub(super) fn run(lake: &LakeArgs, arguments: &QueriesArgs) -> Result<(), CommandFailure> {
    if let (Some(name), Some(text)) = (&arguments.name, &arguments.save) {
        let text = if text == "-" { output::read_stdin()? } else { text.clone() };
        // A header has defaults; SQL without a header gets them from --param.
        let values =
            if arguments.params.is_empty() { Vec::new() } else { parameter::parse_for_sql(&text, &arguments.params)? };
        let values: Vec<(&str, Value)> = values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        lake.open_to_write(false)?.save_query(name, &text, &values)?;
        let name = full_saved_name(name);
        return output::print_line(&format!("saved query `{name}`; run it with `tracelake query {name}`"));
    }
    if let (Some(name), true) = (&arguments.name, arguments.delete) {
        lake.open()?.delete_query(name)?;
        return output::print_line(&format!("deleted query `{}`", full_saved_name(name)));
    }
    let mut all: Vec<Query> = catalog::queries().iter().filter(|query| query.family().is_some()).cloned().collect();
    let known = arguments.name.as_ref().is_some_and(|name| all.iter().any(|query| query.name == *name));
    // The user's own queries need a session, those of the catalog do not.
    if lake.queries.is_some() || arguments.saved || !known && (arguments.name.is_some() || lake.url().is_some()) {
        let session = lake.open()?;
        let saved = session.saved_queries();
        all = session.queries();
        all.retain(|query| !arguments.saved || saved.contains(&query.name));
    }
    match &arguments.name {
        Some(name) => output::print_line(&output::describe_query(find_query(&all, name)?)),
        None => {
            let width = all.iter().map(|query| query.name.len() + 2).max().unwrap_or_default();
            all.iter()
                .try_for_each(|query| output::print_line(&format!("{:<width$}{}", query.name, query.header.summary)))
        }
    }
}

/// Returns the query of this name.
pub(super) fn find_query<'a>(all: &'a [Query], name: &str) -> Result<&'a Query> {
    all.iter().find(|query| query.name == name).ok_or_else(|| {
        let error = Error::unknown("query", name, &all.iter().map(|query| query.name.as_str()).collect::<Vec<_>>());
        // If names of queries contain the word, suggest a search.
        let fits = error.hint().is_some() && all.iter().any(|query| query.name.contains(name));
        if fits {
            Error::new(ErrorKind::NotFound, error.message())
                .with_subject(ErrorSubject::Usage)
                .with_hint(format!("find queries about it with `tracelake help {name}`"))
        } else {
            error
        }
    })
}
