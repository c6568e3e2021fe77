//! What all rows of an export share: the start of times, the machine, the rank, the processes and the threads.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::IdMap;
use super::store::Store;
use super::text::TextCache;
use crate::ObjectInfo;
use crate::process::span;
use crate::table::MIN_EPOCH_TIME;
use crate::table::{Event, Rows};
use crate::time_base::start_of_clock;

/// Environment variables that contain the rank of a process, the most reliable first.
const RANK_VARIABLES: [&str; 5] = ["RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"];

/// The maximum number of threads. Names of further ones are not stored.
const MAX_THREADS: usize = 1 << 20;

/// The process id in a `globalTid` or `globalPid`.
pub(super) fn pid(id: i64) -> i64 {
    id >> 24 & 0xff_ffff
}

/// The thread id in a `globalTid`.
pub(super) fn tid(id: i64) -> i64 {
    id & 0xff_ffff
}

/// What all rows of an export share.
#[derive(Debug, Default)]
pub(super) struct JobInfo {
    /// Start of the session, in ns since the epoch.
    pub(super) session_start: Option<i64>,
    /// Whether times count from the epoch already.
    is_normalized: bool,
    /// The number of ns that the export added to all times.
    shift: i64,
    pub(super) node: Option<String>,
    pub(super) rank: Option<i64>,
    recording: i64,
    /// Id of the file.
    object: i64,
    /// The values of each variable of [`RANK_VARIABLES`].
    variable_ranks: [BTreeSet<i64>; RANK_VARIABLES.len()],
    has_local_rank: bool,
    pub(super) mpi_ranks: BTreeSet<i64>,
    /// Text ids of thread names, by `globalTid`.
    thread_names: IdMap<i64, i64>,
    tracks: IdMap<i64, Arc<str>>,
    /// The bits of a `globalTid` that identify the machine.
    machine: i64,
    /// Processes that use a device or mark ranges, in the order of their first row.
    pub(super) processes: Vec<i64>,
}

impl JobInfo {
    pub(super) fn new(info: &ObjectInfo) -> Self {
        let session_start = start_of_clock(info.clock_offset);
        Self { session_start, recording: info.recording.unwrap_or(0), object: info.id, ..Self::default() }
    }

    /// Reads a row of `META_DATA_EXPORT`.
    pub(super) fn read_export_param(&mut self, name: &str, value: &str) {
        match name {
            "EXPORT_PARAM_TIME_NORMALIZE" => self.is_normalized = value == "true",
            "EXPORT_PARAM_TIME_SHIFT" | "EXPORT_CONFIG_TIME_SHIFT" => {
                self.shift = self.shift.saturating_add(value.parse().unwrap_or(0));
            }
            _ => {}
        }
    }

    /// Reads a variable of an environment, `NAME="value"`. Only numbers of a few variables are stored.
    pub(super) fn read_variable(&mut self, variable: &str) {
        let Some((name, value)) = variable.split_once('=') else { return };
        self.has_local_rank |= name == "LOCAL_RANK";
        if let Some(index) = RANK_VARIABLES.iter().position(|rank| *rank == name)
            && let Ok(rank) = value.trim_matches('"').parse::<i64>()
        {
            self.variable_ranks[index].insert(rank);
        }
    }

    /// Adds the text id of a thread's name.
    pub(super) fn add_thread_name(&mut self, thread: i64, name: i64) {
        if self.thread_names.len() < MAX_THREADS {
            self.thread_names.entry(thread).or_insert(name);
        }
    }

    /// Determines the rank: that of MPI, else that of the environment, else that of the file's path.
    pub(super) fn resolve_rank(&mut self, path_rank: Option<i64>) {
        let single = |ranks: &BTreeSet<i64>| ranks.first().copied().filter(|rank| ranks.len() == 1 && *rank >= 0);
        if self.mpi_ranks.len() > 1 {
            return;
        }
        // with LOCAL_RANK a launcher runs below Slurm, so SLURM_PROCID, the last variable, is the number of a node
        let variables = RANK_VARIABLES.len() - usize::from(self.has_local_rank);
        let ranks = self.variable_ranks[..variables].iter().find(|ranks| !ranks.is_empty());
        self.rank = single(&self.mpi_ranks).or(ranks.and_then(single)).or(path_rank);
    }

    /// Converts a time of the export to `ts`, which counts from the start of the session if the time of this start is
    /// unknown. `None` if it overflows.
    pub(super) fn to_ts(&self, time: i64) -> Option<i64> {
        let base = if self.is_normalized || time >= MIN_EPOCH_TIME { 0 } else { self.session_start.unwrap_or(0) };
        time.checked_sub(self.shift)?.checked_add(base)
    }

    /// Whether it is known what times count from.
    pub(super) fn has_clock(&self) -> bool {
        self.is_normalized || self.session_start.is_some()
    }

    /// The ordinal of a process that uses a device or marks ranges. Adds new processes.
    pub(super) fn add_process(&mut self, id: i64) -> usize {
        self.processes.iter().position(|process| *process == pid(id)).unwrap_or_else(|| {
            self.processes.push(pid(id));
            self.processes.len() - 1
        })
    }

    /// The ordinal of a process; that of the first process if it neither uses a device nor marks ranges.
    pub(super) fn find_process(&self, id: i64) -> usize {
        self.processes.iter().position(|process| *process == pid(id)).unwrap_or(0)
    }

    /// An event with the columns that all events of a process share; `process` is from [`JobInfo::add_process`].
    pub(super) fn base_event<'a>(&'a self, table: &'a str, process: usize, row: i64) -> Event<'a> {
        Event {
            node: self.node.as_deref(),
            rank: self.rank,
            span: Some(span(self.recording, self.object, process)),
            raw_category: Some(table),
            row,
            ..Event::default()
        }
    }

    /// The `globalTid` of a thread of this machine.
    pub(super) fn global_tid(&self, pid: i64, tid: i64) -> i64 {
        self.machine | (pid & 0xff_ffff) << 24 | tid & 0xff_ffff
    }

    /// The track of a thread: its number, and its name if it has one.
    pub(super) fn track(&mut self, thread: i64, texts: &mut TextCache, store: &mut Store, rows: &mut Rows) -> Arc<str> {
        if let Some(track) = self.tracks.get(&thread) {
            return Arc::clone(track);
        }
        self.machine = thread & !0xffff_ffff_ffff;
        let track: Arc<str> = match self.thread_names.get(&thread) {
            Some(name) => format!("thread {} ({})", tid(thread), texts.get(*name, store, rows)).into(),
            None => format!("thread {}", tid(thread)).into(),
        };
        if self.tracks.len() < MAX_THREADS {
            self.tracks.insert(thread, Arc::clone(&track));
        }
        track
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_contain_process_and_thread() {
        let id = 310_028_055_214_088;
        assert_eq!((pid(id), tid(id)), (1_701_896, 1_701_896));
        assert_eq!(pid(-144_115_188_075_855_872), 0);
    }

    #[test]
    fn ranks_are_read_from_environments() {
        let rank = |variables: &[&str], path_rank| {
            let mut job = JobInfo::new(&ObjectInfo::default());
            variables.iter().for_each(|variable| job.read_variable(variable));
            job.resolve_rank(path_rank);
            job.rank
        };
        assert_eq!(rank(&["RANK=\"3\"", "SLURM_PROCID=\"1\""], None), Some(3));
        assert_eq!(rank(&["SLURM_PROCID=\"1\""], Some(7)), Some(1));
        assert_eq!(rank(&["SLURM_PROCID=\"1\"", "LOCAL_RANK=\"0\""], Some(7)), Some(7));
        assert_eq!(rank(&["RANK=\"3\"", "RANK=\"4\""], None), None);
        assert_eq!(rank(&["RANK=\"-1\"", "RANKS=\"4\"", "RANK"], None), None);
    }

    #[test]
    fn times_are_converted() {
        let mut job = JobInfo::new(&ObjectInfo::default());
        assert_eq!(job.to_ts(5), Some(5));
        job.session_start = Some(MIN_EPOCH_TIME);
        assert_eq!(job.to_ts(-5), Some(MIN_EPOCH_TIME - 5));
        job.read_export_param("EXPORT_PARAM_TIME_SHIFT", "7");
        assert_eq!(job.to_ts(10), Some(MIN_EPOCH_TIME + 3));
        job.read_export_param("EXPORT_PARAM_TIME_NORMALIZE", "true");
        assert_eq!(job.to_ts(MIN_EPOCH_TIME + 10), Some(MIN_EPOCH_TIME + 3));
        assert_eq!(job.to_ts(i64::MIN), None);
    }
}
