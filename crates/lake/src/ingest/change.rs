//! Changes of a run without an ingest: tags, name, deletion, and upgrades of its data files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::runtime::Handle;

use super::commit::{USER_OBJECT, commit_next, commit_or_discard, has_lost_tags, retry, rewrite_parts, write_tags};
use super::naming::check_name;
use super::store::store_files;
use crate::error::{Error, ErrorKind, Result};
use crate::lake::{DataFile, DataFileWriter, FORMAT, GROUP_ROWS, Lake, Manifest, NestingWriter, now};
use crate::table::table;

/// Deletes a run with a commit. Its rows stay in the lake until a vacuum, for sessions that see
/// them.
///
/// # Errors
/// Those of [`tag`].
#[doc(hidden)]
pub fn delete(lake: &Lake, run: &str, handle: &Handle) -> Result<()> {
    retry(run, || {
        let (generation, renamed) = match handle.block_on(lake.run(run)) {
            Ok(Some(base)) => (base.generation + 1, base.renamed.clone()),
            Ok(None) => return Err(Error::unknown("run", run, &[])),
            // A run with a corrupt manifest can be deleted, too.
            Err(error) if error.kind() == ErrorKind::Malformed => {
                (handle.block_on(lake.last_generation(run))? + 1, None)
            }
            Err(error) => return Err(error),
        };
        let committed = now();
        let next = Manifest { generation, committed, deleted: true, renamed, ..Manifest::empty(run) };
        handle.block_on(lake.commit(&next))
    })
}

/// Renames a run: writes its rows under the new name. The old run gets a commit with its new name before, and is deleted
/// after. If the process is killed in between, the commit of the new run has ended the old one.
///
/// # Errors
/// Those of [`tag`]; Argument for an invalid name; Conflict if the name is in use, or if another
/// process changed the run at the same time: then it exists under both names.
#[doc(hidden)]
pub fn rename(lake: &Lake, run: &str, new_name: &str, handle: &Handle) -> Result<()> {
    check_name(new_name)?;
    let Some(base) = handle.block_on(lake.run(run))? else { return Err(Error::unknown("run", run, &[])) };
    let existing = handle.block_on(lake.newest_manifest(new_name))?;
    if existing.as_ref().is_some_and(|existing| !existing.deleted) {
        let text = format!("cannot rename run `{run}`: the lake has a run `{new_name}`");
        return Err(Error::new(ErrorKind::Conflict, text).with_hint("choose another name, or delete that run first"));
    }
    if let Some(existing) = &existing {
        end_rename(lake, existing, handle)?;
    }
    let copy = |writer: &mut DataFileWriter, part: &DataFile, bytes| writer.copy_as(new_name, part, bytes);
    let parts = rewrite_parts(lake, run, base.parts.iter(), copy, handle)?;
    let (marked, committed) = (base.generation + 1, now());
    let marker =
        Manifest { generation: marked, committed, renamed_to: Some(new_name.to_owned()), ..Manifest::clone(&base) };
    commit_or_discard(lake, &marker, &parts, handle)?;
    let next = Manifest {
        run: new_name.to_owned(),
        generation: existing.map_or(1, |existing| existing.generation + 1),
        committed,
        renamed: Some((run.to_owned(), marked)),
        renamed_to: None,
        parts: parts.clone(),
        ..Manifest::clone(&base)
    };
    commit_or_discard(lake, &next, &parts, handle)?;
    let renamed = base.renamed.clone();
    let end = Manifest { generation: marked + 1, committed: now(), deleted: true, renamed, ..Manifest::empty(run) };
    handle.block_on(lake.commit(&end)).map_err(|error| match error.kind() {
        ErrorKind::Conflict => {
            let text =
                format!("run `{run}` was changed while it was renamed to `{new_name}`: it exists under both names");
            Error::new(ErrorKind::Conflict, text).with_hint(format!("delete `{new_name}` and rename again"))
        }
        _ => error,
    })
}

/// Deletes the run that was renamed to this one, if the process was killed before it deleted it.
fn end_rename(lake: &Lake, run: &Manifest, handle: &Handle) -> Result<()> {
    let Some((name, generation)) = &run.renamed else { return Ok(()) };
    let Some(old) = handle.block_on(lake.newest_manifest(name))?.filter(|old| old.generation <= *generation) else {
        return Ok(());
    };
    let (generation, renamed) = (old.generation + 1, old.renamed.clone());
    let end = Manifest { generation, committed: now(), deleted: true, renamed, ..Manifest::empty(name) };
    handle.block_on(lake.commit(&end))
}

/// Rewrites the data files of a run that an older version wrote, with the current columns of their
/// tables. Returns their number. With `dry`, nothing is written.
///
/// # Errors
/// Those of [`tag`]; Malformed for a corrupt data file.
#[doc(hidden)]
pub fn upgrade(lake: &Lake, run: &str, dry: bool, handle: &Handle) -> Result<usize> {
    retry(run, || {
        let Some(base) = handle.block_on(lake.run(run))? else { return Err(Error::unknown("run", run, &[])) };
        let lacking: BTreeSet<i64> =
            base.objects.iter().filter(|entry| entry.lacks_nesting()).map(|entry| entry.id).collect();
        let is_lacking = |part: &DataFile| part.table == "event" && part.objects.iter().any(|id| lacking.contains(id));
        let outdated = handle.block_on(lake.outdated_data_files(&base))?;
        let outdated: BTreeSet<&str> = outdated.iter().map(|part| part.path.as_str()).collect();
        let is_old = |part: &&DataFile| is_lacking(part) || outdated.contains(part.path.as_str());
        let old: Vec<&DataFile> = base.parts.iter().filter(is_old).collect();
        if dry || (old.is_empty() && lacking.is_empty()) {
            return Ok(old.len());
        }
        let has_others = |part: &&DataFile| !is_lacking(part) || part.objects.iter().any(|id| !lacking.contains(id));
        let copied = old.iter().copied().filter(has_others);
        let none = BTreeSet::new();
        let copy = |writer: &mut DataFileWriter, part: &DataFile, bytes| {
            writer.copy(part, bytes, if is_lacking(part) { &lacking } else { &none })
        };
        let mut new_parts = rewrite_parts(lake, run, copied, copy, handle)?;
        let nested = old.iter().copied().filter(|part| is_lacking(part));
        new_parts.extend(nest_parts(lake, run, nested, &lacking, handle)?);
        let mut next = Manifest { generation: base.generation + 1, committed: now(), ..Manifest::clone(&base) };
        for entry in next.objects.iter_mut().filter(|entry| lacking.contains(&entry.id)) {
            Arc::make_mut(entry).is_nested = true;
        }
        next.parts.retain(|part| !is_old(&part));
        next.parts.extend(new_parts.iter().cloned());
        next.format = FORMAT;
        commit_or_discard(lake, &next, &new_parts, handle).map(|()| old.len())
    })
}

/// Stores the events of these objects with their nesting.
fn nest_parts<'a>(
    lake: &Lake,
    run: &str,
    parts: impl Iterator<Item = &'a DataFile>,
    objects: &BTreeSet<i64>,
    handle: &Handle,
) -> Result<Vec<DataFile>> {
    let Some(event) = table("event") else { return Ok(Vec::new()) };
    let mut writer = NestingWriter::new(event, GROUP_ROWS);
    for part in parts {
        writer.copy(part, handle.block_on(lake.read_data_file(part))?, objects)?;
    }
    let mut new_parts = Vec::new();
    NestingWriter::finish(vec![writer], run, |file| store_files(lake, [file], &mut new_parts, handle))?;
    Ok(new_parts)
}

/// Changes the tags of a run with a commit: `None` removes a tag.
///
/// # Errors
/// NotFound if the run does not exist; Conflict if other writers commit first at every attempt;
/// Denied, Unreachable, Exhausted.
#[doc(hidden)]
pub fn tag(lake: &Lake, run: &str, changes: &BTreeMap<String, Option<String>>, handle: &Handle) -> Result<Manifest> {
    retry(run, || {
        let Some(base) = handle.block_on(lake.run(run))? else { return Err(Error::unknown("run", run, &[])) };
        let mut next = Manifest::clone(&base);
        for (name, value) in changes {
            match value {
                Some(value) => _ = next.tags.insert(name.clone(), value.clone()),
                None => _ = next.tags.remove(name),
            }
        }
        if next.tags == base.tags && !has_lost_tags(&base) {
            return Ok(next);
        }
        let new_parts = write_tags(lake, &next, handle)?;
        let result = commit_next(lake, &base, next, &BTreeSet::from([USER_OBJECT]), new_parts.clone(), handle);
        if result.as_ref().is_err_and(|error| error.kind() == ErrorKind::Conflict) {
            handle.block_on(lake.discard(&new_parts));
        }
        result
    })
}
