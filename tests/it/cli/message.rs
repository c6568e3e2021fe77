//! Error messages about wrong URLs and names.

use std::io::{Read, Write};
use std::net::TcpListener;

use super::{Shell, profile};

#[test]
fn missing_and_empty_folders_are_named() {
    let shell = Shell::new();
    std::fs::create_dir_all(shell.path("empty/below")).unwrap();
    let fails = |arguments: &[&str], err: &str| shell.run(arguments).fails(3, err);
    fails(&["ingest", "missing"], "error: cannot read missing: there is no such file or folder");
    fails(&["ingest", "empty"], "error: cannot read empty: the folder is empty");
    fails(&["ingest", "missing/*/output"], "error: cannot read missing/: there is no such file or folder");
    let empty = format!("file://{}", shell.path("empty").display());
    fails(&["ingest", &empty], &format!("error: cannot read {empty}: the folder is empty"));
    shell.run(&["--lake", "empty", "runs"]).fails(
        4,
        "error: cannot open lake empty: the folder is empty\n  \
         hint:   create a lake there with `tracelake --lake empty ingest PROFILE`",
    );
}

#[test]
fn a_wrong_folder_of_queries_is_not_called_a_lake() {
    let shell = Shell::golden();
    let fails = |folder: &str, code, err: &str| {
        shell
            .run(&["--queries", folder, "queries"])
            .fails(code, &format!("error: cannot use the queries in {folder}: {err}"));
    };
    fails("missing", 3, "there is no such file or folder");
    std::fs::create_dir_all(shell.path("mine/step")).unwrap();
    fails("mine", 3, "the folder has no .sql file");
    std::fs::write(shell.path("mine/step/x.sql"), "select 1").unwrap();
    fails(
        "mine",
        2,
        "cannot read step/x.sql:1: the first line must be one sentence: the question that the query answers",
    );
    let text = "-- What?\n--\n-- column  run  text  id  run\n--\n-- needs   nothing\n-- order   run\n\
                -- source  sagemaker_framework\n\nSELECT run FROM nothing ORDER BY run\n";
    std::fs::write(shell.path("mine/step/x.sql"), text).unwrap();
    fails("mine", 2, "cannot plan query `step.x`\n  cause:  table 'nothing' not found");
}

#[test]
fn a_corrupt_run_is_a_warning_and_an_error_if_it_is_named() {
    let shell = Shell::new();
    shell.run(&["ingest", &profile("job-b")]).text();
    let manifest = shell.path("home/_manifest/run/job-b/0000000002.json");
    std::fs::write(&manifest, "{").unwrap();
    let output = shell.run(&["--lake", "home", "runs"]);
    assert!(output.err.starts_with("warning: run `job-b` is excluded: cannot read file://"), "{}", output.err);
    let output = shell.run(&["--lake", "home", "query", "step.duration", "--run", "job-b"]);
    let lines: Vec<&str> = output.err.lines().collect();
    assert!(lines[1].starts_with("error: cannot read run `job-b`: cannot read file://"), "{}", output.err);
    assert!(lines[2].starts_with("  hint:   run `tracelake check --repair`"), "{}", output.err);
}

#[test]
fn a_command_that_does_not_exist_gets_a_suggestion() {
    Shell::new().run(&["queris"]).fails(
        2,
        "error: unrecognized subcommand 'queris'\n\n  tip: some similar subcommands exist: 'rules', 'query', 'queries'\n\n\
         Usage: tracelake [OPTIONS] <COMMAND>\n\nFor more information, try '--help'.",
    );
}

#[test]
fn empty_values_are_errors() {
    let shell = Shell::golden();
    shell.run_with(&["sql", "-"], "\n").fails(2, "error: cannot run SQL: the text is empty");
    let usage = |value: &str, option: &str, why: &str| {
        format!("error: invalid value '{value}' for '{option}': {why}\n\nFor more information, try '--help'.")
    };
    shell
        .run(&["table", "step", "--columns", "run,"])
        .fails(2, &usage("", "--columns <COLUMNS>", "expected NAME,NAME"));
    assert_eq!(shell.run(&["table", "step", "--run", "job-c", "--columns", "run, step"]).lines()[0], "run,step");
    shell.run(&["runs", "--option", "=x"]).fails(2, &usage("=x", "--option <NAME=VALUE>", "expected NAME=VALUE"));
}

#[test]
fn a_name_of_a_run_must_fit_as_a_folder() {
    let shell = Shell::new();
    let ingest = |name: &str| shell.run(&["ingest", &profile("job-b"), "--run", name]);
    let fails = |name: &str, why: &str| {
        let hint = "give another name with --run";
        ingest(name).fails(2, &format!("error: cannot use `{name}` as the name of a run: {why}\n  hint:   {hint}"));
    };
    fails("  ", "it is blank");
    fails(
        &"é".repeat(34),
        "as the name of a folder it has 204 bytes, at most 200 are allowed; non-ASCII bytes and some signs count as 3",
    );
    let fits = "é".repeat(33);
    ingest(&fits).text();
    assert_eq!(shell.run(&["sql", "select run from run"]).text(), format!("run\n{fits}\n"));
}

/// A server that supports no method but GET. It answers `n` requests.
fn plain_server(n: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().take(n) {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let answer = "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

#[test]
fn a_web_server_without_webdav_has_its_own_message() {
    let address = plain_server(1);
    let output = Shell::new().run(&["ingest", &format!("{address}/jobs/job-7")]);
    let lines: Vec<&str> = output.err.lines().collect();
    assert_eq!(output.code, Some(3));
    assert_eq!(lines[0], format!("error: cannot list {address}/jobs/job-7: the server cannot list folders"));
    assert!(lines[1].starts_with("  cause:  ") && lines[1].contains("405 Method Not Allowed"), "{}", output.err);
    assert_eq!(
        lines[2..],
        [
            "  hint:   listing folders over http needs WebDAV (PROPFIND), which a plain web server does not support: serve the \
          folder with WebDAV or S3, or copy it"
        ]
    );
}
