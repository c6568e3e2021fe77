//! A profile that is read into a run: once, or again and again while its job writes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Handle;

use super::naming::{check_name, is_from, run_name};
use super::plan::{self, Kept};
use super::{Report, Request, Watch, commit, work};
use crate::error::{Error, ErrorKind, Result};
use crate::format::loader_timings::Columns;
use crate::lake::{Lake, Manifest};
use crate::source::{Object, Place, Traffic};

/// No clock is further off, and no time within it leaves 64 bits.
const MAX_CLOCK_OFFSET: i64 = 100 * 366 * 86_400 * 1_000_000_000;

/// A profile, the run that it becomes, and what need not be asked or read again at the next look.
#[doc(hidden)]
pub struct Reading {
    lake: Lake,
    handle: Handle,
    request: Request,
    place: Place,
    run: String,
    /// The newest manifest of the run, as far as known.
    base: Option<Arc<Manifest>>,
    kept: Kept,
    /// What had been asked of stores when the last report was made.
    reported: Traffic,
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").field("run", &self.run).field("place", &self.place).finish_non_exhaustive()
    }
}

impl Reading {
    /// Nothing is asked or read yet.
    #[doc(hidden)]
    pub fn of(lake: Lake, handle: Handle, request: Request) -> Result<Self> {
        let place = lake.place().beside(&request.url, &request.options)?;
        let reported = place.traffic();
        let run = match &request.run {
            Some(run) => run.clone(),
            None => run_name(place.url())?,
        };
        check_name(&run)?;
        request.loader_columns.as_ref().map(Columns::declared).transpose()?;
        if request.clock_offset.is_some_and(|offset| offset.unsigned_abs() > MAX_CLOCK_OFFSET.unsigned_abs()) {
            return Err(Error::new(ErrorKind::Argument, "cannot move a clock by more than 100 years")
                .with_hint("the clock offset is in nanoseconds"));
        }
        Ok(Self { lake, handle, request, place, run, base: None, kept: Kept::new(), reported })
    }

    /// The run as it was left by the last look.
    #[doc(hidden)]
    pub fn manifest(&self) -> Option<&Arc<Manifest>> {
        self.base.as_ref().filter(|base| base.generation > 0)
    }

    /// The files of the profile; none is no error, but a missing bucket is one.
    #[tracing::instrument(skip_all, fields(url = self.place.url()))]
    #[doc(hidden)]
    pub fn list(&self) -> Result<Vec<Object>> {
        let mut listed = self.handle.block_on(self.place.list_if_any())?;
        if listed.is_empty() {
            // The address may be that of one file.
            listed = self.handle.block_on(self.place.list()).or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(listed),
                _ => Err(error),
            })?;
        }
        if listed.iter().any(|object| object.path.starts_with("_manifest/")) {
            let text = format!("cannot ingest {}: it is a lake, not a profile", self.place.url());
            return Err(Error::new(ErrorKind::Argument, text).with_hint("open it instead"));
        }
        Ok(listed)
    }

    /// Reads what is new or has changed among these files, and commits it. `all`: also what was not read and has
    /// changed, such as files that are still being written; else that waits for rows.
    #[tracing::instrument(name = "ingest", skip_all, fields(run = self.run, url = self.place.url()))]
    #[doc(hidden)]
    pub fn look(&mut self, listed: &[Object], all: bool, watch: &Watch) -> Result<Report> {
        let begun = std::time::Instant::now();
        if listed.is_empty() {
            return Err(self.place.nothing());
        }
        for _ in 0..commit::TRIES {
            let base = match self.base.take() {
                Some(base) => base,
                None => self.newest()?,
            };
            self.check_owner(&base)?;
            let plan = plan::plan(&self.place, listed, &base, &self.request, &mut self.kept, &self.handle)?;
            let nothing = plan.units.is_empty() && plan.replaced.is_empty() && plan.pruned.is_empty();
            if !all && base.generation > 0 && nothing {
                let report = Report { run: self.run.clone(), generation: base.generation, ..Report::default() };
                self.base = Some(base);
                return Ok(report);
            }
            if self.request.dry_run {
                let report = self.planned(&plan, base.generation);
                self.base = Some(base);
                return Ok(Report { seconds: begun.elapsed().as_secs_f64(), ..report });
            }
            let stop = AtomicBool::new(false);
            let mut done = work::work(&self.lake, &self.place, &plan, &self.run, &self.handle, watch, &stop)?;
            if stop.load(Ordering::Relaxed) {
                self.handle.block_on(self.lake.discard(&done.parts));
                let text = format!("ingest of {} was stopped", self.place.url());
                return Err(Error::new(ErrorKind::Cancelled, text));
            }
            if let Err(error) = commit::judge(&self.place, &plan, &done) {
                self.handle.block_on(self.lake.discard(&done.parts));
                return Err(error);
            }
            let paused = std::mem::take(&mut done.paused);
            if let Some(mut report) = self.commit(base, &plan, &done)? {
                self.kept.extend(paused);
                report.seconds = begun.elapsed().as_secs_f64();
                let asked = self.place.traffic();
                report.traffic = asked.since(&self.reported);
                self.reported = asked;
                return Ok(report);
            }
            // Another writer was first, so these parts are listed nowhere.
            self.handle.block_on(self.lake.discard(&done.parts));
        }
        Err(commit::busy(&self.run).with_hint("ingest again when the other processes have finished"))
    }

    /// What would be read by this plan.
    fn planned(&self, plan: &plan::Plan<'_>, generation: u64) -> Report {
        let objects = || plan.units.iter().flat_map(|unit| &unit.objects).map(|n| &plan.listed[*n]);
        let bytes = objects().map(|object| object.size).sum();
        let get = objects().map(|object| self.place.gets(object)).sum();
        let reading = Traffic { get, received: if get == 0 { 0 } else { bytes }, ..Traffic::default() };
        Report {
            run: self.run.clone(),
            url: self.place.url().to_owned(),
            generation,
            read: objects().count() as u64,
            unchanged: plan.unchanged,
            ignored: plan.ignored.len() as u64,
            pruned: plan.pruned.len() as u64,
            bytes,
            traffic: self.place.traffic().since(&self.reported).and(&reading),
            dry_run: true,
            ..Report::default()
        }
    }

    /// Commits what was made on top of `base`; none if another writer has changed rows since.
    fn commit(&mut self, mut base: Arc<Manifest>, plan: &plan::Plan<'_>, done: &work::Done) -> Result<Option<Report>> {
        loop {
            match commit::commit(&self.lake, &self.place, &base, plan, done, &self.request, &self.handle) {
                Ok((report, next)) => {
                    self.base = Some(Arc::new(next));
                    return Ok(Some(report));
                }
                Err(error) if error.kind() == ErrorKind::Conflict => {}
                // The parts may be listed all the same, so they stay.
                Err(error) => return Err(error),
            }
            let newer = self.newest()?;
            // Somebody else added key metrics: what was made here still stands.
            if newer.generation <= base.generation || !newer.has_rows_of(&base) {
                return Ok(None);
            }
            base = newer;
        }
    }

    fn newest(&self) -> Result<Arc<Manifest>> {
        let newest = self.handle.block_on(self.lake.newest_of(&self.run))?;
        Ok(newest.unwrap_or_else(|| Arc::new(Manifest::empty(&self.run))))
    }

    /// Refuses a name that belongs to a profile at another address, unless it was given on purpose.
    fn check_owner(&self, base: &Manifest) -> Result<()> {
        let url = self.place.url();
        let by_address = self.request.run.is_none() || self.request.expanded;
        if !by_address || base.generation == 0 || base.deleted || is_from(base, url) {
            return Ok(());
        }
        let (run, sources) = (&self.run, base.sources.join(", "));
        let text = format!("cannot ingest {url} as run `{run}`: the lake has a run of this name from {sources}");
        Err(Error::new(ErrorKind::Conflict, text).with_hint(format!(
            "give another name with option `run`; to add the profile to run `{run}`, give that name"
        )))
    }
}
