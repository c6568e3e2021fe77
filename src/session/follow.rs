//! Following a job: an ingest in a loop, which reads what has come since the last look.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use tracelake_engine::runtime::Engine;

use super::Session;
use crate::error::{Error, ErrorKind, Result};
use crate::format::job_ended;
use crate::ingest::{Progress, Reading, Report, Request, Watch};

/// How to follow a profile; see [`Session::follow`].
#[derive(Clone)]
pub struct Follow {
    /// Time between two looks.
    pub every: Duration,
    /// Ends after so long without news; none waits for the end of the job.
    pub idle: Option<Duration>,
    /// Told of the progress of each look that reads something.
    pub watch: Option<Watch>,
}

impl Default for Follow {
    /// A look every 10 seconds, to the end of the job.
    fn default() -> Self {
        Self { every: Duration::from_secs(10), idle: None, watch: None }
    }
}

impl std::fmt::Debug for Follow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follow").field("every", &self.every).field("idle", &self.idle).finish_non_exhaustive()
    }
}

/// What arrives of a profile that is being written: [`Session::follow`].
#[derive(Debug)]
pub struct Following {
    session: Session,
    how: Follow,
    url: String,
    /// None when it is over.
    reading: Option<Box<Reading>>,
    /// When to look again; none: at once.
    next: Option<Instant>,
    /// The last time that something arrived.
    news: Instant,
    /// What is left of the job after the last look.
    left: Left,
    /// Why nothing could be read yet.
    nothing: Option<Error>,
}

/// What is left of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// It goes on.
    Looks,
    /// It has ended: what was listed before its last files were there is read by one more look.
    LastLook,
    /// All was read.
    Nothing,
}

/// What a look found.
struct Look {
    reading: Box<Reading>,
    ended: bool,
    report: Result<Report>,
}

impl Session {
    /// Follows a profile while its job writes it: each item is the report of a look that found something, and the session
    /// sees these rows when it is handed out.
    ///
    /// A look lists the profile once and reads what is new or has changed, as [`Session::ingest`] does: the rows of a file
    /// that grew are replaced, so that each row is there once. A profile that is not there yet is waited for. It is over,
    /// after a last look, when SageMaker's `training_job_end.ts` is there, or after [`Follow::idle`] without news; who
    /// drops it, or is interrupted, stops it, and following again goes on from there. The key metrics of the run are
    /// missing until it is over.
    ///
    /// # Errors
    /// Argument for an address with `*`, and what [`Session::ingest`] says. An item is an error when a look failed, which
    /// ends it, or, at the end, when nothing could be read.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// use std::time::Duration;
    /// use tracelake::{Follow, Request};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let s = tracelake::create(folder.path().to_str().unwrap())?;
    /// let url = "tests/data/first_look/profiler-output".to_owned();
    /// let how = Follow { every: Duration::from_millis(10), idle: Some(Duration::from_secs(1)), ..Follow::default() };
    /// for arrived in s.follow(Request { url, ..Request::default() }, how)? {
    ///     println!("{}", arrived?);
    /// }
    /// assert_eq!(s.table("step", None, None)?.rows()?, 220);
    /// # Ok(())
    /// # }
    /// ```
    pub fn follow(&self, request: Request, how: Follow) -> Result<Following> {
        let url = request.url.clone();
        if url.contains('*') {
            let text = format!("cannot follow {url}: it matches many profiles");
            return Err(Error::new(ErrorKind::Argument, text).with_hint("follow each profile in its own session"));
        }
        let (lake, handle) = (self.inner.lake.clone(), self.inner.engine.handle().clone());
        let reading = Some(Box::new(Reading::of(lake, handle, request)?));
        let (next, news, left) = (None, Instant::now(), Left::Looks);
        Ok(Following { session: self.clone(), how, url, reading, next, news, left, nothing: None })
    }
}

impl Following {
    /// Waits for the time of the next look, and looks.
    fn look(&mut self, reading: Box<Reading>) -> Result<Option<Report>> {
        let engine = &self.session.inner.engine;
        if let Some(next) = self.next {
            engine.pause(next.saturating_duration_since(Instant::now()))?;
        }
        let last = self.left == Left::LastLook;
        let stop = Arc::new(AtomicBool::new(false));
        let look = look(engine, reading, last, &stop, self.how.watch.clone())?;
        self.next = Some(Instant::now() + self.how.every);
        if let Some(run) = look.reading.manifest() {
            let mut only = self.session.inner.only.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(only) = only.as_mut() {
                only.insert(run.run.clone());
            }
            drop(only);
            self.session.see(run);
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Cancelled, format!("following {} was stopped", self.url)));
        }
        let read_before = look.reading.manifest().is_some();
        self.left = match (last, look.ended) {
            (true, _) => Left::Nothing,
            (false, true) => Left::LastLook,
            (false, false) => Left::Looks,
        };
        self.reading = Some(look.reading);
        match look.report {
            Ok(report) => {
                self.nothing = None;
                if report.read > 0 {
                    self.news = Instant::now();
                    return Ok(Some(report));
                }
            }
            Err(error) if !read_before && is_too_early(&error) => self.nothing = Some(error),
            // The profile was removed: its rows stay.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                self.reading = None;
                return Err(error);
            }
        }
        if self.how.idle.is_some_and(|idle| self.news.elapsed() >= idle) {
            self.left = Left::Nothing;
        }
        Ok(None)
    }

    /// Leaves the lake as an ingest does.
    fn end(&mut self) -> Option<Result<Report>> {
        let reading = self.reading.take()?;
        let Some(run) = reading.manifest().map(|run| run.run.clone()) else {
            return self.nothing.take().map(Err);
        };
        let lake = self.session.inner.lake.clone();
        let checkpoint = self.session.inner.engine.run(async move {
            lake.refresh_checkpoint().await;
            Ok(())
        });
        checkpoint.and_then(|()| self.session.keep_key_metrics(&[run])).err().map(Err)
    }
}

impl Iterator for Following {
    type Item = Result<Report>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.left == Left::Nothing {
                return self.end();
            }
            let reading = self.reading.take()?;
            match self.look(reading) {
                Ok(None) => {}
                Ok(Some(report)) => return Some(Ok(report)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Whether more may come of a profile that gave this error.
fn is_too_early(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Unrecognized | ErrorKind::Malformed)
}

/// Looks once, on a thread of its own. Who gives up waits until it has stopped.
fn look(
    engine: &Engine,
    mut reading: Box<Reading>,
    all: bool,
    stop: &Arc<AtomicBool>,
    watch: Option<Watch>,
) -> Result<Look> {
    let stopped = Arc::clone(stop);
    let watch: Watch = Arc::new(move |progress: Progress| {
        !stopped.load(Ordering::Relaxed) && watch.as_ref().is_none_or(|watch| watch(progress))
    });
    engine.run_blocking(stop, move || {
        let listed = reading.list()?;
        let ended = job_ended(listed.iter().map(|object| object.path.as_ref()));
        let report = reading.look(&listed, all, &watch);
        Ok(Look { reading, ended, report })
    })
}
