//! SQLite files, read only: the tables that a file has, and their rows in the order of their rowids.
//!
//! A file is a list of pages. Page 1 begins with the header and holds the root of the schema; each table is a tree of pages whose
//! leaves hold its rows. No SQL, no index, no log: what an export has in a table is read from first to last, and texts are found
//! by their rowid. Damage is told to whoever asked, and the pages around it are read all the same.
//!
//! Why not SQLite itself: reading every row of a table, its virtual machine takes eight times as long as this, which is more
//! than all the rest of an ingest; it wants a path, and no crate of it is without `unsafe`.
//!
//! # Source
//! [Database File Format](https://www.sqlite.org/fileformat2.html).

mod page;
mod row;
mod scan;
mod schema;

use std::io::SeekFrom;

use crate::Anywhere;
use page::Page;
pub(super) use row::Row;
pub(super) use scan::Scan;
pub(super) use schema::Table;

/// What a file begins with.
pub(super) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Bytes that are read at once.
const WINDOW: usize = 64 << 10;

/// Windows that are kept: of a table, of the texts, of call chains.
const WINDOWS: usize = 64;

/// Texts of the schema that are read, together: an export has some 80 tables in as many KB.
const MAX_SCHEMA: usize = 4 << 20;

/// Why a page could not be read.
#[derive(Debug)]
pub(super) enum Fault {
    /// The file did not give it.
    Io(std::io::Error),
    /// What is wrong with it.
    Damaged { page: u32, why: &'static str },
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// A file, with the pages that were read last.
pub(super) struct Database {
    file: Box<dyn Anywhere>,
    /// Bytes of the file.
    size: u64,
    page_size: usize,
    /// Bytes of a page that hold something.
    usable: usize,
    /// Pages as the header counts them, and those that the file has.
    pages: u32,
    stored: u32,
    windows: Vec<Window>,
    tables: Vec<Table>,
}

#[derive(Default)]
struct Window {
    /// Which one it is; 0 before anything was read.
    number: u64,
    bytes: Vec<u8>,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("pages", &self.pages).finish_non_exhaustive()
    }
}

impl Database {
    /// Reads the header and the schema; says why it cannot.
    ///
    /// What is wrong with pages of the schema is told to `fault`.
    pub(super) fn open(mut file: Box<dyn Anywhere>, fault: &mut dyn FnMut(Fault)) -> Result<Self, String> {
        let size = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
        let mut head = [0; 100];
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_exact(&mut head)).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => "it ends inside the header of SQLite".to_owned(),
            _ => error.to_string(),
        })?;
        if !head.starts_with(MAGIC) {
            return Err("it does not begin with the header of SQLite".to_owned());
        }
        let page_size = match u16::from_be_bytes([head[16], head[17]]) {
            1 => 1 << 16,
            size => usize::from(size),
        };
        if !page_size.is_power_of_two() || page_size < 512 {
            return Err(format!("its header has an invalid page size of {page_size} bytes"));
        }
        if head[18] == 2 || head[19] == 2 {
            return Err("it uses a write-ahead log, so its last rows may be missing".to_owned());
        }
        let word = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if !matches!(word(56), 0 | 1) {
            return Err("its texts are UTF-16, not UTF-8".to_owned());
        }
        let usable = page_size - usize::from(head[20]);
        if usable < 480 {
            return Err(format!("its pages hold {usable} bytes, less than SQLite allows"));
        }
        let stored = u32::try_from(size.div_ceil(page_size as u64)).unwrap_or(u32::MAX);
        // who wrote it last may not have known of the count
        let counted = word(28);
        let pages = if counted > 0 && word(24) == word(92) { counted } else { stored };
        let windows = (0..WINDOWS).map(|_| Window::default()).collect();
        let mut database = Self { file, size, page_size, usable, pages, stored, windows, tables: Vec::new() };
        database.tables = database.schema(fault)?;
        Ok(database)
    }

    /// The tables, in the order in which they were made.
    pub(super) fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The table of this name.
    pub(super) fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Bytes that are missing at the end.
    pub(super) fn missing(&self) -> u64 {
        (u64::from(self.pages) * self.page_size as u64).saturating_sub(self.size)
    }

    /// Bytes of the file.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Where a page begins in the file.
    pub(super) fn offset(&self, page: u32) -> u64 {
        u64::from(page.saturating_sub(1)) * self.page_size as u64
    }

    fn schema(&mut self, fault: &mut dyn FnMut(Fault)) -> Result<Vec<Table>, String> {
        let mut scan = Scan::new(1);
        let mut tables: Vec<Table> = Vec::new();
        let mut twins = Vec::new();
        let mut read = 0;
        while let Some(row) = scan.next(self, fault).map_err(|error| error.to_string())? {
            let (Some(kind), Some(name), Some(sql)) = (row.text(0), row.text(1), row.text(4)) else { continue };
            read += name.len() + sql.len();
            if read > MAX_SCHEMA {
                return Err(format!("its schema is larger than {MAX_SCHEMA} bytes"));
            }
            let root = row.int(3).and_then(|root| u32::try_from(root).ok()).filter(|root| *root > 0);
            if let (true, Some(root)) = (kind == "table" && !name.starts_with("sqlite_"), root) {
                // a tree belongs to one table: a file that says otherwise is not read again and again
                if tables.iter().any(|table| table.root == root) {
                    twins.push(root);
                } else {
                    tables.push(Table::new(&name, root, &sql));
                }
            }
        }
        twins.into_iter().for_each(|page| fault(Fault::Damaged { page, why: "it begins more than one table" }));
        Ok(tables)
    }

    /// A page of a table.
    fn page(&mut self, number: u32) -> Result<Page<'_>, Fault> {
        let bytes = self.bytes(number)?;
        Page::new(number, bytes)
    }

    /// The bytes of a page.
    fn bytes(&mut self, number: u32) -> Result<&[u8], Fault> {
        if number == 0 || number > self.pages {
            return Err(Fault::Damaged { page: number, why: "there is no such page" });
        }
        let at = self.offset(number);
        if at + self.page_size as u64 > self.size {
            return Err(Fault::Damaged { page: number, why: "the file ends inside it" });
        }
        let wide = WINDOW.max(self.page_size) as u64;
        let window = at / wide;
        // both are far below what a usize holds
        let (slot, from) = (usize::try_from(window).unwrap_or(0) % WINDOWS, usize::try_from(at % wide).unwrap_or(0));
        let kept = &mut self.windows[slot];
        if kept.number != window + 1 {
            kept.number = 0;
            let length = usize::try_from(wide.min(self.size - window * wide)).unwrap_or(0);
            kept.bytes.resize(length, 0);
            self.file.seek(SeekFrom::Start(window * wide))?;
            self.file.read_exact(&mut kept.bytes)?;
            kept.number = window + 1;
        }
        let bytes = kept.bytes.get(from..from + self.usable);
        bytes.ok_or(Fault::Damaged { page: number, why: "the file ends inside it" })
    }

    /// The text with this id in table `StringIds`.
    pub(super) fn text(&mut self, id: i64) -> Result<Option<String>, Fault> {
        let table = self.table("StringIds");
        let place = table.map(|table| (table.root, table.column("value").unwrap_or(1)));
        place.map_or(Ok(None), |(root, column)| self.text_of(root, id, column))
    }

    /// The text in a column of the row with this rowid.
    fn text_of(&mut self, root: u32, rowid: i64, column: usize) -> Result<Option<String>, Fault> {
        let (mut number, usable) = (root, self.usable);
        for _ in 0..scan::DEEPEST {
            let page = self.page(number)?;
            if page.is_leaf() {
                let Some(cell) = page.cell_of(rowid)? else { return Ok(None) };
                let mut payload = Vec::new();
                let size = cell.size;
                let (local, overflow) = scan::local(cell.payload, size, usable, number)?;
                let local = local.to_vec();
                let bytes = match overflow {
                    None => &local,
                    Some(next) => {
                        self.follow(&local, next, size, &mut payload)?;
                        &payload
                    }
                };
                let mut fields = Vec::new();
                if !row::find(bytes, &mut fields) {
                    return Err(Fault::Damaged { page: number, why: row::WRONG });
                }
                return Ok(Row::new(rowid, bytes, &fields, None).text(column).map(std::borrow::Cow::into_owned));
            }
            number = page.child_of(rowid)?;
        }
        Err(Fault::Damaged { page: number, why: "the tree of its table is too deep" })
    }

    /// Puts together what did not fit a page.
    fn follow(&mut self, local: &[u8], first: u32, size: u64, payload: &mut Vec<u8>) -> Result<(), Fault> {
        payload.clear();
        if size > self.size {
            return Err(Fault::Damaged { page: first, why: "a row is larger than the file" });
        }
        payload.extend_from_slice(local);
        let mut next = first;
        while (payload.len() as u64) < size {
            let bytes = self.bytes(next)?;
            let left = usize::try_from(size - payload.len() as u64).unwrap_or(usize::MAX);
            let here = &bytes[4..];
            let here = &here[..here.len().min(left)];
            let following = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            payload.extend_from_slice(here);
            next = following;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
