//! Deleting, renaming and tagging runs; checking, upgrading and vacuuming a lake.
//!
//! What belongs in here: which files and rows stay, and which are removed. tests/python/test_housekeeping.py tests the same
//! on S3 and from Python.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tracelake::ingest::Request;
use tracelake::{CheckDepth, ErrorKind, Mode, Session};

use crate::lake::{add_line, content, files_below, ingest, ingest_as, losses, scratch, texts};

const DAY: Duration = Duration::from_hours(24);

fn runs(session: &Session) -> Vec<String> {
    texts(&session.sql("select run from run order by run").unwrap(), "run")
}

/// Adds a line to a file of the profile, and ingests it again.
fn add_line_and_ingest(profile: &str, session: &Session) {
    add_line(profile);
    assert!(ingest(session, profile).read > 0);
}

/// Sets the modification time of a file to `elapsed` ago.
fn set_age(file: &Path, elapsed: Duration) {
    let file = std::fs::File::options().append(true).open(file).unwrap();
    file.set_modified(SystemTime::now() - elapsed).unwrap();
}

fn manifests(lake: &Path) -> Vec<PathBuf> {
    let mut paths = crate::golden::files(&lake.join("_manifest/run"), "json");
    paths.sort();
    paths
}

fn data_files(session: &Session, table: &str) -> Vec<PathBuf> {
    session.files(table, None).unwrap().into_iter().map(PathBuf::from).collect()
}

#[test]
fn a_deleted_run_frees_its_name_and_open_sessions_still_read_it() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    let before = content(&session);
    let other = tracelake::open(session.url()).unwrap();
    let files = files_below(&folder.path().join("lake"));
    session.delete(["job-a"]).unwrap();
    assert!(runs(&session).is_empty() && runs(&tracelake::open(session.url()).unwrap()).is_empty());
    assert_eq!(session.sql("select count(*) as n from event").unwrap().value::<i64>(0, "n").unwrap(), Some(0));
    assert_eq!(content(&other), before);
    assert_eq!(
        files_below(&folder.path().join("lake")).len(),
        files.len() + 1,
        "its files stay, and there is one more manifest"
    );
    other.refresh().unwrap();
    assert!(runs(&other).is_empty());
    // A profile at another URL can use the name, because no run has it.
    let new_path = folder.path().join("elsewhere/job-a");
    std::fs::create_dir(folder.path().join("elsewhere")).unwrap();
    std::fs::rename(&url, &new_path).unwrap();
    let report = ingest(&session, new_path.to_str().unwrap());
    assert!(report.read > 0 && report.unchanged == 0);
    assert_eq!(content(&session), before);
    assert_eq!(runs(&tracelake::open(session.url()).unwrap()), ["job-a"]);
}

#[test]
fn a_delete_that_fails_for_one_run_deletes_none() {
    let (_folder, url, session) = scratch();
    ingest(&session, &url);
    ingest_as(&session, &url, "again");
    let error = session.delete(["again", "job-b"]).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::NotFound, "no run `job-b`; did you mean `job-a`?"));
    session.set_baseline("main", ["job-a"]).unwrap();
    let error = session.delete(["again", "job-a"]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(error.message(), "cannot delete run `job-a`: baseline `main` contains it");
    assert_eq!(runs(&session), ["again", "job-a"]);
    session.delete(["again"]).unwrap();
    assert_eq!(runs(&session), ["job-a"]);
}

#[test]
fn the_age_of_a_run_is_that_of_its_last_row() {
    let (_folder, url, session) = scratch();
    ingest(&session, &url);
    ingest_as(&session, &url, "again");
    let last = session.sql("select max(ended) as last from run").unwrap().value::<i64>(0, "last").unwrap().unwrap();
    let last = SystemTime::UNIX_EPOCH + Duration::from_nanos(u64::try_from(last).unwrap());
    let since = |later: Duration| SystemTime::now().duration_since(last + later).unwrap();
    let minute = Duration::from_mins(1);
    assert_eq!(session.outdated((), since(minute)).unwrap(), ["again", "job-a"]);
    assert_eq!(session.outdated(["job-*"], since(minute)).unwrap(), ["job-a"]);
    assert!(session.outdated((), since(Duration::ZERO) + minute).unwrap().is_empty());
    assert!(session.outdated(["job-b"], DAY).is_err());
}

#[test]
fn tags_are_added_changed_and_removed_by_several_sessions() {
    let (folder, url, session) = scratch();
    let tagged = Request { url, tags: [("model".to_owned(), "a".to_owned())].into(), ..Request::default() };
    session.ingest(tagged).unwrap();
    let before = content(&session);
    let tags_of = |session: &Session| {
        let frame = session.sql("select key, value from run_attribute where object = -1 order by key").unwrap();
        texts(&frame, "key")
            .into_iter()
            .zip(texts(&frame, "value"))
            .map(|(k, v)| format!("{k}={v}"))
            .collect::<Vec<_>>()
    };
    let other = tracelake::open(session.url()).unwrap();
    session.tag(["job-a"], &[("model", Some("b")), ("commit", Some("3fa2"))]).unwrap();
    assert_eq!(tags_of(&session), ["commit=3fa2", "model=b"]);
    // `other` has not read the tags of `session` yet.
    other.tag(["job-a"], &[("commit", None), ("who", Some("me"))]).unwrap();
    assert_eq!(tags_of(&other), ["model=b", "who=me"]);
    session.refresh().unwrap();
    assert_eq!((tags_of(&session), content(&session)), (vec!["model=b".to_owned(), "who=me".to_owned()], before));
    assert_eq!(session.group(["who=me"]).unwrap(), ["job-a"]);
    let with_metrics = session.sql("select count(*) as n from run where step_p50 is not null").unwrap();
    assert_eq!(with_metrics.value::<i64>(0, "n").unwrap(), Some(1), "its key metrics stay");
    let files = files_below(folder.path());
    session.tag(["job-a"], &[("who", Some("me")), ("never", None)]).unwrap();
    assert_eq!(files_below(folder.path()), files, "nothing changed, so nothing is committed");
    assert_eq!(session.tag(["job-b"], &[("who", Some("me"))]).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_check_finds_each_kind_of_fault() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    let lake = folder.path().join("lake");
    std::fs::write(lake.join("step/notes.txt"), "mine").unwrap();
    std::fs::create_dir(lake.join("mine")).unwrap();
    std::fs::write(lake.join("mine/own.parquet"), "mine").unwrap();
    assert_eq!(
        session.check(CheckDepth::Contents).unwrap().len().unwrap(),
        0,
        "files that are not data files are not faults"
    );

    let part = |table: &str| data_files(&session, table).remove(0);
    let (removed_file, short_file, corrupt_file) = (part("step"), part("loader"), part("event"));
    std::fs::copy(&removed_file, lake.join("step/0123.parquet")).unwrap();
    std::fs::remove_file(&removed_file).unwrap();
    let bytes = std::fs::read(&short_file).unwrap();
    std::fs::write(&short_file, &bytes[..bytes.len() - 1]).unwrap();
    let mut bytes = std::fs::read(&corrupt_file).unwrap();
    bytes[100..400].fill(0xff);
    std::fs::write(&corrupt_file, bytes).unwrap();
    let faults = |depth: CheckDepth| {
        let frame = session.check(depth).unwrap();
        let loss = frame.column::<bool>("loss").unwrap();
        let mut rows: Vec<String> = texts(&frame, "fault")
            .into_iter()
            .zip(texts(&frame, "run"))
            .zip(texts(&frame, "path"))
            .zip(loss)
            .map(|(((fault, run), path), loss)| {
                format!("{fault} {run} {} {}", path.split('/').next().unwrap(), loss.unwrap())
            })
            .collect();
        rows.sort();
        rows
    };
    let listed = ["missing job-a step true", "size job-a loader true", "unlisted  step false"];
    assert_eq!(faults(CheckDepth::Sizes), listed);
    let mut all = listed.to_vec();
    all.insert(0, "corrupt job-a event true");
    assert_eq!(faults(CheckDepth::Contents), all);

    let newest = manifests(&lake).pop().unwrap();
    std::fs::write(&newest, "{").unwrap();
    assert_eq!(
        faults(CheckDepth::Contents),
        ["manifest job-a _manifest true"],
        "the corrupt manifest may list any data file"
    );
    assert_eq!(session.vacuum(Duration::ZERO, Mode::Apply).unwrap().len().unwrap(), 0, "so no data file is removed");
}

#[test]
fn vacuum_removes_only_unused_files() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    let lake = folder.path().join("lake");
    let old = data_files(&session, "sample");
    add_line_and_ingest(&url, &session);
    let before = content(&session);
    let replaced: Vec<&PathBuf> = old.iter().filter(|part| !data_files(&session, "sample").contains(part)).collect();
    assert!(!replaced.is_empty());
    std::fs::write(lake.join("step/0123.parquet"), "left by a killed ingest").unwrap();
    std::fs::write(lake.join("step/notes.txt"), "mine").unwrap();
    let files = files_below(&lake);
    assert_eq!(session.vacuum(DAY, Mode::Apply).unwrap().len().unwrap(), 0, "all files are recent");

    let dry = session.vacuum(Duration::ZERO, Mode::DryRun).unwrap();
    assert_eq!(files_below(&lake), files);
    let removed = session.vacuum(Duration::ZERO, Mode::Apply).unwrap();
    assert_eq!(removed.to_csv().unwrap(), dry.to_csv().unwrap());
    let mut remaining = files_below(&lake);
    remaining.extend(texts(&removed, "path").iter().map(|path| lake.join(path).display().to_string()));
    remaining.sort();
    assert_eq!(remaining, files, "exactly the listed files are removed");
    assert!(texts(&removed, "path").contains(&"step/0123.parquet".to_owned()) && lake.join("step/notes.txt").exists());
    assert!(replaced.iter().all(|part| !part.exists()));
    assert_eq!(manifests(&lake).len(), 1);
    assert_eq!(session.check(CheckDepth::Contents).unwrap().len().unwrap(), 0);
    assert_eq!(content(&tracelake::open(session.url()).unwrap()), before);
    // The lake can still be written to.
    add_line_and_ingest(&url, &session);
    assert_eq!(losses(&session), 0);
}

#[test]
fn recently_superseded_files_stay_although_they_are_old() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    add_line_and_ingest(&url, &session);
    let lake = folder.path().join("lake");
    let reader = tracelake::open(session.url()).unwrap();
    let before = content(&reader);
    for file in files_below(&lake) {
        set_age(Path::new(&file), 30 * DAY);
    }
    add_line_and_ingest(&url, &session);
    let removed = texts(&session.vacuum(DAY, Mode::Apply).unwrap(), "path");
    // The rows of the first ingest were superseded 30 days ago; those of the second one just now.
    let manifests: Vec<&String> = removed.iter().filter(|path| path.ends_with(".json")).collect();
    assert_eq!(manifests, ["_manifest/run/job-a/0000000002.json"]);
    assert_eq!(content(&reader), before, "an open session can still read its data files");
    // Two days later.
    for file in files_below(&lake) {
        set_age(Path::new(&file), 2 * DAY);
    }
    let removed = texts(&session.vacuum(DAY, Mode::Apply).unwrap(), "path");
    assert!(removed.iter().any(|path| path.starts_with("sample/")) && removed.len() > 2, "{removed:?}");
    assert_eq!(session.check(CheckDepth::Contents).unwrap().len().unwrap(), 0);
}

#[test]
fn key_metrics_replace_the_generation_with_the_same_rows() {
    let (folder, url, session) = scratch();
    let names = || {
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        manifests(&folder.path().join("lake")).iter().map(name).collect::<Vec<_>>()
    };
    ingest(&session, &url);
    assert_eq!(names(), ["0000000002.json"]);
    add_line_and_ingest(&url, &session);
    assert_eq!(names(), ["0000000002.json", "0000000004.json"], "superseded rows stay for open sessions");
    // An ingest that writes nothing removes nothing.
    ingest(&session, &url);
    assert_eq!(names(), ["0000000002.json", "0000000004.json"]);
}

#[test]
fn a_deleted_run_does_not_come_back_after_vacuum() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    session.delete(["job-a"]).unwrap();
    let lake = folder.path().join("lake");
    let removed = texts(&session.vacuum(Duration::ZERO, Mode::Apply).unwrap(), "path");
    assert!(removed.iter().filter(|path| path.ends_with(".parquet")).count() > 3);
    assert_eq!(crate::golden::files(&lake, "parquet"), Vec::<PathBuf>::new());
    assert!(runs(&tracelake::open(session.url()).unwrap()).is_empty());
    assert_eq!(session.check(CheckDepth::Contents).unwrap().len().unwrap(), 0);
    ingest(&session, &url);
    assert_eq!(runs(&tracelake::open(session.url()).unwrap()), ["job-a"]);
}

#[test]
fn a_renamed_run_keeps_all_its_rows() {
    let (_folder, url, session) = scratch();
    let tagged =
        Request { url: url.clone(), tags: [("model".to_owned(), "a".to_owned())].into(), ..Request::default() };
    session.ingest(tagged).unwrap();
    let read_tables = |session: &Session, run: &str| {
        let mut tables = Vec::new();
        for table in ["event", "step", "sample", "loader", "device", "run_attribute"] {
            let csv = session.sql(&format!("select * from {table}")).unwrap().to_csv().unwrap();
            let mut lines: Vec<String> = csv.lines().map(|line| line.replace(run, "NAME")).collect();
            lines.sort();
            tables.push(lines);
        }
        tables
    };
    let metrics = "select steps, step_p50, loader_ratio, sources from run";
    let (before, metrics_before) = (read_tables(&session, "job-a"), session.sql(metrics).unwrap().to_csv().unwrap());
    let reader = tracelake::open(session.url()).unwrap();
    session.rename("job-a", "nightly 7").unwrap();
    for session in [&session, &tracelake::open(session.url()).unwrap()] {
        assert_eq!(runs(session), ["nightly 7"]);
        assert_eq!(read_tables(session, "nightly 7"), before);
        assert_eq!(session.sql(metrics).unwrap().to_csv().unwrap(), metrics_before);
    }
    assert_eq!(read_tables(&reader, "job-a"), before, "an open session still sees the old name");
    reader.refresh().unwrap();
    assert_eq!(runs(&reader), ["nightly 7"]);
    session.vacuum(Duration::ZERO, Mode::Apply).unwrap();
    assert_eq!(read_tables(&session, "nightly 7"), before);
    assert_eq!(session.check(CheckDepth::Contents).unwrap().len().unwrap(), 0);
    // The run is still linked to its profile, and the old name is free.
    assert_eq!(ingest_as(&session, &url, "nightly 7").read, 0);
    assert!(ingest(&session, &url).read > 0);
    assert_eq!(runs(&session), ["job-a", "nightly 7"]);

    let rename_error = |run: &str, new_name: &str| session.rename(run, new_name).unwrap_err();
    assert_eq!(
        rename_error("job-a", "nightly 7").message(),
        "cannot rename run `job-a`: the lake has a run `nightly 7`"
    );
    assert_eq!(rename_error("job-b", "x").kind(), ErrorKind::NotFound);
    assert_eq!(rename_error("job-a", "a/b").kind(), ErrorKind::Argument);
    session.set_baseline("main", ["job-a"]).unwrap();
    assert_eq!(rename_error("job-a", "x").message(), "cannot rename run `job-a`: baseline `main` contains it");
    assert_eq!(runs(&tracelake::open(session.url()).unwrap()), ["job-a", "nightly 7"]);
    // A name that was used before may be used again.
    session.delete(["nightly 7"]).unwrap();
    session.set_baseline("main", ["job-a"]).unwrap();
    ingest_as(&session, &url, "third");
    session.rename("third", "nightly 7").unwrap();
    assert_eq!(runs(&tracelake::open(session.url()).unwrap()), ["job-a", "nightly 7"]);
}

#[test]
fn a_killed_rename_is_complete_or_undone() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    let lake = folder.path().join("lake");
    session.rename("job-a", "new").unwrap();
    // Simulates a rename that was killed after the first of its two commits.
    std::fs::remove_file(
        manifests(&lake).into_iter().filter(|file| file.parent().unwrap().ends_with("job-a")).max().unwrap(),
    )
    .unwrap();
    let other = tracelake::open(session.url()).unwrap();
    assert_eq!(runs(&other), ["new"]);
    other.delete(["new"]).unwrap();
    assert!(runs(&tracelake::open(session.url()).unwrap()).is_empty(), "the old run does not come back");
}

/// Changes the newest manifest of the only run. It becomes one of the first format, which has no checksum.
fn edit_newest_manifest(lake: &Path, change: impl FnOnce(&mut serde_json::Value)) {
    let newest = manifests(lake).pop().unwrap();
    let mut manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(&newest).unwrap()).unwrap();
    change(&mut manifest);
    manifest.as_object_mut().unwrap().remove("crc32");
    manifest["format"] = 1.into();
    std::fs::write(&newest, manifest.to_string()).unwrap();
}

fn rows_of(part: &Path) -> RecordBatch {
    let file = std::fs::File::open(part).unwrap();
    let batches: Vec<RecordBatch> =
        ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().map(Result::unwrap).collect();
    concat_batches(&batches[0].schema(), &batches).unwrap()
}

#[test]
fn upgrade_rewrites_files_of_older_versions() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    let lake = folder.path().join("lake");
    let before = content(&session);
    // A data file of a version that lacked a column of the table: remove a column without values.
    let empty_column =
        |rows: &RecordBatch| rows.columns().iter().position(|column| column.null_count() == rows.num_rows());
    let all = ["event", "sample", "step", "loader"].into_iter().flat_map(|table| data_files(&session, table));
    let (part, rows) =
        all.map(|part| (part.clone(), rows_of(&part))).find(|(_, rows)| empty_column(rows).is_some()).unwrap();
    let empty_column = empty_column(&rows).unwrap();
    let table = part.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    let mut old = rows.clone();
    let name = rows.schema().field(empty_column).name().clone();
    old.remove_column(empty_column);
    let mut writer = ArrowWriter::try_new(std::fs::File::create(&part).unwrap(), old.schema(), None).unwrap();
    writer.write(&old).unwrap();
    writer.close().unwrap();
    let bytes = std::fs::metadata(&part).unwrap().len();
    edit_newest_manifest(&lake, |manifest| {
        let parts = manifest["parts"].as_array_mut().unwrap();
        let path = part.strip_prefix(std::fs::canonicalize(&lake).unwrap()).or(part.strip_prefix(&lake)).unwrap();
        let listed = parts.iter_mut().find(|listed| listed["path"] == path.to_str().unwrap()).unwrap();
        listed["bytes"] = bytes.into();
        listed.as_object_mut().unwrap().remove("crc32");
    });

    let reader = tracelake::open(session.url()).unwrap();
    assert_eq!(content(&reader), before, "column {name} was empty");
    let files = files_below(&lake);
    let upgrade = |mode: Mode| reader.upgrade(mode).unwrap().to_csv().unwrap();
    assert_eq!(upgrade(Mode::DryRun), "run,parts,key_metrics\njob-a,1,false\n");
    assert_eq!(files_below(&lake), files);
    assert_eq!(upgrade(Mode::Apply), "run,parts,key_metrics\njob-a,1,false\n");
    assert_eq!((content(&reader), losses(&reader)), (before.clone(), 0));
    assert_eq!(content(&tracelake::open(session.url()).unwrap()), before);
    let new_file = data_files(&reader, &table)
        .into_iter()
        .find(|new_file| rows_of(new_file).num_rows() == rows.num_rows())
        .unwrap();
    assert!(new_file != part && rows_of(&new_file).schema().fields() == rows.schema().fields());
    assert_eq!(upgrade(Mode::Apply), "run,parts,key_metrics\n", "a second upgrade does nothing");

    // Key metrics that other queries computed.
    edit_newest_manifest(&lake, |manifest| manifest["figures"]["made_by"] = "older queries".into());
    let again = tracelake::open(session.url()).unwrap();
    assert_eq!(again.upgrade(Mode::DryRun).unwrap().to_csv().unwrap(), "run,parts,key_metrics\njob-a,0,true\n");
    assert_eq!(again.upgrade(Mode::Apply).unwrap().to_csv().unwrap(), "run,parts,key_metrics\njob-a,0,true\n");
    assert_eq!(again.upgrade(Mode::Apply).unwrap().len().unwrap(), 0);
    assert_eq!(content(&again), before);
}
