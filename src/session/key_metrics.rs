//! The key metrics of runs: computed with the catalog after an ingest, and kept in the manifest.
//!
//! So that a question over many runs reads no rows: table `run` has them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, PoisonError};

use futures::{StreamExt, TryStreamExt};
use tracelake_engine::provider::current;

use super::Session;
use crate::catalog;
use crate::error::{ErrorKind, Result};
use crate::frame::Frame;
use crate::lake::{Figures, Manifest, Snapshot};

/// The query that makes them, and the one of what the profile says about the whole run.
const QUERY: &str = "job.key_metrics";
const ATTRIBUTES: &str = "job.attributes";

/// A manifest is read whenever its lake is opened: what is long, or much, stays in table `run_attribute`.
const LETTERS: usize = 200;
const KEYS: usize = 64;

/// Runs in one question: its plan holds some 10 kB for each file and scan.
const AT_ONCE: usize = 256;

/// Commits at the same time.
const PARALLEL: usize = 32;

impl Session {
    /// Computes the key metrics of these runs where they are missing, or other queries made them, and commits them. Where
    /// another writer is faster, its commit stays and its session sees to them.
    #[tracing::instrument(name = "key_metrics", skip_all)]
    pub(super) fn keep_key_metrics(&self, runs: &[String]) -> Result<()> {
        let snapshot = current(&self.inner.snapshot);
        let missing = without_figures(&snapshot, runs);
        missing.chunks(AT_ONCE).try_for_each(|missing| {
            // A snapshot of these alone, rather than a condition that each file is held against.
            let runs: Snapshot = Arc::new(missing.iter().map(|run| (run.run.clone(), Arc::clone(run))).collect());
            let mut attributes = attributes(&self.query_narrow(ATTRIBUTES, &runs)?)?;
            let mut figures = figures(&self.query_narrow(QUERY, &runs)?)?;
            let next = missing.iter().filter_map(|run| {
                let figures = Figures {
                    made_by: MARK.clone(),
                    attributes: attributes.remove(&run.run).unwrap_or_default(),
                    ..figures.remove(&run.run)?
                };
                Some(Arc::new(Manifest {
                    generation: run.generation + 1,
                    figures: Some(figures),
                    ..Manifest::clone(run)
                }))
            });
            self.keep(next.collect())
        })
    }

    /// Sees this generation of a run from now on, unless it sees a newer one.
    pub(super) fn see(&self, run: &Arc<Manifest>) {
        self.see_all(std::slice::from_ref(run));
    }

    fn see_all(&self, runs: &[Arc<Manifest>]) {
        let mut snapshot = self.inner.snapshot.write().unwrap_or_else(PoisonError::into_inner);
        let newer = |run: &&Arc<Manifest>| snapshot.get(&run.run).is_none_or(|seen| seen.generation < run.generation);
        let newer: Vec<&Arc<Manifest>> = runs.iter().filter(newer).collect();
        if !newer.is_empty() {
            let mut seen = snapshot.as_ref().clone();
            seen.extend(newer.into_iter().map(|run| (run.run.clone(), Arc::clone(run))));
            *snapshot = Arc::new(seen);
            self.forget_snapshots();
        }
    }

    fn keep(&self, next: Vec<Arc<Manifest>>) -> Result<()> {
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
            let done = futures::stream::iter(next).map(commit).buffer_unordered(PARALLEL);
            let committed: Vec<Arc<Manifest>> = done.try_filter_map(async |run| Ok(run)).try_collect().await?;
            lake.remove_before(&committed).await;
            Ok(committed)
        })?;
        self.see_all(&committed);
        Ok(())
    }
}

/// Those of these runs that have no key metrics, or some of other queries than those of now.
pub(super) fn without_figures<'a>(snapshot: &'a Snapshot, runs: &[String]) -> Vec<&'a Arc<Manifest>> {
    let known = |run: &Manifest| {
        run.figures.as_ref().is_some_and(|figures| figures.catalog == catalog::VERSION && figures.made_by == *MARK)
    };
    runs.iter().filter_map(|run| snapshot.get(run)).filter(|run| !known(run)).collect()
}

/// The figures of each run in an answer.
fn figures(answer: &Frame) -> Result<BTreeMap<String, Figures>> {
    let runs = answer.column::<String>("run")?;
    let verdict = answer.column::<String>("verdict")?;
    let integers = |column| answer.column::<i64>(column);
    let doubles = |column| answer.column::<f64>(column);
    let (steps, gpus) = (integers("steps")?, integers("gpus")?);
    let (step_p50, step_p95) = (doubles("step_p50")?, doubles("step_p95")?);
    let (loader_ratio, gpu_utilization) = (doubles("loader_ratio")?, doubles("gpu_utilization")?);
    let (recorded_s, gpu_s, idle_s) = (doubles("recorded_s")?, doubles("gpu_s")?, doubles("idle_s")?);
    let (idle_loader_s, idle_other_s) = (doubles("idle_loader_s")?, doubles("idle_other_s")?);
    let idle_communication_s = doubles("idle_communication_s")?;
    let of_run = |(row, run): (usize, Option<String>)| {
        let figures = Figures {
            catalog: catalog::VERSION.to_owned(),
            steps: steps[row],
            step_p50: step_p50[row],
            step_p95: step_p95[row],
            loader_ratio: loader_ratio[row],
            gpu_utilization: gpu_utilization[row],
            verdict: verdict[row].clone(),
            gpus: gpus[row],
            recorded_s: recorded_s[row],
            gpu_s: gpu_s[row],
            idle_s: idle_s[row],
            idle_loader_s: idle_loader_s[row],
            idle_communication_s: idle_communication_s[row],
            idle_other_s: idle_other_s[row],
            ..Figures::default()
        };
        Some((run?, figures))
    };
    Ok(runs.into_iter().enumerate().filter_map(of_run).collect())
}

/// What is the same in all of a run, and short.
fn attributes(answer: &Frame) -> Result<BTreeMap<String, BTreeMap<String, String>>> {
    let (runs, keys) = (answer.column::<String>("run")?, answer.column::<String>("key")?);
    let values = answer.column::<String>("value")?;
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for row in runs.into_iter().zip(keys).zip(values) {
        let ((Some(run), Some(key)), Some(value)) = row else { continue };
        let of_run = found.entry(run).or_default();
        if key.len() <= LETTERS && value.len() <= LETTERS && of_run.len() < KEYS {
            of_run.insert(key, value);
        }
    }
    Ok(found)
}

/// A mark of the two queries and all views that they read: whenever their text changes, so does the mark.
static MARK: LazyLock<String> = LazyLock::new(|| {
    let mut open = vec![QUERY.to_owned(), ATTRIBUTES.to_owned()];
    let mut read: BTreeSet<String> = BTreeSet::new();
    let mut texts: BTreeMap<&str, &str> = BTreeMap::new();
    while let Some(name) = open.pop() {
        let known = |query: &&catalog::Query| query.name == name || query.sql_name() == name;
        if let Some(query) = catalog::queries().iter().find(known).filter(|_| read.insert(name.clone())) {
            texts.insert(&query.name, &query.body);
            open.extend(query.header.needs.iter().cloned());
        }
    }
    // 64-bit FNV-1a: the same in every process.
    let bytes = texts.values().flat_map(|text| text.bytes());
    let hash = bytes
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
});
