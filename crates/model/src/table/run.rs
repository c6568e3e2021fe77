//! `run`: the runs of a lake, from their manifests.

use super::{Table, column};
use crate::unit::{Type, Unit};

/// One row per run. The rows come from the manifests, not from Parquet data files.
pub static RUN: Table = Table {
    name: "run",
    doc: "One row per run.",
    own_columns: &[
        column("run", Type::Text, Unit::Id, "name of the run"),
        column("sources", Type::Text, Unit::Json, "list of the addresses its objects came from"),
        column("framework", Type::Text, Unit::Name, "framework that wrote the profile"),
        column("profilers", Type::Text, Unit::Text, "formats of its objects, comma separated"),
        column("nodes", Type::Bigint, Unit::Count, "number of machines"),
        column("ranks", Type::Bigint, Unit::Count, "number of ranks; null if none is known"),
        column("started", Type::Bigint, Unit::Time, "earliest time in the profile, of files with an epoch"),
        column("ended", Type::Bigint, Unit::Time, "latest time in the profile, of files with an epoch"),
        column("objects", Type::Bigint, Unit::Count, "files read"),
        column("bytes", Type::Bigint, Unit::Bytes, "bytes of these files"),
        column("ingested_at", Type::Bigint, Unit::Time, "when it was last ingested"),
        column("steps", Type::Bigint, Unit::Count, "key metric: distinct steps over all modes"),
        column("step_p50", Type::Double, Unit::Ns, "key metric: median step of the main mode"),
        column("step_p95", Type::Double, Unit::Ns, "key metric: 95th percentile step of the main mode"),
        column(
            "loader_ratio",
            Type::Double,
            Unit::Ratio,
            "key metric: time waiting for data / (time waiting for data + time in steps)",
        ),
        column("gpu_utilization", Type::Double, Unit::Ratio, "key metric: mean GPU utilization"),
        column(
            "verdict",
            Type::Text,
            Unit::Name,
            "key metric: what the run was bound by, from the key metrics; `job.verdict` is more detailed",
        ),
        column(
            "catalog_version",
            Type::Text,
            Unit::Name,
            "version of the catalog that computed the key metrics; null before they are computed",
        ),
        column("gpus", Type::Bigint, Unit::Count, "key metric: devices with recorded work or measurements"),
        column("recorded_s", Type::Double, Unit::S, "key metric: time that the recordings cover"),
        column("gpu_s", Type::Double, Unit::S, "key metric: `recorded_s` summed over the devices, GPU-seconds"),
        column("idle_s", Type::Double, Unit::S, "key metric: GPU-seconds without compute or copies"),
        column(
            "idle_loader_s",
            Type::Double,
            Unit::S,
            "key metric: upper bound of the part of `idle_s` while the process waited for data",
        ),
        column("idle_communication_s", Type::Double, Unit::S, "key metric: part of `idle_s` in communication alone"),
        column(
            "idle_other_s",
            Type::Double,
            Unit::S,
            "key metric: rest of `idle_s`: waiting for the host, or no work to do",
        ),
        column(
            "attributes",
            Type::Text,
            Unit::Json,
            "tags, and attributes of the whole run from the profile (`job.attributes`)",
        ),
        column(
            "has_epoch",
            Type::Boolean,
            Unit::Flag,
            "whether all its times count from the Unix epoch (`object.has_epoch`); null without times",
        ),
    ],
    has_keys: false,
};
