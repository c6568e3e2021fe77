//! `tracelake export`: writes a run as a file for other viewers, and the lake for other engines.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::CommandFailure;
use super::lake_args::LakeArgs;
use super::output::{binary_on_terminal, print_line, write_stdout};
use crate::export::{export_duckdb, export_file, is_compressed};
use crate::session::Session;

/// Arguments of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake export my_run -o trace.json.gz
  tracelake export path/to/profile -o trace.json
  tracelake export --duckdb duckdb_views
  tracelake --lake s3://bucket/lake export --delta")]
pub(super) struct ExportArgs {
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
pub(super) fn run(lake: &LakeArgs, arguments: ExportArgs) -> Result<(), CommandFailure> {
    if arguments.delta {
        return export_delta(&lake.open()?);
    }
    if let Some(folder) = arguments.duckdb {
        let script = export_duckdb(&lake.open()?, &folder)?;
        let (names, excluded) = (script.names.len(), script.excluded.len());
        print_line(&format!("wrote {}: {names} tables, views and queries", folder.join("views.sql").display()))?;
        print_line(&format!("excluded {excluded} views and queries that DuckDB cannot run:"))?;
        return script.excluded.iter().try_for_each(|(name, why)| print_line(&format!("  {name:<36}{why}")));
    }
    // clap requires a run here.
    let run = arguments.run.unwrap_or_default();
    export_trace(lake, &run, &arguments.format, arguments.output.as_deref())
}

fn export_delta(session: &Session) -> Result<(), CommandFailure> {
    let tables = session.export_delta()?;
    for row in 0..tables.len()? {
        let text = |column| tables.value::<String>(row, column).map(Option::unwrap_or_default);
        let count = |column| tables.value::<i64>(row, column).map(Option::unwrap_or_default);
        let (version, files, rows) = (count("version")?, count("files")?, count("rows")?);
        let (table, address) = (text("table")?, text("address")?);
        print_line(&format!("{table:<16}version {version}, {files} files, {rows} rows: {address}"))?;
    }
    Ok(())
}

fn export_trace(lake: &LakeArgs, run: &str, format: &str, output: Option<&Path>) -> Result<(), CommandFailure> {
    let Some(path) = output else {
        if io::stdout().is_terminal() {
            return Err(binary_on_terminal("a trace", "trace.json").into());
        }
        let session = lake.open_for(&[run])?;
        return write_stdout(&mut |out: &mut dyn Write| session.export(run, format, out).map(|_| ()))
            .map_err(CommandFailure::from);
    };
    is_compressed(path)?;
    let exported = export_file(&lake.open_for(&[run])?, run, format, path)?;
    print_line(&format!("wrote {}\n{exported}", path.display()))
}
