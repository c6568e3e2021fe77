//! The queries that a session knows, and everything in the engine that goes by their names.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use datafusion::catalog::TableFunctionImpl;
use datafusion::common::{DataFusionError, plan_err};
use datafusion::prelude::SessionContext;
use tracelake_engine::provider::Current;
use tracelake_engine::query_error;

use super::canned::{Canned, NamedQueries};
use super::help;
use super::schema::Names;
use crate::catalog::Query;
use crate::error::{Error, ErrorKind, Result};

/// Queries by name. A query is a view, a table function, and a name in the help; saved ones come and go.
pub(crate) struct Registry {
    context: SessionContext,
    snapshot: Current,
    names: Arc<Names>,
    /// By name in SQL: views and queries.
    named: NamedQueries,
    /// By name: queries alone.
    canned: RwLock<BTreeMap<String, Arc<Canned>>>,
}

impl Registry {
    pub(super) fn new(context: &SessionContext, snapshot: &Current, names: Arc<Names>, named: NamedQueries) -> Self {
        Self { context: context.clone(), snapshot: Arc::clone(snapshot), names, named, canned: RwLock::default() }
    }

    /// Whether SQL knows this name already.
    pub(super) fn is_taken(&self, sql_name: &str) -> bool {
        self.names.is_known(sql_name)
            || self.named.read().unwrap_or_else(PoisonError::into_inner).contains_key(sql_name)
    }

    /// Whether the query could be asked.
    pub(super) fn check(&self, query: &Query) -> Result<()> {
        Canned::new(query.clone(), Arc::clone(&self.snapshot)).check(&self.context.state())
    }

    /// Makes a query known.
    pub(super) fn add(&self, query: &Query) -> Result<Arc<Canned>> {
        let failed = |error: DataFusionError| {
            Error::new(ErrorKind::Query, format!("cannot plan query `{}`", query.name)).with_source(query_error(&error))
        };
        let canned = Arc::new(Canned::new(query.clone(), Arc::clone(&self.snapshot)));
        if canned.has_view() {
            self.names.add_view(&canned).map_err(failed)?;
        }
        let name = query.sql_name();
        self.context.register_udtf(&name, Arc::clone(&canned) as Arc<dyn TableFunctionImpl>);
        self.named.write().unwrap_or_else(PoisonError::into_inner).insert(name, query.clone());
        if query.family().is_some() {
            let mut known = self.canned.write().unwrap_or_else(PoisonError::into_inner);
            known.insert(query.name.clone(), Arc::clone(&canned));
        }
        Ok(canned)
    }

    /// Forgets a query.
    pub(super) fn remove(&self, query: &Query) {
        let name = query.sql_name();
        self.names.remove_view(&name);
        self.context.deregister_udtf(&name);
        self.named.write().unwrap_or_else(PoisonError::into_inner).remove(&name);
        self.canned.write().unwrap_or_else(PoisonError::into_inner).remove(&query.name);
    }

    /// Writes the help tables anew.
    pub(super) fn document(&self) -> Result<()> {
        let tables = {
            let named = self.named.read().unwrap_or_else(PoisonError::into_inner);
            help::tables(named.values())
        };
        let written = tables.and_then(|tables| {
            for (name, provider) in tables {
                if self.context.table_exist(name)? {
                    self.context.deregister_table(name)?;
                }
                if self.context.register_table(name, provider)?.is_some() {
                    return plan_err!("the name {name} is taken");
                }
            }
            Ok(())
        });
        written.map_err(|error| query_error(&error))
    }

    pub(super) fn get(&self, name: &str) -> Option<Arc<Canned>> {
        self.canned.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// All queries and views, by name in SQL.
    pub(crate) fn documented(&self) -> Vec<Query> {
        self.named.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// All queries, by name.
    pub(super) fn canned(&self) -> Vec<Arc<Canned>> {
        self.canned.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}
