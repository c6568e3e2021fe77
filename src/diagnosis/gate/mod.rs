//! A gate for CI: rules over canned queries, held against a baseline.

mod judge;
mod report;
mod rule;

use crate::error::{Error, ErrorKind, Result};
use crate::session::{Session, Value};
use crate::statistics::{Difference, Statistic, difference};
use crate::unit::{Type, Unit};

pub use judge::Outcome;
use judge::judge;
pub use rule::{Limit, Rule, Rules};

/// What a gate says about a limit of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Name of the rule.
    pub rule: String,
    /// The canned query that was asked.
    pub query: String,
    /// What was taken of which of its columns: p50 of dur.
    pub measure: String,
    /// What it may be.
    pub limit: Limit,
    /// What was found; side a is the baseline, side b the candidate.
    pub found: Difference,
    /// Unit of the values.
    pub unit: Option<Unit>,
    /// Whether the limit holds.
    pub outcome: Outcome,
    /// Whether the gate lets it pass: as the outcome, or because the rule says so of what cannot be told.
    pub passed: bool,
    /// All that in a sentence.
    pub sentence: String,
}

/// What a gate says about a group of runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// Runs of the baseline; none if there is none.
    pub baseline: Vec<String>,
    /// Runs that were judged.
    pub candidate: Vec<String>,
    /// One for each limit of each rule, in their order.
    pub verdicts: Vec<Verdict>,
}

impl Gate {
    /// Whether all limits hold.
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(|verdict| verdict.passed)
    }
}

impl Session {
    /// Holds rules against a group of runs, the candidate, and where they are relative against another one, the baseline. Names are
    /// those of [`Session::group`].
    ///
    /// Of each run the rule takes one number: the aggregate of a column over the rows of its query that fit the condition. A relative
    /// limit is broken when the number lies beyond it and the change is more than noise, see [`crate::statistics`]: a percentile
    /// and a mean scatter with the rows of a run, and all numbers from run to run. An absolute limit is held against the mean over the runs.
    /// Where nothing was recorded, the outcome is that nobody can tell, which does not pass unless the rule says so.
    ///
    /// # Errors
    /// NotFound for a name that stands for no run; Argument for a rule with an unknown query or column, without rules, and for a
    /// relative limit without a baseline; Query for a wrong condition.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// use tracelake::diagnosis::{Rule, Rules};
    ///
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// let rules = Rules { rules: vec![Rule::max_regression(1.02)], ..Rules::default() };
    /// let gate = s.gate(&["first_look"], &["first_look"], &rules)?;
    /// assert!(gate.passed());
    /// # Ok(())
    /// # }
    /// ```
    pub fn gate(&self, baseline: &[&str], candidate: &[&str], rules: &Rules) -> Result<Gate> {
        rules.check()?;
        if rules.rules.is_empty() {
            return Err(Error::new(ErrorKind::Argument, "cannot check the runs: there are no rules"));
        }
        let baseline = if baseline.is_empty() { Vec::new() } else { self.select(baseline)? };
        let candidate = self.select(candidate)?;
        let mut verdicts = Vec::new();
        for rule in &rules.rules {
            verdicts.extend(self.judged_by(rule, rules, &baseline, &candidate)?);
        }
        Ok(Gate { baseline, candidate, verdicts })
    }

    fn judged_by(&self, rule: &Rule, rules: &Rules, baseline: &[String], candidate: &[String]) -> Result<Vec<Verdict>> {
        let failed = format!("cannot use rule `{}`", rule.name);
        if baseline.is_empty() && rule.limits.iter().any(|limit| limit.is_relative()) {
            let text = format!("{failed}: it needs a baseline, and none is given");
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let (text, unit) = self.asked_by(rule).map_err(|error| error.argument_of(&failed))?;
        let values = |runs: &[String]| {
            self.values(&text, runs, rule.aggregate).map_err(|error| error.with_context("rule", &rule.name))
        };
        // A count has no unit of the column.
        let unit = unit.filter(|_| rule.aggregate != Statistic::Count);
        // Nor is a sum of ratios one.
        let judged = unit.filter(|_| rule.aggregate != Statistic::Sum);
        if let Some(why) = rule.limits.iter().find_map(|limit| limit.outside(judged)) {
            return Err(Error::new(ErrorKind::Argument, format!("{failed}: {why}")));
        }
        // Counted already.
        let taken = if rule.aggregate == Statistic::Count { Statistic::Sum } else { rule.aggregate };
        let found = difference(&values(baseline)?, &values(candidate)?, taken, rules.noise, rules.confidence);
        let verdict = |limit: &Limit| {
            let (outcome, sentence) = judge(*limit, &found, unit);
            let passed = outcome == Outcome::Pass || outcome == Outcome::NoData && rule.missing_passes;
            Verdict {
                rule: rule.name.clone(),
                query: rule.query.clone(),
                measure: format!("{} of {}", rule.aggregate, rule.column),
                limit: *limit,
                found,
                unit,
                outcome,
                passed,
                sentence,
            }
        };
        Ok(rule.limits.iter().map(verdict).collect())
    }

    /// The SQL of a rule, for the runs in `$runs`, and the unit of its values.
    fn asked_by(&self, rule: &Rule) -> Result<(String, Option<Unit>)> {
        let queries = self.queries();
        let query = queries.iter().find(|query| query.name == rule.query).ok_or_else(|| {
            Error::unknown("query", &rule.query, &queries.iter().map(|query| query.name.as_str()).collect::<Vec<_>>())
        })?;
        let names = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect::<Vec<_>>();
        let unknown = |what: &str, name: &str, known: Vec<String>| {
            Error::unknown(what, name, &known.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let header = &query.header;
        let column = header.columns.iter().find(|column| column.name == rule.column).ok_or_else(|| {
            unknown("column", &rule.column, names(&mut header.columns.iter().map(|column| column.name.as_str())))
        })?;
        if let Some(stranger) = rule.params.keys().find(|name| header.params.iter().all(|param| param.name != **name)) {
            let known = names(&mut header.params.iter().map(|param| param.name.as_str()));
            return Err(unknown("parameter", stranger, known));
        }
        let value = if rule.aggregate == Statistic::Count {
            format!("CASE WHEN \"{}\" IS NOT NULL THEN 1.0 END", column.name)
        } else if column.ty == Type::Text {
            let text = format!("column `{}` is a text: the only aggregate of texts is count", column.name);
            return Err(Error::new(ErrorKind::Argument, text));
        } else {
            format!("CAST(\"{}\" AS double)", column.name)
        };
        let arguments: Vec<String> = rule.params.iter().map(|(name, value)| format!("{name} => {value}")).collect();
        // A condition may end with a comment.
        let condition = rule.condition.as_ref().map(|text| format!(" AND ({text}\n)")).unwrap_or_default();
        let text = format!(
            "SELECT run, {value} AS value FROM {}({}) WHERE array_has($runs, run){condition}",
            query.sql_name(),
            arguments.join(", ")
        );
        Ok((text, Some(column.unit)))
    }

    /// The values of each run that has some.
    fn values(&self, text: &str, runs: &[String], aggregate: Statistic) -> Result<Vec<Vec<f64>>> {
        if runs.is_empty() {
            return Ok(Vec::new());
        }
        let frame = self.sql_with(text, &[("runs", Value::from(runs.to_vec()))])?;
        let (of, values) = (frame.column::<String>("run")?, frame.column::<f64>("value")?);
        let of_run = |run: &String| -> Vec<f64> {
            let rows = of.iter().zip(&values).filter(|(of, _)| of.as_ref() == Some(run));
            rows.filter_map(|(_, value)| *value).collect()
        };
        let found = runs.iter().map(of_run);
        Ok(match aggregate {
            // No rows are a count, too.
            Statistic::Count => found.map(|values| vec![values.len() as f64]).collect(),
            _ => found.collect(),
        })
    }
}

#[cfg(test)]
mod tests;
