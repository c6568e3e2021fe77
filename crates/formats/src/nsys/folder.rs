//! Exports as a folder: a Parquet file for each table, with the columns that the table has as SQLite.
//!
//! What public sources say of these files is which tables and columns there are, that names stay ids, and what times count from. How
//! values are packed they do not say, so that any whole number, truth value, number or text is taken as what the same column of a
//! SQLite export holds; ids without a sign are the same 64 bits.

use std::collections::BTreeMap;
use std::io::{BufReader, Error, Read, SeekFrom};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, RecordBatch, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Int64Type, UInt64Type};
use arrow::error::ArrowError;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::{ParquetError, Result as Parsed};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

use super::column::{Column, NAMES};
use crate::Anywhere;
use crate::error::caught;
use crate::parquet_pages::{Pages, footer};

/// Rows that are unpacked at once, or fewer of so many bytes.
const ROWS: usize = 8192;
const BYTES: usize = 4 << 20;

/// Bytes of texts that are looked up; ids of later ones stand for them.
const MAX_TEXTS: usize = 64 << 20;

/// Rows that a file may have, and more than that for each byte of it: nulls by the million take a few bytes.
const MAX_ROWS: u64 = 1 << 20;
const MAX_ROWS_OF_BYTE: u64 = 100;

/// The files of a folder by the names of their tables.
#[derive(Debug, Default)]
pub(super) struct Folder {
    tables: BTreeMap<String, Table>,
    texts: Option<Texts>,
}

/// A file and what its footer says.
#[derive(Debug, Clone)]
struct Table {
    file: Source,
    footer: ArrowReaderMetadata,
}

impl Folder {
    /// Adds the file of a table, if its footer can be read.
    pub(super) fn add(&mut self, table: &str, file: Box<dyn Anywhere>) -> Parsed<()> {
        let file = Source::new(file)?;
        let footer = stopped(|| footer(&file))??;
        check(footer.metadata(), file.size)?;
        self.tables.insert(table.to_owned(), Table { file, footer });
        Ok(())
    }

    /// The tables that can be read.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// The rows of a table, as its footer counts them.
    pub(super) fn count(&self, table: &str) -> i64 {
        self.tables.get(table).map_or(0, |table| table.footer.metadata().file_metadata().num_rows())
    }

    /// A reader of a table before its first row.
    pub(super) fn scan(&self, table: &str) -> Option<Scan> {
        Some(Scan::of(self.tables.get(table)?.clone()))
    }

    /// The text with this id. All are read when the first is asked for.
    pub(super) fn text(&mut self, id: i64) -> std::io::Result<Option<String>> {
        if self.texts.is_none() {
            let mut texts = Texts::default();
            if let Some(scan) = self.scan("StringIds") {
                texts.read(scan);
            }
            self.texts = Some(texts);
        }
        let Some(texts) = &self.texts else { return Ok(None) };
        match (texts.get(id), &texts.lacks) {
            (None, Some(why)) => Err(Error::other(why.clone())),
            (text, _) => Ok(text.map(str::to_owned)),
        }
    }
}

/// What the reader of Parquet gives, or an error where it panicked.
fn stopped<T>(read: impl FnOnce() -> T) -> Parsed<T> {
    caught(read).map_err(|why| ParquetError::General(why.to_owned()))
}

/// Refuses what a damaged footer says of places that are not in the file, which the reader takes as they are.
fn check(footer: &ParquetMetaData, size: u64) -> Parsed<()> {
    let inside = |from: i64, bytes: i64| {
        let end =
            u64::try_from(from).ok().zip(u64::try_from(bytes).ok()).and_then(|(from, bytes)| from.checked_add(bytes));
        end.is_some_and(|end| end <= size)
    };
    let groups = footer.row_groups().iter();
    let well = groups.clone().all(|group| {
        group.num_rows() >= 0
            && group.columns().iter().all(|column| {
                let from = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
                inside(from, column.compressed_size()) && inside(column.data_page_offset(), 0)
            })
    });
    if well {
        Ok(())
    } else {
        Err(ParquetError::General("its footer names offsets beyond the end of the file".to_owned()))
    }
}

/// The texts of `StringIds`.
#[derive(Debug, Default)]
struct Texts {
    all: String,
    /// Id of each, and where it is.
    places: Vec<(i64, std::ops::Range<usize>)>,
    /// Why some are not here.
    lacks: Option<String>,
}

impl Texts {
    /// Reads what there is of the table.
    fn read(&mut self, mut scan: Scan) {
        let at = |column: Column| scan.names.iter().position(|name| name == column.name());
        let Some((id, value)) = at(Column::Id).zip(at(Column::Value)) else { return };
        loop {
            match scan.advance() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.lacks.get_or_insert_with(|| error.to_string());
                    continue;
                }
            }
            let row = scan.row();
            let (Some(id), Some(text)) = (row.int(id), row.text(value)) else { continue };
            let from = self.all.len();
            if from + text.len() + size_of_val(self.places.as_slice()) > MAX_TEXTS {
                self.lacks = Some(format!("the table has more than {} MiB of texts", MAX_TEXTS >> 20));
                break;
            }
            self.all.push_str(text);
            self.places.push((id, from..self.all.len()));
        }
        self.places.sort_by_key(|(id, _)| *id);
    }

    fn get(&self, id: i64) -> Option<&str> {
        let nth = self.places.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.all.get(self.places[nth].1.clone())
    }
}

/// Where a reader of a table stands.
pub(super) struct Scan {
    table: Table,
    /// The columns that are read, by name.
    pub(super) names: Vec<String>,
    known: ProjectionMask,
    /// The group of rows that is unpacked next.
    group: usize,
    reader: Option<ParquetRecordBatchReader>,
    /// The present rows, of which `next` were given.
    columns: Vec<Values>,
    rows: usize,
    next: usize,
    bytes: usize,
    /// Rows that may still come, of this group and of the file.
    of_group: i64,
    left: u64,
}

impl std::fmt::Debug for Scan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scan").field("rows", &self.rows).field("next", &self.next).finish_non_exhaustive()
    }
}

/// A row, by the number of its column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    columns: &'a [Values],
    nth: usize,
}

/// Values of a column, as SQLite would hold them.
#[derive(Debug)]
enum Values {
    Int(Int64Array),
    Number(Float64Array),
    Text(StringViewArray),
    /// Lists and such: nothing that is read has any.
    Other,
}

impl Scan {
    fn of(table: Table) -> Self {
        let schema = table.footer.schema();
        // those whose name has a dot in it, or that are lists, are none of ours
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let wanted: Vec<usize> = (0..names.len()).filter(|nth| NAMES.contains(&names[*nth].as_str())).collect();
        let names = wanted.iter().map(|nth| names[*nth].clone()).collect();
        let known = ProjectionMask::roots(table.footer.metadata().file_metadata().schema_descr(), wanted);
        let left = table.file.size.saturating_mul(MAX_ROWS_OF_BYTE).max(MAX_ROWS);
        Self {
            table,
            names,
            known,
            group: 0,
            reader: None,
            columns: Vec::new(),
            rows: 0,
            next: 0,
            bytes: 0,
            of_group: 0,
            left,
        }
    }

    /// Bytes of the rows so far, unpacked.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Goes to the next row; whether there is one. Behind an error, which costs the rest of a group of rows, it goes on.
    pub(super) fn advance(&mut self) -> std::io::Result<bool> {
        while self.next == self.rows {
            let Some(reader) = &mut self.reader else {
                // nothing could be read of rows without a column that is known
                if self.names.is_empty() || self.group >= self.table.footer.metadata().num_row_groups() {
                    return Ok(false);
                }
                self.open().map_err(|error| self.lost(&error))?;
                continue;
            };
            let batch = match stopped(|| reader.next()) {
                Ok(batch) => batch,
                Err(error) => return Err(self.lost(&error)),
            };
            match batch {
                None => self.reader = None,
                Some(Ok(batch)) if batch.num_rows() as u64 > self.left => {
                    self.group = usize::MAX - 1;
                    return Err(self.lost(&"it declares more rows than fit in its bytes"));
                }
                Some(batch) => {
                    batch.and_then(|batch| self.begin(&batch)).map_err(|error| self.lost(&error))?;
                }
            }
        }
        self.next += 1;
        Ok(true)
    }

    /// Begins the next group of rows.
    fn open(&mut self) -> Parsed<()> {
        let Table { file, footer } = self.table.clone();
        let group = footer.metadata().row_group(self.group);
        self.of_group = group.num_rows();
        self.group += 1;
        let row = usize::try_from(group.total_byte_size() / self.of_group.max(1)).unwrap_or(0);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(Pages(file), footer)
            .with_row_groups(vec![self.group - 1])
            .with_projection(self.known.clone())
            .with_batch_size((BYTES / row.max(1)).clamp(16, ROWS));
        self.reader = Some(stopped(|| reader.build())??);
        Ok(())
    }

    /// Leaves the rest of the present group.
    fn lost(&mut self, why: &dyn std::fmt::Display) -> Error {
        self.reader = None;
        let rows = self.of_group;
        Error::other(format!("{why}; {rows} rows of it are skipped"))
    }

    /// Whether the file itself could not be read.
    pub(super) fn is_unreachable(&self) -> bool {
        self.table.file.failed.load(Ordering::Relaxed)
    }

    /// The present row.
    pub(super) fn row(&self) -> Row<'_> {
        Row { columns: &self.columns, nth: self.next.saturating_sub(1) }
    }

    fn begin(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        self.columns = batch.columns().iter().map(values).collect::<Result<_, _>>()?;
        (self.rows, self.next) = (batch.num_rows(), 0);
        self.bytes += batch.get_array_memory_size();
        self.left -= batch.num_rows() as u64;
        self.of_group -= i64::try_from(batch.num_rows()).unwrap_or(0);
        Ok(())
    }
}

fn values(array: &ArrayRef) -> Result<Values, ArrowError> {
    let ty = array.data_type();
    Ok(match ty {
        DataType::UInt64 => Values::Int(array.as_primitive::<UInt64Type>().unary(u64::cast_signed)),
        DataType::Decimal128(_, 0) => {
            let whole = |value| u64::try_from(value).map(u64::cast_signed).or_else(|_| i64::try_from(value)).ok();
            Values::Int(array.as_primitive::<Decimal128Type>().unary_opt::<_, Int64Type>(whole))
        }
        _ if ty.is_integer() || *ty == DataType::Boolean => {
            Values::Int(cast(array, &DataType::Int64)?.as_primitive::<Int64Type>().clone())
        }
        _ if ty.is_floating() => Values::Number(cast(array, &DataType::Float64)?.as_primitive().clone()),
        DataType::Utf8View => Values::Text(array.as_string_view().clone()),
        DataType::BinaryView => {
            let bytes = array.as_binary_view();
            let room = bytes.lengths().map(u64::from).sum::<u64>();
            if room > MAX_TEXTS as u64 {
                return Err(ArrowError::InvalidArgumentError(format!("{} values have {room} bytes", bytes.len())));
            }
            Values::Text(bytes.iter().map(|bytes| bytes.map(String::from_utf8_lossy)).collect())
        }
        _ => Values::Other,
    })
}

impl<'a> Row<'a> {
    /// A whole number.
    #[inline]
    pub(super) fn int(&self, column: usize) -> Option<i64> {
        match self.columns.get(column)? {
            Values::Int(values) => values.is_valid(self.nth).then(|| values.value(self.nth)),
            // what has whole numbers and nulls is often written so
            Values::Number(values) if values.is_valid(self.nth) => whole(values.value(self.nth)),
            _ => None,
        }
    }

    /// A number.
    pub(super) fn number(&self, column: usize) -> Option<f64> {
        match self.columns.get(column)? {
            Values::Number(values) => values.is_valid(self.nth).then(|| values.value(self.nth)),
            _ => self.int(column).map(|value| value as f64),
        }
    }

    /// A text.
    pub(super) fn text(&self, column: usize) -> Option<&'a str> {
        match self.columns.get(column)? {
            Values::Text(values) => values.is_valid(self.nth).then(|| values.value(self.nth)),
            _ => None,
        }
    }
}

/// The whole number that a number is.
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    #[expect(clippy::cast_possible_truncation, reason = "checked")]
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

/// A file that several readers read, each at a place of its own.
#[derive(Clone)]
struct Source {
    file: Arc<Mutex<Box<dyn Anywhere>>>,
    size: u64,
    /// Whether the machine could not read it once.
    failed: Arc<AtomicBool>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Source {
    fn new(mut file: Box<dyn Anywhere>) -> std::io::Result<Self> {
        let size = file.seek(SeekFrom::End(0))?;
        Ok(Self { file: Arc::new(Mutex::new(file)), size, failed: Arc::default() })
    }
}

/// A reader from some place on.
pub(super) struct Cursor {
    source: Source,
    at: u64,
}

impl Read for Cursor {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let mut file = self.source.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(self.at)).and_then(|_| file.read(buf));
        drop(file);
        match &read {
            Ok(read) => self.at += *read as u64,
            Err(_) => self.source.failed.store(true, Ordering::Relaxed),
        }
        read
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Source {
    type T = BufReader<Cursor>;

    fn get_read(&self, start: u64) -> Parsed<Self::T> {
        Ok(BufReader::new(Cursor { source: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Parsed<Bytes> {
        // what a damaged footer says may be more than there is
        let mut bytes = Vec::new();
        let read = Cursor { source: self.clone(), at: start }.take(length as u64).read_to_end(&mut bytes)?;
        if read < length {
            let why = format!("{length} bytes expected from byte {start} on, found {read}");
            return Err(ParquetError::EOF(why));
        }
        Ok(bytes.into())
    }
}
