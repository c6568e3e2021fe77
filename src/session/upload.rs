//! Uploads objects to a store: recordings of machines without a disk.

use object_store::ObjectStoreExt;
use tracelake_engine::runtime::Engine;

use crate::error::Result;
use crate::source::{Location, Options, StoreAction, store_error};

/// A folder of a store to upload objects to.
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// let folder = tempfile::tempdir().unwrap();
/// let upload = tracelake::session::Upload::open(folder.path().to_str().unwrap(), &Default::default())?;
/// upload.put("run-1/main-0-1-000000.jsonl", b"{}\n".to_vec())?;
/// assert!(folder.path().join("run-1/main-0-1-000000.jsonl").exists());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Upload {
    engine: Engine,
    location: Location,
}

impl Upload {
    /// Opens a folder at `s3://bucket/prefix` or at a local path. Sends no request: a missing bucket shows at the first object.
    ///
    /// # Errors
    /// Argument for an invalid address or option, Exhausted.
    pub fn open(url: &str, options: &Options) -> Result<Self> {
        Ok(Self { location: Location::open(url, options)?, engine: Engine::start()? })
    }

    /// Writes one object; replaces an existing one. Returns when the store has it.
    ///
    /// # Errors
    /// Denied, Unreachable, NotFound for a missing bucket; Argument in a forked process.
    pub fn put(&self, path: &str, bytes: Vec<u8>) -> Result<()> {
        self.engine.check_process()?;
        let (location, object) = (self.location.clone(), self.location.resolve(path));
        self.engine.run(async move {
            let result = location.store().put(&object, bytes.into()).await;
            result.map(|_| ()).map_err(|error| store_error(StoreAction::Write, &location.url_of(&object), error))
        })
    }
}
