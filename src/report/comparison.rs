//! The page about two sides: what changed from one run, or group of runs, to another.

use std::fmt::Write as _;

use super::ReportPage;
use super::builder::PageBuilder;
use super::findings;
use super::markup::{prose, sql_link};
use super::run::problems;
use crate::diagnosis::compare::side_label;
use crate::diagnosis::{Diagnosis, Finding, Outcome};
use crate::error::Result;
use crate::frame::escape;
use crate::session::{Session, Value};

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
    let (label_a, label_b) = (side_label(a, "a"), side_label(b, "b"));
    let changes = page.queries.query("change.report", &arguments)?.with_label("a", &label_a).with_label("b", &label_b);
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
    let summary = page.queries.query("change.summary", &arguments)?;
    for sentence in summary.column::<String>("sentence")?.into_iter().flatten() {
        page.html(&format!(
            "<p class=\"verdict\" dir=\"auto\">{} {}</p>\n",
            prose(&sentence),
            sql_link("change.summary")
        ));
    }
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
    for heading in ["finding", "change", &side_label(a, "a"), &side_label(b, "b")] {
        let _ = write!(html, "<th scope=\"col\"><button type=\"button\">{}</button></th>", escape(heading));
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
