//! Ingests a profile into a run: once, or repeatedly while its job writes it.

use std::sync::Arc;

use regex::Regex;
use tokio::runtime::Handle;

use super::naming::{check_name, has_source, run_name};
use super::plan::{self, IngestPlan, PausedDecoders};
use super::{IngestReport, ProgressCallback, Request, commit, work};
use crate::error::{Error, ErrorKind, Result};
use crate::format::loader_timings::LoaderColumns;
use crate::lake::{Lake, Manifest};
use crate::source::{Location, StoredObject, Traffic};

/// Maximum clock offset in ns. It keeps all times within 64 bits.
const MAX_CLOCK_OFFSET: i64 = 100 * 366 * 86_400 * 1_000_000_000;

/// A profile, its run, and state that the next ingest reuses.
#[doc(hidden)]
pub struct ProfileIngest {
    lake: Lake,
    handle: Handle,
    request: Request,
    location: Location,
    run: String,
    /// The newest known manifest of the run.
    base: Option<Arc<Manifest>>,
    paused: PausedDecoders,
    /// The network traffic before this ingest.
    traffic_before: Traffic,
}

impl std::fmt::Debug for ProfileIngest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProfileIngest")
            .field("run", &self.run)
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

impl From<&str> for Request {
    fn from(url: &str) -> Self {
        Self { url: url.to_owned(), ..Self::default() }
    }
}

impl Request {
    /// Checks the values that need neither the profile nor the lake.
    ///
    /// # Errors
    /// Argument for a wrong value.
    #[doc(hidden)]
    pub fn check(&self) -> Result<()> {
        self.run.as_deref().map(check_name).transpose()?;
        self.loader_columns.as_ref().map(LoaderColumns::declared).transpose()?;
        check_rank_pattern(self.rank_from.as_deref().unwrap_or_default())?;
        if self.clock_offset.is_some_and(|offset| offset.unsigned_abs() > MAX_CLOCK_OFFSET.unsigned_abs()) {
            return Err(Error::new(ErrorKind::Argument, "cannot move a clock by more than 100 years")
                .with_hint("the clock offset is in nanoseconds"));
        }
        Ok(())
    }
}

impl ProfileIngest {
    /// Checks the request. Reads nothing yet.
    #[doc(hidden)]
    pub fn new(lake: Lake, handle: Handle, request: Request) -> Result<Self> {
        let location = lake.location().open_related(&request.url, &request.options)?;
        let traffic_before = location.traffic();
        let run = request.run.clone().map_or_else(|| run_name(location.url()), Ok)?;
        check_name(&run)?;
        request.check()?;
        Ok(Self { lake, handle, request, location, run, base: None, paused: PausedDecoders::new(), traffic_before })
    }

    /// The manifest of the run after the last ingest.
    #[doc(hidden)]
    pub fn manifest(&self) -> Option<&Arc<Manifest>> {
        self.base.as_ref().filter(|base| base.generation > 0)
    }

    /// Lists the files of the profile; no files are not an error, but a missing bucket is.
    #[tracing::instrument(skip_all, fields(url = self.location.url()))]
    #[doc(hidden)]
    pub fn list(&self) -> Result<Vec<StoredObject>> {
        let mut listed = self.handle.block_on(self.location.list_entries())?;
        if listed.is_empty() {
            // The address may be that of a file.
            listed = self.handle.block_on(self.location.list()).or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(listed),
                _ => Err(error),
            })?;
        }
        if listed.iter().any(|object| object.path.starts_with("_manifest/")) {
            let text = format!("cannot ingest {}: it is a lake, not a profile", self.location.url());
            return Err(Error::new(ErrorKind::Argument, text).with_hint("open it instead"));
        }
        Ok(listed)
    }

    /// Reads new and changed files, and commits the result. Without `all`, files that are not read,
    /// such as those still being written, are only recorded in a commit together with rows.
    #[tracing::instrument(name = "ingest", skip_all, fields(run = self.run, url = self.location.url()))]
    #[doc(hidden)]
    pub fn look(&mut self, listed: &[StoredObject], all: bool, watch: &ProgressCallback) -> Result<IngestReport> {
        let start = std::time::Instant::now();
        if listed.is_empty() {
            return Err(self.location.not_found_error());
        }
        for _ in 0..commit::MAX_ATTEMPTS {
            let base = match self.base.take() {
                Some(base) => base,
                None => self.handle.block_on(self.lake.without_lost_parts(self.newest_manifest()?))?,
            };
            self.check_owner(&base)?;
            let plan = plan::plan(&self.location, listed, &base, &self.request, &mut self.paused, &self.handle)?;
            let is_unchanged = plan.tasks.is_empty() && plan.replaced.is_empty() && plan.pruned.is_empty();
            if !all && base.generation > 0 && is_unchanged {
                let report =
                    IngestReport { run: self.run.clone(), generation: base.generation, ..IngestReport::default() };
                self.base = Some(base);
                return Ok(report);
            }
            if self.request.dry_run {
                let report = self.dry_run_report(&plan, base.generation);
                self.base = Some(base);
                return Ok(IngestReport { seconds: start.elapsed().as_secs_f64(), ..report });
            }
            let mut result = work::run_workers(&self.lake, &self.location, &plan, &self.run, &self.handle, watch)?;
            let paused = std::mem::take(&mut result.paused);
            if let Some(mut report) = self.commit(base, &plan, &result)? {
                self.paused.extend(paused);
                report.seconds = start.elapsed().as_secs_f64();
                let traffic = self.location.traffic();
                report.traffic = traffic.since(&self.traffic_before);
                self.traffic_before = traffic;
                return Ok(report);
            }
            // Another writer committed first, so no manifest lists these parts.
            self.handle.block_on(self.lake.discard(&result.parts));
        }
        Err(commit::conflict_error(&self.run).with_hint("ingest again when the other processes have finished"))
    }

    /// Returns the report of a dry run of this plan.
    fn dry_run_report(&self, plan: &IngestPlan<'_>, generation: u64) -> IngestReport {
        let objects = || plan.tasks.iter().flat_map(|task| &task.objects).map(|n| &plan.listed[*n]);
        let bytes = objects().map(|object| object.size).sum();
        let get = objects().map(|object| self.location.get_requests(object)).sum();
        let reading = Traffic { get, received: if get == 0 { 0 } else { bytes }, ..Traffic::default() };
        IngestReport {
            read: objects().count() as u64,
            bytes,
            traffic: self.location.traffic().since(&self.traffic_before).and(&reading),
            dry_run: true,
            ..plan.report(&self.location, &self.run, generation)
        }
    }

    /// Commits the result on top of `base`. None if another writer has changed rows since.
    fn commit(
        &mut self,
        mut base: Arc<Manifest>,
        plan: &IngestPlan<'_>,
        result: &work::WorkResult,
    ) -> Result<Option<IngestReport>> {
        loop {
            match commit::commit(&self.lake, &self.location, &base, plan, result, &self.request, &self.handle) {
                Ok((report, next)) => {
                    self.base = Some(Arc::new(next));
                    return Ok(Some(report));
                }
                Err(error) if error.kind() == ErrorKind::Conflict => {}
                // Keep the parts: the manifest may list them in spite of the error.
                Err(error) => return Err(error),
            }
            let newer = self.newest_manifest()?;
            // Another process added key metrics: the result is still valid.
            if newer.generation <= base.generation || !newer.has_same_rows(&base) {
                return Ok(None);
            }
            base = newer;
        }
    }

    fn newest_manifest(&self) -> Result<Arc<Manifest>> {
        let newest = self.handle.block_on(self.lake.newest_manifest(&self.run))?;
        Ok(newest.unwrap_or_else(|| Arc::new(Manifest::empty(&self.run))))
    }

    /// Rejects a name that belongs to a profile at another address, unless the user chose it.
    fn check_owner(&self, base: &Manifest) -> Result<()> {
        let url = self.location.url();
        let is_derived_name = self.request.run.is_none() || self.request.expanded;
        if !is_derived_name || base.generation == 0 || base.deleted || has_source(base, url) {
            return Ok(());
        }
        let (run, sources) = (&self.run, base.sources.join(", "));
        let text = format!("cannot ingest {url} as run `{run}`: the lake has a run of this name from {sources}");
        let hint = format!("give another name with option `run`; to add the profile to run `{run}`, give that name");
        Err(Error::new(ErrorKind::Conflict, text).with_hint(hint))
    }
}

/// Checks that a pattern of ranks is empty, or a regular expression with a group.
fn check_rank_pattern(pattern: &str) -> Result<()> {
    let invalid = || {
        Error::new(ErrorKind::Argument, format!("cannot find ranks with the pattern {pattern:?}"))
            .with_hint("give a regular expression with one group for the rank, such as node([0-9]+)")
    };
    let regex = Regex::new(pattern).map_err(|error| invalid().with_source(error))?;
    if pattern.trim().is_empty() || regex.captures_len() > 1 { Ok(()) } else { Err(invalid()) }
}
