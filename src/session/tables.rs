//! Reads objects and tables: whole, limited to a time window, as files, and for query engines of other libraries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, col, lit};
use tracelake_engine::plan::cached_view::{RowCache, ViewResolver};
use tracelake_engine::plan::depth::plan_sql;
use tracelake_engine::plan::in_place::InPlaceTable;
use tracelake_engine::provider::current_snapshot;
use tracelake_engine::query_error;

use super::canned::read_only;
use super::{Runs, Session};
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::table::{TABLES, table};

/// The columns of table `run` that matter most, the most important first.
const MAIN_COLUMNS: [&str; 8] =
    ["run", "verdict", "steps", "step_p50", "loader_ratio", "gpu_utilization", "started", "profilers"];

impl Session {
    /// Returns a table, or some of its columns, for some runs or all.
    ///
    /// # Errors
    /// NotFound for an unknown table, column or run; Argument for no columns, or a column that is given twice.
    pub fn table(&self, name: &str, runs: impl Into<Runs>, columns: Option<&[String]>) -> Result<Frame> {
        let provider = self.own_provider(name)?;
        let filter = self.filter(self.select_runs(runs.into().selected())?.as_deref())?;
        let schema = provider.schema();
        let known: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let names: Vec<&str> = columns.map_or(known.clone(), |columns| columns.iter().map(String::as_str).collect());
        if names.is_empty() {
            return Err(Error::new(ErrorKind::Argument, format!("cannot read table `{name}`: no column is given"))
                .with_hint("give at least one column, or omit the columns to read all"));
        }
        if let Some(twice) = (1..names.len()).find(|n| names[..*n].contains(&names[*n])) {
            let text = format!("cannot read table `{name}`: column `{}` is given twice", names[twice]);
            return Err(Error::new(ErrorKind::Argument, text));
        }
        if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
            return Err(Error::unknown("column", unknown, &known));
        }
        let plan = (|| {
            let mut builder = LogicalPlanBuilder::scan(name, provider_as_source(provider), None)?;
            if let Some(filter) = filter {
                builder = builder.filter(filter)?;
            }
            builder.project(names.iter().map(|name| quoted(name)))?.build()
        })();
        Ok(self.frame(plan.map_err(|error| query_error(&error))?))
    }

    /// Returns the rows between two times (ns since the Unix epoch, the end excluded), by table.
    ///
    /// Includes intervals that overlap the window. Omits tables without timestamps and empty tables.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument when the end is not after the start.
    pub fn window(&self, start: i64, end: i64, runs: impl Into<Runs>) -> Result<BTreeMap<String, Frame>> {
        if end <= start {
            let text = format!("cannot use the time from {start} to {end}: it ends before it begins");
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let filter = self.filter(self.select_runs(runs.into().selected())?.as_deref())?;
        let snapshot = current_snapshot(&self.inner.snapshot);
        let mut frames = BTreeMap::new();
        for table in TABLES.iter().filter(|table| table.has_parts()) {
            let has = |name: &str| table.columns().any(|column| column.name == name);
            let filled = snapshot.values().any(|run| run.parts.iter().any(|part| part.table == table.name));
            if !has("ts") || !filled {
                continue;
            }
            let provider = provider_as_source(self.own_provider(table.name)?);
            let until = if has("dur") {
                col("ts") + datafusion::functions::expr_fn::coalesce(vec![col("dur"), lit(0_i64)])
            } else {
                col("ts")
            };
            let inside = col("ts").lt(lit(end)).and(until.gt(lit(start)).or(col("ts").gt_eq(lit(start))));
            let inside = filter.iter().cloned().fold(inside, Expr::and);
            let order = ["ts", "object", "row"].map(|name| col(name).sort(true, false));
            let plan = LogicalPlanBuilder::scan(table.name, provider, None)
                .and_then(|plan| plan.filter(inside)?.sort(order)?.build())
                .map_err(|error| query_error(&error))?;
            frames.insert(table.name.to_owned(), self.frame(plan));
        }
        Ok(frames)
    }

    /// Returns the runs: table `run`. Text and HTML show the main columns; [`Frame::wide`] shows all.
    ///
    /// # Errors
    /// Errors of the query.
    pub fn runs(&self) -> Result<Frame> {
        let frame = self.sql("select * from run order by run")?;
        Ok(frame.with_main_columns(&MAIN_COLUMNS))
    }

    /// Returns the names of the runs that the session sees, sorted.
    pub(crate) fn run_names(&self) -> Vec<String> {
        current_snapshot(&self.inner.snapshot).keys().cloned().collect()
    }

    /// Returns the number of rows of each table that is not empty, from the manifests.
    pub(crate) fn row_counts(&self) -> BTreeMap<String, u64> {
        let mut rows = BTreeMap::new();
        for part in current_snapshot(&self.inner.snapshot).values().flat_map(|run| &run.parts) {
            *rows.entry(part.table.clone()).or_default() += part.rows;
        }
        rows
    }

    /// Returns the Parquet files of a table, for other engines.
    ///
    /// # Shape
    /// Addresses (`s3://...`) or local paths, each once, in the order of the manifests. Without `runs`, the files have the rows
    /// of the table, each once. With `runs`, a file may have rows of other runs after [`Session::compact`]: column `run` has
    /// the run of each row.
    ///
    /// # Errors
    /// NotFound for an unknown table or run; Argument for `run` and `object`, which are in the manifests; Conflict if a file
    /// that several runs share also has rows of a run that was changed or deleted since. [`Session::compact`] writes such a
    /// file again without them.
    pub fn files(&self, name: &str, runs: impl Into<Runs>) -> Result<Vec<String>> {
        let definition = table(name)
            .ok_or_else(|| Error::unknown("table", name, &TABLES.iter().map(|table| table.name).collect::<Vec<_>>()))?;
        if !definition.has_parts() {
            let text = format!("table `{name}` has no Parquet files: it is made from the manifests");
            let hint = format!("read it with sql(\"select * from {name}\")");
            return Err(Error::new(ErrorKind::Argument, text).with_hint(hint));
        }
        let runs = self.select_runs(runs.into().selected())?;
        self.filter(runs.as_deref())?;
        let snapshot = current_snapshot(&self.inner.snapshot);
        let location = self.inner.lake.location();
        let is_included = |run: &str| runs.as_ref().is_none_or(|runs| runs.iter().any(|name| name == run));
        let parts = snapshot.values().filter(|run| is_included(&run.run)).flat_map(|run| &run.parts);
        let mut paths = BTreeSet::new();
        let parts: Vec<_> = parts.filter(|part| part.table == name && paths.insert(part.path.as_str())).collect();
        let selected: BTreeSet<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        // A session that is limited to some runs does not know the others in the files.
        let all = (self.inner.only.lock().is_none()).then(|| Arc::clone(&snapshot));
        let outdated = self.on_lake(|lake| async move {
            let runs = match all {
                Some(runs) => runs,
                None => lake.snapshot().await?.runs,
            };
            lake.outdated_files(&runs, definition, |path| selected.contains(path)).await
        })?;
        if let Some(path) = outdated.first() {
            let url = location.url_of(&location.resolve(path));
            let text = format!(
                "cannot list the files of table `{name}`: {url} also has rows of runs that were changed or deleted"
            );
            let hint = "run `compact`, which writes the file again without them; or read the table by `table`, `provider` or `export_delta`";
            return Err(Error::new(ErrorKind::Conflict, text).with_hint(hint));
        }
        Ok(parts.into_iter().map(|part| location.address_of(&location.resolve(&part.path))).collect())
    }

    /// Returns the bytes of the object at `url` as its store has it, without decompression. Table `object` has the addresses
    /// of the files of a profile. The whole object is in memory.
    ///
    /// # Errors
    /// Argument for an invalid address; NotFound, Denied, Unreachable.
    ///
    /// # Examples
    /// ```
    /// # let lake = tempfile::tempdir()?;
    /// let session = tracelake::create(lake.path().to_str().unwrap())?;
    /// let url = format!("file://{}/LICENSE", env!("CARGO_MANIFEST_DIR"));
    /// assert!(session.object_bytes(&url)?.len() > 1_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn object_bytes(&self, url: &str) -> Result<Vec<u8>> {
        let location = self.inner.lake.location().open_related(url, &self.inner.settings.options)?;
        self.inner.engine.run(async move { location.bytes().await })
    }

    /// Returns the provider of a table, for the engine of another library.
    ///
    /// # Errors
    /// NotFound for an unknown table.
    pub fn provider(&self, name: &str) -> Result<Arc<dyn TableProvider>> {
        Ok(Arc::new(InPlaceTable::new(self.own_provider(name)?, self.inner.context.clone())))
    }

    /// Returns the provider of a table, for the engine of the session.
    fn own_provider(&self, name: &str) -> Result<Arc<dyn TableProvider>> {
        let (context, text) = (self.inner.context.clone(), name.to_owned());
        let known = self.names();
        if !known.iter().any(|known| known == name) {
            return Err(Error::unknown("table", name, &known.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        let engine = &self.inner.engine;
        engine.run(async move { context.table_provider(text.as_str()).await.map_err(|error| query_error(&error)) })
    }

    /// Returns the runtime of the engine, for the engine of another library.
    pub fn engine_runtime(&self) -> tokio::runtime::Handle {
        self.inner.engine.handle().clone()
    }

    /// Returns the optimized plan of SQL.
    ///
    /// # Errors
    /// Query.
    pub fn plan(&self, text: &str) -> Result<LogicalPlan> {
        let (context, text) = (self.inner.context.clone(), text.to_owned());
        let snapshot = current_snapshot(&self.inner.snapshot);
        self.inner.engine.run(async move {
            let planned = async {
                let state = Arc::new(context.state());
                let plan = plan_sql(&state, &text).await?;
                read_only().verify_plan(&plan)?;
                state.optimize(&ViewResolver::new(&state, &snapshot, RowCache::None).resolve(plan).await?)
            };
            planned.await.map_err(|error| query_error(&error))
        })
    }
}

fn quoted(name: &str) -> Expr {
    Expr::Column(datafusion::common::Column::new_unqualified(name))
}
