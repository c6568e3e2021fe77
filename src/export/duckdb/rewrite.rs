//! Rewrites canned queries so that DuckDB returns the same rows for them.
//!
//! Works on the syntax tree, which has no types. Where a rule depends on a type, it relies on what the expression shows;
//! if that is not enough, DuckDB reports an error or returns the same value. tests/python/test_duckdb_views.py compares
//! all results with those of tracelake.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    ArrayElemTypeDef, BinaryOperator, CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg,
    FunctionArgExpr, FunctionArgOperator, FunctionArgumentClause, FunctionArguments, Ident, JoinOperator,
    NamedWindowExpr, ObjectName, OrderBy, OrderByExpr, OrderByKind, Query as SqlQuery, Select, SetExpr, TableAlias,
    TableAliasColumnDef, TableFactor, Value, ValueWithSpan, VisitMut, VisitorMut, WindowSpec, WindowType,
    visit_expressions_mut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::types::{arguments, function_name, is_double, is_whole};
use crate::catalog::{Param, Query};
use crate::error::{Error, ErrorKind, Result};
use crate::unit::Type;

/// Functions of tracelake for which there is no macro.
const MISSING: [&str; 11] = [
    "call_chain",
    "call_frame",
    "call_parent",
    "call_stack",
    "change_point",
    "collective_work",
    "critical_path",
    "operator_bytes",
    "operator_data_type",
    "operator_flops",
    "ratio_interval",
];

/// Functions that have another name in DuckDB.
const RENAMED: [(&str, &str); 4] =
    [("btrim", "trim"), ("cardinality", "len"), ("get_field", "struct_extract"), ("regexp_like", "regexp_matches")];

/// Aggregates of tracelake for which there is a macro. A macro does not accept FILTER.
const MACROS: [&str; 4] = ["priority_intervals", "priority_lengths", "union_intervals", "union_length"];

/// Keywords of DuckDB that canned queries use as names.
const QUOTED: [&str; 26] = [
    "analyze",
    "asymmetric",
    "at",
    "both",
    "check",
    "column",
    "constraint",
    "deferrable",
    "do",
    "foreign",
    "initially",
    "leading",
    "only",
    "pivot",
    "placing",
    "primary",
    "references",
    "returning",
    "show",
    "some",
    "summarize",
    "symmetric",
    "trailing",
    "unique",
    "unpivot",
    "variadic",
];

/// The reason why a query cannot be rewritten.
pub(super) enum RewriteError {
    /// It calls a function that DuckDB does not have.
    MissingFunction(String),
    /// It cannot be parsed.
    Failed(Error),
}

impl From<Error> for RewriteError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Returns the rewritten query, with these expressions for its parameters. `queries` has the queries that it may call, by
/// name in SQL.
pub(super) fn select(
    query: &Query,
    arguments: BTreeMap<String, Expr>,
    queries: &BTreeMap<String, Query>,
) -> Result<Box<SqlQuery>, RewriteError> {
    let mut body = parse_query(query, &query.body)?;
    rewrite(&mut body, Rewriter { query, arguments, queries })?;
    // In DuckDB, sums of integers have 128 bits, and some texts have special types.
    let columns: Vec<String> = query
        .header
        .columns
        .iter()
        .map(|column| format!("CAST(\"{0}\" AS {1}) AS \"{0}\"", column.name, data_type(column.ty)))
        .collect();
    let mut outer = parse_query(query, &format!("SELECT {} FROM (SELECT 1) AS answer", columns.join(", ")))?;
    if let SetExpr::Select(select) = outer.body.as_mut()
        && let Some(TableFactor::Derived { subquery, .. }) = select.from.first_mut().map(|from| &mut from.relation)
    {
        *subquery = body;
    }
    Ok(outer)
}

/// Returns the default of a parameter.
pub(super) fn default(query: &Query, param: &Param) -> Result<Option<Expr>, RewriteError> {
    let Some(text) = &param.default else { return Ok(None) };
    let mut value = parse_expr(query, text)?;
    rewrite(&mut value, Rewriter { query, arguments: BTreeMap::new(), queries: &BTreeMap::new() })?;
    Ok(Some(value))
}

/// Returns a parameter of a macro as a subquery: next to an aggregate, GROUP BY would have to contain the bare name.
pub(super) fn parameter(query: &Query, param: &Param) -> Result<Expr> {
    parse_expr(query, &format!("(SELECT p_{})", param.name))
}

/// Returns a cast of an expression to the type of a parameter.
pub(super) fn cast_to_param(param: &Param, expr: Expr) -> Expr {
    let element = data_type(param.ty);
    let data_type =
        if param.list { DataType::Array(ArrayElemTypeDef::SquareBracket(Box::new(element), None)) } else { element };
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, array: false, format: None }
}

/// Returns a type of DuckDB.
pub(super) fn data_type(ty: Type) -> DataType {
    match ty {
        Type::Bigint => DataType::BigInt(None),
        Type::Double => DataType::Double(ExactNumberInfo::None),
        Type::Text => DataType::Varchar(None),
        Type::Boolean => DataType::Boolean,
    }
}

fn parse_query(query: &Query, text: &str) -> Result<Box<SqlQuery>> {
    parser(text).and_then(|mut parser| parser.parse_query()).map_err(|error| unparsed(query, &error))
}

fn parse_expr(query: &Query, text: &str) -> Result<Expr> {
    parser(text).and_then(|mut parser| parser.parse_expr()).map_err(|error| unparsed(query, &error))
}

/// Returns a parser of SQL that quotes the keywords of DuckDB. Numbers with a fraction get an exponent: they are doubles,
/// and not decimals as in DuckDB.
fn parser(text: &str) -> Result<Parser<'static>, ParserError> {
    let mut tokens = Tokenizer::new(&GenericDialect {}, text).tokenize()?;
    for token in &mut tokens {
        match token {
            Token::Word(word) if word.quote_style.is_none() && QUOTED.contains(&word.value.as_str()) => {
                *token = Token::make_word(&word.value, Some('"'));
            }
            Token::Number(number, _) if number.contains('.') && !number.contains(['e', 'E']) => number.push_str("e0"),
            _ => {}
        }
    }
    Ok(Parser::new(&GenericDialect {}).with_tokens(tokens))
}

fn unparsed(query: &Query, error: &ParserError) -> Error {
    Error::new(ErrorKind::Query, format!("cannot read query `{}`: {error}", query.name))
}

/// Returns what `parse` reads from SQL of this module, with these expressions for `$0`, `$1` and so on.
fn template<T: VisitMut>(
    sql: &str,
    parse: impl FnOnce(&mut Parser<'static>) -> Result<T, ParserError>,
    values: &[Expr],
) -> Result<T, RewriteError> {
    let parsed = parser(sql).and_then(|mut parser| parse(&mut parser));
    let mut parsed =
        parsed.map_err(|error| Error::new(ErrorKind::Internal, "cannot read a template").with_source(error))?;
    let _ = visit_expressions_mut(&mut parsed, |expr| {
        if let Some(value) = placeholder(expr).and_then(|name| values.get(name.parse::<usize>().ok()?)) {
            *expr = value.clone();
        }
        ControlFlow::<()>::Continue(())
    });
    Ok(parsed)
}

/// Returns the name of a placeholder without the `$`.
fn placeholder(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::Placeholder(name), .. }) => Some(name.trim_start_matches('$')),
        _ => None,
    }
}

/// Rewrites a syntax tree from the inside out.
fn rewrite(tree: &mut impl VisitMut, mut rewriter: Rewriter<'_>) -> Result<(), RewriteError> {
    tree.visit(&mut rewriter).break_value().map_or(Ok(()), Err)
}

struct Rewriter<'a> {
    query: &'a Query,
    /// Expressions for the parameters of the query.
    arguments: BTreeMap<String, Expr>,
    /// Queries that the query may call, by name in SQL.
    queries: &'a BTreeMap<String, Query>,
}

impl VisitorMut for Rewriter<'_> {
    type Break = RewriteError;

    fn post_visit_query(&mut self, query: &mut SqlQuery) -> ControlFlow<RewriteError> {
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = &mut query.order_by {
            set_nulls_first(keys);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<RewriteError> {
        for window in &mut select.named_window {
            if let NamedWindowExpr::WindowSpec(window) = &mut window.1 {
                set_nulls_first(&mut window.order_by);
            }
        }
        for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
            // DuckDB 1 cannot run an outer join with a subquery in its condition.
            let _ = visit_expressions_mut(&mut join.join_operator, unwrap_parameter);
            match &join.join_operator {
                JoinOperator::LeftAnti(condition) => join.join_operator = JoinOperator::Anti(condition.clone()),
                JoinOperator::LeftSemi(condition) => join.join_operator = JoinOperator::Semi(condition.clone()),
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, relation: &mut TableFactor) -> ControlFlow<RewriteError> {
        match relation {
            TableFactor::Table { name, args: Some(arguments), alias, .. } => {
                let Some(called) = self.queries.get(&name.to_string()) else { return ControlFlow::Continue(()) };
                match self.call(called, std::mem::take(&mut arguments.args), alias.take()) {
                    Ok(subquery) => *relation = subquery,
                    Err(error) => return ControlFlow::Break(error),
                }
            }
            TableFactor::Derived { subquery, alias: Some(alias), .. } if alias.columns.is_empty() => {
                // DuckDB numbers the columns of VALUES from 0.
                if let SetExpr::Values(values) = subquery.body.as_ref() {
                    let columns = 1..=values.rows.first().map_or(0, |row| row.len());
                    alias.columns =
                        columns.map(|n| TableAliasColumnDef::from_name(format!("column{n}").as_str())).collect();
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<RewriteError> {
        match self.rewrite_expr(expr) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }
}

/// Removes the subquery around a parameter, see [`parameter`].
fn unwrap_parameter(expr: &mut Expr) -> ControlFlow<()> {
    if let Expr::Subquery(query) = expr
        && let Some(name) = query.to_string().strip_prefix("SELECT ").filter(|name| name.starts_with("p_"))
    {
        *expr = Expr::Identifier(Ident::new(name));
    }
    ControlFlow::Continue(())
}

impl Rewriter<'_> {
    fn rewrite_expr(&self, expr: &mut Expr) -> Result<(), RewriteError> {
        if let Some(name) = placeholder(expr) {
            let argument = self.arguments.get(name);
            *expr = argument.ok_or_else(|| self.failed(&format!("it has no parameter ${name}")))?.clone();
            return Ok(());
        }
        match expr {
            // Division of integers returns an integer. For two doubles, `//` is an ordinary division.
            Expr::BinaryOp { left, op: op @ BinaryOperator::Divide, right }
                if !is_double(left) && !is_double(right) =>
            {
                *op = BinaryOperator::DuckIntegerDivide;
            }
            Expr::Cast { kind, expr: inner, data_type: DataType::BigInt(_), .. } => match kind {
                // The cast drops the fraction; DuckDB would round.
                CastKind::Cast if !is_whole(inner) => {
                    **inner = template("trunc($0)", Parser::parse_expr, &[(**inner).clone()])?;
                }
                CastKind::TryCast => {
                    *expr = template("tl_try_bigint($0)", Parser::parse_expr, &[(**inner).clone()])?;
                }
                _ => {}
            },
            Expr::Function(function) => {
                let name = function_name(function);
                if MISSING.contains(&name.as_str()) {
                    return Err(RewriteError::MissingFunction(name));
                }
                if name != "arrow_cast" {
                    return rewrite_call(function, &name);
                }
                if let Some(&inner) = arguments(function).first() {
                    *expr = inner.clone();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns a called query with these arguments as a subquery.
    fn call(
        &self,
        called: &Query,
        arguments: Vec<FunctionArg>,
        alias: Option<TableAlias>,
    ) -> Result<TableFactor, RewriteError> {
        let params = &called.header.params;
        let mut passed = BTreeMap::new();
        for (n, argument) in arguments.into_iter().enumerate() {
            let (name, value) = match argument {
                FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } => (name.value, value),
                FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) if n < params.len() => {
                    (params[n].name.clone(), value)
                }
                _ => return Err(self.failed(&format!("it calls `{}` in an unknown way", called.name))),
            };
            passed.insert(name, value);
        }
        let mut values = BTreeMap::new();
        for param in params {
            let value = passed.remove(&param.name).map_or_else(|| default(called, param), |value| Ok(Some(value)))?;
            values.extend(value.map(|value| (param.name.clone(), cast_to_param(param, value))));
        }
        let alias = match alias {
            Some(alias) => Some(alias),
            None => template(&format!("AS {}", called.sql_name()), Parser::maybe_parse_table_alias, &[])?,
        };
        let subquery = select(called, values, self.queries)?;
        Ok(TableFactor::Derived { lateral: false, subquery, alias, sample: None })
    }

    fn failed(&self, why: &str) -> RewriteError {
        let text = format!("cannot write query `{}` for DuckDB: {why}", self.query.name);
        RewriteError::Failed(Error::new(ErrorKind::Query, text))
    }
}

/// In descending order, nulls come first; DuckDB puts them last.
fn set_nulls_first(keys: &mut [OrderByExpr]) {
    for key in keys {
        if key.options.asc == Some(false) && key.options.nulls_first.is_none() {
            key.options.nulls_first = Some(true);
        }
    }
}

/// Rewrites a call of a function.
fn rewrite_call(function: &mut Function, name: &str) -> Result<(), RewriteError> {
    set_nulls_first(&mut function.within_group);
    if let Some(WindowType::WindowSpec(window)) = &mut function.over {
        set_nulls_first(&mut window.order_by);
    }
    let filter = if MACROS.contains(&name) { function.filter.take() } else { None };
    let is_windowed = function.over.is_some();
    let FunctionArguments::List(list) = &mut function.args else { return Ok(()) };
    for clause in &mut list.clauses {
        if let FunctionArgumentClause::OrderBy(keys) = clause {
            set_nulls_first(keys);
        }
    }
    if let (Some(filter), Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(first)))) = (filter, list.args.first_mut()) {
        *first = template("CASE WHEN $0 THEN $1 END", Parser::parse_expr, &[*filter, first.clone()])?;
    }
    if let (true, Some(nulls)) = (is_windowed, function.null_treatment.take()) {
        list.clauses.push(FunctionArgumentClause::IgnoreOrRespectNulls(nulls));
    }
    let is_ordered = list.clauses.iter().any(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)));
    let renamed = match name {
        "first_value" if is_ordered && !is_windowed => "first",
        "last_value" if is_ordered && !is_windowed => "last",
        "named_struct" => {
            list.args = struct_fields(std::mem::take(&mut list.args));
            "struct_pack"
        }
        "recent_percentile" => {
            let rows = if list.args.len() == 3 { list.args.pop() } else { None };
            if let (Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(rows))), Some(over)) = (rows, &mut function.over) {
                *over = WindowType::WindowSpec(last_rows(over, rows)?);
            }
            "quantile_cont"
        }
        name => match RENAMED.iter().find(|(ours, _)| *ours == name) {
            Some((_, theirs)) => theirs,
            None => return Ok(()),
        },
    };
    function.name = ObjectName::from(vec![Ident::new(renamed)]);
    Ok(())
}

/// Changes the arguments `'name', value, ...` to `name := value, ...`.
fn struct_fields(arguments: Vec<FunctionArg>) -> Vec<FunctionArg> {
    let mut arguments = arguments.into_iter();
    let mut fields = Vec::new();
    while let (Some(name), Some(FunctionArg::Unnamed(value))) = (arguments.next(), arguments.next()) {
        let name = Ident::with_quote('"', name.to_string().trim_matches('\''));
        fields.push(FunctionArg::Named { name, arg: value, operator: FunctionArgOperator::Assignment });
    }
    fields
}

/// Returns a window that is limited to its last rows.
fn last_rows(over: &WindowType, rows: Expr) -> Result<WindowSpec, RewriteError> {
    let mut window = match over {
        WindowType::WindowSpec(window) => window.clone(),
        WindowType::NamedWindow(name) => WindowSpec {
            window_name: Some(name.clone()),
            partition_by: Vec::new(),
            order_by: Vec::new(),
            window_frame: None,
        },
    };
    let frame = "ROWS BETWEEN $0 - 1 PRECEDING AND CURRENT ROW";
    window.window_frame = Some(template(frame, Parser::parse_window_frame, &[rows])?);
    Ok(window)
}
