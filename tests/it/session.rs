//! What a session promises to whoever calls it.

use std::sync::Arc;

use tracelake::ingest::Request;
use tracelake::{ErrorKind, Open, Session, Value};

use crate::slt::golden;

fn is_plain<T: Send + Sync + 'static>() {}

#[test]
fn a_session_can_be_held_by_anything() {
    is_plain::<Session>();
    is_plain::<tracelake::Frame>();
    is_plain::<tracelake::figure::Drawn>();
}

#[test]
fn calls_work_from_many_threads_and_inside_a_foreign_runtime() {
    let session = golden();
    let count = |session: &Session| session.sql("select count(*) as n from run").unwrap().value::<i64>(0, "n").unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| count(&session))).collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), Some(3)));
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    assert_eq!(runtime.block_on(async { count(&session) }), Some(3));
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
fn a_writable_session_makes_tables_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let how = Open { create: true, writable: true, ..Open::default() };
    let session = tracelake::open_with(folder.path().to_str().unwrap(), how).unwrap();
    session.sql("create table t as select 41 + 1 as x").unwrap().batch().unwrap();
    assert_eq!(session.sql("select x from t").unwrap().value::<i64>(0, "x").unwrap(), Some(42));
}

#[test]
fn wrong_names_get_the_nearest_one() {
    let session = golden();
    let text = |error: tracelake::Error| error.to_string();
    assert_eq!(
        text(session.sql("select * from step_duratoin").unwrap_err()),
        "no table `step_duratoin`; did you mean `step_duration`?"
    );
    assert_eq!(text(session.sql("select rnak from step").unwrap_err()), "no column `rnak`; did you mean `rank`?");
    assert_eq!(
        text(session.query("step.duratoin", &[("run", "job-a")]).unwrap_err()),
        "no query `step.duratoin`; did you mean `step.duration`?"
    );
    assert_eq!(
        text(session.query("step.duration", &[("run", "job-b1")]).unwrap_err()),
        "no run `job-b1`; did you mean `job-b`?"
    );
    assert_eq!(
        text(session.figure("step_timelin", &[("run", "job-a")]).unwrap_err()),
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
    let error = session.query("step.outliers", &[("factor", "2")]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert_eq!(
        error.to_string(),
        "cannot call step_outliers(factor double = 2.0): argument `factor` is text, expected double"
    );
    let error = session.query("step.outliers", &[("facto", 2.0)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot call step_outliers(factor double = 2.0): no parameter `facto`; did you mean `factor`?"
    );
    // An integer is a number too, and a text from a stranger stays a value.
    assert!(session.query("step.outliers", &[("factor", 2)]).is_ok());
    let hostile =
        session.sql_with("select count(*) as n from run where run = $run", &[("run", "' or 1 = 1 --".into())]).unwrap();
    assert_eq!(hostile.value::<i64>(0, "n").unwrap(), Some(0));
}

#[test]
fn the_same_answer_by_name_by_view_by_function_and_by_method() {
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
fn a_window_shows_what_overlaps_it() {
    let session = golden();
    let runs = ["job-a".to_owned()];
    // All of job-a lies in it.
    let all = session.window(0, i64::MAX, Some(&runs)).unwrap();
    for (table, frame) in &all {
        let text = format!("select count(*) as n from {table} where run = 'job-a' and ts is not null");
        let expected = session.sql(&text).unwrap().value::<i64>(0, "n").unwrap();
        assert_eq!(i64::try_from(frame.rows().unwrap()).ok(), expected, "{table}");
    }
    // One instant inside a step: the step that is running, on each rank that runs it.
    let running = "select count(*) as n from step where run = 'job-a' and ts <= $at and ts + dur > $at";
    let first = session
        .sql("select min(ts) + 1 as t from step where run = 'job-a'")
        .unwrap()
        .value::<i64>(0, "t")
        .unwrap()
        .unwrap();
    let expected = session.sql_with(running, &[("at", first.into())]).unwrap().value::<i64>(0, "n").unwrap();
    let window = session.window(first, first + 1, Some(&runs)).unwrap();
    assert_eq!(i64::try_from(window["step"].rows().unwrap()).ok(), expected);
    assert_eq!(session.window(5, 5, None).unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn giving_up_ends_a_long_query() {
    let folder = tempfile::tempdir().unwrap();
    let begun = std::time::Instant::now();
    let how =
        Open { create: true, interrupt: Some(Arc::new(move || begun.elapsed().as_millis() > 1500)), ..Open::default() };
    let session = tracelake::open_with(folder.path().to_str().unwrap(), how).unwrap();
    let long = "select count(*) as n from generate_series(1, 100000000000) as a(x) where x % 7 = 3";
    let error = session.sql(long).and_then(|frame| frame.batch()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

#[test]
fn queries_of_the_users_own_are_views_functions_and_calls() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("queries/mine");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(
        own.join("steps.sql"),
        "-- How many steps are long?\n--\n-- param over double = 1.0 s\n--\n-- column run text id r\n-- column n bigint count steps\n\
         -- needs step\n-- order run\n-- source sagemaker_framework\nSELECT run, count(*) AS n FROM step WHERE dur > $over * 1e9 GROUP BY run ORDER BY run",
    )
    .unwrap();
    let how = Open {
        create: true,
        queries: Some(folder.path().join("queries").to_string_lossy().into_owned()),
        ..Open::default()
    };
    let session = tracelake::open_with(folder.path().join("lake").to_str().unwrap(), how).unwrap();
    let url = format!("{}/tests/data/golden/job-a", env!("CARGO_MANIFEST_DIR"));
    session.ingest(Request { url, ..Request::default() }, None).unwrap();
    let by_name = session.query("mine.steps", &[("over", 0.0)]).unwrap().value::<i64>(0, "n").unwrap();
    let all = session.sql("select count(*) as n from step").unwrap().value::<i64>(0, "n").unwrap();
    assert_eq!(by_name, all);
    let by_function = session.sql("select n from mine_steps(over => 0.0)").unwrap().value::<i64>(0, "n").unwrap();
    assert_eq!(by_function, all);

    std::fs::write(own.join("steps.sql"), "-- Q?\n--\n-- column run text furlongs r\nSELECT 1").unwrap();
    let how = Open { queries: Some(folder.path().join("queries").to_string_lossy().into_owned()), ..Open::default() };
    let error = tracelake::open_with(folder.path().join("lake").to_str().unwrap(), how).unwrap_err();
    assert!(
        error.to_string().starts_with("cannot read mine/steps.sql:3: unknown unit `furlongs`; one of: "),
        "{error}"
    );
}

#[test]
fn a_frame_outlives_the_session_of_a_temporary_lake() {
    let url = format!("{}/tests/data/golden/job-c", env!("CARGO_MANIFEST_DIR"));
    let session = tracelake::open_with(&url, Open { ephemeral: true, ..Open::default() }).unwrap();
    let frame = session.sql("select count(*) as n from step").unwrap();
    let folder = session.url().strip_prefix("file://").unwrap().to_owned();
    drop(session);
    assert!(frame.value::<i64>(0, "n").unwrap().unwrap() > 0);
    drop(frame);
    assert!(!std::path::Path::new(&folder).exists(), "{folder} is still there");
}

#[test]
fn a_large_result_is_counted_and_shown_without_being_kept() {
    let session = golden();
    // 16 million integers are 128 MB: beyond what a frame keeps.
    let frame = session.sql("select x from generate_series(1, 16000000) as t(x)").unwrap();
    assert_eq!(frame.rows().unwrap(), 16_000_000);
    let text = frame.to_string();
    assert!(text.ends_with("50 of 16000000 rows shown"), "{text}");
    assert_eq!(text.lines().count(), 50 + 3, "a heading, its line, 50 rows, the count");
    assert_eq!(frame.stream().unwrap().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 16_000_000);
}

#[test]
fn what_a_stranger_types_is_an_error_and_not_a_panic() {
    let session = golden();
    let edges = Value::List(vec![0.into(), 50.5.into(), 100.into()]);
    assert!(session.query("utilization.buckets", &[("edges", edges)]).unwrap().rows().unwrap() > 0);
    let texts = Value::List(vec!["a".into(), 1.into()]);
    assert_eq!(session.query("utilization.buckets", &[("edges", texts)]).unwrap_err().kind(), ErrorKind::Argument);
    let error = tracelake::open("s3://key:se/cret@bucket/x").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert!(!error.to_string().contains("cret"), "{error}");
}

#[test]
fn a_percentile_counts_from_the_other_end_when_the_order_is_descending() {
    let text = "select percentile_cont(0.25) within group (order by x desc) as d, percentile_cont(0.75) within group (order by x) as a \
                from (values (1.0), (2.0), (4.0), (8.0)) as t(x)";
    let frame = golden().sql(text).unwrap();
    // 0.75 * 3 = 2.25: 4 + 0.25 * (8 - 4)
    assert_eq!(frame.value::<f64>(0, "a").unwrap(), Some(5.0));
    assert_eq!(frame.value::<f64>(0, "d").unwrap(), Some(5.0));
}
