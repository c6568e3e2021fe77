//! The messages between a session and a cluster: a job, the description of the cluster, and a
//! failure.
//!
//! A job is a line of JSON, then the plan in the format of `datafusion-proto`, compressed with
//! zstd. A plan lists each data file with the same names, so that compression reduces it to a
//! sixth.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{AsExecutionPlan, DefaultPhysicalExtensionCodec};
use datafusion_proto::protobuf::PhysicalPlanNode;
use serde::{Deserialize, Serialize};

use super::ballista::adapt_for_ballista;
use crate::error::{Error, ErrorKind, Result};
use crate::source::Options;

/// The version that sessions, schedulers and executors must share: a plan has the same meaning only
/// within one version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The default port of a cluster.
pub const PORT: u16 = 50050;

/// Maximum size of a decompressed plan in bytes, so that a malformed job does not fill memory.
/// 100,000 data files need less.
const MAX_PLAN_BYTES: usize = 1 << 30;

/// The first line of a job: all that an executor needs in addition to the plan.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct ClusterJob {
    version: String,
    /// Random id of the session. Executors cache footers and connections by it.
    pub session: String,
    /// Settings of DataFusion that the plan was made for, by name.
    pub settings: BTreeMap<String, String>,
    /// Options of the store. Empty if the session was opened without any: then executors take them
    /// from their environment.
    pub store: Options,
}

impl fmt::Debug for ClusterJob {
    /// Omits the values of options, because they contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store: Vec<&String> = self.store.keys().collect();
        f.debug_struct("ClusterJob").field("version", &self.version).field("store", &store).finish_non_exhaustive()
    }
}

impl ClusterJob {
    /// Serializes a job for a plan.
    ///
    /// # Errors
    /// Query: a step of the plan cannot be serialized.
    pub(super) fn serialize(
        session: &str,
        settings: BTreeMap<String, String>,
        store: &Options,
        plan: Arc<dyn ExecutionPlan>,
    ) -> Result<Vec<u8>> {
        let job = Self { version: VERSION.to_owned(), session: session.to_owned(), settings, store: store.clone() };
        let unsendable = |cause: String| {
            let text = "cannot send this query to the cluster: a step of its plan cannot be serialized";
            Error::new(ErrorKind::Query, text).with_context("cause", cause)
        };
        let mut plain = Vec::new();
        adapt_for_ballista(plan)
            .and_then(|plan| PhysicalPlanNode::try_from_physical_plan(plan, &DefaultPhysicalExtensionCodec {}))
            .and_then(|node| node.try_encode(&mut plain))
            .map_err(|error| unsendable(error.strip_backtrace()))?;
        let compressed = zstd::bulk::compress(&plain, 3).map_err(|error| unsendable(error.to_string()))?;
        let mut bytes = serde_json::to_vec(&job).map_err(|error| unsendable(error.to_string()))?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&compressed);
        Ok(bytes)
    }

    /// Parses a job. Also returns its plan, decompressed, in the format of `datafusion-proto`.
    ///
    /// # Errors
    /// Argument: the session has another version. Malformed.
    pub fn read(bytes: &[u8]) -> Result<(Self, Vec<u8>)> {
        let malformed = |cause: &dyn fmt::Display| {
            Error::new(ErrorKind::Malformed, "cannot read the job").with_context("cause", cause)
        };
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or_else(|| malformed(&"it has no first line"))?;
        let line: serde_json::Value = serde_json::from_slice(&bytes[..end]).map_err(|error| malformed(&error))?;
        // In another version, the other fields may have another format.
        check_version(line["version"].as_str().unwrap_or("without a version"), VERSION)?;
        let job = serde_json::from_value(line).map_err(|error| malformed(&error))?;
        let plan = zstd::bulk::decompress(&bytes[end + 1..], MAX_PLAN_BYTES).map_err(|error| malformed(&error))?;
        Ok((job, plan))
    }
}

/// Returns an error if a session and a cluster have different versions.
fn check_version(session: &str, cluster: &str) -> Result<()> {
    if session == cluster {
        return Ok(());
    }
    let text = format!("cannot use this cluster: it is tracelake {cluster}, and the session is tracelake {session}");
    Err(Error::new(ErrorKind::Argument, text).with_hint("install the same version on both sides"))
}

/// The description of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterInfo {
    version: String,
    /// Number of cores of all connected executors.
    pub cores: usize,
}

impl ClusterInfo {
    /// The HTTP path of this description.
    pub const PATH: &'static str = "/tracelake/about";
    /// The HTTP path for jobs.
    pub const JOBS: &'static str = "/tracelake/jobs";

    /// The description of a cluster of this version.
    pub fn new(cores: usize) -> Self {
        Self { version: VERSION.to_owned(), cores }
    }

    /// Parses the response of a cluster.
    ///
    /// # Errors
    /// Argument: the cluster has another version. Unrecognized: the server is not a cluster.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let info: Self = serde_json::from_slice(bytes)
            .map_err(|_| Error::new(ErrorKind::Unrecognized, "the server there is not a tracelake-cluster"))?;
        check_version(VERSION, &info.version)?;
        Ok(info)
    }
}

/// The error of a job, as the cluster sends it to the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterFailure {
    kind: String,
    message: String,
    /// Whether the plan cannot be divided into stages. Then the session may run it itself.
    #[serde(default)]
    pub undistributable: bool,
}

impl From<&Error> for ClusterFailure {
    fn from(error: &Error) -> Self {
        Self { kind: error.kind().name().to_owned(), message: error.to_string(), undistributable: false }
    }
}

impl From<ClusterFailure> for Error {
    fn from(failure: ClusterFailure) -> Self {
        Self::new(ErrorKind::from_name(&failure.kind), failure.message)
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::physical_plan::empty::EmptyExec;

    use super::*;

    #[test]
    fn a_job_survives_serialization() {
        let plan = Arc::new(EmptyExec::new(Arc::new(Schema::empty())));
        let settings = BTreeMap::from([("datafusion.execution.batch_size".to_owned(), "8192".to_owned())]);
        let store = Options::from([("region".to_owned(), "eu-west-1".to_owned())]);
        let bytes = ClusterJob::serialize("7", settings.clone(), &store, plan).unwrap();
        let (job, plan) = ClusterJob::read(&bytes).unwrap();
        assert_eq!((job.session.as_str(), job.settings, job.store), ("7", settings, store));
        assert!(PhysicalPlanNode::try_decode(&plan).is_ok());
    }

    #[test]
    fn another_version_is_refused_before_the_other_fields_are_read() {
        let error = ClusterJob::read(b"{\"version\":\"9.9.9\",\"new\":1}\nno plan").unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (
                ErrorKind::Argument,
                format!(
                    "cannot use this cluster: it is tracelake {VERSION}, and the session is tracelake 9.9.9\n  \
                     hint:   install the same version on both sides"
                )
            )
        );
        let error = ClusterInfo::read(br#"{"version":"9.9.9","cores":2}"#).unwrap_err();
        assert!(error.to_string().contains(&format!("it is tracelake 9.9.9, and the session is tracelake {VERSION}")));
        assert_eq!(ClusterInfo::read(b"<html>").unwrap_err().kind(), ErrorKind::Unrecognized);
    }

    #[test]
    fn a_malformed_job_is_refused() {
        let line = format!("{{\"version\":\"{VERSION}\",\"session\":\"\",\"settings\":{{}},\"store\":{{}}}}\n");
        for bytes in ["", "\n", "{}", &format!("{line}no zstd")] {
            assert!(ClusterJob::read(bytes.as_bytes()).is_err(), "{bytes}");
        }
    }

    #[test]
    fn an_error_keeps_its_kind_and_its_text() {
        let error = Error::new(ErrorKind::Denied, "cannot read s3://b/k").with_hint("look at the keys");
        let bytes = serde_json::to_vec(&ClusterFailure::from(&error)).unwrap();
        let parsed = Error::from(serde_json::from_slice::<ClusterFailure>(&bytes).unwrap());
        assert_eq!((parsed.kind(), parsed.to_string()), (error.kind(), error.to_string()));
    }

    #[test]
    fn secrets_are_not_shown() {
        let store = Options::from([("secret_access_key".to_owned(), "very-secret".to_owned())]);
        let shown = format!("{:?}", ClusterJob { store, ..ClusterJob::default() });
        assert!(shown.contains("secret_access_key") && !shown.contains("very-secret"), "{shown}");
    }
}
