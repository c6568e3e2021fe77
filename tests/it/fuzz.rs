//! What must hold for any bytes: a target for each format, and for whatever else others write.
//!
//! The fuzzer of fuzz/ calls the same targets with bytes that it makes up. What broke one is kept in tests/data/fuzz and
//! stays a test.

#![expect(clippy::unwrap_used, reason = "a target fails loudly")]

use std::sync::LazyLock;

use tracelake::catalog::{self, Query, header};
use tracelake::diagnosis::Rules;
use tracelake::lake::Manifest;
use tracelake::{ErrorKind, Open, Session, Type, Value};

use crate::decode::decode;
use crate::decode_sections::{self, in_sections, starts};

/// A name, and what must not panic.
pub(crate) type Target = (&'static str, fn(&[u8]));

const STEP: &str = "train-0-stepstart-1600000202000000.0_train-0-stepend-1600000203000000.0";

/// All of them.
pub(crate) static TARGETS: &[Target] = &[
    ("sagemaker_system", |bytes| decodes("system/incremental/2020091312/1600000200.algo-1.json", bytes)),
    ("sagemaker_framework", |bytes| {
        decodes("framework/pevents/2020091312/1600000250000000_0-algo-1_pythontimeline.json", bytes);
    }),
    ("sagemaker_rule_report", |bytes| {
        let folder = "rule-output/ProfilerReport-1/profiler-output/profiler-reports";
        decodes(&format!("{folder}/StepOutlier.json"), bytes);
    }),
    // pstats files are in the format of Python's module marshal.
    ("cprofile", |bytes| decodes(&format!("0-algo-1/{STEP}/python_stats"), bytes)),
    ("pyinstrument", |bytes| decodes(&format!("0-algo-1/{STEP}/python_stats.json"), bytes)),
    ("dali_loader_evaluator", |bytes| decodes("m.json", bytes)),
    ("loader_timings_csv", |bytes| decodes("t.csv", bytes)),
    ("loader_timings_json", |bytes| decodes("t.jsonl", bytes)),
    ("loader_timings_parquet", |bytes| decodes("t.parquet", bytes)),
    ("tensorboard_events", |bytes| decodes("events.out.tfevents.1600000200.algo-1", bytes)),
    ("nsys", |bytes| decodes("report.sqlite", bytes)),
    ("nsys_parquet", |bytes| decodes("report_pqtdir/NVTX_EVENTS.parquet", bytes)),
    ("lightning_metrics", |bytes| decodes("version_0/metrics.csv", bytes)),
    ("recorder", |bytes| decodes("main-0-7.jsonl", bytes)),
    ("kineto", |bytes| decodes(decode_sections::PATH, bytes)),
    ("kineto_sections", sections),
    ("lightning", |bytes| decodes("fit-perf_logs-0.txt", bytes)),
    ("chrome_trace", |bytes| decodes("trace.json", bytes)),
    ("any_name", any_name),
    ("manifest", manifest),
    ("checkpoint", checkpoint),
    ("header", query_header),
    ("rules", rules),
    ("parameter", parameter),
    ("group", group),
];

/// The rows do not depend on where the bytes were split, and a file in which nothing was read is no silence.
fn decodes(path: &str, bytes: &[u8]) {
    let files = [(path.to_owned(), bytes.to_vec())];
    let whole = decode(&files, usize::MAX);
    let chunk = 1 + bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>() % 253;
    assert!(decode(&files, chunk) == whole, "chunks of {chunk} bytes give other rows");
}

/// Sections that are cut at events give the rows that one decoder gives.
fn sections(bytes: &[u8]) {
    let whole = decode(&[(decode_sections::PATH.to_owned(), bytes.to_vec())], usize::MAX);
    if !whole.errors.is_empty() || whole.read.is_empty() {
        return;
    }
    let workers = 1 + bytes.len() % 3;
    let (rows, _) = in_sections(bytes, &starts(bytes), workers);
    assert!(rows == whole.tables, "sections by {workers} workers give other rows");
}

/// The first line is the name of the file.
fn any_name(bytes: &[u8]) {
    let line = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (name, rest) = bytes.split_at(line);
    decodes(&String::from_utf8_lossy(name), rest.get(1..).unwrap_or_default());
}

/// What can be read is written as it was.
fn manifest(bytes: &[u8]) {
    match Manifest::parse("m", bytes) {
        Ok(manifest) => {
            let text = manifest.to_json().unwrap();
            assert_eq!(Manifest::parse("m", &text).unwrap(), manifest);
        }
        Err(error) => assert!(matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Unrecognized)),
    }
}

/// Whatever a checkpoint holds, the lake has the runs that it has.
fn checkpoint(bytes: &[u8]) {
    let lake = SESSION.url().strip_prefix("file://").unwrap();
    std::fs::write(format!("{lake}/_manifest/checkpoint.parquet"), bytes).unwrap();
    SESSION.refresh().unwrap();
    assert_eq!(
        SESSION.sql("select run from run").unwrap().value::<String>(0, "run").unwrap().as_deref(),
        Some("first_look")
    );
}

/// A refusal names a line that there is.
fn query_header(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match header::parse(&text) {
        Ok((_, body)) => {
            assert!(text.contains(body));
            // As a query that is kept with a lake.
            if let Ok(query) = Query::parse("mine/question.sql", &text) {
                assert_eq!(query.name, "mine.question");
                let _ = query.usage();
            }
        }
        Err(refusal) => assert!((1..=text.lines().count().max(1)).contains(&refusal.line), "line {}", refusal.line),
    }
}

fn rules(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for error in [Rules::from_toml(&text).err(), Rules::from_json(&text).err()].into_iter().flatten() {
        assert!(!error.message().is_empty());
    }
}

static SESSION: LazyLock<Session> = LazyLock::new(|| {
    // From the root of the project, where the fuzzer and the tests run.
    tracelake::open_with("tests/data/first_look/profiler-output", Open { ephemeral: true, ..Open::default() }).unwrap()
});

/// Two bytes choose a parameter of a canned query, the rest is its value as a shell gives it. It is a value whatever stands in it:
/// answered, or refused for what it is.
fn parameter(bytes: &[u8]) {
    let Some((choice, rest)) = bytes.split_first_chunk() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let all: Vec<_> = catalog::queries()
        .iter()
        .flat_map(|query| query.header.params.iter().map(move |param| (query, param)))
        .collect();
    let (query, param) = all[usize::from(u16::from_le_bytes(*choice)) % all.len()];
    match SESSION.query(&query.name, &[(param.name.as_str(), Value::from(text))]).and_then(|frame| frame.rows()) {
        Ok(_) => {}
        Err(error) => assert!(
            matches!(error.kind(), ErrorKind::Query | ErrorKind::Argument | ErrorKind::NotFound | ErrorKind::Exhausted),
            "{} of {}: {error}",
            param.name,
            query.name
        ),
    }
    if param.ty == Type::Text {
        let echo = SESSION.sql_with("select $x as x", &[("x", Value::from(text))]).unwrap();
        assert_eq!(echo.value::<String>(0, "x").unwrap().as_deref(), Some(text));
    }
}

/// Patterns and conditions by which runs are chosen.
fn group(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(error) = SESSION.group(&[text]) {
        assert!(matches!(error.kind(), ErrorKind::Argument | ErrorKind::NotFound), "{error}");
    }
}

#[test]
fn what_broke_a_target_once_does_not_again() {
    for (name, target) in TARGETS {
        target(b"");
        let Ok(kept) = std::fs::read_dir(format!("tests/data/fuzz/{name}")) else { continue };
        for file in kept {
            target(&std::fs::read(file.unwrap().path()).unwrap());
        }
    }
}
