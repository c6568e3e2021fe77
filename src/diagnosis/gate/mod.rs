//! Gates for CI: rules over canned queries, checked for a candidate and, if relative, against a baseline.

mod judge;
mod report;
mod rule;

use crate::error::{Error, ErrorKind, Result};
use crate::session::{Runs, Session, Value};
use crate::statistics::{Difference, Statistic, difference};
use crate::unit::{Type, Unit};

pub use judge::GateOutcome;
use judge::judge;
pub use rule::{Inconclusive, Limit, Rule, Rules};

/// The result of one limit of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct GateVerdict {
    /// Name of the rule.
    pub rule: String,
    /// The canned query of the rule.
    pub query: String,
    /// Statistic and column of the query: `p50 of dur`.
    pub measure: String,
    /// The allowed values.
    pub limit: Limit,
    /// The measured difference; side a is the baseline, side b the candidate.
    pub difference: Difference,
    /// Unit of the values.
    pub unit: Option<Unit>,
    /// Result of the comparison with the limit.
    pub outcome: GateOutcome,
    /// True if the limit does not fail the gate: it holds, or there is no data and the rule accepts that.
    pub passed: bool,
    /// The result as a sentence.
    pub sentence: String,
}

/// The result of checking rules for a group of runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// Runs of the baseline; empty if there is no baseline.
    pub baseline: Vec<String>,
    /// Runs that were checked.
    pub candidate: Vec<String>,
    /// One verdict for each limit of each rule, in the order of the rules.
    pub verdicts: Vec<GateVerdict>,
    /// What the gate counts as if no limit fails, but some are inconclusive or have no data.
    pub inconclusive: Inconclusive,
}

impl Gate {
    /// Returns the outcome of all limits together: fail if one fails, else inconclusive or no_data if one is that, else
    /// pass. A limit without data passes if its rule accepts that.
    pub fn outcome(&self) -> GateOutcome {
        let open = || self.verdicts.iter().filter(|verdict| !verdict.passed).map(|verdict| verdict.outcome);
        let first = |outcome| open().any(|open| open == outcome).then_some(outcome);
        let worst = first(GateOutcome::Fail).or_else(|| first(GateOutcome::Inconclusive));
        worst.or_else(|| first(GateOutcome::NoData)).unwrap_or(GateOutcome::Pass)
    }

    /// Returns the exit code of `tracelake gate`: 0 if the gate passes, 1 if it fails. If it is inconclusive or has no
    /// data, the code is 6, or that of [`Gate::inconclusive`].
    pub fn exit_code(&self) -> u8 {
        match (self.outcome(), self.inconclusive) {
            (GateOutcome::Pass, _) | (GateOutcome::Inconclusive | GateOutcome::NoData, Inconclusive::Pass) => 0,
            (GateOutcome::Fail, _) | (_, Inconclusive::Fail) => 1,
            (_, Inconclusive::Report) => 6,
        }
    }

    /// Returns true if the exit code is 0.
    pub fn passed(&self) -> bool {
        self.exit_code() == 0
    }
}

impl Session {
    /// Checks rules for a group of runs, the candidate. Relative limits compare it with another group, the baseline.
    /// Names are those of [`Session::group`].
    ///
    /// For each run, a rule computes one number: an aggregate of a column over the rows of its query that satisfy the
    /// condition. A relative limit applies to the confidence interval of the ratio to the baseline, see
    /// [`crate::statistics`]: the outcome is pass if the whole interval is within the limit, fail if all of it is beyond,
    /// and inconclusive if the interval contains the limit. An absolute limit applies to the mean over the runs. Without
    /// data the outcome is no_data, which does not pass unless the rule accepts it.
    ///
    /// # Errors
    /// NotFound for a name that matches no run. Argument for a rule with an unknown query or column, for no rules, and
    /// for a relative limit without a baseline. Query for a wrong condition.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// use tracelake::diagnosis::{Rule, Rules};
    ///
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// let rules = Rules { rules: vec![Rule::max_regression(1.1)], ..Rules::default() };
    /// let gate = s.gate(&["first_look"], &["first_look"], &rules)?;
    /// assert!(gate.passed());
    /// # Ok(())
    /// # }
    /// ```
    pub fn gate(&self, baseline: impl Into<Runs>, candidate: impl Into<Runs>, rules: &Rules) -> Result<Gate> {
        rules.check()?;
        if rules.rules.is_empty() {
            return Err(Error::new(ErrorKind::Argument, "cannot check the runs: there are no rules"));
        }
        let baseline = baseline.into();
        // A rule that needs no baseline has none.
        let baseline = if baseline == Runs::all() { Vec::new() } else { self.select(baseline)? };
        let candidate = self.select(candidate)?;
        let mut verdicts = Vec::new();
        for rule in &rules.rules {
            verdicts.extend(self.check_rule(rule, rules, &baseline, &candidate)?);
        }
        Ok(Gate { baseline, candidate, verdicts, inconclusive: rules.inconclusive })
    }

    /// Returns a verdict for each limit of a rule.
    fn check_rule(
        &self,
        rule: &Rule,
        rules: &Rules,
        baseline: &[String],
        candidate: &[String],
    ) -> Result<Vec<GateVerdict>> {
        let failed = format!("cannot use rule `{}`", rule.name);
        if baseline.is_empty() && rule.limits.iter().any(|limit| limit.is_relative()) {
            let text = format!("{failed}: it needs a baseline, and none is given");
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let (text, unit) = self.rule_query(rule).map_err(|error| error.into_argument_error(&failed))?;
        let values = |runs: &[String]| {
            self.values(&text, runs, rule.aggregate).map_err(|error| error.with_context("rule", &rule.name))
        };
        // A count has no unit.
        let unit = unit.filter(|_| rule.aggregate != Statistic::Count);
        // The sum of ratios may exceed 1.
        let limit_unit = unit.filter(|_| rule.aggregate != Statistic::Sum);
        if let Some(why) = rule.limits.iter().find_map(|limit| limit.outside(limit_unit)) {
            return Err(Error::new(ErrorKind::Argument, format!("{failed}: {why}")));
        }
        let (a, b) = (values(baseline)?, values(candidate)?);
        // `values` has counted the rows of each run. The scatter within a run with one value is unknown, so that the interval
        // rests on the noise between runs, as in comparisons.
        let has_one_value = a.iter().chain(&b).all(|run| run.len() <= 1);
        let statistic = match rule.aggregate {
            Statistic::Count => Statistic::Sum,
            _ if has_one_value => Statistic::Max,
            statistic => statistic,
        };
        let difference = difference(&a, &b, statistic, rules.noise, rules.confidence);
        let verdict = |limit: &Limit| {
            let (outcome, sentence) = judge(*limit, &difference, unit);
            let passed = outcome == GateOutcome::Pass || outcome == GateOutcome::NoData && rule.missing_passes;
            GateVerdict {
                rule: rule.name.clone(),
                query: rule.query.clone(),
                measure: format!("{} of {}", rule.aggregate, rule.column),
                limit: *limit,
                difference,
                unit,
                outcome,
                passed,
                sentence,
            }
        };
        Ok(rule.limits.iter().map(verdict).collect())
    }

    /// Returns the SQL of a rule for the runs in `$runs`, and the unit of its values.
    fn rule_query(&self, rule: &Rule) -> Result<(String, Option<Unit>)> {
        let queries = self.queries();
        let query = queries.iter().find(|query| query.name == rule.query).ok_or_else(|| {
            Error::unknown("query", &rule.query, &queries.iter().map(|query| query.name.as_str()).collect::<Vec<_>>())
        })?;
        let unknown = |what: &str, name: &str, known: &mut dyn Iterator<Item = &String>| {
            Error::unknown(what, name, &known.map(String::as_str).collect::<Vec<_>>())
        };
        let header = &query.header;
        let column =
            header.columns.iter().find(|column| column.name == rule.column).ok_or_else(|| {
                unknown("column", &rule.column, &mut header.columns.iter().map(|column| &column.name))
            })?;
        if let Some(name) = rule.params.keys().find(|name| header.params.iter().all(|param| param.name != **name)) {
            return Err(unknown("parameter", name, &mut header.params.iter().map(|param| &param.name)));
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
        // The line break ends a comment at the end of the condition.
        let condition = rule.condition.as_ref().map(|text| format!(" AND ({text}\n)")).unwrap_or_default();
        let text = format!(
            "SELECT run, {value} AS value FROM {}({}) WHERE array_has($runs, run){condition}",
            query.sql_name(),
            arguments.join(", ")
        );
        Ok((text, Some(column.unit)))
    }

    /// Returns the values of each run; for a count, the number of them.
    fn values(&self, text: &str, runs: &[String], aggregate: Statistic) -> Result<Vec<Vec<f64>>> {
        if runs.is_empty() {
            return Ok(Vec::new());
        }
        let frame = self.sql_with(text, &[("runs", Value::from(runs.to_vec()))])?;
        let (names, values) = (frame.column::<String>("run")?, frame.column::<f64>("value")?);
        let run_values = runs.iter().map(|run| -> Vec<f64> {
            let rows = names.iter().zip(&values).filter(|(name, _)| name.as_ref() == Some(run));
            rows.filter_map(|(_, value)| *value).collect()
        });
        Ok(match aggregate {
            // A run without rows counts as 0.
            Statistic::Count => run_values.map(|values| vec![values.len() as f64]).collect(),
            _ => run_values.collect(),
        })
    }
}

#[cfg(test)]
mod tests;
