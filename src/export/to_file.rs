//! Exports to local files: a run as a trace, and a folder with a lake for DuckDB.

#![expect(clippy::disallowed_methods, reason = "results are written here")]

use std::fs;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{DuckdbScript, ExportSummary, write_parquet};
use crate::error::{Error, ErrorKind, Result};
use crate::session::Session;
use crate::table::TABLES;
use tracelake_model::file::{text_writer, write_error, write_file};

/// Level of gzip: files are 1.5 times as large as with the best level, but many times faster to write.
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
/// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
/// let path = dir.path().join("trace.json.gz");
/// let exported = tracelake::cli::export_file(&s, "pytorch_ddp", "chrome", &path)?;
/// assert!(std::fs::metadata(path).unwrap().len() < exported.bytes / 5);
/// # Ok(())
/// # }
/// ```
#[tracing::instrument(name = "export", skip_all)]
pub fn export_file(session: &Session, run: &str, format: &str, path: &Path) -> Result<ExportSummary> {
    let compressed = is_compressed(path)?;
    let mut exported = None;
    write_file(path, &mut |out| {
        exported = Some(if compressed {
            let mut encoder = GzEncoder::new(out, Compression::new(LEVEL));
            let exported = session.export(run, format, &mut encoder)?;
            encoder
                .finish()
                .map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the trace: {error}")))?;
            exported
        } else {
            session.export(run, format, out)?
        });
        Ok(())
    })?;
    exported.ok_or_else(|| Error::new(ErrorKind::Internal, "cannot report what was exported"))
}

/// Returns true if the extension of a trace is `.json.gz`, false if it is `.json`.
pub(crate) fn is_compressed(path: &Path) -> Result<bool> {
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
/// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
/// let script = tracelake::cli::export_duckdb(&s, dir.path())?;
/// assert!(script.names.contains(&"step_outliers".to_owned()));
/// assert_eq!(std::fs::read_to_string(dir.path().join("views.sql")).unwrap(), script.text);
/// # Ok(())
/// # }
/// ```
#[tracing::instrument(skip_all)]
pub fn export_duckdb(session: &Session, folder: &Path) -> Result<DuckdbScript> {
    fs::create_dir_all(folder).map_err(|error| write_error(folder.display(), &error))?;
    // An absolute path, because DuckDB may run in another folder.
    let folder = fs::canonicalize(folder).map_err(|error| write_error(folder.display(), &error))?;
    let script = session.duckdb_script(&folder.to_string_lossy())?;
    for table in TABLES.iter().filter(|table| !table.has_parts()) {
        let rows = session.table(table.name, None, None)?;
        write_file(&folder.join(format!("{}.parquet", table.name)), &mut |out| write_parquet(&rows, out))?;
    }
    write_file(&folder.join("views.sql"), &mut text_writer(&script.text))?;
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_selects_compression() {
        assert!(!is_compressed(Path::new("a/B.JSON")).unwrap());
        assert!(is_compressed(Path::new("b.json.gz")).unwrap());
        let result = |path: &str| is_compressed(Path::new(path)).map_err(|error| error.to_string());
        assert_eq!(
            result("trace.txt"),
            Err("cannot write trace.txt: the extension is not .json or .json.gz\n  hint:   use .json, or .json.gz to compress the file"
                .to_owned())
        );
        assert!(
            result("s3://b/trace.json").is_err_and(|text| text.contains("local file")),
            "{:?}",
            result("s3://b/x.json")
        );
    }
}
