//! Comparison of two runs, or of two groups of runs.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::frame::Frame;
use crate::session::{Runs, Session, Value};
use crate::statistics::{CONFIDENCE, NOISE};

/// Options of a comparison; see [`Session::compare_with`].
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// Recording of the runs of side a to compare; None: all.
    pub a_span: Option<i64>,
    /// Recording of the runs of side b to compare; None: all.
    pub b_span: Option<i64>,
    /// Assumed standard deviation between runs of the same code, divided by the value. It counts as if measured on
    /// five runs.
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
    /// Compares run or group `b` with run or group `a`: see [`Session::compare_with`].
    ///
    /// # Errors
    /// As [`Session::compare_with`].
    pub fn compare(&self, a: impl Into<Runs>, b: impl Into<Runs>) -> Result<Frame> {
        self.compare_with(a, b, &Compare::default())
    }

    /// Compares two groups of runs: what changed from `a` to `b`, and by how much (canned query `change.report`). Names
    /// are those of [`Session::group`]: runs, baselines, patterns and conditions on attributes.
    ///
    /// # Shape
    /// One row per compared thing (steps, roles, loader, utilization, memory, operators, kernels) and statistic, those that
    /// change a step most first. The title of the frame is the result in one sentence (`change.summary`).
    ///
    /// # Units
    /// `a`, `b` and `change` are in the unit of column `unit`; `contribution` is ns of a step.
    ///
    /// # Errors
    /// NotFound for a name that matches no run; Query for an invalid noise or confidence.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// let same = s.compare("first_look", "first_look")?;
    /// assert!(same.title().unwrap().starts_with("first_look is as fast as first_look"));
    /// assert!(same.len()? > 0);
    /// assert!(same.column::<f64>("change")?.iter().flatten().all(|change| *change == 0.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn compare_with(&self, a: impl Into<Runs>, b: impl Into<Runs>, options: &Compare) -> Result<Frame> {
        let span = |span: Option<i64>| span.map_or(Value::Null, Value::Bigint);
        let (a, b) = (self.select(a)?, self.select(b)?);
        let (label_a, label_b) = (side_label(&a, "a"), side_label(&b, "b"));
        let mut values = BTreeMap::from([
            ("a".to_owned(), Value::from(a)),
            ("b".to_owned(), Value::from(b)),
            ("a_span".to_owned(), span(options.a_span)),
            ("b_span".to_owned(), span(options.b_span)),
            ("noise".to_owned(), options.noise.into()),
            ("confidence".to_owned(), options.confidence.into()),
        ]);
        let summary = self.query_runs("change.summary", (), values.clone())?;
        values.insert("top".to_owned(), options.top.into());
        let changes = self.query_runs("change.report", (), values)?;
        let changes =
            if label_a == label_b { changes } else { changes.with_label("a", &label_a).with_label("b", &label_b) };
        let sentence = if summary.len()? > 0 { summary.value::<String>(0, "sentence")? } else { None };
        Ok(match sentence {
            Some(sentence) => changes.with_title(&sentence),
            None => changes,
        })
    }
}

/// Returns the label of a side: its run, or the number of its runs.
pub(crate) fn side_label(runs: &[String], side: &str) -> String {
    match runs {
        [run] => run.clone(),
        runs => format!("{side} ({} runs)", runs.len()),
    }
}
