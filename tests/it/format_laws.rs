//! Properties of every decoder, checked on random inputs: any chunking gives the same rows; any truncation
//! gives the rows so far and a problem; nothing panics; every entry is accounted for.

use arrow::array::RecordBatch;
use arrow::compute::{sort_to_indices, take_record_batch};
use proptest::prelude::*;

use crate::decode::{Decoded, InputFile, decode};

const TIMELINE: &str = "framework/pevents/2020091312/1600000250000000_0-algo-1_pythontimeline.json";
const KINETO: &str = "worker0.1795225480952904378.pt.trace.json";
const RECORDING: &str = "main-0-7.jsonl";
const METRICS: &str = "system/incremental/2020091312/1600000200.algo-1.json";

const DUMP: &str = "0-algo-1/train-0-stepstart-1600000202000000.0_train-0-stepend-1600000203000000.0/python_stats";
const TREE: &str = "0-algo-1/train-0-stepstart-1600000202000000.0_train-0-stepend-1600000203000000.0/python_stats.json";

const REPORT: &str = "fit-perf_logs-0.txt";
const RULE_REPORT: &str = "rule-output/ProfilerReport-1/profiler-output/profiler-reports/StepOutlier.json";

/// A file of a Python profiler below the golden profile.
fn python_profile(path: &str) -> Vec<u8> {
    let profiler = if path == TREE { "pyinstrument" } else { "cprofile" };
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/golden/job-p/framework/tensorflow");
    std::fs::read(format!("{root}/{profiler}/{path}")).unwrap()
}

/// A line of a timeline without its comma, usual or unusual.
fn event() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["Step:ModeKeys.TRAIN", "Größe", "a\\\"b", "{[", "DataLoaderIter::GetNext"]);
    let number = prop_oneof![
        (-1000_i64..100_000).prop_map(|n| n.to_string()),
        Just("5.25".to_owned()),
        Just("1e3".to_owned()),
        Just("\"7\"".to_owned()),
        Just("\"fast\"".to_owned()),
        Just("99999999999999999999".to_owned()),
        Just("NaN".to_owned()),
    ];
    let args = prop::sample::select(vec![
        "{}",
        "null",
        "3",
        "{\"pid\": 9, \"step_num\": \"0\"}",
        "{\"step_num\": \"x\", \"thread_id\": 4, \"worker_id\": 1}",
        "{\"environment\": {\"A\": \"1\"}, \"tid\": 2}",
    ]);
    let phase = prop::sample::select(vec!["X", "X", "X", "B", "E", "i", "C", "M", "Q"]);
    (name, phase, number.clone(), number, 0..4, 0..3, args).prop_map(
        |(name, phase, ts, dur, pid, tid, args)| {
            format!(
                "{{\"name\": \"{name}\", \"ph\": \"{phase}\", \"pid\": {pid}, \"tid\": {tid}, \"ts\": {ts}, \"dur\": {dur}, \"args\": {args}}}"
            )
        },
    )
}

/// A line that is not an event, or that breaks the structure.
fn odd_line() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "{}",
        "{\"noph\": 1}",
        "1",
        "{\"name\": \"cut",
        "{\"name\": \"cut\", \"args\":",
        "{\"name\": \"cut\", \"ts\": 1",
        "{\"name\": \"tab\there\", \"ph\": \"X\", \"ts\": 1, \"dur\": 1}",
        "",
        "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"Forward\"}}",
        "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 1, \"args\": {\"name\": \"w\"}}",
        "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 0, \"args\": {\"start_time_since_epoch_in_micros\": 1600000200000000}}",
    ])
    .prop_map(str::to_owned)
}

fn timeline() -> impl Strategy<Value = String> {
    let line = prop_oneof![4 => event(), 1 => odd_line()];
    (prop::collection::vec(line, 0..20), any::<bool>()).prop_map(|(lines, object)| {
        if object {
            format!("{{\"unit\": [1], \"traceEvents\": [\n{}]}}", lines.join(", "))
        } else {
            format!("[\n{}\n]\n", lines.join(",\n"))
        }
    })
}

fn metrics() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec!["1", "-19.61", "null", "NaN", "\"2\"", "true", "1e400"]);
    let time = prop::sample::select(vec!["1600000200.5", "1600000201", "\"x\"", "1e300"]);
    let name = prop::sample::select(vec!["\"cpu0\"", "\"cpu1\"", "null", "\"Größe\""]);
    let good = (value, time, name).prop_map(|(value, time, name)| {
        format!(
            "{{\"Type\":\"cpu\",\"Name\":{name},\"Dimension\":\"CPUUtilization\",\"Value\":{value},\"NodeId\":\"algo-1\",\"Timestamp\":{time}}}"
        )
    });
    let odd = prop::sample::select(vec!["", "xx", "{}", "{\"Type\":\"cpu\",\"Na", "[]"]).prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![3 => good, 1 => odd], 0..20).prop_map(|lines| lines.join("\n"))
}

/// An event of the PyTorch profiler or of another writer.
fn kineto_event() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "ProfilerStep#3",
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
        "[memory]",
        "aten::add",
        "Größe",
        "a\\\"b",
        "x\u{1}\ny",
        "say \"hi\" now",
        "C:\\Users",
        "{[",
    ]);
    let cat =
        prop::sample::select(vec!["cpu_op", "user_annotation", "kernel", "Kernel", "ac2g", "python_function", "x"]);
    let number = prop::sample::select(vec!["1", "5.25", "-3", "1e3", "1712195495519689.047", "\"7\"", "NaN", "\"x\""]);
    let id = prop::sample::select(vec!["0", "7", "\"7\"", "\"stream 7 \"", "\"Spans\"", "\"\"", "-1", "null"]);
    let args = prop::sample::select(vec![
        "{}",
        "null",
        "{\"External id\": 5, \"grid\": [1,\n 2], \"stream\": 7, \"device\": 0, \"correlation\": 4}",
        "{\"Bytes\": -4, \"Device Type\": 1, \"Device Id\": 0, \"Addr\": 10159970886766084423}",
        "{\"stream\": \"0x0\", \"env\": {\"A\": \"1\"}, \"name\": \"n\"}",
    ]);
    let phase = prop::sample::select(vec!["X", "X", "X", "X", "i", "s", "f", "B", "E", "b", "e", "C", "M", "Q"]);
    (name, cat, phase, number.clone(), number, id.clone(), id, args).prop_map(|(name, cat, ph, ts, dur, pid, tid, args)| {
        format!(
            "  {{\n \"ph\": \"{ph}\", \"cat\": \"{cat}\", \"name\": \"{name}\", \"pid\": {pid}, \"tid\": {tid},\n \"id\": {tid}, \"ts\": {ts}, \"dur\": {dur}\n ,\n \"args\": {args}\n }}"
        )
    })
}

/// A trace with its base time before the events, so that its end does not change them.
pub(crate) fn kineto() -> impl Strategy<Value = String> {
    let line = prop_oneof![6 => kineto_event(), 1 => odd_line()];
    let last =
        prop::sample::select(vec!["", ", \"traceName\": \"C:\\x\"", ", \"a\": [1, \"t\nu\"], \"env\": {\"B\": 1}"]);
    (prop::collection::vec(line, 0..20), last).prop_map(|(lines, last)| {
        format!(
            "{{\"schemaVersion\": 1, \"distributedInfo\": {{\"rank\": 1}}, \"baseTimeNanoseconds\": 1790857026000000000,\n \"traceEvents\": [\n{}\n ]{last} }}",
            lines.join(",\n")
        )
    })
}

/// A report of a rule: members in any order, some missing, duplicate or malformed.
fn rule_report() -> impl Strategy<Value = String> {
    let member = prop::sample::select(vec![
        "\"RuleTriggered\": 2",
        "\"RuleTriggered\": true",
        "\"Violations\": 15692",
        "\"Violations\": \"many\"",
        "\"Violations\": 99999999999999999999",
        "\"Datapoints\": 28766",
        "\"Datapoints\": null",
        "\"RuleParameters\": \"threshold:3\\nmode:None\\nn_outliers:10\\nodd\\nGröße:{\\\"\"",
        "\"RuleParameters\": {\"a\": 1}",
        "\"Details\": {\"algo-1\": {\"p95\": 3.5, \"steps\": [1, 2, {}]}}",
        "\"Details\": {\"p95\": NaN, \"key\": \"AKIAIOSFODNN7EXAMPLE\"}",
        "\"Details\": null",
        "\"Other\": [[[\"{\"]]]",
    ]);
    prop::collection::vec(member, 0..7).prop_map(|members| format!("{{{}}}\n", members.join(",\n ")))
}

/// A recording: its first line, then random ones.
fn recording() -> impl Strategy<Value = String> {
    let number = prop::sample::select(vec!["1", "-5", "null", "1.5", "\"x\"", "99999999999999999999", "NaN"]);
    let kind = prop::sample::select(vec!["next", "item", "loader", "step", "phase", "sample", "incident", "end", "x"]);
    let name = prop::sample::select(vec!["train", "Größe", "a\\\"b", "C:\\Users"]);
    let good = (kind, number.clone(), number, name).prop_map(|(kind, ts, dur, name)| {
        format!(
            "{{\"kind\":\"{kind}\",\"ts\":{ts},\"dur\":{dur},\"name\":\"{name}\",\"loader\":\"{name}\",\"what\":\"{name}\",\"num_workers\":2}}"
        )
    });
    let odd = prop::sample::select(vec!["", "xx", "{}", "{\"kind\":\"ne", "[]", RECORDER]).prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![4 => good, 1 => odd], 0..20)
        .prop_map(|lines| format!("{RECORDER}\n{}\n", lines.join("\n")))
}

const RECORDER: &str =
    "{\"recorder\":\"tracelake\",\"version\":1,\"host\":\"n\",\"rank\":0,\"pid\":7,\"attributes\":{\"a\":1}}";

/// The name and the text of a data loader file: metrics, or timings in each text format.
fn loader_file() -> impl Strategy<Value = (&'static str, String)> {
    let number = prop::sample::select(vec!["0.125", "0.375", "9.5e-7", "0", "NaN", "-1.5", "null", "\"0.5\"", "", "x"]);
    let rows = prop::collection::vec((number.clone(), number.clone(), 0..3), 0..12);
    (rows, number, 0..4).prop_map(|(rows, total, shape)| {
        let objects: Vec<String> =
            rows.iter().map(|(a, b, n)| format!("{{\"load_s\": {a}, \"step\": {n}, \"compute_s\": {b}}}")).collect();
        let times: Vec<&str> = rows.iter().map(|(time, ..)| *time).collect();
        let first = r#"{"load_s": 1, "step": 9, "epoch": 0}"#;
        match shape {
            0 => {
                let lines = rows.iter().map(|(a, b, n)| format!("{n},{a},{b},0.123456789\n"));
                ("t.csv", format!("step,load_s,compute_s,other\n{}", lines.collect::<String>()))
            }
            // The first row has a step: a row without one depends on whether later rows have one.
            1 => ("t.json", format!("[{first}, {}, {{\"load_s\": 1}}]", objects.join(",\n"))),
            2 => ("t.jsonl", format!("{first}\n{}\n{{\"load_s\": 1}}\n", objects.join("\n"))),
            _ => {
                let times = times.join(",\n    ");
                let totals = format!("\"total_batches\": {}, \"total_time\": {total}", rows.len());
                (
                    "m.json",
                    format!("{{\"mode\": \"log\", {totals}, \"batch_times\": [{times}], \"cache_ready\": false}}"),
                )
            }
        }
    })
}

/// Several reports of Lightning in one text, well-formed and malformed.
fn reports() -> impl Strategy<Value = String> {
    let header = "|  Action \t|  Mean duration (s)\t|  Num calls \t|  Total time (s) \t|  Percentage % \t|\n";
    let rule = "-----------------------------------------\n";
    let name = prop::sample::select(vec!["a", "run_training_epoch", "x|y", "Größe\t", "Total", "-----"]);
    let number = prop::sample::select(vec!["0.5", "6.4e-05", "1e+04", "nan", "0,5", "-"]);
    let row = (name.clone(), number, 0..9)
        .prop_map(|(name, number, calls)| format!("|  {name}  \t|  {number} \t|  {calls} \t|  1.0 \t|  5.0 \t|\n"));
    let table = prop::collection::vec(row, 0..6).prop_map(move |rows| {
        format!("\n{rule}{header}{rule}|  Total \t|  - \t|  9 \t|  1.0 \t|  100 % \t|\n{rule}{}{rule}", rows.concat())
    });
    let function = prop::sample::select(vec![
        "        1    0.000    0.000    0.000    0.000 contextlib.py:141(__exit__)\n",
        "   120/24    0.000    0.000    0.335    0.014 {built-in method builtins.next}\n",
        "        0    0.000             0.000          größe.py:1(<lambda>)\n",
        "        x    0.000    0.000    0.000    0.000 f\n",
    ]);
    let reduced = prop::sample::select(vec!["", "   List reduced from 57 to 2 due to restriction <2>\n"]);
    let rank = prop::sample::select(vec!["", " rank: 1"]);
    let block = (name, rank, reduced, prop::collection::vec(function, 0..4)).prop_map(|(name, rank, reduced, functions)| {
        let title = if functions.is_empty() { "" } else { "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n" };
        format!(
            "Profile stats for: {name}{rank}\n         121 function calls (25 primitive calls) in 0.335 seconds\n\n   Ordered by: cumulative time\n{reduced}\n{title}{}\n\n\n",
            functions.concat()
        )
    });
    let odd = prop::sample::select(vec!["", "\n", "log line\n", "Profile stats for: records\n---- ----\nName CPU\n"])
        .prop_map(str::to_owned);
    let part = prop_oneof![3 => table, 3 => block, 1 => odd];
    let stage = prop::sample::select(vec!["FIT Profiler Report\n", "Profiler Report\n", "TEST Profiler Report\r\n"]);
    let report = (stage, part).prop_map(|(stage, part)| format!("{stage}{part}"));
    prop::collection::vec(report, 1..5).prop_map(|reports| reports.concat())
}

fn file(path: &str, bytes: &[u8]) -> [InputFile; 1] {
    [(path.to_owned(), bytes.to_vec())]
}

/// Checks that the rows do not depend on where the bytes were split.
fn check_chunking(path: &str, bytes: &[u8], chunk: usize) -> Result<(), TestCaseError> {
    let files = file(path, bytes);
    prop_assert_eq!(decode(&files, chunk), decode(&files, usize::MAX));
    Ok(())
}

/// Positions and new bytes: at least `min_changes`, at most four.
fn changes(min_changes: usize) -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), min_changes..5)
}

fn apply_changes(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    for (position, byte) in changes {
        let position = position.index(bytes.len());
        bytes[position] = *byte;
    }
    bytes
}

/// Whether the rows of `part`, except for the last `extra`, are the first rows of `whole`. Steps are written in the order of
/// their times, and have a mode if training work comes later in the file: they are compared in the order of the file,
/// without the mode.
fn is_prefix(part: &Decoded, whole: &Decoded, table: &str, extra: usize) -> bool {
    let in_file_order = |batch: &RecordBatch| {
        let order = sort_to_indices(batch.column_by_name("row").unwrap(), None, None).unwrap();
        let mut sorted = take_record_batch(batch, &order).unwrap();
        sorted.remove_column(batch.schema().index_of("mode").unwrap());
        sorted
    };
    let rows = part.count(table).checked_sub(extra);
    let first = |decoded: &Decoded, rows| {
        let batch = decoded.tables.get(table)?;
        Some(if table == "step" { in_file_order(batch).slice(0, rows) } else { batch.slice(0, rows) })
    };
    rows.is_some_and(|rows| rows == 0 || (rows <= whole.count(table) && first(part, rows) == first(whole, rows)))
}

/// Counts the elements of the event list: all but empty ones, metadata, counters. `None` if the text is not valid JSON.
fn count_elements(text: &str) -> Option<(usize, usize, usize)> {
    let root: serde_json::Value = serde_json::from_str(text).ok()?;
    let list = root.get("traceEvents").unwrap_or(&root).as_array()?;
    let count = |phase: &str| list.iter().filter(|e| e.get("ph").and_then(|p| p.as_str()) == Some(phase)).count();
    let real = list.iter().filter(|e| e.as_object().is_none_or(|o| !o.is_empty())).count();
    Some((real, count("M"), count("C")))
}

proptest! {
    #[test]
    fn any_chunking_of_a_timeline(text in timeline(), chunk in 1_usize..200) {
        check_chunking(TIMELINE, text.as_bytes(), chunk)?;
    }

    #[test]
    fn any_chunking_of_a_kineto_trace(text in kineto(), chunk in 1_usize..400) {
        check_chunking(KINETO, text.as_bytes(), chunk)?;
    }

    #[test]
    fn any_truncation_of_a_kineto_trace(text in kineto(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(text.len());
        let whole = decode(&file(KINETO, text.as_bytes()), usize::MAX);
        let part = decode(&file(KINETO, &text.as_bytes()[..cut]), usize::MAX);
        let started = String::from_utf8_lossy(&text.as_bytes()[..cut]).contains("\"traceEvents\": [");
        let unclosed = part.problems().get("unclosed").copied().unwrap_or(0);
        prop_assert!(!started || is_prefix(&part, &whole, "event", unclosed));
        for table in ["sample", "allocation", "step", "loader"] {
            // pairs of B and E may also be steps, loaders or allocations
            let extra = if table == "sample" { 0 } else { unclosed.min(part.count(table)) };
            prop_assert!((0..=extra).any(|extra| is_prefix(&part, &whole, table, extra)), "{}", table);
        }
        prop_assert!(!part.problems().is_empty() || !part.errors.is_empty());
    }

    #[test]
    fn bytes_changed_in_a_kineto_trace(
        text in kineto(),
        changes in changes(1),
        chunk in 1_usize..400,
    ) {
        check_chunking(KINETO, &apply_changes(text.into_bytes(), &changes), chunk)?;
    }

    #[test]
    fn any_chunking_of_metrics(text in metrics(), chunk in 1_usize..200) {
        check_chunking(METRICS, text.as_bytes(), chunk)?;
    }

    #[test]
    fn any_truncation_of_a_timeline(text in timeline(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(text.len());
        let whole = decode(&file(TIMELINE, text.as_bytes()), usize::MAX);
        let part = decode(&file(TIMELINE, &text.as_bytes()[..cut]), usize::MAX);
        let unclosed = part.problems().get("unclosed").copied().unwrap_or(0);
        prop_assert!(is_prefix(&part, &whole, "event", unclosed));
        prop_assert!(is_prefix(&part, &whole, "sample", 0));
        let reported = !part.problems().is_empty() || !part.errors.is_empty();
        // only blanks follow the closing bracket
        let closing = if text.starts_with('{') { b'}' } else { b']' };
        let closed = text.as_bytes()[..cut].trim_ascii_end().last() == Some(&closing);
        prop_assert!(reported || closed);
    }

    #[test]
    fn any_truncation_of_metrics(text in metrics(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(text.len() + 1);
        let whole = decode(&file(METRICS, text.as_bytes()), usize::MAX);
        let part = decode(&file(METRICS, &text.as_bytes()[..cut]), usize::MAX);
        prop_assert!(is_prefix(&part, &whole, "sample", 0));
        let last = text.as_bytes()[..cut].rsplit(|byte| *byte == b'\n').next().unwrap();
        let problems = part.problems();
        if !last.trim_ascii().is_empty() && !last.ends_with(b"}") && last.starts_with(b"{") {
            prop_assert!(problems.contains_key("truncated"));
        }
    }

    #[test]
    fn any_chunking_of_reports(text in reports(), chunk in 1_usize..200) {
        check_chunking(REPORT, text.as_bytes(), chunk)?;
    }

    #[test]
    fn any_truncation_of_reports(text in reports(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(text.len());
        let whole = decode(&file(REPORT, text.as_bytes()), usize::MAX);
        let part = decode(&file(REPORT, &text.as_bytes()[..cut]), usize::MAX);
        // a block without a list does not say what it was reduced from
        let unlisted = part.problems().get("unlisted").copied().unwrap_or(0).min(1);
        prop_assert!((0..=unlisted).any(|extra| is_prefix(&part, &whole, "action", extra)));
        prop_assert!(is_prefix(&part, &whole, "function", 0));
        // a truncated line may look complete, and so may a rule or a blank line: then no truncation is reported
        let last = text.as_bytes()[..cut].rsplit(|byte| *byte == b'\n').next().unwrap();
        let rest = text.as_bytes()[cut..].split(|byte| *byte == b'\n').next().unwrap();
        let inside = last.trim_ascii().len() > 2 && !rest.trim_ascii().is_empty() && last.iter().any(|byte| *byte != b'-');
        prop_assert!(!inside || part.read.is_empty() || !part.problems().is_empty());
    }

    #[test]
    fn bytes_changed_in_reports(
        text in reports(),
        changes in changes(1),
        chunk in 1_usize..200,
    ) {
        check_chunking(REPORT, &apply_changes(text.into_bytes(), &changes), chunk)?;
    }

    #[test]
    fn any_truncation_of_a_dump(cut in any::<prop::sample::Index>(), chunk in 1_usize..40) {
        let bytes = python_profile(DUMP);
        let cut = cut.index(bytes.len());
        let whole = decode(&file(DUMP, &bytes), usize::MAX);
        let part = decode(&file(DUMP, &bytes[..cut]), chunk);
        prop_assert!(is_prefix(&part, &whole, "function", 0));
        prop_assert!(is_prefix(&part, &whole, "call", 0));
        prop_assert_eq!(part.problems().len(), 1);
    }

    #[test]
    fn any_truncation_of_a_tree(cut in any::<prop::sample::Index>()) {
        let bytes = python_profile(TREE);
        let cut = cut.index(bytes.len());
        let whole = decode(&file(TREE, &bytes), usize::MAX);
        let part = decode(&file(TREE, &bytes[..cut]), usize::MAX);
        prop_assert!(part.count("function") <= whole.count("function"));
        prop_assert!(!part.problems().is_empty() || !part.errors.is_empty());
    }

    #[test]
    fn bytes_changed_in_a_python_profile(
        tree in any::<bool>(),
        changes in changes(0),
        chunk in 1_usize..200,
    ) {
        let path = if tree { TREE } else { DUMP };
        check_chunking(path, &apply_changes(python_profile(path), &changes), chunk)?;
    }

    #[test]
    fn any_chunking_of_a_loader_file((name, text) in loader_file(), chunk in 1_usize..100) {
        check_chunking(name, text.as_bytes(), chunk)?;
    }

    #[test]
    fn any_truncation_of_a_loader_file((name, text) in loader_file(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(text.len());
        let whole = decode(&file(name, text.as_bytes()), usize::MAX);
        let part = decode(&file(name, &text.as_bytes()[..cut]), usize::MAX);
        // truncated metrics have a row for their pass, too
        let extra = usize::from(name == "m.json").min(part.count("loader"));
        prop_assert!(is_prefix(&part, &whole, "loader", extra));
        // a prefix of complete lines is a complete file
        let closed = !name.ends_with(".json") || part.read.is_empty();
        prop_assert!(closed || !part.problems().is_empty() || !part.errors.is_empty());
    }

    #[test]
    fn bytes_changed_in_a_loader_file(
        (name, text) in loader_file(),
        changes in changes(1),
        chunk in 1_usize..100,
    ) {
        check_chunking(name, &apply_changes(text.into_bytes(), &changes), chunk)?;
    }

    #[test]
    fn any_chunking_of_a_rule_report(text in rule_report(), chunk in 1_usize..60) {
        check_chunking(RULE_REPORT, text.as_bytes(), chunk)?;
    }

    #[test]
    fn any_truncation_of_a_rule_report(text in rule_report(), cut in any::<prop::sample::Index>(), chunk in 1_usize..60) {
        // Without its last line feed and brace.
        let cut = cut.index(text.len() - 1);
        let part = decode(&file(RULE_REPORT, &text.as_bytes()[..cut]), chunk);
        prop_assert!(part.count("rule_report") <= 1);
        prop_assert!(!part.problems().is_empty() || !part.errors.is_empty());
        // Each value in a row was complete in the text.
        let prefix = String::from_utf8_lossy(&text.as_bytes()[..cut]).into_owned();
        for (name, column) in [("RuleTriggered", "times_triggered"), ("Violations", "violations"), ("Datapoints", "datapoints")] {
            for value in part.ints("rule_report", column).into_iter().flatten() {
                let words = [format!("\"{name}\": {value},"), format!("\"{name}\": true,")];
                prop_assert!(words.iter().any(|words| prefix.contains(words)), "{} is {}", name, value);
            }
        }
    }

    #[test]
    fn bytes_changed_in_a_rule_report(
        text in rule_report(),
        changes in changes(1),
        chunk in 1_usize..60,
    ) {
        check_chunking(RULE_REPORT, &apply_changes(text.into_bytes(), &changes), chunk)?;
    }

    #[test]
    fn any_chunking_of_a_recording(text in recording(), chunk in 1_usize..200) {
        check_chunking(RECORDING, text.as_bytes(), chunk)?;
    }

    #[test]
    fn any_truncation_of_a_recording(text in recording(), cut in any::<prop::sample::Index>()) {
        let cut = RECORDER.len() + cut.index(text.len() - RECORDER.len());
        let whole = decode(&file(RECORDING, text.as_bytes()), usize::MAX);
        let part = decode(&file(RECORDING, &text.as_bytes()[..cut]), usize::MAX);
        for table in ["loader", "step", "event", "sample", "incident", "run_attribute"] {
            prop_assert!(is_prefix(&part, &whole, table, 0), "{}", table);
        }
        let last = text.as_bytes()[..cut].rsplit(|byte| *byte == b'\n').next().unwrap();
        let ended = String::from_utf8_lossy(&text.as_bytes()[..cut]).contains("\"end\"");
        prop_assert!(ended || part.problems().contains_key("no_end"));
        let whole_line = last.is_empty() || last.ends_with(b"}");
        prop_assert!(whole_line || !part.problems().is_empty());
    }

    #[test]
    fn bytes_changed_in_a_recording(
        text in recording(),
        changes in changes(1),
        chunk in 1_usize..200,
    ) {
        check_chunking(RECORDING, &apply_changes(text.into_bytes(), &changes), chunk)?;
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300), chunk in 1_usize..50) {
        for path in [TIMELINE, METRICS, KINETO, DUMP, TREE, REPORT, RULE_REPORT, "t.csv", "m.json"] {
            check_chunking(path, &bytes, chunk)?;
        }
    }

    #[test]
    fn bytes_changed_in_a_timeline(
        text in timeline(),
        changes in changes(1),
        chunk in 1_usize..200,
    ) {
        check_chunking(TIMELINE, &apply_changes(text.into_bytes(), &changes), chunk)?;
    }

    /// Elements = rows of event + E of pairs + counters with samples + metadata + skipped.
    #[test]
    fn every_event_is_accounted_for(lines in prop::collection::vec(event(), 0..20)) {
        let lines: Vec<_> = lines.into_iter().filter(|line| !line.contains("NaN")).collect();
        let text = format!("[\n{}\n]\n", lines.join(",\n"));
        let Some((elements, metadata, _)) = count_elements(&text) else { return Err(TestCaseError::fail(text)) };
        let decoded = decode(&file(TIMELINE, text.as_bytes()), usize::MAX);
        let unclosed = decoded.problems().get("unclosed").copied().unwrap_or(0);
        let begins = lines.iter().filter(|line| line.contains("\"ph\": \"B\"")).count();
        let pairs = begins - unclosed;
        let events = decoded.count("event");
        // a counter becomes one sample for each number in its arguments
        let counters = decoded.ints("sample", "ts").len();
        let skipped = usize::try_from(decoded.skipped).unwrap();
        let rows_of_counters = lines
            .iter()
            .filter(|line| line.contains("\"ph\": \"C\""))
            .map(|line| count_numbers(line))
            .filter(|numbers| *numbers > 0);
        let (good_counters, samples) = rows_of_counters.fold((0, 0), |(n, sum), k| (n + 1, sum + k));
        prop_assert_eq!(counters, samples);
        prop_assert_eq!(elements, events + pairs + good_counters + metadata + skipped);
    }
}

/// Counts the numbers in the arguments of an event.
fn count_numbers(line: &str) -> usize {
    let event: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    let Some(args) = event.get("args").and_then(|args| args.as_object()) else { return 0 };
    let is_number =
        |v: &&serde_json::Value| v.is_number() || v.as_str().is_some_and(|text| text.parse::<f64>().is_ok());
    args.values().filter(is_number).count()
}
