//! A bucket: in which region, with whose keys, and how often a request is tried again.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{HttpConnector, HttpRequest, HttpRequestBody};
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, RetryConfig,
};
use tokio::sync::OnceCell;
use url::Url;

use super::credentials::{Credentials, region_of_profile};
use super::options::{Options, unusable_address};
use super::traffic::{Counter, Counting};
use crate::error::{Error, ErrorKind};

/// The region of AWS, where none is told.
const REGION: &str = "us-east-1";

/// A request that fails for now is tried again so often within a minute, some 20 s later in all and at random.
const RETRIES: usize = 10;
const BACKOFF: BackoffConfig =
    BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(15), base: 3.0 };

/// The one option that `object_store` does not know: a profile of `~/.aws`.
const PROFILE: &str = "profile";

/// Whoever gives one of these means that source of keys.
const SOURCES: &[AmazonS3ConfigKey] = &[
    AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
    AmazonS3ConfigKey::ContainerCredentialsFullUri,
    AmazonS3ConfigKey::ImdsV1Fallback,
    AmazonS3ConfigKey::MetadataEndpoint,
    AmazonS3ConfigKey::WebIdentityTokenFile,
];

/// The bucket of an address: options first, then the environment. Nothing is asked yet.
pub(super) fn open(url: &Url, options: &Options, counter: Arc<Counter>) -> crate::error::Result<Arc<dyn ObjectStore>> {
    let bucket = url.host_str().ok_or_else(|| unusable_address(url.as_str(), "the bucket is missing"))?;
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    let (mut profile, mut source_given) = (None, false);
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
        source_given |= SOURCES.contains(&key);
        builder = builder.with_config(key, value);
    }
    let has = |key| builder.get_config_value(&key).is_some_and(|value| !value.is_empty());
    let says = |key| builder.get_config_value(&key).is_some_and(|value| value == "true" || value == "1");
    let keys = has(AmazonS3ConfigKey::AccessKeyId) || has(AmazonS3ConfigKey::SecretAccessKey);
    let asks = profile.is_some() || !(keys || source_given || says(AmazonS3ConfigKey::SkipSignature));
    let region = has(AmazonS3ConfigKey::Region);
    if endpoint(&builder).is_some_and(|endpoint| endpoint.starts_with("http://")) {
        builder = builder.with_allow_http(true);
    }
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: Duration::from_mins(1), backoff: BACKOFF };
    let builder = builder.with_retry(retry).with_http_connector(Counting(Arc::clone(&counter)));
    let store = OnceCell::new();
    if region && !asks {
        let built = builder.clone().build();
        let built = built.map_err(|error| unusable_address(url.as_str(), &super::first_cause(&error.to_string())))?;
        // it was empty
        let _ = store.set(built);
    }
    Ok(Arc::new(S3(Arc::new(Bucket { name: bucket.to_owned(), builder, profile, asks, counter, store }))))
}

fn endpoint(builder: &AmazonS3Builder) -> Option<String> {
    let given = |key| builder.get_config_value(&key).filter(|endpoint| !endpoint.is_empty());
    given(AmazonS3ConfigKey::S3Endpoint).or_else(|| given(AmazonS3ConfigKey::Endpoint))
}

/// A bucket whose region and keys may have to be asked for, which its first request does.
#[derive(Debug, Clone)]
struct S3(Arc<Bucket>);

struct Bucket {
    name: String,
    builder: AmazonS3Builder,
    /// The profile of `~/.aws` that was named.
    profile: Option<String>,
    /// Whether keys are looked for: none were given.
    asks: bool,
    counter: Arc<Counter>,
    store: OnceCell<AmazonS3>,
}

impl std::fmt::Debug for Bucket {
    /// Without the builder, which holds secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bucket").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Bucket {
    async fn store(&self) -> Result<&AmazonS3> {
        self.store.get_or_try_init(|| self.set_up()).await
    }

    async fn set_up(&self) -> Result<AmazonS3> {
        let profile = self.profile.as_deref();
        let given = self.builder.get_config_value(&AmazonS3ConfigKey::Region);
        let mut builder = self.builder.clone();
        let mut home = given.clone();
        if home.is_none() && self.asks {
            home = region_of_profile(profile).await;
        }
        if given.is_none() {
            let region = match &home {
                Some(region) => region.clone(),
                None => self.region().await.unwrap_or_else(|| REGION.to_owned()),
            };
            builder = builder.with_region(region);
        }
        if self.asks {
            let keys = Credentials::of(profile, home.as_deref().unwrap_or(REGION)).await;
            builder = builder.with_credentials(Arc::new(keys));
        }
        builder.build()
    }

    /// Where the bucket is, which S3 tells everybody who asks for it.
    async fn region(&self) -> Option<String> {
        let endpoint = endpoint(&self.builder).unwrap_or_else(|| "https://s3.amazonaws.com".to_owned());
        let options = ClientOptions::new().with_allow_http(endpoint.starts_with("http://"));
        let client = Counting(Arc::clone(&self.counter)).connect(&options).ok()?;
        let mut request = HttpRequest::new(HttpRequestBody::empty());
        *request.method_mut() = "HEAD".parse().ok()?;
        *request.uri_mut() = format!("{}/{}", endpoint.trim_end_matches('/'), self.name).parse().ok()?;
        let answer = client.execute(request).await.ok()?;
        let region = answer.headers().get("x-amz-bucket-region")?.to_str().ok()?;
        Some(region.to_owned()).filter(|region| !region.is_empty())
    }
}

impl S3 {
    /// What the store streams, once it is set up.
    fn stream<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&AmazonS3) -> BoxStream<'static, Result<T>> + Send + 'static,
    ) -> BoxStream<'static, Result<T>> {
        let bucket = Arc::clone(&self.0);
        let asked = async move { bucket.store().await.map(ask) };
        futures::stream::once(asked).try_flatten().boxed()
    }
}

impl std::fmt::Display for S3 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "S3({})", self.0.name)
    }
}

#[async_trait]
impl ObjectStore for S3 {
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
        let prefix = prefix.cloned();
        self.stream(move |store| store.list(prefix.as_ref()))
    }

    fn list_with_offset(&self, prefix: Option<&Path>, offset: &Path) -> BoxStream<'static, Result<ObjectMeta>> {
        let (prefix, offset) = (prefix.cloned(), offset.clone());
        self.stream(move |store| store.list_with_offset(prefix.as_ref(), &offset))
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.0.store().await?.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.0.store().await?.copy_opts(from, to, options).await
    }
}
