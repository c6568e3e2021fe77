//! The command line: every command is a few calls on a session.
//!
//! Results go to stdout, progress and errors to stderr. Rows are a table on a terminal and CSV in a pipe.
//! Exit codes: 0 success, 1 a gate fails, a finding is critical or rows of the lake are lost, 2 wrong
//! usage or bad SQL, 3 the input could not be read, 4 the lake or the output could not be read or
//! written, 5 internal error, 6 a gate is inconclusive, 130 interrupted.

mod ask;
mod browser;
mod cluster;
mod compare;
mod diagnose;
mod export;
mod failure;
mod figure;
mod help;
mod housekeeping;
mod ingest;
mod jupyter;
mod lake_args;
mod output;
mod parameter;
mod progress;
mod queries;
mod record;
mod reference;
mod report;
mod rules;

use std::ffi::OsString;
use std::io::Write;
use std::panic::AssertUnwindSafe;

use clap::{Parser, Subcommand};

use self::failure::CommandFailure;
use self::lake_args::{LakeArgs, RunArgs};
use self::output::OutputArgs;
use crate::error::{Error, ErrorKind, Result};
use crate::format::FORMATS;
use crate::{SelfTrace, self_trace};

pub use tracelake_model::file::write_file;

pub use crate::export::{export_duckdb, export_file};
pub use reference::reference;
pub use rules::write_rule_reports;

/// Read profiles of training jobs into one set of SQL tables
///
/// Commands take a run of the lake or the path of a profile. A path is read into the lake first.
#[derive(Debug, Parser)]
#[command(name = "tracelake", version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  tracelake diagnose path/to/profile
  tracelake query step.duration path/to/profile
  tracelake sql \"select run, count(*) as steps from step group by run\"
  tracelake help ingest")]
struct CliArgs {
    #[command(flatten)]
    lake: LakeArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read one profile, or many profiles, into the lake
    ///
    /// Use it to store the runs of a team in one lake, to follow a running job, or to set tags, clock offsets and columns.
    /// For a quick look you do not need it: the other commands read a profile when you give its path.
    Ingest(ingest::IngestArgs),
    /// List the runs of the lake
    ///
    /// Use it to find names of runs for other commands. Each row has the key metrics of a run.
    #[command(after_help = "\
Examples:
  tracelake runs
  tracelake runs --format json
  tracelake --lake s3://bucket/lake runs")]
    Runs {
        #[command(flatten)]
        shown: OutputArgs,
    },
    /// Run a Python program and record its data loaders and the machine, without changes to the program
    ///
    /// Use it when a job has no profile yet, or when its profile has no data about data loaders.
    Record(record::RecordArgs),
    /// Run SQL on the tables of the lake
    ///
    /// Use it when no canned query fits. `tracelake help WORD` finds tables and columns.
    Sql(ask::SqlArgs),
    /// Run a canned query
    ///
    /// Use it for common questions about steps, data loading, GPUs and communication. `tracelake queries` lists the
    /// queries. `tracelake queries NAME` prints the parameters and columns of one query.
    Query(ask::QueryArgs),
    /// Run a query and report how it ran: what it read, what it skipped, and how long each operator took
    ///
    /// Use it when a query is slow or has no rows.
    Explain(ask::ExplainArgs),
    /// Write all rows of a table
    ///
    /// Use it to load a table into another program. For some of the rows, use `tracelake sql`.
    #[command(after_help = "\
Examples:
  tracelake table step path/to/profile
  tracelake table event --run my_run --columns run,name,ts,dur -o events.parquet")]
    Table {
        /// Name of the table, such as event
        name: String,
        #[command(flatten)]
        runs: RunArgs,
        /// Columns to write, separated by commas [default: all]
        #[arg(long, value_delimiter = ',', value_parser = column_name)]
        columns: Option<Vec<String>>,
        #[command(flatten)]
        shown: OutputArgs,
    },
    /// Draw a figure, or `all` figures, as an HTML page, as Plotly JSON, or as a picture
    ///
    /// Use it to see one aspect of a run. For findings and figures on one page, use `tracelake report`. The page contains
    /// all it needs: it opens without a network.
    Figure(figure::FigureArgs),
    /// Write a run as a trace for ui.perfetto.dev and chrome://tracing, or the lake for Delta Lake or DuckDB
    ///
    /// Use it to see a run in a trace viewer, or to query the lake with another engine.
    Export(export::ExportArgs),
    /// Write the reports of the profiler rules of SageMaker Debugger for a run: a file <Rule>.json per rule
    ///
    /// Use it for programs that read the reports of SageMaker Debugger, which AWS no longer runs.
    #[command(after_help = "\
Examples:
  tracelake rules path/to/profiler-output -o reports
  tracelake rules my_run --defaults docs -o reports")]
    Rules {
        /// Name of the run, or path of its profile
        run: String,
        /// Source of the limits: history (the code of the rules), rulesconfig or docs (both by AWS), or reported (the reports
        /// of the run)
        #[arg(long, default_value = "history")]
        defaults: String,
        /// Folder to write to; it is created if it does not exist
        #[arg(short, long, value_name = "FOLDER")]
        output: std::path::PathBuf,
    },
    /// Compare two runs, or two groups of runs, and report which changes are more than noise
    ///
    /// Use it to find out what became slower after a change. To fail a CI job on a regression, use `tracelake gate`.
    Compare(compare::CompareArgs),
    /// Create, change or list baselines: named sets of runs to compare other runs with
    ///
    /// Use it to give `tracelake gate` and `tracelake compare` a name that stays the same when the runs change.
    Baseline(compare::BaselineArgs),
    /// Check limits for a run, compared with a baseline; exit code 1 when a limit is not met, 6 when that is not known
    ///
    /// Use it in CI to fail a job on a regression.
    Gate(compare::GateArgs),
    /// Report what is slow in runs, why, and how sure that is; exit code 1 when a finding is critical
    ///
    /// Use it first: each finding has a cause, a remedy and the potential saving.
    Diagnose(diagnose::DiagnoseArgs),
    /// Write one HTML page about a run, about the changes between two runs, or about all runs
    ///
    /// Use it to share results: the page contains findings, tables and figures, and opens without a network.
    Report(report::ReportArgs),
    /// Delete runs from the lake
    ///
    /// Queries no longer see the rows. The next `tracelake vacuum` removes the files.
    Delete(housekeeping::DeleteArgs),
    /// Rename a run
    ///
    /// Use it when the name that `ingest` chose does not fit.
    Rename(housekeeping::RenameArgs),
    /// Set or remove tags of a run
    ///
    /// Use it to select runs by a condition, such as commit=3fa2, in `compare`, `gate`, `baseline`, `report` and `delete`.
    Tag(housekeeping::TagArgs),
    /// Shift the times of runs, so that the clocks of their ranks agree, and print how far they were apart
    ///
    /// Use it when the finding `clock_skew` reports clocks that are apart. It reads the profiles of the runs again.
    AlignClocks(housekeeping::AlignClocksArgs),
    /// Compare the files of the lake with its manifests, and repair the lake
    ///
    /// Use it after a warning that a run is excluded, or after files of the lake were changed by hand.
    Check(housekeeping::CheckArgs),
    /// Merge the small files of many runs into few large files
    ///
    /// Use it when a lake has many small runs and queries on all runs are slow.
    Compact(housekeeping::CompactArgs),
    /// Rewrite what an older version of tracelake wrote: data files with other columns, key metrics of other queries
    ///
    /// Use it once after you install a newer tracelake.
    Upgrade(housekeeping::UpgradeArgs),
    /// Remove files that no run uses: files of deleted runs, replaced rows and killed ingests
    ///
    /// Use it to free space after `delete`, `compact`, `upgrade` and repeated ingests.
    Vacuum(housekeeping::VacuumArgs),
    /// List the Parquet files of a table
    ///
    /// Use it to read the files with another program.
    #[command(after_help = "\
Examples:
  tracelake files step
  tracelake files event --run my_run")]
    Files {
        /// Name of the table
        table: String,
        #[command(flatten)]
        runs: RunArgs,
    },
    /// List or describe the canned queries; save or delete a query of your own
    ///
    /// Use it to find a query for `tracelake query`. A saved query is in the lake, so all users of the lake can run it.
    Queries(queries::QueriesArgs),
    /// Find queries, tables, columns, figures, findings and formats by words, or print the help of a command
    ///
    /// Use it when you do not know the name of a query or a column.
    #[command(after_help = "\
Examples:
  tracelake help loader wait
  tracelake help ingest")]
    Help {
        /// A command, or words, such as loader wait; a result contains all words
        words: Vec<String>,
        #[command(flatten)]
        shown: OutputArgs,
    },
    /// List the formats that tracelake reads
    ///
    /// Use it to find out which files of a profiler tracelake needs.
    Formats,
    /// Install, check or remove the Rust kernel for Jupyter
    ///
    /// Use it to run Rust notebooks with tracelake. Python notebooks do not need it.
    Jupyter(jupyter::JupyterArgs),
    /// Run a scheduler or an executor of a cluster, with the program tracelake-cluster
    ///
    /// Use it when a lake is too large for one machine.
    #[command(disable_help_flag = true)]
    Cluster(cluster::ClusterArgs),
}

fn name_and_value(text: &str) -> std::result::Result<(String, String), String> {
    let name_and_value = text.split_once('=').map(|(name, value)| (name.trim(), value));
    let (name, value) = name_and_value.filter(|(name, _)| !name.is_empty()).ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn column_name(text: &str) -> std::result::Result<String, String> {
    let name = text.trim();
    if name.is_empty() { Err("expected NAME,NAME".to_owned()) } else { Ok(name.to_owned()) }
}

/// Runs the command line and returns the exit code. The first argument is the name of the program.
///
/// ```
/// assert_eq!(tracelake::cli::main(["tracelake", "formats"]), 0);
/// assert_eq!(tracelake::cli::main(["tracelake", "nonsense"]), 2);
/// ```
pub fn main(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    // The panic hook has printed the message of the panic to stderr already.
    catch_panic(|| parse_and_run(arguments)).unwrap_or_else(|| {
        print_error(&CommandFailure::from(
            Error::new(ErrorKind::Internal, "cannot continue: this is a bug")
                .with_hint("please report it with this command and the lines above"),
        ))
    })
}

/// Returns the result of `work`, or None if it panicked.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

fn parse_and_run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    match CliArgs::try_parse_from(arguments) {
        Ok(cli) => {
            let code = run_with_profile(&cli.lake, cli.command).unwrap_or_else(|failure| print_error(&failure));
            cli.lake.print_traffic();
            code
        }
        Err(error) => {
            // clap returns help and version as errors; they go to stdout, and are not errors to a user.
            let _ = error.print();
            if error.use_stderr() { 2 } else { 0 }
        }
    }
}

/// Runs a command and, with --self-trace, writes a trace of it.
fn run_with_profile(lake: &LakeArgs, command: Command) -> Result<u8, CommandFailure> {
    let profile = lake.self_trace.as_ref().map(self_trace).transpose()?;
    let code = run(lake, command)?;
    profile.map(SelfTrace::end).transpose()?;
    Ok(code)
}

/// Prints the error to stderr and returns the exit code.
fn print_error(failure: &CommandFailure) -> u8 {
    // If stderr is closed, the caller still gets the exit code.
    let _ = writeln!(std::io::stderr(), "error: {failure}");
    failure.code()
}

/// Runs a command and returns its exit code. `record` and `cluster` return the exit code of the program that they run.
fn run(lake: &LakeArgs, command: Command) -> Result<u8, CommandFailure> {
    match command {
        Command::Record(arguments) => return record::run(lake, arguments),
        Command::Cluster(arguments) => return cluster::run(arguments),
        Command::Diagnose(arguments) => return diagnose::run(lake, arguments),
        Command::Ingest(arguments) => ingest::run(lake, arguments),
        Command::Runs { shown } => {
            let output = shown.output()?;
            output.write(&lake.open()?.runs()?)
        }
        Command::Sql(arguments) => ask::sql(lake, arguments),
        Command::Query(arguments) => ask::query(lake, arguments),
        Command::Explain(arguments) => ask::explain(lake, arguments),
        Command::Table { name, runs, columns, shown } => {
            let output = shown.output()?;
            let runs = runs.names();
            output.write(&lake.open_for(&runs)?.table(&name, non_empty(&runs), columns.as_deref())?)
        }
        Command::Figure(arguments) => figure::run(lake, &arguments),
        Command::Export(arguments) => export::run(lake, arguments),
        Command::Rules { run, defaults, output } => rules::run(lake, &run, &defaults, &output),
        Command::Report(arguments) => report::run(lake, &arguments),
        Command::Compare(arguments) => compare::compare(lake, arguments),
        Command::Baseline(arguments) => compare::baseline(lake, arguments),
        Command::Gate(arguments) => return compare::gate(lake, arguments),
        Command::Delete(arguments) => housekeeping::delete(lake, arguments),
        Command::Rename(arguments) => housekeeping::rename(lake, arguments),
        Command::Tag(arguments) => housekeeping::tag(lake, arguments),
        Command::AlignClocks(arguments) => housekeeping::align_clocks(lake, arguments),
        Command::Check(arguments) => return housekeeping::check(lake, arguments),
        Command::Compact(arguments) => housekeeping::compact(lake, arguments),
        Command::Upgrade(arguments) => housekeeping::upgrade(lake, arguments),
        Command::Vacuum(arguments) => housekeeping::vacuum(lake, arguments),
        Command::Files { table, runs } => {
            let runs = runs.names();
            lake.open_for(&runs)?.files(&table, non_empty(&runs))?.iter().try_for_each(|file| output::print_line(file))
        }
        Command::Queries(arguments) => queries::run(lake, &arguments),
        Command::Help { words, shown } => help::run(lake, &words, shown),
        Command::Formats => FORMATS.iter().try_for_each(|format| {
            let descriptor = format.descriptor();
            output::print_line(&format!("{:<22}{}\n{:<22}{}", descriptor.name, descriptor.doc, "", descriptor.files))
        }),
        Command::Jupyter(arguments) => jupyter::run(arguments),
    }?;
    Ok(0)
}

fn non_empty(runs: &[String]) -> Option<&[String]> {
    (!runs.is_empty()).then_some(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught() {
        assert_eq!(catch_panic(|| 3), Some(3));
        assert_eq!(catch_panic(|| -> u8 { panic!("on purpose") }), None);
    }
}
