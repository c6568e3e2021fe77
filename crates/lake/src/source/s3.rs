//! S3 buckets: their region, their credentials, and retries of requests.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{HttpConnector, HttpRequest, HttpRequestBody};
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, RetryConfig,
};
use tokio::sync::OnceCell;
use url::Url;

use super::credentials::{Credentials, region_of_profile};
use super::list_page::MAX_KEY;
use super::options::{Options, invalid_address};
use super::traffic::{CountingConnector, TrafficCounter};
use super::without_secrets;
use crate::error::{Error, ErrorKind};

/// The default region of AWS.
const DEFAULT_REGION: &str = "us-east-1";

/// Maximum number of retries of a request within a minute. With random delays they take about 20 s
/// in total.
const MAX_RETRIES: usize = 10;
const BACKOFF: BackoffConfig =
    BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(15), base: 3.0 };

/// Maximum number of objects of a listing: more than a profile or a lake has, and few enough for the memory.
const MAX_OBJECTS: usize = 2_000_000;

/// Maximum number of pages without objects in a row.
const MAX_EMPTY_PAGES: usize = 1_000;
/// Stores send up to 1,000 objects on a page, and rarely fewer.
const MAX_PAGES: usize = 20_000;

/// The only option that `object_store` does not know: a profile of `~/.aws`.
const PROFILE: &str = "profile";

/// Options that select a source of credentials.
const CREDENTIAL_SOURCES: &[AmazonS3ConfigKey] = &[
    AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
    AmazonS3ConfigKey::ContainerCredentialsFullUri,
    AmazonS3ConfigKey::ImdsV1Fallback,
    AmazonS3ConfigKey::MetadataEndpoint,
    AmazonS3ConfigKey::WebIdentityTokenFile,
];

/// Opens the bucket of an address, with options before the environment. Sends no request.
pub(super) fn open(
    url: &Url,
    options: &Options,
    counter: Arc<TrafficCounter>,
) -> crate::error::Result<Arc<dyn ObjectStore>> {
    let bucket = url.host_str().ok_or_else(|| invalid_address(url.as_str(), "the bucket is missing"))?;
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    let (mut profile, mut has_source) = (None, false);
    for (name, value) in options {
        let name = name.to_lowercase();
        if name == PROFILE || name == "aws_profile" {
            profile = Some(value.clone());
            continue;
        }
        let key = name.parse().map_err(|_| {
            Error::new(ErrorKind::Argument, format!("unknown store option `{name}`")).with_hint(
                "some known options: access_key_id, secret_access_key, session_token, profile, region, endpoint, \
                 skip_signature",
            )
        })?;
        has_source |= CREDENTIAL_SOURCES.contains(&key);
        builder = builder.with_config(key, value);
    }
    let has = |key| builder.get_config_value(&key).is_some_and(|value| !value.is_empty());
    let is_true = |key| builder.get_config_value(&key).is_some_and(|value| value == "true" || value == "1");
    let has_keys = has(AmazonS3ConfigKey::AccessKeyId) || has(AmazonS3ConfigKey::SecretAccessKey);
    let needs_credentials = profile.is_some() || !(has_keys || has_source || is_true(AmazonS3ConfigKey::SkipSignature));
    let has_region = has(AmazonS3ConfigKey::Region);
    if endpoint(&builder).is_some_and(|endpoint| endpoint.starts_with("http://")) {
        builder = builder.with_allow_http(true);
    }
    let retry = RetryConfig { max_retries: MAX_RETRIES, retry_timeout: Duration::from_mins(1), backoff: BACKOFF };
    let builder = builder.with_retry(retry).with_http_connector(CountingConnector(Arc::clone(&counter)));
    let store = OnceCell::new();
    if has_region && !needs_credentials {
        let built = builder.clone().build();
        let built = built.map_err(|error| invalid_address(url.as_str(), &without_secrets(&error.to_string())))?;
        // Cannot fail: the cell is new.
        let _ = store.set(built);
    }
    let bucket = S3Bucket { name: bucket.to_owned(), builder, profile, needs_credentials, counter, store };
    Ok(Arc::new(LazyS3(Arc::new(bucket))))
}

fn endpoint(builder: &AmazonS3Builder) -> Option<String> {
    let option = |key| builder.get_config_value(&key).filter(|endpoint| !endpoint.is_empty());
    option(AmazonS3ConfigKey::S3Endpoint).or_else(|| option(AmazonS3ConfigKey::Endpoint))
}

/// A bucket that determines its region and credentials on the first request.
#[derive(Debug, Clone)]
struct LazyS3(Arc<S3Bucket>);

struct S3Bucket {
    name: String,
    builder: AmazonS3Builder,
    /// The profile of `~/.aws` in the options.
    profile: Option<String>,
    /// Whether to use the chain of credential providers of AWS: a profile is set, or neither options nor environment have
    /// keys or another source.
    needs_credentials: bool,
    counter: Arc<TrafficCounter>,
    store: OnceCell<AmazonS3>,
}

impl std::fmt::Debug for S3Bucket {
    /// Omits the builder, which holds secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3Bucket").field("name", &self.name).finish_non_exhaustive()
    }
}

impl S3Bucket {
    async fn store(&self) -> Result<&AmazonS3> {
        self.store.get_or_try_init(|| self.set_up()).await
    }

    async fn set_up(&self) -> Result<AmazonS3> {
        let profile = self.profile.as_deref();
        let mut builder = self.builder.clone();
        let mut home = builder.get_config_value(&AmazonS3ConfigKey::Region);
        if home.is_none() {
            if self.needs_credentials {
                home = region_of_profile(profile).await;
            }
            let region = match &home {
                Some(region) => region.clone(),
                None => self.request_region().await.unwrap_or_else(|| DEFAULT_REGION.to_owned()),
            };
            builder = builder.with_region(region);
        }
        if self.needs_credentials {
            let credentials = Credentials::new(profile, home.as_deref().unwrap_or(DEFAULT_REGION)).await;
            builder = builder.with_credentials(Arc::new(credentials));
        }
        builder.build()
    }

    /// Requests the region of the bucket, which S3 returns without credentials.
    async fn request_region(&self) -> Option<String> {
        let endpoint = endpoint(&self.builder).unwrap_or_else(|| "https://s3.amazonaws.com".to_owned());
        let options = ClientOptions::new().with_allow_http(endpoint.starts_with("http://"));
        let client = CountingConnector(Arc::clone(&self.counter)).connect(&options).ok()?;
        let mut request = HttpRequest::new(HttpRequestBody::empty());
        *request.method_mut() = "HEAD".parse().ok()?;
        *request.uri_mut() = format!("{}/{}", endpoint.trim_end_matches('/'), self.name).parse().ok()?;
        let response = client.execute(request).await.ok()?;
        let region = response.headers().get("x-amz-bucket-region")?.to_str().ok()?;
        Some(region.to_owned()).filter(|region| !region.is_empty())
    }
}

impl LazyS3 {
    /// Returns a stream of the store, after its setup.
    fn stream<T: Send + 'static>(
        &self,
        start: impl FnOnce(&AmazonS3) -> BoxStream<'static, Result<T>> + Send + 'static,
    ) -> BoxStream<'static, Result<T>> {
        let bucket = Arc::clone(&self.0);
        let stream = async move { bucket.store().await.map(start) };
        futures::stream::once(stream).try_flatten().boxed()
    }
}

/// A listing, page by page. The store alone decides when it ends.
struct PagedListing {
    bucket: Arc<S3Bucket>,
    prefix: Option<String>,
    /// The token of the next page; none before the first one.
    next: Option<String>,
    is_last: bool,
    /// Hashes of the tokens so far.
    tokens: HashSet<u64>,
    objects: usize,
    /// Number of pages without objects since the last object.
    empty_pages: usize,
}

impl PagedListing {
    fn new(bucket: Arc<S3Bucket>, prefix: Option<String>) -> Self {
        Self { bucket, prefix, next: None, is_last: false, tokens: HashSet::new(), objects: 0, empty_pages: 0 }
    }

    async fn next_page(mut self) -> Result<Option<(Vec<ObjectMeta>, Self)>> {
        if self.is_last {
            return Ok(None);
        }
        let options = PaginatedListOptions { page_token: self.next.take(), ..PaginatedListOptions::default() };
        let page = self.bucket.store().await?.list_paginated(self.prefix.as_deref(), options).await?;
        let objects = page.result.objects;
        self.objects += objects.len();
        self.empty_pages = if objects.is_empty() { self.empty_pages + 1 } else { 0 };
        let is_repeated = page.page_token.as_ref().is_some_and(|token| !self.tokens.insert(hash(token)));
        let longest = objects.iter().map(|object| object.location.as_ref().len()).max().unwrap_or(0);
        let why = if is_repeated {
            "the listing repeats a page".to_owned()
        } else if longest > MAX_KEY {
            format!("the listing has a key of {longest} bytes, expected at most {MAX_KEY}")
        } else if self.objects > MAX_OBJECTS {
            format!("the listing has more than {MAX_OBJECTS} objects: give a longer prefix")
        } else if self.empty_pages > MAX_EMPTY_PAGES {
            format!("the listing has {MAX_EMPTY_PAGES} pages without objects")
        } else if self.tokens.len() > MAX_PAGES {
            format!("the listing has more than {MAX_PAGES} pages: give a longer prefix")
        } else {
            (self.is_last, self.next) = (page.page_token.is_none(), page.page_token);
            return Ok(Some((objects, self)));
        };
        Err(object_store::Error::Generic { store: "S3", source: why.into() })
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl std::fmt::Display for LazyS3 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "S3({})", self.0.name)
    }
}

#[async_trait]
impl ObjectStore for LazyS3 {
    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.0.store().await?.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.0.store().await?.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.0.store().await?.get_opts(location, options).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.stream(move |store| store.delete_stream(locations))
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let prefix = prefix.map(Path::as_ref).filter(|prefix| !prefix.is_empty());
        let listing = PagedListing::new(Arc::clone(&self.0), prefix.map(|prefix| format!("{prefix}/")));
        let pages = futures::stream::try_unfold(listing, PagedListing::next_page);
        pages.map_ok(|objects| futures::stream::iter(objects).map(Ok)).try_flatten().boxed()
    }

    fn list_with_offset(&self, prefix: Option<&Path>, offset: &Path) -> BoxStream<'static, Result<ObjectMeta>> {
        let (prefix, offset) = (prefix.cloned(), offset.clone());
        self.stream(move |store| store.list_with_offset(prefix.as_ref(), &offset))
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.0.store().await?.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, source: &Path, target: &Path, options: CopyOptions) -> Result<()> {
        self.0.store().await?.copy_opts(source, target, options).await
    }
}
