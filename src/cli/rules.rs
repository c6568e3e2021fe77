//! `tracelake rules`: writes the reports of the profiler rules for a run, as the files that SageMaker Debugger wrote.

#![expect(clippy::disallowed_methods, reason = "results are written here")]

use std::fs;
use std::path::{Path, PathBuf};

use super::failure::CommandFailure;
use super::lake_args::LakeArgs;
use super::output::print_line;
use crate::error::Result;
use crate::session::Session;
use tracelake_model::file::{text_writer, write_error, write_file};

/// Writes the reports of the rules of a run, see [`Session::rule_reports`], as files `<Rule>.json` in a folder. Creates the
/// folder if it does not exist. Returns the paths of the files.
///
/// # Errors
/// Those of [`Session::rule_reports`] and of [`write_file`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// let profile = "tests/data/first_look/profiler-output";
/// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
/// let written = tracelake::cli::write_rule_reports(&s, "first_look", "history", dir.path())?;
/// assert!(written.contains(&dir.path().join("LowGPUUtilization.json")));
/// # Ok(())
/// # }
/// ```
pub fn write_rule_reports(session: &Session, run: &str, defaults: &str, folder: &Path) -> Result<Vec<PathBuf>> {
    let reports = session.rule_reports(run, defaults)?;
    fs::create_dir_all(folder).map_err(|error| write_error(folder.display(), &error))?;
    let mut paths = Vec::new();
    for report in reports {
        let path = folder.join(format!("{}.json", report.rule));
        write_file(&path, &mut text_writer(&report.json))?;
        paths.push(path);
    }
    Ok(paths)
}

/// Runs the command.
pub(super) fn run(lake: &LakeArgs, run: &str, defaults: &str, folder: &Path) -> Result<(), CommandFailure> {
    for path in write_rule_reports(&lake.open_for(&[run])?, run, defaults, folder)? {
        print_line(&format!("wrote {}", path.display()))?;
    }
    Ok(())
}
