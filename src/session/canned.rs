//! Canned queries in the engine: each is a table function, and a view if all parameters have defaults.
//!
//! A query is planned once, at its first use: with its defaults, and with PREPARE if it is called with other values, so that
//! its parameters have their declared types. A projection adds the declared units.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::{DataType, Schema, TimeUnit};
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::metadata::FieldMetadata;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, DataFusionError, Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::datasource::ViewTable;
use datafusion::execution::SessionState;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::planner::{RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::logical_expr::{ColumnarValue, Expr, LogicalPlan, LogicalPlanBuilder, Statement, col, lit};
use datafusion::sql::sqlparser::ast::{FunctionArg, FunctionArgExpr, Ident, ObjectName, ObjectNamePart, TableFactor};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use futures::FutureExt;
use parking_lot::RwLock;
use tracelake_engine::manifest_rows::attribute_names;
use tracelake_engine::plan::cached_view::CachedView;
use tracelake_engine::plan::depth::plan_sql;
use tracelake_engine::provider::{CurrentSnapshot, current_snapshot};
use tracelake_engine::query_error;
use tracelake_engine::times::literals::convert_literals;
use tracelake_engine::times::{TIME_FORMS, parse_time};

use super::placeholder::replace_placeholders;
use crate::catalog::{self, Domain, Param, Query};
use crate::error::{Error, ErrorKind};
use crate::frame::ColumnInfo;

/// A query that is planned at its first use: a process uses few of many.
#[derive(Debug)]
pub(super) struct Canned {
    pub(super) query: Query,
    snapshot: CurrentSnapshot,
    prepared: OnceLock<PreparedPlan>,
    /// The plan with all parameters at their defaults, and the view of it.
    at_defaults: OnceLock<(LogicalPlan, Arc<dyn TableProvider>)>,
}

#[derive(Debug)]
struct PreparedPlan {
    types: Vec<DataType>,
    defaults: Vec<Option<ScalarValue>>,
    plan: LogicalPlan,
}

/// Maximum depth of queries that read other queries.
const MAX_NESTED: usize = 40;

thread_local! {
    /// The queries that are planned now, each because the one before reads it.
    static PLANNED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A query that is planned now. Planning one that it reads happens within, on the same thread.
struct Planning;

impl Planning {
    /// Returns an error for a query that reads itself, and for too many within each other: planning overflows the stack.
    fn enter(name: &str) -> Result<Self> {
        PLANNED.with_borrow_mut(|planned| {
            if let Some(first) = planned.iter().position(|query| query == name) {
                return plan_err!("it reads itself: {} -> {name}", planned[first..].join(" -> "));
            }
            if planned.len() >= MAX_NESTED {
                return plan_err!("queries are nested more than {MAX_NESTED} levels deep");
            }
            planned.push(name.to_owned());
            Ok(Self)
        })
    }
}

impl Drop for Planning {
    fn drop(&mut self) {
        PLANNED.with_borrow_mut(Vec::pop);
    }
}

impl Canned {
    pub(super) fn new(query: Query, snapshot: CurrentSnapshot) -> Self {
        Self { query, snapshot, prepared: OnceLock::new(), at_defaults: OnceLock::new() }
    }

    /// Returns true if the query needs no argument. Then it has a view.
    pub(super) fn has_view(&self) -> bool {
        self.query.header.params.iter().all(|param| param.default.is_some())
    }

    /// Plans the query, unless it is planned already. Returns an error if its columns are not those of its header.
    pub(super) fn check(&self, state: &SessionState) -> crate::Result<()> {
        self.prepare(state)?;
        if self.has_view() { self.at_defaults(state).map(|_| ()) } else { Ok(()) }
    }

    /// Returns the plan with parameters, their types and defaults.
    fn prepare(&self, state: &SessionState) -> crate::Result<&PreparedPlan> {
        if let Some(prepared) = self.prepared.get() {
            return Ok(prepared);
        }
        let _span = tracing::info_span!("parse", query = self.query.name);
        let _planning = Planning::enter(&self.query.name).map_err(|error| self.plan_error(&error))?;
        let params = &self.query.header.params;
        let types: Vec<String> = params.iter().map(Param::sql_type).collect();
        let body = replace_placeholders(&self.query.body, |name| {
            params.iter().position(|param| param.name == name).map(|n| format!("${}", n + 1))
        });
        let body = body.map_err(|error| self.plan_error(&error))?;
        let text = if types.is_empty() { body } else { format!("PREPARE q({}) AS {body}", types.join(", ")) };
        let plan = now(plan_sql(state, &text)).map_err(|error| self.plan_error(&error))?;
        let (plan, types) = match plan {
            LogicalPlan::Statement(Statement::Prepare(prepared)) => {
                let types = prepared.fields.iter().map(|field| field.data_type().clone()).collect();
                (Arc::unwrap_or_clone(prepared.input), types)
            }
            plan => (plan, Vec::new()),
        };
        let plan = self.declared(plan)?;
        let default = |text: &String, ty: &DataType| {
            let literal = state.create_logical_expr(text, &DFSchema::empty())?;
            constant(&literal, state)?.cast_to(ty)
        };
        let mut defaults = Vec::new();
        for (param, ty) in params.iter().zip(&types) {
            let value = param.default.as_ref().map(|text| default(text, ty)).transpose();
            defaults.push(value.map_err(|error| self.plan_error(&error))?);
        }
        Ok(self.prepared.get_or_init(|| PreparedPlan { types, defaults, plan }))
    }

    /// Returns the plan and the view with all parameters at their defaults. The defaults are literals in the SQL, so that calls
    /// of other queries get constants.
    fn at_defaults(&self, state: &SessionState) -> crate::Result<&(LogicalPlan, Arc<dyn TableProvider>)> {
        if let Some(known) = self.at_defaults.get() {
            return Ok(known);
        }
        let _span = tracing::info_span!("parse", query = self.query.name);
        let _planning = Planning::enter(&self.query.name).map_err(|error| self.plan_error(&error))?;
        let (query, params) = (&self.query, &self.query.header.params);
        let text = replace_placeholders(&query.body, |name| {
            let param = params.iter().find(|param| param.name == name)?;
            Some(format!("CAST({} AS {})", param.default.as_ref()?, param.sql_type()))
        });
        let plan = text.and_then(|text| now(plan_sql(state, &text)));
        let plan = self.declared(plan.map_err(|error| self.plan_error(&error))?)?;
        // Views of the user's own queries are not cached: their rows may depend on the time, or on tables of the session.
        let view: Arc<dyn TableProvider> = if catalog::queries().iter().any(|known| known.name == query.name) {
            let view = CachedView::new(&query.name, plan.clone(), query.header.cache_large);
            Arc::new(view.map_err(|error| self.plan_error(&error))?)
        } else {
            Arc::new(ViewTable::new(plan.clone(), None))
        };
        Ok(self.at_defaults.get_or_init(|| (plan, view)))
    }

    /// Returns the plan with the declared columns and their units.
    fn declared(&self, plan: LogicalPlan) -> crate::Result<LogicalPlan> {
        read_only().verify_plan(&plan).map_err(|error| self.plan_error(&error))?;
        let plan = convert_literals(plan).map_err(|error| self.plan_error(&error))?;
        if self.query.header.columns.is_empty() {
            // The query for the quantity of a finding declares no columns.
            return Ok(plan);
        }
        check_columns(&plan, &self.query)?;
        with_units(plan, &self.query).map_err(|error| self.plan_error(&error))
    }

    /// Returns the error of a query that cannot be planned.
    pub(super) fn plan_error(&self, error: &DataFusionError) -> Error {
        let text = format!("cannot plan query `{}`", self.query.name);
        Error::new(ErrorKind::Query, text).with_source(query_error(error))
    }

    /// Returns the view, with all parameters at their defaults; None if a parameter has no default.
    pub(super) fn view(&self, state: &SessionState) -> Result<Option<Arc<dyn TableProvider>>> {
        if !self.has_view() {
            return Ok(None);
        }
        let (_, view) = self.at_defaults(state).map_err(external)?;
        Ok(Some(Arc::clone(view)))
    }

    /// Returns the view if it is planned already.
    pub(super) fn planned_view(&self) -> Option<Arc<dyn TableProvider>> {
        self.at_defaults.get().map(|(_, view)| Arc::clone(view))
    }

    /// Returns the plan for values by name; the other parameters have their defaults. Its rows have the declared order.
    pub(super) fn call(&self, state: &SessionState, values: &BTreeMap<String, ScalarValue>) -> Result<LogicalPlan> {
        if values.is_empty() && self.has_view() {
            return Ok(self.at_defaults(state).map_err(external)?.0.clone());
        }
        let prepared = self.prepare(state).map_err(external)?;
        let values = self.values(prepared, values)?;
        if values.is_empty() { Ok(prepared.plan.clone()) } else { prepared.plan.clone().with_param_values(values) }
    }

    /// Returns the plan for a call in another query that passes its own parameters, by position. They get their values with
    /// that query.
    fn call_within(
        &self,
        state: &SessionState,
        values: &BTreeMap<String, ScalarValue>,
        outer_params: &BTreeMap<usize, (DataType, Expr)>,
    ) -> Result<LogicalPlan> {
        let prepared = self.prepare(state).map_err(external)?;
        let params = &self.query.header.params;
        let mut values = values.clone();
        for (&n, (ty, _)) in outer_params {
            if *ty != prepared.types[n] {
                return Err(self.wrong_type(n, ty));
            }
            // A placeholder, which is replaced below.
            values.insert(params[n].name.clone(), ScalarValue::try_new_null(ty)?);
        }
        let argument = |(n, value)| {
            let expr = outer_params.get(&n).map_or_else(|| lit::<ScalarValue>(value), |(_, expr)| expr.clone());
            (format!("${}", n + 1), expr)
        };
        let arguments = self.values(prepared, &values)?.into_iter().enumerate().map(argument).collect();
        with_arguments(prepared.plan.clone(), &arguments)
    }

    /// Returns the values of all parameters, by position; those without a value have their defaults.
    fn values(&self, prepared: &PreparedPlan, values: &BTreeMap<String, ScalarValue>) -> Result<Vec<ScalarValue>> {
        let params = &self.query.header.params;
        if let Some(name) = values.keys().find(|name| !params.iter().any(|p| p.name == **name)) {
            return Err(self.refused(&unknown_parameter(params, name).to_string()));
        }
        let value = |n: usize| match (values.get(&params[n].name), &prepared.defaults[n]) {
            (Some(value), _) => self.cast_value(n, value.clone(), &prepared.types[n]),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => plan_err!("{}: argument {} is missing", self.query.usage(), params[n].name),
        };
        (0..params.len()).map(value).collect()
    }

    /// Casts a value to the declared type: no text to a number, no fraction to an integer. Checks its domain.
    fn cast_value(&self, n: usize, value: ScalarValue, ty: &DataType) -> Result<ScalarValue> {
        let param = &self.query.header.params[n];
        let value = if param.domain == Domain::Time { self.time(&param.name, value)? } else { value };
        if !fits(&value.data_type(), ty) {
            return Err(self.wrong_type(n, &value.data_type()));
        }
        if let Some(why) = self.outside(&param.domain, &value) {
            return Err(self.refused(&format!("argument `{}`: {why}", param.name)));
        }
        let cast = value.cast_to(ty);
        cast.map_err(|error| self.refused(&format!("argument `{}`: {}", param.name, error.strip_backtrace())))
    }

    /// Returns a time as ns, from ns or text.
    fn time(&self, name: &str, value: ScalarValue) -> Result<ScalarValue> {
        let refused = |why: String| self.refused(&format!("argument `{name}`: {why}"));
        if value.is_null() {
            return Ok(value);
        }
        if let ScalarValue::List(list) = &value {
            let elements = (0..list.values().len()).map(|n| ScalarValue::try_from_array(list.values(), n));
            let times = elements.map(|element| self.time(name, element?)).collect::<Result<Vec<_>>>()?;
            let times = times.into_iter().map(|time| if time.is_null() { ScalarValue::Int64(None) } else { time });
            let times: Vec<ScalarValue> = times.collect();
            // A value of another type is refused with the list.
            let is_converted = times.iter().all(|time| time.data_type() == DataType::Int64);
            let list = || ScalarValue::List(ScalarValue::new_list(&times, &DataType::Int64, true));
            return Ok(if is_converted { list() } else { value });
        }
        if let Some(text) = value.try_as_str().flatten() {
            let time =
                parse_time(text).ok_or_else(|| refused(format!("cannot read '{text}' as a time; {TIME_FORMS}")))?;
            return Ok(ScalarValue::Int64(Some(time)));
        }
        if matches!(value.data_type(), DataType::Timestamp(..) | DataType::Date32 | DataType::Date64) {
            return value
                .cast_to(&DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())))?
                .cast_to(&DataType::Int64);
        }
        match time_in_other_unit(&value).filter(|_| self.all_runs_have_epochs()) {
            Some((unit, ns)) => Err(refused(format!("{value} is a time in {unit}, expected ns; write {ns}"))),
            None => Ok(value),
        }
    }

    /// Whether there are times, and all of them are since the Unix epoch.
    fn all_runs_have_epochs(&self) -> bool {
        let runs = current_snapshot(&self.snapshot);
        let mut epochs =
            runs.values().flat_map(|run| run.objects.iter().filter_map(|object| object.has_epoch())).peekable();
        epochs.peek().is_some() && epochs.all(|has_epoch| has_epoch)
    }

    /// Returns why a value, or an element of a list, is not in the domain. Null is in every domain.
    fn outside(&self, domain: &Domain, value: &ScalarValue) -> Option<String> {
        if let ScalarValue::List(list) = value {
            let elements = (0..list.values().len()).map(|n| ScalarValue::try_from_array(list.values(), n));
            return elements.flatten().find_map(|element| self.outside(domain, &element));
        }
        let text = || value.try_as_str().flatten();
        match domain {
            Domain::Any | Domain::Time => None,
            Domain::Range(min, max) => out_of_range(value, *min, *max),
            Domain::Names(names) => text().and_then(|text| unknown_name("value", text, names)),
            Domain::Attribute => text().and_then(|text| {
                let runs = current_snapshot(&self.snapshot);
                let names: BTreeSet<&str> = runs.values().flat_map(|run| attribute_names(run)).collect();
                unknown_name("attribute", text, names)
            }),
            Domain::SameAs(query, name) => {
                let query = catalog::queries().iter().find(|known| known.sql_name() == *query)?;
                let param = query.header.params.iter().find(|param| param.name == *name)?;
                self.outside(&param.domain, value)
            }
            Domain::Run => text().and_then(|text| unknown_name("run", text, current_snapshot(&self.snapshot).keys())),
        }
    }

    /// Returns the error of an argument of another type.
    fn wrong_type(&self, n: usize, ty: &DataType) -> DataFusionError {
        let param = &self.query.header.params[n];
        self.refused(&format!("argument `{}` is {}, expected {}", param.name, sql_name(ty), param.sql_type()))
    }

    /// Returns the error of a wrong argument. It has its kind also after it has passed the engine.
    fn refused(&self, why: &str) -> DataFusionError {
        let text = format!("cannot run `{}`: {why}", self.query.name);
        DataFusionError::External(Box::new(Error::new(ErrorKind::Argument, text)))
    }
}

/// Returns the error of an unknown parameter.
pub(super) fn unknown_parameter(params: &[Param], name: &str) -> Error {
    let known: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
    Error::unknown("parameter", name, &known)
}

/// Returns the unit and the ns of a number that is a time since 2001 in seconds, ms or us.
fn time_in_other_unit(value: &ScalarValue) -> Option<(&'static str, i64)> {
    let Ok(ScalarValue::Float64(Some(number))) = value.cast_to(&DataType::Float64) else { return None };
    let (unit, factor) = match number {
        1e9..1e10 => ("seconds", 1_000_000_000),
        1e12..1e13 => ("ms", 1_000_000),
        1e15..1e16 => ("us", 1_000),
        _ => return None,
    };
    match value {
        ScalarValue::Int64(Some(whole)) => Some((unit, whole.checked_mul(factor)?)),
        #[expect(clippy::cast_possible_truncation, reason = "the number is in a range that fits")]
        _ => Some((unit, (number * factor as f64) as i64)),
    }
}

/// Returns why a number is not in a range.
fn out_of_range(value: &ScalarValue, min: f64, max: Option<f64>) -> Option<String> {
    let Ok(ScalarValue::Float64(Some(number))) = value.cast_to(&DataType::Float64) else { return None };
    if (min..=max.unwrap_or(f64::INFINITY)).contains(&number) {
        return None;
    }
    let hint = percent_hint(number).filter(|_| max == Some(1.0));
    Some(match (max, hint) {
        (None, _) => format!("{value} is less than {min}"),
        (Some(_), Some(hint)) => format!("{value} is not a ratio from 0 to 1; {hint}"),
        (Some(max), None) => format!("{value} is not from {min} to {max}"),
    })
}

/// Returns a hint for a number that is too large for a ratio and may be a percentage.
pub(crate) fn percent_hint(number: f64) -> Option<String> {
    (number > 1.0 && number <= 100.0).then(|| format!("write {} for {number} %", number / 100.0))
}

/// Returns why a name is not one of the known ones, with the nearest of them.
fn unknown_name<T: AsRef<str>>(what: &str, name: &str, known: impl IntoIterator<Item = T>) -> Option<String> {
    let known: Vec<T> = known.into_iter().collect();
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    (!known.contains(&name)).then(|| Error::unknown(what, name, &known).to_string())
}

/// Returns the name of a type in SQL.
fn sql_name(ty: &DataType) -> String {
    match ty {
        ty if is_text(ty) => "text".to_owned(),
        ty if ty.is_integer() => "bigint".to_owned(),
        ty if ty.is_floating() => "double".to_owned(),
        DataType::List(element) => format!("{}[]", sql_name(element.data_type())),
        ty => ty.to_string().to_lowercase(),
    }
}

impl TableFunctionImpl for Canned {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let exprs = args.exprs();
        let params = &self.query.header.params;
        if exprs.len() > params.len() {
            return plan_err!("{}: {} arguments, expected at most {}", self.query.usage(), exprs.len(), params.len());
        }
        let Some(state) = args.session().as_any().downcast_ref::<SessionState>() else {
            return plan_err!("{}: only the engine of tracelake can run it", self.query.usage());
        };
        if let ([], Some(view)) = (exprs, self.view(state)?) {
            return Ok(view);
        }
        let mut values = BTreeMap::new();
        let mut outer_params = BTreeMap::new();
        for (n, (param, expr)) in params.iter().zip(exprs).enumerate() {
            if let Some(ty) = parameter_type(expr) {
                outer_params.insert(n, (ty.clone(), expr.clone()));
                continue;
            }
            let value = constant(expr, args.session()).map_err(|error| {
                let (usage, why) = (self.query.usage(), error.strip_backtrace());
                plan_datafusion_err!("{usage}: argument {} is not a constant: {why}", param.name)
            })?;
            values.insert(param.name.clone(), value);
        }
        let plan = if outer_params.is_empty() {
            let prepared = self.prepare(state).map_err(external)?;
            let values = self.values(prepared, &values)?;
            let defaults = prepared.defaults.iter().map(Option::as_ref);
            if values.iter().map(Some).eq(defaults) {
                let (_, view) = self.at_defaults(state).map_err(external)?;
                return Ok(Arc::clone(view));
            }
            prepared.plan.clone().with_param_values(values)?
        } else {
            self.call_within(state, &values, &outer_params)?
        };
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}

/// Returns the options for SQL that only reads.
pub(super) fn read_only() -> SQLOptions {
    SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false)
}

fn is_text(ty: &DataType) -> bool {
    matches!(ty, DataType::Utf8 | DataType::Utf8View | DataType::LargeUtf8)
}

/// Returns true if a value of one type can be an argument of another type.
fn fits(ty: &DataType, declared: &DataType) -> bool {
    if let (DataType::List(ty), DataType::List(declared)) = (ty, declared) {
        return fits(ty.data_type(), declared.data_type());
    }
    ty.is_null()
        || ty == declared
        || (ty.is_numeric() && declared.is_numeric() && (ty.is_integer() || !declared.is_integer()))
        || (is_text(ty) && is_text(declared))
}

/// Returns an error if the columns of the SQL are not those of the header, with their types.
fn check_columns(plan: &LogicalPlan, query: &Query) -> crate::Result<()> {
    let wrong = |why: String, hint: String| {
        let text = format!("cannot use query `{}` of {}: {why}", query.name, query.path());
        Err(Error::new(ErrorKind::Query, text).with_hint(hint))
    };
    let fields = plan.schema().fields();
    for column in &query.header.columns {
        let name = &column.name;
        let Some(field) = fields.iter().find(|field| field.name() == name) else {
            let hint = format!("select it, or remove the line `column {name}` from the header");
            return wrong(format!("its header declares column `{name}`, which the SQL does not return"), hint);
        };
        let ty = ColumnInfo { name: name.clone(), data_type: field.data_type().clone(), unit: None }.sql_type();
        if ty != column.ty.as_str() {
            let hint = format!("write CAST(... AS {}) AS {name}, or correct the header", column.ty);
            return wrong(format!("column `{name}` is {ty}, its header declares {}", column.ty), hint);
        }
    }
    match fields.iter().find(|field| query.header.columns.iter().all(|column| column.name != *field.name())) {
        Some(field) => {
            let hint = "add a line `column` to the header, or do not select it".to_owned();
            wrong(format!("the SQL returns column `{}`, which its header does not declare", field.name()), hint)
        }
        None => Ok(()),
    }
}

/// Returns the plan with a projection to the declared columns, with their units.
fn with_units(plan: LogicalPlan, query: &Query) -> Result<LogicalPlan> {
    let columns = query.header.columns.iter().map(|column| {
        let unit = BTreeMap::from([("unit".to_owned(), column.unit.as_str().to_owned())]);
        col(Ident::with_quote('"', &column.name).to_string())
            .alias_with_metadata(&column.name, Some(FieldMetadata::from(unit)))
    });
    LogicalPlanBuilder::from(plan).project(columns.collect::<Vec<_>>())?.build()
}

/// Returns the value of a constant expression: literals, `-1 + 2`, `[0.5, 0.9]`.
pub(super) fn constant(expr: &Expr, session: &dyn Session) -> Result<ScalarValue> {
    let expr = session.create_physical_expr(expr.clone().unalias(), &DFSchema::empty())?;
    let one = RecordBatchOptions::new().with_row_count(Some(1));
    let row = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &one)?;
    match expr.evaluate(&row)? {
        ColumnarValue::Scalar(value) => Ok(value),
        ColumnarValue::Array(array) => ScalarValue::try_from_array(&array, 0),
    }
}

/// Returns the type of a parameter of the outer query, which gets its value when that query runs.
fn parameter_type(expr: &Expr) -> Option<&DataType> {
    match expr {
        Expr::Alias(alias) => parameter_type(&alias.expr),
        Expr::Placeholder(placeholder) => placeholder.field.as_ref().map(|field| field.data_type()),
        _ => None,
    }
}

/// Returns the plan with expressions for its parameters.
fn with_arguments(plan: LogicalPlan, arguments: &BTreeMap<String, Expr>) -> Result<LogicalPlan> {
    let replaced = plan.transform_up_with_subqueries(|plan| {
        let names = NamePreserver::new(&plan);
        plan.map_expressions(|expr| {
            let name = names.save(&expr);
            let expr = expr.transform_up(|expr| {
                Ok(match &expr {
                    Expr::Placeholder(placeholder) => match arguments.get(&placeholder.id) {
                        Some(argument) => Transformed::yes(argument.clone()),
                        None => return plan_err!("there is no parameter {}", placeholder.id),
                    },
                    _ => Transformed::no(expr),
                })
            })?;
            Ok(expr.update_data(|expr| name.restore(expr)))
        })
    })?;
    Ok(replaced.data)
}

/// Returns the result of planning, which never waits: names are looked up in memory.
fn now<T>(plan: impl Future<Output = Result<T>>) -> Result<T> {
    plan.now_or_never().unwrap_or_else(|| plan_err!("the planner waits for something"))
}

fn external(error: Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// Queries and views by name in SQL, shared by the planner and the help.
pub(super) type NamedQueries = Arc<RwLock<BTreeMap<String, Query>>>;

/// Supports `name => value` in calls of table functions, for which the engine has only positions.
#[derive(Debug)]
pub(super) struct NamedArguments(pub(super) NamedQueries);

impl RelationPlanner for NamedArguments {
    fn plan_relation(&self, mut relation: TableFactor, _: &mut dyn RelationPlannerContext) -> Result<RelationPlanning> {
        let known = self.0.read();
        if let TableFactor::Table { name, args: Some(arguments), .. } = &mut relation
            && let Some(query) = known.get(&name.to_string().to_lowercase())
        {
            *name = ObjectName(vec![ObjectNamePart::Identifier(Ident::new(query.sql_name()))]);
            if arguments.args.iter().any(|argument| matches!(argument, FunctionArg::Named { .. })) {
                arguments.args = by_position(query, std::mem::take(&mut arguments.args))?;
            }
        }
        Ok(RelationPlanning::Original(Box::new(relation)))
    }
}

/// Returns the arguments by position, with defaults in the gaps.
fn by_position(query: &Query, arguments: Vec<FunctionArg>) -> Result<Vec<FunctionArg>> {
    let (params, usage) = (&query.header.params, query.usage());
    let mut slots: Vec<Option<FunctionArg>> = vec![None; params.len()];
    let mut last = 0;
    let mut has_names = false;
    for (n, argument) in arguments.into_iter().enumerate() {
        let (slot, argument) = match argument {
            FunctionArg::Named { name, arg, .. } => {
                has_names = true;
                match params.iter().position(|param| param.name.eq_ignore_ascii_case(&name.value)) {
                    Some(slot) => (slot, FunctionArg::Unnamed(arg)),
                    None => return plan_err!("{usage}: {}", unknown_parameter(params, &name.value)),
                }
            }
            _ if has_names => return plan_err!("{usage}: an argument without a name follows one with a name"),
            argument if n < params.len() => (n, argument),
            _ => return plan_err!("{usage}: expected at most {} arguments", params.len()),
        };
        if slots[slot].replace(argument).is_some() {
            return plan_err!("{usage}: argument {} is given twice", params[slot].name);
        }
        last = last.max(slot + 1);
    }
    slots.truncate(last);
    let fill = |(slot, param): (Option<FunctionArg>, &Param)| match (slot, &param.default) {
        (Some(argument), _) => Ok(argument),
        (None, Some(default)) => {
            let parsed =
                Parser::new(&GenericDialect {}).try_with_sql(default).and_then(|mut parser| parser.parse_expr());
            let expr = parsed.map_err(|error| plan_datafusion_err!("{error}"))?;
            Ok(FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)))
        }
        (None, None) => plan_err!("{usage}: argument {} is missing", param.name),
    };
    slots.into_iter().zip(params).map(fill).collect()
}
