//! Guarantees of a session: threads, cancellation, caching, errors, limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tracelake::ingest::{ProgressCallback, Request};
use tracelake::{ErrorKind, OpenOptions, Session, Value};

use crate::golden::golden;

/// The runs of the golden profiles, sorted.
pub(crate) fn golden_runs() -> Vec<String> {
    let folders = std::fs::read_dir(format!("{}/tests/data/golden", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let folders = folders.map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_dir());
    let mut runs: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    runs.sort();
    runs
}

fn assert_send_and_sync<T: Send + Sync + 'static>() {}

#[test]
fn public_types_are_send_and_sync() {
    assert_send_and_sync::<Session>();
    assert_send_and_sync::<tracelake::Frame>();
    assert_send_and_sync::<tracelake::figure::DrawnFigure>();
}

#[test]
fn calls_work_from_many_threads_and_inside_another_runtime() {
    let session = golden();
    let count = |session: &Session| session.sql("select count(*) as n from run").unwrap().value::<i64>(0, "n").unwrap();
    let runs = i64::try_from(golden_runs().len()).ok();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| count(&session))).collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), runs));
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    assert_eq!(runtime.block_on(async { count(&session) }), runs);
}

#[test]
fn a_thousand_terms_do_not_overflow_the_stack() {
    let terms: Vec<String> = (0..1000).map(|n| format!("rank = {n}")).collect();
    let text = format!("select count(*) as n from step where {}", terms.join(" or "));
    assert!(golden().sql(&text).unwrap().value::<i64>(0, "n").unwrap().unwrap() > 0);
}

#[test]
fn sql_only_reads() {
    let session = golden();
    for text in [
        "create table t as select 1 as x",
        "drop view step_duration",
        "insert into run values (1)",
        "copy (select 1) to '/tmp/x.parquet'",
        "set datafusion.execution.batch_size = 1",
        "create external table t stored as csv location '/etc/passwd'",
    ] {
        let error = session.sql(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Query, "{text}: {error}");
    }
    let error = session.sql("select * from '/etc/passwd'").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Query);
}

#[test]
fn a_writable_session_creates_tables() {
    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { create: true, writable: true, ..OpenOptions::default() };
    let session = tracelake::open_with(folder.path().to_str().unwrap(), options).unwrap();
    session.sql("create table t as select 41 + 1 as x").unwrap().batch().unwrap();
    assert_eq!(session.sql("select x from t").unwrap().value::<i64>(0, "x").unwrap(), Some(42));
}

#[test]
fn a_repeated_query_runs_again() {
    let session = golden();
    let time = |text: &str| session.sql(text).unwrap().value::<i64>(0, "t").unwrap().unwrap();
    for text in ["select now()::bigint as t", "select max(t) as t from (select 1 as t union select now()::bigint)"] {
        let before = time(text);
        std::thread::sleep(Duration::from_millis(2));
        assert!(time(text) > before, "{text}");
    }
    let factors = |factor: f64| session.query("step.outliers", [("factor", factor)]).unwrap().len().unwrap();
    let counts = [1.0, 1000.0, 1.0].map(factors);
    assert!(counts[0] > 0 && counts[1] == 0 && counts[2] == counts[0], "{counts:?}");
    let queried_runs =
        |run: &str| session.query("step.duration", [("run", run)]).unwrap().column::<String>("run").unwrap();
    for run in ["job-a", "job-b", "job-a"] {
        assert!(queried_runs(run).iter().all(|found_run| found_run.as_deref() == Some(run)));
    }

    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { create: true, writable: true, ..OpenOptions::default() };
    let session = tracelake::open_with(folder.path().to_str().unwrap(), options).unwrap();
    for x in 1..4_i64 {
        session.sql(&format!("create or replace view v as select {x}::bigint as x")).unwrap().batch().unwrap();
        assert_eq!(session.sql("select x from v").unwrap().value::<i64>(0, "x").unwrap(), Some(x));
    }
}

#[test]
fn a_plan_that_runs_again_gives_the_same_rows() {
    let session = golden();
    // a join, a sort by its first rows, a scan that learns from a maximum, a subquery
    let texts = [
        "select name, count(*) as n, sum(dur) as dur from event group by name order by n desc, name",
        "select ts, name, object, row from event order by ts, name, object, row limit 7",
        "select max(ts) as last, min(dur) as shortest from event",
        "select s.run, s.step, e.name from step s join event e on e.run = s.run and e.ts = s.ts order by 1, 2, 3",
        "select run, step, dur from step where dur > (select avg(dur) from step) order by run, rank, step, ts",
    ];
    let shown = |text: &str| session.sql(text).unwrap().batch().unwrap();
    let first = texts.map(shown);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // more often than a cached plan is executed
                for _ in 0..40 {
                    texts.iter().zip(&first).for_each(|(text, first)| assert_eq!(&shown(text), first, "{text}"));
                }
            });
        }
    });
}

#[test]
fn cached_views_have_the_rows_of_the_current_runs() {
    let folder = tempfile::tempdir().unwrap();
    let session = tracelake::create(folder.path().to_str().unwrap()).unwrap();
    let trace = format!("{}/tests/data/golden/job-k", env!("CARGO_MANIFEST_DIR"));
    let ingest = |run: &str| {
        let request = Request { url: trace.clone(), run: Some(run.to_owned()), ..Request::default() };
        session.ingest(request).unwrap();
    };
    let calls = |text: &str| {
        let frame = session.sql(text).unwrap();
        let runs = frame.column::<String>("run").unwrap().into_iter().map(Option::unwrap);
        runs.zip(frame.column::<i64>("n").unwrap().into_iter().map(Option::unwrap)).collect::<Vec<_>>()
    };
    let frames = "select run, count(*) as n from host_frame group by run order by run";
    ingest("a");
    let one = calls(frames);
    let &[(_, n)] = one.as_slice() else { panic!("{one:?}") };
    assert!(n > 0);
    assert_eq!(calls(frames), one, "the second query gives the same rows");
    // the same rows in other queries and under an alias, but not for a subquery with the name of the view
    assert_eq!(calls("select f.run, sum(1) as n from host_frame f where f.dur >= 0 group by f.run"), one);
    let shadowing_query = "with host_frame as (select 'x' as run, 7::bigint as n) select run, n from host_frame";
    assert_eq!(calls(shadowing_query), [("x".to_owned(), 7)]);

    ingest("b");
    let both = ["a", "b"].map(|run| (run.to_owned(), n));
    assert_eq!(calls(frames), both);
    assert_eq!(calls("select run, count(*) as n from host_frame where run = 'b' group by run"), both[1..]);
}

#[test]
fn rules_share_cached_views_of_samples() {
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().to_str().unwrap();
    let session = tracelake::create(url).unwrap();
    let profile = format!("{}/tests/data/first_look/profiler-output", env!("CARGO_MANIFEST_DIR"));
    session.ingest(Request { url: profile, ..Request::default() }).unwrap();
    let (samples, hidden) = (folder.path().join("sample"), folder.path().join("hidden"));
    let views = ["gpu_pair(50)", "system_box", "system_extreme", "system_recent(500)"];
    let rules = ["load_balancing", "batch_size", "io_bottleneck", "low_gpu_utilization"];
    for (view, rule) in views.into_iter().zip(rules) {
        let rows = |session: &Session| session.sql(&format!("select * from {view}")).unwrap().len();
        let (with_rule, without) = (tracelake::open(url).unwrap(), tracelake::open(url).unwrap());
        assert!(with_rule.query(&format!("rules.{rule}"), ()).unwrap().len().unwrap() > 0, "{rule}");
        std::fs::rename(&samples, &hidden).unwrap();
        let cached = rows(&with_rule).unwrap();
        assert!(rows(&without).is_err(), "{view} reads samples");
        std::fs::rename(&hidden, &samples).unwrap();
        assert_eq!(cached, rows(&without).unwrap(), "{view} after {rule}");
    }
}

#[test]
fn window_functions_over_rows_in_another_order() {
    let session = golden();
    let rows = "(select run, ts, row, dur from step where ts is not null order by ts, row limit 200)";
    let count = |text: &str| session.sql(text).unwrap().value::<i64>(0, "n").unwrap().unwrap();
    let all = count(&format!("select count(*) as n from {rows}"));
    let runs = count(&format!("select count(distinct run) as n from {rows}"));
    assert!(runs > 1);
    let first = format!("select lag(ts) over (partition by run order by ts, row) as before from {rows}");
    assert_eq!(count(&format!("select count(*) as n from ({first}) where before is null")), runs);
    let sums = format!("select run, dur, sum(dur) over (partition by run) as total from {rows}");
    assert_eq!(count(&format!("select count(*) as n from ({sums}) where total >= dur")), all);
    let nested = format!("select run, ts, row, row_number() over (order by ts, row) as nth from {rows}");
    let nested = format!("select lag(nth) over (partition by run order by ts, row) as before from ({nested})");
    assert_eq!(count(&format!("select count(*) as n from ({nested}) where before is null")), runs);
}

#[test]
fn volatile_saved_queries_are_not_cached() {
    let folder = tempfile::tempdir().unwrap();
    let session = tracelake::create(folder.path().to_str().unwrap()).unwrap();
    let url = format!("{}/tests/data/first_look/profiler-output", env!("CARGO_MANIFEST_DIR"));
    session.ingest(Request { url, ..Request::default() }).unwrap();
    session.save_query("dice", "select run, random() as x from run", ()).unwrap();
    let throw = || session.sql("select x from saved_dice").unwrap().value::<f64>(0, "x").unwrap();
    assert_ne!(throw(), throw());
}

#[test]
fn unknown_names_get_the_nearest_name() {
    let session = golden();
    let text = |error: tracelake::Error| error.to_string();
    assert_eq!(
        text(session.sql("select * from step_duratoin").unwrap_err()),
        "no table `step_duratoin`; did you mean `step_duration`?"
    );
    assert_eq!(text(session.sql("select rnak from step").unwrap_err()), "no column `rnak`; did you mean `rank`?");
    assert_eq!(
        text(session.query("step.duratoin", [("run", "job-a")]).unwrap_err()),
        "no query `step.duratoin`; did you mean `step.duration`?"
    );
    assert_eq!(
        text(session.query("step.duration", [("run", "job-b1")]).unwrap_err()),
        "no run or baseline `job-b1`; did you mean `job-b`?"
    );
    assert_eq!(
        text(session.figure("step_timelin", [("run", "job-a")]).unwrap_err()),
        "no figure `step_timelin`; did you mean `step_timeline`?"
    );
    assert_eq!(text(session.table("evnt", None, None).unwrap_err()), "no table `evnt`; did you mean `event`?");
    let frame = session.sql("select 1 as rank").unwrap();
    assert_eq!(text(frame.column::<i64>("rnk").unwrap_err()), "no column `rnk`; did you mean `rank`?");
    assert_eq!(frame.column::<bool>("rank").unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn arguments_are_strict() {
    let session = golden();
    let error = session.query("step.outliers", [("factor", "2")]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert_eq!(error.to_string(), "cannot run `step.outliers`: argument `factor` is text, expected double");
    let error = session.query("step.outliers", [("facto", 2.0)]).unwrap_err();
    assert_eq!(error.to_string(), "cannot run `step.outliers`: no parameter `facto`; did you mean `factor`?");
    // An integer is a number, too, and SQL in a text value is not executed.
    assert!(session.query("step.outliers", [("factor", 2)]).is_ok());
    let hostile =
        session.sql_with("select count(*) as n from run where run = $run", [("run", "' or 1 = 1 --")]).unwrap();
    assert_eq!(hostile.value::<i64>(0, "n").unwrap(), Some(0));
}

#[test]
fn queries_by_name_function_and_method_give_the_same_result() {
    let session = golden();
    let text = |frame: tracelake::Frame| frame.to_csv().unwrap();
    let by_name =
        text(session.query("step.outliers", &[("factor", Value::from(2.5)), ("run", "job-a".into())]).unwrap());
    let by_method = text(session.step().outliers().factor(2.5).run("job-a").fetch().unwrap());
    let by_function = text(
        session
            .sql("select * from step_outliers(factor => 2.5) where run = 'job-a' order by run, ts, mode, span, step")
            .unwrap(),
    );
    assert_eq!(by_name, by_method);
    assert_eq!(by_name, by_function);
    assert_eq!(by_name.lines().count(), 2, "{by_name}");
}

#[test]
fn a_window_has_the_rows_that_overlap_it() {
    let session = golden();
    // This window contains all of job-a.
    let all = session.window(0, i64::MAX, "job-a").unwrap();
    for (table, frame) in &all {
        let text = format!("select count(*) as n from {table} where run = 'job-a' and ts is not null");
        let expected = session.sql(&text).unwrap().value::<i64>(0, "n").unwrap();
        assert_eq!(i64::try_from(frame.len().unwrap()).ok(), expected, "{table}");
    }
    // One instant inside a step: the step that is running, on each rank that runs it.
    let running = "select count(*) as n from step where run = 'job-a' and ts <= $at and ts + dur > $at";
    let first = session
        .sql("select min(ts) + 1 as t from step where run = 'job-a'")
        .unwrap()
        .value::<i64>(0, "t")
        .unwrap()
        .unwrap();
    let expected = session.sql_with(running, [("at", first)]).unwrap().value::<i64>(0, "n").unwrap();
    let window = session.window(first, first + 1, "job-a").unwrap();
    assert_eq!(i64::try_from(window["step"].len().unwrap()).ok(), expected);
    assert_eq!(session.window(5, 5, None).unwrap_err().kind(), ErrorKind::Argument);
}

/// This query takes months, so if it ends, it was cancelled.
const LONG: &str = "select count(*) as n from generate_series(1, 1000000000000000) as a(x) where x % 7 = 3";

/// A guard against hanging, not a limit on speed.
const HANG_GUARD: Duration = Duration::from_mins(5);

/// A session on a new lake, and the flag that cancels its calls when it is not 0.
fn interruptible_session(folder: &std::path::Path) -> (Session, Arc<AtomicUsize>) {
    let cancelled = Arc::new(AtomicUsize::new(0));
    let flag = Arc::clone(&cancelled);
    let interrupt = Arc::new(move || flag.load(Ordering::Relaxed) > 0);
    let options = OpenOptions { create: true, interrupt: Some(interrupt), ..OpenOptions::default() };
    (tracelake::open_with(folder.to_str().unwrap(), options).unwrap(), cancelled)
}

/// Waits until a condition holds.
fn wait_until(condition: impl Fn() -> bool, what: &str) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < HANG_GUARD, "guard against hanging: not {what} after {HANG_GUARD:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until a query runs in all of its tasks. A task that is not being read yet would stay with its plan.
fn wait_until_busy(session: &Session) {
    let metrics = session.engine_runtime().metrics();
    let work = || (0..metrics.num_workers()).map(|n| metrics.worker_total_busy_duration(n)).sum::<Duration>();
    let before = work();
    wait_until(|| work() > before + Duration::from_millis(200), "busy");
}

/// Waits until the engine of the session has no tasks.
fn wait_until_idle(session: &Session) {
    wait_until(|| session.engine_runtime().metrics().num_alive_tasks() == 0, "idle");
}

#[test]
fn cancelling_ends_a_long_query_and_its_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let (session, cancelled) = interruptible_session(folder.path());
    let frame = session.sql(LONG).unwrap();
    let waiting = std::thread::spawn(move || frame.batch().unwrap_err().kind());
    wait_until_busy(&session);
    cancelled.store(1, Ordering::Relaxed);
    assert_eq!(waiting.join().unwrap(), ErrorKind::Cancelled);
    // a cancelled query does not continue in the background
    wait_until_idle(&session);
    cancelled.store(0, Ordering::Relaxed);
    assert_eq!(session.sql("select 1 as x").unwrap().value::<i64>(0, "x").unwrap(), Some(1));
}

#[test]
fn dropping_a_stream_ends_its_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let (session, _) = interruptible_session(folder.path());
    let stream = session.sql(LONG).unwrap().stream().unwrap();
    wait_until_busy(&session);
    drop(stream);
    // a query without a reader does not continue in the background
    wait_until_idle(&session);
}

#[test]
fn cancelling_an_ingest_blocks_until_it_stops_and_leaves_the_lake_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (session, cancelled) = interruptible_session(folder.path());
    let callbacks = Arc::new(AtomicUsize::new(0));
    let slow: ProgressCallback = {
        let (callbacks, cancelled) = (Arc::clone(&callbacks), Arc::clone(&cancelled));
        Arc::new(move |_| {
            cancelled.store(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(300));
            callbacks.fetch_add(1, Ordering::Relaxed);
            true
        })
    };
    let url = format!("{}/tests/data/first_look/profiler-output", env!("CARGO_MANIFEST_DIR"));
    let error = session.ingest_watched(Request { url, ..Request::default() }, Some(slow)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled, "{error}");
    let count_at_return = callbacks.load(Ordering::Relaxed);
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(callbacks.load(Ordering::Relaxed), count_at_return, "the ingest continued after the call returned");
    let reopened = tracelake::open(folder.path().to_str().unwrap()).unwrap();
    assert_eq!(reopened.runs().unwrap().len().unwrap(), 0);
    for table in ["event", "step", "sample", "loader"] {
        let parts = std::fs::read_dir(folder.path().join(table)).map_or(0, Iterator::count);
        assert_eq!(parts, 0, "data files of `{table}` are left");
    }
}

#[test]
fn a_frame_has_the_runs_at_the_time_of_its_query() {
    let folder = tempfile::tempdir().unwrap();
    let session = tracelake::create(folder.path().to_str().unwrap()).unwrap();
    let data = format!("{}/tests/data/golden", env!("CARGO_MANIFEST_DIR"));
    let ingest = |name: &str| {
        session.ingest(Request { url: format!("{data}/{name}"), ..Request::default() }).unwrap();
    };
    ingest("job-a");
    let make_frames = |session: &Session| -> Vec<(&str, tracelake::Frame)> {
        vec![
            ("sql", session.sql("select distinct run from step").unwrap()),
            ("view", session.sql("select distinct run from step_duration").unwrap()),
            ("manifest", session.runs().unwrap()),
            ("table", session.table("sample", None, None).unwrap()),
            ("canned", session.query("job.overview", ()).unwrap()),
        ]
    };
    let runs = |frame: &tracelake::Frame| {
        let mut runs = frame.column::<String>("run").unwrap();
        runs.sort();
        runs.dedup();
        runs.into_iter().flatten().collect::<Vec<_>>()
    };
    let before = make_frames(&session);
    ingest("job-c");
    ingest("job-b");
    for (what, frame) in &before {
        assert_eq!(runs(frame), ["job-a"], "{what}");
    }
    for (what, frame) in &make_frames(&session) {
        assert!(runs(frame).len() > 1, "{what}");
    }
}

/// Ingests job-a into a new lake, and returns the first data file of a table.
fn first_data_file(folder: &std::path::Path, table: &str) -> std::path::PathBuf {
    let session = tracelake::create(folder.to_str().unwrap()).unwrap();
    let url = format!("{}/tests/data/golden/job-a", env!("CARGO_MANIFEST_DIR"));
    session.ingest(Request { url, ..Request::default() }).unwrap();
    session.files(table, None).unwrap()[0].clone().into()
}

#[test]
fn a_missing_or_corrupt_data_file_is_named() {
    type DataFileDamage = (&'static str, fn(&std::path::Path), ErrorKind, &'static str);
    let damages: [DataFileDamage; 4] = [
        ("gone", |part| std::fs::remove_file(part).unwrap(), ErrorKind::NotFound, "it does not exist"),
        (
            "cut",
            |part| std::fs::write(part, &std::fs::read(part).unwrap()[..100]).unwrap(),
            ErrorKind::Malformed,
            "this data file of the lake is corrupt",
        ),
        (
            "no footer",
            |part| std::fs::write(part, vec![b'x'; std::fs::read(part).unwrap().len()]).unwrap(),
            ErrorKind::Malformed,
            "this data file of the lake is corrupt",
        ),
        (
            "corrupt page",
            |part| {
                let mut bytes = std::fs::read(part).unwrap();
                bytes[4..400].fill(0xff);
                std::fs::write(part, bytes).unwrap();
            },
            ErrorKind::Malformed,
            "this data file of the lake is corrupt",
        ),
    ];
    for (what, damage, kind, why) in damages {
        let folder = tempfile::tempdir().unwrap();
        let file = first_data_file(folder.path(), "step");
        damage(&file);
        let session = tracelake::open(folder.path().to_str().unwrap()).unwrap();
        for text in ["select * from step", "select count(distinct dur) from step_span"] {
            let error = session.sql(text).unwrap().batch().unwrap_err();
            assert_eq!(error.kind(), kind, "{what}: {error}");
            assert_eq!(error.message(), format!("cannot read file://{}: {why}", file.display()), "{what}");
            assert!(error.hint().unwrap().contains("ingest the profile again"), "{what}: {error}");
        }
        assert!(
            session.sql("select * from sample").unwrap().len().unwrap() > 0,
            "{what}: other data files can be read"
        );
    }
}

#[test]
fn a_corrupt_data_file_is_never_an_internal_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = first_data_file(folder.path(), "step");
    let whole = std::fs::read(&file).unwrap();
    let mut error_count = 0;
    for position in (0..whole.len()).step_by(whole.len() / 80) {
        let mut bytes = whole.clone();
        bytes[position] ^= 0xff;
        std::fs::write(&file, bytes).unwrap();
        // A session caches footers, so open a new one.
        let session = tracelake::open(folder.path().to_str().unwrap()).unwrap();
        // A changed byte within values may give other values, because there is no checksum.
        if let Err(error) = session.sql("select * from step").unwrap().batch() {
            assert_eq!(error.kind(), ErrorKind::Malformed, "byte {position}: {error}");
            error_count += 1;
        }
    }
    assert!(error_count > 20, "{error_count} of 80");
}

#[test]
fn sql_parameters_need_matching_values() {
    let session = golden();
    let text = "select count(*) as n from step where run = $run and step > $min_dur";
    let error_text = |values: &[(&str, Value)]| {
        let error = session.sql_with(text, values).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
        error.to_string()
    };
    let run = ("run", Value::from("job-a"));
    assert_eq!(
        error_text(&[run.clone(), ("min_dru", 1.into()), ("min_dur", 1.into())]),
        "no parameter `min_dru`; did you mean `min_dur`?"
    );
    assert_eq!(
        error_text(&[run.clone(), ("min_dur", 1.into()), ("color", 1.into())]),
        "no parameter `color`\n  hint:   there are: min_dur, run"
    );
    assert_eq!(error_text(std::slice::from_ref(&run)), "no value for $min_dur in the SQL");
    let error = session.sql_with("select 1", std::slice::from_ref(&run)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no parameter `run`; there are no parameters\n  hint:   write $run where the SQL needs it"
    );
    assert_eq!(session.sql("select $x").unwrap_err().kind(), ErrorKind::Argument);
    let inside = "select count(*) as n from (select 1 where $run = 'job-a') where exists (select $min_dur)";
    let frame = session.sql_with(inside, &[run, ("min_dur", 1.into())]).unwrap();
    assert_eq!(frame.value::<i64>(0, "n").unwrap(), Some(1));
}

#[test]
fn every_kind_of_relation_can_be_grouped() {
    // The engine checks that the plan of an aggregation's input has exactly the schema of the relation, with units.
    let session = golden();
    for relation in ["run", "event", "device_work", "step_timing", "step_duration", "step_duration()", "diagnosis"] {
        let frame = session.sql(&format!("SELECT * FROM {relation} LIMIT 0")).unwrap();
        let names: Vec<String> = frame.columns().iter().map(|column| format!("\"{}\"", column.name)).collect();
        for name in names {
            let grouped = session.sql(&format!("SELECT {name}, count(*) AS grouped FROM {relation} GROUP BY {name}"));
            assert_eq!(
                grouped.and_then(|frame| frame.len()).err().map(|error| error.to_string()),
                None,
                "{relation}: {name}"
            );
        }
    }
}

#[test]
fn sql_takes_one_statement() {
    let error = golden().sql("select 1; select 2").unwrap_err();
    assert_eq!(error.to_string(), "cannot run several statements at once\n  hint:   call `sql` once for each");
    assert_eq!(error.kind(), ErrorKind::Query);
}

#[test]
fn values_outside_of_a_domain_are_errors_by_name_and_in_sql() {
    let session = golden();
    let cases: [(&str, &str, Value, &str, &str); 8] = [
        ("step.histogram", "bins", 0.into(), "0", "0 is less than 1"),
        (
            "finding.load_share_high",
            "warning",
            20.0.into(),
            "20.0",
            "20 is not a ratio from 0 to 1; write 0.2 for 20 %",
        ),
        ("finding.load_share_high", "warning", (-1.0).into(), "-1.0", "-1 is not from 0 to 1"),
        ("step.over_time", "start", Value::Null, "null", ""),
        ("fleet.trend", "metric", "step_p5".into(), "'step_p5'", "no value `step_p5`; did you mean `step_p50`?"),
        (
            "fleet.trend",
            "series",
            "hots_name".into(),
            "'hots_name'",
            "no attribute `hots_name`; did you mean `host_name`?",
        ),
        ("kernel.diff", "base", "job-q".into(), "'job-q'", "no run `job-q`; did you mean `job-a`?"),
        (
            "change.steps",
            "a",
            Value::List(vec!["job-a".into(), "job-q".into()]),
            "['job-a', 'job-q']",
            "no run `job-q`; did you mean `job-a`?",
        ),
    ];
    for (name, param, value, literal, why) in cases {
        let by_name = session.query(name, &[(param, value)]).map(|_| ());
        let in_sql = format!("select * from {}({param} => {literal})", name.replace('.', "_"));
        for result in [by_name, session.sql(&in_sql).map(|_| ())] {
            let Err(error) = result else {
                assert_eq!(why, "", "{name}: {param}");
                continue;
            };
            let refusal = format!("argument `{param}`: {why}");
            assert!(error.kind() == ErrorKind::Argument && error.message().ends_with(&refusal), "{error}");
        }
    }
    assert!(session.query("step.histogram", [("bins", 1)]).unwrap().len().unwrap() > 0);
}

#[test]
fn table_columns_must_be_given_and_distinct() {
    let session = golden();
    let error_text = |columns: &[&str]| {
        let columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
        let error = session.table("step", None, Some(&columns)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
        error.message().to_owned()
    };
    assert_eq!(error_text(&[]), "cannot read table `step`: no column is given");
    assert_eq!(error_text(&["dur", "run", "dur"]), "cannot read table `step`: column `dur` is given twice");
}

#[test]
fn a_user_query_must_match_its_header() {
    let folder = tempfile::tempdir().unwrap();
    let queries_folder = folder.path().join("mine");
    std::fs::create_dir_all(&queries_folder).unwrap();
    let error_text = |columns: &str, select: &str| {
        let head = format!("-- Q?\n--\n-- column run text id r\n{columns}-- needs step\n-- order run\n");
        std::fs::write(queries_folder.join("q.sql"), format!("{head}-- source sagemaker_framework\n{select}")).unwrap();
        let queries = Some(folder.path().to_string_lossy().into_owned());
        let options = OpenOptions { create: true, queries, ..OpenOptions::default() };
        let lake = tempfile::tempdir().unwrap();
        tracelake::open_with(lake.path().to_str().unwrap(), options)
            .map(drop)
            .map_err(|error| error.message().to_owned())
    };
    let n = "-- column n double count steps\n";
    let select = "SELECT run, count(*) AS n FROM step GROUP BY run ORDER BY run";
    let refusal = |why: &str| Err(format!("cannot use query `mine.q` of mine/q.sql: {why}"));
    assert_eq!(error_text(n, select), refusal("column `n` is bigint, its header declares double"));
    assert_eq!(
        error_text(n, "SELECT run, cast(1 as int) AS n FROM step"),
        refusal("column `n` is int32, its header declares double")
    );
    assert_eq!(
        error_text(n, "SELECT run FROM step"),
        refusal("its header declares column `n`, which the SQL does not return")
    );
    assert_eq!(error_text("", select), refusal("the SQL returns column `n`, which its header does not declare"));
    assert_eq!(error_text("-- column n bigint count steps\n", select), Ok(()));
}

#[test]
fn user_queries_are_views_functions_and_methods() {
    let folder = tempfile::tempdir().unwrap();
    let queries_folder = folder.path().join("queries/mine");
    std::fs::create_dir_all(&queries_folder).unwrap();
    std::fs::write(
        queries_folder.join("steps.sql"),
        "-- How many steps are long?\n--\n-- param over double = 1.0 s\n--\n-- column run text id r\n-- column n bigint count steps\n\
         -- needs step\n-- order run\n-- source sagemaker_framework\nSELECT run, count(*) AS n FROM step WHERE dur > $over * 1e9 GROUP BY run ORDER BY run",
    )
    .unwrap();
    let options = OpenOptions {
        create: true,
        queries: Some(folder.path().join("queries").to_string_lossy().into_owned()),
        ..OpenOptions::default()
    };
    let session = tracelake::open_with(folder.path().join("lake").to_str().unwrap(), options).unwrap();
    let url = format!("{}/tests/data/golden/job-a", env!("CARGO_MANIFEST_DIR"));
    session.ingest(Request { url, ..Request::default() }).unwrap();
    let by_name = session.query("mine.steps", [("over", 0.0)]).unwrap().value::<i64>(0, "n").unwrap();
    let all = session.sql("select count(*) as n from step").unwrap().value::<i64>(0, "n").unwrap();
    assert_eq!(by_name, all);
    let by_function = session.sql("select n from mine_steps(over => 0.0)").unwrap().value::<i64>(0, "n").unwrap();
    assert_eq!(by_function, all);

    std::fs::write(queries_folder.join("steps.sql"), "-- Q?\n--\n-- column run text furlongs r\nSELECT 1").unwrap();
    let options = OpenOptions {
        queries: Some(folder.path().join("queries").to_string_lossy().into_owned()),
        ..OpenOptions::default()
    };
    let error = tracelake::open_with(folder.path().join("lake").to_str().unwrap(), options).unwrap_err();
    assert!(
        error.to_string().starts_with("cannot read mine/steps.sql:3: unknown unit `furlongs`; one of: "),
        "{error}"
    );
}

#[test]
fn a_frame_outlives_the_session_of_a_temporary_lake() {
    let url = format!("{}/tests/data/golden/job-c", env!("CARGO_MANIFEST_DIR"));
    let session = tracelake::open_with(&url, OpenOptions { ephemeral: true, ..OpenOptions::default() }).unwrap();
    let frame = session.sql("select count(*) as n from step").unwrap();
    let folder = session.url().strip_prefix("file://").unwrap().to_owned();
    drop(session);
    assert!(frame.value::<i64>(0, "n").unwrap().unwrap() > 0);
    drop(frame);
    assert!(!std::path::Path::new(&folder).exists(), "{folder} is still there");
}

#[test]
fn a_large_result_is_counted_and_shown_without_being_cached() {
    let session = golden();
    // 16 million integers are 128 MB: more than a frame caches.
    let frame = session.sql("select x from generate_series(1, 16000000) as t(x)").unwrap();
    assert_eq!(frame.len().unwrap(), 16_000_000);
    let text = frame.to_string();
    assert!(text.ends_with("50 of 16000000 rows shown"), "{text}");
    assert_eq!(text.lines().count(), 50 + 3, "a header, its line, 50 rows, the count");
    assert_eq!(frame.stream().unwrap().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 16_000_000);
}

/// Patterns that are compared by view have their own function in the plan, but not in the names of columns.
#[test]
fn patterns_are_compared_by_view_unless_row_groups_can_be_skipped() {
    let session = golden();
    let planned = |pattern: &str| {
        let plan = session.sql(&format!("EXPLAIN SELECT ts FROM event WHERE name {pattern}")).unwrap();
        plan.column::<String>("plan").unwrap().into_iter().flatten().collect::<String>()
    };
    for (pattern, expected) in [
        ("LIKE '%gemm%'", "like("),
        ("NOT LIKE '_emm'", "like("),
        ("ILIKE '%GEMM'", "ilike("),
        ("LIKE 'gemm%'", ""),
        ("LIKE '%'", ""),
        ("LIKE '%a!%' ESCAPE '!'", ""),
    ] {
        let plan = planned(pattern);
        assert!(plan.contains(expected) && (!expected.is_empty() || !plan.contains("like(")), "{pattern}: {plan}");
    }
    let frame = session.sql("SELECT name LIKE '%gemm%' FROM event").unwrap();
    assert_eq!(frame.columns()[0].name, "event.name LIKE Utf8(\"%gemm%\")");
}

#[test]
fn wrong_input_is_an_error_and_not_a_panic() {
    let session = golden();
    let edges = Value::List(vec![0.into(), 50.5.into(), 100.into()]);
    assert!(session.query("utilization.buckets", &[("edges", edges)]).unwrap().len().unwrap() > 0);
    let texts = Value::List(vec!["a".into(), 1.into()]);
    assert_eq!(session.query("utilization.buckets", &[("edges", texts)]).unwrap_err().kind(), ErrorKind::Argument);
    let error = tracelake::open("s3://key:se/cret@bucket/x").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert!(!error.to_string().contains("cret"), "{error}");
}

#[test]
fn a_percentile_in_descending_order_counts_from_the_other_end() {
    let text = "select percentile_cont(0.25) within group (order by x desc) as d, percentile_cont(0.75) within group (order by x) as a \
                from (values (1.0), (2.0), (4.0), (8.0)) as t(x)";
    let frame = golden().sql(text).unwrap();
    // 0.75 * 3 = 2.25: 4 + 0.25 * (8 - 4)
    assert_eq!(frame.value::<f64>(0, "a").unwrap(), Some(5.0));
    assert_eq!(frame.value::<f64>(0, "d").unwrap(), Some(5.0));
}
