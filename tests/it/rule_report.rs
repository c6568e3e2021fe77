//! Reports of rules: what comes out of real ones and of odd ones, and that what is written reads back.

#![expect(clippy::disallowed_methods, clippy::expect_used, reason = "a test reads its own input and may fail loudly")]

use serde_json::Value;
use tracelake::Request;
use tracelake::cli::rule_files;

use crate::decode::{Decoded, decode, shared};

const FOLDER: &str = "rule-output/ProfilerReport-1/profiler-output/profiler-reports";

fn read(name: &str, text: &str) -> Decoded {
    decode(&[(format!("{FOLDER}/{name}.json"), text.as_bytes().to_vec())], 7)
}

/// Lines `name:value` as JSON, done another way: from the end, with a map.
fn limits(lines: &str) -> Value {
    let pairs = lines.lines().map(|line| {
        let (name, value) = line.split_once(':').expect("a name");
        let number = value.parse::<f64>().ok().and_then(serde_json::Number::from_f64);
        let value = match number {
            Some(number) => Value::Number(number),
            None if value == "None" => Value::Null,
            None => Value::String(value.to_owned()),
        };
        (name.to_owned(), value)
    });
    Value::Object(pairs.collect())
}

/// The same with all numbers as doubles.
fn as_doubles(value: Value) -> Value {
    match value {
        Value::Number(number) => serde_json::json!(number.as_f64()),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, as_doubles(value))).collect(),
        other => other,
    }
}

#[test]
fn reports_of_smdebug_are_read_as_they_are() {
    let Some(root) = shared("reports_of_smdebug_are_read_as_they_are") else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(root.join("oracle/sagemaker/pt_small/rules")).expect("the oracle is there") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a report");
        let report = serde_json::from_str::<Value>(&text).expect("JSON")["report"].clone();
        let rule = path.file_name().expect("a name").to_string_lossy().split("__").next().expect("a rule").to_owned();
        for text in [report.to_string(), serde_json::to_string_pretty(&report).expect("JSON")] {
            let found = read(&rule, &text);
            assert_eq!(found.errors, []);
            assert!(found.problems().is_empty(), "{:?}", found.problems());
            assert_eq!(found.texts("rule_report", "rule"), std::slice::from_ref(&rule));
            for (member, column) in
                [("RuleTriggered", "times_triggered"), ("Violations", "violations"), ("Datapoints", "datapoints")]
            {
                assert_eq!(found.ints("rule_report", column), [report[member].as_i64()], "{rule}: {member}");
            }
            let json =
                |column| serde_json::from_str::<Value>(&found.texts("rule_report", column)[0]).expect("it is JSON");
            assert_eq!(json("details"), report["Details"], "{rule}");
            let expected = limits(report["RuleParameters"].as_str().expect("text"));
            assert_eq!(as_doubles(json("parameters")), as_doubles(expected), "{rule}");
        }
        seen += 1;
    }
    assert_eq!(seen, 21);
}

#[test]
fn odd_reports_give_what_there_is_and_a_problem() {
    for (text, row, problems) in [
        (r#"{"RuleTriggered":1,"Violations":2,"Datapoints":3}"#, "1 2 3 - -", ""),
        (r#"{"RuleTriggered":true,"Violations":null,"Datapoints":"3","Details":null}"#, "1 - 3 - -", ""),
        (r#"{"RuleTriggered":1,"Violations":2,"Violations":4,"Details":{}}"#, "1 4 - - {}", ""),
        (r#"{"RuleTriggered":1,"Details":{"p95":NaN}}"#, "1 - - - {\"p95\":null}", "mended"),
        (r#"{"RuleTriggered":1,"Violations":[2],"Datapoints":3}"#, "1 - 3 - -", "bad_value"),
        (r#"{"RuleTriggered":1,"Violations":99999999999999999999}"#, "1 - - - -", "bad_value"),
        (r#"{"RuleTriggered":1,"RuleParameters":"a:1\nb"}"#, "1 - - {\"a\":1} -", "bad_parameter"),
        (r#"{"RuleTriggered":1,"RuleParameters":["a:1"]}"#, "1 - - - -", "bad_value"),
        (r#"{"RuleTriggered":1,"Violations":2,"Details":{"a":"#, "1 2 - - -", "truncated"),
    ] {
        let found = read("Odd", text);
        let number = |column| found.ints("rule_report", column)[0].map_or("-".to_owned(), |value| value.to_string());
        let got = [
            number("times_triggered"),
            number("violations"),
            number("datapoints"),
            found.texts("rule_report", "parameters").concat(),
            found.texts("rule_report", "details").concat(),
        ];
        assert_eq!(got.join(" "), row, "{text}");
        assert_eq!(found.problems().into_keys().collect::<Vec<_>>().join(" "), problems, "{text}");
        assert_eq!(found.errors, [], "{text}");
    }
    for text in ["[1]", "{}", "{\"a\": 1}", "<html>", "{\"RuleTriggered\""] {
        let found = read("Odd", text);
        assert_eq!((found.count("rule_report"), found.errors.len()), (0, 1), "{text}");
    }
    assert_eq!(read("Odd", " \n").problems().into_keys().collect::<Vec<_>>(), ["empty_file"]);
}

#[test]
fn a_file_without_end_is_read_in_bounds() {
    let begin = r#"{"RuleTriggered": 5, "Violations": 15692, "Details": {"step_numbers": ["#;
    let mut bytes = begin.as_bytes().to_vec();
    bytes.resize(17 << 20, b'1');
    let found = decode(&[(format!("{FOLDER}/StepOutlier.json"), bytes)], 1 << 20);
    assert_eq!(found.ints("rule_report", "violations"), [Some(15692)]);
    assert!(found.message("truncated").contains("more than 16777216 bytes"), "{}", found.message("truncated"));
}

#[test]
fn what_is_written_reads_back_and_agrees() {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/first_look/profiler-output");
    let session = tracelake::create(folder.path().join("lake").to_str().expect("a name")).expect("a lake");
    let ingest = |url: &str| {
        let request = Request { url: url.to_owned(), run: Some("job".to_owned()), ..Request::default() };
        session.ingest(request, None).expect("it is read").remove(0)
    };
    ingest(profile);
    for defaults in ["history", "rulesconfig", "docs"] {
        let reports = folder.path().join("mine");
        let written = rule_files(&session, "job", defaults, &reports).expect("reports");
        // Found by what stands in them: the folder says nothing.
        let report = ingest(reports.to_str().expect("a name"));
        assert_eq!((report.failed, report.ignored), (0, 0));
        let compared = session.query::<i64>("rules.compared", &[]).expect("they are compared");
        let text = compared.to_csv().expect("text");
        assert_eq!(compared.rows().expect("rows"), written.len(), "{defaults}");
        let why = compared.column::<String>("why").expect("why");
        assert!(why.iter().all(Option::is_none), "{defaults}: {text}");
        let agrees = compared.column::<bool>("agrees").expect("agrees");
        assert!(agrees.iter().all(|agrees| *agrees == Some(true)), "{defaults}: {text}");
    }
    // By other limits both are named.
    let other = session.query("rules.compared", &[("defaults", "history")]).expect("they are compared");
    let rules = other.column::<String>("rule").expect("rules");
    let io = rules.iter().position(|rule| rule.as_deref() == Some("IOBottleneck")).expect("it is there");
    let limit = |column: &str| {
        let parameters = other.value::<String>(io, column).expect("a column").expect("limits");
        serde_json::from_str::<Value>(&parameters).expect("JSON")["gpu_threshold"].as_f64()
    };
    assert_eq!((limit("reported_parameters"), limit("parameters")), (Some(70.0), Some(10.0)));
}
