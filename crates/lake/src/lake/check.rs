//! Checks of a lake: compares its files with its manifests.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::error::ArrowError;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::checksum::find_changed_bytes;
use super::data_file::open_rows;
use super::{DataFile, LAKE_FILE, Lake, Manifest, NewestManifests, REPAIR, Snapshot, is_data_file, now};
use crate::error::{Error, ErrorKind, ErrorSubject, Result, catch_panic};
use crate::source::{Location, StoreAction, StoredObject};

/// Data files that are read in parallel; each is completely in memory.
const READS: usize = 8;

/// A file of a lake that differs from its manifest, or that no manifest lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LakeFault {
    /// Kind of the fault.
    pub kind: LakeFaultKind,
    /// The run that the fault concerns, if it is known.
    pub run: Option<String>,
    /// Path below the lake.
    pub path: String,
    /// Size of the file in bytes; none if it does not exist.
    pub bytes: Option<u64>,
    /// A sentence with the expected and the actual value.
    pub message: String,
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LakeFaultKind {
    /// A data file in a manifest does not exist.
    Missing,
    /// The size of a data file differs from its manifest.
    Size,
    /// A data file cannot be read to its end, or its number of rows differs from its manifest.
    Corrupt,
    /// The newest manifest of a run is corrupt.
    Manifest,
    /// The newest manifest of a run was written by a newer version.
    Newer,
    /// A data file that no manifest lists, or an incomplete file of a killed writer. Queries do not read it.
    Unlisted,
}

impl LakeFaultKind {
    /// The name of the kind in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Size => "size",
            Self::Corrupt => "corrupt",
            Self::Manifest => "manifest",
            Self::Newer => "newer",
            Self::Unlisted => "unlisted",
        }
    }

    /// Whether rows are lost. Files that are not read only take space.
    pub fn is_loss(self) -> bool {
        !matches!(self, Self::Unlisted | Self::Newer)
    }
}

impl LakeFault {
    /// The fault of a data file that a query found missing or corrupt.
    #[doc(hidden)]
    pub fn for_data_file(run: String, lake: &Location, location: &Path, error: &Error) -> Self {
        let kind = if error.kind() == ErrorKind::NotFound { LakeFaultKind::Missing } else { LakeFaultKind::Corrupt };
        let path = location.as_ref().strip_prefix(lake.root().as_ref()).unwrap_or(location.as_ref());
        let path = path.trim_start_matches('/').to_owned();
        Self { kind, run: Some(run), path, bytes: None, message: error.message().to_owned() }
    }

    /// Whether rows are lost. The format of the lake has none.
    pub fn is_loss(&self) -> bool {
        self.kind.is_loss() && self.path != LAKE_FILE
    }

    /// The fault of a corrupt manifest in a file below `_manifest/`.
    ///
    /// # Errors
    /// `error`, if its cause is not the content of the file.
    pub(super) fn for_manifest(run: Option<String>, object: &StoredObject, error: Error) -> Result<Self> {
        let kind = match error.kind() {
            ErrorKind::Malformed => LakeFaultKind::Manifest,
            ErrorKind::Unrecognized => LakeFaultKind::Newer,
            _ => return Err(error),
        };
        let (path, bytes) = (format!("_manifest/{}", object.path), Some(object.size));
        Ok(Self { kind, run, path, bytes, message: error.message().to_owned() })
    }

    /// Whether one of these runs still lists the faulty data file.
    #[doc(hidden)]
    pub fn is_listed_by(&self, runs: &Snapshot) -> bool {
        let run = self.run.as_ref().and_then(|run| runs.get(run));
        run.is_some_and(|run| run.parts.iter().any(|part| part.path == self.path))
    }

    /// The error of a query that reads only this run.
    #[doc(hidden)]
    pub fn error(&self) -> Error {
        let text = match &self.run {
            Some(run) => format!("cannot read run `{run}`: {}", self.message),
            None => self.message.clone(),
        };
        let (kind, hint) = match self.kind {
            LakeFaultKind::Newer => (ErrorKind::Unrecognized, "install a newer tracelake"),
            _ => (ErrorKind::Malformed, REPAIR),
        };
        Error::new(kind, text).with_subject(ErrorSubject::Output).with_hint(hint)
    }
}

impl std::fmt::Display for LakeFault {
    /// Formats the warning that a session prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.run {
            Some(run) => write!(f, "run `{run}` is excluded: {}", self.message),
            None => write!(f, "a bundle of manifests is corrupt: {}", self.message),
        }?;
        write!(f, "; run `tracelake check` for details")
    }
}

impl Lake {
    /// Compares the files with the newest manifests. With `read`, also reads every listed data file
    /// to its end, compares its checksum, and marks corrupt files in their manifests: the next ingest
    /// reads their objects again. A lake that cannot be written is only read.
    ///
    /// # Errors
    /// Denied, Unreachable; Unrecognized for a lake of a newer format.
    pub async fn check(&self, read: bool) -> Result<Vec<LakeFault>> {
        let listed = self.location.list_or_empty().await?;
        let mut sizes = data_file_sizes(&listed);
        // List manifests after the files. If a commit comes in between, its manifest is listed and
        // its data files are looked up one by one.
        let manifests = self.location.join("_manifest").list_or_empty().await?;
        // Bytes can change without a new version mark.
        self.bundles.lock().clear();
        self.forget_listing();
        let NewestManifests { runs, mut faults } = self.newest_manifests(&manifests, &BTreeMap::new()).await?;
        let has_unread_manifest = !faults.is_empty();
        if self.read_format().await?.is_none() {
            faults.push(LakeFault {
                kind: LakeFaultKind::Manifest,
                run: None,
                path: LAKE_FILE.to_owned(),
                bytes: None,
                message: "the file with the format of the lake is missing or corrupt".to_owned(),
            });
        }
        let (size_faults, intact) = self.compare_sizes(&runs, &mut sizes).await?;
        faults.extend(size_faults);
        if read {
            let read = intact.into_iter().map(|(path, parts)| async move { self.read_faults(&path, &parts).await });
            let corrupt: Vec<Vec<LakeFault>> = futures::stream::iter(read).buffered(READS).try_collect().await?;
            let corrupt: Vec<LakeFault> = corrupt.into_iter().flatten().collect();
            self.mark_corrupt(&runs, &corrupt).await;
            faults.extend(corrupt);
        }
        // If a manifest cannot be read, its data files are unknown.
        if !has_unread_manifest {
            let message = "no manifest lists it: it was replaced, its run was deleted, or its ingest was killed or is still running";
            faults.extend(sizes.into_iter().map(|(path, bytes)| unlisted(path, bytes, message)));
        }
        let message = "an incomplete file: its writer was killed, or is still writing";
        faults.extend(self.location.list_unfinished().iter().map(|(path, bytes, _)| unlisted(path, *bytes, message)));
        Ok(faults)
    }

    /// Compares data files with the sizes in their manifests. Returns the faults, and the intact
    /// files with their parts. Removes the files from `sizes`, a listing of the lake; looks up
    /// files that were written after it.
    pub(super) async fn compare_sizes(
        &self,
        runs: &BTreeMap<String, Arc<Manifest>>,
        sizes: &mut BTreeMap<&str, u64>,
    ) -> Result<(Vec<LakeFault>, BTreeMap<String, Vec<(String, DataFile)>>)> {
        let mut files: BTreeMap<String, Vec<(String, DataFile)>> = BTreeMap::new();
        for run in runs.values() {
            for part in &run.parts {
                files.entry(part.path.clone()).or_default().push((run.run.clone(), part.clone()));
            }
        }
        let (mut faults, mut intact) = (Vec::new(), BTreeMap::new());
        for (path, parts) in files {
            let bytes = match sizes.remove(path.as_str()) {
                Some(bytes) => Some(bytes),
                None => self.file_size(&path).await?,
            };
            let before = faults.len();
            faults.extend(parts.iter().filter_map(|(run, part)| size_fault(run, part, bytes)));
            if faults.len() == before {
                intact.insert(path, parts);
            }
        }
        Ok((faults, intact))
    }

    pub(super) async fn file_size(&self, path: &str) -> Result<Option<u64>> {
        let location = self.location.resolve(path);
        match self.location.store().head(&location).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.error(StoreAction::Read, &location)(error)),
        }
    }

    /// Returns the first missing or corrupt data file of a run; reads the files up to it.
    #[doc(hidden)]
    pub async fn find_fault(&self, run: &Manifest) -> Result<Option<LakeFault>> {
        for part in &run.parts {
            if let Some(fault) = size_fault(&run.run, part, self.file_size(&part.path).await?) {
                return Ok(Some(fault));
            }
            let faults = self.read_faults(&part.path, &[(run.run.clone(), part.clone())]).await?;
            if let Some(fault) = faults.into_iter().next() {
                return Ok(Some(fault));
            }
        }
        Ok(None)
    }

    /// Reads the data file of these parts. Returns a fault for each part with unreadable or missing
    /// rows.
    async fn read_faults(&self, path: &str, parts: &[(String, DataFile)]) -> Result<Vec<LakeFault>> {
        let size = parts.first().map_or(0, |(_, part)| part.file_bytes());
        let bytes = self.location.bytes_up_to(size, &self.location.resolve(path)).await?;
        let check_rows = |(run, part): &(String, DataFile)| {
            // The Parquet reader can panic on corrupt bytes.
            let rows = catch_panic(|| count_rows(part, bytes.clone()));
            let message = match rows {
                Ok(Ok(rows)) if rows == part.rows => find_changed_bytes(part, &bytes)?,
                Ok(Ok(rows)) => format!("it has {rows} rows, expected {} by the manifest", part.rows),
                Ok(Err(error)) => format!("it cannot be read to its end: {error}"),
                Err(_) => "it cannot be read to its end: its pages are corrupt".to_owned(),
            };
            Some(fault(LakeFaultKind::Corrupt, run, part, Some(part.file_bytes()), message))
        };
        Ok(parts.iter().filter_map(check_rows).collect())
    }

    /// Marks these data files as corrupt in the manifests of their runs. Best effort: another process may change the
    /// run at the same time, or the lake may be read-only.
    async fn mark_corrupt(&self, runs: &BTreeMap<String, Arc<Manifest>>, faults: &[LakeFault]) {
        for run in runs.values() {
            let is_faulty = |part: &DataFile| {
                faults.iter().any(|fault| fault.run.as_ref() == Some(&run.run) && fault.path == part.path)
            };
            if !run.parts.iter().any(|part| !part.is_corrupt && is_faulty(part)) {
                continue;
            }
            let mut next = Manifest { generation: run.generation + 1, committed: now(), ..Manifest::clone(run) };
            for part in &mut next.parts {
                part.is_corrupt |= is_faulty(part);
            }
            let _ = self.commit(&next).await;
        }
    }
}

/// Returns the sizes of the data files in a listing of the lake, by path.
pub(super) fn data_file_sizes(listed: &[StoredObject]) -> BTreeMap<&str, u64> {
    listed.iter().filter(|file| is_data_file(&file.path)).map(|file| (file.path.as_ref(), file.size)).collect()
}

/// Counts the rows of a part in its file; decompresses all pages of all columns.
fn count_rows(part: &DataFile, bytes: Bytes) -> std::result::Result<u64, ArrowError> {
    let batches = open_rows(part, bytes)?.build()?;
    batches.map(|batch| batch.map(|batch| batch.num_rows() as u64)).sum()
}

/// Returns the fault of a part if its file is missing or has another size.
fn size_fault(run: &str, part: &DataFile, bytes: Option<u64>) -> Option<LakeFault> {
    let DataFile { rows, table, .. } = part;
    let (kind, message) = match bytes {
        None => (LakeFaultKind::Missing, format!("{rows} rows of table {table} are lost: the file does not exist")),
        Some(bytes) if bytes != part.file_bytes() => {
            (LakeFaultKind::Size, format!("it has {bytes} bytes, expected {} by the manifest", part.file_bytes()))
        }
        Some(_) => return None,
    };
    Some(fault(kind, run, part, bytes, message))
}

fn fault(kind: LakeFaultKind, run: &str, part: &DataFile, bytes: Option<u64>, message: String) -> LakeFault {
    LakeFault { kind, run: Some(run.to_owned()), path: part.path.clone(), bytes, message }
}

fn unlisted(path: &str, bytes: u64, message: &str) -> LakeFault {
    let (path, message) = (path.to_owned(), message.to_owned());
    LakeFault { kind: LakeFaultKind::Unlisted, run: None, path, bytes: Some(bytes), message }
}
