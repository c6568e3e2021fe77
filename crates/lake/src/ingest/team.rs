//! Several workers on one large file: each decodes a section of it ahead of its turn, and what they found is joined in
//! the order of the file.
//!
//! A section is cut where an entry seems to begin. Whether one does shows when the sections before have been read: if
//! the decoder of the file stands at exactly that place, and nothing in the section depends on what came before, what was
//! decoded ahead is what it would have given, but for the ordinals of the rows. Else the section is thrown away and read
//! again in its turn. So the rows are the same for any number of workers.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::Int64Type;

use crate::error::{Error, ErrorKind, Result};
use crate::format::{Cut, Sections};
use crate::source::Chunks;
use crate::table::{Rows, Table};

/// Bytes of a section: some thousand rows, so that memory does not grow much with the number of workers.
pub(super) const SECTION: usize = 2 << 20;

/// After so many sections in a row that had to be read again, the file is not of the kind that can be decoded ahead.
const REFUSED: u32 = 8;

/// Rows of a section, by table.
pub(super) type Batches = Vec<(&'static Table, RecordBatch)>;

/// A file that is being read by several workers.
pub(super) struct Team {
    cut: Cut,
    run: String,
    object: i64,
    input: Mutex<Input>,
    turn: Mutex<Turn>,
    passed: Condvar,
}

struct Input {
    chunks: Chunks,
    /// What was read beyond the last cut.
    carry: Vec<u8>,
    /// Number of the next section.
    next: u64,
}

/// What has been read in order.
struct Turn {
    /// Number of the section that comes next; none when the workers are to stop.
    next: Option<u64>,
    /// Why they are to stop, if the file is the reason.
    error: Option<Error>,
    /// None after [`Team::end`] returned the file.
    decoder: Option<Box<dyn Sections>>,
    rows: Rows,
    refused: u32,
}

/// A file before its sections, and behind them.
pub(super) struct File {
    pub(super) decoder: Box<dyn Sections>,
    pub(super) rows: Rows,
}

impl Team {
    /// A file that goes on behind the bytes that its decoder has taken; `object` is its id.
    pub(super) fn new(run: &str, object: i64, chunks: Chunks, file: File) -> Self {
        let File { decoder, rows } = file;
        Self {
            cut: decoder.cut(),
            run: run.to_owned(),
            object,
            input: Mutex::new(Input { chunks, carry: Vec::new(), next: 0 }),
            turn: Mutex::new(Turn { next: Some(0), error: None, decoder: Some(decoder), rows, refused: 0 }),
            passed: Condvar::new(),
        }
    }

    /// Reads sections until there are no more, or until `each` says so, which is handed the rows of each.
    ///
    /// # Errors
    /// What `each` says. What is wrong with the file is told by [`Team::end`].
    pub(super) fn help(&self, mut each: impl FnMut(Batches) -> Result<bool>) -> Result<()> {
        let mut room = Vec::new();
        let mut rows = Rows::new(&self.run);
        let mut holding = Holding(Some(self));
        loop {
            match self.read(&mut room, &mut rows) {
                Ok(Some(batches)) => {
                    if !each(batches)? {
                        return Ok(());
                    }
                }
                // all is read, or another worker has stopped
                Ok(None) => {
                    holding.0 = None;
                    return Ok(());
                }
                Err(error) => {
                    lock(&self.turn).error.get_or_insert(error);
                    return Ok(());
                }
            }
        }
    }

    /// Waits for the workers that are at the last sections, and gives back the file with what was wrong with it: what was
    /// read before an error of the source or the decoder stands. None if the workers were stopped.
    pub(super) fn end(&self) -> Option<(File, Result<Damage>)> {
        let (all, damage) = {
            let input = lock(&self.input);
            (input.next, damage(&input.chunks))
        };
        let mut turn = self.wait(all);
        let result = match turn.error.take() {
            Some(error) => Err(error),
            None if turn.next.is_none() => return None,
            None => Ok(damage),
        };
        let rows = std::mem::replace(&mut turn.rows, Rows::new(&self.run));
        Some((File { decoder: turn.decoder.take()?, rows }, result))
    }

    /// Reads the next section; none at the end.
    fn read(&self, room: &mut Vec<u8>, rows: &mut Rows) -> Result<Option<Batches>> {
        let number = match self.section(room) {
            Ok(Some(number)) => number,
            Ok(None) => return Ok(None),
            Err((number, error)) => {
                // What stands before it in the file is still being read.
                drop(self.wait(number));
                return Err(error);
            }
        };
        let ahead = self.ahead(number, room, rows);
        self.join(number, room, ahead, rows)
    }

    /// Takes the bytes of the next section and gives its number, also with an error.
    fn section(&self, room: &mut Vec<u8>) -> std::result::Result<Option<u64>, (u64, Error)> {
        let mut input = lock(&self.input);
        room.clear();
        room.append(&mut input.carry);
        let more = match input.chunks.fill(room, SECTION) {
            Ok(more) => more,
            Err(error) => {
                input.next += 1;
                return Err((input.next - 1, error));
            }
        };
        if room.is_empty() {
            return Ok(None);
        }
        if more && let Some(cut) = (self.cut)(room) {
            input.carry.extend_from_slice(&room[cut..]);
            room.truncate(cut);
        }
        let number = input.next;
        input.next += 1;
        Ok(Some(number))
    }

    /// Decodes a section before its turn, if that can be done: not the first one, which nobody cut.
    fn ahead(&self, number: u64, bytes: &[u8], rows: &mut Rows) -> Option<Box<dyn Sections>> {
        let ahead = {
            let turn = lock(&self.turn);
            if number > 0 && turn.refused < REFUSED { turn.decoder.as_ref()?.ahead() } else { None }
        };
        let mut ahead = ahead?;
        rows.begin(self.object);
        ahead.push(bytes, rows).ok()?;
        Some(ahead)
    }

    /// Waits for the turn of a section and takes what was decoded ahead, or else decodes it now; none after an error.
    fn join(
        &self,
        number: u64,
        bytes: &[u8],
        ahead: Option<Box<dyn Sections>>,
        rows: &mut Rows,
    ) -> Result<Option<Batches>> {
        let mut turn = self.wait(number);
        let Turn { next: Some(_), decoder: Some(decoder), rows: read, refused, .. } = &mut *turn else {
            return Ok(None);
        };
        let joined = ahead.filter(|_| rows.is_undamaged()).and_then(|ahead| decoder.join(ahead));
        let mut batches = Vec::new();
        if joined.is_some() {
            *refused = 0;
            read.absorb(rows.end());
        } else {
            *rows = Rows::new(&self.run);
            *refused += 1;
            decoder.push(bytes, read)?;
            batches = read.take_dictionaries();
        }
        turn.next = Some(number + 1);
        drop(turn);
        self.passed.notify_all();
        if let Some(first) = joined {
            for (table, batch) in rows.take_dictionaries() {
                batches.push((table, with_offset(batch, "row", first)?));
            }
        }
        Ok(Some(batches))
    }

    /// Waits until the sections before this one have been read, or the workers are to stop.
    fn wait(&self, number: u64) -> MutexGuard<'_, Turn> {
        let before = |turn: &mut Turn| turn.next.is_some_and(|next| next < number);
        self.passed.wait_while(lock(&self.turn), before).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where unpacking stopped before the end of a file, and why.
pub(super) type Damage = Option<(i64, String)>;

/// What was wrong with the content of a file.
pub(super) fn damage(chunks: &Chunks) -> Damage {
    chunks.damage().map(|why| (i64::try_from(chunks.given()).unwrap_or(i64::MAX), why.to_owned()))
}

/// A worker whose section others wait for: whatever ends it ends them too.
struct Holding<'a>(Option<&'a Team>);

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        if let Some(team) = self.0 {
            lock(&team.turn).next = None;
            team.passed.notify_all();
        }
    }
}

/// What a lock holds, also after a panic of another worker: that one has said so.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The batch with a number added to all values of a column, if it has that one.
pub(super) fn with_offset(batch: RecordBatch, column: &str, offset: i64) -> Result<RecordBatch> {
    let schema = batch.schema();
    let Some((index, _)) = schema.column_with_name(column).filter(|_| offset != 0) else { return Ok(batch) };
    let values = batch.column(index).as_primitive::<Int64Type>();
    let values = values.unary::<_, Int64Type>(|value| value.saturating_add(offset));
    let mut columns = batch.columns().to_vec();
    columns[index] = Arc::new(values);
    RecordBatch::try_new(schema, columns).map_err(|error| {
        Error::new(ErrorKind::Internal, format!("cannot shift column {column} of a batch")).with_source(error)
    })
}
