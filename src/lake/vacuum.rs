//! What a lake holds that nobody will read again.

use std::collections::{BTreeMap, BTreeSet};

use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::{Lake, checkpoint, is_part, run_and_generation};
use crate::error::{ErrorKind, Result};
use crate::source::{Object, store_error};

/// A file that may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waste {
    /// `part` or `manifest`.
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

impl Lake {
    /// Manifests that were superseded before a time in ns since the Unix epoch, and parts that are older and that no other manifest
    /// lists: what a session may still read that was opened since, and what an ingest has written since, is not among them.
    ///
    /// # Errors
    /// As [`Lake::snapshot`]: without a manifest nobody knows which parts are its own.
    pub async fn waste(&self, before: i64) -> Result<Vec<Waste>> {
        let listed = self.place.list_if_any().await?;
        // Behind the listing of the parts: what was committed in between is listed by a manifest.
        let manifests = self.place.join("_manifest").list_if_any().await?;
        let mut runs: BTreeMap<&str, BTreeMap<u64, &Object>> = BTreeMap::new();
        for object in &manifests {
            if let Some((run, generation)) = run_and_generation(&object.path) {
                runs.entry(run).or_default().insert(generation, object);
            }
        }
        let (mut waste, mut newest, mut in_use) = (Vec::new(), Vec::new(), Vec::new());
        for generations in runs.into_values() {
            let mut generations = generations.into_values().peekable();
            while let Some(object) = generations.next() {
                match generations.peek() {
                    None => newest.push(object.clone()),
                    Some(next) if next.modified < before => waste.push(Waste::of("manifest", "_manifest/", object)),
                    Some(_) => in_use.push(object.clone()),
                }
            }
        }
        let known = checkpoint::read(&self.place, &manifests).await;
        let mut listed_parts: BTreeSet<String> = BTreeSet::new();
        for (_, manifest) in self.manifests(newest, &known).await {
            listed_parts.extend(manifest?.parts.iter().map(|part| part.path.clone()));
        }
        for (_, manifest) in self.manifests(in_use, &known).await {
            match manifest {
                Ok(manifest) => listed_parts.extend(manifest.parts.iter().map(|part| part.path.clone())),
                // A commit has just removed it: it was superseded long ago.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let bundled = self.bundled(&manifests).await?;
        listed_parts.extend(bundled.into_iter().flat_map(|run| run.parts).map(|part| part.path));
        let unlisted = listed
            .iter()
            .filter(|object| is_part(&object.path) && object.modified < before && !listed_parts.contains(&object.path));
        waste.extend(unlisted.map(|object| Waste::of("part", "", object)));
        Ok(waste)
    }

    /// Removes them. What somebody else has removed is no error.
    ///
    /// # Errors
    /// Denied, Unreachable; the rest then stays, and the lake is whole.
    pub async fn remove(&self, waste: &[Waste]) -> Result<()> {
        for file in waste {
            match self.place.store().delete(&file.location).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(store_error(&format!("remove {}", self.place.url_of(&file.location)), error)),
            }
        }
        Ok(())
    }
}
