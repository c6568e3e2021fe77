//! The schema of a session: tables, and views for the queries that need no argument.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use async_trait::async_trait;
use datafusion::catalog::{MemorySchemaProvider, SchemaProvider, TableProvider};
use datafusion::common::{Result, internal_datafusion_err, plan_err};
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;
use parking_lot::RwLock;

use super::canned::Canned;

/// The tables of a session, and views that are planned when a query first uses them.
#[derive(Debug)]
pub(super) struct SessionSchema {
    tables: MemorySchemaProvider,
    /// By name in SQL.
    views: RwLock<BTreeMap<String, Arc<Canned>>>,
    /// The state that plans the views. A weak reference, because the state owns this schema.
    state: Weak<RwLock<SessionState>>,
}

impl SessionSchema {
    /// Makes this schema the default schema of a context.
    pub(super) fn install(context: &SessionContext) -> Result<Arc<Self>> {
        let names = Arc::new(Self {
            tables: MemorySchemaProvider::new(),
            views: RwLock::default(),
            state: context.state_weak_ref(),
        });
        let catalog = context.catalog("datafusion").ok_or_else(|| internal_datafusion_err!("no default catalog"))?;
        catalog.register_schema("public", Arc::clone(&names) as Arc<dyn SchemaProvider>)?;
        Ok(names)
    }

    /// Adds a view for a query that needs no argument.
    pub(super) fn add_view(&self, canned: &Arc<Canned>) -> Result<()> {
        let name = canned.query.sql_name();
        if self.table_exist(&name) {
            return plan_err!("the name {name} is taken");
        }
        self.views.write().insert(name, Arc::clone(canned));
        Ok(())
    }

    /// Removes a view.
    pub(super) fn remove_view(&self, name: &str) {
        self.views.write().remove(name);
    }

    fn view(&self, name: &str) -> Option<Arc<Canned>> {
        self.views.read().get(name).cloned()
    }
}

#[async_trait]
impl SchemaProvider for SessionSchema {
    fn table_names(&self) -> Vec<String> {
        let mut names = self.tables.table_names();
        names.extend(self.views.read().keys().cloned());
        names
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let Some(canned) = self.view(name) else { return self.tables.table(name).await };
        if let Some(view) = canned.planned_view() {
            return Ok(Some(view));
        }
        // A copy, because planning a view may look up other views.
        let state = self.state.upgrade().map(|state| state.read().clone());
        canned.view(&state.ok_or_else(|| internal_datafusion_err!("the session has ended"))?)
    }

    fn register_table(&self, name: String, table: Arc<dyn TableProvider>) -> Result<Option<Arc<dyn TableProvider>>> {
        if self.view(&name).is_some() {
            return plan_err!("the name {name} is taken by a query");
        }
        self.tables.register_table(name, table)
    }

    fn deregister_table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        if self.view(name).is_some() {
            return plan_err!("cannot remove {name}: it is a query");
        }
        self.tables.deregister_table(name)
    }

    fn table_exist(&self, name: &str) -> bool {
        self.tables.table_exist(name) || self.view(name).is_some()
    }
}
