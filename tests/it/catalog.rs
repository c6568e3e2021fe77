//! Every canned query against what its header promises, without a test written for it.

use std::collections::BTreeSet;
use std::path::Path;

use tracelake::Value;
use tracelake::arrow::datatypes::DataType;
use tracelake::catalog::{Domain, Query, queries};
use tracelake::datafusion::common::tree_node::TreeNodeRecursion;
use tracelake::datafusion::logical_expr::LogicalPlan;
use tracelake::frame::Cell;

use crate::golden::golden;

fn asked() -> impl Iterator<Item = &'static Query> {
    queries().iter().filter(|query| query.family().is_some())
}

#[test]
fn each_has_a_golden_test() {
    let missing: Vec<&str> = queries()
        .iter()
        .filter(|query| {
            let file = format!("tests/sql/{}/{}.slt", query.family().unwrap_or("view"), query.question());
            !Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists()
        })
        .map(|query| query.name.as_str())
        .collect();
    assert!(missing.is_empty(), "no tests/sql/<family>/<question>.slt for: {missing:?}");
}

#[test]
fn a_domain_of_another_query_exists() {
    for query in asked() {
        for param in &query.header.params {
            let Domain::SameAs(name, of) = &param.domain else { continue };
            let other = queries().iter().find(|other| other.sql_name() == *name);
            let other = other.and_then(|other| other.header.params.iter().find(|other| other.name == *of));
            assert!(
                other.is_some_and(|other| matches!(other.domain, Domain::Names(_))),
                "{}: {}: {name}.{of}",
                query.name,
                param.name
            );
        }
    }
}

#[test]
fn planned_columns_are_the_declared_ones() {
    let session = golden();
    for query in queries() {
        let frame = session.sql(&format!("select * from {}()", query.sql_name())).unwrap();
        let planned: Vec<(String, &str, Option<String>)> = frame
            .columns()
            .into_iter()
            .map(|c| {
                let ty = match c.data_type {
                    DataType::Int64 => "bigint",
                    DataType::Float64 => "double",
                    DataType::Utf8 | DataType::Utf8View => "text",
                    DataType::Boolean => "boolean",
                    other => panic!("{}: column {} is {other}", query.name, c.name),
                };
                (c.name, ty, c.unit.map(|unit| unit.to_string()))
            })
            .collect();
        let declared: Vec<(String, &str, Option<String>)> =
            query.header.columns.iter().map(|c| (c.name.clone(), c.ty.as_str(), Some(c.unit.to_string()))).collect();
        assert_eq!(planned, declared, "{}", query.name);
    }
}

#[test]
fn rows_come_in_the_declared_order_and_are_some() {
    let session = golden();
    for query in asked() {
        // no operator of the golden profiles launches three kernels, and no GPU is idle next to a busy core
        let milder: Vec<(&str, Value)> = match query.name.as_str() {
            // three runs with steps are too few for a change beyond chance
            "fleet.regressions" => vec![("max_p", 1.0.into()), ("min_runs", 1.into())],
            "kernel.frequent_sequences" => vec![("min_kernels", 1.into())],
            "utilization.cpu_bottleneck" => vec![("gpu", 0.2.into())],
            "utilization.io_bottleneck" => vec![("gpu", 0.8.into()), ("io", 0.08.into())],
            _ => Vec::new(),
        };
        let batch = session.query(&query.name, &milder).unwrap().batch().unwrap();
        assert!(batch.num_rows() > 0, "{}: the golden profiles give no rows", query.name);
        let keys: Vec<Vec<Option<Key>>> = (0..batch.num_rows())
            .map(|row| {
                query
                    .header
                    .order
                    .iter()
                    .map(|name| Key::read(batch.column_by_name(name.split(' ').next().unwrap()).unwrap(), row))
                    .collect()
            })
            .collect();
        let descending: Vec<bool> = query.header.order.iter().map(|name| name.ends_with(" desc")).collect();
        for pair in keys.windows(2) {
            assert!(
                before(&pair[0], &pair[1], &descending),
                "{}: {:?} comes before {:?}",
                query.name,
                pair[0],
                pair[1]
            );
        }
    }
}

#[test]
fn an_answer_without_rows_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let session = tracelake::create(folder.path().to_str().unwrap()).unwrap();
    for query in tracelake::catalog::queries().iter().filter(|query| query.family().is_some()) {
        assert!(!query.header.empty.is_empty(), "{}: its header has no line `empty`", query.name);
        let frame = session.query::<i64>(&query.name, &[]).unwrap();
        assert_eq!(frame.why_empty().unwrap(), Some(query.header.empty.as_str()), "{}", query.name);
        let shown = format!("0 rows: {}", query.header.empty);
        assert!(frame.to_string().ends_with(&shown), "{frame}");
    }
    let asked = session.sql("select * from kernel_summary").unwrap();
    assert_eq!(asked.why_empty().unwrap(), None);
    assert!(asked.to_string().ends_with("0 rows"));
    let all = golden().query::<i64>("step.duration", &[]).unwrap();
    assert_eq!(all.why_empty().unwrap(), None);
}

/// A value to sort by.
#[derive(Debug, PartialEq, PartialOrd)]
enum Key {
    Integer(i64),
    Double(f64),
    Text(String),
}

impl Key {
    fn read(array: &tracelake::arrow::array::ArrayRef, row: usize) -> Option<Self> {
        match array.data_type() {
            DataType::Int64 => i64::read(array, row).map(Self::Integer),
            DataType::Float64 => f64::read(array, row).map(Self::Double),
            _ => String::read(array, row).map(Self::Text),
        }
    }
}

/// Nulls last where a column ascends and first where it descends, as SQL sorts.
fn before(a: &[Option<Key>], b: &[Option<Key>], descending: &[bool]) -> bool {
    for ((a, b), descending) in a.iter().zip(b).zip(descending) {
        match if *descending { (b, a) } else { (a, b) } {
            (Some(a), Some(b)) if a == b => {}
            (None, None) => {}
            (Some(a), Some(b)) => return a < b,
            (Some(_), None) => return true,
            (None, Some(_)) => return false,
        }
    }
    true
}

/// The queries that may read queries: reports, and what the diagnosis rests on.
fn reports(query: &Query) -> bool {
    const REPORTS: [&str; 4] = ["job.decision_tree", "job.verdict", "rules.compared", "rules.report"];
    REPORTS.contains(&query.name.as_str()) || query.name.starts_with("evidence_")
}

/// The tables that an unoptimized plan reads, and whether each scan of an optimized one has a filter on `run`.
fn scans(plan: &LogicalPlan) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            let on_run =
                scan.filters.iter().any(|filter| filter.column_refs().iter().any(|column| column.name == "run"));
            found.push((scan.table_name.table().to_owned(), on_run));
        }
        Ok(TreeNodeRecursion::Continue)
    })
    .unwrap();
    found
}

/// The queries that compare runs: a filter chooses which of them are shown.
const OVER_RUNS: [&str; 13] = [
    "fleet.regressions",
    "fleet.trend",
    "fleet.waste",
    "loader.scaling",
    "run_metric",
    "change_side",
    "change_sample",
    "change_row",
    "change.steps",
    "change.roles",
    "change.measures",
    "change.work",
    "change.report",
];

#[test]
fn a_filter_on_run_reaches_every_scan() {
    let session = golden();
    for query in queries().iter().filter(|query| !OVER_RUNS.contains(&query.name.as_str())) {
        let text = format!("select * from {} where run = 'job-a'", query.sql_name());
        for (table, on_run) in scans(&session.plan(&text).unwrap()) {
            assert!(on_run, "{}: the scan of `{table}` reads all runs", query.name);
        }
    }
}

/// The queries that show some subjects of a view: the optimizer leaves out the tables of the others.
const PARTS: [&str; 5] = ["change.measures", "change.roles", "change.steps", "change.work", "event.at_times"];

#[test]
fn the_tables_read_are_those_in_needs() {
    let session = golden();
    for query in queries() {
        let mut expected = BTreeSet::new();
        let needs = |of: &'static Query| of.header.needs.iter().map(move |name| (of, name.clone()));
        let mut open: Vec<(&Query, String)> = needs(query).collect();
        while let Some((reader, name)) = open.pop() {
            match queries().iter().find(|other| other.sql_name() == name) {
                Some(view) => {
                    assert!(
                        view.family().is_none() || reports(reader),
                        "{}: a query reads tables and views, not the query `{name}`",
                        reader.name
                    );
                    open.extend(needs(view));
                }
                None => {
                    expected.insert(name);
                }
            }
        }
        // Reports of rules are read where their limits are asked for.
        let takes = query.header.params.iter().any(|param| param.name == "defaults");
        let given = if takes { "defaults => 'reported'" } else { "" };
        let text = format!("select * from {}({given})", query.sql_name());
        let read: BTreeSet<String> = scans(&session.plan(&text).unwrap()).into_iter().map(|(table, _)| table).collect();
        if PARTS.contains(&query.name.as_str()) {
            assert!(read.is_subset(&expected), "{}: {read:?} read, of `needs` {expected:?}", query.name);
            continue;
        }
        // What rests on evidence takes from it what it needs: the engine leaves out the rest.
        if query.header.finding.is_some() || reports(query) {
            assert!(read.is_subset(&expected), "{}: tables read {read:?} beyond `needs` {expected:?}", query.name);
            continue;
        }
        assert_eq!(read, expected, "{}: tables read (left) against `needs` (right)", query.name);
    }
}

#[test]
fn findings_read_evidence_and_name_queries() {
    for (query, finding) in tracelake::catalog::findings() {
        assert_eq!(query.family(), Some("finding"), "{}", query.name);
        // what all findings read is computed once for a diagnosis
        for need in &query.header.needs {
            assert!(need.starts_with("evidence_"), "{}: a finding reads views evidence_*, not `{need}`", query.name);
        }
        for name in &finding.evidence {
            assert!(asked().any(|other| other.name == *name), "{}: its evidence `{name}` is no query", query.name);
        }
    }
}

#[test]
fn help_tables_list_what_there_is() {
    let session = golden();
    let named = session.sql("select name from help_queries order by name").unwrap().column::<String>("name").unwrap();
    let mut names: Vec<Option<String>> = asked().map(|query| Some(query.name.clone())).collect();
    names.sort();
    assert_eq!(named, names);
    let undescribed = session.sql("select count(*) as n from help_columns where doc = '' or unit = ''").unwrap();
    assert_eq!(undescribed.value::<i64>(0, "n").unwrap(), Some(0));
    // No column has a name that must be quoted.
    let times = "select relation, name, type, unit from help_columns where relation = 'step' and unit = 'time'";
    assert_eq!(session.sql(times).unwrap().to_csv().unwrap(), "relation,name,type,unit\nstep,ts,bigint,time\n");
}
