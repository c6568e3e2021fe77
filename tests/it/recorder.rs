//! Recordings of `tracelake.record`: each kind of line gives the row that docs/recorder.md specifies; malformed lines.
//!
//! What belongs in here: rows of lines written by hand. tests/python/test_record*.py compares rows with measured times.

use crate::decode::{Decoded, decode};

const HEADER: &str = r#"{"recorder":"tracelake","version":1,"name":"main","host":"n0","pid":7,"rank":3,"world_size":8,"versions":{"python":"3.12.1"},"attributes":{"lr":0.5,"git":"3fa2"}}"#;
const END: &str = r#"{"kind":"end","ts":9}"#;

fn read(lines: &[&str]) -> Decoded {
    let text = lines.iter().fold(String::new(), |text, line| text + line + "\n");
    let decoded = decode(&[("main-3-7.jsonl".to_owned(), text.into_bytes())], usize::MAX);
    assert!(decoded.errors.is_empty(), "{:?}", decoded.errors);
    assert_eq!(decoded.read, [("recorder", "main-3-7.jsonl".to_owned())]);
    decoded
}

#[test]
fn the_settings_of_a_loader_apply_to_later_lines() {
    let decoded = read(&[
        HEADER,
        r#"{"kind":"next","loader":"other","ts":1,"dur":2,"epoch":0,"batch":0}"#,
        r#"{"kind":"loader","loader":"train","num_workers":2,"prefetch_factor":4,"persistent_workers":true,"pin_memory":false,"batch_size":32}"#,
        r#"{"kind":"init","loader":"train","ts":10,"dur":5,"epoch":0}"#,
        r#"{"kind":"next","loader":"train","ts":20,"dur":3,"compute_dur":null,"epoch":0,"batch":0,"batch_size":20}"#,
        r#"{"kind":"item","loader":"train","ts":4,"dur":1,"item":9,"worker":1,"bytes":80,"batch":0,"epoch":0}"#,
        r#"{"kind":"pass","loader":"train","ts":10,"dur":90,"epoch":0,"batches":1}"#,
        END,
    ]);
    assert_eq!(decoded.texts("loader", "kind"), ["next", "init", "next", "item", "pass"]);
    assert_eq!(decoded.texts("loader", "node"), ["n0"; 5]);
    assert_eq!(decoded.ints("loader", "rank"), [Some(3); 5]);
    assert_eq!(decoded.ints("loader", "pid"), [Some(7); 5]);
    assert_eq!(decoded.ints("loader", "num_workers"), [None, Some(2), Some(2), Some(2), Some(2)]);
    assert_eq!(decoded.flags("loader", "persistent_workers")[1..], [Some(true); 4]);
    // the recorded size of the batch, else the configured size
    assert_eq!(decoded.ints("loader", "batch_size"), [None, Some(32), Some(20), None, Some(32)]);
    assert_eq!(decoded.ints("loader", "item")[3], Some(9));
    assert_eq!(decoded.ints("loader", "bytes")[3], Some(80));
    assert_eq!(decoded.ints("loader", "batches")[4], Some(1));
    assert_eq!(decoded.ints("loader", "compute_dur"), [None; 5]);
    let attributes = decoded.texts("run_attribute", "key").into_iter().zip(decoded.texts("run_attribute", "value"));
    let expected = [
        ("recorder.name", "main"),
        ("recorder.world_size", "8"),
        ("version.python", "3.12.1"),
        ("lr", "0.5"),
        ("git", "3fa2"),
    ];
    assert_eq!(attributes.collect::<Vec<_>>(), expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    assert!(decoded.problems().is_empty(), "{:?}", decoded.problems());
}

#[test]
fn a_trial_has_the_settings_of_its_loader_and_a_replay_is_ideal() {
    let decoded = read(&[
        HEADER,
        r#"{"kind":"loader","loader":"two","num_workers":2,"batch_size":32,"pin_memory":true}"#,
        r#"{"kind":"trial","loader":"two","ts":5,"dur":70,"batch_size":32,"batches":6,"bytes":4096}"#,
        r#"{"kind":"trial","loader":"two","ts":6}"#,
        r#"{"kind":"trial","loader":"replay","ts":7,"dur":20,"variant":"ideal"}"#,
        END,
    ]);
    assert_eq!(decoded.texts("loader", "kind"), ["trial"; 3]);
    assert_eq!(decoded.texts("loader", "variant"), ["real", "real", "ideal"]);
    assert_eq!(decoded.ints("loader", "num_workers"), [Some(2), Some(2), None]);
    assert_eq!(decoded.flags("loader", "pin_memory"), [Some(true), Some(true), None]);
    assert_eq!(decoded.ints("loader", "dur"), [Some(70), None, Some(20)]);
    // batches of unknown size do not get the configured size
    assert_eq!(decoded.ints("loader", "batch_size"), [Some(32), None, None]);
    assert_eq!(decoded.ints("loader", "batches"), [Some(6), None, None]);
    assert_eq!(decoded.ints("loader", "bytes"), [Some(4096), None, None]);
    assert!(decoded.problems().is_empty(), "{:?}", decoded.problems());
}

#[test]
fn all_other_kinds_become_rows() {
    let decoded = read(&[
        HEADER,
        r#"{"kind":"step","ts":1,"dur":2,"step":4,"mode":"train"}"#,
        r#"{"kind":"step","ts":3,"dur":2,"step":5,"complete":false}"#,
        r#"{"kind":"phase","name":"forward","ts":1,"dur":1,"step":4,"tid":11}"#,
        r#"{"kind":"annotation","name":"saved","ts":2,"args":{"path":"x"}}"#,
        r#"{"kind":"sample","ts":5,"resource":"gpu","device":"gpu0","metric":"utilization","value":81.5,"unit":"percent"}"#,
        r#"{"kind":"incident","ts":6,"what":"slow_item","item":77,"worker":1,"message":"took 1.2 s"}"#,
        r#"{"kind":"attribute","key":"command","value":"train.py --token ghp_0123456789abcdefghijABCDEFGHIJ012345"}"#,
        r#"{"kind":"device","type":"cpu","device":"cpu","name":"x86","cores":2,"memory_bytes":1024}"#,
        END,
    ]);
    assert_eq!(decoded.texts("step", "mode"), ["train", "global"]);
    assert_eq!(decoded.flags("step", "complete"), [Some(true), Some(false)]);
    assert_eq!(decoded.texts("event", "category"), ["phase", "annotation"]);
    assert_eq!(decoded.texts("event", "args"), ["-", r#"{"path":"x"}"#]);
    assert_eq!(decoded.ints("event", "dur"), [Some(1), None]);
    assert_eq!(decoded.floats("sample", "value"), [Some(81.5)]);
    assert_eq!(decoded.texts("incident", "kind"), ["slow_item"]);
    assert_eq!(decoded.ints("incident", "item"), [Some(77)]);
    assert_eq!(decoded.ints("device", "cores"), [Some(2)]);
    let values = decoded.texts("run_attribute", "value");
    assert!(values.iter().any(|value| value.contains("ghp_***")), "{values:?}");
    assert!(!values.iter().any(|value| value.contains("0123456789")), "{values:?}");
    assert!(decoded.problems().is_empty(), "{:?}", decoded.problems());
}

#[test]
fn malformed_lines_are_counted_and_the_rest_is_read() {
    let good = r#"{"kind":"next","loader":"a","ts":1,"dur":2}"#;
    let decoded = read(&[
        HEADER,
        good,
        "no json",
        r#"{"kind":"next","dur":"long"}"#,
        r#"{"kind":"novel"}"#,
        r#"{"ts":1}"#,
        r#"{"kind":"step","mode":"walk"}"#,
        r#"{"kind":"sample","resource":"heat","value":NaN}"#,
        good,
    ]);
    assert_eq!(decoded.count("loader"), 2);
    assert_eq!(decoded.floats("sample", "value"), [None]);
    let problems = decoded.problems();
    let expected = [("bad_line", 4), ("no_end", 1), ("repaired", 1), ("unknown_kind", 1), ("unknown_resource", 1)];
    assert_eq!(problems.into_iter().collect::<Vec<_>>(), expected.map(|(kind, count)| (kind.to_owned(), count)));
    assert_eq!(decoded.skipped, 5);
}

#[test]
fn only_the_first_block_of_a_recording_has_attributes() {
    let block = |number: i64| HEADER.replacen("\"name\"", &format!("\"block\":{number},\"name\""), 1);
    let line = r#"{"kind":"next","ts":1,"dur":2}"#;
    let first = read(&[&block(0), line]);
    let second = read(&[&block(1), line]);
    assert!(first.problems().is_empty() && second.problems().is_empty());
    assert_eq!((first.count("run_attribute"), second.count("run_attribute")), (5, 0));
    assert_eq!(second.ints("loader", "rank"), [Some(3)]);
}
