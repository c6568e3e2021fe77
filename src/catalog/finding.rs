//! Findings of the diagnosis: canned queries that judge a quantity of each run.
//!
//! A file of family `finding` selects one row per run, always, with the columns
//!
//! | column | |
//! | --- | --- |
//! | `run` | |
//! | `value` | the quantity that is judged |
//! | `threshold` | the limit that counts |
//! | `severity` | notice, warning or critical when the finding holds, else null |
//! | `steps` | steps, batches or samples that the value rests on; null where they do not count |
//! | `at_stake` | ns that a remedy can save at most; null when unknown |
//! | `gpu_busy` | whether the GPU was busy nevertheless: then it is a notice at most; null when unknown |
//! | `said` | the sentence when it holds |
//! | `clear` | the sentence when it does not |
//! | `missing` | what would have to be recorded, and how; null when it can be told |
//!
//! What all findings have in common stands here: the outcome, the cap on severity where there is little evidence, the
//! confidence, and the words of the head as columns.

use std::sync::LazyLock;

use super::header::{self, Finding, Header, Param};
use super::{Query, queries};
use crate::unit::Type;

/// Steps below which nothing is more than a notice.
const VERDICT_STEPS: u32 = 20;

/// Steps from which confidence is high.
const MANY_STEPS: u32 = 100;

/// The SQL of a finding: what its file selects, judged.
pub(super) fn complete(name: &str, finding: &Finding, body: &str) -> String {
    let id = quoted(name.rsplit('.').next().unwrap_or(name));
    let (cause, remedy, limits) = (quoted(&finding.cause), quoted(&finding.remedy), quoted(&finding.limits));
    let evidence = quoted(&finding.evidence.join(", "));
    format!(
        "SELECT
  run,
  {id} AS id,
  outcome,
  CASE WHEN outcome = 'said' THEN CASE WHEN steps < {VERDICT_STEPS} OR gpu_busy THEN 'notice' ELSE severity END END AS severity,
  CASE
    WHEN outcome = 'cannot_tell' THEN NULL
    WHEN steps < {VERDICT_STEPS} THEN 'low'
    WHEN steps < {MANY_STEPS} THEN 'medium'
    ELSE 'high'
  END AS confidence,
  CASE outcome
    WHEN 'cannot_tell' THEN 'cannot tell: ' || missing
    WHEN 'clear' THEN clear
    ELSE
      said
      || CASE WHEN steps < {VERDICT_STEPS} THEN ' (from ' || steps || ' only)' ELSE '' END
      || CASE WHEN gpu_busy THEN '; the GPU was busy nevertheless' ELSE '' END
  END AS sentence,
  CASE WHEN outcome <> 'cannot_tell' THEN CAST(value AS double) END AS value,
  CAST(threshold AS double) AS threshold,
  {limits} AS threshold_source,
  CAST(steps AS bigint) AS steps,
  CASE WHEN outcome = 'said' THEN CAST(at_stake AS bigint) END AS at_stake,
  {cause} AS cause,
  {remedy} AS recommendation,
  {evidence} AS evidence
FROM (
  SELECT
    *,
    CASE WHEN missing IS NOT NULL THEN 'cannot_tell' WHEN severity IS NOT NULL THEN 'said' ELSE 'clear' END AS outcome
  FROM (
{body}
  ) AS quantity
) AS judged
ORDER BY run"
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The findings of this version, by name.
pub fn findings() -> impl Iterator<Item = (&'static Query, &'static Finding)> {
    queries().iter().filter_map(|query| Some((query, query.header.finding.as_ref()?)))
}

/// What `diagnosis` promises: all findings of each run, as a table and as a table function. The session answers it.
pub static DIAGNOSIS: LazyLock<Query> = LazyLock::new(|| Query {
    name: "diagnosis".to_owned(),
    header: Header {
        summary: "What is slow in each run, why, how sure is that, and what cannot be told?".to_owned(),
        detail: "One row per run and finding: the queries `finding.*`, those of your own folder too.".to_owned(),
        empty: "there are no runs".to_owned(),
        params: vec![Param {
            name: "thresholds".to_owned(),
            ty: Type::Text,
            list: false,
            least: None,
            default: Some("''".to_owned()),
            doc: "parameters of findings that differ from their defaults, as TOML: a table per finding".to_owned(),
        }],
        columns: header::finding_columns(),
        order: vec!["run".to_owned()],
        ..Header::default()
    },
    body: String::new(),
});
