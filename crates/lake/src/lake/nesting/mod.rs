//! Finds at ingest which call encloses which, and writes it with the events.
//!
//! The call around an event may come much later in its file: profilers write Python functions after operators. So the
//! columns of a row group are encoded when it is full, but they stay in a temporary file, next to what nesting needs to
//! know of each row, until all files are read. Then the intervals of each file are merged in the order of time, and the
//! data files are written with the derived columns. Memory does not grow with the size of a file, except for the metadata of
//! its row groups.

mod interval;
mod interval_store;
mod merge;
mod paths;
mod scratch;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch};
use bytes::Bytes;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result as ParquetResult};
use zstd::bulk::Compressor;

use self::interval::{BYTES, NestingResult};
use self::interval_store::{IntervalStore, Sequence};
use self::merge::{SharedNumbers, nest};
use self::paths::PathTree;
use super::DataFile;
use super::chunk::{ZSTD_LEVEL, write_chunk};
use super::data_file::{
    DataFileWriter, FILE_BYTES, FinishedFile, GROUP_BYTES, GROUP_ROWS, OpenFile, add_objects, extend_range, internal,
    keep_objects, read_changed, statistics_level,
};
use super::order::Order;
use crate::error::{Error, ErrorKind, Result};
use crate::table::{CallPath, Rows, Table};

/// Number of rows of `call_path` that are collected before they are written.
const BATCH_ROWS: usize = 16_384;

/// Writes events with their nesting. Data files are complete when all rows are known.
#[doc(hidden)]
pub struct NestingWriter {
    table: &'static Table,
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    group_rows: usize,
    store: IntervalStore,
    groups: Vec<EncodedGroup>,
    compressor: Option<Compressor<'static>>,
}

/// A row group without its derived columns.
struct EncodedGroup {
    rows: usize,
    pages: Vec<usize>,
    /// Offset of the chunks of the recorded columns in the scratch.
    offset: u64,
    chunks: Vec<ColumnCloseResult>,
    sequences: Vec<Sequence>,
    /// What is known of the rows for the data file.
    ts: Option<(i64, i64)>,
    objects: Vec<i64>,
}

impl std::fmt::Debug for NestingWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NestingWriter").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl NestingWriter {
    /// Creates a writer of a table with derived columns, with row groups of this number of rows.
    pub fn new(table: &'static Table, group_rows: usize) -> Self {
        Self {
            table,
            batches: Vec::new(),
            rows: 0,
            bytes: 0,
            group_rows,
            store: IntervalStore::default(),
            groups: Vec::new(),
            compressor: None,
        }
    }

    /// Adds rows; their texts may be dictionaries.
    ///
    /// # Errors
    /// Exhausted if the temporary file cannot be written.
    pub fn write(&mut self, batch: RecordBatch) -> Result<()> {
        self.rows += batch.num_rows();
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
        if self.rows < self.group_rows && self.bytes < GROUP_BYTES { Ok(()) } else { self.write_group() }
    }

    /// Adds the rows of some objects of a part from the bytes of its file, without the nesting that they may have.
    ///
    /// # Errors
    /// Malformed for a corrupt data file; those of [`NestingWriter::write`].
    pub fn copy(&mut self, part: &DataFile, bytes: Bytes, objects: &BTreeSet<i64>) -> Result<()> {
        let table = self.table;
        let keep = |batch: RecordBatch| keep_objects(&batch, |id| objects.contains(&id));
        read_changed(table, part, bytes, keep, |batch| {
            let is_recorded = |name: &str| table.derived_columns().all(|derived| derived.name != name);
            let columns = batch.schema_ref().fields().iter().enumerate();
            let recorded: Vec<usize> = columns.filter(|(_, field)| is_recorded(field.name())).map(|(n, _)| n).collect();
            self.write(batch.project(&recorded).map_err(|error| internal(&error))?)
        })
    }

    /// Encodes the collected rows as a row group.
    fn write_group(&mut self) -> Result<()> {
        if self.rows > 0 {
            let group = self.encode_group().map_err(failed)?;
            self.groups.push(group);
        }
        self.batches.clear();
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    fn encode_group(&mut self) -> ParquetResult<EncodedGroup> {
        let mut group = EncodedGroup {
            rows: self.rows,
            pages: Vec::new(),
            offset: 0,
            chunks: Vec::new(),
            sequences: Vec::new(),
            ts: None,
            objects: Vec::new(),
        };
        for batch in &self.batches {
            group.ts = extend_range(group.ts, batch);
            add_objects(&mut group.objects, batch);
        }
        let order = Order::new(&self.batches, self.rows);
        group.sequences = self.store.record(&self.batches, &order)?;
        let compressor = match &mut self.compressor {
            Some(compressor) => compressor,
            none => none.insert(Compressor::new(ZSTD_LEVEL)?),
        };
        for column in OpenFile::columns(self.table)? {
            // The derived columns are added later.
            let Some(index) = self.batches.first().and_then(|batch| batch.schema_ref().index_of(column.name()).ok())
            else {
                continue;
            };
            let level = statistics_level(column.name());
            let (bytes, chunk) = write_chunk(&self.batches, index, &order, level, &column, compressor)?;
            let offset = self.store.scratch.append(&bytes)?;
            if group.chunks.is_empty() {
                group.offset = offset;
            }
            group.chunks.push(chunk);
        }
        group.pages = order.pages;
        Ok(group)
    }

    /// Nests the rows of all writers of an ingest of this run, and calls `put` with the data files: those of their
    /// table, and those of `call_path`. Returns the files with more paths than are stored.
    ///
    /// # Errors
    /// Exhausted if the temporary file cannot be written or read; the errors of `put`.
    pub fn finish(
        mut writers: Vec<Self>,
        run: &str,
        mut put: impl FnMut(FinishedFile) -> Result<()>,
    ) -> Result<Vec<i64>> {
        let mut full = Vec::new();
        for writer in &mut writers {
            writer.write_group()?;
        }
        let shared = SharedNumbers::new(writers.iter().map(|writer| &writer.store));
        let mut sequences: BTreeMap<i64, Vec<(usize, Sequence)>> = BTreeMap::new();
        for (number, writer) in writers.iter().enumerate() {
            for sequence in writer.groups.iter().flat_map(|group| &group.sequences) {
                sequences.entry(sequence.object).or_default().push((number, *sequence));
            }
        }
        let mut rows = Rows::new(run);
        let mut outputs: BTreeMap<&str, DataFileWriter> = BTreeMap::new();
        let mut write = |rows: &mut Rows, put: &mut dyn FnMut(FinishedFile) -> Result<()>| -> Result<()> {
            for (table, batch) in rows.take_dictionaries() {
                let output = outputs.entry(table.name).or_insert_with(|| DataFileWriter::new(table, GROUP_ROWS));
                output.write(batch)?.map_or(Ok(()), &mut *put)?;
            }
            Ok(())
        };
        // Places in `call_path` by number of the path.
        let mut places: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for (object, sequences) in &sequences {
            let mut stores: Vec<&mut IntervalStore> = writers.iter_mut().map(|writer| &mut writer.store).collect();
            let paths = nest(sequences, &mut stores, &shared).map_err(|error| failed(error.into()))?;
            full.extend(paths.is_full.then_some(*object));
            places.insert(*object, list_paths(&paths, &shared, *object, &mut rows));
            if rows.len() >= BATCH_ROWS {
                write(&mut rows, &mut put)?;
            }
        }
        write(&mut rows, &mut put)?;
        for output in outputs.values_mut() {
            output.finish()?.map_or(Ok(()), &mut put)?;
        }
        for writer in writers {
            writer.write_files(&places, &mut put)?;
        }
        Ok(full)
    }

    /// Writes the data files.
    fn write_files(
        mut self,
        places: &BTreeMap<i64, Vec<u32>>,
        put: &mut impl FnMut(FinishedFile) -> Result<()>,
    ) -> Result<()> {
        let mut open: Option<OpenFile> = None;
        for group in std::mem::take(&mut self.groups) {
            let write = || -> ParquetResult<OpenFile> {
                let mut file = open.take().map_or_else(|| OpenFile::new(self.table), Ok)?;
                self.write_encoded(&mut file, group, places)?;
                Ok(file)
            };
            let file = write().map_err(failed)?;
            if file.bytes_written() > FILE_BYTES {
                put(file.close()?)?;
            } else {
                open = Some(file);
            }
        }
        open.map_or(Ok(()), |file| put(file.close()?))
    }

    /// Writes a row group to a data file, with its derived columns.
    fn write_encoded(
        &mut self,
        file: &mut OpenFile,
        group: EncodedGroup,
        places: &BTreeMap<i64, Vec<u32>>,
    ) -> ParquetResult<()> {
        let derived = self.derived_columns(&group, places)?;
        let bytes = group.chunks.iter().map(|chunk| chunk.bytes_written).sum::<u64>();
        let mut encoded = vec![0; usize::try_from(bytes)?];
        self.store.scratch.read(group.offset, &mut encoded)?;
        let mut encoded = Bytes::from(encoded);
        let order = Order { rows: None, pages: group.pages };
        let mut chunks = group.chunks.into_iter();
        file.add(group.rows, group.ts, &group.objects);
        file.write_group(|column, compressor| {
            let batches = std::slice::from_ref(&derived);
            if let Ok(index) = derived.schema_ref().index_of(column.name()) {
                return write_chunk(batches, index, &order, statistics_level(column.name()), column, compressor);
            }
            let Some(chunk) = chunks.next() else {
                return Err(ParquetError::General("a row group lacks a column".to_owned()));
            };
            let rest = encoded.split_off(usize::try_from(chunk.bytes_written)?);
            Ok((std::mem::replace(&mut encoded, rest), chunk))
        })
    }

    /// Returns the derived columns of a row group, in its order.
    fn derived_columns(
        &mut self,
        group: &EncodedGroup,
        places: &BTreeMap<i64, Vec<u32>>,
    ) -> ParquetResult<RecordBatch> {
        let mut columns: [Vec<Option<i64>>; 4] = std::array::from_fn(|_| vec![None; group.rows]);
        for sequence in &group.sequences {
            let places = places.get(&sequence.object).map(Vec::as_slice).unwrap_or_default();
            let place = |path: u32| places.get(path as usize).map(|place| i64::from(*place));
            let mut bytes = vec![0; sequence.bytes()];
            self.store.scratch.read(sequence.offset, &mut bytes)?;
            let (intervals, _) = bytes.as_chunks::<BYTES>();
            for nested in intervals.iter().map(NestingResult::decode) {
                let position = nested.position as usize;
                columns[0][position] = nested.call_path.and_then(place);
                columns[1][position] = nested.python_path.and_then(place);
                columns[2][position] = nested.parent_row;
                columns[3][position] = (nested.overlap > 0).then_some(nested.overlap);
            }
        }
        let names = self.table.derived_columns().map(|column| column.name);
        let arrays = columns.into_iter().map(|values| Arc::new(Int64Array::from(values)) as ArrayRef);
        Ok(RecordBatch::try_from_iter(names.zip(arrays))?)
    }
}

/// The error if the temporary file cannot be written or read, or else if a data file cannot be encoded.
fn failed(error: ParquetError) -> Error {
    match error {
        ParquetError::External(cause) if cause.is::<std::io::Error>() => {
            let text = format!("cannot keep events in a temporary file until their calls are nested: {cause}");
            Error::new(ErrorKind::Exhausted, text).with_hint("free some space, or set TMPDIR to another folder")
        }
        error => internal(&error),
    }
}

/// Adds the paths of a file to `call_path`, depth first. Returns the place of each.
fn list_paths(paths: &PathTree, shared: &SharedNumbers, object: i64, rows: &mut Rows) -> Vec<u32> {
    rows.begin(object);
    let places = paths.depth_first();
    let place = |path: u32| i64::from(places[path as usize].0);
    for (node, (row, inside)) in paths.nodes.iter().zip(&places) {
        let (machine, rank, _) = &shared.processes[node.process as usize];
        rows.call_path(&CallPath {
            node: machine.as_deref(),
            rank: *rank,
            parent_row: node.parent.map(place),
            depth: Some(i64::from(node.depth)),
            paths_inside: Some(i64::from(*inside)),
            category: Some(node.category.as_str()),
            name: Some(shared.names.text(node.name)),
            outermost: Some(node.outermost),
            operator: node.operator.map(|name| shared.names.text(name)),
            module: node.module.map(|name| shared.names.text(name)),
            row: i64::from(*row),
        });
    }
    places.into_iter().map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests;
