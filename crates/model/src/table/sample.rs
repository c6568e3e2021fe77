//! `sample`: measurements of resources and scalars.

use super::{data_table, words};

data_table! {
    "sample",
    "One row per measurement of a resource or of a scalar of the training.",
    Sample, Builder {
        ts: Bigint Time "time of the measurement; null if the profiler recorded no time",
        step: Bigint Id "step of the measurement, as the profiler counts; null when unknown",
        epoch: Bigint Id "epoch of the measurement, as the profiler counts; null when unknown",
        resource: Text Name "cpu, gpu, memory, io, network, allocator or training",
        device: Text Name "device measured (cpu5, gpu0); null for the whole machine",
        metric: Text Name "what was measured (utilization, iowait, memory_utilization, ...)",
        value: Double Mixed "the value, in the unit of column unit",
        unit: Text Name "unit of value (percent, per_s, bytes_per_s, ...); null when unknown",
        hook: Text Name "callback of the framework that took the measurement (on_train_batch_end); null when unknown",
        raw_name: Text Name "name as the profiler wrote it",
        raw_dimension: Text Name "dimension or group as the profiler wrote it",
        entry: Bigint Id "ordinal of the entry in the file, from 0, if an entry can have several measurements (row of a CSV file); else null",
    }
}

words!(
    /// The closed list of `sample.resource`.
    Resource {
        /// Processor cores.
        Cpu = "cpu",
        /// Accelerators.
        Gpu = "gpu",
        /// Main memory.
        Memory = "memory",
        /// Disks.
        Io = "io",
        /// Network.
        Network = "network",
        /// Memory allocator of the framework.
        Allocator = "allocator",
        /// Scalars of the training: loss, throughput and the like.
        Training = "training",
    }
);
