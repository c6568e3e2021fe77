//! What an export says about the machine, the session and itself: devices, attributes of the run, messages, metrics.
//!
//! Only what is on the lists below is kept: beside it stand environments, command lines, users and outputs of programs.

use std::sync::Arc;

use super::Export;
use super::cells::Cells;
use super::column::Column;
use super::cuda::at;
use super::text::clean;
use crate::json::add_string;
use crate::table::{Device, Resource, Rows, RunAttribute, Sample, Severity};

/// Rows of `TARGET_INFO_SYSTEM_ENV` that are kept.
const SYSTEM: [&str; 10] = [
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

/// Rows of `META_DATA_CAPTURE` that are kept: names, or what they begin or end with.
const CAPTURE: [&str; 7] = [
    "RATE_HZ",
    "LINUX_PERF_OPTIONS:",
    "OS_RUNTIME_OPTIONS:",
    "CUDA_GRAPH_TRACE_OPTIONS:",
    "COLLECT_",
    "RUN_DURATION_MS",
    "SAMPLING_PERIOD",
];

/// Severities of messages (`ENUM_DIAGNOSTIC_SEVERITY_LEVEL`).
const SEVERITIES: [&str; 5] = ["unknown", "info", "warning", "error", "verbose"];

/// Names of GPU metrics that queries know, by what NVIDIA calls them.
const METRICS: [(&str, &str); 2] = [("GR Active", "utilization"), ("SMs Active", "sm_active")];

fn attribute(name: &str, value: &str, export: &mut Export, rows: &mut Rows) {
    let value = clean(value, rows);
    rows.run_attribute(&RunAttribute {
        node: export.job.node.as_deref(),
        rank: export.job.rank,
        key: Some(&format!("nsys.{name}")),
        value: Some(&value),
        row: export.row,
    });
}

/// A row of `META_DATA_EXPORT`.
pub(super) fn exported(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    if let (Some(name @ ("EXPORT_PRODUCT_VERSION" | "EXPORT_SCHEMA_VERSION")), Some(value)) =
        (cells.text(Column::Name).as_deref(), cells.text(Column::Value))
    {
        attribute(name, &value, export, rows);
    }
}

/// A row of `META_DATA_CAPTURE`.
pub(super) fn captured(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    if let (Some(name), Some(value)) = (cells.text(Column::Name), cells.text(Column::Value))
        && !name.contains("ENVIRONMENT")
        && CAPTURE.iter().any(|kept| name.contains(kept))
    {
        attribute(&name, &value, export, rows);
    }
}

/// A row of `TARGET_INFO_SYSTEM_ENV`: an attribute, and of the processor a device.
pub(super) fn system(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let (Some(name), Some(value)) = (cells.text(Column::Name), cells.text(Column::Value)) else { return };
    if !SYSTEM.contains(&&*name) {
        return;
    }
    attribute(&name, &value, export, rows);
    match &*name {
        "CpuDescription" => export.processor.name = Some(clean(&value, rows)),
        "CpuCores" => export.processor.cores = value.parse().ok(),
        _ => return,
    }
    export.processor.row = export.row;
}

/// What is known of the processor, and the last row that told something.
#[derive(Debug, Default)]
pub(super) struct Processor {
    name: Option<Arc<str>>,
    cores: Option<i64>,
    row: i64,
}

/// The processor, when all that concerns it was read.
pub(super) fn processor(export: &mut Export, rows: &mut Rows) {
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

/// A row of `TARGET_INFO_GPU`. The number of a device is that of CUDA, which may differ from that of Nsight Systems.
pub(super) fn gpu(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let device = gpu_name(cells.int(Column::Id), export).unwrap_or_else(|| "gpu".to_owned());
    let name = cells.text(Column::Name).map(|name| clean(&name, rows));
    let version = cells.int(Column::ComputeMajor).zip(cells.int(Column::ComputeMinor));
    let version = version.map(|(major, minor)| format!("{major}.{minor}"));
    let texts = [("busLocation", Column::BusLocation), ("uuid", Column::Uuid), ("chipName", Column::ChipName)];
    let args = export.args.clear();
    for (key, column) in texts {
        args.text(key, cells.text(column).map(|text| clean(&text, rows)).as_deref());
    }
    args.add("clock_hz", cells.int(Column::ClockRate)).add("memory_bytes_per_s", cells.int(Column::MemoryBandwidth));
    args.add("l2_cache_bytes", cells.int(Column::L2CacheSize))
        .add("max_warps_per_sm", cells.int(Column::MaxWarpsPerSm));
    rows.device(&Device {
        node: export.job.node.as_deref(),
        rank: export.job.rank,
        kind: Some("gpu"),
        device: Some(&device),
        name: name.as_deref(),
        memory_bytes: cells.int(Column::TotalMemory),
        cores: cells.int(Column::SmCount),
        capability: version.as_deref(),
        properties: export.args.all(),
        row: export.row,
    });
}

/// What events call the GPU that Nsight Systems gave this number; one that no process used has a name of its own.
fn gpu_name(id: Option<i64>, export: &Export) -> Option<String> {
    let id = id?;
    Some(match export.cuda_ids.get(&id) {
        Some(cuda) => format!("gpu{cuda}"),
        None if export.cuda_ids.is_empty() => format!("gpu{id}"),
        None => format!("gpu:{id}"),
    })
}

/// A row of `TARGET_INFO_GPU`, before devices are written: what CUDA calls it.
pub(super) fn learn_gpu(cells: &Cells<'_>, export: &mut Export, _rows: &mut Rows) {
    if let (Some(id), Some(cuda)) = (cells.int(Column::Id), cells.int(Column::CuDevice))
        && export.cuda_ids.len() < 1 << 10
    {
        export.cuda_ids.entry(id).or_insert(cuda);
    }
}

/// A row of `TARGET_INFO_CUDA_DEVICE`, which newer exports have.
pub(super) fn learn_cuda_device(cells: &Cells<'_>, export: &mut Export, _rows: &mut Rows) {
    if let (Some(id), Some(cuda)) = (cells.int(Column::GpuId), cells.int(Column::CudaId))
        && export.cuda_ids.len() < 1 << 10
    {
        export.cuda_ids.insert(id, cuda);
    }
}

/// A metric of GPUs.
#[derive(Debug, Clone)]
pub(super) struct Metric {
    raw_name: String,
    metric: String,
    unit: &'static str,
}

/// A metric as `SMs Active [Throughput %]` says.
fn metric(raw_name: &str) -> Metric {
    let (name, bracket) = raw_name.split_once('[').unwrap_or((raw_name, ""));
    let (name, bracket) = (name.trim(), bracket.trim_end_matches(']').trim());
    let unit = match bracket {
        _ if bracket.ends_with('%') => "percent",
        "MHz" => "mhz",
        "B" => "bytes",
        "B/s" => "bytes_per_s",
        _ => "count",
    };
    let known = METRICS.iter().find(|(word, _)| *word == name).map(|(_, metric)| (*metric).to_owned());
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let words = || name.chars().map(letter).collect::<String>();
    let words = || words().split('_').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    Metric { raw_name: raw_name.to_owned(), metric: known.unwrap_or_else(words), unit }
}

/// A row of `TARGET_INFO_GPU_METRICS`, before the measurements are read.
pub(super) fn learn_metric(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    if let (Some(kind), Some(id), Some(name)) =
        (cells.int(Column::TypeId), cells.int(Column::MetricId), cells.text(Column::MetricName))
        && export.metrics.len() < 1 << 16
    {
        export.metrics.insert((kind, id), metric(&clean(&name, rows)));
    }
}

/// A row of `GPU_METRICS`.
pub(super) fn measured(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let kind = cells.int(Column::TypeId).unwrap_or(0);
    let id = cells.int(Column::MetricId).unwrap_or(0);
    let device = match export.measured_gpus.get(&kind) {
        Some(device) => Arc::clone(device),
        None => {
            let device: Arc<str> = gpu_name(Some(kind & 0xff), export).unwrap_or_default().into();
            export.measured_gpus.insert(kind, Arc::clone(&device));
            device
        }
    };
    let ts = cells.int(Column::Timestamp).and_then(|time| at(time, export.args.clear(), &export.job, rows));
    let metric = export.metrics.get(&(kind, id));
    let unnamed;
    let (name, raw_name, unit) = match metric {
        Some(Metric { raw_name, metric, unit }) => (metric.as_str(), Some(raw_name.as_str()), *unit),
        None => {
            unnamed = format!("metric_{id}");
            (unnamed.as_str(), None, "count")
        }
    };
    rows.sample(&Sample {
        node: export.job.node.as_deref(),
        rank: export.job.rank,
        ts,
        resource: Some(Resource::Gpu.as_str()),
        device: Some(&device),
        metric: Some(name),
        value: cells.number(Column::Value),
        unit: Some(unit),
        raw_name,
        row: export.row,
        ..Sample::default()
    });
}

/// A row of `DIAGNOSTIC_EVENT`: a message of the profiler. What is only told says where files are, and is counted.
pub(super) fn message(cells: &Cells<'_>, _export: &mut Export, rows: &mut Rows) {
    let level = cells.int(Column::Severity).and_then(|level| usize::try_from(level).ok()).unwrap_or(0);
    let word = SEVERITIES.get(level).copied().unwrap_or(SEVERITIES[0]);
    let severity = if matches!(word, "warning" | "error") { Severity::Warning } else { Severity::Notice };
    let text = cells.text(Column::Text).filter(|_| severity == Severity::Warning).map(|text| clean(&text, rows));
    rows.problem(severity, &format!("nsys_diagnostic_{word}"), None, || match text {
        Some(text) => {
            let mut quoted = String::new();
            add_string(&mut quoted, text.lines().next().unwrap_or_default());
            format!("Nsight Systems reported: {quoted}")
        }
        None => format!("messages of Nsight Systems of severity {word}, which are not stored"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_units_of_metrics() {
        for (raw, name, unit) in [
            ("SMs Active [Throughput %]", "sm_active", "percent"),
            ("GR Active [Throughput %]", "utilization", "percent"),
            ("DRAM Read Bandwidth [Throughput %]", "dram_read_bandwidth", "percent"),
            ("GPC Clock Frequency [MHz]", "gpc_clock_frequency", "mhz"),
            ("PCIe RX Throughput [B/s]", "pcie_rx_throughput", "bytes_per_s"),
            ("Unallocated Warps in Active SMs", "unallocated_warps_in_active_sms", "count"),
        ] {
            let metric = metric(raw);
            assert_eq!((metric.metric.as_str(), metric.unit), (name, unit));
        }
    }
}
