//! Guarantees of an ingest: it is atomic and idempotent, and concurrent ingests store each row once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracelake::ingest::{IngestReport, Progress, Request};
use tracelake::{CheckDepth, ErrorKind, Frame, Session};

fn copy(source: &Path, destination: &Path) {
    std::fs::create_dir_all(destination).unwrap();
    for entry in std::fs::read_dir(source).unwrap() {
        let (path, target) = {
            let e = entry.unwrap();
            (e.path(), destination.join(e.file_name()))
        };
        if path.is_dir() { copy(&path, &target) } else { std::fs::copy(&path, &target).map(|_| ()).unwrap() }
    }
}

/// A folder with a copy of the profile job-a and an empty lake.
pub(crate) fn scratch() -> (tempfile::TempDir, String, Session) {
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("job-a");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden/job-a"), &profile);
    let session = tracelake::create(folder.path().join("lake").to_str().unwrap()).unwrap();
    let url = profile.to_string_lossy().into_owned();
    (folder, url, session)
}

pub(crate) fn ingest(session: &Session, url: &str) -> IngestReport {
    session.ingest(Request { url: url.into(), ..Request::default() }).unwrap().remove(0)
}

/// Ingests a profile as the run `run`.
pub(crate) fn ingest_as(session: &Session, url: &str, run: &str) -> IngestReport {
    let request = Request { url: url.to_owned(), run: Some(run.to_owned()), ..Request::default() };
    session.ingest(request).unwrap().remove(0)
}

/// A column of texts, with null as the empty text.
pub(crate) fn texts(frame: &Frame, column: &str) -> Vec<String> {
    frame.column::<String>(column).unwrap().into_iter().map(Option::unwrap_or_default).collect()
}

/// Number of faults that lose rows, according to a check of the lake.
pub(crate) fn losses(session: &Session) -> usize {
    session
        .check(CheckDepth::Contents)
        .unwrap()
        .column::<bool>("loss")
        .unwrap()
        .iter()
        .filter(|loss| **loss == Some(true))
        .count()
}

/// All rows of each table as CSV.
pub(crate) fn content(session: &Session) -> BTreeMap<String, String> {
    ["event", "step", "sample", "loader", "device", "problem"]
        .into_iter()
        .map(|table| {
            let text = format!("select * from {table} order by run, object, row");
            (table.to_owned(), session.sql(&text).unwrap().to_csv().unwrap())
        })
        .collect()
}

/// The Parquet and JSON files below a folder, sorted.
pub(crate) fn files_below(folder: &Path) -> Vec<String> {
    let mut paths: Vec<String> = crate::golden::files(folder, "parquet")
        .iter()
        .chain(&crate::golden::files(folder, "json"))
        .map(|p| p.display().to_string())
        .collect();
    paths.sort();
    paths
}

/// Duplicates the last line of a file of samples. Returns the file and its previous text.
pub(crate) fn add_line(profile: &str) -> (PathBuf, String) {
    let file = crate::golden::files(&Path::new(profile).join("system"), "json").remove(0);
    let text = std::fs::read_to_string(&file).unwrap();
    let last = text.lines().last().unwrap();
    std::fs::write(&file, format!("{}\n{last}\n", text.trim_end())).unwrap();
    (file, text)
}

#[test]
fn a_second_ingest_changes_nothing() {
    let (folder, url, session) = scratch();
    let first = ingest(&session, &url);
    assert!(first.read > 0 && first.generation == 2);
    let (before, listed) = (content(&session), files_below(folder.path()));
    let second = ingest(&session, &url);
    assert_eq!((second.read, second.bytes, second.unchanged, second.generation), (0, 0, first.read, 2));
    assert_eq!(content(&session), before);
    assert_eq!(files_below(folder.path()), listed);
}

#[test]
fn a_changed_file_replaces_exactly_its_rows() {
    let (_folder, url, session) = scratch();
    ingest(&session, &url);
    let before = content(&session);
    let samples = |session: &Session| {
        session
            .sql("select object, count(*) as n, sum(value) as v from sample group by object order by object")
            .unwrap()
    };
    // A frame is lazy: read it before the next ingest.
    let old = samples(&session);
    old.len().unwrap();
    let (file, text) = add_line(&url);
    let report = ingest(&session, &url);
    assert!(report.read >= 1 && report.generation == 4, "{report:?}");
    let new = samples(&session);
    let n = |frame: &tracelake::Frame| frame.column::<i64>("n").unwrap().into_iter().flatten().sum::<i64>();
    assert_eq!(n(&new), n(&old) + 1);
    let mut after = content(&session);
    for table in ["event", "step", "loader"] {
        assert_eq!(after.remove(table), before.get(table).cloned(), "{table}");
    }
    // With the original content, the lake has the original rows again.
    std::fs::write(&file, text).unwrap();
    ingest(&session, &url);
    assert_eq!(content(&session), before);
}

#[test]
fn a_run_from_another_url_is_a_conflict_unless_it_is_named() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    let other = folder.path().join("elsewhere/job-a");
    copy(Path::new(&url), &other);
    let other = other.to_string_lossy().into_owned();
    let error = session.ingest(Request { url: other.clone(), ..Request::default() }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert!(error.hint().unwrap().contains("to add the profile to run `job-a`, give that name"), "{error}");
    let rows = |session: &Session| {
        session.sql("select count(*) as n from sample").unwrap().value::<i64>(0, "n").unwrap().unwrap()
    };
    let once = rows(&session);
    session.ingest(Request { url: other, run: Some("job-a".into()), ..Request::default() }).unwrap();
    assert_eq!(rows(&session), 2 * once);
    assert_eq!(session.runs().unwrap().len().unwrap(), 1);
}

#[test]
fn concurrent_writers_store_each_row_once() {
    let (folder, url, session) = scratch();
    let lake = folder.path().join("lake").to_string_lossy().into_owned();
    let reports: Vec<IngestReport> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4).map(|_| scope.spawn(|| ingest(&tracelake::open(&lake).unwrap(), &url))).collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    assert_eq!(reports.iter().filter(|report| report.read > 0).count(), 1, "{reports:?}");
    session.refresh().unwrap();
    let (_folder, url, alone) = scratch();
    ingest(&alone, &url);
    assert_eq!(content(&session)["sample"], content(&alone)["sample"]);
    // Data files of the other writers are removed: only listed files are on disk.
    let listed: usize =
        ["event", "call_path", "step", "sample", "loader", "device", "problem", "run_attribute", "rule_report"]
            .iter()
            .map(|table| session.files(table, None).unwrap().len())
            .sum();
    assert_eq!(crate::golden::files(&folder.path().join("lake"), "parquet").len(), listed);
}

#[test]
fn a_cancelled_ingest_leaves_nothing() {
    let (folder, url, session) = scratch();
    let stop = Arc::new(|progress: Progress| progress.objects_done < 1);
    let error = session.ingest_watched(Request { url: url.clone(), ..Request::default() }, Some(stop)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(session.runs().unwrap().len().unwrap(), 0);
    assert!(crate::golden::files(&folder.path().join("lake"), "parquet").is_empty());
    assert_eq!(ingest(&session, &url).generation, 2);
}

#[test]
fn tags_and_a_clock_offset_are_stored() {
    let (_folder, url, session) = scratch();
    let started =
        |session: &Session| session.sql("select started as t from run").unwrap().value::<i64>(0, "t").unwrap().unwrap();
    let first = |session: &Session| {
        session.sql("select min(ts) as t from sample").unwrap().value::<i64>(0, "t").unwrap().unwrap()
    };
    ingest(&session, &url);
    let (run, sample) = (started(&session), first(&session));
    let tags = |value: &str| BTreeMap::from([("commit".to_owned(), value.to_owned())]);
    session
        .ingest(Request { url: url.clone(), clock_offset: Some(5), tags: tags("3fa2"), ..Request::default() })
        .unwrap();
    assert_eq!((started(&session), first(&session)), (run + 5, sample + 5));
    // An option that is not repeated keeps its value.
    let report = session.ingest(Request { url: url.clone(), tags: tags("77b1"), ..Request::default() }).unwrap();
    assert_eq!(report[0].read, 0);
    assert_eq!((started(&session), first(&session)), (run + 5, sample + 5));
    let value =
        session.sql("select value from run_attribute where key = 'commit'").unwrap().column::<String>("value").unwrap();
    assert_eq!(value, [Some("77b1".to_owned())]);
    session.ingest(Request { url: url.clone(), clock_offset: Some(0), ..Request::default() }).unwrap();
    assert_eq!((started(&session), first(&session)), (run, sample));
    let far = Request { url, clock_offset: Some(i64::MIN), ..Request::default() };
    assert_eq!(session.ingest(far).unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn unreadable_profiles_are_errors() {
    let (folder, _, session) = scratch();
    let request = |url: &Path| Request { url: url.to_string_lossy().into_owned(), ..Request::default() };
    let missing = session.ingest(request(&folder.path().join("missing"))).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    let other = folder.path().join("other");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("notes.txt"), "to do").unwrap();
    let unknown = session.ingest(request(&other)).unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::Unrecognized);
    assert!(
        unknown.to_string().contains("not recognized; looked for: sagemaker_system, sagemaker_framework"),
        "{unknown}"
    );
    assert_eq!(session.runs().unwrap().len().unwrap(), 0);
}

#[test]
fn one_bad_profile_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden");
    for job in ["job-a", "job-c"] {
        copy(&golden.join(job), &folder.path().join("jobs").join(job));
    }
    let bad = folder.path().join("jobs/job-b");
    std::fs::create_dir_all(&bad).unwrap();
    std::fs::write(bad.join("page.html"), "<html></html>").unwrap();
    let session = tracelake::create(folder.path().join("lake").to_str().unwrap()).unwrap();
    let many = || Request { url: folder.path().join("jobs/*").to_string_lossy().into_owned(), ..Request::default() };
    let reports = session.ingest(many()).unwrap();
    let errors: Vec<(&str, bool)> = reports.iter().map(|r| (r.run.as_str(), r.error.is_some())).collect();
    assert_eq!(errors, [("job-a", false), ("job-b", true), ("job-c", false)]);
    assert!(reports[1].to_string().starts_with("job-b: cannot read file://"), "{}", reports[1]);
    let runs = session.runs().unwrap().column::<String>("run").unwrap();
    assert_eq!(runs, [Some("job-a".to_owned()), Some("job-c".to_owned())]);
    // If no profile can be read, the ingest fails.
    for job in ["job-a", "job-c"] {
        std::fs::remove_dir_all(folder.path().join("jobs").join(job)).unwrap();
    }
    assert_eq!(session.ingest(many()).unwrap_err().kind(), ErrorKind::Unrecognized);
}

#[test]
fn a_lake_is_not_a_profile_and_a_profile_is_not_a_lake() {
    let (folder, url, session) = scratch();
    let lake = folder.path().join("lake").to_string_lossy().into_owned();
    let error = session.ingest(Request { url: lake, ..Request::default() }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert!(error.to_string().contains("it is a lake, not a profile"), "{error}");
    let before = files_below(Path::new(&url));
    let error = tracelake::create(&url).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert!(error.to_string().contains("it contains other files"), "{error}");
    assert_eq!(files_below(Path::new(&url)), before);
}

#[test]
fn a_file_deleted_during_an_ingest_loses_only_its_own_rows() {
    let (_folder, url, session) = scratch();
    let smallest = crate::golden::files(Path::new(&url), "json")
        .into_iter()
        .min_by_key(|path| std::fs::metadata(path).unwrap().len())
        .unwrap();
    // The smallest file is read last.
    let text = std::fs::read(&smallest).unwrap();
    let removed = smallest.clone();
    let watch = Arc::new(move |_: Progress| {
        let _ = std::fs::remove_file(&removed);
        true
    });
    let report =
        session.ingest_watched(Request { url: url.clone(), ..Request::default() }, Some(watch)).unwrap().remove(0);
    assert_eq!((report.read, report.failed), (9, 1));
    let unreadable = "select message from problem where kind = 'unreadable'";
    let message = session.sql(unreadable).unwrap().value::<String>(0, "message").unwrap().unwrap();
    assert!(message.contains("it does not exist"), "{message}");
    // When the file is there again, the next ingest reads it.
    std::fs::write(&smallest, text).unwrap();
    ingest(&session, &url);
    let (_other, url, whole) = scratch();
    ingest(&whole, &url);
    assert_eq!(content(&session), content(&whole));
}

#[test]
fn a_manually_removed_run_does_not_come_back_from_the_checkpoint() {
    let (folder, url, session) = scratch();
    let request = |run: &str| Request { url: url.clone(), run: Some(run.to_owned()), ..Request::default() };
    for n in 0..20 {
        session.ingest(request(&format!("run-{n:02}"))).unwrap();
    }
    let lake = folder.path().join("lake");
    assert!(lake.join("_manifest/checkpoint.parquet").exists());
    std::fs::remove_dir_all(lake.join("_manifest/run/run-03")).unwrap();
    let tagged = Request { tags: BTreeMap::from([("try".to_owned(), "2".to_owned())]), ..request("run-03") };
    session.ingest(tagged).unwrap();
    let reopened = tracelake::open(lake.to_str().unwrap()).unwrap();
    let tags = reopened.sql("select value from run_attribute where run = 'run-03' and key = 'try'").unwrap();
    assert_eq!(tags.len().unwrap(), 1);
}

#[test]
fn key_metrics_are_stored_and_recomputed_after_a_change() {
    let (folder, url, session) = scratch();
    assert_eq!(ingest(&session, &url).generation, 2);
    let metrics = |session: &Session| {
        let run = session.sql("select steps, step_p50, gpu_utilization, catalog_version from run").unwrap();
        let version = run.value::<String>(0, "catalog_version").unwrap();
        assert_eq!(version.as_deref(), Some(env!("CARGO_PKG_VERSION")));
        (run.value::<i64>(0, "steps").unwrap(), run.value::<f64>(0, "step_p50").unwrap())
    };
    assert_eq!(metrics(&session), (Some(5), Some(1e9)));
    // The lake stores them, so another session sees them.
    let lake = folder.path().join("lake");
    assert_eq!(metrics(&tracelake::open(lake.to_str().unwrap()).unwrap()), (Some(5), Some(1e9)));
    let timeline = crate::golden::files(Path::new(&url).join("framework").as_path(), "json");
    timeline.iter().for_each(|path| std::fs::remove_file(path).unwrap());
    std::fs::write(&timeline[0], "[]").unwrap();
    std::fs::write(&timeline[1], "[]").unwrap();
    assert_eq!(ingest(&session, &url).generation, 4);
    assert_eq!(metrics(&session), (None, None));
}

#[test]
fn key_metrics_of_other_queries_are_recomputed() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    let manifest = folder.path().join("lake/_manifest/run/job-a/0000000002.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    // A manifest of an older version: the same rows, without members that were added later.
    let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
    let figures = old["figures"].as_object_mut().unwrap();
    assert_eq!(figures["gpus"], 2);
    figures.retain(|member, _| {
        ["catalog", "steps", "step_p50", "step_p95", "loader_ratio", "gpu_utilization", "verdict"]
            .contains(&member.as_str())
    });
    old.as_object_mut().unwrap().remove("crc32");
    old["format"] = 1.into();
    std::fs::write(&manifest, old.to_string()).unwrap();
    let lake = folder.path().join("lake").to_string_lossy().into_owned();
    let again = tracelake::open(&lake).unwrap();
    let gpus = |session: &Session| session.sql("select gpus from run").unwrap().value::<i64>(0, "gpus").unwrap();
    assert_eq!(gpus(&again), None);
    assert_eq!(ingest(&again, &url).generation, 3);
    assert_eq!(gpus(&again), Some(2));
    // The next ingest has nothing to do.
    assert_eq!(ingest(&again, &url).generation, 3);
}

#[test]
fn a_run_of_a_newer_version_is_excluded_and_not_changed() {
    let (folder, url, session) = scratch();
    ingest(&session, &url);
    let manifest = folder.path().join("lake/_manifest/run/job-a/0000000002.json");
    let text = std::fs::read_to_string(&manifest).unwrap().replacen("\"format\":5", "\"format\":6", 1);
    std::fs::write(manifest, text).unwrap();
    let session = tracelake::open(folder.path().join("lake").to_str().unwrap()).unwrap();
    let faults = session.faults();
    assert!(faults[0].message.contains("it has lake format 6, this version reads 5"), "{faults:?}");
    let request = Request { url, run: Some("job-a".to_owned()), ..Request::default() };
    assert_eq!(session.ingest(request).unwrap_err().kind(), ErrorKind::Unrecognized);
    assert_eq!(session.repair(CheckDepth::Contents).unwrap().len().unwrap(), 0);
    assert!(session.delete(["job-a"]).is_err());
}

#[test]
fn a_lake_opens_with_and_without_its_checkpoint() {
    let (folder, url, session) = scratch();
    for n in 0..20 {
        session.ingest(Request { url: url.clone(), run: Some(format!("run-{n:02}")), ..Request::default() }).unwrap();
    }
    let checkpoint = folder.path().join("lake/_manifest/checkpoint.parquet");
    assert!(checkpoint.exists());
    let lake = folder.path().join("lake").to_string_lossy().into_owned();
    let runs = || tracelake::open(&lake).unwrap().runs().unwrap().column::<String>("run").unwrap();
    let runs_before = runs();
    assert_eq!(runs_before.len(), 20);
    // A session reads runs that are not in the checkpoint, and newer generations, from their manifests.
    let tags = BTreeMap::from([("try".to_owned(), "2".to_owned())]);
    session.ingest(Request { url: url.clone(), run: Some("run-19".to_owned()), tags, ..Request::default() }).unwrap();
    let read_run = || {
        let text = "select attributes, steps from run where run = 'run-19'";
        let run = tracelake::open(&lake).unwrap().sql(text).unwrap();
        (run.value::<String>(0, "attributes").unwrap(), run.value::<i64>(0, "steps").unwrap())
    };
    let newest = read_run();
    assert!(newest.0.as_deref().is_some_and(|all| all.contains("\"try\":\"2\"")) && newest.1 == Some(5), "{newest:?}");
    // The checkpoint is a cache: results do not change if it is corrupt or missing.
    let whole = std::fs::read(&checkpoint).unwrap();
    std::fs::write(&checkpoint, b"PAR1 nonsense").unwrap();
    assert_eq!((runs(), read_run()), (runs_before.clone(), newest.clone()));
    let footer = whole.len() - 8 - u32::from_le_bytes(whole[whole.len() - 8..][..4].try_into().unwrap()) as usize;
    for n in 0..48 {
        // Parquet's reader trusts the footer, so change bytes there. Truncated files have no footer.
        let mut corrupt = whole.clone();
        if n % 4 == 0 {
            corrupt.truncate(whole.len() * n / 48);
        } else {
            corrupt[footer + (whole.len() - footer) * n / 48] ^= 0xff;
        }
        std::fs::write(&checkpoint, corrupt).unwrap();
        assert_eq!((runs(), read_run()), (runs_before.clone(), newest.clone()), "corrupt at {n}");
    }
    std::fs::remove_file(&checkpoint).unwrap();
    assert_eq!((runs(), read_run()), (runs_before, newest));
}

#[test]
fn a_checkpoint_has_the_newest_generation_of_each_run() {
    let (folder, url, session) = scratch();
    let jobs = folder.path().join("jobs");
    (0..20).for_each(|n| copy(Path::new(&url), &jobs.join(format!("run-{n:02}"))));
    let many = jobs.join("*").to_string_lossy().into_owned();
    session.ingest(Request { url: many, ..Request::default() }).unwrap();
    // A session that opens the lake reads no manifest: overwrite one with blanks, and its run is still complete.
    let lake = folder.path().join("lake");
    let before = std::fs::read(lake.join("_manifest/run/run-03/0000000002.json")).unwrap();
    let modified = std::fs::metadata(lake.join("_manifest/run/run-03/0000000002.json")).unwrap().modified().unwrap();
    let file = std::fs::File::options().write(true).open(lake.join("_manifest/run/run-03/0000000002.json")).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &vec![b' '; before.len()], 0).unwrap();
    file.set_modified(modified).unwrap();
    let reopened = tracelake::open(lake.to_str().unwrap()).unwrap();
    let steps = reopened.sql("select steps from run where run = 'run-03'").unwrap().value::<i64>(0, "steps").unwrap();
    assert_eq!(steps, Some(5));
}

#[test]
fn folders_may_have_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("ü [1] %20~ a+b");
    let profile = odd.join("job-a");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden/job-a"), &profile);
    let session = tracelake::create(odd.join("lake").to_str().unwrap()).unwrap();
    ingest(&session, profile.to_str().unwrap());
    let (_folder, url, plain) = scratch();
    ingest(&plain, &url);
    assert_eq!(content(&session), content(&plain));
}

#[test]
fn a_clock_offset_stays_when_a_file_is_missing() {
    let (_folder, url, session) = scratch();
    ingest(&session, &url);
    let first = crate::golden::files(Path::new(&url), "json").remove(0);
    std::fs::remove_file(first).unwrap();
    let shifted = Request { url: url.clone(), clock_offset: Some(1000), ..Request::default() };
    let report = session.ingest(shifted).unwrap().remove(0);
    assert!(report.read > 0);
    assert_eq!(ingest(&session, &url).read, 0);
}

#[test]
fn rows_stay_when_their_file_is_deleted_during_the_next_ingest() {
    let (_folder, url, session) = scratch();
    ingest(&session, &url);
    let before = session.sql("select count(*) as n from sample").unwrap().value::<i64>(0, "n").unwrap();
    let files = crate::golden::files(&Path::new(&url).join("system"), "json");
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        std::fs::write(path, format!("{text}\n")).unwrap();
    }
    let removed = files.clone();
    let watch = Arc::new(move |_: Progress| {
        removed.iter().for_each(|path| drop(std::fs::remove_file(path)));
        true
    });
    let report = session.ingest_watched(Request { url, ..Request::default() }, Some(watch)).unwrap().remove(0);
    assert_eq!(report.failed, files.len() as u64);
    let after = session.sql("select count(*) as n from sample").unwrap().value::<i64>(0, "n").unwrap();
    assert_eq!(before, after);
}

#[test]
fn one_file_is_a_profile_and_a_stray_file_is_not_a_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let trace =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden/job-k/rank0.1600000200000000000.pt.trace.json");
    let options =
        tracelake::OpenOptions { ephemeral: true, run: Some("one".to_owned()), ..tracelake::OpenOptions::default() };
    let session = tracelake::open_with(trace.to_str().unwrap(), options).unwrap();
    let kernels = "select count(*) as n from event where category = 'kernel'";
    assert_eq!(session.sql(kernels).unwrap().value::<i64>(0, "n").unwrap(), Some(4));

    let lake = tracelake::create(folder.path().join("lake").to_str().unwrap()).unwrap();
    let request =
        || Request { url: trace.to_string_lossy().into_owned(), run: Some("one".into()), ..Request::default() };
    lake.ingest(request()).unwrap();
    std::fs::write(folder.path().join("lake/_manifest/run/one/notes.txt"), "mine").unwrap();
    assert_eq!(lake.ingest(request()).unwrap()[0].unchanged, 1);
}

#[test]
#[cfg(unix)]
fn an_entry_that_cannot_be_listed_is_a_failed_file() {
    use std::os::unix::ffi::OsStrExt;
    let (_folder, url, session) = scratch();
    let problems = "select message from problem where kind = 'unreadable' order by message";
    let ingest = || session.ingest(Request { url: url.clone(), ..Request::default() }).unwrap().remove(0);
    let read = ingest().read;
    assert!(read > 0);
    std::fs::write(Path::new(&url).join(std::ffi::OsStr::from_bytes(b"odd\xff.json")), "[]").unwrap();
    std::os::unix::fs::symlink(&url, Path::new(&url).join("again")).unwrap();
    std::fs::create_dir(Path::new(&url).join("more")).unwrap();
    std::os::unix::fs::symlink("..", Path::new(&url).join("more/up")).unwrap();
    drop(std::os::unix::net::UnixListener::bind(Path::new(&url).join("socket")).unwrap());
    for _ in 0..2 {
        let report = ingest();
        assert_eq!((report.unchanged, report.failed), (read, 3));
        let messages = session.sql(problems).unwrap().column::<String>("message").unwrap();
        let messages: Vec<String> = messages.into_iter().flatten().collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        for why in ["its name is not UTF-8", "it is a symbolic link to one of its parent folders"] {
            assert!(messages.iter().any(|message| message.contains(why)), "{messages:?}");
        }
    }
    std::fs::remove_file(Path::new(&url).join("again")).unwrap();
    let error = session.ingest(Request { url: format!("{url}/socket"), ..Request::default() }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert!(error.to_string().contains("it is a socket, expected a file or a folder"), "{error}");
}

#[test]
fn two_globs_do_not_merge_jobs_of_one_name() {
    let (folder, url, session) = scratch();
    for parent in ["one", "two"] {
        copy(Path::new(&url), &folder.path().join(parent).join("job"));
    }
    let glob = |parent: &str| Request { url: format!("{}/{parent}/*", folder.path().display()), ..Request::default() };
    session.ingest(glob("one")).unwrap();
    assert_eq!(session.ingest(glob("two")).unwrap_err().kind(), ErrorKind::Conflict);
    assert_eq!(session.ingest(glob("one")).unwrap()[0].read, 0);
}

#[test]
fn a_file_that_becomes_unreadable_loses_its_rows() {
    let (folder, url, session) = scratch();
    let samples = |session: &Session| {
        session.sql("select count(*) as n from sample").unwrap().value::<i64>(0, "n").unwrap().unwrap()
    };
    ingest(&session, &url);
    let before = samples(&session);
    let file = crate::golden::files(&folder.path().join("job-a/system"), "json").remove(0);
    let other = Path::new(&url).join("more.json");
    std::fs::copy(&file, &other).unwrap();
    ingest(&session, &url);
    assert!(samples(&session) > before);
    std::fs::write(&other, "garbage").unwrap();
    ingest(&session, &url);
    assert_eq!(samples(&session), before);
}
