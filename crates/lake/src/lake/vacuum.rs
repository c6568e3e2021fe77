//! What a lake holds that nobody will read again.

use std::collections::{BTreeMap, BTreeSet};

use object_store::path::Path;

use super::bundle::Bundle;
use super::{Fault, Lake, Manifest, checkpoint, is_part, run_and_generation};
use crate::error::{ErrorKind, Result};
use crate::source::{Action, Object, store_error};

const UNFINISHED: &str = "unfinished";

/// A file that may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waste {
    /// `part`, `manifest`, `claim` (a lease of an ingest process that was killed) or `unfinished` (an incomplete file of a killed writer).
    pub kind: &'static str,
    /// Path below the lake.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// When it was written, ns since the Unix epoch.
    pub modified: i64,
    location: Path,
}

impl Waste {
    fn of(kind: &'static str, folder: &str, object: &Object) -> Self {
        let path = format!("{folder}{}", object.path);
        Self { kind, path, bytes: object.size, modified: object.modified, location: object.location.clone() }
    }
}

/// A generation of a run: a manifest of its own, or one in a bundle.
enum Version<'a> {
    Alone(&'a Object),
    Bundled(&'a Object, &'a Manifest),
}

impl Version<'_> {
    /// When it was written, ns since the Unix epoch.
    fn written(&self) -> i64 {
        let (Version::Alone(object) | Version::Bundled(object, _)) = self;
        object.modified
    }
}

/// All versions of each run, the newest last: by generation, of equals a bundle behind a manifest of its own, and of bundles by
/// their names.
fn versions<'a>(
    manifests: &'a [Object],
    bundles: &'a [Bundle<'a>],
) -> BTreeMap<&'a str, BTreeMap<(u64, usize), Version<'a>>> {
    let mut versions: BTreeMap<&str, BTreeMap<(u64, usize), Version<'_>>> = BTreeMap::new();
    for object in manifests {
        if let Some((run, generation)) = run_and_generation(&object.path) {
            versions.entry(run).or_default().insert((generation, 0), Version::Alone(object));
        }
    }
    for (nth, bundle) in (1..).zip(bundles) {
        for manifest in &bundle.manifests {
            let version = Version::Bundled(bundle.object, manifest);
            versions.entry(&manifest.run).or_default().insert((manifest.generation, nth), version);
        }
    }
    versions
}

impl Lake {
    /// Manifests and bundles that were superseded before a time in ns since the Unix epoch, and parts that are older and that no other
    /// manifest lists: what a session may still read that was opened since, and what an ingest has written since, is not among them.
    /// While any manifest is corrupt, the result contains neither data files nor manifests: the corrupt manifest may list them, and
    /// `repair` may need an older generation.
    ///
    /// # Errors
    /// As [`Lake::snapshot`].
    pub async fn waste(&self, before: i64) -> Result<Vec<Waste>> {
        let listed = self.place.list_if_any().await?;
        // Behind the listing of the parts: what was committed in between is listed by a manifest.
        let manifests = self.place.join("_manifest").list_if_any().await?;
        let bundles = self.bundles_of(&manifests).await?;
        let mut waste = Vec::new();
        let (mut newest, mut in_use) = (Vec::new(), Vec::new());
        let mut listed_parts: BTreeSet<&str> = BTreeSet::new();
        let mut bundles_in_use = BTreeSet::new();
        for versions in versions(&manifests, &bundles).into_values() {
            let mut versions = versions.into_values().peekable();
            while let Some(version) = versions.next() {
                let superseded = versions.peek().map(Version::written);
                let is_waste = superseded.is_some_and(|superseded| superseded < before);
                match version {
                    Version::Alone(object) if is_waste => waste.push(Waste::of("manifest", "_manifest/", object)),
                    Version::Alone(object) if superseded.is_some() => in_use.push(object.clone()),
                    Version::Alone(object) => newest.push(object.clone()),
                    Version::Bundled(..) if is_waste => {}
                    Version::Bundled(object, manifest) => {
                        bundles_in_use.insert(object.path.as_ref());
                        listed_parts.extend(manifest.parts.iter().map(|part| part.path.as_str()));
                    }
                }
            }
        }
        let unused = bundles.iter().filter(|bundle| !bundles_in_use.contains(bundle.object.path.as_ref()));
        waste.extend(unused.map(|bundle| Waste::of("manifest", "_manifest/", bundle.object)));
        let mut all_read = bundles.iter().all(|bundle| bundle.faults.is_empty());
        let known = checkpoint::known(checkpoint::read(&self.place).await, &manifests);
        let mut read = Vec::new();
        for (objects, may_be_gone) in [(newest, false), (in_use, true)] {
            for (object, manifest) in self.manifests(objects, &known).await {
                match manifest {
                    Ok(manifest) => read.push(manifest),
                    // A commit has just removed it: it was superseded long ago.
                    Err(error) if may_be_gone && error.kind() == ErrorKind::NotFound => {}
                    Err(error) => {
                        Fault::for_manifest(None, &object, error)?;
                        all_read = false;
                    }
                }
            }
        }
        listed_parts.extend(read.iter().flat_map(|manifest| &manifest.parts).map(|part| part.path.as_str()));
        if !all_read {
            // `repair` may need an older generation.
            waste.retain(|file| file.kind != "manifest");
        }
        let unlisted = listed.iter().filter(|object| {
            all_read
                && is_part(&object.path)
                && object.modified < before
                && !listed_parts.contains(object.path.as_ref())
        });
        waste.extend(unlisted.map(|object| Waste::of("part", "", object)));
        let claims = listed.iter().filter(|object| object.path.starts_with("_claim/") && object.modified < before);
        waste.extend(claims.map(|object| Waste::of("claim", "", object)));
        for (path, bytes, modified) in self.place.unfinished().into_iter().filter(|(_, _, modified)| *modified < before)
        {
            waste.push(Waste { kind: UNFINISHED, path, bytes, modified, location: Path::default() });
        }
        Ok(waste)
    }

    /// Removes them. What somebody else has removed is no error.
    ///
    /// # Errors
    /// Denied, Unreachable; the rest then stays, and the lake is whole.
    pub async fn remove(&self, waste: &[Waste]) -> Result<()> {
        let (unfinished, objects): (Vec<&Waste>, Vec<&Waste>) = waste.iter().partition(|file| file.kind == UNFINISHED);
        for file in unfinished {
            let removed = self.place.remove_unfinished(&file.path);
            removed.map_err(|error| {
                store_error(Action::Remove, &format!("{} in {}", file.path, self.place.url()), error)
            })?;
        }
        self.remove_all(objects.into_iter().map(|file| file.location.clone()).collect()).await
    }
}
