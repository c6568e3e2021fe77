//! `tracelake help`: searches queries, tables and more by words, and prints the help of a command.

use clap::CommandFactory;

use super::Cli;
use super::failure::Failure;
use super::output::{self, Shown};
use super::place::Place;
use crate::error::{Error, ErrorKind};
use crate::session;

/// Runs the command.
pub(super) fn run(place: &Place, words: &[String], shown: Shown) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    if words.is_empty() {
        return output::line(command.render_help().to_string().trim_end());
    }
    if let Some(inner) = command.find_subcommand_mut(&words[0]).filter(|_| words.len() == 1) {
        return output::line(inner.render_long_help().to_string().trim_end());
    }
    let output = shown.output()?;
    // Only saved queries and the queries of a folder need a session.
    let words = words.join(" ");
    let found = if place.lake().is_some() || place.queries.is_some() {
        place.open()?.help(&words)?
    } else {
        session::help(&words)?
    };
    if let Some(why) = found.why_empty()? {
        return Err(Error::new(ErrorKind::Argument, why).into());
    }
    output.write(&found)
}
