//! `problem`: damage and notices.

use super::data_table;

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

/// The closed list of `problem.severity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Worth knowing; no data was lost.
    Notice,
    /// Data was lost, repaired or guessed.
    Warning,
}

impl Severity {
    /// The word in the column.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Warning => "warning",
        }
    }
}
