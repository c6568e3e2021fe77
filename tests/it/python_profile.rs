//! Python profiles: dumps of six Python versions, folders of SageMaker Debugger, and malformed files.
//!
//! What belongs in here: rows of `function` and `call` compared with known numbers. tests/python compares with pstats.

use std::path::Path;

use tracelake::ErrorKind;

use crate::decode::{Decoded, InputFile, decode, files};

fn data(name: &str) -> Vec<InputFile> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name))
}

/// Name, line, primitive calls and calls.
type FunctionCounts = (String, Option<i64>, Option<i64>, Option<i64>);

/// The functions of one file with their counts.
fn counts(decoded: &Decoded) -> Vec<FunctionCounts> {
    let column = |name| decoded.ints("function", name);
    let rows = decoded.texts("function", "function").into_iter().zip(column("line"));
    let calls = column("primitive_calls").into_iter().zip(column("calls"));
    rows.zip(calls).map(|((name, line), (primitive, calls))| (name, line, primitive, calls)).collect()
}

#[test]
fn dumps_of_all_python_versions_are_read() {
    let dumps: Vec<InputFile> = data("cprofile").into_iter().filter(|(path, _)| path.ends_with(".prof")).collect();
    assert_eq!(dumps.len(), 8);
    for file in dumps {
        let decoded = decode(std::slice::from_ref(&file), usize::MAX);
        assert_eq!(decoded.read, [("cprofile", file.0.clone())]);
        assert_eq!((decoded.problems().len(), decoded.errors.len()), (0, 0), "{}", file.0);
        let functions = counts(&decoded);
        for expected in [("leaf", 1, 8, 8), ("recurse", 5, 2, 8), ("größe", 10, 1, 1), ("<module>", 1, 1, 1)] {
            let (name, line, primitive, calls) = expected;
            let expected = (name.to_owned(), Some(line), Some(primitive), Some(calls));
            assert!(functions.contains(&expected), "{}: {functions:?}", file.0);
        }
        let callers = decoded.texts("call", "caller").into_iter().zip(decoded.texts("call", "callee"));
        let calls = decoded.ints("call", "calls").into_iter().zip(decoded.ints("call", "primitive_calls"));
        let recursion = callers.zip(calls).find(|((caller, callee), _)| caller == callee).unwrap();
        let name = "calls.py:5(recurse)".to_owned();
        assert_eq!(recursion, ((name.clone(), name), (Some(6), Some(2))), "{}", file.0);
        assert!(decoded.texts("function", "scope").iter().all(|scope| scope == "-"));
    }
}

#[test]
fn folders_give_process_and_scope() {
    let decoded = decode(&data("golden/job-p"), 100);
    let kinds: Vec<&str> = decoded.read.iter().map(|(format, _)| *format).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "cprofile").count(), 5);
    assert_eq!(kinds.iter().filter(|kind| **kind == "pyinstrument").count(), 1);
    let ignored: Vec<&str> = decoded.ignored.iter().map(|(_, why)| *why).collect();
    assert_eq!(ignored, ["a page that shows the tree of python_stats.json"]);
    let nodes = decoded.texts("function", "node").into_iter().zip(decoded.ints("function", "rank"));
    let nodes: std::collections::BTreeSet<_> = nodes.collect();
    assert_eq!(nodes, [("algo-1".to_owned(), Some(0)), ("algo-2".to_owned(), Some(1))].into());
    let scopes = decoded.texts("function", "scope");
    let last = r#"{"start_mode":"train","start_step":1,"start_phase":"stepend","start_us":1600000204500000.0,"end_mode":"posthookclose","end_step":2,"end_phase":"end","end_us":1600000205500000.0}"#;
    assert!(scopes.iter().any(|scope| scope == last), "{scopes:?}");
}

#[test]
fn a_sampler_counts_no_calls() {
    let tree: Vec<InputFile> = data("golden/job-p").into_iter().filter(|(path, _)| path.ends_with(".json")).collect();
    let decoded = decode(&tree, usize::MAX);
    assert_eq!(decoded.texts("function", "function"), ["step", "forward", "relu"]);
    assert_eq!(decoded.floats("function", "own_s"), [Some(0.25), Some(0.5), Some(0.25)]);
    assert_eq!(decoded.floats("function", "cumulative_s"), [Some(1.0), Some(0.75), Some(0.25)]);
    assert_eq!(decoded.ints("function", "calls"), [None; 3]);
    assert_eq!(decoded.texts("call", "callee")[1], "net.py:7(forward)");
    assert_eq!(decoded.floats("call", "cumulative_s"), [Some(0.75), Some(0.5), Some(0.25)]);
}

/// The rows of a file of this name and content.
fn read(name: &str, bytes: &[u8]) -> Decoded {
    let folder = "0-algo-1/train-0-stepstart-1.0_train-0-stepend-2.0";
    decode(&[(format!("{folder}/{name}"), bytes.to_vec())], usize::MAX)
}

#[test]
fn a_malformed_entry_loses_only_itself() {
    // {("f", 1, "a"): 5, ("f", 2, "b"): (1, 1, 0.0, 0.0, {"x": 1, ("f", 1, "a"): 3})}
    let mut bytes = b"{)\x03z\x01fi\x01\0\0\0z\x01ai\x05\0\0\0)\x03z\x01fi\x02\0\0\0z\x01b".to_vec();
    bytes.extend(b")\x05i\x01\0\0\0i\x01\0\0\0g\0\0\0\0\0\0\0\0g\0\0\0\0\0\0\0\0");
    bytes.extend(b"{z\x01xi\x01\0\0\0)\x03z\x01fi\x01\0\0\0z\x01ai\x03\0\0\x0000");
    let decoded = read("python_stats", &bytes);
    assert_eq!(decoded.texts("function", "function"), ["b"]);
    // `profile`, written in Python, counts the calls of a caller and nothing else
    assert_eq!(decoded.texts("call", "caller"), ["f:1(a)"]);
    assert_eq!((decoded.ints("call", "calls"), decoded.floats("call", "own_s")), (vec![Some(3)], vec![None]));
    assert_eq!(decoded.problems(), [("bad_caller".to_owned(), 1), ("bad_function".to_owned(), 1)].into());
    assert_eq!(decoded.skipped, 2);
    assert!(decoded.message("bad_function").starts_with("byte 1: an entry is not"));
    // entries after the corrupt byte are lost, entries before it are not
    let position = bytes.len() - 1;
    bytes[position] = b'c';
    let decoded = read("python_stats", &bytes);
    assert_eq!((decoded.count("function"), decoded.count("call")), (1, 1));
    let message = format!(
        "byte {position}: byte 0x63, which does not begin an object of a profile; the 1 functions before it are read"
    );
    assert_eq!(decoded.message("corrupt"), message);
}

#[test]
fn a_file_that_is_not_a_profile_is_an_error() {
    for (name, bytes) in [
        ("python_stats", &b"<html>"[..]),
        ("python_stats", b"{c"),
        ("python_stats.json", b"[]"),
        ("python_stats.json", b"{\"a\": 1}x"),
        ("python_stats.json", b"{\"root_frame\" 1}"),
    ] {
        let decoded = read(name, bytes);
        if bytes.starts_with(b"{\"a\"") {
            // bytes after the object are ignored
            assert_eq!(decoded.problems(), [("no_frames".to_owned(), 1)].into());
            continue;
        }
        assert_eq!(decoded.errors.len(), 1, "{bytes:?}");
        assert_eq!(decoded.errors[0].1, ErrorKind::Malformed);
    }
    for name in ["python_stats", "python_stats.json"] {
        assert_eq!(read(name, b"").problems(), [("empty_file".to_owned(), 1)].into());
    }
    let failed = br#"{"start_time": 1.0, "sample_count": 0, "root_frame": null}"#;
    assert_eq!(read("python_stats.json", failed).problems(), [("no_frames".to_owned(), 1)].into());
}

#[test]
fn a_truncated_tree_has_unknown_times() {
    let text = br#"{"root_frame": {"function": "main", "file_path": "a.py", "line_no": 1, "time": 3.0, "children": [
        {"function": "f", "file_path": "a.py", "line_no": 2, "time": 1.0, "children": []}, {"function": "g", "#;
    let decoded = read("python_stats.json", text);
    assert_eq!(decoded.floats("function", "own_s"), [None, Some(1.0), None]);
    assert_eq!(decoded.floats("function", "cumulative_s"), [Some(3.0), Some(1.0), Some(0.0)]);
    assert!(decoded.message("truncated").ends_with("the own time of 2 open frames is unknown"));
}

#[test]
fn credentials_in_names_are_masked() {
    let token = format!("ghp_{}", "a1".repeat(18));
    let text = format!(
        r#"{{"root_frame": {{"function": "f", "file_path": "/{token}/a.py", "line_no": 1, "time": 1.0, "children": []}}}}"#
    );
    let decoded = read("python_stats.json", text.as_bytes());
    assert_eq!(decoded.texts("function", "file"), ["/ghp_***/a.py"]);
    assert!(decoded.problems().contains_key("masked"));
}

/// A tree of a hundred thousand nested frames: the decoder does not recurse.
#[test]
fn deep_trees_are_read() {
    let depth = 100_000;
    let frame = r#"{"function": "f", "file_path": "a.py", "line_no": 1, "time": 1.0, "children": ["#;
    let text = format!("{{\"root_frame\": {}{}}}", frame.repeat(depth), "]}".repeat(depth));
    let decoded = read("python_stats.json", text.as_bytes());
    assert_eq!(decoded.floats("function", "cumulative_s"), [Some(1.0)]);
    assert_eq!(decoded.problems().len(), 0);
}
