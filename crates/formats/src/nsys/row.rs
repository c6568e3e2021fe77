//! One row of a table of an export, read by column, whatever file the table is in.

use std::borrow::Cow;

use super::column::{COLUMN_NAMES, NsysColumn};
use super::{folder, sqlite};
use crate::table::Rows;

/// The index of each [`NsysColumn`] in a table; `None` for columns that the table lacks.
#[derive(Debug, Clone)]
pub(super) struct ColumnIndexes(Vec<Option<usize>>);

impl ColumnIndexes {
    /// Looks up each column by name with `find`.
    pub(super) fn new(find: impl Fn(&str) -> Option<usize>) -> Self {
        Self(COLUMN_NAMES.iter().map(|name| find(name)).collect())
    }

    /// The index of a column.
    #[inline]
    pub(super) fn get(&self, column: NsysColumn) -> Option<usize> {
        self.0[column as usize]
    }
}

/// A row of a SQLite table or of a Parquet file, read by column index.
#[derive(Debug, Clone, Copy)]
pub(super) enum IndexedRow<'a> {
    Sqlite(sqlite::SqliteRow<'a>),
    Parquet(folder::ParquetRow<'a>),
}

/// A row of a table. A column that the table lacks reads as null, which is `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExportRow<'a> {
    pub(super) row: IndexedRow<'a>,
    pub(super) indexes: &'a ColumnIndexes,
}

impl<'a> ExportRow<'a> {
    #[inline]
    fn index(&self, column: NsysColumn) -> Option<usize> {
        self.indexes.get(column)
    }

    /// The value as an integer.
    #[inline]
    pub(super) fn int(&self, column: NsysColumn) -> Option<i64> {
        let index = self.index(column)?;
        match &self.row {
            IndexedRow::Sqlite(row) => row.int(index),
            IndexedRow::Parquet(row) => row.int(index),
        }
    }

    /// The value as a time of the export. A value that is not an integer is a problem.
    #[inline]
    pub(super) fn time(&self, column: NsysColumn, rows: &mut Rows) -> Option<i64> {
        let time = self.int(column);
        if time.is_none() && !self.is_null(column) {
            rows.repair("bad_value", None, || {
                format!("column `{}` is not an integer; the time is null", column.name())
            });
        }
        time
    }

    fn is_null(&self, column: NsysColumn) -> bool {
        self.index(column).is_none_or(|index| match &self.row {
            IndexedRow::Sqlite(row) => row.is_null(index),
            IndexedRow::Parquet(row) => row.is_null(index),
        })
    }

    /// The value as an integer; `None` also for 0, where 0 means that there is no value.
    #[inline]
    pub(super) fn nonzero(&self, column: NsysColumn) -> Option<i64> {
        self.int(column).filter(|value| *value != 0)
    }

    /// The value as a float.
    pub(super) fn float(&self, column: NsysColumn) -> Option<f64> {
        let index = self.index(column)?;
        match &self.row {
            IndexedRow::Sqlite(row) => row.float(index),
            IndexedRow::Parquet(row) => row.float(index),
        }
    }

    /// The value as text. It is not masked and may contain a credential.
    #[inline]
    pub(super) fn text(&self, column: NsysColumn) -> Option<Cow<'a, str>> {
        let index = self.index(column)?;
        match &self.row {
            IndexedRow::Sqlite(row) => row.text(index),
            IndexedRow::Parquet(row) => row.text(index).map(Cow::Borrowed),
        }
    }
}
