//! Commits that read no profile: what is said about a run, and its end.

use std::collections::{BTreeMap, BTreeSet};

use tokio::runtime::Handle;

use super::commit::{TRIES, USER, busy, commit_behind, copied, tags};
use super::naming::check_name;
use crate::error::{Error, ErrorKind, Result};
use crate::lake::{Lake, Manifest, Part, PartWriter, now};

/// Commits that a run is no more. Its rows stay in the lake until it is vacuumed, for sessions that see them.
///
/// # Errors
/// As [`tag`].
#[doc(hidden)]
pub fn delete(lake: &Lake, run: &str, handle: &Handle) -> Result<()> {
    for _ in 0..TRIES {
        let (generation, renamed) = match handle.block_on(lake.run(run)) {
            Ok(Some(base)) => (base.generation + 1, base.renamed.clone()),
            Ok(None) => return Err(Error::unknown("run", run, &[])),
            // A run with a corrupt manifest can still be deleted.
            Err(error) if error.kind() == ErrorKind::Malformed => {
                (handle.block_on(lake.last_generation(run))? + 1, None)
            }
            Err(error) => return Err(error),
        };
        let committed = now();
        let next = Manifest { generation, committed, deleted: true, renamed, ..Manifest::empty(run) };
        match handle.block_on(lake.commit(&next)) {
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            done => return done,
        }
    }
    Err(busy(run).with_hint("try again when the other processes have finished"))
}

/// Gives a run another name: its rows are written anew under that, and the commit of their manifest is at once the end of the old name.
///
/// # Errors
/// As [`tag`]; Argument for a name that cannot be one; Conflict for one that is taken, or when somebody else changed the run
/// meanwhile, which is then there under both names.
#[doc(hidden)]
pub fn rename(lake: &Lake, run: &str, to: &str, handle: &Handle) -> Result<()> {
    check_name(to)?;
    let Some(base) = handle.block_on(lake.run(run))? else { return Err(Error::unknown("run", run, &[])) };
    let there = handle.block_on(lake.newest_of(to))?;
    if there.as_ref().is_some_and(|there| !there.deleted) {
        let text = format!("cannot rename run `{run}`: the lake has a run `{to}`");
        return Err(Error::new(ErrorKind::Conflict, text).with_hint("choose another name, or delete that run first"));
    }
    let copy = |writer: &mut PartWriter, part: &Part, bytes| writer.copy_as(to, part, bytes);
    let parts = copied(lake, run, base.parts.iter(), copy, handle)?;
    let next = Manifest {
        run: to.to_owned(),
        generation: there.map_or(1, |there| there.generation + 1),
        committed: now(),
        renamed: Some((run.to_owned(), base.generation)),
        parts: parts.clone(),
        ..Manifest::clone(&base)
    };
    if let Err(error) = handle.block_on(lake.commit(&next)) {
        if error.kind() == ErrorKind::Conflict {
            handle.block_on(lake.discard(&parts));
        }
        return Err(error);
    }
    let generation = base.generation + 1;
    let end = Manifest { generation, committed: now(), deleted: true, ..Manifest::empty(run) };
    handle.block_on(lake.commit(&end)).map_err(|error| match error.kind() {
        ErrorKind::Conflict => {
            let text = format!("run `{run}` was changed while it was renamed to `{to}`: it exists under both names");
            Error::new(ErrorKind::Conflict, text).with_hint(format!("delete `{to}` and rename again"))
        }
        _ => error,
    })
}

/// Writes the parts of a run anew that an older version wrote, with the columns that their tables have now; gives how many. With
/// `dry` nothing is written.
///
/// # Errors
/// As [`tag`]; Malformed for a damaged part.
#[doc(hidden)]
pub fn upgrade(lake: &Lake, run: &str, dry: bool, handle: &Handle) -> Result<usize> {
    for _ in 0..TRIES {
        let Some(base) = handle.block_on(lake.run(run))? else { return Err(Error::unknown("run", run, &[])) };
        let old = handle.block_on(lake.outdated_parts(&base))?;
        if dry || old.is_empty() {
            return Ok(old.len());
        }
        let copy = |writer: &mut PartWriter, part: &Part, bytes| writer.copy(part, bytes, &BTreeSet::new());
        let made = copied(lake, run, old.iter(), copy, handle)?;
        let mut next = Manifest { generation: base.generation + 1, committed: now(), ..Manifest::clone(&base) };
        next.parts.retain(|part| !old.contains(part));
        next.parts.extend(made.iter().cloned());
        match handle.block_on(lake.commit(&next)) {
            Err(error) if error.kind() == ErrorKind::Conflict => handle.block_on(lake.discard(&made)),
            done => return done.map(|()| old.len()),
        }
    }
    Err(busy(run).with_hint("try again when the other processes have finished"))
}

/// Changes what the user says about a run, and commits that: a value, or none for a tag that goes.
///
/// # Errors
/// NotFound without such a run; Conflict when other writers were faster time after time; Denied, Unreachable, Exhausted.
#[doc(hidden)]
pub fn tag(lake: &Lake, run: &str, changes: &BTreeMap<String, Option<String>>, handle: &Handle) -> Result<Manifest> {
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
    Err(busy(run).with_hint("try again when the other processes have finished"))
}
