//! Small parts of many runs in few files: answers before and after, and what writers, readers and `vacuum` make of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracelake::{ErrorKind, Open, Session};

use crate::lake::{add_line, files_below, ingest_as, losses, scratch, texts};

const RUNS: [&str; 4] = ["a", "b", "c", "d"];
const TABLES: [&str; 6] = ["event", "step", "sample", "loader", "run_attribute", "problem"];

/// A lake of four runs of one profile.
fn four() -> (tempfile::TempDir, String, Session) {
    let (folder, url, session) = scratch();
    for run in RUNS {
        ingest_as(&session, &url, run);
    }
    (folder, url, session)
}

/// All rows of all tables, sorted, by table and run.
fn rows(session: &Session) -> BTreeMap<(String, String), Vec<String>> {
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for table in TABLES {
        let csv = session.sql(&format!("select run as of_run, * from {table}")).unwrap().to_csv().unwrap();
        for line in csv.lines().skip(1) {
            let (run, row) = line.split_once(',').unwrap();
            found.entry((table.to_owned(), run.to_owned())).or_default().push(row.to_owned());
        }
    }
    found.values_mut().for_each(|rows| rows.sort());
    found
}

fn opened(session: &Session) -> Session {
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
fn every_answer_stays_and_few_files_are_left() {
    let (folder, _, session) = four();
    let before = rows(&session);
    let figures =
        session.sql("select run, step_p50, bytes > 0 as some from run order by run").unwrap().to_csv().unwrap();
    let answer = session.sql("select * from step_duration order by run, mode").unwrap().to_csv().unwrap();
    let number: usize = files(&session, "event").len();
    assert!(number >= RUNS.len());
    let dry = session.compact(true).unwrap();
    assert!(bundles(&folder.path().join("lake")).is_empty());
    let told = session.compact(false).unwrap();
    assert_eq!(texts(&told, "table"), texts(&dry, "table"));
    for table in texts(&told, "table") {
        assert_eq!(files(&session, &table).len(), 1, "{table}");
    }
    for session in [&session, &opened(&session)] {
        assert_eq!(rows(session), before);
        assert_eq!(session.sql("select * from step_duration order by run, mode").unwrap().to_csv().unwrap(), answer);
        let now = session.sql("select run, step_p50, bytes > 0 as some from run order by run").unwrap();
        assert_eq!(now.to_csv().unwrap(), figures);
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
    assert_eq!(session.compact(false).unwrap().rows().unwrap(), 0, "all of it is together");
}

#[test]
fn what_is_small_comes_together_whatever_else_a_file_holds() {
    let (_folder, _, session) = four();
    session.compact(false).unwrap();
    // Runs beside each other are read as one stretch of a file, and one in the middle may be left out.
    session.delete(&["b"]).unwrap();
    let left = rows(&session);
    assert!(left.keys().all(|(_, run)| run != "b") && left.keys().any(|(_, run)| run == "c"));
    let counted = session.sql("select run, count(*) as n from event group by run order by run").unwrap();
    assert_eq!(texts(&counted, "run"), ["a", "c", "d"]);
    let total = session.sql("select count(*) as n from event").unwrap().value::<i64>(0, "n").unwrap();
    assert_eq!(total, counted.column::<i64>("n").unwrap().into_iter().sum());
    assert_eq!(losses(&session), 0);
}

#[test]
fn a_run_goes_on_from_a_bundle() {
    let (folder, url, session) = four();
    session.compact(false).unwrap();
    let before = rows(&session);
    let lake = folder.path().join("lake");
    session.vacuum(Duration::ZERO, false).unwrap();
    assert_eq!(crate::golden::files(&lake.join("_manifest/run"), "json"), Vec::<PathBuf>::new());
    assert_eq!(rows(&opened(&session)), before);
    // Nothing new: nothing is read, and nothing is committed.
    let files = files_below(&lake);
    ingest_as(&session, &url, "b");
    assert_eq!(files_below(&lake), files);
    // A line more: the rows of that file are replaced, and those of other runs stay.
    add_line(&url);
    ingest_as(&session, &url, "b");
    session.tag("c", &[("commit", Some("3fa2"))]).unwrap();
    let after = rows(&opened(&session));
    for ((table, run), rows) in &after {
        let old = before.get(&(table.clone(), run.clone())).map_or(0, Vec::len);
        let more = usize::from((table.as_str(), run.as_str()) == ("sample", "b"))
            + usize::from((table.as_str(), run.as_str()) == ("run_attribute", "c"));
        assert_eq!(rows.len(), old + more, "{table} of {run}");
    }
    assert!(ingest_as(&session, &url, "b").generation > 2, "it goes on counting");
    // And together again, with what is new.
    session.compact(false).unwrap();
    assert_eq!(rows(&opened(&session)), after);
    session.vacuum(Duration::ZERO, false).unwrap();
    assert_eq!(rows(&opened(&session)), after);
    assert_eq!(session.check(true).unwrap().rows().unwrap(), 0);
}

#[test]
fn who_saw_the_old_files_reads_them_until_they_are_vacuumed() {
    let (folder, _, session) = four();
    let reader = opened(&session);
    let before = rows(&reader);
    let old = files(&reader, "event");
    session.compact(false).unwrap();
    let kept = session.vacuum(Duration::from_hours(24), false).unwrap();
    assert!(texts(&kept, "path").iter().all(|path| !path.ends_with(".parquet")));
    assert_eq!(rows(&reader), before);
    session.vacuum(Duration::ZERO, false).unwrap();
    assert!(old.iter().all(|file| !Path::new(file).exists()));
    assert_eq!(rows(&session), before);
    assert_eq!(bundles(&folder.path().join("lake")).len(), 1);
    assert_eq!(session.check(true).unwrap().rows().unwrap(), 0);
}

#[test]
fn a_bundle_whose_runs_are_all_gone_is_waste() {
    let (folder, url, session) = four();
    let lake = folder.path().join("lake");
    session.compact(false).unwrap();
    session.delete(&RUNS).unwrap();
    session.vacuum(Duration::ZERO, false).unwrap();
    assert_eq!((bundles(&lake).len(), crate::golden::files(&lake, "parquet").len()), (0, 0));
    assert!(rows(&opened(&session)).is_empty());
    ingest_as(&session, &url, "a");
    assert_eq!(texts(&opened(&session).sql("select run from run").unwrap(), "run"), ["a"]);
}

#[test]
fn damage_in_a_file_of_many_runs_is_told_for_each() {
    let (_folder, _, session) = four();
    session.compact(false).unwrap();
    session.vacuum(Duration::ZERO, false).unwrap();
    let file = files(&session, "event").remove(0);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[100..300].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let faults = session.check(true).unwrap();
    assert_eq!((texts(&faults, "fault"), texts(&faults, "run")), (vec!["damaged".to_owned()], vec!["a".to_owned()]));
    std::fs::remove_file(&file).unwrap();
    let faults = session.check(true).unwrap();
    assert_eq!(texts(&faults, "run"), RUNS);
    assert_eq!(texts(&faults, "fault"), ["missing"; 4]);
}

#[test]
fn of_two_that_compact_at_once_none_spoils_anything() {
    let (folder, _, session) = four();
    let before = rows(&session);
    let sessions: Vec<Session> = (0..4).map(|_| opened(&session)).collect();
    let ended: Vec<_> = std::thread::scope(|scope| {
        let started: Vec<_> = sessions.iter().map(|session| scope.spawn(|| session.compact(false))).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(ended.iter().any(Result::is_ok));
    assert!(ended.iter().filter_map(|ended| ended.as_ref().err()).all(|error| error.kind() == ErrorKind::Conflict));
    assert_eq!(rows(&opened(&session)), before);
    session.vacuum(Duration::ZERO, false).unwrap();
    assert_eq!(rows(&opened(&session)), before);
    assert_eq!(bundles(&folder.path().join("lake")).len(), 1);
    assert_eq!(session.check(true).unwrap().rows().unwrap(), 0);
}

#[test]
fn one_run_and_none_are_nothing_to_bring_together() {
    let (_folder, url, session) = scratch();
    assert_eq!(session.compact(false).unwrap().rows().unwrap(), 0);
    ingest_as(&session, &url, "alone");
    session.compact(false).unwrap();
    let how = Open { ephemeral: true, ..Open::default() };
    let one = tracelake::open_with(&url, how).unwrap();
    one.compact(false).unwrap();
    assert_eq!(losses(&one), 0);
}
