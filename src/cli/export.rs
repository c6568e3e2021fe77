//! `tracelake export`: writes a run as a file for other viewers, and the lake for other engines.

#![expect(clippy::disallowed_methods, reason = "results are written here")]

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::failure::Failure;
use super::file::{unwritten, write_file};
use super::output::{all, line, stdout, unreadable};
use super::place::Place;
use crate::error::{Error, ErrorKind, Result};
use crate::session::{DuckdbScript, Exported, Session, write_parquet};
use crate::table::TABLES;

/// Arguments of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake export my_run -o trace.json.gz
  tracelake export path/to/profile -o trace.json
  tracelake export --duckdb duckdb_views
  tracelake --lake s3://bucket/lake export --delta")]
pub(super) struct Export {
    /// Name of the run, or path of its profile
    #[arg(required_unless_present_any = ["delta", "duckdb"])]
    run: Option<String>,
    /// Format of the trace; chrome is the Trace Event Format (JSON)
    #[arg(long, default_value = "chrome")]
    format: String,
    /// File to write, .json or .json.gz [default: JSON on stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Instead of a run: make every table of the lake a Delta Lake table, in place, or update these tables
    #[arg(long, conflicts_with_all = ["run", "output"])]
    delta: bool,
    /// Instead of a run: write tables, views and canned queries of the lake as SQL for DuckDB, to views.sql in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["run", "output", "delta"])]
    duckdb: Option<PathBuf>,
}

/// Level of gzip: files are 1.5 times as large as with the best level, and many times faster to write.
const LEVEL: u32 = 3;

/// Writes a run as a trace for other viewers, see [`Session::export`], to a local file: `.json`, or `.json.gz` with compression.
///
/// Writes the file atomically, see [`write_file`].
///
/// # Errors
/// Those of [`Session::export`] and of [`write_file`]; Argument for another extension and for the URL of a store.
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// let profile = "tests/data/pytorch_ddp";
/// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
/// let path = dir.path().join("trace.json.gz");
/// let exported = tracelake::cli::export_file(&s, "pytorch_ddp", "chrome", &path)?;
/// assert!(std::fs::metadata(path).unwrap().len() < exported.bytes / 5);
/// # Ok(())
/// # }
/// ```
#[tracing::instrument(name = "export", skip_all)]
pub fn export_file(session: &Session, run: &str, format: &str, path: &Path) -> Result<Exported> {
    let packed = is_packed(path)?;
    let mut exported = None;
    write_file(path, &mut |out| {
        let told = if packed {
            let mut pack = GzEncoder::new(out, Compression::new(LEVEL));
            let told = session.export(run, format, &mut pack)?;
            pack.finish()
                .map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the trace: {error}")))?;
            told
        } else {
            session.export(run, format, out)?
        };
        exported = Some(told);
        Ok(())
    })?;
    exported.ok_or_else(|| Error::new(ErrorKind::Internal, "cannot report what was exported"))
}

/// Returns whether to compress the file, by its name.
fn is_packed(path: &Path) -> Result<bool> {
    let text = path.to_string_lossy();
    let refused = |why: &str, hint: &str| {
        Err(Error::new(ErrorKind::Argument, format!("cannot write {text}: {why}")).with_hint(hint))
    };
    if text.contains("://") {
        return refused("a trace is written only to a local file", "write a local file, and copy it to the store");
    }
    let name = text.to_lowercase();
    match (name.ends_with(".json.gz"), name.ends_with(".json")) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => refused("the extension is not .json or .json.gz", "use .json, or .json.gz to compress the file"),
    }
}

/// Writes tables, views and canned queries of the lake as SQL for DuckDB, see [`Session::duckdb_script`], to `views.sql` in a
/// folder. Creates the folder if it does not exist. Also writes the tables without data files: `run.parquet`, `object.parquet`.
///
/// # Errors
/// Those of [`Session::duckdb_script`] and of [`write_file`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// let profile = "tests/data/first_look/profiler-output";
/// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
/// let script = tracelake::cli::export_duckdb(&s, dir.path())?;
/// assert!(script.names.contains(&"step_outliers".to_owned()));
/// assert_eq!(std::fs::read_to_string(dir.path().join("views.sql")).unwrap(), script.text);
/// # Ok(())
/// # }
/// ```
#[tracing::instrument(skip_all)]
pub fn export_duckdb(session: &Session, folder: &Path) -> Result<DuckdbScript> {
    fs::create_dir_all(folder).map_err(|error| unwritten(folder.display(), &error))?;
    // An absolute path, since DuckDB may run in another folder.
    let folder = fs::canonicalize(folder).map_err(|error| unwritten(folder.display(), &error))?;
    let script = session.duckdb_script(&folder.to_string_lossy())?;
    for table in TABLES.iter().filter(|table| !table.has_parts()) {
        let rows = session.table(table.name, None, None)?;
        write_file(&folder.join(format!("{}.parquet", table.name)), &mut |out| write_parquet(&rows, out))?;
    }
    write_file(&folder.join("views.sql"), &mut all(&script.text))?;
    Ok(script)
}

/// Runs the command.
pub(super) fn run(place: &Place, arguments: Export) -> Result<(), Failure> {
    if arguments.delta {
        return delta(&place.open()?);
    }
    if let Some(folder) = arguments.duckdb {
        let script = export_duckdb(&place.open()?, &folder)?;
        let (names, excluded) = (script.names.len(), script.excluded.len());
        line(&format!("wrote {}: {names} tables, views and queries", folder.join("views.sql").display()))?;
        line(&format!("excluded {excluded} views and queries that DuckDB cannot run:"))?;
        return script.excluded.iter().try_for_each(|(name, why)| line(&format!("  {name:<36}{why}")));
    }
    // clap requires a run here.
    let run = arguments.run.unwrap_or_default();
    trace(place, &run, &arguments.format, arguments.output.as_deref())
}

fn delta(session: &Session) -> Result<(), Failure> {
    let tables = session.export_delta()?;
    for row in 0..tables.rows()? {
        let text = |column| tables.value::<String>(row, column).map(Option::unwrap_or_default);
        let count = |column| tables.value::<i64>(row, column).map(Option::unwrap_or_default);
        let (version, files, rows) = (count("version")?, count("files")?, count("rows")?);
        line(&format!("{:<16}version {version}, {files} files, {rows} rows: {}", text("table")?, text("address")?))?;
    }
    Ok(())
}

fn trace(place: &Place, run: &str, format: &str, output: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = output else {
        if io::stdout().is_terminal() {
            return Err(unreadable("a trace", "trace.json").into());
        }
        let session = place.open_for(&[run])?;
        return stdout(&mut |out: &mut dyn Write| session.export(run, format, out).map(|_| ())).map_err(Failure::from);
    };
    is_packed(path)?;
    let told = export_file(&place.open_for(&[run])?, run, format, path)?;
    line(&format!("wrote {}\n{told}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_how() {
        assert!(!is_packed(Path::new("a/B.JSON")).unwrap());
        assert!(is_packed(Path::new("b.json.gz")).unwrap());
        let told = |path: &str| is_packed(Path::new(path)).map_err(|error| error.to_string());
        assert_eq!(
            told("trace.txt"),
            Err("cannot write trace.txt: the extension is not .json or .json.gz\n  hint:   use .json, or .json.gz to compress the file"
                .to_owned())
        );
        assert!(
            told("s3://b/trace.json").is_err_and(|text| text.contains("local file")),
            "{:?}",
            told("s3://b/x.json")
        );
    }
}
