//! The tables of an export that tracelake knows, and the handlers of their rows.

use super::column::NsysColumn;
use super::row::ExportRow;
use super::{NsysExport, cuda, host, metadata, nvtx, text};
use crate::table::{Category, Rows};

/// Handles one row of a table.
pub(super) type RowHandler = fn(&ExportRow<'_>, &mut NsysExport, &mut Rows);

/// A table and its handlers.
#[derive(Debug)]
pub(super) struct TableSpec {
    pub(super) name: &'static str,
    /// Collects what other rows need, before any row is written.
    pub(super) collect: Option<RowHandler>,
    /// Writes what a row becomes.
    pub(super) write: Option<RowHandler>,
}

const fn collect(name: &'static str, collect: RowHandler) -> TableSpec {
    TableSpec { name, collect: Some(collect), write: None }
}

const fn write(name: &'static str, write: RowHandler) -> TableSpec {
    TableSpec { name, collect: None, write: Some(write) }
}

const fn collect_and_write(name: &'static str, collect: RowHandler, write: RowHandler) -> TableSpec {
    TableSpec { name, collect: Some(collect), write: Some(write) }
}

impl TableSpec {
    /// The columns without which the rows of a variant of this table cannot be read.
    pub(super) fn needed_columns(&self) -> &'static [NsysColumn] {
        use NsysColumn::{correlationId, deviceId, end, globalTid, nameId, start};
        match self.name {
            "CUPTI_ACTIVITY_KIND_RUNTIME" => &[start, end, globalTid, nameId, correlationId],
            "CUPTI_ACTIVITY_KIND_KERNEL" | "CUPTI_ACTIVITY_KIND_MEMCPY" | "CUPTI_ACTIVITY_KIND_MEMSET" => {
                &[start, end, deviceId, correlationId]
            }
            _ => &[start],
        }
    }
}

/// The table that one with this name is a variant of: the same name with a suffix such as `_V2` or `2`.
pub(super) fn variant_of(name: &str) -> Option<&'static TableSpec> {
    let is_variant = |spec: &&TableSpec| {
        let suffix = name.strip_prefix(spec.name).unwrap_or_default();
        spec.write.is_some() && suffix.starts_with(|first: char| first == '_' || first == 'V' || first.is_ascii_digit())
    };
    TABLES.iter().filter(is_variant).max_by_key(|spec| spec.name.len())
}

/// A table without handlers: its rows are looked up when rows of other tables refer to them.
const fn lookup(name: &'static str) -> TableSpec {
    TableSpec { name, collect: None, write: None }
}

/// Handlers of rows that have a name, a time, and a thread or process.
const LIBRARY_CALL: RowHandler = |row, export, rows| host::write_plain(row, Category::Operator, export, rows);
const MESSAGE: RowHandler = |row, export, rows| host::write_plain(row, Category::Communication, export, rows);
const MEMORY_EVENT: RowHandler = |row, export, rows| host::write_plain(row, Category::Memory, export, rows);
const OTHER_CALL: RowHandler = |row, export, rows| host::write_plain(row, Category::Other, export, rows);

/// The tables, in the order in which they are read. The first pass calls each `collect`, the second each `write`.
pub(super) const TABLES: &[TableSpec] = &[
    collect_and_write("META_DATA_EXPORT", collect_export_param, metadata::write_export_info),
    collect("TARGET_INFO_SESSION_START_TIME", collect_session),
    collect_and_write("META_DATA_CAPTURE", collect_variable, metadata::write_capture_setting),
    collect_and_write("TARGET_INFO_SYSTEM_ENV", collect_node, metadata::write_system_info),
    collect("MPI_RANKS", collect_rank),
    collect_and_write("TARGET_INFO_GPU", metadata::collect_gpu, metadata::write_gpu),
    collect("TARGET_INFO_CUDA_DEVICE", metadata::collect_cuda_device),
    collect("ThreadNames", collect_thread),
    collect("TARGET_INFO_GPU_METRICS", metadata::collect_metric),
    collect("OSRT_FILE_ACCESS_DESCRIPTORS", host::collect_file),
    write("CUPTI_ACTIVITY_KIND_RUNTIME", cuda::write_call),
    write("CUPTI_ACTIVITY_KIND_KERNEL", cuda::write_kernel),
    write("CUPTI_ACTIVITY_KIND_MEMCPY", cuda::write_copy),
    write("CUPTI_ACTIVITY_KIND_MEMSET", cuda::write_fill),
    // after the tables that show which graphs have nodes of their own
    collect_and_write("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", cuda::collect_graph, cuda::write_graph),
    // after the calls, because these rows get the names of their calls
    write("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", cuda::write_sync),
    write("CUPTI_ACTIVITY_KIND_CUDA_EVENT", cuda::write_event_record),
    write("CUPTI_ACTIVITY_KIND_OVERHEAD", host::write_overhead),
    write("CUPTI_ACTIVITY_KIND_JIT", OTHER_CALL),
    write("CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS", OTHER_CALL),
    write("CUDA_GRAPH_EVENTS", OTHER_CALL),
    write("CUDA_GRAPH_NODE_EVENTS", OTHER_CALL),
    write("CUDA_HOST_CALLBACK", OTHER_CALL),
    write("CUDA_GPU_MEMORY_USAGE_EVENTS", cuda::write_memory),
    write("CUDA_GPU_MEMORY_POOL_EVENTS", MEMORY_EVENT),
    write("CUDA_UM_CPU_PAGE_FAULT_EVENTS", MEMORY_EVENT),
    write("CUDA_UM_GPU_PAGE_FAULT_EVENTS", MEMORY_EVENT),
    collect_and_write("NVTX_EVENTS", collect_range, nvtx::write_row),
    write("CUBLAS_EVENTS", LIBRARY_CALL),
    write("CUDNN_EVENTS", LIBRARY_CALL),
    write("MPI_P2P_EVENTS", MESSAGE),
    write("MPI_COLLECTIVES_EVENTS", MESSAGE),
    write("MPI_START_WAIT_EVENTS", MESSAGE),
    write("MPI_OTHER_EVENTS", MESSAGE),
    write("UCP_WORKERS_EVENTS", MESSAGE),
    write("UCP_SUBMIT_EVENTS", MESSAGE),
    write("UCP_PROGRESS_EVENTS", MESSAGE),
    write("UCP_EVENTS", MESSAGE),
    write("OSRT_API", host::write_system_call),
    write("OSRT_FILE_ACCESS_EVENTS", host::write_file_access),
    write("COMPOSITE_EVENTS", host::write_sample),
    write("SCHED_EVENTS", host::write_schedule),
    write("PROFILER_OVERHEAD", host::write_overhead),
    write("GPU_METRICS", metadata::write_metric),
    write("DIAGNOSTIC_EVENT", metadata::write_diagnostic),
    lookup("StringIds"),
    lookup("OSRT_CALLCHAINS"),
    lookup("CUDA_CALLCHAINS"),
    lookup("SAMPLING_CALLCHAINS"),
    lookup("TARGET_INFO_CUDA_STREAM"),
    lookup("TARGET_INFO_CUDA_CONTEXT_INFO"),
];

fn collect_export_param(row: &ExportRow<'_>, export: &mut NsysExport, _rows: &mut Rows) {
    if let (Some(name), Some(value)) = (row.text(NsysColumn::name), row.text(NsysColumn::value)) {
        export.job.read_export_param(&name, &value);
    }
}

fn collect_session(row: &ExportRow<'_>, export: &mut NsysExport, _rows: &mut Rows) {
    export.job.session_start = row.nonzero(NsysColumn::utcEpochNs).or(export.job.session_start);
}

fn collect_variable(row: &ExportRow<'_>, export: &mut NsysExport, _rows: &mut Rows) {
    if let (Some(name), Some(value)) = (row.text(NsysColumn::name), row.text(NsysColumn::value))
        && name.ends_with(":ENVIRONMENT_VARIABLE")
    {
        export.job.read_variable(&value);
    }
}

fn collect_node(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    if let (Some("Hostname"), Some(host)) = (row.text(NsysColumn::name).as_deref(), row.text(NsysColumn::value)) {
        export.job.node = Some(text::mask_text(host.trim(), rows).to_string()).filter(|host| !host.is_empty());
    }
}

fn collect_rank(row: &ExportRow<'_>, export: &mut NsysExport, _rows: &mut Rows) {
    export.job.mpi_ranks.extend(row.int(NsysColumn::rank));
}

fn collect_thread(row: &ExportRow<'_>, export: &mut NsysExport, _rows: &mut Rows) {
    if let (Some(thread), Some(name)) = (row.int(NsysColumn::globalTid), row.int(NsysColumn::nameId)) {
        export.job.add_thread_name(thread, name);
    }
}

fn collect_range(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let text = row.text(NsysColumn::text).filter(|text| !text.is_empty());
    let registered = if text.is_none() { export.text(row.int(NsysColumn::textId), rows) } else { None };
    export.nvtx.collect(row, text.as_deref().or(registered.as_deref()).unwrap_or_default(), rows);
}
