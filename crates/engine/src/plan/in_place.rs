//! A table of a session for a query engine in another library.
//!
//! The context of that engine knows neither the store of the lake nor the rows in memory. So scans
//! are planned and executed in the context of the session.

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion::prelude::SessionContext;

/// A table provider that plans its scans in the context of the session.
pub struct InPlaceTable {
    table: Arc<dyn TableProvider>,
    context: SessionContext,
}

impl InPlaceTable {
    pub fn new(table: Arc<dyn TableProvider>, context: SessionContext) -> Self {
        Self { table, context }
    }
}

impl std::fmt::Debug for InPlaceTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.table.fmt(f)
    }
}

#[async_trait]
impl TableProvider for InPlaceTable {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        self.table.table_type()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.table.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = self.table.scan(&self.context.state(), projection, filters, limit).await?;
        Ok(Arc::new(InPlaceScan { plan, context: self.context.task_ctx() }))
    }
}

/// A plan that is executed in the context of the session, whatever context the other engine passes.
struct InPlaceScan {
    plan: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
}

impl std::fmt::Debug for InPlaceScan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.plan.fmt(f)
    }
}

impl DisplayAs for InPlaceScan {
    fn fmt_as(&self, format: DisplayFormatType, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.plan.fmt_as(format, f)
    }
}

/// A leaf, so that the other engine does not change the plan below it.
impl ExecutionPlan for InPlaceScan {
    fn name(&self) -> &str {
        self.plan.name()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.plan.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.plan.execute(partition, Arc::clone(&self.context))
    }
}
