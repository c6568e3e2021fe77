//! Locations: the address of a file or folder, and the store behind it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions};
use parking_lot::Mutex;
use url::Url;

use super::list_page::path_of_odd_key;
use super::options::{Options, invalid_address};
use super::traffic::{CountingConnector, Traffic, TrafficCounter};
use super::{StoreAction, StoredObject, disk, missing, s3, store_error};
use crate::error::{Error, ErrorKind, Result};

/// Maximum size of a text in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// A file or folder in a store.
#[derive(Clone)]
pub struct Location {
    url: Url,
    store: Arc<dyn ObjectStore>,
    root: Path,
    shared: Arc<SharedStores>,
}

/// State that locations opened from each other share: a bucket is set up once, with its credentials
/// and connections, and requests are counted together.
#[derive(Default)]
struct SharedStores {
    counter: Arc<TrafficCounter>,
    buckets: Mutex<BTreeMap<BucketKey, Arc<dyn ObjectStore>>>,
}

/// Name of a bucket, store options, and AWS variables of the environment.
type BucketKey = (String, Options, Options);

impl std::fmt::Debug for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.url.as_str())
    }
}

impl Location {
    /// Opens `s3://bucket/prefix`, `http(s)://...`, `file:///...` or a local path.
    ///
    /// A folder on http is listed by WebDAV (PROPFIND), which plain web servers do not support.
    ///
    /// Sends no request: wrong credentials or a missing bucket are errors of the first use.
    ///
    /// # Errors
    /// Argument for an invalid address or option.
    pub fn open(address: &str, options: &Options) -> Result<Self> {
        Self::open_in(Arc::default(), address, options)
    }

    /// Opens another location. It shares connections and credentials with this one if it is in the
    /// same bucket, and their requests are counted together.
    ///
    /// # Errors
    /// Those of [`Location::open`].
    pub fn open_related(&self, address: &str, options: &Options) -> Result<Self> {
        Self::open_in(Arc::clone(&self.shared), address, options)
    }

    fn open_in(shared: Arc<SharedStores>, address: &str, options: &Options) -> Result<Self> {
        let url = parse(address)?;
        let (store, root): (Arc<dyn ObjectStore>, Path) = match url.scheme() {
            "file" => {
                let path = url.to_file_path().map_err(|()| invalid_address(address, "it is not a local path"))?;
                let root = Path::from_absolute_path(&path).map_err(|e| invalid_address(address, &e.to_string()))?;
                (Arc::new(LocalFileSystem::new()), root)
            }
            "s3" => (shared.bucket(&url, options)?, prefix(&url)?),
            "http" | "https" => {
                let base = url.origin().ascii_serialization();
                let store = HttpBuilder::new()
                    .with_url(base)
                    .with_client_options(ClientOptions::new().with_allow_http(true))
                    .with_http_connector(CountingConnector(Arc::clone(&shared.counter)));
                (Arc::new(store.build().map_err(|e| invalid_address(address, &e.to_string()))?), prefix(&url)?)
            }
            scheme => {
                return Err(invalid_address(address, &format!("`{scheme}` is not one of: s3, file, http, https")));
            }
        };
        Ok(Self { url, store, root, shared })
    }

    /// Returns the network traffic since this location was opened, including that of locations
    /// opened from it.
    pub fn traffic(&self) -> Traffic {
        self.shared.counter.total()
    }

    /// The normalized address; it has no secrets.
    pub fn url(&self) -> &str {
        self.url.as_str().trim_end_matches('/')
    }

    /// Whether it is a folder or file on a disk.
    pub fn is_on_disk(&self) -> bool {
        self.scheme() == "file"
    }

    /// `s3`, `http`, `https` or `file`.
    pub(super) fn scheme(&self) -> &str {
        self.url.scheme()
    }

    /// The address of the store for the query engine: scheme and bucket.
    pub fn store_url(&self) -> Url {
        let mut url = self.url.clone();
        url.set_path("/");
        url
    }

    /// The store.
    pub fn store(&self) -> &Arc<dyn ObjectStore> {
        &self.store
    }

    /// The path in the store.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path in the store of `path` below this folder.
    pub fn resolve(&self, path: &str) -> Path {
        path.split('/').filter(|part| !part.is_empty()).fold(self.root.clone(), Path::join)
    }

    /// Returns the URL of an object of this store.
    pub fn url_of(&self, location: &Path) -> String {
        let mut url = self.url.clone();
        url.set_path(&encoded(location));
        url.to_string()
    }

    /// Returns the address of an object for other programs: a path on a disk, else a URL without
    /// percent-encoding.
    pub fn address_of(&self, location: &Path) -> String {
        if self.is_on_disk() { format!("/{location}") } else { format!("{}{location}", self.store_url()) }
    }

    /// Returns the folder `path` below this one.
    #[must_use]
    pub fn join(&self, path: &str) -> Self {
        self.with_root(self.resolve(path))
    }

    /// Returns the folder that contains an object of this store.
    #[must_use]
    pub(crate) fn parent_of(&self, location: &Path) -> Self {
        self.with_root(location.parent().unwrap_or_default())
    }

    fn with_root(&self, root: Path) -> Self {
        let mut url = self.url.clone();
        url.set_path(&encoded(&root));
        Self { url, root, store: Arc::clone(&self.store), shared: Arc::clone(&self.shared) }
    }

    /// Returns all objects below this folder, sorted by path; or the object itself if the address
    /// is one.
    ///
    /// # Errors
    /// NotFound if there is none; Denied, Unreachable.
    pub async fn list(&self) -> Result<Vec<StoredObject>> {
        let mut objects = self.list_or_empty().await?;
        if objects.is_empty() {
            let special = if self.is_on_disk() { disk::special_file(&self.root) } else { None };
            if let Some(kind) = special {
                let path = self.url().trim_start_matches("file://");
                let text = format!("cannot read {path}: it is {kind}, expected a file or a folder");
                return Err(Error::new(ErrorKind::Argument, text));
            }
            // The address may be that of an object.
            match self.store.head(&self.root).await {
                Ok(meta) => {
                    let path = Arc::from(meta.location.filename().unwrap_or_default());
                    objects.push(StoredObject::new(meta, path));
                }
                Err(object_store::Error::NotFound { .. }) => return Err(self.not_found_error()),
                // A folder on disk is not an object, and the root of a bucket has no key.
                Err(_)
                    if self.root.as_ref().is_empty() || self.is_on_disk() && disk::file_size(&self.root).is_none() =>
                {
                    return Err(self.not_found_error());
                }
                Err(error) => return Err(store_error(StoreAction::Read, self.url(), error)),
            }
        }
        Ok(objects)
    }

    /// Whether the folder of this object has an object with this name; false if the store fails.
    pub(crate) async fn has_sibling(&self, name: &str) -> bool {
        self.store.head(&self.parent_of(&self.root).root.join(name)).await.is_ok()
    }

    /// The error for a location without objects.
    #[doc(hidden)]
    pub fn not_found_error(&self) -> Error {
        match missing(self.url(), "") {
            Some(why) => {
                let path = self.url().trim_start_matches("file://");
                Error::new(ErrorKind::NotFound, format!("cannot read {path}: {why}"))
                    .with_hint("check the path; option `create` makes a lake there")
            }
            None => {
                let text = format!("cannot read {}: there is no object with this prefix", self.url());
                Error::new(ErrorKind::NotFound, text).with_hint("list the parent folder to see what exists")
            }
        }
    }

    /// Reads a small object as text.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed if it is not UTF-8, or larger than 1 MiB.
    pub async fn text(&self, object: &StoredObject) -> Result<String> {
        let url = self.url_of(&object.location);
        let bytes = self.bytes_up_to(MAX_TEXT, &object.location).await?;
        String::from_utf8(bytes.to_vec()).map_err(|error| {
            Error::new(ErrorKind::Malformed, format!("cannot read {url}: it is not UTF-8 text")).with_source(error)
        })
    }

    /// Reads the object at this location.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable.
    pub async fn bytes(&self) -> Result<Vec<u8>> {
        let read = async { self.store.get(&self.root).await?.bytes().await };
        Ok(read.await.map_err(|error| store_error(StoreAction::Read, self.url(), error))?.to_vec())
    }

    /// Reads the object at a path in the store, unless it is larger than `max` bytes: someone else may have written it.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed for a larger object.
    pub(crate) async fn bytes_up_to(&self, max: u64, location: &Path) -> Result<Bytes> {
        let failed = |error| store_error(StoreAction::Read, &self.url_of(location), error);
        let response = self.store.get(location).await.map_err(failed)?;
        if response.meta.size > max {
            let text = format!(
                "cannot read {}: it has {} bytes, expected at most {max}",
                self.url_of(location),
                response.meta.size
            );
            return Err(Error::new(ErrorKind::Malformed, text));
        }
        response.bytes().await.map_err(failed)
    }

    /// Writes an object atomically and durably. With `create`, an existing object is an error.
    pub(crate) async fn put(&self, location: &Path, bytes: Bytes, create: bool) -> object_store::Result<()> {
        if self.is_on_disk() {
            return disk::write(&self.root, location, bytes, create).await;
        }
        let mode = if create { PutMode::Create } else { PutMode::Overwrite };
        self.store.put_opts(location, bytes.into(), PutOptions::from(mode)).await.map(drop)
    }

    /// Flushes objects that the store has written to the disk.
    pub(crate) async fn sync(&self, locations: &[Path]) -> object_store::Result<()> {
        // Object stores respond only after an object is durable.
        if self.is_on_disk() { disk::sync(&self.root, locations).await } else { Ok(()) }
    }

    /// Lists incomplete files of writers that were killed or are still writing, on disks only: path
    /// below this folder, size in bytes, modification time in ns since the Unix epoch.
    pub(crate) fn list_unfinished(&self) -> Vec<(String, u64, i64)> {
        if self.is_on_disk() { disk::list_unfinished(&self.root) } else { Vec::new() }
    }

    /// Removes an incomplete file. A missing file is not an error.
    pub(crate) fn remove_unfinished(&self, path: &str) -> object_store::Result<()> {
        disk::remove_unfinished(&self.root, path)
    }

    /// Whether an object has this size. Always true for object stores, where this would cost a request.
    #[doc(hidden)]
    pub fn has_size_on_disk(&self, location: &Path, size: u64) -> bool {
        !self.is_on_disk() || disk::file_size(location) == Some(size)
    }

    /// Whether there is any object below this folder. Requests only the first one.
    ///
    /// # Errors
    /// Denied, Unreachable, or NotFound for a missing bucket.
    pub async fn has_objects(&self) -> Result<bool> {
        let prefix = (!self.root.as_ref().is_empty()).then_some(&self.root);
        match self.store.list(prefix).try_next().await {
            Ok(first) => Ok(first.is_some()),
            Err(object_store::Error::NotFound { .. }) if self.is_on_disk() => Ok(false),
            // A file has no objects below it.
            Err(error) if self.is_on_disk() && error.to_string().contains("Not a directory") => Ok(false),
            Err(error) => Err(store_error(StoreAction::List, self.url(), error)),
        }
    }

    /// Returns all objects below this folder, sorted by path; an empty folder is not an error.
    ///
    /// # Errors
    /// Denied, Unreachable, or NotFound for a missing bucket.
    pub async fn list_or_empty(&self) -> Result<Vec<StoredObject>> {
        let objects = self.list_entries().await?;
        match objects.iter().find_map(|object| object.unlisted.as_ref()) {
            Some((kind, why)) => Err(Error::new(*kind, &**why)),
            None => Ok(objects),
        }
    }

    /// Returns all objects like [`Location::list_or_empty`], and entries that cannot be listed: these do not affect the others.
    ///
    /// # Errors
    /// Denied, Unreachable, or NotFound for a missing bucket; Denied for this folder itself.
    #[doc(hidden)]
    pub async fn list_entries(&self) -> Result<Vec<StoredObject>> {
        let prefix = (!self.root.as_ref().is_empty()).then_some(&self.root);
        let below = |path: &str| {
            let below = path.strip_prefix(self.root.as_ref()).map(|path| path.strip_prefix('/').unwrap_or(path));
            Arc::from(below.unwrap_or(path))
        };
        // Convert page by page, so that a million metadata records are never in memory next to the
        // objects.
        let object = |meta: ObjectMeta| {
            let path = below(meta.location.as_ref());
            StoredObject::new(meta, path)
        };
        let mut objects: Vec<StoredObject> = if self.is_on_disk() {
            let disk::Listing { mut files, unlisted } = disk::list(&self.root, object).await;
            for disk::Unlisted { location, why } in unlisted {
                let error = Self::unlisted_error(&self.url_of(&location), why);
                if location == self.root {
                    return Err(error);
                }
                let path = below(location.as_ref());
                files.push(StoredObject::unlisted(location, path, &error));
            }
            files
        } else {
            let list_error = |error| store_error(StoreAction::List, self.url(), error);
            let mut files: Vec<_> = self.store.list(prefix).map_ok(object).try_collect().await.map_err(list_error)?;
            let prefix = prefix.map_or_else(String::new, |prefix| format!("{prefix}/"));
            for key in self.shared.counter.take_odd_keys(&prefix) {
                let error =
                    Self::unlisted_error(&format!("{}{}", self.store_url(), key.escape_debug()), disk::Why::Key);
                files.push(StoredObject::unlisted(path_of_odd_key(&key), below(&key), &error));
            }
            files
        };
        objects.sort_by(|a, b| a.path.cmp(&b.path));
        // A store that lists an object twice must not be read twice.
        objects.dedup_by(|a, b| a.location == b.location);
        Ok(objects)
    }

    fn unlisted_error(url: &str, why: disk::Why) -> Error {
        let (why, hint) = match why {
            disk::Why::Name => {
                ("its name is not UTF-8, or has control characters", "rename that file, or move it away")
            }
            disk::Why::Key => (
                "its key begins with a slash, or has an empty part, `.`, `..` or a control character",
                "copy that object to another key",
            ),
            disk::Why::Loop => ("it is a symbolic link to one of its parent folders", "remove that link"),
            disk::Why::Io(source) => {
                let error = object_store::Error::Generic { store: "LocalFileSystem", source: source.into() };
                return store_error(StoreAction::List, url, error);
            }
        };
        Error::new(ErrorKind::Malformed, format!("cannot list {url}: {why}")).with_hint(hint)
    }
}

impl SharedStores {
    fn bucket(&self, url: &Url, options: &Options) -> Result<Arc<dyn ObjectStore>> {
        let key = (url.authority().to_owned(), options.clone(), aws_environment());
        let mut buckets = self.buckets.lock();
        if let Some(store) = buckets.get(&key) {
            return Ok(Arc::clone(store));
        }
        let store = s3::open(url, options, Arc::clone(&self.counter))?;
        buckets.insert(key, Arc::clone(&store));
        drop(buckets);
        Ok(store)
    }
}

/// Returns the AWS variables of the environment. A change applies to buckets that are opened later.
#[expect(clippy::disallowed_methods, reason = "source is where the environment is read")]
fn aws_environment() -> Options {
    let to_text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    std::env::vars_os().filter_map(to_text).filter(|(name, _)| name.starts_with("AWS_")).collect()
}

/// Parses a URL, or makes a local path absolute.
fn parse(address: &str) -> Result<Url> {
    let not_local = |()| invalid_address(address, "it is not a local path");
    if let Ok(mut url) = Url::parse(address)
        && url.scheme().len() > 1
    {
        if url.username() != "" || url.password().is_some() || url.query().is_some() {
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            return Err(invalid_address(url.as_str(), "it must not contain credentials or a query; use options"));
        }
        if url.fragment().is_some() {
            return Err(invalid_address(address, "`#` begins a fragment; write %23"));
        }
        if url.scheme() == "s3a" {
            // Hadoop uses another scheme for S3. Each object has one address.
            let _ = url.set_scheme("s3");
        }
        if url.scheme() != "file" {
            return Ok(url);
        }
        let path = url.to_file_path().map_err(not_local)?;
        return Url::from_directory_path(resolve_links(&path)).map_err(not_local);
    }
    if let Some((scheme, _)) = address.split_once("://") {
        // Omit the rest: it may contain a password.
        return Err(invalid_address(&format!("{scheme}://..."), "it is not a valid URL"));
    }
    if address.is_empty() {
        return Err(invalid_address(address, "it is empty"));
    }
    let path = std::path::absolute(address).map_err(|e| invalid_address(address, &e.to_string()))?;
    // Resolve symbolic links, so that each folder has one address.
    Url::from_directory_path(resolve_links(&path)).map_err(not_local)
}

#[expect(clippy::disallowed_methods, reason = "source is where local paths are resolved")]
fn resolve_links(path: &std::path::Path) -> std::path::PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Encodes what [`Url::set_path`] would not: each object has one URL.
fn encoded(path: &Path) -> String {
    path.as_ref().replace('%', "%25").replace('\\', "%5C")
}

/// Decodes percent-encoding in a part of an address: `%20` is a space.
pub fn decoded(part: &str) -> String {
    Path::from_url_path(part).map_or_else(|_| part.to_owned(), |path| path.to_string())
}

fn prefix(url: &Url) -> Result<Path> {
    Path::from_url_path(url.path()).map_err(|e| invalid_address(url.as_str(), &e.to_string()))
}
