//! Ingests profiles into a lake: lists a profile once, decodes new files in parallel, commits once.
//!
//! An ingest is idempotent: objects with the version mark in the manifest of the run are not
//! fetched. It is atomic: the commit of the next manifest makes the rows of all tables visible at
//! once. Memory is bounded: a worker has one chunk of input in memory, the rows of one row group
//! per table, and one data file per table.

mod change;
mod commit;
mod duplicates;
mod naming;
mod parallel_read;
mod plan;
mod profile_ingest;
mod recognize;
mod store;
mod work;
mod work_queue;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::error::Result;
use crate::lake::{Lake, Manifest};
use crate::source::{Options, Traffic};

#[doc(hidden)]
pub use change::{delete, rename, tag, upgrade};
pub use naming::run_name;
#[doc(hidden)]
pub use naming::{has_source, resolve_run_names};
#[doc(hidden)]
pub use profile_ingest::ProfileIngest;

/// What to ingest, and how.
#[derive(Clone, Default)]
pub struct Request {
    /// Address of the profile.
    pub url: String,
    /// Name of the run; by default derived from the address.
    pub run: Option<String>,
    /// Options of the store.
    pub options: Options,
    /// Tags of the run: rows of `run_attribute`.
    pub tags: BTreeMap<String, String>,
    /// Offset that is added to every time of the profile, in ns; at most 100 years. If nothing relates the clock of the
    /// profile to the Unix epoch, the Unix time of the start of this clock. None: that of the previous ingest, else 0.
    pub clock_offset: Option<i64>,
    /// Time in ns to add to the times of each rank, in addition to `clock_offset`. None: those of the previous ingest; empty:
    /// none.
    #[doc(hidden)]
    pub clock_shifts: Option<BTreeMap<i64, i64>>,
    /// Name of the annotation that marks steps in traces, alone or followed by a number, instead of
    /// `ProfilerStep#<n>`. Marks without a number are counted from 0. None: that of the previous
    /// ingest, else `ProfilerStep`; empty: `ProfilerStep`.
    pub step_annotation: Option<String>,
    /// Regular expression that finds the rank in the address of a file, as its first group:
    /// `node([0-9]+)`. The ranks of matching files are these, whatever the files say. None: that of the previous ingest;
    /// empty: none.
    pub rank_from: Option<String>,
    /// Names of columns of data loader timings, by their names in docs/formats.md, with a unit
    /// after a colon if it is not s: `load_s` is `data_ms:ms`. None: those of the previous ingest;
    /// empty: none.
    pub loader_columns: Option<BTreeMap<String, String>>,
    /// Whether to remove the rows of files that no longer exist at this address.
    pub prune: bool,
    /// Whether to only report what an ingest would do. The first bytes of some files may be read to
    /// recognize them.
    pub dry_run: bool,
    /// Timeout if other processes ingest the same address with `*`, and one of them reads each
    /// profile. The lease of a process that does not renew it for this time expires, and another
    /// one reads its profile.
    pub share: Option<Duration>,
    /// Whether the name was derived from the address. Then it does not add the profile to a run of
    /// another address.
    pub expanded: bool,
}

impl std::fmt::Debug for Request {
    /// Omits the values of options, which may be secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("url", &self.url)
            .field("run", &self.run)
            .field("options", &self.options.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// Progress of an ingest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of objects to read.
    pub objects: u64,
    /// Bytes to read, as stored.
    pub bytes: u64,
    /// Number of objects that were read.
    pub objects_done: u64,
    /// Bytes that were read.
    pub bytes_done: u64,
}

/// Receives the progress from several threads; returns false to cancel the ingest.
pub type ProgressCallback = Arc<dyn Fn(Progress) -> bool + Send + Sync>;

/// The result of an ingest.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct IngestReport {
    /// Name of the run.
    pub run: String,
    /// Address of the profile.
    pub url: String,
    /// Generation of the run after the ingest.
    pub generation: u64,
    /// Number of objects that were read.
    pub read: u64,
    /// Number of unchanged objects, which were not fetched.
    pub unchanged: u64,
    /// Number of objects without data, or that no format recognizes.
    pub ignored: u64,
    /// Number of unreadable objects; see column `error` of table `object`.
    pub failed: u64,
    /// Number of removed objects with deleted rows.
    pub pruned: u64,
    /// Bytes that were read, as stored.
    pub bytes: u64,
    /// Number of rows that were written, by table.
    pub rows: BTreeMap<String, i64>,
    /// Number of skipped entries; each is counted in table `problem`.
    pub skipped: i64,
    /// Network traffic of this session during the ingest. For a dry run, the estimated traffic of
    /// reading, without that of writing.
    pub traffic: Traffic,
    /// Whether this is the report of a dry run.
    pub dry_run: bool,
    /// Duration in seconds.
    pub seconds: f64,
    /// The error of this profile, if several were ingested.
    pub error: Option<String>,
}

impl std::fmt::Display for IngestReport {
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

/// Ingests a profile into a lake. Also returns the manifest of the run. Blocks; do not call it on a thread of a Tokio runtime.
///
/// # Errors
/// NotFound for an empty prefix, Unrecognized if no format recognizes any of its files, Malformed
/// if no file could be read, Argument for a lake instead of a profile, Conflict if the name belongs
/// to a run of another address or if other writers commit first at every attempt, and errors of the
/// stores.
#[doc(hidden)]
pub fn ingest(
    lake: &Lake,
    handle: &Handle,
    request: &Request,
    watch: &ProgressCallback,
) -> Result<(IngestReport, Option<Arc<Manifest>>)> {
    let mut reading = ProfileIngest::new(lake.clone(), handle.clone(), request.clone())?;
    let listed = reading.list()?;
    let report = reading.look(&listed, true, watch)?;
    Ok((report, reading.manifest().cloned()))
}
