//! Exports the tables of a lake as Delta Lake tables.

use arrow::error::ArrowError;

use tracelake_engine::manifest_rows;

use super::write_parquet;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::lake::Snapshot;
use crate::session::Session;
use crate::session::columns::{count_column, text_column};
use crate::table::Table;
use crate::unit::Unit;

impl Session {
    /// Makes every table of the lake a Delta Lake table, in place: its address is `<lake>/<table>`, and its files are the
    /// data files of the lake. It has all runs of the lake as they are now. If the lake has changed since the last export,
    /// this adds a version.
    ///
    /// The versions of a Delta table are not the generations of the lake: a version has all commits since the previous
    /// export. The tables are for readers only. Their log requires a writer feature that no other program has, because the
    /// lake would not know the files that another program wrote or removed. [`Session::vacuum`] does not keep files of older
    /// versions, so export again before it.
    ///
    /// Runs with a missing or truncated data file are excluded, with a warning.
    ///
    /// # Shape
    /// A row per table, in the order of the tables: `table`, `address`, `version`, `files`, `rows`, `bytes`.
    ///
    /// # Errors
    /// Conflict if other processes export again and again; Malformed for a log that another program has written, or a
    /// corrupt data file; Denied, Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// s.export_delta()?;
    /// let again = s.export_delta()?;
    /// let step = (0..again.len()?).find(|row| again.value::<String>(*row, "table").unwrap().as_deref() == Some("step"));
    /// assert_eq!(again.value::<i64>(step.unwrap(), "rows")?, Some(220));
    /// assert_eq!(again.value::<i64>(step.unwrap(), "version")?, Some(0));
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn export_delta(&self) -> Result<Frame> {
        let (tables, faults) = self.on_lake(|lake| async move { lake.export_delta(manifest_rows_as_parquet).await })?;
        faults.into_iter().for_each(|fault| self.report_fault(fault));
        Frame::from_columns(vec![
            ("table", Unit::Name, text_column(&tables, |table| Some(&table.table))),
            ("address", Unit::Url, text_column(&tables, |table| Some(&table.address))),
            ("version", Unit::Count, count_column(&tables, |table| Some(table.version))),
            ("files", Unit::Count, count_column(&tables, |table| Some(table.files))),
            ("rows", Unit::Count, count_column(&tables, |table| Some(table.rows))),
            ("bytes", Unit::Bytes, count_column(&tables, |table| Some(table.bytes))),
        ])
    }
}

/// Returns the rows of a table that is computed from the manifests: their number, and a Parquet file.
fn manifest_rows_as_parquet(table: &'static Table, snapshot: &Snapshot) -> Result<(u64, Vec<u8>)> {
    let failed = |error: ArrowError| {
        Error::new(ErrorKind::Internal, format!("cannot make the rows of table `{}`", table.name)).with_source(error)
    };
    let rows = manifest_rows::row_builder(table)(snapshot).map_err(failed)?;
    let count = rows.num_rows() as u64;
    let mut bytes = Vec::new();
    write_parquet(&Frame::from_batch(rows), &mut bytes)?;
    Ok((count, bytes))
}
