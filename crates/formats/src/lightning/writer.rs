//! Writes the rows of reports and fills in the columns that are the same for a file or a report.

use std::sync::Arc;

use crate::table::{Action, Function, Rows};

/// Writes rows, and adds the columns that all rows of a file or of a report share.
#[derive(Debug, Default)]
pub(super) struct ReportWriter {
    pub(super) path: Arc<str>,
    pub(super) rank: Option<i64>,
    /// No other folder has a file of this name.
    pub(super) is_unique: bool,
    /// Number of reports that have begun.
    pub(super) reports: i64,
    pub(super) stage: Option<String>,
    pub(super) actions: i64,
    pub(super) functions: i64,
}

impl ReportWriter {
    /// The rank of the process: the number in the report, or else the one in the file name.
    pub(super) fn rank(&self, reported: Option<i64>) -> Option<i64> {
        reported.filter(|_| self.is_unique).or(self.rank)
    }

    pub(super) fn write_action(&mut self, action: &Action<'_>, rows: &mut Rows) {
        rows.action(&Action {
            rank: action.rank.or(self.rank),
            report: Some(self.reports - 1),
            stage: self.stage.as_deref(),
            row: self.actions,
            ..*action
        });
        self.actions += 1;
    }

    pub(super) fn write_function(&mut self, function: &Function<'_>, rows: &mut Rows) {
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
