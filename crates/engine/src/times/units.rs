//! The units of computed columns, from those of the columns that they are computed from.

use arrow::datatypes::{DataType, Field};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::{AggregateFunction, Alias, Cast, ScalarFunction, WindowFunction};
use datafusion::logical_expr::{BinaryExpr, Case, Distinct, Expr, ExprSchemable, JoinType, LogicalPlan, Operator};

use super::timestamp;
use crate::table::MIN_EPOCH_TIME;
use crate::unit::Unit;

/// Functions with a result in the unit of their arguments.
const SCALAR: &[&str] = &["abs", "ceil", "coalesce", "floor", "greatest", "least", "nullif", "nvl", "round", "trunc"];

/// Aggregate and window functions with a result in the unit of their first argument.
const VALUE: &[&str] =
    &["any_value", "first_value", "lag", "last_value", "lead", "max", "median", "min", "mode", "nth_value"];
const QUANTITY: &[&str] =
    &["approx_median", "approx_percentile_cont", "avg", "mean", "percentile_cont", "stddev", "stddev_pop", "sum"];

/// Returns the unit of each column of a plan; None if it cannot be derived.
///
/// Metadata of a field says nothing about a computed column: the engine copies it from the argument of a cast or a minus.
pub fn column_units(plan: &LogicalPlan) -> Vec<Option<Unit>> {
    (0..plan.schema().fields().len()).map(|index| column_unit(plan, index)).collect()
}

/// Returns the unit in the metadata of a field.
pub(super) fn field_unit(field: &Field) -> Option<Unit> {
    Unit::parse(field.metadata().get("unit")?).ok()
}

/// Returns the unit of a column of a plan.
fn column_unit(plan: &LogicalPlan, index: usize) -> Option<Unit> {
    let schema = plan.schema();
    match plan {
        LogicalPlan::Projection(projection) => expr_unit(projection.expr.get(index)?, &[&projection.input]),
        LogicalPlan::Aggregate(aggregate) => {
            let groups = aggregate.group_expr_len().ok()?;
            // Grouping sets add a column.
            let groups = groups + schema.fields().len().checked_sub(groups + aggregate.aggr_expr.len())?;
            let expr = if index < groups {
                aggregate.group_expr.get(index)?
            } else {
                aggregate.aggr_expr.get(index - groups)?
            };
            expr_unit(expr, &[&aggregate.input])
        }
        LogicalPlan::Window(window) => match index.checked_sub(window.input.schema().fields().len()) {
            None => column_unit(&window.input, index),
            Some(index) => expr_unit(window.window_expr.get(index)?, &[&window.input]),
        },
        LogicalPlan::Distinct(Distinct::On(distinct)) => {
            expr_unit(distinct.select_expr.get(index)?, &[&distinct.input])
        }
        LogicalPlan::Filter(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::Limit(_)
        | LogicalPlan::Distinct(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::Repartition(_) => column_unit(plan.inputs().first()?, index),
        LogicalPlan::RecursiveQuery(query) => column_unit(&query.static_term, index),
        LogicalPlan::Union(union) => {
            let inputs = union.inputs.iter().filter(|input| !is_null(input, index));
            shared_unit(inputs.map(|input| column_unit(input, index)))
        }
        LogicalPlan::Join(join) => {
            let left = match join.join_type {
                JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => 0,
                _ => join.left.schema().fields().len(),
            };
            match index.checked_sub(left) {
                None => column_unit(&join.left, index),
                Some(index) => column_unit(&join.right, index),
            }
        }
        LogicalPlan::TableScan(scan) => field_unit(schema.fields().get(index)?).or_else(|| {
            // A view that was created in the session.
            let index = scan.projection.as_ref().map_or(Some(index), |columns| columns.get(index).copied())?;
            column_unit(scan.source.get_logical_plan()?.as_ref(), index)
        }),
        _ => field_unit(schema.fields().get(index)?),
    }
}

/// Whether a column of a plan is null in all rows.
fn is_null(plan: &LogicalPlan, index: usize) -> bool {
    let mut value = match plan {
        LogicalPlan::Projection(projection) => projection.expr.get(index),
        _ => None,
    };
    while let Some(Expr::Alias(Alias { expr, .. }) | Expr::Cast(Cast { expr, .. })) = value {
        value = Some(expr);
    }
    matches!(value, Some(Expr::Literal(literal, _)) if literal.is_null())
}

/// Returns the unit of an expression over some plans. A literal has none.
pub(super) fn expr_unit(expr: &Expr, inputs: &[&LogicalPlan]) -> Option<Unit> {
    let unit = |expr: &Expr| expr_unit(expr, inputs);
    match expr {
        Expr::Column(column) => inputs.iter().find_map(|input| {
            let index = input.schema().maybe_index_of_column(column)?;
            column_unit(input, index)
        }),
        Expr::OuterReferenceColumn(field, _) => field_unit(field),
        Expr::Alias(Alias { expr, metadata, .. }) => {
            let declared = metadata.as_ref().and_then(|metadata| metadata.inner().get("unit"));
            declared.and_then(|unit| Unit::parse(unit).ok()).or_else(|| unit(expr))
        }
        // How a plan converts a timestamp to a time.
        Expr::Cast(Cast { expr, field }) if *field.data_type() == DataType::Int64 && is_timestamp(expr) => {
            Some(Unit::Time)
        }
        Expr::Cast(cast) => {
            unit(&cast.expr).filter(|unit| keeps_unit(&cast.expr, inputs, cast.field.data_type(), *unit))
        }
        Expr::TryCast(cast) => {
            unit(&cast.expr).filter(|unit| keeps_unit(&cast.expr, inputs, cast.field.data_type(), *unit))
        }
        Expr::Negative(expr) => unit(expr).filter(|unit| *unit != Unit::Time),
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (unit(left), op, unit(right)) {
            (Some(Unit::Time), Operator::Minus, Some(Unit::Time)) => Some(Unit::Ns),
            (Some(Unit::Time), Operator::Plus | Operator::Minus, Some(Unit::Ns))
            | (Some(Unit::Ns), Operator::Plus, Some(Unit::Time)) => Some(Unit::Time),
            // `ts + 1000` is a time, `ts - 1790857026000000000` a duration.
            (Some(Unit::Time), Operator::Plus | Operator::Minus, None) => match (integer(right)?, op) {
                (..MIN_EPOCH_TIME, _) => Some(Unit::Time),
                (_, Operator::Minus) => Some(Unit::Ns),
                _ => None,
            },
            (None, Operator::Plus, Some(Unit::Time)) => integer(left).map(|_| Unit::Time),
            (Some(left), Operator::Plus | Operator::Minus, Some(right)) if left == right && is_quantity(left) => {
                Some(left)
            }
            (Some(unit), Operator::Plus | Operator::Minus, None) if is_literal(right) && is_quantity(unit) => {
                Some(unit)
            }
            (None, Operator::Plus | Operator::Minus, Some(unit)) if is_literal(left) && is_quantity(unit) => Some(unit),
            _ => None,
        },
        Expr::Case(Case { when_then_expr, else_expr, .. }) => {
            let results = when_then_expr.iter().map(|(_, then)| then).chain(else_expr);
            unit_without_literals(results.map(AsRef::as_ref), unit)
        }
        Expr::ScalarFunction(ScalarFunction { func, args }) => match func.name() {
            name if SCALAR.contains(&name) => unit_without_literals(args.iter(), unit),
            // With a timestamp, these return one.
            "date_trunc" | "date_bin" => unit(args.get(1)?),
            _ => None,
        },
        Expr::AggregateFunction(AggregateFunction { func, params }) => {
            function_unit(func.name(), || unit(params.args.first()?))
        }
        Expr::WindowFunction(function) => {
            let WindowFunction { fun, params } = function.as_ref();
            function_unit(fun.name(), || unit(params.args.first()?))
        }
        Expr::ScalarSubquery(subquery) => column_unit(&subquery.subquery, 0),
        _ => None,
    }
}

/// Returns the unit of the result of an aggregate or window function.
fn function_unit(name: &str, argument: impl FnOnce() -> Option<Unit>) -> Option<Unit> {
    match name {
        "count" | "approx_distinct" => Some(Unit::Count),
        name if VALUE.contains(&name) => argument(),
        name if QUANTITY.contains(&name) => {
            argument().filter(|unit| is_quantity(*unit) && (name != "sum" || *unit != Unit::Ratio))
        }
        _ => None,
    }
}

/// Whether sums and means of values have the same unit.
fn is_quantity(unit: Unit) -> bool {
    use Unit::{Bytes, BytesPerS, Count, Factor, Ms, Ns, PerS, Percent, Ratio, S, Us};
    matches!(unit, Ns | Us | Ms | S | Count | Ratio | Factor | Percent | Bytes | PerS | BytesPerS)
}

/// Whether a cast of a number to a type keeps the unit. A time stays a time only as a bigint.
fn keeps_unit(expr: &Expr, inputs: &[&LogicalPlan], target: &DataType, unit: Unit) -> bool {
    let is_number = inputs.iter().any(|input| expr.get_type(input.schema()).is_ok_and(|ty| ty.is_numeric()));
    is_number && if unit == Unit::Time { *target == DataType::Int64 } else { target.is_numeric() }
}

/// Whether an expression is a timestamp that was made from a time, or with an interval from such a timestamp.
fn is_timestamp(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(cast) => *cast.field.data_type() == timestamp(),
        Expr::BinaryExpr(BinaryExpr { left, .. }) => is_timestamp(left),
        _ => false,
    }
}

/// Returns the unit that all have; None if they differ.
fn shared_unit(mut units: impl Iterator<Item = Option<Unit>>) -> Option<Unit> {
    let first = units.next()??;
    units.all(|unit| unit == Some(first)).then_some(first)
}

/// Returns the unit of all expressions except literals; None if they differ.
fn unit_without_literals<'a>(
    exprs: impl Iterator<Item = &'a Expr>,
    unit: impl Fn(&Expr) -> Option<Unit>,
) -> Option<Unit> {
    shared_unit(exprs.filter(|expr| !is_literal(expr)).map(unit))
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(..) => true,
        Expr::Cast(cast) => is_literal(&cast.expr),
        Expr::Negative(expr) => is_literal(expr),
        _ => false,
    }
}

/// Returns the size of an integer literal.
fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(ScalarValue::Int64(Some(value)), _) => Some(value.saturating_abs()),
        Expr::Cast(cast) => integer(&cast.expr),
        Expr::Negative(expr) => integer(expr),
        _ => None,
    }
}

/// Whether an expression is a bigint of unit `time`.
pub(super) fn is_time(expr: &Expr, inputs: &[&LogicalPlan]) -> bool {
    expr_unit(expr, inputs) == Some(Unit::Time)
        && inputs.iter().any(|input| expr.get_type(input.schema()).is_ok_and(|ty| ty == DataType::Int64))
}
