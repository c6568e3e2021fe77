//! Processes and threads of the file: numbers that tell them apart, and names that say whose they are.
//!
//! A number stays as it was recorded where it can: where no other process has it (each rank has a device 0), and where
//! viewers take it (from 0 up to 31 bits). All others, and lanes, get numbers from a million on.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::lane::Lanes;

/// Numbers of processes and of threads that were not recorded begin here.
const FRESH_PID: i64 = 1_000_000;
const FRESH_TID: i64 = 2_000_000;

/// Further lanes of a track stand directly below it, up to so many.
const LANES: usize = 100;

/// Rows of `event` of one object that lie on one track.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) node: Option<String>,
    pub(super) rank: Option<i64>,
    pub(super) object: i64,
    pub(super) pid: Option<i64>,
    pub(super) tid: Option<i64>,
    pub(super) track: Option<String>,
    /// Device whose work it is, if it is a device's.
    pub(super) device: Option<String>,
}

/// What is known of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Object {
    /// A number for a recording without a rank: nothing else tells its processes from those of another one. 0: none.
    pub(super) nameless: i64,
    /// Its file.
    pub(super) file: String,
    /// Names of its tracks begin with that of the process, whatever its number is.
    pub(super) process_in_track: bool,
}

/// Whose a process is, and which: in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Owner {
    node: Option<String>,
    rank: Option<i64>,
    nameless: i64,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    /// A process of the host, by number and name; some have neither.
    Host(Option<i64>, Option<String>),
    Device(Option<i64>, String),
    /// Measurements.
    Resources,
}

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
    found: HashMap<(i64, Option<i64>, Option<i64>), Vec<(Whose, usize)>>,
    /// The process of the measurements, by machine and rank.
    resources: BTreeMap<(Option<String>, Option<i64>), usize>,
    numbers: Numbers,
}

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
        seen: &[Seen],
        objects: &BTreeMap<i64, Object>,
        measured: &BTreeSet<(Option<String>, Option<i64>)>,
    ) -> Self {
        let none = Object::default();
        let object = |seen: &Seen| objects.get(&seen.object).unwrap_or(&none);
        let mut owners: BTreeMap<Owner, BTreeMap<Lane, Vec<&Seen>>> = BTreeMap::new();
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
                Kind::Host(pid, _) | Kind::Device(pid, _) => fits(*pid),
                Kind::Resources => None,
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
            let mut sorted: Vec<(&Lane, &Vec<&Seen>)> = threads.iter().collect();
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
    fn new(seen: &Seen, name: Option<String>) -> Self {
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

/// The process of a row, and how its thread is called.
fn owner(seen: &Seen, object: &Object) -> (Owner, Option<String>) {
    let split = seen.track.as_deref().and_then(|track| track.split_once(" / "));
    let in_track = split.filter(|_| object.process_in_track || seen.pid.is_none());
    let process = in_track.map(|(process, _)| process.to_owned());
    // A reader of PyTorch's traces takes the name of a thread as it is.
    let thread = match in_track {
        Some((_, thread)) if object.process_in_track => Some(thread.to_owned()),
        _ => seen.track.clone(),
    };
    let kind = match &seen.device {
        Some(device) => Kind::Device(seen.pid, process.unwrap_or_else(|| device.clone())),
        None => Kind::Host(seen.pid, process),
    };
    let nameless = if seen.rank.is_some() { 0 } else { object.nameless };
    (Owner { node: seen.node.clone(), rank: seen.rank, nameless, kind }, thread)
}

/// What has to be said of a process so that no other one is called the same.
#[derive(Debug)]
struct Naming {
    nodes: bool,
    files: bool,
}

impl Naming {
    fn new<'a>(owners: impl Iterator<Item = &'a Owner>) -> Self {
        let (mut nodes, mut files) = (BTreeSet::new(), BTreeSet::new());
        for owner in owners {
            nodes.insert(&owner.node);
            files.insert(owner.nameless);
        }
        Self { nodes: nodes.len() > 1, files: files.len() > 1 }
    }

    fn name(&self, owner: &Owner, file: &str, chrome: bool) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(owner.node.clone().filter(|_| self.nodes));
        parts.extend(owner.rank.map(|rank| format!("rank {rank}")));
        parts.extend(Some(file.to_owned()).filter(|_| self.files && owner.nameless != 0));
        match &owner.kind {
            Kind::Host(_, Some(name)) | Kind::Device(_, name) => parts.push(name.clone()),
            // Readers of other traces would make the number a part of the names of the tracks.
            Kind::Host(Some(pid), None) if !chrome || !parts.is_empty() => parts.push(format!("pid {pid}")),
            Kind::Host(..) => {}
            Kind::Resources => parts.push("resources".to_owned()),
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}
