//! Where rows live: Parquet data files, and one manifest per run that lists them.
//!
//! ```text
//! <lake>/<table>/<part>.parquet                     rows; `run` is a real column of every part
//! <lake>/<table>/_delta_log/<version>.json          which parts count, for Delta Lake, where somebody exported that
//! <lake>/<table>/delta/<name>.parquet               rows of such a table that no part has alone
//! <lake>/_manifest/lake.json                        the format of the lake
//! <lake>/_manifest/run/<run>/<generation>.json      the truth about one run
//! <lake>/_manifest/bundle/<n>.json                  the same for many runs whose parts were merged
//! <lake>/_manifest/checkpoint.parquet               a cache of all manifests, never the truth
//! <lake>/_manifest/clock                            empty; when it was written tells the clock of the store
//! <lake>/_claim/<run>/<n>                           who is reading a profile, of those who share a list of them
//! <lake>/_baseline/<name>.json                     a named set of runs that others are held against
//! <lake>/_queries/<family>/<question>.sql           a canned query that a user keeps with the lake
//! ```
//! Parts and manifests are immutable. A commit is one create-if-absent put of the next generation,
//! so it is atomic over all tables, a killed writer leaves only unlisted parts, and of two writers
//! on one run one wins. For a run the highest generation wins; at equal generation a bundle wins.

mod baseline;
mod blocks;
mod bundle;
mod check;
mod checkpoint;
mod chunk;
mod claim;
mod clock;
mod compact;
mod delta;
mod encode;
mod entry;
mod footer;
mod manifest;
mod order;
mod outdated;
mod part;
mod repair;
mod saved;
mod vacuum;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures::StreamExt;
use object_store::ObjectStoreExt;
use object_store::path::Path;

use crate::error::{Error, ErrorKind, Result};
use crate::source::{Action, Object, Place, decoded, store_error};
use crate::table::{Table, table};

pub use check::{Fault, FaultKind};
#[doc(hidden)]
pub use claim::{Claim, Claims};
#[doc(hidden)]
pub use clock::now;
pub use compact::Compacted;
pub use delta::DeltaTable;
pub(crate) use entry::Common;
pub use entry::Entry;
pub use manifest::{FORMAT, Figures, Manifest, Part, Slice};
pub use part::{Finished, GROUP_ROWS, PartWriter};
pub use repair::Repair;
pub use saved::Saved;
pub use vacuum::Waste;

/// Manifests read at the same time.
const PARALLEL: usize = 32;

/// Manifests that may be missing in the checkpoint before a writer makes a new one.
const STALE: usize = 16;

/// Superseded manifests of a run that stay: whoever has just listed them may be about to read one.
const SUPERSEDED: u64 = 16;

/// How often a run is looked up again whose manifest is gone since it was listed: each time somebody has committed twice.
const LOOKS: usize = 5;

/// Hint for a corrupt manifest.
pub(crate) const REPAIR: &str = "run `tracelake check --repair`: it restores the newest valid generation";

/// The runs of a lake at one moment.
pub type Snapshot = Arc<BTreeMap<String, Arc<Manifest>>>;

/// The runs of a lake, and the manifests that could not be read.
#[derive(Debug, Clone)]
pub struct LoadedRuns {
    /// The runs.
    pub runs: Snapshot,
    /// Corrupt manifests. Their runs are excluded from `runs`.
    pub faults: Vec<Fault>,
}

/// The newest manifest of each run, including deleted runs.
#[derive(Debug, Default)]
struct NewestManifests {
    runs: BTreeMap<String, Arc<Manifest>>,
    /// Runs whose newest manifest is corrupt.
    faults: Vec<Fault>,
}

impl NewestManifests {
    fn keep(&mut self, manifest: Arc<Manifest>) {
        let newer = self.runs.get(&manifest.run).is_none_or(|old| manifest.generation >= old.generation);
        if newer {
            self.runs.insert(manifest.run.clone(), manifest);
        }
    }
}

/// A folder of parts and manifests.
#[derive(Debug, Clone)]
pub struct Lake {
    place: Place,
    /// Paths of data files that this process wrote and has not flushed to the disk.
    unsynced: Arc<Mutex<BTreeSet<String>>>,
}

impl Lake {
    /// Whether this folder is a lake: it is one iff it has `_manifest/`.
    ///
    /// # Errors
    /// NotFound for a missing bucket, Denied, Unreachable.
    pub async fn is_at(place: &Place) -> Result<bool> {
        place.join("_manifest").holds_something().await
    }

    /// The lake in this folder.
    pub fn at(place: Place) -> Self {
        Self { place, unsynced: Arc::default() }
    }

    /// Makes this folder a lake, if it is none yet.
    ///
    /// # Errors
    /// Argument for a folder that holds something else; Denied, Unreachable, Exhausted.
    pub async fn create(place: Place) -> Result<Self> {
        if Self::is_at(&place).await? {
            return Ok(Self::at(place));
        }
        // Behind a second look: another writer may be making it in this moment.
        if place.holds_something().await? && !Self::is_at(&place).await? {
            let text = format!("cannot create a lake in {}: it contains other files", place.url());
            return Err(Error::new(ErrorKind::Argument, text).with_hint("give a new or an empty folder"));
        }
        let lake = Self::at(place);
        // All writers make the same file.
        lake.put_new(&lake.place.at("_manifest/lake.json"), format!("{{\"format\": {FORMAT}}}\n")).await?;
        Ok(lake)
    }

    /// The folder.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Reads the newest manifest of each run. A run whose newest manifest is corrupt is excluded and reported as a fault.
    ///
    /// # Errors
    /// Denied, Unreachable.
    #[tracing::instrument(skip_all)]
    pub async fn snapshot(&self) -> Result<LoadedRuns> {
        let folder = self.place.join("_manifest");
        let (listed, cached) = futures::join!(folder.list_if_any(), checkpoint::read(&self.place));
        let listed = listed?;
        let NewestManifests { mut runs, faults } = self.newest(&listed, &checkpoint::known(cached, &listed)).await?;
        // A run whose rows have another name since is gone, also where a killed rename did not come to say so.
        let renamed: Vec<(String, u64)> = runs.values().filter_map(|run| run.renamed.clone()).collect();
        for (run, generation) in renamed {
            if runs.get(&run).is_some_and(|old| old.generation <= generation) {
                runs.remove(&run);
            }
        }
        runs.retain(|_, run| !run.deleted);
        Ok(LoadedRuns { runs: Arc::new(runs), faults })
    }

    /// The newest manifest of each run, from single files and bundles. Manifests in `known` are not read again.
    async fn newest(&self, listed: &[Object], known: &BTreeMap<String, Arc<Manifest>>) -> Result<NewestManifests> {
        let mut newest = NewestManifests::default();
        let (mut unreadable, mut bundle_faults) = (Vec::new(), Vec::new());
        for (object, manifest) in self.newest_single_manifests(listed, known).await {
            match manifest {
                Ok(manifest) => newest.keep(manifest),
                Err(error) => {
                    unreadable.push((generation_of(&object), Fault::for_manifest(run_of(&object), &object, error)?));
                }
            }
        }
        for bundle in self.bundles_of(listed).await? {
            bundle.manifests.into_iter().for_each(|manifest| newest.keep(Arc::new(manifest)));
            bundle_faults.extend(bundle.faults);
        }
        for (generation, fault) in unreadable {
            let run = fault.run.as_deref().unwrap_or_default();
            if newest.runs.get(run).is_some_and(|bundled| Some(bundled.generation) >= generation) {
                continue;
            }
            // The bundle has an older generation: using it would hide that newer rows are lost.
            newest.runs.remove(run);
            newest.faults.push(fault);
        }
        for mut fault in bundle_faults {
            // The run has another manifest, of the same generation or a newer one.
            fault.run = fault.run.filter(|run| !newest.runs.contains_key(run));
            newest.faults.push(fault);
        }
        Ok(newest)
    }

    /// The newest manifest of each run that is in a file of its own, with that file.
    async fn newest_single_manifests(
        &self,
        listed: &[Object],
        known: &BTreeMap<String, Arc<Manifest>>,
    ) -> Vec<(Object, Result<Arc<Manifest>>)> {
        self.manifests(newest_of_each(listed).into_values().cloned().collect(), known).await
    }

    /// These manifests, each with the object that holds it; only what is not known is read.
    async fn manifests(
        &self,
        objects: Vec<Object>,
        known: &BTreeMap<String, Arc<Manifest>>,
    ) -> Vec<(Object, Result<Arc<Manifest>>)> {
        let known = |object: &Object| known.get(object.location.as_ref()).cloned();
        let objects: Vec<_> = objects.into_iter().map(|object| (known(&object), object)).collect();
        futures::stream::iter(objects)
            .map(|(known, object)| async move {
                match known {
                    Some(manifest) => (object, Ok(manifest)),
                    None => self.manifest_or_newer(object).await,
                }
            })
            .buffer_unordered(PARALLEL)
            .collect()
            .await
    }

    /// The manifest in this object or, if that is gone since it was listed, the newest of its run.
    async fn manifest_or_newer(&self, mut object: Object) -> (Object, Result<Arc<Manifest>>) {
        let mut read = self.manifest(&object.location).await;
        for _ in 0..LOOKS {
            if !read.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
                break;
            }
            let there = self.generations_in(&self.place.folder_of(&object.location)).await;
            let Some((_, newest)) = there.ok().and_then(|mut there| there.pop_last()) else { break };
            let folder = object.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            object = Object { path: format!("{folder}/{}", newest.path).into(), ..newest };
            read = self.manifest(&object.location).await;
        }
        (object, read.map(Arc::new))
    }

    /// The newest manifest of one run.
    ///
    /// # Errors
    /// As [`Lake::snapshot`].
    pub async fn run(&self, run: &str) -> Result<Option<Arc<Manifest>>> {
        Ok(self.newest_of(run).await?.filter(|run| !run.deleted))
    }

    /// The newest manifest of one run, on top of which the next one is committed; it may say that the run was deleted.
    ///
    /// # Errors
    /// As [`Lake::snapshot`].
    pub async fn newest_of(&self, run: &str) -> Result<Option<Arc<Manifest>>> {
        let single = match self.generations(run).await?.pop_last() {
            Some((_, object)) => Some(self.manifest_or_newer(object).await),
            None => None,
        };
        let (bundled, fault) = self.bundled(run).await?;
        let bundled = bundled.into_iter().map(Arc::new).max_by_key(|run| run.generation);
        match (single, bundled) {
            // At the same generation the bundle wins.
            (Some((_, Ok(single))), Some(bundled)) if bundled.generation >= single.generation => Ok(Some(bundled)),
            (Some((object, Err(_))), Some(bundled)) if Some(bundled.generation) >= generation_of(&object) => {
                Ok(Some(bundled))
            }
            (Some((_, Err(error))), _) if error.kind() == ErrorKind::Malformed => Err(error.with_hint(REPAIR)),
            (Some((_, single)), _) => single.map(Some),
            (None, Some(bundled)) => Ok(Some(bundled)),
            (None, None) => match fault {
                Some(fault) => Err(fault.error()),
                None => Ok(None),
            },
        }
    }

    /// The newest generation of a run, even if its manifest is corrupt; 0 if the run has none.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub(crate) async fn last_generation(&self, run: &str) -> Result<u64> {
        let alone = self.generations(run).await?.pop_last().map_or(0, |(generation, _)| generation);
        let (bundled, _) = self.bundled(run).await?;
        Ok(bundled.iter().map(|manifest| manifest.generation).fold(alone, u64::max))
    }

    /// The manifests of one run, by generation.
    async fn generations(&self, run: &str) -> Result<BTreeMap<u64, Object>> {
        self.generations_in(&self.place.join("_manifest/run").join(run)).await
    }

    async fn generations_in(&self, folder: &Place) -> Result<BTreeMap<u64, Object>> {
        let listed = folder.list_if_any().await?;
        Ok(listed.into_iter().filter_map(|object| Some((generation(&object.path)?, object))).collect())
    }

    async fn bytes(&self, location: &Path) -> Result<Bytes> {
        let failed = |error| store_error(Action::Read, &self.place.url_of(location), error);
        let got = self.place.store().get(location).await.map_err(failed)?;
        got.bytes().await.map_err(failed)
    }

    async fn manifest(&self, location: &Path) -> Result<Manifest> {
        let name = self.place.url_of(location);
        let manifest = Manifest::parse(&name, &self.bytes(location).await?)?;
        if self.manifest_at(&manifest.run, manifest.generation) != *location {
            let text = format!(
                "cannot read {name}: expected the manifest of this path, found generation {} of run `{}`",
                manifest.generation, manifest.run
            );
            return Err(Error::new(ErrorKind::Malformed, text));
        }
        Ok(manifest)
    }

    /// Makes the next generation of a run the truth, and removes manifests that were superseded long ago.
    ///
    /// # Errors
    /// Conflict when another writer committed this generation first; the lake is then as it made it.
    #[tracing::instrument(skip_all, fields(run = manifest.run, generation = manifest.generation))]
    pub async fn commit(&self, manifest: &Manifest) -> Result<()> {
        let there = self.generations(&manifest.run).await?;
        // Its own may have been removed since: to create that again would be no commit. In favor of a bundle none is removed
        // that a writer may still build on: see `Lake::waste`.
        if there.last_key_value().is_some_and(|(newest, _)| *newest > manifest.generation) {
            let text = format!("cannot commit run `{}`: another process wrote it first", manifest.run);
            return Err(Error::new(ErrorKind::Conflict, text));
        }
        self.sync(manifest.parts.iter().map(|part| part.path.as_str())).await?;
        let location = self.manifest_at(&manifest.run, manifest.generation);
        self.put_new(&location, manifest.to_json()?).await?;
        let old = there.range(..manifest.generation.saturating_sub(SUPERSEDED));
        // Best effort: what stays is not read.
        let _ = self.remove_all(old.map(|(_, old)| old.location.clone()).collect()).await;
        Ok(())
    }

    /// Removes the generation before each of these, which only key metrics set apart from it: half as many manifests are
    /// listed when a lake of many runs is opened. Who is about to read one finds the newer one. Best effort.
    pub async fn remove_before(&self, manifests: &[Arc<Manifest>]) {
        let before = manifests.iter().map(|run| self.manifest_at(&run.run, run.generation.saturating_sub(1)));
        let _ = self.remove_all(before.collect()).await;
    }

    /// Removes files, up to a thousand by one request to a bucket. What somebody else has removed is no error.
    async fn remove_all(&self, locations: Vec<Path>) -> Result<()> {
        let those = futures::stream::iter(locations.clone()).map(Ok).boxed();
        let mut removed = futures::stream::iter(locations).zip(self.place.store().delete_stream(those));
        while let Some((location, done)) = removed.next().await {
            match done {
                Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => {
                    return Err(store_error(Action::Remove, &self.place.url_of(&location), error));
                }
            }
        }
        Ok(())
    }

    fn manifest_at(&self, run: &str, generation: u64) -> Path {
        self.place.at("_manifest/run").join(run).join(format!("{generation:010}.json"))
    }

    /// Writes a file that must not be there yet: of several writers one succeeds.
    async fn put_new(&self, location: &Path, text: impl Into<Bytes>) -> Result<()> {
        let text = text.into();
        let Err(error) = self.place.put(location, text.clone(), true).await else { return Ok(()) };
        // The answer may have been lost on its way, and a second try then meets what the first one wrote.
        if self.bytes(location).await.is_ok_and(|there| there == text) {
            let synced = self.place.sync(std::slice::from_ref(location)).await;
            return synced.map_err(|error| store_error(Action::Write, &self.place.url_of(location), error));
        }
        Err(store_error(Action::Write, &self.place.url_of(location), error))
    }

    /// Writes a new checkpoint if the present one misses many manifests. Best effort: it is a cache.
    pub async fn refresh_checkpoint(&self) {
        let Ok(listed) = self.place.join("_manifest").list_if_any().await else { return };
        if listed.iter().filter(|object| run_and_generation(&object.path).is_some()).count() < STALE {
            return;
        }
        let known = checkpoint::known(checkpoint::read(&self.place).await, &listed);
        let newest = self.newest_single_manifests(&listed, &known).await;
        let newest = newest.into_iter().map(|(object, manifest)| Ok((object, manifest?)));
        // The checkpoint may have the only valid copy of a corrupt manifest.
        let Ok(newest) = newest.collect::<Result<Vec<(Object, Arc<Manifest>)>>>() else { return };
        if newest.iter().filter(|(object, _)| !known.contains_key(object.location.as_ref())).count() >= STALE {
            checkpoint::write(&self.place, &newest).await;
        }
    }

    /// Stores a finished part, which comes in blocks.
    ///
    /// # Errors
    /// Denied, Unreachable, Exhausted.
    pub async fn put_part(&self, path: &str, blocks: Vec<Bytes>) -> Result<()> {
        let location = self.place.at(path);
        let put = self.place.store().put(&location, blocks.into_iter().collect()).await;
        put.map_err(|error| store_error(Action::Write, &self.place.url_of(&location), error))?;
        self.unsynced().insert(path.to_owned());
        Ok(())
    }

    /// Flushes these data files to the disk if this process wrote them and has not flushed them yet. Flushing all files
    /// before a commit is faster than flushing each after its write.
    async fn sync(&self, paths: impl Iterator<Item = &str>) -> Result<()> {
        let paths: Vec<&str> = {
            let unsynced = self.unsynced();
            paths.filter(|path| unsynced.contains(*path)).collect()
        };
        if paths.is_empty() {
            return Ok(());
        }
        let locations: Vec<Path> = paths.iter().map(|path| self.place.at(path)).collect();
        self.place
            .sync(&locations)
            .await
            .map_err(|error| store_error(Action::Write, &format!("to {}", self.place.url()), error))?;
        let mut unsynced = self.unsynced();
        paths.into_iter().for_each(|path| _ = unsynced.remove(path));
        Ok(())
    }

    fn unsynced(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.unsynced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a whole part.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable.
    pub async fn read_part(&self, path: &str) -> Result<Bytes> {
        self.bytes(&self.place.at(path)).await
    }

    /// Removes parts that no manifest lists. Best effort: an unlisted part is never read.
    pub async fn discard(&self, parts: &[Part]) {
        parts.iter().for_each(|part| _ = self.unsynced().remove(&part.path));
        let _ = self.remove_all(parts.iter().map(|part| self.place.at(&part.path)).collect()).await;
    }
}

/// A part, and the run whose rows it holds.
pub(crate) type OfRun<'a> = (&'a Arc<Manifest>, &'a Part);

/// The parts of a table by their file, whose path is that below the lake.
#[doc(hidden)]
pub fn by_file<'a>(snapshot: &'a Snapshot, table: &Table) -> BTreeMap<&'a str, Vec<OfRun<'a>>> {
    let mut files: BTreeMap<&str, Vec<OfRun<'_>>> = BTreeMap::new();
    for run in snapshot.values() {
        for part in run.parts.iter().filter(|part| part.table == table.name) {
            files.entry(&part.path).or_default().push((run, part));
        }
    }
    files
}

/// Whether a file with these parts is one of many runs, of which some may not count any more.
#[doc(hidden)]
pub fn is_shared(parts: &[OfRun<'_>]) -> bool {
    parts.iter().any(|(_, part)| part.slice.is_some())
}

/// Whether this is the path of a part below the lake: a file of another kind is none of ours.
fn is_part(path: &str) -> bool {
    path.split_once('/')
        .is_some_and(|(folder, file)| table(folder).is_some() && file.ends_with(".parquet") && !file.contains('/'))
}

/// The manifest of the highest generation of each run.
fn newest_of_each(manifests: &[Object]) -> BTreeMap<&str, &Object> {
    let mut newest: BTreeMap<&str, (u64, &Object)> = BTreeMap::new();
    for object in manifests {
        let Some((run, generation)) = run_and_generation(&object.path) else { continue };
        let place = newest.entry(run).or_insert((generation, object));
        if generation > place.0 {
            *place = (generation, object);
        }
    }
    newest.into_iter().map(|(run, (_, object))| (run, object)).collect()
}

/// Whose manifest this is, from its path below `_manifest/`.
fn run_and_generation(path: &str) -> Option<(&str, u64)> {
    let (run, file) = path.strip_prefix("run/")?.split_once('/')?;
    Some((run, generation(file)?))
}

/// The run that a manifest file below `_manifest/` belongs to.
fn run_of(object: &Object) -> Option<String> {
    run_and_generation(&object.path).map(|(run, _)| decoded(run))
}

/// The generation in the name of a manifest file.
fn generation_of(object: &Object) -> Option<u64> {
    generation(object.location.filename()?)
}

/// The generation of a manifest, from the name of its file.
fn generation(file: &str) -> Option<u64> {
    file.strip_suffix(".json")?.parse().ok()
}
