//! Repairs runs with a corrupt manifest or with missing or corrupt data files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::{StreamExt, TryStreamExt};
use parking_lot::Mutex;

use super::check::data_file_sizes;
use super::manifest::parse_field;
use super::{
    DataFile, Entry, FORMAT, LAKE_FILE, Lake, LakeFault, LakeFaultKind, LakeFormat, Manifest, NewestManifests,
    PARALLEL, checkpoint, now,
};
use crate::error::{ErrorKind, Result};
use crate::source::{StoreAction, StoredObject};

/// Sizes of data files in a bucket: one listing instead of many requests, if several runs are ingested.
#[derive(Debug, Default)]
pub(super) struct ListedSizes {
    /// Number of runs for which files were looked up.
    runs: AtomicUsize,
    /// Sizes by path. Empty before the second run.
    sizes: Mutex<HashMap<String, u64>>,
}

/// One repair of a run, or of a bundle of manifests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// `restored`: an older generation is valid again; `emptied`: no generation is valid;
    /// `renamed`: the rows belong to another run; `dropped`: data files were removed from the
    /// manifest; `rewritten`: a bundle, or the format of the lake.
    pub action: &'static str,
    /// Whether rows are lost, so that a profile must be ingested again.
    pub loss: bool,
    /// The run; none for a bundle.
    pub run: Option<String>,
    /// Path of the corrupt file below the lake.
    pub path: String,
    /// The repair, and what the user should do.
    pub message: String,
}

impl Lake {
    /// Repairs faults that [`Lake::check`] found. Each run gets one commit. Corrupt files are not
    /// removed. Manifests and bundles of a newer version are not changed.
    ///
    /// # Errors
    /// Conflict if another process changed the same run; runs that were repaired before stay
    /// repaired. Denied, Unreachable, Exhausted.
    pub async fn repair(&self, faults: &[LakeFault]) -> Result<Vec<Repair>> {
        let mut repairs = self.rewrite_bundles().await?;
        let mut by_run: BTreeMap<&str, Vec<&LakeFault>> = BTreeMap::new();
        for fault in faults {
            match (fault.kind, &fault.run) {
                (LakeFaultKind::Manifest, Some(run)) => repairs.extend(self.restore(run, fault).await?),
                (LakeFaultKind::Missing | LakeFaultKind::Size | LakeFaultKind::Corrupt, Some(run)) => {
                    by_run.entry(run).or_default().push(fault);
                }
                (LakeFaultKind::Manifest, None) if fault.path == LAKE_FILE => {
                    let location = self.location.resolve(LAKE_FILE);
                    let put = self.location.put(&location, LakeFormat::text().into(), false).await;
                    put.map_err(self.error(StoreAction::Write, &location))?;
                    let (path, message) = (fault.path.clone(), format!("wrote format {FORMAT}"));
                    repairs.push(Repair { action: "rewritten", loss: false, run: None, path, message });
                }
                _ => {}
            }
        }
        for (run, faults) in by_run {
            let Some(base) = self.newest_manifest(run).await? else { continue };
            let is_lost = |part: &&DataFile| faults.iter().any(|fault| fault.path == part.path);
            let lost: Vec<DataFile> = base.parts.iter().filter(is_lost).cloned().collect();
            let Some(first) = lost.first() else { continue };
            let next = drop_parts(&base, &lost);
            let next = Manifest { generation: base.generation + 1, committed: now(), ..next };
            self.commit(&next).await?;
            let (run, path) = (Some(run.to_owned()), first.path.clone());
            let message = format!("dropped {}; {}", describe_parts(&lost), ingest_hint(&next));
            repairs.push(Repair { action: "dropped", loss: true, run, path, message });
        }
        Ok(repairs)
    }

    /// Commits the newest valid manifest of the run, without data files that are lost. If there is
    /// none, commits a run without rows.
    async fn restore(&self, run: &str, fault: &LakeFault) -> Result<Option<Repair>> {
        let generations = self.list_generations(run).await?;
        let Some((newest, object)) = generations.last_key_value() else { return Ok(None) };
        // Another process may have repaired it already.
        if !self.read_manifest(&object.location).await.is_err_and(|error| error.kind() == ErrorKind::Malformed) {
            return Ok(None);
        }
        let next = |base: Manifest| Manifest { generation: newest + 1, committed: now(), ..base };
        let path = fault.path.clone();
        // If the corrupt manifest was the end of a rename, the rows belong to another run.
        let listed = self.location.join("_manifest").list_or_empty().await?;
        let renamed = self.newest_manifests(&listed, &BTreeMap::new()).await?.runs.values().any(|other| {
            other.renamed.as_ref().is_some_and(|(old_name, generation)| old_name == run && generation + 1 >= *newest)
        });
        if renamed {
            self.commit(&next(Manifest { deleted: true, ..Manifest::empty(run) })).await?;
            let message = "the run has another name".to_owned();
            return Ok(Some(Repair { action: "renamed", loss: false, run: Some(run.to_owned()), path, message }));
        }
        let mut candidates = self.older_manifests(run, &generations).await?;
        candidates.retain(|manifest| manifest.generation <= *newest);
        // Generations before a deletion are those of another run with this name.
        let deletion = candidates.iter().position(|manifest| manifest.deleted && manifest.generation < *newest);
        candidates.truncate(deletion.unwrap_or(candidates.len()));
        let mut restored = None;
        for manifest in &candidates {
            let lost = self.lost_parts(manifest).await?;
            let is_intact = lost.is_empty();
            if restored.is_none() || is_intact {
                restored = Some((manifest, lost));
            }
            if is_intact {
                break;
            }
        }
        let action = if restored.is_some() { "restored" } else { "emptied" };
        let (loss, base, mut message) = match restored {
            Some((manifest, lost)) if !lost.is_empty() => {
                let (generation, lost_rows) = (manifest.generation, describe_parts(&lost));
                let text = format!("restored generation {generation} of {newest} without {lost_rows}");
                (true, drop_parts(manifest, &lost), text)
            }
            Some((manifest, _)) if manifest.generation == *newest => {
                (false, Manifest::clone(manifest), "restored from the checkpoint without loss".to_owned())
            }
            Some((manifest, _)) => {
                let text = format!("restored generation {} of {newest}", manifest.generation);
                (true, Manifest::clone(manifest), text)
            }
            None => {
                let sources = parse_field(&self.read_bytes(&object.location).await?, "sources").unwrap_or_default();
                (true, Manifest { sources, ..Manifest::empty(run) }, "no generation is valid".to_owned())
            }
        };
        let next = next(base);
        self.commit(&next).await?;
        if loss {
            message = format!("{message}; {}", ingest_hint(&next));
        }
        Ok(Some(Repair { action, loss, run: Some(run.to_owned()), path, message }))
    }

    /// Returns valid manifests of a run other than the newest file, newest generation first.
    async fn older_manifests(
        &self,
        run: &str,
        generations: &BTreeMap<u64, StoredObject>,
    ) -> Result<Vec<Arc<Manifest>>> {
        // The checkpoint may have a generation from before its file was corrupted. The file of another one was removed
        // by a vacuum, like its data files.
        let mut older = checkpoint::manifests_of(checkpoint::read(&self.location).await, run);
        older.retain(|manifest| generations.contains_key(&manifest.generation));
        for object in generations.values().rev().skip(1) {
            older.extend(self.read_manifest(&object.location).await.ok().map(Arc::new));
        }
        older.extend(self.bundled_manifests(run).await?.0);
        older.sort_by_key(|manifest| std::cmp::Reverse(manifest.generation));
        Ok(older)
    }

    /// Forgets the listed sizes: files may be lost after a listing.
    pub fn forget_listing(&self) {
        self.listed_sizes.runs.store(0, Ordering::Relaxed);
        self.listed_sizes.sizes.lock().clear();
    }

    /// Returns the parts of a manifest with a data file that is missing, has another size, or was found corrupt.
    async fn lost_parts(&self, manifest: &Manifest) -> Result<Vec<DataFile>> {
        let is_lost = |part: &DataFile| {
            let part = part.clone();
            async move {
                let is_lost = part.is_corrupt || self.listed_size(&part.path).await? != Some(part.file_bytes());
                Ok(Some(part).filter(|_| is_lost))
            }
        };
        let parts: Vec<_> = manifest.parts.iter().map(is_lost).collect();
        let lost: Vec<Option<DataFile>> = futures::stream::iter(parts).buffered(PARALLEL).try_collect().await?;
        Ok(lost.into_iter().flatten().collect())
    }

    /// Returns the size of a data file; none if it does not exist.
    async fn listed_size(&self, path: &str) -> Result<Option<u64>> {
        let listed = self.listed_sizes.sizes.lock().get(path).copied();
        // The file may have been written after the listing.
        if listed.is_some() { Ok(listed) } else { self.file_size(path).await }
    }

    /// Returns the manifest without data files that are lost, so that an ingest reads their objects again.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub(crate) async fn without_lost_parts(&self, manifest: Arc<Manifest>) -> Result<Arc<Manifest>> {
        let needs_requests = !manifest.parts.is_empty() && !self.location.is_on_disk();
        if needs_requests && self.listed_sizes.runs.fetch_add(1, Ordering::Relaxed) == 1 {
            let listed = self.location.list_or_empty().await?;
            let sizes = data_file_sizes(&listed).into_iter().map(|(path, size)| (path.to_owned(), size));
            *self.listed_sizes.sizes.lock() = sizes.collect();
        }
        let lost = self.lost_parts(&manifest).await?;
        Ok(if lost.is_empty() { manifest } else { Arc::new(drop_parts(&manifest, &lost)) })
    }

    /// Copies the valid current manifests of corrupt bundles into new bundles, and renames the
    /// corrupt ones.
    async fn rewrite_bundles(&self) -> Result<Vec<Repair>> {
        let listed = self.location.join("_manifest").list_or_empty().await?;
        let NewestManifests { runs, faults } = self.newest_manifests(&listed, &BTreeMap::new()).await?;
        let mut repairs = Vec::new();
        for mut bundle in self.read_bundles(&listed).await? {
            let is_newer = bundle.faults.iter().any(|fault| fault.kind == LakeFaultKind::Newer);
            if is_newer || bundle.faults.is_empty() {
                continue;
            }
            // A copy of an outdated manifest would hide the current one of the same generation.
            bundle.manifests.retain(|manifest| runs.get(&manifest.run).is_none_or(|current| current == manifest));
            if !bundle.manifests.is_empty() {
                self.put_bundle(&bundle.manifests).await?;
            }
            let path = format!("_manifest/{}", bundle.object.path);
            let corrupt = self.location.resolve(&format!("{path}.corrupt"));
            self.put(&corrupt, self.read_bytes(&bundle.object.location).await?).await?;
            self.remove_all(vec![bundle.object.location.clone()]).await?;
            let names = faults.iter().filter(|fault| fault.path == path).filter_map(|fault| fault.run.as_deref());
            let mut lost: BTreeSet<&str> = names.collect();
            if bundle.faults.iter().any(|fault| fault.run.is_none()) {
                lost.insert("unknown");
            }
            let loss = !lost.is_empty();
            let mut message = format!("copied {} manifests", bundle.manifests.len());
            if loss {
                let lost: Vec<&str> = lost.into_iter().collect();
                message = format!("{message}; ingest the profiles of lost runs again: {}", lost.join(", "));
            }
            repairs.push(Repair { action: "rewritten", loss, run: None, path, message });
        }
        Ok(repairs)
    }
}

/// Returns the manifest without these data files. Their source files lose their version mark, so
/// that the next ingest reads them again.
fn drop_parts(base: &Manifest, lost: &[DataFile]) -> Manifest {
    let objects: BTreeSet<i64> = lost.iter().flat_map(|part| &part.objects).copied().collect();
    let error: Arc<str> =
        format!("{} were lost: a data file of the lake was corrupt; ingest again", describe_parts(lost)).into();
    let lost_paths: BTreeSet<i64> =
        lost.iter().filter(|part| part.table == "call_path").flat_map(|part| &part.objects).copied().collect();
    let reset = |entry: &Arc<Entry>| {
        if !objects.contains(&entry.id) {
            return Arc::clone(entry);
        }
        Arc::new(Entry {
            etag: String::new(),
            error: Some(Arc::clone(&error)),
            is_nested: entry.is_nested && !lost_paths.contains(&entry.id),
            ..Entry::clone(entry)
        })
    };
    Manifest {
        objects: base.objects.iter().map(reset).collect(),
        parts: base.parts.iter().filter(|part| !lost.contains(part)).cloned().collect(),
        figures: None,
        ..base.clone()
    }
}

/// Describes lost parts: `128 rows of event, step`.
fn describe_parts(lost: &[DataFile]) -> String {
    let rows: u64 = lost.iter().map(|part| part.rows).sum();
    let tables: BTreeSet<&str> = lost.iter().map(|part| part.table.as_str()).collect();
    format!("{rows} rows of {}", tables.into_iter().collect::<Vec<_>>().join(", "))
}

fn ingest_hint(run: &Manifest) -> String {
    match run.sources.as_slice() {
        [] => "ingest the profile again".to_owned(),
        sources => format!("ingest {} again", sources.join(" and ")),
    }
}
