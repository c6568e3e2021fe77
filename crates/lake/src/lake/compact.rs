//! Small parts of many runs in few files, and their manifests in one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::{StreamExt, TryStreamExt};

use super::{Fault, Lake, Manifest, Part, PartWriter};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Table, table};

/// Rows of a run in a table that take less than this are brought together with those of other runs.
const SMALL: u64 = 1 << 20;

/// A file of many runs is ended beyond this size.
const FILE_BYTES: usize = 16 << 20;

/// Parts read ahead, each small.
const READS: usize = 16;

/// Runs of one bundle: whoever opens the lake reads it whole.
const RUNS: usize = 1_000;

/// What became of the small parts of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compacted {
    /// The table.
    pub table: String,
    /// Runs whose rows were brought together.
    pub runs: u64,
    /// Files that they had.
    pub files_before: u64,
    /// Files that they have now.
    pub files_after: u64,
    /// Bytes of the former.
    pub bytes_before: u64,
    /// Bytes of the latter.
    pub bytes_after: u64,
}

/// The files of one table while they are written.
struct Merging {
    writer: PartWriter,
    /// Slices whose file is not ended, each with the place of its run.
    slices: Vec<(usize, Part)>,
}

impl Lake {
    /// Brings small parts of runs together, each run in row groups of its own, so that a question opens few files; the
    /// manifests of these runs go into one bundle, by one put. What they had before stays for who reads it until it is
    /// vacuumed. A run that somebody else changes meanwhile stays as they make it. A row per table; nothing is written with `dry`.
    ///
    /// # Errors
    /// As [`Lake::snapshot`]; Conflict when somebody else compacts at the same time: nothing was done then, or only a
    /// part of the runs.
    pub async fn compact(&self, dry: bool) -> Result<(Vec<Compacted>, Vec<Fault>)> {
        let snapshot = self.snapshot().await?.runs;
        let mut told: BTreeMap<String, Compacted> = BTreeMap::new();
        let scattered: Vec<&Arc<Manifest>> = snapshot.values().filter(|run| !small(run).is_empty()).collect();
        let mut faults = Vec::new();
        for runs in scattered.chunks(RUNS) {
            let mut runs = runs.to_vec();
            while let Some((run, error)) = self.bundle_runs(&runs, dry, &mut told).await? {
                let run = runs.remove(run);
                faults.push(self.fault_in(run).await?.ok_or(error)?);
            }
        }
        Ok((told.into_values().collect(), faults))
    }

    /// Compacts these runs, and commits that. If a data file of a run is missing or corrupt, commits nothing and returns the index of the run.
    async fn bundle_runs(
        &self,
        runs: &[&Arc<Manifest>],
        dry: bool,
        told: &mut BTreeMap<String, Compacted>,
    ) -> Result<Option<(usize, Error)>> {
        let before = told.clone();
        let mut next: Vec<Manifest> = runs.iter().map(|run| Manifest::clone(run)).collect();
        let mut made: Vec<Part> = Vec::new();
        for (table, of) in by_table(runs) {
            // One file stays one file.
            if of.values().map(Vec::len).sum::<usize>() < 2 {
                continue;
            }
            let name = table.name.to_owned();
            let line = told.entry(name.clone()).or_insert_with(|| Compacted { table: name, ..Compacted::default() });
            line.runs += of.len() as u64;
            line.files_before += of.values().map(|parts| parts.len() as u64).sum::<u64>();
            line.bytes_before += of.values().flatten().map(|part| part.bytes).sum::<u64>();
            if dry {
                continue;
            }
            let slices = match self.merge(table, &of, &mut made).await {
                Ok(slices) => slices,
                Err((run, error)) => {
                    self.discard(&made).await;
                    *told = before;
                    let is_lost = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Malformed);
                    return match run.filter(|_| is_lost) {
                        Some(run) => Ok(Some((run, error))),
                        None => Err(error),
                    };
                }
            };
            let files: BTreeSet<&str> = slices.iter().map(|(_, part)| part.path.as_str()).collect();
            line.files_after += files.len() as u64;
            line.bytes_after += slices.iter().map(|(_, part)| part.bytes).sum::<u64>();
            for (place, part) in slices {
                let old = &of[&place];
                next[place].parts.retain(|part| !old.iter().any(|old| old.path == part.path));
                next[place].parts.push(part);
            }
        }
        if made.is_empty() {
            return Ok(None);
        }
        let put = self.put_bundle(&next).await;
        if put.as_ref().is_err_and(|error| error.kind() == ErrorKind::Conflict) {
            self.discard(&made).await;
        }
        put.map(|()| None)
    }

    /// Writes the rows of these parts, by the place of their run, into new files, one part for each run; `made` has a part of
    /// each file that was stored. An error comes with the run whose part could not be read.
    async fn merge(
        &self,
        table: &'static Table,
        of: &BTreeMap<usize, Vec<&Part>>,
        made: &mut Vec<Part>,
    ) -> Result<Vec<(usize, Part)>, (Option<usize>, Error)> {
        let mut merging = Merging { writer: PartWriter::of_slices(table), slices: Vec::new() };
        let mut done = Vec::new();
        let read = of.values().flatten().map(|part| self.read_part(&part.path)).collect::<Vec<_>>();
        let mut read = futures::stream::iter(read).buffered(READS);
        for (place, parts) in of {
            for part in parts {
                let Some(bytes) = read.try_next().await.map_err(|error| (Some(*place), error))? else { break };
                merging.writer.copy(part, bytes, &BTreeSet::new()).map_err(|error| (Some(*place), error))?;
            }
            merging.slices.extend(merging.writer.cut().map_err(|error| (None, error))?.map(|part| (*place, part)));
            if merging.writer.written() > FILE_BYTES {
                self.end(&mut merging, made, &mut done).await.map_err(|error| (None, error))?;
            }
        }
        self.end(&mut merging, made, &mut done).await.map_err(|error| (None, error))?;
        Ok(done)
    }

    /// Stores the file, and tells its slices how large it is.
    async fn end(&self, merging: &mut Merging, made: &mut Vec<Part>, done: &mut Vec<(usize, Part)>) -> Result<()> {
        let Some((file, bytes)) = merging.writer.finish()? else { return Ok(()) };
        made.push(file.clone());
        self.put_part(&file.path, bytes).await?;
        for (place, mut part) in merging.slices.drain(..) {
            if let Some(slice) = &mut part.slice {
                slice.of = file.bytes;
            }
            done.push((place, part));
        }
        Ok(())
    }
}

/// The parts of a run that are worth bringing together: of tables in which all that is not together yet is small.
fn small(run: &Manifest) -> Vec<&Part> {
    let mut bytes: BTreeMap<&str, u64> = BTreeMap::new();
    for part in run.parts.iter().filter(|part| part.slice.is_none()) {
        *bytes.entry(&part.table).or_default() += part.bytes;
    }
    let is_small = |part: &&Part| part.slice.is_none() && bytes[part.table.as_str()] < SMALL;
    run.parts.iter().filter(is_small).filter(|part| table(&part.table).is_some()).collect()
}

/// The small parts of these runs by table, and by the place of their run.
fn by_table<'a>(runs: &[&'a Arc<Manifest>]) -> Vec<(&'static Table, BTreeMap<usize, Vec<&'a Part>>)> {
    let mut found: BTreeMap<&str, (&'static Table, BTreeMap<usize, Vec<&'a Part>>)> = BTreeMap::new();
    for (place, run) in runs.iter().enumerate() {
        for part in small(run) {
            // `small` has known tables only
            let Some(of) = table(&part.table) else { continue };
            let (_, parts) = found.entry(of.name).or_insert_with(|| (of, BTreeMap::new()));
            parts.entry(place).or_default().push(part);
        }
    }
    found.into_values().collect()
}
