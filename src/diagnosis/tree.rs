//! The decision tree of PyTorch's data-loading tutorial, with the path of each run marked.

use std::fmt;

use super::Diagnosis;
use crate::error::Result;
use crate::frame::Frame;
use crate::session::Session;

/// The decision tree of each run of a diagnosis (query `job.decision_tree`). Its text has the tree under the verdict
/// of the run.
#[derive(Debug)]
pub struct DecisionTree {
    /// One row per run and line of the tree, in this order: `mark` is holds, not or unknown, `drawn` is the line as text.
    pub frame: Frame,
    text: String,
}

impl Diagnosis {
    /// Returns the decision tree of these runs. A diagnosis does not compute it, so that it stays fast. The limits are
    /// parameters of query `job.decision_tree`.
    ///
    /// # Errors
    /// NotFound when a run was removed in the meantime; any error of the query.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// let tree = s.diagnose(&["first_look"], "")?.tree(&s)?;
    /// assert_eq!(tree.frame.len()?, 11);
    /// assert_eq!(tree.frame.value::<String>(0, "text")?.as_deref(), Some("GPU utilization low?"));
    /// assert!(tree.to_string().contains("? workers timing out? (not enough data: needs "));
    /// # Ok(())
    /// # }
    /// ```
    pub fn tree(&self, session: &Session) -> Result<DecisionTree> {
        let runs: Vec<String> = self.verdicts.iter().map(|verdict| verdict.run.clone()).collect();
        let frame = session.query_runs("job.decision_tree", runs, ())?;
        let lines: Vec<_> = frame.column::<String>("run")?.into_iter().zip(frame.column::<String>("drawn")?).collect();
        let mut text = Vec::new();
        for verdict in &self.verdicts {
            text.push(format!("{}: {}: {}", verdict.run, verdict.verdict, verdict.sentence));
            let run_lines = lines.iter().filter(|(run, _)| run.as_ref() == Some(&verdict.run));
            text.extend(run_lines.map(|(_, line)| format!("  {}", line.as_deref().unwrap_or_default())));
        }
        Ok(DecisionTree { frame, text: text.join("\n") })
    }
}

impl fmt::Display for DecisionTree {
    /// Writes the verdict of each run and below it its tree. `>` marks a line that holds, `?` one that is unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
