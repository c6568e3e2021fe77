//! CUDA events: calls of the runtime and the driver, and work on devices.

use super::column::{NsysColumn, enum_label};
use super::host::{HostEventOwner, write_event};
use super::job::pid;
use super::numbered_name::numbered_name;
use super::row::ExportRow;
use super::stack::ChainTable;
use super::text::strip_version;
use super::{IdMap, NsysExport};
use crate::process::unique_id;
use crate::table::{Allocation, Category, Event, Rows, Severity};

/// The maximum number of graph launches, and of waiting calls, that are stored by correlation. Each takes 30 bytes.
const MAX_CORRELATIONS: usize = 1 << 20;

/// Stream of events of all streams, and `INT_MAX`, the device of work that the host began.
const NO_STREAM: i64 = 0xffff_ffff;
const NO_DEVICE: i64 = 0x7fff_ffff;

/// Kinds of copies (`ENUM_CUDA_MEMCPY_OPER`): the name in Kineto and the name in Nsight Systems.
const COPY_KINDS: [(&str, &str); 14] = [
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
const MEMORY_KINDS: [&str; 8] =
    ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"];

/// Kinds of memory of the host.
const HOST_MEMORY_KINDS: [&str; 2] = ["Pageable", "Pinned"];

/// Reasons for migrations of unified memory (`ENUM_CUDA_UNIF_MEM_MIGRATION`).
const MIGRATION_CAUSES: [&str; 6] =
    ["unknown", "user prefetch", "page fault", "speculative", "eviction", "access counters"];

/// What events of devices need from earlier rows.
#[derive(Debug, Default)]
pub(super) struct CudaState {
    /// Whether the nodes of a launched graph have rows of their own, by process and correlation of the launch.
    graphs: IdMap<(i64, i64), bool>,
    /// Text ids of the names of calls that wait, by process and correlation.
    waits: IdMap<(i64, i64), i64>,
    /// Bytes in use and time of the last change, by process and device. Memory of the host has no device.
    allocated: IdMap<(i64, Option<i64>), (i64, i64)>,
    graphs_full: bool,
    waits_full: bool,
    /// The last call of each thread.
    last_calls: IdMap<i64, Call>,
}

/// A call into the runtime or the driver. The name is the id of a text.
#[derive(Debug, Clone, Copy)]
struct Call {
    correlation: i64,
    name: i64,
    start: i64,
    end: i64,
}

impl Call {
    fn read(row: &ExportRow<'_>) -> Option<Self> {
        Some(Self {
            correlation: row.nonzero(NsysColumn::correlationId)?,
            name: row.int(NsysColumn::nameId)?,
            start: row.int(NsysColumn::start)?,
            end: row.int(NsysColumn::end)?,
        })
    }

    fn encloses(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl CudaState {
    /// Adds a call that waits: its process and correlation, and the text id of its name.
    fn add_wait(&mut self, call: (i64, i64), name: i64) {
        self.waits_full |= self.waits.len() >= MAX_CORRELATIONS;
        if !self.waits_full {
            self.waits.insert(call, name);
        }
    }

    /// The text id of the previous call of a thread, if this call has the same correlation and one is inside the other.
    fn enclosing_name(&mut self, thread: i64, call: Call) -> Option<i64> {
        let last = self.last_calls.insert(thread, call)?;
        let is_inside = last.encloses(&call) || call.encloses(&last);
        (last.correlation == call.correlation && is_inside).then_some(last.name)
    }

    /// Reports limits that were exceeded.
    pub(super) fn report_limits(&self, rows: &mut Rows) {
        if self.graphs_full {
            rows.problem(Severity::Warning, "many_graphs", None, || {
                format!("more than {MAX_CORRELATIONS} launches of graphs: for the later ones, both the graph and its nodes may be counted")
            });
        }
        if self.waits_full {
            let effect = "synchronization by the later ones has a generic name";
            let message = || format!("more than {MAX_CORRELATIONS} calls that wait: {effect}");
            rows.problem(Severity::Notice, "many_waits", None, message);
        }
    }
}

/// Process and correlation of a row of device work.
fn launch_key(row: &ExportRow<'_>) -> Option<(i64, i64)> {
    Some((row.int(NsysColumn::globalPid).map_or(0, pid), row.nonzero(NsysColumn::correlationId)?))
}

/// Collects the launch of a graph from a row of `CUPTI_ACTIVITY_KIND_GRAPH_TRACE`.
pub(super) fn collect_graph(row: &ExportRow<'_>, export: &mut NsysExport, _rows: &mut Rows) {
    let cuda = &mut export.cuda;
    if let Some(process) = row.int(NsysColumn::globalPid)
        && let Some(correlation) = row.nonzero(NsysColumn::correlationId)
    {
        cuda.graphs_full |= cuda.graphs.len() >= MAX_CORRELATIONS;
        if !cuda.graphs_full {
            cuda.graphs.insert((pid(process), correlation), false);
        }
    }
}

/// Writes a row of `CUPTI_ACTIVITY_KIND_RUNTIME`.
pub(super) fn write_call(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let id = row.int(NsysColumn::globalTid).unwrap_or(0);
    let name_id = row.int(NsysColumn::nameId);
    let api = export.text(name_id, rows);
    let name = api.as_deref().map(strip_version);
    // Some versions record a call twice: as the program made it, and inside with the version of the interface.
    if let Some(call) = Call::read(row)
        && let Some(other) = export.cuda.enclosing_name(id, call)
        && export.text(Some(other), rows).as_deref().map(strip_version) == name
    {
        return;
    }
    let correlation = row.nonzero(NsysColumn::correlationId);
    if let (Some(name), Some(correlation), Some(name_id)) = (name, correlation, name_id)
        && name.contains("Synchronize")
    {
        export.cuda.add_wait((pid(id), correlation), name_id);
    }
    let category = match row.int(NsysColumn::eventClass) {
        Some(1 | 13) => Category::Driver,
        _ => Category::Runtime,
    };
    let stack = export.stack(ChainTable::Cuda, row.nonzero(NsysColumn::callchainId), rows);
    let process = export.job.add_process(id);
    let args = export.args.clear();
    args.add_text("api", api.as_deref().filter(|api| name != Some(*api)));
    args.add("returnValue", row.nonzero(NsysColumn::returnValue));
    args.add_json("stack", stack.as_ref().map(|stack| &*stack.frames));
    let times = export.times(row, rows);
    let correlation = correlation.map(|correlation| unique_id(correlation, process));
    write_event(HostEventOwner::Thread(id), category, name, times, correlation, export, rows);
}

/// Writes an event of a device with the arguments that are in `export.args`.
fn write_device_event(
    row: &ExportRow<'_>,
    category: Category,
    name: Option<&str>,
    (ts, dur): (Option<i64>, Option<i64>),
    export: &mut NsysExport,
    rows: &mut Rows,
) {
    let id = row.int(NsysColumn::globalPid).unwrap_or(0);
    let process = export.job.add_process(id);
    let process_name = numbered_name(&mut export.processes, "", pid(id));
    let stream = row.int(NsysColumn::streamId).filter(|stream| *stream != NO_STREAM);
    let device = row.int(NsysColumn::deviceId).filter(|device| *device != NO_DEVICE);
    let device = device.map(|device| numbered_name(&mut export.gpus, "gpu", device));
    let track = stream.map(|stream| numbered_name(&mut export.streams, "stream ", stream));
    rows.event(&Event {
        category: Some(category.as_str()),
        name,
        track: track.as_deref(),
        ts,
        dur,
        pid: Some(pid(id)),
        process: Some(&process_name),
        device: device.as_deref(),
        stream,
        correlation: row.nonzero(NsysColumn::correlationId).map(|correlation| unique_id(correlation, process)),
        args: export.args.finish(),
        ..export.job.base_event(&export.table, process, export.row_number)
    });
}

/// Writes a kernel, a copy or a fill, which may be a node of a launched graph.
fn write_work(row: &ExportRow<'_>, category: Category, name: Option<&str>, export: &mut NsysExport, rows: &mut Rows) {
    if !export.cuda.graphs.is_empty()
        && let Some(has_nodes) = launch_key(row).and_then(|key| export.cuda.graphs.get_mut(&key))
    {
        *has_nodes = true;
    }
    let times = export.times(row, rows);
    write_device_event(row, category, name, times, export, rows);
}

/// Writes a row of `CUPTI_ACTIVITY_KIND_KERNEL`.
pub(super) fn write_kernel(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    use NsysColumn::{blockX, blockY, blockZ, clusterX, clusterY, clusterZ, gridX, gridY, gridZ};
    let short = export.text(row.int(NsysColumn::shortName), rows);
    let name = export.text(row.int(NsysColumn::demangledName), rows).or_else(|| short.clone());
    let shared = [NsysColumn::staticSharedMemory, NsysColumn::dynamicSharedMemory].map(|column| row.int(column));
    let shared = shared.into_iter().flatten().reduce(i64::saturating_add);
    let args = export.args.clear();
    args.add_list("grid", [gridX, gridY, gridZ].map(|column| row.int(column)));
    args.add_list("block", [blockX, blockY, blockZ].map(|column| row.int(column)));
    args.add("registers per thread", row.int(NsysColumn::registersPerThread)).add("shared memory", shared);
    args.add("context", row.int(NsysColumn::contextId));
    args.add_text("short name", short.as_deref().filter(|short| name.as_deref() != Some(short)));
    args.add("local memory per thread", row.nonzero(NsysColumn::localMemoryPerThread));
    args.add("graphNodeId", row.nonzero(NsysColumn::graphNodeId)).add("graph id", row.nonzero(NsysColumn::graphId));
    args.add("launch type", row.nonzero(NsysColumn::launchType).filter(|kind| *kind != 1));
    args.add_list("cluster", [clusterX, clusterY, clusterZ].map(|column| row.nonzero(column)));
    write_work(row, Category::Kernel, name.as_deref(), export, rows);
}

/// Writes a row of `CUPTI_ACTIVITY_KIND_MEMCPY`.
pub(super) fn write_copy(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let kind = row.int(NsysColumn::copyKind).unwrap_or(0);
    let (direction, nsys_kind) = match usize::try_from(kind).ok().and_then(|kind| COPY_KINDS.get(kind)) {
        Some((direction, nsys_kind)) => (*direction, (*nsys_kind).to_owned()),
        None => ("", format!("KIND_{kind}")),
    };
    let memory = [NsysColumn::srcKind, NsysColumn::dstKind].map(|column| enum_label(&MEMORY_KINDS, row.int(column)));
    let name = match memory {
        _ if direction.is_empty() => "Memcpy".to_owned(),
        _ if nsys_kind.starts_with("UVM") => format!("Memcpy {direction} (Unified)"),
        [Some(source), Some(target)] => format!("Memcpy {direction} ({source} -> {target})"),
        _ => format!("Memcpy {direction}"),
    };
    let args = export.args.clear();
    args.add("bytes", row.int(NsysColumn::bytes)).add_text("kind", Some(&nsys_kind));
    args.add("context", row.int(NsysColumn::contextId)).add("srcDevice", row.int(NsysColumn::srcDeviceId));
    args.add("dstDevice", row.int(NsysColumn::dstDeviceId));
    args.add_text("migrationCause", enum_label(&MIGRATION_CAUSES, row.nonzero(NsysColumn::migrationCause)));
    args.add("virtualAddress", row.nonzero(NsysColumn::virtualAddress));
    args.add("graphNodeId", row.nonzero(NsysColumn::graphNodeId));
    args.add("copyCount", row.nonzero(NsysColumn::copyCount));
    write_work(row, Category::Memcpy, Some(&name), export, rows);
}

/// Writes a row of `CUPTI_ACTIVITY_KIND_MEMSET`.
pub(super) fn write_fill(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let name = match enum_label(&MEMORY_KINDS, row.int(NsysColumn::memKind)) {
        Some(memory) => format!("Memset ({memory})"),
        None => "Memset".to_owned(),
    };
    let args = export.args.clear();
    args.add("bytes", row.int(NsysColumn::bytes)).add("value", row.int(NsysColumn::value));
    args.add("context", row.int(NsysColumn::contextId)).add("graphNodeId", row.nonzero(NsysColumn::graphNodeId));
    write_work(row, Category::Memset, Some(&name), export, rows);
}

/// Writes a row of `CUPTI_ACTIVITY_KIND_GRAPH_TRACE`. It counts as a kernel unless the nodes of its launch have rows.
pub(super) fn write_graph(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let has_nodes = launch_key(row).and_then(|key| export.cuda.graphs.get(&key).copied()).unwrap_or(false);
    let graph = row.int(NsysColumn::graphId);
    let name = graph.map_or_else(|| "CUDA graph".to_owned(), |id| format!("CUDA graph {id}"));
    let args = export.args.clear();
    args.add_flag("graph", true).add_flag("nodes", has_nodes).add("graph id", graph);
    args.add("graph exec id", row.int(NsysColumn::graphExecId)).add("context", row.int(NsysColumn::contextId));
    let category = if has_nodes { Category::Other } else { Category::Kernel };
    let times = export.times(row, rows);
    write_device_event(row, category, Some(&name), times, export, rows);
}

/// Writes a row of `CUPTI_ACTIVITY_KIND_SYNCHRONIZATION` with the name of the call that waits.
///
/// Its type stays a number, because the labels in exports do not match the numbers.
pub(super) fn write_sync(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let name_id = launch_key(row).and_then(|key| export.cuda.waits.get(&key).copied());
    let name = export.text(name_id, rows);
    let name = name.as_deref().map_or("CUDA synchronization", strip_version);
    let args = export.args.clear();
    args.add("syncType", row.int(NsysColumn::syncType)).add("context", row.int(NsysColumn::contextId));
    args.add("eventId", row.int(NsysColumn::eventId).filter(|id| *id != NO_STREAM));
    let times = export.times(row, rows);
    write_device_event(row, Category::Sync, Some(name), times, export, rows);
}

/// Writes a row of `CUPTI_ACTIVITY_KIND_CUDA_EVENT`: an instant, without a time in older exports.
pub(super) fn write_event_record(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let args = export.args.clear();
    args.add("eventId", row.int(NsysColumn::eventId)).add("context", row.int(NsysColumn::contextId));
    let ts = export.convert_time(row.nonzero(NsysColumn::timestamp), rows);
    write_device_event(row, Category::Sync, Some("CUDA event record"), (ts, None), export, rows);
}

/// Writes a row of `CUDA_GPU_MEMORY_USAGE_EVENTS` as event and allocation.
pub(super) fn write_memory(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let is_free = row.int(NsysColumn::memoryOperationType) == Some(1);
    let id = row.int(NsysColumn::globalPid).unwrap_or(0);
    let memory = enum_label(&MEMORY_KINDS, row.int(NsysColumn::memKind));
    // rows of host memory have the device that may use it
    let is_host = memory.is_some_and(|memory| HOST_MEMORY_KINDS.contains(&memory));
    let device_id = row.int(NsysColumn::deviceId).filter(|device| *device != NO_DEVICE && !is_host);
    let bytes = row.int(NsysColumn::bytes).map(|bytes| if is_free { bytes.saturating_neg() } else { bytes });
    let start = row.time(NsysColumn::start, rows);
    let allocated_bytes = start.filter(|_| is_host || device_id.is_some()).and_then(|start| {
        let (sum, last) = export.cuda.allocated.entry((pid(id), device_id)).or_insert((0, start));
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
    let variable = row.text(NsysColumn::name).map(|name| super::text::mask_text(&name, rows));
    let args = export.args.clear().add("bytes", bytes).add_text("memory", memory);
    args.add_text("variable", variable.as_deref().filter(|name| !name.is_empty()));
    let process = export.job.add_process(id);
    let process_name = numbered_name(&mut export.processes, "", pid(id));
    let gpu = device_id.map(|device| numbered_name(&mut export.gpus, "gpu", device));
    let ts = export.convert_time(start, rows);
    let event = export.job.base_event(&export.table, process, export.row_number);
    let device = gpu.as_deref().or(is_host.then_some("cpu"));
    rows.event(&Event {
        category: Some(Category::Memory.as_str()),
        name: Some(if is_free { "deallocation" } else { "allocation" }),
        ts,
        pid: Some(pid(id)),
        process: Some(&process_name),
        device,
        correlation: row.nonzero(NsysColumn::correlationId).map(|correlation| unique_id(correlation, process)),
        args: export.args.finish(),
        ..event
    });
    rows.allocation(&Allocation {
        node: event.node,
        rank: event.rank,
        span: event.span,
        ts,
        device,
        address: row.int(NsysColumn::address),
        bytes,
        allocated_bytes,
        row: event.row,
        ..Allocation::default()
    });
}
