//! Checks that every canned query matches its header, without a separate test for each query.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tracelake::Value;
use tracelake::arrow::datatypes::DataType;
use tracelake::catalog::{Domain, Query, queries};
use tracelake::datafusion::common::tree_node::TreeNodeRecursion;
use tracelake::datafusion::logical_expr::LogicalPlan;
use tracelake::frame::Cell;
use tracelake::unit::Unit;

use crate::golden::golden;

fn canned_queries() -> impl Iterator<Item = &'static Query> {
    queries().iter().filter(|query| query.family().is_some())
}

#[test]
fn every_query_has_a_golden_test() {
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
fn a_referenced_domain_exists() {
    for query in canned_queries() {
        for param in &query.header.params {
            let Domain::SameAs(name, referenced_param) = &param.domain else { continue };
            let other = queries().iter().find(|other| other.sql_name() == *name);
            let other =
                other.and_then(|other| other.header.params.iter().find(|other| other.name == *referenced_param));
            assert!(
                other.is_some_and(|other| matches!(other.domain, Domain::Names(_))),
                "{}: {}: {name}.{referenced_param}",
                query.name,
                param.name
            );
        }
    }
}

#[test]
fn planned_columns_match_the_header() {
    let session = golden();
    for query in queries() {
        let frame = session.sql(&format!("select * from {}()", query.sql_name())).unwrap();
        let planned: Vec<(String, &str, Option<String>)> = frame
            .columns()
            .into_iter()
            .map(|c| {
                let ty = match c.data_type {
                    DataType::Int64 => "bigint",
                    DataType::Timestamp(..) if c.unit == Some(Unit::Time) => "bigint",
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
fn queries_return_rows_in_the_declared_order() {
    let session = golden();
    for query in canned_queries() {
        // with the default arguments, these queries return no rows for the golden profiles
        let arguments: Vec<(&str, Value)> = match query.name.as_str() {
            // three runs with steps are too few for a significant change
            "fleet.regressions" => vec![("max_p", 1.0.into()), ("min_runs", 1.into())],
            "kernel.frequent_sequences" => vec![("min_kernels", 1.into())],
            "utilization.cpu_bottleneck" => vec![("gpu", 0.2.into())],
            "utilization.io_bottleneck" => vec![("gpu", 0.8.into()), ("io", 0.08.into())],
            _ => Vec::new(),
        };
        let batch = session.query(&query.name, &arguments).unwrap().batch().unwrap();
        assert!(batch.num_rows() > 0, "{}: the golden profiles give no rows", query.name);
        let keys: Vec<Vec<Option<SortKey>>> = (0..batch.num_rows())
            .map(|row| {
                query
                    .header
                    .order
                    .iter()
                    .map(|name| SortKey::read(batch.column_by_name(name.split(' ').next().unwrap()).unwrap(), row))
                    .collect()
            })
            .collect();
        let descending: Vec<bool> = query.header.order.iter().map(|name| name.ends_with(" desc")).collect();
        for pair in keys.windows(2) {
            assert!(
                sorts_before(&pair[0], &pair[1], &descending),
                "{}: {:?} comes before {:?}",
                query.name,
                pair[0],
                pair[1]
            );
        }
    }
}

#[test]
fn an_empty_result_has_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let session = tracelake::create(folder.path().to_str().unwrap()).unwrap();
    for query in tracelake::catalog::queries().iter().filter(|query| query.family().is_some()) {
        assert!(!query.header.empty.is_empty(), "{}: its header has no line `empty`", query.name);
        let frame = session.query(&query.name, ()).unwrap();
        assert_eq!(frame.why_empty().unwrap(), Some(query.header.empty.as_str()), "{}", query.name);
        let shown = format!("0 rows: {}", query.header.empty);
        assert!(frame.to_string().ends_with(&shown), "{frame}");
    }
    let summary = session.sql("select * from kernel_summary").unwrap();
    assert_eq!(summary.why_empty().unwrap(), None);
    assert!(summary.to_string().ends_with("0 rows"));
    let all = golden().query("step.duration", ()).unwrap();
    assert_eq!(all.why_empty().unwrap(), None);
}

/// A value to sort by.
#[derive(Debug, PartialEq, PartialOrd)]
enum SortKey {
    Integer(i64),
    Double(f64),
    Text(String),
}

impl SortKey {
    fn read(array: &tracelake::arrow::array::ArrayRef, row: usize) -> Option<Self> {
        match array.data_type() {
            DataType::Int64 | DataType::Timestamp(..) => i64::read(array, row).map(Self::Integer),
            DataType::Float64 => f64::read(array, row).map(Self::Double),
            _ => String::read(array, row).map(Self::Text),
        }
    }
}

/// Whether row `a` sorts before row `b`. Nulls are last in ascending and first in descending columns, as in SQL.
fn sorts_before(a: &[Option<SortKey>], b: &[Option<SortKey>], descending: &[bool]) -> bool {
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

/// Whether a query may read other queries: reports and evidence of the diagnosis do.
fn may_read_queries(query: &Query) -> bool {
    const REPORTS: [&str; 4] = ["job.decision_tree", "job.verdict", "rules.compared", "rules.report"];
    REPORTS.contains(&query.name.as_str()) || query.name.starts_with("evidence_")
}

/// The table of each scan of a plan, and whether the scan has a filter on `run`.
fn table_scans(plan: &LogicalPlan) -> Vec<(String, bool)> {
    let mut tables = Vec::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            let on_run =
                scan.filters.iter().any(|filter| filter.column_refs().iter().any(|column| column.name == "run"));
            tables.push((scan.table_name.table().to_owned(), on_run));
        }
        Ok(TreeNodeRecursion::Continue)
    })
    .unwrap();
    tables
}

/// The queries that compare runs. They scan all runs, and a filter selects the rows to show.
const OVER_RUNS: [&str; 14] = [
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
    "change.summary",
];

#[test]
fn a_filter_on_run_reaches_every_scan() {
    let session = golden();
    for query in queries().iter().filter(|query| !OVER_RUNS.contains(&query.name.as_str())) {
        let text = format!("select * from {} where run = 'job-a'", query.sql_name());
        for (table, on_run) in table_scans(&session.plan(&text).unwrap()) {
            assert!(on_run, "{}: the scan of `{table}` reads all runs", query.name);
        }
    }
}

/// The queries that show some subjects of a view. The optimizer drops the scans for the other subjects.
const VIEW_SUBSETS: [&str; 5] = ["change.measures", "change.roles", "change.steps", "change.work", "event.at_times"];

#[test]
fn queries_read_the_tables_listed_in_needs() {
    let session = golden();
    for query in queries() {
        let mut expected = BTreeSet::new();
        let needs = |query: &'static Query| query.header.needs.iter().map(move |name| (query, name.clone()));
        let mut open: Vec<(&Query, String)> = needs(query).collect();
        while let Some((reader, name)) = open.pop() {
            match queries().iter().find(|other| other.sql_name() == name) {
                Some(view) => {
                    assert!(
                        view.family().is_none() || may_read_queries(reader),
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
        // Reports of rules are read only if their limits are requested.
        let has_defaults = query.header.params.iter().any(|param| param.name == "defaults");
        let arguments = if has_defaults { "defaults => 'reported'" } else { "" };
        let text = format!("select * from {}({arguments})", query.sql_name());
        let read: BTreeSet<String> =
            table_scans(&session.plan(&text).unwrap()).into_iter().map(|(table, _)| table).collect();
        if VIEW_SUBSETS.contains(&query.name.as_str()) {
            assert!(read.is_subset(&expected), "{}: {read:?} read, of `needs` {expected:?}", query.name);
            continue;
        }
        // Findings and reports use some columns of their evidence: the optimizer drops unused scans.
        if query.header.finding.is_some() || may_read_queries(query) {
            assert!(read.is_subset(&expected), "{}: tables read {read:?} beyond `needs` {expected:?}", query.name);
            continue;
        }
        assert_eq!(read, expected, "{}: tables read (left) against `needs` (right)", query.name);
    }
}

#[test]
fn findings_read_evidence_views_and_name_existing_queries() {
    for (query, finding) in tracelake::catalog::findings() {
        assert_eq!(query.family(), Some("finding"), "{}", query.name);
        // a diagnosis computes the evidence views once for all findings
        for need in query.header.needs.iter().filter(|need| *need != "run_attribute") {
            assert!(need.starts_with("evidence_"), "{}: a finding reads views evidence_*, not `{need}`", query.name);
        }
        for name in &finding.evidence {
            assert!(
                canned_queries().any(|other| other.name == *name),
                "{}: its evidence `{name}` is not a query",
                query.name
            );
        }
    }
}

#[test]
fn findings_are_explained_by_existing_findings_without_circles() {
    let causes: BTreeMap<String, BTreeSet<String>> = tracelake::catalog::findings()
        .map(|(query, finding)| {
            let line = finding
                .quantity
                .lines()
                .find(|line| line.ends_with("AS explained_by,") && !line.contains("CAST("))
                .unwrap_or_default();
            // The texts in quotes, except values that a column is compared with.
            let ids = line.split('\'').skip(1).step_by(2).flat_map(|text| text.split(", ")).map(str::to_owned);
            (query.question().to_owned(), ids.filter(|id| !id.is_empty() && id != "loader").collect())
        })
        .collect();
    for (finding, explained_by) in &causes {
        let mut open: Vec<&String> = explained_by.iter().collect();
        let mut visited = BTreeSet::new();
        while let Some(id) = open.pop() {
            assert_ne!(id, finding, "{finding} explains itself");
            let next = causes.get(id).unwrap_or_else(|| panic!("{finding}: there is no finding `{id}`"));
            open.extend(next.iter().filter(|id| visited.insert((*id).clone())));
        }
    }
    assert!(causes["communication_high"].contains("rank_straggler"));
}

#[test]
fn help_tables_list_all_queries_and_columns() {
    let session = golden();
    let named = session.sql("select name from help_queries order by name").unwrap().column::<String>("name").unwrap();
    let mut names: Vec<Option<String>> = canned_queries().map(|query| Some(query.name.clone())).collect();
    names.sort();
    assert_eq!(named, names);
    let undescribed = session.sql("select count(*) as n from help_columns where doc = '' or unit = ''").unwrap();
    assert_eq!(undescribed.value::<i64>(0, "n").unwrap(), Some(0));
    // No name of a column needs quotes.
    let times = "select relation, name, type, unit from help_columns where relation = 'step' and unit = 'time'";
    assert_eq!(session.sql(times).unwrap().to_csv().unwrap(), "relation,name,type,unit\nstep,ts,bigint,time\n");
}
