//! Queries that users save with a lake: `<lake>/_queries/<family>/<question>.sql`, each with its
//! header.

use bytes::Bytes;
use futures::StreamExt;

use super::{Lake, PARALLEL};
use crate::error::{Error, ErrorKind, Result};

/// The folder in the lake.
const FOLDER: &str = "_queries";

/// Maximum bytes of all saved queries together. Someone else may have written the files.
const MAX_BYTES: u64 = 64 << 20;

/// A saved query: its path below the folder, and its text or the error of reading it.
pub type SavedQuery = (String, Result<String>);

fn total_size_error(url: &str) -> Error {
    let text = format!("the saved queries in {url} have more than {} MiB together", MAX_BYTES >> 20);
    Error::new(ErrorKind::Malformed, text)
}

impl Lake {
    /// Returns the saved queries, by path below their folder: one listing, and one request per
    /// query, in parallel. A file that cannot be read does not affect the others.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub async fn saved_queries(&self) -> Result<Vec<SavedQuery>> {
        let folder = self.location.join(FOLDER);
        let listed = folder.list_or_empty().await?;
        let mut bytes = 0_u64;
        let read = listed.into_iter().filter(|object| object.path.ends_with(".sql")).map(|object| {
            let folder = &folder;
            bytes = bytes.saturating_add(object.size);
            let fits = bytes <= MAX_BYTES;
            async move {
                let text = if fits { folder.text(&object).await } else { Err(total_size_error(folder.url())) };
                (object.path.to_string(), text)
            }
        });
        Ok(futures::stream::iter(read).buffered(PARALLEL).collect().await)
    }

    /// Saves the text of a query, and replaces its previous text. One put, so a reader sees the old
    /// text or the new one.
    ///
    /// # Errors
    /// Denied, Unreachable, Exhausted.
    pub async fn put_query(&self, path: &str, text: String) -> Result<()> {
        self.put(&self.location.resolve(&format!("{FOLDER}/{path}")), Bytes::from(text)).await
    }

    /// Removes a saved query; a missing one is not an error.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub async fn delete_query(&self, path: &str) -> Result<()> {
        self.remove_all(vec![self.location.resolve(&format!("{FOLDER}/{path}"))]).await
    }
}
