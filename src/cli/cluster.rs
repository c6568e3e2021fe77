//! `tracelake cluster ...` is the program `tracelake-cluster`, as git does it with its parts.
//!
//! That program has an engine of its own and is built by itself: who asks a cluster needs nothing of it.

use std::ffi::OsString;
use std::process::Command;

use super::failure::Failure;
use crate::error::{Error, ErrorKind};

const PROGRAM: &str = "tracelake-cluster";

#[derive(Debug, clap::Args)]
pub(super) struct Cluster {
    /// What tracelake-cluster is told: scheduler, executor or standalone, and their options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

/// Gives the exit code of the program, which is looked for beside this one first.
pub(super) fn run(Cluster { arguments }: Cluster) -> Result<u8, Failure> {
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM)).filter(|path| path.is_file());
    let mut command = Command::new(beside.map_or_else(|| PROGRAM.into(), std::path::PathBuf::into_os_string));
    command.args(arguments);
    let missing = |error: std::io::Error| {
        Error::new(ErrorKind::NotFound, format!("cannot run {PROGRAM}"))
            .with_context("cause", error)
            .with_hint("build it in the folder cluster/ of the source code: cargo install --locked --path cluster")
    };
    // In the place of this program: signals that are meant to stop the cluster reach it.
    #[cfg(unix)]
    return Err(missing(std::os::unix::process::CommandExt::exec(&mut command)).into());
    #[cfg(not(unix))]
    Ok(command.status().map_err(missing)?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
