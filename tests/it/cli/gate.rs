//! `compare`, `baseline` and `gate`.

use super::Shell;

/// A profile of 200 steps of about 10 ms, in the format of SageMaker's hook.
///
/// Each step has 2 % noise, and `level` scales all steps of the run.
fn profile_text(level: f64, seed: u64) -> String {
    let mut state = seed;
    let mut ts = 0;
    let mut events = vec![
        r#"{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1600000200000000}}"#
            .to_owned(),
        r#"{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}}"#.to_owned(),
    ];
    for step in 0..200 {
        let mut normal = -6.0;
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            normal += (state >> 11) as f64 / (1_u64 << 53) as f64;
        }
        #[expect(clippy::cast_possible_truncation, reason = "about 10,000")]
        let dur = (10_000.0 * level * (0.02 * normal).exp()).round() as i64;
        events.push(format!(
            r#"{{"name": "Step:ModeKeys.TRAIN", "pid": 1, "ph": "X", "ts": {ts}, "dur": {dur}, "args": {{"pid": 70, "step_num": "{step}"}}}}"#
        ));
        ts += dur;
    }
    format!("[\n{}\n]\n", events.join(",\n"))
}

/// A shell with three runs in its lake: `before`, `same` (0.5 % slower by noise), and `slow` (5 % slower code).
fn shell_with_runs() -> Shell {
    let shell = Shell::new();
    for (run, level, seed) in [("before", 1.0, 1), ("same", 1.005, 2), ("slow", 1.05, 3)] {
        let folder = shell.path(&format!("{run}/framework/pevents/2020091312"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("1600000210000000_0-algo-1_pythontimeline.json"), profile_text(level, seed))
            .unwrap();
        let output = shell.run(&["ingest", run, "--run", run, "--tag", &format!("commit=c-{run}")]);
        assert_eq!(output.code, Some(0), "{}", output.err);
    }
    shell
}

#[test]
fn the_same_code_does_not_fail_and_slower_code_does() {
    let shell = shell_with_runs();
    let gate = |candidate: &str, more: &[&str]| {
        let limits = ["gate", "--baseline", "before", "--candidate", candidate, "--max-regression", "1.02"];
        shell.run(&[&limits[..], more].concat())
    };
    let same = gate("same", &[]);
    assert_eq!(same.code, Some(6), "{}", same.err);
    let text = String::from_utf8(same.out).unwrap();
    let end = "inconclusive: same against before, 0 of 1 limits met, 1 inconclusive\n";
    assert!(text.starts_with("inconclusive median step: ") && text.ends_with(end), "{text}");
    assert_eq!(gate("same", &["--inconclusive", "fail"]).code, Some(1));
    gate("same", &["--inconclusive", "pass"]).text();
    assert_eq!(gate("same", &["--inconclusive", "ok"]).code, Some(2));
    let wide = ["gate", "--baseline", "before", "--candidate", "same", "--max-regression", "1.1"];
    assert!(shell.run(&wide).text().ends_with("pass: same against before, 1 of 1 limits met\n"));
    let percent = gate("same", &["--max-loader-ratio", "5"]);
    assert_eq!(percent.code, Some(2));
    assert!(
        percent.err.contains(
            "cannot use rule `waiting for data`: `max` is 5, expected a ratio from 0 to 1; write 0.05 for 5 %"
        ),
        "{}",
        percent.err
    );
    let slow = gate("commit=c-slow", &["--junit", "out.xml", "--markdown", "out.md"]);
    assert_eq!((slow.code, slow.err.as_str()), (Some(1), ""));
    let text = String::from_utf8(slow.out).unwrap();
    assert!(text.starts_with("fail         median step: "), "{text}");
    assert!(text.contains("; at most +2 % allowed\n"), "{text}");
    assert!(shell.text_of("out.xml").contains("<failure type=\"fail\" message=\""));
    assert!(shell.text_of("out.md").contains("| **fail** | median step |"));
    let json = gate("slow", &["--json", "-"]);
    assert_eq!(json.code, Some(1));
    assert!(String::from_utf8(json.out).unwrap().contains("\"passed\": false"));
}

#[test]
fn rules_are_read_from_a_file_and_wrong_rules_are_errors() {
    let shell = shell_with_runs();
    shell.run(&["baseline", "main", "before", "same"]).text();
    assert_eq!(shell.run(&["baseline"]).lines(), ["main: before, same"]);
    let rules = "noise = 0.001\n[[rule]]\nquery = \"step.over_time\"\ncolumn = \"dur\"\naggregate = \"p50\"\nwhere = \"step >= 10\"\n\
                 max_ratio = 1.02\n\n[[rule]]\nname = \"few outliers\"\nquery = \"step.outliers\"\ncolumn = \"step\"\n\
                 aggregate = \"count\"\nmax = 3\n\n[[rule]]\nname = \"busy\"\nquery = \"utilization.summary\"\n\
                 column = \"mean\"\nwhere = \"resource = 'gpu'\"\nmin = 50\nmissing = \"pass\"\n";
    let gate = |rules: &str, candidate: &str| {
        std::fs::write(shell.path("rules.toml"), rules).unwrap();
        shell.run(&["gate", "--baseline", "main", "--candidate", candidate, "--rules", "rules.toml"])
    };
    let lines = gate(rules, "same").lines();
    assert!(lines[0].starts_with("pass         p50 of dur of step.over_time: "), "{lines:?}");
    assert_eq!(lines[1], "pass         few outliers: 0; at most 3 allowed");
    assert_eq!(lines[2], "no_data      busy: the candidate has no such value");
    assert_eq!(lines[3], "pass: same against 2 runs (before to same), 2 of 3 limits met, 1 had no data");
    assert_eq!(gate(&rules.replace("missing = \"pass\"\n", ""), "same").code, Some(6));
    assert_eq!(gate(rules, "slow").code, Some(1));
    for (text, replacement, expected) in [
        (
            "\"dur\"",
            "\"durr\"",
            "cannot use rule `p50 of durr of step.over_time`: no column `durr`; did you mean `dur`?",
        ),
        (
            "step.outliers",
            "step.outlier",
            "cannot use rule `few outliers`: no query `step.outlier`; did you mean `step.outliers`?",
        ),
        (
            "aggregate = \"p50\"",
            "agregate = \"p50\"",
            "cannot use rule 1: no key `agregate`; did you mean `aggregate`?",
        ),
    ] {
        let output = gate(&rules.replace(text, replacement), "same");
        assert_eq!(output.code, Some(2));
        assert!(output.err.starts_with(&format!("error: {expected}")), "{}", output.err);
    }
    gate(rules, "sane").fails(3, "error: no run or baseline `sane`; did you mean `same`?");
    shell
        .run(&["gate", "--candidate", "same", "--max-regression", "1.02"])
        .fails(2, "error: cannot use rule `median step`: it needs a baseline, and none is given");
    shell.run(&["gate", "--candidate", "same"]).fails(
        2,
        "error: cannot check the runs: there are no rules\n  \
         hint:   give a file with --rules rules.toml, or a limit such as --max-regression 1.02",
    );
}

#[test]
fn compare_lists_what_changed() {
    let shell = shell_with_runs();
    let output = shell.run(&["compare", "before", "slow"]);
    // The sentence is on stderr, so that stdout has only rows.
    let sentence = "slow is 1.05x slower than before (mean step 10 ms to 10.5 ms, 95 % CI 1.03 to 1.07); other +506 us a step explains it\n";
    assert_eq!((output.code, output.err.as_str()), (Some(0), sentence));
    let rows: Vec<String> = String::from_utf8(output.out).unwrap().lines().map(str::to_owned).collect();
    let median = rows.iter().find(|row| row.starts_with("slow,step,train,p50,ns,")).unwrap();
    assert!(median.contains(",true,") && median.contains(",slower,1,1,"), "{median}");
    let rows = shell.run(&["compare", "before,slow", "commit=c-same", "--format", "markdown"]).lines();
    assert!(rows[0].starts_with("same is "), "{}", rows[0]);
    assert!(
        rows.iter()
            .any(|row| row.replace(' ', "").starts_with("|same|step|train|p50|")
                && row.replace(' ', "").contains("|2|1|")),
        "{rows:?}"
    );
}
