//! Queries that users keep with a lake: `<lake>/_queries/<family>/<question>.sql`, each with its header.

use bytes::Bytes;
use futures::StreamExt;
use object_store::ObjectStoreExt;

use super::{Lake, PARALLEL};
use crate::error::Result;
use crate::source::{Action, store_error};

/// The folder below the lake.
const FOLDER: &str = "_queries";

/// A file of the folder: its path there, and its text or why that cannot be read.
pub type Saved = (String, Result<String>);

impl Lake {
    /// The saved queries, by path below their folder: one listing, and where there are any a request for each, all at once.
    /// A file that cannot be read does not keep the others out.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub async fn saved_queries(&self) -> Result<Vec<Saved>> {
        let folder = self.place().join(FOLDER);
        let listed = folder.list_if_any().await?;
        let read = listed.into_iter().filter(|object| object.path.ends_with(".sql")).map(|object| {
            let folder = &folder;
            async move {
                let text = folder.text(&object).await;
                (object.path.to_string(), text)
            }
        });
        Ok(futures::stream::iter(read).buffered(PARALLEL).collect().await)
    }

    /// Saves the text of a query, whatever was there before: one put, so that a reader sees the old text or the new one.
    ///
    /// # Errors
    /// Denied, Unreachable, Exhausted.
    pub async fn put_query(&self, path: &str, text: String) -> Result<()> {
        let location = self.place().at(&format!("{FOLDER}/{path}"));
        let put = self.place().put(&location, Bytes::from(text), false).await;
        put.map_err(|error| store_error(Action::Write, &self.place().url_of(&location), error))
    }

    /// Removes a saved query; one that is gone already is no error.
    ///
    /// # Errors
    /// Denied, Unreachable.
    pub async fn delete_query(&self, path: &str) -> Result<()> {
        let location = self.place().at(&format!("{FOLDER}/{path}"));
        match self.place().store().delete(&location).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(store_error(Action::Remove, &self.place().url_of(&location), error)),
        }
    }
}
