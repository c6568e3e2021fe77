//! The page about two sides: what changed from one run, or group of runs, to another.

use std::fmt::Write as _;

use super::Page;
use super::cells::amount;
use super::findings;
use super::markup::{prose, sql};
use super::paper::Paper;
use super::run::problems;
use crate::diagnosis::{Diagnosis, Finding, Outcome};
use crate::error::Result;
use crate::figure::number;
use crate::frame::{Frame, escape};
use crate::session::{Session, Value};
use crate::unit::Unit;

/// Sides of more runs are compared, and not diagnosed: that takes seconds for each run.
const DIAGNOSED: usize = 8;
const ROWS: usize = 50;

/// Sections of the page: what of `change.report` stands in each, under which title.
const PARTS: &[(&str, &str, &[&str], &str)] = &[
    ("steps", "Steps", &["step"], "Durations of steps"),
    ("breakdown", "Breakdown", &["role"], "Parts of a mean step"),
    ("loader", "Loader", &["loader"], "Share of time that processes waited for data"),
    ("utilization", "Utilization", &["utilization"], "What the machines measured"),
    (
        "kernels",
        "Kernels",
        &["operator", "kernel"],
        "Operators and kernels with the largest changes, divided by the number of steps",
    ),
    ("memory", "Memory", &["memory"], "Maximum bytes in use"),
];

/// The page.
///
/// # Errors
/// As [`Session::report`].
pub(super) fn page(session: &Session, a: &[String], b: &[String]) -> Result<Page> {
    let mut paper = Paper::new(session, format!("{} → {}", side(a), side(b)));
    let given = [("a", Value::from(a.to_vec())), ("b", Value::from(b.to_vec()))];
    let changes = paper.answers.ask("change.report", &given)?;
    let mut runs: Vec<String> = a.iter().chain(b).cloned().collect();
    runs.sort();
    runs.dedup();
    let diagnosis = if a.len().max(b.len()) <= DIAGNOSED {
        let names: Vec<&str> = runs.iter().map(String::as_str).collect();
        Some(session.diagnose(&names, "")?)
    } else {
        None
    };

    paper.section("verdict", "Verdict");
    let html = headline(&changes)?;
    paper.html(&html);
    if let Some(diagnosis) = &diagnosis {
        paper.answers.note("job.verdict");
        for run in a.iter().chain(b.iter().filter(|run| !a.contains(run))) {
            for verdict in diagnosis.verdicts.iter().filter(|verdict| verdict.run == *run) {
                paper.html(&findings::verdict(verdict, Some(run)));
            }
        }
    }
    paper.section("findings", "Findings");
    match &diagnosis {
        Some(diagnosis) => {
            let html = differences(&mut paper, diagnosis, a, b);
            paper.html(&html);
        }
        None => paper.html(&format!(
            "<p>Findings are not computed for a side with more than {DIAGNOSED} runs. The report of one run has its findings.</p>\n"
        )),
    }
    paper.section("overview", "Overview");
    let key = paper.answers.ask("fleet.runs", &[("run", Value::from(runs.clone()))])?;
    paper.rows("fleet.runs", Some("Key metrics of the runs"), &key, 2 * ROWS, None)?;
    paper.without = &["run", "subject"];
    for (id, title, subjects, what) in PARTS {
        paper.section(id, title);
        if *id == "breakdown" {
            paper.figure("comparison", &given)?;
        }
        paper.rows("change.report", Some(what), &changes, ROWS, Some(("subject", subjects)))?;
    }
    paper.without = &[];
    problems(&mut paper, &runs)?;
    Ok(paper.page())
}

/// A side in few words.
fn side(runs: &[String]) -> String {
    match runs {
        [run] => run.clone(),
        runs => format!("{} runs", runs.len()),
    }
}

/// What became of the median step; where there are no steps, of the first thing that can be compared.
fn headline(changes: &Frame) -> Result<String> {
    let text = |name| changes.column::<String>(name);
    let (subject, name, statistic, unit, kind) =
        (text("subject")?, text("name")?, text("statistic")?, text("unit")?, text("kind")?);
    let double = |name| changes.column::<f64>(name);
    let (a, b, ratio, low, high) = (double("a")?, double("b")?, double("ratio")?, double("low")?, double("high")?);
    let is = |values: &[Option<String>], row: usize, word: &str| values[row].as_deref() == Some(word);
    let median = (0..subject.len()).filter(|row| is(&subject, *row, "step") && is(&statistic, *row, "p50"));
    let Some(row) = median.max_by_key(|row| is(&name, *row, "train")) else {
        return Ok(format!(
            "<p class=\"verdict\"><strong>a side has no steps</strong> Other comparisons are below. {}</p>\n",
            sql("change.report")
        ));
    };
    let unit = unit[row].as_deref().and_then(|unit| Unit::parse(unit).ok());
    let word = |value: Option<f64>| value.map_or_else(|| "unknown".to_owned(), |value| amount(value, unit));
    let kind = kind[row].clone().unwrap_or_default();
    let (strong, sure) = match (kind.as_str(), ratio[row]) {
        ("slower", Some(ratio)) => (format!("{} times slower", number(ratio)), "more than noise"),
        ("faster", Some(ratio)) => (format!("{} times faster", number(1.0 / ratio)), "more than noise"),
        ("same", _) => ("no clear change".to_owned(), "it may be noise"),
        _ => (kind.clone(), "only one side has it"),
    };
    let interval = match (low[row], high[row]) {
        (Some(low), Some(high)) => format!(", b/a between {} and {} (95 % sure)", number(low), number(high)),
        _ => String::new(),
    };
    let mode = name[row].as_deref().filter(|mode| *mode != "step").map_or_else(String::new, |mode| format!("{mode} "));
    Ok(format!(
        "<p class=\"verdict\" dir=\"auto\"><strong>{}</strong> The median {}step went from {} to {}{interval}: {sure}. {}</p>\n",
        escape(&strong),
        escape(&mode),
        word(a[row]),
        word(b[row]),
        sql("change.report")
    ))
}

/// Findings of one side at least, those that differ first.
fn differences(paper: &mut Paper<'_>, diagnosis: &Diagnosis, a: &[String], b: &[String]) -> String {
    let mut ids: Vec<&str> = Vec::new();
    for finding in diagnosis.findings.iter().filter(|finding| finding.outcome == Outcome::Found) {
        if !ids.contains(&finding.id.as_str()) {
            ids.push(&finding.id);
        }
    }
    let said = |id: &str, runs: &[String]| {
        let of =
            |finding: &&Finding| finding.id == id && runs.contains(&finding.run) && finding.outcome == Outcome::Found;
        diagnosis.findings.iter().filter(of).count()
    };
    ids.sort_by_key(|id| (said(id, a) == a.len()) == (said(id, b) == b.len()));
    if ids.is_empty() {
        return "<p>There are no findings on either side.</p>\n".to_owned();
    }
    let mut html = String::from("<div class=\"wide\"><table class=\"sort\"><thead><tr>");
    for heading in ["finding", "change", "a", "b"] {
        let _ = write!(html, "<th scope=\"col\"><button type=\"button\">{heading}</button></th>");
    }
    html.push_str("</tr></thead><tbody>\n");
    for id in ids {
        let query = format!("finding.{id}");
        paper.answers.note(&query);
        let change = match (said(id, a), said(id, b)) {
            (0, _) => "new",
            (_, 0) => "gone",
            _ => "on both sides",
        };
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{change}</td><td>{}</td><td>{}</td></tr>",
            sql(&query),
            told(diagnosis, id, a),
            told(diagnosis, id, b)
        );
    }
    html.push_str("</tbody></table></div>\n");
    html
}

/// What a finding says of a side.
fn told(diagnosis: &Diagnosis, id: &str, runs: &[String]) -> String {
    let of: Vec<&Finding> =
        diagnosis.findings.iter().filter(|finding| finding.id == id && runs.contains(&finding.run)).collect();
    let said: Vec<&&Finding> = of.iter().filter(|finding| finding.outcome == Outcome::Found).collect();
    let count = if runs.len() > 1 { format!("{} of {} runs: ", said.len(), runs.len()) } else { String::new() };
    match (said.first(), of.first()) {
        (Some(finding), _) => {
            let severity = escape(finding.severity.as_deref().unwrap_or_default());
            format!("<span class=\"badge {severity}\">{severity}</span> {count}{}", prose(&finding.sentence))
        }
        (None, Some(finding)) => {
            let word = if finding.outcome == Outcome::Passed { "passed" } else { "no data" };
            format!("<span class=\"badge dim\">{word}</span> {count}{}", prose(&finding.sentence))
        }
        (None, None) => String::new(),
    }
}
