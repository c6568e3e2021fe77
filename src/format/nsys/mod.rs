//! Exports of NVIDIA Nsight Systems (`nsys export --type sqlite`), 2021 to 2026, into `event`, `step`, `loader`, `sample`,
//! `allocation`.
//!
//! An export is a SQLite file with a table for each kind of event. Tables are absent when they would be empty, and columns come
//! and go with versions, so that everything is found by name: what is there is read, what is not is null, and a table that nothing
//! here reads is told with its number of rows. A row of the export is a row of `event`, whose `raw_category` is the name of its
//! table; measurements are rows of `sample`. `row` counts the rows that are read, table after table in the order of `TABLES`.
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
mod text;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::kineto::{Kineto, Unnumbered, rank_of_path};
use super::{Anywhere, Decoder, Descriptor, Format, ObjectInfo, Probe};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Rows, Severity, Step};
use args::Args;
use column::{Bound, Cells, Column};
use cuda::{Launches, Numbered, Stack};
use job::Job;
use nvtx::Nvtx;
use sqlite::{Database, Fault, Scan, Table};
use stack::Stacks;
use text::Texts;

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

/// Takes a row of a table.
type Reader = fn(&Cells<'_>, &mut Export, &mut Rows);

/// Tables that are looked at before rows are written, in this order.
const LOOKED_UP: &[(&str, Reader)] = &[
    ("META_DATA_EXPORT", learn_export),
    ("TARGET_INFO_SESSION_START_TIME", learn_session),
    ("META_DATA_CAPTURE", learn_capture),
    ("TARGET_INFO_SYSTEM_ENV", learn_host),
    ("MPI_RANKS", learn_rank),
    ("TARGET_INFO_GPU", about::learn_gpu),
    ("TARGET_INFO_CUDA_DEVICE", about::learn_cuda_device),
    ("ThreadNames", learn_thread),
    ("TARGET_INFO_GPU_METRICS", about::learn_metric),
    ("OSRT_FILE_ACCESS_DESCRIPTORS", host::file),
    ("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", learn_graph),
    ("NVTX_EVENTS", learn_range),
];

/// Tables that become rows, in this order.
const TABLES: &[(&str, Reader)] = &[
    ("META_DATA_EXPORT", about::exported),
    ("META_DATA_CAPTURE", about::captured),
    ("TARGET_INFO_SYSTEM_ENV", about::system),
    ("TARGET_INFO_GPU", about::gpu),
    ("CUPTI_ACTIVITY_KIND_RUNTIME", cuda::call),
    ("CUPTI_ACTIVITY_KIND_KERNEL", cuda::kernel),
    ("CUPTI_ACTIVITY_KIND_MEMCPY", cuda::copy),
    ("CUPTI_ACTIVITY_KIND_MEMSET", cuda::fill),
    // behind what may show that its nodes were recorded
    ("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", cuda::graph),
    // behind the calls whose names these have
    ("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", cuda::wait),
    ("CUPTI_ACTIVITY_KIND_CUDA_EVENT", cuda::record),
    ("CUPTI_ACTIVITY_KIND_OVERHEAD", host::overhead),
    ("CUPTI_ACTIVITY_KIND_JIT", host::other),
    ("CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS", host::other),
    ("CUDA_GRAPH_EVENTS", host::other),
    ("CUDA_GRAPH_NODE_EVENTS", host::other),
    ("CUDA_HOST_CALLBACK", host::other),
    ("CUDA_GPU_MEMORY_USAGE_EVENTS", cuda::memory),
    ("CUDA_GPU_MEMORY_POOL_EVENTS", host::memory),
    ("CUDA_UM_CPU_PAGE_FAULT_EVENTS", host::memory),
    ("CUDA_UM_GPU_PAGE_FAULT_EVENTS", host::memory),
    ("NVTX_EVENTS", nvtx::row),
    ("CUBLAS_EVENTS", host::library_call),
    ("CUDNN_EVENTS", host::library_call),
    ("MPI_P2P_EVENTS", host::message),
    ("MPI_COLLECTIVES_EVENTS", host::message),
    ("MPI_START_WAIT_EVENTS", host::message),
    ("MPI_OTHER_EVENTS", host::message),
    ("UCP_WORKERS_EVENTS", host::message),
    ("UCP_SUBMIT_EVENTS", host::message),
    ("UCP_PROGRESS_EVENTS", host::message),
    ("UCP_EVENTS", host::message),
    ("OSRT_API", host::system_call),
    ("OSRT_FILE_ACCESS_EVENTS", host::file_access),
    ("COMPOSITE_EVENTS", host::sample),
    ("SCHED_EVENTS", host::schedule),
    ("PROFILER_OVERHEAD", host::overhead),
    ("GPU_METRICS", about::measured),
    ("DIAGNOSTIC_EVENT", about::message),
];

/// Tables that rows point to: what they hold is looked up.
const POINTED_TO: [&str; 6] = [
    "StringIds",
    "OSRT_CALLCHAINS",
    "CUDA_CALLCHAINS",
    "SAMPLING_CALLCHAINS",
    "TARGET_INFO_CUDA_STREAM",
    "TARGET_INFO_CUDA_CONTEXT_INFO",
];

/// Tables that tell an export beside [`StringIds`](POINTED_TO), in exports that do not describe themselves.
const OF_EXPORTS: [&str; 6] = [
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
        let is_table = |stem: &str| TABLES.iter().any(|(table, _)| *table == stem) || POINTED_TO.contains(&stem);
        (matches!(end, "parquet" | "arrow" | "arrows") && is_table(stem))
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
    cuda_ids: HashMap<i64, i64>,
    metrics: HashMap<(i64, i64), about::Metric>,
    measured_gpus: HashMap<i64, String>,
    /// Process and path of a file that was accessed.
    files: HashMap<i64, (i64, Arc<str>)>,
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
        let stacks = [Stack::Calls, Stack::SystemCalls, Stack::Samples];
        let stacks = stacks.map(|stack| Stacks::of(&database, stack.table()));
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
            cuda_ids: HashMap::new(),
            metrics: HashMap::new(),
            measured_gpus: HashMap::new(),
            files: HashMap::new(),
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

    /// The track of a thread.
    fn track(&mut self, thread: i64, rows: &mut Rows) -> Arc<str> {
        self.job.track(thread, &mut self.texts, &mut self.database, rows)
    }

    /// A stack as a JSON list, and the name of its innermost frame.
    fn stack(&mut self, kind: Stack, chain: Option<i64>, rows: &mut Rows) -> Option<(String, String)> {
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

fn learn_export(cells: &Cells<'_>, export: &mut Export, _rows: &mut Rows) {
    if let (Some(name), Some(value)) = (cells.text(Column::Name), cells.text(Column::Value)) {
        export.job.exported(&name, &value);
    }
}

fn learn_session(cells: &Cells<'_>, export: &mut Export, _rows: &mut Rows) {
    if let Some(utc) = cells.id(Column::UtcEpochNs) {
        export.job.begin(utc);
    }
}

fn learn_capture(cells: &Cells<'_>, export: &mut Export, _rows: &mut Rows) {
    if let (Some(name), Some(value)) = (cells.text(Column::Name), cells.text(Column::Value))
        && name.ends_with(":ENVIRONMENT_VARIABLE")
    {
        export.job.variable(&value);
    }
}

fn learn_host(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    if let (Some("Hostname"), Some(host)) = (cells.text(Column::Name).as_deref(), cells.text(Column::Value)) {
        export.job.node = Some(text::clean(host.trim(), rows).to_string()).filter(|host| !host.is_empty());
    }
}

fn learn_rank(cells: &Cells<'_>, export: &mut Export, _rows: &mut Rows) {
    if let Some(rank) = cells.int(Column::Rank) {
        export.job.mpi_rank(rank);
    }
}

fn learn_thread(cells: &Cells<'_>, export: &mut Export, _rows: &mut Rows) {
    if let (Some(thread), Some(name)) = (cells.int(Column::GlobalTid), cells.int(Column::NameId)) {
        export.job.thread(thread, name);
    }
}

fn learn_graph(cells: &Cells<'_>, export: &mut Export, _rows: &mut Rows) {
    export.launches.graph(cells);
}

fn learn_range(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let registered = match cells.text(Column::Text) {
        Some(_) => None,
        None => export.named(cells.int(Column::TextId), rows),
    };
    let text = cells.text(Column::Text);
    export.nvtx.learn(cells, text.as_deref().or(registered.as_deref()).unwrap_or_default(), rows);
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
        if names.contains(&"META_DATA_EXPORT")
            || names.contains(&"StringIds")
            || names.iter().any(of_export) && !names.contains(&"StringTable")
        {
            return Ok(());
        }
        if names.contains(&"StringTable") {
            return Err(
                self.error(ErrorKind::Unrecognised, "it is a database of nvprof, not an export of Nsight Systems")
            );
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
    let known = |name: &str| {
        let listed = |list: &[(&str, Reader)]| list.iter().any(|(table, _)| *table == name);
        listed(TABLES) || listed(LOOKED_UP) || POINTED_TO.contains(&name) || name.starts_with("ENUM_")
    };
    let mut others: Vec<Table> = export.database.tables().iter().filter(|table| !known(&table.name)).cloned().collect();
    // a tree belongs to one table: a file that says otherwise is not read again and again
    others.sort_by_key(Table::root);
    others.dedup_by_key(|table| table.root());
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
        for (name, reader) in LOOKED_UP {
            let Some(table) = export.database.table(name) else { continue };
            let mut reading = Reading::new(table, *reader);
            // of a table that is read again the damage is told then
            let again = TABLES.iter().any(|(table, _)| table == name);
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
        let tables =
            TABLES.iter().filter_map(|(name, reader)| Some(Reading::new(export.database.table(name)?, *reader)));
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
