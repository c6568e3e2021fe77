//! Which part of the lake an error of the engine concerns, and what is wrong with it.
//!
//! The engine says what it could not decode, not where. So, after an error only, the files of the plan are looked at one
//! by one.

use std::error::Error as StdError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;
use futures::StreamExt;
use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStoreExt};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;

use crate::error::{Error, ErrorKind};
use crate::lake::{Lake, Snapshot};
use crate::query_error;
use crate::source::{Action, Place, store_error};

/// Files looked at together.
const PARALLEL: usize = 8;

const MISSING: &str = "call `refresh` in case another process changed the lake; otherwise run `tracelake check --repair` and ingest the profile again";
const DAMAGED: &str = "run `tracelake check --repair` and ingest the profile again";

/// How a query failed.
#[derive(Clone, Copy)]
pub enum Failure<'a> {
    Error(&'a DataFusionError),
    /// The Parquet reader can panic on corrupt bytes.
    Panic,
}

/// An error, and the missing or corrupt data file that caused it.
pub struct Explained {
    pub error: Error,
    pub lost: Option<Path>,
}

impl From<Error> for Explained {
    fn from(error: Error) -> Self {
        Self { error, lost: None }
    }
}

/// A data file, with the size that the manifest lists.
pub struct File {
    location: Path,
    size: u64,
}

/// The first file of a plan that is missing or truncated, if the lake is on a disk. This is checked before a query starts, because a
/// stream that has returned rows can no longer exclude a run.
pub fn lost_on_disk(lake: &Lake, plan: &Arc<dyn ExecutionPlan>) -> Option<File> {
    scanned(plan).into_iter().find(|file| !lake.place().has_size_on_disk(&file.location, file.size))
}

/// Explains why a file is missing or truncated. None if it is there after all.
pub async fn explain_lost(lake: &Lake, lost: File) -> Option<Explained> {
    let error = wrong(lake.place(), &lost, Look::Size).await?;
    Some(Explained { error, lost: Some(lost.location) })
}

/// Explains a failure of planning, which can execute queries: rows of cached views.
pub async fn explain_planning(lake: &Lake, snapshot: &Snapshot, failure: Failure<'_>) -> Explained {
    explain(lake, listed(lake, snapshot, failure), failure).await
}

/// Explains a failure of a query that read these files.
pub async fn explain(lake: &Lake, files: Vec<File>, failure: Failure<'_>) -> Explained {
    let place = lake.place();
    let look = match failure {
        Failure::Panic => Look::Rows,
        Failure::Error(error) => match cause::<StoreError>(error) {
            Some(store) => {
                if let Some(path) = path_of(store) {
                    let file = files.into_iter().find(|file| path.ends_with(file.location.as_ref()));
                    let lost = file.map(|file| file.location);
                    let error = unread(place, lost.as_ref().map_or(path, |lost| lost.as_ref()), same(store));
                    return Explained { lost: lost.filter(|_| error.kind() == ErrorKind::NotFound), error };
                }
                Look::Size
            }
            None if is_parquet(error) || is_panic(error) => Look::Rows,
            None => match by_cluster(error) {
                Some(ErrorKind::Malformed) => Look::Rows,
                Some(ErrorKind::NotFound) => Look::Size,
                _ => return query_error(error).into(),
            },
        },
    };
    match (find(place, files, look).await, failure) {
        (Some((lost, error)), _) => {
            let is_lost = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Malformed);
            Explained { error, lost: is_lost.then_some(lost) }
        }
        (None, Failure::Error(error)) => query_error(error).into(),
        (None, Failure::Panic) => panicked().into(),
    }
}

/// What an error means that came while a cluster ran a part of a plan: the session that asked looks for a damaged part.
pub fn task_error(error: &DataFusionError) -> Error {
    let told = query_error(error);
    if is_parquet(error) || is_panic(error) { told.of_kind(ErrorKind::Malformed) } else { told }
}

/// The kind of an error that a cluster told.
fn by_cluster(error: &DataFusionError) -> Option<ErrorKind> {
    match error.find_root() {
        DataFusionError::External(inner) => inner.downcast_ref::<Error>().map(Error::kind),
        _ => None,
    }
}

/// The error for a panic that no file explains.
pub(super) fn panicked() -> Error {
    Error::new(ErrorKind::Internal, "the query panicked: this is a bug")
        .with_hint("please report it with the query that shows it")
}

/// The first file that is missing or corrupt, with the error.
async fn find(place: &Place, files: Vec<File>, look: Look) -> Option<(Path, Error)> {
    let looks = futures::stream::iter(files).map(|file| async move {
        let error = wrong(place, &file, look).await?;
        Some((file.location, error))
    });
    looks.buffered(PARALLEL).filter_map(futures::future::ready).boxed().next().await
}

/// How closely a file is looked at.
#[derive(Clone, Copy)]
enum Look {
    /// Whether it is there, and whole.
    Size,
    /// Whether all its rows can be read as well.
    Rows,
}

/// The data files that a plan reads.
pub fn scanned(plan: &Arc<dyn ExecutionPlan>) -> Vec<File> {
    let mut files = Vec::new();
    let source =
        plan.downcast_ref::<DataSourceExec>().and_then(DataSourceExec::downcast_to_file_source::<ParquetSource>);
    if let Some((FileScanConfig { file_groups, .. }, _)) = source {
        let scanned = file_groups.iter().flat_map(FileGroup::files).map(|file| &file.object_meta);
        files.extend(scanned.map(|file| File { location: file.location.clone(), size: file.size }));
    }
    files.extend(plan.children().into_iter().flat_map(scanned));
    files
}

/// Returns the data files of all runs, to find the one that made planning fail. Returns none if the failure is not about a file,
/// because checking each file costs a request.
fn listed(lake: &Lake, snapshot: &Snapshot, failure: Failure<'_>) -> Vec<File> {
    let is_about_file = match failure {
        Failure::Error(error) => cause(error).and_then(path_of).is_some() || is_parquet(error) || is_panic(error),
        Failure::Panic => true,
    };
    if !is_about_file {
        return Vec::new();
    }
    let parts = snapshot.values().flat_map(|run| &run.parts);
    parts.map(|part| File { location: lake.place().at(&part.path), size: part.file_bytes() }).collect()
}

/// What is wrong with a file, if anything is.
async fn wrong(place: &Place, file: &File, look: Look) -> Option<Error> {
    let location = &file.location;
    let malformed = |why: &dyn std::fmt::Display| {
        let text = format!("cannot read {}: this data file of the lake is corrupt", place.url_of(location));
        Some(Error::new(ErrorKind::Malformed, text).with_context("cause", why).with_hint(DAMAGED))
    };
    let size = match place.store().head(location).await {
        Ok(meta) => meta.size,
        Err(error) => return Some(unread(place, location.as_ref(), error)),
    };
    if size != file.size {
        return malformed(&format!("it has {size} bytes, expected {}", file.size));
    }
    if matches!(look, Look::Size) {
        return None;
    }
    let bytes = match place.store().get(location).await {
        Ok(got) => got.bytes().await,
        Err(error) => Err(error),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => return Some(unread(place, location.as_ref(), error)),
    };
    let decode = || -> Result<(), ParquetError> {
        for batch in ParquetRecordBatchReaderBuilder::try_new(bytes)?.build()? {
            batch?;
        }
        Ok(())
    };
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(())) => None,
        Ok(Err(error)) => malformed(&error),
        Err(_) => malformed(&"its rows cannot be decoded"),
    }
}

/// What a store's error means that came while the lake was read.
pub(super) fn store_failure(error: &StoreError) -> Error {
    store_error(Action::Read, path_of(error).unwrap_or("the lake"), same(error))
}

/// A file that the store does not give.
fn unread(place: &Place, location: &str, error: StoreError) -> Error {
    let url = Path::parse(location).map_or_else(|_| location.to_owned(), |location| place.url_of(&location));
    let gone = matches!(error, StoreError::NotFound { .. });
    let error = store_error(Action::Read, &url, error);
    if gone { error.with_hint(MISSING) } else { error }
}

/// The path that a store's error is about, where its kind is certain. Without credentials no request is made, for no path.
fn path_of(error: &StoreError) -> Option<&str> {
    match error {
        StoreError::NotFound { path, .. }
        | StoreError::PermissionDenied { path, .. }
        | StoreError::Unauthenticated { path, .. } => Some(path.as_str()).filter(|path| !path.is_empty()),
        _ => None,
    }
}

/// A copy: the engine lends its errors, and they cannot be cloned.
fn same(error: &StoreError) -> StoreError {
    let (path, source) = (path_of(error).unwrap_or_default().to_owned(), error.to_string().into());
    match error {
        StoreError::NotFound { .. } => StoreError::NotFound { path, source },
        StoreError::PermissionDenied { .. } => StoreError::PermissionDenied { path, source },
        StoreError::Unauthenticated { .. } => StoreError::Unauthenticated { path, source },
        _ => StoreError::Generic { store: "store", source },
    }
}

/// The first error of this type in a chain of causes.
pub(super) fn cause<T: StdError + 'static>(error: &DataFusionError) -> Option<&T> {
    chain(error).find_map(|error| error.downcast_ref())
}

fn is_parquet(error: &DataFusionError) -> bool {
    cause::<ParquetError>(error).is_some() || matches!(cause::<ArrowError>(error), Some(ArrowError::ParquetError(_)))
}

fn is_panic(error: &DataFusionError) -> bool {
    // A panic in a task of the store comes wrapped in errors that do not name it as their source.
    matches!(error.find_root(), DataFusionError::ExecutionJoin(task) if task.is_panic())
        || error.to_string().contains(" panicked with message ")
}

fn chain(error: &DataFusionError) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(Some(error as &(dyn StdError + 'static)), |error| StdError::source(*error))
}
