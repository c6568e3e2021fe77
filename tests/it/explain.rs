//! `Frame::explain`: its numbers are compared with the files and manifests of the lake.

use tracelake::{CheckDepth, ErrorKind, Frame, Mode, Session};

use crate::lake::{ingest_as, scratch, texts};

/// A lake of three runs of one profile.
fn lake_of_three_runs() -> (tempfile::TempDir, Session) {
    let (folder, url, session) = scratch();
    for run in ["a", "b", "c"] {
        ingest_as(&session, &url, run);
    }
    (folder, session)
}

fn explain_sql(session: &Session, text: &str) -> Frame {
    session.sql(text).unwrap().explain().unwrap()
}

/// The numbers of the first row, which describes the whole query, by the names of their columns.
fn totals<const N: usize>(plan: &Frame, columns: [&str; N]) -> [Option<i64>; N] {
    columns.map(|column| plan.value::<i64>(0, column).unwrap())
}

const READ: [&str; 4] = ["parts", "parts_pruned", "row_groups", "row_groups_pruned"];

#[test]
fn data_files_of_other_runs_and_times_are_skipped() {
    let (_folder, session) = lake_of_three_runs();
    let count_files = |table: &str| i64::try_from(session.files(table, None).unwrap().len()).unwrap();
    let run_files = i64::try_from(session.files("event", "b").unwrap().len()).unwrap();
    let all = count_files("event");
    assert!(all > run_files && run_files > 0);

    let text = "select count(name) as n from event";
    let [read, pruned, groups, groups_pruned] = totals(&explain_sql(&session, text), READ);
    assert_eq!((read, pruned, groups_pruned), (Some(all), Some(0), Some(0)));
    // No data file has more rows than a row group.
    assert_eq!(groups, Some(all));

    let one = explain_sql(&session, "select count(name) as n from event where run = 'b'");
    assert_eq!(totals(&one, READ), [Some(run_files), Some(all - run_files), Some(run_files), Some(0)]);
    assert_eq!(totals(&one, ["rows"]), [Some(1)]);
    let bytes: u64 =
        session.files("event", "b").unwrap().iter().map(|file| std::fs::metadata(file).unwrap().len()).sum();
    let [scanned] = totals(&one, ["bytes"]).map(Option::unwrap);
    assert!(scanned > 0 && u64::try_from(scanned).unwrap() < bytes, "{scanned} of {bytes} bytes: one column of many");

    // This list is too long to be compared with the bounds of a file.
    let many: Vec<String> = (0..40).map(|n| format!("'other-{n}'")).collect();
    let many = many.join(", ");
    let within = explain_sql(&session, &format!("select count(name) as n from event where run in ('b', {many})"));
    assert_eq!(totals(&within, READ)[..2], [Some(run_files), Some(all - run_files)]);
    let without =
        explain_sql(&session, &format!("select count(name) as n from event where run not in ('a', 'c', {many})"));
    assert_eq!(totals(&without, READ)[..2], [Some(run_files), Some(all - run_files)]);

    // A manifest has no bounds of `dur`, but each row group has.
    let none =
        explain_sql(&session, "select count(name) as n from event where run = 'b' and dur > 9000000000000000000");
    assert_eq!(totals(&none, READ), [Some(run_files), Some(all - run_files), Some(0), Some(run_files)]);

    // Slices of one file.
    session.compact(Mode::Apply).unwrap();
    let one = explain_sql(&session, "select count(name) as n from event where run = 'b'");
    assert_eq!(totals(&one, READ), [Some(1), Some(2), Some(1), Some(0)]);
}

#[test]
fn steps_come_before_their_inputs() {
    let (_folder, session) = lake_of_three_runs();
    let frame = session.query("step.duration", [("run", "a")]).unwrap();
    let plan = frame.explain().unwrap();
    assert_eq!(texts(&plan, "operator")[..2], ["question", "planning"]);
    let steps: Vec<i64> = plan.column::<i64>("step").unwrap().into_iter().flatten().collect();
    assert_eq!(steps, (1..=i64::try_from(steps.len()).unwrap()).collect::<Vec<_>>());
    let depths: Vec<i64> = plan.column::<i64>("depth").unwrap().into_iter().flatten().collect();
    assert_eq!(depths[..3], [0, 1, 1]);
    assert!(depths.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{depths:?}");

    let column = |name: &str| plan.column::<i64>(name).unwrap();
    assert_eq!(column("rows")[0], i64::try_from(frame.len().unwrap()).ok());
    assert_eq!(column("rows")[2], column("rows")[0], "the first step returns the rows of the result");
    let cpu = column("cpu");
    assert_eq!(cpu[0], Some(cpu[1..].iter().flatten().sum()));
    let dur = column("dur");
    assert!(dur[0] > dur[1] && dur[1] > Some(0) && dur[2..].iter().all(Option::is_none), "{dur:?}");
    let bytes = column("bytes");
    assert_eq!(bytes[0], Some(bytes[1..].iter().flatten().sum()));
    let scans: Vec<String> = texts(&plan, "detail")
        .into_iter()
        .zip(&bytes)
        .filter(|(_, bytes)| bytes.is_some())
        .map(|(text, _)| text)
        .collect();
    assert!(scans[1..].iter().all(|text| text.starts_with("step: projection=")), "{scans:?}");
}

#[test]
fn queries_that_read_no_rows_and_frames_without_a_query() {
    let (_folder, session) = lake_of_three_runs();
    // Manifests count rows.
    let counted = explain_sql(&session, "select count(*) as n from event");
    assert_eq!(totals(&counted, ["rows", "bytes"]), [Some(1), None]);
    let error = session.check(CheckDepth::Sizes).unwrap().explain().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert_eq!(error.message(), "cannot explain these rows: they are not the result of a query");
    let error = session.sql("select 1 / (rank - rank) as x from step").unwrap().explain().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Query, "{error}");
}

#[test]
fn a_join_on_columns_that_may_be_null_is_a_hash_join_on_all_of_them() {
    let (_folder, session) = lake_of_three_runs();
    for condition in ["a.run = b.run AND (a.node IS NOT DISTINCT FROM b.node)", "a.node IS NOT DISTINCT FROM b.node"] {
        let text = format!("EXPLAIN SELECT a.run FROM event AS a JOIN event AS b ON {condition}");
        let plans = texts(&session.sql(&text).unwrap(), "plan");
        let join = plans.iter().flat_map(|plan| plan.lines()).find(|line| line.contains("HashJoinExec")).unwrap();
        let keys = &join[join.find("on=[").unwrap()..join.find(']').unwrap()];
        assert!(keys.contains("node"), "{join}");
    }
}
