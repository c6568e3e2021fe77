//! The rules of a gate, and how they are read from TOML and JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::error::{Error, ErrorKind, Result};
use crate::session::{Value, percent_hint};
use crate::statistics::{CONFIDENCE, NOISE, Statistic};
use crate::unit::Unit;

/// The values that a rule allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// The value is at least this.
    Min(f64),
    /// The value is at most this.
    Max(f64),
    /// The ratio of the value to that of the baseline is at least this.
    MinRatio(f64),
    /// The ratio of the value to that of the baseline is at most this.
    MaxRatio(f64),
}

impl Limit {
    /// Returns the key of the limit in a file of rules.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Min(_) => "min",
            Self::Max(_) => "max",
            Self::MinRatio(_) => "min_ratio",
            Self::MaxRatio(_) => "max_ratio",
        }
    }

    /// Returns the number of the limit.
    pub const fn value(self) -> f64 {
        match self {
            Self::Min(value) | Self::Max(value) | Self::MinRatio(value) | Self::MaxRatio(value) => value,
        }
    }

    /// Returns an error message if a value of this unit cannot reach the limit: a ratio is always from 0 to 1.
    pub(super) fn outside(self, unit: Option<Unit>) -> Option<String> {
        let (limit, name) = (self.value(), self.name());
        if self.is_relative() || unit != Some(Unit::Ratio) || (0.0..=1.0).contains(&limit) {
            return None;
        }
        let hint = percent_hint(limit).map(|hint| format!("; {hint}")).unwrap_or_default();
        Some(format!("`{name}` is {limit}, expected a ratio from 0 to 1{hint}"))
    }

    /// Returns true if the limit compares the value with the baseline.
    pub const fn is_relative(self) -> bool {
        matches!(self, Self::MinRatio(_) | Self::MaxRatio(_))
    }
}

/// A rule: a number that is computed for each run, and its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Name of the rule.
    pub name: String,
    /// Canned query that provides the rows.
    pub query: String,
    /// Parameters of the query.
    pub params: BTreeMap<String, Value>,
    /// SQL condition on the columns of the query.
    pub condition: Option<String>,
    /// Column of the query.
    pub column: String,
    /// Aggregate of the column over the rows of a run.
    pub aggregate: Statistic,
    /// Limits of the number; each gets a verdict.
    pub limits: Vec<Limit>,
    /// True if the rule passes without data.
    pub missing_passes: bool,
}

impl Rule {
    /// Returns a rule without limits over the rows of a query.
    pub fn new(name: &str, query: &str, column: &str, aggregate: Statistic) -> Self {
        Self {
            name: name.to_owned(),
            query: query.to_owned(),
            params: BTreeMap::new(),
            condition: None,
            column: column.to_owned(),
            aggregate,
            limits: Vec::new(),
            missing_passes: false,
        }
    }

    /// Returns a rule for the maximum ratio of the median step to that of the baseline.
    pub fn max_regression(ratio: f64) -> Self {
        let rule = Self::new("median step", "step.over_time", "dur", Statistic::Percentile(0.5));
        let condition = Some("complete is not false and coalesce(mode, 'train') = 'train'".to_owned());
        Self { condition, limits: vec![Limit::MaxRatio(ratio)], ..rule }
    }

    /// Returns a rule for the maximum share of time that processes wait for data.
    pub fn max_loader_ratio(ratio: f64) -> Self {
        let rule = Self::new("waiting for data", "job.key_metrics", "loader_ratio", Statistic::Max);
        Self { limits: vec![Limit::Max(ratio)], ..rule }
    }
}

/// What a gate counts as if no limit fails, but some are inconclusive or have no data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inconclusive {
    /// Neither passed nor failed: exit code 6.
    #[default]
    Report,
    /// Passed: exit code 0.
    Pass,
    /// Failed: exit code 1.
    Fail,
}

impl Inconclusive {
    /// The words for the values.
    pub const WORDS: [&str; 3] = ["report", "pass", "fail"];

    /// Returns the value for a word.
    ///
    /// # Errors
    /// Argument for another word.
    pub fn from_word(word: &str) -> Result<Self> {
        match word {
            "report" => Ok(Self::Report),
            "pass" => Ok(Self::Pass),
            "fail" => Ok(Self::Fail),
            _ => Err(refused(
                "cannot use the rules",
                &format!("`inconclusive` is \"{word}\", expected one of: {}", Self::WORDS.join(", ")),
            )),
        }
    }
}

/// Rules, and what counts as noise.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Assumed standard deviation between runs of the same code, divided by the value. It counts as if measured on
    /// five runs.
    pub noise: f64,
    /// Confidence level at which a change counts as more than noise.
    pub confidence: f64,
    /// What the gate counts as if no limit fails, but some are inconclusive or have no data.
    pub inconclusive: Inconclusive,
    /// The rules.
    pub rules: Vec<Rule>,
}

impl Default for Rules {
    fn default() -> Self {
        Self { noise: NOISE, confidence: CONFIDENCE, inconclusive: Inconclusive::default(), rules: Vec::new() }
    }
}

/// Keys of a file of rules, and of one rule.
const FILE: [&str; 4] = ["noise", "confidence", "inconclusive", "rule"];
const RULE: [&str; 11] =
    ["name", "query", "params", "where", "column", "aggregate", "max", "min", "max_ratio", "min_ratio", "missing"];

impl Rules {
    /// Reads rules from TOML: `[[rule]]` tables with `query` and `column`, limits `max`, `min`, `max_ratio` or
    /// `min_ratio`, and optionally `name`, `params`, `where`, `aggregate` (default: mean) and `missing` ("fail" or
    /// "pass"). `noise`, `confidence` and `inconclusive` ("report", "pass" or "fail") are optional keys before the first
    /// table.
    ///
    /// # Errors
    /// Argument for text that is not TOML, and for a key that is unknown or has a wrong value.
    ///
    /// # Examples
    /// ```
    /// use tracelake::diagnosis::Rules;
    ///
    /// let text = "[[rule]]\nquery = \"step.over_time\"\ncolumn = \"dur\"\naggregate = \"p50\"\nmax_ratio = 1.02\n";
    /// assert_eq!(Rules::from_toml(text)?.rules[0].name, "p50 of dur of step.over_time");
    /// let error = Rules::from_toml(&text.replace("max_ratio", "max_ration")).unwrap_err();
    /// assert_eq!(error.to_string(), "cannot use rule 1: no key `max_ration`; did you mean `max_ratio`?");
    /// # Ok::<(), tracelake::Error>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self> {
        let failed =
            |error: toml::de::Error| Error::new(ErrorKind::Argument, format!("cannot read the rules: {error}"));
        Self::from_map(&toml::from_str(text).map_err(failed)?)
    }

    /// Reads rules from JSON of the same shape.
    ///
    /// # Errors
    /// As [`Rules::from_toml`].
    pub fn from_json(text: &str) -> Result<Self> {
        let failed =
            |error: serde_json::Error| Error::new(ErrorKind::Argument, format!("cannot read the rules: {error}"));
        Self::from_map(&serde_json::from_str(text).map_err(failed)?)
    }

    fn from_map(file: &Map<String, Json>) -> Result<Self> {
        let failed = "cannot use the rules";
        check_keys(failed, file, &FILE)?;
        let mut rules = Self::default();
        rules.noise = number_value(failed, file, "noise")?.unwrap_or(rules.noise);
        rules.confidence = number_value(failed, file, "confidence")?.unwrap_or(rules.confidence);
        if let Some(word) = text_value(failed, file, "inconclusive")? {
            rules.inconclusive = Inconclusive::from_word(word)?;
        }
        match file.get("rule") {
            None => {}
            Some(Json::Array(all)) => {
                for (number, rule) in (1..).zip(all) {
                    rules.rules.push(parse_rule(&format!("cannot use rule {number}"), rule)?);
                }
            }
            Some(_) => return Err(refused(failed, "`rule` is not a list: write [[rule]] above each rule")),
        }
        Ok(rules)
    }

    /// Returns an error for an invalid noise or confidence.
    pub(super) fn check(&self) -> Result<()> {
        if !(self.noise.is_finite() && self.noise >= 0.0) {
            let why = format!("`noise` is {}, expected a number of at least 0", self.noise);
            return Err(refused("cannot use the rules", &why));
        }
        if !(0.0 < self.confidence && self.confidence < 1.0) {
            let why = format!("`confidence` is {}, expected a number between 0 and 1", self.confidence);
            return Err(refused("cannot use the rules", &why));
        }
        Ok(())
    }
}

/// Returns an error about the rules; `failed` says which.
fn refused(failed: &str, why: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("{failed}: {why}"))
}

/// Returns an error for an unknown key.
fn check_keys(failed: &str, map: &Map<String, Json>, keys: &[&str]) -> Result<()> {
    match map.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(stranger) => Err(Error::unknown("key", stranger, keys).into_argument_error(failed)),
        None => Ok(()),
    }
}

fn number_value(failed: &str, map: &Map<String, Json>, key: &str) -> Result<Option<f64>> {
    let Some(value) = map.get(key) else { return Ok(None) };
    let number = value.as_f64().filter(|number| number.is_finite());
    number.map(Some).ok_or_else(|| refused(failed, &format!("`{key}` is {value}, expected a number")))
}

fn text_value<'a>(failed: &str, map: &'a Map<String, Json>, key: &str) -> Result<Option<&'a str>> {
    let Some(value) = map.get(key) else { return Ok(None) };
    value.as_str().map(Some).ok_or_else(|| refused(failed, &format!("`{key}` is {value}, expected a text")))
}

fn parse_rule(failed: &str, rule: &Json) -> Result<Rule> {
    let Json::Object(map) = rule else { return Err(refused(failed, "it is not a table")) };
    check_keys(failed, map, &RULE)?;
    let needed =
        |key: &str| text_value(failed, map, key)?.ok_or_else(|| refused(failed, &format!("it has no `{key}`")));
    let (query, column) = (needed("query")?, needed("column")?);
    let aggregate = text_value(failed, map, "aggregate")?.unwrap_or("mean");
    let aggregate = Statistic::parse(aggregate)
        .ok_or_else(|| Error::unknown("aggregate", aggregate, &Statistic::WORDS).into_argument_error(failed))?;
    let name = match text_value(failed, map, "name")? {
        Some(name) => name.to_owned(),
        None => format!("{aggregate} of {column} of {query}"),
    };
    let mut rule = Rule::new(&name, query, column, aggregate);
    rule.condition = text_value(failed, map, "where")?.map(str::to_owned);
    rule.limits.extend(number_value(failed, map, "max")?.map(Limit::Max));
    rule.limits.extend(number_value(failed, map, "min")?.map(Limit::Min));
    rule.limits.extend(number_value(failed, map, "max_ratio")?.map(Limit::MaxRatio));
    rule.limits.extend(number_value(failed, map, "min_ratio")?.map(Limit::MinRatio));
    if rule.limits.is_empty() {
        return Err(refused(failed, "it has no limit: give one of max, min, max_ratio, min_ratio"));
    }
    if let Some(limit) = rule.limits.iter().find(|limit| limit.is_relative() && limit.value() <= 0.0) {
        return Err(refused(
            failed,
            &format!("`{}` is {}, expected a number greater than 0", limit.name(), limit.value()),
        ));
    }
    rule.missing_passes = match text_value(failed, map, "missing")? {
        None | Some("fail") => false,
        Some("pass") => true,
        Some(other) => {
            return Err(refused(failed, &format!("`missing` is \"{other}\", expected \"fail\" or \"pass\"")));
        }
    };
    rule.params = match map.get("params") {
        None => BTreeMap::new(),
        Some(Json::Object(params)) => {
            let value = |(name, json): (&String, &Json)| match value(json) {
                Some(value) => Ok((name.clone(), value)),
                None => Err(refused(failed, &format!("parameter `{name}` is {json}, expected a value or a list"))),
            };
            params.iter().map(value).collect::<Result<_>>()?
        }
        Some(other) => return Err(refused(failed, &format!("`params` is {other}, expected a table"))),
    };
    Ok(rule)
}

/// Converts a JSON value to a parameter; None for an object.
fn value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Boolean(*value),
        Json::Number(number) => number.as_i64().map(Value::Bigint).or_else(|| number.as_f64().map(Value::Double))?,
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(values) => Value::List(values.iter().map(value).collect::<Option<_>>()?),
        Json::Object(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_a_rule_can_say() {
        let text = "noise = 0.01\nconfidence = 0.99\n[[rule]]\nname = \"x\"\nquery = \"step.outliers\"\ncolumn = \"dur\"\n\
                    aggregate = \"count\"\nwhere = \"mode = 'train'\"\nmissing = \"pass\"\nmax = 3\nmin_ratio = 0.5\n\
                    params = { factor = 3.0, list = [1, 2] }\n";
        let rules = Rules::from_toml(text).unwrap();
        assert_eq!((rules.noise, rules.confidence), (0.01, 0.99));
        let rule = &rules.rules[0];
        assert_eq!((rule.name.as_str(), rule.aggregate, rule.missing_passes), ("x", Statistic::Count, true));
        assert_eq!(rule.condition.as_deref(), Some("mode = 'train'"));
        assert_eq!(rule.limits, [Limit::Max(3.0), Limit::MinRatio(0.5)]);
        assert_eq!(rule.params["factor"], Value::Double(3.0));
        assert_eq!(rule.params["list"], Value::from(vec![1, 2]));
        let json = serde_json::to_string(&toml::from_str::<Json>(text).unwrap()).unwrap();
        assert_eq!(Rules::from_json(&json).unwrap(), rules);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let rule = "[[rule]]\nquery = \"step.over_time\"\ncolumn = \"dur\"\n";
        for (text, expected) in [
            ("noize = 1", "cannot use the rules: no key `noize`; did you mean `noise`?"),
            (
                "inconclusive = \"ok\"",
                "cannot use the rules: `inconclusive` is \"ok\", expected one of: report, pass, fail",
            ),
            ("noise = \"1\"", "cannot use the rules: `noise` is \"1\", expected a number"),
            ("rule = 3", "cannot use the rules: `rule` is not a list: write [[rule]] above each rule"),
            ("[[rule]]\ncolumn = \"dur\"", "cannot use rule 1: it has no `query`"),
            (rule, "cannot use rule 1: it has no limit: give one of max, min, max_ratio, min_ratio"),
            (
                &format!("{rule}max_ratio = 0.0"),
                "cannot use rule 1: `max_ratio` is 0, expected a number greater than 0",
            ),
            (&format!("{rule}max = 1\naggregate = \"maximum\""), "cannot use rule 1: no aggregate `maximum`"),
            (
                &format!("{rule}max = 1\nmissing = \"ok\""),
                "cannot use rule 1: `missing` is \"ok\", expected \"fail\" or \"pass\"",
            ),
            ("[[rule", "cannot read the rules: "),
        ] {
            let error = Rules::from_toml(text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Argument, "{text}");
            assert!(error.to_string().starts_with(expected), "{error}");
        }
        assert_eq!(
            Limit::Max(5.0).outside(Some(Unit::Ratio)).unwrap(),
            "`max` is 5, expected a ratio from 0 to 1; write 0.05 for 5 %"
        );
        assert_eq!(Limit::Min(-1.0).outside(Some(Unit::Ratio)).unwrap(), "`min` is -1, expected a ratio from 0 to 1");
        assert_eq!(Limit::Max(1.0).outside(Some(Unit::Ratio)), None);
        assert_eq!(Limit::MaxRatio(5.0).outside(Some(Unit::Ratio)), None);
        assert_eq!(Limit::Max(5.0).outside(Some(Unit::Factor)), None);
        assert!(Rules { noise: -1.0, ..Rules::default() }.check().is_err());
        assert!(Rules { confidence: 1.0, ..Rules::default() }.check().is_err());
    }
}
