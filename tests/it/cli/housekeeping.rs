//! `delete`, `tag`, `check` and `vacuum` in a shell.

use super::{CliOutput, Shell, profile};

/// The note on stderr of a call that succeeded and has no rows.
fn note_without_rows(output: CliOutput) -> String {
    assert_eq!((output.code, String::from_utf8(output.out).unwrap().lines().count()), (Some(0), 1));
    output.err.trim_end().to_owned()
}

#[test]
fn a_lake_is_cleaned_up_from_a_shell() {
    let shell = Shell::new();
    let call = |arguments: &[&str]| shell.run(arguments);
    call(&["ingest", &profile("job-a")]).text();
    assert_eq!(
        note_without_rows(call(&["check", "--format", "csv"])),
        "no rows: the files of the lake match its manifests"
    );
    assert_eq!(call(&["tag", "job-a", "commit=3fa2", "who=me"]).text(), "");
    assert_eq!(call(&["tag", "job-a", "--remove", "who"]).text(), "");
    let tags = "select key, value from run_attribute where object = -1";
    assert_eq!(call(&["sql", tags, "--format", "csv"]).text(), "key,value\ncommit,3fa2\n");
    let twice = call(&["tag", "job-a", "who=me", "--remove", "who"]);
    assert_eq!(twice.code, Some(2));
    assert_eq!(twice.err, "error: cannot tag run `job-a`: tag `who` is both set and removed\n");

    assert_eq!(call(&["delete", "commit=3fa2", "--dry-run"]).text(), "would delete job-a\n");
    assert_eq!(call(&["delete", "--older-than", "100000d"]).text(), "");
    let bad = call(&["delete", "--older-than", "90"]);
    assert!(bad.code == Some(2) && bad.err.contains("expected a whole number and one of s, m, h, d, w"), "{}", bad.err);
    assert_eq!(call(&["delete"]).code, Some(2));
    assert_eq!(call(&["delete", "--older-than", "1d"]).text(), "deleted job-a\n");
    assert_eq!(call(&["delete", "job-a"]).code, Some(3));

    assert_eq!(
        note_without_rows(call(&["vacuum", "--format", "csv"])),
        "no rows: there are no unused files of this age"
    );
    let unlisted = call(&["check", "--no-read", "--format", "csv"]).text();
    assert!(unlisted.lines().skip(1).all(|line| line.starts_with("unlisted,false,")) && unlisted.lines().count() > 3);
    let dry = call(&["vacuum", "--older-than", "0s", "--dry-run", "--format", "csv"]).text();
    assert_eq!(call(&["vacuum", "--older-than", "0s", "--format", "csv"]).text(), dry);
    assert!(dry.starts_with("kind,path,bytes,modified\n") && dry.contains("part,step/"));
    note_without_rows(call(&["check", "--format", "csv"]));
}

#[test]
fn the_exit_code_shows_whether_rows_are_lost() {
    let shell = Shell::new();
    let call = |arguments: &[&str]| shell.run(arguments);
    call(&["ingest", &profile("job-a")]).text();
    let part = call(&["files", "step"]).lines().remove(0);
    std::fs::remove_file(part).unwrap();
    let output = call(&["check", "--format", "csv"]);
    assert_eq!(output.code, Some(1));
    let out = String::from_utf8(output.out).unwrap();
    assert!(out.contains("missing,true,job-a,step/") && out.contains("rows of table step are lost"), "{out}");
}
