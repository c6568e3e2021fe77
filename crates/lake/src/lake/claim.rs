//! Claims: which of several ingesters that share a list of profiles reads which.
//!
//! They spare work and guard nothing: of two that commit the same run all the same, its manifest decides. A claim is a file
//! that is made only where there is none, and that its holder writes anew all the time. One that stays as it is for long belongs to
//! a process that died; who sees that claims the next number, which again only one can. No clock is compared with another one:
//! how long a claim stays as it is each ingester measures by itself.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::part::unique;
use super::{Lake, now};
use crate::error::{ErrorKind, Result};
use crate::source::Object;

/// A claim is written anew so often within the time after which it counts as dead.
const BEATS: u32 = 6;

/// The newest claim of a run as it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    number: u64,
    etag: String,
    location: Path,
    since: Instant,
}

/// The claims of a lake, as one ingester watches them.
#[derive(Debug)]
#[doc(hidden)]
pub struct Claims {
    lake: Lake,
    patience: Duration,
    /// By the name of the run as it is in paths.
    seen: HashMap<String, Seen>,
}

/// A run that this process may read; others leave it alone as long as this shows signs of life.
#[derive(Debug)]
#[doc(hidden)]
pub struct Claim {
    lake: Lake,
    location: Path,
    holder: String,
}

impl Claims {
    /// Whose holder writes nothing for so long is taken for dead.
    #[doc(hidden)]
    pub fn new(lake: Lake, patience: Duration) -> Self {
        Self { lake, patience, seen: HashMap::new() }
    }

    /// The time between two signs of life.
    #[doc(hidden)]
    pub fn pause(&self) -> Duration {
        self.patience / BEATS
    }

    /// All claims there are, for [`Claims::see`].
    ///
    /// # Errors
    /// Denied, Unreachable.
    #[doc(hidden)]
    pub fn list(&self) -> impl Future<Output = Result<Vec<Object>>> + Send + use<> {
        let folder = self.lake.place.join("_claim");
        async move { folder.list_if_any().await }
    }

    /// Takes note of these claims, and for how long each has been as it is.
    #[doc(hidden)]
    pub fn see(&mut self, listed: Vec<Object>) {
        let mut newest: BTreeMap<String, Seen> = BTreeMap::new();
        for object in listed {
            let Some((run, number)) = object.path.split_once('/') else { continue };
            let Ok(number) = number.parse() else { continue };
            let seen = Seen { number, etag: object.etag, location: object.location, since: Instant::now() };
            let entry = newest.entry(run.to_owned()).or_insert_with(|| seen.clone());
            if number > entry.number {
                *entry = seen;
            }
        }
        for (run, now) in &mut newest {
            if let Some(before) = self.seen.get(run).filter(|old| (old.number, &old.etag) == (now.number, &now.etag)) {
                now.since = before.since;
            }
        }
        self.seen = newest.into_iter().collect();
    }

    /// Claims a run; none if somebody who lives has it, as far as the last look told.
    ///
    /// # Errors
    /// Denied, Unreachable, Exhausted.
    #[doc(hidden)]
    pub fn claim(&self, run: &str) -> impl Future<Output = Result<Option<Claim>>> + Send + use<> {
        let (lake, patience) = (self.lake.clone(), self.patience);
        let folder = lake.place.at("_claim").join(run);
        let held = folder.filename().and_then(|name| self.seen.get(name)).cloned();
        async move {
            let number = match &held {
                Some(held) if held.since.elapsed() < patience => return Ok(None),
                Some(dead) => dead.number + 1,
                None => 0,
            };
            let location = folder.join(format!("{number:010}"));
            let holder = unique();
            match lake.put_new(&location, holder.clone()).await {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::Conflict => return Ok(None),
                Err(error) => return Err(error),
            }
            if let Some(dead) = held {
                // Best effort: the higher number counts.
                let _ = lake.place.store().delete(&dead.location).await;
            }
            Ok(Some(Claim { lake, location, holder }))
        }
    }
}

impl Claim {
    /// Shows a sign of life. Best effort: one that is missing is one less.
    #[doc(hidden)]
    pub async fn beat(&self) {
        let _ = self.lake.place.store().put(&self.location, format!("{} {}", self.holder, now()).into()).await;
    }

    /// Gives the run free. Best effort: what stays looks dead after a while.
    #[doc(hidden)]
    pub async fn release(&self) {
        let _ = self.lake.place.store().delete(&self.location).await;
    }
}
