//! Assigns process and thread numbers and names to the tracks of a run.
//!
//! A recorded number is used again if no other process has it (each rank has a device 0) and if viewers accept it (0 to
//! 31 bits). All others, and lanes, get new numbers of at least a million.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::lane::Lanes;
use super::name::{ProcessKey, ProcessKind, ProcessNaming, TraceObject, TrackKey, process_of};
use super::reader::NodeRank;

/// First numbers of processes and threads without a recorded number.
const FIRST_PID: i64 = 1_000_000;
const FIRST_TID: i64 = 2_000_000;

/// Sort indexes per track, so that its lanes are directly below it.
const MAX_LANES: usize = 100;

/// A process of the file.
#[derive(Debug)]
pub(super) struct ExportProcess {
    pub(super) pid: i64,
    pub(super) name: Option<String>,
}

/// A track of the file.
#[derive(Debug)]
pub(super) struct ExportTrack {
    /// Index of its process.
    process: usize,
    /// True if its events are on a device.
    pub(super) on_device: bool,
    pub(super) name: Option<String>,
    /// Position in its process.
    position: usize,
    pub(super) lanes: Lanes,
    /// Thread number of each lane.
    pub(super) tids: Vec<i64>,
}

impl ExportTrack {
    /// Returns the name of a lane.
    pub(super) fn lane_name(&self, lane: usize) -> Option<String> {
        match (lane, &self.name) {
            (0, name) => name.clone(),
            (lane, Some(name)) => Some(format!("{name} ({})", lane + 1)),
            (lane, None) => Some(format!("({})", lane + 1)),
        }
    }

    /// Returns the sort index of a lane in its process.
    pub(super) fn lane_sort_index(&self, lane: usize) -> usize {
        self.position * MAX_LANES + lane.min(MAX_LANES - 1)
    }
}

/// Object, process and thread as they were recorded.
type RecordedThread = (i64, Option<i64>, Option<i64>);

/// Machine, rank and name of a track.
type TrackName = (Option<String>, Option<i64>, Option<String>);

/// All processes and tracks of the file.
#[derive(Debug, Default)]
pub(super) struct ExportTracks {
    pub(super) processes: Vec<ExportProcess>,
    pub(super) tracks: Vec<ExportTrack>,
    /// Indexes of tracks.
    by_thread: HashMap<RecordedThread, Vec<(TrackName, usize)>>,
    /// Index of the process of the measurements of a machine and rank.
    resources: BTreeMap<NodeRank, usize>,
    tids: NumberAllocator,
}

/// Returns numbers that are not in use.
#[derive(Debug, Default)]
struct NumberAllocator {
    used: HashSet<i64>,
    next: i64,
}

impl NumberAllocator {
    fn allocate(&mut self) -> i64 {
        while !self.used.insert(self.next) {
            self.next += 1;
        }
        self.next
    }
}

/// Returns a number if viewers accept it.
fn valid_number(number: Option<i64>) -> Option<i64> {
    number.filter(|number| (0..1 << 31).contains(number))
}

impl ExportTracks {
    /// Returns the tracks of these keys, and processes for the measurements of these machines and ranks.
    pub(super) fn new(
        keys: &[TrackKey],
        objects: &BTreeMap<i64, TraceObject>,
        sample_owners: &BTreeSet<NodeRank>,
    ) -> Self {
        let unknown = TraceObject::default();
        let object = |key: &TrackKey| objects.get(&key.object).unwrap_or(&unknown);
        let mut processes: BTreeMap<ProcessKey, BTreeMap<ThreadKey, Vec<&TrackKey>>> = BTreeMap::new();
        for key in keys {
            let (process, name) = process_of(key, object(key));
            processes.entry(process).or_default().entry(ThreadKey { tid: key.tid, name }).or_default().push(key);
        }
        for (node, rank) in sample_owners {
            let kind = ProcessKind::Resources;
            processes.entry(ProcessKey { node: node.clone(), rank: *rank, recording: 0, kind }).or_default();
        }
        let numbers = keys.iter().flat_map(|key| [key.pid, key.tid]);
        let used: HashSet<i64> = numbers.filter_map(valid_number).collect();
        let mut pids = NumberAllocator { used: used.clone(), next: FIRST_PID };
        let mut tracks = Self { tids: NumberAllocator { used, next: FIRST_TID }, ..Self::default() };
        let naming = ProcessNaming::new(processes.keys());
        let mut used = HashSet::new();
        for (key, threads) in &processes {
            let recorded = match &key.kind {
                ProcessKind::Numbered(pid, _) => valid_number(Some(*pid)),
                ProcessKind::Device(pid, _) => valid_number(*pid),
                ProcessKind::Named(_) | ProcessKind::Resources | ProcessKind::Other => None,
            };
            let pid = recorded.filter(|pid| used.insert(*pid)).unwrap_or_else(|| pids.allocate());
            let index = tracks.processes.len();
            let first = threads.values().flatten().next().map_or(&unknown, |key| object(key));
            tracks.processes.push(ExportProcess { pid, name: naming.name(key, first) });
            if key.kind == ProcessKind::Resources {
                tracks.resources.insert((key.node.clone(), key.rank), index);
            }
            tracks.add_threads(index, matches!(key.kind, ProcessKind::Device(..)), recorded, threads);
        }
        tracks
    }

    /// Adds the threads of a process as tracks. `pid` is its recorded number.
    fn add_threads(
        &mut self,
        process: usize,
        on_device: bool,
        pid: Option<i64>,
        threads: &BTreeMap<ThreadKey, Vec<&TrackKey>>,
    ) {
        let mut used = HashSet::new();
        let mut sorted: Vec<_> = threads.iter().collect();
        sorted.sort_by(|(a, _), (b, _)| a.cmp_in(b, pid));
        for (position, (thread, keys)) in sorted.into_iter().enumerate() {
            let tid = valid_number(thread.tid).filter(|tid| used.insert(*tid));
            let tid = tid.unwrap_or_else(|| self.tids.allocate());
            let index = self.tracks.len();
            let (name, lanes, tids) = (thread.name.clone(), Lanes::default(), vec![tid]);
            self.tracks.push(ExportTrack { process, on_device, name, position, lanes, tids });
            for key in keys {
                let name = (key.node.clone(), key.rank, key.track.clone());
                self.by_thread.entry((key.object, key.pid, key.tid)).or_default().push((name, index));
            }
        }
    }

    /// Returns the index of the track of an event.
    pub(super) fn find(
        &self,
        node: Option<&str>,
        rank: Option<i64>,
        object: i64,
        (pid, tid, track): (Option<i64>, Option<i64>, Option<&str>),
    ) -> Option<usize> {
        let candidates = self.by_thread.get(&(object, pid, tid))?;
        let is_same = |(n, r, t): &TrackName| n.as_deref() == node && *r == rank && t.as_deref() == track;
        candidates.iter().find(|(name, _)| is_same(name)).map(|(_, index)| *index)
    }

    /// Returns the process of measurements.
    pub(super) fn resources(&self, node: Option<&str>, rank: Option<i64>) -> Option<&ExportProcess> {
        let process = self.resources.get(&(node.map(str::to_owned), rank))?;
        self.processes.get(*process)
    }

    /// Returns the process number of a track.
    pub(super) fn pid(&self, track: &ExportTrack) -> i64 {
        self.processes.get(track.process).map_or(0, |process| process.pid)
    }

    /// Returns the thread number of a lane, and whether it is new.
    pub(super) fn tid(&mut self, track: usize, lane: usize) -> (i64, bool) {
        let Some(track) = self.tracks.get_mut(track) else { return (0, false) };
        let mut is_new = false;
        while track.tids.len() <= lane {
            track.tids.push(self.tids.allocate());
            is_new = true;
        }
        (track.tids.get(lane).copied().unwrap_or_default(), is_new)
    }
}

/// Number and name of a thread.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ThreadKey {
    tid: Option<i64>,
    name: Option<String>,
}

impl ThreadKey {
    /// Compares threads of a process: the main thread comes first, then those with a number.
    fn cmp_in(&self, other: &Self, pid: Option<i64>) -> Ordering {
        let rank = |thread: &Self| match thread.tid {
            Some(tid) if pid == Some(tid) => (0, tid),
            Some(tid) => (1, tid),
            None => (2, 0),
        };
        rank(self).cmp(&rank(other)).then_with(|| self.name.cmp(&other.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the numbers and names of processes and threads in the order of a viewer.
    fn list_tracks(keys: &[TrackKey], objects: &BTreeMap<i64, TraceObject>) -> Vec<String> {
        let sample_owners = BTreeSet::from([(None, None)]);
        let tracks = ExportTracks::new(keys, objects, &sample_owners);
        let mut lines = Vec::new();
        for (n, process) in tracks.processes.iter().enumerate() {
            lines.push(format!("{} {}", process.pid, process.name.as_deref().unwrap_or("-")));
            for track in tracks.tracks.iter().filter(|track| track.process == n) {
                lines.push(format!("  {} {}", track.tids[0], track.name.as_deref().unwrap_or("-")));
            }
        }
        lines
    }

    fn track_key(rank: i64, object: i64, pid: Option<i64>, tid: Option<i64>, track: &str) -> TrackKey {
        let device = track.starts_with("stream").then(|| format!("gpu{}", pid.unwrap_or_default()));
        TrackKey { rank: Some(rank), object, pid, tid, track: Some(track.to_owned()), device, ..TrackKey::default() }
    }

    #[test]
    fn recorded_numbers_are_used_if_they_are_unique() {
        let rows = [
            track_key(0, 1, Some(0), Some(7), "stream 7"),
            track_key(0, 1, Some(40), Some(41), "thread 41 (pt_autograd_0)"),
            track_key(0, 1, Some(40), Some(40), "thread 40 (python)"),
            track_key(0, 1, None, None, "Spans / PyTorch Profiler"),
            // The same process in its second recording.
            track_key(0, 2, Some(40), Some(40), "thread 40 (python)"),
            track_key(1, 3, Some(0), Some(7), "stream 7"),
            track_key(1, 3, Some(0), Some(4_294_967_295), "stream 4294967295"),
            track_key(1, 3, Some(-1), Some(0), "thread 0"),
        ];
        let objects = (1..=3).map(|n| (n, TraceObject { recording: n + 1, ..TraceObject::default() })).collect();
        assert_eq!(
            list_tracks(&rows, &objects),
            [
                "1000000 resources",
                "40 rank 0, pid 40",
                "  40 thread 40 (python)",
                "  41 thread 41 (pt_autograd_0)",
                "0 rank 0, gpu0",
                "  7 stream 7",
                "1000001 rank 0, Spans",
                "  2000000 Spans / PyTorch Profiler",
                "1000002 rank 1, pid -1",
                "  0 thread 0",
                "1000003 rank 1, gpu0",
                "  7 stream 7",
                "  2000001 stream 4294967295",
            ]
        );
        let tracks = ExportTracks::new(&rows, &objects, &BTreeSet::new());
        let find =
            |object, rank| tracks.find(None, Some(rank), object, (Some(40), Some(40), Some("thread 40 (python)")));
        assert!(find(1, 0).is_some());
        assert_eq!(find(1, 0), find(2, 0));
        assert_eq!((find(3, 1), find(1, 1)), (None, None));
    }

    #[test]
    fn recordings_without_a_rank_have_separate_processes() {
        let row = |object| TrackKey { rank: None, ..track_key(0, object, Some(1), Some(1), "thread 1") };
        let object = |n: i64| TraceObject { recording: n, file: format!("{n}.json"), ..TraceObject::default() };
        let objects = BTreeMap::from([(1, object(2)), (2, object(3))]);
        let names = list_tracks(&[row(1), row(2)], &objects);
        assert_eq!(
            names,
            ["1000000 resources", "1 2.json, pid 1", "  1 thread 1", "1000001 3.json, pid 1", "  1 thread 1"]
        );
    }

    #[test]
    fn names_of_processes_come_from_tracks() {
        let row = |pid, track: &str| TrackKey { rank: None, ..track_key(0, 1, Some(pid), Some(pid), track) };
        let object = TraceObject { recording: 2, process_in_track: true, ..TraceObject::default() };
        let names =
            list_tracks(&[row(1, "MainProcess / MainThread"), row(2, "thread 2")], &BTreeMap::from([(1, object)]));
        assert_eq!(names, ["1000000 resources", "1 MainProcess", "  1 MainThread", "2 -", "  2 thread 2"]);
    }
}
