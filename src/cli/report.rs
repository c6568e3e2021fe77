//! `tracelake report`: one page about a run, a comparison or a lake.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::output::{self, ending, unreadable};
use super::place::Place;
use crate::error::{Error, ErrorKind};

#[derive(Debug, Args)]
#[command(after_help = format!("No side: all runs of the lake; one: that run; two: what changed from the first to the second.\nSides are {}.", super::compare::GROUP))]
pub(super) struct Report {
    /// What the page is about: nothing, a run, or two sides
    #[arg(value_name = "SIDE", num_args = 0..=2)]
    sides: Vec<String>,
    /// File to write: .html
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the page.
pub(super) fn run(place: &Place, arguments: &Report) -> Result<(), Failure> {
    match arguments.output.as_deref().map(ending).as_deref() {
        None if std::io::stdout().is_terminal() => return Err(unreadable("a page", "page.html").into()),
        None | Some("html" | "htm" | "") => {}
        Some(other) => {
            let error = Error::new(ErrorKind::Argument, format!("cannot write a report as .{other}"));
            return Err(error.with_hint("write a page, -o page.html").into());
        }
    }
    let sides: Vec<Vec<&str>> = arguments.sides.iter().map(|side| super::compare::names(side)).collect();
    let sides: Vec<&[&str]> = sides.iter().map(Vec::as_slice).collect();
    let page = place.open(false)?.report(&sides)?;
    output::text(page.html(), arguments.output.as_deref())
}
