//! The diagnosis as HTML: the verdict, findings with cause and remedy, checks without data, checks that passed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::cells::amount;
use super::markup::{place, prose, sql};
use super::paper::Paper;
use crate::diagnosis::{Diagnosis, Finding, Outcome, Verdict};
use crate::error::Result;
use crate::figure::number;
use crate::frame::escape;
use crate::session::Value;
use crate::unit::Unit;

/// Rows of evidence that are shown.
const EVIDENCE: usize = 20;

/// The line that says what binds a run.
pub(super) fn verdict(verdict: &Verdict, label: Option<&str>) -> String {
    let label = label.map_or(String::new(), |label| format!("<bdi class=\"of\">{}</bdi> ", escape(label)));
    format!(
        "<p class=\"verdict\" dir=\"auto\">{label}<strong>{}</strong> {} {}</p>\n",
        escape(&verdict.verdict),
        prose(&verdict.sentence),
        sql("job.verdict")
    )
}

/// All findings of one run.
pub(super) fn findings(paper: &mut Paper<'_>, diagnosis: &Diagnosis) {
    let of = |outcome| diagnosis.findings.iter().filter(move |finding| finding.outcome == outcome);
    for finding in &diagnosis.findings {
        paper.answers.note(&name(finding));
    }
    let found: Vec<&Finding> = of(Outcome::Found).collect();
    let (no_data, passed) = (of(Outcome::NoData).count(), of(Outcome::Passed).count());
    let mut html = format!("<p>{} found; {no_data} checks had no data, {passed} passed.</p>\n", found.len());
    for finding in found {
        html.push_str(&card(finding));
    }
    for (outcome, title) in
        [(Outcome::NoData, "checks had no data, and what to record"), (Outcome::Passed, "checks passed")]
    {
        let findings: Vec<&Finding> = of(outcome).collect();
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
            let _ = writeln!(html, "<tr><td>{}</td><td>{}</td></tr>", sql(&name(finding)), prose(&finding.sentence));
        }
        html.push_str("</tbody></table></div></details>\n");
    }
    paper.html(&html);
}

/// The rows that findings rest on, as far as they do not stand on the page already.
pub(super) fn evidence(paper: &mut Paper<'_>, diagnosis: &Diagnosis, run: &str) -> Result<()> {
    let found = diagnosis.findings.iter().filter(|finding| finding.outcome == Outcome::Found);
    let queries: BTreeSet<&String> =
        found.flat_map(|finding| &finding.evidence).filter(|name| !paper.has(name)).collect();
    if queries.is_empty() {
        return Ok(());
    }
    paper.section("evidence", "Evidence");
    for query in queries {
        paper.table(query, &[("run", Value::from(run))], EVIDENCE)?;
    }
    Ok(())
}

/// The canned query of a finding.
pub(super) fn name(finding: &Finding) -> String {
    format!("finding.{}", finding.id)
}

fn card(finding: &Finding) -> String {
    let severity = finding.severity.as_deref().unwrap_or("notice");
    let mut facts = vec![sql(&name(finding))];
    facts.extend(finding.confidence.as_ref().map(|word| format!("confidence {}", escape(word))));
    facts.extend(
        finding.potential_saving.map(|ns| format!("potential saving up to {}", amount(ns as f64, Some(Unit::Ns)))),
    );
    facts.extend(finding.value.map(|value| format!("value {}", number(value))));
    facts.extend(
        finding.threshold.map(|limit| format!("limit {} ({})", number(limit), prose(&finding.threshold_source))),
    );
    facts.extend(finding.steps.map(|steps| format!("based on {steps}")));
    let evidence: Vec<String> =
        finding.evidence.iter().map(|query| format!("<a href=\"#{}\">{}</a>", place(query), escape(query))).collect();
    format!(
        "<article class=\"finding {severity}\" id=\"finding-{id}\">\n<h3 dir=\"auto\"><span class=\"badge\">{severity}</span> {}</h3>\n\
         <p class=\"meta\">{}</p>\n<dl><dt>Cause</dt><dd>{}</dd><dt>Recommendation</dt><dd>{}</dd><dt>Evidence</dt><dd>{}</dd></dl>\n\
         </article>\n",
        prose(&finding.sentence),
        facts.join(" · "),
        prose(&finding.cause),
        prose(&finding.recommendation),
        evidence.join(", "),
        severity = escape(severity),
        id = escape(&finding.id),
    )
}
