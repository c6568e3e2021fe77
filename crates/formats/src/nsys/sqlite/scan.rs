//! A scan over the rows of a table.

use std::io;

use super::page::BtreePage;
use super::record::{SqliteRow, TRUNCATED_ROW, ValueLocation, locate_values};
use super::{Database, OnError, PageError};

/// The maximum depth of a table's tree; no valid tree is deeper.
pub(super) const MAX_DEPTH: usize = 20;

/// The error for a deeper tree.
pub(super) const TOO_DEEP: &str = "the tree of its table is too deep";

/// A scan over the rows of a table, in the order of their rowids.
#[derive(Default)]
pub(crate) struct SqliteScan {
    /// Pages from the root down, each with the index of its next child.
    path: Vec<(u32, usize)>,
    /// A copy of the current leaf, its page number, its number of cells, and the index of the next cell.
    leaf: Vec<u8>,
    leaf_number: u32,
    cells: usize,
    next_cell: usize,
    /// The number of pages read so far.
    pub(crate) pages: u32,
    rowid_column: Option<usize>,
    values: Vec<ValueLocation>,
    /// Position of the current row on the leaf; `None` if the row has overflow pages and is in `payload`.
    local_range: Option<std::ops::Range<usize>>,
    payload: Vec<u8>,
}

impl SqliteScan {
    /// A scan that starts before the first row of the table with this root page.
    pub(super) fn new(root: u32, rowid_column: Option<usize>) -> Self {
        Self { path: vec![(root, 0)], rowid_column, ..Self::default() }
    }

    /// The next row. Passes corrupt rows and pages to `on_error` and skips them.
    pub(crate) fn next(&mut self, database: &mut Database, on_error: OnError<'_>) -> io::Result<Option<SqliteRow<'_>>> {
        loop {
            while self.next_cell < self.cells {
                self.next_cell += 1;
                match self.read_row(database, self.next_cell - 1) {
                    Ok(rowid) => {
                        let bytes = match &self.local_range {
                            Some(range) => &self.leaf[range.clone()],
                            None => &self.payload,
                        };
                        let (values, rowid_column) = (&self.values, self.rowid_column);
                        return Ok(Some(SqliteRow { rowid, bytes, values, rowid_column }));
                    }
                    Err(PageError::Io(error)) => return Err(error),
                    Err(error) => on_error(error),
                }
            }
            if !self.next_leaf(database, on_error)? {
                return Ok(None);
            }
        }
    }

    /// Counts the rows on the remaining leaves. Skips corrupt pages.
    pub(crate) fn count_rows(&mut self, database: &mut Database) -> io::Result<i64> {
        let mut rows = 0;
        while self.next_leaf(database, &mut |_| ())? {
            rows += i64::try_from(self.cells).unwrap_or(i64::MAX);
        }
        Ok(rows)
    }

    /// Locates the values of a row of the current leaf. Returns its rowid.
    #[inline]
    fn read_row(&mut self, database: &mut Database, index: usize) -> Result<i64, PageError> {
        let cell = BtreePage::new(self.leaf_number, &self.leaf)?.cell(index)?;
        let (bytes, overflow) = cell.split(database.usable)?;
        let start = self.leaf.len() - cell.payload.len();
        self.local_range = overflow.is_none().then_some(start..start + bytes.len());
        let bytes = match overflow {
            None => bytes,
            Some(next) => {
                self.payload.clear();
                self.payload.extend_from_slice(bytes);
                database.read_overflow(next, cell.size, &mut self.payload)?;
                &self.payload
            }
        };
        let truncated = || PageError::Malformed { page: self.leaf_number, why: TRUNCATED_ROW };
        locate_values(bytes, &mut self.values).ok_or_else(truncated)?;
        Ok(cell.rowid)
    }

    /// Moves to the next leaf. Returns false at the end of the table.
    fn next_leaf(&mut self, database: &mut Database, on_error: &mut dyn FnMut(PageError)) -> io::Result<bool> {
        (self.cells, self.next_cell) = (0, 0);
        while let Some((number, index)) = self.path.pop() {
            if index == 0 {
                self.pages += 1;
            }
            // a table has each page only once
            if self.pages > database.stored_pages {
                on_error(PageError::Malformed { page: number, why: "the pages of its table form a cycle" });
                self.path.clear();
                return Ok(false);
            }
            let child = match database.page(number) {
                Ok(page) if page.is_leaf => {
                    self.cells = page.cells;
                    self.leaf_number = number;
                    self.leaf.clear();
                    self.leaf.extend_from_slice(database.page_bytes(number).unwrap_or_default());
                    return Ok(true);
                }
                Ok(page) if index <= page.cells => page.child(index).map(|(child, _)| child),
                Ok(_) => continue,
                Err(error) => Err(error),
            };
            match child {
                Ok(_) if self.path.len() >= MAX_DEPTH => {
                    on_error(PageError::Malformed { page: number, why: TOO_DEEP });
                }
                Ok(child) => self.path.extend([(number, index + 1), (child, 0)]),
                Err(PageError::Io(error)) => return Err(error),
                Err(error) => {
                    on_error(error);
                    // a corrupt cell does not affect the next children
                    if database.page(number).is_ok_and(|page| index < page.cells) {
                        self.path.push((number, index + 1));
                    }
                }
            }
        }
        Ok(false)
    }
}
