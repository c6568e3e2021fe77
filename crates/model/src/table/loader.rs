//! `loader`: actions of data loaders.

use super::data_table;

data_table! {
    "loader",
    "One row per action of a data loader.",
    Loader, Builder {
        kind: Text Name "init, next (the training process waits for one batch), end (the call after the last batch of a pass, which returns no batch), worker (lifetime of a worker), item, collate, pass (one whole pass; dur is null if it did not end) or trial (a setting that a search tried; dur is the time per batch over a whole epoch, null if the trial failed)",
        ts: Bigint Time "start; null if no time was recorded",
        dur: Bigint Ns "duration",
        compute_dur: Bigint Ns "compute time of the step after this batch, if the profiler recorded it",
        epoch: Bigint Id "epoch",
        batch: Bigint Id "batch number",
        step: Bigint Id "step",
        item: Bigint Id "index of the item",
        worker: Bigint Id "worker number",
        num_workers: Bigint Count "number of workers",
        prefetch_factor: Bigint Count "batches each worker prepares ahead",
        persistent_workers: Boolean Flag "whether workers outlive an epoch",
        pin_memory: Boolean Flag "whether batches go to pinned memory",
        batch_size: Bigint Count "items in a batch",
        bytes: Bigint Bytes "bytes read; for a trial, the resident memory of the process and its workers",
        pid: Bigint Id "operating system process id",
        loader: Text Name "name of the loader or iterator",
        variant: Text Name "real or ideal, for tools that time a replay",
        batches: Bigint Count "batches of a pass, as the profiler counted them",
        cached_batches: Bigint Count "batches that an ideal pass returned repeatedly",
    }
}
