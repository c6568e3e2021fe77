//! `run`: the runs of a lake, from their manifests.

use super::{Table, column};
use crate::unit::{Type, Unit};

/// One row per run; its rows come from the manifests, not from Parquet parts.
pub static RUN: Table = Table {
    name: "run",
    doc: "One row per run.",
    own: &[
        column("run", Type::Text, Unit::Id, "name of the run"),
        column("sources", Type::Text, Unit::Json, "list of the addresses its objects came from"),
        column("framework", Type::Text, Unit::Name, "framework that wrote the profile"),
        column("profilers", Type::Text, Unit::Text, "formats of its objects, comma separated"),
        column("nodes", Type::Bigint, Unit::Count, "machines seen"),
        column("ranks", Type::Bigint, Unit::Count, "ranks seen; null when none is known"),
        column("started", Type::Bigint, Unit::Time, "earliest time in the profile"),
        column("ended", Type::Bigint, Unit::Time, "latest time in the profile"),
        column("objects", Type::Bigint, Unit::Count, "files read"),
        column("bytes", Type::Bigint, Unit::Bytes, "bytes of these files"),
        column("ingested_at", Type::Bigint, Unit::Time, "when it was last ingested"),
        column("steps", Type::Bigint, Unit::Count, "key figure: distinct steps over all modes"),
        column("step_p50", Type::Double, Unit::Ns, "key figure: median step of the main mode"),
        column("step_p95", Type::Double, Unit::Ns, "key figure: 95th percentile of that"),
        column("loader_ratio", Type::Double, Unit::Ratio, "key figure: waiting for data over waiting and stepping"),
        column("gpu_percent", Type::Double, Unit::Percent, "key figure: mean GPU utilization"),
        column(
            "verdict",
            Type::Text,
            Unit::Text,
            "key figure: what the figures say the run was bound by; `job.verdict` looks closer",
        ),
        column("catalog_version", Type::Text, Unit::Name, "catalog that made the key figures; null before"),
        column("gpus", Type::Bigint, Unit::Count, "key figure: devices that worked or were measured"),
        column("recorded_s", Type::Double, Unit::S, "key figure: time that recordings cover"),
        column("gpu_s", Type::Double, Unit::S, "key figure: that time summed over the devices, GPU-seconds"),
        column("idle_s", Type::Double, Unit::S, "key figure: GPU-seconds without computing and copying"),
        column(
            "idle_loader_s",
            Type::Double,
            Unit::S,
            "key figure: of these, while the process waited for data; at most",
        ),
        column("idle_communication_s", Type::Double, Unit::S, "key figure: of these, in communication alone"),
        column("idle_other_s", Type::Double, Unit::S, "key figure: of these, all else: the host, or nothing to do"),
        column(
            "attributes",
            Type::Text,
            Unit::Json,
            "tags, and what the profile says of the whole run (`job.attributes`)",
        ),
    ],
    keyed: false,
};
