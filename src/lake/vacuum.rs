//! What a lake holds that nobody will read again.

use std::collections::{BTreeMap, BTreeSet};

use object_store::path::Path;

use super::{Lake, Manifest, checkpoint, is_part, run_and_generation};
use crate::error::{ErrorKind, Result};
use crate::source::Object;

/// A file that may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waste {
    /// `part`, `manifest`, or `claim`: what an ingester that died left of a list that it shared.
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
    bundles: &'a [(&'a Object, Vec<Manifest>)],
) -> BTreeMap<&'a str, BTreeMap<(u64, usize), Version<'a>>> {
    let mut versions: BTreeMap<&str, BTreeMap<(u64, usize), Version<'_>>> = BTreeMap::new();
    for object in manifests {
        if let Some((run, generation)) = run_and_generation(&object.path) {
            versions.entry(run).or_default().insert((generation, 0), Version::Alone(object));
        }
    }
    for (nth, (object, manifests)) in (1..).zip(bundles) {
        for manifest in manifests {
            let version = Version::Bundled(object, manifest);
            versions.entry(&manifest.run).or_default().insert((manifest.generation, nth), version);
        }
    }
    versions
}

impl Lake {
    /// Manifests and bundles that were superseded before a time in ns since the Unix epoch, and parts that are older and that no other
    /// manifest lists: what a session may still read that was opened since, and what an ingest has written since, is not among them.
    ///
    /// # Errors
    /// As [`Lake::snapshot`]: without a manifest nobody knows which parts are its own.
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
        let unused = bundles.iter().filter(|(object, _)| !bundles_in_use.contains(object.path.as_ref()));
        waste.extend(unused.map(|(object, _)| Waste::of("manifest", "_manifest/", object)));
        let known = checkpoint::known(checkpoint::read(&self.place).await, &manifests);
        let mut read = Vec::new();
        for (_, manifest) in self.manifests(newest, &known).await {
            read.push(manifest?);
        }
        for (_, manifest) in self.manifests(in_use, &known).await {
            match manifest {
                Ok(manifest) => read.push(manifest),
                // A commit has just removed it: it was superseded long ago.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        listed_parts.extend(read.iter().flat_map(|manifest| &manifest.parts).map(|part| part.path.as_str()));
        let unlisted = listed.iter().filter(|object| {
            is_part(&object.path) && object.modified < before && !listed_parts.contains(object.path.as_ref())
        });
        waste.extend(unlisted.map(|object| Waste::of("part", "", object)));
        let claims = listed.iter().filter(|object| object.path.starts_with("_claim/") && object.modified < before);
        waste.extend(claims.map(|object| Waste::of("claim", "", object)));
        Ok(waste)
    }

    /// Removes them. What somebody else has removed is no error.
    ///
    /// # Errors
    /// Denied, Unreachable; the rest then stays, and the lake is whole.
    pub async fn remove(&self, waste: &[Waste]) -> Result<()> {
        self.remove_all(waste.iter().map(|file| file.location.clone()).collect()).await
    }
}
