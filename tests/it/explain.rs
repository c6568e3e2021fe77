//! How a question was answered: what is told is held against the files and manifests of the lake.

use tracelake::{ErrorKind, Frame, Session};

use crate::lake::{ingest_as, scratch, texts};

/// A lake of three runs of one profile.
fn three() -> (tempfile::TempDir, Session) {
    let (folder, url, session) = scratch();
    for run in ["a", "b", "c"] {
        ingest_as(&session, &url, run);
    }
    (folder, session)
}

fn how(session: &Session, text: &str) -> Frame {
    session.sql(text).unwrap().explain().unwrap()
}

/// The numbers of the question as a whole, by the names of their columns.
fn whole<const N: usize>(how: &Frame, columns: [&str; N]) -> [Option<i64>; N] {
    columns.map(|column| how.value::<i64>(0, column).unwrap())
}

const READ: [&str; 4] = ["parts", "parts_pruned", "row_groups", "row_groups_pruned"];

#[test]
fn parts_of_other_runs_and_times_are_left_out() {
    let (_folder, session) = three();
    let parts = |table: &str| i64::try_from(session.files(table, None).unwrap().len()).unwrap();
    let of_run = i64::try_from(session.files("event", Some(&["b".to_owned()])).unwrap().len()).unwrap();
    let all = parts("event");
    assert!(all > of_run && of_run > 0);

    let text = "select count(name) as n from event";
    let [read, pruned, groups, groups_pruned] = whole(&how(&session, text), READ);
    assert_eq!((read, pruned, groups_pruned), (Some(all), Some(0), Some(0)));
    // None of them has more rows than a row group.
    assert_eq!(groups, Some(all));

    let one = how(&session, "select count(name) as n from event where run = 'b'");
    assert_eq!(whole(&one, READ), [Some(of_run), Some(all - of_run), Some(of_run), Some(0)]);
    assert_eq!(whole(&one, ["rows"]), [Some(1)]);
    let bytes: u64 = session
        .files("event", Some(&["b".to_owned()]))
        .unwrap()
        .iter()
        .map(|file| std::fs::metadata(file).unwrap().len())
        .sum();
    let [scanned] = whole(&one, ["bytes"]).map(Option::unwrap);
    assert!(scanned > 0 && u64::try_from(scanned).unwrap() < bytes, "{scanned} of {bytes} bytes: one column of many");

    // A list that is too long to be compared with bounds.
    let many: Vec<String> = (0..40).map(|n| format!("'other-{n}'")).collect();
    let many = many.join(", ");
    let within = how(&session, &format!("select count(name) as n from event where run in ('b', {many})"));
    assert_eq!(whole(&within, READ)[..2], [Some(of_run), Some(all - of_run)]);
    let without = how(&session, &format!("select count(name) as n from event where run not in ('a', 'c', {many})"));
    assert_eq!(whole(&without, READ)[..2], [Some(of_run), Some(all - of_run)]);

    // No manifest knows how long events are, but each row group does.
    let none = how(&session, "select count(name) as n from event where run = 'b' and dur > 9000000000000000000");
    assert_eq!(whole(&none, READ), [Some(of_run), Some(all - of_run), Some(0), Some(of_run)]);

    // Slices of one file.
    session.compact(false).unwrap();
    let one = how(&session, "select count(name) as n from event where run = 'b'");
    assert_eq!(whole(&one, READ), [Some(1), Some(2), Some(1), Some(0)]);
}

#[test]
fn steps_stand_before_those_that_they_ask() {
    let (_folder, session) = three();
    let asked = session.query("step.duration", &[("run", "a")]).unwrap();
    let how = asked.explain().unwrap();
    assert_eq!(texts(&how, "operator")[..2], ["question", "planning"]);
    let steps: Vec<i64> = how.column::<i64>("step").unwrap().into_iter().flatten().collect();
    assert_eq!(steps, (1..=i64::try_from(steps.len()).unwrap()).collect::<Vec<_>>());
    let depths: Vec<i64> = how.column::<i64>("depth").unwrap().into_iter().flatten().collect();
    assert_eq!(depths[..3], [0, 1, 1]);
    assert!(depths.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{depths:?}");

    let column = |name: &str| how.column::<i64>(name).unwrap();
    assert_eq!(column("rows")[0], i64::try_from(asked.rows().unwrap()).ok());
    assert_eq!(column("rows")[2], column("rows")[0], "the first step hands on the answer");
    let cpu = column("cpu");
    assert_eq!(cpu[0], Some(cpu[1..].iter().flatten().sum()));
    let dur = column("dur");
    assert!(dur[0] > dur[1] && dur[1] > Some(0) && dur[2..].iter().all(Option::is_none), "{dur:?}");
    let bytes = column("bytes");
    assert_eq!(bytes[0], Some(bytes[1..].iter().flatten().sum()));
    let scans: Vec<String> = texts(&how, "detail")
        .into_iter()
        .zip(&bytes)
        .filter(|(_, bytes)| bytes.is_some())
        .map(|(text, _)| text)
        .collect();
    assert!(scans[1..].iter().all(|text| text.starts_with("step: projection=")), "{scans:?}");
}

#[test]
fn what_reads_no_rows_and_what_no_query_made() {
    let (_folder, session) = three();
    // Manifests count rows.
    let counted = how(&session, "select count(*) as n from event");
    assert_eq!(whole(&counted, ["rows", "bytes"]), [Some(1), None]);
    let error = session.check(false).unwrap().explain().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert_eq!(error.message(), "cannot explain these rows: they are not the result of a query");
    let error = session.sql("select 1 / (rank - rank) as x from step").unwrap().explain().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Query, "{error}");
}
