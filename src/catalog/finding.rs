//! Findings of the diagnosis: canned queries that check a quantity of each run.
//!
//! A file of family `finding` selects exactly one row per run, with the columns
//!
//! | column | |
//! | --- | --- |
//! | `run` | |
//! | `value` | the quantity that is checked |
//! | `threshold` | the limit that applies |
//! | `severity` | notice, warning or critical if the finding holds, else null |
//! | `steps` | number of measured steps, batches or samples; null if it does not matter |
//! | `potential_saving` | upper bound of the time that the remedy can save, ns; null if unknown |
//! | `gpu_busy` | whether the GPU was busy anyway: then the finding is only a notice; null if unknown |
//! | `found` | the sentence if the finding holds |
//! | `passed` | the sentence if it does not hold |
//! | `missing` | what must be recorded, and how; null if there is enough data |
//! | `saving_base` | optional: the time that `potential_saving` is a part of, ns; null if unknown |
//! | `explained_by` | optional: one or two findings, separated by `, `. The first that holds for the same run explains this one |
//!
//! This module has the part that all findings share: the outcome, the interval of few measurements, the confidence, and
//! the texts of the header as columns.

use std::sync::LazyLock;

use super::header::{self, Domain, FindingHeader, Header, Param};
use super::{Query, queries};
use crate::unit::Type;

/// Minimum number of steps for any outcome but no_data.
const MIN_STEPS: u32 = 2;

/// Number of steps below which the interval of a share decides the severity. That of other quantities is then notice.
const MIN_VERDICT_STEPS: u32 = 20;

/// Square of the 97.5th percentile of the normal distribution.
const Z2: f64 = 3.841_458_820_694_124;

/// Columns of [`QUANTITY`] that the file of a finding can omit. It selects them as `AS name`.
const OPTIONAL: [&str; 2] = ["saving_base", "explained_by"];

/// Whether the potential saving is large enough to recommend the remedy, as SQL; true if it is unknown.
const IS_LARGE: &str = "(saving_ratio > 0.05 OR saving_ratio IS NULL)";

/// Minimum number of steps for high confidence.
const MIN_CONFIDENT_STEPS: u32 = 100;

/// Columns of [`quantity_query`] with their types: those of the file of a finding, and constants from its header.
const QUANTITY: [(&str, Type); 17] = [
    ("run", Type::Text),
    ("value", Type::Double),
    ("threshold", Type::Double),
    ("severity", Type::Text),
    ("steps", Type::Bigint),
    ("potential_saving", Type::Bigint),
    ("gpu_busy", Type::Boolean),
    ("found", Type::Text),
    ("passed", Type::Text),
    ("missing", Type::Text),
    ("saving_base", Type::Bigint),
    ("explained_by", Type::Text),
    ("id", Type::Text),
    ("limits", Type::Text),
    ("cause", Type::Text),
    ("remedy", Type::Text),
    ("evidence", Type::Text),
];

/// Returns columns that [`column_sql`] reads, as SQL over the columns of [`QUANTITY`]: the outcome, and the ends of the
/// 95 % interval for a share of few steps (E. B. Wilson, JASA 22 (1927)). For the mean of values from 0 to 1, the interval
/// is at least as wide as it needs to be.
pub(crate) fn derived_sql() -> Vec<(&'static str, String)> {
    let outcome = format!(
        "CASE WHEN missing IS NOT NULL OR steps < {MIN_STEPS} THEN 'no_data' WHEN severity IS NOT NULL THEN 'found' ELSE 'passed' END"
    );
    let end = |sign: &str| {
        format!(
            "CASE WHEN steps < {MIN_VERDICT_STEPS} AND value BETWEEN 0 AND 1 AND threshold BETWEEN 0 AND 1 THEN \
             (value + {Z2} / (2 * steps) {sign} sqrt({Z2} / steps * (value * (1 - value) + {Z2} / (4 * steps)))) \
             / (1 + {Z2} / steps) END"
        )
    };
    let saving_ratio = "CASE WHEN missing IS NULL THEN CAST(potential_saving AS double) / nullif(saving_base, 0) END";
    vec![
        ("outcome", outcome),
        ("low", end("-")),
        ("high", end("+")),
        ("saving_ratio", format!("CASE WHEN severity IS NOT NULL THEN {saving_ratio} END")),
    ]
}

/// Returns the query for the runs of `tracelake record`, in column `recorded_run`. [`column_sql`] reads it.
pub(crate) fn recorded_query() -> Query {
    let body = "SELECT DISTINCT run AS recorded_run FROM run_attribute WHERE key = 'command' AND object IS NOT NULL"
        .to_owned();
    Query { name: "recorded".to_owned(), header: Header::default(), body }
}

/// The ids of the findings that can explain others of the same run, over the rows of all findings with [`derived_sql`]. A
/// finding that can save little explains nothing, because it recommends nothing.
pub(crate) fn found_ids_sql() -> String {
    format!("array_agg(CASE WHEN outcome = 'found' AND {IS_LARGE} THEN id END) OVER (PARTITION BY run)")
}

/// Returns `missing` as SQL. A run of `tracelake record` is not advised to use it.
fn missing_sql() -> String {
    let replaced = [
        (
            r"; record (it|them|both) with `tracelake record`, or (take|profile) ",
            r"; `tracelake record` did not record \1; \2 ",
        ),
        (
            r"; record (it|them|both) with `tracelake record`(,| or) ",
            r"; `tracelake record` did not record \1; record \1 with ",
        ),
        (r"; record (it|them|both) with `tracelake record`", r"; `tracelake record` did not record \1"),
        (r"; ?(record|record the batches) with `tracelake record` or ", r"; \1 with "),
        (", or (samples|record batches|record disk writes) with `tracelake record`", ""),
        ("; start the program with `tracelake record`", "; `tracelake record` did not record all of it"),
    ];
    let sql = replaced
        .iter()
        .fold("missing".to_owned(), |sql, (pattern, text)| format!("regexp_replace({sql}, '{pattern}', '{text}')"));
    format!("CASE WHEN recorded_run IS NULL THEN missing ELSE {sql} END")
}

/// Returns the columns of every finding in order, each with its SQL over the columns of [`QUANTITY`] and [`derived_sql`],
/// `recorded_run` of [`recorded_query`] for the same run, and `found_ids`, which is [`found_ids_sql`].
pub(crate) fn column_sql() -> Vec<(&'static str, String)> {
    let severity = format!(
        "CASE WHEN gpu_busy OR steps < {MIN_VERDICT_STEPS} AND low IS NULL THEN 'notice' WHEN threshold BETWEEN low AND high \
         THEN CASE severity WHEN 'critical' THEN 'warning' ELSE 'notice' END ELSE severity END"
    );
    let confidence = format!(
        "CASE WHEN steps < {MIN_VERDICT_STEPS} THEN 'low' WHEN steps < {MIN_CONFIDENT_STEPS} THEN 'medium' ELSE 'high' END"
    );
    let missing = missing_sql();
    let missing = format!("coalesce({missing}, 'needs at least {MIN_STEPS} measurements (recorded: ' || steps || ')')");
    let only_notice = "CASE WHEN severity <> 'notice' THEN ', so this is only a notice' ELSE '' END";
    let few = format!(
        "CASE WHEN low IS NOT NULL THEN ' (few measurements: ' || steps || '; 95 % interval: ' || round(100 * low, 1) || ' to ' || round(100 * high, 1) \
         || ' %' || CASE WHEN threshold BETWEEN low AND high AND severity <> 'notice' THEN ', which contains the limit, so the severity is lower' ELSE '' END || ')' \
         WHEN steps < {MIN_VERDICT_STEPS} THEN ' (few measurements: ' || steps || {only_notice} || ')' ELSE '' END"
    );
    let busy = format!("CASE WHEN gpu_busy THEN '; the GPU was busy nevertheless' || {only_notice} ELSE '' END");
    let sentence = format!(
        "CASE outcome WHEN 'no_data' THEN 'not enough data: ' || {missing} WHEN 'passed' THEN passed ELSE found || {few} || {busy} END"
    );
    let [first, second] = [1, 2].map(|place| format!("split_part(explained_by, ', ', {place})"));
    let explained_by = format!(
        "CASE WHEN outcome = 'found' AND array_has(found_ids, {first}) THEN {first} \
         WHEN outcome = 'found' AND array_has(found_ids, {second}) THEN {second} END"
    );
    let recommendation = format!(
        "CASE WHEN outcome = 'found' AND ({explained_by}) IS NULL AND {IS_LARGE} \
         THEN remedy END"
    );
    vec![
        ("run", "run".into()),
        ("id", "id".into()),
        ("outcome", "outcome".into()),
        ("severity", format!("CASE WHEN outcome = 'found' THEN {severity} END")),
        ("confidence", format!("CASE WHEN outcome <> 'no_data' THEN {confidence} END")),
        ("sentence", sentence),
        ("value", "CASE WHEN outcome <> 'no_data' THEN value END".into()),
        ("threshold", "threshold".into()),
        ("threshold_source", "limits".into()),
        ("steps", "steps".into()),
        ("potential_saving", "CASE WHEN outcome = 'found' THEN potential_saving END".into()),
        ("saving_ratio", "CASE WHEN outcome = 'found' THEN saving_ratio END".into()),
        ("cause", "cause".into()),
        ("explained_by", explained_by),
        ("recommendation", recommendation),
        ("evidence", "evidence".into()),
    ]
}

/// Returns the query for the quantity of a finding, with the columns of [`QUANTITY`]. None if the query is not a
/// finding.
pub(crate) fn quantity_query(finding: &Query) -> Option<Query> {
    let body = finding.header.finding.as_ref()?.quantity.clone();
    let header = Header { columns: Vec::new(), order: Vec::new(), ..finding.header.clone() };
    Some(Query { name: finding.name.clone(), header, body })
}

/// Returns the SQL of [`quantity_query`] for the SQL of the file.
pub(super) fn quantity_sql(name: &str, finding: &FindingHeader, body: &str) -> String {
    let constants = [
        ("id", name.rsplit('.').next().unwrap_or(name)),
        ("limits", &finding.limits),
        ("cause", &finding.cause),
        ("remedy", &finding.remedy),
        ("evidence", &finding.evidence.join(", ")),
    ];
    let columns = QUANTITY.map(|(column, ty)| match constants.iter().find(|(constant, _)| *constant == column) {
        Some((_, text)) => format!("'{}' AS {column}", text.replace('\'', "''")),
        // A number out of range becomes null, so that it does not stop the diagnosis of other runs.
        None if OPTIONAL.contains(&column) && !body.contains(&format!("AS {column}")) => {
            format!("CAST(NULL AS {ty}) AS {column}")
        }
        None if ty == Type::Bigint => format!("TRY_CAST({column} AS {ty}) AS {column}"),
        None => format!("CAST({column} AS {ty}) AS {column}"),
    });
    format!("SELECT\n  {}\nFROM (\n{body}\n) AS quantity", columns.join(",\n  "))
}

/// Returns the SQL of a finding for the SQL of its quantity.
pub(super) fn finding_sql(quantity: &str) -> String {
    let columns =
        column_sql().into_iter().map(|(name, sql)| if name == sql { sql } else { format!("{sql} AS {name}") });
    let columns: Vec<_> = columns.collect();
    let derived: Vec<_> = derived_sql().into_iter().map(|(name, sql)| format!("{sql} AS {name}")).collect();
    format!(
        "SELECT\n  {}\nFROM (SELECT *, {}, [id] AS found_ids FROM (\n{quantity}\n) AS quantity) AS judged\n\
         LEFT JOIN ({}) AS recorded ON recorded_run = run\nORDER BY run",
        columns.join(",\n  "),
        derived.join(", "),
        recorded_query().body
    )
}

/// Returns the findings of this version, sorted by name.
pub fn findings() -> impl Iterator<Item = (&'static Query, &'static FindingHeader)> {
    queries().iter().filter_map(|query| Some((query, query.header.finding.as_ref()?)))
}

/// The definition of `diagnosis`: all findings of each run, as a table and as a table function. The session runs it.
pub static DIAGNOSIS: LazyLock<Query> = LazyLock::new(|| Query {
    name: "diagnosis".to_owned(),
    header: Header {
        summary: "What is slow in each run, why, how sure is that, and which checks had no data?".to_owned(),
        detail: "One row per run and finding: the queries `finding.*`, including those of your own folder.".to_owned(),
        empty: "there are no runs".to_owned(),
        params: vec![Param {
            name: "thresholds".to_owned(),
            ty: Type::Text,
            list: false,
            domain: Domain::Any,
            default: Some("''".to_owned()),
            doc: "parameters of findings that differ from their defaults, as TOML: a table per finding".to_owned(),
        }],
        columns: header::finding_columns(),
        order: vec!["run".to_owned()],
        ..Header::default()
    },
    body: String::new(),
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_findings_have_sql_in_the_declared_order() {
        let declared = header::finding_columns();
        assert!(column_sql().iter().map(|(name, _)| *name).eq(declared.iter().map(|column| &*column.name)));
    }
}
