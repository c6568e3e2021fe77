//! Two runs, or groups of them, side by side.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::frame::Frame;
use crate::session::{Session, Value};
use crate::statistics::{CONFIDENCE, NOISE};

/// How to compare; see [`Session::compare_with`].
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// Only this recording of the runs of side a.
    pub a_span: Option<i64>,
    /// Only this recording of the runs of side b.
    pub b_span: Option<i64>,
    /// Assumed standard deviation between runs of the same code, divided by the value. Counts as if measured on five runs.
    pub noise: f64,
    /// Confidence level of the intervals, between 0 and 1.
    pub confidence: f64,
    /// Number of operators and kernels to report, those with the largest changes.
    pub top: i64,
}

impl Default for Compare {
    fn default() -> Self {
        Self { a_span: None, b_span: None, noise: NOISE, confidence: CONFIDENCE, top: 20 }
    }
}

impl Session {
    /// What changed from a to b: see [`Session::compare_with`].
    ///
    /// # Errors
    /// As [`Session::compare_with`].
    pub fn compare(&self, a: &str, b: &str) -> Result<Frame> {
        self.compare_with(&[a], &[b], &Compare::default())
    }

    /// What changed from one group of runs to another, and by how much: canned query `change.report`. Names are those of
    /// [`Session::group`]: runs, baselines, patterns and conditions on attributes.
    ///
    /// # Shape
    /// One row per thing that is compared (steps, roles, loader, utilization, memory, operators, kernels) and statistic of it; first
    /// what is no part of a step, then by `contribution`, the greatest first.
    ///
    /// # Units
    /// `a`, `b` and `change` are in the unit of column `unit`; `contribution` is ns of a step.
    ///
    /// # Errors
    /// NotFound for a name that stands for no run; Query for a noise or a confidence that cannot be one, when rows are read.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// let same = s.compare("first_look", "first_look")?;
    /// assert!(same.rows()? > 0);
    /// assert!(same.column::<f64>("change")?.iter().flatten().all(|change| *change == 0.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn compare_with(&self, a: &[&str], b: &[&str], how: &Compare) -> Result<Frame> {
        let span = |span: Option<i64>| span.map_or(Value::Null, Value::Bigint);
        let values = BTreeMap::from([
            ("a".to_owned(), Value::from(self.select(a)?)),
            ("b".to_owned(), Value::from(self.select(b)?)),
            ("a_span".to_owned(), span(how.a_span)),
            ("b_span".to_owned(), span(how.b_span)),
            ("noise".to_owned(), how.noise.into()),
            ("confidence".to_owned(), how.confidence.into()),
            ("top".to_owned(), how.top.into()),
        ]);
        self.query_runs("change.report", None, &values)
    }
}
