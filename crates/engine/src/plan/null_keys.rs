//! Adds keys to joins that compare columns with `IS NOT DISTINCT FROM`.

use std::collections::HashSet;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, Result, ScalarValue};
use datafusion::logical_expr::utils::{can_hash, split_conjunction};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Join, LogicalPlan, Operator, lit, when};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

/// For `a.x = b.x AND a.y IS NOT DISTINCT FROM b.y`, only `x` is a key of DataFusion's hash join, and the join compares all
/// pairs of rows with the same `x`. This rule adds `coalesce(a.y, 0) = coalesce(b.y, 0)`, which is true for each pair
/// of rows that satisfies the condition.
#[derive(Debug, Default)]
pub struct AddNullableKeys;

/// The expression, or the default value of its type for null. `None` for a type without one, and for a volatile expression.
fn key(expr: &Expr, input: &LogicalPlan) -> Option<Expr> {
    let data_type = expr.get_type(input.schema()).ok().filter(|ty| can_hash(ty) && !expr.is_volatile())?;
    let default = ScalarValue::new_default(&data_type).ok()?;
    // Rules that simplify `coalesce` have run.
    when(expr.clone().is_not_null(), expr.clone()).otherwise(lit(default)).ok()
}

/// The keys for a condition that compares the left input with the right one.
fn keys(condition: &Expr, join: &Join) -> Option<(Expr, Expr)> {
    let Expr::BinaryExpr(BinaryExpr { left, op: Operator::IsNotDistinctFrom, right }) = condition else { return None };
    let reads = |expr: &Expr, input: &LogicalPlan| {
        let columns: HashSet<&Column> = expr.column_refs();
        !columns.is_empty() && columns.into_iter().all(|column| input.schema().has_column(column))
    };
    let (left, right) = if reads(left, &join.left) && reads(right, &join.right) {
        (left, right)
    } else if reads(right, &join.left) && reads(left, &join.right) {
        (right, left)
    } else {
        return None;
    };
    Some((key(left, &join.left)?, key(right, &join.right)?))
}

/// Whether two pairs of keys read the same columns. The rule runs more than once, and other rules simplify its keys.
fn is_same(a: &(Expr, Expr), b: &(Expr, Expr)) -> bool {
    a.0.column_refs() == b.0.column_refs() && a.1.column_refs() == b.1.column_refs()
}

impl OptimizerRule for AddNullableKeys {
    fn name(&self) -> &'static str {
        "add_nullable_keys"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Join(mut join) = plan else { return Ok(Transformed::no(plan)) };
        // `NOT IN` with nulls allows one key only.
        if join.null_aware {
            return Ok(Transformed::no(LogicalPlan::Join(join)));
        }
        let conditions = join.filter.iter().flat_map(split_conjunction);
        let added: Vec<(Expr, Expr)> = conditions
            .filter_map(|condition| keys(condition, &join))
            .filter(|keys| !join.on.is_empty() && !join.on.iter().any(|known| is_same(known, keys)))
            .collect();
        let is_changed = !added.is_empty();
        join.on.extend(added);
        Ok(Transformed::new_transformed(LogicalPlan::Join(join), is_changed))
    }
}
