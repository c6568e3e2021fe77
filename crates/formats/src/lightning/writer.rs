//! Writes the rows of reports, with the columns that are the same for a file or a report.

use std::sync::Arc;

use crate::table::{Action, Function, Rows};

/// Writes rows, and adds the columns that are the same for all rows of a file or of a report.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) path: Arc<str>,
    pub(super) rank: Option<i64>,
    /// No other folder has a file of this name.
    pub(super) only: bool,
    /// Reports that have begun.
    pub(super) reports: i64,
    pub(super) stage: Option<String>,
    pub(super) actions: i64,
    pub(super) functions: i64,
}

impl Writer {
    pub(super) fn stage(&self) -> Option<&str> {
        self.stage.as_deref()
    }

    /// The rank of the process: what the report says counts before the name of the file.
    pub(super) fn rank(&self, told: Option<i64>) -> Option<i64> {
        told.filter(|_| self.only).or(self.rank)
    }

    pub(super) fn action(&mut self, action: &Action<'_>, rows: &mut Rows) {
        rows.action(&Action {
            rank: action.rank.or(self.rank),
            report: Some(self.reports - 1),
            stage: self.stage.as_deref(),
            row: self.actions,
            ..*action
        });
        self.actions += 1;
    }

    pub(super) fn function(&mut self, function: &Function<'_>, rows: &mut Rows) {
        rows.function(&Function {
            profile: Some(&self.path),
            profiler: Some(super::ADVANCED.name),
            report: Some(self.reports - 1),
            row: self.functions,
            ..*function
        });
        self.functions += 1;
    }
}
