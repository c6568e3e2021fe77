//! A gate as rows, for a terminal, and in the formats of CI.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Float64Array, StringArray};
use serde_json::{Value as Json, json};

use super::{Gate, Outcome, Verdict};
use crate::error::Result;
use crate::frame::Frame;
use crate::statistics::Difference;
use crate::unit::Unit;

/// A column of numbers of the frame: its name, its unit and what it holds.
type Number = (&'static str, Unit, fn(&Verdict) -> Option<f64>);
/// A column of texts.
type Text = (&'static str, Unit, fn(&Verdict) -> Option<String>);

const TEXTS: [Text; 7] = [
    ("rule", Unit::Name, |verdict| Some(verdict.rule.clone())),
    ("outcome", Unit::Name, |verdict| Some(verdict.outcome.as_str().to_owned())),
    ("sentence", Unit::Text, |verdict| Some(verdict.sentence.clone())),
    ("query", Unit::Name, |verdict| Some(verdict.query.clone())),
    ("measure", Unit::Name, |verdict| Some(verdict.measure.clone())),
    ("limit", Unit::Name, |verdict| Some(verdict.limit.name().to_owned())),
    ("unit", Unit::Name, |verdict| verdict.unit.map(|unit| unit.to_string())),
];

const NUMBERS: [Number; 6] = [
    ("threshold", Unit::Mixed, |verdict| Some(verdict.limit.value())),
    ("a", Unit::Mixed, |verdict| verdict.found.a),
    ("b", Unit::Mixed, |verdict| verdict.found.b),
    ("ratio", Unit::Factor, |verdict| verdict.found.ratio),
    ("low", Unit::Factor, |verdict| verdict.found.low),
    ("high", Unit::Factor, |verdict| verdict.found.high),
];

impl Gate {
    /// The verdicts as rows.
    ///
    /// # Shape
    /// One row per limit of a rule, in their order: rule, outcome (pass, fail, no_data), sentence, query, measure, limit
    /// (max, min, max_ratio, min_ratio), unit, threshold, a (the baseline), b (the candidate), ratio, low and high (its interval),
    /// significant, passed.
    ///
    /// # Errors
    /// Internal.
    pub fn frame(&self) -> Result<Frame> {
        let all = self.verdicts.iter();
        let mut columns: Vec<(&str, Unit, ArrayRef)> = Vec::new();
        for (name, unit, of) in TEXTS {
            columns.push((name, unit, Arc::new(all.clone().map(of).collect::<StringArray>())));
        }
        for (name, unit, of) in NUMBERS {
            columns.push((name, unit, Arc::new(all.clone().map(of).collect::<Float64Array>())));
        }
        let significant: BooleanArray = all.clone().map(|verdict| verdict.found.significant()).collect();
        columns.push(("significant", Unit::Flag, Arc::new(significant)));
        let passed: BooleanArray = all.map(|verdict| Some(verdict.passed)).collect();
        columns.push(("passed", Unit::Flag, Arc::new(passed)));
        Frame::of_columns(columns)
    }

    /// One line: how many limits hold, and for whom.
    fn summary(&self) -> String {
        let count = |outcome| self.verdicts.iter().filter(|verdict| verdict.outcome == outcome).count();
        let without = match count(Outcome::NoData) {
            0 => String::new(),
            n => format!(", {n} had no data"),
        };
        let runs = |runs: &[String]| match runs {
            [] => "no baseline".to_owned(),
            [run] => run.clone(),
            [first, .., last] => format!("{} runs ({first} to {last})", runs.len()),
        };
        let word = if self.passed() { "pass" } else { "fail" };
        let (candidate, baseline) = (runs(&self.candidate), runs(&self.baseline));
        let (met, n) = (count(Outcome::Pass), self.verdicts.len());
        format!("{word}: {candidate} against {baseline}, {met} of {n} limits met{without}")
    }

    /// The verdicts as short text: one line each, and how it went.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for verdict in &self.verdicts {
            let _ = writeln!(text, "{:<12}{}: {}", verdict.outcome.as_str(), verdict.rule, verdict.sentence);
        }
        text + &self.summary()
    }

    /// The verdicts as a Markdown section, for the summary of a job or a comment.
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

    /// The verdicts as JUnit XML: a test case for each limit.
    pub fn junit(&self) -> String {
        let failed = self.verdicts.iter().filter(|verdict| !verdict.passed).count();
        let skipped = self.verdicts.iter().filter(|v| v.passed && v.outcome == Outcome::NoData).count();
        let n = self.verdicts.len();
        let counts = format!("tests=\"{n}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"");
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite name=\"tracelake gate\" {counts}>\n"
        );
        for verdict in &self.verdicts {
            let name = xml(&format!("{} ({} {})", verdict.rule, verdict.limit.name(), verdict.limit.value()));
            let (class, said) = (xml(&verdict.query), xml(&verdict.sentence));
            let inside = match (verdict.passed, verdict.outcome) {
                (false, outcome) => format!("<failure type=\"{}\" message=\"{said}\"/>", outcome.as_str()),
                (true, Outcome::NoData) => format!("<skipped message=\"{said}\"/>"),
                (true, _) => format!("<system-out>{said}</system-out>"),
            };
            let _ =
                writeln!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"0\">{inside}</testcase>");
        }
        text + "  </testsuite>\n</testsuites>\n"
    }

    /// The verdicts as one JSON object.
    pub fn json(&self) -> String {
        let rule = |verdict: &Verdict| {
            let Difference { a, b, ratio, low, high } = verdict.found;
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
                "significant": verdict.found.significant(),
                "outcome": verdict.outcome.as_str(),
                "passed": verdict.passed,
                "sentence": verdict.sentence,
            })
        };
        let rules: Vec<Json> = self.verdicts.iter().map(rule).collect();
        let all = json!({
            "passed": self.passed(),
            "baseline": self.baseline,
            "candidate": self.candidate,
            "rules": rules,
        });
        format!("{all:#}")
    }
}

/// The text inside XML; what XML has no place for is left out.
fn xml(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
