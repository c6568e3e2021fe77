//! Tables without rows, taken out of a plan before it is optimised.
//!
//! A lake knows without reading which tables have parts. Most profiles fill a few of them, and much of a plan then
//! falls away: to plan is what most questions about small runs take longest for.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::{EmptyRelation, LogicalPlan};

use super::provider::LakeTable;
use crate::lake::Snapshot;

/// A plan that reads no table without rows.
#[derive(Debug)]
pub(super) struct Filled {
    pub(super) plan: LogicalPlan,
    /// The tables that it left out.
    left_out: Vec<&'static str>,
}

impl Filled {
    pub(super) fn new(plan: LogicalPlan, snapshot: &Snapshot) -> Result<Self> {
        let mut empty: BTreeMap<&'static str, bool> = BTreeMap::new();
        let plan = plan.transform_down_with_subqueries(|plan| {
            let LogicalPlan::TableScan(scan) = &plan else { return Ok(Transformed::no(plan)) };
            let Ok(provider) = source_as_provider(&scan.source) else { return Ok(Transformed::no(plan)) };
            let Some(table) = provider.downcast_ref::<LakeTable>() else { return Ok(Transformed::no(plan)) };
            if !*empty.entry(table.name()).or_insert_with(|| !has_rows(snapshot, table.name())) {
                return Ok(Transformed::no(plan));
            }
            let none = EmptyRelation { produce_one_row: false, schema: Arc::clone(&scan.projected_schema) };
            Ok(Transformed::new(LogicalPlan::EmptyRelation(none), true, TreeNodeRecursion::Jump))
        })?;
        let left_out = empty.into_iter().filter_map(|(table, empty)| empty.then_some(table)).collect();
        Ok(Self { plan: plan.data, left_out })
    }

    /// Whether the tables that were left out have no rows in this snapshot either.
    pub(super) fn holds(&self, snapshot: &Snapshot) -> bool {
        !self.left_out.iter().any(|table| has_rows(snapshot, table))
    }
}

fn has_rows(snapshot: &Snapshot, table: &str) -> bool {
    snapshot.values().any(|run| run.parts.iter().any(|part| part.table == table))
}
