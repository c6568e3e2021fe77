//! From a source through formats into a lake: lists a profile once, decodes what is new in parallel, commits once.
//!
//! An ingest is idempotent: objects that the run's manifest knows with the same version mark are not
//! fetched. It is atomic: rows become visible with the commit of the next manifest, over all tables
//! at once. Memory is bounded: a worker holds one chunk of input, the rows of one row group per
//! table, and one part.

mod board;
mod change;
mod commit;
mod naming;
mod plan;
mod reading;
mod recognize;
mod team;
mod work;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::error::Result;
use crate::lake::Lake;
use crate::source::{Options, Traffic};

#[doc(hidden)]
pub use change::{delete, rename, tag, upgrade};
pub use naming::run_name;
#[doc(hidden)]
pub use naming::{is_from, runs_of};
#[doc(hidden)]
pub use reading::Reading;

/// What to ingest, and as what.
#[derive(Clone, Default)]
pub struct Request {
    /// Address of the profile.
    pub url: String,
    /// Name of the run; taken from the address when none is given.
    pub run: Option<String>,
    /// Options of the store.
    pub options: Options,
    /// What the user says about the run: rows of `run_attribute`.
    pub tags: BTreeMap<String, String>,
    /// Added to every time of the profile, ns; never guessed, at most 100 years. None: as at the last ingest, else 0.
    pub clock_offset: Option<i64>,
    /// Name of the annotation that marks steps in traces, alone or with a number behind it, instead of `ProfilerStep#<n>`:
    /// marks without a number are counted from 0. None: as at the last ingest, else `ProfilerStep`; empty: the latter.
    pub step_annotation: Option<String>,
    /// Columns of data loader timings that have names of their own, by the name that stands in docs/formats.md, with a unit
    /// behind a colon where it is not s: `load_s` is `data_ms:ms`. None: as at the last ingest; empty: none.
    pub loader_columns: Option<BTreeMap<String, String>>,
    /// Rows of files that are no longer at this address go, too; without it they stay.
    pub prune: bool,
    /// Nothing is read or written: the report says what would be. What a file is may have to be looked at.
    pub dry_run: bool,
    /// Other processes are given the same address with `*`, and each profile is read by one of them. One who has shown no sign of life for
    /// this long is taken for dead, and what it was reading is read by another one.
    pub share: Option<Duration>,
    /// The name comes from the address: then it does not attach the profile to a run of another address.
    pub expanded: bool,
}

impl std::fmt::Debug for Request {
    /// Without the values of options: they hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("url", &self.url)
            .field("run", &self.run)
            .field("options", &self.options.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// How far an ingest has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Objects to read in all.
    pub objects: u64,
    /// Bytes to read in all, as stored.
    pub bytes: u64,
    /// Objects read.
    pub objects_done: u64,
    /// Bytes of these.
    pub bytes_done: u64,
}

/// Is told of progress from several threads; false means stop.
pub type Watch = Arc<dyn Fn(Progress) -> bool + Send + Sync>;

/// What an ingest did.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Report {
    /// Name of the run.
    pub run: String,
    /// Address of the profile.
    pub url: String,
    /// Generation of the run afterwards.
    pub generation: u64,
    /// Objects read now.
    pub read: u64,
    /// Objects that had not changed and were not fetched.
    pub unchanged: u64,
    /// Objects that hold nothing to read, or that no format knows.
    pub ignored: u64,
    /// Objects in which nothing could be read; see column `error` of table `object`.
    pub failed: u64,
    /// Objects whose rows went, since they are no longer there.
    pub pruned: u64,
    /// Bytes read now, as stored.
    pub bytes: u64,
    /// Rows written now, by table.
    pub rows: BTreeMap<String, i64>,
    /// Entries left out; each is counted in table `problem`.
    pub skipped: i64,
    /// What stores were asked meanwhile over the network, by this session; of a dry run what reading would ask, and nothing
    /// of what writing would.
    pub traffic: Traffic,
    /// Whether nothing was done, so that all this is what would be.
    pub dry_run: bool,
    /// How long it took.
    pub seconds: f64,
    /// Why this profile of many could not be read; none as a rule.
    pub error: Option<String>,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(error) = &self.error {
            return write!(f, "{}: {error}", self.run);
        }
        let Self { run, read, unchanged, ignored, failed, bytes, seconds, .. } = self;
        let s = if *read == 1 { "" } else { "s" };
        let pruned = if self.pruned > 0 { format!(", {} pruned", self.pruned) } else { String::new() };
        if self.dry_run {
            write!(
                f,
                "{run}: would read {read} file{s} ({unchanged} unchanged, {ignored} ignored{pruned}), {bytes} bytes"
            )?;
        } else {
            let rows: i64 = self.rows.values().sum();
            write!(
                f,
                "{run}: {rows} rows from {read} file{s} ({unchanged} unchanged, {ignored} ignored, {failed} failed{pruned}), \
                 {bytes} bytes in {seconds:.2} s"
            )?;
        }
        if !self.traffic.is_none() {
            write!(f, "; {}", self.traffic)?;
        }
        if self.failed > 0 {
            write!(f, "; column `error` of table `object` has the reasons")?;
        }
        Ok(())
    }
}

/// Reads a profile into a lake. Blocks; must not be called on a thread of a Tokio runtime.
///
/// # Errors
/// NotFound for an empty prefix, Unrecognized when no format knows any of its files, Malformed when
/// nothing could be read, Argument for a lake in place of a profile, Conflict when the run's name belongs to another
/// address or other writers were faster several times, and whatever the stores say.
#[doc(hidden)]
pub fn ingest(lake: &Lake, handle: &Handle, request: &Request, watch: &Watch) -> Result<Report> {
    let mut reading = Reading::of(lake.clone(), handle.clone(), request.clone())?;
    let listed = reading.list()?;
    reading.look(&listed, true, watch)
}
