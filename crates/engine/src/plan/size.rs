//! Limits the number of operators of a plan. If each of 30 named queries reads the previous one twice, the plan has a billion
//! operators.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::parser::{CopyToSource, Statement};
use datafusion::sql::sqlparser::ast::{ObjectName, Query, Visit, Visitor};

/// Maximum number of operators of a plan. The largest query of the catalog has 1,000.
const MAX_OPERATORS: usize = 20_000;

fn check(operators: usize) -> Result<()> {
    if operators > MAX_OPERATORS {
        return plan_err!("its plan has more than {MAX_OPERATORS} operators: each use of a named query or view counts");
    }
    Ok(())
}

/// Checks a statement before it is planned.
///
/// # Errors
/// Plan for a statement with too many uses of tables and named queries.
pub(super) fn check_statement(statement: &Statement) -> Result<()> {
    let mut uses = Uses { open: vec![0], ..Uses::default() };
    let _ = match statement {
        Statement::Statement(statement) => statement.visit(&mut uses),
        Statement::CopyTo(copy) if let CopyToSource::Query(query) = &copy.source => query.visit(&mut uses),
        Statement::Explain(explain) => return check_statement(&explain.statement),
        _ => return Ok(()),
    };
    check(uses.open[0])
}

/// Counts the uses of tables in queries. A use of a named query counts as all uses in it.
#[derive(Default)]
struct Uses {
    /// Number of uses in each query around the current place.
    open: Vec<usize>,
    /// Addresses of the queries that have names.
    names: HashMap<usize, String>,
    named: HashMap<String, usize>,
}

fn address(query: &Query) -> usize {
    std::ptr::from_ref(query).addr()
}

impl Uses {
    fn add(&mut self, uses: usize) {
        if let Some(open) = self.open.last_mut() {
            *open = open.saturating_add(uses);
        }
    }
}

impl Visitor for Uses {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for named in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.names.insert(address(&named.query), named.alias.name.value.to_lowercase());
        }
        self.open.push(1);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let uses = self.open.pop().unwrap_or(0);
        match self.names.remove(&address(query)) {
            Some(name) => _ = self.named.insert(name, uses),
            None => self.add(uses),
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        let name = name.0.last().and_then(|part| part.as_ident()).map(|name| name.value.to_lowercase());
        let uses = name.and_then(|name| self.named.get(&name)).copied().unwrap_or(1);
        self.add(uses);
        ControlFlow::Continue(())
    }
}

/// Checks a plan, with the views that it reads.
///
/// # Errors
/// Plan for too many operators.
pub(super) fn check_plan(plan: &LogicalPlan) -> Result<()> {
    let mut operators = 0;
    count_operators(plan, &mut operators)?;
    check(operators)
}

/// Counts operators, and stops when there are too many.
fn count_operators(plan: &LogicalPlan, operators: &mut usize) -> Result<TreeNodeRecursion> {
    plan.apply_with_subqueries(|node| {
        *operators += 1;
        if let LogicalPlan::TableScan(scan) = node
            && let Ok(provider) = source_as_provider(&scan.source)
            && let Some(view) = provider.get_logical_plan()
        {
            count_operators(&view, operators)?;
        }
        Ok(if *operators > MAX_OPERATORS { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParser;

    use super::*;

    #[test]
    fn a_named_query_counts_for_each_use() {
        let uses = |text: &str| {
            let statement = DFParser::parse_sql(text).unwrap().pop_front().unwrap();
            let mut uses = Uses { open: vec![0], ..Uses::default() };
            if let Statement::Statement(statement) = &statement {
                let _ = statement.visit(&mut uses);
            }
            (uses.open[0], check_statement(&statement).is_ok())
        };
        assert_eq!(uses("SELECT 1 FROM a, b WHERE x IN (SELECT y FROM c)"), (5, true));
        assert_eq!(uses("WITH a AS (SELECT 1 FROM x), b AS (SELECT 1 FROM a, \"a\") SELECT 1 FROM b, b"), (11, true));
        assert_eq!(
            uses("WITH a AS (SELECT 1 FROM a) SELECT 1 FROM (WITH b AS (SELECT 1 FROM a) SELECT 1 FROM b)"),
            (5, true)
        );
        let doubled = |count: usize| {
            let named: Vec<String> = (1..count)
                .map(|n| format!("t{n} AS (SELECT * FROM t{} UNION SELECT * FROM t{})", n - 1, n - 1))
                .collect();
            format!("WITH t0 AS (SELECT 1), {} SELECT * FROM t{}", named.join(", "), count - 1)
        };
        assert_eq!(uses(&doubled(4)), (16, true));
        assert!(!uses(&doubled(100)).1);
        let explained = DFParser::parse_sql(&format!("EXPLAIN {}", doubled(100))).unwrap().pop_front().unwrap();
        assert!(check_statement(&explained).is_err());
    }
}
