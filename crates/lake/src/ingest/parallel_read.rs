//! Parallel reading of one large file: workers decode sections ahead, and their rows are joined in
//! the order of the file.
//!
//! The file is cut into sections where an entry seems to start. Whether one does is known when all
//! sections before have been decoded. The section is accepted if the decoder of the file ends
//! exactly there, and if nothing in the section depends on previous content. Then its rows are
//! those of sequential decoding, except for the ordinals of rows. Otherwise the section is
//! discarded and decoded again in its turn. So the rows are the same for any number of workers.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{AsArray, Int64Array, RecordBatch};
use arrow::datatypes::Int64Type;
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::error::{Error, ErrorKind, Result};
use crate::format::{FindSectionStart, Sections};
use crate::source::Chunks;
use crate::table::{Rows, Table};

/// Size of a section in bytes: some thousand rows, so that memory does not grow much with the
/// number of workers.
pub(super) const SECTION: usize = 2 << 20;

/// Number of consecutive discarded sections after which no section of the file is decoded ahead.
const MAX_DISCARDED: u32 = 8;

/// Rows of a section, by table.
pub(super) type TableBatches = Vec<(&'static Table, RecordBatch)>;

/// A file that several workers read.
pub(super) struct ParallelRead {
    section_start_finder: FindSectionStart,
    run: String,
    object: i64,
    /// The rank of all rows, if the user set it.
    rank: Option<i64>,
    input: Mutex<SectionInput>,
    state: Mutex<JoinState>,
    joined_next: Condvar,
}

/// The part of the file that is not cut into sections yet.
struct SectionInput {
    chunks: Chunks,
    /// Bytes after the last cut.
    carry: Vec<u8>,
    /// Number of the next section.
    next: u64,
}

/// The state after the sections that were joined in order.
struct JoinState {
    /// Number of the next section; none if the workers must stop.
    next: Option<u64>,
    /// The error of the file that stopped them, if there was one.
    error: Option<Error>,
    /// None after [`ParallelRead::end`] returned the file.
    decoder: Option<Box<dyn Sections>>,
    rows: Rows,
    discarded: u32,
}

/// The decoder of a file and its rows, before or after its sections.
pub(super) struct SharedFile {
    pub(super) decoder: Box<dyn Sections>,
    pub(super) rows: Rows,
}

impl ParallelRead {
    /// Starts to read the rest of a file after the bytes that its decoder has taken; `object` is
    /// its id, and `rank` that of all rows if the user set it.
    pub(super) fn new(run: &str, (object, rank): (i64, Option<i64>), chunks: Chunks, file: SharedFile) -> Self {
        let SharedFile { decoder, rows } = file;
        Self {
            section_start_finder: decoder.section_start_finder(),
            run: run.to_owned(),
            object,
            rank,
            input: Mutex::new(SectionInput { chunks, carry: Vec::new(), next: 0 }),
            state: Mutex::new(JoinState { next: Some(0), error: None, decoder: Some(decoder), rows, discarded: 0 }),
            joined_next: Condvar::new(),
        }
    }

    /// Reads sections to the end of the file, or until `each` returns false. Calls `each` with the
    /// rows of each section.
    ///
    /// # Errors
    /// Those of `each`. [`ParallelRead::end`] returns the errors of the file.
    pub(super) fn help(&self, mut each: impl FnMut(TableBatches) -> Result<bool>) -> Result<()> {
        let mut buffer = Vec::new();
        let mut rows = Rows::new(&self.run);
        let mut guard = StopGuard(Some(self));
        loop {
            match self.read(&mut buffer, &mut rows) {
                Ok(Some(batches)) => {
                    if !each(batches)? {
                        return Ok(());
                    }
                }
                // All sections are read, or another worker has stopped.
                Ok(None) => {
                    guard.0 = None;
                    return Ok(());
                }
                Err(error) => {
                    self.state.lock().error.get_or_insert(error);
                    return Ok(());
                }
            }
        }
    }

    /// Waits for the workers at the last sections. Returns the file, and its error or corruption.
    /// Rows before an error stay valid. None if the workers were stopped.
    pub(super) fn end(&self) -> Option<(SharedFile, Result<Corruption>)> {
        let (all, corruption) = {
            let input = self.input.lock();
            (input.next, corruption(&input.chunks))
        };
        let mut state = self.wait_for_turn(all);
        let result = match state.error.take() {
            Some(error) => Err(error),
            None if state.next.is_none() => return None,
            None => Ok(corruption),
        };
        let rows = std::mem::replace(&mut state.rows, Rows::new(&self.run));
        Some((SharedFile { decoder: state.decoder.take()?, rows }, result))
    }

    /// Reads the next section; none at the end of the file.
    fn read(&self, buffer: &mut Vec<u8>, rows: &mut Rows) -> Result<Option<TableBatches>> {
        let number = match self.take_section(buffer) {
            Ok(Some(number)) => number,
            Ok(None) => return Ok(None),
            Err((number, error)) => {
                // Other workers still read the sections before it.
                drop(self.wait_for_turn(number));
                return Err(error);
            }
        };
        let ahead = self.decode_ahead(number, buffer, rows);
        self.join_section(number, buffer, ahead, rows)
    }

    /// Takes the bytes of the next section, and returns its number, also with an error.
    fn take_section(&self, buffer: &mut Vec<u8>) -> std::result::Result<Option<u64>, (u64, Error)> {
        let mut input = self.input.lock();
        buffer.clear();
        buffer.append(&mut input.carry);
        let more = match input.chunks.fill(buffer, SECTION) {
            Ok(more) => more,
            Err(error) => {
                input.next += 1;
                return Err((input.next - 1, error));
            }
        };
        if buffer.is_empty() {
            return Ok(None);
        }
        if more && let Some(cut) = (self.section_start_finder)(buffer) {
            input.carry.extend_from_slice(&buffer[cut..]);
            buffer.truncate(cut);
        }
        let number = input.next;
        input.next += 1;
        Ok(Some(number))
    }

    /// Decodes a section ahead if possible. The first section is not, because it does not start at
    /// a cut.
    fn decode_ahead(&self, number: u64, bytes: &[u8], rows: &mut Rows) -> Option<Box<dyn Sections>> {
        let ahead = {
            let state = self.state.lock();
            if number > 0 && state.discarded < MAX_DISCARDED { state.decoder.as_ref()?.section_decoder() } else { None }
        };
        let mut ahead = ahead?;
        rows.begin(self.object);
        rows.set_rank(self.rank);
        ahead.push(bytes, rows).ok()?;
        Some(ahead)
    }

    /// Waits for the turn of a section. Joins its rows if it was decoded ahead and accepted, or
    /// else decodes it now. None after an error.
    fn join_section(
        &self,
        number: u64,
        bytes: &[u8],
        ahead: Option<Box<dyn Sections>>,
        rows: &mut Rows,
    ) -> Result<Option<TableBatches>> {
        let mut state = self.wait_for_turn(number);
        let JoinState { next: Some(_), decoder: Some(decoder), rows: read, discarded, .. } = &mut *state else {
            return Ok(None);
        };
        let joined = ahead.filter(|_| rows.has_no_problems()).and_then(|ahead| decoder.join(ahead));
        let mut batches = Vec::new();
        if joined.is_some() {
            *discarded = 0;
            read.absorb(rows.end());
        } else {
            *rows = Rows::new(&self.run);
            *discarded += 1;
            decoder.push(bytes, read)?;
            batches = read.take_dictionaries();
        }
        state.next = Some(number + 1);
        drop(state);
        self.joined_next.notify_all();
        if let Some(first) = joined {
            for (table, batch) in rows.take_dictionaries() {
                batches.push((table, with_offset(batch, "row", first)?));
            }
        }
        Ok(Some(batches))
    }

    /// Waits until all previous sections were joined, or the workers must stop.
    fn wait_for_turn(&self, number: u64) -> MutexGuard<'_, JoinState> {
        let before = |state: &mut JoinState| state.next.is_some_and(|next| next < number);
        let mut state = self.state.lock();
        self.joined_next.wait_while(&mut state, before);
        state
    }
}

/// Position and reason where decompression stopped before the end of a file.
pub(super) type Corruption = Option<(i64, String)>;

/// Returns the corruption of the content of a file.
pub(super) fn corruption(chunks: &Chunks) -> Corruption {
    chunks.corruption().map(|why| (i64::try_from(chunks.bytes_read()).unwrap_or(i64::MAX), why.to_owned()))
}

/// Stops the other workers if this one ends before the end of the file, because they wait for its
/// section.
struct StopGuard<'a>(Option<&'a ParallelRead>);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        if let Some(read) = self.0 {
            read.state.lock().next = None;
            read.joined_next.notify_all();
        }
    }
}

/// Adds an offset to all values of a column, if the batch has it.
pub(super) fn with_offset(batch: RecordBatch, column: &str, offset: i64) -> Result<RecordBatch> {
    if offset == 0 || batch.column_by_name(column).is_none() {
        return Ok(batch);
    }
    map_column(&batch, column, |values| values.unary(|value| value.saturating_add(offset)))
}

/// Adds to each time in column `ts` the offset of its rank, if the batch has both columns.
pub(super) fn with_rank_offsets(batch: RecordBatch, offsets: &BTreeMap<i64, i64>) -> Result<RecordBatch> {
    let Some(ranks) = batch.column_by_name("rank").filter(|_| !offsets.is_empty()) else { return Ok(batch) };
    if batch.column_by_name("ts").is_none() {
        return Ok(batch);
    }
    let offset_of = |rank: Option<i64>| rank.and_then(|rank| offsets.get(&rank)).copied().unwrap_or(0);
    let ranks = ranks.as_primitive::<Int64Type>().iter();
    map_column(&batch, "ts", |times| {
        times.iter().zip(ranks).map(|(ts, rank)| Some(ts?.saturating_add(offset_of(rank)))).collect()
    })
}

/// Returns the batch with other values of a column.
fn map_column(batch: &RecordBatch, column: &str, map: impl FnOnce(&Int64Array) -> Int64Array) -> Result<RecordBatch> {
    let index = batch.schema().index_of(column);
    let mapped = index.and_then(|index| {
        let mut columns = batch.columns().to_vec();
        columns[index] = Arc::new(map(columns[index].as_primitive::<Int64Type>()));
        RecordBatch::try_new(batch.schema(), columns)
    });
    mapped.map_err(|error| {
        Error::new(ErrorKind::Internal, format!("cannot shift column {column} of a batch")).with_source(error)
    })
}
