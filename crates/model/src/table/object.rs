//! `object`: the files of a run, from its manifest.

use super::{Table, columns};

/// One row per file of a run. The rows come from the manifests, not from Parquet data files.
pub static OBJECT: Table = Table {
    name: "object",
    doc: "One row per file that was found in the sources of a run.",
    own_columns: columns! {
        run: Text Id "run the file belongs to",
        object: Bigint Id "number of the file within the run",
        source: Text Url "address that was ingested",
        url: Text Url "address of the file",
        etag: Text Text "version tag of the file in the store",
        bytes: Bigint Bytes "size in the store",
        modified: Bigint Time "when it was last written",
        format: Text Name "format it was read as; null if it was not read",
        format_version: Bigint Id "version of the decoder",
        recording: Bigint Id "ordinal of the recording within its process, from 0; null if recordings are not separate files",
        rows: Text Json "number of rows read from the file, by table",
        skipped: Bigint Count "entries skipped, see table problem",
        repaired: Bigint Count "corrupt entries that were read anyway",
        error: Text Text "reason it was not read; null if it was read",
        started: Bigint Time "earliest `ts` of its rows",
        ended: Bigint Time "latest end of its rows",
        has_epoch: Boolean Flag "true if `ts` of its rows counts from the Unix epoch, false if from the first event; null without times",
        clock_start: Bigint Ns "time of the first event on the clock of the recording; null with an epoch",
    },
    derived_columns: &[],
    has_keys: false,
};
