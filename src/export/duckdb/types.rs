//! What an expression shows about its type. The syntax tree has no types.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Value, ValueWithSpan,
};

/// Functions that always return a double.
const DOUBLE: [&str; 8] =
    ["avg", "ln", "median", "percentile_cont", "recent_percentile", "sqrt", "stddev", "stddev_pop"];

/// Functions that return a double if any argument is one.
const ANY_ARGUMENT: [&str; 11] =
    ["coalesce", "first", "first_value", "greatest", "lag", "last", "last_value", "lead", "least", "max", "min"];

/// Functions that return a double if their first argument is one.
const FIRST_ARGUMENT: [&str; 6] = ["abs", "ceil", "floor", "nullif", "round", "sum"];

/// Functions that return whole numbers or text.
const WHOLE: [&str; 10] =
    ["ceil", "count", "dense_rank", "extract_arg", "floor", "len", "length", "rank", "round", "row_number"];

/// Returns true if an expression is certainly a double.
pub(super) fn is_double(expr: &Expr) -> bool {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::Number(number, _), .. }) => number.contains(['.', 'e', 'E']),
        Expr::Cast { data_type, .. } => matches!(data_type, DataType::Double(_)),
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => is_double(inner),
        Expr::BinaryOp { left, op, right } => is_arithmetic(op) && (is_double(left) || is_double(right)),
        Expr::Case { conditions, else_result, .. } => {
            conditions.iter().any(|branch| is_double(&branch.result)) || else_result.as_deref().is_some_and(is_double)
        }
        Expr::Function(function) => {
            let name = function_name(function);
            let is_in = |names: &[&str]| names.contains(&name.as_str());
            let arguments = arguments(function);
            is_in(&DOUBLE)
                || is_in(&ANY_ARGUMENT) && arguments.iter().any(|argument| is_double(argument))
                || is_in(&FIRST_ARGUMENT) && arguments.first().is_some_and(|argument| is_double(argument))
        }
        _ => false,
    }
}

/// Returns true if a cast of an expression to an integer certainly drops no fraction.
pub(super) fn is_whole(expr: &Expr) -> bool {
    match expr {
        Expr::Value(ValueWithSpan { value, .. }) => !value.to_string().contains('.'),
        Expr::Nested(inner) => is_whole(inner),
        Expr::BinaryOp { op, .. } => !is_arithmetic(op),
        Expr::Function(function) => WHOLE.contains(&function_name(function).as_str()),
        // In canned queries, only texts that were split have elements.
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

fn is_arithmetic(op: &BinaryOperator) -> bool {
    use BinaryOperator::{Divide, Minus, Modulo, Multiply, Plus};
    matches!(op, Divide | Minus | Modulo | Multiply | Plus)
}

/// Returns the name of a function in lower case.
pub(super) fn function_name(function: &Function) -> String {
    function.name.to_string().to_lowercase()
}

/// Returns the arguments of a call; empty if one has a name or is not an expression.
pub(super) fn arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let exprs = list.args.iter().map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    });
    exprs.collect::<Option<_>>().unwrap_or_default()
}
