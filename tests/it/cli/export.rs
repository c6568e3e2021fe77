//! `export` and its errors.

use std::os::unix::fs::PermissionsExt;

use super::Shell;

/// The events of a trace as JSON.
fn events(text: &str) -> Vec<serde_json::Value> {
    let trace: serde_json::Value = serde_json::from_str(text).unwrap();
    trace["traceEvents"].as_array().unwrap().clone()
}

#[test]
fn a_run_becomes_a_trace() {
    let shell = Shell::golden();
    let lines = shell.run(&["export", "job-k", "-o", "k.json"]).lines();
    assert_eq!(lines[0], "wrote k.json");
    let rows = shell.run(&["sql", "select count(*) from event where run = 'job-k'"]).lines();
    let text = shell.text_of("k.json");
    let event_count = events(&text).iter().filter(|event| event["ph"] != "M" && event["ph"] != "C").count();
    assert_eq!(rows[1], event_count.to_string());
    // stdout has the same text, and the file can be compressed
    assert_eq!(shell.run(&["export", "job-k"]).text(), text);
    shell.run(&["export", "job-k", "-o", "k.json.gz"]);
    let mut decompressed = String::new();
    let compressed = std::fs::File::open(shell.path("k.json.gz")).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(compressed), &mut decompressed).unwrap();
    assert_eq!(decompressed, text);
}

#[test]
fn measurements_are_counters() {
    let shell = Shell::golden();
    let text = shell.run(&["export", "job-a"]).text();
    let counters = events(&text).iter().filter(|event| event["ph"] == "C").count();
    let samples = "select count(*) from sample where run = 'job-a' and ts is not null and value is not null";
    assert_eq!(shell.run(&["sql", samples]).lines()[1], counters.to_string());
    assert!(counters > 0);
}

#[test]
fn wrong_arguments_of_export_are_errors() {
    let shell = Shell::golden();
    let run = |arguments: &[&str]| shell.run(&[&["export"], arguments].concat());
    run(&["job-K", "-o", "x.json"]).fails(3, "error: no run or baseline `job-K`; did you mean `job-k`?");
    run(&["job-k", "--format", "crome", "-o", "x.json"])
        .fails(2, "error: no export format `crome`; did you mean `chrome`?");
    run(&["job-k", "-o", "x.txt"]).fails(
        2,
        "error: cannot write x.txt: the extension is not .json or .json.gz\n  \
         hint:   use .json, or .json.gz to compress the file",
    );
    run(&["job-k", "-o", "s3://b/x.json"]).fails(
        2,
        "error: cannot write s3://b/x.json: a trace is written only to a local file\n  \
         hint:   write a local file, and copy it to the store",
    );
    run(&["job-k", "-o", "no/x.json"])
        .fails(4, "error: cannot write no/x.json: No such file or directory (os error 2)");
    assert!(!shell.path("x.json").exists());
}

#[test]
fn an_existing_file_stays_until_the_new_one_is_complete() {
    let shell = Shell::golden();
    std::fs::write(shell.path("x.json"), "old").unwrap();
    assert_eq!(shell.run(&["export", "nobody", "-o", "x.json"]).code, Some(3));
    assert_eq!(shell.text_of("x.json"), "old");
    std::fs::set_permissions(shell.path("x.json"), PermissionsExt::from_mode(0o400)).unwrap();
    shell.run(&["export", "job-k", "-o", "x.json"]).fails(4, "error: cannot write x.json: it is read-only");
    assert_eq!(shell.text_of("x.json"), "old");
    std::fs::set_permissions(shell.path("x.json"), PermissionsExt::from_mode(0o600)).unwrap();
    shell.run(&["export", "job-k", "-o", "x.json"]);
    assert!(!events(&shell.text_of("x.json")).is_empty());
}
