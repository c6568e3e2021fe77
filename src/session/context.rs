//! The query engine of a session: its limits, tables, views and functions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, RwLock};

use datafusion::catalog::TableProvider;
use datafusion::common::DataFusionError;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::optimizer::Optimizer;
use datafusion::optimizer::propagate_empty_relation::PropagateEmptyRelation;
use datafusion::prelude::{SessionConfig, SessionContext};
use tracelake_engine::cluster::{Cluster, Planner};
use tracelake_engine::functions::register_functions;
use tracelake_engine::memory_pool::HalfFair;
use tracelake_engine::plan::cached_view::ViewCache;
use tracelake_engine::plan::like::LikeByView;
use tracelake_engine::provider::{Current, LakeTable, ManifestTable};
use tracelake_engine::query_error;
use tracelake_engine::runtime::Engine;

use super::canned::{NamedArguments, NamedQueries};
use super::findings::Findings;
use super::registry::Registry;
use super::schema::Names;
use super::search::Help;
use crate::catalog::{self, DIAGNOSIS, Query};
use crate::error::Result;
use crate::lake::{Lake, LoadedRuns};
use crate::source::{Options, Place};
use crate::table::TABLES;

/// Memory for the state of queries; beyond it they spill to disk.
const POOL_BYTES: usize = 4 << 30;

/// Footers of parts kept between queries: on a store, each is a request saved.
const FOOTER_BYTES: usize = 256 << 20;

/// Parts of so many bytes in all are cut into ranges, so that every core reads as much; to open a file once more for a range
/// takes as long as to read some hundred kB.
const SPLIT_BYTES: usize = 2 << 20;

/// The runs that a session sees.
pub(super) async fn seen(lake: &Lake, only: Option<BTreeSet<String>>) -> Result<LoadedRuns> {
    let Some(only) = only else { return lake.snapshot().await };
    let mut runs = BTreeMap::new();
    for run in only {
        runs.extend(lake.run(&run).await?.map(|manifest| (run, manifest)));
    }
    Ok(LoadedRuns { runs: Arc::new(runs), faults: Vec::new() })
}

/// The queries in a folder of the user's own.
pub(super) fn user_queries(engine: &Engine, folder: &str, options: &Options) -> Result<Vec<Query>> {
    let place = Place::open(folder, options)?;
    engine.run(async move {
        let mut queries = Vec::new();
        for object in place.list().await?.iter().filter(|object| object.path.ends_with(".sql")) {
            let text = place.text(object).await?;
            queries.push(Query::parse(&object.path, &text)?);
        }
        Ok(queries)
    })
}

/// A context that knows all tables, views, queries and functions; a cluster executes its plans, if there is one.
pub(super) fn prepare(
    lake: &Lake,
    snapshot: &Current,
    views: &Arc<ViewCache>,
    own: Vec<Query>,
    cluster: Option<Arc<Cluster>>,
) -> Result<(SessionContext, Registry)> {
    let own = catalog::ordered(own);
    let queries: Vec<Query> = catalog::queries().iter().chain(&own).cloned().collect();
    let named: NamedQueries = Arc::new(RwLock::new(BTreeMap::from([(DIAGNOSIS.sql_name(), DIAGNOSIS.clone())])));
    let mut config = SessionConfig::new().with_information_schema(true);
    config.options_mut().execution.parquet.pushdown_filters = false;
    // parts have none
    config.options_mut().execution.parquet.bloom_filter_on_read = false;
    config.options_mut().optimizer.repartition_file_min_size = SPLIT_BYTES;
    if let Some(cluster) = &cluster {
        config = Planner::configure(config, cluster);
    }
    let prepared = || {
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(HalfFair::new(POOL_BYTES)))
            .with_metadata_cache_limit(FOOTER_BYTES)
            .build_arc()?;
        runtime.register_object_store(&lake.place().store_url(), Arc::clone(lake.place().store()));
        // What tables without rows make superfluous goes first.
        let mut rules = Optimizer::new().rules;
        rules.insert(0, Arc::new(PropagateEmptyRelation::new()));
        let mut state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(runtime)
            .with_default_features()
            .with_optimizer_rules(rules);
        if let Some(cluster) = cluster {
            state = state.with_query_planner(Arc::new(Planner::new(cluster)));
        }
        let mut state = state.build();
        register_functions(&mut state)?;
        state.register_function_rewrite(Arc::new(LikeByView::default()))?;
        state.register_relation_planner(Arc::new(NamedArguments(Arc::clone(&named))))?;
        let context = SessionContext::new_with_state(state);
        let names = Names::install(&context)?;
        for table in TABLES {
            let provider: Arc<dyn TableProvider> = if table.has_parts() {
                Arc::new(LakeTable::new(table, lake.clone(), Arc::clone(snapshot)))
            } else {
                Arc::new(ManifestTable::new(table, Arc::clone(snapshot)))
            };
            context.register_table(table.name, provider)?;
        }
        context.register_udtf("help", Arc::new(Help(Arc::clone(&named))));
        Ok((context, names))
    };
    let (context, names) = prepared().map_err(|error: DataFusionError| query_error(&error))?;
    let registry = Registry::new(&context, snapshot, names, named);
    for (n, query) in queries.iter().enumerate() {
        let canned = registry.add(query)?;
        // Tests plan the catalog's; the user's must be right when the session begins.
        if n >= catalog::queries().len() {
            canned.check(&context.state())?;
        }
    }
    let diagnosis = Arc::new(Findings::new(registry.canned().iter(), Arc::clone(snapshot), Arc::clone(views)));
    let name = DIAGNOSIS.sql_name();
    context.register_udtf(&name, Arc::clone(&diagnosis) as Arc<dyn datafusion::catalog::TableFunctionImpl>);
    context.register_table(name, diagnosis).map_err(|error| query_error(&error))?;
    Ok((context, registry))
}
