//! `device`: the hardware of a run.

use super::data_table;

data_table! {
    "device",
    "One row per device or host that a file of a run describes.",
    Device, Builder {
        kind: Text Name "cpu, gpu or another kind",
        device: Text Name "name used in sample and event (cpu5, gpu0)",
        name: Text Name "model name",
        memory_bytes: Bigint Bytes "memory of the device",
        cores: Bigint Count "cores or multiprocessors",
        capability: Text Name "compute capability",
        properties: Text Json "everything else the profiler wrote",
    }
}
