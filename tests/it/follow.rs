//! Following a job while it writes: every row is stored once, although files appear, are replaced or are incomplete.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracelake::{ErrorKind, FollowOptions, Request, Session};

/// A full minute, in s since the Unix epoch.
const START: u64 = 1_600_000_200;

/// A temporary folder, the folder of a job in it, and an empty lake.
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

/// Polls every 20 ms; `idle` is in ms.
fn poll_often(idle: Option<u64>) -> FollowOptions {
    FollowOptions {
        every: Duration::from_millis(20),
        idle: idle.map(Duration::from_millis),
        ..FollowOptions::default()
    }
}

fn name(minute: u64) -> String {
    format!("system/incremental/2020091312/{}.algo-1.json", START + 60 * minute)
}

/// Samples of two cores, two per second.
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

/// Writes a file as a job does: under another name, then renamed.
fn write_whole(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let aside = root.parent().unwrap().join("aside");
    std::fs::write(&aside, text).unwrap();
    std::fs::rename(aside, path).unwrap();
}

/// All samples sorted by content, so that a duplicate row shows.
fn samples(session: &Session) -> String {
    let text = "select node, ts, device, metric, value, \"row\" from sample order by ts, device, value, \"row\"";
    session.sql(text).unwrap().to_csv().unwrap()
}

fn count(session: &Session, relation: &str) -> i64 {
    session.sql(&format!("select count(*) as n from {relation}")).unwrap().value::<i64>(0, "n").unwrap().unwrap()
}

/// The samples that one ingest of the whole profile stores.
fn at_once(folder: &Path, root: &Path) -> String {
    let session = tracelake::create(folder.join("at_once").to_str().unwrap()).unwrap();
    session.ingest(request(root)).unwrap();
    samples(&session)
}

#[test]
fn every_row_is_stored_once_while_a_job_writes() {
    let (folder, root, session) = scratch();
    write_whole(&root, &name(0), &metrics(0, 4));
    // Unfinished files are not read, whatever they contain.
    let unfinished = format!("{}.tmp", name(1));
    write_whole(&root, &unfinished, &metrics(1, 3));
    write_whole(&root, "framework/1-algo-1_pythontimeline.json.tmp", "[{\"na");
    let mut read = Vec::new();
    for report in session.follow(request(&root), poll_often(None)).unwrap() {
        let report = report.unwrap();
        read.push((report.read, count(&session, "sample")));
        match read.len() {
            1 => std::fs::rename(root.join(&unfinished), root.join(name(1))).unwrap(),
            // The file grew: its rows are replaced.
            2 => write_whole(&root, &name(0), &metrics(0, 6)),
            // The last minute, and the marker of the end of the job.
            3 => {
                write_whole(&root, &name(2), &metrics(2, 5));
                write_whole(&root, "system/training_job_end.ts", "");
            }
            _ => {}
        }
    }
    assert_eq!(read, [(1, 8), (1, 14), (1, 18), (1, 28)]);
    assert_eq!(samples(&session), at_once(folder.path(), &root));
    assert_eq!(count(&session, "(select distinct object, \"row\" from sample)"), 28);
    assert_eq!(count(&session, "object where url like '%job_end.ts' and format is null"), 1);
    assert_eq!(count(&session, "object where url like '%.tmp' and format is not null"), 0);
    assert_eq!(count(&session, "run where catalog_version is not null"), 1, "key metrics are stored at the end");
}

#[test]
fn a_file_listed_after_the_end_marker_is_read() {
    let (_folder, root, session) = scratch();
    write_whole(&root, &name(0), &metrics(0, 4));
    write_whole(&root, "system/training_job_end.ts", "");
    let mut following = session.follow(request(&root), poll_often(None)).unwrap();
    assert_eq!(following.next().unwrap().unwrap().read, 1);
    // This file appears after the marker was listed: the last poll finds it.
    write_whole(&root, &name(1), &metrics(1, 4));
    assert_eq!(following.next().unwrap().unwrap().read, 1);
    assert!(following.next().is_none());
    assert_eq!(count(&session, "sample"), 16);
}

#[test]
fn following_resumes_from_the_lake() {
    let (folder, root, session) = scratch();
    for minute in 0..3 {
        write_whole(&root, &name(minute), &metrics(minute, 4));
    }
    drop(session.follow(request(&root), poll_often(None)).unwrap().next().unwrap().unwrap());
    write_whole(&root, &name(3), &metrics(3, 4));
    std::fs::remove_file(root.join(name(0))).unwrap();
    let again: Vec<u64> =
        session.follow(request(&root), poll_often(Some(300))).unwrap().map(|report| report.unwrap().read).collect();
    assert_eq!(again, [1], "no file is read twice");
    assert_eq!(count(&session, "sample"), 32, "rows of a deleted file stay");
    write_whole(&root, &name(0), &metrics(0, 4));
    assert_eq!(samples(&session), at_once(folder.path(), &root));
}

#[test]
fn a_profile_may_appear_late_and_a_missing_profile_is_an_error() {
    let (_folder, root, session) = scratch();
    std::fs::remove_dir(&root).unwrap();
    let mut missing = session.follow(request(&root), poll_often(Some(60))).unwrap();
    assert_eq!(missing.next().unwrap().unwrap_err().kind(), ErrorKind::NotFound);
    assert!(missing.next().is_none());
    let writer_root = root.clone();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        write_whole(&writer_root, &name(0), &metrics(0, 4));
        write_whole(&writer_root, "system/training_job_end.ts", "");
    });
    let reports: Vec<u64> =
        session.follow(request(&root), poll_often(None)).unwrap().map(|report| report.unwrap().read).collect();
    writer.join().unwrap();
    assert_eq!((reports.iter().sum::<u64>(), count(&session, "sample")), (1, 8));
}
