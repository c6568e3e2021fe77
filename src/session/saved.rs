//! Saved queries: they are stored in the lake, and are canned queries of every session that opens it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::sqlparser::ast::{self, ObjectName, Visit, Visitor};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use parking_lot::RwLock;
use tracelake_engine::query_error;

use super::registry::Registry;
use super::{Arguments, Session, Value};
use crate::catalog::Query;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::ColumnInfo;
use crate::lake::SavedQuery;
use crate::unit::Unit;

/// The family of a query that is saved under a name without one.
const FAMILY: &str = "saved";

/// The saved queries of a session.
#[derive(Debug)]
pub(super) struct SavedQueries {
    /// By name. The error is the reason why a file is not a valid query.
    queries: RwLock<BTreeMap<String, Result<Query, String>>>,
}

impl SavedQueries {
    /// Adds the valid queries to the registry, and records the reasons why the others are not valid.
    pub(super) fn read(registry: &Registry, files: Result<Vec<SavedQuery>>) -> Self {
        let files = files.unwrap_or_else(|why| vec![("_queries".to_owned(), Err(why))]);
        let mut queries = BTreeMap::new();
        for (path, text) in files {
            let query = text.and_then(|text| Query::parse(&path, &text)).and_then(|query| {
                check_name(&query)?;
                if registry.is_taken(&query.sql_name()) {
                    return Err(name_taken_error(&query));
                }
                registry.add(&query)?;
                Ok(query)
            });
            let name = path.trim_end_matches(".sql").replace('/', ".");
            queries.insert(name, query.map_err(|why| why.to_string()));
        }
        // They may read each other, so they are planned when all are added.
        let planned: Vec<Result<()>> =
            queries.values().map(|query| query.as_ref().map_or(Ok(()), |query| registry.check(query))).collect();
        for (query, planned) in queries.values_mut().zip(planned) {
            let (Ok(added), Err(why)) = (query.as_ref(), planned) else { continue };
            registry.remove(added);
            *query = Err(why.to_string());
        }
        Self { queries: RwLock::new(queries) }
    }

    fn get(&self, name: &str) -> Option<Result<Query, String>> {
        self.queries.read().get(name).cloned()
    }

    /// Returns the error of a saved query that is not valid.
    pub(super) fn why_broken(&self, name: &str) -> Option<Error> {
        let why = self.get(name)?.err()?;
        let text = format!("cannot use the saved query `{name}`: {why}");
        Some(Error::new(ErrorKind::Query, text).with_hint("save it again, or delete it"))
    }
}

fn name_taken_error(query: &Query) -> Error {
    let text = format!("cannot save query `{}`: tracelake already uses the name {}", query.name, query.sql_name());
    Error::new(ErrorKind::Argument, text).with_hint("choose another name")
}

/// Returns an error for a name that is not valid in SQL and as a file name.
fn check_name(query: &Query) -> Result<()> {
    let is_word = |is_word: &str| {
        is_word.starts_with(|c: char| c.is_ascii_lowercase())
            && is_word.len() <= 60
            && is_word.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    let refused = |why: &str| {
        let text = format!("cannot use `{}` as the name of a saved query: {why}", query.name);
        Err(Error::new(ErrorKind::Argument, text))
    };
    match query.family() {
        Some("finding") => refused("findings of your own are read from a folder, see the option `queries`"),
        Some(family) if is_word(family) && is_word(query.question()) => Ok(()),
        _ => refused("expected <family>.<question>, of lower-case letters, digits and `_`"),
    }
}

/// Returns the name of a saved query with its family.
pub(crate) fn full_name(name: &str) -> String {
    if name.contains('.') { name.to_owned() } else { format!("{FAMILY}.{name}") }
}

impl Session {
    /// Saves a query in the lake. It is then a canned query of this session, and of every session that opens the lake: by name,
    /// as a view and a table function in SQL, and in the help. It replaces a saved query of the same name.
    ///
    /// `sql` begins with the header of a canned query (CONTRIBUTING.md), or is plain SQL with `run` as its first column. For plain
    /// SQL the header is generated: the question is the first comment, and each `$name` is a parameter with the type and the
    /// default of its value in `defaults`. A name without a point gets the family `saved`.
    ///
    /// # Errors
    /// Query for SQL that is wrong or does more than read; Argument for an invalid name or one that is in use, and for a `$name`
    /// without a default; Denied, Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// s.save_query("saved.slow", "select run, step, dur from step where dur > $least", [("least", 400_000_000)])?;
    /// let few = s.query("saved.slow", &[("least", 500_000_000)])?;
    /// assert!(few.len()? < s.sql("select * from saved_slow")?.len()?);
    /// assert_eq!(few.columns()[2].unit, Some(tracelake::Unit::Ns));
    /// # Ok(())
    /// # }
    /// ```
    pub fn save_query(&self, name: &str, sql: &str, defaults: impl Into<Arguments>) -> Result<()> {
        let name = full_name(name);
        let path = format!("{}.sql", name.replacen('.', "/", 1));
        let text = if has_header(sql) { sql.to_owned() } else { self.with_header(sql, &defaults.into())? };
        let query = Query::parse(&path, &text)?;
        check_name(&query)?;
        let inner = &self.inner;
        let before = inner.saved.get(&name).and_then(Result::ok);
        if before.is_none() && inner.registry.is_taken(&query.sql_name()) {
            return Err(name_taken_error(&query));
        }
        // The check of the plan limits the depth of the SQL.
        inner.registry.check(&query)?;
        self.check_no_cycle(&query)?;
        self.on_lake(|lake| async move { lake.put_query(&path, text).await })?;
        if let Some(before) = before {
            inner.registry.remove(&before);
        }
        inner.registry.add(&query)?;
        inner.saved.queries.write().insert(name, Ok(query));
        self.update_queries()
    }

    /// Removes a saved query from the lake and from this session.
    ///
    /// # Errors
    /// NotFound for an unknown saved query; Denied, Unreachable.
    pub fn delete_query(&self, name: &str) -> Result<()> {
        let (inner, name) = (&self.inner, full_name(name));
        let Some(query) = inner.saved.get(&name) else {
            let known = self.saved_queries();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(Error::unknown("saved query", &name, &known));
        };
        let path = format!("{}.sql", name.replacen('.', "/", 1));
        self.on_lake(|lake| async move { lake.delete_query(&path).await })?;
        inner.saved.queries.write().remove(&name);
        if let Ok(query) = query {
            inner.registry.remove(&query);
        }
        self.update_queries()
    }

    /// Returns the names of the saved queries, sorted: those at the time when the lake was opened, and those of this session.
    pub fn saved_queries(&self) -> Vec<String> {
        let queries = self.inner.saved.queries.read();
        queries.iter().filter(|(_, query)| query.is_ok()).map(|(name, _)| name.clone()).collect()
    }

    /// Returns the saved queries that are not valid: the name of each, and why. They do not prevent opening a lake.
    pub fn broken_queries(&self) -> BTreeMap<String, String> {
        let queries = self.inner.saved.queries.read();
        queries.iter().filter_map(|(name, query)| Some((name.clone(), query.as_ref().err()?.clone()))).collect()
    }

    /// Returns an error if a query reads itself through other saved queries.
    fn check_no_cycle(&self, query: &Query) -> Result<()> {
        let name = query.sql_name();
        let saved = self.inner.saved.queries.read();
        let reads_of = |name: &str| {
            let query = saved.values().flatten().find(|query| query.sql_name() == name);
            query.map(|query| relations(&query.body)).unwrap_or_default()
        };
        let (mut known, mut open) = (BTreeSet::new(), relations(&query.body));
        while let Some(read) = open.pop_first() {
            if read == name {
                return Err(refused(
                    "it would read itself".to_owned(),
                    format!("its SQL reads {name}, or a query that does"),
                ));
            }
            if known.insert(read.clone()) {
                open.extend(reads_of(&read));
            }
        }
        Ok(())
    }

    /// Clears cached plans, and updates the help tables.
    fn update_queries(&self) -> Result<()> {
        self.inner.plans.clear();
        self.inner.registry.document()
    }

    /// Returns the SQL with a generated header.
    fn with_header(&self, sql: &str, Arguments(defaults): &Arguments) -> Result<String> {
        let values: Vec<(String, ScalarValue)> =
            defaults.iter().map(|(name, value)| (name.clone(), value.scalar())).collect();
        let plan = self.plan_sql(sql, values, false)?;
        let needs = relation_names(&plan).map_err(|error| query_error(&error))?;
        let (question, body) = match sql.trim_start().strip_prefix("--").and_then(|text| text.split_once('\n')) {
            Some((comment, rest)) if !comment.trim().is_empty() => (comment.trim().to_owned(), rest),
            _ => ("A saved query.".to_owned(), sql),
        };
        let mut text = format!("-- {question}\n--\n");
        for (name, value) in defaults {
            let _ = writeln!(text, "-- param   {name} {} = {value} as saved", param_type(name, value)?);
        }
        for column in self.frame(plan).columns() {
            let _ = writeln!(
                text,
                "-- column  {} {} {} as selected",
                column_name(&column)?,
                column_type(&column)?,
                column_unit(&column)
            );
        }
        let _ = writeln!(text, "--\n-- needs   {}\n", needs.into_iter().collect::<Vec<_>>().join(", "));
        let _ = writeln!(text, "{}", body.trim());
        Ok(text)
    }
}

/// Returns true if SQL begins with a header, and not only a comment.
fn has_header(sql: &str) -> bool {
    let head = sql.lines().map_while(|line| line.strip_prefix("--"));
    head.into_iter().any(|line| ["param ", "column ", "needs "].iter().any(|key| line.trim_start().starts_with(key)))
}

/// Collects the names of tables, views and functions in SQL, and of its own named queries.
#[derive(Default)]
struct Relations {
    names: BTreeSet<String>,
    own: BTreeSet<String>,
}

impl Visitor for Relations {
    type Break = ();

    fn pre_visit_query(&mut self, query: &ast::Query) -> ControlFlow<()> {
        self.own
            .extend(query.with.iter().flat_map(|with| &with.cte_tables).map(|own| own.alias.name.value.to_lowercase()));
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        self.names.extend(name.0.last().and_then(|part| part.as_ident()).map(|name| name.value.to_lowercase()));
        ControlFlow::Continue(())
    }
}

/// Returns the names of tables, views and functions in SQL. A plan has the views replaced with what they read.
fn relations(sql: &str) -> BTreeSet<String> {
    let mut relations = Relations::default();
    let _ = Parser::parse_sql(&GenericDialect {}, sql).unwrap_or_default().visit(&mut relations);
    &relations.names - &relations.own
}

/// Returns the tables, views and functions that a plan reads.
fn relation_names(plan: &LogicalPlan) -> Result<BTreeSet<String>, DataFusionError> {
    let mut names = BTreeSet::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            let name = scan.table_name.table();
            names.insert(name.split('(').next().unwrap_or(name).to_owned());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(names)
}

fn refused(why: String, hint: String) -> Error {
    Error::new(ErrorKind::Query, format!("cannot save the query: {why}")).with_hint(hint)
}

/// Returns the name of a column, or an error if it is an expression.
fn column_name(column: &ColumnInfo) -> Result<&str> {
    let name = &column.name;
    if name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) {
        return Ok(name);
    }
    Err(refused(format!("column `{name}` has no name of its own"), format!("write {name} AS a_name")))
}

/// Returns the type of a column, or an error if a header cannot declare it.
fn column_type(column: &ColumnInfo) -> Result<String> {
    let (ty, name) = (column.sql_type(), &column.name);
    if ["bigint", "double", "text", "boolean"].contains(&ty.as_str()) {
        return Ok(ty);
    }
    let why = format!("column `{name}` is {ty}, and a saved query has text, bigint, double and boolean");
    Err(refused(why, format!("write CAST(... AS bigint) AS {name}, or another of these types")))
}

/// Returns the unit of a column; if its name has another suffix, the default for its type.
fn column_unit(column: &ColumnInfo) -> Unit {
    let unit = column.unit.filter(|unit| column.name.ends_with(unit.suffix()));
    unit.unwrap_or_else(|| match column.sql_type().as_str() {
        "text" => Unit::Text,
        "boolean" => Unit::Flag,
        _ => Unit::Mixed,
    })
}

/// Returns the type of a parameter with this default.
fn param_type(name: &str, value: &Value) -> Result<String> {
    let unclear = || {
        let why = format!("cannot infer the type of ${name} from {value}");
        Err(refused(why, "give it another default, or write the header".to_owned()))
    };
    match value {
        Value::Bigint(_) => Ok("bigint".to_owned()),
        Value::Double(_) => Ok("double".to_owned()),
        Value::Boolean(_) => Ok("boolean".to_owned()),
        Value::Text(text) if !text.contains(['\'', '\n', '\r']) => Ok("text".to_owned()),
        Value::List(values) => match values.first() {
            Some(first) if !matches!(first, Value::List(_)) => Ok(format!("{}[]", param_type(name, first)?)),
            _ => unclear(),
        },
        _ => unclear(),
    }
}
