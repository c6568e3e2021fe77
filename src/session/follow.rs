//! Follows a job: repeats the ingest of its profile, which reads what is new since the previous pass.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Session;
use super::open::cancellable;
use crate::error::{Error, ErrorKind, Result};
use crate::format::has_job_ended;
use crate::ingest::{IngestReport, ProfileIngest, ProgressCallback, Request};

/// Options for following a profile; see [`Session::follow`].
#[derive(Clone)]
pub struct FollowOptions {
    /// Time between two passes.
    pub every: Duration,
    /// Stop after this time without new data. None: stop at the end of the job.
    pub idle: Option<Duration>,
    /// Called with the progress of each pass that reads something.
    pub watch: Option<ProgressCallback>,
}

impl Default for FollowOptions {
    /// Returns options for a pass every 10 seconds until the end of the job.
    fn default() -> Self {
        Self { every: Duration::from_secs(10), idle: None, watch: None }
    }
}

impl std::fmt::Debug for FollowOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FollowOptions").field("every", &self.every).field("idle", &self.idle).finish_non_exhaustive()
    }
}

/// An iterator over the reports of a followed profile; see [`Session::follow`].
#[derive(Debug)]
pub struct Follower {
    session: Session,
    options: FollowOptions,
    url: String,
    /// None after the end.
    reading: Option<Box<ProfileIngest>>,
    /// Time of the next pass; None: immediately.
    next: Option<Instant>,
    /// Time of the last pass that read something.
    last_arrival: Instant,
    /// State after the last pass.
    state: FollowState,
    /// The last error, as long as nothing could be read.
    early_error: Option<Error>,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FollowState {
    /// The job is running.
    Running,
    /// The job has ended. One more pass reads files that were written after the last listing.
    LastPass,
    /// Everything was read.
    Done,
}

impl Session {
    /// Follows a profile while its job writes it. Each item is the report of a pass that read something; the session sees
    /// these rows when it returns the item.
    ///
    /// A pass lists the profile once and reads new and changed files, as [`Session::ingest`] does. It replaces the rows of a
    /// file that grew, so each row exists once. If the profile does not exist yet, passes repeat until it does. The iterator
    /// ends, after a last pass, when SageMaker's `training_job_end.ts` exists, or after [`FollowOptions::idle`] without new data.
    /// Dropping or interrupting it stops earlier, and following again continues from there. The key metrics of the run are
    /// missing until the end.
    ///
    /// # Errors
    /// Argument for an address with `*`, and the errors of [`Session::ingest`]. An item is an error if a pass failed, which
    /// ends the iterator, or, at the end, if nothing could be read.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// use std::time::Duration;
    /// use tracelake::{FollowOptions, Request};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let s = tracelake::create(folder.path().to_str().unwrap())?;
    /// let url = "tests/data/first_look/profiler-output".to_owned();
    /// let how = FollowOptions { every: Duration::from_millis(10), idle: Some(Duration::from_secs(1)), ..FollowOptions::default() };
    /// for arrived in s.follow(Request { url, ..Request::default() }, how)? {
    ///     println!("{}", arrived?);
    /// }
    /// assert_eq!(s.table("step", None, None)?.len()?, 220);
    /// # Ok(())
    /// # }
    /// ```
    pub fn follow(&self, request: Request, options: FollowOptions) -> Result<Follower> {
        let url = request.url.clone();
        if url.contains('*') {
            let text = format!("cannot follow {url}: it matches many profiles");
            return Err(Error::new(ErrorKind::Argument, text).with_hint("follow each profile in its own session"));
        }
        let (lake, handle) = (self.inner.lake.clone(), self.inner.engine.handle().clone());
        let reading = Some(Box::new(ProfileIngest::new(lake, handle, request)?));
        let (next, last_arrival, state) = (None, Instant::now(), FollowState::Running);
        Ok(Follower { session: self.clone(), options, url, reading, next, last_arrival, state, early_error: None })
    }
}

impl Follower {
    /// Waits for the time of the next pass, and runs it on a separate thread. Cancelling blocks until it has stopped.
    fn next_pass(&mut self, mut reading: Box<ProfileIngest>) -> Result<Option<IngestReport>> {
        let engine = &self.session.inner.engine;
        if let Some(next) = self.next {
            engine.pause(next.saturating_duration_since(Instant::now()))?;
        }
        let last = self.state == FollowState::LastPass;
        let (cancel, watch) = cancellable(self.options.watch.clone());
        let (reading, ended, report) = engine.run_blocking(&cancel, move || {
            let listed = reading.list()?;
            let ended = has_job_ended(listed.iter().map(|object| object.path.as_ref()));
            // The last pass also reads files that may still grow.
            let report = reading.look(&listed, last, &watch);
            Ok((reading, ended, report))
        })?;
        self.next = Some(Instant::now() + self.options.every);
        if let Some(run) = reading.manifest() {
            let mut only = self.session.inner.only.lock();
            if let Some(only) = only.as_mut() {
                only.insert(run.run.clone());
            }
            drop(only);
            self.session.add_run(run);
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Cancelled, format!("following {} was stopped", self.url)));
        }
        let read_before = reading.manifest().is_some();
        self.state = match (last, ended) {
            (true, _) => FollowState::Done,
            (false, true) => FollowState::LastPass,
            (false, false) => FollowState::Running,
        };
        self.reading = Some(reading);
        match report {
            Ok(report) => {
                self.early_error = None;
                if report.read > 0 {
                    self.last_arrival = Instant::now();
                    return Ok(Some(report));
                }
            }
            Err(error) if !read_before && is_too_early(&error) => self.early_error = Some(error),
            // The profile was removed: its rows stay.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                self.reading = None;
                return Err(error);
            }
        }
        if self.options.idle.is_some_and(|idle| self.last_arrival.elapsed() >= idle) {
            self.state = FollowState::Done;
        }
        Ok(None)
    }

    /// Writes the checkpoint and the key metrics, as at the end of an ingest.
    fn end(&mut self) -> Option<Result<IngestReport>> {
        let reading = self.reading.take()?;
        let Some(run) = reading.manifest().map(|run| run.run.clone()) else {
            return self.early_error.take().map(Err);
        };
        let checkpoint = self.session.refresh_checkpoint();
        checkpoint.and_then(|()| self.session.store_key_metrics(&[run])).err().map(Err)
    }
}

impl Iterator for Follower {
    type Item = Result<IngestReport>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.state == FollowState::Done {
                return self.end();
            }
            let reading = self.reading.take()?;
            if let Some(item) = self.next_pass(reading).transpose() {
                return Some(item);
            }
        }
    }
}

/// Returns true if the profile may be readable later, after this error.
fn is_too_early(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Unrecognized | ErrorKind::Malformed)
}
