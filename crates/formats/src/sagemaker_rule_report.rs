//! Reports of the profiler rules of SageMaker Debugger, into `rule_report`: findings that a job got while it ran.
//!
//! A rule writes one JSON object, `<Rule>.json`, and rewrites it while the job runs. The last version stays in
//! `rule-output/` of the job. `Session::rule_reports` writes the same format. A file is one report and one row.
//!
//! # Source
//! The reports of `smdebug` 1.0's profiler rules, from the public history of `awslabs/sagemaker-debugger`;
//! `awsdocs/amazon-sagemaker-developer-guide`, `doc_source/debugger-profiling-report.md`, for the folders.

use std::borrow::Cow;
use std::sync::Arc;

use super::number::parse_scaled;
use super::position::Position;
use super::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream, file_name, json, secret};
use crate::error::Result;
use crate::table::{Rows, RuleReport, Severity};

/// Reports of the profiler rules.
#[derive(Debug)]
pub struct SagemakerRuleReport;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "sagemaker_rule_report",
    doc: "reports of the profiler rules of SageMaker Debugger, from its jobs or written by tracelake",
    files: "rule-output/<ProfilerReport>/profiler-output/profiler-reports/<Rule>.json",
    tables: &["rule_report"],
    fields: &[
        ("name of the file", "rule_report.rule"),
        ("RuleTriggered", "rule_report.times_triggered"),
        ("Violations", "rule_report.violations"),
        ("Datapoints", "rule_report.datapoints"),
        ("RuleParameters: a line `name:value` each", "rule_report.parameters as JSON, None as null"),
        ("Details", "rule_report.details"),
    ],
    not_read: &[
        "profiler-report.html, profiler-report.ipynb: pages that show the same reports",
        "the single values in Details: they differ for each rule",
        "content of a file beyond 16 MiB",
    ],
    source: "awslabs/sagemaker-debugger, the profiler rules of the public history; awsdocs/amazon-sagemaker-developer-guide, doc_source/debugger-profiling-report.md",
    version: 1,
};

/// The members of a report. The first three are counts.
const MEMBERS: [&str; 5] = ["RuleTriggered", "Violations", "Datapoints", "RuleParameters", "Details"];

/// The number of bytes of a file that are read: a line of Details for each of 200,000 snapshots.
const MAX_FILE: usize = 16 << 20;

impl Format for SagemakerRuleReport {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let head = String::from_utf8_lossy(probe.head);
        let members = ReportMembers::parse(&head);
        let counts = members.raw.iter().take(3).flatten().count();
        // a long report may have only some counts in its first bytes
        counts == 3 || (members.error.is_some() && !members.has_others && counts > 0 && members.len() > 1)
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        let folder = object.path.rsplit('/').nth(1)?;
        (folder == "profiler-reports" && object.name().ends_with(".json")).then(|| Arc::clone(&object.path))
    }

    fn ignore_reason(&self, object: &ObjectInfo) -> Option<&'static str> {
        let is_page = matches!(object.name(), "profiler-report.html" | "profiler-report.ipynb");
        is_page.then_some("a page that shows the reports of the rules")
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(RuleReportDecoder::default()))
    }
}

/// The raw members of a report, in the order of [`MEMBERS`].
#[derive(Debug, Default)]
struct ReportMembers<'a> {
    raw: [Option<&'a str>; 5],
    /// Whether there are members of other names.
    has_others: bool,
    error: Option<serde_json::Error>,
}

impl<'a> ReportMembers<'a> {
    fn parse(text: &'a str) -> Self {
        let mut members = Self::default();
        let mut last = None;
        let read = json::visit_members(text, |key, raw| {
            last = MEMBERS.iter().position(|name| *name == key);
            match last {
                Some(index) => members.raw[index] = Some(raw),
                None => members.has_others = true,
            }
        });
        members.error = read.err();
        if let Some(index) = last.filter(|_| members.error.is_some()) {
            // a number at the end of a truncated text may be incomplete
            let end = text.as_bytes().as_ptr_range().end;
            members.raw[index] = members.raw[index].filter(|raw| raw.as_bytes().as_ptr_range().end < end);
        }
        members
    }

    fn len(&self) -> usize {
        self.raw.iter().flatten().count()
    }
}

/// Decodes one report.
#[derive(Debug, Default)]
struct RuleReportDecoder {
    path: Arc<str>,
    bytes: Vec<u8>,
    /// Whether the file is longer than [`MAX_FILE`].
    is_cut: bool,
}

impl Decoder for RuleReportDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        *self = Self { path: Arc::clone(&object.path), ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let bytes = std::mem::take(&mut self.bytes);
        let text = String::from_utf8_lossy(&bytes);
        if text.trim_ascii().is_empty() {
            rows.problem(Severity::Notice, "empty_file", None, || "the file is empty".to_owned());
            return Ok(());
        }
        if matches!(text, Cow::Owned(_)) {
            rows.repair("not_utf8", None, || "bytes that are not UTF-8 were replaced".to_owned());
        }
        let mut members = ReportMembers::parse(&text);
        // Python writes NaN in the details
        let repaired = members.error.as_ref().filter(|_| !self.is_cut).and_then(|_| crate::repair::repair_json(&text));
        if let Some(repaired) = &repaired {
            let repaired = ReportMembers::parse(repaired);
            if repaired.error.is_none() || repaired.len() > members.len() {
                rows.repair("repaired", None, || "not valid JSON; read anyway".to_owned());
                members = repaired;
            }
        }
        if members.len() == 0 {
            let why = match &members.error {
                Some(error) => format!("not JSON ({error})"),
                None => format!("none of {}", MEMBERS.join(", ")),
            };
            return Err(DESCRIPTOR.malformed(&self.path, &why));
        }
        if self.is_cut {
            let message = || format!("the file has more than {MAX_FILE} bytes; the rest was not read");
            rows.problem(Severity::Warning, "truncated", None, message);
        } else if let Some(error) = &members.error {
            let message = || format!("the report is truncated ({error}); read up to there");
            rows.problem(Severity::Warning, "truncated", None, message);
        }
        self.write(&members, rows);
        Ok(())
    }
}

impl Stream for RuleReportDecoder {
    fn push(&mut self, chunk: &[u8], _rows: &mut Rows) -> Result<()> {
        let remaining = MAX_FILE - self.bytes.len();
        self.is_cut |= chunk.len() > remaining;
        self.bytes.extend_from_slice(&chunk[..chunk.len().min(remaining)]);
        Ok(())
    }
}

impl RuleReportDecoder {
    fn write(&self, members: &ReportMembers<'_>, rows: &mut Rows) {
        let [times_triggered, violations, datapoints] =
            [0, 1, 2].map(|index| parse_count(MEMBERS[index], members.raw[index]?, rows));
        let parameters = members.raw[3].and_then(|raw| parse_parameters(raw, rows));
        let parameters = parameters.as_deref().map(|json| secret::mask_json_and_report(json, Position::START, rows));
        let details = members.raw[4].filter(|raw| *raw != "null").map(json::compact);
        let details = details.as_deref().map(|json| secret::mask_json_and_report(json, Position::START, rows));
        let name = file_name(&self.path);
        let rule = secret::mask_and_report(name.strip_suffix(".json").unwrap_or(name), Position::START, rows);
        rows.rule_report(&RuleReport {
            rule: Some(&rule),
            times_triggered,
            violations,
            datapoints,
            parameters: parameters.as_deref(),
            details: details.as_deref(),
            ..RuleReport::default()
        });
    }
}

/// Parses a count, which some rules write as boolean.
fn parse_count(name: &str, raw: &str, rows: &mut Rows) -> Option<i64> {
    let value = match raw {
        "null" => return None,
        "true" => Some(1),
        "false" => Some(0),
        raw => parse_scaled(json::number_text(raw), 0).value(),
    };
    if value.is_none() {
        rows.repair("bad_value", None, || format!("{name} is {}, expected a number", secret::quote_masked(raw)));
    }
    value
}

/// Converts lines `name:value` to a JSON object: numbers stay as they are, `None` becomes null, and all else becomes a
/// text. `None` if the report has no parameters.
fn parse_parameters(raw: &str, rows: &mut Rows) -> Option<String> {
    if raw == "null" {
        return None;
    }
    let Some(text) = json::unquote(raw) else {
        rows.repair("bad_value", None, || format!("RuleParameters is {}, expected lines", secret::quote_masked(raw)));
        return None;
    };
    let mut object = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Some((name, value)) = line.split_once(':') else {
            rows.skip("bad_parameter", None, || {
                format!("RuleParameters has {}, expected `name:value`", secret::quote_masked(line))
            });
            continue;
        };
        let mut quoted = String::new();
        let raw = match value.trim() {
            "None" | "" => "null",
            number if serde_json::from_str::<serde_json::Number>(number).is_ok() => number,
            text => {
                json::add_string(&mut quoted, text);
                &quoted
            }
        };
        json::add_member(&mut object, name.trim(), raw);
    }
    if object.is_empty() {
        object.push('{');
    }
    object.push('}');
    Some(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(head: &str) -> bool {
        let info = ObjectInfo { path: "somewhere/x.json".into(), ..ObjectInfo::default() };
        SagemakerRuleReport.sniff(&Probe { info: &info, head: head.as_bytes(), tail: b"" })
    }

    #[test]
    fn reports_are_recognized_by_their_members_in_any_order() {
        assert!(sniff(
            r#"{"RuleTriggered": 0, "Violations": 0, "Details": {}, "Datapoints": 9, "RuleParameters": ""}"#
        ));
        assert!(sniff(r#"{"Datapoints": 9, "More": 1, "Violations": 0, "RuleTriggered": 0}"#));
        // the first bytes of a long report
        assert!(sniff(r#"{"RuleTriggered": 0, "Violations": 0, "Details": {"bottlenecks": {"16000"#));
        for other in [
            r#"{"Violations": 3, "Details": {}}"#,
            r#"{"Violations": 3, "schemaVersion": 1, "Details": {}, "traceEvents": ["#,
            r#"{"Details": {"Violations": 1"#,
            "[]",
            "",
        ] {
            assert!(!sniff(other), "{other}");
        }
    }

    #[test]
    fn a_number_at_the_end_of_truncated_text_is_not_read() {
        for (text, violations) in [
            (r#"{"RuleTriggered": 1, "Violations": 15"#, None),
            (r#"{"RuleTriggered": 1, "Violations": 15,"#, Some("15")),
            (r#"{"Violations": 15, "Details": {"a": 15"#, Some("15")),
        ] {
            let members = ReportMembers::parse(text);
            assert_eq!(members.raw[1], violations, "{text}");
            assert!(members.error.is_some());
        }
    }

    #[test]
    fn files_are_recognized_by_their_folder() {
        let info = |path: &str| ObjectInfo { path: path.into(), ..ObjectInfo::default() };
        let report = "rule-output/ProfilerReport-1/profiler-output/profiler-reports/StepOutlier.json";
        assert_eq!(SagemakerRuleReport.group(&info(report)).as_deref(), Some(report));
        assert_eq!(SagemakerRuleReport.group(&info("reports/StepOutlier.json")), None);
        assert_eq!(SagemakerRuleReport.group(&info("StepOutlier.json")), None);
        for page in ["profiler-report.html", "ProfilerReport-1/profiler-output/profiler-report.ipynb"] {
            assert!(SagemakerRuleReport.ignore_reason(&info(page)).is_some(), "{page}");
        }
        assert!(SagemakerRuleReport.ignore_reason(&info(report)).is_none());
    }

    #[test]
    fn parameters_are_parsed_from_lines() {
        let mut rows = Rows::new("r");
        let mut parse = |raw: &str| parse_parameters(raw, &mut rows);
        let raw = r#""threshold:50\nmode:Step:ModeKeys.TRAIN\nmax:None\n\nlow : 0.2""#;
        let expected = r#"{"threshold":50,"mode":"Step:ModeKeys.TRAIN","max":null,"low":0.2}"#;
        assert_eq!(parse(raw).as_deref(), Some(expected));
        assert_eq!(parse(r#""""#).as_deref(), Some("{}"));
        assert_eq!(parse("null"), None);
        assert!(rows.has_no_problems());
        assert_eq!(parse_parameters(r#""alone\na:1""#, &mut rows).as_deref(), Some(r#"{"a":1}"#));
        assert_eq!(parse_parameters("{}", &mut rows), None);
        assert!(!rows.has_no_problems());
    }

    #[test]
    fn counts_are_numbers_or_booleans() {
        let mut rows = Rows::new("r");
        let mut parse = |raw: &str| parse_count("Violations", raw, &mut rows);
        assert_eq!(
            [parse("3"), parse("true"), parse("\"4\""), parse("null"), parse("2.0")],
            [Some(3), Some(1), Some(4), None, Some(2)]
        );
        assert!(rows.has_no_problems());
        assert_eq!(parse_count("Violations", "[1]", &mut rows), None);
        assert_eq!(rows.end().repaired, 1);
    }
}
