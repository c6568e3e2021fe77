//! The page about two sides: what changed from one run, or group of runs, to another.

use std::fmt::Write as _;

use super::ReportPage;
use super::builder::PageBuilder;
use super::findings;
use super::markup::{prose, sql_link};
use super::run::problems;
use crate::diagnosis::{Diagnosis, Finding, Outcome};
use crate::error::Result;
use crate::figure::{amount, number};
use crate::frame::{Frame, escape};
use crate::session::{Session, Value};
use crate::unit::Unit;

/// Maximum number of runs of a side that are diagnosed, because that takes seconds per run.
const MAX_DIAGNOSED: usize = 8;
const MAX_ROWS: usize = 50;

/// Sections of the page: the title, the values of column `subject` in `change.report`, and the title of the table.
const SECTIONS: &[(&str, &[&str], &str)] = &[
    ("Steps", &["step"], "Durations of steps"),
    ("Breakdown", &["role"], "Parts of a mean step"),
    ("Loader", &["loader"], "Share of time that processes waited for data"),
    ("Utilization", &["utilization"], "What the machines measured"),
    (
        "Kernels",
        &["operator", "kernel"],
        "Operators and kernels with the largest changes, divided by the number of steps",
    ),
    ("Memory", &["memory"], "Maximum bytes in use"),
];

/// Returns the page.
///
/// # Errors
/// As [`Session::report`].
pub(super) fn page(session: &Session, a: &[String], b: &[String]) -> Result<ReportPage> {
    let mut page = PageBuilder::new(session, format!("{} → {}", side_name(a), side_name(b)));
    let arguments = [("a", Value::from(a.to_vec())), ("b", Value::from(b.to_vec()))];
    let changes = page.queries.query("change.report", &arguments)?;
    let mut runs: Vec<String> = a.iter().chain(b).cloned().collect();
    runs.sort();
    runs.dedup();
    let diagnosis = if a.len().max(b.len()) <= MAX_DIAGNOSED {
        let names: Vec<&str> = runs.iter().map(String::as_str).collect();
        Some(session.diagnose(&names, "")?)
    } else {
        None
    };

    page.section("verdict", "Verdict");
    let html = headline(&changes)?;
    page.html(&html);
    if let Some(diagnosis) = &diagnosis {
        page.queries.note("job.verdict");
        for run in a.iter().chain(b.iter().filter(|run| !a.contains(run))) {
            for verdict in diagnosis.verdicts.iter().filter(|verdict| verdict.run == *run) {
                page.html(&findings::verdict(verdict, Some(run)));
            }
        }
    }
    page.section("findings", "Findings");
    match &diagnosis {
        Some(diagnosis) => {
            let html = differences(&mut page, diagnosis, a, b);
            page.html(&html);
        }
        None => page.html(&format!(
            "<p>Findings are not computed for a side with more than {MAX_DIAGNOSED} runs. The report of one run has its findings.</p>\n"
        )),
    }
    page.section("overview", "Overview");
    let key = page.queries.query("fleet.runs", &[("run", Value::from(runs.clone()))])?;
    page.rows("fleet.runs", Some("Key metrics of the runs"), &key, 2 * MAX_ROWS, None)?;
    page.skipped_columns = &["run", "subject"];
    for (title, subjects, table) in SECTIONS {
        page.section(&title.to_lowercase(), title);
        if *title == "Breakdown" {
            page.figure("comparison", &arguments)?;
        }
        page.rows("change.report", Some(table), &changes, MAX_ROWS, Some(("subject", subjects)))?;
    }
    page.skipped_columns = &[];
    problems(&mut page, &runs)?;
    Ok(page.finish())
}

/// Returns the name of the only run of a side, else the number of runs.
fn side_name(runs: &[String]) -> String {
    match runs {
        [run] => run.clone(),
        runs => format!("{} runs", runs.len()),
    }
}

/// Returns a sentence about the change of the median step; says so if a side has no steps.
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
            sql_link("change.report")
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
        sql_link("change.report")
    ))
}

/// Returns a table of the findings that were found on any side, those that differ first.
fn differences(page: &mut PageBuilder<'_>, diagnosis: &Diagnosis, a: &[String], b: &[String]) -> String {
    let mut ids: Vec<&str> = Vec::new();
    for finding in diagnosis.findings.iter().filter(|finding| finding.outcome == Outcome::Found) {
        if !ids.contains(&finding.id.as_str()) {
            ids.push(&finding.id);
        }
    }
    let count = |id: &str, runs: &[String]| {
        let is_found =
            |finding: &&Finding| finding.id == id && runs.contains(&finding.run) && finding.outcome == Outcome::Found;
        diagnosis.findings.iter().filter(is_found).count()
    };
    ids.sort_by_key(|id| (count(id, a) == a.len()) == (count(id, b) == b.len()));
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
        page.queries.note(&query);
        let change = match (count(id, a), count(id, b)) {
            (0, _) => "new",
            (_, 0) => "gone",
            _ => "on both sides",
        };
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{change}</td><td>{}</td><td>{}</td></tr>",
            sql_link(&query),
            outcome_html(diagnosis, id, a),
            outcome_html(diagnosis, id, b)
        );
    }
    html.push_str("</tbody></table></div>\n");
    html
}

/// Returns the outcome of a finding for the runs of a side.
fn outcome_html(diagnosis: &Diagnosis, id: &str, runs: &[String]) -> String {
    let outcomes: Vec<&Finding> =
        diagnosis.findings.iter().filter(|finding| finding.id == id && runs.contains(&finding.run)).collect();
    let holding: Vec<&&Finding> = outcomes.iter().filter(|finding| finding.outcome == Outcome::Found).collect();
    let count = if runs.len() > 1 { format!("{} of {} runs: ", holding.len(), runs.len()) } else { String::new() };
    match (holding.first(), outcomes.first()) {
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
