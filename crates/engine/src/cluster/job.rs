//! What a session and a cluster say to each other: a job, what the cluster says about itself, and why there is no answer.
//!
//! A job is a line of JSON, and behind it the plan as DataFusion writes it (`datafusion-proto`), packed with zstd: parts are written
//! one by one with the same words again and again, so that plans become a sixth.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{AsExecutionPlan, DefaultPhysicalExtensionCodec};
use datafusion_proto::protobuf::PhysicalPlanNode;
use serde::{Deserialize, Serialize};

use super::sendable::sendable;
use crate::error::{Error, ErrorKind, Result};
use crate::source::Options;

/// What sessions, schedulers and executors must have in common: plans are the same only between processes of one version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The port of a cluster whose address names none.
pub const PORT: u16 = 50050;

/// Bytes of a plan, unpacked: more than 100,000 parts need; a damaged job must not fill memory.
const MOST: usize = 1 << 30;

/// What goes with a plan.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Job {
    version: String,
    /// The session that asks: executors keep footers and connections for it. Nobody else can guess it.
    pub session: String,
    /// Settings of the engine for which the plan was made, by name.
    pub settings: BTreeMap<String, String>,
    /// Options of the store, where the session was opened with any; else the executors' environment says how to reach it.
    pub store: Options,
}

impl fmt::Debug for Job {
    /// Without the values of options: they hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store: Vec<&String> = self.store.keys().collect();
        f.debug_struct("Job").field("version", &self.version).field("store", &store).finish_non_exhaustive()
    }
}

impl Job {
    /// What a cluster is sent for a plan.
    ///
    /// # Errors
    /// Query: the plan has a step that cannot be written.
    pub(super) fn bytes(
        session: &str,
        settings: BTreeMap<String, String>,
        store: &Options,
        plan: Arc<dyn ExecutionPlan>,
    ) -> Result<Vec<u8>> {
        let job = Self { version: VERSION.to_owned(), session: session.to_owned(), settings, store: store.clone() };
        let unsendable = |why: String| {
            Error::new(
                ErrorKind::Query,
                "cannot send this query to the cluster: a step of its plan cannot be serialized",
            )
            .with_context("cause", why)
        };
        let node = PhysicalPlanNode::try_from_physical_plan(
            sendable(plan).map_err(|error| unsendable(error.strip_backtrace()))?,
            &DefaultPhysicalExtensionCodec {},
        );
        let mut plain = Vec::new();
        let written = node.and_then(|node| node.try_encode(&mut plain));
        written.map_err(|error| unsendable(error.strip_backtrace()))?;
        let packed = zstd::bulk::compress(&plain, 3).map_err(|error| unsendable(error.to_string()))?;
        let mut bytes = serde_json::to_vec(&job).map_err(|error| unsendable(error.to_string()))?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&packed);
        Ok(bytes)
    }

    /// A job as it was sent, and the plan as `datafusion-proto` reads it.
    ///
    /// # Errors
    /// Argument: a session of another version, whose plan may mean something else. Malformed: no job.
    pub fn read(bytes: &[u8]) -> Result<(Self, Vec<u8>)> {
        let malformed = |why: &str| Error::new(ErrorKind::Malformed, "cannot read the job").with_context("cause", why);
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or_else(|| malformed("it has no first line"))?;
        let line: serde_json::Value =
            serde_json::from_slice(&bytes[..end]).map_err(|error| malformed(&error.to_string()))?;
        // The rest of a line of another version may have another form.
        check(line["version"].as_str().unwrap_or("without a version"), VERSION)?;
        let job = serde_json::from_value(line).map_err(|error| malformed(&error.to_string()))?;
        let plan = zstd::bulk::decompress(&bytes[end + 1..], MOST).map_err(|error| malformed(&error.to_string()))?;
        Ok((job, plan))
    }
}

/// Refuses a session and a cluster that do not belong together.
fn check(session: &str, cluster: &str) -> Result<()> {
    if session == cluster {
        return Ok(());
    }
    let text = format!("cannot use this cluster: it is tracelake {cluster}, and the session is tracelake {session}");
    Err(Error::new(ErrorKind::Argument, text).with_hint("install the same version on both sides"))
}

/// What a cluster says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    version: String,
    /// Cores of all executors that are there now.
    pub cores: usize,
}

impl About {
    /// Where it is asked for.
    pub const PATH: &'static str = "/tracelake/about";
    /// Where jobs are sent.
    pub const JOBS: &'static str = "/tracelake/jobs";

    /// A cluster of this version with so many cores.
    pub fn new(cores: usize) -> Self {
        Self { version: VERSION.to_owned(), cores }
    }

    /// What a cluster said, if it belongs to this version.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let about: Self = serde_json::from_slice(bytes)
            .map_err(|_| Error::new(ErrorKind::Unrecognized, "the server there is not a tracelake-cluster"))?;
        check(VERSION, &about.version)?;
        Ok(about)
    }
}

/// Why a cluster has no answer, as it goes back to the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    kind: String,
    message: String,
    /// Whether the plan cannot be run in parts, and might be run by the session.
    #[serde(default)]
    pub undistributable: bool,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self { kind: error.kind().name().to_owned(), message: error.to_string(), undistributable: false }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::new(ErrorKind::named(&failure.kind), failure.message)
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::physical_plan::empty::EmptyExec;

    use super::*;

    #[test]
    fn a_job_comes_back_as_it_was_sent() {
        let plan = Arc::new(EmptyExec::new(Arc::new(Schema::empty())));
        let settings = BTreeMap::from([("datafusion.execution.batch_size".to_owned(), "8192".to_owned())]);
        let store = Options::from([("region".to_owned(), "eu-west-1".to_owned())]);
        let bytes = Job::bytes("7", settings.clone(), &store, plan).unwrap();
        let (job, plan) = Job::read(&bytes).unwrap();
        assert_eq!((job.session.as_str(), job.settings, job.store), ("7", settings, store));
        assert!(PhysicalPlanNode::try_decode(&plan).is_ok());
    }

    #[test]
    fn another_version_is_refused_before_the_rest_is_read() {
        let error = Job::read(b"{\"version\":\"9.9.9\",\"new\":1}\nno plan").unwrap_err();
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
        let error = About::read(br#"{"version":"9.9.9","cores":2}"#).unwrap_err();
        assert!(error.to_string().contains(&format!("it is tracelake 9.9.9, and the session is tracelake {VERSION}")));
        assert_eq!(About::read(b"<html>").unwrap_err().kind(), ErrorKind::Unrecognized);
    }

    #[test]
    fn what_is_no_job_is_refused() {
        let line = format!("{{\"version\":\"{VERSION}\",\"session\":\"\",\"settings\":{{}},\"store\":{{}}}}\n");
        for bytes in ["", "\n", "{}", &format!("{line}no zstd")] {
            assert!(Job::read(bytes.as_bytes()).is_err(), "{bytes}");
        }
    }

    #[test]
    fn an_error_keeps_its_kind_and_its_words() {
        let error = Error::new(ErrorKind::Denied, "cannot read s3://b/k").with_hint("look at the keys");
        let sent = serde_json::to_vec(&Failure::from(&error)).unwrap();
        let back = Error::from(serde_json::from_slice::<Failure>(&sent).unwrap());
        assert_eq!((back.kind(), back.to_string()), (error.kind(), error.to_string()));
    }

    #[test]
    fn secrets_are_not_shown() {
        let store = Options::from([("secret_access_key".to_owned(), "very-secret".to_owned())]);
        let shown = format!("{:?}", Job { store, ..Job::default() });
        assert!(shown.contains("secret_access_key") && !shown.contains("very-secret"), "{shown}");
    }
}
