//! Rows to Parquet: one writer per table, sorted within row groups, cut at a bounded size.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use arrow::array::{AsArray, BooleanArray, RecordBatch, StringArray, new_null_array};
use arrow::compute::{cast, filter_record_batch};
use arrow::datatypes::{Field, Int64Type};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::errors::Result as Written;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use super::blocks::Blocks;
use super::chunk::{Codec, Noted, chunk};
use super::order::{KINDS, Order};
use super::{Part, Slice};
use crate::error::{Error, ErrorKind, Result, caught};
use crate::table::{Table, with_dictionaries};

/// Rows of a row group: sorted together, so they are held in memory until then.
pub const GROUP_ROWS: usize = 100_000;

/// The same in bytes, for rows with long texts.
const GROUP_BYTES: usize = 64 << 20;

/// A part is closed beyond this size. It is held whole until it is put, one for each table and worker, so this and
/// not the input says how much memory an ingest takes.
const PART_BYTES: usize = 4 << 20;

/// A part and its bytes, in blocks.
pub type Finished = (Part, Vec<Bytes>);

/// Collects the rows of one table into parts.
#[derive(Debug)]
pub struct PartWriter {
    table: &'static Table,
    held: Vec<RecordBatch>,
    held_rows: usize,
    held_bytes: usize,
    group_rows: usize,
    part_bytes: usize,
    open: Option<Open>,
}

/// A part that is not finished yet.
struct Open {
    file: SerializedFileWriter<Blocks>,
    codec: Codec,
    part: Part,
    /// Where the last slice ended.
    cut: u64,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.part.fmt(f)
    }
}

impl PartWriter {
    /// A writer for this table, with row groups of so many rows: [`GROUP_ROWS`], or fewer where many writers work
    /// side by side.
    pub fn new(table: &'static Table, group_rows: usize) -> Self {
        Self { table, held: Vec::new(), held_rows: 0, held_bytes: 0, group_rows, part_bytes: PART_BYTES, open: None }
    }

    /// A writer of files that are ended by [`PartWriter::finish`] alone, for slices of many runs.
    pub(super) fn of_slices(table: &'static Table) -> Self {
        Self { part_bytes: usize::MAX, ..Self::new(table, GROUP_ROWS) }
    }

    /// Ends a slice: the rows since the last one, in row groups of their own. None if there are none. How large the file
    /// will be is not known yet.
    ///
    /// # Errors
    /// Internal, as for [`PartWriter::write`].
    pub(super) fn cut(&mut self) -> Result<Option<Part>> {
        self.group().map_err(|e| internal(&e))?;
        let Some(open) = &mut self.open else { return Ok(None) };
        let to = open.file.bytes_written() as u64;
        if open.part.rows == 0 {
            return Ok(None);
        }
        let from = std::mem::replace(&mut open.cut, to);
        let next = Part { rows: 0, ts: None, objects: Vec::new(), ..open.part.clone() };
        let part = std::mem::replace(&mut open.part, next);
        Ok(Some(Part { bytes: to - from, slice: Some(Slice { from, to, of: 0 }), ..part }))
    }

    /// Bytes of the file so far.
    pub(super) fn written(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.file.bytes_written())
    }

    /// Adds rows, whose texts may be dictionaries; gives a finished part when one is full.
    ///
    /// # Errors
    /// Internal: rows of the table's own columns can always be written.
    pub fn write(&mut self, batch: RecordBatch) -> Result<Option<Finished>> {
        self.held_rows += batch.num_rows();
        self.held_bytes += batch.get_array_memory_size();
        self.held.push(batch);
        if self.held_rows < self.group_rows && self.held_bytes < GROUP_BYTES {
            return Ok(None);
        }
        self.group().map_err(|e| internal(&e))?;
        let full = self.open.as_ref().is_some_and(|open| open.file.bytes_written() > self.part_bytes);
        if full { self.close() } else { Ok(None) }
    }

    /// Adds the rows of a part that was written before, without those of some objects, from the bytes of its file; gives the
    /// parts that are full.
    ///
    /// # Errors
    /// Malformed for a damaged part.
    pub fn copy(&mut self, part: &Part, bytes: Bytes, gone: &BTreeSet<i64>) -> Result<Vec<Finished>> {
        self.copy_changed(part, bytes, |batch| {
            let objects = batch.column_by_name("object").ok_or("it has no column object")?;
            let keep: BooleanArray = objects
                .as_primitive::<Int64Type>()
                .iter()
                .map(|id| Some(id.is_none_or(|id| !gone.contains(&id))))
                .collect();
            Ok(filter_record_batch(&batch, &keep)?)
        })
    }

    /// Adds the rows of a part that was written before, as those of another run; gives the parts that are full.
    ///
    /// # Errors
    /// As [`PartWriter::copy`].
    pub fn copy_as(&mut self, run: &str, part: &Part, bytes: Bytes) -> Result<Vec<Finished>> {
        self.copy_changed(part, bytes, |batch| {
            let mut columns = batch.columns().to_vec();
            let names: StringArray = std::iter::repeat_n(Some(run), batch.num_rows()).collect();
            columns[batch.schema().index_of("run")?] = Arc::new(names);
            Ok(RecordBatch::try_new(batch.schema(), columns)?)
        })
    }

    fn copy_changed(
        &mut self,
        part: &Part,
        bytes: Bytes,
        change: impl Fn(RecordBatch) -> std::result::Result<RecordBatch, Box<dyn std::error::Error>>,
    ) -> Result<Vec<Finished>> {
        let (table, path) = (self.table, &part.path);
        let damaged = |error: &dyn std::fmt::Display| {
            Error::new(ErrorKind::Malformed, format!("cannot read data file {path}: {error}"))
        };
        // The Parquet reader can panic on corrupt bytes.
        let rows = caught(|| rows_of(part, bytes).and_then(ParquetRecordBatchReaderBuilder::build));
        let mut batches = rows.map_err(|e| damaged(&e))?.map_err(|e| damaged(&e))?;
        let mut parts = Vec::new();
        while let Some(batch) = caught(|| batches.next()).map_err(|e| damaged(&e))? {
            let batch = batch.map_err(|e| damaged(&e))?;
            let batch = widened(&batch, table).map_err(|e| damaged(&e))?;
            let changed = change(batch).map_err(|e| damaged(&e))?;
            let changed = with_dictionaries(table, &changed).map_err(|e| damaged(&e))?;
            parts.extend(self.write(changed)?);
        }
        Ok(parts)
    }

    /// Ends the last part, if there are rows for one.
    ///
    /// # Errors
    /// Internal, as for [`PartWriter::write`].
    pub fn finish(&mut self) -> Result<Option<Finished>> {
        self.group().map_err(|e| internal(&e))?;
        self.close()
    }

    /// Writes the held rows as one sorted row group.
    fn group(&mut self) -> Written<()> {
        if self.held_rows == 0 {
            return Ok(());
        }
        let mut open = match self.open.take() {
            Some(open) => open,
            None => Open::new(self.table)?,
        };
        open.write(&self.held, self.held_rows)?;
        self.open = Some(open);
        self.held.clear();
        (self.held_rows, self.held_bytes) = (0, 0);
        Ok(())
    }

    fn close(&mut self) -> Result<Option<Finished>> {
        let Some(Open { file, mut part, .. }) = self.open.take() else { return Ok(None) };
        let bytes = file.into_inner().map_err(|e| internal(&e))?.into_bytes();
        part.bytes = bytes.iter().map(|block| block.len() as u64).sum();
        Ok(Some((part, bytes)))
    }
}

impl Open {
    fn new(table: &Table) -> Written<Self> {
        let schema = table.schema();
        let mut properties = WriterProperties::default();
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let types = ArrowSchemaConverter::new().schema_root("arrow_schema").convert(&schema)?;
        let file = SerializedFileWriter::new(Blocks::default(), types.root_schema_ptr(), Arc::new(properties))?;
        let path = format!("{}/{}.parquet", table.name, unique());
        let part =
            Part { table: table.name.into(), path, rows: 0, bytes: 0, slice: None, ts: None, objects: Vec::new() };
        let cut = file.bytes_written() as u64;
        Ok(Self { file, codec: Codec::new()?, part, cut })
    }

    /// Writes a row group.
    fn write(&mut self, batches: &[RecordBatch], rows: usize) -> Written<()> {
        self.part.rows += rows as u64;
        for batch in batches {
            self.part.ts = span(self.part.ts, batch);
            objects(&mut self.part.objects, batch);
        }
        let order = Order::of(batches, rows);
        let columns = self.file.schema_descr().columns().to_vec();
        let mut group = self.file.next_row_group()?;
        for (index, column) in columns.iter().enumerate() {
            let noted = match column.name() {
                "run" => Noted::Texts,
                name if name == "ts" || KINDS.contains(&name) => Noted::Pages,
                _ => Noted::Chunk,
            };
            let (bytes, result) = chunk(batches, index, &order, noted, column, &mut self.codec)?;
            group.append_column(&bytes, result)?;
        }
        group.close()?;
        Ok(())
    }
}

/// A reader of the rows of a part, from the bytes of its file.
pub(super) fn rows_of(part: &Part, bytes: Bytes) -> Written<ParquetRecordBatchReaderBuilder<Bytes>> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes)?;
    let Some(slice) = part.slice else { return Ok(reader) };
    let begins = |group: &RowGroupMetaData| group.column(0).byte_range().0;
    let groups = reader.metadata().row_groups().iter().enumerate();
    let within = groups.filter(|(_, group)| (slice.from..slice.to).contains(&begins(group))).map(|(n, _)| n).collect();
    Ok(reader.with_row_groups(within))
}

/// The batch with the columns of the table, in its order: a part of an older version may lack some.
fn widened(batch: &RecordBatch, table: &Table) -> arrow::error::Result<RecordBatch> {
    let schema = table.schema();
    let column = |field: &Arc<Field>| match batch.column_by_name(field.name()) {
        Some(column) => cast(column, field.data_type()),
        None => Ok(new_null_array(field.data_type(), batch.num_rows())),
    };
    let columns = schema.fields().iter().map(column).collect::<arrow::error::Result<Vec<_>>>()?;
    RecordBatch::try_new(schema, columns)
}

fn span(known: Option<(i64, i64)>, rows: &RecordBatch) -> Option<(i64, i64)> {
    let ts = rows.column_by_name("ts")?.as_primitive_opt::<Int64Type>()?;
    let Some((low, high)) = arrow::compute::min(ts).zip(arrow::compute::max(ts)) else { return known };
    Some(known.map_or((low, high), |(first, last)| (first.min(low), last.max(high))))
}

fn objects(known: &mut Vec<i64>, rows: &RecordBatch) {
    let Some(ids) = rows.column_by_name("object").and_then(|ids| ids.as_primitive_opt::<Int64Type>()) else { return };
    let mut last = None;
    for id in ids.iter().flatten() {
        if last != Some(id) {
            last = Some(id);
            if let Err(place) = known.binary_search(&id) {
                known.insert(place, id);
            }
        }
    }
}

/// A name that no other writer will choose: time and a random number.
pub(super) fn unique() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{:016x}-{:016x}", now.as_nanos(), RandomState::new().build_hasher().finish())
}

fn internal(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Internal, format!("cannot write rows as Parquet: {error}"))
}

#[cfg(test)]
mod tests;
