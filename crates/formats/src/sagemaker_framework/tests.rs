use std::sync::Arc;

use arrow::array::{Array, AsArray};
use arrow::datatypes::Int64Type;

use super::*;
use crate::Siblings;

const OFFSET: &str =
    r#"{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1000}}"#;

/// The rows of one group of files, by table.
struct DecodedTables(Vec<(&'static crate::table::Table, arrow::array::RecordBatch)>);

fn decode(files: &[(&str, String)], siblings: &[&str]) -> DecodedTables {
    let paths = files.iter().map(|(path, _)| *path).chain(siblings.iter().copied());
    let siblings: Arc<Siblings> = Arc::new(paths.collect());
    let (mut decoder, mut rows) = (SagemakerFramework.decoder(), Rows::new("r"));
    for (id, (path, text)) in (0..).zip(files) {
        let siblings = Arc::clone(&siblings);
        let info = ObjectInfo { id, path: (*path).into(), siblings, ..ObjectInfo::default() };
        rows.begin(id);
        decoder.begin(&info, &mut rows).unwrap();
        decoder.stream().unwrap().push(text.as_bytes(), &mut rows).unwrap();
        decoder.end(&mut rows).unwrap();
        if id + 1 == i64::try_from(files.len()).unwrap() {
            decoder.finish(&mut rows).unwrap();
        }
        rows.end();
    }
    DecodedTables(rows.take())
}

impl DecodedTables {
    /// The values of some columns of a table, joined by blanks; one text for each row.
    fn lines(&self, table: &str, columns: &[&str]) -> Vec<String> {
        let Some((_, batch)) = self.0.iter().find(|(t, _)| t.name == table) else { return Vec::new() };
        let cell = |column: &str, row: usize| {
            let array = batch.column_by_name(column).unwrap();
            if array.is_null(row) {
                return "-".to_owned();
            }
            match array.as_string_opt::<i32>() {
                Some(texts) => texts.value(row).to_owned(),
                None => array.as_primitive::<Int64Type>().value(row).to_string(),
            }
        };
        (0..batch.num_rows()).map(|row| columns.iter().map(|c| cell(c, row)).collect::<Vec<_>>().join(" ")).collect()
    }

    fn events(&self) -> Vec<String> {
        self.lines("event", &["object", "row", "name", "ts", "dur", "track", "args"])
    }

    fn problems(&self) -> Vec<String> {
        self.lines("problem", &["object", "kind", "count"])
    }
}

fn list(events: &[&str]) -> String {
    format!("[\n{}\n]\n", events.join(",\n"))
}

const FIRST: &str = "framework/pevents/1/1_0-algo-1_horovod_timeline.json";
const SECOND: &str = "framework/pevents/1/2_0-algo-1_horovod_timeline.json";

#[test]
fn intervals_can_span_two_files_with_two_time_bases() {
    let later = OFFSET.replace("1000", "5000");
    let tables = decode(
        &[
            (FIRST, list(&[OFFSET, r#"{"name": "a", "ph": "B", "pid": 1, "ts": 10, "args": {"x": 1, "y": 1}}"#])),
            (SECOND, list(&[&later, r#"{"name": "", "ph": "E", "pid": 1, "ts": 2, "args": {"y": 2}}"#])),
        ],
        &[],
    );
    assert_eq!(tables.events(), [r#"1 0 a 1010000 3992000 - {"x":1,"y":2,"phase":1}"#]);
    assert!(tables.problems().is_empty());
    assert_eq!(
        tables.lines("event", &["node", "rank", "span", "category", "raw_category"]),
        ["algo-1 0 0 communication horovod"]
    );
}

#[test]
fn an_inherited_time_base_is_reported() {
    let event = r#"{"name": "x", "ph": "X", "pid": 1, "ts": 1, "dur": 1}"#;
    let tables = decode(&[(FIRST, list(&[OFFSET, event])), (SECOND, list(&[event, event]))], &[]);
    assert_eq!(tables.problems(), ["1 offset_inherited 1"]);
    assert_eq!(tables.lines("event", &["object", "row", "ts"]), ["0 0 1001000", "1 0 1001000", "1 1 1001000"]);
}

#[test]
fn without_a_time_base_times_count_from_the_first_event() {
    let events = [
        r#"{"name": "x", "ph": "X", "pid": 1, "ts": 1.5, "dur": 1}"#,
        r#"{"name": "b", "ph": "B", "pid": 1, "ts": 10}"#,
        r#"{"ph": "E", "pid": 1, "ts": 14}"#,
        OFFSET,
        r#"{"name": "y", "ph": "X", "pid": 1, "ts": 1, "dur": 1}"#,
    ];
    let tables = decode(&[(FIRST, list(&events))], &[]);
    assert_eq!(
        tables.events(),
        [r#"0 0 x 0 1000 - {"phase":1}"#, r#"0 1 b 8500 4000 - {"phase":1}"#, r#"0 2 y 1001000 1000 - {"phase":1}"#,]
    );
    assert_eq!(tables.problems(), ["0 no_epoch 1"]);
}

#[test]
fn intervals_are_paired_by_thread_and_open_ones_are_reported() {
    let event = |ph, tid: &str, ts| format!(r#"{{"name": "{ph}{ts}", "ph": "{ph}", "pid": 1{tid}, "ts": {ts}}}"#);
    let (one, two) = (", \"tid\": 1", ", \"tid\": 2");
    let events = [
        OFFSET.to_owned(),
        event("B", one, 1),
        event("B", two, 2),
        event("B", "", 3),
        event("E", one, 4),            // ends B1
        event("E", ", \"tid\": 9", 5), // there is no thread 9, so it ends the one without a thread, B3
        event("B", one, 6),
        event("E", "", 7),             // ends the innermost of the phase, B6
        event("E", ", \"tid\": 9", 8), // no open interval matches
    ];
    let tables = decode(&[(FIRST, list(&events.each_ref().map(String::as_str)))], &[]);
    assert_eq!(tables.lines("event", &["name", "dur", "tid"]), ["B1 3000 1", "B3 2000 9", "B6 1000 1", "B2 - 2"]);
    assert_eq!(tables.problems(), ["0 end_without_begin 1", "0 unclosed 1"]);
}

#[test]
fn phases_can_be_declared_before_each_event() {
    let path = "framework/pevents/1/1_7-algo-1_pythontimeline.json";
    let declare = r#"{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "Step:ModeKeys.EVAL"}}"#;
    let event = r#"{"name": "Step:ModeKeys.EVAL", "ph": "X", "pid": 0, "ts": 1, "dur": 2, "args": {"step_num": "3"}}"#;
    let tables = decode(&[(path, list(&[OFFSET, declare, event, OFFSET, declare, event]))], &[]);
    assert_eq!(
        tables.lines("step", &["step", "mode", "ts", "dur", "row", "span"]),
        ["3 eval 1001000 2000 0 0", "3 eval 1001000 2000 1 0"]
    );
    // 7 cannot be a rank, so it is the process id
    assert_eq!(tables.lines("event", &["rank", "pid", "track"])[0], "- 7 Step:ModeKeys.EVAL");
}

#[test]
fn a_step_that_never_ends_is_incomplete() {
    let path = "framework/pevents/1/1_0-algo-1_pythontimeline.json";
    let begin = r#"{"name": "Step:ModeKeys.TRAIN", "ph": "B", "pid": 1, "ts": 1, "args": {"step_num": 5}}"#;
    let tables = decode(&[(path, list(&[OFFSET, begin]))], &[]);
    assert_eq!(tables.lines("step", &["step", "mode", "ts", "dur"]), ["5 train 1001000 -"]);
    let (_, steps) = tables.0.iter().find(|(table, _)| table.name == "step").unwrap();
    assert!(!steps.column_by_name("complete").unwrap().as_boolean().value(0));
    assert_eq!(tables.problems(), ["0 unclosed 1"]);
}

#[test]
fn credentials_are_masked() {
    let token = format!("AKIA{}", "ABCDEFGHIJKLMNO7");
    let event = format!(
        r#"{{"name": "x {token}", "ph": "X", "pid": 1, "ts": 1, "dur": 2, "args": {{"env": {{"A": 1}}, "k": "{token}"}}}}"#
    );
    let tables = decode(&[(FIRST, list(&[OFFSET, &event]))], &[]);
    assert_eq!(tables.events(), [r#"0 0 x AKIA*** 1001000 2000 - {"env":["A"],"k":"AKIA***","phase":1}"#]);
    assert_eq!(tables.problems(), ["0 masked 3"]);
}

#[test]
fn a_tensorflow_trace_has_its_time_base_in_the_name_of_its_metadata_file() {
    let folder = "framework/tensorflow/detailed_profiling/2020/000000005";
    let path = format!("{folder}/plugins/profile/t/ip-1.trace.json.gz");
    let text = r#"{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
        {"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
        {"ph":"M","pid":1,"tid":5,"name":"thread_name","args":{"name":"Compute"}},
        {"ph":"X","pid":1,"tid":5,"ts":1.5,"dur":0.25,"name":"MemcpyH2D","args":{"group_id":1}},{}]}"#;
    let files = [(path.as_str(), text.to_owned())];
    let metadata = format!("{folder}/0-algo-1_2000_3000.metadata");
    let tables = decode(&files, &[&metadata]);
    assert_eq!(
        tables.lines("event", &["node", "category", "device", "tid", "ts", "dur", "track", "args"]),
        [r#"algo-1 memcpy gpu0 5 2001500 250 /device:GPU:0 {"group_id":1,"thread_name":"Compute"}"#]
    );
    assert!(tables.problems().is_empty());
    let tables = decode(&files, &[]);
    assert_eq!(tables.lines("event", &["node", "ts", "args"]), [r#"ip-1 0 {"group_id":1,"thread_name":"Compute"}"#]);
    assert_eq!(tables.problems(), ["0 no_epoch 1"]);
}

#[test]
fn files_are_recognized_and_grouped() {
    let info = |path: &str| ObjectInfo { path: path.into(), ..ObjectInfo::default() };
    let group = |path: &str| SagemakerFramework.group(&info(path));
    assert_eq!(group(&format!("p/{FIRST}")).as_deref(), Some("p/framework/pevents/0-algo-1/horovod"));
    assert_eq!(group(FIRST), group(SECOND));
    assert_eq!(group("framework/pytorch/pyinstrument/0-algo-1/x/python_stats.json"), None);
    let ignored = |path: &str| SagemakerFramework.ignore_reason(&info(path)).is_some();
    assert!(ignored("framework/0-algo-1_pythontimeline.json.tmp"));
    assert!(ignored("framework/pevents/1/1_0-algo-1_pythontimeline.csv"));
    assert!(ignored("framework/tensorflow/detailed_profiling/1/0-a_1_2.metadata"));
    assert!(!ignored(FIRST) && !ignored("framework/x/python_stats") && !ignored("other/model.pb"));
    let sniff = |path: &str, head: &str| {
        let info = info(path);
        SagemakerFramework.sniff(&Probe { info: &info, head: head.as_bytes(), tail: b"" })
    };
    assert!(sniff("somewhere/x.json", &list(&[OFFSET])));
    assert!(!sniff("somewhere/x.json", r#"{"schemaVersion":1,"traceEvents":[]}"#));
    assert!(!sniff(FIRST, "<html>"));
    let ticks = r#"{"metadata":{"highres-ticks":true},"traceEvents":[]}"#;
    let folder = "framework/tensorflow/detailed_profiling/2020/000000005/plugins/profile/t";
    assert!(!sniff("jax/h.trace.json.gz", ticks) && sniff(&format!("{folder}/h.trace.json.gz"), ticks));
}

#[test]
fn files_without_events_are_errors() {
    let decode_error = |text: &str| {
        let (mut decoder, mut rows) = (SagemakerFramework.decoder(), Rows::new("r"));
        let info = ObjectInfo { path: FIRST.into(), ..ObjectInfo::default() };
        decoder.begin(&info, &mut rows).unwrap();
        let result = decoder.stream().unwrap().push(text.as_bytes(), &mut rows).and_then(|()| decoder.end(&mut rows));
        result.unwrap_err().message().to_owned()
    };
    assert_eq!(decode_error("<html>"), format!("cannot read {FIRST}: byte 0 is `<`, expected `[` or `{{`"));
    assert_eq!(decode_error(r#"{"a": 1}"#), format!("cannot read {FIRST}: the object has no `traceEvents`"));
    assert_eq!(decode_error("[1, 2]"), format!("cannot read {FIRST}: none of its elements is an event"));
}
