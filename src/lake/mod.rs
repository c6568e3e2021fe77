//! Where rows live: Parquet parts, and one manifest per run that lists them.
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
mod saved;
mod vacuum;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use futures::StreamExt;
use object_store::path::Path;
use object_store::{ObjectStoreExt, PutMode, PutOptions};

use crate::error::{Error, ErrorKind, Result};
use crate::source::{Object, Place, store_error};
use crate::table::{Table, table};

pub use check::{Fault, FaultKind};
pub(crate) use claim::{Claim, Claims};
pub(crate) use clock::now;
pub use compact::Compacted;
pub use delta::DeltaTable;
pub(crate) use entry::Common;
pub use entry::Entry;
pub use manifest::{FORMAT, Figures, Manifest, Part, Slice};
pub use part::{Finished, GROUP_ROWS, PartWriter};
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

/// The runs of a lake at one moment.
pub type Snapshot = Arc<BTreeMap<String, Arc<Manifest>>>;

/// A folder of parts and manifests.
#[derive(Debug, Clone)]
pub struct Lake {
    place: Place,
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
        Self { place }
    }

    /// Makes this folder a lake, if it is none yet.
    ///
    /// # Errors
    /// Argument for a folder that holds something else; Denied, Unreachable, Exhausted.
    pub async fn create(place: Place) -> Result<Self> {
        if Self::is_at(&place).await? {
            return Ok(Self { place });
        }
        // Behind a second look: another writer may be making it in this moment.
        if place.holds_something().await? && !Self::is_at(&place).await? {
            let text = format!("cannot make a lake of {}: there are other files in it", place.url());
            return Err(Error::new(ErrorKind::Argument, text).with_hint("give a new or an empty folder"));
        }
        let lake = Self { place };
        // All writers make the same file.
        lake.put_new(&lake.place.at("_manifest/lake.json"), format!("{{\"format\": {FORMAT}}}\n")).await?;
        Ok(lake)
    }

    /// The folder.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// All runs as they are now.
    ///
    /// # Errors
    /// Malformed or Unrecognised for a manifest that cannot be read; Denied, Unreachable.
    #[tracing::instrument(skip_all)]
    pub async fn snapshot(&self) -> Result<Snapshot> {
        let folder = self.place.join("_manifest");
        let (listed, cached) = futures::join!(folder.list_if_any(), checkpoint::read(&self.place));
        let listed = listed?;
        let known = checkpoint::known(cached, &listed);
        let mut runs: BTreeMap<String, Arc<Manifest>> = BTreeMap::new();
        let mut keep = |manifest: Arc<Manifest>| {
            let newer = runs.get(&manifest.run).is_none_or(|old| manifest.generation >= old.generation);
            if newer {
                runs.insert(manifest.run.clone(), manifest);
            }
        };
        for (_, manifest) in self.newest(&listed, &known).await? {
            keep(manifest);
        }
        for manifest in self.bundles_of(&listed).await?.into_iter().flat_map(|(_, manifests)| manifests) {
            keep(Arc::new(manifest));
        }
        // A run whose rows have another name since is gone, also where a killed rename did not come to say so.
        let renamed: Vec<(String, u64)> = runs.values().filter_map(|run| run.renamed.clone()).collect();
        for (run, generation) in renamed {
            if runs.get(&run).is_some_and(|old| old.generation <= generation) {
                runs.remove(&run);
            }
        }
        runs.retain(|_, run| !run.deleted);
        Ok(Arc::new(runs))
    }

    /// The manifest of the highest generation of each run, with the object that holds it; only what is not known is read.
    async fn newest(
        &self,
        listed: &[Object],
        known: &BTreeMap<String, Arc<Manifest>>,
    ) -> Result<Vec<(Object, Arc<Manifest>)>> {
        let newest = newest_of_each(listed).into_values().cloned().collect();
        let read = self.manifests(newest, known).await;
        read.into_iter().map(|(object, manifest)| Ok((object, manifest?))).collect()
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
            Some((_, object)) => Some(self.manifest_or_newer(object).await.1?),
            None => None,
        };
        let bundled = self.bundled(run).await?.into_iter().map(Arc::new);
        // Of equals the last: a bundle, and of bundles the newest.
        Ok(single.into_iter().chain(bundled).max_by_key(|run| run.generation))
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
        let what = || format!("read {}", self.place.url_of(location));
        let got = self.place.store().get(location).await.map_err(|error| store_error(&what(), error))?;
        got.bytes().await.map_err(|error| store_error(&what(), error))
    }

    async fn manifest(&self, location: &Path) -> Result<Manifest> {
        Manifest::parse(&self.place.url_of(location), &self.bytes(location).await?)
    }

    /// Makes the next generation of a run the truth, and removes manifests that were superseded long ago.
    ///
    /// # Errors
    /// Conflict when another writer committed this generation first; the lake is then as it made it.
    #[tracing::instrument(skip_all, fields(run = manifest.run, generation = manifest.generation))]
    pub async fn commit(&self, manifest: &Manifest) -> Result<()> {
        let there = self.generations(&manifest.run).await?;
        // Its own may have been removed since: to create that again would be no commit. In favour of a bundle none is removed
        // that a writer may still build on: see `Lake::waste`.
        if there.last_key_value().is_some_and(|(newest, _)| *newest > manifest.generation) {
            let text = format!("cannot commit run `{}`: somebody else wrote it first", manifest.run);
            return Err(Error::new(ErrorKind::Conflict, text));
        }
        let location = self.manifest_at(&manifest.run, manifest.generation);
        self.put_new(&location, manifest.to_json()?).await?;
        let old = there.range(..manifest.generation.saturating_sub(SUPERSEDED));
        // Best effort: what stays is not read.
        let _ = self.remove_all(old.map(|(_, old)| old.location.clone()).collect()).await;
        Ok(())
    }

    /// Removes the generation before each of these, which only key figures set apart from it: half as many manifests are
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
                Err(error) => return Err(store_error(&format!("remove {}", self.place.url_of(&location)), error)),
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
        let mode = PutOptions::from(PutMode::Create);
        let Err(error) = self.place.store().put_opts(location, text.clone().into(), mode).await else { return Ok(()) };
        // The answer may have been lost on its way, and a second try then meets what the first one wrote.
        if self.bytes(location).await.is_ok_and(|there| there == text) {
            return Ok(());
        }
        Err(store_error(&format!("write {}", self.place.url_of(location)), error))
    }

    /// Writes a new checkpoint if the present one misses many manifests. Best effort: it is a cache.
    pub async fn refresh_checkpoint(&self) {
        let Ok(listed) = self.place.join("_manifest").list_if_any().await else { return };
        if listed.iter().filter(|object| run_and_generation(&object.path).is_some()).count() < STALE {
            return;
        }
        let known = checkpoint::known(checkpoint::read(&self.place).await, &listed);
        let Ok(newest) = self.newest(&listed, &known).await else { return };
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
        put.map(|_| ()).map_err(|error| store_error(&format!("write {}", self.place.url_of(&location)), error))
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
        let _ = self.remove_all(parts.iter().map(|part| self.place.at(&part.path)).collect()).await;
    }
}

/// A part, and the run whose rows it holds.
pub(crate) type OfRun<'a> = (&'a Arc<Manifest>, &'a Part);

/// The parts of a table by their file, whose path is that below the lake.
pub(crate) fn by_file<'a>(snapshot: &'a Snapshot, table: &Table) -> BTreeMap<&'a str, Vec<OfRun<'a>>> {
    let mut files: BTreeMap<&str, Vec<OfRun<'_>>> = BTreeMap::new();
    for run in snapshot.values() {
        for part in run.parts.iter().filter(|part| part.table == table.name) {
            files.entry(&part.path).or_default().push((run, part));
        }
    }
    files
}

/// Whether a file with these parts is one of many runs, of which some may not count any more.
pub(crate) fn is_shared(parts: &[OfRun<'_>]) -> bool {
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

/// The generation of a manifest, from the name of its file.
fn generation(file: &str) -> Option<u64> {
    file.strip_suffix(".json")?.parse().ok()
}
