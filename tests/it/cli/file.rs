//! The content of output files after a command that wrote them, or failed to.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::{CliOutput, Shell};

/// A query that fails when its third row is read.
const FAILS: &str = "select cast(name as bigint) as x from event";

/// The sorted names of the files in the folder.
fn names(shell: &Shell) -> Vec<String> {
    let entries = std::fs::read_dir(shell.folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_keeps_its_content_when_writing_fails() {
    let shell = Shell::golden();
    for file in ["x.csv", "x.json", "x.md", "x.parquet"] {
        std::fs::write(shell.path(file), "old").unwrap();
        assert_eq!(shell.run(&["sql", FAILS, "-o", file]).code, Some(2), "{file}");
        assert_eq!(shell.text_of(file), "old", "{file}");
    }
    assert_eq!(names(&shell), ["x.csv", "x.json", "x.md", "x.parquet"]);
}

#[test]
fn an_existing_file_with_the_temporary_name_is_not_touched() {
    let shell = Shell::golden();
    std::fs::write(shell.path("x.csv.part"), "mine").unwrap();
    assert_eq!(shell.run(&["sql", "select 1 as x", "-o", "x.csv"]).text(), "");
    assert_eq!((shell.text_of("x.csv"), shell.text_of("x.csv.part")), ("x\n1\n".to_owned(), "mine".to_owned()));
    assert_eq!(names(&shell), ["x.csv", "x.csv.part"]);
}

#[test]
fn a_file_keeps_its_permissions_and_links_are_followed() {
    let shell = Shell::golden();
    std::fs::write(shell.path("x.csv"), "old").unwrap();
    std::fs::set_permissions(shell.path("x.csv"), PermissionsExt::from_mode(0o600)).unwrap();
    symlink("x.csv", shell.path("link.csv")).unwrap();
    assert_eq!(shell.run(&["sql", "select 1 as x", "-o", "link.csv"]).text(), "");
    assert_eq!(shell.text_of("x.csv"), "x\n1\n");
    assert!(std::fs::symlink_metadata(shell.path("link.csv")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(shell.path("x.csv")).unwrap().permissions().mode() & 0o777, 0o600);

    std::fs::set_permissions(shell.path("x.csv"), PermissionsExt::from_mode(0o400)).unwrap();
    shell.run(&["sql", "select 2 as x", "-o", "x.csv"]).fails(4, "error: cannot write x.csv: it is read-only");
    assert_eq!(shell.text_of("x.csv"), "x\n1\n");
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    let shell = Shell::golden();
    symlink("/dev/null", shell.path("null")).unwrap();
    symlink("/dev/full", shell.path("full")).unwrap();
    assert_eq!(shell.run(&["sql", "select 1 as x", "-o", "null"]).text(), "");
    let full = "No space left on device (os error 28)";
    for format in ["csv", "json", "table", "markdown", "parquet"] {
        let output = shell.run(&["sql", "select 1 as x", "-o", "full", "--format", format]);
        output.fails(4, &format!("error: cannot write full: {full}"));
    }
    shell.run(&["figure", "step_timeline", "-o", "full"]).fails(4, &format!("error: cannot write full: {full}"));
    assert_eq!(names(&shell), ["full", "null"]);
    assert_eq!(std::fs::read_link(shell.path("full")).unwrap().to_str(), Some("/dev/full"));
}

#[test]
fn a_full_stdout_is_an_error() {
    let shell = Shell::golden();
    let program = env!("CARGO_BIN_EXE_tracelake");
    for arguments in ["sql 'select 1 as x'", "queries", "sql 'select 1 as x' --format table", "figure step_timeline"] {
        let script = format!("'{program}' {arguments} >/dev/full");
        let output = CliOutput::from(shell.command("bash").args(["-c", &script]).output().unwrap());
        output.fails(4, "error: cannot write to stdout: No space left on device (os error 28)");
    }
}

#[test]
fn lists_are_json_in_csv() {
    let shell = Shell::golden();
    let sql = "select [1, null] as l, ['a,b', 'c\"d'] as t, named_struct('n', 1) as s, cast(null as bigint[]) as no";
    assert_eq!(
        shell.run(&["sql", sql]).text(),
        "l,t,s,no\n\"[1,null]\",\"[\"\"a,b\"\",\"\"c\\\"\"d\"\"]\",\"{\"\"n\"\":1}\",\n"
    );
}

#[test]
fn a_long_table_is_written_in_blocks() {
    let shell = Shell::golden();
    let sql = "select value as n from generate_series(0, 2500) order by n";
    let lines = shell.run(&["sql", sql, "--format", "table"]).lines();
    assert_eq!((lines.len(), lines[0].as_str(), lines[2].as_str()), (3 + 2501, "   n", "   0"));
    assert_eq!((lines[1001].as_str(), lines[1002].as_str(), lines[2502].as_str()), (" 999", " 1000", " 2500"));
    let lines = shell.run(&["sql", sql, "--format", "markdown"]).lines();
    assert_eq!((lines.len(), lines[1].as_str(), lines[2502].as_str()), (2 + 2501, "|-----|", "| 2500 |"));
}

#[test]
fn control_characters_are_escaped_on_a_terminal() {
    let shell = Shell::golden();
    let sql = "select chr(27) || '[31mred' as t";
    assert_eq!(shell.run(&["sql", sql, "--format", "table"]).lines()[2], " \\u{1b}[31mred");
    // Other formats have the text unchanged.
    assert_eq!(shell.run(&["sql", sql]).text(), "t\n\u{1b}[31mred\n");
}
