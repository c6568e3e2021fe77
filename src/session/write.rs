//! Ingests profiles into the lake, and reloads the runs that a session sees.

use tracelake_engine::provider::current_snapshot;

use super::Session;
use super::context::load_runs;
use super::open::ingest_profile;
use super::share::SharedIngest;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{IngestReport, ProgressCallback, Request};
use crate::lake::LoadedRuns;
use crate::source::Traffic;

impl Session {
    /// Reads a profile into the lake, or many with one `*` in the address. The session then sees their runs.
    ///
    /// Returns one report per profile, sorted by name. If one of many profiles cannot be read, the others are still read, and
    /// its report has an `error`. With `share`, there are only reports of the profiles that this process read, but all profiles
    /// are in the lake at the end.
    ///
    /// # Errors
    /// Errors of the profile, or of the first of many if none could be read. An error that affects all profiles (no access, no
    /// network, no space, cancelled) ends the ingest; earlier profiles stay in the lake. The key metrics of many runs are
    /// computed at the end, and their requests to the store count in the last report.
    pub fn ingest(&self, request: Request, watch: Option<ProgressCallback>) -> Result<Vec<IngestReport>> {
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
        self.ingest_each(requests, many, watch)
    }

    /// Reads these profiles, with equal options. If `many`, a profile that cannot be read does not stop the others.
    pub(super) fn ingest_each(
        &self,
        requests: Vec<Request>,
        many: bool,
        watch: Option<ProgressCallback>,
    ) -> Result<Vec<IngestReport>> {
        let (dry_run, share) = requests.first().map_or((false, None), |first| (first.dry_run, first.share));
        let names: Vec<String> = requests.iter().filter_map(|request| request.run.clone()).collect();
        let (mut reports, first_error, ended) = self.read_each(requests, many, watch);
        if dry_run {
            ended?;
            return reports_or_error(reports, first_error);
        }
        let traffic = self.traffic();
        self.reload()?;
        let ingested = reports.iter().filter(|report| report.error.is_none()).map(|report| report.run.clone());
        // With `share`, also those of a process that was killed before it computed them.
        let ingested: Vec<String> = if share.is_some() { names } else { ingested.collect() };
        let stored = ended.and_then(|()| {
            self.store_key_metrics(&ingested).map_err(|error| {
                error.with_context("committed", "the rows; only the key metrics of the runs are missing")
            })
        });
        self.refresh_checkpoint()?;
        stored?;
        let snapshot = current_snapshot(&self.inner.snapshot);
        for report in &mut reports {
            report.generation = snapshot.get(&report.run).map_or(report.generation, |run| run.generation);
        }
        if let Some(last) = reports.last_mut() {
            last.traffic = last.traffic.and(&self.traffic().since(&traffic));
        }
        reports_or_error(reports, first_error)
    }

    /// Reads these profiles without reloading the session. Returns the reports, the first error of a single profile, and the
    /// error that ended the ingest.
    fn read_each(
        &self,
        requests: Vec<Request>,
        many: bool,
        watch: Option<ProgressCallback>,
    ) -> (Vec<IngestReport>, Option<Error>, Result<()>) {
        let share = requests.first().and_then(|first| first.share.filter(|_| !first.dry_run));
        let (mut reports, mut first_error, mut ended) = (Vec::new(), None, Ok(()));
        let mut each = |request: Request| {
            let (run, url, dry_run) = (request.run.clone().unwrap_or_default(), request.url.clone(), request.dry_run);
            match ingest_profile(&self.inner.engine, &self.inner.lake, request, watch.clone()) {
                Ok(report) => {
                    let mut only = self.inner.only.lock();
                    if let Some(only) = only.as_mut().filter(|_| !dry_run) {
                        only.insert(report.run.clone());
                    }
                    drop(only);
                    reports.push(report);
                }
                Err(error) if many && concerns_one_profile(error.kind()) => {
                    reports.push(IngestReport { run, url, error: Some(error.to_string()), ..IngestReport::default() });
                    first_error.get_or_insert(error);
                }
                Err(error) => ended = Err(error),
            }
            ended.is_ok()
        };
        match share {
            Some(patience) => {
                let shared = SharedIngest::new(self, requests, patience).and_then(|shared| shared.each(each));
                ended = ended.and(shared);
                reports.sort_by(|one, other| one.run.cmp(&other.run));
            }
            None => _ = requests.into_iter().all(&mut each),
        }
        (reports, first_error, ended)
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
        let Some(pattern) = UrlPattern::parse(&request.url) else {
            let text = format!("cannot expand {}: it has more than one `*`", request.url);
            return Err(Error::new(ErrorKind::Argument, text)
                .with_hint("one `*` matches folders or files in one folder: s3://bucket/jobs/*/profiler-output"));
        };
        let mut options = self.inner.settings.options.clone();
        options.extend(request.options.clone());
        let base = if pattern.base.is_empty() { "." } else { pattern.base };
        let location = self.inner.lake.location().open_related(base, &options)?;
        let folder = location.clone();
        let listed = self.inner.engine.run(async move { folder.list().await })?;
        let mut names: Vec<String> =
            listed.iter().filter_map(|object| pattern.name(&object.path)).map(str::to_owned).collect();
        names.dedup();
        if names.is_empty() {
            let text = format!("cannot read {}: no folder or file matches", request.url);
            return Err(Error::new(ErrorKind::NotFound, text)
                .with_hint("`*` alone matches folders; for files add their extension: `*.json.gz`"));
        }
        let (base, below) = (pattern.base, pattern.below);
        let requests = names.into_iter().map(|name| Request {
            // The name must be encoded for a URL.
            url: if base.contains("://") {
                location.join(&format!("{name}{below}")).url().to_owned()
            } else {
                format!("{base}{name}{below}")
            },
            run: Some(name),
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

/// Returns the reports, or the first error if no profile could be read.
fn reports_or_error(reports: Vec<IngestReport>, first_error: Option<Error>) -> Result<Vec<IngestReport>> {
    match first_error {
        Some(error) if reports.iter().all(|report| report.error.is_some()) => Err(error),
        _ => Ok(reports),
    }
}

/// An address with one `*` in a name.
struct UrlPattern<'a> {
    /// The address before the name.
    base: &'a str,
    /// Begin and end of the name.
    prefix: &'a str,
    suffix: &'a str,
    /// The address after the name.
    below: &'a str,
}

impl<'a> UrlPattern<'a> {
    fn parse(url: &'a str) -> Option<Self> {
        let (before, after) = url.split_once('*')?;
        let (base, prefix) = before.split_at(before.rfind('/').map_or(0, |slash| slash + 1));
        let (suffix, below) = after.split_at(after.find('/').unwrap_or(after.len()));
        (!after.contains('*')).then_some(Self { base, prefix, suffix, below })
    }

    /// Returns the name of the folder or file below the base to which a path belongs, if it matches. A `*` alone matches no
    /// files, because files next to folders of profiles are not profiles.
    fn name<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (name, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
        let fits = name.len() >= self.prefix.len() + self.suffix.len()
            && name.starts_with(self.prefix)
            && name.ends_with(self.suffix);
        let is_profile = match rest {
            "" => self.below.is_empty() && !(self.prefix.is_empty() && self.suffix.is_empty()),
            rest => rest
                .strip_prefix(self.below.trim_end_matches('/'))
                .is_some_and(|more| more.starts_with('/') || more.is_empty() && !self.below.ends_with('/')),
        };
        (fits && is_profile).then_some(name)
    }
}

/// Returns true for an error that affects only one profile.
fn concerns_one_profile(kind: ErrorKind) -> bool {
    use ErrorKind::{Argument, Conflict, Malformed, NotFound, Unrecognized};
    matches!(kind, NotFound | Unrecognized | Malformed | Conflict | Argument)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_alone_matches_folders_and_with_letters_also_files() {
        let paths = ["README.md", "job-1/out/a.json", "job-1/out/b.json", "job-2/in/a.json", "x.json", "y.json.gz"];
        let names = |url: &str| {
            let pattern = UrlPattern::parse(url).unwrap();
            assert_eq!(pattern.base, "s3://b/jobs/");
            let mut names: Vec<&str> = paths.iter().filter_map(|path| pattern.name(path)).collect();
            names.dedup();
            names
        };
        assert_eq!(names("s3://b/jobs/*"), ["job-1", "job-2"]);
        assert_eq!(names("s3://b/jobs/*/"), ["job-1", "job-2"]);
        assert_eq!(names("s3://b/jobs/*/out"), ["job-1"]);
        assert_eq!(names("s3://b/jobs/*/out/b.json"), ["job-1"]);
        assert_eq!(names("s3://b/jobs/*/ou"), [""; 0]);
        assert_eq!(names("s3://b/jobs/*2/in/"), ["job-2"]);
        assert_eq!(names("s3://b/jobs/*.json"), ["x.json"]);
        assert_eq!(names("s3://b/jobs/y*"), ["y.json.gz"]);
        assert_eq!(names("s3://b/jobs/job-1*1"), [""; 0]);
        assert!(UrlPattern::parse("s3://b/*/c/*").is_none());
        assert_eq!(UrlPattern::parse("*.json").unwrap().base, "");
    }
}
