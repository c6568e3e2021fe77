//! The state of an export while its tables are read. Row handlers look up names here and build arguments.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use super::args::NsysArgs;
use super::column::NsysColumn;
use super::cuda::CudaState;
use super::job::JobInfo;
use super::numbered_name::NumberedNames;
use super::nvtx::NvtxState;
use super::row::ExportRow;
use super::sqlite::{OnError, PageError};
use super::stack::{CHAIN_TABLES, ChainReader, ChainTable, Stack};
use super::store::{Store, StoreScan};
use super::tables::{RowHandler, TABLES, TableSpec, variant_of};
use super::text::{TextCache, mask_text};
use super::{IdMap, metadata};
use crate::ObjectInfo;
use crate::kineto::{LoaderCalls, StepMarks, parse_rank};
use crate::table::MIN_EPOCH_TIME;
use crate::table::{Rows, Severity};

/// The approximate number of bytes that one call of [`NsysExport::read_rows`] reads.
const BATCH_BYTES: usize = 1 << 20;

/// The maximum number of rows that one call of [`NsysExport::read_rows`] reads.
const BATCH_ROWS: u32 = 8192;

/// The state of an export while its tables are read.
#[derive(Default)]
pub(super) struct NsysExport {
    pub(super) store: Store,
    pub(super) texts: TextCache,
    pub(super) job: JobInfo,
    pub(super) nvtx: NvtxState,
    pub(super) cuda: CudaState,
    pub(super) stacks: [Option<ChainReader>; 3],
    pub(super) step_marks: StepMarks,
    pub(super) loader_calls: LoaderCalls,
    pub(super) args: NsysArgs,
    pub(super) streams: NumberedNames,
    pub(super) gpus: NumberedNames,
    pub(super) processes: NumberedNames,
    /// CUDA's number of a GPU, by its number in Nsight Systems.
    pub(super) cuda_ids: IdMap<i64, i64>,
    pub(super) metrics: IdMap<(i64, i64), metadata::GpuMetric>,
    /// The device of a metric, by `typeId`.
    pub(super) metric_devices: IdMap<i64, Arc<str>>,
    /// Process and path of a file, by the id of its descriptor.
    pub(super) files: IdMap<i64, (i64, Arc<str>)>,
    pub(super) processor: metadata::Processor,
    /// The name of the current table.
    pub(super) table: String,
    /// Size in bytes of the stacks of the rows read so far by this call. They come from other tables.
    stack_bytes: usize,
    /// The number of the current row: column `row` of what it becomes.
    pub(super) row_number: i64,
    /// Why a call chain could not be read, which ends the file.
    pub(super) error: Option<io::Error>,
}

impl NsysExport {
    pub(super) fn new(store: Store, info: &ObjectInfo) -> Self {
        let stacks = CHAIN_TABLES.map(|table| ChainReader::new(&store, table));
        let (job, nvtx) = (JobInfo::new(info), NvtxState::new(info.step_annotation.clone()));
        Self { store, job, nvtx, stacks, ..Self::default() }
    }

    /// The text with this id.
    pub(super) fn text(&mut self, id: Option<i64>, rows: &mut Rows) -> Option<Arc<str>> {
        Some(self.texts.get(id?, &mut self.store, rows))
    }

    /// The text of a row, masked; the text with this id if the row has none.
    pub(super) fn text_or_id(
        &mut self,
        text: Option<Cow<'_, str>>,
        id: Option<i64>,
        rows: &mut Rows,
    ) -> Option<Arc<str>> {
        text.map(|text| mask_text(&text, rows)).or_else(|| self.text(id, rows))
    }

    /// The track of a thread.
    pub(super) fn track(&mut self, thread: i64, rows: &mut Rows) -> Arc<str> {
        self.job.track(thread, &mut self.texts, &mut self.store, rows)
    }

    /// `ts`, and duration in ns. Times that cannot be converted are stored in the arguments.
    pub(super) fn times(&mut self, row: &ExportRow<'_>, rows: &mut Rows) -> (Option<i64>, Option<i64>) {
        let (start, end) = (row.time(NsysColumn::start, rows), row.time(NsysColumn::end, rows));
        let dur = start.zip(end).and_then(|(start, end)| end.checked_sub(start));
        (self.convert_time(start, rows), dur)
    }

    /// Converts a time to `ts`. A time that cannot be converted is stored in the arguments.
    pub(super) fn convert_time(&mut self, time: Option<i64>, rows: &mut Rows) -> Option<i64> {
        if !self.job.has_clock() && time.is_some_and(|time| time < MIN_EPOCH_TIME) {
            rows.counts_from(0);
        }
        let ts = self.job.to_ts(time?);
        if ts.is_none() {
            self.args.add("ts", time);
            rows.repair("out_of_range", None, || {
                "a time is too far from the epoch; it is stored in args.ts".to_owned()
            });
        }
        ts
    }

    /// The stack of a call chain.
    pub(super) fn stack(&mut self, table: ChainTable, chain: Option<i64>, rows: &mut Rows) -> Option<Stack> {
        let reader = self.stacks.get_mut(table as usize)?.as_mut()?;
        let mut errors = PageErrors::default();
        let stack = reader.stack(chain?, &mut self.store, &mut self.texts, rows, &mut |error| errors.add(error));
        errors.report(&self.store, CHAIN_TABLES[table as usize], rows);
        let stack = stack.unwrap_or_else(|error| {
            self.error = Some(error);
            None
        });
        self.stack_bytes += stack.as_ref().map_or(0, |stack| stack.frames.len());
        stack
    }

    /// Passes the next rows of a table to its handler and reports corrupt pages.
    ///
    /// Returns the approximate number of bytes read, or `None` at the end of the table.
    pub(super) fn read_rows(&mut self, table: &mut OpenTable, rows: &mut Rows) -> io::Result<Option<usize>> {
        let mut errors = PageErrors::default();
        let read = self.handle_rows(table, rows, &mut |error| errors.add(error));
        errors.report(&self.store, &table.name, rows);
        read
    }

    fn handle_rows(
        &mut self,
        table: &mut OpenTable,
        rows: &mut Rows,
        on_error: OnError<'_>,
    ) -> io::Result<Option<usize>> {
        let start = table.scan.bytes(&self.store);
        let mut count = 0;
        self.stack_bytes = 0;
        while count < BATCH_ROWS && table.scan.bytes(&self.store) - start + self.stack_bytes < BATCH_BYTES {
            let Some(row) = table.scan.next(&mut self.store, on_error)? else { return Ok(None) };
            (table.handler)(&row, self, rows);
            self.row_number += 1;
            count += 1;
        }
        Ok(Some(table.scan.bytes(&self.store) - start + self.stack_bytes))
    }

    /// The tables that are read, in order: each known one, and after it its variants.
    pub(super) fn known_tables(&self) -> Vec<(String, &'static TableSpec)> {
        let tables = self.store.tables();
        let mut known: Vec<(String, &TableSpec)> = Vec::new();
        for spec in TABLES {
            let is_variant = |name: &&str| {
                !TABLES.iter().any(|known| known.name == *name)
                    && variant_of(name).is_some_and(|other| other.name == spec.name)
                    && self.store.scan(name).is_some_and(|scan| scan.has_columns(spec.needed_columns()))
            };
            let own = tables.iter().copied().filter(|name| *name == spec.name);
            let variants = tables.iter().copied().filter(is_variant);
            known.extend(own.chain(variants).map(|name| (name.to_owned(), spec)));
        }
        known
    }

    /// Collects what all rows need, before the first row is written.
    pub(super) fn prepare(&mut self, path: &str, rows: &mut Rows) -> io::Result<()> {
        for (name, spec) in self.known_tables() {
            let (Some(handler), Some(scan)) = (spec.collect, self.store.scan(&name)) else { continue };
            let mut table = OpenTable { name, handler, scan };
            // the second pass over a table reports its corrupt pages, if there is one
            loop {
                let read = match spec.write {
                    None => self.read_rows(&mut table, rows)?,
                    Some(_) => self.handle_rows(&mut table, rows, &mut |_| ())?,
                };
                if read.is_none() {
                    break;
                }
            }
        }
        self.row_number = 0;
        self.job.resolve_rank(parse_rank(path));
        self.nvtx.resolve_steps();
        if !self.store.tables().iter().any(|table| table.starts_with("CUPTI_ACTIVITY_KIND_")) {
            rows.problem(Severity::Notice, "no_cuda", None, || {
                "the export has no table of CUDA: record with `nsys profile --trace=cuda,nvtx,osrt`".to_owned()
            });
        }
        Ok(())
    }
}

/// Pages and rows that could not be read: the first error, and the number of errors.
#[derive(Debug, Default)]
pub(super) struct PageErrors {
    first: Option<PageError>,
    count: i64,
}

impl PageErrors {
    pub(super) fn add(&mut self, error: PageError) {
        self.count += 1;
        self.first.get_or_insert(error);
    }

    pub(super) fn report(self, store: &Store, table: &str, rows: &mut Rows) {
        match self.first {
            None => {}
            Some(PageError::Io(error)) => {
                rows.skip_many(self.count, "unreadable_page", None, || format!("table {table}: {error}"));
            }
            Some(PageError::Malformed { page, why }) => {
                let offset = store.page_offset(page);
                rows.skip_many(self.count, "bad_page", i64::try_from(offset).ok(), || {
                    format!("table {table}, page {page} (byte {offset}): {why}; its rows are skipped")
                });
            }
        }
    }
}

/// A table that is being read.
pub(super) struct OpenTable {
    pub(super) name: String,
    pub(super) handler: RowHandler,
    pub(super) scan: StoreScan,
}
