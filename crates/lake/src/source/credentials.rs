//! Keys for a bucket that nobody gave: from the places where AWS users have them.

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

/// Keys that end sooner are asked for anew: a request may wait so long before it is signed.
const AHEAD: Duration = Duration::from_mins(5);

/// Requests to the machine's own address before it is taken not to be one of AWS.
const MACHINE_TRIES: u32 = 2;

/// The region that a profile of `~/.aws` names.
pub(super) async fn region_of_profile(profile: Option<&str>) -> Option<String> {
    let mut provider = ProfileFileRegionProvider::builder();
    if let Some(profile) = profile {
        provider = provider.profile_name(profile);
    }
    provider.build().region().await.map(|region| region.to_string())
}

/// Keys as AWS looks for them, held until they are about to end.
#[derive(Debug)]
pub(super) struct Credentials {
    provider: SharedCredentialsProvider,
    held: Mutex<Option<Held>>,
}

struct Held {
    keys: Arc<AwsCredential>,
    until: Option<SystemTime>,
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Held").field("until", &self.until).finish_non_exhaustive()
    }
}

impl Credentials {
    /// Those of a profile of `~/.aws`; without one the first of: environment, profile of `AWS_PROFILE`, web identity,
    /// container, machine. `region` is where a role is asked for.
    pub(super) async fn of(profile: Option<&str>, region: &str) -> Self {
        let client = Builder::new().tls_provider(Provider::rustls(CryptoMode::Ring)).build_https();
        let region = Region::new(region.to_owned());
        let config = ProviderConfig::default().with_http_client(client).with_region(Some(region.clone()));
        let provider = match profile {
            Some(profile) => {
                let provider = ProfileFileCredentialsProvider::builder().configure(&config).profile_name(profile);
                SharedCredentialsProvider::new(provider.build())
            }
            None => {
                let machine = imds::Client::builder().configure(&config).max_attempts(MACHINE_TRIES).build();
                let chain = DefaultCredentialsChain::builder().imds_client(machine).region(region).configure(config);
                SharedCredentialsProvider::new(chain.build().await)
            }
        };
        Self { provider, held: Mutex::default() }
    }
}

#[async_trait]
impl CredentialProvider for Credentials {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> object_store::Result<Arc<AwsCredential>> {
        // One asks, the others wait for it.
        let mut held = self.held.lock().await;
        let now = SystemTime::now();
        let ends = |held: &Held, ahead| held.until.is_some_and(|until| until <= now + ahead);
        if let Some(held) = held.as_ref().filter(|held| !ends(held, AHEAD)) {
            return Ok(Arc::clone(&held.keys));
        }
        match self.provider.provide_credentials().await {
            Ok(found) => {
                let keys = Arc::new(AwsCredential {
                    key_id: found.access_key_id().to_owned(),
                    secret_key: found.secret_access_key().to_owned(),
                    token: found.session_token().map(str::to_owned),
                });
                *held = Some(Held { keys: Arc::clone(&keys), until: found.expiry() });
                Ok(keys)
            }
            Err(error) => match held.as_ref().filter(|held| !ends(held, Duration::ZERO)) {
                // Good for some minutes yet, and the next request asks again.
                Some(held) => Ok(Arc::clone(&held.keys)),
                None => Err(object_store::Error::Unauthenticated {
                    path: String::new(),
                    source: Box::new(NoKeys(causes(&error))),
                }),
            },
        }
    }
}

/// Why there are no keys.
#[derive(Debug)]
struct NoKeys(String);

impl std::fmt::Display for NoKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no credentials: {}", self.0)
    }
}

impl std::error::Error for NoKeys {}

/// An error and what it came from, each said once.
fn causes(error: &dyn std::error::Error) -> String {
    let mut told: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        if !told.iter().any(|before| before.contains(&text)) {
            told.push(text);
        }
        next = error.source();
    }
    told.join(": ")
}
