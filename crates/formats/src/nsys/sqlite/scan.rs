//! The rows of a table, one after the other.

use super::page::Page;
use super::row::{self, Field, Row, WRONG};
use super::{Database, Fault};

/// More levels than the tree of any table has.
pub(super) const DEEPEST: usize = 20;

/// A row that is larger is not read: the largest texts of exports have some KB.
const LARGEST: u64 = 16 << 20;

/// Where a reader of a table stands.
#[derive(Debug)]
pub(in crate::nsys) struct Scan {
    /// Pages from the root down, and which child of each comes next.
    path: Vec<(u32, usize)>,
    /// A copy of the present leaf.
    leaf: Vec<u8>,
    number: u32,
    cells: usize,
    next: usize,
    /// Pages read.
    pages: u32,
    key: Option<usize>,
    fields: Vec<Field>,
    /// Where the present row is on the leaf; none where it was put together.
    whole: Option<std::ops::Range<usize>>,
    payload: Vec<u8>,
}

/// What of a row's bytes stands on its leaf, and the page with the rest.
pub(super) fn local(payload: &[u8], size: u64, usable: usize, page: u32) -> Result<(&[u8], Option<u32>), Fault> {
    let damaged = || Fault::Damaged { page, why: WRONG };
    let most = usable - 35;
    let whole = usize::try_from(size).ok().filter(|size| *size <= most);
    if let Some(size) = whole {
        return Ok((payload.get(..size).ok_or_else(damaged)?, None));
    }
    if size > LARGEST {
        return Err(Fault::Damaged { page, why: "a row is larger than 16 MiB" });
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let tail = usize::try_from((size - least as u64) % (usable as u64 - 4)).unwrap_or(0);
    let here = if least + tail <= most { least + tail } else { least };
    let bytes = payload.get(..here).ok_or_else(damaged)?;
    let next = payload.get(here..here + 4).and_then(|next| next.try_into().ok()).ok_or_else(damaged)?;
    Ok((bytes, Some(u32::from_be_bytes(next))))
}

impl Scan {
    /// Before the first row of the table with this root.
    pub(super) fn new(root: u32) -> Self {
        Self {
            path: vec![(root, 0)],
            leaf: Vec::new(),
            number: 0,
            cells: 0,
            next: 0,
            pages: 0,
            key: None,
            fields: Vec::new(),
            whole: None,
            payload: Vec::new(),
        }
    }

    /// Before the first row of this table.
    pub(in crate::nsys) fn of(table: &super::Table) -> Self {
        Self { key: table.key, ..Self::new(table.root) }
    }

    /// Pages read so far.
    pub(in crate::nsys) fn pages(&self) -> u32 {
        self.pages
    }

    /// The next row. What is damaged is told to `fault`, and passed over.
    pub(in crate::nsys) fn next(
        &mut self,
        database: &mut Database,
        fault: &mut dyn FnMut(Fault),
    ) -> std::io::Result<Option<Row<'_>>> {
        loop {
            while self.next < self.cells {
                self.next += 1;
                match self.read(database, self.next - 1) {
                    Ok(rowid) => {
                        let bytes = match &self.whole {
                            Some(range) => &self.leaf[range.clone()],
                            None => &self.payload,
                        };
                        return Ok(Some(Row::new(rowid, bytes, &self.fields, self.key)));
                    }
                    Err(Fault::Io(error)) => return Err(error),
                    Err(damage) => fault(damage),
                }
            }
            if !self.leaf(database, fault)? {
                return Ok(None);
            }
        }
    }

    /// The number of rows that are left, by their leaves.
    pub(in crate::nsys) fn count(
        &mut self,
        database: &mut Database,
        fault: &mut dyn FnMut(Fault),
    ) -> std::io::Result<i64> {
        let mut rows = 0;
        while self.leaf(database, fault)? {
            rows += i64::try_from(self.cells).unwrap_or(i64::MAX);
        }
        Ok(rows)
    }

    /// Finds the values of a row of the leaf; its rowid.
    #[inline]
    fn read(&mut self, database: &mut Database, nth: usize) -> Result<i64, Fault> {
        let cell = Page::new(self.number, &self.leaf)?.cell(nth)?;
        let (bytes, overflow) = local(cell.payload, cell.size, database.usable, self.number)?;
        let from = self.leaf.len() - cell.payload.len();
        self.whole = overflow.is_none().then_some(from..from + bytes.len());
        let bytes = match overflow {
            None => bytes,
            Some(next) => {
                database.follow(bytes, next, cell.size, &mut self.payload)?;
                &self.payload
            }
        };
        if !row::find(bytes, &mut self.fields) {
            return Err(Fault::Damaged { page: self.number, why: WRONG });
        }
        Ok(cell.rowid)
    }

    /// Goes to the next leaf; whether there is one.
    fn leaf(&mut self, database: &mut Database, fault: &mut dyn FnMut(Fault)) -> std::io::Result<bool> {
        (self.cells, self.next) = (0, 0);
        while let Some((number, nth)) = self.path.pop() {
            if nth == 0 {
                self.pages += 1;
            }
            // no page belongs to a table twice
            if self.pages > database.stored {
                fault(Fault::Damaged { page: number, why: "the pages of its table form a cycle" });
                self.path.clear();
                return Ok(false);
            }
            let child = match database.page(number) {
                Ok(page) if page.is_leaf() => {
                    self.cells = page.cells();
                    self.number = number;
                    let bytes = database.bytes(number).map_or(&[][..], |bytes| bytes);
                    self.leaf.clear();
                    self.leaf.extend_from_slice(bytes);
                    return Ok(true);
                }
                Ok(page) if nth <= page.cells() => page.child(nth).map(|(child, _)| child),
                Ok(_) => continue,
                Err(error) => Err(error),
            };
            match child {
                Ok(_) if self.path.len() >= DEEPEST => {
                    fault(Fault::Damaged { page: number, why: "the tree of its table is too deep" });
                }
                Ok(child) => self.path.extend([(number, nth + 1), (child, 0)]),
                Err(Fault::Io(error)) => return Err(error),
                Err(damage) => {
                    fault(damage);
                    // the children behind a cell that cannot be read may be well
                    if database.page(number).is_ok_and(|page| nth < page.cells()) {
                        self.path.push((number, nth + 1));
                    }
                }
            }
        }
        Ok(false)
    }
}
