//! Whole tables: as frames, as what was recorded in a time, as files, and for engines in other libraries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, col, lit};
use tracelake_engine::plan::cached_view::{Cache, Resolver};
use tracelake_engine::plan::in_place::InPlace;
use tracelake_engine::provider::current;
use tracelake_engine::query_error;

use super::Session;
use super::canned::read_only;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::table::{TABLES, table};

impl Session {
    /// A whole table, or some of its columns, for some runs or all; streams.
    ///
    /// # Errors
    /// NotFound for an unknown table, column or run; Argument for no column, or one that is named twice.
    pub fn table(&self, name: &str, runs: Option<&[String]>, columns: Option<&[String]>) -> Result<Frame> {
        let provider = self.own_provider(name)?;
        let filter = self.filter(self.select_runs(runs)?.as_deref())?;
        let schema = provider.schema();
        let known: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let wanted: Vec<&str> = match columns {
            Some(columns) => columns.iter().map(String::as_str).collect(),
            None => known.clone(),
        };
        if wanted.is_empty() {
            return Err(Error::new(ErrorKind::Argument, format!("cannot read table `{name}`: no column is given"))
                .with_hint("give at least one column, or omit the columns to read all"));
        }
        if let Some(twice) = (1..wanted.len()).find(|n| wanted[..*n].contains(&wanted[*n])) {
            let text = format!("cannot read table `{name}`: column `{}` is given twice", wanted[twice]);
            return Err(Error::new(ErrorKind::Argument, text));
        }
        if let Some(unknown) = wanted.iter().find(|name| !known.contains(name)) {
            return Err(Error::unknown("column", unknown, &known));
        }
        let plan = (|| {
            let mut builder = LogicalPlanBuilder::scan(name, provider_as_source(provider), None)?;
            if let Some(filter) = filter {
                builder = builder.filter(filter)?;
            }
            builder.project(wanted.iter().map(|name| quoted(name)))?.build()
        })();
        Ok(self.frame(plan.map_err(|error| query_error(&error))?))
    }

    /// Everything recorded between two times (ns since the Unix epoch, the end excluded), by table.
    ///
    /// An interval counts if any part of it lies in that time. Tables without a time, and tables that hold
    /// nothing, are left out.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument when the end is not after the start.
    pub fn window(&self, start: i64, end: i64, runs: Option<&[String]>) -> Result<BTreeMap<String, Frame>> {
        if end <= start {
            let text = format!("cannot use the time from {start} to {end}: it ends before it begins");
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let filter = self.filter(self.select_runs(runs)?.as_deref())?;
        let snapshot = current(&self.inner.snapshot);
        let mut frames = BTreeMap::new();
        for table in TABLES.iter().filter(|table| table.has_parts()) {
            let has = |name: &str| table.columns().any(|column| column.name == name);
            let filled = snapshot.values().any(|run| run.parts.iter().any(|part| part.table == table.name));
            if !has("ts") || !filled {
                continue;
            }
            let plan = self.own_provider(table.name).and_then(|provider| {
                let until = if has("dur") {
                    col("ts") + datafusion::functions::expr_fn::coalesce(vec![col("dur"), lit(0_i64)])
                } else {
                    col("ts")
                };
                let inside = col("ts").lt(lit(end)).and(until.gt(lit(start)).or(col("ts").gt_eq(lit(start))));
                let inside = match &filter {
                    Some(filter) => inside.and(filter.clone()),
                    None => inside,
                };
                LogicalPlanBuilder::scan(table.name, provider_as_source(provider), None)
                    .and_then(|plan| plan.filter(inside))
                    .and_then(|plan| {
                        plan.sort([
                            col("ts").sort(true, false),
                            col("object").sort(true, false),
                            col("row").sort(true, false),
                        ])
                    })
                    .and_then(LogicalPlanBuilder::build)
                    .map_err(|error| query_error(&error))
            })?;
            frames.insert(table.name.to_owned(), self.frame(plan));
        }
        Ok(frames)
    }

    /// The runs: table `run`.
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn runs(&self) -> Result<Frame> {
        self.sql("select * from run order by run")
    }

    /// Names of the runs that are seen, sorted.
    pub(crate) fn seen_runs(&self) -> Vec<String> {
        current(&self.inner.snapshot).keys().cloned().collect()
    }

    /// Rows of each table that has some, by name: the manifests say so.
    pub(crate) fn seen_rows(&self) -> BTreeMap<String, u64> {
        let mut rows = BTreeMap::new();
        for part in current(&self.inner.snapshot).values().flat_map(|run| &run.parts) {
            *rows.entry(part.table.clone()).or_default() += part.rows;
        }
        rows
    }

    /// The exact Parquet files that hold a table, for other engines.
    ///
    /// # Shape
    /// Addresses (`s3://...`) or local paths, in the order of the manifests, each once. After [`Session::compact`] a file may also
    /// hold rows of runs that were not asked for, and of runs that were deleted since: column `run` tells.
    ///
    /// # Errors
    /// NotFound for an unknown table or run; Argument for `run` and `object`, which live in the manifests.
    pub fn files(&self, name: &str, runs: Option<&[String]>) -> Result<Vec<String>> {
        let found = table(name)
            .ok_or_else(|| Error::unknown("table", name, &TABLES.iter().map(|table| table.name).collect::<Vec<_>>()))?;
        if !found.has_parts() {
            return Err(Error::new(
                ErrorKind::Argument,
                format!("table `{name}` has no Parquet files: it is made from the manifests"),
            )
            .with_hint(format!("read it with sql(\"select * from {name}\")")));
        }
        let runs = self.select_runs(runs)?;
        self.filter(runs.as_deref())?;
        let snapshot = current(&self.inner.snapshot);
        let place = self.inner.lake.place();
        let wanted = |run: &str| runs.as_ref().is_none_or(|runs| runs.iter().any(|wanted| wanted == run));
        let parts = snapshot.values().filter(|run| wanted(&run.run)).flat_map(|run| &run.parts);
        let mut seen = BTreeSet::new();
        Ok(parts
            .filter(|part| part.table == name && seen.insert(&part.path))
            .map(|part| place.address_of(&place.at(&part.path)))
            .collect())
    }

    /// The provider of a table, for an engine in another library.
    ///
    /// # Errors
    /// NotFound for an unknown table.
    pub fn provider(&self, name: &str) -> Result<Arc<dyn TableProvider>> {
        Ok(Arc::new(InPlace::new(self.own_provider(name)?, self.inner.context.clone())))
    }

    /// The provider of a table, for our engine.
    fn own_provider(&self, name: &str) -> Result<Arc<dyn TableProvider>> {
        let (context, text) = (self.inner.context.clone(), name.to_owned());
        let known = self.names();
        if !known.iter().any(|known| known == name) {
            return Err(Error::unknown("table", name, &known.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        self.inner
            .engine
            .run(async move { context.table_provider(text.as_str()).await.map_err(|error| query_error(&error)) })
    }

    /// The runtime of the engine, for an engine in another library.
    pub fn engine_runtime(&self) -> tokio::runtime::Handle {
        self.inner.engine.handle().clone()
    }

    /// The optimized plan of a text, for whoever wants to see what is read.
    ///
    /// # Errors
    /// Query.
    pub fn plan(&self, text: &str) -> Result<LogicalPlan> {
        let (context, text) = (self.inner.context.clone(), text.to_owned());
        let snapshot = current(&self.inner.snapshot);
        self.inner.engine.run(async move {
            let planned = async {
                let state = context.state();
                let plan = state.create_logical_plan(&text).await?;
                read_only().verify_plan(&plan)?;
                state.optimize(&Resolver::new(&state, &snapshot, Cache::None).resolve(plan).await?)
            };
            planned.await.map_err(|error| query_error(&error))
        })
    }
}

fn quoted(name: &str) -> Expr {
    Expr::Column(datafusion::common::Column::new_unqualified(name))
}
