use std::sync::Arc;

use arrow::array::{Array, AsArray};
use arrow::datatypes::{Float64Type, Int64Type};

use super::*;
use crate::chrome_trace::ChromeTrace;

/// The rows of one file.
struct DecodedRows(Vec<(&'static crate::table::Table, arrow::array::RecordBatch)>);

/// Decodes a file as an ingest does, in chunks of one size.
fn read_as(format: &dyn Format, path: &str, text: &str, chunk: usize) -> DecodedRows {
    let (mut decoder, mut rows) = (format.decoder(), Rows::new("r"));
    let info =
        ObjectInfo { path: path.into(), siblings: Arc::new([path].into_iter().collect()), ..ObjectInfo::default() };
    rows.begin(0);
    decoder.begin(&info, &mut rows).unwrap();
    let bytes = text.as_bytes();
    if decoder.stream().unwrap().needs_tail(&bytes[..bytes.len().min(64 << 10)]) {
        decoder.stream().unwrap().tail(&bytes[bytes.len().saturating_sub(64 << 10)..]);
    }
    for chunk in bytes.chunks(chunk) {
        decoder.stream().unwrap().push(chunk, &mut rows).unwrap();
    }
    decoder.end(&mut rows).unwrap();
    decoder.finish(&mut rows).unwrap();
    rows.end();
    DecodedRows(rows.take())
}

fn read(text: &str) -> DecodedRows {
    read_as(&Kineto, "trace.json", text, usize::MAX)
}

impl DecodedRows {
    /// Columns of a table, one line for each row.
    fn lines(&self, table: &str, columns: &[&str]) -> Vec<String> {
        let Some((_, batch)) = self.0.iter().find(|(t, _)| t.name == table) else { return Vec::new() };
        let cell = |column: &str, row: usize| {
            let array = batch.column_by_name(column).unwrap();
            if array.is_null(row) {
                "-".to_owned()
            } else if let Some(texts) = array.as_string_opt::<i32>() {
                texts.value(row).to_owned()
            } else if let Some(flags) = array.as_boolean_opt() {
                flags.value(row).to_string()
            } else if let Some(numbers) = array.as_primitive_opt::<Float64Type>() {
                numbers.value(row).to_string()
            } else {
                array.as_primitive::<Int64Type>().value(row).to_string()
            }
        };
        (0..batch.num_rows()).map(|row| columns.iter().map(|c| cell(c, row)).collect::<Vec<_>>().join(" ")).collect()
    }

    fn problems(&self) -> Vec<String> {
        self.lines("problem", &["kind", "count"])
    }
}

const BASE: &str = "\"baseTimeNanoseconds\": 1790857026000000000";

/// A trace with these events after the base.
fn trace(events: &[&str]) -> String {
    format!("{{\"schemaVersion\": 1, {BASE}, \"traceEvents\": [\n{}\n]}}", events.join(",\n"))
}

/// A complete event on a thread of the host.
fn host_event(cat: &str, name: &str, ts: &str, dur: &str, args: &str) -> String {
    format!(
        "{{\"ph\": \"X\", \"cat\": \"{cat}\", \"name\": \"{name}\", \"pid\": 4, \"tid\": 5,\n \"ts\": {ts}, \"dur\": {dur}\n, \"args\": {args} }}"
    )
}

#[test]
fn times_are_exact_with_a_base_anywhere() {
    let op = host_event("cpu_op", "aten::add", "86400000.001", "0.5", "{}");
    let columns = &["ts", "dur", "args"];
    let expected = ["1790857112400000001 500 -"];
    let first = trace(&[&op]);
    let last = format!("{{\"traceEvents\": [{op}], {BASE}}}");
    for text in [&first, &last] {
        for chunk in [1, 7, text.len()] {
            let table = read_as(&Kineto, "trace.json", text, chunk);
            assert_eq!(table.lines("event", columns), expected);
            assert!(table.problems().is_empty());
        }
    }
    let needs_tail = |text: &str| Kineto.decoder().stream().unwrap().needs_tail(text.as_bytes());
    assert!(!needs_tail(&first) && needs_tail(&last));
    // Absolute times do not need a base.
    let op = host_event("cpu_op", "aten::add", "1712195495519689.047", "604800000000001", "{}");
    let table = read(&format!("[{op}]"));
    assert_eq!(table.lines("event", columns), ["1712195495519689047 604800000000001000 -"]);
    assert!(table.problems().is_empty());
}

#[test]
fn times_without_a_base_count_from_the_first_event() {
    let op = host_event("cpu_op", "aten::add", "1.5", "2", "{\"Ev Idx\": 3}");
    let cut = format!("{{\"schemaVersion\": 1, \"traceEvents\": [\n{op},\n{}", &op[..40]);
    let table = read(&cut);
    assert_eq!(table.lines("event", &["ts", "dur", "args"]), [r#"0 2000 {"Ev Idx": 3}"#]);
    assert_eq!(table.problems(), ["no_epoch 1", "truncated 1"]);
}

#[test]
fn a_base_and_a_rank_after_the_events_are_reported() {
    let op = host_event("cpu_op", "aten::add", "1", "2", "{}");
    let text = format!("{{\"traceEvents\": [{op}], \"distributedInfo\": {{\"rank\": 3}}, {BASE}}}");
    let (mut decoder, mut rows) = (Kineto.decoder(), Rows::new("r"));
    decoder.begin(&ObjectInfo::default(), &mut rows).unwrap();
    decoder.stream().unwrap().push(text.as_bytes(), &mut rows).unwrap();
    decoder.end(&mut rows).unwrap();
    rows.end();
    assert_eq!(DecodedRows(rows.take()).problems(), ["late_base 1", "late_rank 1", "no_epoch 1"]);
    let table = read(&text);
    assert_eq!(table.lines("event", &["rank", "ts"]), ["3 1790857026000001000"]);
    assert!(table.problems().is_empty());
}

#[test]
fn unusual_durations_are_stored() {
    let table = read(&trace(&[
        &host_event("cpu_op", "zero", "1", "0", "{}"),
        &host_event("cpu_op", "negative", "1", "-2.5", "{}"),
        &host_event("cpu_op", "text", "\"3\"", "\"fast\"", "{}"),
        r#"{"ph": "X", "cat": "kernel", "name": "none", "pid": 0, "tid": 7, "ts": 4}"#,
        &host_event("cpu_op", "enormous", "1", "18446744073709551.615", "{}"),
    ]));
    assert_eq!(
        table.lines("event", &["row", "name", "dur"]),
        ["0 zero 0", "1 negative -2500", "2 text -", "3 none -", "4 enormous -"]
    );
    assert_eq!(table.problems(), ["bad_value 1", "no_dur 1", "out_of_range 1"]);
}

#[test]
fn device_work_has_a_device_and_a_stream() {
    let table = read(&trace(&[
        r#"{"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "ts": 1, "args": {"name": "stream 7 "}}"#,
        r#"{"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "ts": 1, "args": {"labels": "GPU 0"}}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {
            "External id": 9, "device": 0, "stream": 7, "correlation": 11, "grid": [1, 2, 3] }}"#,
        r#"{"ph": "X", "cat": "Memcpy", "name": "HtoD", "pid": 1, "tid": "stream 3", "ts": 1, "dur": 1, "args": {"external id": 4}}"#,
        r#"{"ph": "X", "cat": "cuda_runtime", "name": "hipMemcpy", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"stream": "0x0", "correlation": 11}}"#,
        r#"{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 1, "dur": 1}"#,
        r#"{"ph": "s", "id": 11, "pid": 0, "tid": 7, "ts": 1, "cat": "ac2g", "name": "ac2g"}"#,
        r#"{"ph": "f", "id": 11, "pid": 0, "tid": 9, "ts": 1, "cat": "ac2g", "name": "ac2g", "bp": "e"}"#,
        r#"{"ph": "f", "id": 2, "pid": 0, "tid": 7, "ts": 1, "cat": "fwdbwd", "name": "fwdbwd", "bp": "e"}"#,
        r#"{"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 2}"#,
    ]));
    let columns = &["category", "track", "pid", "tid", "device", "stream", "correlation", "external_id", "dur", "args"];
    assert_eq!(
        table.lines("event", columns),
        [
            r#"kernel stream 7 0 7 gpu0 7 11 9 1000 {"grid": [1, 2, 3]}"#,
            "memcpy stream 3 1 3 gpu1 3 - 4 1000 -",
            r#"runtime thread 7 0 7 cpu - 11 - 1000 {"stream": "0x0"}"#,
            "other Spans / PyTorch Profiler - - - - - - 1000 -",
            r#"flow stream 7 0 7 - - 11 - - {"ph":"s"}"#,
            r#"flow stream 9 0 9 - - 11 - - {"ph":"f"}"#,
            r#"flow stream 7 0 7 - - - - - {"ph":"f","id":2}"#,
            "other - - - - - - - - -",
        ]
    );
    assert!(table.problems().is_empty());
}

#[test]
fn steps_loaders_and_allocations_are_also_rows_of_their_own() {
    let text = trace(&[
        &host_event("cpu_op", "ProfilerStep#7", "10", "5", "{}"),
        &host_event("user_annotation", "ProfilerStep#8", "15", "2", r#"{"finished": false}"#),
        r#"{"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#7", "pid": 0, "tid": 7, "ts": 1, "dur": 1}"#,
        &host_event("Operator", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "11", "1", "{}"),
        r#"{"ph": "i", "s": "t", "name": "[memory]", "pid": 4, "tid": 5, "ts": 12, "args": {
            "Total Reserved": 30, "Total Allocated": 20, "Bytes": -10, "Addr": 99, "Device Id": 1, "Device Type": 6, "Ev Idx": 2}}"#,
        r#"{"ph": "i", "name": "[memory]", "pid": 4, "tid": 5, "ts": 12, "args": {"Device Type": 0, "Device Id": -1, "Bytes": 4}}"#,
        r#"{"ph": "C", "name": "Queue Length", "pid": 4, "tid": 5, "ts": 12, "args": {"stream 7": 2.5}}"#,
    ]);
    let table = read_as(&Kineto, "fit.validation_step.5.pt.trace.json", &text, usize::MAX);
    assert_eq!(
        table.lines("event", &["row", "category", "step", "mode", "device", "args"]),
        [
            "0 step 7 eval cpu -",
            r#"1 step 8 eval cpu {"finished": false}"#,
            "2 annotation - - gpu0 -",
            "3 loader - - cpu -",
            r#"4 memory - - gpu1 {"Ev Idx": 2}"#,
            "5 memory - - cpu -",
        ]
    );
    assert_eq!(
        table.lines("step", &["step", "mode", "ts", "dur", "complete", "row"]),
        ["7 eval 1790857026000010000 5000 true 0", "8 eval 1790857026000015000 2000 false 1"]
    );
    assert_eq!(
        table.lines("loader", &["kind", "loader", "num_workers", "dur", "pid", "row"]),
        ["next _SingleProcessDataLoaderIter 0 1000 4 3"]
    );
    assert_eq!(
        table.lines("allocation", &["device", "address", "bytes", "allocated_bytes", "reserved_bytes", "row"]),
        ["gpu1 99 -10 20 30 4", "cpu - 4 - - 5"]
    );
    let sample = &["metric", "value", "raw_name", "raw_dimension", "row"];
    assert_eq!(table.lines("sample", sample), ["queue_length 2.5 Queue Length stream 7 6"]);
    assert_eq!(table.lines("step", &["mode"]), ["eval", "eval"]);
}

#[test]
fn a_synchronization_with_a_device_has_no_stream() {
    let text = trace(&[
        r#"{"ph": "X", "cat": "cuda_sync", "name": "Context Sync", "pid": 0, "tid": -1, "ts": 1, "dur": 1, "args": {"stream": -1, "device": 0}}"#,
    ]);
    assert_eq!(read(&text).lines("event", &["name", "device", "stream"]), ["Context Sync gpu0 -"]);
}

#[test]
fn a_step_with_backward_or_optimizer_work_is_a_training_step() {
    let backward = "autograd::engine::evaluate_function: MulBackward0";
    let text = trace(&[
        &host_event("cpu_op", backward, "12", "1", "{}"),
        &host_event("user_annotation", "ProfilerStep#1", "10", "5", "{}"),
        // No such work: ends before the optimizer begins.
        &host_event("user_annotation", "ProfilerStep#2", "15", "5", "{}"),
        &host_event("user_annotation", "ProfilerStep#3", "20", "5", "{}"),
        &host_event("user_annotation", "Optimizer.step#SGD.step", "20", "1", "{}"),
        // Names that only resemble such work, and a mark on a device.
        &host_event("user_annotation", "ProfilerStep#4", "25", "5", "{}"),
        &host_event("cpu_op", "Optimizer.zero_grad#SGD.zero_grad", "26", "1", "{}"),
        &host_event("python_function", "torch/autograd/__init__.py(243): backward", "27", "1", "{}"),
        r#"{"ph": "X", "cat": "gpu_user_annotation", "name": "Optimizer.step#SGD.step", "pid": 0, "tid": 7, "ts": 27, "dur": 1}"#,
    ]);
    for chunk in [usize::MAX, 7] {
        let table = read_as(&Kineto, "a.pt.trace.json", &text, chunk);
        assert_eq!(table.lines("step", &["step", "mode", "row"]), ["1 train 1", "2 - 2", "3 train 3", "4 - 5"]);
    }
}

#[test]
fn members_of_the_root_describe_job_and_devices() {
    let token = format!("hf_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let text = format!(
        r#"{{"schemaVersion": 1, "deviceProperties": [
            {{"id": 0, "name": "H", "totalGlobalMem": 80, "computeMajor": 9, "computeMinor": 0, "numSms": 132, "warpSize": 32}},
            {{"id": 17, "name": "A", "runtimeMajorVersion": 1}}],
          "distributedInfo": {{"backend": "nccl", "rank": 3, "world_size": 8}}, "host_name": "box", {BASE},
          "metadata": {{"env": {{"HOME": "/x"}}, "n": [1, {{"hub": "{token}", "token": "x"}}]}},
          "traceEvents": [{}], "traceName": "C:\Users\x.json"}}"#,
        host_event("cpu_op", "a", "1", "1", "{}")
    );
    let table = read(&text);
    let device =
        &["node", "rank", "kind", "device", "name", "memory_bytes", "cores", "capability", "properties", "row"];
    assert_eq!(
        table.lines("device", device),
        [
            r#"box 3 gpu gpu0 H 80 132 9.0 {"warpSize":32} 0"#,
            r#"box 3 mtia mtia17 A - - - {"runtimeMajorVersion":1} 1"#,
        ]
    );
    assert_eq!(
        table.lines("run_attribute", &["node", "rank", "key", "value", "row"]),
        [
            "box 3 schemaVersion 1 0",
            "box 3 backend nccl 1",
            "box 3 rank 3 2",
            "box 3 world_size 8 3",
            "box 3 host_name box 4",
            "box 3 baseTimeNanoseconds 1790857026000000000 5",
            r#"box 3 metadata {"env":["HOME"],"n":[1,{"hub":"hf_***","token":"***"}]} 6"#,
            r"box 3 traceName C:\Users\x.json 7",
        ]
    );
    assert_eq!(table.lines("event", &["node", "rank"]), ["box 3"]);
    assert_eq!(table.problems(), ["masked 2", "repaired 1"]);
}

#[test]
fn local_ids_are_paired_within_their_process() {
    let text = r#"[
        {"ph": "b", "name": null, "cat": null, "id2": {"local": "0x1"}, "pid": 1, "tid": 2, "ts": 1000000000000001},
        {"ph": "b", "name": "q", "cat": null, "id2": {"local": "0x1"}, "pid": 2, "tid": 2, "ts": 1000000000000002},
        {"ph": "e", "cat": null, "id2": {"local": "0x1"}, "pid": 1, "tid": 2, "ts": 1000000000000005},
        {"ph": "e", "cat": null, "id2": {"local": "0x1"}, "pid": 2, "tid": 2, "ts": 1000000000000009}]"#;
    let table = read_as(&ChromeTrace, "x.json", text, usize::MAX);
    assert_eq!(table.lines("event", &["pid", "name", "raw_category", "dur"]), ["1 - - 4000", "2 q - 7000"]);
}

#[test]
fn credentials_are_masked_in_all_columns() {
    let token = format!("hf_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let text = format!(
        r#"{{"host_name": "{token}", "deviceProperties": [{{"id": 0, "env": {{"K": "v1"}}}}, "{token}"],
          "traceEvents": [
            {{"ph": "X", "name": "a", "pid": "{token}", "tid": "x", "ts": 1, "dur": "{token}", "os.environ": "K=v1\nL=v2",
              "args": {{"a": [{{"env": ["K=v1"]}}], "b": "x\n{token}", "api_key": "v3"}}}},
            {{"ph": "X", "name": "b", "pid": 1, "tid": 2, "ts": 1, "dur": 1}},
            {{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {{"name": "{token}"}}}}], {BASE}}}"#,
    )
    .replace("\\\\n", "\\n");
    let table = read_as(&ChromeTrace, "x.json", &text, usize::MAX);
    assert_eq!(
        table.lines("event", &["node", "track", "args"]),
        [
            r#"hf_*** hf_*** / x {"os.environ":["K","L"],"dur":"hf_***","a":[{"env":["K"]}],"b": "x\nhf_***","api_key":"***"}"#,
            "hf_*** hf_*** -",
        ]
    );
    assert_eq!(table.lines("device", &["properties"]), [r#"{"env":["K"]}"#]);
    let texts =
        table.lines("problem", &["kind", "message"]).concat() + &table.lines("run_attribute", &["value"]).concat();
    assert!(texts.contains("hf_***") && !texts.contains("a1B2c3"), "{texts}");
}

#[test]
fn nearly_valid_json_is_repaired() {
    let names = ["bad\u{1}\nname", r#"say "hi" now"#, r"C:\Users\data", r"\ud800x"];
    let mut events: Vec<String> = names.iter().map(|name| host_event("cpu_op", name, "1", "1", "{}")).collect();
    events.push(host_event("cpu_op", "nan", "1", "1", r#"{"a": NaN, "b": N/A, "b": [inf,],}"#));
    let texts: Vec<&str> = events.iter().map(String::as_str).collect();
    let text = trace(&texts);
    for chunk in [1, 3, text.len()] {
        let table = read_as(&Kineto, "trace.json", &text, chunk);
        assert_eq!(
            table.lines("event", &["name"]),
            ["bad\u{1}\nname", r#"say "hi" now"#, r"C:\Users\data", "\u{fffd}x", "nan"]
        );
        assert_eq!(table.lines("event", &["args"])[4], r#"{"a": null, "b": null, "b": [null]}"#);
        assert_eq!(table.problems(), ["repaired 5"]);
    }
}

#[test]
fn only_the_corrupt_event_is_lost() {
    let good = host_event("cpu_op", "good", "1", "1", "{}");
    for bad in [r#"{"ph": "X", "name": [1, "ts": 1}"#, "17", "{\"ph\": 1"] {
        let table = read(&trace(&[&good, bad, &good, &good]));
        assert_eq!(table.lines("event", &["name"]), ["good"; 3], "{bad}");
        assert_eq!(table.problems(), ["bad_line 1"], "{bad}");
    }
    let table = read(&trace(&[&good, r#"{"name": "x"}"#, "{}", r#"{"ph": "M", "name": "thread_name", "pid": 1}"#]));
    assert_eq!(table.problems(), ["bad_line 1", "bad_metadata 1", "empty_object 1"]);
}

#[test]
fn partial_overlaps_and_late_names_are_reported() {
    let table = read(&trace(&[
        &host_event("cpu_op", "a", "0", "10", "{}"),
        &host_event("python_function", "b", "5", "10", "{}"),
        &host_event("user_annotation", "c", "1", "2", "{}"),
        r#"{"ph": "M", "name": "thread_name", "pid": 4, "tid": 5, "ts": 1, "args": {"name": "main"}}"#,
        &host_event("cpu_op", "d", "30", "1", "{}"),
    ]));
    assert_eq!(table.problems(), ["late_name 1", "partial_overlap 1"]);
    assert_eq!(table.lines("event", &["track"]), ["thread 5"; 4]);
    // At the end of a file without a base, names are read before the events.
    let op = host_event("cpu_op", "a", "1712195495519689", "10", "{}");
    let name = r#"{"ph": "M", "name": "thread_name", "pid": 4, "tid": 5, "args": {"name": "main"}}"#;
    assert_eq!(read(&format!("[{op},\n{name}]")).lines("event", &["track"]), ["main"]);
}

#[test]
fn traces_are_recognized_by_their_content() {
    let info = ObjectInfo { path: "x/any.json".into(), ..ObjectInfo::default() };
    let formats = |head: &str| {
        let probe = Probe { info: &info, head: head.as_bytes(), tail: b"" };
        (Kineto.sniff(&probe), ChromeTrace.sniff(&probe))
    };
    assert_eq!(formats(&trace(&[&host_event("cpu_op", "a", "1", "1", "{}")])), (true, true));
    assert_eq!(formats(&format!("[{}]", host_event("Operator", "a", "1", "1", "{}"))), (true, true));
    assert_eq!(formats(r#"{"deviceProperties": [], "metadata": {"cut"#), (true, false));
    assert_eq!(formats(r#"[{"ph": "B", "name": "f", "ts": 1, "pid": 1, "tid": 1},"#), (false, true));
    assert_eq!(formats(r#"{"traceEvents": [{"ph": "X", "cat": "FEE", "name": "f", "ts": 1}]}"#), (false, true));
    // The first bytes end in a large member.
    let groups =
        r#"{"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 7, "pg_config": [{"ranks": [0, 1"#;
    assert_eq!(formats(groups), (true, false));
    assert_eq!(Kineto.rank(&info, groups.as_bytes()), Some(7));
    assert_eq!(formats(r#"{"other": {"distributedInfo": {"rank": 7"#), (false, false));
    for other in ["", "<html>", "{}", r#"{"schemaVersion": 2, "config": {}}"#, "[[1, 2, 3]]", r#"[{"load_s": 1}]"#] {
        assert_eq!(formats(other), (false, false), "{other}");
    }
    let object = |path: &str| ObjectInfo { path: path.into(), ..ObjectInfo::default() };
    let group = |path: &str| Kineto.group(&object(path));
    let lightning = "fit-[Strategy]SingleDeviceStrategy.training_step.5.pt.trace.json.gz";
    assert_eq!(group(lightning).as_deref(), Some(lightning));
    assert_eq!(group("trace.json"), None);
    let ignored = |path: &str| Kineto.ignore_reason(&object(path)).is_some();
    for path in [
        "a.pftrace",
        "w_1.5.pt.trace.json.tmp",
        "b/memory_timeline.raw.json.gz",
        "memory_timeline.html",
        "execution_trace_et.json.gz",
    ] {
        assert!(ignored(path), "{path}");
    }
    assert!(!ignored("execution_trace/benchmark_trace.json.gz") && !ignored("rank0.5.pt.trace.json"));
}

#[test]
fn files_that_are_not_traces_are_errors() {
    let fails = |text: &str| {
        let (mut decoder, mut rows) = (Kineto.decoder(), Rows::new("r"));
        decoder.begin(&ObjectInfo { path: "x.json".into(), ..ObjectInfo::default() }, &mut rows).unwrap();
        let result = decoder.stream().unwrap().push(text.as_bytes(), &mut rows).and_then(|()| decoder.end(&mut rows));
        result.unwrap_err().message().to_owned()
    };
    assert_eq!(fails("<html>"), "cannot read x.json: byte 0 is `<`, expected `[` or `{`");
    assert_eq!(fails(r#"{"a": 1}"#), "cannot read x.json: the object has no `traceEvents`");
    assert_eq!(fails("[1, 2]"), "cannot read x.json: none of its elements is an event");
    let execution = "cannot read x.json: it is an execution trace, which has no times; ingest its Kineto trace";
    assert_eq!(fails(r#"{"schema": "1.1.1-chakra.0.0.4", "nodes": [{"id": 2}]}"#), execution);
    assert!(read("[]").0.is_empty());
    assert_eq!(read("").problems(), ["empty_file 1"]);
}

#[test]
fn other_traces_have_paired_events_and_process_names() {
    let text = r#"{"traceEvents": [
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "/device:TPU:0"}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "XLA Ops"}},
        {"ph": "B", "name": "outer", "cat": "FEE", "pid": 1, "tid": 2, "ts": 1000000000000001, "args": {"a": 1, "b": 1}},
        {"ph": "B", "name": "inner", "pid": 1, "tid": 2, "ts": 1000000000000002},
        {"ph": "B", "name": "elsewhere", "pid": "p", "tid": "t", "ts": 1000000000000002},
        {"ph": "E", "pid": 1, "tid": 2, "ts": 1000000000000003},
        {"ph": "E", "pid": 1, "tid": 2, "ts": 1000000000000005, "args": {"b": 2}},
        {"ph": "b", "name": "load", "cat": "io", "id": "0x1", "pid": 1, "tid": 2, "ts": 1000000000000001},
        {"ph": "b", "name": "load", "cat": "io", "id": "0x2", "pid": 1, "tid": 2, "ts": 1000000000000002},
        {"ph": "e", "name": "load", "cat": "io", "id": "0x1", "pid": 1, "tid": 3, "ts": 1000000000000009},
        {"ph": "N", "name": "object", "id": 7, "pid": 1, "tid": 2, "ts": 5},
        {"ph": "E", "pid": 9, "tid": 9, "ts": 6}
    ], "viztracer_metadata": {"version": "1"}}"#;
    let table = read_as(&ChromeTrace, "x.json", text, usize::MAX);
    assert_eq!(
        table.lines("event", &["row", "category", "name", "track", "ts", "dur", "args"]),
        [
            "0 kernel inner /device:TPU:0 / XLA Ops 1000000000000002000 1000 -",
            r#"1 python outer /device:TPU:0 / XLA Ops 1000000000000001000 4000 {"a":1,"b":2}"#,
            r#"2 other load /device:TPU:0 / XLA Ops 1000000000000001000 8000 {"id":"0x1"}"#,
            r#"3 kernel object /device:TPU:0 / XLA Ops - - {"ph":"N","id":7,"ts":5}"#,
            "4 other elsewhere p / t 1000000000000002000 - -",
            r#"5 other load /device:TPU:0 / XLA Ops 1000000000000002000 - {"id":"0x2"}"#,
        ]
    );
    assert_eq!(table.problems(), ["end_without_begin 1", "other_clock 1", "unclosed 2"]);
    assert_eq!(table.lines("run_attribute", &["key", "value"]), [r#"viztracer_metadata {"version": "1"}"#]);
    // viztracer writes the base to its own member.
    let text = r#"{"traceEvents": [{"ph": "X", "cat": "FEE", "name": "f (x.py:1)", "pid": 1, "tid": 2, "ts": 1.5, "dur": 1}],
        "viztracer_metadata": {"version": "1", "baseTimeNanoseconds": 1790857026000000000}}"#;
    let table = read_as(&ChromeTrace, "x.json", text, usize::MAX);
    assert_eq!(table.lines("event", &["category", "track", "ts"]), ["python thread 2 1790857026000001500"]);
}
