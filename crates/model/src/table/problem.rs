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
        class: Text Name "corrupt, incomplete, not_read or note",
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

words!(
    /// The closed list of `problem.class`.
    Class {
        /// Bytes or values are not what the format allows.
        Corrupt = "corrupt",
        /// The file or the recording ended too early, or a part of it is missing.
        Incomplete = "incomplete",
        /// Valid data from which no rows are made.
        NotRead = "not_read",
        /// Nothing is wrong with the file.
        Note = "note",
    }
);

impl Class {
    /// The class of a kind of problem. A warning of another kind is corruption.
    pub(super) fn new(kind: &str, severity: Severity) -> Self {
        match kind {
            "truncated" | "incomplete" | "unclosed" | "end_without_begin" | "no_end" | "lost" | "total_batches"
            | "bad_total_time" | "no_batch" => Self::Incomplete,
            "pytorch_profiler" | "many_files" | "many_graphs" | "many_steps" | "many_waits" | "unknown_kind"
            | "no_load_time" | "version" | "copy" | "denied" => Self::NotRead,
            _ if kind.starts_with("not_read:") => Self::NotRead,
            // Read without a loss, or a message of the recorder.
            "repaired" | "decimal_comma" | "late_base" | "late_rank" | "duplicate_column" | "unknown_type"
            | "unknown_resource" | "overlap" => Self::Note,
            _ if kind.starts_with("nsys_diagnostic_") => Self::Note,
            _ => match severity {
                Severity::Warning => Self::Corrupt,
                Severity::Notice => Self::Note,
            },
        }
    }
}
