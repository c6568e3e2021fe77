//! `problem`: damage and notices.

use super::data_table;

data_table! {
    "problem",
    "One row per kind of damage or notice in a file.",
    Problem, Builder {
        severity: Text Name "notice or warning",
        byte_offset: Bigint Bytes "where the first one stands in the file (uncompressed); null when it has no place",
        kind: Text Name "short name of the kind (bad_line, truncated, ...)",
        message: Text Text "the first one: where, what, what was expected",
        count: Bigint Count "how many of this kind the file has",
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
