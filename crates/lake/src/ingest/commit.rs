//! The end of an ingest: creates the next manifest of the run from the previous one and the results
//! of the workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use tokio::runtime::Handle;

use super::duplicates::Duplicates;
use super::plan::IngestPlan;
use super::store::{store_files, write_rows};
use super::work::WorkResult;
use super::{IngestReport, Request};
use crate::error::{Error, ErrorKind, Result};
use crate::lake::{DataFile, DataFileWriter, FORMAT, FinishedFile, GROUP_ROWS, Lake, Manifest, now};
use crate::source::Location;
use crate::table::{Rows, RunAttribute, table};

/// The object id of rows that come from the user and not from a file.
pub(super) const USER_OBJECT: i64 = -1;

/// Maximum number of attempts to commit if other writers commit first.
pub(super) const MAX_ATTEMPTS: usize = 5;

/// The error if all attempts failed.
pub(super) fn conflict_error(run: &str) -> Error {
    let text = format!("cannot commit run `{run}`: other processes changed it first, {MAX_ATTEMPTS} times");
    Error::new(ErrorKind::Conflict, text)
}

/// Repeats a change of a run while other writers commit first.
pub(super) fn retry<T>(run: &str, change: impl Fn() -> Result<T>) -> Result<T> {
    for _ in 0..MAX_ATTEMPTS {
        match change() {
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            result => return result,
        }
    }
    Err(conflict_error(run).with_hint("try again when the other processes have finished"))
}

/// Size in bytes below which a data file is small: opening it costs as much as reading it.
const SMALL_BYTES: u64 = 1 << 20;

/// Maximum number of small data files of a table and a similar size that are not merged.
const MAX_SMALL_FILES: usize = 16;

/// Commits the results of the workers on top of `base`, unless nothing has changed. Also returns
/// the newest manifest.
pub(super) fn commit(
    lake: &Lake,
    location: &Location,
    base: &Manifest,
    plan: &IngestPlan<'_>,
    result: &WorkResult,
    request: &Request,
    handle: &Handle,
) -> Result<(IngestReport, Manifest)> {
    let mut report = IngestReport {
        read: result.entries.len() as u64,
        failed: result.failed,
        bytes: result.entries.iter().map(|entry| entry.size).sum(),
        skipped: result.entries.iter().map(|entry| entry.skipped).sum(),
        ..plan.report(location, &base.run, base.generation)
    };

    let mut next = base.clone();
    if !next.sources.iter().any(|url| url == location.url()) {
        next.sources.push(location.url().to_owned());
    }
    let changed: BTreeSet<i64> = result.entries.iter().chain(&plan.ignored).map(|entry| entry.id).collect();
    next.objects.retain(|entry| !changed.contains(&entry.id) && !plan.pruned.contains(&entry.id));
    next.objects.extend(result.entries.iter().cloned());
    next.objects.extend(plan.ignored.iter().cloned());
    next.objects.sort_by_key(|entry| entry.id);
    next.tags.extend(request.tags.clone());

    let read: BTreeSet<i64> = result.entries.iter().map(|entry| entry.id).collect();
    let duplicates = Duplicates::find(&next.objects, &read);
    let (mut new_parts, problems) = exclude_copies(lake, &next, result, &duplicates, handle)?;
    for entry in &mut next.objects {
        let is_copy = duplicates.copies.contains_key(&entry.id);
        if is_copy || problems.contains_key(&entry.id) {
            let mut rows = if is_copy { BTreeMap::new() } else { BTreeMap::clone(&entry.rows) };
            *rows.entry("problem".to_owned()).or_default() += problems.get(&entry.id).copied().unwrap_or(0);
            let entry = Arc::make_mut(entry);
            entry.rows = Arc::new(rows);
            entry.is_copy = is_copy;
            entry.is_overlap_reported |= duplicates.overlaps.contains_key(&entry.id);
        }
    }

    for entry in next.objects.iter().filter(|entry| read.contains(&entry.id)) {
        for (table, rows) in entry.rows.as_ref() {
            *report.rows.entry(table.clone()).or_default() += rows;
        }
    }

    let mut removed: BTreeSet<i64> = plan.replaced.difference(&result.unread).copied().collect();
    removed.extend(&plan.pruned);
    removed.extend(duplicates.copies.keys());
    if next.tags != base.tags || has_lost_tags(base) {
        removed.insert(USER_OBJECT);
        new_parts.extend(write_tags(lake, &next, handle)?);
    }
    if next == *base && new_parts.is_empty() && removed.is_empty() {
        return Ok((report, next));
    }
    let next = commit_next(lake, base, next, &removed, new_parts, handle)?;
    report.generation = next.generation;
    Ok((report, next))
}

/// Returns the new parts without the rows of copies, with the problems of duplicates, and the number of these problems
/// by object.
fn exclude_copies(
    lake: &Lake,
    next: &Manifest,
    result: &WorkResult,
    duplicates: &Duplicates,
    handle: &Handle,
) -> Result<(Vec<DataFile>, BTreeMap<i64, i64>)> {
    let copies: BTreeSet<i64> = duplicates.copies.keys().copied().collect();
    let is_copy = |id: &i64| copies.contains(id);
    let (old, mut parts): (Vec<DataFile>, Vec<DataFile>) =
        result.parts.iter().cloned().partition(|part| part.objects.iter().any(is_copy));
    let with_others = old.iter().filter(|part| !part.objects.iter().all(is_copy));
    let copy = |writer: &mut DataFileWriter, part: &DataFile, bytes| writer.copy(part, bytes, &copies);
    parts.extend(rewrite_parts(lake, &next.run, with_others, copy, handle)?);
    let mut rows = Rows::new(&next.run);
    let problems = duplicates.report(&next.objects, &mut rows);
    parts.extend(write_rows(lake, rows, handle)?);
    Ok((parts, problems))
}

/// Commits `next` as the successor of `base`: with its parts without the rows of removed objects,
/// and with the new parts.
pub(super) fn commit_next(
    lake: &Lake,
    base: &Manifest,
    mut next: Manifest,
    removed: &BTreeSet<i64>,
    new_parts: Vec<DataFile>,
    handle: &Handle,
) -> Result<Manifest> {
    let (dropped, rewritten) = rewrite_changed(lake, base, removed, handle)?;
    next.parts.retain(|part| !dropped.contains(part.path.as_str()));
    next.parts.extend(rewritten.iter().cloned());
    next.parts.extend(new_parts);
    if next == *base {
        return Ok(next);
    }
    next.format = FORMAT;
    next.generation = base.generation + 1;
    next.committed = now();
    next.figures = None;
    next.deleted = false;
    commit_or_discard(lake, &next, &rewritten, handle).map(|()| next)
}

/// Commits a manifest. If another writer was first, removes the new data files that it lists.
pub(super) fn commit_or_discard(lake: &Lake, next: &Manifest, new_parts: &[DataFile], handle: &Handle) -> Result<()> {
    let result = handle.block_on(lake.commit(next));
    if result.as_ref().is_err_and(|error| error.kind() == ErrorKind::Conflict) {
        handle.block_on(lake.discard(new_parts));
    }
    result
}

/// Rewrites parts with rows of removed objects without these rows, and merges small parts if there
/// are many. Returns the paths of the old parts, and the new parts.
fn rewrite_changed<'a>(
    lake: &Lake,
    base: &'a Manifest,
    removed: &BTreeSet<i64>,
    handle: &Handle,
) -> Result<(BTreeSet<&'a str>, Vec<DataFile>)> {
    let mergeable = mergeable(&base.parts);
    let is_removed = |id: &i64| removed.contains(id);
    let is_old = |part: &&DataFile| {
        let touched = part.objects.iter().any(is_removed);
        // Parts of tables that only a newer version knows are not merged.
        touched || (mergeable.contains(part.path.as_str()) && table(&part.table).is_some())
    };
    let old: Vec<&DataFile> = base.parts.iter().filter(is_old).collect();
    let parts = old.iter().copied().filter(|part| !part.objects.iter().all(is_removed));
    let new_parts =
        rewrite_parts(lake, &base.run, parts, |writer, part, bytes| writer.copy(part, bytes, removed), handle)?;
    Ok((old.into_iter().map(|part| part.path.as_str()).collect(), new_parts))
}

/// Rewrites parts of a run; `copy` adds each to the writer of its table.
pub(super) fn rewrite_parts<'a>(
    lake: &Lake,
    run: &str,
    parts: impl Iterator<Item = &'a DataFile>,
    copy: impl Fn(&mut DataFileWriter, &DataFile, Bytes) -> Result<Vec<FinishedFile>>,
    handle: &Handle,
) -> Result<Vec<DataFile>> {
    let mut writers: BTreeMap<&str, DataFileWriter> = BTreeMap::new();
    let mut new_parts = Vec::new();
    for part in parts {
        let Some(table) = table(&part.table) else {
            let text = format!("cannot rewrite rows of run `{run}`: this version has no table `{}`", part.table);
            return Err(Error::new(ErrorKind::Unrecognized, text).with_hint("install a newer tracelake"));
        };
        let bytes = handle.block_on(lake.read_data_file(part))?;
        let writer = writers.entry(table.name).or_insert_with(|| DataFileWriter::new(table, GROUP_ROWS));
        store_files(lake, copy(writer, part, bytes)?, &mut new_parts, handle)?;
    }
    for writer in writers.values_mut() {
        store_files(lake, writer.finish()?, &mut new_parts, handle)?;
    }
    Ok(new_parts)
}

/// Returns the paths of small parts that should be merged, because a query opens each of them; a
/// session that follows a profile adds some with every ingest. Only parts of a similar size are
/// merged, so that a row is rewritten a few times and not with every merge.
fn mergeable(parts: &[DataFile]) -> BTreeSet<&str> {
    let mut groups: BTreeMap<(&str, u32), Vec<&str>> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.bytes < SMALL_BYTES) {
        let size = part.bytes.checked_ilog2().unwrap_or(0) / 4;
        groups.entry((&part.table, size)).or_default().push(&part.path);
    }
    groups.into_values().filter(|paths| paths.len() > MAX_SMALL_FILES).flatten().collect()
}

/// Returns true if no data file has the tags of the run, because it was lost.
pub(super) fn has_lost_tags(run: &Manifest) -> bool {
    !run.tags.is_empty() && !run.parts.iter().any(|part| part.objects.contains(&USER_OBJECT))
}

/// Writes a data file with the tags of the run.
pub(super) fn write_tags(lake: &Lake, manifest: &Manifest, handle: &Handle) -> Result<Vec<DataFile>> {
    let mut rows = Rows::new(&manifest.run);
    rows.begin(USER_OBJECT);
    for (row, (key, value)) in (0..).zip(&manifest.tags) {
        rows.run_attribute(&RunAttribute { key: Some(key), value: Some(value), row, ..RunAttribute::default() });
    }
    write_rows(lake, rows, handle)
}
