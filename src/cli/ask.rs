//! `tracelake sql`, `query` and `explain`: run a query, or report how it runs.

use clap::Args;

use super::failure::CommandFailure;
use super::lake_args::{LakeArgs, RunArgs};
use super::output::{self, OutputArgs};
use super::parameter::NameValue;
use super::{name_and_value, non_empty, parameter, queries};
use crate::error::{Error, ErrorKind};
use crate::frame::Frame;
use crate::session::Value;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake sql \"select run, count(*) as steps from step group by run\"
  tracelake sql \"select * from step_duration()\" --on path/to/profile
  tracelake sql 'select * from event where name = $name' --param name=forward
  tracelake sql - < query.sql")]
pub(super) struct SqlArgs {
    /// SQL to run; `-` reads it from stdin
    #[arg(allow_hyphen_values = true)]
    text: String,
    /// Read only this run, or the profile at this path or URL; may be given several times [default: all runs]
    #[arg(long = "on", value_name = "RUN")]
    runs: Vec<String>,
    /// Value of `$name` in the SQL: a number, true or false, a list in brackets, or text. Quotes make any value a text:
    /// --param "id='123'"; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = name_and_value)]
    params: Vec<(String, String)>,
    #[command(flatten)]
    shown: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake query step.duration path/to/profile
  tracelake query loader.share run_1 run_2
  tracelake query step.outliers my_run --format json")]
pub(super) struct QueryArgs {
    /// Name of the query, such as step.duration
    name: String,
    #[command(flatten)]
    runs: RunArgs,
    /// Parameter of the query, with the type that the query declares; commas separate the items of a list. May be given
    /// several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = name_and_value)]
    params: Vec<(String, String)>,
    #[command(flatten)]
    shown: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake explain step.duration my_run
  tracelake explain \"select count(*) from event where category = 'kernel'\"")]
pub(super) struct ExplainArgs {
    /// Name of a canned query, such as step.duration, or SQL; `-` reads SQL from stdin
    #[arg(allow_hyphen_values = true)]
    query: String,
    #[command(flatten)]
    runs: RunArgs,
    /// Parameter of the query or value of `$name` in the SQL, as for `query` and `sql`; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = name_and_value)]
    params: Vec<(String, String)>,
    #[command(flatten)]
    shown: OutputArgs,
}

pub(super) fn sql(lake: &LakeArgs, arguments: SqlArgs) -> Result<(), CommandFailure> {
    let output = arguments.shown.output()?;
    output.write(&run_sql(lake, &arguments.text, &arguments.runs, &arguments.params)?)
}

pub(super) fn query(lake: &LakeArgs, arguments: QueryArgs) -> Result<(), CommandFailure> {
    let output = arguments.shown.output()?;
    output.write(&run_query(lake, &arguments.name, &arguments.runs.names(), &arguments.params)?)
}

pub(super) fn explain(lake: &LakeArgs, arguments: ExplainArgs) -> Result<(), CommandFailure> {
    let ExplainArgs { query, runs, params, shown } = arguments;
    let output = shown.output()?;
    // SQL contains whitespace, names of queries do not.
    let is_sql = query == "-" || query.trim().contains(char::is_whitespace);
    let run = if is_sql { run_sql } else { run_query };
    output.write(&run(lake, &query, &runs.names(), &params)?.explain()?)
}

fn run_sql(lake: &LakeArgs, text: &str, runs: &[String], params: &[NameValue]) -> Result<Frame, CommandFailure> {
    let text = if text == "-" { output::read_stdin()? } else { text.to_owned() };
    if text.trim().is_empty() {
        return Err(Error::new(ErrorKind::Argument, "cannot run SQL: the text is empty").into());
    }
    let values = parameter::parse_for_sql(&text, params)?;
    let values: Vec<(&str, Value)> = values.iter().map(|(name, v)| (name.as_str(), v.clone())).collect();
    let session = lake.open_for(runs)?;
    if !runs.is_empty() {
        session.limit_to(runs)?;
    }
    Ok(session.sql_with(&text, &values)?)
}

fn run_query(lake: &LakeArgs, name: &str, runs: &[String], params: &[NameValue]) -> Result<Frame, CommandFailure> {
    let session = lake.open_for(runs)?;
    let values = parameter::parse_declared(queries::find_query(&session.queries(), name)?, params)?;
    Ok(session.query_runs(name, non_empty(runs), values)?)
}
