//! `compact`, which merges small data files of many runs: results before and after, and its effect on writers, open
//! sessions and `vacuum`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracelake::{CheckDepth, ErrorKind, Mode, OpenOptions, Session};

use crate::lake::{add_line, files_below, ingest_as, losses, scratch, texts};

const RUNS: [&str; 4] = ["a", "b", "c", "d"];
const TABLES: [&str; 6] = ["event", "step", "sample", "loader", "run_attribute", "problem"];

/// A lake of four runs of one profile.
fn lake_of_four_runs() -> (tempfile::TempDir, String, Session) {
    let (folder, url, session) = scratch();
    for run in RUNS {
        ingest_as(&session, &url, run);
    }
    (folder, url, session)
}

/// All rows of all tables, sorted, by table and run.
fn rows(session: &Session) -> BTreeMap<(String, String), Vec<String>> {
    let mut rows_by_run: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for table in TABLES {
        let csv = session.sql(&format!("select run as of_run, * from {table}")).unwrap().to_csv().unwrap();
        for line in csv.lines().skip(1) {
            let (run, row) = line.split_once(',').unwrap();
            rows_by_run.entry((table.to_owned(), run.to_owned())).or_default().push(row.to_owned());
        }
    }
    rows_by_run.values_mut().for_each(|rows| rows.sort());
    rows_by_run
}

fn reopen(session: &Session) -> Session {
    tracelake::open(session.url()).unwrap()
}

fn files(session: &Session, table: &str) -> Vec<String> {
    session.files(table, None).unwrap()
}

fn bundles(lake: &Path) -> Vec<PathBuf> {
    let folder = lake.join("_manifest/bundle");
    if folder.exists() { crate::golden::files(&folder, "json") } else { Vec::new() }
}

#[test]
fn compaction_leaves_few_files_and_all_results() {
    let (folder, _, session) = lake_of_four_runs();
    let before = rows(&session);
    let metrics =
        session.sql("select run, step_p50, bytes > 0 as some from run order by run").unwrap().to_csv().unwrap();
    let result = session.sql("select * from step_duration order by run, mode").unwrap().to_csv().unwrap();
    let number: usize = files(&session, "event").len();
    assert!(number >= RUNS.len());
    let dry = session.compact(Mode::DryRun).unwrap();
    assert!(bundles(&folder.path().join("lake")).is_empty());
    let compacted = session.compact(Mode::Apply).unwrap();
    assert_eq!(texts(&compacted, "table"), texts(&dry, "table"));
    for table in texts(&compacted, "table") {
        assert_eq!(files(&session, &table).len(), 1, "{table}");
    }
    for session in [&session, &reopen(&session)] {
        assert_eq!(rows(session), before);
        assert_eq!(session.sql("select * from step_duration order by run, mode").unwrap().to_csv().unwrap(), result);
        let metrics_after = session.sql("select run, step_p50, bytes > 0 as some from run order by run").unwrap();
        assert_eq!(metrics_after.to_csv().unwrap(), metrics);
        // Counts come from the manifests, and rows from the files.
        for run in RUNS {
            let counted = session.sql(&format!("select count(*) as n from event where run = '{run}'")).unwrap();
            let read =
                session.sql(&format!("select count(name) as n from event where run >= '{run}' and run <= '{run}'"));
            let expected = before[&("event".to_owned(), run.to_owned())].len();
            for frame in [counted, read.unwrap()] {
                assert_eq!(frame.value::<i64>(0, "n").unwrap(), i64::try_from(expected).ok(), "{run}");
            }
        }
    }
    assert_eq!(losses(&session), 0);
    assert_eq!(session.compact(Mode::Apply).unwrap().len().unwrap(), 0, "everything is merged already");
}

#[test]
fn a_run_in_the_middle_of_a_merged_file_can_be_deleted() {
    let (_folder, _, session) = lake_of_four_runs();
    session.compact(Mode::Apply).unwrap();
    // Adjacent runs are read as one range of a file, and a run in the middle can be skipped.
    session.delete(["b"]).unwrap();
    let remaining = rows(&session);
    assert!(remaining.keys().all(|(_, run)| run != "b") && remaining.keys().any(|(_, run)| run == "c"));
    let counted = session.sql("select run, count(*) as n from event group by run order by run").unwrap();
    assert_eq!(texts(&counted, "run"), ["a", "c", "d"]);
    let total = session.sql("select count(*) as n from event").unwrap().value::<i64>(0, "n").unwrap();
    assert_eq!(total, counted.column::<i64>("n").unwrap().into_iter().sum());
    assert_eq!(losses(&session), 0);
}

#[test]
fn a_compacted_run_can_be_extended() {
    let (folder, url, session) = lake_of_four_runs();
    session.compact(Mode::Apply).unwrap();
    let before = rows(&session);
    let lake = folder.path().join("lake");
    session.vacuum(Duration::ZERO, Mode::Apply).unwrap();
    assert_eq!(crate::golden::files(&lake.join("_manifest/run"), "json"), Vec::<PathBuf>::new());
    assert_eq!(rows(&reopen(&session)), before);
    // The profile did not change: nothing is read, and nothing is committed.
    let files = files_below(&lake);
    ingest_as(&session, &url, "b");
    assert_eq!(files_below(&lake), files);
    // One file has one more line: its rows are replaced, and those of other runs stay.
    add_line(&url);
    ingest_as(&session, &url, "b");
    session.tag(["c"], &[("commit", Some("3fa2"))]).unwrap();
    let after = rows(&reopen(&session));
    for ((table, run), rows) in &after {
        let old = before.get(&(table.clone(), run.clone())).map_or(0, Vec::len);
        let more = usize::from((table.as_str(), run.as_str()) == ("sample", "b"))
            + usize::from((table.as_str(), run.as_str()) == ("run_attribute", "c"));
        assert_eq!(rows.len(), old + more, "{table} of {run}");
    }
    assert!(ingest_as(&session, &url, "b").generation > 2, "the generation increases");
    // A second compaction includes the new rows.
    session.compact(Mode::Apply).unwrap();
    assert_eq!(rows(&reopen(&session)), after);
    session.vacuum(Duration::ZERO, Mode::Apply).unwrap();
    assert_eq!(rows(&reopen(&session)), after);
    assert_eq!(session.check(CheckDepth::Contents).unwrap().len().unwrap(), 0);
}

#[test]
fn open_sessions_read_the_old_files_until_vacuum() {
    let (folder, _, session) = lake_of_four_runs();
    let reader = reopen(&session);
    let before = rows(&reader);
    let old = files(&reader, "event");
    session.compact(Mode::Apply).unwrap();
    let removed = session.vacuum(Duration::from_hours(24), Mode::Apply).unwrap();
    assert!(texts(&removed, "path").iter().all(|path| !path.ends_with(".parquet")));
    assert_eq!(rows(&reader), before);
    session.vacuum(Duration::ZERO, Mode::Apply).unwrap();
    assert!(old.iter().all(|file| !Path::new(file).exists()));
    assert_eq!(rows(&session), before);
    assert_eq!(bundles(&folder.path().join("lake")).len(), 1);
    assert_eq!(session.check(CheckDepth::Contents).unwrap().len().unwrap(), 0);
}

#[test]
fn vacuum_removes_a_bundle_without_runs() {
    let (folder, url, session) = lake_of_four_runs();
    let lake = folder.path().join("lake");
    session.compact(Mode::Apply).unwrap();
    session.delete(RUNS).unwrap();
    session.vacuum(Duration::ZERO, Mode::Apply).unwrap();
    assert_eq!((bundles(&lake).len(), crate::golden::files(&lake, "parquet").len()), (0, 0));
    assert!(rows(&reopen(&session)).is_empty());
    ingest_as(&session, &url, "a");
    assert_eq!(texts(&reopen(&session).sql("select run from run").unwrap(), "run"), ["a"]);
}

#[test]
fn corruption_in_a_shared_file_is_reported() {
    let (_folder, _, session) = lake_of_four_runs();
    session.compact(Mode::Apply).unwrap();
    session.vacuum(Duration::ZERO, Mode::Apply).unwrap();
    let file = files(&session, "event").remove(0);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[100..300].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let faults = session.check(CheckDepth::Contents).unwrap();
    assert_eq!((texts(&faults, "fault"), texts(&faults, "run")), (vec!["corrupt".to_owned()], vec!["a".to_owned()]));
    std::fs::remove_file(&file).unwrap();
    let faults = session.check(CheckDepth::Contents).unwrap();
    assert_eq!(texts(&faults, "run"), RUNS);
    assert_eq!(texts(&faults, "fault"), ["missing"; 4]);
}

#[test]
fn concurrent_compactions_keep_all_rows() {
    let (folder, _, session) = lake_of_four_runs();
    let before = rows(&session);
    let sessions: Vec<Session> = (0..4).map(|_| reopen(&session)).collect();
    let results: Vec<_> = std::thread::scope(|scope| {
        let started: Vec<_> = sessions.iter().map(|session| scope.spawn(|| session.compact(Mode::Apply))).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(results.iter().any(Result::is_ok));
    assert!(results.iter().filter_map(|result| result.as_ref().err()).all(|error| error.kind() == ErrorKind::Conflict));
    assert_eq!(rows(&reopen(&session)), before);
    session.vacuum(Duration::ZERO, Mode::Apply).unwrap();
    assert_eq!(rows(&reopen(&session)), before);
    assert_eq!(bundles(&folder.path().join("lake")).len(), 1);
    assert_eq!(session.check(CheckDepth::Contents).unwrap().len().unwrap(), 0);
}

#[test]
fn compaction_of_no_run_and_of_one_run_does_nothing() {
    let (_folder, url, session) = scratch();
    assert_eq!(session.compact(Mode::Apply).unwrap().len().unwrap(), 0);
    ingest_as(&session, &url, "alone");
    session.compact(Mode::Apply).unwrap();
    let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
    let one = tracelake::open_with(&url, options).unwrap();
    one.compact(Mode::Apply).unwrap();
    assert_eq!(losses(&one), 0);
}
