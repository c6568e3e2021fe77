//! Where the tables of an export are: in a file of SQLite, or in a folder of Parquet files.

use super::cells::{Bound, Cells, Row};
use super::folder::{self, Folder};
use super::sqlite::{self, Database, Fault};

/// The tables of an export.
#[derive(Debug)]
pub(super) enum Store {
    Sqlite(Database),
    Parquet(Folder),
}

impl Store {
    /// Names of the tables.
    pub(super) fn tables(&self) -> Vec<&str> {
        match self {
            Self::Sqlite(database) => database.tables().iter().map(|table| table.name.as_str()).collect(),
            Self::Parquet(folder) => folder.tables().collect(),
        }
    }

    /// A reader of a table before its first row; none if it is not there.
    pub(super) fn scan(&self, table: &str) -> Option<Scan> {
        Some(match self {
            Self::Sqlite(database) => {
                let table = database.table(table)?;
                Scan { of: Of::Sqlite(sqlite::Scan::of(table)), bound: Bound::new(|name| table.column(name)) }
            }
            Self::Parquet(folder) => {
                let scan = folder.scan(table)?;
                let bound = Bound::new(|name| scan.names.iter().position(|column| column == name));
                Scan { of: Of::Parquet(scan), bound }
            }
        })
    }

    /// The rows of a table.
    pub(super) fn count(&mut self, table: &str) -> std::io::Result<i64> {
        match self {
            Self::Sqlite(database) => {
                let Some(mut scan) = database.table(table).map(sqlite::Scan::of) else { return Ok(0) };
                scan.count(database, &mut |_| ())
            }
            Self::Parquet(folder) => Ok(folder.count(table)),
        }
    }

    /// The text with this id.
    pub(super) fn text(&mut self, id: i64) -> Result<Option<String>, Fault> {
        match self {
            Self::Sqlite(database) => database.text(id),
            Self::Parquet(folder) => Ok(folder.text(id)?),
        }
    }

    /// Where a page begins in the file.
    pub(super) fn offset(&self, page: u32) -> u64 {
        match self {
            Self::Sqlite(database) => database.offset(page),
            Self::Parquet(_) => 0,
        }
    }
}

/// Where a reader of a table stands.
#[derive(Debug)]
pub(super) struct Scan {
    of: Of,
    bound: Bound,
}

#[derive(Debug)]
enum Of {
    Sqlite(sqlite::Scan),
    Parquet(folder::Scan),
}

impl Scan {
    /// The next row. What is damaged is told to `fault`, and passed over.
    #[inline]
    pub(super) fn next(
        &mut self,
        store: &mut Store,
        fault: &mut dyn FnMut(Fault),
    ) -> std::io::Result<Option<Cells<'_>>> {
        let row = match (&mut self.of, store) {
            (Of::Sqlite(scan), Store::Sqlite(database)) => scan.next(database, fault)?.map(Row::Sqlite),
            (Of::Parquet(scan), _) => loop {
                match scan.advance() {
                    Ok(true) => break Some(Row::Parquet(scan.row())),
                    Ok(false) => break None,
                    Err(error) if scan.is_unreachable() => return Err(error),
                    Err(error) => fault(Fault::Io(error)),
                }
            },
            (Of::Sqlite(_), Store::Parquet(_)) => None,
        };
        Ok(row.map(|row| Cells::new(row, &self.bound)))
    }

    /// Bytes read so far, about.
    pub(super) fn bytes(&self, store: &Store) -> usize {
        match (&self.of, store) {
            (Of::Sqlite(scan), Store::Sqlite(database)) => {
                usize::try_from(u64::from(scan.pages()) * database.offset(2)).unwrap_or(usize::MAX)
            }
            (Of::Parquet(scan), _) => scan.bytes(),
            (Of::Sqlite(_), Store::Parquet(_)) => 0,
        }
    }
}
