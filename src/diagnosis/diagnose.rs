//! `diagnose`: the findings of runs, the worst first, below the verdict of each run.

use std::collections::BTreeMap;
use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::session::{Session, Value};

/// The verdicts and findings of some runs.
#[derive(Debug)]
pub struct Diagnosis {
    /// What binds each run, by name of the run.
    pub verdicts: Vec<Verdict>,
    /// All findings of each run: those found, the worst first, then those without data, then those that passed.
    pub findings: Vec<Finding>,
    /// The findings as a table: one row per run and finding, in the same order, columns as of `diagnosis`.
    pub frame: Frame,
}

/// What binds a run, in one line (query `job.verdict`).
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Name of the run.
    pub run: String,
    /// input-bound, compute-bound, communication-bound, host-bound, mixed or no_data.
    pub verdict: String,
    /// The line, with the numbers that decided.
    pub sentence: String,
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The finding holds.
    Found,
    /// It does not hold.
    Passed,
    /// What it needs was not recorded.
    NoData,
}

impl Outcome {
    /// The word as it stands in `diagnosis`.
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
    /// notice, warning or critical; none unless found.
    pub severity: Option<String>,
    /// low, medium or high: how much it rests on.
    pub confidence: Option<String>,
    /// What was found, why it is fine, or what is missing and how to record it.
    pub sentence: String,
    /// The quantity that was judged.
    pub value: Option<f64>,
    /// The limit it was compared with.
    pub threshold: Option<f64>,
    /// Where the limits come from.
    pub threshold_source: String,
    /// Steps, batches or samples that it rests on.
    pub steps: Option<i64>,
    /// Upper bound of the time that the remedy can save, ns.
    pub potential_saving: Option<i64>,
    /// Why it is so.
    pub cause: String,
    /// What to do about it.
    pub recommendation: String,
    /// Canned queries whose rows are the evidence.
    pub evidence: Vec<String>,
}

impl Finding {
    /// The rows that the finding rests on: each query of `evidence` with its rows of the run.
    ///
    /// # Errors
    /// As [`Session::query_runs`].
    pub fn rows(&self, session: &Session) -> Result<Vec<(String, Frame)>> {
        let run = std::slice::from_ref(&self.run);
        let rows = |name: &String| Ok((name.clone(), session.query_runs(name, Some(run), &BTreeMap::new())?));
        self.evidence.iter().map(rows).collect()
    }

    /// Whether it is found and critical.
    pub fn is_critical(&self) -> bool {
        self.severity.as_deref() == Some("critical")
    }
}

impl Diagnosis {
    /// Whether something critical is found.
    pub fn is_critical(&self) -> bool {
        self.findings.iter().any(Finding::is_critical)
    }
}

impl Session {
    /// What is slow in these runs, why, how sure that is, and which checks had no data. All runs when none is named.
    ///
    /// `thresholds` is TOML with parameters of findings that differ from their defaults: `[load_share_high]` and below it
    /// `critical = 0.4`; an empty text changes none.
    ///
    /// # Errors
    /// NotFound for an unknown run, Argument for thresholds that are no TOML or name a finding or parameter that is not there.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// let diagnosis = s.diagnose(&["first_look"], "")?;
    /// assert_eq!(diagnosis.verdicts[0].run, "first_look");
    /// let load = diagnosis.findings.iter().find(|finding| finding.id == "load_share_high").unwrap();
    /// assert!(load.sentence.contains(" is spent waiting for data"));
    /// assert!(load.rows(&s)?[0].1.rows()? > 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn diagnose(&self, runs: &[&str], thresholds: &str) -> Result<Diagnosis> {
        let names: Vec<String> = runs.iter().map(|run| (*run).to_owned()).collect();
        let only = self.select_runs((!names.is_empty()).then_some(names.as_slice()))?;
        let only = only.as_deref();
        let verdicts = verdicts(&self.query_runs("job.verdict", only, &BTreeMap::new())?)?;
        let list = |runs: &[String]| runs.iter().map(|run| Value::from(run.as_str()).to_string()).collect::<Vec<_>>();
        let filter = only.map_or_else(String::new, |runs| format!("WHERE run IN ({})", list(runs).join(", ")));
        let frame = self.sql(&format!(
            "SELECT * FROM diagnosis({}) {filter} ORDER BY run, {OUTCOMES}, {SEVERITIES}, potential_saving DESC NULLS LAST, id",
            Value::from(thresholds)
        ))?;
        Ok(Diagnosis { verdicts, findings: findings(&frame)?, frame })
    }
}

/// Found first, then without data, then passed.
const OUTCOMES: &str = "CASE outcome WHEN 'found' THEN 0 WHEN 'no_data' THEN 1 ELSE 2 END";

const SEVERITIES: &str = "CASE severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 WHEN 'notice' THEN 2 ELSE 3 END";

fn verdicts(frame: &Frame) -> Result<Vec<Verdict>> {
    let [run, verdict, sentence] = ["run", "verdict", "sentence"].map(|name| frame.column::<String>(name));
    let rows = run?.into_iter().zip(verdict?).zip(sentence?);
    Ok(rows
        .map(|((run, verdict), sentence)| Verdict {
            run: run.unwrap_or_default(),
            verdict: verdict.unwrap_or_default(),
            sentence: sentence.unwrap_or_default(),
        })
        .collect())
}

fn findings(frame: &Frame) -> Result<Vec<Finding>> {
    let mut texts = Texts(BTreeMap::new());
    for name in [
        "run",
        "id",
        "outcome",
        "severity",
        "confidence",
        "sentence",
        "threshold_source",
        "cause",
        "recommendation",
        "evidence",
    ] {
        texts.0.insert(name, frame.column::<String>(name)?);
    }
    let (value, threshold) = (frame.column::<f64>("value")?, frame.column::<f64>("threshold")?);
    let (steps, potential_saving) = (frame.column::<i64>("steps")?, frame.column::<i64>("potential_saving")?);
    (0..value.len())
        .map(|row| {
            let outcome = match texts.take("outcome", row).as_deref() {
                Some("found") => Outcome::Found,
                Some("passed") => Outcome::Passed,
                Some("no_data") => Outcome::NoData,
                other => {
                    return Err(Error::new(ErrorKind::Internal, format!("a finding has the outcome {other:?}")));
                }
            };
            Ok(Finding {
                run: texts.take("run", row).unwrap_or_default(),
                id: texts.take("id", row).unwrap_or_default(),
                outcome,
                severity: texts.take("severity", row),
                confidence: texts.take("confidence", row),
                sentence: texts.take("sentence", row).unwrap_or_default(),
                value: value[row],
                threshold: threshold[row],
                threshold_source: texts.take("threshold_source", row).unwrap_or_default(),
                steps: steps[row],
                potential_saving: potential_saving[row],
                cause: texts.take("cause", row).unwrap_or_default(),
                recommendation: texts.take("recommendation", row).unwrap_or_default(),
                evidence: texts.take("evidence", row).unwrap_or_default().split(", ").map(str::to_owned).collect(),
            })
        })
        .collect()
}

/// Columns of text, by name.
struct Texts(BTreeMap<&'static str, Vec<Option<String>>>);

impl Texts {
    fn take(&mut self, name: &str, row: usize) -> Option<String> {
        self.0.get_mut(name).and_then(|values| values.get_mut(row)).and_then(Option::take)
    }
}

impl fmt::Display for Diagnosis {
    /// The verdict of each run, its findings with causes, and how many checks had no data or passed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, verdict) in self.verdicts.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{}: {}: {}", verdict.run, verdict.verdict, verdict.sentence)?;
            let of_run = || self.findings.iter().filter(|finding| finding.run == verdict.run);
            for finding in of_run().filter(|finding| finding.outcome == Outcome::Found) {
                let saving =
                    finding.potential_saving.map(|ns| format!(", potential saving up to {:.3} s", ns as f64 / 1e9));
                let (severity, sentence) = (finding.severity.as_deref().unwrap_or_default(), &finding.sentence);
                writeln!(f, "  {severity:<9}{sentence} ({}{})", finding.id, saving.unwrap_or_default())?;
                writeln!(f, "           cause: {}; remedy: {}", finding.cause, finding.recommendation)?;
            }
            let count = |outcome| of_run().filter(|finding| finding.outcome == outcome).count();
            let (no_data, passed) = (count(Outcome::NoData), count(Outcome::Passed));
            writeln!(f, "  {no_data} checks had no data, {passed} passed")?;
        }
        Ok(())
    }
}
