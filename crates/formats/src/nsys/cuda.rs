//! CUDA: calls into runtime and driver, and the work on the devices.

use std::sync::Arc;

use super::args::Args;
use super::cells::Cells;
use super::column::{Column, word};
use super::job::{Job, pid, tid};
use super::stack::Kind;
use super::{Export, Map};
use crate::table::{Allocation, Category, Event, Rows, Severity};

/// Launches of graphs and calls that wait which are kept to be found by their correlation: some 30 bytes each.
const MAX_KEPT: usize = 1 << 20;

/// Stream of what concerns all streams, and `INT_MAX`, the device of what was begun on the host.
const NO_STREAM: i64 = 0xffff_ffff;
const NO_DEVICE: i64 = 0x7fff_ffff;

/// Kinds of copies (`ENUM_CUDA_MEMCPY_OPER`): as Kineto names them, and their own names.
const COPIES: [(&str, &str); 14] = [
    ("", "UNKNOWN"),
    ("HtoD", "HTOD"),
    ("DtoH", "DTOH"),
    ("HtoA", "HTOA"),
    ("AtoH", "ATOH"),
    ("AtoA", "ATOA"),
    ("AtoD", "ATOD"),
    ("DtoA", "DTOA"),
    ("DtoD", "DTOD"),
    ("HtoH", "HTOH"),
    ("PtoP", "PTOP"),
    ("HtoD", "UVM_HTOD"),
    ("DtoH", "UVM_DTOH"),
    ("DtoD", "UVM_DTOD"),
];

/// Kinds of memory (`ENUM_CUDA_MEM_KIND`), which are not those of CUPTI.
const MEMORIES: [&str; 8] =
    ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"];

/// Those that the host has.
const HOST_MEMORIES: [&str; 2] = ["Pageable", "Pinned"];

/// Why unified memory was moved (`ENUM_CUDA_UNIF_MEM_MIGRATION`).
const CAUSES: [&str; 6] = ["unknown", "user prefetch", "page fault", "speculative", "eviction", "access counters"];

/// What is kept of device work until its counterpart is met.
#[derive(Debug, Default)]
pub(super) struct Launches {
    /// Launches of graphs that were recorded as a whole, by process and correlation: whether their nodes were recorded, too.
    graphs: Map<(i64, i64), bool>,
    /// Ids of the names of calls that wait, by process and correlation.
    waits: Map<(i64, i64), i64>,
    /// Bytes in use by process and device, and the time of the last change; those of the host's memory under no device.
    allocated: Map<(i64, Option<i64>), (i64, i64)>,
    full: bool,
    waits_full: bool,
}

impl Launches {
    /// Takes a launch of a graph, before anything else is read.
    pub(super) fn graph(&mut self, cells: &Cells<'_>) {
        if let (Some(process), Some(correlation)) = (cells.int(Column::GlobalPid), cells.id(Column::CorrelationId)) {
            self.full |= self.graphs.len() >= MAX_KEPT;
            if !self.full {
                self.graphs.insert((pid(process), correlation), false);
            }
        }
    }

    /// Takes a call that waits, by process and correlation.
    fn wait(&mut self, call: (i64, i64), name: i64) {
        self.waits_full |= self.waits.len() >= MAX_KEPT;
        if !self.waits_full {
            self.waits.insert(call, name);
        }
    }

    /// Says what there was no room for.
    pub(super) fn end(&self, rows: &mut Rows) {
        if self.full {
            rows.problem(Severity::Warning, "many_graphs", None, || {
                format!("more than {MAX_KEPT} launches of graphs: for the later ones, both the graph and its nodes may be counted")
            });
        }
        if self.waits_full {
            rows.problem(Severity::Notice, "many_waits", None, || {
                format!("more than {MAX_KEPT} calls that wait: synchronization by the later ones has a generic name")
            });
        }
    }
}

/// The name of a call without the version of its interface: `cudaLaunchKernel_v7000`.
pub(super) fn without_version(name: &str) -> &str {
    let Some((call, version)) = name.rsplit_once("_v") else { return name };
    if version.len() >= 4 && version.bytes().all(|byte| byte.is_ascii_digit()) { call } else { name }
}

/// A row of `CUPTI_ACTIVITY_KIND_RUNTIME`.
pub(super) fn call(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let id = cells.int(Column::GlobalTid).unwrap_or(0);
    let api = export.named(cells.int(Column::NameId), rows);
    let name = api.as_deref().map(without_version);
    let correlation = cells.id(Column::CorrelationId);
    if let (Some(name), Some(correlation), Some(name_id)) = (name, correlation, cells.int(Column::NameId))
        && name.contains("Synchronize")
    {
        export.launches.wait((pid(id), correlation), name_id);
    }
    let category = match cells.int(Column::EventClass) {
        Some(1 | 13) => Category::Driver,
        _ => Category::Runtime,
    };
    let stack = export.stack(Kind::Calls, cells.id(Column::CallchainId), rows);
    let track = export.track(id, rows);
    let process = export.job.process(id);
    let args = export.args.clear();
    args.text("api", api.as_deref().filter(|api| name != Some(*api)));
    args.add("returnValue", cells.id(Column::ReturnValue)).json("stack", stack.as_ref().map(|stack| &*stack.frames));
    let (ts, dur) = times(cells, &mut export.args, &export.job, rows);
    rows.event(&Event {
        category: Some(category.as_str()),
        name,
        track: Some(&track),
        ts,
        dur,
        pid: Some(pid(id)),
        tid: Some(tid(id)),
        device: Some("cpu"),
        correlation: correlation.map(|correlation| correlation | process),
        args: export.args.all(),
        ..export.job.event(&export.table, process, export.row)
    });
}

/// Start and length, ns; times that cannot be told stay in the arguments.
pub(super) fn times(cells: &Cells<'_>, args: &mut Args, job: &Job, rows: &mut Rows) -> (Option<i64>, Option<i64>) {
    let [start, end] = [Column::Start, Column::End].map(|column| cells.int(column));
    let ts = start.and_then(|start| at(start, args, job, rows));
    (ts, start.zip(end).and_then(|(start, end)| end.checked_sub(start)))
}

/// Nanoseconds since the epoch; a time that cannot be told stays in the arguments.
pub(super) fn at(value: i64, args: &mut Args, job: &Job, rows: &mut Rows) -> Option<i64> {
    let ts = job.at(value);
    if ts.is_none() {
        args.add("ts", Some(value));
        let why = if job.has_clock() {
            "a time is too far from the epoch"
        } else {
            "the export has no start time of its session"
        };
        rows.repair("no_offset", None, || format!("{why}; times are stored in args.ts"));
    }
    ts
}

/// Where a row of work belongs: the stream, and the device.
fn place(cells: &Cells<'_>, export: &mut Export) -> (Option<i64>, Option<Arc<str>>) {
    let stream = cells.int(Column::StreamId).filter(|stream| *stream != NO_STREAM);
    let device = cells.int(Column::DeviceId).filter(|device| *device != NO_DEVICE);
    (stream, device.map(|device| export.gpus.get(device)))
}

/// Writes what a device did; its arguments were begun.
fn write(cells: &Cells<'_>, category: Category, name: Option<&str>, export: &mut Export, rows: &mut Rows) {
    let (ts, dur) = times(cells, &mut export.args, &export.job, rows);
    write_at((ts, dur), cells, category, name, export, rows);
}

/// The same, of a row whose time was found.
fn write_at(
    (ts, dur): (Option<i64>, Option<i64>),
    cells: &Cells<'_>,
    category: Category,
    name: Option<&str>,
    export: &mut Export,
    rows: &mut Rows,
) {
    let id = cells.int(Column::GlobalPid).unwrap_or(0);
    let process = export.job.process(id);
    let (stream, device) = place(cells, export);
    let track = stream.map(|stream| export.streams.get(stream));
    rows.event(&Event {
        category: Some(category.as_str()),
        name,
        track: track.as_deref(),
        ts,
        dur,
        pid: Some(pid(id)),
        device: device.as_deref(),
        stream,
        correlation: cells.id(Column::CorrelationId).map(|correlation| correlation | process),
        args: export.args.all(),
        ..export.job.event(&export.table, process, export.row)
    });
}

/// Writes a kernel, a copy or a fill, which may be a node of a graph that was launched.
fn work(cells: &Cells<'_>, category: Category, name: Option<&str>, export: &mut Export, rows: &mut Rows) {
    if !export.launches.graphs.is_empty()
        && let Some(correlation) = cells.id(Column::CorrelationId)
        && let process = cells.int(Column::GlobalPid).map_or(0, pid)
        && let Some(has_nodes) = export.launches.graphs.get_mut(&(process, correlation))
    {
        *has_nodes = true;
    }
    write(cells, category, name, export, rows);
}

/// A row of `CUPTI_ACTIVITY_KIND_KERNEL`.
pub(super) fn kernel(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    use Column::{BlockX, BlockY, BlockZ, ClusterX, ClusterY, ClusterZ, GridX, GridY, GridZ};
    let short = export.named(cells.int(Column::ShortName), rows);
    let name = export.named(cells.int(Column::DemangledName), rows).or_else(|| short.clone());
    let shared = [Column::StaticSharedMemory, Column::DynamicSharedMemory].map(|column| cells.int(column));
    let shared = shared.into_iter().flatten().reduce(i64::saturating_add);
    let args = export.args.clear();
    args.list("grid", [GridX, GridY, GridZ].map(|column| cells.int(column)));
    args.list("block", [BlockX, BlockY, BlockZ].map(|column| cells.int(column)));
    args.add("registers per thread", cells.int(Column::RegistersPerThread)).add("shared memory", shared);
    args.add("context", cells.int(Column::ContextId));
    args.text("short name", short.as_deref().filter(|short| name.as_deref() != Some(short)));
    args.add("local memory per thread", cells.id(Column::LocalMemoryPerThread));
    args.add("graphNodeId", cells.id(Column::GraphNodeId)).add("graph id", cells.id(Column::GraphId));
    args.add("launch type", cells.id(Column::LaunchType).filter(|kind| *kind != 1));
    args.list("cluster", [ClusterX, ClusterY, ClusterZ].map(|column| cells.id(column)));
    work(cells, Category::Kernel, name.as_deref(), export, rows);
}

/// A row of `CUPTI_ACTIVITY_KIND_MEMCPY`.
pub(super) fn copy(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let kind = cells.int(Column::CopyKind).unwrap_or(0);
    let known = usize::try_from(kind).ok().and_then(|kind| COPIES.get(kind));
    let [from, to] = [Column::SrcKind, Column::DstKind].map(|column| word(&MEMORIES, cells.int(column)));
    let (name, own) = match (known, from, to) {
        (None | Some(("", _)), ..) => {
            ("Memcpy".to_owned(), known.map_or_else(|| format!("KIND_{kind}"), |_| "UNKNOWN".to_owned()))
        }
        (Some((way, own)), ..) if own.starts_with("UVM") => (format!("Memcpy {way} (Unified)"), (*own).to_owned()),
        (Some((way, own)), Some(from), Some(to)) => (format!("Memcpy {way} ({from} -> {to})"), (*own).to_owned()),
        (Some((way, own)), ..) => (format!("Memcpy {way}"), (*own).to_owned()),
    };
    let cause = word(&CAUSES, cells.id(Column::MigrationCause));
    let args = export.args.clear();
    args.add("bytes", cells.int(Column::Bytes)).text("kind", Some(&own)).add("context", cells.int(Column::ContextId));
    args.add("srcDevice", cells.int(Column::SrcDeviceId)).add("dstDevice", cells.int(Column::DstDeviceId));
    args.text("migrationCause", cause).add("virtualAddress", cells.id(Column::VirtualAddress));
    args.add("graphNodeId", cells.id(Column::GraphNodeId)).add("copyCount", cells.id(Column::CopyCount));
    work(cells, Category::Memcpy, Some(&name), export, rows);
}

/// A row of `CUPTI_ACTIVITY_KIND_MEMSET`.
pub(super) fn fill(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let name = match word(&MEMORIES, cells.int(Column::MemKind)) {
        Some(memory) => format!("Memset ({memory})"),
        None => "Memset".to_owned(),
    };
    let args = export.args.clear();
    args.add("bytes", cells.int(Column::Bytes)).add("value", cells.int(Column::Value));
    args.add("context", cells.int(Column::ContextId)).add("graphNodeId", cells.id(Column::GraphNodeId));
    work(cells, Category::Memset, Some(&name), export, rows);
}

/// A row of `CUPTI_ACTIVITY_KIND_GRAPH_TRACE`: work, unless the nodes of this launch are rows of their own.
pub(super) fn graph(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let process = cells.int(Column::GlobalPid).map_or(0, pid);
    let key = cells.id(Column::CorrelationId).map(|correlation| (process, correlation));
    let has_nodes = key.and_then(|key| export.launches.graphs.get(&key).copied()).unwrap_or(false);
    let name = match cells.int(Column::GraphId) {
        Some(id) => format!("CUDA graph {id}"),
        None => "CUDA graph".to_owned(),
    };
    let args = export.args.clear();
    args.flag("graph", true).flag("nodes", has_nodes).add("graph id", cells.int(Column::GraphId));
    args.add("graph exec id", cells.int(Column::GraphExecId)).add("context", cells.int(Column::ContextId));
    let category = if has_nodes { Category::Other } else { Category::Kernel };
    write(cells, category, Some(&name), export, rows);
}

/// A row of `CUPTI_ACTIVITY_KIND_SYNCHRONIZATION`, called what the call is that waits. Its type is not told in words: in exports
/// the words do not fit the numbers.
pub(super) fn wait(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let process = cells.int(Column::GlobalPid).map_or(0, pid);
    let name =
        cells.id(Column::CorrelationId).and_then(|correlation| export.launches.waits.get(&(process, correlation)));
    let name = export.named(name.copied(), rows);
    let name = name.as_deref().map_or("CUDA synchronization", without_version);
    let args = export.args.clear();
    args.add("syncType", cells.int(Column::SyncType)).add("context", cells.int(Column::ContextId));
    args.add("eventId", cells.int(Column::EventId).filter(|id| *id != NO_STREAM));
    write(cells, Category::Sync, Some(name), export, rows);
}

/// A row of `CUPTI_ACTIVITY_KIND_CUDA_EVENT`: an instant, of which older exports do not tell the time.
pub(super) fn record(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let args = export.args.clear();
    args.add("eventId", cells.int(Column::EventId)).add("context", cells.int(Column::ContextId));
    let ts = cells.id(Column::Timestamp).and_then(|time| at(time, &mut export.args, &export.job, rows));
    write_at((ts, None), cells, Category::Sync, Some("CUDA event record"), export, rows);
}

/// A row of `CUDA_GPU_MEMORY_USAGE_EVENTS`.
pub(super) fn memory(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let frees = cells.int(Column::MemoryOperationType) == Some(1);
    let id = cells.int(Column::GlobalPid).unwrap_or(0);
    let memory = word(&MEMORIES, cells.int(Column::MemKind));
    // the row of memory of the host names the device that may use it
    let of_host = memory.is_some_and(|memory| HOST_MEMORIES.contains(&memory));
    let number = cells.int(Column::DeviceId).filter(|device| *device != NO_DEVICE && !of_host);
    let bytes = cells.int(Column::Bytes).map(|bytes| if frees { bytes.saturating_neg() } else { bytes });
    let start = cells.int(Column::Start);
    let allocated = start.filter(|_| of_host || number.is_some()).and_then(|start| {
        let (sum, last) = export.launches.allocated.entry((pid(id), number)).or_insert((0, start));
        if start < *last {
            rows.repair("out_of_order", None, || {
                "allocations are not in the order of their times; allocated_bytes is unknown from here on".to_owned()
            });
            *last = i64::MAX;
            return None;
        }
        (*sum, *last) = (sum.saturating_add(bytes.unwrap_or(0)), start);
        Some(*sum)
    });
    let variable = cells.text(Column::Name).map(|name| super::text::clean(&name, rows));
    let args = export.args.clear();
    args.add("bytes", bytes)
        .text("memory", memory)
        .text("variable", variable.as_deref().filter(|name| !name.is_empty()));
    let process = export.job.process(id);
    let gpu = number.map(|device| export.gpus.get(device));
    let ts = start.and_then(|start| at(start, &mut export.args, &export.job, rows));
    let event = export.job.event(&export.table, process, export.row);
    let device = gpu.as_deref().or(of_host.then_some("cpu"));
    rows.event(&Event {
        category: Some(Category::Memory.as_str()),
        name: Some(if frees { "deallocation" } else { "allocation" }),
        ts,
        pid: Some(pid(id)),
        device,
        correlation: cells.id(Column::CorrelationId).map(|correlation| correlation | process),
        args: export.args.all(),
        ..event
    });
    rows.allocation(&Allocation {
        node: event.node,
        rank: event.rank,
        span: event.span,
        ts,
        device,
        address: cells.int(Column::Address),
        bytes,
        allocated_bytes: allocated,
        row: event.row,
        ..Allocation::default()
    });
}

/// Names that end in a number, made once.
#[derive(Debug)]
pub(super) struct Numbered {
    before: &'static str,
    known: Map<i64, Arc<str>>,
}

impl Numbered {
    pub(super) fn new(before: &'static str) -> Self {
        Self { before, known: Map::default() }
    }

    pub(super) fn get(&mut self, number: i64) -> Arc<str> {
        if let Some(name) = self.known.get(&number) {
            return Arc::clone(name);
        }
        let name: Arc<str> = format!("{}{number}", self.before).into();
        // no machine has so many; a damaged file may
        if self.known.len() < 1 << 16 {
            self.known.insert(number, Arc::clone(&name));
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_interfaces_are_cut_off() {
        for (name, call) in [
            ("cudaLaunchKernel_v7000", "cudaLaunchKernel"),
            ("cudaGraphLaunch_v10000", "cudaGraphLaunch"),
            ("cuMemAlloc_v2", "cuMemAlloc_v2"),
            ("cudaMemcpyAsync_ptsz", "cudaMemcpyAsync_ptsz"),
            ("cudaMemcpyAsync_ptsz_v7000", "cudaMemcpyAsync_ptsz"),
            ("a_v12x4", "a_v12x4"),
        ] {
            assert_eq!(without_version(name), call);
        }
    }
}
