//! Writes rows as Parquet data files: one writer per table, sorted within row groups, with a
//! bounded file size.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use arrow::array::{AsArray, BooleanArray, RecordBatch, StringArray, new_null_array};
use arrow::compute::{cast, filter_record_batch};
use arrow::datatypes::{DataType, Field, Int64Type};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};
use zstd::bulk::Compressor;

use super::blocks::Blocks;
use super::checksum::set_checksum;
use super::chunk::{StatisticsLevel, ZSTD_LEVEL, write_chunk};
use super::order::{KIND_COLUMNS, Order};
use super::{DataFile, Slice, now};
use crate::error::{Error, ErrorKind, Result, catch_panic};
use crate::table::{Table, with_dictionaries};

/// Maximum number of rows of a row group. They are sorted together, so they are in memory until
/// then.
pub const GROUP_ROWS: usize = 100_000;

/// Maximum size of a row group in memory in bytes, for rows with long texts.
pub(super) const GROUP_BYTES: usize = 64 << 20;

/// Size of a data file in bytes beyond which it is closed. It is in memory until it is stored, one
/// for each table and worker. So this constant and not the input determines the memory of an
/// ingest.
pub(super) const FILE_BYTES: usize = 4 << 20;

/// A finished data file: its part, and its bytes in blocks.
pub type FinishedFile = (DataFile, Vec<Bytes>);

/// Writes the rows of one table into data files.
#[derive(Debug)]
pub struct DataFileWriter {
    table: &'static Table,
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    group_rows: usize,
    file_bytes: usize,
    open: Option<OpenFile>,
}

/// A data file that is not finished yet.
pub(super) struct OpenFile {
    file: SerializedFileWriter<Blocks>,
    /// Compresses pages; reused for many chunks.
    compressor: Compressor<'static>,
    part: DataFile,
    /// End of the last slice.
    slice_end: u64,
}

impl std::fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.part.fmt(f)
    }
}

impl DataFileWriter {
    /// Creates a writer for this table with row groups of this number of rows: [`GROUP_ROWS`], or
    /// fewer if many writers work in parallel.
    pub fn new(table: &'static Table, group_rows: usize) -> Self {
        Self { table, batches: Vec::new(), rows: 0, bytes: 0, group_rows, file_bytes: FILE_BYTES, open: None }
    }

    /// Creates a writer for slices of many runs. Only [`DataFileWriter::finish`] ends its files.
    pub(super) fn for_slices(table: &'static Table) -> Self {
        Self { file_bytes: usize::MAX, ..Self::new(table, GROUP_ROWS) }
    }

    /// Ends a slice: the rows since the previous one, in row groups of their own. None if there are
    /// no rows. The size of the whole file is not known yet.
    ///
    /// # Errors
    /// Internal, like [`DataFileWriter::write`].
    pub(super) fn end_slice(&mut self) -> Result<Option<DataFile>> {
        self.write_group()?;
        let Some(open) = &mut self.open else { return Ok(None) };
        let end = open.file.bytes_written() as u64;
        if open.part.rows == 0 {
            return Ok(None);
        }
        let start = std::mem::replace(&mut open.slice_end, end);
        let next = DataFile { rows: 0, ts: None, objects: Vec::new(), ..open.part.clone() };
        let part = std::mem::replace(&mut open.part, next);
        Ok(Some(DataFile {
            bytes: end - start,
            slice: Some(Slice { start, end, file_bytes: 0, slices: None, frame_crc32: None }),
            ..part
        }))
    }

    /// Size of the current file in bytes.
    pub(super) fn bytes_written(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.file.bytes_written())
    }

    /// Adds rows; their texts may be dictionaries. Returns a finished data file when one is full.
    ///
    /// # Errors
    /// Internal; cannot happen, because rows with the columns of the table can always be written.
    pub fn write(&mut self, batch: RecordBatch) -> Result<Option<FinishedFile>> {
        self.rows += batch.num_rows();
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
        if self.rows < self.group_rows && self.bytes < GROUP_BYTES {
            return Ok(None);
        }
        self.write_group()?;
        let full = self.open.as_ref().is_some_and(|open| open.file.bytes_written() > self.file_bytes);
        if full { self.close() } else { Ok(None) }
    }

    /// Adds the rows of a part from the bytes of its file, without those of some objects. Returns
    /// the data files that are full.
    ///
    /// # Errors
    /// Malformed for a corrupt data file.
    pub fn copy(&mut self, part: &DataFile, bytes: Bytes, removed: &BTreeSet<i64>) -> Result<Vec<FinishedFile>> {
        self.copy_changed(part, bytes, |batch| keep_objects(&batch, |id| !removed.contains(&id)))
    }

    /// Adds the rows of a part as those of another run. Returns the data files that are full.
    ///
    /// # Errors
    /// Those of [`DataFileWriter::copy`].
    pub fn copy_as(&mut self, run: &str, part: &DataFile, bytes: Bytes) -> Result<Vec<FinishedFile>> {
        self.copy_changed(part, bytes, |batch| {
            let mut columns = batch.columns().to_vec();
            let names: StringArray = std::iter::repeat_n(Some(run), batch.num_rows()).collect();
            columns[batch.schema().index_of("run")?] = Arc::new(names);
            Ok(RecordBatch::try_new(batch.schema(), columns)?)
        })
    }

    fn copy_changed(
        &mut self,
        part: &DataFile,
        bytes: Bytes,
        change: impl Fn(RecordBatch) -> ChangedRows,
    ) -> Result<Vec<FinishedFile>> {
        let mut parts = Vec::new();
        read_changed(self.table, part, bytes, change, |batch| {
            parts.extend(self.write(batch)?);
            Ok(())
        })?;
        Ok(parts)
    }

    /// Ends the last data file, if there are rows for one.
    ///
    /// # Errors
    /// Internal, like [`DataFileWriter::write`].
    pub fn finish(&mut self) -> Result<Option<FinishedFile>> {
        self.write_group()?;
        self.close()
    }

    /// Writes the collected rows as one sorted row group.
    fn write_group(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut write = || -> ParquetResult<()> {
            let mut open = self.open.take().map_or_else(|| OpenFile::new(self.table), Ok)?;
            open.write(&self.batches, self.rows)?;
            self.open = Some(open);
            Ok(())
        };
        write().map_err(|e| internal(&e))?;
        self.batches.clear();
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    fn close(&mut self) -> Result<Option<FinishedFile>> {
        self.open.take().map(OpenFile::close).transpose()
    }
}

impl OpenFile {
    pub(super) fn new(table: &Table) -> ParquetResult<Self> {
        let mut properties = WriterProperties::default();
        add_encoded_arrow_schema_to_metadata(&table.schema(), &mut properties);
        let types = parquet_schema(table)?;
        let file = SerializedFileWriter::new(Blocks::default(), types.root_schema_ptr(), Arc::new(properties))?;
        let path = format!("{}/{}.parquet", table.name, unique_name());
        let part = DataFile {
            table: table.name.into(),
            path,
            rows: 0,
            bytes: 0,
            slice: None,
            ts: None,
            objects: Vec::new(),
            crc32: None,
            is_corrupt: false,
        };
        let slice_end = file.bytes_written() as u64;
        Ok(Self { file, compressor: Compressor::new(ZSTD_LEVEL)?, part, slice_end })
    }

    /// Returns the columns of the data files of a table.
    pub(super) fn columns(table: &Table) -> ParquetResult<Vec<ColumnDescPtr>> {
        Ok(parquet_schema(table)?.columns().to_vec())
    }

    /// Writes a row group. Derived columns that the batches lack are null.
    fn write(&mut self, batches: &[RecordBatch], rows: usize) -> ParquetResult<()> {
        let (mut ts, mut objects) = (None, Vec::new());
        for batch in batches {
            ts = extend_range(ts, batch);
            add_objects(&mut objects, batch);
        }
        self.add(rows, ts, &objects);
        let order = Order::new(batches, rows);
        let nulls = Order { rows: None, pages: order.pages.clone() };
        self.write_group(|column, compressor| {
            let level = statistics_level(column.name());
            match batches.first().and_then(|batch| batch.schema_ref().index_of(column.name()).ok()) {
                Some(index) => write_chunk(batches, index, &order, level, column, compressor),
                None => {
                    let lacking = new_null_array(&DataType::Int64, rows);
                    let lacking = RecordBatch::try_from_iter([(column.name(), lacking)])?;
                    write_chunk(&[lacking], 0, &nulls, level, column, compressor)
                }
            }
        })
    }

    /// Adds rows to what the manifest lists: their number, the range of their times, and their objects.
    pub(super) fn add(&mut self, rows: usize, ts: Option<(i64, i64)>, objects: &[i64]) {
        self.part.rows += rows as u64;
        self.part.ts = join_ranges(self.part.ts, ts);
        objects.iter().for_each(|object| add_object(&mut self.part.objects, *object));
    }

    /// Writes a row group of the chunks that `chunk` returns for each column.
    pub(super) fn write_group(
        &mut self,
        mut chunk: impl FnMut(&ColumnDescPtr, &mut Compressor<'static>) -> ParquetResult<(Bytes, ColumnCloseResult)>,
    ) -> ParquetResult<()> {
        let columns = self.file.schema_descr().columns().to_vec();
        let mut group = self.file.next_row_group()?;
        for column in &columns {
            let (bytes, result) = chunk(column, &mut self.compressor)?;
            group.append_column(&bytes, result)?;
        }
        group.close()?;
        Ok(())
    }

    pub(super) fn bytes_written(&self) -> usize {
        self.file.bytes_written()
    }

    /// Ends the file.
    pub(super) fn close(self) -> Result<FinishedFile> {
        let Self { file, mut part, .. } = self;
        let bytes = file.into_inner().map_err(|e| internal(&e))?.into_bytes();
        part.bytes = bytes.iter().map(|block| block.len() as u64).sum();
        set_checksum(&mut part, &bytes);
        Ok((part, bytes))
    }
}

fn parquet_schema(table: &Table) -> ParquetResult<SchemaDescriptor> {
    ArrowSchemaConverter::new().schema_root("arrow_schema").convert(&table.schema())
}

/// Returns which minima and maxima of a column are recorded.
pub(super) fn statistics_level(column: &str) -> StatisticsLevel {
    match column {
        "run" => StatisticsLevel::Texts,
        name if name == "ts" || KIND_COLUMNS.contains(&name) => StatisticsLevel::Pages,
        _ => StatisticsLevel::Numbers,
    }
}

/// The rows of a batch after a change, with the columns of its table.
pub(super) type ChangedRows = std::result::Result<RecordBatch, Box<dyn std::error::Error>>;

/// Calls `each` with the changed rows of a part, from the bytes of its file.
///
/// # Errors
/// Malformed for a corrupt data file; those of `each`.
pub(super) fn read_changed(
    table: &Table,
    part: &DataFile,
    bytes: Bytes,
    change: impl Fn(RecordBatch) -> ChangedRows,
    mut each: impl FnMut(RecordBatch) -> Result<()>,
) -> Result<()> {
    let corrupt = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Malformed, format!("cannot read data file {}: {error}", part.path))
    };
    // The Parquet reader can panic on corrupt bytes.
    let rows = catch_panic(|| open_rows(part, bytes).and_then(ParquetRecordBatchReaderBuilder::build));
    let mut batches = rows.map_err(|e| corrupt(&e))?.map_err(|e| corrupt(&e))?;
    while let Some(batch) = catch_panic(|| batches.next()).map_err(|e| corrupt(&e))? {
        let batch = batch.map_err(|e| corrupt(&e))?;
        let batch = with_table_columns(&batch, table).map_err(|e| corrupt(&e))?;
        let changed = change(batch).map_err(|e| corrupt(&e))?;
        each(with_dictionaries(table, &changed).map_err(|e| corrupt(&e))?)?;
    }
    Ok(())
}

/// Returns the rows of some objects.
pub(super) fn keep_objects(batch: &RecordBatch, keep: impl Fn(i64) -> bool) -> ChangedRows {
    let objects = batch.column_by_name("object").ok_or("it has no column object")?;
    let ids = objects.as_primitive::<Int64Type>().iter();
    let keep: BooleanArray = ids.map(|id| Some(id.is_none_or(&keep))).collect();
    Ok(filter_record_batch(batch, &keep)?)
}

/// Creates a reader of the rows of a part from the bytes of its file.
pub(super) fn open_rows(part: &DataFile, bytes: Bytes) -> ParquetResult<ParquetRecordBatchReaderBuilder<Bytes>> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes)?;
    let Some(slice) = part.slice else { return Ok(reader) };
    let start = |group: &RowGroupMetaData| group.column(0).byte_range().0;
    let groups = reader.metadata().row_groups().iter().enumerate();
    let in_slice =
        groups.filter(|(_, group)| (slice.start..slice.end).contains(&start(group))).map(|(n, _)| n).collect();
    Ok(reader.with_row_groups(in_slice))
}

/// Returns the batch with the columns of the table in its order. A file of an older version may
/// lack some columns.
fn with_table_columns(batch: &RecordBatch, table: &Table) -> arrow::error::Result<RecordBatch> {
    let schema = table.schema();
    let column = |field: &Arc<Field>| match batch.column_by_name(field.name()) {
        Some(column) => cast(column, field.data_type()),
        None => Ok(new_null_array(field.data_type(), batch.num_rows())),
    };
    let columns = schema.fields().iter().map(column).collect::<arrow::error::Result<Vec<_>>>()?;
    RecordBatch::try_new(schema, columns)
}

/// Extends the range of `ts` by a batch; none if the table has no such column.
pub(super) fn extend_range(range: Option<(i64, i64)>, rows: &RecordBatch) -> Option<(i64, i64)> {
    let ts = rows.column_by_name("ts")?.as_primitive_opt::<Int64Type>()?;
    join_ranges(range, arrow::compute::min(ts).zip(arrow::compute::max(ts)))
}

/// Returns the range that contains both.
fn join_ranges(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let Some((low, high)) = other else { return one };
    Some(one.map_or((low, high), |(first, last)| (first.min(low), last.max(high))))
}

/// Adds the objects of a batch to a sorted list.
pub(super) fn add_objects(known: &mut Vec<i64>, rows: &RecordBatch) {
    let Some(ids) = rows.column_by_name("object").and_then(|ids| ids.as_primitive_opt::<Int64Type>()) else { return };
    let mut last = None;
    for id in ids.iter().flatten() {
        if last != Some(id) {
            last = Some(id);
            add_object(known, id);
        }
    }
}

/// Adds an object to a sorted list.
fn add_object(known: &mut Vec<i64>, id: i64) {
    if let Err(index) = known.binary_search(&id) {
        known.insert(index, id);
    }
}

/// Returns a name that no other writer will choose: time and a random number.
pub(super) fn unique_name() -> String {
    format!("{:016x}-{:016x}", now(), RandomState::new().build_hasher().finish())
}

pub(super) fn internal(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Internal, format!("cannot write rows as Parquet: {error}"))
}

#[cfg(test)]
mod tests;
