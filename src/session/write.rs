//! Ingests profiles into the lake, and reloads the runs that a session sees.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracelake_engine::provider::current_snapshot;

use super::Session;
use super::context::load_runs;
use super::open::ingest_profile;
use super::share::SharedIngest;
use super::url_pattern::UrlPattern;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{IngestReport, ProgressCallback, Request};
use crate::lake::{LoadedRuns, Manifest};
use crate::source::Traffic;

/// Time after which the key metrics of the runs that were ingested meanwhile are stored. A query for several runs takes
/// about as long as for one.
const METRICS_INTERVAL: Duration = Duration::from_secs(1);

/// Receives the report of each profile.
pub(crate) type ReportCallback<'a> = dyn FnMut(&IngestReport) -> Result<()> + 'a;

impl Session {
    /// Reads a profile into the lake, or many with `*` in the address. The session then sees their runs.
    ///
    /// Returns one report per profile, sorted by name. If one of many profiles cannot be read, the others are still read, and
    /// its report has an `error`. With `share`, there are only reports of the profiles that this process read, but all profiles
    /// are in the lake at the end.
    ///
    /// # Errors
    /// Errors of the profile, or of the first of many if none could be read. An error that affects all profiles (no access to
    /// the lake, no network, no space, cancelled) ends the ingest; earlier profiles stay in the lake. The key metrics of runs
    /// that were read within a second are computed together, and their requests to the store count in the last report of
    /// these runs.
    pub fn ingest(&self, request: impl Into<Request>) -> Result<Vec<IngestReport>> {
        self.ingest_watched(request, None)
    }

    /// As [`Session::ingest`], with calls of `watch` about the progress, which can end the ingest.
    ///
    /// # Errors
    /// As [`Session::ingest`]; the error of `watch`.
    pub fn ingest_watched(
        &self,
        request: impl Into<Request>,
        watch: Option<ProgressCallback>,
    ) -> Result<Vec<IngestReport>> {
        self.ingest_with_reports(request.into(), watch, &mut |_| Ok(()))
    }

    /// As [`Session::ingest`]. Calls `on_report` when a profile is read and its key metrics are stored.
    pub(crate) fn ingest_with_reports(
        &self,
        request: Request,
        watch: Option<ProgressCallback>,
        on_report: &mut ReportCallback<'_>,
    ) -> Result<Vec<IngestReport>> {
        let many = request.url.contains('*');
        if request.share.is_some() && !many {
            return Err(Error::new(ErrorKind::Argument, format!("cannot share {}: it is one profile", request.url))
                .with_hint("use `*` to share many profiles: s3://bucket/jobs/*/profiler-output"));
        }
        if request.share.is_some_and(|patience| patience.is_zero()) {
            return Err(Error::new(ErrorKind::Argument, "cannot share: the lease timeout must be greater than 0")
                .with_hint("set option `share` to 60 s: after this time without renewal, a lease expires"));
        }
        let requests = if many { self.expand(&request)? } else { vec![request] };
        self.ingest_each(requests, many, watch, on_report)
    }

    /// Reads these profiles, with equal options. If `many`, a profile that cannot be read does not stop the others. Calls
    /// `on_report` when the key metrics of a run are stored.
    pub(super) fn ingest_each(
        &self,
        requests: Vec<Request>,
        many: bool,
        watch: Option<ProgressCallback>,
        on_report: &mut ReportCallback<'_>,
    ) -> Result<Vec<IngestReport>> {
        let (dry_run, share) = requests.first().map_or((false, None), |first| (first.dry_run, first.share));
        let names: Vec<String> = requests.iter().filter_map(|request| request.run.clone()).collect();
        self.inner.lake.forget_listing();
        let mut reader = ProfileReader::new(self, many, watch, on_report);
        let shared = match share.filter(|_| !dry_run) {
            Some(patience) => SharedIngest::new(self, requests, patience)
                .and_then(|shared| shared.each(|request| reader.read(request))),
            None => {
                let _ = requests.into_iter().all(|request| reader.read(request));
                Ok(())
            }
        };
        let ended = shared.and(std::mem::replace(&mut reader.ended, Ok(())));
        if dry_run {
            let reported = reader.report();
            ended.and(reported)?;
        } else {
            self.reload()?;
            // With `share`, also those of a process that was killed before it computed them.
            let ingested = if share.is_some() { names } else { reader.unfinished_runs() };
            let stored = ended.and_then(|()| self.store_metrics_of_committed(&ingested));
            self.refresh_checkpoint()?;
            let reported = reader.report();
            stored.and(reported)?;
        }
        let ProfileReader { mut reports, first_error, .. } = reader;
        reports.sort_by(|one, other| one.run.cmp(&other.run));
        match first_error {
            Some(error) if reports.iter().all(|report| report.error.is_some()) => Err(error),
            _ => Ok(reports),
        }
    }

    fn store_metrics_of_committed(&self, runs: &[String]) -> Result<()> {
        self.store_key_metrics(runs)
            .map_err(|error| error.with_context("committed", "the rows; only the key metrics of the runs are missing"))
    }

    /// Returns the requests that this session has sent to stores over the network since it was opened.
    ///
    /// # Examples
    /// ```
    /// # let lake = tempfile::tempdir()?;
    /// let session = tracelake::create(lake.path().to_str().unwrap())?;
    /// assert_eq!(session.traffic().to_string(), "no request");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn traffic(&self) -> Traffic {
        self.inner.lake.location().traffic()
    }

    /// Returns a request for each profile that an address with `*` matches. The matched names become the names of the runs.
    pub(super) fn expand(&self, request: &Request) -> Result<Vec<Request>> {
        if request.run.is_some() {
            return Err(
                Error::new(ErrorKind::Argument, "cannot give one name to many runs").with_hint("remove option `run`")
            );
        }
        if request.url.contains("**") {
            let text =
                format!("cannot expand {}: a `*` matches within one name, and `**` is not supported", request.url);
            return Err(Error::new(ErrorKind::Argument, text)
                .with_hint("write a `*` for each folder: s3://bucket/*/jobs/*/profiler-output"));
        }
        let pattern = UrlPattern::parse(&request.url);
        let mut options = self.inner.settings.options.clone();
        options.extend(request.options.clone());
        let base = if pattern.base.is_empty() { "." } else { pattern.base };
        let location = self.inner.lake.location().open_related(base, &options)?;
        let folder = location.clone();
        let listed = self.inner.engine.run(async move { folder.list_entries().await })?;
        let mut profiles: BTreeMap<String, String> = BTreeMap::new();
        for object in &listed {
            // A folder that cannot be listed is a profile, too.
            let path = if object.unlisted.is_some() { format!("{}/?", object.path) } else { object.path.to_string() };
            let Some((path, run)) = pattern.profile(&path) else { continue };
            match profiles.entry(run).or_insert_with(|| path.clone()) {
                first if *first != path => {
                    let text =
                        format!("cannot read {}: the runs of {first} and {path} have the same name", request.url);
                    return Err(Error::new(ErrorKind::Argument, text).with_hint("ingest one of them with option `run`"));
                }
                _ => {}
            }
        }
        if profiles.is_empty() {
            let text = format!("cannot read {}: no folder or file matches", request.url);
            return Err(Error::new(ErrorKind::NotFound, text)
                .with_hint("`*` alone matches folders; for files add their extension: `*.json.gz`"));
        }
        let requests = profiles.into_iter().map(|(run, path)| Request {
            // The name must be encoded for a URL.
            url: if pattern.base.contains("://") {
                location.join(&path).url().to_owned()
            } else {
                format!("{}{path}", pattern.base)
            },
            run: Some(run),
            expanded: true,
            ..request.clone()
        });
        Ok(requests.collect())
    }

    /// Reloads the runs of the lake, so that the session sees what other processes have committed.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub fn refresh(&self) -> Result<()> {
        self.inner.profiles.lock().clear();
        self.reload()
    }

    fn reload(&self) -> Result<()> {
        let only = self.inner.only.lock().clone();
        let lake = self.inner.lake.clone();
        let LoadedRuns { runs, faults } = self.inner.engine.run(async move { load_runs(&lake, only).await })?;
        // Faults that still exist are not reported again.
        self.inner.faults.lock().retain(|known| faults.contains(known) || known.is_listed_by(&runs));
        *self.inner.snapshot.write() = runs;
        faults.into_iter().for_each(|fault| self.report_fault(fault));
        self.clear_executables();
        Ok(())
    }
}

/// Reads profiles one after another.
struct ProfileReader<'a, 'b> {
    session: &'a Session,
    many: bool,
    watch: Option<ProgressCallback>,
    on_report: &'a mut ReportCallback<'b>,
    reports: Vec<IngestReport>,
    /// The manifests of the runs since the last report.
    manifests: Vec<Arc<Manifest>>,
    /// Number of reports that `on_report` received.
    reported: usize,
    last_report: Instant,
    /// The requests of the session until then.
    traffic: Traffic,
    /// The first error of a single profile.
    first_error: Option<Error>,
    /// The error that ended the ingest.
    ended: Result<()>,
}

impl<'a, 'b> ProfileReader<'a, 'b> {
    fn new(
        session: &'a Session,
        many: bool,
        watch: Option<ProgressCallback>,
        on_report: &'a mut ReportCallback<'b>,
    ) -> Self {
        Self {
            session,
            many,
            watch,
            on_report,
            reports: Vec::new(),
            manifests: Vec::new(),
            reported: 0,
            last_report: Instant::now(),
            traffic: session.traffic(),
            first_error: None,
            ended: Ok(()),
        }
    }

    /// Reads a profile. Returns false if the ingest must end.
    fn read(&mut self, request: Request) -> bool {
        if self.last_report.elapsed() > METRICS_INTERVAL
            && self.reported < self.reports.len()
            && let Err(error) = self.finish_runs()
        {
            self.ended = Err(error);
            return false;
        }
        let inner = &self.session.inner;
        let (run, url, dry_run) = (request.run.clone().unwrap_or_default(), request.url.clone(), request.dry_run);
        match ingest_profile(&inner.engine, &inner.lake, request, self.watch.clone()) {
            Ok((report, manifest)) => {
                self.manifests.extend(manifest);
                if let Some(only) = inner.only.lock().as_mut().filter(|_| !dry_run) {
                    only.insert(report.run.clone());
                }
                self.reports.push(report);
            }
            Err(error) if self.many && concerns_one_profile(&error) => {
                self.reports.push(IngestReport { run, url, error: Some(error.to_string()), ..IngestReport::default() });
                self.first_error.get_or_insert(error);
            }
            Err(error) => self.ended = Err(error),
        }
        self.ended.is_ok()
    }

    /// The runs that were ingested since the last report.
    fn unfinished_runs(&self) -> Vec<String> {
        let ingested = self.reports[self.reported..].iter().filter(|report| report.error.is_none() && !report.dry_run);
        ingested.map(|report| report.run.clone()).collect()
    }

    /// Stores the key metrics of the runs that were ingested since the last report, and reports them.
    fn finish_runs(&mut self) -> Result<()> {
        let runs = self.unfinished_runs();
        self.session.add_runs(&std::mem::take(&mut self.manifests));
        self.session.store_metrics_of_committed(&runs)?;
        self.report()
    }

    /// Passes the reports to `on_report`. The last one has the requests for the key metrics.
    fn report(&mut self) -> Result<()> {
        let snapshot = current_snapshot(&self.session.inner.snapshot);
        let new = &mut self.reports[self.reported..];
        for report in new.iter_mut().filter(|report| !report.dry_run) {
            report.generation = snapshot.get(&report.run).map_or(report.generation, |run| run.generation);
        }
        let traffic = self.session.traffic();
        let own = new.iter().fold(Traffic::default(), |sum, report| sum.and(&report.traffic));
        if let Some(last) = new.last_mut().filter(|last| !last.dry_run) {
            last.traffic = last.traffic.and(&traffic.since(&self.traffic).since(&own));
        }
        (self.traffic, self.last_report) = (traffic, Instant::now());
        let start = std::mem::replace(&mut self.reported, self.reports.len());
        self.reports[start..].iter().try_for_each(|report| (self.on_report)(report))
    }
}

/// Returns true for an error that affects only one profile. Access can be denied to one profile; without access to the lake,
/// or with expired credentials, all others fail, too.
fn concerns_one_profile(error: &Error) -> bool {
    use ErrorKind::{Argument, Conflict, Malformed, NotFound, Unrecognized};
    matches!(error.kind(), NotFound | Unrecognized | Malformed | Conflict | Argument) || error.is_denied_object()
}
