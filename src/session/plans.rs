//! Plans of questions that were asked before. To plan a question takes longer than to read the rows of a small run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{Expr, LogicalPlan, Volatility};

/// Questions that are kept; when there are more, all are forgotten.
const MOST: usize = 64;

/// A question: SQL or the name of a canned query, with its values, and the runs that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Asked {
    pub(super) text: String,
    pub(super) values: Vec<(String, ScalarValue)>,
    pub(super) runs: Option<Vec<String>>,
}

/// A planned question. Which rows there are does not matter to it: that is asked when it is executed.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) logical: LogicalPlan,
    optimised: OnceLock<LogicalPlan>,
}

impl Plan {
    pub(super) fn new(logical: LogicalPlan) -> Arc<Self> {
        Arc::new(Self { logical, optimised: OnceLock::new() })
    }

    /// The optimised plan, which is made once, unless it depends on the time.
    pub(super) fn optimised(&self, state: &SessionState) -> Result<LogicalPlan> {
        if let Some(plan) = self.optimised.get() {
            return Ok(plan.clone());
        }
        if matches!(self.logical, LogicalPlan::Explain(_)) {
            return state.optimize(&self.logical);
        }
        // views are put in here
        let analysed = state.analyzer().execute_and_check(self.logical.clone(), state.config_options(), |_, _| {})?;
        let keep = !asks_the_time(&analysed)?;
        let plan = state.optimizer().optimize(analysed, state, |_, _| {})?;
        if keep {
            return Ok(self.optimised.get_or_init(|| plan).clone());
        }
        Ok(plan)
    }
}

/// Whether the plan calls a function such as `now()`, whose value the optimiser puts in.
fn asks_the_time(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                found |= matches!(expr, Expr::ScalarFunction(call) if call.func.signature().volatility == Volatility::Stable);
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(found)
}

/// The questions of a session that were asked before. One that changes tables keeps none.
#[derive(Debug, Default)]
pub(super) struct Plans(Mutex<HashMap<Asked, Arc<Plan>>>);

impl Plans {
    pub(super) fn get(&self, asked: &Asked) -> Option<Arc<Plan>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(asked).cloned()
    }

    pub(super) fn keep(&self, asked: Asked, plan: LogicalPlan) -> Arc<Plan> {
        let plan = Plan::new(plan);
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if plans.len() == MOST {
            plans.clear();
        }
        plans.insert(asked, Arc::clone(&plan));
        plan
    }
}
