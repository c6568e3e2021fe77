//! The tables of a lake for engines that read Delta Lake.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, StringArray};
use arrow::error::ArrowError;

use tracelake_engine::manifest_rows;

use super::write_parquet;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::lake::{DeltaTable, Snapshot};
use crate::session::Session;
use crate::table::Table;
use crate::unit::Unit;

impl Session {
    /// Makes every table of the lake a Delta Lake table, in place: `<lake>/<table>` is its address, and the parts that are there are
    /// its files. All runs of the lake as they are now; again after a change there is a next version, and none without one.
    ///
    /// Delta tables of one lake are versions of their own: what is committed between two of them is in the later one
    /// only. They are for readers: their log names a feature that no other writer has, since what others wrote, or removed
    /// as unlisted, would be wrong for the lake. [`Session::vacuum`] knows nothing of older versions: export anew before it.
    ///
    /// Runs with a missing or truncated data file are excluded, with a warning.
    ///
    /// # Shape
    /// A row per table, in the order of the tables: `table`, `address`, `version`, `files`, `rows`, `bytes`.
    ///
    /// # Errors
    /// Conflict when others export time after time; Malformed for a log that another program wrote to, or a damaged part;
    /// Denied, Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// s.export_delta()?;
    /// let again = s.export_delta()?;
    /// let step = (0..again.rows()?).find(|row| again.value::<String>(*row, "table").unwrap().as_deref() == Some("step"));
    /// assert_eq!(again.value::<i64>(step.unwrap(), "rows")?, Some(220));
    /// assert_eq!(again.value::<i64>(step.unwrap(), "version")?, Some(0));
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn export_delta(&self) -> Result<Frame> {
        let lake = self.inner.lake.clone();
        let (tables, faults) = self.inner.engine.run(async move { lake.export_delta(of_manifests).await })?;
        faults.into_iter().for_each(|fault| self.report_fault(fault));
        let texts = |of: fn(&DeltaTable) -> &str| -> ArrayRef {
            Arc::new(tables.iter().map(|table| Some(of(table))).collect::<StringArray>())
        };
        let counts = |of: fn(&DeltaTable) -> u64| -> ArrayRef {
            Arc::new(tables.iter().map(|table| i64::try_from(of(table)).ok()).collect::<Int64Array>())
        };
        Frame::of_columns(vec![
            ("table", Unit::Name, texts(|table| &table.table)),
            ("address", Unit::Url, texts(|table| &table.address)),
            ("version", Unit::Count, counts(|table| table.version)),
            ("files", Unit::Count, counts(|table| table.files)),
            ("rows", Unit::Count, counts(|table| table.rows)),
            ("bytes", Unit::Bytes, counts(|table| table.bytes)),
        ])
    }
}

/// The rows of a table that is made from manifests, as Parquet.
fn of_manifests(table: &'static Table, snapshot: &Snapshot) -> Result<(u64, Vec<u8>)> {
    let failed = |error: ArrowError| {
        Error::new(ErrorKind::Internal, format!("cannot make the rows of table `{}`", table.name)).with_source(error)
    };
    let rows = manifest_rows::of(table)(snapshot).map_err(failed)?;
    let count = rows.num_rows() as u64;
    let mut bytes = Vec::new();
    write_parquet(&Frame::from_batch(rows), &mut bytes)?;
    Ok((count, bytes))
}
