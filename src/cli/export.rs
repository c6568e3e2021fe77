//! `tracelake export`: writes a run as a file for other viewers, and the lake for other engines.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::output::{line, stdout, unreadable};
use super::place::Place;
use crate::export::{export_duckdb, export_file, is_packed};
use crate::session::Session;

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
