//! Exports as a folder: one Parquet file for each table, with the same columns as the table in SQLite.
//!
//! Public sources document the tables, their columns, that names stay ids, and what times count from. They do not
//! document the types of the columns. So this module accepts any integer, boolean, float or text and converts it
//! to the type that the same column has in SQLite. Unsigned ids become the `i64` of the same 64 bits.

use std::collections::BTreeMap;
use std::io::{BufReader, Error, Read, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, RecordBatch, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Int64Type, UInt64Type};
use arrow::error::ArrowError;
use bytes::Bytes;
use parking_lot::Mutex;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

use super::column::{COLUMN_NAMES, NsysColumn};
use crate::SeekableFile;
use crate::error::catch_panic;
use crate::number::exact_int;
use crate::parquet_pages::{CheckedPages, read_footer, row_limit};

/// The maximum number of rows that are decoded at once, and their maximum size in bytes.
const BATCH_ROWS: usize = 8192;
const BATCH_BYTES: usize = 4 << 20;

/// The maximum size of the texts of `StringIds` in bytes. Ids replace texts beyond it.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// Rows per byte of a file beyond which it is not read.
const ROWS_PER_BYTE: u64 = 100;

/// The files of a folder, by table.
#[derive(Default)]
pub(super) struct ParquetFolder {
    tables: BTreeMap<String, ParquetTable>,
    texts: Option<ParquetTexts>,
}

/// A file and its footer.
#[derive(Clone)]
struct ParquetTable {
    file: ParquetFile,
    footer: ArrowReaderMetadata,
}

impl ParquetFolder {
    /// Adds the file of a table; fails if the footer cannot be read.
    pub(super) fn add(&mut self, table: &str, file: Box<dyn SeekableFile>) -> ParquetResult<()> {
        let file = ParquetFile::new(file)?;
        let footer = catch_parquet_panic(|| read_footer(&file))??;
        check_offsets(footer.metadata(), file.size)?;
        self.tables.insert(table.to_owned(), ParquetTable { file, footer });
        Ok(())
    }

    /// Names of the tables.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// The number of rows of a table, from its footer.
    pub(super) fn count_rows(&self, table: &str) -> i64 {
        self.tables.get(table).map_or(0, |table| table.footer.metadata().file_metadata().num_rows())
    }

    /// A scan that starts before the first row of a table; `None` if there is no such table.
    pub(super) fn scan(&self, table: &str) -> Option<ParquetScan> {
        Some(ParquetScan::new(self.tables.get(table)?.clone()))
    }

    /// The text of table `StringIds` with this id. The first call reads all texts.
    pub(super) fn text(&mut self, id: i64) -> std::io::Result<Option<String>> {
        let scan = if self.texts.is_none() { self.scan("StringIds") } else { None };
        let texts = self.texts.get_or_insert_with(|| scan.map(ParquetTexts::read).unwrap_or_default());
        match (texts.get(id), &texts.error) {
            (None, Some(error)) => Err(Error::other(error.clone())),
            (text, _) => Ok(text.map(str::to_owned)),
        }
    }
}

/// The result of a call into the Parquet reader; an error if it panicked.
fn catch_parquet_panic<T>(read: impl FnOnce() -> T) -> ParquetResult<T> {
    catch_panic(read).map_err(|why| ParquetError::General(why.to_owned()))
}

/// Fails if the footer has offsets beyond the end of the file, which the Parquet reader does not check.
fn check_offsets(footer: &ParquetMetaData, size: u64) -> ParquetResult<()> {
    let is_inside = |start: i64, length: i64| {
        let (start, length) = (u64::try_from(start).ok(), u64::try_from(length).ok());
        start.zip(length).and_then(|(start, length)| start.checked_add(length)).is_some_and(|end| end <= size)
    };
    let is_valid = footer.row_groups().iter().all(|group| {
        group.num_rows() >= 0
            && group.columns().iter().all(|column| {
                let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
                is_inside(start, column.compressed_size()) && is_inside(column.data_page_offset(), 0)
            })
    });
    let why = "its footer names offsets beyond the end of the file";
    is_valid.then_some(()).ok_or_else(|| ParquetError::General(why.to_owned()))
}

/// The texts of `StringIds`.
#[derive(Default)]
struct ParquetTexts {
    /// All texts, one after the other.
    buffer: String,
    /// Id and position of each text, sorted by id.
    ranges: Vec<(i64, std::ops::Range<usize>)>,
    /// Why some texts are missing.
    error: Option<String>,
}

impl ParquetTexts {
    /// Reads as much of the table as possible.
    fn read(mut scan: ParquetScan) -> Self {
        let mut texts = Self::default();
        let index = |column: NsysColumn| scan.columns.iter().position(|name| name == column.name());
        let Some((id, value)) = index(NsysColumn::id).zip(index(NsysColumn::value)) else { return texts };
        loop {
            match scan.advance() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    texts.error.get_or_insert_with(|| error.to_string());
                    continue;
                }
            }
            let row = scan.row();
            let (Some(id), Some(text)) = (row.int(id), row.text(value)) else { continue };
            let start = texts.buffer.len();
            if start + text.len() + size_of_val(texts.ranges.as_slice()) > MAX_TEXT_BYTES {
                texts.error = Some(format!("the table has more than {} MiB of texts", MAX_TEXT_BYTES >> 20));
                break;
            }
            texts.buffer.push_str(text);
            texts.ranges.push((id, start..texts.buffer.len()));
        }
        texts.ranges.sort_by_key(|(id, _)| *id);
        texts
    }

    fn get(&self, id: i64) -> Option<&str> {
        let index = self.ranges.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.buffer.get(self.ranges[index].1.clone())
    }
}

/// A scan over the rows of a Parquet file.
pub(super) struct ParquetScan {
    table: ParquetTable,
    /// Names of the columns that are read. Their indexes are the column indexes of [`ParquetRow`].
    pub(super) columns: Vec<String>,
    projection: ProjectionMask,
    /// Index of the next row group.
    next_group: usize,
    /// The reader of the current row group.
    reader: Option<ParquetRecordBatchReader>,
    /// The current batch: its columns, its number of rows, and the index of its next row.
    batch: Vec<ParquetValues>,
    batch_rows: usize,
    next_row: usize,
    /// The decompressed size of the rows read so far, in bytes.
    pub(super) bytes: usize,
    /// Rows of the current group that are not decoded yet.
    group_rows: i64,
    /// The number of further rows that the file may have.
    row_limit: u64,
}

/// A row of a batch, read by column index.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParquetRow<'a> {
    columns: &'a [ParquetValues],
    index: usize,
}

/// Values of a column, converted to the type that SQLite has for them.
#[derive(Debug)]
enum ParquetValues {
    Int(Int64Array),
    Float(Float64Array),
    Text(StringViewArray),
    /// A list or another nested type. No column that is read has one.
    Unsupported,
}

impl ParquetScan {
    fn new(table: ParquetTable) -> Self {
        let fields = table.footer.schema().fields().iter().map(|field| field.name().as_str()).enumerate();
        let (roots, columns): (Vec<_>, _) =
            fields.filter(|(_, name)| COLUMN_NAMES.contains(name)).map(|(root, name)| (root, name.to_owned())).unzip();
        let projection = ProjectionMask::roots(table.footer.metadata().file_metadata().schema_descr(), roots);
        let row_limit = row_limit(table.file.size, ROWS_PER_BYTE);
        Self {
            table,
            columns,
            projection,
            next_group: 0,
            reader: None,
            batch: Vec::new(),
            batch_rows: 0,
            next_row: 0,
            bytes: 0,
            group_rows: 0,
            row_limit,
        }
    }

    /// Moves to the next row. Returns false at the end.
    ///
    /// An error costs the rest of a row group. The next call continues after it.
    pub(super) fn advance(&mut self) -> std::io::Result<bool> {
        while self.next_row == self.batch_rows {
            let Some(reader) = &mut self.reader else {
                // without a known column there is nothing to read
                if self.columns.is_empty() || self.next_group >= self.table.footer.metadata().num_row_groups() {
                    return Ok(false);
                }
                self.open_group().map_err(|error| self.skip_group(&error))?;
                continue;
            };
            let batch = match catch_parquet_panic(|| reader.next()) {
                Ok(batch) => batch,
                Err(error) => return Err(self.skip_group(&error)),
            };
            match batch {
                None => self.reader = None,
                Some(Ok(batch)) if batch.num_rows() as u64 > self.row_limit => {
                    self.next_group = usize::MAX - 1;
                    return Err(self.skip_group(&"it declares more rows than fit in its bytes"));
                }
                Some(batch) => {
                    batch.and_then(|batch| self.start_batch(&batch)).map_err(|error| self.skip_group(&error))?;
                }
            }
        }
        self.next_row += 1;
        Ok(true)
    }

    /// Opens the next row group.
    fn open_group(&mut self) -> ParquetResult<()> {
        let ParquetTable { file, footer } = self.table.clone();
        let group = footer.metadata().row_group(self.next_group);
        self.group_rows = group.num_rows();
        self.next_group += 1;
        let row_bytes = usize::try_from(group.total_byte_size() / self.group_rows.max(1)).unwrap_or(0);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(CheckedPages(file), footer)
            .with_row_groups(vec![self.next_group - 1])
            .with_projection(self.projection.clone())
            .with_batch_size((BATCH_BYTES / row_bytes.max(1)).clamp(16, BATCH_ROWS));
        self.reader = Some(catch_parquet_panic(|| reader.build())??);
        Ok(())
    }

    /// Skips the rest of the current row group and returns the error to report.
    fn skip_group(&mut self, why: &dyn std::fmt::Display) -> Error {
        self.reader = None;
        let rows = self.group_rows;
        Error::other(format!("{why}; {rows} rows of it are skipped"))
    }

    /// Whether reading the file itself failed.
    pub(super) fn is_unreachable(&self) -> bool {
        self.table.file.failed.load(Ordering::Relaxed)
    }

    /// The current row.
    pub(super) fn row(&self) -> ParquetRow<'_> {
        ParquetRow { columns: &self.batch, index: self.next_row.saturating_sub(1) }
    }

    fn start_batch(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        self.batch = batch.columns().iter().map(convert_column).collect::<Result<_, _>>()?;
        (self.batch_rows, self.next_row) = (batch.num_rows(), 0);
        self.bytes += batch.get_array_memory_size();
        self.row_limit -= batch.num_rows() as u64;
        self.group_rows -= i64::try_from(batch.num_rows()).unwrap_or(0);
        Ok(())
    }
}

fn convert_column(array: &ArrayRef) -> Result<ParquetValues, ArrowError> {
    let ty = array.data_type();
    Ok(match ty {
        DataType::Null => ParquetValues::Int(Int64Array::new_null(array.len())),
        DataType::UInt64 => ParquetValues::Int(array.as_primitive::<UInt64Type>().unary(u64::cast_signed)),
        DataType::Decimal128(_, 0) => {
            let to_int = |value| u64::try_from(value).map(u64::cast_signed).or_else(|_| i64::try_from(value)).ok();
            ParquetValues::Int(array.as_primitive::<Decimal128Type>().unary_opt::<_, Int64Type>(to_int))
        }
        _ if ty.is_integer() || *ty == DataType::Boolean => {
            ParquetValues::Int(cast(array, &DataType::Int64)?.as_primitive::<Int64Type>().clone())
        }
        _ if ty.is_floating() => ParquetValues::Float(cast(array, &DataType::Float64)?.as_primitive().clone()),
        DataType::Utf8View => ParquetValues::Text(array.as_string_view().clone()),
        DataType::BinaryView => {
            let values = array.as_binary_view();
            let size = values.lengths().map(u64::from).sum::<u64>();
            if size > MAX_TEXT_BYTES as u64 {
                return Err(ArrowError::InvalidArgumentError(format!("{} values have {size} bytes", values.len())));
            }
            ParquetValues::Text(values.iter().map(|value| value.map(String::from_utf8_lossy)).collect())
        }
        _ => ParquetValues::Unsupported,
    })
}

impl<'a> ParquetRow<'a> {
    /// The value as an integer, also from a text or a float that is one.
    #[inline]
    pub(super) fn int(&self, column: usize) -> Option<i64> {
        match self.columns.get(column)? {
            ParquetValues::Int(values) => values.is_valid(self.index).then(|| values.value(self.index)),
            // integer columns with nulls are often written as floats
            ParquetValues::Float(values) if values.is_valid(self.index) => exact_int(values.value(self.index)),
            _ => self.text(column)?.parse().ok(),
        }
    }

    /// Whether the row has no value in the column.
    pub(super) fn is_null(&self, column: usize) -> bool {
        self.columns.get(column).is_none_or(|values| match values {
            ParquetValues::Int(values) => values.is_null(self.index),
            ParquetValues::Float(values) => values.is_null(self.index),
            ParquetValues::Text(values) => values.is_null(self.index),
            ParquetValues::Unsupported => false,
        })
    }

    /// The value as a float.
    pub(super) fn float(&self, column: usize) -> Option<f64> {
        match self.columns.get(column)? {
            ParquetValues::Float(values) => values.is_valid(self.index).then(|| values.value(self.index)),
            _ => self.int(column).map(|value| value as f64),
        }
    }

    /// The value as text.
    pub(super) fn text(&self, column: usize) -> Option<&'a str> {
        match self.columns.get(column)? {
            ParquetValues::Text(values) => values.is_valid(self.index).then(|| values.value(self.index)),
            _ => None,
        }
    }
}

/// A file that several readers share. Each reader has its own position.
#[derive(Clone)]
struct ParquetFile {
    file: Arc<Mutex<Box<dyn SeekableFile>>>,
    size: u64,
    /// Whether a read failed.
    failed: Arc<AtomicBool>,
}

impl ParquetFile {
    fn new(mut file: Box<dyn SeekableFile>) -> std::io::Result<Self> {
        let size = file.seek(SeekFrom::End(0))?;
        Ok(Self { file: Arc::new(Mutex::new(file)), size, failed: Arc::default() })
    }
}

/// Reads a shared file from a position on.
pub(super) struct FileCursor {
    file: ParquetFile,
    position: u64,
}

impl Read for FileCursor {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let mut file = self.file.file.lock();
        let read = file.seek(SeekFrom::Start(self.position)).and_then(|_| file.read(buf));
        drop(file);
        match &read {
            Ok(read) => self.position += *read as u64,
            Err(_) => self.file.failed.store(true, Ordering::Relaxed),
        }
        read
    }
}

impl Length for ParquetFile {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for ParquetFile {
    type T = BufReader<FileCursor>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(BufReader::new(FileCursor { file: self.clone(), position: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        // a corrupt footer may have a length beyond the end of the file, so nothing is allocated up front
        let mut bytes = Vec::new();
        let read = FileCursor { file: self.clone(), position: start }.take(length as u64).read_to_end(&mut bytes)?;
        if read < length {
            let why = format!("{length} bytes expected from byte {start} on, found {read}");
            return Err(ParquetError::EOF(why));
        }
        Ok(bytes.into())
    }
}
