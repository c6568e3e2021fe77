//! The tables of an export that are known, and what is done with their rows.

use super::cells::Cells;
use super::column::Column;
use super::{Export, about, cuda, host, nvtx, text};
use crate::table::Rows;

/// Takes a row of a table.
pub(super) type Reader = fn(&Cells<'_>, &mut Export, &mut Rows);

/// A table that is known.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: &'static str,
    /// Looks at its rows before any row is written.
    pub(super) look: Option<Reader>,
    /// Writes what its rows become.
    pub(super) read: Option<Reader>,
}

const fn look(name: &'static str, look: Reader) -> Known {
    Known { name, look: Some(look), read: None }
}

const fn read(name: &'static str, read: Reader) -> Known {
    Known { name, look: None, read: Some(read) }
}

const fn both(name: &'static str, look: Reader, read: Reader) -> Known {
    Known { name, look: Some(look), read: Some(read) }
}

/// Rows of others point to its rows, which are looked up then.
const fn pointed_to(name: &'static str) -> Known {
    Known { name, look: None, read: None }
}

/// All of them are looked at, then all are read, in this order.
pub(super) const KNOWN: &[Known] = &[
    both("META_DATA_EXPORT", learn_export, about::exported),
    look("TARGET_INFO_SESSION_START_TIME", learn_session),
    both("META_DATA_CAPTURE", learn_capture, about::captured),
    both("TARGET_INFO_SYSTEM_ENV", learn_host, about::system),
    look("MPI_RANKS", learn_rank),
    both("TARGET_INFO_GPU", about::learn_gpu, about::gpu),
    look("TARGET_INFO_CUDA_DEVICE", about::learn_cuda_device),
    look("ThreadNames", learn_thread),
    look("TARGET_INFO_GPU_METRICS", about::learn_metric),
    look("OSRT_FILE_ACCESS_DESCRIPTORS", host::file),
    read("CUPTI_ACTIVITY_KIND_RUNTIME", cuda::call),
    read("CUPTI_ACTIVITY_KIND_KERNEL", cuda::kernel),
    read("CUPTI_ACTIVITY_KIND_MEMCPY", cuda::copy),
    read("CUPTI_ACTIVITY_KIND_MEMSET", cuda::fill),
    // behind what may show that its nodes were recorded
    both("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", learn_graph, cuda::graph),
    // behind the calls whose names these have
    read("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", cuda::wait),
    read("CUPTI_ACTIVITY_KIND_CUDA_EVENT", cuda::record),
    read("CUPTI_ACTIVITY_KIND_OVERHEAD", host::overhead),
    read("CUPTI_ACTIVITY_KIND_JIT", host::other),
    read("CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS", host::other),
    read("CUDA_GRAPH_EVENTS", host::other),
    read("CUDA_GRAPH_NODE_EVENTS", host::other),
    read("CUDA_HOST_CALLBACK", host::other),
    read("CUDA_GPU_MEMORY_USAGE_EVENTS", cuda::memory),
    read("CUDA_GPU_MEMORY_POOL_EVENTS", host::memory),
    read("CUDA_UM_CPU_PAGE_FAULT_EVENTS", host::memory),
    read("CUDA_UM_GPU_PAGE_FAULT_EVENTS", host::memory),
    both("NVTX_EVENTS", learn_range, nvtx::row),
    read("CUBLAS_EVENTS", host::library_call),
    read("CUDNN_EVENTS", host::library_call),
    read("MPI_P2P_EVENTS", host::message),
    read("MPI_COLLECTIVES_EVENTS", host::message),
    read("MPI_START_WAIT_EVENTS", host::message),
    read("MPI_OTHER_EVENTS", host::message),
    read("UCP_WORKERS_EVENTS", host::message),
    read("UCP_SUBMIT_EVENTS", host::message),
    read("UCP_PROGRESS_EVENTS", host::message),
    read("UCP_EVENTS", host::message),
    read("OSRT_API", host::system_call),
    read("OSRT_FILE_ACCESS_EVENTS", host::file_access),
    read("COMPOSITE_EVENTS", host::sample),
    read("SCHED_EVENTS", host::schedule),
    read("PROFILER_OVERHEAD", host::overhead),
    read("GPU_METRICS", about::measured),
    read("DIAGNOSTIC_EVENT", about::message),
    // what rows of others point to
    pointed_to("StringIds"),
    pointed_to("OSRT_CALLCHAINS"),
    pointed_to("CUDA_CALLCHAINS"),
    pointed_to("SAMPLING_CALLCHAINS"),
    pointed_to("TARGET_INFO_CUDA_STREAM"),
    pointed_to("TARGET_INFO_CUDA_CONTEXT_INFO"),
];

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
    let text = cells.text(Column::Text).filter(|text| !text.is_empty());
    let registered = if text.is_none() { export.named(cells.int(Column::TextId), rows) } else { None };
    export.nvtx.learn(cells, text.as_deref().or(registered.as_deref()).unwrap_or_default(), rows);
}
