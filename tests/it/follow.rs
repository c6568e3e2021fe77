//! Following a job while it writes: every row once, whatever appears, is replaced or is not ready yet.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracelake::{ErrorKind, Follow, Request, Session};

/// A full minute, s.
const START: u64 = 1_600_000_200;

/// A job's folder and an empty lake.
fn scratch() -> (tempfile::TempDir, PathBuf, Session) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("job/profiler-output");
    std::fs::create_dir_all(&root).unwrap();
    let session = tracelake::create(folder.path().join("lake").to_str().unwrap()).unwrap();
    (folder, root, session)
}

fn request(root: &Path) -> Request {
    Request { url: root.to_str().unwrap().to_owned(), ..Request::default() }
}

/// Looks often; `idle` in ms.
fn often(idle: Option<u64>) -> Follow {
    Follow { every: Duration::from_millis(20), idle: idle.map(Duration::from_millis), ..Follow::default() }
}

fn name(minute: u64) -> String {
    format!("system/incremental/2020091312/{}.algo-1.json", START + 60 * minute)
}

/// Samples of two cores, two to a second.
fn metrics(minute: u64, ticks: u64) -> String {
    let mut text = String::new();
    for tick in 0..ticks {
        for core in 0..2 {
            let (value, second, part) = (10 * minute + tick, START + 60 * minute + tick / 2, 5 * (tick % 2));
            writeln!(
                text,
                r#"{{"Type":"cpu","Name":"cpu{core}","Dimension":"CPUUtilization","Value":{value},"NodeId":"algo-1","Timestamp":{second}.{part}}}"#
            )
            .unwrap();
        }
    }
    text
}

/// Writes a file as a job does: whole, under its name.
fn put(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let aside = root.parent().unwrap().join("aside");
    std::fs::write(&aside, text).unwrap();
    std::fs::rename(aside, path).unwrap();
}

/// All samples by what they say, so that a row that is there twice shows.
fn samples(session: &Session) -> String {
    let text = "select node, ts, device, metric, value, \"row\" from sample order by ts, device, value, \"row\"";
    session.sql(text).unwrap().to_csv().unwrap()
}

fn count(session: &Session, what: &str) -> i64 {
    session.sql(&format!("select count(*) as n from {what}")).unwrap().value::<i64>(0, "n").unwrap().unwrap()
}

/// What one ingest of the whole profile gives.
fn at_once(folder: &Path, root: &Path) -> String {
    let session = tracelake::create(folder.join("at_once").to_str().unwrap()).unwrap();
    session.ingest(request(root), None).unwrap();
    samples(&session)
}

#[test]
fn each_row_is_there_once_from_the_first_file_to_the_end_of_the_job() {
    let (folder, root, session) = scratch();
    put(&root, &name(0), &metrics(0, 4));
    // Being written: neither is read, whatever it holds.
    let unfinished = format!("{}.tmp", name(1));
    put(&root, &unfinished, &metrics(1, 3));
    put(&root, "framework/1-algo-1_pythontimeline.json.tmp", "[{\"na");
    let mut read = Vec::new();
    for report in session.follow(request(&root), often(None)).unwrap() {
        let report = report.unwrap();
        read.push((report.read, count(&session, "sample")));
        match read.len() {
            1 => std::fs::rename(root.join(&unfinished), root.join(name(1))).unwrap(),
            // It grew: its rows are replaced.
            2 => put(&root, &name(0), &metrics(0, 6)),
            // The last minute, and the mark that the job ended.
            3 => {
                put(&root, &name(2), &metrics(2, 5));
                put(&root, "system/training_job_end.ts", "");
            }
            _ => {}
        }
    }
    assert_eq!(read, [(1, 8), (1, 14), (1, 18), (1, 28)]);
    assert_eq!(samples(&session), at_once(folder.path(), &root));
    assert_eq!(count(&session, "(select distinct object, \"row\" from sample)"), 28);
    assert_eq!(count(&session, "object where url like '%job_end.ts' and format is null"), 1);
    assert_eq!(count(&session, "object where url like '%.tmp' and format is not null"), 0);
    assert_eq!(count(&session, "run where catalog_version is not null"), 1, "key metrics come at the end");
}

#[test]
fn what_was_written_before_the_mark_is_read_after_it() {
    let (_folder, root, session) = scratch();
    put(&root, &name(0), &metrics(0, 4));
    put(&root, "system/training_job_end.ts", "");
    let mut following = session.follow(request(&root), often(None)).unwrap();
    assert_eq!(following.next().unwrap().unwrap().read, 1);
    // Listed after the mark was seen: the last look finds it.
    put(&root, &name(1), &metrics(1, 4));
    assert_eq!(following.next().unwrap().unwrap().read, 1);
    assert!(following.next().is_none());
    assert_eq!(count(&session, "sample"), 16);
}

#[test]
fn whoever_stops_goes_on_from_the_lake() {
    let (folder, root, session) = scratch();
    for minute in 0..3 {
        put(&root, &name(minute), &metrics(minute, 4));
    }
    drop(session.follow(request(&root), often(None)).unwrap().next().unwrap().unwrap());
    put(&root, &name(3), &metrics(3, 4));
    std::fs::remove_file(root.join(name(0))).unwrap();
    let again: Vec<u64> =
        session.follow(request(&root), often(Some(300))).unwrap().map(|report| report.unwrap().read).collect();
    assert_eq!(again, [1], "no file is read twice");
    assert_eq!(count(&session, "sample"), 32, "rows of a file that went away stay");
    put(&root, &name(0), &metrics(0, 4));
    assert_eq!(samples(&session), at_once(folder.path(), &root));
}

#[test]
fn a_profile_may_come_late_and_nothing_at_all_is_an_error() {
    let (_folder, root, session) = scratch();
    std::fs::remove_dir(&root).unwrap();
    let mut nothing = session.follow(request(&root), often(Some(60))).unwrap();
    assert_eq!(nothing.next().unwrap().unwrap_err().kind(), ErrorKind::NotFound);
    assert!(nothing.next().is_none());
    let later = root.clone();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        put(&later, &name(0), &metrics(0, 4));
        put(&later, "system/training_job_end.ts", "");
    });
    let reports: Vec<u64> =
        session.follow(request(&root), often(None)).unwrap().map(|report| report.unwrap().read).collect();
    writer.join().unwrap();
    assert_eq!((reports.iter().sum::<u64>(), count(&session, "sample")), (1, 8));
}
