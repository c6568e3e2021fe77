//! What is known of an export while its tables are read, and where its rows are put together.

use std::borrow::Cow;
use std::sync::Arc;

use super::args::Args;
use super::cuda::{Launches, Numbered};
use super::job::Job;
use super::nvtx::Nvtx;
use super::sqlite::Fault;
use super::stack::{Kind, Stack, Stacks};
use super::store::{Scan, Store};
use super::tables::{KNOWN, Reader};
use super::text::{Texts, clean};
use super::{Map, about};
use crate::ObjectInfo;
use crate::kineto::{Unnumbered, rank_of_path};
use crate::table::{Rows, Severity};

/// Bytes that are read before rows are handed on.
const BYTES: usize = 1 << 20;

/// The same in rows.
const ROWS: u32 = 8192;

/// What is known of an export, and where its rows are put together.
#[derive(Debug)]
pub(super) struct Export {
    pub(super) store: Store,
    pub(super) texts: Texts,
    pub(super) job: Job,
    pub(super) nvtx: Nvtx,
    pub(super) launches: Launches,
    pub(super) stacks: [Option<Stacks>; 3],
    pub(super) unnumbered: Unnumbered,
    pub(super) args: Args,
    pub(super) streams: Numbered,
    pub(super) gpus: Numbered,
    /// Number of a GPU for CUDA by that for Nsight Systems.
    pub(super) cuda_ids: Map<i64, i64>,
    pub(super) metrics: Map<(i64, i64), about::Metric>,
    pub(super) measured_gpus: Map<i64, Arc<str>>,
    /// Process and path of a file that was accessed.
    pub(super) files: Map<i64, (i64, Arc<str>)>,
    pub(super) processor: about::Processor,
    /// The present table.
    pub(super) table: String,
    /// Bytes of the stacks of the rows that are handed out, which stand in other tables.
    stacked: usize,
    /// The number of the present row.
    pub(super) row: i64,
    /// Why the file could not be read further.
    pub(super) failed: Option<std::io::Error>,
}

impl Export {
    pub(super) fn new(store: Store, info: &ObjectInfo) -> Self {
        let stacks = Kind::ALL.map(|kind| Stacks::of(&store, kind.table()));
        Self {
            store,
            texts: Texts::default(),
            job: Job::new(info.recording),
            nvtx: Nvtx::new(info.step_annotation.clone()),
            launches: Launches::default(),
            stacks,
            unnumbered: Unnumbered::default(),
            args: Args::default(),
            streams: Numbered::new("stream "),
            gpus: Numbered::new("gpu"),
            cuda_ids: Map::default(),
            metrics: Map::default(),
            measured_gpus: Map::default(),
            files: Map::default(),
            processor: about::Processor::default(),
            table: String::new(),
            stacked: 0,
            row: 0,
            failed: None,
        }
    }

    /// The text with this id.
    pub(super) fn named(&mut self, id: Option<i64>, rows: &mut Rows) -> Option<Arc<str>> {
        Some(self.texts.get(id?, &mut self.store, rows))
    }

    /// The text that a row has, else the one whose id it has.
    pub(super) fn text(&mut self, text: Option<Cow<'_, str>>, id: Option<i64>, rows: &mut Rows) -> Option<Arc<str>> {
        match text {
            Some(text) => Some(clean(&text, rows)),
            None => self.named(id, rows),
        }
    }

    /// The track of a thread.
    pub(super) fn track(&mut self, thread: i64, rows: &mut Rows) -> Arc<str> {
        self.job.track(thread, &mut self.texts, &mut self.store, rows)
    }

    /// The stack of a call chain.
    pub(super) fn stack(&mut self, kind: Kind, chain: Option<i64>, rows: &mut Rows) -> Option<Stack> {
        let stacks = self.stacks.get_mut(kind as usize)?.as_mut()?;
        let mut faults = Faults::default();
        let taken = stacks.take(chain?, &mut self.store, &mut self.texts, rows, &mut |fault| faults.add(fault));
        faults.tell(&self.store, kind.table(), rows);
        let taken = taken.unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        });
        self.stacked += taken.as_ref().map_or(0, |stack| stack.frames.len());
        taken
    }

    /// Hands rows of a table to a reader; how many bytes they took, none if there are no more. What is damaged is told here.
    pub(super) fn read(&mut self, table: &mut Reading, rows: &mut Rows) -> std::io::Result<Option<usize>> {
        let mut faults = Faults::default();
        let read = self.hand_out(table, rows, &mut |fault| faults.add(fault));
        faults.tell(&self.store, &table.name, rows);
        read
    }

    fn hand_out(
        &mut self,
        table: &mut Reading,
        rows: &mut Rows,
        fault: &mut dyn FnMut(Fault),
    ) -> std::io::Result<Option<usize>> {
        let from = table.scan.bytes(&self.store);
        let mut count = 0;
        self.stacked = 0;
        while count < ROWS && table.scan.bytes(&self.store) - from + self.stacked < BYTES {
            let Some(cells) = table.scan.next(&mut self.store, fault)? else { return Ok(None) };
            (table.reader)(&cells, self, rows);
            self.row += 1;
            count += 1;
        }
        Ok(Some(table.scan.bytes(&self.store) - from + self.stacked))
    }

    /// Reads a table with another reader than its own; what is damaged is told where its rows are read.
    fn look(&mut self, table: &str, reader: Reader, told: bool, rows: &mut Rows) -> std::io::Result<()> {
        let Some(scan) = self.store.scan(table) else { return Ok(()) };
        let mut table = Reading { name: table.to_owned(), reader, scan };
        loop {
            let read = if told { self.read(&mut table, rows) } else { self.hand_out(&mut table, rows, &mut |_| ()) };
            if read?.is_none() {
                return Ok(());
            }
        }
    }

    /// Looks up what concerns all rows.
    pub(super) fn prepare(&mut self, path: &str, rows: &mut Rows) -> std::io::Result<()> {
        for known in KNOWN {
            if let Some(look) = known.look {
                // of a table that is read again the damage is told then
                self.look(known.name, look, known.read.is_none(), rows)?;
            }
        }
        self.row = 0;
        self.job.settle(rank_of_path(path));
        self.nvtx.settle();
        if !self.store.tables().iter().any(|table| table.starts_with("CUPTI_ACTIVITY_KIND_")) {
            rows.problem(Severity::Notice, "no_cuda", None, || {
                "the export has no table of CUDA: record with `nsys profile --trace=cuda,nvtx,osrt`".to_owned()
            });
        }
        Ok(())
    }
}

/// Pages and rows that could not be read: the first of them, and how many they are.
#[derive(Debug, Default)]
pub(super) struct Faults {
    first: Option<Fault>,
    count: i64,
}

impl Faults {
    pub(super) fn add(&mut self, fault: Fault) {
        self.count += 1;
        self.first.get_or_insert(fault);
    }

    pub(super) fn tell(self, store: &Store, table: &str, rows: &mut Rows) {
        match self.first {
            None => {}
            Some(Fault::Io(error)) => {
                rows.skips(self.count, "unreadable_page", None, || format!("table {table}: {error}"));
            }
            Some(Fault::Damaged { page, why }) => {
                let offset = store.offset(page);
                rows.skips(self.count, "bad_page", i64::try_from(offset).ok(), || {
                    format!("table {table}, page {page} (byte {offset}): {why}; its rows are skipped")
                });
            }
        }
    }
}

/// A table that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) name: String,
    pub(super) reader: Reader,
    pub(super) scan: Scan,
}
