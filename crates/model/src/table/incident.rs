//! `incident`: failures and slow items of the job itself.

use super::data_table;

data_table! {
    "incident",
    "One row per failure or slow item in the job.",
    Incident, Builder {
        ts: Bigint Time "time of the incident",
        kind: Text Name "worker_timeout, worker_exit, out_of_memory, exception or slow_item",
        message: Text Text "message, as recorded",
        worker: Bigint Id "worker number",
        item: Bigint Id "index of the item",
        step: Bigint Id "step",
    }
}
