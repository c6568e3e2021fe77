//! `tracelake help`: searches queries, tables and more by words, and prints the help of a command.

use clap::CommandFactory;

use super::CliArgs;
use super::failure::CommandFailure;
use super::lake_args::LakeArgs;
use super::output::{self, OutputArgs};
use crate::error::{Error, ErrorKind};
use crate::session;

/// Runs the command.
pub(super) fn run(lake: &LakeArgs, words: &[String], shown: OutputArgs) -> Result<(), CommandFailure> {
    let mut command = CliArgs::command();
    command.build();
    if words.is_empty() {
        return output::print_line(command.render_help().to_string().trim_end());
    }
    if let Some(inner) = command.find_subcommand_mut(&words[0]).filter(|_| words.len() == 1) {
        return output::print_line(inner.render_long_help().to_string().trim_end());
    }
    let output = shown.output()?;
    // Only saved queries and the queries of a folder need a session.
    let words = words.join(" ");
    let results = if lake.url().is_some() || lake.queries.is_some() {
        lake.open()?.help(&words)?
    } else {
        session::help(&words)?
    };
    if let Some(why) = results.why_empty()? {
        return Err(Error::new(ErrorKind::Argument, why).into());
    }
    output.write(&results)
}
