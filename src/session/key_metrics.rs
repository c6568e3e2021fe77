//! The key metrics of runs: canned queries compute them after an ingest, and the manifests store them.
//!
//! Table `run` has them, so a query on many runs reads no other rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use futures::{StreamExt, TryStreamExt};
use tracelake_engine::functions::COLLECTIVE_NAMES;
use tracelake_engine::plan::cached_view::ViewCache;
use tracelake_engine::plan::few_rows::has_few_rows;
use tracelake_engine::provider::current_snapshot;

use super::Session;
use crate::catalog;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::lake::{FORMAT, KeyMetrics, Manifest, Snapshot, TimeShare};

/// The queries that compute the key metrics, the shares of the time of ranks, the verdict on them, and attributes of runs.
const KEY_METRICS: &str = "job.key_metrics";
const TIME_SHARES: &str = "job.time_shares";
const VERDICT: &str = "job.verdict";
const ATTRIBUTES: &str = "job.attributes";

/// Maximum size of stored attributes, because opening a lake reads all manifests. Others are only in table `run_attribute`.
const MAX_ATTRIBUTE_BYTES: usize = 200;
const MAX_ATTRIBUTES: usize = 64;

/// Runs per query: its plan takes some 10 kB per file and scan.
const RUNS_PER_QUERY: usize = 256;

/// Maximum number of simultaneous commits.
const PARALLEL_COMMITS: usize = 32;

impl Session {
    /// Computes and commits the key metrics of these runs, if they are missing or were computed with other queries. If another
    /// process commits first, that commit stays, and the session of that process computes the metrics.
    #[tracing::instrument(name = "key_metrics", skip_all)]
    pub(super) fn store_key_metrics(&self, runs: &[String]) -> Result<()> {
        let snapshot = current_snapshot(&self.inner.snapshot);
        let missing = without_key_metrics(&snapshot, runs);
        missing.chunks(RUNS_PER_QUERY).try_for_each(|missing| {
            // A snapshot of only these runs. A condition would be checked for each file.
            let runs: Snapshot = Arc::new(missing.iter().map(|run| (run.run.clone(), Arc::clone(run))).collect());
            let views = Arc::new(ViewCache::default());
            let (shares, metrics) = (|| self.time_shares(&runs, &views), || self.key_metrics(&runs, &views));
            // For few rows, most of the time is planning, so two cores do it. Many rows need the memory one after the other.
            let (mut shares, mut metrics) =
                if has_few_rows(&runs) { run_on_two_threads(shares, metrics)? } else { (shares()?, metrics()?) };
            let next = missing.iter().filter_map(|run| {
                let (time_shares, verdict) = shares.remove(&run.run).unwrap_or_default();
                let key_metrics = KeyMetrics { time_shares, verdict, ..metrics.remove(&run.run)? };
                let generation = run.generation + 1;
                Some(Manifest { format: FORMAT, generation, figures: Some(key_metrics), ..Manifest::clone(run) })
            });
            self.commit_all(next.map(Arc::new).collect())
        })
    }

    /// Returns the key metrics of each run, without its shares of time.
    fn key_metrics(&self, runs: &Snapshot, views: &Arc<ViewCache>) -> Result<BTreeMap<String, KeyMetrics>> {
        let mut metrics = key_metrics(&self.query_narrow(KEY_METRICS, runs, views)?)?;
        for (run, attributes) in attributes(&self.query_narrow(ATTRIBUTES, runs, views)?)? {
            metrics.entry(run).and_modify(|metrics| metrics.attributes = attributes);
        }
        Ok(metrics)
    }

    /// Returns the shares of time of each run, and the verdict on them.
    fn time_shares(&self, runs: &Snapshot, views: &Arc<ViewCache>) -> Result<BTreeMap<String, JudgedShares>> {
        let mut shares = time_shares(&self.query_narrow(TIME_SHARES, runs, views)?)?;
        let with_shares = |(name, run): (&String, &Arc<Manifest>)| {
            let time_shares = shares.get(name).map(|(shares, _)| shares.clone()).unwrap_or_default();
            let metrics = KeyMetrics { time_shares, ..KeyMetrics::default() };
            (name.clone(), Arc::new(Manifest { figures: Some(metrics), ..Manifest::clone(run) }))
        };
        let judged: Snapshot = Arc::new(runs.iter().map(with_shares).collect());
        let verdicts = self.query_narrow(VERDICT, &judged, views)?;
        for (run, verdict) in verdicts.column::<String>("run")?.into_iter().zip(verdicts.column("verdict")?) {
            run.and_then(|run| shares.get_mut(&run)).into_iter().for_each(|shares| shares.1.clone_from(&verdict));
        }
        Ok(shares)
    }

    /// Adds this generation of a run to the snapshot of the session, unless it has a newer one.
    pub(super) fn add_run(&self, run: &Arc<Manifest>) {
        self.add_runs(std::slice::from_ref(run));
    }

    pub(super) fn add_runs(&self, runs: &[Arc<Manifest>]) {
        let mut snapshot = self.inner.snapshot.write();
        let newer = |run: &&Arc<Manifest>| snapshot.get(&run.run).is_none_or(|known| known.generation < run.generation);
        let newer: Vec<&Arc<Manifest>> = runs.iter().filter(newer).collect();
        if !newer.is_empty() {
            let mut all = snapshot.as_ref().clone();
            all.extend(newer.into_iter().map(|run| (run.run.clone(), Arc::clone(run))));
            *snapshot = Arc::new(all);
            self.clear_executables();
        }
    }

    fn commit_all(&self, next: Vec<Arc<Manifest>>) -> Result<()> {
        let lake = self.inner.lake.clone();
        let committed = self.inner.engine.run(async move {
            let lake = &lake;
            let commit = |run: Arc<Manifest>| async move {
                match lake.commit(&run).await {
                    Ok(()) => Ok(Some(run)),
                    Err(error) if error.kind() == ErrorKind::Conflict => Ok(None),
                    Err(error) => Err(error),
                }
            };
            let done = futures::stream::iter(next).map(commit).buffer_unordered(PARALLEL_COMMITS);
            let committed: Vec<Arc<Manifest>> = done.try_filter_map(async |run| Ok(run)).try_collect().await?;
            lake.remove_previous_generations(&committed).await;
            Ok(committed)
        })?;
        self.add_runs(&committed);
        Ok(())
    }
}

/// Runs two functions at the same time.
fn run_on_two_threads<A: Send, B>(
    first: impl FnOnce() -> Result<A> + Send,
    second: impl FnOnce() -> Result<B>,
) -> Result<(A, B)> {
    std::thread::scope(|scope| {
        let span = tracing::Span::current();
        let thread = std::thread::Builder::new().name("tracelake-call".into());
        let thread = thread.spawn_scoped(scope, move || span.in_scope(first));
        let thread =
            thread.map_err(|error| Error::new(ErrorKind::Exhausted, "cannot start a thread").with_source(error))?;
        let second = second();
        let first = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((first?, second?))
    })
}

/// Returns the runs that have no key metrics, or some that were computed with other queries.
pub(super) fn without_key_metrics<'a>(snapshot: &'a Snapshot, runs: &[String]) -> Vec<&'a Arc<Manifest>> {
    let are_current = |metrics: &KeyMetrics| metrics.catalog == catalog::VERSION && metrics.made_by == *QUERY_HASH;
    let is_current = |run: &Manifest| run.figures.as_ref().is_some_and(are_current);
    runs.iter().filter_map(|run| snapshot.get(run)).filter(|run| !is_current(run)).collect()
}

/// Returns the key metrics of each run in a result.
fn key_metrics(result: &Frame) -> Result<BTreeMap<String, KeyMetrics>> {
    let mut by_run = BTreeMap::new();
    for row in 0..result.len()? {
        let Some(run) = result.value::<String>(row, "run")? else { continue };
        let integer = |column| result.value::<i64>(row, column);
        let double = |column| result.value::<f64>(row, column);
        let key_metrics = KeyMetrics {
            catalog: catalog::VERSION.to_owned(),
            made_by: QUERY_HASH.clone(),
            steps: integer("steps")?,
            step_p50: double("step_p50")?,
            step_p95: double("step_p95")?,
            loader_ratio: double("loader_ratio")?,
            gpu_utilization: double("gpu_utilization")?,
            gpu_source: result.value(row, "gpu_source")?,
            gpus: integer("gpus")?,
            recorded_s: double("recorded_s")?,
            gpu_s: double("gpu_s")?,
            idle_s: double("idle_s")?,
            idle_loader_s: double("idle_loader_s")?,
            idle_communication_s: double("idle_communication_s")?,
            idle_other_s: double("idle_other_s")?,
            ..KeyMetrics::default()
        };
        by_run.insert(run, key_metrics);
    }
    Ok(by_run)
}

/// The shares of time of a run, and the verdict on them.
type JudgedShares = (Vec<TimeShare>, Option<String>);

/// Returns the shares of each run in a result, without verdicts.
fn time_shares(result: &Frame) -> Result<BTreeMap<String, JudgedShares>> {
    let mut by_run: BTreeMap<String, JudgedShares> = BTreeMap::new();
    for row in 0..result.len()? {
        let Some(run) = result.value::<String>(row, "run")? else { continue };
        let share = |column| result.value::<f64>(row, column);
        by_run.entry(run).or_default().0.push(TimeShare {
            node: result.value(row, "node")?,
            rank: result.value(row, "rank")?,
            measure: result.value(row, "measure")?,
            device: result.value(row, "device")?,
            steps: result.value(row, "steps")?,
            dur: result.value(row, "dur")?,
            input_ratio: share("input_ratio")?,
            compute_ratio: share("compute_ratio")?,
            communication_ratio: share("communication_ratio")?,
            host_ratio: share("host_ratio")?,
            gpu_utilization: share("gpu_utilization")?,
        });
    }
    Ok(by_run)
}

/// Returns the short attributes of each run in a result.
fn attributes(result: &Frame) -> Result<BTreeMap<String, BTreeMap<String, String>>> {
    let (runs, keys) = (result.column::<String>("run")?, result.column::<String>("key")?);
    let values = result.column::<String>("value")?;
    let mut by_run: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for row in runs.into_iter().zip(keys).zip(values) {
        let ((Some(run), Some(key)), Some(value)) = row else { continue };
        let attributes = by_run.entry(run).or_default();
        if key.len() <= MAX_ATTRIBUTE_BYTES && value.len() <= MAX_ATTRIBUTE_BYTES && attributes.len() < MAX_ATTRIBUTES {
            attributes.insert(key, value);
        }
    }
    Ok(by_run)
}

/// A hash of these queries, of all views that they read, and of the names of collectives. It changes if their text does.
static QUERY_HASH: LazyLock<String> = LazyLock::new(|| {
    let mut open = [KEY_METRICS, TIME_SHARES, VERDICT, ATTRIBUTES].map(str::to_owned).to_vec();
    let mut read: BTreeSet<String> = BTreeSet::new();
    let mut texts: BTreeMap<&str, &str> = BTreeMap::new();
    while let Some(name) = open.pop() {
        let has_name = |query: &&catalog::Query| query.name == name || query.sql_name() == name;
        if let Some(query) = catalog::queries().iter().find(has_name).filter(|_| read.insert(name.clone())) {
            texts.insert(&query.name, &query.body);
            open.extend(query.header.needs.iter().cloned());
        }
    }
    // 64-bit FNV-1a, which is the same in every process.
    let bytes = texts.values().copied().chain([COLLECTIVE_NAMES]).flat_map(str::bytes);
    let hash = bytes
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
});
