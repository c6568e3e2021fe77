//! The storage of an export: a SQLite file, or a folder of Parquet files.

use std::io;

use super::column::NsysColumn;
use super::folder::{ParquetFolder, ParquetScan};
use super::row::{ColumnIndexes, ExportRow, IndexedRow};
use super::sqlite::{Database, OnError, PageError, SqliteScan, SqliteTable};

/// The tables of an export.
pub(super) enum Store {
    Sqlite(Database),
    Parquet(ParquetFolder),
}

impl Default for Store {
    /// A folder without tables.
    fn default() -> Self {
        Self::Parquet(ParquetFolder::default())
    }
}

impl Store {
    /// Names of the tables.
    pub(super) fn tables(&self) -> Vec<&str> {
        match self {
            Self::Sqlite(database) => database.tables.iter().map(|table| table.name.as_str()).collect(),
            Self::Parquet(folder) => folder.tables().collect(),
        }
    }

    /// A scan that starts before the first row of a table; `None` if there is no such table.
    pub(super) fn scan(&self, table: &str) -> Option<StoreScan> {
        Some(match self {
            Self::Sqlite(database) => {
                let table = database.table(table)?;
                let indexes = ColumnIndexes::new(|name| table.column_index(name));
                StoreScan { scan: FileScan::Sqlite(table.scan()), indexes }
            }
            Self::Parquet(folder) => {
                let scan = folder.scan(table)?;
                let indexes = ColumnIndexes::new(|name| scan.columns.iter().position(|column| column == name));
                StoreScan { scan: FileScan::Parquet(scan), indexes }
            }
        })
    }

    /// The number of rows of a table.
    pub(super) fn count_rows(&mut self, table: &str) -> io::Result<i64> {
        match self {
            Self::Sqlite(database) => {
                let Some(mut scan) = database.table(table).map(SqliteTable::scan) else { return Ok(0) };
                scan.count_rows(database)
            }
            Self::Parquet(folder) => Ok(folder.count_rows(table)),
        }
    }

    /// The text of table `StringIds` with this id.
    pub(super) fn text(&mut self, id: i64) -> Result<Option<String>, PageError> {
        match self {
            Self::Sqlite(database) => database.text(id),
            Self::Parquet(folder) => Ok(folder.text(id)?),
        }
    }

    /// The byte offset of a page in the file.
    pub(super) fn page_offset(&self, page: u32) -> u64 {
        match self {
            Self::Sqlite(database) => database.page_offset(page),
            Self::Parquet(_) => 0,
        }
    }
}

/// A scan over the rows of a table.
pub(super) struct StoreScan {
    scan: FileScan,
    indexes: ColumnIndexes,
}

enum FileScan {
    Sqlite(SqliteScan),
    Parquet(ParquetScan),
}

impl StoreScan {
    /// Whether the table has all of these columns.
    pub(super) fn has_columns(&self, columns: &[NsysColumn]) -> bool {
        columns.iter().all(|column| self.indexes.get(*column).is_some())
    }

    /// The next row. Passes corrupt parts to `on_error` and skips them.
    #[inline]
    pub(super) fn next(&mut self, store: &mut Store, on_error: OnError<'_>) -> io::Result<Option<ExportRow<'_>>> {
        let row = match (&mut self.scan, store) {
            (FileScan::Sqlite(scan), Store::Sqlite(database)) => scan.next(database, on_error)?.map(IndexedRow::Sqlite),
            (FileScan::Parquet(scan), _) => loop {
                match scan.advance() {
                    Ok(true) => break Some(IndexedRow::Parquet(scan.row())),
                    Ok(false) => break None,
                    Err(error) if scan.is_unreachable() => return Err(error),
                    Err(error) => on_error(PageError::Io(error)),
                }
            },
            (FileScan::Sqlite(_), Store::Parquet(_)) => None,
        };
        Ok(row.map(|row| ExportRow { row, indexes: &self.indexes }))
    }

    /// The approximate number of bytes read so far.
    pub(super) fn bytes(&self, store: &Store) -> usize {
        match (&self.scan, store) {
            (FileScan::Sqlite(scan), Store::Sqlite(database)) => {
                usize::try_from(u64::from(scan.pages) * database.page_offset(2)).unwrap_or(usize::MAX)
            }
            (FileScan::Parquet(scan), _) => scan.bytes,
            (FileScan::Sqlite(_), Store::Parquet(_)) => 0,
        }
    }
}
