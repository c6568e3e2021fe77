//! Whose the rows are: when times begin, machine, rank, processes, threads.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Map;
use super::store::Store;
use super::text::Texts;
use crate::table::{Event, Rows};

/// Values from here on are times since the epoch, whatever the export says: as in traces, it lies in 2001.
const ABSOLUTE: i64 = 1_000_000_000_000_000_000;

/// Environment variables that hold the rank of a process, the surest first.
const RANKS: [&str; 5] = ["RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"];

/// Processes of a file are told apart above this bit of ids that are unique in a process only.
const ABOVE: u32 = 32;

/// More threads than a machine runs.
const MAX_THREADS: usize = 1 << 20;

/// The process in `globalTid` and `globalPid`.
pub(super) fn pid(id: i64) -> i64 {
    id >> 24 & 0xff_ffff
}

/// The thread in `globalTid`.
pub(super) fn tid(id: i64) -> i64 {
    id & 0xff_ffff
}

/// What is known of all rows.
#[derive(Debug, Default)]
pub(super) struct Job {
    /// Start of the session, ns since the epoch.
    session: Option<i64>,
    /// Times count from the epoch already.
    normalized: bool,
    /// What was added to all times.
    shift: i64,
    pub(super) node: Option<String>,
    pub(super) rank: Option<i64>,
    recording: i64,
    ranks: [BTreeSet<i64>; RANKS.len()],
    has_local_rank: bool,
    /// Ranks as MPI knows them.
    mpi: BTreeSet<i64>,
    /// Ids of the names of threads.
    names: Map<i64, i64>,
    tracks: Map<i64, Arc<str>>,
    /// The machine in ids of threads.
    machine: i64,
    /// Processes that use a device or mark ranges, as they were met.
    processes: Vec<i64>,
}

impl Job {
    pub(super) fn new(recording: Option<i64>) -> Self {
        Self { recording: recording.unwrap_or(0), ..Self::default() }
    }

    /// Takes the start of the session.
    pub(super) fn begin(&mut self, utc: i64) {
        self.session = Some(utc);
    }

    /// Takes a row of `META_DATA_EXPORT`.
    pub(super) fn exported(&mut self, name: &str, value: &str) {
        match name {
            "EXPORT_PARAM_TIME_NORMALIZE" => self.normalized = value == "true",
            "EXPORT_PARAM_TIME_SHIFT" | "EXPORT_CONFIG_TIME_SHIFT" => {
                self.shift = self.shift.saturating_add(value.parse().unwrap_or(0));
            }
            _ => {}
        }
    }

    /// Takes a variable of an environment, `NAME="value"`: of a few the number, of all others nothing.
    pub(super) fn variable(&mut self, variable: &str) {
        let Some((name, value)) = variable.split_once('=') else { return };
        self.has_local_rank |= name == "LOCAL_RANK";
        if let Some(nth) = RANKS.iter().position(|rank| *rank == name)
            && let Ok(rank) = value.trim_matches('"').parse::<i64>()
        {
            self.ranks[nth].insert(rank);
        }
    }

    /// Takes a row of `MPI_RANKS`.
    pub(super) fn mpi_rank(&mut self, rank: i64) {
        self.mpi.insert(rank);
    }

    /// Takes the name of a thread.
    pub(super) fn thread(&mut self, id: i64, name: i64) {
        if self.names.len() < MAX_THREADS {
            self.names.entry(id).or_insert(name);
        }
    }

    /// Settles the rank: what MPI says, then the environment, then the file's path.
    pub(super) fn settle(&mut self, of_path: Option<i64>) {
        let only = |ranks: &BTreeSet<i64>| ranks.first().copied().filter(|rank| ranks.len() == 1 && *rank >= 0);
        if self.mpi.len() > 1 {
            return;
        }
        // the number of a node, where a launcher below starts the processes
        let slurm = usize::from(self.has_local_rank);
        let told = self.ranks[..RANKS.len() - slurm].iter().find(|ranks| !ranks.is_empty());
        self.rank = only(&self.mpi).or(told.and_then(only)).or(of_path);
    }

    /// Nanoseconds since the epoch.
    pub(super) fn at(&self, value: i64) -> Option<i64> {
        let base = if self.normalized || value >= ABSOLUTE { 0 } else { self.session? };
        value.checked_sub(self.shift)?.checked_add(base)
    }

    /// Whether times can be told.
    pub(super) fn has_clock(&self) -> bool {
        self.normalized || self.session.is_some()
    }

    /// The number of a process that uses a device or marks ranges, above what its own ids take.
    pub(super) fn process(&mut self, id: i64) -> i64 {
        let pid = pid(id);
        let nth = self.processes.iter().position(|process| *process == pid).unwrap_or_else(|| {
            self.processes.push(pid);
            self.processes.len() - 1
        });
        i64::try_from(nth).unwrap_or(0) << ABOVE
    }

    /// Processes that use a device or mark ranges.
    pub(super) fn processes(&self) -> usize {
        self.processes.len()
    }

    /// What all events of a process have in common; `process` as [`Job::process`] gives it.
    pub(super) fn event<'a>(&'a self, table: &'a str, process: i64, row: i64) -> Event<'a> {
        Event {
            node: self.node.as_deref(),
            rank: self.rank,
            span: Some(self.recording.saturating_add(process)),
            raw_category: Some(table),
            row,
            ..Event::default()
        }
    }

    /// The process of an event that tells nothing of devices: that with its number, else the first.
    pub(super) fn bystander(&self, id: i64) -> i64 {
        let nth = self.processes.iter().position(|process| *process == pid(id)).unwrap_or(0);
        i64::try_from(nth).unwrap_or(0) << ABOVE
    }

    /// The id of a thread of this machine.
    pub(super) fn thread_id(&self, pid: i64, tid: i64) -> i64 {
        self.machine | (pid & 0xff_ffff) << 24 | tid & 0xff_ffff
    }

    /// The track of a thread: its number, and its name where it has one.
    pub(super) fn track(&mut self, id: i64, texts: &mut Texts, store: &mut Store, rows: &mut Rows) -> Arc<str> {
        if let Some(track) = self.tracks.get(&id) {
            return Arc::clone(track);
        }
        self.machine = id & !0xffff_ffff_ffff;
        let track: Arc<str> = match self.names.get(&id) {
            Some(name) => format!("thread {} ({})", tid(id), texts.get(*name, store, rows)).into(),
            None => format!("thread {}", tid(id)).into(),
        };
        if self.tracks.len() < MAX_THREADS {
            self.tracks.insert(id, Arc::clone(&track));
        }
        track
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_hold_process_and_thread() {
        let id = 310_028_055_214_088;
        assert_eq!((pid(id), tid(id)), (1_701_896, 1_701_896));
        assert_eq!(pid(-144_115_188_075_855_872), 0);
    }

    #[test]
    fn ranks_of_environments() {
        let rank = |variables: &[&str], path| {
            let mut job = Job::new(None);
            variables.iter().for_each(|variable| job.variable(variable));
            job.settle(path);
            job.rank
        };
        assert_eq!(rank(&["RANK=\"3\"", "SLURM_PROCID=\"1\""], None), Some(3));
        assert_eq!(rank(&["SLURM_PROCID=\"1\""], Some(7)), Some(1));
        assert_eq!(rank(&["SLURM_PROCID=\"1\"", "LOCAL_RANK=\"0\""], Some(7)), Some(7));
        assert_eq!(rank(&["RANK=\"3\"", "RANK=\"4\""], None), None);
        assert_eq!(rank(&["RANK=\"-1\"", "RANKS=\"4\"", "RANK"], None), None);
    }

    #[test]
    fn times_of_all_exports() {
        let mut job = Job::new(None);
        assert_eq!(job.at(5), None);
        job.begin(ABSOLUTE);
        assert_eq!(job.at(-5), Some(ABSOLUTE - 5));
        job.exported("EXPORT_PARAM_TIME_SHIFT", "7");
        assert_eq!(job.at(10), Some(ABSOLUTE + 3));
        job.exported("EXPORT_PARAM_TIME_NORMALIZE", "true");
        assert_eq!(job.at(ABSOLUTE + 10), Some(ABSOLUTE + 3));
        assert_eq!(job.at(i64::MIN), None);
    }
}
