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
use object_store::{Error as StoreError, ObjectMeta, ObjectStoreExt};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;

use super::answer::query_error;
use crate::error::{Error, ErrorKind};
use crate::lake::Lake;
use crate::source::{Place, store_error};

/// Files looked at together.
const PARALLEL: usize = 8;

const MISSING: &str = "call `refresh`, in case the lake was changed meanwhile; else remove the run's folder below _manifest/run and ingest its profile again";
const DAMAGED: &str = "remove the run's folder below _manifest/run and ingest its profile again";

/// What an error means that came while this plan ran.
pub(super) async fn explain(lake: &Lake, plan: &Arc<dyn ExecutionPlan>, error: &DataFusionError) -> Error {
    let place = lake.place();
    let mut files = Vec::new();
    scanned(plan, &mut files);
    let look = match cause::<StoreError>(error) {
        Some(store) => {
            if let Some(path) = path_of(store) {
                let file = files.iter().find(|file| path.ends_with(file.location.as_ref()));
                return unread(place, file.map_or(path, |file| file.location.as_ref()), same(store));
            }
            Look::Size
        }
        None if is_parquet(error) || is_panic(error) => Look::Rows,
        None => match by_cluster(error) {
            Some(ErrorKind::Malformed) => Look::Rows,
            Some(ErrorKind::NotFound) => Look::Size,
            _ => return query_error(error),
        },
    };
    find(place, files, look).await.unwrap_or_else(|| query_error(error))
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

/// What a panic means that came while this plan ran: the reader of Parquet trusts much of what stands in a file.
pub(super) async fn explain_panic(lake: &Lake, plan: &Arc<dyn ExecutionPlan>) -> Error {
    let mut files = Vec::new();
    scanned(plan, &mut files);
    find(lake.place(), files, Look::Rows).await.unwrap_or_else(panicked)
}

/// The error for a panic that no file explains.
pub(super) fn panicked() -> Error {
    Error::new(ErrorKind::Internal, "the query panicked: this is a bug")
        .with_hint("please report it with the query that shows it")
}

/// The first file with which something is wrong.
async fn find(place: &Place, files: Vec<ObjectMeta>, look: Look) -> Option<Error> {
    let looks = futures::stream::iter(files).map(|file| async move { wrong(place, &file, look).await });
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

/// The files that a plan reads.
fn scanned(plan: &Arc<dyn ExecutionPlan>, files: &mut Vec<ObjectMeta>) {
    let source =
        plan.downcast_ref::<DataSourceExec>().and_then(DataSourceExec::downcast_to_file_source::<ParquetSource>);
    if let Some((FileScanConfig { file_groups, .. }, _)) = source {
        files.extend(file_groups.iter().flat_map(FileGroup::files).map(|file| file.object_meta.clone()));
    }
    plan.children().into_iter().for_each(|child| scanned(child, files));
}

/// What is wrong with a file, if anything is.
async fn wrong(place: &Place, file: &ObjectMeta, look: Look) -> Option<Error> {
    let location = &file.location;
    let malformed = |why: &dyn std::fmt::Display| {
        let text = format!("cannot read {}: this part of the lake is damaged", place.url_of(location));
        Some(Error::new(ErrorKind::Malformed, text).with_context("cause", why).with_hint(DAMAGED))
    };
    let size = match place.store().head(location).await {
        Ok(meta) => meta.size,
        Err(error) => return Some(unread(place, location.as_ref(), error)),
    };
    if size != file.size {
        return malformed(&format!("it has {size} bytes, and was written with {}", file.size));
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
    let what = path_of(error).map_or_else(|| "read the lake".to_owned(), |path| format!("read {path}"));
    store_error(&what, same(error))
}

/// A file that the store does not give.
fn unread(place: &Place, location: &str, error: StoreError) -> Error {
    let url = Path::parse(location).map_or_else(|_| location.to_owned(), |location| place.url_of(&location));
    let gone = matches!(error, StoreError::NotFound { .. });
    let error = store_error(&format!("read {url}"), error);
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
    matches!(error.find_root(), DataFusionError::ExecutionJoin(task) if task.is_panic())
}

fn chain(error: &DataFusionError) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(Some(error as &(dyn StdError + 'static)), |error| StdError::source(*error))
}
