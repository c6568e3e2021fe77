//! Whether a lake holds what its manifests say, and what it holds beyond that.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::error::ArrowError;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStoreExt;

use super::part::rows_of;
use super::{Lake, Manifest, Part, is_part, newest_of_each, run_and_generation};
use crate::error::{ErrorKind, Result};
use crate::source::store_error;

/// Parts read at the same time; each is in memory as a whole.
const READS: usize = 8;

/// Something in a lake that is not as its manifests say, or of which they say nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The run that it concerns, where that is known.
    pub run: Option<String>,
    /// Path below the lake.
    pub path: String,
    /// Size of what is there, in bytes; none when nothing is.
    pub bytes: Option<u64>,
    /// In a sentence, with what was expected.
    pub message: String,
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A part that a manifest lists is not there.
    Missing,
    /// It has another size than the manifest says.
    Size,
    /// It cannot be read to its end, or has other rows than the manifest says.
    Damaged,
    /// The newest manifest of a run cannot be read.
    Manifest,
    /// A part that no manifest lists: nobody reads it.
    Unlisted,
}

impl FaultKind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Size => "size",
            Self::Damaged => "damaged",
            Self::Manifest => "manifest",
            Self::Unlisted => "unlisted",
        }
    }

    /// Whether rows are lost; what nobody reads only takes space.
    pub fn is_loss(self) -> bool {
        self != Self::Unlisted
    }
}

impl Lake {
    /// Holds the files against the newest manifests; `read` also reads every listed part to its end.
    ///
    /// # Errors
    /// Denied, Unreachable; Unrecognised for a lake of a newer format.
    pub async fn check(&self, read: bool) -> Result<Vec<Fault>> {
        let listed = self.place.list_if_any().await?;
        let mut there: BTreeMap<&str, u64> = BTreeMap::new();
        there.extend(listed.iter().filter(|file| is_part(&file.path)).map(|file| (file.path.as_ref(), file.size)));
        // Behind that listing: of a commit in between the manifest is seen, and its parts are looked up one by one.
        let mut faults = Vec::new();
        let parts = self.listed_parts(&mut faults).await?;
        let unknown = !faults.is_empty();
        let mut files: BTreeMap<String, Vec<(String, Part)>> = BTreeMap::new();
        for (run, part) in parts {
            files.entry(part.path.clone()).or_default().push((run, part));
        }
        let mut whole = Vec::new();
        for (path, parts) in files {
            let bytes = match there.remove(path.as_str()) {
                Some(bytes) => Some(bytes),
                None => self.size(&path).await?,
            };
            let misfits: Vec<Fault> = parts.iter().filter_map(|(run, part)| misfit(run, part, bytes)).collect();
            if misfits.is_empty() {
                whole.push((path, parts));
            }
            faults.extend(misfits);
        }
        if read {
            let read = whole.into_iter().map(|(path, parts)| async move { self.damage(&path, &parts).await });
            let damaged: Vec<Vec<Fault>> = futures::stream::iter(read).buffered(READS).try_collect().await?;
            faults.extend(damaged.into_iter().flatten());
        }
        // While a manifest cannot be read, nobody knows which parts are its own.
        if !unknown {
            faults.extend(there.into_iter().map(|(path, bytes)| unlisted(path, bytes)));
        }
        Ok(faults)
    }

    /// The parts of all runs, each with the name of its run; newest manifests that cannot be read are faults.
    async fn listed_parts(&self, faults: &mut Vec<Fault>) -> Result<Vec<(String, Part)>> {
        let manifests = self.place.join("_manifest").list_if_any().await?;
        let mut newest: BTreeMap<String, Arc<Manifest>> = BTreeMap::new();
        let objects = newest_of_each(&manifests).into_values().cloned().collect();
        for (object, manifest) in self.manifests(objects, &BTreeMap::new()).await {
            match manifest {
                Ok(manifest) => _ = newest.insert(manifest.run.clone(), manifest),
                Err(error) if error.kind() == ErrorKind::Malformed => faults.push(Fault {
                    kind: FaultKind::Manifest,
                    run: run_and_generation(&object.path).map(|(run, _)| run.to_owned()),
                    path: format!("_manifest/{}", object.path),
                    bytes: Some(object.size),
                    message: error.to_string(),
                }),
                Err(error) => return Err(error),
            }
        }
        for manifest in self.bundles_of(&manifests).await?.into_iter().flat_map(|(_, manifests)| manifests) {
            if newest.get(&manifest.run).is_none_or(|known| manifest.generation >= known.generation) {
                newest.insert(manifest.run.clone(), Arc::new(manifest));
            }
        }
        let parts = newest.values().flat_map(|run| run.parts.iter().map(|part| (run.run.clone(), part.clone())));
        Ok(parts.collect())
    }

    async fn size(&self, path: &str) -> Result<Option<u64>> {
        let location = self.place.at(path);
        match self.place.store().head(&location).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(store_error(&format!("read {}", self.place.url_of(&location)), error)),
        }
    }

    /// Why the rows of the parts in a file cannot be read, or are not as many as they should be.
    async fn damage(&self, path: &str, parts: &[(String, Part)]) -> Result<Vec<Fault>> {
        let bytes = self.read_part(path).await?;
        let damage = |(run, part): &(String, Part)| {
            // The reader trusts some numbers of a file, and panics.
            let rows = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| rows(part, bytes.clone())));
            let message = match rows {
                Ok(Ok(rows)) if rows == part.rows => return None,
                Ok(Ok(rows)) => format!("it has {rows} rows, the manifest says {}", part.rows),
                Ok(Err(error)) => format!("it cannot be read to its end: {error}"),
                Err(_) => "it cannot be read to its end: its pages are damaged".to_owned(),
            };
            Some(fault(FaultKind::Damaged, run, part, Some(part.file_bytes()), message))
        };
        Ok(parts.iter().filter_map(damage).collect())
    }
}

/// The rows of a part, from the bytes of its file; all pages of all columns are unpacked.
fn rows(part: &Part, bytes: Bytes) -> std::result::Result<u64, ArrowError> {
    let batches = rows_of(part, bytes)?.build()?;
    batches.map(|batch| batch.map(|batch| batch.num_rows() as u64)).sum()
}

/// What is wrong with the size of a part.
fn misfit(run: &str, part: &Part, bytes: Option<u64>) -> Option<Fault> {
    let (kind, message) = match bytes {
        None => (FaultKind::Missing, format!("{} rows of table {} are gone: it is not there", part.rows, part.table)),
        Some(bytes) if bytes != part.file_bytes() => {
            (FaultKind::Size, format!("it has {bytes} bytes, the manifest says {}", part.file_bytes()))
        }
        Some(_) => return None,
    };
    Some(fault(kind, run, part, bytes, message))
}

fn fault(kind: FaultKind, run: &str, part: &Part, bytes: Option<u64>, message: String) -> Fault {
    Fault { kind, run: Some(run.to_owned()), path: part.path.clone(), bytes, message }
}

fn unlisted(path: &str, bytes: u64) -> Fault {
    let message = "no manifest lists it: it was replaced, its run deleted, or its ingest killed or not ended yet";
    Fault {
        kind: FaultKind::Unlisted,
        run: None,
        path: path.to_owned(),
        bytes: Some(bytes),
        message: message.to_owned(),
    }
}
