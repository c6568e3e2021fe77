//! The results of the profiler rules for a run, in the JSON format of SageMaker Debugger.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use crate::catalog::Query;
use crate::error::{Error, ErrorKind, Result};
use crate::session::{Session, Value};

/// Sources of the limits of the rules, which are the values of parameter `defaults`.
const DEFAULTS: [&str; 4] = ["history", "rulesconfig", "docs", "reported"];

/// The report of one rule about a run.
#[derive(Debug, Clone)]
pub struct RuleReport {
    /// Name of the rule in smdebug: `CPUBottleneck`.
    pub rule: String,
    /// The report, one JSON object.
    pub json: String,
}

impl Session {
    /// Returns the results of query `rules.report` and of the rules for a run, as the JSON of smdebug's rules:
    /// `RuleTriggered` (1 or 0), `Violations`, `Datapoints`, `RuleParameters` (lines `name:value`) and `Details`. There is
    /// one report for each rule that has data, sorted by name.
    ///
    /// # Shape
    /// `Details` has the columns of the rule's query, nested below the names of the machine, GPU or process of each row.
    /// Nulls are omitted.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument when `defaults` is not history, rulesconfig, docs or reported; errors of the
    /// queries.
    ///
    /// # Source
    /// Reports of the rules of `smdebug` 1.0, from the public history of `awslabs/sagemaker-debugger`.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// let reports = s.rule_reports("first_look", "history")?;
    /// let cpu = reports.iter().find(|report| report.rule == "CPUBottleneck").unwrap();
    /// assert!(cpu.json.contains("\"RuleParameters\": \"cpu_threshold:90\\ngpu_threshold:10\\npatience:1000\\nthreshold:50\""));
    /// # Ok(())
    /// # }
    /// ```
    pub fn rule_reports(&self, run: &str, defaults: &str) -> Result<Vec<RuleReport>> {
        if !DEFAULTS.contains(&defaults) {
            let text = format!("cannot use the limits of `{defaults}`: expected one of {}", DEFAULTS.join(", "));
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let run = &self.select_run(run)?;
        self.rule_rows("rules.report", run, defaults)?.iter().map(|row| self.rule_report(row, run, defaults)).collect()
    }

    /// Returns the report of a rule for its row of `rules.report`.
    fn rule_report(&self, row: &Map<String, Json>, run: &str, defaults: &str) -> Result<RuleReport> {
        let rule = row.get("rule").and_then(Json::as_str).unwrap_or_default();
        let is_rule = |query: &Query| {
            query.family() == Some("rules") && query.question().replace('_', "").eq_ignore_ascii_case(rule)
        };
        let mut details = Map::new();
        if let Some(query) = self.queries().into_iter().find(|query| is_rule(query)) {
            let keys: Vec<&str> = query.header.order.iter().map(String::as_str).filter(|key| *key != "run").collect();
            for row in self.rule_rows(&query.name, run, defaults)? {
                nest(&mut details, &keys, row);
            }
        }
        let count = |name: &str| row.get(name).and_then(Json::as_i64).unwrap_or(0);
        let triggered = row.get("triggered").and_then(Json::as_bool).unwrap_or(false);
        let report = json!({
            "RuleTriggered": i64::from(triggered),
            "Violations": count("violations"),
            "Details": details,
            "Datapoints": count("datapoints"),
            "RuleParameters": parameters(row.get("parameters").and_then(Json::as_str).unwrap_or_default()),
        });
        let json = serde_json::to_string_pretty(&report).map_err(json_error)?;
        Ok(RuleReport { rule: rule.to_owned(), json })
    }

    /// Returns the rows of a query of family `rules` for one run.
    fn rule_rows(&self, name: &str, run: &str, defaults: &str) -> Result<Vec<Map<String, Json>>> {
        let has_defaults =
            |query: &Query| query.name == name && query.header.params.iter().any(|param| param.name == "defaults");
        let mut values = BTreeMap::new();
        if self.queries().into_iter().any(|query| has_defaults(&query)) {
            values.insert("defaults".to_owned(), Value::Text(defaults.to_owned()));
        }
        let mut lines = Vec::new();
        self.query_runs(name, run, values)?.write_json(&mut lines)?;
        let rows = serde_json::Deserializer::from_slice(&lines).into_iter::<Map<String, Json>>();
        rows.map(|row| row.map_err(json_error)).collect()
    }
}

fn json_error(error: serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, "cannot write a rule as JSON").with_source(error)
}

/// Inserts a row into nested objects, one level per key column.
fn nest(details: &mut Map<String, Json>, keys: &[&str], mut row: Map<String, Json>) {
    row.retain(|name, _| !["run", "parameters"].contains(&name.as_str()));
    let mut level = details;
    for key in keys {
        let name = match row.remove(*key) {
            Some(Json::String(name)) => name,
            Some(other) => other.to_string(),
            None => "unknown".to_owned(),
        };
        let Json::Object(next) = level.entry(name).or_insert_with(|| Json::Object(Map::new())) else { return };
        level = next;
    }
    level.extend(row);
}

/// Returns the limits in the format of smdebug: lines `name:value`.
fn parameters(json: &str) -> String {
    let Ok(limits) = serde_json::from_str::<Map<String, Json>>(json) else { return String::new() };
    let lines: Vec<String> = limits
        .iter()
        .map(|(name, value)| match value {
            Json::Null => format!("{name}:None"),
            Json::String(text) => format!("{name}:{text}"),
            // 50.0 is written as 50.
            value => {
                format!("{name}:{}", value.as_f64().map_or_else(|| value.to_string(), |number| number.to_string()))
            }
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_lines() {
        let text = parameters(r#"{"threshold":50.0,"patience":1000,"mode":null,"stddev":0.2}"#);
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["mode:None", "patience:1000", "stddev:0.2", "threshold:50"]);
        assert_eq!(parameters("{}"), "");
    }

    #[test]
    fn rows_are_nested_below_their_keys() {
        let mut details = Map::new();
        for (device, p50) in [("gpu0", 1), ("gpu1", 2)] {
            let row = json!({"run": "r", "node": "algo-1", "device": device, "p50": p50, "parameters": "{}"});
            nest(&mut details, &["node", "device"], row.as_object().unwrap().clone());
        }
        assert_eq!(Json::from(details), json!({"algo-1": {"gpu0": {"p50": 1}, "gpu1": {"p50": 2}}}));
    }
}
