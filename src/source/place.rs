//! An address a user wrote, and the store behind it.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::TryStreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};
use url::Url;

use super::{Object, store_error};
use crate::error::{Error, ErrorKind, Result};

/// Options of a store by name, as `object_store` spells them (`aws_region`, `endpoint`,
/// `skip_signature`, ...). They win over the environment.
pub type Options = BTreeMap<String, String>;

/// A folder in a store.
#[derive(Clone)]
pub struct Place {
    url: Url,
    store: Arc<dyn ObjectStore>,
    root: Path,
}

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
        let url = parse(address)?;
        let (store, root): (Arc<dyn ObjectStore>, Path) = match url.scheme() {
            "file" => {
                let path = url.to_file_path().map_err(|()| bad(address, "it is not a local path"))?;
                let root = Path::from_absolute_path(&path).map_err(|e| bad(address, &e.to_string()))?;
                (Arc::new(LocalFileSystem::new()), root)
            }
            "s3" => (s3(&url, options)?, prefix(&url)?),
            "http" | "https" => {
                let base = url.origin().ascii_serialization();
                let store =
                    HttpBuilder::new().with_url(base).with_client_options(ClientOptions::new().with_allow_http(true));
                (Arc::new(store.build().map_err(|e| bad(address, &e.to_string()))?), prefix(&url)?)
            }
            scheme => return Err(bad(address, &format!("`{scheme}` is not one of: s3, file, http, https"))),
        };
        Ok(Self { url, store, root })
    }

    /// The address, normalised; it holds no secret.
    pub fn url(&self) -> &str {
        self.url.as_str().trim_end_matches('/')
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

    /// The folder `path` below this one.
    #[must_use]
    pub fn join(&self, path: &str) -> Self {
        let root = self.at(path);
        let mut url = self.url.clone();
        url.set_path(root.as_ref());
        Self { url, store: Arc::clone(&self.store), root }
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
                    let path = meta.location.filename().unwrap_or_default().to_owned();
                    objects.push(Object::new(meta, path));
                }
                Err(object_store::Error::NotFound { .. }) => return Err(self.nothing()),
                // A folder on disk is no object, and a bucket's root has no key.
                Err(_) if self.url.scheme() == "file" || self.root.as_ref().is_empty() => {
                    return Err(self.nothing());
                }
                Err(error) => return Err(store_error(&format!("read {}", self.url()), error)),
            }
        }
        Ok(objects)
    }

    /// What is said of a folder that is empty.
    pub(crate) fn nothing(&self) -> Error {
        Error::new(ErrorKind::NotFound, format!("cannot read {}: there is no object with this prefix", self.url()))
            .with_hint("list the folder above to see what is there")
    }

    /// A small object as text.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed when it is no UTF-8.
    pub async fn text(&self, object: &Object) -> Result<String> {
        let what = format!("read {}", self.url_of(&object.location));
        let got = self.store.get(&object.location).await.map_err(|error| store_error(&what, error))?;
        let bytes = got.bytes().await.map_err(|error| store_error(&what, error))?;
        String::from_utf8(bytes.to_vec()).map_err(|error| {
            Error::new(ErrorKind::Malformed, format!("cannot {what}: it is no text")).with_source(error)
        })
    }

    /// The object at this address.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable.
    pub async fn bytes(&self) -> Result<Vec<u8>> {
        let failed = |error| store_error(&format!("read {}", self.url()), error);
        let got = self.store.get(&self.root).await.map_err(failed)?;
        Ok(got.bytes().await.map_err(failed)?.to_vec())
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
            Err(error) => Err(store_error(&format!("list {}", self.url()), error)),
        }
    }

    /// All objects below this folder, sorted by path; none is no error.
    ///
    /// # Errors
    /// Denied, Unreachable, or NotFound for a missing bucket.
    pub async fn list_if_any(&self) -> Result<Vec<Object>> {
        let prefix = (!self.root.as_ref().is_empty()).then_some(&self.root);
        let listed: std::result::Result<Vec<_>, _> = self.store.list(prefix).try_collect().await;
        let metas = match listed {
            Ok(metas) => metas,
            Err(object_store::Error::NotFound { .. }) if self.url.scheme() == "file" => Vec::new(),
            Err(error) => {
                return Err(odd_entry(self.url(), &error)
                    .unwrap_or_else(|| store_error(&format!("list {}", self.url()), error)));
            }
        };
        let mut objects: Vec<Object> = metas
            .into_iter()
            .map(|meta| {
                let path = meta.location.prefix_match(&self.root).map_or_else(
                    || meta.location.to_string(),
                    |parts| parts.map(|part| part.as_ref().to_owned()).collect::<Vec<_>>().join("/"),
                );
                Object::new(meta, path)
            })
            .collect();
        objects.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(objects)
    }
}

/// What is wrong if a folder on disk holds something that no store can: nothing below it is listed then.
fn odd_entry(folder: &str, error: &object_store::Error) -> Option<Error> {
    let text = error.to_string();
    let (why, hint) = if matches!(error, object_store::Error::InvalidPath { .. }) {
        ("a name below it is no UTF-8", "rename that file, or move it away")
    } else if text.contains("file system loop") || text.contains("File system loop") {
        ("a symbolic link below it leads back to a folder above", "remove that link")
    } else {
        return None;
    };
    let error = Error::new(ErrorKind::Malformed, format!("cannot list {folder}: {why}")).with_context("cause", text);
    Some(error.with_hint(hint))
}

fn bad(address: &str, why: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("cannot use `{address}` as an address: {why}"))
        .with_hint("write s3://bucket/prefix, file:///path or a local path")
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
            return Err(bad(url.as_str(), "credentials and queries do not belong into it; use options"));
        }
        if url.fragment().is_some() {
            return Err(bad(address, "`#` begins a fragment; write %23"));
        }
        if url.scheme() == "s3a" {
            // Hadoop's name for the same thing: one object has one address.
            let _ = url.set_scheme("s3");
        }
        if url.scheme() != "file" {
            return Ok(url);
        }
        let path = url.to_file_path().map_err(|()| bad(address, "it is not a local path"))?;
        return Url::from_directory_path(dunce(&path)).map_err(|()| bad(address, "it is not a local path"));
    }
    if let Some((scheme, _)) = address.split_once("://") {
        // The rest is not shown: it may hold a password.
        return Err(bad(&format!("{scheme}://..."), "it is no valid URL"));
    }
    if address.is_empty() {
        return Err(bad(address, "it is empty"));
    }
    let path = std::path::absolute(address).map_err(|e| bad(address, &e.to_string()))?;
    // Without the symbolic links, so that one folder has one address.
    let path = dunce(&path);
    Url::from_directory_path(&path).map_err(|()| bad(address, "it is not a local path"))
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
    Path::from_url_path(url.path()).map_err(|e| bad(url.as_str(), &e.to_string()))
}

/// An S3 store: options first, then the environment.
fn s3(url: &Url, options: &Options) -> Result<Arc<dyn ObjectStore>> {
    let bucket = url.host_str().ok_or_else(|| bad(url.as_str(), "the bucket is missing"))?;
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    let mut plain_http = builder_is_http(&builder);
    for (name, value) in options {
        let key = name.to_lowercase().parse().map_err(|_| {
            Error::new(ErrorKind::Argument, format!("unknown store option `{name}`"))
                .with_hint("known are among others: access_key_id, secret_access_key, session_token, region, endpoint, skip_signature")
        })?;
        if matches!(key, object_store::aws::AmazonS3ConfigKey::Endpoint) {
            plain_http = value.starts_with("http://");
        }
        builder = builder.with_config(key, value);
    }
    if plain_http {
        builder = builder.with_allow_http(true);
    }
    let retry =
        RetryConfig { max_retries: 5, retry_timeout: std::time::Duration::from_mins(1), ..RetryConfig::default() };
    let store = builder.with_retry(retry).build();
    Ok(Arc::new(store.map_err(|e| bad(url.as_str(), &super::first_cause(&e.to_string())))?))
}

fn builder_is_http(builder: &AmazonS3Builder) -> bool {
    builder
        .get_config_value(&object_store::aws::AmazonS3ConfigKey::Endpoint)
        .is_some_and(|endpoint| endpoint.starts_with("http://"))
}
