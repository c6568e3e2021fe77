//! Rows to Parquet: one writer per table, sorted within row groups, cut at a bounded size.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use arrow::array::{Array, AsArray, BooleanArray, Int64Array, RecordBatch, StringArray, UInt32Array, new_null_array};
use arrow::compute::{cast, concat_batches, filter_record_batch, take_record_batch};
use arrow::datatypes::{Field, Int64Type};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::Part;
use crate::error::{Error, ErrorKind, Result};
use crate::table::Table;
use crate::unit::Type;

/// Rows of a row group: sorted together, so they are held in memory until then.
pub const GROUP_ROWS: usize = 100_000;

/// A part is closed beyond this size, so that memory stays bounded whatever the input: it is held whole until it is put.
const PART_BYTES: usize = 12 << 20;

/// Collects the rows of one table into parts.
#[derive(Debug)]
pub struct PartWriter {
    table: &'static Table,
    held: Vec<RecordBatch>,
    held_rows: usize,
    group_rows: usize,
    open: Option<Open>,
}

/// A part that is not finished yet.
struct Open {
    writer: ArrowWriter<Vec<u8>>,
    part: Part,
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
        Self { table, held: Vec::new(), held_rows: 0, group_rows, open: None }
    }

    /// Adds rows; gives a finished part when one is full.
    ///
    /// # Errors
    /// Internal: rows of the table's own schema can always be written.
    pub fn write(&mut self, batch: RecordBatch) -> Result<Option<(Part, Vec<u8>)>> {
        self.held_rows += batch.num_rows();
        self.held.push(batch);
        if self.held_rows < self.group_rows {
            return Ok(None);
        }
        self.group()?;
        let full = self.open.as_ref().is_some_and(|open| open.writer.bytes_written() > PART_BYTES);
        if full { self.close() } else { Ok(None) }
    }

    /// Ends the last part, if there are rows for one.
    ///
    /// # Errors
    /// Internal, as for [`PartWriter::write`].
    pub fn finish(&mut self) -> Result<Option<(Part, Vec<u8>)>> {
        self.group()?;
        self.close()
    }

    /// Writes the held rows as one sorted row group.
    fn group(&mut self) -> Result<()> {
        if self.held_rows == 0 {
            return Ok(());
        }
        let schema = self.table.schema();
        let rows = concat_batches(&schema, &self.held).map_err(|e| internal(&e))?;
        self.held.clear();
        self.held_rows = 0;
        let rows = sorted(&rows)?;
        if self.open.is_none() {
            let writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties(self.table)));
            let path = format!("{}/{}.parquet", self.table.name, unique());
            let part = Part { table: self.table.name.into(), path, rows: 0, bytes: 0, ts: None, objects: Vec::new() };
            self.open = Some(Open { writer: writer.map_err(|e| internal(&e))?, part });
        }
        if let Some(open) = &mut self.open {
            open.part.rows += rows.num_rows() as u64;
            open.part.ts = span(open.part.ts, &rows);
            objects(&mut open.part.objects, &rows);
            open.writer.write(&rows).and_then(|()| open.writer.flush()).map_err(|e| internal(&e))?;
        }
        Ok(())
    }

    fn close(&mut self) -> Result<Option<(Part, Vec<u8>)>> {
        let Some(Open { writer, mut part }) = self.open.take() else { return Ok(None) };
        let bytes = writer.into_inner().map_err(|e| internal(&e))?;
        part.bytes = bytes.len() as u64;
        Ok(Some((part, bytes)))
    }
}

/// The rows of a part without those of some objects; `None` when none are left.
///
/// # Errors
/// Malformed for a damaged part.
pub fn without_objects(
    table: &'static Table,
    path: &str,
    bytes: Bytes,
    gone: &BTreeSet<i64>,
) -> Result<Vec<(Part, Vec<u8>)>> {
    let damaged =
        |error: &dyn std::fmt::Display| Error::new(ErrorKind::Malformed, format!("cannot read part {path}: {error}"));
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).map_err(|e| damaged(&e))?;
    let mut writer = PartWriter::new(table, GROUP_ROWS);
    let mut parts = Vec::new();
    for batch in reader.build().map_err(|e| damaged(&e))? {
        let batch = batch.map_err(|e| damaged(&e))?;
        let batch = widened(&batch, table).map_err(|e| damaged(&e))?;
        let objects = batch.column_by_name("object").ok_or_else(|| damaged(&"it has no column object"))?;
        let keep: BooleanArray = objects
            .as_primitive::<Int64Type>()
            .iter()
            .map(|id| Some(id.is_none_or(|id| !gone.contains(&id))))
            .collect();
        parts.extend(writer.write(filter_record_batch(&batch, &keep).map_err(|e| damaged(&e))?)?);
    }
    parts.extend(writer.finish()?);
    Ok(parts)
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

/// The rows in the order (node, rank, ts); `run` is one within a part. Rows that are equal in all three keep their
/// order, which is that of their files.
fn sorted(rows: &RecordBatch) -> Result<RecordBatch> {
    let nodes = places(rows.column_by_name("node").map(AsArray::as_string::<i32>), rows.num_rows());
    let (ranks, times) = (integers(rows, "rank"), integers(rows, "ts"));
    let keys = (0_u32..).zip(&nodes).map(|(row, node)| {
        let at = row as usize;
        (*node, ranks.map_or(0, |ranks| or_first(ranks, at)), times.map_or(0, |times| or_first(times, at)), row)
    });
    let mut keys: Vec<(u32, i64, i64, u32)> = keys.collect();
    if keys.is_sorted() {
        return Ok(rows.clone());
    }
    keys.sort_unstable();
    let order: UInt32Array = keys.into_iter().map(|(.., row)| row).collect();
    take_record_batch(rows, &order).map_err(|e| internal(&e))
}

fn integers<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a Int64Array> {
    rows.column_by_name(name)?.as_primitive_opt::<Int64Type>()
}

/// The value to sort by: null comes first.
fn or_first(values: &Int64Array, row: usize) -> i64 {
    if values.is_null(row) { i64::MIN } else { values.value(row) }
}

/// The place of each text among the different ones: a part has rows of a few machines, so that numbers are compared
/// and not texts.
fn places(texts: Option<&StringArray>, rows: usize) -> Vec<u32> {
    let Some(texts) = texts else { return vec![0; rows] };
    let different: BTreeSet<Option<&str>> = texts.iter().collect();
    let place: BTreeMap<Option<&str>, u32> = different.into_iter().zip(0..).collect();
    let mut last = (None, place.get(&None).copied().unwrap_or(0));
    texts
        .iter()
        .map(|text| {
            if text != last.0 {
                last = (text, place.get(&text).copied().unwrap_or(0));
            }
            last.1
        })
        .collect()
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

/// zstd 1, delta-packed integers, dictionaries for names: the best of what was measured for traces.
fn properties(table: &Table) -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).unwrap_or_default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS * 2))
        .set_data_page_row_count_limit(20_000)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_statistics_enabled(ColumnPath::from("ts"), EnabledStatistics::Page);
    for column in table.columns() {
        let path = ColumnPath::from(column.name);
        builder = match column.ty {
            Type::Bigint => builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Type::Double => builder.set_column_dictionary_enabled(path, false),
            // Rows are in order of time, so the least and greatest of names say nothing about where one is.
            Type::Text if column.name != "run" => builder
                .set_column_dictionary_enabled(path.clone(), column.name != "args")
                .set_column_statistics_enabled(path, EnabledStatistics::None),
            Type::Text | Type::Boolean => builder,
        };
    }
    builder.build()
}

/// A name that no other writer will choose: time and a random number.
fn unique() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{:016x}-{:016x}", now.as_nanos(), RandomState::new().build_hasher().finish())
}

fn internal(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Internal, format!("cannot write rows as Parquet: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    /// A part of step rows as a version without column `complete` would have written it, columns in another order.
    fn older() -> Bytes {
        let schema = Arc::new(arrow::datatypes::Schema::new(vec![
            Field::new("object", arrow::datatypes::DataType::Int64, true),
            Field::new("run", arrow::datatypes::DataType::Utf8, false),
            Field::new("row", arrow::datatypes::DataType::Int64, true),
        ]));
        let columns: Vec<arrow::array::ArrayRef> = vec![
            Arc::new(Int64Array::from(vec![1, 2, 2])),
            Arc::new(StringArray::from(vec!["a", "a", "a"])),
            Arc::new(Int64Array::from(vec![10, 20, 21])),
        ];
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).unwrap();
        let mut writer = ArrowWriter::try_new(Vec::new(), schema, None).unwrap();
        writer.write(&batch).unwrap();
        Bytes::from(writer.into_inner().unwrap())
    }

    #[test]
    fn a_part_of_an_older_version_is_written_anew_with_nulls() {
        let step = table("step").unwrap();
        let made = without_objects(step, "step/x.parquet", older(), &BTreeSet::from([1])).unwrap();
        let (part, bytes) = &made[0];
        assert_eq!((made.len(), part.rows, part.objects.as_slice()), (1, 2, [2].as_slice()));
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes.clone())).unwrap();
        let batch = reader.build().unwrap().next().unwrap().unwrap();
        assert_eq!(batch.schema().fields(), step.schema().fields());
        let rows = batch.column_by_name("row").unwrap().as_primitive::<Int64Type>();
        assert_eq!(rows.values().as_ref(), [20, 21]);
        assert_eq!(batch.column_by_name("complete").unwrap().null_count(), 2);
    }
}
