//! `sample`: measurements of resources and scalars.

use super::data_table;

data_table! {
    "sample",
    "One row per measurement of a resource or of a scalar of the training.",
    Sample, Builder {
        ts: Bigint Time "time of the measurement; null if the profiler recorded no time",
        step: Bigint Id "step it belongs to, if the profiler recorded it",
        epoch: Bigint Id "epoch it belongs to, if the profiler recorded it",
        resource: Text Name "cpu, gpu, memory, io, network, allocator or training",
        device: Text Name "device measured (cpu5, gpu0); null for the whole machine",
        metric: Text Name "what was measured (utilization, iowait, memory_utilization, ...)",
        value: Double Mixed "the value, in the unit of column unit",
        unit: Text Name "unit of value, as recorded (percent, per_s, bytes_per_s, ...)",
        hook: Text Name "hook that took the measurement, if the profiler recorded it",
        raw_name: Text Name "name as the profiler wrote it",
        raw_dimension: Text Name "dimension or group as the profiler wrote it",
        entry: Bigint Id "ordinal of the entry in the file, from 0, if an entry can have several measurements (row of a CSV file); else null",
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
