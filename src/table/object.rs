//! `object`: the files of a run, from its manifest.

use super::{Table, column};
use crate::unit::{Type, Unit};

/// One row per file of a run; its rows come from the manifests, not from Parquet parts.
pub static OBJECT: Table = Table {
    name: "object",
    doc: "One row per file that was found in the sources of a run.",
    own: &[
        column("run", Type::Text, Unit::Id, "run the file belongs to"),
        column("object", Type::Bigint, Unit::Id, "number of the file within the run"),
        column("source", Type::Text, Unit::Url, "address that was ingested"),
        column("url", Type::Text, Unit::Url, "address of the file"),
        column("etag", Type::Text, Unit::Text, "version mark the store gave it"),
        column("bytes", Type::Bigint, Unit::Bytes, "size in the store"),
        column("modified", Type::Bigint, Unit::Time, "when it was last written"),
        column("format", Type::Text, Unit::Name, "format it was read as; null when it was not read"),
        column("format_version", Type::Bigint, Unit::Id, "version of the decoder"),
        column(
            "recording",
            Type::Bigint,
            Unit::Id,
            "which recording of its process it is, from 0; null where recordings are no files",
        ),
        column("rows", Type::Text, Unit::Json, "rows it gave, by table"),
        column("skipped", Type::Bigint, Unit::Count, "entries left out, see table problem"),
        column("repaired", Type::Bigint, Unit::Count, "entries damaged and read all the same"),
        column("error", Type::Text, Unit::Text, "why it was not read; null when it was"),
    ],
    keyed: false,
};
