//! `object`: the files of a run, from its manifest.

use super::{Table, column};
use crate::unit::{Type, Unit};

/// One row per file of a run. The rows come from the manifests, not from Parquet data files.
pub static OBJECT: Table = Table {
    name: "object",
    doc: "One row per file that was found in the sources of a run.",
    own_columns: &[
        column("run", Type::Text, Unit::Id, "run the file belongs to"),
        column("object", Type::Bigint, Unit::Id, "number of the file within the run"),
        column("source", Type::Text, Unit::Url, "address that was ingested"),
        column("url", Type::Text, Unit::Url, "address of the file"),
        column("etag", Type::Text, Unit::Text, "version tag of the file in the store"),
        column("bytes", Type::Bigint, Unit::Bytes, "size in the store"),
        column("modified", Type::Bigint, Unit::Time, "when it was last written"),
        column("format", Type::Text, Unit::Name, "format it was read as; null if it was not read"),
        column("format_version", Type::Bigint, Unit::Id, "version of the decoder"),
        column(
            "recording",
            Type::Bigint,
            Unit::Id,
            "ordinal of the recording within its process, from 0; null if recordings are not separate files",
        ),
        column("rows", Type::Text, Unit::Json, "number of rows read from the file, by table"),
        column("skipped", Type::Bigint, Unit::Count, "entries skipped, see table problem"),
        column("repaired", Type::Bigint, Unit::Count, "corrupt entries that were read anyway"),
        column("error", Type::Text, Unit::Text, "reason it was not read; null if it was read"),
        column("started", Type::Bigint, Unit::Time, "earliest `ts` of its rows"),
        column("ended", Type::Bigint, Unit::Time, "latest end of its rows"),
        column(
            "has_epoch",
            Type::Boolean,
            Unit::Flag,
            "true if `ts` of its rows counts from the Unix epoch, false if from the first event; null without times",
        ),
        column(
            "clock_start",
            Type::Bigint,
            Unit::Ns,
            "time of the first event on the clock of the recording; null with an epoch",
        ),
    ],
    has_keys: false,
};
