//! The queries of a session, and their names in the engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::catalog::{SchemaProvider, TableFunctionImpl};
use datafusion::common::plan_err;
use datafusion::prelude::SessionContext;
use parking_lot::RwLock;
use tracelake_engine::provider::CurrentSnapshot;
use tracelake_engine::query_error;

use super::canned::{Canned, NamedQueries};
use super::help;
use super::schema::SessionSchema;
use crate::catalog::Query;
use crate::error::Result;

/// The queries by name. Each has a view, a table function and an entry in the help. Saved queries are added and removed.
pub(crate) struct Registry {
    context: SessionContext,
    snapshot: CurrentSnapshot,
    schema: Arc<SessionSchema>,
    /// Views and queries, by name in SQL.
    named: NamedQueries,
    /// Queries without views, by name.
    canned: RwLock<BTreeMap<String, Arc<Canned>>>,
}

impl Registry {
    pub(super) fn new(
        context: &SessionContext,
        snapshot: &CurrentSnapshot,
        schema: Arc<SessionSchema>,
        named: NamedQueries,
    ) -> Self {
        Self { context: context.clone(), snapshot: Arc::clone(snapshot), schema, named, canned: RwLock::default() }
    }

    /// Returns true if a table, view or function has this name in SQL.
    pub(super) fn is_taken(&self, sql_name: &str) -> bool {
        self.schema.table_exist(sql_name) || self.named.read().contains_key(sql_name)
    }

    /// Returns an error if a query cannot be planned.
    pub(super) fn check(&self, query: &Query) -> Result<()> {
        Canned::new(query.clone(), Arc::clone(&self.snapshot)).check(&self.context.state())
    }

    /// Adds a query.
    pub(super) fn add(&self, query: &Query) -> Result<Arc<Canned>> {
        let canned = Arc::new(Canned::new(query.clone(), Arc::clone(&self.snapshot)));
        if canned.has_view() {
            self.schema.add_view(&canned).map_err(|error| canned.plan_error(&error))?;
        }
        let name = query.sql_name();
        self.context.register_udtf(&name, Arc::clone(&canned) as Arc<dyn TableFunctionImpl>);
        self.named.write().insert(name, query.clone());
        if query.family().is_some() {
            self.canned.write().insert(query.name.clone(), Arc::clone(&canned));
        }
        Ok(canned)
    }

    /// Removes a query.
    pub(super) fn remove(&self, query: &Query) {
        let name = query.sql_name();
        self.schema.remove_view(&name);
        self.context.deregister_udtf(&name);
        self.named.write().remove(&name);
        self.canned.write().remove(&query.name);
    }

    /// Registers the help tables again, with all current queries.
    pub(super) fn document(&self) -> Result<()> {
        let tables = {
            let named = self.named.read();
            help::tables(named.values())
        };
        let result = tables.and_then(|tables| {
            for (name, provider) in tables {
                self.context.deregister_table(name)?;
                if self.context.register_table(name, provider)?.is_some() {
                    return plan_err!("the name {name} is taken");
                }
            }
            Ok(())
        });
        result.map_err(|error| query_error(&error))
    }

    pub(super) fn get(&self, name: &str) -> Option<Arc<Canned>> {
        self.canned.read().get(name).cloned()
    }

    /// Returns all queries and views, sorted by name in SQL.
    pub(crate) fn documented(&self) -> Vec<Query> {
        self.named.read().values().cloned().collect()
    }

    /// Returns all queries, sorted by name.
    pub(super) fn canned(&self) -> Vec<Arc<Canned>> {
        self.canned.read().values().cloned().collect()
    }
}
