//! An address a user wrote, and the store behind it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions};
use url::Url;

use super::options::{Options, unusable_address};
use super::traffic::{Counter, Counting, Traffic};
use super::{Action, Object, disk, missing, s3, store_error};
use crate::error::{Error, ErrorKind, Result};

/// A folder in a store.
#[derive(Clone)]
pub struct Place {
    url: Url,
    store: Arc<dyn ObjectStore>,
    root: Path,
    shared: Arc<Shared>,
}

/// What places that were opened beside each other have in common: a bucket is set up once, with its keys and connections,
/// and requests are counted together.
#[derive(Default)]
struct Shared {
    counter: Arc<Counter>,
    buckets: Mutex<BTreeMap<Bucket, Arc<dyn ObjectStore>>>,
}

/// Name of a bucket, options, and what the environment says about AWS.
type Bucket = (String, Options, Options);

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.url.as_str())
    }
}

impl Place {
    /// Opens `s3://bucket/prefix`, `http(s)://...`, `file:///...` or a local path.
    ///
    /// A folder on http is listed by WebDAV (PROPFIND): a plain web server does not know that.
    ///
    /// Nothing is fetched: a wrong key or a missing bucket shows at the first use.
    ///
    /// # Errors
    /// Argument for an address or an option that cannot be understood.
    pub fn open(address: &str, options: &Options) -> Result<Self> {
        Self::open_in(Arc::default(), address, options)
    }

    /// Opens another place, which shares connections and keys with this one if it is in the same bucket, and whose requests
    /// count with those of this one.
    ///
    /// # Errors
    /// As [`Place::open`].
    pub fn beside(&self, address: &str, options: &Options) -> Result<Self> {
        Self::open_in(Arc::clone(&self.shared), address, options)
    }

    fn open_in(shared: Arc<Shared>, address: &str, options: &Options) -> Result<Self> {
        let url = parse(address)?;
        let (store, root): (Arc<dyn ObjectStore>, Path) = match url.scheme() {
            "file" => {
                let path = url.to_file_path().map_err(|()| unusable_address(address, "it is not a local path"))?;
                let root = Path::from_absolute_path(&path).map_err(|e| unusable_address(address, &e.to_string()))?;
                (Arc::new(LocalFileSystem::new()), root)
            }
            "s3" => (shared.bucket(&url, options)?, prefix(&url)?),
            "http" | "https" => {
                let base = url.origin().ascii_serialization();
                let store = HttpBuilder::new()
                    .with_url(base)
                    .with_client_options(ClientOptions::new().with_allow_http(true))
                    .with_http_connector(Counting(Arc::clone(&shared.counter)));
                (Arc::new(store.build().map_err(|e| unusable_address(address, &e.to_string()))?), prefix(&url)?)
            }
            scheme => {
                return Err(unusable_address(address, &format!("`{scheme}` is not one of: s3, file, http, https")));
            }
        };
        Ok(Self { url, store, root, shared })
    }

    /// What was asked over the network since this place was opened, and those beside it.
    pub fn traffic(&self) -> Traffic {
        self.shared.counter.now()
    }

    /// The address, normalized; it holds no secret.
    pub fn url(&self) -> &str {
        self.url.as_str().trim_end_matches('/')
    }

    /// `s3`, `http`, `https` or `file`.
    pub(super) fn scheme(&self) -> &str {
        self.url.scheme()
    }

    /// The store's own address, for the query engine: scheme and bucket.
    pub fn store_url(&self) -> Url {
        let mut url = self.url.clone();
        url.set_path("/");
        url
    }

    /// The store.
    pub fn store(&self) -> &Arc<dyn ObjectStore> {
        &self.store
    }

    /// The folder within the store.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where `path` below this folder is in the store.
    pub fn at(&self, path: &str) -> Path {
        let mut location = self.root.clone();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            location = location.clone().join(part);
        }
        location
    }

    /// The address of an object of this store.
    pub fn url_of(&self, location: &Path) -> String {
        let mut url = self.url.clone();
        url.set_path(location.as_ref());
        url.to_string()
    }

    /// What other programs call an object of this store: a path on a disk, else the address with the name as it is, nothing
    /// in it encoded.
    pub fn address_of(&self, location: &Path) -> String {
        match self.url.scheme() {
            "file" => format!("/{location}"),
            _ => format!("{}{location}", self.store_url()),
        }
    }

    /// The folder `path` below this one.
    #[must_use]
    pub fn join(&self, path: &str) -> Self {
        let root = self.at(path);
        let mut url = self.url.clone();
        url.set_path(root.as_ref());
        Self { url, store: Arc::clone(&self.store), root, shared: Arc::clone(&self.shared) }
    }

    /// The folder that holds an object of this store.
    #[must_use]
    pub(crate) fn folder_of(&self, location: &Path) -> Self {
        let root = location.parent().unwrap_or_default();
        let mut url = self.url.clone();
        url.set_path(root.as_ref());
        Self { url, root, store: Arc::clone(&self.store), shared: Arc::clone(&self.shared) }
    }

    /// All objects below this folder, sorted by path; the object itself if the address names one.
    ///
    /// # Errors
    /// NotFound when there is none; Denied, Unreachable.
    pub async fn list(&self) -> Result<Vec<Object>> {
        let mut objects = self.list_if_any().await?;
        if objects.is_empty() {
            // The address may be that of one object.
            match self.store.head(&self.root).await {
                Ok(meta) => {
                    let path = Arc::from(meta.location.filename().unwrap_or_default());
                    objects.push(Object::new(meta, path));
                }
                Err(object_store::Error::NotFound { .. }) => return Err(self.nothing()),
                // A folder on disk is no object, and a bucket's root has no key.
                Err(_) if self.url.scheme() == "file" || self.root.as_ref().is_empty() => {
                    return Err(self.nothing());
                }
                Err(error) => return Err(store_error(Action::Read, self.url(), error)),
            }
        }
        Ok(objects)
    }

    /// Whether the address names this object itself.
    pub(crate) fn is_at(&self, location: &Path) -> bool {
        self.root == *location
    }

    /// Whether there is an object of this name beside the one that the address names; what cannot be told counts as none.
    pub(crate) async fn is_beside(&self, name: &str) -> bool {
        self.store.head(&self.folder_of(&self.root).root.join(name)).await.is_ok()
    }

    /// The error for an address without a file or object below it.
    #[doc(hidden)]
    pub fn nothing(&self) -> Error {
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

    /// A small object as text.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed when it is no UTF-8.
    pub async fn text(&self, object: &Object) -> Result<String> {
        let url = self.url_of(&object.location);
        let failed = |error| store_error(Action::Read, &url, error);
        let got = self.store.get(&object.location).await.map_err(failed)?;
        let bytes = got.bytes().await.map_err(failed)?;
        String::from_utf8(bytes.to_vec()).map_err(|error| {
            Error::new(ErrorKind::Malformed, format!("cannot read {url}: it is not UTF-8 text")).with_source(error)
        })
    }

    /// The object at this address.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable.
    pub async fn bytes(&self) -> Result<Vec<u8>> {
        let failed = |error| store_error(Action::Read, self.url(), error);
        let got = self.store.get(&self.root).await.map_err(failed)?;
        Ok(got.bytes().await.map_err(failed)?.to_vec())
    }

    /// Writes an object atomically and durably. With `create`, an existing object is an error.
    pub(crate) async fn put(&self, location: &Path, bytes: Bytes, create: bool) -> object_store::Result<()> {
        if self.url.scheme() == "file" {
            return disk::write(&self.root, location, bytes, create).await;
        }
        let mode = if create { PutMode::Create } else { PutMode::Overwrite };
        self.store.put_opts(location, bytes.into(), PutOptions::from(mode)).await.map(drop)
    }

    /// Flushes objects that the store has written to the disk.
    pub(crate) async fn sync(&self, locations: &[Path]) -> object_store::Result<()> {
        // Object stores answer only when an object is durable.
        if self.url.scheme() == "file" { disk::sync(&self.root, locations).await } else { Ok(()) }
    }

    /// Incomplete files of writers that were killed or are still writing, on a disk only: path below this folder, size in bytes,
    /// modification time in ns since the Unix epoch.
    pub(crate) fn unfinished(&self) -> Vec<(String, u64, i64)> {
        if self.url.scheme() == "file" { disk::unfinished(&self.root) } else { Vec::new() }
    }

    /// Removes an incomplete file. A missing file is not an error.
    pub(crate) fn remove_unfinished(&self, path: &str) -> object_store::Result<()> {
        disk::remove_unfinished(&self.root, path)
    }

    /// Whether an object has this size. Always true for object stores, where this would cost a request.
    #[doc(hidden)]
    pub fn has_size_on_disk(&self, location: &Path, size: u64) -> bool {
        self.url.scheme() != "file" || disk::size(location) == Some(size)
    }

    /// Whether there is any object below this folder. Asks for the first one only.
    ///
    /// # Errors
    /// Denied, Unreachable, or NotFound for a missing bucket.
    pub async fn holds_something(&self) -> Result<bool> {
        let prefix = (!self.root.as_ref().is_empty()).then_some(&self.root);
        match self.store.list(prefix).try_next().await {
            Ok(first) => Ok(first.is_some()),
            Err(object_store::Error::NotFound { .. }) if self.url.scheme() == "file" => Ok(false),
            // Below a file there is nothing.
            Err(error) if self.url.scheme() == "file" && error.to_string().contains("Not a directory") => Ok(false),
            Err(error) => Err(store_error(Action::List, self.url(), error)),
        }
    }

    /// All objects below this folder, sorted by path; none is no error.
    ///
    /// # Errors
    /// Denied, Unreachable, or NotFound for a missing bucket.
    pub async fn list_if_any(&self) -> Result<Vec<Object>> {
        let prefix = (!self.root.as_ref().is_empty()).then_some(&self.root);
        // Page by page: a million answers of a store are never held beside the objects.
        let object = |meta: ObjectMeta| {
            let path = meta.location.as_ref();
            let below = path.strip_prefix(self.root.as_ref()).map(|path| path.strip_prefix('/').unwrap_or(path));
            let below: Arc<str> = Arc::from(below.unwrap_or(path));
            Object::new(meta, below)
        };
        let plain = if self.url.scheme() == "file" { disk::list(&self.root, object).await } else { None };
        let listed: std::result::Result<Vec<Object>, _> = match plain {
            Some(objects) => Ok(objects),
            None => self.store.list(prefix).map_ok(object).try_collect().await,
        };
        let mut objects = match listed {
            Ok(objects) => objects,
            Err(object_store::Error::NotFound { .. }) if self.url.scheme() == "file" => Vec::new(),
            Err(error) => {
                return Err(
                    odd_entry(self.url(), &error).unwrap_or_else(|| store_error(Action::List, self.url(), error))
                );
            }
        };
        objects.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(objects)
    }
}

impl Shared {
    fn bucket(&self, url: &Url, options: &Options) -> Result<Arc<dyn ObjectStore>> {
        let key = (url.authority().to_owned(), options.clone(), environment());
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = buckets.get(&key) {
            return Ok(Arc::clone(store));
        }
        let store = s3::open(url, options, Arc::clone(&self.counter))?;
        buckets.insert(key, Arc::clone(&store));
        drop(buckets);
        Ok(store)
    }
}

/// What the environment says about AWS: whoever changes it means it for what is opened from then on.
#[expect(clippy::disallowed_methods, reason = "source is where the environment is read")]
fn environment() -> Options {
    let known = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    std::env::vars_os().filter_map(known).filter(|(name, _)| name.starts_with("AWS_")).collect()
}

/// What is wrong if a folder on disk holds something that no store can: nothing below it is listed then.
fn odd_entry(folder: &str, error: &object_store::Error) -> Option<Error> {
    let text = error.to_string();
    let (why, hint) = if matches!(error, object_store::Error::InvalidPath { .. }) {
        ("a name below it is not UTF-8", "rename that file, or move it away")
    } else if text.contains("file system loop") || text.contains("File system loop") {
        ("a symbolic link below it points to one of its parent folders", "remove that link")
    } else {
        return None;
    };
    let error = Error::new(ErrorKind::Malformed, format!("cannot list {folder}: {why}")).with_context("cause", text);
    Some(error.with_hint(hint))
}

/// A URL as it is, or a local path made absolute.
fn parse(address: &str) -> Result<Url> {
    if let Ok(mut url) = Url::parse(address)
        && url.scheme().len() > 1
    {
        if url.username() != "" || url.password().is_some() || url.query().is_some() {
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            return Err(unusable_address(url.as_str(), "it must not contain credentials or a query; use options"));
        }
        if url.fragment().is_some() {
            return Err(unusable_address(address, "`#` begins a fragment; write %23"));
        }
        if url.scheme() == "s3a" {
            // Hadoop's name for the same thing: one object has one address.
            let _ = url.set_scheme("s3");
        }
        if url.scheme() != "file" {
            return Ok(url);
        }
        let path = url.to_file_path().map_err(|()| unusable_address(address, "it is not a local path"))?;
        return Url::from_directory_path(dunce(&path))
            .map_err(|()| unusable_address(address, "it is not a local path"));
    }
    if let Some((scheme, _)) = address.split_once("://") {
        // The rest is not shown: it may hold a password.
        return Err(unusable_address(&format!("{scheme}://..."), "it is not a valid URL"));
    }
    if address.is_empty() {
        return Err(unusable_address(address, "it is empty"));
    }
    let path = std::path::absolute(address).map_err(|e| unusable_address(address, &e.to_string()))?;
    // Without the symbolic links, so that one folder has one address.
    let path = dunce(&path);
    Url::from_directory_path(&path).map_err(|()| unusable_address(address, "it is not a local path"))
}

#[expect(clippy::disallowed_methods, reason = "source is where local paths are resolved")]
fn dunce(path: &std::path::Path) -> std::path::PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A part of an address as a person writes it: `%20` is a space.
pub fn decoded(part: &str) -> String {
    Path::from_url_path(part).map_or_else(|_| part.to_owned(), |path| path.to_string())
}

fn prefix(url: &Url) -> Result<Path> {
    Path::from_url_path(url.path()).map_err(|e| unusable_address(url.as_str(), &e.to_string()))
}
