//! The end of an ingest: the next manifest of the run, from the last one and what the workers made.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use tokio::runtime::Handle;

use super::plan::Plan;
use super::recognize::unknown;
use super::work::Done;
use super::{Report, Request};
use crate::error::{Error, ErrorKind, Result};
use crate::lake::{Entry, FORMAT, Finished, GROUP_ROWS, Lake, Manifest, Part, PartWriter, now};
use crate::source::Place;
use crate::table::{Rows, RunAttribute, table};

/// The object id of rows that come from the user and from no file.
pub(super) const USER: i64 = -1;

/// How often a commit is planned again when another writer was first.
pub(super) const TRIES: usize = 5;

/// What is said when that was not enough.
pub(super) fn busy(run: &str) -> Error {
    let text = format!("cannot commit run `{run}`: other processes changed it first, {TRIES} times");
    Error::new(ErrorKind::Conflict, text)
}

/// Refuses a profile in which nothing could be read.
pub(super) fn judge(place: &Place, plan: &Plan<'_>, done: &Done) -> Result<()> {
    let read = done.entries.len() as u64;
    if plan.unchanged > 0 || read > done.failed {
        return Ok(());
    }
    if let Some(entry) = done.entries.iter().find(|entry| entry.error.is_some()) {
        let text = format!("cannot read {}: none of its {read} files could be read", place.url());
        return Err(Error::new(ErrorKind::Malformed, text)
            .with_context("first", &entry.url)
            .with_context("cause", entry.error.as_deref().unwrap_or_default()));
    }
    let reason = |entry: &Arc<Entry>| entry.error.clone().filter(|_| entry.unknown_to.is_none());
    let (first, number) = (plan.ignored.first().map_or("", |entry| &entry.url), plan.ignored.len());
    let refused = |why: &str| Error::new(ErrorKind::Unrecognized, format!("cannot read {}: {why}", place.url()));
    if let (1, Some(why)) = (number, plan.ignored.first().and_then(reason)) {
        return Err(refused(&why).with_context("found", first));
    }
    let files = if number == 1 { "1 file:".to_owned() } else { format!("{number} files, the first is") };
    let mut error = refused(&unknown()).with_context("found", format!("{files} {first}"));
    if let Some((entry, why)) = plan.ignored.iter().find_map(|entry| Some((entry, reason(entry)?))) {
        error = error.with_context("skipped", format!("{}: {why}", entry.url));
    }
    Err(error.with_hint("give the folder that holds the profile (for SageMaker: profiler-output)"))
}

/// Parts smaller than this are small: opening one costs as much as reading it.
const SMALL: u64 = 1 << 20;

/// So many small parts of a table and a like size are left beside each other.
const MANY: usize = 16;

/// Commits what the workers made on top of `base`, or nothing if nothing changed; gives the newest manifest, too.
pub(super) fn commit(
    lake: &Lake,
    place: &Place,
    base: &Manifest,
    plan: &Plan<'_>,
    done: &Done,
    request: &Request,
    handle: &Handle,
) -> Result<(Report, Manifest)> {
    let mut report = Report {
        run: base.run.clone(),
        url: place.url().to_owned(),
        generation: base.generation,
        read: done.entries.len() as u64,
        unchanged: plan.unchanged,
        ignored: plan.ignored.len() as u64,
        failed: done.failed,
        pruned: plan.pruned.len() as u64,
        bytes: done.entries.iter().map(|entry| entry.size).sum(),
        skipped: done.entries.iter().map(|entry| entry.skipped).sum(),
        ..Report::default()
    };
    for entry in &done.entries {
        for (table, rows) in entry.rows.as_ref() {
            *report.rows.entry(table.clone()).or_default() += rows;
        }
    }

    let mut next = base.clone();
    if !next.sources.iter().any(|url| url == place.url()) {
        next.sources.push(place.url().to_owned());
    }
    let changed: BTreeSet<i64> = done.entries.iter().chain(&plan.ignored).map(|entry| entry.id).collect();
    next.objects.retain(|entry| !changed.contains(&entry.id) && !plan.pruned.contains(&entry.id));
    next.objects.extend(done.entries.iter().cloned());
    next.objects.extend(plan.ignored.iter().cloned());
    next.objects.sort_by_key(|entry| entry.id);
    next.tags.extend(request.tags.clone());

    let mut gone: BTreeSet<i64> = plan.replaced.difference(&done.kept).copied().collect();
    gone.extend(&plan.pruned);
    let mut made = done.parts.clone();
    if next.tags != base.tags {
        gone.insert(USER);
        made.extend(tags(lake, &next, handle)?);
    }
    if next == *base && made.is_empty() && gone.is_empty() {
        return Ok((report, next));
    }
    let next = commit_behind(lake, base, next, &gone, made, handle)?;
    report.generation = next.generation;
    Ok((report, next))
}

/// Commits `next` behind `base`, with its parts but for the rows of what is gone, and with those that were made.
pub(super) fn commit_behind(
    lake: &Lake,
    base: &Manifest,
    mut next: Manifest,
    gone: &BTreeSet<i64>,
    made: Vec<Part>,
    handle: &Handle,
) -> Result<Manifest> {
    let (dropped, rewritten) = rewrite(lake, base, gone, handle)?;
    next.parts.retain(|part| !dropped.contains(part.path.as_str()));
    next.parts.extend(rewritten.iter().cloned());
    next.parts.extend(made);
    if next == *base {
        return Ok(next);
    }
    next.format = FORMAT;
    next.generation = base.generation + 1;
    next.committed = now();
    next.figures = None;
    next.deleted = false;
    if let Err(error) = handle.block_on(lake.commit(&next)) {
        if error.kind() == ErrorKind::Conflict {
            handle.block_on(lake.discard(&rewritten));
        }
        return Err(error);
    }
    Ok(next)
}

/// Writes anew the parts that hold rows of objects that were read again, without these rows, and those that are many
/// and small, as few; gives the paths of the old ones, and the new ones.
fn rewrite<'a>(
    lake: &Lake,
    base: &'a Manifest,
    gone: &BTreeSet<i64>,
    handle: &Handle,
) -> Result<(BTreeSet<&'a str>, Vec<Part>)> {
    let crowded = crowded(&base.parts);
    let is_gone = |id: &i64| gone.contains(id);
    let is_old = |part: &&Part| {
        let touched = part.objects.iter().any(is_gone);
        // Those of a table that only a newer version knows stay beside each other.
        touched || (crowded.contains(part.path.as_str()) && table(&part.table).is_some())
    };
    let old: Vec<&Part> = base.parts.iter().filter(is_old).collect();
    let left = old.iter().copied().filter(|part| !part.objects.iter().all(is_gone));
    let made = copied(lake, &base.run, left, |writer, part, bytes| writer.copy(part, bytes, gone), handle)?;
    Ok((old.into_iter().map(|part| part.path.as_str()).collect(), made))
}

/// Writes parts of a run anew, each as `copy` hands it to the writer of its table.
pub(super) fn copied<'a>(
    lake: &Lake,
    run: &str,
    parts: impl Iterator<Item = &'a Part>,
    copy: impl Fn(&mut PartWriter, &Part, Bytes) -> Result<Vec<Finished>>,
    handle: &Handle,
) -> Result<Vec<Part>> {
    let mut writers: BTreeMap<&str, PartWriter> = BTreeMap::new();
    let mut made = Vec::new();
    for part in parts {
        let Some(table) = table(&part.table) else {
            let text = format!("cannot rewrite rows of run `{run}`: this version has no table `{}`", part.table);
            return Err(Error::new(ErrorKind::Unrecognized, text).with_hint("install a newer tracelake"));
        };
        let bytes = handle.block_on(lake.read_part(&part.path))?;
        let writer = writers.entry(table.name).or_insert_with(|| PartWriter::new(table, GROUP_ROWS));
        keep(lake, copy(writer, part, bytes)?, &mut made, handle)?;
    }
    for writer in writers.values_mut() {
        keep(lake, writer.finish()?, &mut made, handle)?;
    }
    Ok(made)
}

/// Stores finished parts.
fn keep(
    lake: &Lake,
    finished: impl IntoIterator<Item = Finished>,
    made: &mut Vec<Part>,
    handle: &Handle,
) -> Result<()> {
    for (part, bytes) in finished {
        handle.block_on(lake.put_part(&part.path, bytes))?;
        made.push(part);
    }
    Ok(())
}

/// Small parts that are too many: a follower leaves some at every look, and a query opens each. Those of a like size are
/// merged with each other, so that a row is written anew a few times and not at every merge.
fn crowded(parts: &[Part]) -> BTreeSet<&str> {
    let mut alike: BTreeMap<(&str, u32), Vec<&str>> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.bytes < SMALL) {
        let size = part.bytes.checked_ilog2().unwrap_or(0) / 4;
        alike.entry((&part.table, size)).or_default().push(&part.path);
    }
    alike.into_values().filter(|paths| paths.len() > MANY).flatten().collect()
}

/// A part with what the user says about the run.
pub(super) fn tags(lake: &Lake, manifest: &Manifest, handle: &Handle) -> Result<Vec<Part>> {
    let mut rows = Rows::new(&manifest.run);
    rows.begin(USER);
    for (row, (key, value)) in (0..).zip(&manifest.tags) {
        rows.run_attribute(&RunAttribute { key: Some(key), value: Some(value), row, ..RunAttribute::default() });
    }
    let mut parts = Vec::new();
    for (table, batch) in rows.take() {
        let mut writer = PartWriter::new(table, GROUP_ROWS);
        keep(lake, [writer.write(batch)?, writer.finish()?].into_iter().flatten(), &mut parts, handle)?;
    }
    Ok(parts)
}
