//! Runs SQL, canned queries by name, and the queries of figures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::common::{DataFusionError, ScalarValue, plan_err};
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use tracelake_engine::plan::cached_view::ViewCache;
use tracelake_engine::plan::depth::plan_sql_with;
use tracelake_engine::plan::plans::{PlanKey, QueryPlan};
use tracelake_engine::provider::{NESTED_TABLE, current_snapshot, nesting_error};
use tracelake_engine::query_error;
use tracelake_engine::times::literals::convert_literals;
use tracelake_engine::times::parse_time;

use super::canned::{Canned, read_only};
use super::execution::{frame, frame_of};
use super::{Arguments, Runs, Session, Value};
use crate::catalog::{self, Query};
use crate::error::{Error, ErrorKind, Result};
use crate::figure::{DrawnFigure, FIGURES};
use crate::frame::Frame;
use crate::lake::{Manifest, Snapshot};
use crate::table::MIN_EPOCH_TIME;

/// A function that runs a canned query with arguments.
pub(crate) type RunQuery<'a> = dyn FnMut(&'static str, &[(&str, Value)]) -> Result<Frame> + 'a;

impl Session {
    /// Runs SQL; see [`Session::sql_with`].
    ///
    /// # Errors
    /// As [`Session::sql_with`].
    pub fn sql(&self, text: &str) -> Result<Frame> {
        self.sql_with(text, ())
    }

    /// Runs SQL on the tables, views and table functions, with values for its `$name`.
    ///
    /// # Errors
    /// Query if the SQL is wrong or does more than read; Argument for a value without a `$name` in the SQL, and for a `$name`
    /// without a value. Errors of the execution occur when rows are read.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let s = tracelake::create(dir.path().to_str().unwrap())?;
    /// let names = s.sql_with("select name from help_queries where name like $like order by 1", [("like", "step.dur%")])?;
    /// assert_eq!(names.value::<String>(0, "name")?.as_deref(), Some("step.duration"));
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(name = "plan", skip_all, fields(question = text))]
    pub fn sql_with(&self, text: &str, params: impl Into<Arguments>) -> Result<Frame> {
        let values: Vec<(String, ScalarValue)> =
            params.into().0.into_iter().map(|(name, value)| (name, value.scalar())).collect();
        let key = PlanKey { text: text.to_owned(), values: values.clone(), runs: None };
        if let Some(plan) = self.inner.plans.get(&key) {
            return Ok(frame(self, plan));
        }
        let writable = self.inner.settings.writable;
        let plan = self.plan_sql(text, values, writable)?;
        // A writable session may change its tables, so plans are not cached.
        Ok(if writable { self.frame(plan) } else { frame(self, self.inner.plans.keep(key, plan)) })
    }

    /// Returns the plan of SQL with values for its `$name`. If it writes, runs it and returns the plan of its result; without
    /// `writable`, that is an error.
    pub(super) fn plan_sql(
        &self,
        text: &str,
        values: Vec<(String, ScalarValue)>,
        writable: bool,
    ) -> Result<LogicalPlan> {
        let (context, text, names) = (self.inner.context.clone(), text.to_owned(), self.names());
        self.inner.engine.run(async move {
            let plan = async {
                let (plan, filled) = plan_sql_with(&context.state(), &text, &values).await?;
                if !writable {
                    read_only().verify_plan(&plan)?;
                }
                let values = check_values(&plan, values, &filled)?;
                let plan = if values.is_empty() { plan } else { plan.with_param_values(values)? };
                let plan = convert_literals(plan)?;
                match plan {
                    // A write runs once, here; its frame is the count.
                    LogicalPlan::Ddl(_) | LogicalPlan::Dml(_) | LogicalPlan::Copy(_) | LogicalPlan::Statement(_) => {
                        context.execute_logical_plan(plan).await.map(|frame| frame.logical_plan().clone())
                    }
                    plan if plan.schema().fields().is_empty() => {
                        plan_err!("it has no columns; write `SELECT *` before `FROM`")
                    }
                    plan => Ok(plan),
                }
            };
            plan.await.map_err(|error| with_suggestion(query_error(&error), &names, &text))
        })
    }

    /// Runs a canned query by name. Arguments are parameters of the query, or `run` with one or several runs.
    ///
    /// # Errors
    /// NotFound for an unknown query or run, Query for an unknown parameter or a value of the wrong type.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let s = tracelake::create(dir.path().to_str().unwrap())?;
    /// let error = s.query("step.duratoin", &[("run", "job-7")]).unwrap_err();
    /// assert_eq!(error.to_string(), "no query `step.duratoin`; did you mean `step.duration`?");
    /// # Ok(())
    /// # }
    /// ```
    pub fn query(&self, name: &str, arguments: impl Into<Arguments>) -> Result<Frame> {
        let mut values: BTreeMap<String, Value> = arguments.into().0.into_iter().collect();
        let name_of = |value| match value {
            Value::Text(run) => Ok(run),
            other => Err(not_a_name(&other)),
        };
        let runs = match values.remove("run") {
            None | Some(Value::Null) => None,
            Some(Value::List(runs)) => Some(runs.into_iter().map(name_of).collect::<Result<_>>()?),
            Some(run) => Some(vec![name_of(run)?]),
        };
        self.query_runs(name, runs.as_deref(), values)
    }

    /// Runs a canned query for some runs, or for all. Rows come in the order that the query declares.
    ///
    /// # Errors
    /// As [`Session::query`].
    #[tracing::instrument(name = "plan", skip_all, fields(question = name))]
    pub fn query_runs(&self, name: &str, runs: impl Into<Runs>, values: impl Into<Arguments>) -> Result<Frame> {
        let canned = self.inner.registry.get(name).ok_or_else(|| {
            let all = self.inner.registry.canned();
            let known: Vec<&str> = all.iter().map(|canned| canned.query.name.as_str()).collect();
            self.inner.saved.why_broken(name).unwrap_or_else(|| Error::unknown("query", name, &known))
        })?;
        let runs = self.select_runs(runs.into().selected())?;
        let runs = runs.as_deref();
        let values: BTreeMap<_, _> = values.into().0.into_iter().map(|(name, value)| (name, value.scalar())).collect();
        let empty = self.empty_reason(&canned, runs, &values);
        let key = PlanKey {
            text: name.to_owned(),
            values: values.clone().into_iter().collect(),
            runs: runs.map(<[String]>::to_vec),
        };
        if let Some(plan) = self.inner.plans.get(&key) {
            return Ok(frame(self, plan).with_empty_reason(&empty));
        }
        let plan = self.canned_plan(&canned, runs, values)?;
        Ok(frame(self, self.inner.plans.keep(key, plan)).with_empty_reason(&empty))
    }

    /// Returns why a result is empty. If an argument is a date, this may be a run without dates.
    fn empty_reason(&self, canned: &Canned, runs: Option<&[String]>, values: &BTreeMap<String, ScalarValue>) -> String {
        let empty = &canned.query.header.empty;
        if !values.values().any(has_date) {
            return empty.clone();
        }
        let snapshot = current_snapshot(&self.inner.snapshot);
        let selected = snapshot.values().filter(|run| runs.is_none_or(|runs| runs.contains(&run.run)));
        let has_epochs = |run: &Manifest, expected| run.objects.iter().any(|entry| entry.has_epoch() == Some(expected));
        let undated = if selected.clone().any(|run| has_epochs(run, true)) {
            None
        } else {
            selected.clone().find(|run| has_epochs(run, false))
        };
        match undated {
            Some(run) => format!(
                "no time of run `{}` has a date: its times count from the first event, so give times such as 0 to 1000000000",
                run.run
            ),
            None => empty.clone(),
        }
    }

    /// Runs a canned query of the catalog on the runs of a snapshot, on one core: slower, but with less memory.
    /// Queries of the same snapshot share the rows of `views`.
    pub(super) fn query_narrow(&self, name: &str, runs: &Snapshot, views: &Arc<ViewCache>) -> Result<Frame> {
        let Some(canned) = self.inner.registry.get(name) else { return Err(Error::unknown("query", name, &[])) };
        let plan = QueryPlan::single_core(self.canned_plan(&canned, None, BTreeMap::new())?, name, views);
        Ok(frame_of(self, plan, Arc::clone(runs)))
    }

    /// Returns the plan of a canned query with arguments, limited to some runs.
    fn canned_plan(
        &self,
        canned: &Arc<Canned>,
        runs: Option<&[String]>,
        values: BTreeMap<String, ScalarValue>,
    ) -> Result<LogicalPlan> {
        let filter = self.filter(runs)?;
        self.check_nesting(&canned.query, runs.unwrap_or_default())?;
        let (context, canned) = (self.inner.context.clone(), Arc::clone(canned));
        self.inner.engine.run(async move {
            let plan = canned.call(&context.state(), &values).and_then(|plan| match filter {
                // Above the sort of the query, so that its order is preserved; the optimizer moves it below.
                Some(filter) => LogicalPlanBuilder::from(plan).filter(filter)?.build(),
                None => Ok(plan),
            });
            plan.map_err(|error| query_error(&error))
        })
    }

    /// An error if a query reads paths of calls, and older versions stored all these runs. Without such a list, queries exclude
    /// the runs of older versions, which a warning has reported.
    fn check_nesting(&self, query: &Query, runs: &[String]) -> Result<()> {
        let snapshot = current_snapshot(&self.inner.snapshot);
        let lacks_nesting = |run: &String| snapshot.get(run).is_some_and(|run| run.lacks_nesting());
        match runs.first().filter(|_| runs.iter().all(lacks_nesting)) {
            Some(first) if catalog::reads(query, NESTED_TABLE) => Err(nesting_error(first, &self.inner.lake)),
            _ => Ok(()),
        }
    }

    /// Draws a figure. Arguments are those of [`Session::query`]; each query of the figure gets those that it declares.
    ///
    /// # Errors
    /// NotFound for an unknown figure or run; Argument for a name that no query declares, or a value of the wrong type.
    pub fn figure(&self, name: &str, arguments: impl Into<Arguments>) -> Result<DrawnFigure> {
        let arguments = arguments.into().0;
        let arguments: Vec<(&str, Value)> =
            arguments.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        self.figure_over(name, &arguments, &mut |query, arguments| self.query(query, arguments))
    }

    /// Draws a figure; `run_query` runs its queries.
    #[tracing::instrument(name = "figure", skip_all, fields(figure = name))]
    pub(crate) fn figure_over(
        &self,
        name: &str,
        arguments: &[(&str, Value)],
        run_query: &mut RunQuery<'_>,
    ) -> Result<DrawnFigure> {
        let figure = crate::figure::figure(name).ok_or_else(|| {
            Error::unknown("figure", name, &FIGURES.iter().map(|figure| figure.name).collect::<Vec<_>>())
        })?;
        let queries: Vec<_> = figure.queries.iter().map(|ask| (ask, self.inner.registry.get(ask.query))).collect();
        let known: BTreeSet<&str> = queries.iter().flat_map(|(_, canned)| params(canned.as_ref())).collect();
        if let Some((unknown, _)) = arguments.iter().find(|(param, _)| *param != "run" && !known.contains(*param)) {
            let known: Vec<&str> = known.into_iter().collect();
            let why = Error::unknown("parameter", unknown, &known);
            return Err(Error::new(ErrorKind::Argument, format!("cannot draw figure {name}: {why}")));
        }
        let mut frames = Vec::new();
        for (ask, canned) in &queries {
            let mut query_arguments: Vec<(&str, Value)> = Vec::new();
            query_arguments.extend(ask.params.iter().map(|(param, literal)| (*param, Value::typed(literal))));
            let declared = |param: &str| param == "run" || params(canned.as_ref()).any(|known| known == param);
            query_arguments.extend(arguments.iter().filter(|(param, _)| declared(param)).cloned());
            frames.push(run_query(ask.query, &query_arguments)?);
        }
        let windowed =
            arguments.iter().any(|(name, value)| matches!(*name, "start" | "end") && !matches!(value, Value::Null));
        if windowed { DrawnFigure::in_window(figure, frames) } else { DrawnFigure::new(figure, frames) }
    }

    /// Returns the names of all figures.
    pub fn figures(&self) -> Vec<&'static str> {
        FIGURES.iter().map(|figure| figure.name).collect()
    }

    /// Returns the queries of this session: those of the catalog, the user's own, and those saved in the lake.
    pub fn queries(&self) -> Vec<Query> {
        self.inner.registry.canned().iter().map(|canned| canned.query.clone()).collect()
    }
}

/// Returns the names of the parameters of a query.
fn params(canned: Option<&Arc<Canned>>) -> impl Iterator<Item = &str> {
    canned.into_iter().flat_map(|canned| &canned.query.header.params).map(|param| param.name.as_str())
}

/// Returns true if a value is a time after 2001, or a list with one.
fn has_date(value: &ScalarValue) -> bool {
    match value {
        ScalarValue::Int64(Some(time)) => *time >= MIN_EPOCH_TIME,
        ScalarValue::Utf8(Some(text)) => parse_time(text).is_some_and(|time| time >= MIN_EPOCH_TIME),
        ScalarValue::List(times) => {
            let times = times.values().as_primitive_opt::<Int64Type>();
            times.is_some_and(|times| times.iter().flatten().any(|time| time >= MIN_EPOCH_TIME))
        }
        _ => false,
    }
}

fn not_a_name(value: &Value) -> Error {
    Error::new(ErrorKind::Argument, format!("cannot use {value} as the name of a run: it is not a text"))
}

/// Returns the values of the parameters in a plan; `filled` are the names of others, which have their values.
///
/// # Errors
/// Argument for a value without a `$name` in the SQL, and for a `$name` without a value.
fn check_values(
    plan: &LogicalPlan,
    values: Vec<(String, ScalarValue)>,
    filled: &BTreeSet<String>,
) -> Result<Vec<(String, ScalarValue)>, DataFusionError> {
    let placeholders: BTreeSet<String> =
        plan.get_parameter_names()?.iter().map(|name| name.replacen('$', "", 1)).collect();
    let refused = |error: Error| Err(DataFusionError::External(Box::new(error)));
    if let Some((name, _)) = values.iter().find(|(name, _)| !placeholders.contains(name) && !filled.contains(name)) {
        let known: Vec<&str> = placeholders.union(filled).map(String::as_str).collect();
        let error = Error::unknown("parameter", name, &known).with_kind(ErrorKind::Argument);
        return refused(if known.is_empty() {
            error.with_hint(format!("write ${name} where the SQL needs it"))
        } else {
            error
        });
    }
    // A statement such as PREPARE may have values later.
    let missing = placeholders.iter().find(|name| !values.iter().any(|(value_name, _)| value_name == *name));
    match missing.filter(|_| !matches!(plan, LogicalPlan::Statement(_))) {
        Some(name) => refused(Error::new(ErrorKind::Argument, format!("no value for ${name} in the SQL"))),
        None => Ok(values.into_iter().filter(|(name, _)| placeholders.contains(name)).collect()),
    }
}

/// Adds what may be meant to the error of SQL: the nearest name of an unknown table, and other quotes for a text.
fn with_suggestion(error: Error, known: &[String], text: &str) -> Error {
    let column = error.message().strip_prefix("no column `").and_then(|rest| rest.strip_suffix('`'));
    if let Some(column) = column.filter(|column| text.contains(&format!("\"{column}\""))) {
        let hint = format!("write '{column}' for a text: double quotes are for names");
        return error.with_hint(hint);
    }
    let name = error.message().strip_prefix("table '").and_then(|rest| rest.strip_suffix("' not found"));
    match name {
        Some(name) => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            Error::unknown("table", name, &known).with_kind(ErrorKind::Query)
        }
        None => error,
    }
}
