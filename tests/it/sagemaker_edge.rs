//! SageMaker profiles: the outcome of every edge case, and every row of two whole profiles.

#![expect(clippy::disallowed_methods, clippy::expect_used, reason = "a test reads its own input and may fail loudly")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::decode::{Decoded, decode, files, shared};

/// The outcome of each profile: rows by table; problems by kind; files that are errors or ignored.
/// `docs/formats_edge_cases.md` explains each one.
const EXPECTED: &[(&str, &str)] = &[
    ("edge/empty", ""),
    // system metrics
    ("edge/s_algo10", "device 1 sample 1"),
    ("edge/s_before", "device 1 sample 2"),
    ("edge/s_blank_last", "device 1 sample 2"),
    ("edge/s_corruptname", "device 1 sample 1"),
    ("edge/s_dup", "device 1 sample 3"),
    ("edge/s_flat", "device 1 sample 1"),
    ("edge/s_flat2", "device 1 sample 1"),
    ("edge/s_mid", "device 1 sample 2; bad_line 1"),
    ("edge/s_missing_key", "device 1 sample 2; bad_line 1"),
    ("edge/s_missing_name", "device 1 sample 3"),
    ("edge/s_neg", "device 1 sample 2"),
    ("edge/s_nonl", "device 1 sample 2"),
    ("edge/s_null_value", "device 1 sample 2"),
    ("edge/s_othername", "device 1 sample 1"),
    ("edge/s_tmp", "; ; ignored 1"),
    ("edge/s_trunc_last", "device 1 sample 2; truncated 1"),
    ("edge/s_zero", "; empty_file 1"),
    // framework timelines; each profile also has two samples of one device
    ("edge/a_dupmode", "device 1 event 3 sample 2 step 3"),
    ("edge/a_nostep0", "device 1 event 2 sample 2 step 2"),
    ("edge/a_onestep", "device 1 event 1 sample 2 step 1"),
    ("edge/a_overlap", "device 1 event 3 sample 2 step 3"),
    ("edge/f_BE", "device 1 event 2 sample 2"),
    ("edge/f_BE_negative", "device 1 event 2 sample 2"),
    ("edge/f_BE_tid", "device 1 event 1 sample 2"),
    ("edge/f_C_i_phases", "device 1 event 1 sample 3; bad_line 1 empty_object 1"),
    ("edge/f_E_extra", "device 1 event 1 sample 2; end_without_begin 1"),
    ("edge/f_E_noname", "device 1 event 1 sample 2"),
    ("edge/f_E_noname_hvd", "device 1 event 1 sample 2"),
    ("edge/f_E_noname_smd", "device 1 event 1 sample 2"),
    ("edge/f_E_without_B", "device 1 event 1 sample 2; end_without_begin 1"),
    ("edge/f_after_last_file", "device 1 event 2 sample 2 step 2"),
    ("edge/f_args_names", "device 1 event 3 sample 2"),
    ("edge/f_badname_2parts", "device 1 event 1 sample 2 step 1; bad_name 1"),
    ("edge/f_before_first_sys", "device 1 event 2 sample 2 step 2"),
    ("edge/f_csv", "device 1 sample 2; ; ignored 1"),
    ("edge/f_dict_root", "device 1 event 1 sample 2 step 1"),
    ("edge/f_dup", "device 1 event 2 sample 2 step 2"),
    ("edge/f_float_ts", "device 1 event 1 sample 2"),
    ("edge/f_negdur_X", "device 1 event 1 sample 2"),
    ("edge/f_nodur", "device 1 event 1 sample 2; no_dur 1"),
    ("edge/f_step_notint", "device 1 event 1 sample 2; bad_value 1"),
    ("edge/f_trunc", "device 1 event 2 sample 2 step 2; truncated 1"),
    ("edge/f_unknown_pid", "device 1 event 1 sample 2"),
    ("edge/f_unknown_suffix", "device 1 event 1 sample 2 step 1"),
    ("edge/p_two", "device 1 event 2 sample 2 step 1"),
    // files that two readers of smdebug treat differently
    ("edge_s3/framework_empty", "device 1 sample 3; empty_file 1"),
    ("edge_s3/framework_no_close", "device 1 event 3 sample 3 step 3; truncated 1"),
    ("edge_s3/framework_ok", "device 1 event 3 sample 3 step 3"),
    ("edge_s3/framework_root_object", "device 1 event 3 sample 3 step 3"),
    ("edge_s3/system_bad_middle", "device 1 event 3 sample 3 step 3; bad_line 1"),
    ("edge_s3/system_blank_last", "device 1 event 3 sample 3 step 3"),
    ("edge_s3/system_empty", "event 3 step 3; empty_file 1"),
    ("edge_s3/system_garbage_last_nl", "device 1 event 3 sample 3 step 3; bad_line 1"),
    ("edge_s3/system_missing_name", "device 1 event 3 sample 4 step 3"),
    ("edge_s3/system_missing_type_last", "device 1 event 3 sample 3 step 3; bad_line 1"),
    ("edge_s3/system_no_nl", "device 1 event 3 sample 3 step 3"),
    ("edge_s3/system_ok", "device 1 event 3 sample 3 step 3"),
    ("edge_s3/system_trunc_last", "device 1 event 3 sample 3 step 3; truncated 1"),
];

fn outcome(decoded: &Decoded) -> String {
    let words = |counts: Vec<(String, usize)>| {
        let words = counts.into_iter().map(|(name, count)| format!("{name} {count}"));
        words.collect::<Vec<_>>().join(" ")
    };
    let tables = decoded.tables.keys().filter(|table| **table != "problem");
    let tables = tables.map(|table| ((*table).to_owned(), decoded.count(table))).collect();
    let files = [("error", decoded.errors.len()), ("ignored", decoded.ignored.len())];
    let files = files.iter().filter(|(_, count)| *count > 0);
    let files = files.map(|(name, count)| ((*name).to_owned(), *count)).collect();
    let parts = [words(tables), words(decoded.problems().into_iter().collect()), words(files)];
    parts.join("; ").trim_end_matches("; ").to_owned()
}

#[test]
fn every_edge_case_has_its_outcome() {
    let Some(shared) = shared("sagemaker_edge::every_edge_case_has_its_outcome") else { return };
    let data = shared.join("data/sagemaker");
    let mut folders = Vec::new();
    for part in ["edge", "edge_s3"] {
        for entry in fs::read_dir(data.join(part)).expect("the profiles can be listed").flatten() {
            if entry.path().is_dir() {
                folders.push(format!("{part}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    folders.sort();
    let mut expected: Vec<_> = EXPECTED.iter().map(|(name, _)| (*name).to_owned()).collect();
    expected.sort();
    assert_eq!(folders, expected);

    let mut wrong = Vec::new();
    for (profile, expected) in EXPECTED {
        let files = files(&data.join(profile));
        let whole = decode(&files, usize::MAX);
        let got = outcome(&whole);
        if got != *expected {
            wrong.push(format!("{profile}: {got:?}, expected {expected:?}"));
        }
        for chunk in [1, 7, 100] {
            assert_eq!(decode(&files, chunk), whole, "{profile} in chunks of {chunk}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Columns of `event`, row by row: name, ts relative to `base` in ns, dur, step, pid, tid, track, args.
fn events(decoded: &Decoded, base: i64) -> Vec<String> {
    let int = |column| {
        let ints = decoded.ints("event", column).into_iter();
        ints.map(|value| value.map_or("-".to_owned(), |value| value.to_string())).collect::<Vec<_>>()
    };
    let columns = [
        decoded.texts("event", "name"),
        decoded
            .ints("event", "ts")
            .into_iter()
            .map(|ts| ts.map_or("-".to_owned(), |ts| (ts - base).to_string()))
            .collect(),
        int("dur"),
        int("step"),
        int("pid"),
        int("tid"),
        decoded.texts("event", "track"),
        decoded.texts("event", "args"),
    ];
    let rows = 0..decoded.count("event");
    rows.map(|row| columns.iter().map(|column| column[row].as_str()).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn rows_of_edge_cases() {
    let Some(shared) = shared("sagemaker_edge::rows_of_edge_cases") else { return };
    let base = 1_600_000_200_000_000_000;
    for (profile, expected) in [
        // the inner pair comes first; the arguments of the E event are used
        ("f_BE", vec!["b 7000 2000 3 1 - Step:ModeKeys.TRAIN -", "a 5000 15000 - 1 - Step:ModeKeys.TRAIN -"]),
        ("f_BE_tid", vec![r#"a 5000 15000 - 1 5 Step:ModeKeys.TRAIN {"thread_name":"w"}"#]),
        (
            "f_BE_negative",
            vec!["a 50000 -41000 - 1 - Step:ModeKeys.TRAIN -", "x 60000 1000 - 1 - Step:ModeKeys.TRAIN -"],
        ),
        ("f_E_noname_smd", vec!["a 5000 15000 - 1 - Step:ModeKeys.TRAIN -"]),
        ("f_C_i_phases", vec![r#"i 6000 - - 1 - Step:ModeKeys.TRAIN {"s":"g"}"#]),
        (
            "f_args_names",
            vec![
                r#"a 5000 1000 4 44 33 Step:ModeKeys.TRAIN {"layer_name":"L","name":"N","bytes_fetched":7,"step_num":4.9}"#,
                r#"a 5000 1000 - 1 - Step:ModeKeys.TRAIN {"name":"N"}"#,
                "z 6000 1000 - 1 3 Step:ModeKeys.TRAIN -",
            ],
        ),
        ("f_float_ts", vec!["a 5250 1500 - 1 - Step:ModeKeys.TRAIN -"]),
        ("f_negdur_X", vec!["a 50000 -5000 - 1 - Step:ModeKeys.TRAIN -"]),
        ("f_nodur", vec!["a 5000 - - 1 - Step:ModeKeys.TRAIN -"]),
        ("f_step_notint", vec![r#"a 5000 1000 - 1 - Step:ModeKeys.TRAIN {"step_num":"x"}"#]),
        ("f_unknown_pid", vec![r#"a 5000 1000 - 1 - - {"phase":77}"#]),
        // the phases of one node do not apply to another
        (
            "p_two",
            vec!["Step:ModeKeys.TRAIN 100000 50000 0 9 - Step:ModeKeys.TRAIN -", r#"x 10000 1000 - 1 - - {"phase":1}"#],
        ),
    ] {
        let decoded = decode(&files(&shared.join("data/sagemaker/edge").join(profile)), usize::MAX);
        assert_eq!(events(&decoded, base), expected, "{profile}");
    }
    let decoded = decode(&files(&shared.join("data/sagemaker/edge/f_C_i_phases")), usize::MAX);
    let counter = decoded.texts("sample", "resource").iter().position(|r| r == "training").expect("a counter");
    assert_eq!(decoded.texts("sample", "metric")[counter], "c");
    assert_eq!(decoded.texts("sample", "raw_dimension")[counter], "v");
    assert_eq!(decoded.floats("sample", "value")[counter], Some(1.0));
    assert_eq!(decoded.ints("sample", "ts")[counter], Some(base + 5000));

    let decoded = decode(&files(&shared.join("data/sagemaker/edge/s_missing_key")), usize::MAX);
    assert_eq!(decoded.message("bad_line"), "line 2 (byte 111): no Dimension");
    let decoded = decode(&files(&shared.join("data/sagemaker/edge/s_null_value")), usize::MAX);
    assert_eq!(decoded.floats("sample", "value"), [Some(1.0), None]);
    let decoded = decode(&files(&shared.join("data/sagemaker/edge/f_step_notint")), usize::MAX);
    assert!(decoded.message("bad_value").ends_with("step_num is \"x\", expected a number"));
    let decoded = decode(&files(&shared.join("data/sagemaker/edge/p_two")), usize::MAX);
    assert_eq!(decoded.texts("event", "node"), ["algo-1", "algo-2"]);
    assert_eq!(decoded.ints("event", "rank"), [None, None]);
}

/// Reads a CSV file of the oracle: rows as maps from column to text. No field contains a comma or a quote.
fn oracle(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(path).expect("the oracle can be read");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), header.len(), "{line}");
            header.iter().zip(fields).map(|(k, v)| ((*k).to_owned(), v.to_owned())).collect()
        })
        .collect()
}

/// The first minute for which a profile has a file of system metrics, in us. The oracle's times start there.
fn first_minute(files: &[(String, Vec<u8>)]) -> i64 {
    let minutes = files.iter().filter(|(path, _)| path.starts_with("system/incremental/"));
    let minutes = minutes.filter_map(|(path, _)| path.rsplit('/').next()?.split('.').next()?.parse::<i64>().ok());
    minutes.min().expect("there are system metrics") * 1_000_000
}

/// Start and end in us since the first minute, as in the oracle.
fn span_us(decoded: &Decoded, table: &str, zero: i64) -> Vec<(i64, i64)> {
    let ts = decoded.ints(table, "ts").into_iter();
    let spans = ts.zip(decoded.ints(table, "dur"));
    spans
        .map(|(ts, dur)| {
            let (ts, dur) = (ts.expect("ts is known"), dur.expect("dur is known"));
            assert_eq!((ts % 1000, dur % 1000), (0, 0));
            (ts / 1000 - zero, (ts + dur) / 1000 - zero)
        })
        .collect()
}

/// Compares all framework events of a profile with those of smdebug, which is the oracle.
fn check_events(shared: &Path, profile: &str) -> Decoded {
    let files = files(&shared.join("data/sagemaker").join(profile));
    let decoded = decode(&files, 1 << 20);
    let zero = first_minute(&files);
    let steps = decoded.ints("event", "step").into_iter().map(|step| step.unwrap_or(-1));
    let mut ours: Vec<_> = span_us(&decoded, "event", zero)
        .into_iter()
        .zip(decoded.texts("event", "name"))
        .zip(decoded.texts("event", "track"))
        .zip(steps)
        .map(|((((start, end), name), track), step)| (start, end, name, track, step))
        .collect();
    let oracle_folder = shared.join("oracle/sagemaker").join(profile);
    let mut theirs: Vec<_> = oracle(&oracle_folder.join("get_all_framework_metrics.csv"))
        .iter()
        .map(|row| {
            let int = |key: &str| row[key].parse::<i64>().expect("an integer");
            let text = |key: &str| row[key].clone();
            (int("start_time_us"), int("end_time_us"), text("framework_metric"), text("process"), int("step"))
        })
        .collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
    check_steps(&decoded, zero, &theirs);
    check_samples(&decoded, zero, &oracle_folder);
    assert!(decoded.errors.is_empty() && decoded.skipped == 0);
    decoded
}

fn check_steps(decoded: &Decoded, zero: i64, theirs: &[(i64, i64, String, String, i64)]) {
    let mut ours: Vec<_> = span_us(decoded, "step", zero)
        .into_iter()
        .zip(decoded.texts("step", "mode"))
        .zip(decoded.ints("step", "step"))
        .map(|(((start, end), mode), step)| (start, end, mode.to_uppercase(), step.expect("a step number")))
        .collect();
    ours.sort();
    let marks = theirs.iter().filter_map(|(start, end, name, _, step)| {
        let mode = name.strip_prefix("Step:ModeKeys.")?;
        Some((*start, *end, mode.to_owned(), *step))
    });
    assert_eq!(ours, marks.collect::<Vec<_>>());
}

fn check_samples(decoded: &Decoded, zero: i64, oracle_folder: &Path) {
    let theirs = oracle(&oracle_folder.join("get_all_system_metrics.csv"));
    let mut theirs: Vec<_> = theirs
        .iter()
        .map(|row| {
            let micros = row["timestamp_us"].parse::<i64>().expect("an integer");
            let value = row["value"].parse::<f64>().expect("a number").to_bits();
            (micros, row["system_metric"].clone(), row["dimension"].clone(), value)
        })
        .collect();
    let ts = decoded.ints("sample", "ts").into_iter().map(|ts| ts.expect("ts is known") / 1000 - zero);
    let mut ours: Vec<_> = ts
        .zip(decoded.texts("sample", "raw_name"))
        .zip(decoded.texts("sample", "raw_dimension"))
        .zip(decoded.floats("sample", "value"))
        .map(|(((ts, name), dimension), value)| {
            let dimension = dimension.replace('-', "");
            (ts, name, dimension, value.expect("a value").to_bits())
        })
        .collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
}

#[test]
fn a_real_tensorflow_profile() {
    let Some(shared) = shared("sagemaker_edge::a_real_tensorflow_profile") else { return };
    let decoded = check_events(&shared, "real_tf2_plus_system");
    let counts = ["sample", "event", "step", "problem"].map(|table| decoded.count(table));
    assert_eq!(counts, [2380, 702, 40, 0]);
    let categories = decoded.texts("event", "category");
    assert_eq!(categories.iter().filter(|category| *category == "loader").count(), 662);
    assert!(decoded.texts("event", "node").iter().all(|node| node == "b88ab1bb8259"));
    // 905 is a process id, not a rank: ranks start at 0
    assert!(decoded.ints("event", "rank").iter().all(Option::is_none));
    assert!(decoded.ints("event", "pid").iter().all(|pid| *pid == Some(905)));
    assert_eq!(decoded.ints("step", "dur")[0], Some(9_020_725_000));
}

#[test]
fn a_generated_pytorch_profile() {
    let Some(shared) = shared("sagemaker_edge::a_generated_pytorch_profile") else { return };
    let decoded = check_events(&shared, "pt_small");
    let counts = ["sample", "event", "step", "device", "problem"].map(|table| decoded.count(table));
    assert_eq!(counts, [9334, 4656, 132, 27, 0]);
    assert!(decoded.ints("event", "rank").iter().all(|rank| *rank == Some(0)));

    let zero = first_minute(&files(&shared.join("data/sagemaker/pt_small")));
    let unknown = |values: Vec<Option<i64>>| values.into_iter().map(|value| value.unwrap_or(-1));
    let pins = decoded.flags("loader", "pin_memory").into_iter();
    let pins = pins.map(|pin| pin.map_or("NA", |pin| if pin { "True" } else { "False" }).to_owned());
    let mut ours: Vec<_> = span_us(&decoded, "loader", zero)
        .into_iter()
        .zip(unknown(decoded.ints("loader", "pid")))
        .zip(unknown(decoded.ints("loader", "worker")))
        .zip(unknown(decoded.ints("loader", "num_workers")))
        .zip(pins)
        .zip(decoded.texts("loader", "kind"))
        .map(|(((((span, pid), worker), workers), pin), kind)| (span, pid, worker, workers, pin, kind))
        .collect();
    let theirs = oracle(&shared.join("oracle/sagemaker/pt_small/get_all_dataloader_metrics.csv"));
    // without a filter smdebug lists every event; select those of loaders
    let mut theirs: Vec<_> = theirs
        .iter()
        .filter_map(|row| {
            let kind = match row["process"].as_str() {
                "DataLoaderIterInitialize" => "init",
                "DataLoaderIter" => "next",
                "DataLoaderWorker" => "worker",
                _ => return None,
            };
            let int = |key: &str| row[key].parse::<i64>().expect("an integer");
            let span = (int("start_time_us"), int("end_time_us"));
            let pin = row["pin_memory"].clone();
            Some((span, int("pid"), int("worker_id"), int("num_workers"), pin, kind.to_owned()))
        })
        .collect();
    ours.sort();
    theirs.sort();
    assert!(!theirs.is_empty());
    assert_eq!(ours, theirs);
    let attributes = decoded.texts("run_attribute", "key");
    assert!(attributes.contains(&"num_workers".to_owned()) && attributes.contains(&"pin_memory".to_owned()));
}
