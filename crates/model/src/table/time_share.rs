//! `time_share`: what the ranks of each run spent their time on, from the manifests.

use super::{Table, columns};

/// One row per rank of a run. The rows come from the manifests, not from Parquet data files.
pub static TIME_SHARE: Table = Table {
    name: "time_share",
    doc: "One row per rank: shares of its time, computed at ingest (`job.time_shares`). `job.verdict` judges them.",
    own_columns: columns! {
        run: Text Id "run the rank belongs to",
        node: Text Id "machine, as the profiler named it; null when unknown",
        rank: Bigint Id "global rank of the process; null when unknown",
        measure: Text Name "origin of `input_ratio`: exclusive, rest, all or report; null when no waiting was recorded",
        device: Text Name "origin of `compute_ratio`: kernels, samples or cpu; null when nothing is known of a device",
        steps: Bigint Count "steps, batches or samples that the shares rest on; null when unknown",
        dur: Bigint Ns "time that the shares are of; null when unknown",
        input_ratio: Double Ratio "share of waiting for data; null when unknown",
        compute_ratio: Double Ratio "share in which the device worked; null when unknown",
        communication_ratio: Double Ratio "share in which only collectives ran; null when unknown",
        host_ratio: Double Ratio "share in which the device waited for the host; null when unknown",
        gpu_utilization: Double Ratio "mean share of time in which the GPU was busy; null without samples",
    },
    derived_columns: &[],
    has_keys: false,
};
