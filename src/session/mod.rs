//! A session: opens a lake or a profile, and runs queries.
//!
//! A session owns an engine thread; each method blocks only the thread that calls it. A session sees the runs of the lake
//! as they were when it was opened, or after its own last ingest or [`Session::refresh`]. A frame has the runs that its
//! session saw when the query was made.

mod align;
mod arguments;
mod call;
mod canned;
pub(crate) mod columns;
mod context;
pub(crate) mod execution;
mod explain;
mod findings;
mod follow;
mod help;
mod housekeeping;
mod key_metrics;
mod open;
mod placeholder;
mod query;
mod registry;
mod runs;
mod saved;
mod schema;
mod search;
mod share;
mod tables;
mod upload;
mod url_pattern;
mod value;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use datafusion::logical_expr::{Expr, LogicalPlan, col, in_list, lit};
use datafusion::prelude::SessionContext;
use parking_lot::{Mutex, RwLock};
use tempfile::TempDir;
use tokio::runtime::Handle;
use tracelake_engine::cluster::ClusterClient;
use tracelake_engine::plan::cached_view::ViewCache;
use tracelake_engine::plan::plans::{PlanCache, QueryPlan};
use tracelake_engine::provider::{CurrentSnapshot, current_snapshot};
use tracelake_engine::runtime::Engine;

pub(crate) use self::canned::percent_hint;
use self::context::{build_context, load_runs, user_queries};
pub(crate) use self::placeholder::placeholders;
use self::registry::Registry;
use self::saved::SavedQueries;
pub(crate) use self::saved::full_name as full_saved_name;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::lake::{Lake, LakeFault, LoadedRuns};
use crate::source::Options;

pub use crate::export::{DuckdbScript, ExportSummary, RuleReport, write_parquet};
pub use arguments::{Arguments, CheckDepth, Mode, Runs};
pub use call::*;
pub use follow::{FollowOptions, Follower};
pub use open::{OpenOptions, Warn, create, open, open_all, open_default, open_default_with, open_with};
pub use search::help;
#[doc(inline)]
pub use tracelake_engine::cluster;
pub use tracelake_engine::runtime::Interrupt;
pub use upload::Upload;
pub use value::Value;

/// An open lake, or one profile of it.
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// let profile = "tests/data/first_look/profiler-output";
/// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
/// let slow = s.step().outliers().factor(3.0).fetch()?;
/// let worst = s.sql("select max(relative) as worst from step_outliers(3.0)")?;
/// assert!(slow.len()? == 0 || worst.value::<f64>(0, "worst")? >= Some(3.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Session {
    pub(crate) inner: Arc<SessionInner>,
}

pub(crate) struct SessionInner {
    pub(crate) engine: Engine,
    pub(crate) lake: Lake,
    pub(crate) context: SessionContext,
    pub(crate) snapshot: CurrentSnapshot,
    /// Corrupt manifests and data files that this session has found.
    faults: Mutex<Vec<LakeFault>>,
    /// The run of the opened profile.
    opened: Option<String>,
    /// The runs that the session sees: that run, and runs that it has ingested since. None: all.
    only: Mutex<Option<BTreeSet<String>>>,
    pub(crate) registry: Registry,
    saved: SavedQueries,
    plans: PlanCache,
    views: Arc<ViewCache>,
    /// Runs of the profiles at each address that a call has named.
    profiles: Mutex<BTreeMap<String, Vec<String>>>,
    /// The options that the session was opened with.
    settings: OpenOptions,
    /// A temporary folder, which is removed with the session.
    temporary: Option<TempDir>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let runs = current_snapshot(&self.inner.snapshot).len();
        write!(f, "Session({}, {runs} {})", self.title(), if runs == 1 { "run" } else { "runs" })
    }
}

impl Drop for Session {
    /// Does nothing in a forked process: the temporary folder belongs to the parent.
    fn drop(&mut self) {
        if self.inner.engine.check_process().is_err() {
            std::mem::forget(Arc::clone(&self.inner));
        }
    }
}

impl Session {
    fn start(
        engine: Engine,
        lake: Lake,
        only: Option<String>,
        folder: Option<TempDir>,
        options: OpenOptions,
    ) -> Result<Self> {
        let own_queries = options.queries.as_ref().map(|folder| user_queries(&engine, folder, &options.options));
        let own_queries = own_queries.transpose()?.unwrap_or_default();
        let opened = only;
        let only: Option<BTreeSet<String>> = opened.clone().map(|run| BTreeSet::from([run]));
        // Both at the same time, so that the saved queries do not delay the opening of a lake.
        let (LoadedRuns { runs, faults }, files) = {
            let (lake, only) = (lake.clone(), only.clone());
            engine.run(async move {
                let (runs, files) = futures::join!(load_runs(&lake, only), lake.saved_queries());
                Ok((runs?, files))
            })?
        };
        let snapshot = Arc::new(RwLock::new(runs));
        let views = Arc::new(ViewCache::new(!lake.location().is_on_disk()));
        let (context, registry, saved) = {
            let (lake, snapshot, views) = (lake.clone(), Arc::clone(&snapshot), Arc::clone(&views));
            // If a profile was opened, the options are those of its store, and not of the lake.
            let store = if opened.is_none() { options.options.clone() } else { Options::new() };
            let (address, local_fallback) = (options.cluster.clone(), options.local_fallback);
            engine.run(async move {
                let cluster = match &address {
                    Some(address) => Some(Arc::new(ClusterClient::connect(address, store, local_fallback).await?)),
                    None => None,
                };
                let (context, registry) = build_context(&lake, &snapshot, &views, own_queries, cluster)?;
                let saved = SavedQueries::read(&registry, files);
                registry.document()?;
                Ok((context, registry, saved))
            })?
        };
        let inner = SessionInner {
            engine,
            lake,
            context,
            snapshot,
            faults: Mutex::default(),
            opened,
            only: Mutex::new(only),
            registry,
            saved,
            plans: PlanCache::default(),
            views,
            profiles: Mutex::default(),
            settings: options,
            temporary: folder,
        };
        let session = Self { inner: Arc::new(inner) };
        faults.into_iter().for_each(|fault| session.report_fault(fault));
        session.warn_about_old_runs();
        for (name, why) in session.broken_queries() {
            session.warn(&format!("the saved query `{name}` is excluded: {why}"));
        }
        Ok(session)
    }

    /// Warns about runs of older versions, unless all runs are: then queries that need more are errors.
    fn warn_about_old_runs(&self) {
        let snapshot = current_snapshot(&self.inner.snapshot);
        let old: Vec<&str> = snapshot.values().filter(|run| run.lacks_nesting()).map(|run| run.run.as_str()).collect();
        let Some(first) = old.first().filter(|_| old.len() < snapshot.len()) else { return };
        let others = if old.len() > 1 { format!(" and {} others", old.len() - 1) } else { String::new() };
        self.warn(&format!(
            "run `{first}`{others} is stored without the nesting of its calls, as by an older version: queries over \
             operators, Python functions and launches exclude it; run `tracelake upgrade`"
        ));
    }

    fn warn(&self, text: &str) {
        if let Some(warn) = &self.inner.settings.warn {
            warn(text);
        }
    }

    /// Records a fault, and warns about a new one.
    pub(crate) fn report_fault(&self, fault: LakeFault) {
        let mut faults = self.inner.faults.lock();
        if !faults.iter().any(|known| (&known.run, &known.path) == (&fault.run, &fault.path)) {
            faults.push(fault.clone());
            drop(faults);
            self.warn(&fault.to_string());
        }
    }

    /// Runs a future that uses the lake, and blocks until it has ended.
    pub(crate) fn on_lake<T, F>(&self, call: impl FnOnce(Lake) -> F) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        self.inner.engine.run(call(self.inner.lake.clone()))
    }

    /// Changes the lake on a separate thread, and blocks until the change has ended.
    fn change_lake<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Lake, &Handle) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (lake, handle) = (self.inner.lake.clone(), self.inner.engine.handle().clone());
        self.inner.engine.run_blocking(&AtomicBool::new(false), move || change(&lake, &handle))
    }

    /// Writes the checkpoint of the lake. It must come after the last commit, because it has only the newest generations.
    fn refresh_checkpoint(&self) -> Result<()> {
        self.on_lake(|lake| async move {
            lake.refresh_checkpoint().await;
            Ok(())
        })
    }

    /// Returns the URL of the lake.
    pub fn url(&self) -> &str {
        self.inner.lake.location().url()
    }

    /// Returns the address of the lake as users write it: a path, or the URL of a store.
    pub(crate) fn address(&self) -> String {
        let location = self.inner.lake.location();
        location.address_of(location.root())
    }

    /// Returns the title of the session in displays: the profiles in a temporary lake, else the path or URL of the lake.
    pub fn title(&self) -> String {
        if self.inner.temporary.is_none() {
            return self.address();
        }
        let snapshot = current_snapshot(&self.inner.snapshot);
        let sources: BTreeSet<&str> = snapshot.values().flat_map(|run| &run.sources).map(String::as_str).collect();
        let paths: Vec<&str> = sources.iter().map(|source| source.strip_prefix("file://").unwrap_or(source)).collect();
        if paths.is_empty() { "temporary lake".to_owned() } else { paths.join(", ") }
    }

    /// Returns the run of the opened profile. The session sees only this run and those that it ingests itself.
    pub fn run(&self) -> Option<&str> {
        self.inner.opened.as_deref()
    }

    /// Returns the corrupt manifests and data files that this session has found so far. Queries exclude their runs, with a
    /// warning. [`Session::check`] searches the whole lake; [`Session::repair`] fixes what it finds.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// let s = tracelake::create(dir.path().to_str().unwrap())?;
    /// assert!(s.faults().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn faults(&self) -> Vec<LakeFault> {
        self.inner.faults.lock().clone()
    }

    fn frame(&self, plan: LogicalPlan) -> Frame {
        execution::frame(self, QueryPlan::new(plan, ""))
    }

    /// Clears caches of other snapshots.
    fn clear_executables(&self) {
        self.inner.plans.clear_executables();
        self.inner.views.clear();
    }

    /// Returns the names of all tables, views and queries in SQL.
    fn names(&self) -> Vec<String> {
        let schema = self.inner.context.catalog("datafusion").and_then(|catalog| catalog.schema("public"));
        let mut names = schema.map(|schema| schema.table_names()).unwrap_or_default();
        names.sort();
        names
    }

    /// Returns the condition on column `run`. An unknown run is an error, and not an empty result.
    fn filter(&self, runs: Option<&[String]>) -> Result<Option<Expr>> {
        let Some(runs) = runs else { return Ok(None) };
        let snapshot = current_snapshot(&self.inner.snapshot);
        if let Some(unknown) = runs.iter().find(|run| !snapshot.contains_key(*run)) {
            if let Some(fault) = self.faults().into_iter().find(|fault| fault.run.as_ref() == Some(unknown)) {
                return Err(fault.error());
            }
            let known: Vec<&str> = snapshot.keys().map(String::as_str).take(20).collect();
            return Err(Error::unknown("run", unknown, &known));
        }
        Ok(Some(match runs {
            [run] => col("run").eq(lit(run)),
            runs => in_list(col("run"), runs.iter().map(lit).collect(), false),
        }))
    }
}
