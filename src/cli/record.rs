//! `tracelake record -- python train.py`: a program with its data loaders and its machine recorded.
//!
//! The recorder is Python (`tracelake.record`), so Python runs this command; here it is found and handed the options.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::failure::Failure;
use super::place::Place;
use crate::error::{Error, ErrorKind};

#[derive(Debug, clap::Args)]
pub(super) struct Record {
    /// Name of the run [default: name of the program and time]
    #[arg(long)]
    run: Option<String>,
    /// Seconds between two looks at the machine; 0 for none
    #[arg(long, default_value = "1", value_name = "SECONDS")]
    every: f64,
    /// Folder to keep the recording in [default: a temporary one, until it is in the lake]
    #[arg(long, value_name = "FOLDER")]
    path: Option<String>,
    /// Python that has the package tracelake [default: that of the program, else python3]
    #[arg(long, env = "TRACELAKE_PYTHON", value_name = "PROGRAM")]
    python: Option<OsString>,
    /// The program and its arguments, behind `--`
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

/// Gives the exit code of the program.
pub(super) fn run(place: &Place, arguments: Record) -> Result<u8, Failure> {
    let Record { run, every, path, python, program } = arguments;
    let own = program.first().filter(|first| {
        Path::new(first).file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("python"))
    });
    let python = python.or_else(|| own.cloned()).unwrap_or_else(|| "python3".into());
    let mut command = Command::new(&python);
    command.args(["-m", "tracelake.record", "--every", &every.to_string()]);
    for (name, value) in [("--lake", place.lake()), ("--run", run.as_deref()), ("--path", path.as_deref())] {
        if let Some(value) = value {
            command.args([name, value]);
        }
    }
    for (name, value) in place.options() {
        command.args(["--option", &format!("{name}={value}")]);
    }
    let status = command.arg("--").args(&program).status().map_err(|error| {
        let text = format!("cannot run {}", Path::new(&python).display());
        Error::new(ErrorKind::NotFound, text)
            .with_context("cause", error.to_string())
            .with_hint("name a Python that has the package tracelake with --python")
    })?;
    // as a shell does it, one that was killed by a signal gives 128 and its number
    #[cfg(unix)]
    let killed = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let killed: Option<i32> = None;
    let code = status.code().or(killed.map(|signal| 128 + signal));
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
