//! The diagnosis as HTML: the verdict, findings with cause and remedy, checks without data, and checks that passed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::builder::PageBuilder;
use super::markup::{prose, rows_anchor, sql_link};
use crate::diagnosis::{Diagnosis, Finding, Outcome, Verdict};
use crate::error::Result;
use crate::figure::number;
use crate::frame::escape;
use crate::session::Value;

/// Maximum number of rows of each query of the evidence.
const MAX_EVIDENCE_ROWS: usize = 20;

/// Returns the verdict of a run as HTML, with the name of the run if `label` is given.
pub(super) fn verdict(verdict: &Verdict, label: Option<&str>) -> String {
    let label = label.map_or(String::new(), |label| format!("<bdi class=\"of\">{}</bdi> ", escape(label)));
    format!(
        "<p class=\"verdict\" dir=\"auto\">{label}<strong>{}</strong> {} {}</p>\n",
        escape(&verdict.verdict),
        prose(&verdict.sentence),
        sql_link("job.verdict")
    )
}

/// Adds all findings of one run.
pub(super) fn findings(page: &mut PageBuilder<'_>, diagnosis: &Diagnosis) {
    let with_outcome = |outcome| diagnosis.findings.iter().filter(move |finding| finding.outcome == outcome);
    for finding in &diagnosis.findings {
        page.queries.note(&query_name(finding));
    }
    let reported: Vec<&Finding> = with_outcome(Outcome::Found).collect();
    let passed = with_outcome(Outcome::Passed).count();
    let mut missing = String::new();
    for text in diagnosis.verdicts.iter().filter_map(|verdict| verdict.missing_data.as_deref()) {
        let _ = write!(missing, " {}.", prose(text));
    }
    let mut html = format!("<p>{} found; {passed} checks passed.{missing}</p>\n", reported.len());
    for finding in reported {
        html.push_str(&card(finding));
    }
    for (outcome, title) in
        [(Outcome::NoData, "checks had no data, and what to record"), (Outcome::Passed, "checks passed")]
    {
        let findings: Vec<&Finding> = with_outcome(outcome).collect();
        if findings.is_empty() {
            continue;
        }
        let _ = write!(
            html,
            "<details><summary>{} {title}</summary>\n<div class=\"wide\"><table class=\"sort\"><thead><tr>\
             <th scope=\"col\"><button type=\"button\">finding</button></th>\
             <th scope=\"col\"><button type=\"button\">why</button></th></tr></thead><tbody>\n",
            findings.len()
        );
        for finding in findings {
            let _ = writeln!(
                html,
                "<tr><td>{}</td><td>{}</td></tr>",
                sql_link(&query_name(finding)),
                prose(&finding.sentence)
            );
        }
        html.push_str("</tbody></table></div></details>\n");
    }
    page.html(&html);
}

/// Adds the evidence of the findings: the rows of queries that the page does not show already.
pub(super) fn evidence(page: &mut PageBuilder<'_>, diagnosis: &Diagnosis, run: &str) -> Result<()> {
    let reported = diagnosis.findings.iter().filter(|finding| finding.outcome == Outcome::Found);
    let queries: BTreeSet<&String> =
        reported.flat_map(|finding| &finding.evidence).filter(|query| !page.shows(query)).collect();
    if queries.is_empty() {
        return Ok(());
    }
    page.section("evidence", "Evidence");
    for query in queries {
        page.table(query, &[("run", Value::from(run))], MAX_EVIDENCE_ROWS)?;
    }
    Ok(())
}

/// Returns the name of the canned query of a finding.
pub(super) fn query_name(finding: &Finding) -> String {
    format!("finding.{}", finding.id)
}

/// Returns one finding as HTML.
fn card(finding: &Finding) -> String {
    let severity = finding.severity.as_deref().unwrap_or("notice");
    let mut facts = vec![sql_link(&query_name(finding))];
    facts.extend(finding.confidence.as_ref().map(|word| format!("confidence {}", escape(word))));
    facts.extend(finding.saving().map(|saving| format!("potential saving up to {saving}")));
    facts.extend(finding.value.map(|value| format!("value {}", number(value))));
    facts.extend(
        finding.threshold.map(|limit| format!("limit {} ({})", number(limit), prose(&finding.threshold_source))),
    );
    facts.extend(finding.steps.map(|steps| format!("based on {steps}")));
    let evidence: Vec<String> = finding
        .evidence
        .iter()
        .map(|query| format!("<a href=\"#{}\">{}</a>", rows_anchor(query), escape(query)))
        .collect();
    format!(
        "<article class=\"finding {severity}\" id=\"finding-{id}\">\n<h3 dir=\"auto\"><span class=\"badge\">{severity}</span> {}</h3>\n\
         <p class=\"meta\">{}</p>\n<dl><dt>Cause</dt><dd>{}</dd><dt>Recommendation</dt><dd>{}</dd><dt>Evidence</dt><dd>{}</dd></dl>\n\
         </article>\n",
        prose(&finding.sentence),
        facts.join(" · "),
        prose(&finding.cause),
        prose(&finding.what_to_do()),
        evidence.join(", "),
        severity = escape(severity),
        id = escape(&finding.id),
    )
}
