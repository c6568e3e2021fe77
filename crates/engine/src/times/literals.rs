//! Converts the texts (`'2026-11-20T10:00'`), timestamps and dates that SQL compares with a time.

use arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, ExprSchema, Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::{Between, Case, Cast, InList, ScalarFunction, TryCast};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, cast, lit, try_cast};

use super::units::is_time;
use super::{TIME_FORMS, as_bigint, parse_time, timestamp};

/// Functions that take a bigint for seconds or days.
const FROM_TIMESTAMP: [&str; 3] = ["to_timestamp", "to_unixtime", "to_date"];

/// Functions that return one of their arguments.
const ONE_OF: [&str; 5] = ["coalesce", "greatest", "least", "nullif", "nvl"];

/// Returns a plan that compares times with bigint.
///
/// # Errors
/// A plan error for a text that is not a time.
pub fn convert_literals(plan: LogicalPlan) -> Result<LogicalPlan> {
    let plan = plan.transform_up_with_subqueries(|plan| {
        if !may_compare_times(&plan)? {
            return Ok(Transformed::no(plan));
        }
        let inputs: Vec<LogicalPlan> = plan.inputs().into_iter().cloned().collect();
        let inputs: Vec<&LogicalPlan> = inputs.iter().collect();
        let schema = merge_schema(&inputs);
        let names = NamePreserver::new(&plan);
        plan.map_expressions(|expr| {
            let name = names.save(&expr);
            let expr = expr.transform_up(|expr| convert(expr, &inputs, &schema))?;
            Ok(expr.update_data(|expr| name.restore(expr)))
        })
    })?;
    Ok(plan.data)
}

/// Whether the expressions of a node may compare a time with a value that is not a bigint, or cast a time.
fn may_compare_times(plan: &LogicalPlan) -> Result<bool> {
    let mut may_compare = false;
    plan.apply_expressions(|expr| {
        expr.apply(|expr| {
            may_compare |= match expr {
                Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
                    is_comparison(*op) && (is_text_literal(left) || is_text_literal(right))
                }
                Expr::Between(_) => true,
                Expr::InList(InList { list, .. }) => {
                    list.iter().any(|item| !matches!(item, Expr::Literal(value, _) if value.data_type().is_numeric()))
                }
                Expr::Cast(cast) => cast.field.data_type().is_temporal(),
                Expr::TryCast(cast) => cast.field.data_type().is_temporal(),
                Expr::Case(case) => case.expr.is_some(),
                Expr::ScalarFunction(ScalarFunction { func, .. }) => {
                    FROM_TIMESTAMP.contains(&func.name()) || ONE_OF.contains(&func.name())
                }
                _ => false,
            };
            Ok(if may_compare { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
        })
    })?;
    Ok(may_compare)
}

fn convert(expr: Expr, inputs: &[&LogicalPlan], schema: &DFSchema) -> Result<Transformed<Expr>> {
    let is_time = |expr: &Expr| is_time(expr, inputs);
    Ok(match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if is_comparison(op) => {
            let (left, right) = if is_text_literal(&right) && is_time(&left) {
                (left, Box::new(convert_operand(*right, schema)?))
            } else if is_text_literal(&left) && is_time(&right) {
                (Box::new(convert_operand(*left, schema)?), right)
            } else {
                return Ok(Transformed::no(Expr::BinaryExpr(BinaryExpr { left, op, right })));
            };
            Transformed::yes(Expr::BinaryExpr(BinaryExpr { left, op, right }))
        }
        Expr::Between(between) if is_time(&between.expr) => {
            let (low, high) = (convert_operand(*between.low, schema)?, convert_operand(*between.high, schema)?);
            Transformed::yes(Expr::Between(Between { low: Box::new(low), high: Box::new(high), ..between }))
        }
        Expr::InList(in_list) if is_time(&in_list.expr) => {
            let list = in_list.list.into_iter().map(|item| convert_operand(item, schema)).collect::<Result<_>>()?;
            Transformed::yes(Expr::InList(InList { list, ..in_list }))
        }
        // The planner of SQL takes a number for seconds.
        Expr::Cast(Cast { expr: inner, field }) if field.data_type().is_temporal() => match *inner {
            Expr::Cast(seconds)
                if *seconds.field.data_type() == DataType::Timestamp(TimeUnit::Second, None)
                    && is_time(&seconds.expr) =>
            {
                Transformed::yes(cast(cast(*seconds.expr, timestamp()), field.data_type().clone()))
            }
            inner if is_time(&inner) && !matches!(field.data_type(), DataType::Timestamp(..)) => {
                Transformed::yes(cast(cast(inner, timestamp()), field.data_type().clone()))
            }
            inner => Transformed::no(Expr::Cast(Cast { expr: Box::new(inner), field })),
        },
        Expr::TryCast(TryCast { expr: inner, field }) if field.data_type().is_temporal() && is_time(&inner) => {
            Transformed::yes(try_cast(cast(*inner, timestamp()), field.data_type().clone()))
        }
        Expr::Case(Case { expr: Some(operand), when_then_expr, else_expr }) if is_time(&operand) => {
            let convert = |(when, then): (Box<Expr>, Box<Expr>)| Ok((Box::new(convert_operand(*when, schema)?), then));
            let when_then_expr = when_then_expr.into_iter().map(convert).collect::<Result<_>>()?;
            Transformed::yes(Expr::Case(Case { expr: Some(operand), when_then_expr, else_expr }))
        }
        Expr::ScalarFunction(ScalarFunction { func, mut args })
            if FROM_TIMESTAMP.contains(&func.name()) && args.len() == 1 && is_time(&args[0]) =>
        {
            let argument = cast(args.remove(0), DataType::Timestamp(TimeUnit::Nanosecond, None));
            Transformed::yes(if func.name() == "to_timestamp" {
                argument
            } else {
                Expr::ScalarFunction(ScalarFunction { func, args: vec![argument] })
            })
        }
        Expr::ScalarFunction(ScalarFunction { func, args })
            if ONE_OF.contains(&func.name()) && args.iter().any(is_time) =>
        {
            let args = args.into_iter().map(|arg| convert_operand(arg, schema)).collect::<Result<_>>()?;
            Transformed::yes(Expr::ScalarFunction(ScalarFunction { func, args }))
        }
        expr => Transformed::no(expr),
    })
}

/// Returns the operand of a comparison with a time as a bigint, if it is a text, a timestamp or a date.
pub(super) fn convert_operand(expr: Expr, schema: &dyn ExprSchema) -> Result<Expr> {
    if let Some(text) = text_literal(&expr) {
        return match parse_time(text) {
            Some(ns) => Ok(lit(ns)),
            None => plan_err!("cannot read '{text}' as a time; {TIME_FORMS}"),
        };
    }
    let ty = expr.get_type(schema)?;
    let is_moment = matches!(ty, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64);
    Ok(if is_moment { as_bigint(expr) } else { expr })
}

fn is_comparison(op: Operator) -> bool {
    use Operator::{Eq, Gt, GtEq, IsDistinctFrom, IsNotDistinctFrom, Lt, LtEq, NotEq};
    matches!(op, Eq | NotEq | Lt | LtEq | Gt | GtEq | IsDistinctFrom | IsNotDistinctFrom)
}

fn text_literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Literal(ScalarValue::Utf8(text) | ScalarValue::LargeUtf8(text) | ScalarValue::Utf8View(text), _) => {
            text.as_deref()
        }
        _ => None,
    }
}

fn is_text_literal(expr: &Expr) -> bool {
    text_literal(expr).is_some()
}
