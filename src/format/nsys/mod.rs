//! Exports of NVIDIA Nsight Systems (`nsys export --type sqlite`), 2021 to 2026, into `event`, `step`, `loader`, `sample`,
//! `allocation`.
//!
//! An export is a SQLite file with a table for each kind of event. Tables are absent when they would be empty, and columns come
//! and go with versions, so that everything is found by name: what is there is read, what is not is null, and a table that nothing
//! here reads is told with its number of rows. A row of the export is a row of `event`, whose `raw_category` is the name of its
//! table; measurements are rows of `sample`. `row` counts the rows that are read, table after table in the order of the module `tables`.
//!
//! What concerns all rows is looked up first: the start of the session, names of threads and devices, and which ranges are steps.
//!
//! Several processes in one file are told apart: what is unique in a process only (`correlation`), and `span`, have the ordinal of
//! the process above bit 32, which is 0 for the first.
//!
//! # Units
//! Times of the file are ns since the start of the session, which `TARGET_INFO_SESSION_START_TIME` tells in ns since the epoch. Without
//! it `ts` is null and the time as written stays in `args`.
//!
//! # Source
//! NVIDIA, [SQLite Export Schema Reference](https://docs.nvidia.com/nsight-systems/AnalysisGuide/index.html), and the schemas of exports
//! themselves.

mod about;
mod args;
mod column;
mod cuda;
mod host;
mod job;
mod nvtx;
mod sqlite;
mod stack;
mod tables;
mod text;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::kineto::{Kineto, Unnumbered, rank_of_path};
use super::{Anywhere, Decoder, Descriptor, Format, ObjectInfo, Probe};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Rows, Severity, Step};
use args::Args;
use column::{Bound, Cells};
use cuda::{Launches, Numbered};
use job::Job;
use nvtx::Nvtx;
use sqlite::{Database, Fault, Scan, Table};
use stack::{Kind, Stack, Stacks};
use tables::{KNOWN, Reader};
use text::Texts;

/// A map by numbers that a file gives, asked for each row: the hash is seeded, and takes a fraction of the usual one.
type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Exports of Nsight Systems.
#[derive(Debug)]
pub struct Nsys;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "nsys",
    doc: "SQLite exports of NVIDIA Nsight Systems, 2021 to 2026",
    files: "*.sqlite, or any name",
    tables: &["event", "step", "loader", "sample", "allocation", "device", "run_attribute"],
    fields: &[
        ("name of the table", "event.raw_category"),
        ("file or folder name: rank<n>", "rank, where neither MPI_RANKS nor RANK and its like say it"),
        (
            "MPI_RANKS.rank; RANK, OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, SLURM_PROCID of the job's environment",
            "rank",
        ),
        ("TARGET_INFO_SYSTEM_ENV Hostname", "node"),
        (
            "TARGET_INFO_SESSION_START_TIME.utcEpochNs; EXPORT_PARAM_TIME_NORMALIZE, EXPORT_PARAM_TIME_SHIFT",
            "what times count from",
        ),
        (
            "start, timestamp, startedAt",
            "event.ts, step.ts, loader.ts, sample.ts, allocation.ts; event.args.ts where the session is unknown",
        ),
        ("end, endedAt", "event.dur, step.dur, loader.dur"),
        ("globalTid, globalPid", "event.pid, event.tid, event.track; loader.pid"),
        ("ThreadNames", "event.track"),
        ("deviceId, streamId", "event.device (gpu<n>), event.stream, event.track; allocation.device"),
        ("correlationId", "event.correlation; with the ordinal of the process above bit 32; event.args of overhead"),
        (
            "nameId, demangledName, shortName, textId, symbol, through StringIds",
            "event.name without the version of the interface, args.api with it",
        ),
        ("CUPTI_ACTIVITY_KIND_RUNTIME", "event, category runtime or driver by eventClass"),
        (
            "CUPTI_ACTIVITY_KIND_KERNEL",
            "event, category kernel; args as in kineto: grid, block, registers per thread, shared memory",
        ),
        ("CUPTI_ACTIVITY_KIND_MEMCPY, _MEMSET", "event, category memcpy, memset; args.bytes, args.kind"),
        (
            "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
            "event, category kernel; other where the nodes of the launch are rows of their own",
        ),
        ("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, _CUDA_EVENT", "event, category sync"),
        ("CUDA_GPU_MEMORY_USAGE_EVENTS", "event, category memory; allocation, with the sum by device"),
        (
            "NVTX_EVENTS",
            "event: annotation; step, loader, communication (domain NCCL) and operator (PyTorch's emit_nvtx) by name; step; loader",
        ),
        ("CUBLAS_EVENTS, CUDNN_EVENTS", "event, category operator"),
        ("MPI_*_EVENTS, UCP_*_EVENTS", "event, category communication"),
        ("OSRT_API, OSRT_FILE_ACCESS_EVENTS, COMPOSITE_EVENTS, SCHED_EVENTS", "event, category other"),
        ("PROFILER_OVERHEAD, CUPTI_ACTIVITY_KIND_OVERHEAD", "event, category overhead; other where it is CUDA's own"),
        ("OSRT_CALLCHAINS, CUDA_CALLCHAINS, SAMPLING_CALLCHAINS", "event.args.stack, innermost frame first"),
        ("GPU_METRICS, TARGET_INFO_GPU_METRICS", "sample"),
        ("DIAGNOSTIC_EVENT", "problem, counted by severity"),
        ("TARGET_INFO_GPU, TARGET_INFO_CUDA_DEVICE", "device"),
        (
            "TARGET_INFO_SYSTEM_ENV, META_DATA_CAPTURE, META_DATA_EXPORT: versions, processor, what was traced",
            "run_attribute nsys.*",
        ),
    ],
    not_read: &[
        "environments, command lines, users, hosts of the export, outputs of programs, other processes: not for others to read",
        "graphics and Windows (DX11, DX12, VULKAN, OPENGL, WDDM, ETW), OPENACC, OPENMP, network, power, generic events: told with their rows",
        "binary payloads of NVTX; mangled names; qmd*, cacheConfig of kernels",
        "ENUM_*: numbers are known, and in exports some words do not fit them",
        "*.nsys-rep, *.qdrep: `nsys export --type sqlite` makes an export of them; other types of export",
    ],
    source: "NVIDIA Nsight Systems, SQLite Export Schema Reference, docs.nvidia.com/nsight-systems/AnalysisGuide",
    version: 1,
};

/// Pages that are read before rows are handed on.
const PAGES: u32 = 256;

/// The same in rows.
const ROWS: u32 = 8192;

/// Tables that tell an export, by what their names begin with.
const OF_EXPORTS: [&str; 7] = [
    "StringIds",
    "CUPTI_ACTIVITY_KIND_",
    "NVTX_EVENTS",
    "OSRT_API",
    "COMPOSITE_EVENTS",
    "TARGET_INFO_SESSION_START_TIME",
    "META_DATA_EXPORT",
];

/// Endings of what Nsight Systems writes itself.
const REPORTS: [&str; 2] = [".nsys-rep", ".qdrep"];

fn contains(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window == word.as_bytes())
}

impl Format for Nsys {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        // the schema may lie further on, so that a name has to do
        probe.head.starts_with(sqlite::MAGIC)
            && (OF_EXPORTS.iter().any(|table| contains(probe.head, table)) || probe.info.name().ends_with(".sqlite"))
    }

    fn group(&self, _object: &ObjectInfo) -> Option<String> {
        None
    }

    fn ignores(&self, object: &ObjectInfo) -> Option<&'static str> {
        let name = object.name();
        if [".sqlite-journal", ".sqlite-wal", ".sqlite-shm"].iter().any(|end| name.ends_with(end)) {
            return Some("a log of SQLite");
        }
        let (stem, end) = name.rsplit_once('.')?;
        let is_table = KNOWN.iter().any(|table| table.name == stem);
        (matches!(end, "parquet" | "arrow" | "arrows") && is_table)
            .then_some("a table of an export of Nsight Systems as Parquet or Arrow, which is not read: export with `--type sqlite`")
    }

    fn declines(&self, probe: &Probe<'_>) -> Option<String> {
        let name = probe.info.name();
        let stem = REPORTS.iter().find_map(|end| name.strip_suffix(end))?;
        Some(format!(
            "a report of Nsight Systems, which only that reads: `nsys export --type sqlite --output {stem}.sqlite {name}` makes what can be \
             read here"
        ))
    }

    fn recordings(&self, files: &[(&str, Option<i64>)], taken: &[(Option<i64>, i64)]) -> Vec<Option<i64>> {
        Kineto.recordings(files, taken)
    }

    fn random_access(&self) -> bool {
        true
    }

    fn decoder(&self) -> Box<dyn Decoder> {
        Box::new(NsysDecoder { info: ObjectInfo::default(), export: None, left: VecDeque::new(), now: None })
    }
}

/// What is known of a file, and where its rows are put together.
#[derive(Debug)]
struct Export {
    database: Database,
    texts: Texts,
    job: Job,
    nvtx: Nvtx,
    launches: Launches,
    stacks: [Option<Stacks>; 3],
    unnumbered: Unnumbered,
    args: Args,
    streams: Numbered,
    gpus: Numbered,
    /// Number of a GPU for CUDA by that for Nsight Systems.
    cuda_ids: Map<i64, i64>,
    metrics: Map<(i64, i64), about::Metric>,
    measured_gpus: Map<i64, Arc<str>>,
    /// Process and path of a file that was accessed.
    files: Map<i64, (i64, Arc<str>)>,
    processor: about::Processor,
    /// The present table.
    table: String,
    /// The number of the present row.
    row: i64,
    /// Why the file could not be read further.
    failed: Option<std::io::Error>,
}

impl Export {
    fn new(database: Database, info: &ObjectInfo) -> Self {
        let stacks = Kind::ALL.map(|kind| Stacks::of(&database, kind.table()));
        Self {
            database,
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
            row: 0,
            failed: None,
        }
    }

    /// The text with this id.
    fn named(&mut self, id: Option<i64>, rows: &mut Rows) -> Option<Arc<str>> {
        Some(self.texts.get(id?, &mut self.database, rows))
    }

    /// The text that a row has, else the one whose id it has.
    fn text(&mut self, text: Option<Cow<'_, str>>, id: Option<i64>, rows: &mut Rows) -> Option<Arc<str>> {
        match text {
            Some(text) => Some(text::clean(&text, rows)),
            None => self.named(id, rows),
        }
    }

    /// The track of a thread.
    fn track(&mut self, thread: i64, rows: &mut Rows) -> Arc<str> {
        self.job.track(thread, &mut self.texts, &mut self.database, rows)
    }

    /// The stack of a call chain.
    fn stack(&mut self, kind: Kind, chain: Option<i64>, rows: &mut Rows) -> Option<Stack> {
        let stacks = self.stacks.get_mut(kind as usize)?.as_mut()?;
        let mut faults = Faults::default();
        let taken = stacks.take(chain?, &mut self.database, &mut self.texts, rows, &mut |fault| faults.add(fault));
        faults.tell(&self.database, kind.table(), rows);
        taken.unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        })
    }

    /// Hands rows of a table to a reader; how many bytes they took, none if there are no more. What is damaged is told here.
    fn read(&mut self, table: &mut Reading, rows: &mut Rows) -> std::io::Result<Option<usize>> {
        let mut faults = Faults::default();
        let read = self.hand_out(table, rows, &mut |fault| faults.add(fault));
        faults.tell(&self.database, &table.name, rows);
        read
    }

    fn hand_out(
        &mut self,
        table: &mut Reading,
        rows: &mut Rows,
        fault: &mut dyn FnMut(Fault),
    ) -> std::io::Result<Option<usize>> {
        let from = table.scan.pages();
        let mut count = 0;
        while count < ROWS && table.scan.pages() - from < PAGES {
            let Some(row) = table.scan.next(&mut self.database, fault)? else { return Ok(None) };
            (table.reader)(&Cells::new(row, &table.bound), self, rows);
            self.row += 1;
            count += 1;
        }
        let pages = usize::try_from(table.scan.pages() - from).unwrap_or(0);
        Ok(Some(pages * usize::try_from(self.database.offset(2)).unwrap_or(0)))
    }
}

/// Pages and rows that could not be read: the first of them, and how many they are.
#[derive(Debug, Default)]
struct Faults {
    first: Option<Fault>,
    count: i64,
}

impl Faults {
    fn add(&mut self, fault: Fault) {
        self.count += 1;
        self.first.get_or_insert(fault);
    }

    fn tell(self, database: &Database, table: &str, rows: &mut Rows) {
        match self.first {
            None => {}
            Some(Fault::Io(error)) => {
                rows.skips(self.count, "unreadable_page", None, || format!("table {table}: {error}"));
            }
            Some(Fault::Damaged { page, why }) => {
                let offset = database.offset(page);
                rows.skips(self.count, "bad_page", i64::try_from(offset).ok(), || {
                    format!("table {table}, page {page} (byte {offset}): {why}; its rows are left out")
                });
            }
        }
    }
}

/// A table that is being read.
#[derive(Debug)]
struct Reading {
    name: String,
    reader: Reader,
    scan: Scan,
    bound: Bound,
}

impl Reading {
    fn new(table: &Table, reader: Reader) -> Self {
        Self { name: table.name.clone(), reader, scan: Scan::of(table), bound: Bound::new(table) }
    }
}

/// Reads exports, each for itself.
#[derive(Debug)]
struct NsysDecoder {
    info: ObjectInfo,
    export: Option<Export>,
    left: VecDeque<Reading>,
    now: Option<Reading>,
}

impl NsysDecoder {
    fn error(&self, kind: ErrorKind, why: &str) -> Error {
        Error::new(kind, format!("cannot read {}: {why}", self.info.path)).with_context("format", DESCRIPTOR.name)
    }

    fn unreadable(&self, error: &std::io::Error) -> Error {
        self.error(ErrorKind::Unreachable, &error.to_string())
    }

    /// Refuses a file of SQLite that is no export.
    fn check(&self, database: &Database) -> Result<()> {
        let names: Vec<&str> = database.tables().iter().map(|table| table.name.as_str()).collect();
        let of_export = |name: &&str| OF_EXPORTS.iter().any(|table| name.starts_with(table));
        // nvprof has tables of the same names
        let of_nvprof = names.contains(&"StringTable") && !names.contains(&"StringIds");
        if of_nvprof && !names.contains(&"META_DATA_EXPORT") {
            return Err(
                self.error(ErrorKind::Unrecognised, "it is a database of nvprof, not an export of Nsight Systems")
            );
        }
        if names.iter().any(of_export) {
            return Ok(());
        }
        if database.missing() > 0 {
            return Err(self.error(ErrorKind::Malformed, "it is a SQLite file that was cut off before its tables"));
        }
        let few = names.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let has = if few.is_empty() { "it has no table".to_owned() } else { format!("its tables are {few}") };
        let why =
            format!("it is a SQLite file, but no export of Nsight Systems: {has}; an export has META_DATA_EXPORT");
        Err(self.error(ErrorKind::Unrecognised, &why))
    }
}

/// Tells which tables are not read, and how many rows they have.
fn not_read(export: &mut Export, rows: &mut Rows) -> std::io::Result<()> {
    let known = |name: &str| KNOWN.iter().any(|table| table.name == name) || name.starts_with("ENUM_");
    let others: Vec<Table> = export.database.tables().iter().filter(|table| !known(&table.name)).cloned().collect();
    for table in others {
        let count = Scan::of(&table).count(&mut export.database, &mut |_| ())?;
        let name = super::secret::mask(&table.name).into_owned();
        rows.problems(count, Severity::Notice, &format!("not_read:{name}"), None, || {
            format!("table {name} is not read")
        });
    }
    Ok(())
}

impl Decoder for NsysDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        *self = Self { info: object.clone(), export: None, left: VecDeque::new(), now: None };
        let journal = ["-journal", "-wal"].iter().map(|end| format!("{}{end}", object.path));
        if let Some(journal) = journal.into_iter().find(|journal| object.siblings.binary_search(journal).is_ok()) {
            let why = format!("it is being written, or its writer was stopped: there is a log {journal} beside it");
            return Err(self
                .error(ErrorKind::Malformed, &why)
                .with_hint("wait for the export to end, or export again"));
        }
        Ok(())
    }

    fn open(&mut self, file: Box<dyn Anywhere>, rows: &mut Rows) -> Result<()> {
        let mut faults = Faults::default();
        let database = Database::open(file, &mut |fault| faults.add(fault));
        let database = database.map_err(|why| self.error(ErrorKind::Malformed, &why))?;
        faults.tell(&database, "sqlite_schema", rows);
        self.check(&database)?;
        if database.missing() > 0 {
            let (size, missing) = (database.size(), database.missing());
            rows.problem(Severity::Warning, "truncated", i64::try_from(size).ok(), || {
                format!("the file ends {missing} bytes too early, at byte {size}; what stood there is left out")
            });
        }
        let mut export = Export::new(database, &self.info);
        for known in KNOWN {
            let Some((look, table)) = known.look.zip(export.database.table(known.name)) else { continue };
            let mut reading = Reading::new(table, look);
            // of a table that is read again the damage is told then
            let again = known.read.is_some();
            let mut read = || {
                if again { export.hand_out(&mut reading, rows, &mut |_| ()) } else { export.read(&mut reading, rows) }
            };
            while read().map_err(|error| self.unreadable(&error))?.is_some() {}
        }
        export.row = 0;
        export.job.settle(rank_of_path(&self.info.path));
        export.nvtx.settle();
        let has = |prefix: &str| export.database.tables().iter().any(|table| table.name.starts_with(prefix));
        if !has("CUPTI_ACTIVITY_KIND_") {
            rows.problem(Severity::Notice, "no_cuda", None, || {
                "the export has no table of CUDA: record with `nsys profile --trace=cuda,nvtx,osrt`".to_owned()
            });
        }
        let tables = KNOWN.iter().filter_map(|known| {
            let (read, table) = known.read.zip(export.database.table(known.name))?;
            Some(Reading::new(table, read))
        });
        self.left = tables.collect();
        not_read(&mut export, rows).map_err(|error| self.unreadable(&error))?;
        self.export = Some(export);
        Ok(())
    }

    fn advance(&mut self, rows: &mut Rows) -> Result<Option<usize>> {
        let Some(export) = &mut self.export else { return Ok(None) };
        let Some(mut reading) = self.now.take().or_else(|| self.left.pop_front()) else { return Ok(None) };
        if export.table != reading.name {
            export.table.clone_from(&reading.name);
        }
        let read = export.read(&mut reading, rows);
        let read = read.and_then(|read| export.failed.take().map_or(Ok(read), Err));
        match read {
            Err(error) => Err(self.unreadable(&error)),
            Ok(Some(bytes)) => {
                self.now = Some(reading);
                Ok(Some(bytes))
            }
            Ok(None) => {
                if reading.name == "TARGET_INFO_SYSTEM_ENV" {
                    about::processor(export, rows);
                }
                Ok(Some(0))
            }
        }
    }

    fn push(&mut self, _chunk: &[u8], _rows: &mut Rows) -> Result<()> {
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        if let Some(mut export) = self.export.take() {
            export.launches.end(rows);
            export.nvtx.end(rows);
            let whose = export.job.event("", 0, 0);
            let step = Step { node: whose.node, rank: whose.rank, span: whose.span, ..Step::default() };
            export.unnumbered.write(&step, rows);
            let processes = export.job.processes();
            if processes > 1 {
                rows.problem(Severity::Notice, "processes", None, || {
                    format!("{processes} processes use devices or mark ranges; correlation and span tell them apart above bit 32")
                });
            }
        }
        Ok(())
    }

    fn finish(&mut self, _rows: &mut Rows) -> Result<()> {
        Ok(())
    }
}
