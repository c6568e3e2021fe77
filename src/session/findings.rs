//! `diagnosis`: all findings of each run as one table.
//!
//! Many findings read the same data. The views `evidence_*`, which they read, are computed once.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::metadata::FieldMetadata;
use datafusion::common::{DataFusionError, JoinType, Result, ScalarValue, plan_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{
    Expr, LogicalPlan, LogicalPlanBuilder, TableProviderFilterPushDown, TableType, Union, cast,
};
use datafusion::physical_plan::ExecutionPlan;
use tracelake_engine::cluster::ClusterPlanner;
use tracelake_engine::plan::cached_view::{RowCache, ViewCache, ViewResolver, is_cacheable};
use tracelake_engine::plan::stages;
use tracelake_engine::provider::{CurrentSnapshot, PinnedSnapshot, visible_snapshot};
use tracelake_engine::runtime::run_together;

use super::canned::{Canned, constant, unknown_parameter};
use crate::catalog::{DIAGNOSIS, column_sql, derived_sql, found_ids_sql, quantity_query, recorded_query};
use crate::error::{Error, ErrorKind};
use crate::table::arrow_type;

/// Parameters of findings that differ from their defaults, by the id of the finding.
pub(super) type Thresholds = BTreeMap<String, BTreeMap<String, ScalarValue>>;

/// The table function, and the table with the default thresholds.
#[derive(Debug, Clone)]
pub(super) struct Findings {
    /// The query of each finding for its quantity.
    quantities: Arc<Vec<Canned>>,
    /// The query for the runs of `tracelake record`.
    recorded: Arc<Canned>,
    thresholds: Arc<Thresholds>,
    schema: SchemaRef,
    snapshot: CurrentSnapshot,
    views: Arc<ViewCache>,
}

impl Findings {
    /// Returns the findings among these queries.
    pub(super) fn new<'a>(
        queries: impl Iterator<Item = &'a Arc<Canned>>,
        snapshot: CurrentSnapshot,
        views: Arc<ViewCache>,
    ) -> Self {
        let quantities = queries.filter_map(|canned| quantity_query(&canned.query));
        let quantities = quantities.map(|query| Canned::new(query, Arc::clone(&snapshot))).collect();
        let recorded = Arc::new(Canned::new(recorded_query(), Arc::clone(&snapshot)));
        let fields = DIAGNOSIS.header.columns.iter().map(|column| {
            let unit = [("unit".to_owned(), column.unit.as_str().to_owned())].into();
            let ty = match arrow_type(column.ty) {
                DataType::Utf8 => DataType::Utf8View,
                ty => ty,
            };
            Field::new(&column.name, ty, true).with_metadata(unit)
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Self { quantities: Arc::new(quantities), recorded, thresholds: Arc::default(), schema, snapshot, views }
    }

    /// Returns the findings with thresholds from TOML: a table `[load_share_high]` with the line `critical = 0.4`.
    ///
    /// # Errors
    /// Argument for text that is not TOML, and for an unknown finding or parameter.
    pub(super) fn with_thresholds(&self, thresholds: &str) -> crate::Result<Self> {
        let refused = |why: String| Error::new(ErrorKind::Argument, format!("cannot use the thresholds: {why}"));
        let tables: BTreeMap<String, toml::Value> =
            toml::from_str(thresholds).map_err(|error| refused(error.to_string().trim_end().replace('\n', " ")))?;
        let ids: Vec<&str> = self.quantities.iter().map(|canned| canned.query.question()).collect();
        let mut all = Thresholds::new();
        for (id, values) in tables {
            let Some(canned) = self.quantities.iter().find(|canned| canned.query.question() == id) else {
                return Err(refused(Error::unknown("finding", &id, &ids).to_string()));
            };
            let toml::Value::Table(values) = values else {
                return Err(refused(format!(
                    "`{id}` is not a table of parameters: write [{id}] and below it a line for each parameter"
                )));
            };
            let declared = &canned.query.header.params;
            let mut params = BTreeMap::new();
            for (name, value) in values {
                if !declared.iter().any(|param| param.name == name) {
                    return Err(refused(format!("[{id}]: {}", unknown_parameter(declared, &name))));
                }
                let value = scalar(&value).ok_or_else(|| {
                    let ty = value.type_str();
                    refused(format!("[{id}]: `{name}` is a {ty}, expected a number, a text, true or false"))
                })?;
                params.insert(name, value);
            }
            all.insert(id, params);
        }
        Ok(Self { thresholds: Arc::new(all), ..self.clone() })
    }

    /// Returns the plans of the quantities of all findings. Most of the time of a diagnosis is planning, so all cores do it.
    async fn plan_quantities(&self, state: &SessionState) -> Result<Vec<Arc<LogicalPlan>>> {
        let state = Arc::new(state.clone());
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let chunk = self.quantities.len().div_ceil(threads).max(1);
        let plans = (0..self.quantities.len()).step_by(chunk).map(|first| {
            let (quantities, thresholds) = (Arc::clone(&self.quantities), Arc::clone(&self.thresholds));
            let state = Arc::clone(&state);
            async move {
                let none = BTreeMap::new();
                let quantities = quantities.iter().skip(first).take(chunk);
                let plans = quantities.map(|canned| {
                    let values = thresholds.get(canned.query.question()).unwrap_or(&none);
                    Ok(Arc::new(canned.call(&state, values)?))
                });
                plans.collect::<Result<Vec<_>>>()
            }
        });
        let plans: Result<Vec<_>> = run_together(plans).await.into_iter().collect();
        Ok(plans?.concat())
    }
}

/// Converts a TOML value to a parameter.
fn scalar(value: &toml::Value) -> Option<ScalarValue> {
    Some(match value {
        toml::Value::Integer(number) => ScalarValue::from(*number),
        toml::Value::Float(number) => ScalarValue::from(*number),
        toml::Value::Boolean(flag) => ScalarValue::from(*flag),
        toml::Value::String(text) => ScalarValue::from(text.as_str()),
        _ => return None,
    })
}

#[async_trait]
impl TableProvider for Findings {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::View
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| {
            let uses_only_run = filter.column_refs().into_iter().all(|column| column.name == "run");
            if uses_only_run { TableProviderFilterPushDown::Inexact } else { TableProviderFilterPushDown::Unsupported }
        };
        Ok(filters.iter().map(support).collect())
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(state) = session.as_any().downcast_ref::<SessionState>() else {
            return plan_err!("diagnosis: only the engine of tracelake can run it");
        };
        let quantities = self.plan_quantities(state).await?;
        if quantities.is_empty() {
            return plan_err!("diagnosis: there are no findings");
        }
        let all = LogicalPlanBuilder::from(LogicalPlan::Union(Union::try_new(quantities)?));
        // The outcome and the interval are planned once, for the quantities of all findings.
        let mut columns: Vec<Expr> = all.schema().columns().into_iter().map(Expr::Column).collect();
        for (name, sql) in derived_sql() {
            columns.push(state.create_logical_expr(&sql, all.schema())?.alias(name));
        }
        let with_outcome = all.project(columns)?;
        let found_ids = state.create_logical_expr(&found_ids_sql(), with_outcome.schema())?.alias("found_ids");
        let recorded = self.recorded.call(state, &BTreeMap::new())?;
        let with_outcome = with_outcome.window(vec![found_ids])?.join(
            recorded,
            JoinType::Left,
            (vec!["run"], vec!["recorded_run"]),
            None,
        )?;
        let sql = column_sql();
        let positions = projection.map_or_else(|| (0..sql.len()).collect(), Clone::clone);
        let columns = positions.iter().map(|&position| {
            let (name, sql) = &sql[position];
            let value = state.create_logical_expr(sql, with_outcome.schema())?;
            let field = self.schema.field(position);
            // With the metadata of the field: an aggregation checks that the plan has the schema of the table.
            Ok(cast(value, field.data_type().clone()).alias_with_metadata(*name, Some(FieldMetadata::from(field))))
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let plan = with_outcome.project(columns)?.build()?;
        let snapshot = visible_snapshot(state, &self.snapshot);
        let use_cache = state.config().get_extension::<PinnedSnapshot>().is_none_or(|pinned| pinned.use_cache);
        let mut state = state.clone();
        state.config_mut().set_extension(Arc::new(PinnedSnapshot { snapshot: Arc::clone(&snapshot), use_cache }));
        // For many large runs, evidence is cached only for this query, for the runs that it is about.
        let cache = if use_cache && is_cacheable(&snapshot) && !ClusterPlanner::is_planner_of(&state) {
            RowCache::OfSession(Arc::clone(&self.views))
        } else {
            RowCache::OfQuery(Arc::default(), filters.into())
        };
        let state = Arc::new(state);
        let plan = ViewResolver::new(&state, &snapshot, cache).resolve(plan).await?;
        let plan = stages::optimize(&state, stages::analyze(&state, plan)?)?;
        stages::physical_plan(&state, &plan).await
    }
}

impl TableFunctionImpl for Findings {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let text = match args.exprs() {
            [] => return Ok(Arc::new(self.clone())),
            [text] => constant(text, args.session())?,
            more => return plan_err!("{}: {} arguments, expected at most 1", DIAGNOSIS.usage(), more.len()),
        };
        match text.try_as_str() {
            Some(text) => {
                let findings = self.with_thresholds(text.unwrap_or_default());
                Ok(Arc::new(findings.map_err(|error| DataFusionError::External(Box::new(error)))?))
            }
            None => plan_err!("{}: thresholds are TOML, a text", DIAGNOSIS.usage()),
        }
    }
}
