//! Unused files of a lake: what a vacuum removes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use object_store::path::Path;

use super::bundle::Bundle;
use super::{Lake, LakeFault, Manifest, checkpoint, is_data_file, run_and_generation};
use crate::error::{ErrorKind, Result};
use crate::source::{StoreAction, StoredObject, store_error};

const UNFINISHED: &str = "unfinished";

/// A file that can be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedFile {
    /// `part`, `manifest`, `claim` (a lease of an ingest process that was killed) or `unfinished` (an incomplete file of a killed writer).
    pub kind: &'static str,
    /// Path below the lake.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last change, ns since the Unix epoch.
    pub modified: i64,
    location: Path,
}

impl UnusedFile {
    fn manifest(object: &StoredObject) -> Self {
        Self::new("manifest", "_manifest/", object)
    }

    fn new(kind: &'static str, folder: &str, object: &StoredObject) -> Self {
        let path = format!("{folder}{}", object.path);
        Self { kind, path, bytes: object.size, modified: object.modified, location: object.location.clone() }
    }
}

/// A generation of a run.
struct RunVersion<'a> {
    /// The manifest file, or the bundle.
    file: &'a StoredObject,
    /// The manifest in the bundle; none for a manifest file.
    bundled: Option<&'a Manifest>,
}

/// Returns all versions of each run, the newest last: sorted by generation. At the same generation
/// a bundle comes after a manifest file, and bundles are sorted by name.
fn versions<'a>(
    manifests: &'a [StoredObject],
    bundles: &'a [Bundle<'a>],
) -> BTreeMap<&'a str, BTreeMap<(u64, usize), RunVersion<'a>>> {
    let mut versions: BTreeMap<&str, BTreeMap<(u64, usize), RunVersion<'_>>> = BTreeMap::new();
    for object in manifests {
        if let Some((run, generation)) = run_and_generation(&object.path) {
            versions.entry(run).or_default().insert((generation, 0), RunVersion { file: object, bundled: None });
        }
    }
    for (nth, bundle) in (1..).zip(bundles) {
        for manifest in &bundle.manifests {
            let version = RunVersion { file: bundle.object, bundled: Some(manifest.as_ref()) };
            versions.entry(&manifest.run).or_default().insert((manifest.generation, nth), version);
        }
    }
    versions
}

/// The manifests of a lake by their use.
#[derive(Default)]
struct ManifestUse<'a> {
    /// Manifest files and bundles that were superseded before a time.
    waste: Vec<UnusedFile>,
    /// The newest manifest of each run, if it has a file of its own.
    newest: Vec<StoredObject>,
    /// Superseded manifest files after a generation in a bundle: without a deletion, a repair would restore the rows in the
    /// bundle.
    after_bundle: Vec<&'a StoredObject>,
    /// Manifest files that were superseded later, so that a session may still read them.
    recent: Vec<StoredObject>,
    /// Paths of the data files that used manifests in bundles list.
    data_files: BTreeSet<&'a str>,
}

impl<'a> ManifestUse<'a> {
    fn new(manifests: &'a [StoredObject], bundles: &'a [Bundle<'a>], before: i64) -> Self {
        let mut manifest_use = Self::default();
        let mut used_bundles = BTreeSet::new();
        for versions in versions(manifests, bundles).into_values() {
            let mut versions = versions.into_values().peekable();
            let mut follows_bundle = false;
            while let Some(version) = versions.next() {
                let is_after_bundle = std::mem::replace(&mut follows_bundle, version.bundled.is_some());
                let superseded = versions.peek().map(|next| next.file.modified);
                let is_waste = superseded.is_some_and(|superseded| superseded < before);
                match version.bundled {
                    Some(_) if is_waste => {}
                    Some(manifest) => {
                        used_bundles.insert(version.file.path.as_ref());
                        manifest_use.data_files.extend(manifest.parts.iter().map(|part| part.path.as_str()));
                    }
                    None if is_waste && is_after_bundle => manifest_use.after_bundle.push(version.file),
                    None if is_waste => manifest_use.waste.push(UnusedFile::manifest(version.file)),
                    None if superseded.is_some() => manifest_use.recent.push(version.file.clone()),
                    None => manifest_use.newest.push(version.file.clone()),
                }
            }
        }
        let unused = bundles.iter().filter(|bundle| !used_bundles.contains(bundle.object.path.as_ref()));
        manifest_use.waste.extend(unused.map(|bundle| UnusedFile::manifest(bundle.object)));
        manifest_use
    }
}

impl Lake {
    /// Returns manifests and bundles that were superseded before a time in ns since the Unix epoch,
    /// and data files that are older and that no used manifest lists. A session that was opened
    /// after that time does not read them, and an ingest that started after it has not written
    /// them. While any manifest is corrupt, the result has neither data files nor manifests: the
    /// corrupt manifest may list them, and `repair` may need an older generation.
    ///
    /// # Errors
    /// Those of [`Lake::snapshot`].
    pub async fn find_unused_files(&self, before: i64) -> Result<Vec<UnusedFile>> {
        let listed = self.location.list_or_empty().await?;
        // List manifests after the data files, so that they include those of commits in between.
        let manifests = self.location.join("_manifest").list_or_empty().await?;
        let bundles = self.read_bundles(&manifests).await?;
        let ManifestUse { mut waste, newest, after_bundle, recent, mut data_files } =
            ManifestUse::new(&manifests, &bundles, before);
        for file in after_bundle {
            if !self.read_manifest(&file.location).await.is_ok_and(|manifest| manifest.deleted) {
                waste.push(UnusedFile::manifest(file));
            }
        }
        let used_manifests = self.read_used_manifests(newest, recent, &manifests).await?;
        match used_manifests.filter(|_| bundles.iter().all(|bundle| bundle.faults.is_empty())) {
            Some(used_manifests) => {
                let parts = used_manifests.iter().flat_map(|manifest| &manifest.parts);
                data_files.extend(parts.map(|part| part.path.as_str()));
                let unlisted = listed.iter().filter(|object| {
                    is_data_file(&object.path) && object.modified < before && !data_files.contains(object.path.as_ref())
                });
                waste.extend(unlisted.map(|object| UnusedFile::new("part", "", object)));
            }
            None => waste.clear(),
        }
        let leases = listed.iter().filter(|object| object.path.starts_with("_claim/") && object.modified < before);
        waste.extend(leases.map(|object| UnusedFile::new("claim", "", object)));
        let unfinished = self.location.list_unfinished().into_iter().filter(|(_, _, modified)| *modified < before);
        waste.extend(unfinished.map(|(path, bytes, modified)| {
            let (kind, location) = (UNFINISHED, Path::default());
            UnusedFile { kind, path, bytes, modified, location }
        }));
        Ok(waste)
    }

    /// Reads manifests that are in use. None if one of them is corrupt.
    async fn read_used_manifests(
        &self,
        newest: Vec<StoredObject>,
        recent: Vec<StoredObject>,
        listed: &[StoredObject],
    ) -> Result<Option<Vec<Arc<Manifest>>>> {
        let known = checkpoint::unchanged(checkpoint::read(&self.location).await, listed);
        let mut used = Some(Vec::new());
        for (objects, may_be_removed) in [(newest, false), (recent, true)] {
            for (object, manifest) in self.read_manifests(objects, &known).await {
                match manifest {
                    Ok(manifest) => used.iter_mut().for_each(|used| used.push(Arc::clone(&manifest))),
                    // A commit has just removed it: it was superseded long ago.
                    Err(error) if may_be_removed && error.kind() == ErrorKind::NotFound => {}
                    Err(error) => {
                        LakeFault::for_manifest(None, &object, error)?;
                        used = None;
                    }
                }
            }
        }
        Ok(used)
    }

    /// Removes these files. Missing files are not an error.
    ///
    /// # Errors
    /// Denied, Unreachable; the other files then stay, and the lake is valid.
    pub async fn remove(&self, waste: &[UnusedFile]) -> Result<()> {
        let (unfinished, objects): (Vec<&UnusedFile>, Vec<&UnusedFile>) =
            waste.iter().partition(|file| file.kind == UNFINISHED);
        for file in unfinished {
            let name = format!("{} in {}", file.path, self.location.url());
            let removed = self.location.remove_unfinished(&file.path);
            removed.map_err(|error| store_error(StoreAction::Remove, &name, error))?;
        }
        self.remove_all(objects.into_iter().map(|file| file.location.clone()).collect()).await
    }
}
