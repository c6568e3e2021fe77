//! `sample`: measurements of resources and scalars.

use super::data_table;

data_table! {
    "sample",
    "One row per measurement of a resource or of a scalar of the training.",
    Sample, Builder {
        ts: Bigint Time "when it was measured; null when the profiler kept no time",
        step: Bigint Id "step it belongs to, where the profiler said so",
        epoch: Bigint Id "epoch it belongs to, where the profiler said so",
        resource: Text Name "cpu, gpu, memory, io, network, allocator or training",
        device: Text Name "device measured (cpu5, gpu0); null for the whole machine",
        metric: Text Name "what was measured (utilization, iowait, memory_utilization, ...)",
        value: Double Mixed "the value, in the unit of column unit",
        unit: Text Name "unit of value, as recorded (percent, per_s, bytes_per_s, ...)",
        hook: Text Name "hook that took the measurement, where the profiler said so",
        raw_name: Text Name "name as the profiler wrote it",
        raw_dimension: Text Name "dimension or group as the profiler wrote it",
        entry: Bigint Id "ordinal of the entry of the file, from 0, where one may hold several (row of a CSV file); else null",
    }
}

/// The closed list of `sample.resource`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Processor cores.
    Cpu,
    /// Accelerators.
    Gpu,
    /// Main memory.
    Memory,
    /// Disks.
    Io,
    /// Network.
    Network,
    /// Memory allocator of the framework.
    Allocator,
    /// Scalars of the training: loss, throughput and the like.
    Training,
}

impl Resource {
    /// The word in the column.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Memory => "memory",
            Self::Io => "io",
            Self::Network => "network",
            Self::Allocator => "allocator",
            Self::Training => "training",
        }
    }
}
