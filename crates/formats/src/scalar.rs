//! Parses names of logged scalars: resource, metric, unit and hook.
//!
//! Loggers of training loops write scalars with names that users and callbacks choose. Names of Lightning's
//! callbacks have a fixed meaning, see [`METRICS`]. Every other name is a scalar of the training with an
//! unknown unit.
//!
//! # Source
//! `Lightning-AI/pytorch-lightning` 2.6: `callbacks/device_stats_monitor.py`, `callbacks/throughput_monitor.py`,
//! `accelerators/{cpu,cuda,mps,xla}.py`; `Lightning-AI/pytorch-lightning` 1.9, `accelerators/hpu.py`;
//! documentation of `torch.cuda.memory_stats`.

use crate::table::Resource;

/// A metric of a callback.
#[derive(Debug)]
struct CallbackMetric {
    /// The name after the hook or stage. If it ends in `.`, it is the prefix of a family of names.
    name: &'static str,
    resource: Resource,
    /// The value of column `metric`. Empty means the name as written.
    metric: &'static str,
    /// The value of column `unit`.
    unit: &'static str,
}

/// Defines the metrics as a table and as lines of a format's `fields`.
macro_rules! metrics {
    ($($name:literal $resource:ident $metric:literal $unit:literal $meaning:literal;)*) => {
        /// The metrics of Lightning's callbacks.
        static METRICS: &[CallbackMetric] = &[
            $(CallbackMetric { name: $name, resource: Resource::$resource, metric: $metric, unit: $unit }),*
        ];

        /// Fields of `metrics.csv` and the columns they become, one line for each metric.
        pub(super) const FIELDS: &[(&str, &str)] = &[
            ("step", "sample.step"),
            ("epoch", "sample.epoch"),
            ("number of the row", "sample.entry"),
            ("{callback}.{hook}/{metric}", "sample.hook, sample.raw_name"),
            ("any other column", "sample.metric of resource training, sample.value, sample.raw_name"),
            $(($name, concat!("sample.value, ", $unit, ": ", $meaning))),*
        ];
    };
}

metrics! {
    "cpu_percent" Cpu "utilization" "percent" "load of all cores since the previous call; the first value is meaningless";
    "cpu_vm_percent" Memory "used" "percent" "main memory in use";
    "cpu_swap_percent" Memory "swap_used" "percent" "swap space in use";
    "M1_percent" Cpu "utilization" "percent" "load of all cores of an Apple machine; there is no measurement of its GPU";
    "M1_vm_percent" Memory "used" "percent" "main memory in use";
    "M1_swap_percent" Memory "swap_used" "percent" "swap space in use";
    "avg. free memory (MB)" Gpu "memory_free" "kB" "mean free memory of the TPU cores; in kB, although the name says MB";
    "avg. peak memory (MB)" Gpu "memory_used" "kB" "total minus free memory of the TPU cores at that moment; not a peak";
    "allocation." Allocator "" "count" "requests to the CUDA allocator";
    "segment." Allocator "" "count" "segments reserved with cudaMalloc";
    "active." Allocator "" "count" "blocks in use, or waiting to be freed";
    "inactive_split." Allocator "" "count" "free blocks that cannot be returned to the device";
    "allocated_bytes." Allocator "" "bytes" "memory in use by tensors";
    "reserved_bytes." Allocator "" "bytes" "memory reserved from the device";
    "active_bytes." Allocator "" "bytes" "memory of blocks in use, or waiting to be freed";
    "inactive_split_bytes." Allocator "" "bytes" "memory of free blocks that cannot be returned to the device";
    "requested_bytes." Allocator "" "bytes" "requested memory, before it is rounded up";
    "oversize_allocations." Allocator "" "count" "requests larger than the maximum split size";
    "oversize_segments." Allocator "" "count" "segments larger than the maximum split size";
    "max_split_size" Allocator "" "bytes" "maximum size of blocks that are split; -1 for no maximum";
    "num_alloc_retries" Allocator "" "count" "allocations that succeeded after the cache was emptied";
    "num_ooms" Allocator "" "count" "out-of-memory errors";
    "num_sync_all_streams" Allocator "" "count" "synchronizations of all streams";
    "num_device_alloc" Allocator "" "count" "calls of cudaMalloc";
    "num_device_free" Allocator "" "count" "calls of cudaFree";
    "Limit" Allocator "" "bytes" "memory of an HPU";
    "InUse" Allocator "" "bytes" "memory of an HPU in use";
    "MaxInUse" Allocator "" "bytes" "peak of the memory of an HPU in use";
    "MaxAllocSize" Allocator "" "bytes" "largest allocation on an HPU";
    "NumAllocs" Allocator "" "count" "allocations on an HPU";
    "NumFrees" Allocator "" "count" "chunks freed on an HPU";
    "ActiveAllocs" Allocator "" "count" "allocations on an HPU that are active";
    "TotalSystemAllocs" Allocator "" "count" "allocations of the system for an HPU";
    "TotalSystemFrees" Allocator "" "count" "frees of the system for an HPU";
    "TotalActiveAllocs" Allocator "" "count" "active allocations on an HPU, in total";
    "time" Training "" "s" "of `{stage}/time`: since the stage began; `train` excludes validations";
    "batches" Training "" "count" "of `{stage}/batches`: batches since the stage began";
    "samples" Training "" "count" "of `{stage}/samples`: samples since the stage began";
    "lengths" Training "" "count" "of `{stage}/lengths`: items of the samples since the stage began";
    "batches_per_sec" Training "" "per_s" "of `{stage}/batches_per_sec`, and of `{stage}/device/...` for one device: batches per s over a window";
    "samples_per_sec" Training "" "per_s" "samples per s over a window";
    "items_per_sec" Training "" "per_s" "items per s over a window";
    "flops_per_sec" Training "" "per_s" "floating point operations per s over a window";
    "mfu" Training "" "ratio" "floating point operations per s / peak of the device";
}

/// The parts of a scalar's name, and their meaning.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScalarName<'a> {
    /// The value of column `resource`. None for an unknown metric of a device.
    pub(super) resource: Option<&'static str>,
    pub(super) metric: &'a str,
    pub(super) unit: Option<&'static str>,
    pub(super) hook: Option<&'a str>,
}

/// Hooks in which device statistics are recorded. If one is a prefix of another, the longer one is first.
const HOOKS: &[&str] = &[
    "on_train_batch_start",
    "on_train_batch_end",
    "on_validation_batch_start",
    "on_validation_batch_end",
    "on_test_batch_start",
    "on_test_batch_end",
    "on_predict_batch_start",
    "on_predict_batch_end",
];

const STAGES: &[&str] = &["train", "validate", "test", "predict"];

/// Parses the name of a scalar. A logger can put a prefix and `-` before it, and use a separator other than `/`.
pub(super) fn scalar(name: &str) -> ScalarName<'_> {
    let hook_and_metric = split_device_stats(name).map(|(hook, metric)| (Some(hook), metric));
    let (hook, raw_metric) = hook_and_metric.or_else(|| Some((None, throughput_metric(name)?))).unwrap_or((None, ""));
    let known = METRICS
        .iter()
        .find(|metric| metric.matches(raw_metric) && (metric.resource == Resource::Training) == hook.is_none());
    let resource = known.map(|known| known.resource).or(hook.is_none().then_some(Resource::Training));
    let metric = match known.map_or("", |known| known.metric) {
        "" if hook.is_some() => raw_metric,
        "" => name,
        metric => metric,
    };
    ScalarName { resource: resource.map(Resource::as_str), metric, unit: known.map(|known| known.unit), hook }
}

/// Returns true for a name that only a callback of Lightning writes.
pub(super) fn is_callback_metric(name: &str) -> bool {
    split_device_stats(name).is_some() || name.starts_with("lr-") || scalar(name).unit.is_some()
}

impl CallbackMetric {
    fn matches(&self, name: &str) -> bool {
        if self.name.ends_with('.') { name.starts_with(self.name) } else { name == self.name }
    }
}

/// Splits a name such as `DeviceStatsMonitor.on_train_batch_end/cpu_percent` into hook and metric.
fn split_device_stats(name: &str) -> Option<(&str, &str)> {
    let start = name.find(".on_")? + 1;
    let rest = &name[start..];
    let known = HOOKS.iter().find(|hook| rest.starts_with(**hook)).map(|hook| hook.len());
    let length = known.or_else(|| rest.find(|c: char| c != '_' && !c.is_ascii_lowercase()))?;
    let (hook, metric) = rest.split_at(length);
    let metric = metric.strip_prefix(|c: char| !c.is_alphanumeric())?;
    (!metric.is_empty()).then_some((hook, metric))
}

/// The metric after the stage in a name such as `train/device/samples_per_sec`.
fn throughput_metric(name: &str) -> Option<&str> {
    let is_separator = |c: char| !c.is_alphanumeric() && c != '_';
    STAGES.iter().find_map(|stage| {
        let rest = name.strip_prefix(stage).or_else(|| {
            let start = name.find(stage).filter(|start| name[..*start].ends_with('-'))?;
            name[start..].strip_prefix(stage)
        })?;
        let rest = rest.strip_prefix(is_separator)?;
        Some(rest.strip_prefix("device").and_then(|rest| rest.strip_prefix(is_separator)).unwrap_or(rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str) -> String {
        let ScalarName { resource, metric, unit, hook } = scalar(name);
        [resource, Some(metric), unit, hook].map(|part| part.unwrap_or("-")).join("|")
    }

    #[test]
    fn names_of_callbacks_are_parsed() {
        for (name, expected) in [
            ("DeviceStatsMonitor.on_train_batch_end/cpu_percent", "cpu|utilization|percent|on_train_batch_end"),
            ("p-Mine.on_test_batch_start.cpu_vm_percent", "memory|used|percent|on_test_batch_start"),
            (
                "DeviceStatsMonitor.on_validation_batch_end_M1_percent",
                "cpu|utilization|percent|on_validation_batch_end",
            ),
            ("DeviceStatsMonitor.on_train_batch_end/avg. free memory (MB)", "gpu|memory_free|kB|on_train_batch_end"),
            (
                "DeviceStatsMonitor.on_train_batch_end/allocated_bytes.all.peak",
                "allocator|allocated_bytes.all.peak|bytes|on_train_batch_end",
            ),
            ("DeviceStatsMonitor.on_train_batch_end/num_ooms", "allocator|num_ooms|count|on_train_batch_end"),
            ("DeviceStatsMonitor.on_train_batch_end/MaxInUse", "allocator|MaxInUse|bytes|on_train_batch_end"),
            ("DeviceStatsMonitor.on_fit_start/new_metric", "-|new_metric|-|on_fit_start"),
            ("DeviceStatsMonitor.on_train_batch_end/time", "-|time|-|on_train_batch_end"),
            ("train/device/batches_per_sec", "training|train/device/batches_per_sec|per_s|-"),
            ("p-validate.time", "training|p-validate.time|s|-"),
            ("test|device|mfu", "training|test|device|mfu|ratio|-"),
            ("train/cpu_percent", "training|train/cpu_percent|-|-"),
        ] {
            assert_eq!(parts(name), expected, "{name}");
        }
    }

    #[test]
    fn all_other_names_are_scalars_of_the_training() {
        for name in [
            "",
            "loss",
            "train_loss",
            "train_time",
            "lr-SGD",
            "x.on_",
            "x.on_train_batch_end",
            "x.on_train_batch_end/",
            "retrain/time",
            "time",
            "Größe.on_ü/é",
            "a.on_b",
        ] {
            assert_eq!(parts(name), format!("training|{name}|-|-"));
        }
    }

    #[test]
    fn every_metric_is_found_by_its_name() {
        for metric in METRICS {
            let prefix = if metric.resource == Resource::Training { "train/" } else { "X.on_train_batch_end/" };
            let suffix = if metric.name.ends_with('.') { "all.peak" } else { "" };
            let name = format!("{prefix}{}{suffix}", metric.name);
            let scalar = scalar(&name);
            assert_eq!((scalar.resource, scalar.unit), (Some(metric.resource.as_str()), Some(metric.unit)), "{name}");
            assert!(is_callback_metric(&name));
        }
    }
}
