//! Reports of SageMaker rules: the rows of real and of malformed reports, and a round trip of written ones.

#![expect(clippy::disallowed_methods, clippy::expect_used, reason = "a test reads its own input and may fail loudly")]

use serde_json::Value;
use tracelake::Request;
use tracelake::cli::write_rule_reports;

use crate::decode::{Decoded, decode, shared};

const FOLDER: &str = "rule-output/ProfilerReport-1/profiler-output/profiler-reports";

fn read(name: &str, text: &str) -> Decoded {
    decode(&[(format!("{FOLDER}/{name}.json"), text.as_bytes().to_vec())], 7)
}

/// Converts lines `name:value` to JSON, independently of the decoder.
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

/// The same value with all numbers as doubles.
fn as_doubles(value: Value) -> Value {
    match value {
        Value::Number(number) => serde_json::json!(number.as_f64()),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, as_doubles(value))).collect(),
        other => other,
    }
}

#[test]
fn smdebug_reports_are_read_unchanged() {
    let Some(root) = shared("smdebug_reports_are_read_unchanged") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(root.join("oracle/sagemaker/pt_small/rules")).expect("the oracle is there") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a report");
        let report = serde_json::from_str::<Value>(&text).expect("JSON")["report"].clone();
        let rule = path.file_name().expect("a name").to_string_lossy().split("__").next().expect("a rule").to_owned();
        for text in [report.to_string(), serde_json::to_string_pretty(&report).expect("JSON")] {
            let decoded = read(&rule, &text);
            assert_eq!(decoded.errors, []);
            assert!(decoded.problems().is_empty(), "{:?}", decoded.problems());
            assert_eq!(decoded.texts("rule_report", "rule"), std::slice::from_ref(&rule));
            for (member, column) in
                [("RuleTriggered", "times_triggered"), ("Violations", "violations"), ("Datapoints", "datapoints")]
            {
                assert_eq!(decoded.ints("rule_report", column), [report[member].as_i64()], "{rule}: {member}");
            }
            let json =
                |column| serde_json::from_str::<Value>(&decoded.texts("rule_report", column)[0]).expect("it is JSON");
            assert_eq!(json("details"), report["Details"], "{rule}");
            let expected = limits(report["RuleParameters"].as_str().expect("text"));
            assert_eq!(as_doubles(json("parameters")), as_doubles(expected), "{rule}");
        }
        count += 1;
    }
    assert_eq!(count, 21);
}

#[test]
fn malformed_reports_give_their_readable_fields_and_a_problem() {
    for (text, row, problems) in [
        (r#"{"RuleTriggered":1,"Violations":2,"Datapoints":3}"#, "1 2 3 - -", ""),
        (r#"{"RuleTriggered":true,"Violations":null,"Datapoints":"3","Details":null}"#, "1 - 3 - -", ""),
        (r#"{"RuleTriggered":1,"Violations":2,"Violations":4,"Details":{}}"#, "1 4 - - {}", ""),
        (r#"{"RuleTriggered":1,"Details":{"p95":NaN}}"#, "1 - - - {\"p95\":null}", "repaired"),
        (r#"{"RuleTriggered":1,"Violations":[2],"Datapoints":3}"#, "1 - 3 - -", "bad_value"),
        (r#"{"RuleTriggered":1,"Violations":99999999999999999999}"#, "1 - - - -", "bad_value"),
        (r#"{"RuleTriggered":1,"RuleParameters":"a:1\nb"}"#, "1 - - {\"a\":1} -", "bad_parameter"),
        (r#"{"RuleTriggered":1,"RuleParameters":["a:1"]}"#, "1 - - - -", "bad_value"),
        (r#"{"RuleTriggered":1,"Violations":2,"Details":{"a":"#, "1 2 - - -", "truncated"),
    ] {
        let decoded = read("Odd", text);
        let number = |column| decoded.ints("rule_report", column)[0].map_or("-".to_owned(), |value| value.to_string());
        let got = [
            number("times_triggered"),
            number("violations"),
            number("datapoints"),
            decoded.texts("rule_report", "parameters").concat(),
            decoded.texts("rule_report", "details").concat(),
        ];
        assert_eq!(got.join(" "), row, "{text}");
        assert_eq!(decoded.problems().into_keys().collect::<Vec<_>>().join(" "), problems, "{text}");
        assert_eq!(decoded.errors, [], "{text}");
    }
    for text in ["[1]", "{}", "{\"a\": 1}", "<html>", "{\"RuleTriggered\""] {
        let decoded = read("Odd", text);
        assert_eq!((decoded.count("rule_report"), decoded.errors.len()), (0, 1), "{text}");
    }
    assert_eq!(read("Odd", " \n").problems().into_keys().collect::<Vec<_>>(), ["empty_file"]);
}

#[test]
fn an_unterminated_file_is_read_up_to_a_limit() {
    let begin = r#"{"RuleTriggered": 5, "Violations": 15692, "Details": {"step_numbers": ["#;
    let mut bytes = begin.as_bytes().to_vec();
    bytes.resize(17 << 20, b'1');
    let decoded = decode(&[(format!("{FOLDER}/StepOutlier.json"), bytes)], 1 << 20);
    assert_eq!(decoded.ints("rule_report", "violations"), [Some(15692)]);
    assert!(decoded.message("truncated").contains("more than 16777216 bytes"), "{}", decoded.message("truncated"));
}

#[test]
fn written_reports_are_read_back_and_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/first_look/profiler-output");
    let session = tracelake::create(folder.path().join("lake").to_str().expect("a name")).expect("a lake");
    let ingest = |url: &str| {
        let request = Request { url: url.to_owned(), run: Some("job".to_owned()), ..Request::default() };
        session.ingest(request).expect("it is read").remove(0)
    };
    ingest(profile);
    for defaults in ["history", "rulesconfig", "docs"] {
        let reports = folder.path().join("mine");
        let files = write_rule_reports(&session, "job", defaults, &reports).expect("reports");
        // The reports are recognized by their content, because the folder does not have the usual name.
        let report = ingest(reports.to_str().expect("a name"));
        assert_eq!((report.failed, report.ignored), (0, 0));
        let compared = session.query("rules.compared", ()).expect("they are compared");
        let text = compared.to_csv().expect("text");
        assert_eq!(compared.len().expect("rows"), files.len(), "{defaults}");
        let why = compared.column::<String>("why").expect("why");
        assert!(why.iter().all(Option::is_none), "{defaults}: {text}");
        let agrees = compared.column::<bool>("agrees").expect("agrees");
        assert!(agrees.iter().all(|agrees| *agrees == Some(true)), "{defaults}: {text}");
    }
    // Where the limits differ, the result has both.
    let other = session.query("rules.compared", [("defaults", "history")]).expect("they are compared");
    let rules = other.column::<String>("rule").expect("rules");
    let io = rules.iter().position(|rule| rule.as_deref() == Some("IOBottleneck")).expect("it is there");
    let limit = |column: &str| {
        let parameters = other.value::<String>(io, column).expect("a column").expect("limits");
        serde_json::from_str::<Value>(&parameters).expect("JSON")["gpu_threshold"].as_f64()
    };
    assert_eq!((limit("reported_parameters"), limit("parameters")), (Some(70.0), Some(10.0)));
}
