//! A read-only SQLite reader: the tables of a file, and their rows in the order of their rowids.
//!
//! A file is a list of pages. Page 1 begins with the header of the file and is the root of the schema table. Each
//! table is a tree of pages, and its leaves hold the rows. There is no SQL, no index and no log: each table is read
//! from the first row to the last, and texts are looked up by rowid. Corrupt pages are passed to a callback and
//! skipped.
//!
//! Why not SQLite itself: its virtual machine takes eight times as long to read every row of a table, which is more
//! than the rest of an ingest. It also needs a path, and each crate for it contains `unsafe` code.
//!
//! # Source
//! [Database File Format](https://www.sqlite.org/fileformat2.html).

mod page;
mod record;
mod scan;
mod schema;

use std::io::{self, SeekFrom};

use crate::SeekableFile;
use page::BtreePage;
pub(super) use record::SqliteRow;
pub(super) use scan::SqliteScan;
pub(super) use schema::SqliteTable;

/// The first bytes of a SQLite file.
pub(super) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The number of bytes of one read.
const WINDOW_BYTES: usize = 64 << 10;

/// The number of cached windows: those of a table, of the texts and of call chains.
const WINDOWS: usize = 64;

/// The maximum size of all texts of the schema in bytes. An export has about 80 tables and 80 KB.
const MAX_SCHEMA: usize = 4 << 20;

/// A callback for pages and rows that cannot be read.
pub(super) type OnError<'a> = &'a mut dyn FnMut(PageError);

/// Why a page could not be read.
#[derive(Debug)]
pub(super) enum PageError {
    /// Reading the file failed.
    Io(io::Error),
    /// The content of the page is corrupt.
    Malformed { page: u32, why: &'static str },
}

impl From<io::Error> for PageError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A SQLite file, with a cache of its pages.
pub(super) struct Database {
    file: Box<dyn SeekableFile>,
    /// Size of the file in bytes.
    pub(super) size: u64,
    page_size: usize,
    /// The number of bytes of a page that can hold content.
    usable: usize,
    /// The number of pages according to the header, and the number that the file contains.
    pages: u32,
    stored_pages: u32,
    windows: Vec<PageWindow>,
    /// The tables, in the order of their creation.
    pub(super) tables: Vec<SqliteTable>,
}

/// A cached section of the file.
#[derive(Default)]
struct PageWindow {
    /// Index of the section in the file, from 1; 0 if nothing was read yet.
    number: u64,
    bytes: Vec<u8>,
}

impl Database {
    /// Reads the header and the schema. Corrupt pages of the schema are passed to `on_error`.
    ///
    /// # Errors
    /// A reason for messages, if the file is not a SQLite file that this module can read.
    pub(super) fn open(mut file: Box<dyn SeekableFile>, on_error: OnError<'_>) -> Result<Self, String> {
        let size = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
        let mut header = [0; 100];
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_exact(&mut header)).map_err(|error| {
            match error.kind() {
                io::ErrorKind::UnexpectedEof => "it ends inside the header of SQLite".to_owned(),
                _ => error.to_string(),
            }
        })?;
        if !header.starts_with(MAGIC) {
            return Err("it does not begin with the header of SQLite".to_owned());
        }
        let page_size = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 1 << 16,
            size => usize::from(size),
        };
        if !page_size.is_power_of_two() || page_size < 512 {
            return Err(format!("its header has an invalid page size of {page_size} bytes"));
        }
        if header[18] == 2 || header[19] == 2 {
            return Err("it uses a write-ahead log, so its last rows may be missing".to_owned());
        }
        if !matches!(read_u32(&header, 56), Some(0 | 1)) {
            return Err("its texts are UTF-16, not UTF-8".to_owned());
        }
        let usable = page_size - usize::from(header[20]);
        if usable < 480 {
            return Err(format!("its pages hold {usable} bytes, less than SQLite allows"));
        }
        let stored_pages = u32::try_from(size.div_ceil(page_size as u64)).unwrap_or(u32::MAX);
        // old versions of SQLite do not update the page count; it is valid if these two counters are equal
        let is_counted = read_u32(&header, 24) == read_u32(&header, 92);
        let pages = read_u32(&header, 28).filter(|pages| *pages > 0 && is_counted).unwrap_or(stored_pages);
        let windows = (0..WINDOWS).map(|_| PageWindow::default()).collect();
        let mut database = Self { file, size, page_size, usable, pages, stored_pages, windows, tables: Vec::new() };
        database.tables = database.read_schema(on_error)?;
        Ok(database)
    }

    /// The table of this name.
    pub(super) fn table(&self, name: &str) -> Option<&SqliteTable> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// The number of bytes that are missing at the end of the file.
    pub(super) fn missing_bytes(&self) -> u64 {
        (u64::from(self.pages) * self.page_size as u64).saturating_sub(self.size)
    }

    /// The byte offset of a page in the file.
    pub(super) fn page_offset(&self, page: u32) -> u64 {
        u64::from(page.saturating_sub(1)) * self.page_size as u64
    }

    fn read_schema(&mut self, on_error: OnError<'_>) -> Result<Vec<SqliteTable>, String> {
        let mut scan = SqliteScan::new(1, None);
        let mut tables: Vec<SqliteTable> = Vec::new();
        let mut shared_roots = Vec::new();
        let mut bytes = 0;
        while let Some(row) = scan.next(self, on_error).map_err(|error| error.to_string())? {
            let (Some(kind), Some(name), Some(sql)) = (row.text(0), row.text(1), row.text(4)) else { continue };
            bytes += name.len() + sql.len();
            if bytes > MAX_SCHEMA {
                return Err(format!("its schema is larger than {MAX_SCHEMA} bytes"));
            }
            let root = row.int(3).and_then(|root| u32::try_from(root).ok()).filter(|root| *root > 0);
            if let (true, Some(root)) = (kind == "table" && !name.starts_with("sqlite_"), root) {
                // a corrupt file may give one tree to many tables; it is read only once
                if tables.iter().any(|table| table.root == root) {
                    shared_roots.push(root);
                } else {
                    tables.push(SqliteTable::new(&name, root, &sql));
                }
            }
        }
        let why = "it begins more than one table";
        shared_roots.into_iter().for_each(|page| on_error(PageError::Malformed { page, why }));
        Ok(tables)
    }

    /// A page of a table.
    fn page(&mut self, number: u32) -> Result<BtreePage<'_>, PageError> {
        BtreePage::new(number, self.page_bytes(number)?)
    }

    /// The bytes of a page, as many as are usable.
    fn page_bytes(&mut self, number: u32) -> Result<&[u8], PageError> {
        if number == 0 || number > self.pages {
            return Err(PageError::Malformed { page: number, why: "there is no such page" });
        }
        let truncated = || PageError::Malformed { page: number, why: "the file ends inside it" };
        let offset = self.page_offset(number);
        if offset + self.page_size as u64 > self.size {
            return Err(truncated());
        }
        let window_bytes = WINDOW_BYTES.max(self.page_size) as u64;
        let index = offset / window_bytes;
        // both fit into usize
        let slot = usize::try_from(index).unwrap_or(0) % WINDOWS;
        let start = usize::try_from(offset % window_bytes).unwrap_or(0);
        let window = &mut self.windows[slot];
        if window.number != index + 1 {
            window.number = 0;
            let length = usize::try_from(window_bytes.min(self.size - index * window_bytes)).unwrap_or(0);
            window.bytes.resize(length, 0);
            self.file.seek(SeekFrom::Start(index * window_bytes))?;
            self.file.read_exact(&mut window.bytes)?;
            window.number = index + 1;
        }
        window.bytes.get(start..start + self.usable).ok_or_else(truncated)
    }

    /// The text of table `StringIds` with this id.
    pub(super) fn text(&mut self, id: i64) -> Result<Option<String>, PageError> {
        let table = self
            .table("StringIds")
            .filter(|table| table.rowid_column == table.column_index("id"))
            .map(|table| (table.root, table.column_index("value").unwrap_or(1)));
        table.map_or(Ok(None), |(root, column)| self.text_in_row(root, id, column))
    }

    /// The text in a column of the row with this rowid.
    fn text_in_row(&mut self, root: u32, rowid: i64, column: usize) -> Result<Option<String>, PageError> {
        let (mut number, usable) = (root, self.usable);
        for _ in 0..scan::MAX_DEPTH {
            let page = self.page(number)?;
            if page.is_leaf {
                let Some(cell) = page.find_cell(rowid)? else { return Ok(None) };
                let size = cell.size;
                let (local, overflow) = cell.split(usable)?;
                let mut bytes = local.to_vec();
                if let Some(next) = overflow {
                    self.read_overflow(next, size, &mut bytes)?;
                }
                let mut values = Vec::new();
                let error = PageError::Malformed { page: number, why: record::TRUNCATED_ROW };
                record::locate_values(&bytes, &mut values).ok_or(error)?;
                let row = SqliteRow { rowid, bytes: &bytes, values: &values, rowid_column: None };
                return Ok(row.text(column).map(std::borrow::Cow::into_owned));
            }
            number = page.find_child(rowid)?;
        }
        Err(PageError::Malformed { page: number, why: scan::TOO_DEEP })
    }

    /// Appends the bytes of overflow pages to the local bytes of a row, up to its size.
    fn read_overflow(&mut self, first: u32, size: u64, payload: &mut Vec<u8>) -> Result<(), PageError> {
        if size > self.size {
            return Err(PageError::Malformed { page: first, why: "a row is larger than the file" });
        }
        let mut next = first;
        while (payload.len() as u64) < size {
            let bytes = self.page_bytes(next)?;
            let missing = usize::try_from(size - payload.len() as u64).unwrap_or(usize::MAX);
            let content = &bytes[4..];
            payload.extend_from_slice(&content[..content.len().min(missing)]);
            next = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        Ok(())
    }
}

/// The big-endian number at this offset; `None` beyond the end of the bytes.
fn read_u32(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(offset..offset + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests;
