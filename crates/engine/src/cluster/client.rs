//! A cluster as a session sees it: an address that takes plans and gives rows, by HTTP.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use arrow::buffer::Buffer;
use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::StreamDecoder;
use datafusion::common::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use futures::TryStreamExt;
use reqwest::{Client, Response, StatusCode, Url};

use super::job::{About, Failure, Job, PORT};
use crate::error::{Error, ErrorKind, Result};
use crate::source::Options;

/// How long a cluster may take to accept a connection, and to say what it is. Answers take as long as they take.
const CONNECT: Duration = Duration::from_secs(10);

/// What executes the plans of a session.
pub struct Cluster {
    /// As the user wrote it.
    address: String,
    jobs: Url,
    partitions: usize,
    session: String,
    store: Options,
    /// Whether this process runs what the cluster cannot.
    local_fallback: bool,
    client: Client,
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address)
    }
}

impl Cluster {
    /// Asks what is at this address. `store` goes with every job.
    ///
    /// # Errors
    /// Argument: no address, or a cluster of another version. Unreachable. Unrecognized: something else answers there.
    pub async fn connect(address: &str, store: Options, local_fallback: bool) -> Result<Self> {
        let url = parse(address)?;
        let client = Client::builder().connect_timeout(CONNECT).build();
        let client = client.map_err(|error| Error::new(ErrorKind::Internal, "cannot use HTTP").with_source(error))?;
        let mut session = [0; 16];
        getrandom::getrandom(&mut session).map_err(|error| {
            Error::new(ErrorKind::Internal, "the system provides no random numbers").with_source(error)
        })?;
        let at = |path: &str| {
            let mut url = url.clone();
            url.set_path(path);
            url
        };
        let answer = async { client.get(at(About::PATH)).timeout(CONNECT).send().await?.bytes().await };
        let answer = answer.await.map_err(|error| unreachable(address, error))?;
        let about = About::read(&answer).map_err(|error| error.with_context("cluster", address))?;
        Ok(Self {
            address: address.to_owned(),
            jobs: at(About::JOBS),
            // Executors may still come.
            partitions: about.cores.max(2),
            session: session.map(|byte| format!("{byte:02x}")).concat(),
            store,
            local_fallback,
            client,
        })
    }

    /// Tasks that a scan, a join or an aggregation is cut into.
    pub(super) fn partitions(&self) -> usize {
        self.partitions
    }

    /// The rows of a plan, of all its partitions one after the other. Dropping the stream ends the work.
    ///
    /// # Errors
    /// A plan that cannot be sent.
    pub(super) fn execute(
        self: &Arc<Self>,
        plan: Arc<dyn ExecutionPlan>,
        task: Arc<TaskContext>,
    ) -> datafusion::common::Result<SendableRecordBatchStream> {
        let settings = task.session_config().options().entries().into_iter();
        let settings = settings.filter(|entry| entry.key.starts_with("datafusion."));
        let settings = settings.filter_map(|entry| Some((entry.key, entry.value?))).collect();
        let body = match Job::bytes(&self.session, settings, &self.store, Arc::clone(&plan)) {
            Ok(body) => body,
            Err(_) if self.local_fallback => return execute_stream(plan, task),
            Err(error) => return Err(external(or_here(error))),
        };
        let (cluster, schema) = (Arc::clone(self), plan.schema());
        let rows = futures::stream::once(async move { cluster.rows(body, plan, task).await }).try_flatten();
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }

    async fn rows(
        &self,
        body: Vec<u8>,
        plan: Arc<dyn ExecutionPlan>,
        task: Arc<TaskContext>,
    ) -> datafusion::common::Result<SendableRecordBatchStream> {
        let response = self.client.post(self.jobs.clone()).body(body).send().await;
        let response = response.map_err(|error| external(unreachable(&self.address, error)))?;
        if response.status() == StatusCode::OK {
            return Ok(decoded(response, self.address.clone(), plan.schema()));
        }
        let status = response.status();
        let said = response.bytes().await.unwrap_or_default();
        let failure: Failure = serde_json::from_slice(&said).map_err(|_| {
            let text = format!("the cluster at {} sent an unexpected response: HTTP {status}", self.address);
            external(Error::new(ErrorKind::Unreachable, text))
        })?;
        match (failure.undistributable, self.local_fallback) {
            (true, true) => execute_stream(plan, task),
            (true, false) => Err(external(or_here(failure.into()))),
            (false, _) => Err(external(failure.into())),
        }
    }
}

/// `df://host:port`, or a proxy in front of it by http or https.
fn parse(address: &str) -> Result<Url> {
    let refused = || {
        Error::new(ErrorKind::Argument, format!("cannot use the cluster `{address}`"))
            .with_hint(format!("expected an address such as df://host:{PORT}"))
    };
    let (scheme, rest) = address.split_once("://").ok_or_else(refused)?;
    let scheme = match scheme {
        "df" => "http",
        "http" | "https" => scheme,
        _ => return Err(refused()),
    };
    let mut url = Url::parse(&format!("{scheme}://{rest}")).map_err(|_| refused())?;
    if !url.username().is_empty() || url.password().is_some() {
        // It is shown: in errors, and in `explain`.
        return Err(Error::new(
            ErrorKind::Argument,
            "cannot use the address of a cluster: it contains a user name or a password",
        ));
    }
    if url.host_str().is_none_or(str::is_empty) || url.path() != "/" || url.query().is_some() {
        return Err(refused());
    }
    if address.starts_with("df://") && url.port().is_none() {
        url.set_port(Some(PORT)).map_err(|()| refused())?;
    }
    Ok(url)
}

fn unreachable(address: &str, error: reqwest::Error) -> Error {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    Error::new(ErrorKind::Unreachable, format!("the cluster at {address} does not respond"))
        .with_context("cause", cause)
        .with_hint("check that `tracelake-cluster scheduler` runs there, and that this machine can connect to its port")
}

/// What a session that was not told so does not do.
fn or_here(error: Error) -> Error {
    error.with_hint("with option `local_fallback`, this process runs queries that the cluster cannot run")
}

fn external(error: Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// The batches of a response as they come.
fn decoded(response: Response, address: String, schema: SchemaRef) -> SendableRecordBatchStream {
    let broken = move |error: &dyn fmt::Display| {
        let text = format!("the response of the cluster at {address} is incomplete");
        external(Error::new(ErrorKind::Unreachable, text).with_context("cause", error).with_hint("run the query again"))
    };
    let begun = (response, StreamDecoder::new(), Buffer::from(Vec::<u8>::new()), broken);
    let rows = futures::stream::try_unfold(begun, |(mut response, mut decoder, mut left, broken)| async move {
        loop {
            if let Some(batch) = decoder.decode(&mut left).map_err(|error| broken(&error))? {
                return Ok(Some((batch, (response, decoder, left, broken))));
            }
            match response.chunk().await.map_err(|error| broken(&error))? {
                Some(chunk) => left = Buffer::from(chunk.to_vec()),
                None => {
                    decoder.finish().map_err(|error| broken(&error))?;
                    return Ok(None);
                }
            }
        }
    });
    Box::pin(RecordBatchStreamAdapter::new(schema, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_leave_out_the_port() {
        let url = |address: &str| parse(address).map(|url| url.to_string()).map_err(|error| error.kind());
        assert_eq!(url("df://head"), Ok("http://head:50050/".to_owned()));
        assert_eq!(url("df://10.0.0.7:4000"), Ok("http://10.0.0.7:4000/".to_owned()));
        assert_eq!(url("https://proxy.example/"), Ok("https://proxy.example/".to_owned()));
        for wrong in ["", "head", "head:50050", "df://", "s3://bucket", "df://head/folder", "df://head:port"] {
            assert_eq!(url(wrong), Err(ErrorKind::Argument), "{wrong}");
        }
        assert!(!parse("df://me:very-secret@head").unwrap_err().to_string().contains("secret"));
    }
}
