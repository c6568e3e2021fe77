//! `allocation`: events of a memory allocator.

use super::data_table;

data_table! {
    "allocation",
    "One row per event of a memory allocator.",
    Allocation, Builder {
        span: Bigint Id "recording of the process within the run, from 0",
        ts: Bigint Time "time of the event",
        device: Text Name "device that has the memory",
        address: Bigint Id "address",
        bytes: Bigint Bytes "bytes allocated, negative when freed",
        allocated_bytes: Bigint Bytes "bytes in use afterwards",
        reserved_bytes: Bigint Bytes "bytes that the allocator has reserved afterwards",
    }
}
