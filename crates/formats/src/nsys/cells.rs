//! Cells of a row by the names of their columns, whatever holds the table.

use std::borrow::Cow;

use super::column::{Column, NAMES};
use super::{folder, sqlite};

/// Where a table has each column.
#[derive(Debug, Clone)]
pub(super) struct Bound(Vec<Option<usize>>);

impl Bound {
    /// `find` says where the column of a name is.
    pub(super) fn new(find: impl Fn(&str) -> Option<usize>) -> Self {
        Self(NAMES.iter().map(|name| find(name)).collect())
    }
}

/// A row of a table, by the numbers of its columns.
#[derive(Debug, Clone, Copy)]
pub(super) enum Row<'a> {
    Sqlite(sqlite::Row<'a>),
    Parquet(folder::Row<'a>),
}

/// A row of a table, by the names of its columns; what it lacks is none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells<'a> {
    row: Row<'a>,
    bound: &'a Bound,
}

impl<'a> Cells<'a> {
    pub(super) fn new(row: Row<'a>, bound: &'a Bound) -> Self {
        Self { row, bound }
    }

    #[inline]
    fn index_of(&self, column: Column) -> Option<usize> {
        self.bound.0[column as usize]
    }

    /// An integer.
    #[inline]
    pub(super) fn int(&self, column: Column) -> Option<i64> {
        let at = self.index_of(column)?;
        match &self.row {
            Row::Sqlite(row) => row.int(at),
            Row::Parquet(row) => row.int(at),
        }
    }

    /// An integer that says nothing where it is 0.
    #[inline]
    pub(super) fn id(&self, column: Column) -> Option<i64> {
        self.int(column).filter(|id| *id != 0)
    }

    /// A number.
    pub(super) fn number(&self, column: Column) -> Option<f64> {
        let at = self.index_of(column)?;
        match &self.row {
            Row::Sqlite(row) => row.number(at),
            Row::Parquet(row) => row.number(at),
        }
    }

    /// A text, as it is: it may hold a secret.
    #[inline]
    pub(super) fn text(&self, column: Column) -> Option<Cow<'a, str>> {
        let at = self.index_of(column)?;
        match &self.row {
            Row::Sqlite(row) => row.text(at),
            Row::Parquet(row) => row.text(at).map(Cow::Borrowed),
        }
    }
}
