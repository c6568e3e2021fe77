//! Metadata of an export: devices, attributes of the run, GPU metrics, and diagnostic messages of the profiler.
//!
//! Only the rows on the lists below are stored. The same tables contain environments, command lines, users and
//! outputs of programs.

use std::sync::Arc;

use super::NsysExport;
use super::column::{NsysColumn, enum_label};
use super::row::ExportRow;
use super::text::mask_text;
use crate::json::add_string;
use crate::table::{Device, Resource, Rows, RunAttribute, Sample, Severity};

/// Rows of `TARGET_INFO_SYSTEM_ENV` that are stored.
const SYSTEM_ATTRIBUTES: [&str; 10] = [
    "CpuCores",
    "CpuSpeedMhz",
    "CpuArchitecture",
    "CpuDescription",
    "NvDriverVersion",
    "CudaDriverVersion",
    "OsDescription",
    "HardwarePlatform",
    "SoftwareReleaseVersion",
    "KernelVersion",
];

/// Parts of the names of rows of `META_DATA_CAPTURE` that are stored.
const CAPTURE_ATTRIBUTES: [&str; 7] = [
    "RATE_HZ",
    "LINUX_PERF_OPTIONS:",
    "OS_RUNTIME_OPTIONS:",
    "CUDA_GRAPH_TRACE_OPTIONS:",
    "COLLECT_",
    "RUN_DURATION_MS",
    "SAMPLING_PERIOD",
];

/// Severities of diagnostic messages (`ENUM_DIAGNOSTIC_SEVERITY_LEVEL`).
const SEVERITIES: [&str; 5] = ["unknown", "info", "warning", "error", "verbose"];

/// GPU metrics that queries use: the name of NVIDIA, and the name in `sample`.
const METRICS: [(&str, &str); 2] = [("GR Active", "utilization"), ("SMs Active", "sm_active")];

/// The maximum number of GPUs.
const MAX_GPUS: usize = 1 << 10;

/// The maximum number of GPU metrics.
const MAX_METRICS: usize = 1 << 16;

fn write_attribute(name: &str, value: &str, export: &mut NsysExport, rows: &mut Rows) {
    let value = mask_text(value, rows);
    rows.run_attribute(&RunAttribute {
        node: export.job.node.as_deref(),
        rank: export.job.rank,
        key: Some(&format!("nsys.{name}")),
        value: Some(&value),
        row: export.row_number,
    });
}

/// Writes a row of `META_DATA_EXPORT`.
pub(super) fn write_export_info(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    if let (Some(name @ ("EXPORT_PRODUCT_VERSION" | "EXPORT_SCHEMA_VERSION")), Some(value)) =
        (row.text(NsysColumn::name).as_deref(), row.text(NsysColumn::value))
    {
        write_attribute(name, &value, export, rows);
    }
}

/// Writes a row of `META_DATA_CAPTURE`.
pub(super) fn write_capture_setting(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    if let (Some(name), Some(value)) = (row.text(NsysColumn::name), row.text(NsysColumn::value))
        && !name.contains("ENVIRONMENT")
        && CAPTURE_ATTRIBUTES.iter().any(|part| name.contains(part))
    {
        write_attribute(&name, &value, export, rows);
    }
}

/// Writes a row of `TARGET_INFO_SYSTEM_ENV` as attribute, and stores the properties of the processor.
pub(super) fn write_system_info(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let (Some(name), Some(value)) = (row.text(NsysColumn::name), row.text(NsysColumn::value)) else { return };
    if !SYSTEM_ATTRIBUTES.contains(&&*name) {
        return;
    }
    write_attribute(&name, &value, export, rows);
    match &*name {
        "CpuDescription" => export.processor.name = Some(mask_text(&value, rows)),
        "CpuCores" => export.processor.cores = value.parse().ok(),
        _ => return,
    }
    export.processor.row = export.row_number;
}

/// The properties of the processor, and the last row with one of them.
#[derive(Debug, Default)]
pub(super) struct Processor {
    name: Option<Arc<str>>,
    cores: Option<i64>,
    row: i64,
}

/// Writes the processor as device, after all rows with its properties.
pub(super) fn write_processor(export: &mut NsysExport, rows: &mut Rows) {
    let Processor { name, cores, row } = std::mem::take(&mut export.processor);
    if name.is_some() || cores.is_some() {
        rows.device(&Device {
            node: export.job.node.as_deref(),
            rank: export.job.rank,
            kind: Some("cpu"),
            device: Some("cpu"),
            name: name.as_deref(),
            cores,
            row,
            ..Device::default()
        });
    }
}

/// Writes a row of `TARGET_INFO_GPU` as device.
pub(super) fn write_gpu(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let device = row.int(NsysColumn::id).map_or_else(|| "gpu".to_owned(), |id| gpu_device(id, export));
    let name = row.text(NsysColumn::name).map(|name| mask_text(&name, rows));
    let version = row.int(NsysColumn::computeMajor).zip(row.int(NsysColumn::computeMinor));
    let version = version.map(|(major, minor)| format!("{major}.{minor}"));
    let args = export.args.clear();
    for column in [NsysColumn::busLocation, NsysColumn::uuid, NsysColumn::chipName] {
        args.add_text(column.name(), row.text(column).map(|text| mask_text(&text, rows)).as_deref());
    }
    args.add("clock_hz", row.int(NsysColumn::clockRate));
    args.add("memory_bytes_per_s", row.int(NsysColumn::memoryBandwidth));
    args.add("l2_cache_bytes", row.int(NsysColumn::l2CacheSize));
    args.add("max_warps_per_sm", row.int(NsysColumn::maxWarpsPerSm));
    rows.device(&Device {
        node: export.job.node.as_deref(),
        rank: export.job.rank,
        kind: Some("gpu"),
        device: Some(&device),
        name: name.as_deref(),
        memory_bytes: row.int(NsysColumn::totalMemory),
        cores: row.int(NsysColumn::smCount),
        capability: version.as_deref(),
        properties: export.args.finish(),
        row: export.row_number,
    });
}

/// The device of the GPU with this number in Nsight Systems: `gpu<n>` with the number of CUDA, as in events.
///
/// A GPU without a number of CUDA was not used by any process. It is `gpu:<n>`, so that it differs from the others.
fn gpu_device(id: i64, export: &NsysExport) -> String {
    match export.cuda_ids.get(&id) {
        Some(cuda) => format!("gpu{cuda}"),
        None if export.cuda_ids.is_empty() => format!("gpu{id}"),
        None => format!("gpu:{id}"),
    }
}

/// Collects the number of CUDA from a row of `TARGET_INFO_GPU`.
pub(super) fn collect_gpu(row: &ExportRow<'_>, export: &mut NsysExport, _rows: &mut Rows) {
    if let (Some(id), Some(cuda)) = (row.int(NsysColumn::id), row.int(NsysColumn::cuDevice))
        && export.cuda_ids.len() < MAX_GPUS
    {
        export.cuda_ids.entry(id).or_insert(cuda);
    }
}

/// Collects the number of CUDA from a row of `TARGET_INFO_CUDA_DEVICE`, which newer exports have.
pub(super) fn collect_cuda_device(row: &ExportRow<'_>, export: &mut NsysExport, _rows: &mut Rows) {
    if let (Some(id), Some(cuda)) = (row.int(NsysColumn::gpuId), row.int(NsysColumn::cudaId))
        && export.cuda_ids.len() < MAX_GPUS
    {
        export.cuda_ids.insert(id, cuda);
    }
}

/// A GPU metric.
#[derive(Debug, Clone)]
pub(super) struct GpuMetric {
    raw_name: String,
    metric: String,
    unit: &'static str,
}

/// Parses a metric such as `SMs Active [Throughput %]`.
fn parse_metric(raw_name: &str) -> GpuMetric {
    let (name, bracket) = raw_name.split_once('[').unwrap_or((raw_name, ""));
    let (name, bracket) = (name.trim(), bracket.trim_end_matches(']').trim());
    let unit = match bracket {
        _ if bracket.ends_with('%') => "percent",
        "MHz" => "mhz",
        "B" => "bytes",
        "B/s" => "bytes_per_s",
        _ => "count",
    };
    let snake_case = || {
        let lower = name.to_ascii_lowercase();
        let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("_")
    };
    let metric = METRICS.iter().find(|(nvidia, _)| *nvidia == name).map(|(_, metric)| (*metric).to_owned());
    GpuMetric { raw_name: raw_name.to_owned(), metric: metric.unwrap_or_else(snake_case), unit }
}

/// Collects a row of `TARGET_INFO_GPU_METRICS`.
pub(super) fn collect_metric(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    if let (Some(type_id), Some(id), Some(name)) =
        (row.int(NsysColumn::typeId), row.int(NsysColumn::metricId), row.text(NsysColumn::metricName))
        && export.metrics.len() < MAX_METRICS
    {
        export.metrics.insert((type_id, id), parse_metric(&mask_text(&name, rows)));
    }
}

/// Writes a row of `GPU_METRICS` as sample.
pub(super) fn write_metric(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    let type_id = row.int(NsysColumn::typeId).unwrap_or(0);
    let id = row.int(NsysColumn::metricId).unwrap_or(0);
    let device = match export.metric_devices.get(&type_id) {
        Some(device) => Arc::clone(device),
        None => {
            let device: Arc<str> = gpu_device(type_id & 0xff, export).into();
            export.metric_devices.insert(type_id, Arc::clone(&device));
            device
        }
    };
    export.args.clear();
    let ts = export.convert_time(row.time(NsysColumn::timestamp, rows), rows);
    let unnamed;
    let (metric, raw_name, unit) = match export.metrics.get(&(type_id, id)) {
        Some(GpuMetric { raw_name, metric, unit }) => (metric, Some(raw_name.as_str()), *unit),
        None => {
            unnamed = format!("metric_{id}");
            (&unnamed, None, "count")
        }
    };
    rows.sample(&Sample {
        node: export.job.node.as_deref(),
        rank: export.job.rank,
        ts,
        resource: Some(Resource::Gpu.as_str()),
        device: Some(&device),
        metric: Some(metric),
        value: row.float(NsysColumn::value),
        unit: Some(unit),
        raw_name,
        row: export.row_number,
        ..Sample::default()
    });
}

/// Reports a row of `DIAGNOSTIC_EVENT`, a message of the profiler. Messages that are neither warnings nor errors
/// contain paths, so they are only counted.
pub(super) fn write_diagnostic(row: &ExportRow<'_>, _export: &mut NsysExport, rows: &mut Rows) {
    let level = enum_label(&SEVERITIES, row.int(NsysColumn::severity)).unwrap_or(SEVERITIES[0]);
    let severity = if matches!(level, "warning" | "error") { Severity::Warning } else { Severity::Notice };
    let text = row.text(NsysColumn::text).filter(|_| severity == Severity::Warning);
    let text = text.map(|text| mask_text(&text, rows));
    rows.problem(severity, &format!("nsys_diagnostic_{level}"), None, || match text {
        Some(text) => {
            let mut quoted = String::new();
            add_string(&mut quoted, text.lines().next().unwrap_or_default());
            format!("Nsight Systems reported: {quoted}")
        }
        None => format!("messages of Nsight Systems of severity {level}, which are not stored"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_names_and_units() {
        for (raw, name, unit) in [
            ("SMs Active [Throughput %]", "sm_active", "percent"),
            ("GR Active [Throughput %]", "utilization", "percent"),
            ("DRAM Read Bandwidth [Throughput %]", "dram_read_bandwidth", "percent"),
            ("GPC Clock Frequency [MHz]", "gpc_clock_frequency", "mhz"),
            ("PCIe RX Throughput [B/s]", "pcie_rx_throughput", "bytes_per_s"),
            ("Unallocated Warps in Active SMs", "unallocated_warps_in_active_sms", "count"),
        ] {
            let metric = parse_metric(raw);
            assert_eq!((metric.metric.as_str(), metric.unit), (name, unit));
        }
    }
}
