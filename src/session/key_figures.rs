//! The key figures of runs: computed with the catalogue after an ingest, and kept in the manifest.
//!
//! So that a question over many runs reads no rows: table `run` has them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use super::Session;
use super::provider::current;
use crate::catalog;
use crate::error::{ErrorKind, Result};
use crate::lake::{Figures, Manifest};

/// The query that makes them.
const QUERY: &str = "job.key_figures";

impl Session {
    /// Computes the key figures of these runs where they are missing, or another version of the catalogue made them, and
    /// commits them. Where another writer is faster, its commit stays and its session sees to them.
    pub(super) fn keep_key_figures(&self, runs: &[String]) -> Result<()> {
        let known = |run: &Manifest| run.figures.as_ref().is_some_and(|figures| figures.catalog == catalog::VERSION);
        let snapshot = current(&self.inner.snapshot);
        let missing: Vec<&Arc<Manifest>> =
            runs.iter().filter_map(|run| snapshot.get(run)).filter(|run| !known(run)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let runs: Vec<String> = missing.iter().map(|run| run.run.clone()).collect();
        let answer = self.query_runs(QUERY, Some(&runs), &BTreeMap::new())?;
        let names = answer.column::<String>("run")?;
        let steps = answer.column::<i64>("steps")?;
        let [step_p50, step_p95, loader_ratio, gpu_percent] =
            ["step_p50", "step_p95", "loader_ratio", "gpu_percent"].map(|column| answer.column::<f64>(column));
        let (step_p50, step_p95, loader_ratio, gpu_percent) = (step_p50?, step_p95?, loader_ratio?, gpu_percent?);
        let places: BTreeMap<&str, usize> =
            names.iter().zip(0..).filter_map(|(name, row)| Some((name.as_deref()?, row))).collect();
        for run in missing {
            let Some(row) = places.get(run.run.as_str()).copied() else { continue };
            self.keep(Manifest {
                generation: run.generation + 1,
                figures: Some(Figures {
                    catalog: catalog::VERSION.to_owned(),
                    steps: steps[row],
                    step_p50: step_p50[row],
                    step_p95: step_p95[row],
                    loader_ratio: loader_ratio[row],
                    gpu_percent: gpu_percent[row],
                    verdict: None,
                }),
                ..Manifest::clone(run)
            })?;
        }
        Ok(())
    }

    /// Sees this generation of a run from now on, unless it sees a newer one.
    pub(super) fn see(&self, run: &Arc<Manifest>) {
        let mut snapshot = self.inner.snapshot.write().unwrap_or_else(PoisonError::into_inner);
        if snapshot.get(&run.run).is_none_or(|seen| seen.generation < run.generation) {
            let mut runs = snapshot.as_ref().clone();
            runs.insert(run.run.clone(), Arc::clone(run));
            *snapshot = Arc::new(runs);
            self.inner.plans.forget_snapshots();
        }
    }

    fn keep(&self, next: Manifest) -> Result<()> {
        let (lake, next) = (self.inner.lake.clone(), Arc::new(next));
        let committed = {
            let next = Arc::clone(&next);
            self.inner.engine.run(async move { lake.commit(&next).await })
        };
        match committed {
            Ok(()) => {
                self.see(&next);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::Conflict => Ok(()),
            Err(error) => Err(error),
        }
    }
}
