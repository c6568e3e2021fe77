//! Credentials for a bucket if the user gave none: from the places where AWS tools look for them.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use aws_config::Region;
use aws_config::default_provider::credentials::DefaultCredentialsChain;
use aws_config::imds;
use aws_config::meta::region::ProvideRegion;
use aws_config::profile::{ProfileFileCredentialsProvider, ProfileFileRegionProvider};
use aws_config::provider_config::ProviderConfig;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use object_store::CredentialProvider;
use object_store::aws::AwsCredential;
use tokio::sync::Mutex;

/// Credentials that expire within this time are requested again: a request may wait that long
/// before it is signed.
const REFRESH_AHEAD: Duration = Duration::from_mins(5);

/// Attempts to reach the instance metadata service before the machine counts as not being on AWS.
const METADATA_TRIES: u32 = 2;

/// Returns the region of a profile of `~/.aws`.
pub(super) async fn region_of_profile(profile: Option<&str>) -> Option<String> {
    let mut provider = ProfileFileRegionProvider::builder();
    if let Some(profile) = profile {
        provider = provider.profile_name(profile);
    }
    provider.build().region().await.map(|region| region.to_string())
}

/// Credentials from the AWS provider chain, cached until they are about to expire.
#[derive(Debug)]
pub(super) struct Credentials {
    provider: SharedCredentialsProvider,
    cached: Mutex<Option<CachedKeys>>,
}

/// Credentials and the time of their expiry.
struct CachedKeys {
    keys: Arc<AwsCredential>,
    until: Option<SystemTime>,
}

impl std::fmt::Debug for CachedKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CachedKeys").field("until", &self.until).finish_non_exhaustive()
    }
}

impl Credentials {
    /// Creates a provider for a profile of `~/.aws`. Without a profile, it takes the first of:
    /// environment, profile of `AWS_PROFILE`, web identity, container, instance metadata. `region`
    /// is the region of the role service.
    pub(super) async fn new(profile: Option<&str>, region: &str) -> Self {
        let client = Builder::new().tls_provider(Provider::rustls(CryptoMode::Ring)).build_https();
        let region = Region::new(region.to_owned());
        let config = ProviderConfig::default().with_http_client(client).with_region(Some(region.clone()));
        let provider = match profile {
            Some(profile) => {
                let provider = ProfileFileCredentialsProvider::builder().configure(&config).profile_name(profile);
                SharedCredentialsProvider::new(provider.build())
            }
            None => {
                let machine = imds::Client::builder().configure(&config).max_attempts(METADATA_TRIES).build();
                let chain = DefaultCredentialsChain::builder().imds_client(machine).region(region).configure(config);
                SharedCredentialsProvider::new(chain.build().await)
            }
        };
        Self { provider, cached: Mutex::default() }
    }
}

#[async_trait]
impl CredentialProvider for Credentials {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> object_store::Result<Arc<AwsCredential>> {
        // One task requests credentials; the others wait for the lock.
        let mut cached = self.cached.lock().await;
        let now = SystemTime::now();
        let expires = |cached: &CachedKeys, ahead| cached.until.is_some_and(|until| until <= now + ahead);
        if let Some(cached) = cached.as_ref().filter(|cached| !expires(cached, REFRESH_AHEAD)) {
            return Ok(Arc::clone(&cached.keys));
        }
        match self.provider.provide_credentials().await {
            Ok(credentials) => {
                let keys = Arc::new(AwsCredential {
                    key_id: credentials.access_key_id().to_owned(),
                    secret_key: credentials.secret_access_key().to_owned(),
                    token: credentials.session_token().map(str::to_owned),
                });
                *cached = Some(CachedKeys { keys: Arc::clone(&keys), until: credentials.expiry() });
                Ok(keys)
            }
            Err(error) => match cached.as_ref().filter(|cached| !expires(cached, Duration::ZERO)) {
                // They are still valid for some minutes, and the next request tries again.
                Some(cached) => Ok(Arc::clone(&cached.keys)),
                None => {
                    let source = format!("no credentials: {}", causes(&error)).into();
                    Err(object_store::Error::Unauthenticated { path: String::new(), source })
                }
            },
        }
    }
}

/// Joins an error and its causes, without repeated texts.
fn causes(error: &dyn std::error::Error) -> String {
    let mut texts: Vec<String> = Vec::new();
    for error in std::iter::successors(Some(error), |error| error.source()) {
        let text = error.to_string();
        if !texts.iter().any(|before| before.contains(&text)) {
            texts.push(text);
        }
    }
    texts.join(": ")
}
