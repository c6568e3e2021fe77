//! `tracelake record -- python train.py`: runs a program and records its data loaders and the machine.
//!
//! The recorder is the Python module `tracelake.record`. This command finds a Python and passes the options to the module.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::failure::CommandFailure;
use super::lake_args::LakeArgs;
use crate::error::{Error, ErrorKind};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tracelake record -- python train.py --epochs 1
  tracelake record --run job-7 --every 5 -- python -m my_package.train")]
pub(super) struct RecordArgs {
    /// Name of the run [default: name of the program and time]
    #[arg(long)]
    run: Option<String>,
    /// Time between two measurements of the machine, in seconds; 0 records no measurements
    #[arg(long, default_value = "1", value_name = "SECONDS")]
    every: f64,
    /// Folder to store the recording in [default: a temporary folder, which is removed when the recording is in the lake]
    #[arg(long, value_name = "FOLDER")]
    path: Option<String>,
    /// Python with the package tracelake [default: the Python of the program, else python3]
    #[arg(long, env = "TRACELAKE_PYTHON", value_name = "PROGRAM")]
    python: Option<OsString>,
    /// Program and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

/// Runs the program and returns its exit code.
pub(super) fn run(lake: &LakeArgs, arguments: RecordArgs) -> Result<u8, CommandFailure> {
    let RecordArgs { run, every, path, python, program } = arguments;
    let own = program.first().filter(|first| {
        Path::new(first).file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("python"))
    });
    let python = python.or_else(|| own.cloned()).unwrap_or_else(|| "python3".into());
    let mut command = Command::new(&python);
    command.args(["-m", "tracelake.record", "--every", &every.to_string()]);
    for (name, value) in [("--lake", lake.url()), ("--run", run.as_deref()), ("--path", path.as_deref())] {
        if let Some(value) = value {
            command.args([name, value]);
        }
    }
    for (name, value) in lake.options() {
        command.args(["--option", &format!("{name}={value}")]);
    }
    let status = command.arg("--").args(&program).status().map_err(|error| {
        let text = format!("cannot run {}", Path::new(&python).display());
        Error::new(ErrorKind::NotFound, text)
            .with_context("cause", error.to_string())
            .with_hint("give a Python with the package tracelake: --python PROGRAM")
    })?;
    // As in a shell, the exit code of a program that a signal killed is 128 plus the number of the signal.
    #[cfg(unix)]
    let killed = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let killed: Option<i32> = None;
    let code = status.code().or(killed.map(|signal| 128 + signal));
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
