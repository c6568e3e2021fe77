//! Aligns the clocks of the ranks of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use tracelake_engine::provider::current_snapshot;

use super::{Runs, Session};
use crate::error::Result;
use crate::frame::Frame;
use crate::ingest::Request;
use crate::lake::Entry;

impl Session {
    /// Shifts the times of these runs, so that the clocks of their ranks agree. Reads their profiles again, from where they
    /// were ingested. Later ingests of the same profiles shift their times, too.
    ///
    /// Each rank is shifted by its `clock_ahead` (canned query `rank.clock_offsets`), if that is larger than its uncertainty.
    /// Only rows with a rank are shifted, so the samples of a machine keep its clock. See
    /// [`Session::restore_clocks`] for the recorded times.
    ///
    /// # Shape
    /// The rows of `rank.clock_offsets` before the change.
    ///
    /// # Errors
    /// NotFound for an unknown run, or if a profile no longer exists; the errors of [`Session::ingest`].
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/pytorch_ddp";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// let clocks = s.align_clocks("pytorch_ddp")?;
    /// assert_eq!(clocks.column::<i64>("rank")?, [Some(0), Some(1)]);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn align_clocks(&self, runs: impl Into<Runs>) -> Result<Frame> {
        self.shift_clocks(runs.into(), shifts)
    }

    /// Removes the shifts of [`Session::align_clocks`], and returns the offsets of the clocks as there.
    ///
    /// # Errors
    /// As [`Session::align_clocks`].
    #[tracing::instrument(skip_all)]
    pub fn restore_clocks(&self, runs: impl Into<Runs>) -> Result<Frame> {
        self.shift_clocks(runs.into(), |_, _, _| Ok(BTreeMap::new()))
    }

    /// Shifts the clocks of the ranks of runs. `new_shifts` returns the shift of each rank, given the offsets, a run and its
    /// previous shifts.
    fn shift_clocks(
        &self,
        runs: Runs,
        new_shifts: impl Fn(&Frame, &str, BTreeMap<i64, i64>) -> Result<BTreeMap<i64, i64>>,
    ) -> Result<Frame> {
        let runs = self.group(runs)?;
        let offsets = self.query_runs("rank.clock_offsets", &runs, ())?;
        // The change must not run the query again.
        let offsets = Frame::from_batch(offsets.batch()?).with_empty_reason("no collective was found on two ranks");
        for run in &runs {
            let Some(manifest) = current_snapshot(&self.inner.snapshot).get(run).cloned() else { continue };
            // The offsets are those of the collectives, which are events.
            let with_events = manifest.objects.iter().filter(|entry| entry.rows.contains_key("event"));
            let shifts_of = |entry: &Arc<Entry>| {
                let shift = |rank: &i64| Some((*rank, *entry.clock_shifts.get(rank)?));
                entry.ranks.iter().filter_map(shift).collect::<Vec<_>>()
            };
            let old: BTreeMap<i64, i64> = with_events.flat_map(shifts_of).collect();
            let shifts = new_shifts(&offsets, run, old)?;
            if manifest.objects.iter().all(|entry| *entry.clock_shifts == shifts) {
                continue;
            }
            let request = |url: &String, dry_run| Request {
                url: url.clone(),
                run: Some(run.clone()),
                clock_shifts: Some(shifts.clone()),
                dry_run,
                ..Request::default()
            };
            // Nothing changes if a profile no longer exists.
            for dry_run in [true, false] {
                manifest.sources.iter().try_for_each(|url| self.ingest(request(url, dry_run)).map(|_| ()))?;
            }
        }
        Ok(offsets)
    }
}

/// Returns the shifts of the ranks of a run, given the previous ones and the offsets that remain.
fn shifts(offsets: &Frame, run: &str, mut shifts: BTreeMap<i64, i64>) -> Result<BTreeMap<i64, i64>> {
    for row in 0..offsets.len()? {
        if offsets.value::<String>(row, "run")?.as_deref() != Some(run) {
            continue;
        }
        let (rank, ahead) = (offsets.value::<i64>(row, "rank")?, offsets.value::<i64>(row, "clock_ahead")?);
        let uncertainty: Option<f64> = offsets.value(row, "uncertainty")?;
        if let (Some(rank), Some(ahead), Some(uncertainty)) = (rank, ahead, uncertainty)
            && ahead.unsigned_abs() as f64 > uncertainty
        {
            let shift = shifts.entry(rank).or_default();
            *shift = shift.saturating_sub(ahead);
        }
    }
    shifts.retain(|_, shift| *shift != 0);
    Ok(shifts)
}
