//! Columns with the same name have the same meaning and unit in all tables, views and queries.

use std::collections::{BTreeMap, BTreeSet};

use crate::golden::golden;

/// Reasons, and the names that may have a different meaning in each relation.
const MEANING_EXCEPTIONS: &[(&str, &str)] = &[
    ("the count of whatever the row groups", "n cores datapoints gpus items kernels nodes outliers steps violations"),
    ("the length and the start of whatever the row is", "dur ts first_ts last_ts"),
    (
        "what the row is about, by its name or its kind",
        "name category idle_cause kind line measure message part subject",
    ),
    ("where the row's quantity was measured", "device resource"),
    ("a share or a factor of what its relation compares", "ratio relative track_ratio"),
    ("a statistic of the quantity that the row names, in its unit", "lower statistic upper value"),
    ("bytes of whatever the row is: a file, an item, copies or memory", "bytes increase_bytes max_bytes min_bytes"),
    ("from 0 where it continues a number of the profile, from 1 where it ranks rows", "position"),
    ("GPU-seconds of the run, or of the cause that the row names", "idle_s"),
    ("one run, or all candidate runs of a comparison", "run"),
    ("what is found or measured, how sure it is, and the words for it", "confidence sentence"),
];

/// Reasons, and the names that may have different units.
const UNIT_EXCEPTIONS: &[(&str, &str)] = &[
    ("percent in the rules of smdebug, else the unit that the row names", "lower max p25 p5 p50 p75 p95 upper"),
    ("a share of a total, or the candidate over the baseline", "ratio"),
    ("a number in the unit that the row names, or the text of an attribute", "value"),
    ("addresses that were ingested, or the measurements or formats that were used", "source sources"),
    ("a limit of a rule of smdebug, in the unit of the rule", "increase"),
];

fn names(exceptions: &[(&'static str, &'static str)]) -> BTreeSet<&'static str> {
    exceptions.iter().flat_map(|(_, names)| names.split(' ')).collect()
}

/// The name, unit, relation and meaning of each column. The meaning is its description up to the first semicolon.
fn columns(condition: &str) -> Vec<[String; 4]> {
    let text = format!(
        "select c.name, c.unit, c.relation, split_part(c.doc, ';', 1) as doc from help_columns as c
         join help_tables as t on t.name = c.relation where {condition} order by c.name, c.relation"
    );
    let frame = golden().sql(&text).unwrap();
    let column = |name: &str| frame.column::<String>(name).unwrap().into_iter().map(Option::unwrap_or_default);
    let (name, unit) = (column("name"), column("unit"));
    name.zip(unit).zip(column("relation").zip(column("doc"))).map(|((a, b), (c, d))| [a, b, c, d]).collect()
}

/// Asserts that each name, except for the exceptions, has one value, and that no exception is out of date.
fn assert_one_value_per_name(what: &str, rows: Vec<(String, String, String)>, exceptions: &BTreeSet<&str>) {
    let mut values_by_name: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (name, value, relation) in rows {
        values_by_name.entry(name).or_default().entry(value).or_insert(relation);
    }
    values_by_name.retain(|_, values| values.len() > 1);
    let stale: Vec<&&str> = exceptions.iter().filter(|name| !values_by_name.contains_key(**name)).collect();
    values_by_name.retain(|name, _| !exceptions.contains(name.as_str()));
    assert!(
        values_by_name.is_empty(),
        "a column's name has several {what}: rename one, or add an exception with a reason: {values_by_name:#?}"
    );
    assert!(stale.is_empty(), "these names have no different {what} any more, so remove the exceptions: {stale:?}");
}

#[test]
fn a_name_has_one_unit() {
    let rows = columns("true").into_iter().map(|[name, unit, relation, _]| (name, unit, relation)).collect();
    assert_one_value_per_name("units", rows, &names(UNIT_EXCEPTIONS));
}

#[test]
fn a_name_has_one_meaning_over_all_queries() {
    let rows = columns("t.kind = 'query'");
    let rows = rows.into_iter().map(|[name, _, relation, doc]| (name, doc, relation)).collect();
    assert_one_value_per_name("meanings", rows, &names(MEANING_EXCEPTIONS));
}

#[test]
fn help_columns_lists_every_column() {
    let session = golden();
    let schema = "table_schema not in ('information_schema')";
    let all =
        session.sql(&format!("select table_name, column_name from information_schema.columns where {schema}")).unwrap();
    let listed = session.sql("select relation, name from help_columns").unwrap();
    let pairs = |frame: &tracelake::Frame, a: &str, b: &str| -> BTreeSet<(String, String)> {
        let [a, b] = [a, b].map(|name| frame.column::<String>(name).unwrap().into_iter().flatten());
        a.zip(b).collect()
    };
    let (all, listed) = (pairs(&all, "table_name", "column_name"), pairs(&listed, "relation", "name"));
    let missing: Vec<_> = all.difference(&listed).collect();
    assert!(missing.is_empty(), "help_columns lacks {missing:?}");
    assert!(all.len() > 2000, "{}", all.len());
}
