//! The rules of a run as reports, in the shape that SageMaker Debugger wrote them.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use crate::catalog::Query;
use crate::error::{Error, ErrorKind, Result};
use crate::session::{Session, Value};

/// Whose limits the rules know, as parameter `defaults` names them.
const DEFAULTS: [&str; 4] = ["history", "rulesconfig", "docs", "reported"];

/// What one rule says about a run.
#[derive(Debug, Clone)]
pub struct RuleReport {
    /// Name of the rule in smdebug: `CPUBottleneck`.
    pub rule: String,
    /// The report, one JSON object.
    pub json: String,
}

impl Session {
    /// What query `rules.report` and the rules say about a run, as the JSON that smdebug's rules wrote: `RuleTriggered` (1 or 0),
    /// `Violations`, `Datapoints`, `RuleParameters` (`name:value` in lines) and `Details`. One report per rule with something
    /// to judge, by name.
    ///
    /// # Shape
    /// `Details` holds the columns of the rule's query, below the names of the machine, GPU or process of each row; what is null is
    /// left out.
    ///
    /// # Errors
    /// NotFound without such a run; Argument when `defaults` is none of history, rulesconfig, docs and reported; whatever the queries meet.
    ///
    /// # Source
    /// Reports of `smdebug` 1.0's rules, from the public history of `awslabs/sagemaker-debugger`.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
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
        self.judged("rules.report", run, defaults)?.iter().map(|row| self.rule_report(row, run, defaults)).collect()
    }

    /// The report of a rule, from its row of `rules.report`.
    fn rule_report(&self, row: &Map<String, Json>, run: &str, defaults: &str) -> Result<RuleReport> {
        let rule = row.get("rule").and_then(Json::as_str).unwrap_or_default();
        let named = |query: &Query| {
            query.family() == Some("rules") && query.question().replace('_', "").eq_ignore_ascii_case(rule)
        };
        let mut details = Map::new();
        if let Some(query) = self.queries().into_iter().find(|query| named(query)) {
            let keys: Vec<&str> = query.header.order.iter().map(String::as_str).filter(|key| *key != "run").collect();
            for row in self.judged(&query.name, run, defaults)? {
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
        let json = serde_json::to_string_pretty(&report).map_err(unwritable)?;
        Ok(RuleReport { rule: rule.to_owned(), json })
    }

    /// The rows of a query of the family for one run.
    fn judged(&self, name: &str, run: &str, defaults: &str) -> Result<Vec<Map<String, Json>>> {
        let takes =
            |query: &Query| query.name == name && query.header.params.iter().any(|param| param.name == "defaults");
        let mut values = BTreeMap::new();
        if self.queries().into_iter().any(|query| takes(&query)) {
            values.insert("defaults".to_owned(), Value::Text(defaults.to_owned()));
        }
        let mut lines = Vec::new();
        self.query_runs(name, Some(&[run.to_owned()]), &values)?.write_json(&mut lines)?;
        let rows = serde_json::Deserializer::from_slice(&lines).into_iter::<Map<String, Json>>();
        rows.map(|row| row.map_err(unwritable)).collect()
    }
}

fn unwritable(error: serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, "cannot write a rule as JSON").with_source(error)
}

/// Puts a row below the names in its key columns.
fn nest(details: &mut Map<String, Json>, keys: &[&str], mut row: Map<String, Json>) {
    row.retain(|name, _| !["run", "parameters"].contains(&name.as_str()));
    let mut at = details;
    for key in keys {
        let name = match row.remove(*key) {
            Some(Json::String(name)) => name,
            Some(other) => other.to_string(),
            None => "unknown".to_owned(),
        };
        let below = at.entry(name).or_insert_with(|| Json::Object(Map::new()));
        let Json::Object(below) = below else { return };
        at = below;
    }
    at.extend(row);
}

/// The limits as smdebug wrote them, a `name:value` in each line.
fn parameters(json: &str) -> String {
    let Ok(found) = serde_json::from_str::<Map<String, Json>>(json) else { return String::new() };
    let lines: Vec<String> = found
        .iter()
        .map(|(name, value)| match value {
            Json::Null => format!("{name}:None"),
            Json::String(text) => format!("{name}:{text}"),
            // 50.0 as 50
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
    fn rows_lie_below_their_keys() {
        let mut details = Map::new();
        for (device, p50) in [("gpu0", 1), ("gpu1", 2)] {
            let row = json!({"run": "r", "node": "algo-1", "device": device, "p50": p50, "parameters": "{}"});
            nest(&mut details, &["node", "device"], row.as_object().unwrap().clone());
        }
        assert_eq!(Json::from(details), json!({"algo-1": {"gpu0": {"p50": 1}, "gpu1": {"p50": 2}}}));
    }
}
