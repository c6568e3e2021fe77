//! What changes the lake, and how a session comes to see it.

use std::sync::PoisonError;

use super::Session;
use super::context::seen;
use super::open::read;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{Report, Request, Watch};
use crate::source::Place;

impl Session {
    /// Reads a profile into the lake, or many with one `*` in the address, and sees them from then on.
    ///
    /// # Errors
    /// As the ingest of each: the first that fails ends it; those before stay.
    pub fn ingest(&self, request: Request, watch: Option<Watch>) -> Result<Vec<Report>> {
        let mut requests = vec![request.clone()];
        if request.url.contains('*') {
            requests = self.expand(&request)?;
        }
        let mut reports = Vec::new();
        for request in requests {
            let report = read(&self.inner.engine, &self.inner.lake, request, watch.clone())?;
            if let Some(only) = self.inner.only.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                only.insert(report.run.clone());
            }
            reports.push(report);
        }
        self.refresh()?;
        Ok(reports)
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
        let (base, rest) = (before.to_owned(), after.to_owned());
        let names = self.inner.engine.run(async move {
            let listed = place.list().await?;
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
                url: format!("{base}{name}{after}"),
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
