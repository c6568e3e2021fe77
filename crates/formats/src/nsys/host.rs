//! The host: calls into the operating system, samples and scheduling of threads, and what the profiler itself took.

use super::Export;
use super::cells::Cells;
use super::column::{Column, word};
use super::cuda::{at, times, without_version};
use super::job::{pid, tid};
use super::stack::Kind;
use super::text::clean;
use crate::table::{Category, Event, Rows, Severity};

/// Classes of `OSRT_API` that mark the start and the end of something (`ENUM_NSYS_EVENT_CLASS`).
const MARKERS: [i64; 2] = [31, 32];

/// States of a sampled thread (`ENUM_SAMPLING_THREAD_STATE`).
const STATES: [&str; 11] = [
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
const ACCESSES: [&str; 7] = ["unknown", "open", "close", "read", "write", "unknown", "metadata"];

/// Kinds of CUPTI's overhead (`ENUM_CUPTI_OVERHEAD_TYPE`) that are CUDA's own work, not the profiler's.
const OF_CUDA: [i64; 4] = [2, 6, 7, 8];

/// Whose an event of the host is.
#[derive(Debug, Clone, Copy)]
enum Owner {
    /// A thread.
    Thread(i64),
    /// A process, and the device that it is about.
    Process(i64, Option<i64>),
}

/// Writes an event of the host; its arguments were begun.
fn write(owner: Owner, event: &Event<'_>, export: &mut Export, rows: &mut Rows) {
    let (id, track, device) = match owner {
        Owner::Thread(thread) => (thread, Some(export.track(thread, rows)), None),
        Owner::Process(process, device) => (process, None, device.map(|device| export.gpus.get(device))),
    };
    let process = export.job.bystander(id);
    rows.event(&Event {
        category: event.category,
        name: event.name,
        track: track.as_deref(),
        ts: event.ts,
        dur: event.dur,
        pid: Some(pid(id)),
        tid: track.is_some().then(|| tid(id)),
        device: device.as_deref().or(Some("cpu")),
        args: export.args.all(),
        ..export.job.event(&export.table, process, export.row)
    });
}

/// A row of `OSRT_API`.
pub(super) fn system_call(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let thread = cells.int(Column::GlobalTid).unwrap_or(0);
    let name = export.named(cells.int(Column::NameId), rows);
    let stack = export.stack(Kind::SystemCalls, cells.id(Column::CallchainId), rows);
    let is_marker = cells.int(Column::EventClass).is_some_and(|class| MARKERS.contains(&class));
    let args = export.args.clear();
    args.add("returnValue", cells.id(Column::ReturnValue)).add("nestingLevel", cells.id(Column::NestingLevel));
    args.json("stack", stack.as_ref().map(|stack| &*stack.frames));
    let (ts, dur) = times(cells, &mut export.args, &export.job, rows);
    let dur = dur.filter(|_| !is_marker);
    let event = Event { category: Some(Category::Other.as_str()), name: name.as_deref(), ts, dur, ..Event::default() };
    write(Owner::Thread(thread), &event, export, rows);
}

/// A row of `COMPOSITE_EVENTS`: where a thread was at a moment.
pub(super) fn sample(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let thread = cells.int(Column::GlobalTid).unwrap_or(0);
    let stack = export.stack(Kind::Samples, cells.id(Column::Id), rows);
    let args = export.args.clear();
    args.add("cpu", cells.int(Column::Cpu)).text("threadState", word(&STATES, cells.int(Column::ThreadState)));
    args.add("cpuCycles", cells.int(Column::CpuCycles)).json("stack", stack.as_ref().map(|stack| &*stack.frames));
    let ts = cells.int(Column::Start).and_then(|start| at(start, &mut export.args, &export.job, rows));
    let name = Some(stack.as_ref().map_or("[no stack]", |stack| &*stack.innermost));
    let event = Event { category: Some(Category::Other.as_str()), name, ts, ..Event::default() };
    write(Owner::Thread(thread), &event, export, rows);
}

/// A row of `SCHED_EVENTS`.
pub(super) fn schedule(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let thread = cells.int(Column::GlobalTid).unwrap_or(0);
    let begins = cells.id(Column::IsSchedIn).is_some();
    let args = export.args.clear();
    args.add("cpu", cells.int(Column::Cpu)).text("threadState", word(&STATES, cells.int(Column::ThreadState)));
    // why it was blocked is told of what begins, too, and is then that of the time before
    args.add("threadBlock", cells.int(Column::ThreadBlock).filter(|_| !begins));
    let ts = cells.int(Column::Start).and_then(|start| at(start, &mut export.args, &export.job, rows));
    let name = Some(if begins { "scheduled in" } else { "scheduled out" });
    let event = Event { category: Some(Category::Other.as_str()), name, ts, ..Event::default() };
    write(Owner::Thread(thread), &event, export, rows);
}

/// A row of `PROFILER_OVERHEAD` or `CUPTI_ACTIVITY_KIND_OVERHEAD`.
pub(super) fn overhead(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let of_cupti = export.table.starts_with("CUPTI");
    let of_cuda = of_cupti && cells.int(Column::OverheadType).is_some_and(|kind| OF_CUDA.contains(&kind));
    plain(cells, if of_cuda { Category::Other } else { Category::Overhead }, export, rows);
}

/// A row of a table of library calls: cuBLAS, cuDNN.
pub(super) fn library_call(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    plain(cells, Category::Operator, export, rows);
}

/// A row of a table of MPI or UCX.
pub(super) fn message(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    plain(cells, Category::Communication, export, rows);
}

/// A row of a table that has a name, a time and a thread.
pub(super) fn other(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    plain(cells, Category::Other, export, rows);
}

/// A row of a table about memory that has no reader of its own.
pub(super) fn memory(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    plain(cells, Category::Memory, export, rows);
}

fn plain(cells: &Cells<'_>, category: Category, export: &mut Export, rows: &mut Rows) {
    let process = || Owner::Process(cells.int(Column::GlobalPid).unwrap_or(0), cells.int(Column::DeviceId));
    let owner = cells.int(Column::GlobalTid).map_or_else(process, Owner::Thread);
    let api = export.named(cells.int(Column::NameId).or_else(|| cells.int(Column::TextId)), rows);
    let name = api.as_deref().map(without_version);
    let of_table = name.is_none().then(|| export.table.to_lowercase());
    let args = export.args.clear();
    args.text("api", api.as_deref().filter(|api| name != Some(*api)));
    // the correlation is an argument here: in its column it would tie device work to this
    args.add("correlation", cells.id(Column::CorrelationId)).add("overheadType", cells.int(Column::OverheadType));
    args.add("graph id", cells.id(Column::GraphId)).add("originalGraphId", cells.id(Column::OriginalGraphId));
    args.add("graph exec id", cells.id(Column::GraphExecId)).add("graphNodeId", cells.id(Column::GraphNodeId));
    args.add("originalGraphNodeId", cells.id(Column::OriginalGraphNodeId));
    args.add("size", cells.int(Column::Size)).add("tag", cells.int(Column::Tag));
    args.add("remoteRank", cells.int(Column::RemoteRank)).add("rootRank", cells.int(Column::RootRank));
    args.add("address", cells.id(Column::Address)).add("operation", cells.int(Column::MemoryOperationType));
    let (ts, dur) = times(cells, &mut export.args, &export.job, rows);
    // what was created at a moment has an end, too
    let dur = dur.filter(|dur| *dur != 0 || !export.table.starts_with("CUDA_GRAPH"));
    let name = name.or(of_table.as_deref());
    write(owner, &Event { category: Some(category.as_str()), name, ts, dur, ..Event::default() }, export, rows);
}

/// A row of `OSRT_FILE_ACCESS_EVENTS`.
pub(super) fn file_access(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let name = export.named(cells.int(Column::ApiCallId), rows);
    let (start, end) = (cells.int(Column::StartedAt), cells.int(Column::EndedAt));
    let file = cells.int(Column::FileAccessId).and_then(|id| export.files.get(&id).cloned());
    let args = export.args.clear();
    args.text("access", word(&ACCESSES, cells.int(Column::EventType)));
    args.add("bytes", cells.int(Column::BytesProcessed));
    args.text("path", file.as_ref().map(|(_, path)| &**path));
    let process = file.map_or(0, |(process, _)| process);
    let thread = export.job.thread_id(process, cells.int(Column::ThreadId).unwrap_or(0));
    let ts = start.and_then(|start| at(start, &mut export.args, &export.job, rows));
    let dur = start.zip(end).and_then(|(start, end)| end.checked_sub(start));
    let name = name.as_deref();
    let event = Event { category: Some(Category::Other.as_str()), name, ts, dur, ..Event::default() };
    write(Owner::Thread(thread), &event, export, rows);
}

/// A row of `OSRT_FILE_ACCESS_DESCRIPTORS`, before the accesses are read.
pub(super) fn file(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    const MOST: usize = 1 << 18;
    if export.files.len() >= MOST {
        rows.problem(Severity::Notice, "many_files", None, || {
            format!("more than {MOST} files were opened: accesses to the later ones have no path and no process")
        });
    } else if let (Some(id), Some(path)) = (cells.int(Column::FileAccessId), cells.text(Column::FilePath)) {
        let path = clean(&path, rows);
        export.files.insert(id, (cells.int(Column::ProcessId).unwrap_or(0), path));
    }
}
