//! `tracelake cluster ...` runs the program `tracelake-cluster`, as git runs `git-NAME` for `git NAME`.
//!
//! That program has its own engine and is built separately: a client of a cluster does not need it.

use std::ffi::OsString;
use std::process::Command;

use super::failure::CommandFailure;
use crate::error::{Error, ErrorKind};

const PROGRAM: &str = "tracelake-cluster";

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tracelake cluster scheduler --help
  tracelake cluster standalone --help")]
pub(super) struct ClusterArgs {
    /// Arguments of tracelake-cluster: scheduler, executor or standalone, and their options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

/// Runs the program and returns its exit code. Looks for it next to this program first, then on the path.
pub(super) fn run(ClusterArgs { arguments }: ClusterArgs) -> Result<u8, CommandFailure> {
    let next_to_this =
        std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM)).filter(|path| path.is_file());
    let mut command = Command::new(next_to_this.map_or_else(|| PROGRAM.into(), std::path::PathBuf::into_os_string));
    command.args(arguments);
    let missing = |error: std::io::Error| {
        Error::new(ErrorKind::NotFound, format!("cannot run {PROGRAM}"))
            .with_context("cause", error)
            .with_hint("build it in the folder cluster/ of the source code: cargo install --locked --path cluster")
    };
    // The program replaces this process, so that it gets the signals that stop the cluster.
    #[cfg(unix)]
    return Err(missing(std::os::unix::process::CommandExt::exec(&mut command)).into());
    #[cfg(not(unix))]
    Ok(command.status().map_err(missing)?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
