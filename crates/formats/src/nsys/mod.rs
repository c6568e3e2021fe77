//! Exports of NVIDIA Nsight Systems (`nsys export --type sqlite` or `--type parquetdir`), 2021 to 2026, into `event`, `step`, `loader`, `sample`,
//! `allocation`.
//!
//! An export has a table for each kind of event, in a SQLite file or in a folder with a Parquet file for each. Tables are absent when they would be empty, and columns come
//! and go with versions, so that everything is found by name: what is there is read, what is not is null, and a table that nothing
//! here reads is told with its number of rows. A row of the export is a row of `event`, whose `raw_category` is the name of its
//! table; measurements are rows of `sample`. `row` counts the rows that are read of a file, of SQLite table after table in the order of the module `tables`.
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
mod cells;
mod column;
mod cuda;
mod decoder;
mod export;
mod folder;
mod host;
mod job;
mod nvtx;
mod sqlite;
mod stack;
mod store;
mod tables;
mod text;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::kineto::Kineto;
use super::{Decoding, Descriptor, Format, ObjectInfo, Probe};
use decoder::NsysDecoder;
use export::Export;
use tables::KNOWN;

/// A map by numbers that a file gives, asked for each row: the hash is seeded, and takes a fraction of the usual one.
type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// What the name of a file ends in that SQLite writes beside one that is being changed.
const LOGS: [&str; 2] = ["-journal", "-wal"];

/// Names of files that would say that the one of this name is still being written.
#[doc(hidden)]
pub fn logs_beside(name: &str) -> impl Iterator<Item = String> {
    LOGS.iter().filter(|_| name.ends_with(".sqlite")).map(move |end| format!("{name}{end}"))
}

/// Exports of Nsight Systems.
#[derive(Debug)]
pub struct Nsys;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "nsys",
    doc: "exports of NVIDIA Nsight Systems, 2021 to 2026: SQLite, or a folder of Parquet files",
    files: "*.sqlite, or any name; <table>.parquet",
    tables: &["event", "step", "loader", "sample", "allocation", "device", "run_attribute"],
    fields: &[
        ("name of the table", "event.raw_category"),
        ("file or folder name: rank<n>", "rank, if neither MPI_RANKS nor RANK and similar variables have it"),
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
            "event, category kernel; other if the nodes of the launch have their own rows",
        ),
        ("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, _CUDA_EVENT", "event, category sync"),
        ("CUDA_GPU_MEMORY_USAGE_EVENTS", "event, category memory; allocation, with the sum by process and device"),
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
        "environments, command lines, users, hosts of the export, outputs of programs, other processes: private data",
        "graphics and Windows (DX11, DX12, VULKAN, OPENGL, WDDM, ETW), OPENACC, OPENMP, network, power, generic events: reported with their number of rows",
        "binary payloads of NVTX; mangled names; qmd*, cacheConfig of kernels",
        "ENUM_*: tracelake knows the numbers, and in exports some words do not match them",
        "*.nsys-rep, *.qdrep: `nsys export --type sqlite` makes an export of them; exports as Arrow, HDF5, JSON or text",
    ],
    source: "NVIDIA Nsight Systems, SQLite Export Schema Reference, docs.nvidia.com/nsight-systems/AnalysisGuide",
    version: 1,
};

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

/// What Nsight Systems and its users put behind the name of a report to name its folder of Parquet files, by version.
const FOLDERS: [&str; 4] = ["_pqtdir", ".parquetdir", ".pqtdir", ""];

/// Endings of what Nsight Systems writes itself.
const REPORTS: [&str; 2] = [".nsys-rep", ".qdrep"];

/// The folder and the table of a Parquet file that is a table of an export: one that is known, or one whose name is like those
/// and that lies beside them.
fn table_of(object: &ObjectInfo) -> Option<(&str, &str)> {
    let stem = object.path.strip_suffix(".parquet")?;
    let (folder, table) = stem.rsplit_once('/').unwrap_or(("", stem));
    let beside = |known: &str| match folder {
        "" => format!("{known}.parquet"),
        folder => format!("{folder}/{known}.parquet"),
    };
    let is_like = || {
        table.starts_with(|first: char| first.is_ascii_uppercase())
            && table.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_beside = || KNOWN.iter().any(|known| object.siblings.contains(&beside(known.name)));
    let of_export = KNOWN.iter().any(|known| known.name == table) || is_like() && is_beside();
    of_export.then_some((folder, table))
}

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

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        table_of(object).map(|(folder, _)| format!("{folder}/").into())
    }

    fn ignores(&self, object: &ObjectInfo) -> Option<&'static str> {
        let name = object.name();
        if [".sqlite-journal", ".sqlite-wal", ".sqlite-shm"].iter().any(|end| name.ends_with(end)) {
            return Some("a log of SQLite");
        }
        if let Some((folder, table)) = table_of(object) {
            let is_there = |path: &str| object.siblings.contains(path);
            let twin = |report: &str| {
                let file = format!("{report}.sqlite");
                // one that is being written is refused
                let is_whole = !["-wal", "-journal"].iter().any(|log| is_there(&format!("{file}{log}")));
                is_whole && ["", ".gz", ".zst"].iter().any(|packed| is_there(&format!("{file}{packed}")))
            };
            return if table.starts_with("ENUM_") {
                Some("names of numbers that tracelake knows")
            } else if FOLDERS.iter().filter_map(|end| folder.strip_suffix(end)).any(twin) {
                Some("a table of an export of Nsight Systems that also exists as SQLite")
            } else {
                None
            };
        }
        let (stem, end) = name.rsplit_once('.')?;
        (matches!(end, "arrow" | "arrows") && KNOWN.iter().any(|table| table.name == stem)).then_some(
            "a table of an export of Nsight Systems as Arrow, which is not read: export with `--type sqlite` or `--type parquetdir`",
        )
    }

    fn declines(&self, probe: &Probe<'_>) -> Option<String> {
        let name = probe.info.name();
        let stem = REPORTS.iter().find_map(|end| name.strip_suffix(end))?;
        Some(format!(
            "a report of Nsight Systems, which is not read; export it: \
             `nsys export --type sqlite --output {stem}.sqlite {name}`"
        ))
    }

    fn recordings(&self, files: &[(&str, Option<i64>)], taken: &[(Option<i64>, i64)]) -> Vec<Option<i64>> {
        // all tables of a folder are one export
        let export = |path: &str| match path.strip_suffix(".parquet") {
            Some(table) => table.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
            None => path.to_owned(),
        };
        let mut exports: BTreeMap<String, Option<i64>> = BTreeMap::new();
        for (path, rank) in files {
            exports.entry(export(path)).or_insert(*rank);
        }
        let all: Vec<_> = exports.iter().map(|(path, rank)| (path.as_str(), *rank)).collect();
        let recordings = Kineto.recordings(&all, taken);
        let found: BTreeMap<&str, Option<i64>> = all.iter().map(|(path, _)| *path).zip(recordings).collect();
        files.iter().map(|(path, _)| found.get(export(path).as_str()).copied().flatten()).collect()
    }

    fn independent(&self) -> bool {
        false
    }

    fn decoder(&self) -> Decoding {
        Decoding::RandomAccess(Box::new(NsysDecoder::default()))
    }
}
