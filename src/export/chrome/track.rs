//! Processes and threads of the file: numbers that tell them apart, and names that say whose they are.
//!
//! A number stays as it was recorded where it can: where no other process has it (each rank has a device 0), and where
//! viewers take it (from 0 up to 31 bits). All others, and lanes, get numbers from a million on.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::lane::Lanes;
use super::name::{Kind, Naming, Object, Owner, TrackKey, owner};

/// Numbers of processes and of threads that were not recorded begin here.
const FRESH_PID: i64 = 1_000_000;
const FRESH_TID: i64 = 2_000_000;

/// Further lanes of a track stand directly below it, up to so many.
const LANES: usize = 100;

/// A process of the file.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) pid: i64,
    pub(super) name: Option<String>,
}

/// A track of the file.
#[derive(Debug)]
pub(super) struct Track {
    pub(super) process: usize,
    /// It is a device's.
    pub(super) on_device: bool,
    pub(super) name: Option<String>,
    /// Where it stands in its process.
    pub(super) place: usize,
    pub(super) lanes: Lanes,
    /// The thread of each lane.
    pub(super) tids: Vec<i64>,
}

impl Track {
    /// How a lane is called.
    pub(super) fn lane_name(&self, lane: usize) -> Option<String> {
        match (lane, &self.name) {
            (0, name) => name.clone(),
            (lane, Some(name)) => Some(format!("{name} ({})", lane + 1)),
            (lane, None) => Some(format!("({})", lane + 1)),
        }
    }

    /// Where a lane stands in its process.
    pub(super) fn lane_place(&self, lane: usize) -> usize {
        self.place * LANES + lane.min(LANES - 1)
    }
}

/// All of a file.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    pub(super) processes: Vec<Process>,
    pub(super) tracks: Vec<Track>,
    /// Tracks by object and recorded numbers, with what else tells them apart.
    found: HashMap<Recorded, Vec<(Whose, usize)>>,
    /// The process of the measurements, by machine and rank.
    resources: BTreeMap<(Option<String>, Option<i64>), usize>,
    numbers: Numbers,
}

/// Object, process and thread as they were recorded.
type Recorded = (i64, Option<i64>, Option<i64>);

/// Machine, rank and name of a track.
type Whose = (Option<String>, Option<i64>, Option<String>);

/// Threads that are in use.
#[derive(Debug, Default)]
struct Numbers {
    taken: HashSet<i64>,
    next: i64,
}

impl Numbers {
    fn new(taken: HashSet<i64>, next: i64) -> Self {
        Self { taken, next }
    }

    fn fresh(&mut self) -> i64 {
        while !self.taken.insert(self.next) {
            self.next += 1;
        }
        self.next
    }
}

/// Whether viewers take a number.
fn fits(number: Option<i64>) -> Option<i64> {
    number.filter(|number| (0..1 << 31).contains(number))
}

impl Tracks {
    /// The tracks of these rows, and processes for measurements of these machines and ranks.
    pub(super) fn new(
        seen: &[TrackKey],
        objects: &BTreeMap<i64, Object>,
        measured: &BTreeSet<(Option<String>, Option<i64>)>,
    ) -> Self {
        let none = Object::default();
        let object = |seen: &TrackKey| objects.get(&seen.object).unwrap_or(&none);
        let mut owners: BTreeMap<Owner, BTreeMap<Lane, Vec<&TrackKey>>> = BTreeMap::new();
        for seen in seen {
            let (owner, thread) = owner(seen, object(seen));
            owners.entry(owner).or_default().entry(Lane::new(seen, thread)).or_default().push(seen);
        }
        for (node, rank) in measured {
            let owner = Owner { node: node.clone(), rank: *rank, nameless: 0, kind: Kind::Resources };
            owners.entry(owner).or_default();
        }
        let taken: HashSet<i64> = seen.iter().flat_map(|seen| [fits(seen.pid), fits(seen.tid)]).flatten().collect();
        let mut pids = Numbers::new(taken.clone(), FRESH_PID);
        let mut tracks = Self { numbers: Numbers::new(taken, FRESH_TID), ..Self::default() };
        let naming = Naming::new(owners.keys());
        let mut used = HashSet::new();
        for (owner, threads) in &owners {
            let recorded = match &owner.kind {
                Kind::Numbered(pid, _) => fits(Some(*pid)),
                Kind::Device(pid, _) => fits(*pid),
                Kind::Named(_) | Kind::Resources | Kind::Other => None,
            };
            let pid = recorded.filter(|pid| used.insert(*pid)).unwrap_or_else(|| pids.fresh());
            let process = tracks.processes.len();
            let file = threads.values().flatten().next().map(|seen| object(seen).file.as_str());
            let chrome = threads.values().flatten().next().is_some_and(|seen| object(seen).process_in_track);
            let name = naming.name(owner, file.unwrap_or_default(), chrome);
            tracks.processes.push(Process { pid, name });
            if owner.kind == Kind::Resources {
                tracks.resources.insert((owner.node.clone(), owner.rank), process);
            }
            let mut used = HashSet::new();
            let mut sorted: Vec<(&Lane, &Vec<&TrackKey>)> = threads.iter().collect();
            sorted.sort_by(|(a, _), (b, _)| a.cmp_in(b, recorded));
            for (place, (lane, seen)) in sorted.into_iter().enumerate() {
                let tid = fits(lane.tid).filter(|tid| used.insert(*tid));
                let tid = tid.unwrap_or_else(|| tracks.numbers.fresh());
                let track = tracks.tracks.len();
                tracks.tracks.push(Track {
                    process,
                    on_device: matches!(owner.kind, Kind::Device(..)),
                    name: lane.name.clone(),
                    place,
                    lanes: Lanes::default(),
                    tids: vec![tid],
                });
                for seen in seen {
                    let whose = (seen.node.clone(), seen.rank, seen.track.clone());
                    tracks.found.entry((seen.object, seen.pid, seen.tid)).or_default().push((whose, track));
                }
            }
        }
        tracks
    }

    /// The track of an event.
    pub(super) fn find(
        &self,
        node: Option<&str>,
        rank: Option<i64>,
        object: i64,
        (pid, tid, track): (Option<i64>, Option<i64>, Option<&str>),
    ) -> Option<usize> {
        let found = self.found.get(&(object, pid, tid))?;
        let same = |(n, r, t): &Whose| n.as_deref() == node && *r == rank && t.as_deref() == track;
        found.iter().find(|(whose, _)| same(whose)).map(|(_, track)| *track)
    }

    /// The process of measurements.
    pub(super) fn resources(&self, node: Option<&str>, rank: Option<i64>) -> Option<&Process> {
        let process = self.resources.get(&(node.map(str::to_owned), rank))?;
        self.processes.get(*process)
    }

    /// The thread of a lane, and whether it is new.
    pub(super) fn tid(&mut self, track: usize, lane: usize) -> (i64, bool) {
        let Some(track) = self.tracks.get_mut(track) else { return (0, false) };
        let mut new = false;
        while track.tids.len() <= lane {
            track.tids.push(self.numbers.fresh());
            new = true;
        }
        (track.tids.get(lane).copied().unwrap_or_default(), new)
    }
}

/// Number and name of a thread.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lane {
    tid: Option<i64>,
    name: Option<String>,
}

impl Lane {
    fn new(seen: &TrackKey, name: Option<String>) -> Self {
        Self { tid: seen.tid, name }
    }

    /// The main thread comes first, then those with a number.
    fn cmp_in(&self, other: &Self, pid: Option<i64>) -> Ordering {
        let rank = |lane: &Self| match lane.tid {
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

    /// Names and numbers of processes and threads, as a viewer lists them.
    fn listed(seen: &[TrackKey], objects: &BTreeMap<i64, Object>) -> Vec<String> {
        let measured = BTreeSet::from([(None, None)]);
        let tracks = Tracks::new(seen, objects, &measured);
        let mut lines = Vec::new();
        for (n, process) in tracks.processes.iter().enumerate() {
            lines.push(format!("{} {}", process.pid, process.name.as_deref().unwrap_or("-")));
            for track in tracks.tracks.iter().filter(|track| track.process == n) {
                lines.push(format!("  {} {}", track.tids[0], track.name.as_deref().unwrap_or("-")));
            }
        }
        lines
    }

    fn seen(rank: i64, object: i64, pid: Option<i64>, tid: Option<i64>, track: &str) -> TrackKey {
        let device = track.starts_with("stream").then(|| format!("gpu{}", pid.unwrap_or_default()));
        TrackKey { rank: Some(rank), object, pid, tid, track: Some(track.to_owned()), device, ..TrackKey::default() }
    }

    #[test]
    fn numbers_are_kept_where_they_tell_processes_apart() {
        let rows = [
            seen(0, 1, Some(0), Some(7), "stream 7"),
            seen(0, 1, Some(40), Some(41), "thread 41 (pt_autograd_0)"),
            seen(0, 1, Some(40), Some(40), "thread 40 (python)"),
            seen(0, 1, None, None, "Spans / PyTorch Profiler"),
            // the same process in its second recording
            seen(0, 2, Some(40), Some(40), "thread 40 (python)"),
            seen(1, 3, Some(0), Some(7), "stream 7"),
            seen(1, 3, Some(0), Some(4_294_967_295), "stream 4294967295"),
            seen(1, 3, Some(-1), Some(0), "thread 0"),
        ];
        let objects = (1..=3).map(|n| (n, Object { nameless: n + 1, ..Object::default() })).collect();
        assert_eq!(
            listed(&rows, &objects),
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
        let tracks = Tracks::new(&rows, &objects, &BTreeSet::new());
        let find =
            |object, rank| tracks.find(None, Some(rank), object, (Some(40), Some(40), Some("thread 40 (python)")));
        assert!(find(1, 0).is_some());
        assert_eq!(find(1, 0), find(2, 0));
        assert_eq!((find(3, 1), find(1, 1)), (None, None));
    }

    #[test]
    fn recordings_without_a_rank_stay_apart() {
        let row = |object| TrackKey { rank: None, ..seen(0, object, Some(1), Some(1), "thread 1") };
        let object = |n: i64| Object { nameless: n, file: format!("{n}.json"), ..Object::default() };
        let objects = BTreeMap::from([(1, object(2)), (2, object(3))]);
        let names = listed(&[row(1), row(2)], &objects);
        assert_eq!(
            names,
            ["1000000 resources", "1 2.json, pid 1", "  1 thread 1", "1000001 3.json, pid 1", "  1 thread 1"]
        );
    }

    #[test]
    fn other_traces_name_their_processes() {
        let row = |pid, track: &str| TrackKey { rank: None, ..seen(0, 1, Some(pid), Some(pid), track) };
        let object = Object { nameless: 2, process_in_track: true, ..Object::default() };
        let names = listed(&[row(1, "MainProcess / MainThread"), row(2, "thread 2")], &BTreeMap::from([(1, object)]));
        assert_eq!(names, ["1000000 resources", "1 MainProcess", "  1 MainThread", "2 -", "  2 thread 2"]);
    }
}
