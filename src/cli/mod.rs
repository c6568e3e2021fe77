//! The shell: every command is a few calls on a session.
//!
//! Answers go to stdout, progress and errors to stderr. A table on a terminal, CSV in a pipe. Exit
//! codes: 0 fine, 1 the gate or the diagnosis says no, 2 wrong usage or bad SQL, 3 input could not be
//! read, 4 lake or output could not be read or written, 5 internal error, 130 interrupted.

mod ask;
mod browser;
mod cluster;
mod compare;
mod diagnose;
mod export;
mod failure;
mod figure;
mod file;
mod help;
mod housekeeping;
mod ingest;
mod jupyter;
mod output;
mod parameter;
mod picture;
mod place;
mod progress;
mod queries;
mod record;
mod reference;
mod report;
mod rules;
mod runs;

use std::ffi::OsString;
use std::io::Write;
use std::panic::AssertUnwindSafe;

use clap::{Parser, Subcommand};

use self::browser::Target;
use self::failure::Failure;
use self::output::Shown;
use self::place::Place;
use self::runs::Runs;
use crate::error::{Error, ErrorKind, Result};
use crate::figure::FIGURES;
use crate::format::FORMATS;
use crate::own_profile::{OwnProfile, own_profile};

pub use export::{export_duckdb, export_file};
pub use file::write_file;
pub use picture::{Picture, picture, save_figure};
pub use reference::reference;
pub use rules::rule_files;

/// Makes the profiles of training jobs answerable with SQL.
#[derive(Debug, Parser)]
#[command(name = "tracelake", version, arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read a profile into the lake, or many with one `*`: s3://bucket/jobs/*/profiler-output
    Ingest(ingest::Ingest),
    /// List the runs
    Runs {
        #[command(flatten)]
        shown: Shown,
    },
    /// Run a Python program and record its data loaders and the machine, without a change to it
    Record(record::Record),
    /// Run SQL
    Sql(ask::Sql),
    /// Ask a canned query; `tracelake queries` lists them
    Query(ask::Query),
    /// Answer a question and say how: what was read, what was left out, and what each step took
    Explain(ask::Explain),
    /// Write a whole table
    Table {
        /// Name, such as event
        name: String,
        #[command(flatten)]
        runs: Runs,
        /// Only these columns
        #[arg(long, value_delimiter = ',', value_parser = column)]
        columns: Option<Vec<String>>,
        #[command(flatten)]
        shown: Shown,
    },
    /// Draw a figure, or `all`, as a page that needs no network, or as Plotly JSON
    Figure {
        /// Name; without one the names are listed
        name: Option<String>,
        #[command(flatten)]
        runs: Runs,
        /// Parameter of the queries of the figure: --param start=1600000000000000000. May be given several times
        #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair)]
        params: Vec<(String, String)>,
        /// File to write: .html, .json, or a picture drawn by the Chromium or Chrome of this machine: .png, .svg, .pdf, .jpeg, .webp
        #[arg(short, long, value_name = "FILE")]
        output: Option<std::path::PathBuf>,
        /// Show the page in the browser, from a temporary file unless --output names one
        #[arg(long)]
        open: bool,
        /// Width of a picture in pixels
        #[arg(long, value_name = "PIXELS", default_value_t = 1200)]
        width: u32,
        /// Height of a picture in pixels [default: that of the figure]
        #[arg(long, value_name = "PIXELS")]
        height: Option<u32>,
        /// Pixels of a picture for each of the width and height
        #[arg(long, value_name = "FACTOR", default_value_t = 2.0)]
        scale: f64,
    },
    /// Write a run as a trace for ui.perfetto.dev and chrome://tracing, or the lake for Delta Lake or DuckDB
    Export(export::Export),
    /// Write what the profiler rules say about a run as SageMaker Debugger did: a file <Rule>.json for each
    Rules {
        /// Name of the run, or path of its profile
        run: String,
        /// Whose limits hold: history (the rules' code), rulesconfig, docs (both AWS) or reported (its own reports)
        #[arg(long, default_value = "history")]
        defaults: String,
        /// Folder to write to
        #[arg(short, long, value_name = "FOLDER")]
        output: std::path::PathBuf,
    },
    /// What changed between two runs, or groups of runs, and whether it is more than noise
    Compare(compare::Compare),
    /// Name a set of runs to compare others with, or change it; without arguments, list them
    Baseline(compare::Baseline),
    /// Check rules for runs, compared with a baseline, for CI: exit code 1 if one is broken
    Gate(compare::Gate),
    /// Say what is slow in runs, why, and how sure that is; exit code 1 when a finding is critical
    Diagnose(diagnose::Diagnose),
    /// Write one page that needs no network: of a run, of what changed between two, or of all runs
    Report(report::Report),
    /// Delete runs: their rows are gone from all answers, and their files with the next `vacuum`
    Delete(housekeeping::Delete),
    /// Give a run another name
    Rename(housekeeping::Rename),
    /// Note something about a run, or take a note away
    Tag(housekeeping::Tag),
    /// Hold the files of the lake against what its manifests say
    Check(housekeeping::Check),
    /// Bring the small files of many runs together in few
    Compact(housekeeping::Compact),
    /// Write anew what an older version wrote: parts with other columns, key figures of other queries
    Upgrade(housekeeping::Upgrade),
    /// Remove files that nobody reads any more: of deleted runs, replaced rows and killed ingests
    Vacuum(housekeeping::Vacuum),
    /// List the Parquet files of a table
    Files {
        /// Name of the table
        table: String,
        #[command(flatten)]
        runs: Runs,
    },
    /// List the canned queries, or explain one; save one in the lake, or delete a saved one
    Queries(queries::Queries),
    /// Find queries, tables, columns, figures, findings and formats by a word, or explain a command
    Help {
        /// A command, or words that must all fit: loader wait
        words: Vec<String>,
        #[command(flatten)]
        shown: Shown,
    },
    /// List the formats that can be read
    Formats,
    /// Set up the Rust kernel for Jupyter
    Jupyter(jupyter::Jupyter),
    /// Run a scheduler or an executor of a cluster: the program tracelake-cluster
    #[command(disable_help_flag = true)]
    Cluster(cluster::Cluster),
}

fn pair(text: &str) -> std::result::Result<(String, String), String> {
    let pair = text.split_once('=').map(|(name, value)| (name.trim(), value));
    let (name, value) = pair.filter(|(name, _)| !name.is_empty()).ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn column(text: &str) -> std::result::Result<String, String> {
    let name = text.trim();
    if name.is_empty() { Err("expected NAME,NAME".to_owned()) } else { Ok(name.to_owned()) }
}

/// Runs the command line and gives the exit code. The first argument is the program's name.
///
/// ```
/// assert_eq!(tracelake::cli::main(["tracelake", "formats"]), 0);
/// assert_eq!(tracelake::cli::main(["tracelake", "nonsense"]), 2);
/// ```
pub fn main(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    // The message of the panic itself stands on stderr already.
    guarded(|| parsed(arguments)).unwrap_or_else(|| {
        told(&Failure::from(
            Error::new(ErrorKind::Internal, "cannot go on: this is a bug")
                .with_hint("please report it with this command and the lines above"),
        ))
    })
}

/// The result of `work`; none if it panicked.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

fn parsed(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    match Cli::try_parse_from(arguments) {
        Ok(cli) => {
            let code = profiled(&cli.place, cli.command).unwrap_or_else(|failure| told(&failure));
            cli.place.tell_traffic();
            code
        }
        Err(error) => {
            // Help and version are errors to clap, and no errors to a user.
            let _ = error.print();
            if error.use_stderr() { 2 } else { 0 }
        }
    }
}

/// Runs a command, and writes a trace of that if one is wanted.
fn profiled(place: &Place, command: Command) -> Result<u8, Failure> {
    let profile = place.profile.as_ref().map(own_profile).transpose()?;
    let code = run(place, command)?;
    profile.map(OwnProfile::end).transpose()?;
    Ok(code)
}

/// Says on stderr what failed, and gives the exit code.
fn told(failure: &Failure) -> u8 {
    // If nobody reads stderr, the code is all that is left.
    let _ = writeln!(std::io::stderr(), "error: {failure}");
    failure.code()
}

/// Runs a command; the exit code is that of the program that it ran, if it ran one.
fn run(place: &Place, command: Command) -> Result<u8, Failure> {
    match command {
        Command::Record(arguments) => return record::run(place, arguments),
        Command::Cluster(arguments) => return cluster::run(arguments),
        Command::Diagnose(arguments) => return diagnose::run(place, arguments),
        Command::Ingest(arguments) => ingest::run(place, arguments),
        Command::Runs { shown } => {
            let output = shown.output()?;
            output.write(&place.open()?.runs()?)
        }
        Command::Sql(arguments) => ask::sql(place, arguments),
        Command::Query(arguments) => ask::query(place, arguments),
        Command::Explain(arguments) => ask::explain(place, arguments),
        Command::Table { name, runs, columns, shown } => {
            let output = shown.output()?;
            let runs = runs.names();
            output.write(&place.open_for(&runs)?.table(&name, some(&runs), columns.as_deref())?)
        }
        Command::Figure { name: None, .. } => {
            FIGURES.iter().try_for_each(|figure| output::line(&format!("{:<22}{}", figure.name, figure.doc)))
        }
        Command::Figure { name: Some(name), runs, params, output, open, width, height, scale } => {
            let target = Target { output: output.as_deref(), open };
            figure::run(place, &name, &runs.names(), &params, &target, Picture { width, height, scale })
        }
        Command::Export(arguments) => export::run(place, arguments),
        Command::Rules { run, defaults, output } => rules::run(place, &run, &defaults, &output),
        Command::Report(arguments) => report::run(place, &arguments),
        Command::Compare(arguments) => compare::compare(place, arguments),
        Command::Baseline(arguments) => compare::baseline(place, arguments),
        Command::Gate(arguments) => return compare::gate(place, arguments),
        Command::Delete(arguments) => housekeeping::delete(place, arguments),
        Command::Rename(arguments) => housekeeping::rename(place, arguments),
        Command::Tag(arguments) => housekeeping::tag(place, arguments),
        Command::Check(arguments) => return housekeeping::check(place, arguments),
        Command::Compact(arguments) => housekeeping::compact(place, arguments),
        Command::Upgrade(arguments) => housekeeping::upgrade(place, arguments),
        Command::Vacuum(arguments) => housekeeping::vacuum(place, arguments),
        Command::Files { table, runs } => {
            let runs = runs.names();
            place.open_for(&runs)?.files(&table, some(&runs))?.iter().try_for_each(|file| output::line(file))
        }
        Command::Queries(arguments) => queries::run(place, &arguments),
        Command::Help { words, shown } => help::run(place, &words, shown),
        Command::Formats => FORMATS.iter().try_for_each(|format| {
            let descriptor = format.descriptor();
            output::line(&format!("{:<22}{}\n{:<22}{}", descriptor.name, descriptor.doc, "", descriptor.files))
        }),
        Command::Jupyter(arguments) => jupyter::run(arguments),
    }?;
    Ok(0)
}

fn some(runs: &[String]) -> Option<&[String]> {
    (!runs.is_empty()).then_some(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught() {
        assert_eq!(guarded(|| 3), Some(3));
        assert_eq!(guarded(|| -> u8 { panic!("on purpose") }), None);
    }
}
