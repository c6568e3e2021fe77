//! Exports of NVIDIA Nsight Systems (`nsys export --type sqlite` or `--type parquetdir`), versions 2021 to 2026, into
//! `event`, `step`, `loader`, `sample` and `allocation`.
//!
//! An export has one table for each kind of event. It is a SQLite file, or a folder with one Parquet file for each
//! table. Empty tables are absent, and columns differ between versions, so everything is looked up by name. Missing
//! columns read as null. A table that this module does not read is reported with its number of rows.
//!
//! A row of the export becomes a row of `event`, and its `raw_category` is the name of the table. Measurements become
//! rows of `sample`. Column `row` counts the rows of a file that are read. The tables of a SQLite file are read in the
//! order of module `tables`.
//!
//! A first pass collects what all rows need: the start of the session, the names of threads and devices, and which
//! ranges are steps. A second pass writes the rows.
//!
//! Several processes in one file are distinguished by their ordinal, which is 0 for the first. The bits above bit 32 of
//! `correlation` and `span` contain it, because `correlation` is unique only in a process.
//!
//! # Units
//! Times of the file are ns since the start of the session. `TARGET_INFO_SESSION_START_TIME` has this start in ns since
//! the epoch. Without it `ts` is null, and the time is stored in `args`.
//!
//! # Source
//! NVIDIA, [SQLite Export Schema Reference](https://docs.nvidia.com/nsight-systems/AnalysisGuide/index.html), and the
//! schemas of exports themselves.

mod args;
mod column;
mod cuda;
mod decoder;
mod export;
mod folder;
mod host;
mod job;
mod metadata;
mod numbered_name;
mod nvtx;
mod row;
mod sqlite;
mod stack;
mod store;
mod tables;
mod text;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::kineto::Kineto;
use super::{Descriptor, Format, FormatDecoder, ObjectInfo, Probe};
use decoder::NsysDecoder;
use export::NsysExport;
use tables::TABLES;

/// A map by ids of an export, which is used for each row. Its seeded hash takes a fraction of the time of std's.
type IdMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Whether a report exists as SQLite, compressed or not.
fn is_exported(object: &ObjectInfo, report: &str) -> bool {
    ["", ".gz", ".zst"].iter().any(|suffix| object.siblings.contains(&format!("{report}.sqlite{suffix}")))
}

/// Names of the logs that SQLite writes next to a file of this name while the file is being changed.
#[doc(hidden)]
pub fn sqlite_log_paths(name: &str) -> impl Iterator<Item = String> {
    sqlite_log_names(name).filter(move |_| name.ends_with(".sqlite"))
}

/// Names of the logs of a SQLite file, whatever its ending.
fn sqlite_log_names(name: &str) -> impl Iterator<Item = String> {
    ["-journal", "-wal"].iter().map(move |suffix| format!("{name}{suffix}"))
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
            "event.ts, step.ts, loader.ts, sample.ts, allocation.ts; event.args.ts where it cannot be converted",
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
        (
            "CUPTI_ACTIVITY_KIND_RUNTIME",
            "event, category runtime or driver by eventClass; a call and the same call inside, with the version of the interface in its name, are one event",
        ),
        ("tables with a suffix (CUPTI_ACTIVITY_KIND_KERNEL_V2)", "as the table without it, if they have the columns"),
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
            "event: annotation; step, loader, communication (domain NCCL) and operator (PyTorch's emit_nvtx) by name; step, with mode train if backward or optimizer ranges are in it; loader",
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
        "*.nsys-rep, *.qdrep in an object store, or without `nsys` on the path: `nsys export --type sqlite` makes an export; exports as Arrow, HDF5, JSON or text",
    ],
    source: "NVIDIA Nsight Systems, SQLite Export Schema Reference, docs.nvidia.com/nsight-systems/AnalysisGuide",
    version: 8,
};

/// Prefixes of tables that only exports have.
const EXPORT_TABLES: [&str; 7] = [
    "StringIds",
    "CUPTI_ACTIVITY_KIND_",
    "NVTX_EVENTS",
    "OSRT_API",
    "COMPOSITE_EVENTS",
    "TARGET_INFO_SESSION_START_TIME",
    "META_DATA_EXPORT",
];

/// Suffixes of a report's name in the name of its folder of Parquet files: those of different versions, and of users.
const FOLDER_SUFFIXES: [&str; 4] = ["_pqtdir", ".parquetdir", ".pqtdir", ""];

/// Suffixes of reports, the native files of Nsight Systems.
const REPORT_SUFFIXES: [&str; 2] = [".nsys-rep", ".qdrep"];

/// The folder and the table of a Parquet file of an export; `None` for other files.
///
/// Unknown tables count if they have a similar name and are next to a known table.
fn split_table_path(object: &ObjectInfo) -> Option<(&str, &str)> {
    let stem = object.path.strip_suffix(".parquet")?;
    let (folder, table) = stem.rsplit_once('/').unwrap_or(("", stem));
    let prefix = &stem[..stem.len() - table.len()];
    let has_similar_name = || {
        table.starts_with(|first: char| first.is_ascii_uppercase())
            && table.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let has_known_sibling =
        || TABLES.iter().any(|known| object.siblings.contains(&format!("{prefix}{}.parquet", known.name)));
    let is_known = TABLES.iter().any(|known| known.name == table);
    (is_known || has_similar_name() && has_known_sibling()).then_some((folder, table))
}

fn contains(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window == word.as_bytes())
}

/// The export of a path: the folder of a table, else the file itself.
fn export_path(path: &str) -> &str {
    match path.strip_suffix(".parquet") {
        Some(table) => table.rsplit_once('/').map_or("", |(folder, _)| folder),
        None => path,
    }
}

impl Format for Nsys {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        // the schema may be after the first bytes, so the name is enough
        probe.head.starts_with(sqlite::MAGIC)
            && (EXPORT_TABLES.iter().any(|table| contains(probe.head, table)) || probe.info.name().ends_with(".sqlite"))
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        split_table_path(object).map(|(folder, _)| format!("{folder}/").into())
    }

    fn ignore_reason(&self, object: &ObjectInfo) -> Option<&'static str> {
        let name = object.name();
        if [".sqlite-journal", ".sqlite-wal", ".sqlite-shm"].iter().any(|suffix| name.ends_with(suffix)) {
            return Some("a log of SQLite");
        }
        let report = REPORT_SUFFIXES.iter().find_map(|suffix| object.path.strip_suffix(suffix));
        if report.is_some_and(|report| is_exported(object, report)) {
            return Some("a report of Nsight Systems that also exists as SQLite");
        }
        if let Some((folder, table)) = split_table_path(object) {
            let is_in_sqlite = |report: &str| {
                // a file that is still being written is not read
                let is_changing =
                    sqlite_log_names(&format!("{report}.sqlite")).any(|log| object.siblings.contains(log.as_str()));
                !is_changing && is_exported(object, report)
            };
            return if table.starts_with("ENUM_") {
                Some("names of numbers that tracelake knows")
            } else if FOLDER_SUFFIXES.iter().filter_map(|suffix| folder.strip_suffix(suffix)).any(is_in_sqlite) {
                Some("a table of an export of Nsight Systems that also exists as SQLite")
            } else {
                None
            };
        }
        let (stem, extension) = name.rsplit_once('.')?;
        (matches!(extension, "arrow" | "arrows") && TABLES.iter().any(|table| table.name == stem)).then_some(
            "a table of an export of Nsight Systems as Arrow, which is not read: export with `--type sqlite` or `--type parquetdir`",
        )
    }

    fn decline_reason(&self, probe: &Probe<'_>) -> Option<String> {
        let name = probe.info.name();
        let stem = REPORT_SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix))?;
        Some(format!(
            "a report of Nsight Systems, which is not read; export it: \
             `nsys export --type sqlite --output {stem}.sqlite {name}`"
        ))
    }

    fn number_recordings(&self, files: &[(&str, Option<i64>)], others: &[(Option<i64>, i64)]) -> Vec<Option<i64>> {
        let mut exports: BTreeMap<&str, Option<i64>> = BTreeMap::new();
        for (path, rank) in files {
            exports.entry(export_path(path)).or_insert(*rank);
        }
        let ranks: Vec<_> = exports.iter().map(|(path, rank)| (*path, *rank)).collect();
        let recordings: BTreeMap<_, _> = exports.into_keys().zip(Kineto.number_recordings(&ranks, others)).collect();
        files.iter().map(|(path, _)| recordings.get(export_path(path)).copied().flatten()).collect()
    }

    fn is_file_independent(&self) -> bool {
        false
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::RandomAccess(Box::new(NsysDecoder::default()))
    }
}
