//! Sets up the query engine of a session: limits, tables, views and functions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::DataFusionError;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::execution::{FunctionRegistry, SessionState};
use datafusion::optimizer::Optimizer;
use datafusion::prelude::{SessionConfig, SessionContext};
use parking_lot::RwLock;
use tracelake_engine::cluster::{ClusterClient, ClusterPlanner};
use tracelake_engine::functions::register_functions;
use tracelake_engine::memory_pool::HalfFairPool;
use tracelake_engine::plan::cached_view::ViewCache;
use tracelake_engine::plan::empty_tables::RemoveEmptyTables;
use tracelake_engine::plan::like::LikeRewrite;
use tracelake_engine::plan::null_keys::AddNullableKeys;
use tracelake_engine::provider::{CurrentSnapshot, LakeTable, ManifestTable};
use tracelake_engine::query_error;
use tracelake_engine::runtime::Engine;
use tracelake_engine::times::operators::TimeOperators;

use super::canned::{NamedArguments, NamedQueries};
use super::findings::Findings;
use super::registry::Registry;
use super::schema::SessionSchema;
use super::search::HelpFunction;
use crate::catalog::{self, DIAGNOSIS, Query};
use crate::error::Result;
use crate::lake::{Lake, LoadedRuns};
use crate::source::{Location, Options};
use crate::table::TABLES;

/// Memory for the state of queries; beyond it they spill to disk.
const MEMORY_POOL_BYTES: usize = 4 << 30;

/// Cache of footers of data files: each saves a request to the store.
const FOOTER_CACHE_BYTES: usize = 256 << 20;

/// Minimum total size of data files that are split into ranges, so that all cores read equally. Opening a file again for a
/// range costs as much time as reading some hundred kB.
const MIN_SPLIT_BYTES: usize = 2 << 20;

/// Loads the manifests of the runs that a session sees.
pub(super) async fn load_runs(lake: &Lake, only: Option<BTreeSet<String>>) -> Result<LoadedRuns> {
    let Some(only) = only else { return lake.snapshot().await };
    let mut runs = BTreeMap::new();
    for run in only {
        runs.extend(lake.run(&run).await?.map(|manifest| (run, manifest)));
    }
    Ok(LoadedRuns { runs: Arc::new(runs), faults: Vec::new() })
}

/// Reads the user's own queries from a folder.
pub(super) fn user_queries(engine: &Engine, folder: &str, options: &Options) -> Result<Vec<Query>> {
    let location = Location::open(folder, options)?;
    engine.run(async move {
        let mut queries = Vec::new();
        for object in location.list().await?.iter().filter(|object| object.path.ends_with(".sql")) {
            let text = location.text(object).await?;
            queries.push(Query::parse(&object.path, &text)?);
        }
        Ok(queries)
    })
}

/// Returns a context with all tables, views, queries and functions. If there is a cluster, it executes the plans.
pub(super) fn build_context(
    lake: &Lake,
    snapshot: &CurrentSnapshot,
    views: &Arc<ViewCache>,
    own_queries: Vec<Query>,
    cluster: Option<Arc<ClusterClient>>,
) -> Result<(SessionContext, Registry)> {
    let named: NamedQueries = Arc::new(RwLock::new(BTreeMap::from([(DIAGNOSIS.sql_name(), DIAGNOSIS.clone())])));
    let failed = |error: DataFusionError| query_error(&error);
    let state = build_state(lake, Arc::clone(&named), cluster).map_err(failed)?;
    let context = SessionContext::new_with_state(state);
    let schema = SessionSchema::install(&context).map_err(failed)?;
    let windows = Arc::default();
    for table in TABLES {
        let provider: Arc<dyn TableProvider> = if table.has_parts() {
            Arc::new(LakeTable::new(table, lake.clone(), Arc::clone(snapshot), Arc::clone(&windows)))
        } else {
            Arc::new(ManifestTable::new(table, Arc::clone(snapshot)))
        };
        context.register_table(table.name, provider).map_err(failed)?;
    }
    context.register_udtf("help", Arc::new(HelpFunction(Arc::clone(&named))));
    let registry = Registry::new(&context, snapshot, schema, named);
    for query in catalog::queries() {
        registry.add(query)?;
    }
    // Tests plan the queries of the catalog. The user's own queries are checked now.
    for query in &catalog::sort_by_dependencies(own_queries) {
        registry.add(query)?.check(&context.state())?;
    }
    let diagnosis = Arc::new(Findings::new(registry.canned().iter(), Arc::clone(snapshot), Arc::clone(views)));
    let name = DIAGNOSIS.sql_name();
    context.register_udtf(&name, Arc::clone(&diagnosis) as Arc<dyn datafusion::catalog::TableFunctionImpl>);
    context.register_table(name, diagnosis).map_err(failed)?;
    Ok((context, registry))
}

/// Returns the state of the engine: its settings, optimizer rules and functions.
fn build_state(
    lake: &Lake,
    named: NamedQueries,
    cluster: Option<Arc<ClusterClient>>,
) -> Result<SessionState, DataFusionError> {
    let mut config = SessionConfig::new().with_information_schema(true);
    let options = config.options_mut();
    options.execution.parquet.pushdown_filters = false;
    // Data files have no bloom filters.
    options.execution.parquet.bloom_filter_on_read = false;
    options.optimizer.repartition_file_min_size = MIN_SPLIT_BYTES;
    if let Some(cluster) = &cluster {
        config = ClusterPlanner::configure(config, cluster);
    }
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(HalfFairPool::new(MEMORY_POOL_BYTES)))
        .with_metadata_cache_limit(FOOTER_CACHE_BYTES)
        .build_arc()?;
    runtime.register_object_store(&lake.location().store_url(), Arc::clone(lake.location().store()));
    let mut rules = Optimizer::new().rules;
    rules.insert(0, Arc::new(RemoveEmptyTables::default()));
    // After the rule that finds the other keys of joins.
    let after =
        rules.iter().position(|rule| rule.name() == "extract_equijoin_predicate").map_or(rules.len(), |rule| rule + 1);
    rules.insert(after, Arc::new(AddNullableKeys));
    let mut state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(runtime)
        // Before those of DataFusion.
        .with_expr_planners(vec![Arc::new(TimeOperators::default())])
        .with_default_features()
        .with_optimizer_rules(rules);
    if let Some(cluster) = cluster {
        state = state.with_query_planner(Arc::new(ClusterPlanner::new(cluster)));
    }
    let mut state = state.build();
    register_functions(&mut state)?;
    state.register_function_rewrite(Arc::new(LikeRewrite::default()))?;
    state.register_relation_planner(Arc::new(NamedArguments(named)))?;
    Ok(state)
}
