//! The one object a user holds: opens a lake or a profile, answers questions.
//!
//! A session owns an engine thread; every method blocks only the thread that calls it. It sees the runs
//! of the lake as they were when it was opened, or after its own last ingest or [`Session::refresh`]. A frame keeps the
//! runs that its session saw when the question was asked.

pub(crate) mod answer;
mod ask;
mod baseline;
mod call;
mod canned;
mod context;
mod explain;
mod findings;
mod follow;
mod help;
mod housekeeping;
mod key_metrics;
mod object_bytes;
mod open;
mod registry;
mod runs;
mod saved;
mod schema;
mod search;
mod share;
mod tables;
mod upload;
mod value;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, RwLock};

use datafusion::logical_expr::{Expr, LogicalPlan, col, in_list, lit};
use datafusion::prelude::SessionContext;
use tempfile::TempDir;
use tracelake_engine::cluster::Cluster;
use tracelake_engine::plan::cached_view::{ViewCache, locked};
use tracelake_engine::plan::plans::{Plan, Plans};
use tracelake_engine::provider::{Current, current};
use tracelake_engine::runtime::Engine;

pub(crate) use self::canned::percent_hint;
use self::context::{prepare, seen, user_queries};
use self::registry::Registry;
use self::saved::SavedQueries;
pub(crate) use self::saved::full_name as full_saved_name;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::ingest::Watch;
use crate::lake::{Fault, Lake, LoadedRuns};
use crate::source::Options;

pub use crate::export::{DuckdbScript, Exported, RuleReport, write_parquet};
pub use call::*;
pub use follow::{Follow, Following};
pub use open::{Open, Warn, create, open, open_all, open_default, open_default_with, open_with};
pub use search::help;
#[doc(inline)]
pub use tracelake_engine::cluster;
pub use tracelake_engine::runtime::Interrupt;
pub use upload::Upload;
pub use value::Value;

/// A lake, or one profile of it, that can be asked.
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// let profile = "tests/data/first_look/profiler-output";
/// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
/// let slow = s.step().outliers().factor(3.0).fetch()?;
/// let worst = s.sql("select max(relative) as worst from step_outliers(3.0)")?;
/// assert!(slow.rows()? == 0 || worst.value::<f64>(0, "worst")? >= Some(3.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Session {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) engine: Engine,
    pub(crate) lake: Lake,
    pub(crate) context: SessionContext,
    pub(crate) snapshot: Current,
    /// Corrupt manifests and data files that this session has met.
    faults: Mutex<Vec<Fault>>,
    warn: Option<Warn>,
    /// The run of the profile that was opened.
    opened: Option<String>,
    /// The only runs that are seen: that one, and those ingested since. None: all.
    only: Mutex<Option<BTreeSet<String>>>,
    pub(crate) registry: Registry,
    saved: SavedQueries,
    plans: Plans,
    views: Arc<ViewCache>,
    /// Runs by the address that they were read from, for each address that a call named.
    profiles: Mutex<BTreeMap<String, Vec<String>>>,
    watch: Option<Watch>,
    loader_columns: Option<BTreeMap<String, String>>,
    writable: bool,
    options: Options,
    /// Removed with the session.
    temporary: Option<TempDir>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let runs = current(&self.inner.snapshot).len();
        write!(f, "Session({}, {runs} {})", self.title(), if runs == 1 { "run" } else { "runs" })
    }
}

impl Drop for Session {
    /// In a forked process nothing ends: the temporary folders are still those of the parent.
    fn drop(&mut self) {
        if self.inner.engine.check_process().is_err() {
            std::mem::forget(Arc::clone(&self.inner));
        }
    }
}

impl Session {
    fn start(engine: Engine, lake: Lake, only: Option<String>, folder: Option<TempDir>, how: Open) -> Result<Self> {
        let own = match &how.queries {
            Some(folder) => user_queries(&engine, folder, &how.options)?,
            None => Vec::new(),
        };
        let opened = only;
        let only: Option<BTreeSet<String>> = opened.clone().map(|run| BTreeSet::from([run]));
        // At the same time: a lake without saved queries opens as fast as if there were none.
        let (LoadedRuns { runs, faults }, files) = {
            let (lake, only) = (lake.clone(), only.clone());
            engine.run(async move {
                let (seen, files) = futures::join!(seen(&lake, only), lake.saved_queries());
                Ok((seen?, files))
            })?
        };
        let snapshot = Arc::new(RwLock::new(runs));
        let views = Arc::default();
        let (context, registry, saved) = {
            let (lake, snapshot, views) = (lake.clone(), Arc::clone(&snapshot), Arc::clone(&views));
            // The options are those of the profile, where one was opened.
            let store = if opened.is_none() { how.options.clone() } else { Options::new() };
            engine.run(async move {
                let cluster = match &how.cluster {
                    Some(address) => Some(Arc::new(Cluster::connect(address, store, how.local_fallback).await?)),
                    None => None,
                };
                let (context, registry) = prepare(&lake, &snapshot, &views, own, cluster)?;
                let saved = SavedQueries::read(&registry, files);
                registry.document()?;
                Ok((context, registry, saved))
            })?
        };
        let inner = Inner {
            engine,
            lake,
            context,
            snapshot,
            faults: Mutex::default(),
            warn: how.warn,
            opened,
            only: Mutex::new(only),
            registry,
            saved,
            plans: Plans::default(),
            views,
            profiles: Mutex::default(),
            watch: how.watch,
            loader_columns: how.loader_columns,
            writable: how.writable,
            options: how.options,
            temporary: folder,
        };
        let session = Self { inner: Arc::new(inner) };
        faults.into_iter().for_each(|fault| session.report_fault(fault));
        for (name, why) in session.broken_queries() {
            session.warn(&format!("the saved query `{name}` is excluded: {why}"));
        }
        Ok(session)
    }

    fn warn(&self, text: &str) {
        if let Some(warn) = &self.inner.warn {
            warn(text);
        }
    }

    /// Records a fault, and warns the first time.
    pub(crate) fn report_fault(&self, fault: Fault) {
        let known = {
            let mut faults = locked(&self.inner.faults);
            let known = faults.iter().any(|known| (&known.run, &known.path) == (&fault.run, &fault.path));
            if !known {
                faults.push(fault.clone());
            }
            known
        };
        if !known {
            self.warn(&fault.to_string());
        }
    }

    /// The address of the lake.
    pub fn url(&self) -> &str {
        self.inner.lake.place().url()
    }

    /// The address of the lake as a user writes it: a path, or the URL of a store.
    pub(crate) fn address(&self) -> String {
        let place = self.inner.lake.place();
        place.address_of(place.root())
    }

    /// The title of the session in displays: the profiles in a temporary lake, else the path or URL of the lake.
    pub fn title(&self) -> String {
        if self.inner.temporary.is_none() {
            return self.address();
        }
        let snapshot = current(&self.inner.snapshot);
        let sources: BTreeSet<&str> = snapshot.values().flat_map(|run| &run.sources).map(String::as_str).collect();
        let paths: Vec<&str> = sources.iter().map(|source| source.strip_prefix("file://").unwrap_or(source)).collect();
        if paths.is_empty() { "temporary lake".to_owned() } else { paths.join(", ") }
    }

    /// The run of the profile that was opened. The session sees no other, but those it ingests itself.
    pub fn run(&self) -> Option<&str> {
        self.inner.opened.as_deref()
    }

    /// Corrupt manifests and data files that this session has met so far. Queries exclude their runs, with a warning.
    /// [`Session::check`] searches the whole lake; [`Session::repair`] fixes what it finds.
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
    pub fn faults(&self) -> Vec<Fault> {
        locked(&self.inner.faults).clone()
    }

    fn frame(&self, plan: LogicalPlan) -> Frame {
        answer::frame(self, Plan::new(plan, ""))
    }

    /// Lets go of what was made from the rows of another snapshot: from now on the session sees these.
    fn forget_snapshots(&self) {
        self.inner.plans.forget_snapshots();
        self.inner.views.clear();
    }

    /// Names of all tables, views and queries in SQL.
    fn names(&self) -> Vec<String> {
        let schema = self.inner.context.catalog("datafusion").and_then(|catalog| catalog.schema("public"));
        let mut names = schema.map(|schema| schema.table_names()).unwrap_or_default();
        names.sort();
        names
    }

    /// The condition on `run`; an unknown run is an error and not an empty answer.
    fn filter(&self, runs: Option<&[String]>) -> Result<Option<Expr>> {
        let Some(runs) = runs else { return Ok(None) };
        let snapshot = current(&self.inner.snapshot);
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
