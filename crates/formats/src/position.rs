//! Position in a file: line and byte, and their text in messages.

use std::fmt;

use tracelake_model::amount::group_digits;

use crate::table::{Rows, Severity};

/// Start of a line or event: line number from 1, and byte offset from 0 in the decompressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: u64,
    pub(super) offset: u64,
}

impl Position {
    /// The first byte of a file.
    pub(super) const START: Self = Self { line: 1, offset: 0 };

    /// The position after these bytes, which start here.
    pub(super) fn after(self, bytes: &[u8]) -> Self {
        let lines: u64 = bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum();
        Self { line: self.line + lines, offset: self.offset + bytes.len() as u64 }
    }

    /// The value of column `byte_offset` of `problem`.
    pub(super) fn byte(self) -> Option<i64> {
        i64::try_from(self.offset).ok()
    }

    /// Counts one skipped entry at this position and reports why.
    pub(super) fn skip<M: fmt::Display>(self, rows: &mut Rows, kind: &str, message: impl FnOnce() -> M) {
        rows.skip(kind, self.byte(), || format!("{self}: {}", message()));
    }

    /// Counts one corrupt entry at this position that was repaired.
    pub(super) fn repair<M: fmt::Display>(self, rows: &mut Rows, kind: &str, message: impl FnOnce() -> M) {
        rows.repair(kind, self.byte(), || format!("{self}: {}", message()));
    }

    /// Reports a warning about this position.
    pub(super) fn warn<M: fmt::Display>(self, rows: &mut Rows, kind: &str, message: impl FnOnce() -> M) {
        rows.problem(Severity::Warning, kind, self.byte(), || format!("{self}: {}", message()));
    }

    /// Reports a notice about this position.
    pub(super) fn notice<M: fmt::Display>(self, rows: &mut Rows, kind: &str, message: impl FnOnce() -> M) {
        rows.problem(Severity::Notice, kind, self.byte(), || format!("{self}: {}", message()));
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::START
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} (byte {})", self.line, group_digits(self.offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_grouped() {
        let text = |offset| Position { line: 48213, offset }.to_string();
        assert_eq!(text(9_120_331), "line 48213 (byte 9,120,331)");
        assert_eq!(text(120), "line 48213 (byte 120)");
        assert_eq!(text(1_000), "line 48213 (byte 1,000)");
    }
}
