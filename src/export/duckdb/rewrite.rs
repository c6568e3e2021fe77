//! A canned query as DuckDB takes it: the same answer from other words.
//!
//! Works on the syntax, which knows no types: where a rule needs one, it goes by what an expression shows, and DuckDB
//! refuses loudly, or gives the same, where that is not enough. tests/python/test_duckdb_views.py holds all answers against ours.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    ArrayElemTypeDef, BinaryOperator, CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg,
    FunctionArgExpr, FunctionArgOperator, FunctionArgumentClause, FunctionArguments, Ident, JoinOperator,
    NamedWindowExpr, ObjectName, OrderBy, OrderByExpr, OrderByKind, Query as Select, Select as Clauses, SetExpr,
    TableAlias, TableAliasColumnDef, TableFactor, Value, ValueWithSpan, VisitMut, VisitorMut, WindowFrame,
    WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::catalog::{Param, Query};
use crate::error::{Error, ErrorKind};
use crate::unit::Type;

/// Functions of ours that no macro stands in for.
pub(super) const MISSING: [&str; 7] =
    ["call_chain", "call_frame", "call_parent", "call_stack", "change_point", "critical_path", "ratio_interval"];

/// Functions that DuckDB has under another name.
const RENAMED: [(&str, &str); 4] =
    [("btrim", "trim"), ("cardinality", "len"), ("get_field", "struct_extract"), ("regexp_like", "regexp_matches")];

/// Aggregates of ours for which there is a macro: a macro takes no FILTER.
const MACROS: [&str; 3] = ["priority_lengths", "union_intervals", "union_length"];

/// Words of DuckDB's own that are names here.
const QUOTED: [&str; 27] = [
    "analyze",
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

/// Functions that give a double whatever they are given.
const DOUBLE: [&str; 8] =
    ["avg", "ln", "median", "percentile_cont", "recent_percentile", "sqrt", "stddev", "stddev_pop"];

/// Functions that give what their arguments are.
const ALIKE: [&str; 11] =
    ["coalesce", "first", "first_value", "greatest", "lag", "last", "last_value", "lead", "least", "max", "min"];

/// Functions whose answers are whole numbers, or text: a cast of them cuts nothing off.
const WHOLE: [&str; 7] = ["count", "dense_rank", "extract_arg", "len", "length", "rank", "row_number"];

/// Why a query is not written.
pub(super) enum Stop {
    /// It calls this function of ours.
    Missing(String),
    /// It cannot be read.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The query over what DuckDB knows, with these expressions for its parameters; `queries` has all by name in SQL.
pub(super) fn select(
    query: &Query,
    arguments: BTreeMap<String, Expr>,
    queries: &BTreeMap<String, Query>,
) -> Result<Box<Select>, Stop> {
    let mut body = parsed(query, &query.body)?;
    let mut rewriting = Rewriting { query, arguments, queries };
    if let ControlFlow::Break(stop) = body.visit(&mut rewriting) {
        return Err(stop);
    }
    // Sums of integers have 128 bits there, and some texts are of types of their own.
    let columns: Vec<String> = query
        .header
        .columns
        .iter()
        .map(|column| format!("CAST(\"{0}\" AS {1}) AS \"{0}\"", column.name, data_type(column.ty)))
        .collect();
    let mut outer = parsed(query, &format!("SELECT {} FROM (SELECT 1) AS answer", columns.join(", ")))?;
    if let SetExpr::Select(clauses) = outer.body.as_mut()
        && let Some(TableFactor::Derived { subquery, .. }) = clauses.from.first_mut().map(|from| &mut from.relation)
    {
        *subquery = body;
    }
    Ok(outer)
}

/// The value that a parameter has where none is given.
pub(super) fn default(query: &Query, param: &Param) -> Result<Option<Expr>, Stop> {
    let Some(text) = &param.default else { return Ok(None) };
    let mut value = parsed_expr(query, text)?;
    let mut rewriting = Rewriting { query, arguments: BTreeMap::new(), queries: &BTreeMap::new() };
    match value.visit(&mut rewriting) {
        ControlFlow::Break(stop) => Err(stop),
        ControlFlow::Continue(()) => Ok(Some(value)),
    }
}

/// A parameter within a macro: a subquery, since the bare name beside an aggregate would have to be in GROUP BY.
pub(super) fn parameter(query: &Query, param: &Param) -> Result<Expr, Error> {
    parsed_expr(query, &format!("(SELECT p_{})", param.name))
}

/// An expression of the type of a parameter.
pub(super) fn of_type(param: &Param, expr: Expr) -> Expr {
    let element = data_type(param.ty);
    let data_type =
        if param.list { DataType::Array(ArrayElemTypeDef::SquareBracket(Box::new(element), None)) } else { element };
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, array: false, format: None }
}

/// A type as DuckDB has it.
pub(super) fn data_type(ty: Type) -> DataType {
    match ty {
        Type::Bigint => DataType::BigInt(None),
        Type::Double => DataType::Double(ExactNumberInfo::None),
        Type::Text => DataType::Varchar(None),
        Type::Boolean => DataType::Boolean,
    }
}

/// A text of this query as a query.
fn parsed(query: &Query, text: &str) -> Result<Box<Select>, Error> {
    parser(query, text)?.parse_query().map_err(|error| unread(query, &error))
}

/// A text of this query as an expression.
fn parsed_expr(query: &Query, text: &str) -> Result<Expr, Error> {
    parser(query, text)?.parse_expr().map_err(|error| unread(query, &error))
}

/// Reads a text in which what is a word of DuckDB's own is in quotes.
fn parser(query: &Query, text: &str) -> Result<Parser<'static>, Error> {
    let mut tokens =
        Tokenizer::new(&GenericDialect {}, text).tokenize().map_err(|error| unread(query, &error.into()))?;
    for token in &mut tokens {
        if let Token::Word(word) = token
            && word.quote_style.is_none()
            && QUOTED.contains(&word.value.as_str())
        {
            *token = Token::make_word(&word.value, Some('"'));
        }
    }
    Ok(Parser::new(&GenericDialect {}).with_tokens(tokens))
}

fn unread(query: &Query, error: &ParserError) -> Error {
    Error::new(ErrorKind::Query, format!("cannot read query `{}`: {error}", query.name))
}

/// Goes through a query from the inside out.
struct Rewriting<'a> {
    query: &'a Query,
    /// Expressions for its parameters.
    arguments: BTreeMap<String, Expr>,
    /// Queries that it may call, by name in SQL.
    queries: &'a BTreeMap<String, Query>,
}

impl VisitorMut for Rewriting<'_> {
    type Break = Stop;

    fn post_visit_query(&mut self, select: &mut Select) -> ControlFlow<Stop> {
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = &mut select.order_by {
            nulls_first(keys);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, clauses: &mut Clauses) -> ControlFlow<Stop> {
        for window in &mut clauses.named_window {
            if let NamedWindowExpr::WindowSpec(window) = &mut window.1 {
                nulls_first(&mut window.order_by);
            }
        }
        for join in clauses.from.iter_mut().flat_map(|from| &mut from.joins) {
            // DuckDB 1 joins outwards on no subquery.
            let _ = join.join_operator.visit(&mut BareParameters);
            if let JoinOperator::LeftAnti(on) = &join.join_operator {
                join.join_operator = JoinOperator::Anti(on.clone());
            } else if let JoinOperator::LeftSemi(on) = &join.join_operator {
                join.join_operator = JoinOperator::Semi(on.clone());
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, relation: &mut TableFactor) -> ControlFlow<Stop> {
        match relation {
            TableFactor::Table { name, args: Some(given), alias, .. } => {
                let Some(called) = self.queries.get(&name.to_string()) else { return ControlFlow::Continue(()) };
                let alias = alias.take().unwrap_or_else(|| named(&called.sql_name()));
                let given = std::mem::take(&mut given.args);
                match self.call(called, given) {
                    Ok(subquery) => {
                        *relation = TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None };
                    }
                    Err(stop) => return ControlFlow::Break(stop),
                }
            }
            TableFactor::Derived { subquery, alias: Some(alias), .. } if alias.columns.is_empty() => {
                // DuckDB counts from 0.
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

    fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<Stop> {
        // A double, as ours is, and no decimal.
        if let Value::Number(number, _) = &mut value.value
            && number.contains('.')
            && !number.contains(['e', 'E'])
        {
            number.push_str("e0");
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Stop> {
        match expr {
            Expr::Value(ValueWithSpan { value: Value::Placeholder(name), .. }) => {
                match self.arguments.get(name.trim_start_matches('$')) {
                    Some(argument) => *expr = argument.clone(),
                    None => return ControlFlow::Break(self.failed(&format!("it has no parameter {name}"))),
                }
            }
            // Of integers a whole number; `//` of two doubles is an ordinary division.
            Expr::BinaryOp { left, op: op @ BinaryOperator::Divide, right }
                if !is_double(left) && !is_double(right) =>
            {
                *op = BinaryOperator::DuckIntegerDivide;
            }
            Expr::Cast { kind, expr: inner, data_type: DataType::BigInt(_), .. } => match kind {
                // A fraction is cut off and not rounded.
                CastKind::Cast if !is_whole(inner) => **inner = called("trunc", vec![(**inner).clone()]),
                CastKind::TryCast => *expr = called("tl_try_bigint", vec![(**inner).clone()]),
                _ => {}
            },
            Expr::Function(function) => {
                let name = name_of(function);
                if MISSING.contains(&name.as_str()) {
                    return ControlFlow::Break(Stop::Missing(name));
                }
                if name == "arrow_cast" {
                    if let Some(inner) = arguments(function).and_then(|arguments| arguments.into_iter().next()) {
                        *expr = inner;
                    }
                } else {
                    rewrite(function, &name);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Takes parameters out of their subqueries, see [`parameter`].
struct BareParameters;

impl VisitorMut for BareParameters {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Subquery(query) = expr
            && let Some(name) = query.to_string().strip_prefix("SELECT ").filter(|name| name.starts_with("p_"))
        {
            *expr = Expr::Identifier(Ident::new(name));
        }
        ControlFlow::Continue(())
    }
}

impl Rewriting<'_> {
    /// Another query with these arguments, in the place of the call.
    fn call(&self, called: &Query, given: Vec<FunctionArg>) -> Result<Box<Select>, Stop> {
        let mut values = BTreeMap::new();
        for (place, argument) in given.into_iter().enumerate() {
            let (name, argument) = match argument {
                FunctionArg::Named { name, arg, .. } => (Some(name.value), arg),
                FunctionArg::Unnamed(arg) => (called.header.params.get(place).map(|param| param.name.clone()), arg),
                FunctionArg::ExprNamed { .. } => (None, FunctionArgExpr::Wildcard),
            };
            let (Some(name), FunctionArgExpr::Expr(value)) = (name, argument) else {
                return Err(self.failed(&format!("it calls `{}` in an unknown way", called.name)));
            };
            values.insert(name, value);
        }
        select(called, with_defaults(called, values)?, self.queries)
    }

    fn failed(&self, why: &str) -> Stop {
        Stop::Failed(Error::new(
            ErrorKind::Query,
            format!("cannot write query `{}` for DuckDB: {why}", self.query.name),
        ))
    }
}

/// All parameters of a query in their types, those that are not given as they are by themselves.
fn with_defaults(query: &Query, mut given: BTreeMap<String, Expr>) -> Result<BTreeMap<String, Expr>, Stop> {
    let mut values = BTreeMap::new();
    for param in &query.header.params {
        let value = match given.remove(&param.name) {
            Some(value) => Some(value),
            None => default(query, param)?,
        };
        if let Some(value) = value {
            values.insert(param.name.clone(), of_type(param, value));
        }
    }
    Ok(values)
}

/// Descending, nulls come first, as they do here.
fn nulls_first(keys: &mut [OrderByExpr]) {
    for key in keys {
        if key.options.asc == Some(false) && key.options.nulls_first.is_none() {
            key.options.nulls_first = Some(true);
        }
    }
}

/// A call as DuckDB writes it.
fn rewrite(function: &mut Function, name: &str) {
    nulls_first(&mut function.within_group);
    if let Some(WindowType::WindowSpec(window)) = &mut function.over {
        nulls_first(&mut window.order_by);
    }
    let filter = if MACROS.contains(&name) { function.filter.take() } else { None };
    let windowed = function.over.is_some();
    let FunctionArguments::List(list) = &mut function.args else { return };
    for clause in &mut list.clauses {
        if let FunctionArgumentClause::OrderBy(keys) = clause {
            nulls_first(keys);
        }
    }
    if let (Some(filter), Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(first)))) = (filter, list.args.first_mut()) {
        let result = first.clone();
        *first = when(*filter, result);
    }
    if let (true, Some(nulls)) = (windowed, function.null_treatment.take()) {
        list.clauses.push(FunctionArgumentClause::IgnoreOrRespectNulls(nulls));
    }
    let is_ordered = list.clauses.iter().any(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)));
    let renamed = match name {
        "first_value" if is_ordered && !windowed => "first",
        "last_value" if is_ordered && !windowed => "last",
        "named_struct" => {
            list.args = fields(std::mem::take(&mut list.args));
            "struct_pack"
        }
        "recent_percentile" => {
            let rows = if list.args.len() == 3 { list.args.pop() } else { None };
            if let (Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(rows))), Some(over)) = (rows, &mut function.over) {
                *over = WindowType::WindowSpec(last_rows(over, rows));
            }
            "quantile_cont"
        }
        name => match RENAMED.iter().find(|(ours, _)| *ours == name) {
            Some((_, theirs)) => theirs,
            None => return,
        },
    };
    function.name = ObjectName::from(vec![Ident::new(renamed)]);
}

/// `CASE WHEN condition THEN result END`.
fn when(condition: Expr, result: Expr) -> Expr {
    use datafusion::sql::sqlparser::ast::CaseWhen;
    use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
    Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions: vec![CaseWhen { condition, result }],
        else_result: None,
    }
}

/// `'name', value, ...` as `name := value, ...`.
fn fields(arguments: Vec<FunctionArg>) -> Vec<FunctionArg> {
    let mut arguments = arguments.into_iter();
    let mut fields = Vec::new();
    while let (Some(name), Some(FunctionArg::Unnamed(value))) = (arguments.next(), arguments.next()) {
        let name = Ident::with_quote('"', name.to_string().trim_matches('\''));
        fields.push(FunctionArg::Named { name, arg: value, operator: FunctionArgOperator::Assignment });
    }
    fields
}

/// The window over no more than the last rows of it.
fn last_rows(over: &WindowType, rows: Expr) -> WindowSpec {
    let mut window = match over {
        WindowType::WindowSpec(window) => window.clone(),
        WindowType::NamedWindow(name) => WindowSpec {
            window_name: Some(name.clone()),
            partition_by: Vec::new(),
            order_by: Vec::new(),
            window_frame: None,
        },
    };
    let before = Expr::BinaryOp {
        left: Box::new(rows),
        op: BinaryOperator::Minus,
        right: Box::new(Expr::value(Value::Number("1".to_owned(), false))),
    };
    window.window_frame = Some(WindowFrame {
        units: WindowFrameUnits::Rows,
        start_bound: WindowFrameBound::Preceding(Some(Box::new(before))),
        end_bound: Some(WindowFrameBound::CurrentRow),
    });
    window
}

/// Whether an expression shows that it is a double.
fn is_double(expr: &Expr) -> bool {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::Number(number, _), .. }) => number.contains(['.', 'e', 'E']),
        Expr::Cast { data_type, .. } => matches!(data_type, DataType::Double(_)),
        Expr::Nested(inner) => is_double(inner),
        Expr::UnaryOp { expr, .. } => is_double(expr),
        Expr::BinaryOp { left, op, right } => is_arithmetic(op) && (is_double(left) || is_double(right)),
        Expr::Case { conditions, else_result, .. } => {
            conditions.iter().any(|branch| is_double(&branch.result))
                || else_result.as_ref().is_some_and(|e| is_double(e))
        }
        Expr::Function(function) => {
            let name = name_of(function);
            let arguments = || arguments(function).unwrap_or_default();
            DOUBLE.contains(&name.as_str())
                || (ALIKE.contains(&name.as_str()) && arguments().iter().any(is_double))
                || (["abs", "ceil", "floor", "nullif", "round", "sum"].contains(&name.as_str())
                    && arguments().first().is_some_and(is_double))
        }
        _ => false,
    }
}

fn is_arithmetic(op: &BinaryOperator) -> bool {
    use BinaryOperator::{Divide, Minus, Modulo, Multiply, Plus};
    matches!(op, Divide | Minus | Modulo | Multiply | Plus)
}

/// Whether an expression shows that a cast of it to an integer cuts nothing off.
fn is_whole(expr: &Expr) -> bool {
    match expr {
        Expr::Value(ValueWithSpan { value, .. }) => !value.to_string().contains('.'),
        Expr::Nested(inner) => is_whole(inner),
        Expr::BinaryOp { op, .. } => !is_arithmetic(op),
        Expr::Function(function) => {
            let name = name_of(function);
            WHOLE.contains(&name.as_str()) || ["ceil", "floor", "round"].contains(&name.as_str())
        }
        // An element is one of a text that was split.
        Expr::CompoundFieldAccess { .. }
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..)
        | Expr::InList { .. }
        | Expr::Between { .. }
        | Expr::Like { .. } => true,
        _ => false,
    }
}

fn name_of(function: &Function) -> String {
    function.name.to_string().to_lowercase()
}

/// The arguments without names.
fn arguments(function: &Function) -> Option<Vec<Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let plain = |argument: &FunctionArg| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    list.args.iter().map(plain).collect()
}

/// A call of a function.
fn called(name: &str, arguments: Vec<Expr>) -> Expr {
    use datafusion::sql::sqlparser::ast::FunctionArgumentList;
    let args = arguments.into_iter().map(|argument| FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))).collect();
    Expr::Function(Function {
        name: ObjectName::from(vec![Ident::new(name)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList { duplicate_treatment: None, args, clauses: Vec::new() }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}

/// `AS name`.
fn named(name: &str) -> TableAlias {
    TableAlias { explicit: true, name: Ident::new(name), columns: Vec::new(), at: None }
}
