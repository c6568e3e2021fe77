//! What changes the lake, and how a session comes to see it.

use std::sync::PoisonError;

use super::Session;
use super::context::seen;
use super::open::read;
use super::provider::current;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{Report, Request, Watch};
use crate::source::Place;

impl Session {
    /// Reads a profile into the lake, or many with one `*` in the address, and sees them from then on.
    ///
    /// One report per profile, in the order of their names. Of many profiles, one that cannot be read does not keep the
    /// others out: its report has an `error`.
    ///
    /// # Errors
    /// Those of the profile, or of the first of many if none of them could be read. What concerns all of them (no
    /// access, no network, no space, interrupted) ends the ingest; the profiles before stay.
    pub fn ingest(&self, request: Request, watch: Option<Watch>) -> Result<Vec<Report>> {
        let many = request.url.contains('*');
        let requests = if many { self.expand(&request)? } else { vec![request] };
        let mut reports = Vec::new();
        let mut bad = None;
        let mut ended = Ok(());
        for request in requests {
            let (run, url) = (request.run.clone().unwrap_or_default(), request.url.clone());
            match read(&self.inner.engine, &self.inner.lake, request, watch.clone()) {
                Ok(report) => {
                    if let Some(only) = self.inner.only.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                        only.insert(report.run.clone());
                    }
                    reports.push(report);
                }
                Err(error) if many && concerns_one_profile(error.kind()) => {
                    reports.push(Report { run, url, error: Some(error.to_string()), ..Report::default() });
                    bad.get_or_insert(error);
                }
                Err(error) => {
                    ended = Err(error);
                    break;
                }
            }
        }
        let lake = self.inner.lake.clone();
        self.inner.engine.run(async move {
            lake.refresh_checkpoint().await;
            Ok(())
        })?;
        self.refresh()?;
        ended?;
        let ingested = reports.iter().filter(|report| report.error.is_none()).map(|report| report.run.clone());
        self.keep_key_figures(&ingested.collect::<Vec<_>>()).map_err(|error| {
            error.with_context("committed", "the rows; only the key figures of the runs are missing")
        })?;
        let snapshot = current(&self.inner.snapshot);
        for report in &mut reports {
            report.generation = snapshot.get(&report.run).map_or(report.generation, |run| run.generation);
        }
        match bad {
            Some(error) if reports.iter().all(|report| report.error.is_some()) => Err(error),
            _ => Ok(reports),
        }
    }

    /// One request per profile that an address with `*` stands for; runs are named by what it matched.
    fn expand(&self, request: &Request) -> Result<Vec<Request>> {
        if request.run.is_some() {
            return Err(
                Error::new(ErrorKind::Argument, "cannot give one name to many runs").with_hint("leave out run=")
            );
        }
        let (before, after) = request.url.split_once('*').unwrap_or((&request.url, ""));
        if after.contains('*') || !before.ends_with('/') || !(after.is_empty() || after.starts_with('/')) {
            let text = format!("cannot expand {}: one `*` may stand for one folder", request.url);
            return Err(Error::new(ErrorKind::Argument, text).with_hint("write s3://bucket/jobs/*/profiler-output"));
        }
        let mut options = self.inner.options.clone();
        options.extend(request.options.clone());
        let place = Place::open(before, &options)?;
        let (base, rest, folder) = (before.to_owned(), after.to_owned(), place.clone());
        let names = self.inner.engine.run(async move {
            let listed = folder.list().await?;
            let mut names: Vec<String> = listed
                .iter()
                .filter_map(|object| {
                    let (name, below) = object.path.split_once('/')?;
                    format!("/{below}")
                        .starts_with(&format!("{}/", rest.trim_end_matches('/')))
                        .then(|| name.to_owned())
                })
                .collect();
            names.dedup();
            Ok(names)
        })?;
        if names.is_empty() {
            return Err(Error::new(ErrorKind::NotFound, format!("cannot read {}: no folder matches", request.url)));
        }
        Ok(names
            .into_iter()
            .map(|name| Request {
                // A name as the store spells it is not yet an address.
                url: if base.contains("://") {
                    place.join(&format!("{name}{after}")).url().to_owned()
                } else {
                    format!("{base}{name}{after}")
                },
                run: Some(name),
                expanded: true,
                ..request.clone()
            })
            .collect())
    }

    /// Sees what other writers have committed since.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub fn refresh(&self) -> Result<()> {
        let only = self.inner.only.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let lake = self.inner.lake.clone();
        let snapshot = self.inner.engine.run(async move { seen(&lake, only).await })?;
        *self.inner.snapshot.write().unwrap_or_else(PoisonError::into_inner) = snapshot;
        Ok(())
    }
}

/// Whether an error says something about one profile, and nothing about the next one.
fn concerns_one_profile(kind: ErrorKind) -> bool {
    use ErrorKind::{Argument, Conflict, Malformed, NotFound, Unrecognised};
    matches!(kind, NotFound | Unrecognised | Malformed | Conflict | Argument)
}
