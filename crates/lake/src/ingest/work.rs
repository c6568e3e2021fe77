//! The workers of an ingest: each takes tasks, decodes their objects, and writes data files of its
//! own.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::runtime::Handle;

use super::parallel_read::{
    Corruption, ParallelRead, SECTION, SharedFile, TableBatches, corruption, with_offset, with_rank_offsets,
};
use super::plan::{DecodeTask, IngestPlan, PausedDecoder, PausedDecoders, new_entry};
use super::recognize::unknown;
use super::store::write_rows;
use super::work_queue::{WorkItem, WorkQueue};
use super::{Progress, ProgressCallback};
use crate::error::{Error, ErrorKind, Result};
use crate::format::{FormatDecoder, RandomAccess, Sections};
use crate::lake::{DataFile, DataFileWriter, Entry, EntryInterner, FinishedFile, GROUP_ROWS, Lake, NestingWriter};
use crate::source::{Chunks, EDGE, Location, RandomAccessObject, StoredObject};
use crate::table::{ObjectSummary, Rows, Severity};

/// Number of rows that are collected before they are written.
const BATCH_ROWS: usize = 16_384;

/// Bytes of input after which the rows are written: rows may be large, and have no more text than
/// the input.
const BATCH_BYTES: usize = 16 << 20;

/// The result of all workers.
#[derive(Default)]
pub(super) struct WorkResult {
    pub(super) parts: Vec<DataFile>,
    pub(super) entries: Vec<Arc<Entry>>,
    pub(super) failed: u64,
    /// Number of objects to which access was denied.
    pub(super) denied: u64,
    /// Ids of objects that were removed or changed since the listing; their old rows stay.
    pub(super) unread: BTreeSet<i64>,
    /// Decoders that can continue with files that are added later.
    pub(super) paused: PausedDecoders,
    /// Events that are not stored yet.
    events: Vec<NestingWriter>,
}

/// What all workers of an ingest share.
struct WorkContext<'a> {
    lake: &'a Lake,
    location: &'a Location,
    plan: &'a IngestPlan<'a>,
    run: &'a str,
    handle: &'a Handle,
    watch: &'a ProgressCallback,
    /// Set when the ingest is cancelled or a worker has failed.
    stop: AtomicBool,
    queue: WorkQueue,
    /// Whether several workers may read one file.
    shares_files: bool,
    /// Locked during a report, so that the reported progress never decreases.
    progress: Mutex<Progress>,
    /// Number of rows of a row group: fewer if many workers collect one each, so that memory does
    /// not grow with their number.
    group_rows: usize,
}

/// Decodes all tasks of the plan. After an error, removes the data files that were written.
pub(super) fn run_workers(
    lake: &Lake,
    location: &Location,
    plan: &IngestPlan<'_>,
    run: &str,
    handle: &Handle,
    watch: &ProgressCallback,
) -> Result<WorkResult> {
    let objects = plan.tasks.iter().flat_map(|task| &task.objects);
    let total = Progress {
        objects: objects.clone().count() as u64,
        bytes: objects.map(|index| plan.listed[*index].size).sum(),
        ..Progress::default()
    };
    let (workers, shares_files, group_rows) = parallelism(location, plan);
    let (queue, progress, stop) = (WorkQueue::new(plan.tasks.len()), Mutex::new(total), AtomicBool::new(false));
    let context =
        WorkContext { lake, location, plan, run, handle, watch, stop, queue, shares_files, progress, group_rows };
    let stopped = || Error::new(ErrorKind::Cancelled, format!("ingest of {} was stopped", location.url()));
    if total.objects > 0 && !watch(total) {
        return Err(stopped());
    }
    let results: Vec<(WorkResult, Result<()>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(|| Worker::new(&context).run())).collect();
        let panicked = |_| (WorkResult::default(), Err(panic_error()));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect()
    });
    let mut all = WorkResult::default();
    let mut failure = None;
    for (worker, result) in results {
        all.parts.extend(worker.parts);
        all.entries.extend(worker.entries);
        all.failed += worker.failed;
        all.denied += worker.denied;
        all.unread.extend(worker.unread);
        all.paused.extend(worker.paused);
        all.events.extend(worker.events);
        failure = failure.or(result.err());
    }
    let failure = failure
        .or_else(|| context.stop.load(Ordering::Relaxed).then(stopped))
        .or_else(|| check_readable(location, plan, &all).err())
        .or_else(|| context.store_events(&mut all).err());
    let Some(error) = failure else { return Ok(all) };
    handle.block_on(lake.discard(&all.parts));
    Err(error)
}

impl WorkContext<'_> {
    /// Stores the events of all workers.
    #[tracing::instrument(name = "nest", skip_all)]
    fn store_events(&self, result: &mut WorkResult) -> Result<()> {
        let parts = &mut result.parts;
        let full = NestingWriter::finish(std::mem::take(&mut result.events), self.run, |file| {
            parts.push(self.store_file(file)?);
            Ok(())
        })?;
        let mut rows = Rows::new(self.run);
        for entry in result.entries.iter_mut().filter(|entry| full.contains(&entry.id)) {
            let entry = Arc::make_mut(entry);
            let problems = Arc::make_mut(&mut entry.rows).entry("problem".to_owned()).or_default();
            rows.begin(entry.id);
            rows.start_problems_at(*problems);
            rows.problem(Severity::Warning, "call_paths", None, || {
                "the calls of this file have more than 1,048,576 different paths: times by path, such as those of operator.summary, \
                 lack calls on further paths, which are named \u{2026}; give annotations names that do not count"
                    .to_owned()
            });
            rows.end();
            *problems += 1;
        }
        parts.extend(write_rows(self.lake, rows, self.handle)?);
        Ok(())
    }

    /// Stores a data file. Returns its part.
    fn store_file(&self, (part, bytes): FinishedFile) -> Result<DataFile> {
        let _span = tracing::info_span!("put", path = part.path, rows = part.rows, bytes = part.bytes).entered();
        self.handle.block_on(self.lake.put_data_file(&part.path, bytes))?;
        Ok(part)
    }
}

/// Returns the number of workers that read a plan, whether several of them may read one file, and
/// the number of rows of a row group.
fn parallelism(location: &Location, plan: &IngestPlan<'_>) -> (usize, bool, usize) {
    // Reading waits for the network as much as for the processor: use more workers than cores
    // for a remote store, but never more than there are tasks.
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let workers = if location.url().starts_with("file:") { cores } else { cores * 4 };
    let is_large = |task: &&DecodeTask| task.objects.iter().any(|index| is_large(&plan.listed[*index]));
    let large: Vec<&DecodeTask> = plan.tasks.iter().filter(is_large).collect();
    let has_sections = |task: &&DecodeTask| matches!(task.format.decoder(), FormatDecoder::Sections(_));
    let shares_files = cores > 1 && large.iter().any(has_sections);
    // The reader of a large file needs another worker that writes its rows.
    let useful = if shares_files { cores } else { (plan.tasks.len() + large.len()).min(cores) };
    let workers = workers.clamp(1, plan.tasks.len().max(useful).max(1));
    // Sections and queued rows need memory, too.
    let rows = if large.is_empty() { 2 * GROUP_ROWS } else { 4 * GROUP_ROWS / 3 };
    (workers, shares_files, (rows / workers).clamp(BATCH_ROWS, GROUP_ROWS))
}

fn panic_error() -> Error {
    Error::new(ErrorKind::Internal, "a decoder panicked: this is a bug").with_hint("please report it with the file")
}

/// The progress within the current object of a worker.
#[derive(Debug, Default)]
struct FileProgress {
    /// Stored bytes that were read.
    read: Arc<AtomicU64>,
    size: u64,
    reported: Cell<u64>,
}

impl FileProgress {
    fn new(read: Arc<AtomicU64>, size: u64) -> Self {
        Self { read, size, reported: Cell::new(0) }
    }

    /// Returns the number of bytes that were read since the last call.
    fn take(&self) -> u64 {
        let read = self.read.load(Ordering::Relaxed).min(self.size);
        read.saturating_sub(self.reported.replace(read))
    }

    /// Returns the number of bytes that were not reported, of an object of this size.
    fn rest(&self, size: u64) -> u64 {
        size.saturating_sub(self.reported.get())
    }
}

/// A worker, with its collected rows and open data files.
struct Worker<'a> {
    context: &'a WorkContext<'a>,
    rows: Rows,
    /// Whether any bytes of the current object were read.
    begun: bool,
    progress: FileProgress,
    /// Bytes of input of the collected rows.
    pushed: usize,
    writers: BTreeMap<&'static str, DataFileWriter>,
    /// Writers of tables with derived columns.
    nesting: BTreeMap<&'static str, NestingWriter>,
    interner: EntryInterner,
    output: WorkResult,
}

impl<'a> Worker<'a> {
    fn new(context: &'a WorkContext<'a>) -> Self {
        Self {
            context,
            rows: Rows::new(context.run),
            begun: false,
            progress: FileProgress::default(),
            pushed: 0,
            writers: BTreeMap::new(),
            nesting: BTreeMap::new(),
            interner: EntryInterner::default(),
            output: WorkResult::default(),
        }
    }

    fn run(mut self) -> (WorkResult, Result<()>) {
        let result = self.work();
        if result.is_err() {
            self.context.stop.store(true, Ordering::Relaxed);
        }
        (self.output, result)
    }

    fn work(&mut self) -> Result<()> {
        while let Some(item) = self.context.queue.next() {
            if self.context.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            match item {
                WorkItem::Decode(task, _busy) => self.run_task(&self.context.plan.tasks[task])?,
                WorkItem::Help(read) => self.help(&read)?,
                WorkItem::Write(batches, _free) => self.write(batches)?,
            }
        }
        let batches = self.rows.take_dictionaries();
        self.write(batches)?;
        let writers = std::mem::take(&mut self.writers);
        for (_, mut writer) in writers {
            let part = writer.finish()?;
            self.store_file(part)?;
        }
        self.output.events.extend(std::mem::take(&mut self.nesting).into_values());
        Ok(())
    }

    fn run_task(&mut self, task: &DecodeTask) -> Result<()> {
        let plan = self.context.plan;
        let paused = task.paused.lock().take();
        let (mut decoder, mut ids) =
            paused.map_or_else(|| (task.format.decoder(), Vec::new()), |paused| (paused.decoder, paused.objects));
        let mut is_complete = true;
        let last = task.objects.len().saturating_sub(1);
        let Some(mut opened) = self.open_objects(task, &mut decoder) else { return Ok(()) };
        for (nth, index) in task.objects.iter().enumerate() {
            let id = plan.infos[*index].id;
            self.rows.begin(id);
            self.rows.set_rank(plan.infos[*index].rank);
            let mut result = match &mut decoder {
                FormatDecoder::RandomAccess(decoder) => {
                    self.read_opened(decoder.as_mut(), *index, opened.pop_front().unwrap_or(Ok(None)))
                }
                decoder => self.read_object(decoder, *index),
            };
            if nth == last {
                // Also after an unreadable last file, because the decoder may still have rows of the others.
                result = result.and(decoder.finish(&mut self.rows));
            }
            ids.push(id);
            is_complete &= result.is_ok();
            if !self.finish_object(task, *index, result)? {
                continue;
            }
            let rest = std::mem::take(&mut self.progress).rest(plan.listed[*index].size);
            if !self.report_progress(1, rest) {
                return Ok(());
            }
            if self.rows.len() >= BATCH_ROWS {
                self.pass_rows()?;
            }
        }
        let last = task.objects.last().map(|index| &plan.infos[*index]);
        if is_complete && last.is_some_and(|last| decoder.can_continue(last)) {
            self.output.paused.insert(task.key(), PausedDecoder { decoder, objects: ids });
        }
        Ok(())
    }

    /// Adds the entry of an object with the result of reading it. Returns false if its old rows stay instead.
    fn finish_object(&mut self, task: &DecodeTask, index: usize, result: Result<()>) -> Result<bool> {
        let plan = self.context.plan;
        let (object, info) = (&plan.listed[index], &plan.infos[index]);
        // A file that was removed or changed since the listing is read by the next ingest. If it
        // changes while it is read, some of its rows may be written: that ends the ingest.
        // Access to single files may be denied: the next ingest tries again, too.
        let failure = result.as_ref().err().filter(|_| !self.begun);
        let is_denied = failure.is_some_and(Error::is_denied_object);
        let is_unread = object.unlisted.is_some()
            || is_denied
            || failure.is_some_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Conflict));
        self.output.denied += u64::from(is_denied);
        if is_unread && plan.replaced.contains(&info.id) {
            self.output.failed += 1;
            self.output.unread.insert(info.id);
            self.rows.end();
            return Ok(false);
        }
        let error = match result {
            Ok(()) => None,
            // An error in the content concerns this file; an error of the store concerns the ingest.
            Err(error) if is_unread || matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Unrecognized) => {
                self.output.failed += 1;
                let kind = if is_denied { "denied" } else { "unreadable" };
                self.rows.problem(Severity::Warning, kind, None, || error.to_string());
                Some(Arc::from(error.to_string()))
            }
            Err(error) => return Err(error),
        };
        let settings = &plan.settings;
        let descriptor = task.format.descriptor();
        let unread = new_entry(self.context.location, object, info);
        let ObjectSummary { rows, skipped, repaired, nodes, ranks, framework, started, ended, event_hash, clock_start } =
            self.rows.end();
        let rank_shift = ranks.first().and_then(|rank| settings.clock_shifts.get(rank)).filter(|_| ranks.len() == 1);
        let correction = settings.correction().saturating_add(rank_shift.copied().unwrap_or(0));
        let entry = Entry {
            format: Some(Arc::from(descriptor.name)).filter(|_| !is_unread),
            format_version: Some(descriptor.version).filter(|_| !is_unread),
            is_nested: rows.contains_key("event"),
            rows: Arc::new(rows.into_iter().map(|(table, rows)| (table.to_owned(), rows)).collect()),
            skipped,
            repaired,
            error,
            nodes: Arc::new(nodes),
            ranks: Arc::new(ranks),
            framework: framework.map(Arc::from),
            started: started.map(|ts| ts.saturating_add(correction)),
            ended: ended.map(|ts| ts.saturating_add(correction)),
            event_hash,
            clock_start,
            clock_offset: settings.clock_offset,
            clock_shifts: Arc::clone(&settings.clock_shifts),
            step_annotation: settings.step_annotation.clone(),
            rank_from: settings.rank_from.clone(),
            rank_from_content: plan.content_ranks[index],
            numbered_rank: info.numbered_rank,
            recording: info.recording,
            etag: if is_unread { String::new() } else { unread.etag.clone() },
            ..unread
        };
        self.output.entries.push(self.interner.intern(entry));
        Ok(true)
    }

    #[tracing::instrument(name = "read", skip_all, fields(path = &*self.context.plan.listed[index].path, bytes = self.context.plan.listed[index].size))]
    fn read_object(&mut self, decoder: &mut FormatDecoder, index: usize) -> Result<()> {
        let (object, info) = (&self.context.plan.listed[index], &self.context.plan.infos[index]);
        self.begun = false;
        if let Some((kind, why)) = &object.unlisted {
            return Err(Error::new(*kind, &**why));
        }
        let mut chunks = self.context.location.read(object, self.context.handle)?;
        self.progress = FileProgress::new(chunks.stored_bytes_read(), object.size);
        self.begun = true;
        let shares_file = self.context.shares_files && is_large(object);
        if shares_file {
            chunks = chunks.decompress_in_background();
        }
        decoder.begin(info, &mut self.rows)?;
        let corruption = loop {
            let is_first = chunks.bytes_read() == 0;
            let compression = chunks.compression();
            let Some(chunk) = chunks.chunk()? else { break corruption(&chunks) };
            let bytes = chunk.len();
            if let Some(decoder) = decoder.stream() {
                if is_first && decoder.needs_tail(&chunk[..bytes.min(EDGE)]) {
                    decoder.tail(&self.context.location.read_tail(object, compression, self.context.handle)?);
                }
                decoder.push(chunk, &mut self.rows)?;
            }
            if !self.count_input(bytes)? {
                return Ok(());
            }
            if shares_file
                && let FormatDecoder::Sections(decoder) = decoder
                && let Some(ahead) = decoder.section_decoder()
            {
                match self.read_together(decoder, ahead, (info.id, info.rank), chunks)? {
                    Some(corruption) => break corruption,
                    None => return Ok(()),
                }
            }
        };
        self.report_truncation(corruption);
        while let Some(decoder) = decoder.stream()
            && decoder.advance(&mut self.rows)?
        {
            if !self.count_input(0)? {
                return Ok(());
            }
        }
        decoder.end(&mut self.rows)
    }

    /// Counts input that was decoded, and passes rows on if there are enough. Returns whether to continue.
    fn count_input(&mut self, bytes: usize) -> Result<bool> {
        self.pushed += bytes;
        if self.rows.len() >= BATCH_ROWS || self.pushed >= BATCH_BYTES {
            self.pass_rows()?;
        }
        Ok(self.should_continue())
    }

    /// Reports where and why the current object could not be decompressed any further.
    fn report_truncation(&mut self, corruption: Corruption) {
        if let Some((offset, why)) = corruption {
            self.rows.problem(Severity::Warning, "truncated", Some(offset), || {
                format!("cannot decompress beyond byte {offset} of the content: {why}")
            });
        }
    }

    /// Opens the objects of a task for a decoder with random access. Returns the corruption or
    /// error of each; an empty list for other decoders. None if the ingest was stopped.
    fn open_objects(&self, task: &DecodeTask, decoder: &mut FormatDecoder) -> Option<VecDeque<Result<Corruption>>> {
        let mut opened = VecDeque::new();
        let FormatDecoder::RandomAccess(decoder) = decoder else { return Some(opened) };
        for index in &task.objects {
            let (object, info) = (&self.context.plan.listed[*index], &self.context.plan.infos[*index]);
            let whole =
                self.context.location.open_random_access(object, self.context.handle, || self.should_continue());
            opened.push_back(match whole {
                Ok(Some(RandomAccessObject { file, size, corruption })) => {
                    decoder.open(info, Box::new(file));
                    Ok(corruption.map(|why| (i64::try_from(size).unwrap_or(i64::MAX), why)))
                }
                Ok(None) => return None,
                Err(error) => Err(error),
            });
        }
        Some(opened)
    }

    /// Decodes an object that was opened for random access.
    #[tracing::instrument(name = "read", skip_all, fields(path = &*self.context.plan.listed[index].path, bytes = self.context.plan.listed[index].size))]
    fn read_opened(&mut self, decoder: &mut dyn RandomAccess, index: usize, opened: Result<Corruption>) -> Result<()> {
        self.begun = false;
        let corruption = opened?;
        let read = Arc::new(AtomicU64::new(0));
        self.progress = FileProgress::new(Arc::clone(&read), self.context.plan.listed[index].size);
        self.begun = true;
        decoder.begin(&self.context.plan.infos[index], &mut self.rows)?;
        self.report_truncation(corruption);
        while let Some(bytes) = decoder.advance(&mut self.rows)? {
            read.fetch_add(bytes as u64, Ordering::Relaxed);
            if !self.count_input(bytes)? {
                return Ok(());
            }
        }
        decoder.end(&mut self.rows)
    }

    /// Returns false once the ingest has been cancelled. Called during large objects, so that
    /// cancelling takes effect soon.
    fn should_continue(&self) -> bool {
        !self.context.stop.load(Ordering::Relaxed) && self.report_progress(0, self.progress.take())
    }

    /// Reads the rest of an object together with idle workers. None if they were stopped. Meanwhile
    /// `ahead` replaces its decoder.
    fn read_together(
        &mut self,
        decoder: &mut Box<dyn Sections>,
        ahead: Box<dyn Sections>,
        object: (i64, Option<i64>),
        chunks: Chunks,
    ) -> Result<Option<Corruption>> {
        let rows = std::mem::replace(&mut self.rows, Rows::new(self.context.run));
        let file = SharedFile { decoder: std::mem::replace(decoder, ahead), rows };
        let read = Arc::new(ParallelRead::new(self.context.run, object, chunks, file));
        self.context.queue.add_shared(&read);
        self.help(&read)?;
        let Some((file, corruption)) = read.end() else { return Ok(None) };
        (*decoder, self.rows) = (file.decoder, file.rows);
        corruption.map(Some)
    }

    /// Reads sections of an object that this or another worker started.
    #[tracing::instrument(name = "read_sections", skip_all)]
    fn help(&mut self, read: &Arc<ParallelRead>) -> Result<()> {
        let result = read.help(|batches| {
            self.write(batches)?;
            Ok(self.should_continue())
        });
        self.context.queue.remove_shared(read);
        result
    }

    /// Reports additional objects and bytes that were read. Returns whether to continue. The end is
    /// reported once.
    fn report_progress(&self, objects: u64, bytes: u64) -> bool {
        let mut progress = self.context.progress.lock();
        if objects == 0 && progress.objects_done == progress.objects {
            return !self.context.stop.load(Ordering::Relaxed);
        }
        progress.objects_done += objects;
        progress.bytes_done += bytes;
        let go_on = (self.context.watch)(*progress);
        if !go_on {
            self.context.stop.store(true, Ordering::Relaxed);
        }
        go_on
    }

    /// Passes the rows to an idle worker, or writes them.
    fn pass_rows(&mut self) -> Result<()> {
        self.pushed = 0;
        match self.context.queue.offer(self.rows.take_dictionaries()) {
            Some(batches) => self.write(batches),
            None => Ok(()),
        }
    }

    /// Writes rows to the data files of their tables.
    fn write(&mut self, batches: TableBatches) -> Result<()> {
        for (table, batch) in batches {
            let settings = &self.context.plan.settings;
            let batch = with_offset(batch, "ts", settings.correction())?;
            let batch = with_rank_offsets(batch, &settings.clock_shifts)?;
            if table.derived_columns().next().is_some() {
                let new_writer = || NestingWriter::new(table, self.context.group_rows);
                self.nesting.entry(table.name).or_insert_with(new_writer).write(batch)?;
                continue;
            }
            let new_writer = || DataFileWriter::new(table, self.context.group_rows);
            let part = self.writers.entry(table.name).or_insert_with(new_writer).write(batch)?;
            self.store_file(part)?;
        }
        Ok(())
    }

    fn store_file(&mut self, finished: Option<FinishedFile>) -> Result<()> {
        if let Some(file) = finished {
            self.output.parts.push(self.context.store_file(file)?);
        }
        Ok(())
    }
}

/// Whether a file is large enough for several workers; compressed traces have about an eighth of
/// their size.
fn is_large(object: &StoredObject) -> bool {
    let is_compressed = object.path.ends_with(".gz") || object.path.ends_with(".zst");
    object.size >= 2 * SECTION as u64 / if is_compressed { 8 } else { 1 }
}

/// Rejects a profile if none of its files could be read.
fn check_readable(location: &Location, plan: &IngestPlan<'_>, result: &WorkResult) -> Result<()> {
    let read = result.entries.len() as u64;
    if plan.unchanged > 0 || read > result.failed {
        return Ok(());
    }
    if let Some(entry) = result.entries.iter().find(|entry| entry.error.is_some()) {
        let files = if read == 1 {
            "the only file of a known format could not be read".to_owned()
        } else {
            format!("none of its {read} files could be read")
        };
        let text = format!("cannot read {}: {files}", location.url());
        let kind = if result.denied == read { ErrorKind::Denied } else { ErrorKind::Malformed };
        return Err(Error::new(kind, text)
            .with_context("first", &entry.url)
            .with_context("cause", entry.error.as_deref().unwrap_or_default()));
    }
    let reason = |entry: &Arc<Entry>| entry.error.clone().filter(|error| *error != unknown().into());
    let (first, number) = (plan.ignored.first().map_or("", |entry| &entry.url), plan.ignored.len());
    let rejected = |why: &str| Error::new(ErrorKind::Unrecognized, format!("cannot read {}: {why}", location.url()));
    if let (1, Some(why)) = (number, plan.ignored.first().and_then(reason)) {
        return Err(rejected(&why).with_context("found", first));
    }
    let files = if number == 1 { "1 file:".to_owned() } else { format!("{number} files, the first is") };
    let mut error = rejected(&unknown()).with_context("found", format!("{files} {first}"));
    if let Some((entry, why)) = plan.ignored.iter().find_map(|entry| Some((entry, reason(entry)?))) {
        error = error.with_context("skipped", format!("{}: {why}", entry.url));
    }
    Err(if first == location.url() {
        error.with_hint("`tracelake formats` lists what can be read")
    } else {
        error.with_hint("give the folder that holds the profile (for SageMaker: profiler-output)")
    })
}
