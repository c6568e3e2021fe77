//! Exports reports of Nsight Systems, which only `nsys` can read, before an ingest from the local disk.

#![expect(clippy::disallowed_methods, reason = "source reads the environment, lists folders and names files")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

use url::Url;

/// Suffixes of reports.
const SUFFIXES: [&str; 2] = ["nsys-rep", "qdrep"];

/// Maximum depth of the folders in which reports are searched.
const MAX_DEPTH: u32 = 4;

/// Exports the reports at an address that have no export next to them, with `nsys` if it is on the path. Says so on standard
/// error. The export of `job.nsys-rep` is `job.sqlite` in the same folder, as for `nsys stats`. Returns the address of the
/// export if the address is that of a report.
#[doc(hidden)]
pub fn export_reports(address: &str) -> Option<String> {
    let root = local_path(address)?;
    let existing = root.with_extension("sqlite");
    if is_report(&root) && existing.is_file() {
        return Some(existing.to_string_lossy().into_owned());
    }
    let mut reports = Vec::new();
    find_reports(&root, MAX_DEPTH, &mut reports);
    if reports.is_empty() || !is_on_path("nsys") {
        return None;
    }
    let mut exported = None;
    for report in &reports {
        let (name, target) = (report.display(), report.with_extension("sqlite"));
        let _ = writeln!(io::stderr(), "note: exporting {name} to {} with nsys", target.display());
        if let Err(why) = export(report, &target) {
            let _ = writeln!(io::stderr(), "note: nsys did not export {name}: {why}");
        } else if *report == root {
            exported = Some(target.to_string_lossy().into_owned());
        }
    }
    exported
}

/// The path of an address on the local disk.
fn local_path(address: &str) -> Option<PathBuf> {
    let is_url = address.contains("://");
    if is_url { Url::parse(address).ok()?.to_file_path().ok() } else { std::path::absolute(address).ok() }
}

fn is_report(path: &Path) -> bool {
    path.extension().is_some_and(|extension| SUFFIXES.iter().any(|suffix| extension == *suffix)) && path.is_file()
}

/// Adds the reports without an export at a path.
fn find_reports(path: &Path, depth: u32, reports: &mut Vec<PathBuf>) {
    if is_report(path) {
        let stem = path.with_extension("");
        let exports = ["sqlite", "sqlite.gz", "sqlite.zst"].map(|extension| stem.with_added_extension(extension));
        let folders =
            ["_pqtdir", ".parquetdir", ".pqtdir"].map(|end| PathBuf::from(format!("{}{end}", stem.display())));
        if !exports.iter().chain(&folders).any(|export| export.exists()) {
            reports.push(path.to_owned());
        }
    } else if depth > 0
        && let Ok(entries) = fs::read_dir(path)
    {
        let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        inside.sort();
        inside.iter().for_each(|path| find_reports(path, depth - 1, reports));
    }
}

fn is_on_path(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// Exports a report. The result has another name until it is complete.
fn export(report: &Path, target: &Path) -> Result<(), String> {
    let partial = target.with_added_extension(format!("{}.part", std::process::id()));
    let mut command = Command::new("nsys");
    command.args(["export", "--type", "sqlite", "--force-overwrite", "true", "--output"]).arg(&partial).arg(report);
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let renamed = if output.status.success() {
        fs::rename(&partial, target).map_err(|error| error.to_string())
    } else {
        Err(String::new())
    };
    renamed.map_err(|why| {
        let _ = fs::remove_file(&partial);
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        if last.is_empty() { why } else { last.trim().to_owned() }
    })
}
