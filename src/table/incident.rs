//! `incident`: what went wrong in the job itself.

use super::data_table;

data_table! {
    "incident",
    "One row per thing that went wrong in the job.",
    Incident, Builder {
        ts: Bigint Time "when it happened",
        kind: Text Name "worker_timeout, worker_exit, out_of_memory, exception or slow_item",
        message: Text Text "what was said",
        worker: Bigint Id "worker number",
        item: Bigint Id "index of the item",
        step: Bigint Id "step",
    }
}
