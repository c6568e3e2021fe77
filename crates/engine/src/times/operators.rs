//! Operators between a time and a timestamp, a date or an interval, and `extract`.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result};
use datafusion::functions::datetime::date_part;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Operator, ScalarUDF, cast};
use datafusion::sql::sqlparser::ast::BinaryOperator;

use super::functions::TimeFunction;
use super::literals::convert_operand;
use super::units::field_unit;
use super::{as_bigint, timestamp};
use crate::unit::Unit;

/// Plans these operators. The planner of SQL refuses them.
#[derive(Debug)]
pub struct TimeOperators {
    /// The function that `extract` calls.
    date_part: Arc<ScalarUDF>,
}

impl Default for TimeOperators {
    fn default() -> Self {
        Self { date_part: Arc::new(TimeFunction::new(date_part()).into()) }
    }
}

impl ExprPlanner for TimeOperators {
    fn plan_binary_op(&self, expr: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        let operator = match expr.op {
            BinaryOperator::Eq => Operator::Eq,
            BinaryOperator::NotEq => Operator::NotEq,
            BinaryOperator::Lt => Operator::Lt,
            BinaryOperator::LtEq => Operator::LtEq,
            BinaryOperator::Gt => Operator::Gt,
            BinaryOperator::GtEq => Operator::GtEq,
            BinaryOperator::Plus => Operator::Plus,
            BinaryOperator::Minus => Operator::Minus,
            _ => return Ok(PlannerResult::Original(expr)),
        };
        let RawBinaryExpr { op, left, right } = expr;
        let is_arithmetic = matches!(operator, Operator::Plus | Operator::Minus);
        let operands = (Operand::new(&left, schema), Operand::new(&right, schema));
        let binary =
            |left: Expr, right: Expr| Expr::BinaryExpr(BinaryExpr::new(Box::new(left), operator, Box::new(right)));
        let planned = match operands {
            // Comparisons with a text are converted in the plan.
            (Operand::Time, Operand::Text) if operator == Operator::Minus => {
                binary(left, convert_operand(right, schema)?)
            }
            (Operand::Time, Operand::Moment) if operator != Operator::Plus => binary(left, as_bigint(right)),
            (Operand::Moment, Operand::Time) if operator != Operator::Plus => binary(as_bigint(left), right),
            // A date minus a number is a date.
            (Operand::Bigint, Operand::Moment) if !is_arithmetic => binary(left, as_bigint(right)),
            (Operand::Moment, Operand::Bigint) if !is_arithmetic => binary(as_bigint(left), right),
            (Operand::Time | Operand::Bigint, Operand::Interval) if is_arithmetic => {
                cast(binary(cast(left, timestamp()), right), DataType::Int64)
            }
            (Operand::Interval, Operand::Time | Operand::Bigint) if operator == Operator::Plus => {
                cast(binary(cast(right, timestamp()), left), DataType::Int64)
            }
            _ => return Ok(PlannerResult::Original(RawBinaryExpr { op, left, right })),
        };
        Ok(PlannerResult::Planned(planned))
    }

    fn plan_extract(&self, args: Vec<Expr>) -> Result<PlannerResult<Vec<Expr>>> {
        let call = ScalarFunction::new_udf(Arc::clone(&self.date_part), args);
        Ok(PlannerResult::Planned(Expr::ScalarFunction(call)))
    }
}

/// What an operand is.
enum Operand {
    /// A bigint of unit `time`.
    Time,
    /// A bigint without a unit: a computed one may be a time.
    Bigint,
    /// A timestamp or a date.
    Moment,
    Interval,
    Text,
    Other,
}

impl Operand {
    fn new(expr: &Expr, schema: &DFSchema) -> Self {
        let Ok((_, field)) = expr.to_field(schema) else { return Self::Other };
        match field.data_type() {
            DataType::Int64 if matches!(expr, Expr::Literal(..)) => Self::Other,
            DataType::Int64 => match field_unit(&field) {
                Some(Unit::Time) => Self::Time,
                None => Self::Bigint,
                Some(_) => Self::Other,
            },
            DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 => Self::Moment,
            DataType::Interval(_) | DataType::Duration(_) => Self::Interval,
            ty if ty.is_string() => Self::Text,
            _ => Self::Other,
        }
    }
}
