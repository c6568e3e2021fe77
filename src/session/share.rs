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
use crate::lake::{Claim, Claims, Manifest, Snapshot};

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

/// What became of a profile.
enum Read {
    ByOthers,
    ByThis,
    /// By this process, and it is to be the last.
    NoMore,
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
        while !self.open.is_empty() {
            let listed = engine.run(self.claims.list())?;
            self.claims.see(listed);
            let (mut left, mut met, mut mine) = (Vec::new(), 0, false);
            let mut open = std::mem::take(&mut self.open).into_iter();
            while met < MET
                && let Some(request) = open.next()
            {
                let run = request.run.clone().unwrap_or_default();
                match engine.run(self.claims.claim(&run))? {
                    None => left.push(request),
                    Some(claim) => match self.holding(claim, || self.read(request, &mut read))? {
                        Read::ByOthers => met += 1,
                        Read::ByThis => (met, mine) = (0, true),
                        Read::NoMore => return Ok(()),
                    },
                }
            }
            left.extend(open);
            if left.is_empty() {
                break;
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
        }
        Ok(())
    }

    /// Works while a claim shows signs of life, and gives it free however that ends.
    fn holding<T>(&self, claim: Claim, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let engine = &self.session.inner.engine;
        let claim = Arc::new(claim);
        let alive = Arc::clone(&claim);
        let beating = engine.every(self.claims.pause(), move || {
            let claim = Arc::clone(&alive);
            async move { claim.beat().await }
        });
        let worked = work();
        engine.run(async move {
            // a sign of life under way would make the file anew
            beating.end().await;
            claim.release().await;
            Ok(())
        })?;
        worked
    }

    /// Reads a profile, unless somebody has done that.
    fn read(&self, request: Request, read: &mut impl FnMut(Request) -> bool) -> Result<Read> {
        let (lake, name) = (self.session.inner.lake.clone(), request.run.clone().unwrap_or_default());
        let now = self.session.inner.engine.run(async move { lake.run(&name).await })?;
        if self.is_done(&request, now.as_ref())? {
            return Ok(Read::ByOthers);
        }
        Ok(if read(request) { Read::ByThis } else { Read::NoMore })
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
    session.inner.engine.run(async move { Ok(lake.snapshot().await?.runs) })
}
