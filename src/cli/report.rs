//! `tracelake report`: writes one page about a run, a comparison or a lake.

use std::path::PathBuf;

use clap::Args;

use super::browser::Target;
use super::compare::split_names;
use super::failure::CommandFailure;
use super::lake_args::LakeArgs;
use super::output::page_on_terminal;
use crate::error::{Error, ErrorKind};
use crate::session::Runs;
use tracelake_model::file::extension;

#[derive(Debug, Args)]
#[command(after_help = format!("No SIDE: all runs of the lake; one: that run; two: the changes from the first to the second.\nSIDE is {}.\n
Examples:
  tracelake report path/to/profile -o report.html
  tracelake report before/profile after/profile --open
  tracelake report -o fleet.html", super::compare::GROUP))]
pub(super) struct ReportArgs {
    /// Runs to report: a run or the path of its profile, or two sides to compare [default: all runs]
    #[arg(value_name = "SIDE", num_args = 0..=2)]
    sides: Vec<String>,
    /// HTML file to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the page in the browser. Without --output, the page is a temporary file
    #[arg(long)]
    open: bool,
}

/// Runs the command.
pub(super) fn run(lake: &LakeArgs, arguments: &ReportArgs) -> Result<(), CommandFailure> {
    let target = Target { output: arguments.output.as_deref(), open: arguments.open };
    match target.output.map(extension).as_deref() {
        None if target.is_terminal() => return Err(page_on_terminal().into()),
        None | Some("html" | "htm" | "") => {}
        Some(other) => {
            let error = Error::new(ErrorKind::Argument, format!("cannot write a report as .{other}"));
            return Err(error.with_hint("write a page: -o page.html").into());
        }
    }
    let sides: Vec<Vec<String>> = arguments.sides.iter().map(|side| split_names(side)).collect();
    let session = lake.open_for(&sides.concat())?;
    let page = session.report(&sides.into_iter().map(Runs::from).collect::<Vec<_>>())?;
    target.write(page.html())
}
