//! Removes the parts of a plan that read empty tables.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::propagate_empty_relation::PropagateEmptyRelation;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

/// [`PropagateEmptyRelation`] as the first rule, before others have removed the names of tables from columns. A union with
/// one input left then has columns without them, as a union must.
#[derive(Debug, Default)]
pub struct RemoveEmptyTables(PropagateEmptyRelation);

impl OptimizerRule for RemoveEmptyTables {
    fn name(&self) -> &'static str {
        "remove_empty_tables"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        self.0.apply_order()
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Union(union) = &plan else { return self.0.rewrite(plan, config) };
        let is_empty = |input: &LogicalPlan| matches!(input, LogicalPlan::EmptyRelation(none) if !none.produce_one_row);
        let mut inputs = union.inputs.iter().filter(|input| !is_empty(input));
        let (Some(only), None) = (inputs.next(), inputs.next()) else { return self.0.rewrite(plan, config) };
        let columns = only.schema().columns().into_iter().zip(union.schema.fields());
        let columns: Vec<Expr> = columns.map(|(column, field)| Expr::Column(column).alias(field.name())).collect();
        let projection = Projection::try_new_with_schema(columns, Arc::clone(only), Arc::clone(&union.schema))?;
        Ok(Transformed::yes(LogicalPlan::Projection(projection)))
    }
}
