//! `diagnose`: the findings of runs, the most severe first, below the verdict of each run.

use std::collections::BTreeMap;
use std::fmt;

use super::missing::missing_data;
use crate::amount::amount;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::session::{Runs, Session, Value};
use crate::unit::Unit;

/// The verdicts and findings of some runs.
#[derive(Debug)]
pub struct Diagnosis {
    /// The verdict of each run, sorted by the name of the run.
    pub verdicts: Vec<Verdict>,
    /// All findings of each run: first those found, then those without data, then those that passed. Of those found,
    /// critical ones that are not about time come first, then the others by decreasing potential saving.
    pub findings: Vec<Finding>,
    /// The findings as a table: one row per run and finding, in the same order, with the columns of `diagnosis`.
    pub frame: Frame,
}

/// What limits the speed of a run, in one line (query `job.verdict`).
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Name of the run.
    pub run: String,
    /// input-bound, compute-bound, communication-bound, host-bound, mixed or no_data.
    pub verdict: String,
    /// A sentence with the numbers that decided.
    pub sentence: String,
    /// What to record for the checks without data, in one line. None if all had data.
    pub missing_data: Option<String>,
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The finding holds.
    Found,
    /// The finding does not hold.
    Passed,
    /// The profile does not have the data that the check needs.
    NoData,
}

impl Outcome {
    /// Returns the word in column `outcome` of `diagnosis`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Passed => "passed",
            Self::NoData => "no_data",
        }
    }
}

/// One finding of a run: a row of `diagnosis`.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Name of the run.
    pub run: String,
    /// Name of the finding.
    pub id: String,
    /// Found, passed or no data.
    pub outcome: Outcome,
    /// notice, warning or critical; None unless found.
    pub severity: Option<String>,
    /// Confidence in the finding: low, medium or high.
    pub confidence: Option<String>,
    /// What was found, why the check passed, or which data is missing and how to record it.
    pub sentence: String,
    /// The quantity that was judged.
    pub value: Option<f64>,
    /// The limit it was compared with.
    pub threshold: Option<f64>,
    /// Source of the limits.
    pub threshold_source: String,
    /// Number of steps, batches or samples that were measured.
    pub steps: Option<i64>,
    /// Upper bound of the time that the remedy can save, ns.
    pub potential_saving: Option<i64>,
    /// The potential saving over the time that it is a part of.
    pub saving_ratio: Option<f64>,
    /// Cause of the finding.
    pub cause: String,
    /// The finding of the same run that explains this one.
    pub explained_by: Option<String>,
    /// The finding with the remedy, if another one explains this one: the last of those that explain each other.
    pub(crate) remedy_in: Option<String>,
    /// What to do about it. None unless found, if another finding explains it, or if it can save at most 5 % of the time.
    pub recommendation: Option<String>,
    /// Canned queries that return the evidence.
    pub evidence: Vec<String>,
}

impl Finding {
    /// Returns the evidence: each query of `evidence` with its rows of the run.
    ///
    /// # Errors
    /// As [`Session::query_runs`].
    pub fn rows(&self, session: &Session) -> Result<Vec<(String, Frame)>> {
        let rows = |name: &String| Ok((name.clone(), session.query_runs(name, &self.run, ())?));
        self.evidence.iter().map(rows).collect()
    }

    /// Returns what to do about the finding, or why nothing is recommended. Empty unless found.
    pub fn what_to_do(&self) -> String {
        match (&self.recommendation, &self.remedy_in) {
            (Some(recommendation), _) => recommendation.clone(),
            (None, Some(id)) => format!("see {id}, which explains it"),
            (None, None) if self.outcome == Outcome::Found => {
                "nothing, because the potential saving is small".to_owned()
            }
            (None, None) => String::new(),
        }
    }

    /// Returns the potential saving with its unit and its share of the time; None if it is unknown.
    pub(crate) fn saving(&self) -> Option<String> {
        let saving = amount(self.potential_saving? as f64, Some(Unit::Ns));
        Some(match self.saving_ratio {
            Some(ratio) => format!("{saving} ({:.1} % of the time)", 100.0 * ratio),
            None => saving,
        })
    }

    /// Returns true if the finding was found and is critical.
    pub fn is_critical(&self) -> bool {
        self.severity.as_deref() == Some("critical")
    }
}

impl Diagnosis {
    /// Returns true if any finding is critical.
    pub fn is_critical(&self) -> bool {
        self.findings.iter().any(Finding::is_critical)
    }
}

impl Session {
    /// Reports what is slow in these runs, why, how sure that is, and which checks had no data. Without names it covers
    /// all runs.
    ///
    /// `thresholds` is TOML with parameters of findings that differ from their defaults: a table `[load_share_high]` with
    /// the line `critical = 0.4`. An empty text changes none.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument for thresholds that are not TOML, or that name an unknown finding or
    /// parameter.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// let diagnosis = s.diagnose(&["first_look"], "")?;
    /// assert_eq!(diagnosis.verdicts[0].run, "first_look");
    /// let load = diagnosis.findings.iter().find(|finding| finding.id == "load_share_high").unwrap();
    /// assert!(load.sentence.contains(" is spent waiting for data"));
    /// assert!(load.rows(&s)?[0].1.len()? > 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn diagnose(&self, runs: impl Into<Runs>, thresholds: &str) -> Result<Diagnosis> {
        let runs = runs.into();
        if runs.selected().is_some_and(<[String]>::is_empty) {
            return Err(Error::new(ErrorKind::Argument, "cannot diagnose runs: no run is named"));
        }
        let runs = self.select_runs(runs.selected())?;
        let runs = runs.as_deref();
        let list = |runs: &[String]| runs.iter().map(|run| Value::from(run.as_str()).to_string()).collect::<Vec<_>>();
        let filter = runs.map_or_else(String::new, |runs| format!("WHERE run IN ({})", list(runs).join(", ")));
        let frame = self.sql(&format!(
            "SELECT * FROM diagnosis({}) {filter} ORDER BY run, {OUTCOMES}, {FIRST}, potential_saving DESC NULLS LAST, {SEVERITIES}, id",
            Value::from(thresholds)
        ))?;
        let findings = findings(&frame)?;
        let verdicts = verdicts(&self.query_runs("job.verdict", runs, ())?, &findings)?;
        Ok(Diagnosis { verdicts, findings, frame })
    }
}

/// Sort order of outcomes: found first, then without data, then passed.
const OUTCOMES: &str = "CASE outcome WHEN 'found' THEN 0 WHEN 'no_data' THEN 1 ELSE 2 END";

/// Sort order of findings: critical ones that are not about time first, such as a lack of memory.
const FIRST: &str = "(potential_saving IS NULL AND coalesce(severity, '') = 'critical') DESC";

/// Sort order of severities: critical first.
const SEVERITIES: &str = "CASE severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 WHEN 'notice' THEN 2 ELSE 3 END";

fn verdicts(frame: &Frame, findings: &[Finding]) -> Result<Vec<Verdict>> {
    let verdict = |row| {
        let text = |name| frame.value::<String>(row, name).map(Option::unwrap_or_default);
        let run = text("run")?;
        let is_missing = |finding: &&Finding| finding.run == run && finding.outcome == Outcome::NoData;
        let missing_data = missing_data(findings.iter().filter(is_missing).map(|finding| finding.sentence.as_str()));
        Ok(Verdict { run, verdict: text("verdict")?, sentence: text("sentence")?, missing_data })
    };
    (0..frame.len()?).map(verdict).collect()
}

fn findings(frame: &Frame) -> Result<Vec<Finding>> {
    // A frame does not cache a very large result: it would run the query for each value.
    let rows = Frame::from_batch(frame.batch()?);
    let finding = |row| {
        let optional_text = |name| rows.value::<String>(row, name);
        let text = |name| optional_text(name).map(Option::unwrap_or_default);
        let outcome = match optional_text("outcome")?.as_deref() {
            Some("found") => Outcome::Found,
            Some("passed") => Outcome::Passed,
            Some("no_data") => Outcome::NoData,
            other => return Err(Error::new(ErrorKind::Internal, format!("a finding has the outcome {other:?}"))),
        };
        Ok(Finding {
            run: text("run")?,
            id: text("id")?,
            outcome,
            severity: optional_text("severity")?,
            confidence: optional_text("confidence")?,
            sentence: text("sentence")?,
            value: rows.value(row, "value")?,
            threshold: rows.value(row, "threshold")?,
            threshold_source: text("threshold_source")?,
            steps: rows.value(row, "steps")?,
            potential_saving: rows.value(row, "potential_saving")?,
            saving_ratio: rows.value(row, "saving_ratio")?,
            cause: text("cause")?,
            explained_by: optional_text("explained_by")?,
            remedy_in: None,
            recommendation: optional_text("recommendation")?,
            evidence: text("evidence")?.split(", ").map(str::to_owned).collect(),
        })
    };
    let mut findings: Vec<Finding> = (0..rows.len()?).map(finding).collect::<Result<_>>()?;
    let explained_by: BTreeMap<(String, String), String> = findings
        .iter()
        .filter_map(|finding| Some(((finding.run.clone(), finding.id.clone()), finding.explained_by.clone()?)))
        .collect();
    for finding in &mut findings {
        let next = |id: &String| explained_by.get(&(finding.run.clone(), id.clone())).cloned();
        // Findings that explain each other in a circle would have no end.
        finding.remedy_in = std::iter::successors(finding.explained_by.clone(), next).take(explained_by.len()).last();
    }
    Ok(findings)
}

impl fmt::Display for Diagnosis {
    /// Writes the verdict of each run, its findings with causes, how many checks passed, and what to record for the others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, verdict) in self.verdicts.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{}: {}: {}", verdict.run, verdict.verdict, verdict.sentence)?;
            let run_findings = || self.findings.iter().filter(|finding| finding.run == verdict.run);
            for finding in run_findings().filter(|finding| finding.outcome == Outcome::Found) {
                let saving = finding.saving().map(|saving| format!(", potential saving up to {saving}"));
                let (severity, sentence) = (finding.severity.as_deref().unwrap_or_default(), &finding.sentence);
                writeln!(f, "  {severity:<9}{sentence} ({}{})", finding.id, saving.unwrap_or_default())?;
                writeln!(f, "           cause: {}; remedy: {}", finding.cause, finding.what_to_do())?;
            }
            let passed = run_findings().filter(|finding| finding.outcome == Outcome::Passed).count();
            writeln!(f, "  {passed} checks passed")?;
            if let Some(missing) = &verdict.missing_data {
                writeln!(f, "  {missing}")?;
            }
        }
        Ok(())
    }
}
