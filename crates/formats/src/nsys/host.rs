//! Events of the host: system calls, samples and scheduling of threads, library calls, and overhead of the profiler.

use super::NsysExport;
use super::column::{NsysColumn, enum_label};
use super::job::{pid, tid};
use super::numbered_name::numbered_name;
use super::row::ExportRow;
use super::stack::ChainTable;
use super::text::{mask_text, strip_version};
use crate::table::{Category, Event, Rows, Severity};

/// Classes of `OSRT_API` that mark the start or the end of something (`ENUM_NSYS_EVENT_CLASS`).
const MARKER_CLASSES: [i64; 2] = [31, 32];

/// States of a sampled thread (`ENUM_SAMPLING_THREAD_STATE`).
const THREAD_STATES: [&str; 11] = [
    "Unknown",
    "Running",
    "Interruptible",
    "Uninterruptible",
    "Stopped",
    "Terminated",
    "Unscheduled",
    "Waiting",
    "OS runtime",
    "Initialized",
    "Transition",
];

/// Kinds of file access (`ENUM_OSRT_FILE_ACCESS_EVENT_TYPE`).
const FILE_ACCESSES: [&str; 7] = ["unknown", "open", "close", "read", "write", "unknown", "metadata"];

/// Kinds of CUPTI's overhead (`ENUM_CUPTI_OVERHEAD_TYPE`) that are work of CUDA itself, not of the profiler.
const CUDA_OVERHEADS: [i64; 4] = [2, 6, 7, 8];

/// The thread or process of an event.
#[derive(Debug, Clone, Copy)]
pub(super) enum HostEventOwner {
    /// A `globalTid`.
    Thread(i64),
    /// A `globalPid`, and the device that the event is about.
    Process(i64, Option<i64>),
}

/// Writes an event with the arguments that are in `export.args`.
pub(super) fn write_event(
    owner: HostEventOwner,
    category: Category,
    name: Option<&str>,
    (ts, dur): (Option<i64>, Option<i64>),
    correlation: Option<i64>,
    export: &mut NsysExport,
    rows: &mut Rows,
) {
    let (id, track, device) = match owner {
        HostEventOwner::Thread(thread) => (thread, Some(export.track(thread, rows)), None),
        HostEventOwner::Process(process, device) => {
            (process, None, device.map(|device| numbered_name(&mut export.gpus, "gpu", device)))
        }
    };
    let process = export.job.find_process(id);
    let process_name = numbered_name(&mut export.processes, "", pid(id));
    rows.event(&Event {
        category: Some(category.as_str()),
        name,
        track: track.as_deref(),
        ts,
        dur,
        pid: Some(pid(id)),
        process: Some(&process_name),
        tid: track.is_some().then(|| tid(id)),
        device: device.as_deref().or(Some("cpu")),
        correlation,
        args: export.args.finish(),
        ..export.job.base_event(&export.table, process, export.row_number)
    });
}

/// Writes a row of `OSRT_API`.
pub(super) fn write_system_call(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let owner = HostEventOwner::Thread(row.int(NsysColumn::globalTid).unwrap_or(0));
    let name = export.text(row.int(NsysColumn::nameId), rows);
    let stack = export.stack(ChainTable::Osrt, row.nonzero(NsysColumn::callchainId), rows);
    let is_marker = row.int(NsysColumn::eventClass).is_some_and(|class| MARKER_CLASSES.contains(&class));
    let args = export.args.clear().add("returnValue", row.nonzero(NsysColumn::returnValue));
    args.add("nestingLevel", row.nonzero(NsysColumn::nestingLevel));
    args.add_json("stack", stack.as_ref().map(|stack| &*stack.frames));
    let (ts, dur) = export.times(row, rows);
    let dur = dur.filter(|_| !is_marker);
    write_event(owner, Category::Other, name.as_deref(), (ts, dur), None, export, rows);
}

/// Writes a row of `COMPOSITE_EVENTS`: a sample of a thread's stack.
pub(super) fn write_sample(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let owner = HostEventOwner::Thread(row.int(NsysColumn::globalTid).unwrap_or(0));
    let stack = export.stack(ChainTable::Sampling, row.nonzero(NsysColumn::id), rows);
    let args = export.args.clear().add("cpu", row.int(NsysColumn::cpu));
    args.add_text("threadState", enum_label(&THREAD_STATES, row.int(NsysColumn::threadState)));
    args.add("cpuCycles", row.int(NsysColumn::cpuCycles));
    args.add_json("stack", stack.as_ref().map(|stack| &*stack.frames));
    let ts = export.convert_time(row.time(NsysColumn::start, rows), rows);
    let name = stack.as_ref().map_or("[no stack]", |stack| &*stack.innermost);
    write_event(owner, Category::Other, Some(name), (ts, None), None, export, rows);
}

/// Writes a row of `SCHED_EVENTS`.
pub(super) fn write_schedule(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let owner = HostEventOwner::Thread(row.int(NsysColumn::globalTid).unwrap_or(0));
    let is_start = row.nonzero(NsysColumn::isSchedIn).is_some();
    let args = export.args.clear().add("cpu", row.int(NsysColumn::cpu));
    args.add_text("threadState", enum_label(&THREAD_STATES, row.int(NsysColumn::threadState)));
    // a start repeats the reason for which the thread was blocked before
    args.add("threadBlock", row.int(NsysColumn::threadBlock).filter(|_| !is_start));
    let ts = export.convert_time(row.time(NsysColumn::start, rows), rows);
    let name = if is_start { "scheduled in" } else { "scheduled out" };
    write_event(owner, Category::Other, Some(name), (ts, None), None, export, rows);
}

/// Writes a row of `PROFILER_OVERHEAD` or `CUPTI_ACTIVITY_KIND_OVERHEAD`.
pub(super) fn write_overhead(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let is_cuda = export.table.starts_with("CUPTI")
        && row.int(NsysColumn::overheadType).is_some_and(|kind| CUDA_OVERHEADS.contains(&kind));
    write_plain(row, if is_cuda { Category::Other } else { Category::Overhead }, export, rows);
}

/// Writes a row with a name, a time, and a thread or process. It gets the name of its table if it has none.
pub(super) fn write_plain(row: &ExportRow<'_>, category: Category, export: &mut NsysExport, rows: &mut Rows) {
    let owner = match row.int(NsysColumn::globalTid) {
        Some(thread) => HostEventOwner::Thread(thread),
        None => HostEventOwner::Process(row.int(NsysColumn::globalPid).unwrap_or(0), row.int(NsysColumn::deviceId)),
    };
    let api = export.text(row.int(NsysColumn::nameId).or_else(|| row.int(NsysColumn::textId)), rows);
    let name = api.as_deref().map(strip_version);
    let table_name = name.is_none().then(|| export.table.to_lowercase());
    let args = export.args.clear();
    args.add_text("api", api.as_deref().filter(|api| name != Some(*api)));
    // in its column the correlation would connect this event to work of a device
    args.add("correlation", row.nonzero(NsysColumn::correlationId));
    args.add("overheadType", row.int(NsysColumn::overheadType)).add("graph id", row.nonzero(NsysColumn::graphId));
    args.add("originalGraphId", row.nonzero(NsysColumn::originalGraphId));
    args.add("graph exec id", row.nonzero(NsysColumn::graphExecId));
    args.add("graphNodeId", row.nonzero(NsysColumn::graphNodeId));
    args.add("originalGraphNodeId", row.nonzero(NsysColumn::originalGraphNodeId));
    args.add("size", row.int(NsysColumn::size)).add("tag", row.int(NsysColumn::tag));
    args.add("remoteRank", row.int(NsysColumn::remoteRank)).add("rootRank", row.int(NsysColumn::rootRank));
    args.add("address", row.nonzero(NsysColumn::address));
    args.add("operation", row.int(NsysColumn::memoryOperationType));
    let (ts, dur) = export.times(row, rows);
    // events of CUDA graphs are instants with an end
    let dur = dur.filter(|dur| *dur != 0 || !export.table.starts_with("CUDA_GRAPH"));
    write_event(owner, category, name.or(table_name.as_deref()), (ts, dur), None, export, rows);
}

/// Writes a row of `OSRT_FILE_ACCESS_EVENTS`.
pub(super) fn write_file_access(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let name = export.text(row.int(NsysColumn::apiCallId), rows);
    let (start, end) = (row.time(NsysColumn::startedAt, rows), row.time(NsysColumn::endedAt, rows));
    let file = row.int(NsysColumn::fileAccessId).and_then(|id| export.files.get(&id).cloned());
    let args = export.args.clear();
    args.add_text("access", enum_label(&FILE_ACCESSES, row.int(NsysColumn::eventType)));
    args.add("bytes", row.int(NsysColumn::bytesProcessed));
    args.add_text("path", file.as_ref().map(|(_, path)| &**path));
    let process = file.map_or(0, |(process, _)| process);
    let thread = export.job.global_tid(process, row.int(NsysColumn::threadId).unwrap_or(0));
    let ts = export.convert_time(start, rows);
    let dur = start.zip(end).and_then(|(start, end)| end.checked_sub(start));
    write_event(HostEventOwner::Thread(thread), Category::Other, name.as_deref(), (ts, dur), None, export, rows);
}

/// Collects a row of `OSRT_FILE_ACCESS_DESCRIPTORS`.
pub(super) fn collect_file(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    const MAX_FILES: usize = 1 << 18;
    if export.files.len() >= MAX_FILES {
        rows.problem(Severity::Notice, "many_files", None, || {
            format!("more than {MAX_FILES} files were opened: accesses to the later ones have no path and no process")
        });
    } else if let (Some(id), Some(path)) = (row.int(NsysColumn::fileAccessId), row.text(NsysColumn::filePath)) {
        let path = mask_text(&path, rows);
        export.files.insert(id, (row.int(NsysColumn::processId).unwrap_or(0), path));
    }
}
