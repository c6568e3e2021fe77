//! Finds the missing or corrupt data file that made a query fail, and explains the failure.
//!
//! An error of DataFusion tells what could not be decoded, but not in which file. So, only after an
//! error, the files of the plan are checked one by one. The result is an error for users that names
//! the file.

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

use crate::error::{Error, ErrorKind, ErrorSubject, Result, catch_panic, find_cause};
use crate::lake::{Lake, Snapshot};
use crate::query_error;
use crate::source::{Location, StoreAction, store_error};

/// Number of files that are checked concurrently.
const CONCURRENT_CHECKS: usize = 8;

const MISSING_HINT: &str = "call `refresh` in case another process changed the lake; otherwise run `tracelake check --repair` and ingest the profile again";
const CORRUPT_HINT: &str = "run `tracelake check --repair` and ingest the profile again";

/// How a query failed.
#[derive(Clone, Copy)]
pub enum QueryFailure<'a> {
    Error(&'a DataFusionError),
    /// The Parquet reader can panic on corrupt bytes.
    Panic,
}

/// An error, and the missing or corrupt data file that caused it.
pub struct ExplainedError {
    pub error: Error,
    pub lost: Option<Path>,
}

impl From<Error> for ExplainedError {
    fn from(error: Error) -> Self {
        Self { error, lost: None }
    }
}

/// A data file that a plan reads, with the size that the manifest lists.
pub struct ScannedFile {
    location: Path,
    size: u64,
}

/// Returns the first file of a plan that is missing or truncated, if the lake is on a disk.
///
/// This is checked before a query starts, because a stream that has returned rows can no longer
/// exclude a run.
pub fn find_lost_file_on_disk(lake: &Lake, plan: &Arc<dyn ExecutionPlan>) -> Option<ScannedFile> {
    scanned_files(plan).into_iter().find(|file| !lake.location().has_size_on_disk(&file.location, file.size))
}

/// Explains why a file is missing or truncated. Returns `None` if the file is complete.
pub async fn explain_lost_file(lake: &Lake, lost: ScannedFile) -> Option<ExplainedError> {
    let error = check_file(lake.location(), &lost, ReadDepth::Size).await.err()?;
    Some(ExplainedError { error, lost: Some(lost.location) })
}

/// Explains a failure of planning. Planning can read files, because it computes the rows of cached
/// views.
pub async fn explain_planning_failure(lake: &Lake, snapshot: &Snapshot, failure: QueryFailure<'_>) -> ExplainedError {
    explain(lake, snapshot_files(lake, snapshot, failure), failure).await
}

/// Explains a failure of a query that read these files.
pub async fn explain(lake: &Lake, files: Vec<ScannedFile>, failure: QueryFailure<'_>) -> ExplainedError {
    let location = lake.location();
    let depth = match failure {
        QueryFailure::Panic => ReadDepth::Rows,
        QueryFailure::Error(error) => match find_cause::<StoreError>(error) {
            Some(error) => {
                if let Some(path) = path_of(error) {
                    let file = files.into_iter().find(|file| path.ends_with(file.location.as_ref()));
                    let known = file.map(|file| file.location);
                    let path = known.as_ref().map_or(path, |known| known.as_ref());
                    let error = read_error(location, path, copy_store_error(error));
                    return ExplainedError { lost: known.filter(|_| error.kind() == ErrorKind::NotFound), error };
                }
                ReadDepth::Size
            }
            None if is_parquet(error) || is_panic(error) => ReadDepth::Rows,
            None => match cluster_error_kind(error) {
                Some(ErrorKind::Malformed) => ReadDepth::Rows,
                Some(ErrorKind::NotFound) => ReadDepth::Size,
                _ => return query_error(error).into(),
            },
        },
    };
    match (find_corrupt_file(location, files, depth).await, failure) {
        (Some((path, error)), _) => {
            let is_lost = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Malformed);
            ExplainedError { error, lost: is_lost.then_some(path) }
        }
        (None, QueryFailure::Error(error)) => query_error(error).into(),
        (None, QueryFailure::Panic) => panic_error().into(),
    }
}

/// Converts an error from a task of a cluster. An error of kind `Malformed` makes the session look
/// for a corrupt data file.
pub fn task_error(error: &DataFusionError) -> Error {
    let converted = query_error(error);
    if is_parquet(error) || is_panic(error) { converted.with_kind(ErrorKind::Malformed) } else { converted }
}

/// The kind of an error that a cluster reported.
fn cluster_error_kind(error: &DataFusionError) -> Option<ErrorKind> {
    match error.find_root() {
        DataFusionError::External(inner) => inner.downcast_ref::<Error>().map(Error::kind),
        _ => None,
    }
}

/// The error for a panic that no file explains.
pub(super) fn panic_error() -> Error {
    Error::new(ErrorKind::Internal, "the query panicked: this is a bug")
        .with_hint("please report it with the query that shows it")
}

/// Finds the first file that is missing or corrupt, with the error.
async fn find_corrupt_file(location: &Location, files: Vec<ScannedFile>, depth: ReadDepth) -> Option<(Path, Error)> {
    let checks = futures::stream::iter(files).map(|file| async move {
        let error = check_file(location, &file, depth).await.err()?;
        Some((file.location, error))
    });
    checks.buffered(CONCURRENT_CHECKS).filter_map(futures::future::ready).boxed().next().await
}

/// How thoroughly a file is checked.
#[derive(Clone, Copy)]
enum ReadDepth {
    /// Checks that the file exists and has the size that the manifest lists.
    Size,
    /// Also reads all rows.
    Rows,
}

/// Returns the data files that a plan reads.
pub fn scanned_files(plan: &Arc<dyn ExecutionPlan>) -> Vec<ScannedFile> {
    let mut files = Vec::new();
    let source =
        plan.downcast_ref::<DataSourceExec>().and_then(DataSourceExec::downcast_to_file_source::<ParquetSource>);
    if let Some((FileScanConfig { file_groups, .. }, _)) = source {
        let metas = file_groups.iter().flat_map(FileGroup::files).map(|file| &file.object_meta);
        files.extend(metas.map(|meta| ScannedFile { location: meta.location.clone(), size: meta.size }));
    }
    files.extend(plan.children().into_iter().flat_map(scanned_files));
    files
}

/// Returns the data files of all runs, to find the one that made planning fail. Returns no files if
/// the failure does not concern a file, because checking each file costs a request.
fn snapshot_files(lake: &Lake, snapshot: &Snapshot, failure: QueryFailure<'_>) -> Vec<ScannedFile> {
    if let QueryFailure::Error(error) = failure
        && !(is_parquet(error) || is_panic(error) || find_cause(error).and_then(path_of).is_some())
    {
        return Vec::new();
    }
    let parts = snapshot.values().flat_map(|run| &run.parts);
    parts.map(|part| ScannedFile { location: lake.location().resolve(&part.path), size: part.file_bytes() }).collect()
}

/// Checks that a file can be read.
async fn check_file(location: &Location, file: &ScannedFile, depth: ReadDepth) -> Result<()> {
    let path = &file.location;
    let unreadable = |error| read_error(location, path.as_ref(), error);
    let malformed = |cause: &dyn std::fmt::Display| {
        let text = format!("cannot read {}: this data file of the lake is corrupt", location.url_of(path));
        let error = Error::new(ErrorKind::Malformed, text).with_subject(ErrorSubject::Output);
        Err(error.with_context("cause", cause).with_hint(CORRUPT_HINT))
    };
    let size = location.store().head(path).await.map_err(unreadable)?.size;
    if size != file.size {
        return malformed(&format!("it has {size} bytes, expected {}", file.size));
    }
    if matches!(depth, ReadDepth::Size) {
        return Ok(());
    }
    let response = location.store().get(path).await.map_err(unreadable)?;
    let bytes = response.bytes().await.map_err(unreadable)?;
    let decode = || -> Result<(), ParquetError> {
        for batch in ParquetRecordBatchReaderBuilder::try_new(bytes)?.build()? {
            batch?;
        }
        Ok(())
    };
    match catch_panic(decode) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => malformed(&error),
        Err(_) => malformed(&"its rows cannot be decoded"),
    }
}

/// Converts an error of the store that occurred while reading the lake.
pub(super) fn store_failure(error: &StoreError) -> Error {
    store_error(StoreAction::Read, path_of(error).unwrap_or("the lake"), copy_store_error(error))
}

/// The error for a file that the store cannot read.
fn read_error(location: &Location, path: &str, error: StoreError) -> Error {
    let url = Path::parse(path).map_or_else(|_| path.to_owned(), |path| location.url_of(&path));
    let is_missing = matches!(error, StoreError::NotFound { .. });
    let error = store_error(StoreAction::Read, &url, error);
    if is_missing { error.with_hint(MISSING_HINT) } else { error }
}

/// The path of an error of the store, if the kind of the error is known. Without credentials, the
/// store makes no request and the error has no path.
fn path_of(error: &StoreError) -> Option<&str> {
    match error {
        StoreError::NotFound { path, .. }
        | StoreError::PermissionDenied { path, .. }
        | StoreError::Unauthenticated { path, .. } => Some(path.as_str()).filter(|path| !path.is_empty()),
        _ => None,
    }
}

/// Copies an error. DataFusion returns errors by reference, and errors of the store cannot be
/// cloned.
fn copy_store_error(error: &StoreError) -> StoreError {
    let (path, source) = (path_of(error).unwrap_or_default().to_owned(), error.to_string().into());
    match error {
        StoreError::NotFound { .. } => StoreError::NotFound { path, source },
        StoreError::PermissionDenied { .. } => StoreError::PermissionDenied { path, source },
        StoreError::Unauthenticated { .. } => StoreError::Unauthenticated { path, source },
        _ => StoreError::Generic { store: "store", source },
    }
}

fn is_parquet(error: &DataFusionError) -> bool {
    find_cause::<ParquetError>(error).is_some()
        || matches!(find_cause::<ArrowError>(error), Some(ArrowError::ParquetError(_)))
}

fn is_panic(error: &DataFusionError) -> bool {
    // The errors around a panic in a task of the store do not return it as their source.
    matches!(error.find_root(), DataFusionError::ExecutionJoin(task) if task.is_panic())
        || error.to_string().contains(" panicked with message ")
}
