//! The lake: Parquet data files with rows, and one manifest per run that lists them.
//!
//! ```text
//! <lake>/<table>/<name>.parquet                     data files with rows; each has a column `run`
//! <lake>/<table>/_delta_log/<version>.json          valid data files, for Delta Lake; only after an export
//! <lake>/<table>/delta/<name>.parquet               rows of such an export without a data file of their own
//! <lake>/_manifest/lake.json                        format of the lake
//! <lake>/_manifest/run/<run>/<generation>.json      manifest of one run
//! <lake>/_manifest/bundle/<n>.json                  manifests of many runs with merged data files
//! <lake>/_manifest/checkpoint.parquet               cache of all manifests
//! <lake>/_manifest/clock                            empty file; its time is that of the clock of the store
//! <lake>/_claim/<run>/<n>                           lease of one of the processes that share a list of profiles
//! <lake>/_baseline/<name>.json                      named set of runs to compare other runs with
//! <lake>/_queries/<family>/<question>.sql           canned query that a user saved with the lake
//! ```
//! Data files and manifests are immutable. A commit is one put of the next generation that fails if
//! the file exists. So it is atomic over all tables, a killed writer leaves only unlisted data
//! files, and one of two writers of the same run wins. The highest generation of a run is valid; at
//! the same generation a bundle wins.

mod baseline;
mod blocks;
mod bundle;
mod check;
mod checkpoint;
mod checksum;
mod chunk;
mod clock;
mod compact;
mod data_file;
mod delta;
mod encode;
mod entry;
mod footer;
mod lease;
mod manifest;
mod nesting;
mod order;
mod outdated;
mod page;
mod repair;
mod saved_query;
mod vacuum;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use futures::StreamExt;
use object_store::ObjectStoreExt;
use object_store::path::Path;
use parking_lot::Mutex;

use crate::error::{Error, ErrorKind, ErrorSubject, Result};
use crate::source::{Location, StoreAction, StoredObject, decoded, store_error};
use crate::table::{Table, table};

use bundle::{Bundle, BundleCache, find_lost_manifest};
pub use check::{LakeFault, LakeFaultKind};
use checksum::check_bytes;
#[doc(hidden)]
pub use clock::now;
pub use compact::CompactedTable;
pub use data_file::{DataFileWriter, FinishedFile, GROUP_ROWS};
pub use delta::DeltaTable;
pub use entry::Entry;
pub(crate) use entry::EntryInterner;
#[doc(hidden)]
pub use lease::{Lease, Leases};
pub use manifest::{DataFile, FORMAT, KeyMetrics, Manifest, Slice, TimeShare};
pub use nesting::NestingWriter;
use repair::ListedSizes;
pub use repair::Repair;
pub use saved_query::SavedQuery;
pub use vacuum::UnusedFile;

/// Number of manifests that are read in parallel.
const PARALLEL: usize = 32;

/// Number of manifests missing in the checkpoint from which a writer creates a new one.
const STALE_MANIFESTS: usize = 16;

/// Number of superseded manifests of a run that stay: a process may have listed them and be about
/// to read one.
const SUPERSEDED_MANIFESTS: u64 = 16;

/// Maximum number of attempts to read the manifest of a run if it was removed after the listing.
/// Each removal means two commits of another process.
const MAX_READS: usize = 5;

/// Maximum size of a manifest, bundle or log in bytes. A run with a million files has less.
pub(crate) const MAX_MANIFEST: u64 = 512 << 20;

/// Size from which manifests and bundles are not read in parallel, in bytes.
const LARGE_FILE: u64 = 8 << 20;

/// Hint for a corrupt manifest.
pub(crate) const REPAIR: &str = "run `tracelake check --repair`: it restores the newest valid generation";

/// Manifests by the path of their file in the store.
type ManifestsByPath = BTreeMap<String, Arc<Manifest>>;

/// The runs of a lake at one moment.
pub type Snapshot = Arc<BTreeMap<String, Arc<Manifest>>>;

/// The runs of a lake, and the manifests that could not be read.
#[derive(Debug, Clone)]
pub struct LoadedRuns {
    /// The runs.
    pub runs: Snapshot,
    /// Faults of corrupt manifests; their runs are not in `runs`.
    pub faults: Vec<LakeFault>,
}

/// The newest manifest of each run, including deleted runs.
#[derive(Debug, Default)]
struct NewestManifests {
    runs: BTreeMap<String, Arc<Manifest>>,
    /// Faults of runs with a corrupt newest manifest.
    faults: Vec<LakeFault>,
}

impl NewestManifests {
    fn keep_newest(&mut self, manifest: Arc<Manifest>) {
        if self.runs.get(&manifest.run).is_none_or(|old| manifest.generation >= old.generation) {
            self.runs.insert(manifest.run.clone(), manifest);
        }
    }

    /// Adds the faults of bundles, and excludes runs if a later bundle has, or may have, a corrupt manifest of them.
    fn keep_no_outdated(&mut self, bundles: &[Bundle<'_>]) {
        let names: BTreeSet<&str> =
            bundles.iter().flat_map(|bundle| &bundle.manifests).map(|run| run.run.as_str()).collect();
        for run in names {
            let Some((generation, fault)) = find_lost_manifest(bundles, run) else { continue };
            if self.runs.get(run).is_some_and(|newest| newest.generation <= generation) {
                self.runs.remove(run);
                self.faults.push(fault);
            }
        }
        for mut fault in bundles.iter().flat_map(|bundle| &bundle.faults).cloned() {
            // The run has another manifest, of the same generation or a newer one.
            fault.run = fault.run.filter(|run| !self.runs.contains_key(run));
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
    }
}

/// The file with the format of the lake.
const LAKE_FILE: &str = "_manifest/lake.json";

/// The content of [`LAKE_FILE`].
#[derive(Debug, serde::Deserialize)]
struct LakeFormat {
    format: u32,
}

impl LakeFormat {
    fn text() -> String {
        format!("{{\"format\": {FORMAT}}}\n")
    }
}

/// A lake: a folder of data files and manifests.
#[derive(Debug, Clone)]
pub struct Lake {
    location: Location,
    /// Paths of data files that this process wrote and has not flushed to the disk.
    unsynced: Arc<Mutex<BTreeSet<String>>>,
    bundles: Arc<Mutex<BundleCache>>,
    listed_sizes: Arc<ListedSizes>,
    large_reads: Arc<tokio::sync::Mutex<()>>,
}

impl Lake {
    /// Whether this folder is a lake: whether it has `_manifest/`.
    ///
    /// # Errors
    /// NotFound for a missing bucket, Denied, Unreachable.
    pub async fn exists(location: &Location) -> Result<bool> {
        location.join("_manifest").has_objects().await
    }

    /// Creates a handle of the lake in this folder.
    pub fn new(location: Location) -> Self {
        Self {
            location,
            unsynced: Arc::default(),
            bundles: Arc::default(),
            listed_sizes: Arc::default(),
            large_reads: Arc::default(),
        }
    }

    /// Makes this folder a lake, if it is not one yet.
    ///
    /// # Errors
    /// Argument for a folder with other files; Denied, Unreachable, Exhausted.
    pub async fn create(location: Location) -> Result<Self> {
        if Self::exists(&location).await? {
            return Ok(Self::new(location));
        }
        // Check again: another writer may create the lake at the same time.
        if location.has_objects().await? && !Self::exists(&location).await? {
            let text = format!("cannot create a lake in {}: it contains other files", location.url());
            return Err(Error::new(ErrorKind::Argument, text).with_hint("give a new or an empty folder"));
        }
        let lake = Self::new(location);
        // All writers create the same file.
        lake.put_new(&lake.location.resolve(LAKE_FILE), LakeFormat::text()).await?;
        Ok(lake)
    }

    /// The folder of the lake.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Reads the newest manifest of each run. Runs with a corrupt newest manifest are excluded and
    /// reported as faults.
    ///
    /// # Errors
    /// Denied, Unreachable.
    #[tracing::instrument(skip_all)]
    pub async fn snapshot(&self) -> Result<LoadedRuns> {
        let folder = self.location.join("_manifest");
        let (format, listed, cached) =
            futures::join!(self.check_format(), folder.list_or_empty(), checkpoint::read(&self.location));
        format?;
        let listed = listed?;
        let NewestManifests { mut runs, faults } =
            self.newest_manifests(&listed, &checkpoint::unchanged(cached, &listed)).await?;
        // A renamed run is gone, even if the rename was killed before it deleted the old name.
        let renamed: Vec<(String, u64)> = runs.values().filter_map(|run| run.renamed.clone()).collect();
        for (run, generation) in renamed {
            if runs.get(&run).is_some_and(|old| old.generation <= generation) {
                runs.remove(&run);
            }
        }
        runs.retain(|_, run| !run.deleted);
        Ok(LoadedRuns { runs: Arc::new(runs), faults })
    }

    /// Checks that this version reads the format of the lake.
    async fn check_format(&self) -> Result<()> {
        match self.read_format().await? {
            Some(format) if format > FORMAT => {
                let text = format!(
                    "cannot open lake {}: it has format {format}, this version reads {FORMAT}",
                    self.location.url()
                );
                let error = Error::new(ErrorKind::Unrecognized, text).with_subject(ErrorSubject::Output);
                Err(error.with_hint("install a newer tracelake"))
            }
            _ => Ok(()),
        }
    }

    /// Reads the format of the lake; none if the file is missing or corrupt.
    async fn read_format(&self) -> Result<Option<u32>> {
        match self.read_bytes(&self.location.resolve(LAKE_FILE)).await {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            text => Ok(serde_json::from_slice::<LakeFormat>(&text?).ok().map(|lake| lake.format)),
        }
    }

    /// Returns the newest manifest of each run, from single files and bundles. Manifests in `known`
    /// are not read again.
    async fn newest_manifests(&self, listed: &[StoredObject], known: &ManifestsByPath) -> Result<NewestManifests> {
        let mut newest = NewestManifests::default();
        let mut unreadable = Vec::new();
        for (object, manifest) in self.read_manifests(newest_files(listed), known).await {
            match manifest {
                Ok(manifest) => newest.keep_newest(manifest),
                Err(error) => {
                    let run = run_and_generation(&object.path).map(|(run, _)| decoded(run));
                    let fault = LakeFault::for_manifest(run, &object, error)?;
                    unreadable.push((generation_of(&object), fault));
                }
            }
        }
        let bundles = self.read_bundles(listed).await?;
        bundles
            .iter()
            .flat_map(|bundle| &bundle.manifests)
            .for_each(|manifest| newest.keep_newest(Arc::clone(manifest)));
        for (generation, fault) in unreadable {
            let run = fault.run.as_deref().unwrap_or_default();
            if newest.runs.get(run).is_some_and(|bundled| Some(bundled.generation) >= generation) {
                continue;
            }
            // The bundle has an older generation: to use it would hide the loss of newer rows.
            newest.runs.remove(run);
            newest.faults.push(fault);
        }
        if bundles.iter().any(|bundle| !bundle.faults.is_empty()) {
            newest.keep_no_outdated(&bundles);
        }
        Ok(newest)
    }

    /// Returns these manifests, each with its file; reads only those that are not in `known`.
    async fn read_manifests(
        &self,
        objects: Vec<StoredObject>,
        known: &ManifestsByPath,
    ) -> Vec<(StoredObject, Result<Arc<Manifest>>)> {
        let known = |object: &StoredObject| known.get(object.location.as_ref()).cloned();
        let objects: Vec<_> = objects.into_iter().map(|object| (known(&object), object)).collect();
        futures::stream::iter(objects)
            .map(|(known, object)| async move {
                match known {
                    Some(manifest) => (object, Ok(manifest)),
                    None => {
                        let _turn = self.wait_for_turn(&object).await;
                        self.read_manifest_or_newer(object).await
                    }
                }
            })
            .buffer_unordered(PARALLEL)
            .collect()
            .await
    }

    /// Large files are read and parsed one after the other: many of them do not fit into memory.
    async fn wait_for_turn(&self, object: &StoredObject) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        if object.size > LARGE_FILE { Some(self.large_reads.lock().await) } else { None }
    }

    /// Reads the manifest in this file. If it was removed since the listing, reads the newest one
    /// of its run.
    async fn read_manifest_or_newer(&self, mut object: StoredObject) -> (StoredObject, Result<Arc<Manifest>>) {
        let mut read = self.read_manifest(&object.location).await;
        for _ in 0..MAX_READS {
            if !read.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
                break;
            }
            let generations = self.list_generations_in(&self.location.parent_of(&object.location)).await;
            let Some((_, newest)) = generations.ok().and_then(|mut generations| generations.pop_last()) else { break };
            let folder = object.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            object = StoredObject { path: format!("{folder}/{}", newest.path).into(), ..newest };
            read = self.read_manifest(&object.location).await;
        }
        (object, read.map(Arc::new))
    }

    /// Returns the newest manifest of one run; none if it was deleted.
    ///
    /// # Errors
    /// Those of [`Lake::snapshot`].
    pub async fn run(&self, run: &str) -> Result<Option<Arc<Manifest>>> {
        Ok(self.newest_manifest(run).await?.filter(|run| !run.deleted))
    }

    /// Returns the newest manifest of one run, on which the next commit is based. It may be that of
    /// a deleted run.
    ///
    /// # Errors
    /// Those of [`Lake::snapshot`].
    pub async fn newest_manifest(&self, run: &str) -> Result<Option<Arc<Manifest>>> {
        let Some(newest) = self.stored_manifest(run).await? else { return Ok(None) };
        let Some(new_name) = &newest.renamed_to else { return Ok(Some(newest)) };
        let renamed = self.stored_manifest(new_name).await?.and_then(|run| run.renamed.clone());
        if renamed.is_none_or(|(name, generation)| name != run || generation < newest.generation) {
            return Ok(Some(newest));
        }
        let Manifest { generation, committed, renamed, .. } = Manifest::clone(&newest);
        Ok(Some(Arc::new(Manifest { generation, committed, renamed, deleted: true, ..Manifest::empty(run) })))
    }

    async fn stored_manifest(&self, run: &str) -> Result<Option<Arc<Manifest>>> {
        let single = match self.list_generations(run).await?.pop_last() {
            Some((_, object)) => Some(self.read_manifest_or_newer(object).await),
            None => None,
        };
        let (bundled, fault) = self.bundled_manifests(run).await?;
        let bundled = bundled.into_iter().max_by_key(|run| run.generation);
        match (single, bundled) {
            // At the same generation, the bundle wins. A valid manifest has the generation of its file.
            (Some((file, single)), bundled)
                if bundled.as_ref().is_none_or(|bundled| Some(bundled.generation) < generation_of(&file)) =>
            {
                single.map(Some).map_err(|error| match error.kind() {
                    ErrorKind::Malformed => error.with_hint(REPAIR),
                    _ => error,
                })
            }
            (_, bundled) => match fault {
                Some(fault) => Err(fault.error()),
                None => Ok(bundled),
            },
        }
    }

    /// Returns the newest generation of a run, even if its manifest is corrupt; 0 if the run has
    /// none.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub(crate) async fn last_generation(&self, run: &str) -> Result<u64> {
        let single = self.list_generations(run).await?.pop_last().map_or(0, |(generation, _)| generation);
        let (bundled, _) = self.bundled_manifests(run).await?;
        Ok(bundled.iter().map(|manifest| manifest.generation).fold(single, u64::max))
    }

    /// Lists the manifests of one run by generation.
    async fn list_generations(&self, run: &str) -> Result<BTreeMap<u64, StoredObject>> {
        self.list_generations_in(&self.location.join("_manifest/run").join(run)).await
    }

    async fn list_generations_in(&self, folder: &Location) -> Result<BTreeMap<u64, StoredObject>> {
        let listed = folder.list_or_empty().await?;
        Ok(listed.into_iter().filter_map(|object| Some((parse_generation(&object.path)?, object))).collect())
    }

    /// Reads a file of the lake other than a data file.
    async fn read_bytes(&self, location: &Path) -> Result<Bytes> {
        self.location.bytes_up_to(MAX_MANIFEST, location).await
    }

    async fn read_manifest(&self, location: &Path) -> Result<Manifest> {
        let name = self.location.url_of(location);
        let manifest = Manifest::parse(&name, &self.read_bytes(location).await?)?;
        if self.manifest_at(&manifest.run, manifest.generation) != *location {
            let text = format!(
                "cannot read {name}: expected the manifest of this path, found generation {} of run `{}`",
                manifest.generation, manifest.run
            );
            return Err(Error::new(ErrorKind::Malformed, text));
        }
        Ok(manifest)
    }

    /// Commits the next generation of a run, and removes manifests that were superseded long ago.
    ///
    /// # Errors
    /// Conflict if another writer committed this generation first; its manifest stays.
    #[tracing::instrument(skip_all, fields(run = manifest.run, generation = manifest.generation))]
    pub async fn commit(&self, manifest: &Manifest) -> Result<()> {
        let generations = self.list_generations(&manifest.run).await?;
        // The file of this generation may have been removed since: creating it again would not be a
        // commit. A file that a writer may still build on is never removed in favor of a bundle:
        // see `Lake::waste`.
        if generations.last_key_value().is_some_and(|(newest, _)| *newest > manifest.generation) {
            let text = format!("cannot commit run `{}`: another process wrote it first", manifest.run);
            return Err(Error::new(ErrorKind::Conflict, text));
        }
        self.sync(manifest.parts.iter().map(|part| part.path.as_str())).await?;
        let location = self.manifest_at(&manifest.run, manifest.generation);
        self.put_new(&location, manifest.to_json()?).await?;
        let old = generations.range(..manifest.generation.saturating_sub(SUPERSEDED_MANIFESTS));
        // Best effort: a file that stays is not read.
        let _ = self.remove_all(old.map(|(_, old)| old.location.clone()).collect()).await;
        Ok(())
    }

    /// Removes the previous generation of each of these manifests, which differ only in key
    /// metrics. This halves the number of manifests that opening a lake of many runs lists. A
    /// process that is about to read a removed one finds the newer one. Best effort.
    pub async fn remove_previous_generations(&self, manifests: &[Arc<Manifest>]) {
        let before = manifests.iter().map(|run| self.manifest_at(&run.run, run.generation.saturating_sub(1)));
        let _ = self.remove_all(before.collect()).await;
    }

    /// Removes files, up to a thousand per request to a bucket. Missing files are not an error.
    async fn remove_all(&self, locations: Vec<Path>) -> Result<()> {
        let stream = futures::stream::iter(locations.clone()).map(Ok).boxed();
        let mut removed = futures::stream::iter(locations).zip(self.location.store().delete_stream(stream));
        while let Some((location, result)) = removed.next().await {
            match result {
                Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(self.error(StoreAction::Remove, &location)(error)),
            }
        }
        Ok(())
    }

    fn manifest_at(&self, run: &str, generation: u64) -> Path {
        self.location.resolve("_manifest/run").join(run).join(format!("{generation:010}.json"))
    }

    /// Returns a conversion of errors of the store about a file.
    fn error<'a>(&'a self, action: StoreAction, location: &'a Path) -> impl Fn(object_store::Error) -> Error + 'a {
        move |error| store_error(action, &self.location.url_of(location), error)
    }

    /// Writes a file, and replaces its previous content.
    async fn put(&self, location: &Path, bytes: Bytes) -> Result<()> {
        self.location.put(location, bytes, false).await.map_err(self.error(StoreAction::Write, location))
    }

    /// Writes a file that must not exist: one of several writers succeeds.
    async fn put_new(&self, location: &Path, text: impl Into<Bytes>) -> Result<()> {
        let text = text.into();
        let Err(error) = self.location.put(location, text.clone(), true).await else { return Ok(()) };
        // The response may have been lost. Then the retry meets the file of the first attempt.
        if self.read_bytes(location).await.is_ok_and(|content| content == text) {
            let synced = self.location.sync(std::slice::from_ref(location)).await;
            return synced.map_err(self.error(StoreAction::Write, location));
        }
        Err(self.error(StoreAction::Write, location)(error))
    }

    /// Writes a new checkpoint if the current one lacks many manifests. Best effort: it is a cache.
    pub async fn refresh_checkpoint(&self) {
        let Ok(listed) = self.location.join("_manifest").list_or_empty().await else { return };
        if listed.iter().filter(|object| run_and_generation(&object.path).is_some()).count() < STALE_MANIFESTS {
            return;
        }
        let known = checkpoint::unchanged(checkpoint::read(&self.location).await, &listed);
        let newest = self.read_manifests(newest_files(&listed), &known).await;
        let newest = newest.into_iter().map(|(object, manifest)| Ok((object, manifest?)));
        // The checkpoint may have the only valid copy of a corrupt manifest.
        let Ok(newest) = newest.collect::<Result<Vec<(StoredObject, Arc<Manifest>)>>>() else { return };
        if newest.iter().filter(|(object, _)| !known.contains_key(object.location.as_ref())).count() >= STALE_MANIFESTS
        {
            checkpoint::write(&self.location, &newest).await;
        }
    }

    /// Stores a finished data file, which is in blocks.
    ///
    /// # Errors
    /// Denied, Unreachable, Exhausted.
    pub async fn put_data_file(&self, path: &str, blocks: Vec<Bytes>) -> Result<()> {
        let location = self.location.resolve(path);
        let put = self.location.store().put(&location, blocks.into_iter().collect()).await;
        put.map_err(self.error(StoreAction::Write, &location))?;
        self.unsynced.lock().insert(path.to_owned());
        Ok(())
    }

    /// Flushes these data files to the disk if this process wrote them and has not flushed them
    /// yet. Flushing all files before a commit is faster than flushing each after its write.
    async fn sync(&self, paths: impl Iterator<Item = &str>) -> Result<()> {
        let paths: Vec<&str> = paths.filter(|path| self.unsynced.lock().contains(*path)).collect();
        if paths.is_empty() {
            return Ok(());
        }
        let locations: Vec<Path> = paths.iter().map(|path| self.location.resolve(path)).collect();
        let synced = self.location.sync(&locations).await;
        synced.map_err(|error| store_error(StoreAction::Write, &format!("to {}", self.location.url()), error))?;
        let mut unsynced = self.unsynced.lock();
        paths.into_iter().for_each(|path| _ = unsynced.remove(path));
        Ok(())
    }

    /// Reads the whole data file of a part, and checks the bytes of the part.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed for other bytes than were written.
    pub async fn read_data_file(&self, part: &DataFile) -> Result<Bytes> {
        let bytes = self.location.bytes_up_to(part.file_bytes(), &self.location.resolve(&part.path)).await?;
        check_bytes(part, &bytes).map(|()| bytes)
    }

    /// Removes data files that no manifest lists. Best effort: they are never read.
    pub async fn discard(&self, parts: &[DataFile]) {
        parts.iter().for_each(|part| _ = self.unsynced.lock().remove(&part.path));
        let _ = self.remove_all(parts.iter().map(|part| self.location.resolve(&part.path)).collect()).await;
    }
}

/// A part and the manifest of its run.
pub(crate) type RunDataFile<'a> = (&'a Arc<Manifest>, &'a DataFile);

/// Groups the parts of a table by data file, with its path below the lake.
#[doc(hidden)]
pub fn group_by_data_file<'a>(snapshot: &'a Snapshot, table: &Table) -> BTreeMap<&'a str, Vec<RunDataFile<'a>>> {
    let mut files: BTreeMap<&str, Vec<RunDataFile<'_>>> = BTreeMap::new();
    for run in snapshot.values() {
        for part in run.parts.iter().filter(|part| part.table == table.name) {
            files.entry(&part.path).or_default().push((run, part));
        }
    }
    files
}

/// Whether a data file with these parts is a shared one. Some of its rows may no longer be valid.
#[doc(hidden)]
pub fn is_shared(parts: &[RunDataFile<'_>]) -> bool {
    parts.iter().any(|(_, part)| part.slice.is_some())
}

/// Whether this is the path of a data file below the lake.
fn is_data_file(path: &str) -> bool {
    path.split_once('/')
        .is_some_and(|(folder, file)| table(folder).is_some() && file.ends_with(".parquet") && !file.contains('/'))
}

/// Returns the newest manifest file of each run that has one.
fn newest_files(manifests: &[StoredObject]) -> Vec<StoredObject> {
    let mut newest: BTreeMap<&str, (u64, &StoredObject)> = BTreeMap::new();
    for object in manifests {
        let Some((run, generation)) = run_and_generation(&object.path) else { continue };
        let entry = newest.entry(run).or_insert((generation, object));
        if generation > entry.0 {
            *entry = (generation, object);
        }
    }
    newest.into_values().map(|(_, object)| object.clone()).collect()
}

/// Returns run and generation of a manifest file, from its path below `_manifest/`.
fn run_and_generation(path: &str) -> Option<(&str, u64)> {
    let (run, file) = path.strip_prefix("run/")?.split_once('/')?;
    Some((run, parse_generation(file)?))
}

/// Returns the generation in the name of a manifest file.
fn generation_of(object: &StoredObject) -> Option<u64> {
    parse_generation(object.location.filename()?)
}

/// Parses the generation in the name of a manifest file.
fn parse_generation(file: &str) -> Option<u64> {
    file.strip_suffix(".json")?.parse().ok()
}
