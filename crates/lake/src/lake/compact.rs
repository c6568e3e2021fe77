//! Compaction: small parts of many runs are merged into few files, and their manifests into one. Shared files with rows that
//! no run has any more are written again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};

use super::checksum::{check_bytes, set_slice_checksums};
use super::footer::row_count;
use super::{DataFile, DataFileWriter, Lake, LakeFault, Manifest, PARALLEL, Snapshot, group_by_data_file, is_shared};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{TABLES, Table, table};

/// Rows of a run in a table that take fewer bytes are merged with those of other runs.
const SMALL_BYTES: u64 = 1 << 20;

/// Size of a merged file in bytes beyond which it is closed.
const FILE_BYTES: usize = 16 << 20;

/// Number of parts that are read ahead; each is small.
const READS: usize = 16;

/// Maximum number of runs of a bundle: opening the lake reads bundles completely.
const MAX_RUNS: usize = 1_000;

/// Maximum number of files in the manifests of a bundle, unless it has one run.
const MAX_OBJECTS: usize = 100_000;

/// The result of a compaction for one table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompactedTable {
    /// Name of the table.
    pub table: String,
    /// Number of runs with merged rows.
    pub runs: u64,
    /// Number of files before.
    pub files_before: u64,
    /// Number of files after.
    pub files_after: u64,
    /// Bytes of the files before.
    pub bytes_before: u64,
    /// Bytes of the files after.
    pub bytes_after: u64,
}

/// The merged file of one table that is being written.
struct MergedFile {
    writer: DataFileWriter,
    /// Slices of the file, each with the index of its run.
    slices: Vec<(usize, DataFile)>,
}

impl Lake {
    /// Merges small parts of runs, each run in row groups of its own, so that a query opens few
    /// files. The manifests of these runs go into one bundle, with one put. The old files stay for
    /// sessions that read them until a vacuum. If another process changes a run at the same time,
    /// its change stays. A shared file that also has rows of a run that was changed or deleted since is
    /// written again without them. Returns one row per table. With `dry`, nothing is written.
    ///
    /// # Errors
    /// Those of [`Lake::snapshot`]; Conflict if another process compacts at the same time: then no
    /// run or only some of the runs were compacted.
    pub async fn compact(&self, dry: bool) -> Result<(Vec<CompactedTable>, Vec<LakeFault>)> {
        let snapshot = self.snapshot().await?.runs;
        let mut results: BTreeMap<String, CompactedTable> = BTreeMap::new();
        let mut outdated = BTreeSet::new();
        for table in TABLES.iter().filter(|table| table.has_parts()) {
            outdated.extend(self.outdated_files(&snapshot, table, |_| true).await?);
        }
        let candidates: Vec<&Arc<Manifest>> =
            snapshot.values().filter(|run| !parts_to_merge(run, &outdated).is_empty()).collect();
        let mut faults = Vec::new();
        let mut candidates = candidates.into_iter().peekable();
        while candidates.peek().is_some() {
            let (mut runs, mut objects) = (Vec::new(), 0);
            while let Some(run) = candidates
                .next_if(|run| runs.is_empty() || runs.len() < MAX_RUNS && objects + run.objects.len() <= MAX_OBJECTS)
            {
                objects += run.objects.len();
                runs.push(run);
            }
            while let Some((run, error)) = self.bundle_runs(&runs, &outdated, dry, &mut results).await? {
                let run = runs.remove(run);
                faults.push(self.find_fault(run).await?.ok_or(error)?);
            }
        }
        Ok((results.into_values().collect(), faults))
    }

    /// Returns the paths of shared files of a table that also have rows which no run has any more, because their run was
    /// changed or deleted. Reads the footers of the shared files with a selected path. A missing or corrupt file is not
    /// outdated.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub async fn outdated_files(
        &self,
        snapshot: &Snapshot,
        table: &Table,
        is_selected: impl Fn(&str) -> bool,
    ) -> Result<BTreeSet<String>> {
        let shared = group_by_data_file(snapshot, table).into_iter();
        let shared = shared.filter(|(path, parts)| is_shared(parts) && is_selected(path));
        let compare = shared.map(|(path, parts)| async move {
            let rows: u64 = parts.iter().map(|(_, part)| part.rows).sum();
            match self.read_footer(parts[0].1).await {
                Ok(footer) => Ok((row_count(&footer) != rows).then(|| path.to_owned())),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Malformed) => Ok(None),
                Err(error) => Err(error),
            }
        });
        let compare: Vec<_> = compare.collect();
        let files: Vec<Option<String>> = futures::stream::iter(compare).buffered(PARALLEL).try_collect().await?;
        Ok(files.into_iter().flatten().collect())
    }

    /// Compacts these runs and commits the result. If a data file of a run is missing or corrupt,
    /// commits nothing and returns the index of the run.
    async fn bundle_runs(
        &self,
        runs: &[&Arc<Manifest>],
        outdated: &BTreeSet<String>,
        dry: bool,
        results: &mut BTreeMap<String, CompactedTable>,
    ) -> Result<Option<(usize, Error)>> {
        let results_before = results.clone();
        let mut next: Vec<Manifest> = runs.iter().map(|run| Manifest::clone(run)).collect();
        let mut stored: Vec<DataFile> = Vec::new();
        for (table, parts_by_run) in group_by_table(runs, outdated) {
            // There is nothing to merge with a single file of one run.
            let mut parts = parts_by_run.values().flatten();
            if parts_by_run.values().map(Vec::len).sum::<usize>() < 2 && parts.all(|part| part.slice.is_none()) {
                continue;
            }
            let before: BTreeSet<&str> = parts_by_run.values().flatten().map(|part| part.path.as_str()).collect();
            let line = results.entry(table.name.to_owned()).or_default();
            table.name.clone_into(&mut line.table);
            line.runs += parts_by_run.len() as u64;
            line.files_before += before.len() as u64;
            line.bytes_before += parts_by_run.values().flatten().map(|part| part.bytes).sum::<u64>();
            if dry {
                continue;
            }
            let slices = match self.merge(table, &parts_by_run, &mut stored).await {
                Ok(slices) => slices,
                Err((run, error)) => {
                    self.discard(&stored).await;
                    *results = results_before;
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
            for (index, part) in slices {
                let old = &parts_by_run[&index];
                next[index].parts.retain(|part| !old.iter().any(|old| old.path == part.path));
                next[index].parts.push(part);
            }
        }
        if stored.is_empty() {
            return Ok(None);
        }
        let next: Vec<Arc<Manifest>> = next.into_iter().map(Arc::new).collect();
        let put = self.put_bundle(&next).await;
        if put.as_ref().is_err_and(|error| error.kind() == ErrorKind::Conflict) {
            self.discard(&stored).await;
        }
        put.map(|()| None)
    }

    /// Writes the rows of these parts, by the index of their run, into new files with one part for
    /// each run. Appends a part for each stored file to `stored`. An error has the index of the run
    /// with the unreadable part.
    async fn merge(
        &self,
        table: &'static Table,
        parts_by_run: &BTreeMap<usize, Vec<&DataFile>>,
        stored: &mut Vec<DataFile>,
    ) -> Result<Vec<(usize, DataFile)>, (Option<usize>, Error)> {
        let mut merged = MergedFile { writer: DataFileWriter::for_slices(table), slices: Vec::new() };
        let mut done = Vec::new();
        let (shared, small): (Vec<&DataFile>, Vec<&DataFile>) =
            parts_by_run.values().flatten().partition(|part| part.slice.is_some());
        let read = small.into_iter().map(|part| self.read_data_file(part)).collect::<Vec<_>>();
        let mut read = futures::stream::iter(read).buffered(READS);
        let mut shared = SharedFiles::new(&shared);
        for (index, parts) in parts_by_run {
            for part in parts {
                let bytes = match part.slice {
                    Some(_) => shared.read(self, part).await.map(Some),
                    None => read.try_next().await,
                };
                let Some(bytes) = bytes.map_err(|error| (Some(*index), error))? else { break };
                merged.writer.copy(part, bytes, &BTreeSet::new()).map_err(|error| (Some(*index), error))?;
            }
            merged.slices.extend(merged.writer.end_slice().map_err(|error| (None, error))?.map(|part| (*index, part)));
            if merged.writer.bytes_written() > FILE_BYTES {
                self.end_file(&mut merged, stored, &mut done).await.map_err(|error| (None, error))?;
            }
        }
        self.end_file(&mut merged, stored, &mut done).await.map_err(|error| (None, error))?;
        Ok(done)
    }

    /// Stores the file, and sets its size in its slices.
    async fn end_file(
        &self,
        merged: &mut MergedFile,
        stored: &mut Vec<DataFile>,
        done: &mut Vec<(usize, DataFile)>,
    ) -> Result<()> {
        let Some((file, bytes)) = merged.writer.finish()? else { return Ok(()) };
        stored.push(file.clone());
        set_slice_checksums(&mut merged.slices.iter_mut().map(|(_, part)| part).collect::<Vec<_>>(), &bytes);
        self.put_data_file(&file.path, bytes).await?;
        for (index, mut part) in merged.slices.drain(..) {
            if let Some(slice) = &mut part.slice {
                slice.file_bytes = file.bytes;
            }
            done.push((index, part));
        }
        Ok(())
    }
}

/// The shared files that are being read, each once.
struct SharedFiles<'a> {
    /// Number of slices that are not read yet, by path.
    slices: BTreeMap<&'a str, usize>,
    bytes: BTreeMap<&'a str, Bytes>,
}

impl<'a> SharedFiles<'a> {
    fn new(slices: &[&'a DataFile]) -> Self {
        let mut files = Self { slices: BTreeMap::new(), bytes: BTreeMap::new() };
        slices.iter().for_each(|part| *files.slices.entry(&part.path).or_default() += 1);
        files
    }

    /// Returns the bytes of the file of the next slice, after a check of this slice. Drops them after the last slice.
    async fn read(&mut self, lake: &Lake, part: &'a DataFile) -> Result<Bytes> {
        let bytes = match self.bytes.remove(part.path.as_str()) {
            Some(bytes) => check_bytes(part, &bytes).map(|()| bytes)?,
            None => lake.read_data_file(part).await?,
        };
        let slices = self.slices.entry(&part.path).or_default();
        *slices = slices.saturating_sub(1);
        if *slices > 0 {
            self.bytes.insert(&part.path, bytes.clone());
        }
        Ok(bytes)
    }
}

/// Returns the parts of a run that are worth merging: those of tables in which all parts that are
/// not merged yet are small together, and slices of outdated files.
fn parts_to_merge<'a>(run: &'a Manifest, outdated: &BTreeSet<String>) -> Vec<&'a DataFile> {
    let mut bytes: BTreeMap<&str, u64> = BTreeMap::new();
    for part in run.parts.iter().filter(|part| part.slice.is_none()) {
        *bytes.entry(&part.table).or_default() += part.bytes;
    }
    let is_small = |part: &&DataFile| part.slice.is_none() && bytes[part.table.as_str()] < SMALL_BYTES;
    let is_included = |part: &&DataFile| is_small(part) || outdated.contains(&part.path);
    run.parts.iter().filter(is_included).filter(|part| table(&part.table).is_some()).collect()
}

/// Groups the parts of these runs that are worth merging by table, and by the index of their run.
fn group_by_table<'a>(
    runs: &[&'a Arc<Manifest>],
    outdated: &BTreeSet<String>,
) -> Vec<(&'static Table, BTreeMap<usize, Vec<&'a DataFile>>)> {
    let mut tables: BTreeMap<&str, (&'static Table, BTreeMap<usize, Vec<&'a DataFile>>)> = BTreeMap::new();
    for (index, run) in runs.iter().enumerate() {
        for part in parts_to_merge(run, outdated) {
            // `parts_to_merge` returns only known tables.
            let Some(table) = table(&part.table) else { continue };
            let (_, parts) = tables.entry(table.name).or_insert_with(|| (table, BTreeMap::new()));
            parts.entry(index).or_default().push(part);
        }
    }
    tables.into_values().collect()
}
