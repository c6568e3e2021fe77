//! The clock of this machine, and the clock of the store, which sets the times of files.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use object_store::ObjectStoreExt;

use super::Lake;
use crate::error::Result;
use crate::source::StoreAction;

/// Resolution of the times of stores in ns: they round down to seconds.
const RESOLUTION: i64 = 1_000_000_000;

/// Returns the current time in ns since the Unix epoch.
#[doc(hidden)]
pub fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_nanos()).unwrap_or(i64::MAX)
}

impl Lake {
    /// Returns the current time in ns since the Unix epoch, by the slower of both clocks. By this
    /// time a file is at least as old as it looks. If the local clock is fast, files that another
    /// writer has just written would look old and unused. Writes a small file to read the clock of
    /// the store.
    ///
    /// # Errors
    /// Denied, Unreachable, Exhausted.
    pub async fn now(&self) -> Result<i64> {
        let file = self.location.resolve("_manifest/clock");
        let write_error = self.error(StoreAction::Write, &file);
        self.location.store().put(&file, Bytes::new().into()).await.map_err(&write_error)?;
        let modified = self.location.store().head(&file).await.map_err(write_error)?.last_modified;
        let store_time = modified.timestamp_nanos_opt().unwrap_or(i64::MAX).saturating_add(RESOLUTION);
        Ok(now().min(store_time))
    }
}
