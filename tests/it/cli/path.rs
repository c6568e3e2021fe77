//! Paths of profiles in place of names of runs.

use super::{Shell, profile};

/// A shell with the profiles `old/trace` and `new/trace`, which are copies of golden profiles.
fn with_profiles() -> Shell {
    let shell = Shell::new();
    for (name, golden) in [("old", "job-b"), ("new", "job-c")] {
        let folder = shell.path(name).join("trace");
        std::fs::create_dir_all(&folder).unwrap();
        copy(profile(golden).as_ref(), &folder);
    }
    shell
}

fn copy(source: &std::path::Path, destination: &std::path::Path) {
    std::fs::create_dir_all(destination).unwrap();
    for entry in std::fs::read_dir(source).unwrap().map(Result::unwrap) {
        let (path, target) = (entry.path(), destination.join(entry.file_name()));
        if path.is_dir() { copy(&path, &target) } else { _ = std::fs::copy(path, target).unwrap() }
    }
}

const RUNS: &str = "select distinct run from object order by run";

impl Shell {
    /// Stdout of a call, and the last note on its stderr.
    #[track_caller]
    fn noted(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        assert!(matches!(output.code, Some(0 | 1 | 6)), "{}", output.err);
        let note = output.err.lines().rfind(|line| line.starts_with("note: ")).unwrap_or_default().to_owned();
        (String::from_utf8(output.out).unwrap(), note)
    }

    fn note(&self, path: &str, run: &str, lake: &str) -> String {
        let lake = std::fs::canonicalize(self.path(lake)).unwrap();
        format!("note: {path} is stored as run `{run}` in lake {}", lake.display())
    }
}

#[test]
fn every_command_takes_a_path_and_names_the_lake() {
    let shell = with_profiles();
    let path = "old/trace";
    let calls: &[&[&str]] = &[
        &["diagnose", path],
        &["query", "step.duration", path],
        &["query", "step.duration", "--run", path],
        &["explain", "step.duration", path],
        &["explain", "select count(*) from step", path],
        &["sql", "select 1", "--on", path],
        &["table", "object", path],
        &["files", "sample", path],
        &["figure", "step_timeline", path],
        &["report", path],
        &["gate", "--candidate", path, "--max-loader-ratio", "1"],
        &["rules", path, "-o", "rules"],
        &["export", path],
        &["baseline", "main", path],
    ];
    for call in calls {
        assert_eq!(shell.noted(call).1, shell.note(path, "trace", "home"), "{call:?}");
    }
    assert_eq!(shell.run(&["sql", RUNS]).text(), "run\ntrace\n");
}

#[test]
fn two_profiles_of_one_name_are_two_runs() {
    let shell = with_profiles();
    let (out, note) = shell.noted(&["compare", "old/trace", "new/trace"]);
    assert!(out.starts_with("run,subject,"), "{out}");
    assert_eq!(note, shell.note("new/trace", "new-trace", "home"));
    // Another call finds the same runs, also after one was renamed.
    shell.run(&["rename", "trace", "base"]).text();
    assert_eq!(
        shell.noted(&["sql", RUNS, "--on", "old/trace"]),
        ("run\nbase\n".to_owned(), shell.note("old/trace", "base", "home"))
    );
    assert_eq!(shell.run(&["sql", RUNS]).text(), "run\nbase\nnew-trace\n");
}

#[test]
fn profiles_of_a_pattern_with_used_names_get_other_names() {
    let shell = with_profiles();
    for run in ["old", "new"] {
        shell.run(&["ingest", &profile("job-a"), "--run", run]).lines();
    }
    let (out, _) =
        shell.noted(&["sql", "select run, count(*) as n from object group by run order by run", "--on", "./*/trace"]);
    let runs: Vec<&str> = out.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(runs, ["old-trace", "trace"]);
    assert_eq!(shell.run(&["sql", "select run from run where sources like '%,%'"]).text(), "run\n");
}

#[test]
fn processes_that_read_two_profiles_of_one_name_create_two_runs() {
    let shell = with_profiles();
    std::thread::scope(|scope| {
        for path in ["old/trace", "new/trace"] {
            scope.spawn(|| shell.noted(&["sql", RUNS, "--on", path]));
        }
    });
    assert_eq!(shell.run(&["sql", "select count(*) as n from run"]).text(), "n\n2\n");
}

#[test]
fn a_profile_and_its_folder_are_one_run() {
    let shell = Shell::new();
    copy(profile("job-b").as_ref(), &shell.path("job/profiler-output"));
    shell.noted(&["diagnose", "job/profiler-output"]);
    assert_eq!(shell.noted(&["sql", RUNS, "--on", "job"]).0, "run\njob\n");
    assert_eq!(shell.run(&["sql", "select count(*) as n from object"]).text(), "n\n1\n");
}

#[test]
fn a_run_wins_over_a_baseline_of_its_name() {
    let shell = with_profiles();
    shell.noted(&["baseline", "main", "old/trace"]);
    shell.run(&["ingest", "new/trace", "--run", "main"]).lines();
    assert_eq!(shell.run(&["sql", RUNS, "--on", "run:main"]).text(), "run\nmain\n");
    assert_eq!(shell.run(&["sql", RUNS, "--on", "main"]).text(), "run\nmain\n");
}

#[test]
fn an_empty_lake_argument_means_the_default_lake() {
    let shell = with_profiles().with("TRACELAKE_LAKE", "other");
    shell.noted(&["--lake", "", "diagnose", "old/trace"]);
    assert!(shell.path("home/_manifest").is_dir() && !shell.path("other").exists());
}

#[test]
fn passwords_in_urls_are_not_printed() {
    let output = Shell::new().run(&["--lake", "https://me:secret@127.0.0.1:9/x?sig=secret", "runs"]);
    assert!(
        !output.err.contains("secret") && output.err.starts_with("error: cannot open lake https://127.0.0.1:9/x: "),
        "{}",
        output.err
    );
}

#[test]
fn sql_on_paths_reads_only_their_rows() {
    let shell = with_profiles();
    shell.run(&["ingest", &profile("job-a")]).lines();
    assert_eq!(shell.noted(&["sql", RUNS, "--on", "old/trace", "--on", "new/trace"]).0, "run\nnew-trace\ntrace\n");
    let (out, err) = shell.noted(&["sql", RUNS, "--on", "./*/trace"]);
    assert_eq!(out, "run\nnew-trace\ntrace\n");
    assert!(err.starts_with("note: ./*/trace is stored as 2 runs in lake /"), "{err}");
    assert_eq!(shell.run(&["sql", RUNS, "--on", "job-a"]).text(), "run\njob-a\n");
}

#[test]
fn an_ephemeral_call_stores_nothing() {
    let shell = with_profiles();
    let rows = shell.run(&["--ephemeral", "query", "loader.share", "new/trace"]);
    assert_eq!((rows.code, shell.path("home").exists()), (Some(0), false), "{}", rows.err);
    shell.run(&["--lake", "new/trace", "--ephemeral", "sql", RUNS]).lines();
    assert!(!shell.path("home").exists());
    let hint = "hint:   give the path of a profile: with --ephemeral, a command sees only the profiles that it reads";
    for (call, what) in [
        (&["--ephemeral", "runs"][..], "no profile is given"),
        (&["--ephemeral", "compare", "old/trace", "base"], "`base` is not the path of a profile"),
        (&["--ephemeral", "baseline", "main", "old/trace"], "`baseline` stores a name in the lake"),
    ] {
        shell.run(call).fails(2, &format!("error: cannot use --ephemeral: {what}\n  {hint}"));
    }
    shell.run(&["--ephemeral", "ingest", "new/trace"]).fails(
        2,
        "error: cannot use --ephemeral: `ingest` stores rows in the lake\n  \
         hint:   use --dry-run, or give the path to another command: `tracelake --ephemeral diagnose PATH`",
    );
}

#[test]
fn a_named_lake_is_never_created_by_a_command_that_reads() {
    let shell = with_profiles();
    shell.run(&["--lake", "mylake", "diagnose", "old/trace"]).fails(
        4,
        "error: cannot open lake mylake: there is no such file or folder\n  \
         hint:   create a lake there with `tracelake --lake mylake ingest PROFILE`",
    );
    assert!(!shell.path("mylake").exists() && !shell.path("home").exists());
    shell.run(&["--lake", "mylake", "ingest", "new/trace"]).lines();
    let note = shell.noted(&["--lake", "mylake", "diagnose", "old/trace"]).1;
    assert_eq!(note, shell.note("old/trace", "old-trace", "mylake"));
    assert!(!shell.path("home").exists());
    // A profile in place of the lake is read into the default lake, and a note reports it.
    assert_eq!(shell.noted(&["--lake", "old/trace", "sql", RUNS]).1, shell.note("old/trace", "trace", "home"));
}

#[test]
fn the_default_lake_is_created_only_for_a_profile() {
    let shell = Shell::new();
    assert_eq!(shell.run(&["sql", RUNS]).code, Some(0));
    shell.run(&["query", "step.duration", "old"]).fails(3, "error: no run or baseline `old`");
    assert!(!shell.path("home").exists());
}

#[test]
fn a_name_that_is_a_run_and_a_path_is_an_error() {
    let shell = with_profiles();
    shell.run(&["ingest", "new/trace", "--run", "old"]).lines();
    shell.run(&["diagnose", "old"]).fails(
        2,
        "error: cannot choose between run and path: `old` is both\n  \
         hint:   write ./old for the path, run:old for the run",
    );
    assert_eq!(shell.run(&["sql", RUNS, "--on", "run:old"]).text(), "run\nold\n");
    assert_eq!(shell.noted(&["sql", RUNS, "--on", "./old/trace"]).0, "run\ntrace\n");
    // A name that is both the run and the path of its profile is not ambiguous.
    let shell = with_profiles();
    assert_eq!(shell.noted(&["sql", RUNS, "--on", "old"]), ("run\nold\n".to_owned(), shell.note("old", "old", "home")));
    assert_eq!(shell.run(&["sql", RUNS, "--on", "old"]).text(), "run\nold\n");
}

#[test]
fn missing_and_empty_paths_are_errors() {
    let shell = Shell::new();
    std::fs::create_dir(shell.path("empty")).unwrap();
    let fails = |path: &str, err: &str| shell.run(&["diagnose", path]).fails(3, err);
    fails("missing/", "error: cannot read missing/: there is no such file or folder");
    fails("./missing", "error: cannot read ./missing: there is no such file or folder");
    fails("empty", "error: cannot read empty: the folder is empty");
}

#[cfg(unix)]
#[test]
fn a_page_is_shown_in_the_browser() {
    use std::os::unix::fs::PermissionsExt;
    let shell = with_profiles();
    // A browser that writes the URL of the page to a file.
    let browser = shell.path("browser");
    std::fs::write(&browser, format!("#!/bin/sh\nprintf '%s' \"$1\" > {}\n", shell.path("shown").display())).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let shell = shell.with("BROWSER", browser.to_str().unwrap());
    for call in [&["report", "old/trace", "--open"][..], &["figure", "all", "new/trace", "--open", "-o", "page.html"]] {
        let _ = std::fs::remove_file(shell.path("shown"));
        let (out, _) = shell.noted(call);
        let file = out.trim().strip_prefix("wrote ").unwrap().to_owned();
        let page = std::fs::read_to_string(shell.folder.path().join(&file)).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>"), "{call:?}");
        for _ in 0..200 {
            if std::fs::read_to_string(shell.path("shown")).is_ok_and(|shown| !shown.is_empty()) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let shown = shell.text_of("shown");
        assert!(shown.starts_with("file:///") && shown.ends_with(file.trim_start_matches('/')), "{shown} {file}");
        if file.starts_with('/') {
            std::fs::remove_file(file).unwrap();
        }
    }
    shell.run(&["figure", "step_timeline", "old/trace", "--open", "-o", "figure.json"]).fails(
        2,
        "error: cannot show this file in the browser: --open shows only HTML pages\n  \
         hint:   write a page: -o page.html",
    );
}
