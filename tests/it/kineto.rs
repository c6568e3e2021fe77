//! Traces of the PyTorch profiler: shared traces compared with exact numbers, and generated ones, intact and
//! corrupt, compared with the truth files of their generator.

#![expect(clippy::disallowed_methods, clippy::expect_used, reason = "a test reads its own input and may fail loudly")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::decode::{Decoded, InputFile, decode, files, shared};

const CHUNK: usize = 1 << 20;

/// Converts us with up to three decimals to ns.
fn ns(us: &Value) -> i64 {
    let text = format!("{:.3}", us.as_f64().expect("a number"));
    text.replace('.', "").parse().expect("an integer")
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the file can be read")).expect("it is JSON")
}

/// One file, decompressed.
fn read_one(path: &Path) -> Vec<InputFile> {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let folder = path.parent().expect("a folder");
    files(folder).into_iter().filter(|(path, _)| *path == name).collect()
}

/// Count and total duration of the complete events, by the category that the profiler wrote.
fn by_raw_category(decoded: &Decoded) -> BTreeMap<String, (i64, i64)> {
    let mut sums: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    let categories = decoded.texts("event", "raw_category").into_iter();
    for (category, dur) in categories.zip(decoded.ints("event", "dur")) {
        if let Some(dur) = dur {
            let sum = sums.entry(category).or_default();
            *sum = (sum.0 + 1, sum.1 + dur);
        }
    }
    sums
}

/// The length of the union of intervals.
fn union(mut intervals: Vec<(i64, i64)>) -> i64 {
    intervals.sort_unstable();
    let (mut length, mut end) = (0, i64::MIN);
    for (start, stop) in intervals {
        length += (stop - start.max(end)).max(0);
        end = end.max(stop);
    }
    length
}

/// Start and end of the events that `keep` selects by category and name.
fn intervals(decoded: &Decoded, keep: impl Fn(&str, &str) -> bool) -> Vec<(i64, i64)> {
    let (categories, names) = (decoded.texts("event", "category"), decoded.texts("event", "name"));
    let times = decoded.ints("event", "ts").into_iter().zip(decoded.ints("event", "dur"));
    let interval = |(row, (ts, dur)): (usize, (Option<i64>, Option<i64>))| {
        let (ts, dur) = (ts?, dur?);
        keep(&categories[row], &names[row]).then_some((ts, ts + dur))
    };
    times.enumerate().filter_map(interval).collect()
}

fn is_copy(category: &str) -> bool {
    category == "memcpy" || category == "memset"
}

fn is_comm(name: &str) -> bool {
    name.to_lowercase().contains("nccl")
}

#[test]
fn every_event_of_the_shared_traces_is_decoded() {
    let Some(root) = shared("every_event_of_the_shared_traces_is_decoded") else { return };
    let exact = read_json(&root.join("oracle/kineto/exact_all_events.json"));
    for (name, exact) in exact.as_object().expect("an object") {
        let file = exact["file"].as_str().expect("a path");
        let decoded = decode(&read_one(&root.join(file)), CHUNK);
        assert!(decoded.errors.is_empty() && decoded.skipped == 0, "{name}: {:?}", decoded.problems());
        assert_eq!(decoded.read[0].0, "kineto", "{name}");

        let sums = by_raw_category(&decoded);
        let counts: BTreeMap<String, i64> = sums.iter().map(|(category, (n, _))| (category.clone(), *n)).collect();
        let expected = exact["by_category"].as_object().expect("an object");
        let expected: BTreeMap<String, i64> =
            expected.iter().map(|(category, n)| (category.clone(), n.as_i64().expect("a count"))).collect();
        assert_eq!(counts, expected, "{name}");

        let kernels = intervals(&decoded, |category, _| category == "kernel");
        assert_eq!(kernels.len() as u64, exact["kernels"].as_u64().expect("a count"), "{name}");
        assert_eq!(kernels.iter().map(|(start, end)| end - start).sum::<i64>(), ns(&exact["kernel_sum_us"]), "{name}");
        let check_union =
            |what: &str, spans: Vec<(i64, i64)>| assert_eq!(union(spans), ns(&exact[what]), "{name}: {what}");
        check_union("kernel_union_us", kernels);
        check_union("compute_union_us", intervals(&decoded, |category, name| category == "kernel" && !is_comm(name)));
        check_union("comm_union_us", intervals(&decoded, |category, name| category == "kernel" && is_comm(name)));
        check_union("copy_union_us", intervals(&decoded, |category, _| is_copy(category)));
        check_union("gpu_busy_us", intervals(&decoded, |category, _| category == "kernel" || is_copy(category)));

        let overlaps = exact["partial_overlaps"].as_object().expect("an object");
        let overlaps: u64 = overlaps.values().map(|n| n.as_u64().expect("a count")).sum();
        let reported = decoded.problems().get("partial_overlap").copied().unwrap_or(0);
        assert_eq!(reported as u64, overlaps, "{name}");

        let loader: i64 = decoded.ints("loader", "dur").into_iter().flatten().sum();
        assert_eq!(decoded.count("loader") as u64, exact["dataloader_calls"].as_u64().expect("a count"), "{name}");
        assert_eq!(loader, ns(&exact["dataloader_sum_us"]), "{name}");

        let mut steps: Vec<_> = decoded.ints("step", "step").into_iter().zip(decoded.ints("step", "dur")).collect();
        steps.sort_unstable();
        let expected = exact["steps"].as_array().expect("a list");
        let expected: Vec<_> = expected.iter().map(|step| (step["step"].as_i64(), Some(ns(&step["dur_us"])))).collect();
        assert_eq!(steps, expected, "{name}");
        assert!(decoded.ints("event", "ts").iter().all(Option::is_some), "{name}: all times are known");
    }
}

/// The rows have the rank of each trace.
#[test]
fn ranks_match_the_traces() {
    let Some(root) = shared("ranks_match_the_traces") else { return };
    for (path, rank) in [
        ("hta/trace_filter/sampled_rank-1.json.gz", Some(1)),
        ("hta/trace_diff/control/control.json.gz", Some(3)),
        ("hta/rank_unavailable/rank_not_found.json.gz", None),
        ("hta/distributed_info_unavailable/distributed_info_not_found.json.gz", None),
        ("hta/rank_non_gpu/rank_non_gpu.json.gz", Some(0)),
        ("hta/cpu_only/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", Some(34)),
        ("hta/large_integer_trace/rank-70.Mar_25_20_48_12.2861.pt.trace.json.gz", Some(70)),
        ("hta/call_stack/backward_thread.json", Some(0)),
        // distributedInfo after the events
        ("hta/cupti_profiler/benchmark_result_924719_1679055439_trace.json.gz", Some(0)),
        ("hta/mtia_inference_trace/mtia_inference_rank_0.json.gz", Some(0)),
        ("tracelens/b200/eager_trace.json.gz", Some(0)),
        ("torch/ddp_gloo_2ranks/rank1.1795225498719213757.pt.trace.json.gz", Some(1)),
        ("torch/plain_no_steps.json", None),
    ] {
        let decoded = decode(&read_one(&root.join("data/kineto").join(path)), CHUNK);
        let ranks = decoded.ints("event", "rank");
        assert!(!ranks.is_empty() && ranks.iter().all(|value| *value == rank), "{path}: {:?}", ranks.first());
    }
}

#[test]
fn integers_out_of_range_stay_text() {
    let Some(root) = shared("integers_out_of_range_stay_text") else { return };
    let decoded = decode(&files(&root.join("data/kineto/hta/large_integer_trace")), CHUNK);
    let args = decoded.texts("event", "args");
    assert!(args.iter().any(|args| args.contains("10159970886766084423")), "{args:?}");
}

#[test]
fn recordings_of_one_folder_are_separate_spans() {
    let Some(root) = shared("recordings_of_one_folder_are_separate_spans") else { return };
    let decoded = decode(&files(&root.join("data/kineto/torch/tb_handler/nw0_slow")), CHUNK);
    let spans: Vec<_> = decoded.ints("step", "span").into_iter().flatten().collect();
    assert_eq!(spans, [[0; 6], [1; 6], [2; 6], [3; 6]].concat());
    let steps: Vec<_> = decoded.ints("step", "step").into_iter().flatten().collect();
    assert_eq!(steps, [2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15].repeat(2));
    let decoded = decode(&files(&root.join("data/kineto/torch/ddp_gloo_2ranks")), CHUNK);
    assert!(decoded.ints("event", "span").iter().all(|span| *span == Some(0)));
}

#[test]
fn other_outputs_of_the_profiler_are_not_read() {
    let Some(root) = shared("other_outputs_of_the_profiler_are_not_read") else { return };
    let torch: Vec<InputFile> =
        files(&root.join("data/kineto/torch")).into_iter().filter(|f| !f.0.contains('/')).collect();
    let decoded = decode(&torch, CHUNK);
    let ignored: Vec<&str> = decoded.ignored.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(ignored, ["execution_trace_et.json.gz", "memory_timeline.raw.json.gz"]);
    // the folder also has timings of the same loops
    let traces = decoded.read.iter().filter(|(format, _)| *format != "loader_timings");
    let mut read: Vec<&str> = traces.map(|(_, path)| path.as_str()).collect();
    read.sort_unstable();
    assert_eq!(read, ["full_options_stack_modules_flops.pt.trace.json.gz", "plain_no_steps.json"]);
    // under another name, an execution trace is recognized by its content
    let bytes = torch.iter().find(|(path, _)| path.starts_with("execution_trace")).expect("it is there").1.clone();
    let decoded = decode(&[("x.json".to_owned(), bytes)], CHUNK);
    assert_eq!(decoded.errors.len(), 1);
}

/// Runs the generator of the shared folder.
fn generate(root: &Path, arguments: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new("python3")
        .arg(root.join("tools/gen_kineto.py"))
        .arg("--out")
        .arg(folder.path())
        .args(arguments)
        .output()
        .expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// The traces of a generated folder, and the truth file of each by name.
fn read_generated(folder: &Path) -> (Vec<InputFile>, BTreeMap<String, Value>) {
    let mut truths = BTreeMap::new();
    let mut traces = Vec::new();
    for (path, bytes) in files(folder) {
        match path.strip_suffix(".truth.json") {
            Some(name) => {
                truths.insert(name.to_owned(), read_json(&folder.join(&path)));
            }
            None => traces.push((path, bytes)),
        }
    }
    (traces, truths)
}

/// Complete events, flows and instants by phase and category, as the generator counts them.
fn phases(decoded: &Decoded) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    let columns = (decoded.texts("event", "raw_category"), decoded.texts("event", "args"));
    for (row, dur) in decoded.ints("event", "dur").into_iter().enumerate() {
        let category = Some(columns.0[row].as_str()).filter(|category| *category != "-").unwrap_or_default();
        let phase = match dur {
            Some(_) => "X",
            None if columns.1[row].contains(r#""ph":"s""#) => "s",
            None if columns.1[row].contains(r#""ph":"f""#) => "f",
            None => "i",
        };
        *counts.entry(format!("{phase}:{category}")).or_default() += 1;
    }
    counts
}

#[test]
fn generated_traces_match_their_generator() {
    let Some(root) = shared("generated_traces_match_their_generator") else { return };
    for arguments in [
        &["--steps", "4", "--kernels-per-step", "60"][..],
        &["--steps", "3", "--kernels-per-step", "40", "--ranks", "8", "--nccl", "4", "--gzip"],
        &["--steps", "3", "--kernels-per-step", "40", "--stack"],
        &["--steps", "2", "--kernels-per-step", "40", "--ranks", "8", "--nccl", "4", "--stack", "--no-memory"],
    ] {
        let folder = generate(&root, arguments);
        let (traces, truths) = read_generated(folder.path());
        for trace in traces {
            let truth = &truths[&trace.0];
            let decoded = decode(std::slice::from_ref(&trace), CHUNK);
            matches_truth(&decoded, truth, truth["steps"].as_array().expect("a list").len(), &trace.0);
            assert_eq!(decoded.skipped, 0);
            let mut expected = phases_of(truth);
            expected.retain(|phase, _| !phase.starts_with("M:"));
            assert_eq!(phases(&decoded), expected, "{arguments:?}");
            // the file of a single process has no rank; then the rank comes from its name
            let rank = truth["rank"].as_i64();
            assert!(decoded.ints("event", "rank").iter().all(|value| *value == rank), "{arguments:?}");
        }
    }
}

fn phases_of(truth: &Value) -> BTreeMap<String, i64> {
    let phases = truth["events_by_phase_and_category"].as_object().expect("an object");
    phases.iter().map(|(phase, n)| (phase.clone(), n.as_i64().expect("a count"))).collect()
}

/// Asserts that the first `n` steps and the events in them match the truth file.
fn matches_truth(decoded: &Decoded, truth: &Value, n: usize, name: &str) {
    let base = truth["base_time_ns"].as_i64().unwrap_or(0);
    let relative = truth["base_time_ns"].is_null();
    let column = |column: &str| decoded.ints("step", column).into_iter().map(|value| value.expect("known"));
    assert_eq!(decoded.count("step"), n, "{name}");
    let steps: Vec<_> = column("step").zip(column("dur")).collect();
    let starts = decoded.ints("step", "ts");
    let first_start = ns(&truth["steps"][0]["start_us"]);
    let loaders = decoded.ints("loader", "dur");
    for (index, exact) in truth["steps"].as_array().expect("a list").iter().take(n).enumerate() {
        assert_eq!(steps[index], (exact["step"].as_i64().expect("a number"), ns(&exact["step_us"])), "{name}");
        assert_eq!(loaders[index], Some(ns(&exact["dataloader_us"])), "{name}");
        let start = ns(&exact["start_us"]);
        if relative {
            let since_first_step = starts[index].zip(starts[0]).map(|(start, first)| start - first);
            assert_eq!(since_first_step, Some(start - first_start), "{name}");
            continue;
        }
        assert_eq!(starts[index], Some(base + start), "{name}");
        let (step_start, step_end) = (base + start, base + ns(&exact["end_us"]));
        let inside = |keep: &dyn Fn(&str, &str) -> bool| {
            let all = intervals(decoded, keep);
            union(all.into_iter().filter(|(begin, end)| *begin >= step_start && *end <= step_end).collect())
        };
        let compute = inside(&|category, name| category == "kernel" && !is_comm(name));
        assert_eq!(compute, ns(&exact["compute_union_us"]), "{name}");
        let comm = inside(&|category, name| category == "kernel" && is_comm(name));
        assert_eq!(comm, ns(&exact["comm_union_us"]), "{name}");
        let busy = inside(&|category, _| category == "kernel" || is_copy(category));
        assert_eq!(busy, ns(&exact["gpu_busy_us"]), "{name}");
    }
    if let Some(peak) = truth["peak_allocated_bytes"].as_i64()
        && truth["corrupt"].is_null()
    {
        assert_eq!(decoded.ints("allocation", "allocated_bytes").into_iter().flatten().max(), Some(peak), "{name}");
    }
}

/// Each kind of corruption: lost entries are counted, and nothing else is lost.
#[test]
fn corruption_loses_only_what_is_reported() {
    let Some(root) = shared("corruption_loses_only_what_is_reported") else { return };
    // problems by kind; entries lost
    let expected: &[(&str, &str, i64)] = &[
        ("truncated", "truncated 1", 1),
        ("control-char", "repaired 1", 0),
        ("unescaped-quote", "repaired 1", 0),
        ("backslash", "repaired 1", 0),
        ("bare-list", "no_epoch", 0),
        ("base-time-last", "", 0),
    ];
    for (kind, problems, lost) in expected {
        let folder = generate(&root, &["--steps", "4", "--kernels-per-step", "60", "--corrupt", kind]);
        let (traces, truths) = read_generated(folder.path());
        let truth = &truths[&traces[0].0];
        let decoded = decode(&traces, CHUNK);
        let reported: Vec<_> = decoded.problems().iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        assert!(reported.join(" ").starts_with(problems) && reported.len() <= 1, "{kind}: {reported:?}");
        assert_eq!(decoded.skipped, *lost, "{kind}");
        let steps = truth["corrupt"]["complete_steps_in_file"].as_i64().expect("a count");
        matches_truth(&decoded, truth, usize::try_from(steps).expect("a count"), kind);
        let mut expected = phases_of(truth);
        expected.retain(|phase, _| !phase.starts_with("M:"));
        assert_eq!(phases(&decoded), expected, "{kind}");
        if let Some(text) = truth["corrupt"]["damaged_event"]["text"].as_str() {
            // in a path that is not escaped, `\d` and `\r` are read as JSON escapes
            let start = text.split(['\\', '"']).next().expect("a start");
            assert!(decoded.texts("event", "name").iter().any(|name| name.starts_with(start)), "{kind}");
        }
    }
}

/// Reads each folder of shared traces as a whole: no file fails.
#[test]
fn every_shared_file_is_read_or_refused() {
    let Some(root) = shared("every_shared_file_is_read_or_refused") else { return };
    let data: PathBuf = root.join("data/kineto");
    for folder in ["hta", "tracelens", "torch"] {
        let decoded = decode(&files(&data.join(folder)), CHUNK);
        assert!(decoded.errors.is_empty(), "{folder}: {:?}", decoded.errors);
        // the folders also have timings of the loops
        let known = |format: &str, name: &str| {
            format == if name.starts_with("dataloader_timings") { "loader_timings" } else { "kineto" }
        };
        assert!(decoded.read.iter().all(|(format, name)| known(format, name)), "{folder}: {:?}", decoded.read);
    }
}
