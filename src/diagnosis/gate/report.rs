//! The results of a gate as rows, as text for a terminal, and as Markdown, JUnit XML and JSON for CI.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::{Gate, GateOutcome, GateVerdict, Inconclusive};
use crate::error::Result;
use crate::frame::Frame;
use crate::session::columns::{flag_column, number_column, text_column};
use crate::statistics::Difference;
use crate::unit::Unit;

impl Gate {
    /// Returns the verdicts as rows.
    ///
    /// # Shape
    /// One row per limit of a rule, in the order of the rules: rule, outcome (pass, fail, inconclusive, no_data), sentence, query,
    /// measure, limit (max, min, max_ratio, min_ratio), unit, threshold, a (the baseline), b (the candidate), ratio, low
    /// and high (the interval of the ratio), significant, passed.
    ///
    /// # Errors
    /// Internal.
    pub fn frame(&self) -> Result<Frame> {
        let all = &self.verdicts;
        Frame::from_columns(vec![
            ("rule", Unit::Name, text_column(all, |verdict| Some(&verdict.rule))),
            ("outcome", Unit::Name, text_column(all, |verdict| Some(verdict.outcome.as_str()))),
            ("sentence", Unit::Text, text_column(all, |verdict| Some(&verdict.sentence))),
            ("query", Unit::Name, text_column(all, |verdict| Some(&verdict.query))),
            ("measure", Unit::Name, text_column(all, |verdict| Some(&verdict.measure))),
            ("limit", Unit::Name, text_column(all, |verdict| Some(verdict.limit.name()))),
            ("unit", Unit::Name, text_column(all, |verdict| verdict.unit.map(Unit::as_str))),
            ("threshold", Unit::Mixed, number_column(all, |verdict| Some(verdict.limit.value()))),
            ("a", Unit::Mixed, number_column(all, |verdict| verdict.difference.a)),
            ("b", Unit::Mixed, number_column(all, |verdict| verdict.difference.b)),
            ("ratio", Unit::Factor, number_column(all, |verdict| verdict.difference.ratio)),
            ("low", Unit::Factor, number_column(all, |verdict| verdict.difference.low)),
            ("high", Unit::Factor, number_column(all, |verdict| verdict.difference.high)),
            ("significant", Unit::Flag, flag_column(all, |verdict| verdict.difference.significant())),
            ("passed", Unit::Flag, flag_column(all, |verdict| Some(verdict.passed))),
        ])
    }

    /// Returns one line: whether the gate passes, the runs, and how many limits are met.
    fn summary(&self) -> String {
        let count = |outcome| self.verdicts.iter().filter(|verdict| verdict.outcome == outcome).count();
        let also = |outcome, text: &str| match count(outcome) {
            0 => String::new(),
            n => format!(", {n} {text}"),
        };
        let inconclusive = also(GateOutcome::Inconclusive, "inconclusive");
        let no_data = also(GateOutcome::NoData, "had no data");
        let runs = |runs: &[String]| match runs {
            [] => "no baseline".to_owned(),
            [run] => run.clone(),
            [first, .., last] => format!("{} runs ({first} to {last})", runs.len()),
        };
        let word = self.outcome().as_str();
        let (candidate, baseline) = (runs(&self.candidate), runs(&self.baseline));
        let (met, n) = (count(GateOutcome::Pass), self.verdicts.len());
        format!("{word}: {candidate} against {baseline}, {met} of {n} limits met{inconclusive}{no_data}")
    }

    /// Returns the verdicts as text: one line each, and a summary.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for verdict in &self.verdicts {
            let _ = writeln!(text, "{:<13}{}: {}", verdict.outcome.as_str(), verdict.rule, verdict.sentence);
        }
        text + &self.summary()
    }

    /// Returns the verdicts as a Markdown section, for the summary of a job or a comment.
    pub fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ");
        let mut text = format!(
            "### tracelake gate\n\n{}\n\n| outcome | rule | found |\n| --- | --- | --- |\n",
            cell(&self.summary())
        );
        for verdict in &self.verdicts {
            let mark = if verdict.passed {
                verdict.outcome.as_str().to_owned()
            } else {
                format!("**{}**", verdict.outcome.as_str())
            };
            let _ = writeln!(text, "| {mark} | {} | {} |", cell(&verdict.rule), cell(&verdict.sentence));
        }
        text
    }

    /// Returns the verdicts as JUnit XML: a test case for each limit.
    pub fn junit(&self) -> String {
        let is_skipped = |verdict: &GateVerdict| match (verdict.passed, verdict.outcome) {
            (passed, GateOutcome::NoData) => passed || self.inconclusive != Inconclusive::Fail,
            (_, outcome) => outcome == GateOutcome::Inconclusive && self.inconclusive != Inconclusive::Fail,
        };
        let skipped = self.verdicts.iter().filter(|verdict| is_skipped(verdict)).count();
        let failed = self.verdicts.iter().filter(|verdict| !verdict.passed && !is_skipped(verdict)).count();
        let n = self.verdicts.len();
        let counts = format!("tests=\"{n}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"");
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite name=\"tracelake gate\" {counts}>\n"
        );
        for verdict in &self.verdicts {
            let name = escape_xml(&format!("{} ({} {})", verdict.rule, verdict.limit.name(), verdict.limit.value()));
            let (class, sentence) = (escape_xml(&verdict.query), escape_xml(&verdict.sentence));
            let result = if is_skipped(verdict) {
                format!("<skipped message=\"{}: {sentence}\"/>", verdict.outcome.as_str())
            } else if verdict.passed {
                format!("<system-out>{sentence}</system-out>")
            } else {
                format!("<failure type=\"{}\" message=\"{sentence}\"/>", verdict.outcome.as_str())
            };
            let _ =
                writeln!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"0\">{result}</testcase>");
        }
        text + "  </testsuite>\n</testsuites>\n"
    }

    /// Returns the verdicts as one JSON object.
    pub fn json(&self) -> String {
        let rule = |verdict: &GateVerdict| {
            let Difference { a, b, ratio, low, high } = verdict.difference;
            json!({
                "rule": verdict.rule,
                "query": verdict.query,
                "measure": verdict.measure,
                "limit": verdict.limit.name(),
                "threshold": verdict.limit.value(),
                "unit": verdict.unit.map(Unit::as_str),
                "a": a,
                "b": b,
                "ratio": ratio,
                "low": low,
                "high": high,
                "significant": verdict.difference.significant(),
                "outcome": verdict.outcome.as_str(),
                "passed": verdict.passed,
                "sentence": verdict.sentence,
            })
        };
        let rules: Vec<Json> = self.verdicts.iter().map(rule).collect();
        let all = json!({
            "passed": self.passed(),
            "outcome": self.outcome().as_str(),
            "exit_code": self.exit_code(),
            "baseline": self.baseline,
            "candidate": self.candidate,
            "rules": rules,
        });
        format!("{all:#}")
    }
}

/// Escapes text for XML. Characters that XML does not allow become spaces.
fn escape_xml(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
