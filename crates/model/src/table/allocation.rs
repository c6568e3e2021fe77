//! `allocation`: events of a memory allocator.

use super::data_table;

data_table! {
    "allocation",
    "One row per event of a memory allocator.",
    Allocation, Builder {
        span: Bigint Id "recording of the rank within the run, from 0; other processes of a file: `object`, and their ordinal from bit 32 on",
        ts: Bigint Time "time of the event",
        device: Text Name "device of the memory (cpu, gpu0)",
        address: Bigint Id "address of the block",
        bytes: Bigint Bytes "bytes allocated, negative when freed",
        allocated_bytes: Bigint Bytes "bytes in use on the device after the event; for nsys, the sum over the events of the process",
        reserved_bytes: Bigint Bytes "bytes that the allocator has reserved after the event; null from nsys",
    }
}
