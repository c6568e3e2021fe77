//! The graph of one window: what had to end before what could go on.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::event::{Event, Role, Thread};
use super::longest::{Link, longest};
use super::recording::Recording;

/// Beyond this a kernel did not wait for the one before it on its stream, but for something that was not recorded, in ns.
const KERNEL_DELAY: i64 = 1_500_000;

/// What an edge stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The host worked: in an operator or a call.
    Host,
    /// The host worked in a call of a data loader.
    Loader,
    /// A kernel, copy or fill ran.
    Work,
    /// A kernel, copy or fill ended, and the next one on its stream began.
    KernelDelay,
    /// A launch began, and so did later what it launched.
    LaunchDelay,
    /// The host waited for a device.
    Wait,
    /// One outermost call ended, and the next one of its thread began.
    Sequence,
    /// A call got the lock of the runtime from another one.
    Lock,
    /// A device was done with what a call or another stream waited for.
    Sync,
}

impl Kind {
    /// As SQL names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Loader => "loader",
            Self::Work => "work",
            Self::KernelDelay => "kernel_delay",
            Self::LaunchDelay => "launch_delay",
            Self::Wait => "wait",
            Self::Sequence => "sequence",
            Self::Lock => "lock",
            Self::Sync => "sync",
        }
    }
}

/// An edge on the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) kind: Kind,
    /// The row that the edge is about.
    pub(super) row: i64,
    /// Time of the node it leaves.
    pub(super) ts: i64,
    pub(super) weight: i64,
    /// Time between its nodes that is no weight.
    pub(super) gap: i64,
}

/// The longest path through a window.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) window: i64,
    pub(super) nodes: usize,
    pub(super) edges: usize,
    pub(super) steps: Vec<Edge>,
}

/// The longest path of a window of a recording.
pub(super) fn path(recording: &Recording, window: &Event) -> Path {
    let mut graph = Graph::new(recording, recording.host_in(window));
    graph.threads();
    graph.locks();
    graph.devices();
    graph.waits();
    graph.edges.sort_unstable_by_key(|edge| (edge.0, edge.1, std::cmp::Reverse(edge.2), edge.3));
    graph.edges.dedup_by_key(|edge| (edge.0, edge.1));
    let links: Vec<Link> = graph.edges.iter().map(|&(from, to, weight, ..)| Link { from, to, weight }).collect();
    let path = longest(graph.times.len(), &links);
    let edge = |place: &usize| {
        let (from, to, weight, kind, row) = graph.edges[*place];
        let ts = graph.times[from];
        Edge { kind, row, ts, weight, gap: graph.times[to] - ts - weight }
    };
    let steps = path.iter().map(edge).collect();
    Path { window: window.row, nodes: graph.times.len(), edges: links.len(), steps }
}

/// The nodes of an interval.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    start: usize,
    end: usize,
}

struct Graph<'a> {
    recording: &'a Recording,
    range: Range<usize>,
    /// Places of the host's and of the device's intervals in the recording.
    host: Vec<usize>,
    work: Vec<usize>,
    /// Nodes of the intervals, by the place in the recording.
    host_ends: HashMap<usize, Ends>,
    work_ends: HashMap<usize, Ends>,
    /// Times of the nodes, in order.
    times: Vec<i64>,
    /// From, to, weight, kind, row.
    edges: Vec<(usize, usize, i64, Kind, i64)>,
    /// Places of host intervals inside a call of a data loader.
    in_loader: BTreeSet<usize>,
}

impl<'a> Graph<'a> {
    fn new(recording: &'a Recording, range: Range<usize>) -> Self {
        let host: Vec<usize> = range.clone().filter(|place| recording.host[*place].role.is_host()).collect();
        let work = recording.work_of(&range);
        let mut marks: Vec<(i64, bool, bool, usize)> = Vec::with_capacity(2 * (host.len() + work.len()));
        for (on_device, places, events) in [(false, &host, &recording.host), (true, &work, &recording.work)] {
            for place in places {
                marks.push((events[*place].ts, true, on_device, *place));
                marks.push((events[*place].end, false, on_device, *place));
            }
        }
        marks.sort_unstable();
        let (mut host_ends, mut work_ends) = (HashMap::with_capacity(host.len()), HashMap::with_capacity(work.len()));
        for (node, (_, starts, on_device, place)) in marks.iter().enumerate() {
            let ends: &mut Ends = if *on_device { &mut work_ends } else { &mut host_ends }.entry(*place).or_default();
            *(if *starts { &mut ends.start } else { &mut ends.end }) = node;
        }
        let times = marks.iter().map(|mark| mark.0).collect();
        let (edges, in_loader) = (Vec::new(), BTreeSet::new());
        Self { recording, range, host, work, host_ends, work_ends, times, edges, in_loader }
    }

    /// Adds an edge, unless it would go back in time: clocks of host and device agree to a fraction of a microsecond only.
    fn add(&mut self, from: usize, to: usize, weighs: bool, kind: Kind, row: i64) {
        let time = self.times[to] - self.times[from];
        if time >= 0 && from != to {
            self.edges.push((from, to, if weighs { time } else { 0 }, kind, row));
        }
    }

    /// The thread of each host interval. The backward pass runs on a thread of its own while that of the forward pass waits: if
    /// there is one of each, they are one.
    fn thread_of(&self) -> impl Fn(&Event) -> Thread + use<> {
        let only = |is: fn(&Event) -> bool| {
            let threads: BTreeSet<Thread> = self.recording.host[self.range.clone()]
                .iter()
                .filter(|event| is(event))
                .map(|event| event.thread)
                .collect();
            (threads.len() == 1).then(|| threads.first().copied()).flatten()
        };
        let passes = only(|event| event.forward).zip(only(|event| event.backward));
        move |event| match passes {
            Some((forward, backward)) if event.thread == backward => forward,
            _ => event.thread,
        }
    }

    /// Where the intervals begin and end, in order: what ends first, the innermost first; then what starts, the outermost first.
    fn marks(&self, places: impl Iterator<Item = usize>) -> Vec<(i64, bool, usize)> {
        let mut marks: Vec<(i64, bool, usize)> = Vec::new();
        for place in places {
            let event = &self.recording.host[place];
            // places are in order of the start, so that an inner interval has a higher one
            marks.extend([(event.ts, true, place), (event.end, false, usize::MAX - place)]);
        }
        marks.sort_unstable();
        marks.into_iter().map(|(ts, starts, key)| (ts, starts, if starts { key } else { usize::MAX - key })).collect()
    }

    fn node(&self, place: usize, starts: bool) -> usize {
        let ends = self.host_ends[&place];
        if starts { ends.start } else { ends.end }
    }

    /// Goes along each thread from mark to mark.
    fn threads(&mut self) {
        let thread = self.thread_of();
        let mut threads: BTreeMap<Thread, Vec<usize>> = BTreeMap::new();
        for place in &self.host {
            threads.entry(thread(&self.recording.host[*place])).or_default().push(*place);
        }
        for places in threads.into_values() {
            self.follow_thread(places);
        }
    }

    fn follow_thread(&mut self, places: Vec<usize>) {
        let recording = self.recording;
        let role = |place: usize| recording.host[place].role;
        let mut open: Vec<usize> = Vec::new();
        let mut loaders = 0_usize;
        let mut last: Option<(usize, bool)> = None;
        for (_, starts, place) in self.marks(places.into_iter()) {
            if let Some((before, started)) = last {
                let (from, to) = (self.node(before, started), self.node(place, starts));
                let locked = role(before) == Role::Lock && role(place) == Role::Lock && (started || !starts);
                let owner = match (started, starts) {
                    (true, _) => Some(before),
                    (false, false) => Some(place),
                    (false, true) => open.last().copied(),
                };
                match owner {
                    // what holds the lock is told by `locks`
                    _ if locked => {}
                    None => self.add(from, to, false, Kind::Sequence, recording.host[place].row),
                    Some(_) if !starts && role(place) == Role::Wait => {
                        self.add(from, to, false, Kind::Wait, recording.host[place].row);
                    }
                    Some(owner) => {
                        let kind = if loaders > 0 { Kind::Loader } else { Kind::Host };
                        self.add(from, to, true, kind, recording.host[owner].row);
                    }
                }
            }
            if starts {
                open.push(place);
                loaders += usize::from(role(place) == Role::Loader);
                if loaders > 0 {
                    self.in_loader.insert(place);
                }
            } else if let Some(at) = open.iter().rposition(|other| *other == place) {
                open.remove(at);
                loaders -= usize::from(role(place) == Role::Loader);
            }
            last = Some((place, starts));
        }
    }

    /// Some calls hold a lock of the runtime, whatever their thread: of those that overlap, each gets it from the one that ended
    /// before it, and all that began before an end waited for that.
    fn locks(&mut self) {
        let recording = self.recording;
        let held = self.host.iter().copied().filter(|place| recording.host[*place].role == Role::Lock);
        let mut waiting: Vec<usize> = Vec::new();
        let mut ended: Option<usize> = None;
        for (_, starts, place) in self.marks(held) {
            if starts {
                waiting.push(place);
                ended = None;
                continue;
            }
            let end = self.node(place, false);
            for other in std::mem::take(&mut waiting) {
                let start = self.node(other, true);
                let row = recording.host[other].row;
                if other == place {
                    let kind = if self.in_loader.contains(&place) { Kind::Loader } else { Kind::Host };
                    self.add(start, end, true, kind, row);
                } else {
                    self.add(start, end, false, Kind::Lock, row);
                }
            }
            if let Some(before) = ended {
                self.add(self.node(before, false), end, false, Kind::Lock, recording.host[place].row);
            }
            ended = Some(place);
        }
    }

    /// What each kernel, copy or fill waited for: work of another stream, its launch, or the work before it on its stream.
    fn devices(&mut self) {
        let recording = self.recording;
        for place in std::mem::take(&mut self.work) {
            let work = &recording.work[place];
            let Ends { start, end } = self.work_ends[&place];
            self.add(start, end, true, Kind::Work, work.row);
            let mut synced: Option<i64> = None;
            for other in recording.waits_of_work(place) {
                let source = &recording.work[other];
                if let Some(ends) = self.work_ends.get(&other).filter(|_| source.lane != work.lane) {
                    self.add(ends.end, start, false, Kind::Sync, work.row);
                    synced = synced.max(Some(source.end));
                }
            }
            let before = recording.before[place].map(|before| &recording.work[before]);
            let launch =
                recording.launches[place].map(|launch| (launch.alone, &recording.host[launch.call], launch.call));
            let idle = |since: i64| before.is_none_or(|work| work.end < since) && synced.is_none_or(|end| end < since);
            if let Some((true, call, at)) = launch
                && idle(call.ts)
            {
                self.add(self.node(at, true), start, true, Kind::LaunchDelay, work.row);
            } else if let Some(before) = before
                && work.ts - before.end < KERNEL_DELAY
                && synced.is_none_or(|end| end < before.end)
                && let Some(ends) = recording.before[place].and_then(|place| self.work_ends.get(&place)).copied()
            {
                if before.end <= work.ts {
                    self.add(ends.end, start, true, Kind::KernelDelay, work.row);
                } else {
                    // it began while the one before it still ran
                    self.add(ends.start, start, true, Kind::Work, before.row);
                }
            }
        }
    }

    /// What the host waited for.
    fn waits(&mut self) {
        let recording = self.recording;
        for (call, work) in recording.waits_of(&self.range) {
            if let (Some(to), Some(from)) = (self.host_ends.get(call).copied(), self.work_ends.get(work).copied()) {
                self.add(from.end, to.end, false, Kind::Sync, recording.host[*call].row);
            }
        }
    }
}
