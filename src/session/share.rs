//! Several processes share the ingest of one list of profiles.
//!
//! Each process claims a profile, reads it, and continues with the next one that no other process has claimed. The
//! processes begin at different positions. After several profiles in a row that others have read, a process reads the lake
//! again, and skips all of these. A process ends when the whole list is read, so it also reads what a killed process left.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use super::Session;
use crate::error::Result;
use crate::ingest::Request;
use crate::lake::{Lease, Leases, Manifest, Snapshot};

/// Number of profiles in a row that others have read, after which the lake is read again.
const MAX_SKIPPED: usize = 8;

/// Time between two checks of profiles that other processes are reading.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The list of profiles of this process.
pub(super) struct SharedIngest<'a> {
    session: &'a Session,
    claims: Leases,
    /// The lake at the start.
    before: Snapshot,
    remaining: Vec<Request>,
}

/// The result for a claimed profile.
enum ProfileResult {
    /// Another process has read it.
    ReadByOther,
    /// This process has read it.
    ReadHere,
    /// This process has read it, and stops.
    Stop,
}

impl<'a> SharedIngest<'a> {
    /// Other processes that do not renew their claims for `patience` count as killed.
    pub(super) fn new(session: &'a Session, mut requests: Vec<Request>, patience: Duration) -> Result<Self> {
        let random = usize::try_from(RandomState::new().build_hasher().finish() >> 32).unwrap_or_default();
        let start = random % requests.len().max(1);
        requests.rotate_left(start);
        let before = load_snapshot(session)?;
        Ok(Self { session, claims: Leases::new(session.inner.lake.clone(), patience), before, remaining: requests })
    }

    /// Calls `read` for every profile that no other process reads, until all are read. False from `read` stops this process.
    pub(super) fn each(mut self, mut read: impl FnMut(Request) -> bool) -> Result<()> {
        let engine = &self.session.inner.engine;
        while !self.remaining.is_empty() {
            let listed = engine.run(self.claims.list())?;
            self.claims.observe(listed);
            let (mut unread, mut skipped, mut has_read) = (Vec::new(), 0, false);
            let mut remaining = std::mem::take(&mut self.remaining).into_iter();
            while skipped < MAX_SKIPPED
                && let Some(request) = remaining.next()
            {
                let run = request.run.clone().unwrap_or_default();
                match engine.run(self.claims.acquire(&run))? {
                    None => unread.push(request),
                    Some(claim) => match self.with_claim(claim, || self.read(request, &mut read))? {
                        ProfileResult::ReadByOther => skipped += 1,
                        ProfileResult::ReadHere => (skipped, has_read) = (0, true),
                        ProfileResult::Stop => return Ok(()),
                    },
                }
            }
            unread.extend(remaining);
            if unread.is_empty() {
                break;
            }
            if !has_read && skipped < MAX_SKIPPED {
                engine.pause(POLL_INTERVAL)?;
            }
            let now = load_snapshot(self.session)?;
            for request in unread {
                if !self.is_read(&request, now.get(request.run.as_deref().unwrap_or_default()))? {
                    self.remaining.push(request);
                }
            }
        }
        Ok(())
    }

    /// Runs `work` while a claim is renewed, and then releases the claim.
    fn with_claim<T>(&self, claim: Lease, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let engine = &self.session.inner.engine;
        let claim = Arc::new(claim);
        let alive = Arc::clone(&claim);
        let renewal = engine.run_periodically(self.claims.pause(), move || {
            let claim = Arc::clone(&alive);
            async move { claim.renew().await }
        });
        let result = work();
        engine.run(async move {
            // A renewal after the release would create the file again.
            renewal.end().await;
            claim.release().await;
            Ok(())
        })?;
        result
    }

    /// Reads a profile, unless another process has read it.
    fn read(&self, request: Request, read: &mut impl FnMut(Request) -> bool) -> Result<ProfileResult> {
        let name = request.run.clone().unwrap_or_default();
        let now = self.session.on_lake(|lake| async move { lake.run(&name).await })?;
        if self.is_read(&request, now.as_ref())? {
            return Ok(ProfileResult::ReadByOther);
        }
        Ok(if read(request) { ProfileResult::ReadHere } else { ProfileResult::Stop })
    }

    /// Returns true if a process has read this profile since the start, according to the manifest of its run.
    fn is_read(&self, request: &Request, now: Option<&Arc<Manifest>>) -> Result<bool> {
        let Some(now) = now else { return Ok(false) };
        match self.before.get(&now.run) {
            Some(before) => Ok(before.objects != now.objects),
            None => {
                let mut options = self.session.inner.settings.options.clone();
                options.extend(request.options.clone());
                let location = self.session.inner.lake.location().open_related(&request.url, &options)?;
                Ok(now.sources.iter().any(|source| source == location.url()))
            }
        }
    }
}

fn load_snapshot(session: &Session) -> Result<Snapshot> {
    session.on_lake(|lake| async move { Ok(lake.snapshot().await?.runs) })
}
