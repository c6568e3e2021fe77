//! The workers: each takes groups of objects, decodes them, and writes parts of its own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;

use super::board::{Board, Job};
use super::plan::{Kept, Paused, Plan, Unit, entry};
use super::team::{Batches, Damage, File, SECTION, Team, damage, lock, with_offset};
use super::{Progress, Watch};
use crate::error::{Error, ErrorKind, Result};
use crate::format::{Decoding, RandomAccess, Sections};
use crate::lake::{Common, Entry, Finished, GROUP_ROWS, Lake, Part, PartWriter};
use crate::source::{Chunks, EDGE, Object, Place, Whole};
use crate::table::{Rows, Severity, Summary, Table};

/// Rows held before they are handed to the writers.
const BATCH_ROWS: usize = 16_384;

/// The same in bytes of input: rows may be large, and hold no more text than was read.
const BATCH_BYTES: usize = 16 << 20;

/// What all workers made together.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) parts: Vec<Part>,
    pub(super) entries: Vec<Arc<Entry>>,
    pub(super) failed: u64,
    /// Objects that went away or changed since they were listed; their old rows stay.
    pub(super) kept: BTreeSet<i64>,
    /// Decoders from which files that come later can be read.
    pub(super) paused: Kept,
}

impl std::fmt::Debug for Paused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.objects.fmt(f)
    }
}

struct Shared<'a> {
    lake: &'a Lake,
    place: &'a Place,
    plan: &'a Plan<'a>,
    run: &'a str,
    handle: &'a Handle,
    watch: &'a Watch,
    stop: &'a AtomicBool,
    board: Board,
    /// Workers may help each other with a file.
    together: bool,
    /// Held while it is told, so that what is told never goes back.
    progress: Mutex<Progress>,
    /// Rows of a row group: fewer where many workers hold one each, so that memory does not grow with their number.
    group_rows: usize,
}

/// Decodes all units of the plan.
pub(super) fn work(
    lake: &Lake,
    place: &Place,
    plan: &Plan<'_>,
    run: &str,
    handle: &Handle,
    watch: &Watch,
    stop: &AtomicBool,
) -> Result<Done> {
    let all = plan.units.iter().flat_map(|unit| &unit.objects);
    let total = Progress {
        objects: all.clone().count() as u64,
        bytes: all.map(|index| plan.listed[*index].size).sum(),
        ..Progress::default()
    };
    // Reading waits for the network as much as for the processor: more workers than cores on a
    // remote store, and never more than there are groups.
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let workers = if place.url().starts_with("file:") { cores } else { cores * 4 };
    let large = |unit: &&Unit| unit.objects.iter().any(|index| is_large(&plan.listed[*index]));
    let many = plan.units.iter().filter(large).count();
    let together =
        cores > 1 && plan.units.iter().filter(large).any(|unit| matches!(unit.format.decoder(), Decoding::Sections(_)));
    // whoever reads a large file alone has another to write its rows
    let wanted = if together { cores } else { (plan.units.len() + many).min(cores) };
    let workers = workers.clamp(1, plan.units.len().max(wanted).max(1));
    // sections, and rows on their way to who writes them, take room too
    let held = if many > 0 { 4 * GROUP_ROWS / 3 } else { 2 * GROUP_ROWS };
    let shared = Shared {
        lake,
        place,
        plan,
        run,
        handle,
        watch,
        stop,
        board: Board::new(plan.units.len()),
        together,
        progress: Mutex::new(total),
        group_rows: (held / workers).clamp(BATCH_ROWS, GROUP_ROWS),
    };
    if total.objects > 0 && !watch(total) {
        stop.store(true, Ordering::Relaxed);
        return Ok(Done::default());
    }
    let results: Vec<(Done, Result<()>)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(|| Worker::new(&shared).run())).collect();
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| (Done::default(), Err(panicked())))).collect()
    });
    let mut done = Done::default();
    let mut failure = None;
    for (part, result) in results {
        done.parts.extend(part.parts);
        done.entries.extend(part.entries);
        done.failed += part.failed;
        done.kept.extend(part.kept);
        done.paused.extend(part.paused);
        failure = failure.or(result.err());
    }
    match failure {
        None => Ok(done),
        Some(error) => {
            handle.block_on(lake.discard(&done.parts));
            Err(error)
        }
    }
}

fn panicked() -> Error {
    Error::new(ErrorKind::Internal, "a decoder panicked: this is a bug").with_hint("please report it with the file")
}

struct Worker<'a> {
    shared: &'a Shared<'a>,
    rows: Rows,
    /// Whether the present object gave any bytes.
    begun: bool,
    /// Bytes of input that the rows came from.
    pushed: usize,
    writers: BTreeMap<&'static str, PartWriter>,
    common: Common,
    done: Done,
}

impl<'a> Worker<'a> {
    fn new(shared: &'a Shared<'a>) -> Self {
        Self {
            shared,
            rows: Rows::new(shared.run),
            begun: false,
            pushed: 0,
            writers: BTreeMap::new(),
            common: Common::default(),
            done: Done::default(),
        }
    }

    fn run(mut self) -> (Done, Result<()>) {
        let result = self.all();
        if result.is_err() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        (self.done, result)
    }

    fn all(&mut self) -> Result<()> {
        while let Some(job) = self.shared.board.next() {
            if self.shared.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            match job {
                Job::Unit(unit, _busy) => self.unit(&self.shared.plan.units[unit])?,
                Job::Help(team) => self.help(&team)?,
                Job::Write(batches, _free) => self.write(batches)?,
            }
        }
        self.flush()?;
        let writers = std::mem::take(&mut self.writers);
        for (_, mut writer) in writers {
            let part = writer.finish()?;
            self.keep(part)?;
        }
        Ok(())
    }

    fn unit(&mut self, unit: &Unit) -> Result<()> {
        let paused = lock(&unit.paused).take();
        let (mut decoder, mut read) =
            paused.map_or_else(|| (unit.format.decoder(), Vec::new()), |paused| (paused.decoder, paused.objects));
        let mut whole = true;
        let descriptor = unit.format.descriptor();
        let last = unit.objects.len().saturating_sub(1);
        let Some(mut opened) = self.open(unit, &mut decoder) else { return Ok(()) };
        for (nth, index) in unit.objects.iter().enumerate() {
            let (object, info) = (&self.shared.plan.listed[*index], &self.shared.plan.infos[*index]);
            self.rows.begin(info.id);
            let mut decoded = match &mut decoder {
                Decoding::RandomAccess(decoder) => {
                    self.opened(decoder.as_mut(), *index, opened.pop_front().unwrap_or(Ok(None)))
                }
                decoder => self.object(decoder, *index),
            };
            if nth == last {
                // Also after an unreadable last file: what the others left open must not be lost.
                decoded = decoded.and(decoder.finish(&mut self.rows));
            }
            read.push(info.id);
            whole &= decoded.is_ok();
            // A file that went away or changed since it was listed is read again next time. If it changes while it is read, some
            // of its rows may be written: that ends the ingest.
            let moved = !self.begun
                && matches!(&decoded, Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::Conflict));
            if moved && self.shared.plan.replaced.contains(&info.id) {
                self.done.failed += 1;
                self.done.kept.insert(info.id);
                self.rows.end();
                continue;
            }
            let error = match decoded {
                Ok(()) => None,
                // What is in the file concerns this file; what the store says concerns the ingest.
                Err(error) if moved || matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Unrecognized) => {
                    self.done.failed += 1;
                    self.rows.problem(Severity::Warning, "unreadable", None, || error.to_string());
                    Some(Arc::from(error.to_string()))
                }
                Err(error) => return Err(error),
            };
            let clock_offset = self.shared.plan.said.clock_offset;
            let unread = entry(self.shared.place, object, info);
            let Summary { rows, skipped, repaired, nodes, ranks, framework, started, ended } = self.rows.end();
            let entry = Entry {
                format: Some(Arc::from(descriptor.name)),
                format_version: Some(descriptor.version),
                rows: Arc::new(rows.into_iter().map(|(table, rows)| (table.to_owned(), rows)).collect()),
                skipped,
                repaired,
                error,
                nodes: Arc::new(nodes),
                ranks: Arc::new(ranks),
                framework: framework.map(Arc::from),
                started: started.map(|ts| ts.saturating_add(clock_offset)),
                ended: ended.map(|ts| ts.saturating_add(clock_offset)),
                clock_offset,
                step_annotation: self.shared.plan.said.step_annotation.clone(),
                told_rank: self.shared.plan.told_ranks[*index],
                recording: info.recording,
                etag: if moved { String::new() } else { unread.etag.clone() },
                ..unread
            };
            self.done.entries.push(self.common.shared(entry));
            if !self.tell(1, object.size) {
                return Ok(());
            }
            if self.rows.len() >= BATCH_ROWS {
                self.pass_on()?;
            }
        }
        let end = unit.objects.last().map(|index| &self.shared.plan.infos[*index]);
        if whole && end.is_some_and(|end| decoder.goes_on(end)) {
            self.done.paused.insert(unit.key(), Paused { decoder, objects: read });
        }
        Ok(())
    }

    #[tracing::instrument(name = "read", skip_all, fields(path = &*self.shared.plan.listed[index].path, bytes = self.shared.plan.listed[index].size))]
    fn object(&mut self, decoder: &mut Decoding, index: usize) -> Result<()> {
        let (object, info) = (&self.shared.plan.listed[index], &self.shared.plan.infos[index]);
        self.begun = false;
        let mut chunks = self.shared.place.read(object, self.shared.handle)?;
        self.begun = true;
        let together = self.shared.together && is_large(object);
        if together {
            chunks = chunks.unpack_ahead();
        }
        decoder.begin(info, &mut self.rows)?;
        let damage = loop {
            let first = chunks.given() == 0;
            let packed = chunks.packed();
            let Some(chunk) = chunks.chunk()? else { break damage(&chunks) };
            self.pushed += chunk.len();
            if let Some(decoder) = decoder.stream() {
                if first && decoder.needs_tail(&chunk[..chunk.len().min(EDGE)]) {
                    decoder.tail(&self.shared.place.tail(object, packed, self.shared.handle)?);
                }
                decoder.push(chunk, &mut self.rows)?;
            }
            if self.rows.len() >= BATCH_ROWS || self.pushed >= BATCH_BYTES {
                self.pass_on()?;
            }
            if !self.goes_on() {
                return Ok(());
            }
            if together
                && let Decoding::Sections(decoder) = decoder
                && let Some(ahead) = decoder.ahead()
            {
                match self.lead(decoder, ahead, info.id, chunks)? {
                    Some(damage) => break damage,
                    None => return Ok(()),
                }
            }
        };
        if let Some((offset, why)) = damage {
            cut_off(offset, &why, &mut self.rows);
        }
        decoder.end(&mut self.rows)
    }

    /// Hands the objects of a unit to its decoder that are read here and there, and says what is wrong with each; nothing of
    /// others. None if the workers were stopped.
    fn open(&self, unit: &Unit, decoder: &mut Decoding) -> Option<VecDeque<Result<Damage>>> {
        let mut opened = VecDeque::new();
        let Decoding::RandomAccess(decoder) = decoder else { return Some(opened) };
        for index in &unit.objects {
            let (object, info) = (&self.shared.plan.listed[*index], &self.shared.plan.infos[*index]);
            let whole = self.shared.place.whole(object, self.shared.handle, || self.goes_on());
            opened.push_back(match whole {
                Ok(Some(Whole { file, given, damage })) => {
                    decoder.open(info, Box::new(file));
                    Ok(damage.map(|why| (i64::try_from(given).unwrap_or(i64::MAX), why)))
                }
                Ok(None) => return None,
                Err(error) => Err(error),
            });
        }
        Some(opened)
    }

    /// Reads an object that was opened.
    #[tracing::instrument(name = "read", skip_all, fields(path = &*self.shared.plan.listed[index].path, bytes = self.shared.plan.listed[index].size))]
    fn opened(&mut self, decoder: &mut dyn RandomAccess, index: usize, opened: Result<Damage>) -> Result<()> {
        self.begun = false;
        let damage = opened?;
        self.begun = true;
        decoder.begin(&self.shared.plan.infos[index], &mut self.rows)?;
        if let Some((offset, why)) = damage {
            cut_off(offset, &why, &mut self.rows);
        }
        while let Some(bytes) = decoder.advance(&mut self.rows)? {
            self.pushed += bytes;
            if self.rows.len() >= BATCH_ROWS || self.pushed >= BATCH_BYTES {
                self.pass_on()?;
            }
            if !self.goes_on() {
                return Ok(());
            }
        }
        decoder.end(&mut self.rows)
    }

    /// Whether nobody wants the ingest to stop. A large object must not make whoever gave up wait.
    fn goes_on(&self) -> bool {
        !self.shared.stop.load(Ordering::Relaxed) && self.tell(0, 0)
    }

    /// Reads the rest of an object together with workers that have nothing else to do; none if they were stopped. Meanwhile
    /// `ahead` takes the place of its decoder.
    fn lead(
        &mut self,
        decoder: &mut Box<dyn Sections>,
        ahead: Box<dyn Sections>,
        object: i64,
        chunks: Chunks,
    ) -> Result<Option<Damage>> {
        let rows = std::mem::replace(&mut self.rows, Rows::new(self.shared.run));
        let file = File { decoder: std::mem::replace(decoder, ahead), rows };
        let team = Arc::new(Team::new(self.shared.run, object, chunks, file));
        self.shared.board.open(&team);
        self.help(&team)?;
        let Some((file, damage)) = team.end() else { return Ok(None) };
        (*decoder, self.rows) = (file.decoder, file.rows);
        damage.map(Some)
    }

    /// Reads sections of an object that was begun here or by another worker.
    #[tracing::instrument(name = "read_sections", skip_all)]
    fn help(&mut self, team: &Arc<Team>) -> Result<()> {
        let result = team.help(|batches| {
            self.write(batches)?;
            Ok(self.goes_on())
        });
        self.shared.board.close(team);
        result
    }

    /// Tells that so many more objects and bytes were read; whether to go on. That all was read is told once.
    fn tell(&self, objects: u64, bytes: u64) -> bool {
        let mut progress = lock(&self.shared.progress);
        if objects == 0 && progress.objects_done == progress.objects {
            return !self.shared.stop.load(Ordering::Relaxed);
        }
        progress.objects_done += objects;
        progress.bytes_done += bytes;
        let go_on = (self.shared.watch)(*progress);
        if !go_on {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        go_on
    }

    /// Has the rows written by a worker that has nothing else to do, or writes them.
    fn pass_on(&mut self) -> Result<()> {
        self.pushed = 0;
        match self.shared.board.hand(self.rows.take_dictionaries()) {
            Some(batches) => self.write(batches),
            None => Ok(()),
        }
    }

    /// Hands the rows to the writers of their tables.
    fn flush(&mut self) -> Result<()> {
        self.pushed = 0;
        let batches = self.rows.take_dictionaries();
        self.write(batches)
    }

    fn write(&mut self, batches: Batches) -> Result<()> {
        for (table, batch) in batches {
            let batch = with_offset(batch, "ts", self.shared.plan.said.clock_offset)?;
            let part = self.writer(table).write(batch)?;
            self.keep(part)?;
        }
        Ok(())
    }

    fn writer(&mut self, table: &'static Table) -> &mut PartWriter {
        self.writers.entry(table.name).or_insert_with(|| PartWriter::new(table, self.shared.group_rows))
    }

    fn keep(&mut self, finished: Option<Finished>) -> Result<()> {
        if let Some((part, bytes)) = finished {
            let _span = tracing::info_span!("put", path = part.path, rows = part.rows, bytes = part.bytes).entered();
            self.shared.handle.block_on(self.shared.lake.put_part(&part.path, bytes))?;
            self.done.parts.push(part);
        }
        Ok(())
    }
}

/// Reports that an object could be unpacked up to here only.
fn cut_off(offset: i64, why: &str, rows: &mut Rows) {
    rows.problem(Severity::Warning, "truncated", Some(offset), || {
        format!("cannot decompress beyond byte {offset} of the content: {why}")
    });
}

/// Whether several workers on a file are worth it; packed traces have about an eighth of their size.
fn is_large(object: &Object) -> bool {
    let packed = object.path.ends_with(".gz") || object.path.ends_with(".zst");
    object.size >= 2 * SECTION as u64 / if packed { 8 } else { 1 }
}
