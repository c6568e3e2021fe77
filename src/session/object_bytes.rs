//! The bytes of an object that was read into the lake, for tools that need the original file.

use super::Session;
use crate::error::Result;

impl Session {
    /// Returns the bytes of the object at `url` as its store has it, without decompression. Table `object` has the addresses
    /// of the files of a profile. The whole object is in memory.
    ///
    /// # Errors
    /// Argument for an invalid address; NotFound, Denied, Unreachable.
    ///
    /// # Examples
    /// ```
    /// # let lake = tempfile::tempdir()?;
    /// let session = tracelake::create(lake.path().to_str().unwrap())?;
    /// let url = format!("file://{}/LICENSE", env!("CARGO_MANIFEST_DIR"));
    /// assert!(session.object_bytes(&url)?.len() > 1_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn object_bytes(&self, url: &str) -> Result<Vec<u8>> {
        let location = self.inner.lake.location().open_related(url, &self.inner.settings.options)?;
        self.inner.engine.run(async move { location.bytes().await })
    }
}
