//! Leases: which of several processes reads which profile of a list that they share.
//!
//! Leases avoid duplicate work; they do not protect data: if two processes commit the same run, its
//! manifest decides. A lease is a file that is created only if it does not exist, and that its
//! owner writes again at intervals. If it stays unchanged for the timeout, its owner counts as
//! dead. Then one other process can create the next number. Each process measures the unchanged
//! time by itself, so clocks are never compared.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::data_file::unique_name;
use super::{Lake, now};
use crate::error::{ErrorKind, Result};
use crate::source::StoredObject;

/// Number of renewals of a lease within the timeout.
const RENEWALS: u32 = 6;

/// The newest lease of a run, as it was observed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LeaseState {
    number: u64,
    etag: String,
    location: Path,
    since: Instant,
}

/// The leases of a lake, as observed by one process.
#[derive(Debug)]
#[doc(hidden)]
pub struct Leases {
    lake: Lake,
    timeout: Duration,
    /// The observed leases, by the name of the run in paths.
    observed: HashMap<String, LeaseState>,
}

/// The lease of a run that this process reads. Other processes do not read it while the lease is
/// renewed.
#[derive(Debug)]
#[doc(hidden)]
pub struct Lease {
    lake: Lake,
    location: Path,
    owner: String,
}

impl Leases {
    /// `timeout` is the time after which the owner of an unchanged lease counts as dead.
    #[doc(hidden)]
    pub fn new(lake: Lake, timeout: Duration) -> Self {
        Self { lake, timeout, observed: HashMap::new() }
    }

    /// The time between two renewals.
    #[doc(hidden)]
    pub fn pause(&self) -> Duration {
        self.timeout / RENEWALS
    }

    /// Lists all leases, for [`Leases::see`].
    ///
    /// # Errors
    /// Denied, Unreachable.
    #[doc(hidden)]
    pub fn list(&self) -> impl Future<Output = Result<Vec<StoredObject>>> + Send + use<> {
        let folder = self.lake.location.join("_claim");
        async move { folder.list_or_empty().await }
    }

    /// Records these leases, and how long each has been unchanged.
    #[doc(hidden)]
    pub fn observe(&mut self, listed: Vec<StoredObject>) {
        let mut newest: BTreeMap<String, LeaseState> = BTreeMap::new();
        for object in listed {
            let Some((run, number)) = object.path.split_once('/') else { continue };
            let Ok(number) = number.parse() else { continue };
            let observed = LeaseState { number, etag: object.etag, location: object.location, since: Instant::now() };
            let entry = newest.entry(run.to_owned()).or_insert_with(|| observed.clone());
            if number > entry.number {
                *entry = observed;
            }
        }
        for (run, lease) in &mut newest {
            let old = self.observed.get(run).filter(|old| (old.number, &old.etag) == (lease.number, &lease.etag));
            lease.since = old.map_or(lease.since, |old| old.since);
        }
        self.observed = newest.into_iter().collect();
    }

    /// Acquires the lease of a run. None if another process has it, as far as is known from the
    /// last call of [`Leases::see`].
    ///
    /// # Errors
    /// Denied, Unreachable, Exhausted.
    #[doc(hidden)]
    pub fn acquire(&self, run: &str) -> impl Future<Output = Result<Option<Lease>>> + Send + use<> {
        let (lake, timeout) = (self.lake.clone(), self.timeout);
        let folder = lake.location.resolve("_claim").join(run);
        let current = folder.filename().and_then(|name| self.observed.get(name)).cloned();
        async move {
            let number = match &current {
                Some(current) if current.since.elapsed() < timeout => return Ok(None),
                Some(expired) => expired.number + 1,
                None => 0,
            };
            let location = folder.join(format!("{number:010}"));
            let owner = unique_name();
            if let Err(error) = lake.put_new(&location, owner.clone()).await {
                return if error.kind() == ErrorKind::Conflict { Ok(None) } else { Err(error) };
            }
            if let Some(expired) = current {
                // Best effort: the higher number is valid.
                let _ = lake.location.store().delete(&expired.location).await;
            }
            Ok(Some(Lease { lake, location, owner }))
        }
    }
}

impl Lease {
    /// Renews the lease. Best effort: a failed renewal is repeated by the next one.
    #[doc(hidden)]
    pub async fn renew(&self) {
        let _ = self.lake.location.store().put(&self.location, format!("{} {}", self.owner, now()).into()).await;
    }

    /// Releases the lease. Best effort: a lease that stays expires.
    #[doc(hidden)]
    pub async fn release(&self) {
        let _ = self.lake.location.store().delete(&self.location).await;
    }
}
