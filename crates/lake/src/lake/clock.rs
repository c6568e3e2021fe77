//! Two clocks: that of this machine, and that of the store, which says when files were written.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use object_store::ObjectStoreExt;

use super::Lake;
use crate::error::Result;
use crate::source::{Action, store_error};

/// Stores round times down to seconds.
const RESOLUTION: i64 = 1_000_000_000;

/// Now, ns since the Unix epoch.
#[doc(hidden)]
pub fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_nanos()).unwrap_or(i64::MAX)
}

impl Lake {
    /// Now by the clock that is behind of the two, ns since the Unix epoch: a file is at least as old as it looks by this one. If
    /// ours alone were asked and it went ahead, what another writer has just written would look as if nobody wanted it. Writes a
    /// small file, whose time tells.
    ///
    /// # Errors
    /// Denied, Unreachable, Exhausted.
    pub async fn now(&self) -> Result<i64> {
        let mark = self.place.at("_manifest/clock");
        let failed = |error| store_error(Action::Write, &self.place.url_of(&mark), error);
        self.place.store().put(&mark, Bytes::new().into()).await.map_err(failed)?;
        let written = self.place.store().head(&mark).await.map_err(failed)?.last_modified;
        let theirs = written.timestamp_nanos_opt().unwrap_or(i64::MAX).saturating_add(RESOLUTION);
        Ok(now().min(theirs))
    }
}
