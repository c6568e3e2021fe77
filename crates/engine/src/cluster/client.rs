//! The HTTP client of a cluster. It sends plans and receives rows.

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

use super::job::{ClusterFailure, ClusterInfo, ClusterJob, PORT};
use crate::error::{Error, ErrorKind, Result};
use crate::source::Options;

/// Timeout to connect, and to read the description of a cluster. Results have no timeout.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection to the cluster that executes the plans of a session.
pub struct ClusterClient {
    /// The address as the user wrote it.
    address: String,
    jobs_url: Url,
    /// The number of tasks that a scan, a join or an aggregation is divided into.
    pub(super) partitions: usize,
    session: String,
    store: Options,
    /// Whether this process runs queries that the cluster cannot run.
    local_fallback: bool,
    client: Client,
}

impl fmt::Debug for ClusterClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address)
    }
}

impl ClusterClient {
    /// Connects to the cluster at an address. Each job contains the options `store`.
    ///
    /// # Errors
    /// Argument: the address is malformed, or the cluster has another version. Unreachable.
    /// Unrecognized: the server is not a cluster.
    pub async fn connect(address: &str, store: Options, local_fallback: bool) -> Result<Self> {
        let url = parse_address(address)?;
        let client = Client::builder().connect_timeout(CONNECT_TIMEOUT).build();
        let client = client.map_err(|error| Error::new(ErrorKind::Internal, "cannot use HTTP").with_source(error))?;
        let mut session = [0; 16];
        getrandom::getrandom(&mut session).map_err(|error| {
            Error::new(ErrorKind::Internal, "the system provides no random numbers").with_source(error)
        })?;
        let with_path = |path: &str| {
            let mut url = url.clone();
            url.set_path(path);
            url
        };
        let request = client.get(with_path(ClusterInfo::PATH)).timeout(CONNECT_TIMEOUT);
        let response = async { request.send().await?.bytes().await };
        let response = response.await.map_err(|error| unreachable_error(address, error))?;
        let info = ClusterInfo::read(&response).map_err(|error| error.with_context("cluster", address))?;
        Ok(Self {
            address: address.to_owned(),
            jobs_url: with_path(ClusterInfo::JOBS),
            // Executors may still connect.
            partitions: info.cores.max(2),
            session: session.map(|byte| format!("{byte:02x}")).concat(),
            store,
            local_fallback,
            client,
        })
    }

    /// Returns the rows of all partitions of a plan, one after the other. Dropping the stream
    /// cancels the job.
    ///
    /// # Errors
    /// The plan cannot be serialized.
    pub(super) fn execute(
        self: &Arc<Self>,
        plan: Arc<dyn ExecutionPlan>,
        task: Arc<TaskContext>,
    ) -> datafusion::common::Result<SendableRecordBatchStream> {
        let entries = task.session_config().options().entries().into_iter();
        let entries = entries.filter(|entry| entry.key.starts_with("datafusion."));
        let settings = entries.filter_map(|entry| Some((entry.key, entry.value?))).collect();
        let body = match ClusterJob::serialize(&self.session, settings, &self.store, Arc::clone(&plan)) {
            Ok(body) => body,
            Err(_) if self.local_fallback => return execute_stream(plan, task),
            Err(error) => return Err(external_error(with_local_fallback_hint(error))),
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
        let response = self.client.post(self.jobs_url.clone()).body(body).send().await;
        let response = response.map_err(|error| external_error(unreachable_error(&self.address, error)))?;
        if response.status() == StatusCode::OK {
            return Ok(decode_batches(response, self.address.clone(), plan.schema()));
        }
        let status = response.status();
        let body = response.bytes().await.unwrap_or_default();
        let failure: ClusterFailure = serde_json::from_slice(&body).map_err(|_| {
            let text = format!("the cluster at {} sent an unexpected response: HTTP {status}", self.address);
            external_error(Error::new(ErrorKind::Unreachable, text))
        })?;
        match (failure.undistributable, self.local_fallback) {
            (true, true) => execute_stream(plan, task),
            (true, false) => Err(external_error(with_local_fallback_hint(failure.into()))),
            (false, _) => Err(external_error(failure.into())),
        }
    }
}

/// Parses `df://host:port`, or the `http` or `https` address of a proxy.
fn parse_address(address: &str) -> Result<Url> {
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
        // Errors and `explain` show the address.
        let text = "cannot use the address of a cluster: it contains a user name or a password";
        return Err(Error::new(ErrorKind::Argument, text));
    }
    if url.host_str().is_none_or(str::is_empty) || url.path() != "/" || url.query().is_some() {
        return Err(refused());
    }
    if address.starts_with("df://") && url.port().is_none() {
        url.set_port(Some(PORT)).map_err(|()| refused())?;
    }
    Ok(url)
}

fn unreachable_error(address: &str, error: reqwest::Error) -> Error {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    Error::new(ErrorKind::Unreachable, format!("the cluster at {address} does not respond"))
        .with_context("cause", cause)
        .with_hint("check that `tracelake-cluster scheduler` runs there, and that this machine can connect to its port")
}

/// Adds a hint on running the query in this process.
fn with_local_fallback_hint(error: Error) -> Error {
    error.with_hint("with option `local_fallback`, this process runs queries that the cluster cannot run")
}

fn external_error(error: Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// Returns the batches of a response as they arrive.
fn decode_batches(response: Response, address: String, schema: SchemaRef) -> SendableRecordBatchStream {
    let incomplete = move |error: &dyn fmt::Display| {
        let text = format!("the response of the cluster at {address} is incomplete");
        external_error(
            Error::new(ErrorKind::Unreachable, text).with_context("cause", error).with_hint("run the query again"),
        )
    };
    let initial = (response, StreamDecoder::new(), Buffer::from(Vec::<u8>::new()), incomplete);
    let rows = futures::stream::try_unfold(initial, |(mut response, mut decoder, mut buffer, incomplete)| async move {
        loop {
            if let Some(batch) = decoder.decode(&mut buffer).map_err(|error| incomplete(&error))? {
                return Ok(Some((batch, (response, decoder, buffer, incomplete))));
            }
            match response.chunk().await.map_err(|error| incomplete(&error))? {
                Some(chunk) => buffer = Buffer::from(chunk.to_vec()),
                None => {
                    decoder.finish().map_err(|error| incomplete(&error))?;
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
        let url = |address: &str| parse_address(address).map(|url| url.to_string()).map_err(|error| error.kind());
        assert_eq!(url("df://head"), Ok("http://head:50050/".to_owned()));
        assert_eq!(url("df://10.0.0.7:4000"), Ok("http://10.0.0.7:4000/".to_owned()));
        assert_eq!(url("https://proxy.example/"), Ok("https://proxy.example/".to_owned()));
        for wrong in ["", "head", "head:50050", "df://", "s3://bucket", "df://head/folder", "df://head:port"] {
            assert_eq!(url(wrong), Err(ErrorKind::Argument), "{wrong}");
        }
        assert!(!parse_address("df://me:very-secret@head").unwrap_err().to_string().contains("secret"));
    }
}
