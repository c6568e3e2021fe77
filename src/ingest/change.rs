//! Commits that read no profile: what is said about a run, and its end.

use std::collections::{BTreeMap, BTreeSet};

use tokio::runtime::Handle;

use super::commit::{TRIES, USER, busy, commit_behind, now, tags};
use crate::error::{Error, ErrorKind, Result};
use crate::lake::{Lake, Manifest};

/// Commits that a run is no more. Its rows stay in the lake until it is vacuumed, for sessions that see them.
///
/// # Errors
/// As [`tag`].
pub(crate) fn delete(lake: &Lake, run: &str, handle: &Handle) -> Result<()> {
    for _ in 0..TRIES {
        let Some(base) = handle.block_on(lake.run(run))? else { return Err(Error::unknown("run", run, &[])) };
        let (generation, committed) = (base.generation + 1, now());
        let next = Manifest { generation, committed, deleted: true, ..Manifest::empty(run) };
        match handle.block_on(lake.commit(&next)) {
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            done => return done,
        }
    }
    Err(busy(run).with_hint("try again when they are done"))
}

/// Changes what the user says about a run, and commits that: a value, or none for a tag that goes.
///
/// # Errors
/// NotFound without such a run; Conflict when other writers were faster time after time; Denied, Unreachable, Exhausted.
pub(crate) fn tag(
    lake: &Lake,
    run: &str,
    changes: &BTreeMap<String, Option<String>>,
    handle: &Handle,
) -> Result<Manifest> {
    for _ in 0..TRIES {
        let Some(base) = handle.block_on(lake.run(run))? else { return Err(Error::unknown("run", run, &[])) };
        let mut next = Manifest::clone(&base);
        for (name, value) in changes {
            match value {
                Some(value) => _ = next.tags.insert(name.clone(), value.clone()),
                None => _ = next.tags.remove(name),
            }
        }
        if next.tags == base.tags {
            return Ok(next);
        }
        let made = tags(lake, &next, handle)?;
        match commit_behind(lake, &base, next, &BTreeSet::from([USER]), made.clone(), handle) {
            Err(error) if error.kind() == ErrorKind::Conflict => handle.block_on(lake.discard(&made)),
            done => return done,
        }
    }
    Err(busy(run).with_hint("try again when they are done"))
}
