//! `run`: the runs of a lake, from their manifests.

use super::{Table, columns};

/// One row per run. The rows come from the manifests, not from Parquet data files.
pub static RUN: Table = Table {
    name: "run",
    doc: "One row per run.",
    own_columns: columns! {
        run: Text Id "name of the run",
        sources: Text Json "list of the addresses its objects came from",
        framework: Text Name "framework that wrote the profile",
        profilers: Text Text "formats of its objects, comma separated",
        nodes: Bigint Count "number of machines",
        ranks: Bigint Count "number of ranks; null if none is known",
        started: Bigint Time "earliest time in the profile; null without an epoch",
        ended: Bigint Time "latest time in the profile; null without an epoch",
        objects: Bigint Count "files read",
        bytes: Bigint Bytes "bytes of these files",
        ingested_at: Bigint Time "when it was last ingested",
        steps: Bigint Count "key metric: distinct steps over all modes",
        step_p50: Double Ns "key metric: median step of the main mode",
        step_p95: Double Ns "key metric: 95th percentile step of the main mode",
        loader_ratio: Double Ratio "key metric: time waiting for data / (time waiting for data + time in steps)",
        gpu_utilization: Double Ratio "key metric: mean GPU utilization",
        verdict: Text Name "key metric: what the run was bound by (`job.verdict`); null if an older version computed it",
        catalog_version: Text Name "version of the catalog that computed the key metrics; null before they are computed",
        gpu_source: Text Name "key metric: origin of `gpus` to `idle_other_s`: samples or kernels; null without devices",
        gpus: Bigint Count "key metric: devices with recorded work or measurements",
        recorded_s: Double S "key metric: time that the recordings cover",
        gpu_s: Double S "key metric: `recorded_s` summed over the devices, GPU-seconds",
        idle_s: Double S "key metric: GPU-seconds without compute or copies",
        idle_loader_s: Double S "key metric: upper bound of the part of `idle_s` while the process waited for data",
        idle_communication_s: Double S "key metric: part of `idle_s` in communication alone",
        idle_other_s: Double S "key metric: rest of `idle_s`: waiting for the host, or no work to do",
        attributes: Text Json "tags, and attributes of the whole run from the profile (`job.attributes`)",
        first_ts: Bigint Time "earliest `ts` of its rows: `started`, or a time on the clock of recordings without an epoch",
        last_ts: Bigint Time "latest end of its rows on the same clock",
        has_epoch: Boolean Flag "whether all its times count from the Unix epoch (`object.has_epoch`); null without times",
    },
    derived_columns: &[],
    has_keys: false,
};
