//! `problem`: corrupt entries and notices.

use super::{data_table, words};

data_table! {
    "problem",
    "One row per kind of problem or notice in a file.",
    Problem, Builder {
        severity: Text Name "notice or warning",
        byte_offset: Bigint Bytes "position of the first one in the file (uncompressed); null if it has no position",
        kind: Text Name "short name of the kind (bad_line, truncated, ...)",
        message: Text Text "the first one: its position, what was found and what was expected",
        count: Bigint Count "number of problems of this kind in the file",
    }
}

words!(
    /// The closed list of `problem.severity`.
    Severity {
        /// Information; no data was lost.
        Notice = "notice",
        /// Data was lost, repaired or guessed.
        Warning = "warning",
    }
);
