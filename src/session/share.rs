//! Several processes read one list of profiles.
//!
//! Each claims a profile, reads it, and goes on with the next that nobody has. They begin at different places; who meets profiles
//! that others have read looks at the lake, and leaves out all of these. An ingester ends when the whole list is read, so that
//! what another one left when it died is read by those that live.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use super::Session;
use crate::error::Result;
use crate::ingest::Request;
use crate::lake::{Claims, Manifest, Snapshot};

/// Profiles in a row that others have read, after which the lake is looked at.
const MET: usize = 8;

/// Between two looks at what others are still reading.
const PAUSE: Duration = Duration::from_millis(500);

/// A list of profiles, as this process comes to them.
pub(super) struct Shared<'a> {
    session: &'a Session,
    claims: Claims,
    /// The lake when this began.
    before: Snapshot,
    open: Vec<Request>,
}

impl<'a> Shared<'a> {
    /// Others who write nothing for as long as `patience` are taken for dead.
    pub(super) fn new(session: &'a Session, mut requests: Vec<Request>, patience: Duration) -> Result<Self> {
        let random = usize::try_from(RandomState::new().build_hasher().finish() >> 32).unwrap_or_default();
        let start = random % requests.len().max(1);
        requests.rotate_left(start);
        let before = snapshot(session)?;
        Ok(Self { session, claims: Claims::new(session.inner.lake.clone(), patience), before, open: requests })
    }

    /// Hands every profile to `read` that nobody else reads, until all are read; false from it ends that.
    pub(super) fn each(mut self, mut read: impl FnMut(Request) -> bool) -> Result<()> {
        let engine = &self.session.inner.engine;
        loop {
            let mut claims = self.claims;
            self.claims = engine.run(async move { claims.look().await.map(|()| claims) })?;
            let (mut left, mut met, mut mine) = (Vec::new(), 0, false);
            let mut open = std::mem::take(&mut self.open).into_iter();
            for request in open.by_ref() {
                let run = request.run.clone().unwrap_or_default();
                let Some(claim) = engine.run(self.claims.claim(&run))? else {
                    left.push(request);
                    continue;
                };
                let claim = Arc::new(claim);
                let alive = Arc::clone(&claim);
                let beating = engine.every(self.claims.pause(), move || {
                    let claim = Arc::clone(&alive);
                    async move { claim.beat().await }
                });
                let (lake, name) = (self.session.inner.lake.clone(), run.clone());
                let now = engine.run(async move { lake.run(&name).await })?;
                let done = self.is_done(&request, now.as_ref())?;
                let go_on = done || read(request);
                engine.run(async move {
                    // a sign of life under way would make the file anew
                    beating.end().await;
                    claim.release().await;
                    Ok(())
                })?;
                if !go_on {
                    return Ok(());
                }
                mine |= !done;
                met = if done { met + 1 } else { 0 };
                if met == MET {
                    break;
                }
            }
            left.extend(open);
            if left.is_empty() {
                return Ok(());
            }
            if !mine && met < MET {
                engine.pause(PAUSE)?;
            }
            let now = snapshot(self.session)?;
            for request in left {
                if !self.is_done(&request, now.get(request.run.as_deref().unwrap_or_default()))? {
                    self.open.push(request);
                }
            }
            if self.open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Whether somebody has read this profile since this began, as the manifest of its run tells.
    fn is_done(&self, request: &Request, now: Option<&Arc<Manifest>>) -> Result<bool> {
        let Some(now) = now else { return Ok(false) };
        match self.before.get(&now.run) {
            Some(before) => Ok(before.objects != now.objects),
            None => {
                let mut options = self.session.inner.options.clone();
                options.extend(request.options.clone());
                let place = self.session.inner.lake.place().beside(&request.url, &options)?;
                Ok(now.sources.iter().any(|source| source == place.url()))
            }
        }
    }
}

fn snapshot(session: &Session) -> Result<Snapshot> {
    let lake = session.inner.lake.clone();
    session.inner.engine.run(async move { lake.snapshot().await })
}
