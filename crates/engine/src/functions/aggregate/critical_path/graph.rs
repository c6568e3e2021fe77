//! Builds the graph of one window, in which an edge leads from an event to another one that waited
//! for it, and finds its longest path.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::edge::{EdgeKind, GraphEdge};
use super::event::{EventRole, HostThread, PathEvent};
use super::longest::longest_path;
use super::recording::RecordingIndex;

/// Maximum delay between two kernels of a stream, in ns. After a longer delay, the second kernel
/// waited for something that was not recorded.
const MAX_KERNEL_DELAY: i64 = 1_500_000;

/// An edge of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PathEdge {
    pub(super) kind: EdgeKind,
    /// The row of the event that the edge stands for.
    pub(super) row: i64,
    /// Time of the source node.
    pub(super) ts: i64,
    pub(super) weight: i64,
    /// Time between the two nodes that is not part of the weight.
    pub(super) gap: i64,
}

/// The longest path through a window.
#[derive(Debug)]
pub(super) struct WindowPath {
    pub(super) window: i64,
    /// Number of nodes in the graph.
    pub(super) nodes: usize,
    /// Number of edges in the graph.
    pub(super) edges: usize,
    pub(super) steps: Vec<PathEdge>,
}

/// Finds the longest path through a window of a recording.
pub(super) fn window_path(recording: &RecordingIndex, window: &PathEvent) -> WindowPath {
    let mut graph = WindowGraph::new(recording, recording.window_range(window));
    graph.add_threads();
    graph.add_locks();
    graph.add_devices();
    graph.add_host_waits();
    let WindowGraph { mut edges, times, .. } = graph;
    edges.sort_unstable_by_key(|edge| (edge.source, edge.target, Reverse(edge.weight), edge.kind));
    edges.dedup_by_key(|edge| (edge.source, edge.target));
    let steps = longest_path(times.len(), &edges).into_iter().map(|index| {
        let GraphEdge { source, target, weight, kind, row } = edges[index];
        let ts = times[source];
        PathEdge { kind, row, ts, weight, gap: times[target] - ts - weight }
    });
    WindowPath { window: window.row, nodes: times.len(), edges: edges.len(), steps: steps.collect() }
}

/// The start or the end of an interval. The order of the fields is the order of the nodes.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Boundary {
    time: i64,
    is_start: bool,
    on_device: bool,
    /// Index of the interval in the recording.
    index: usize,
}

/// The nodes of an interval.
#[derive(Debug, Clone, Copy, Default)]
struct IntervalNodes {
    start: usize,
    end: usize,
}

struct WindowGraph<'a> {
    recording: &'a RecordingIndex,
    /// The window's range in `RecordingIndex::host`.
    host_range: Range<usize>,
    /// Indexes of the intervals in `RecordingIndex::host`.
    host: Vec<usize>,
    /// Indexes of the intervals in `RecordingIndex::work`.
    work: Vec<usize>,
    /// Nodes of the intervals on the host, by index in the recording.
    host_nodes: HashMap<usize, IntervalNodes>,
    /// Nodes of the intervals on devices, by index in the recording.
    work_nodes: HashMap<usize, IntervalNodes>,
    /// Times of the nodes, in order.
    times: Vec<i64>,
    edges: Vec<GraphEdge>,
    /// Indexes of the intervals on the host that are inside a call of a data loader.
    in_loader: BTreeSet<usize>,
}

impl<'a> WindowGraph<'a> {
    fn new(recording: &'a RecordingIndex, host_range: Range<usize>) -> Self {
        let host: Vec<usize> = host_range.clone().filter(|index| recording.host[*index].role.is_host()).collect();
        let work = recording.work_launched_by(&host_range);
        let mut boundaries = Vec::with_capacity(2 * (host.len() + work.len()));
        for (on_device, indexes, events) in [(false, &host, &recording.host), (true, &work, &recording.work)] {
            for &index in indexes {
                boundaries.push(Boundary { time: events[index].ts, is_start: true, on_device, index });
                boundaries.push(Boundary { time: events[index].end, is_start: false, on_device, index });
            }
        }
        boundaries.sort_unstable();
        let (mut host_nodes, mut work_nodes) = (HashMap::with_capacity(host.len()), HashMap::with_capacity(work.len()));
        for (node, boundary) in boundaries.iter().enumerate() {
            let nodes = if boundary.on_device { &mut work_nodes } else { &mut host_nodes };
            let nodes: &mut IntervalNodes = nodes.entry(boundary.index).or_default();
            *(if boundary.is_start { &mut nodes.start } else { &mut nodes.end }) = node;
        }
        let times = boundaries.iter().map(|boundary| boundary.time).collect();
        let (edges, in_loader) = (Vec::new(), BTreeSet::new());
        Self { recording, host_range, host, work, host_nodes, work_nodes, times, edges, in_loader }
    }

    /// Adds an edge that takes the time between its nodes. Skips an edge that goes back in time:
    /// the clocks of host and device can differ by a fraction of a microsecond.
    fn add_timed(&mut self, source: usize, target: usize, kind: EdgeKind, row: i64) {
        self.add_edge(source, target, self.times[target] - self.times[source], kind, row);
    }

    /// Adds an edge that takes no time.
    fn add_untimed(&mut self, source: usize, target: usize, kind: EdgeKind, row: i64) {
        self.add_edge(source, target, 0, kind, row);
    }

    fn add_edge(&mut self, source: usize, target: usize, weight: i64, kind: EdgeKind, row: i64) {
        if self.times[target] >= self.times[source] && source != target {
            self.edges.push(GraphEdge { source, target, weight, kind, row });
        }
    }

    /// Returns a function from an interval on the host to its thread. The backward pass runs on its
    /// own thread while the thread of the forward pass waits. If there is one thread of each, they
    /// count as one.
    fn thread_of(&self) -> impl Fn(&PathEvent) -> HostThread + use<> {
        let only_thread = |is_in_pass: fn(&PathEvent) -> bool| {
            let events = self.recording.host[self.host_range.clone()].iter().filter(|event| is_in_pass(event));
            let threads: BTreeSet<HostThread> = events.map(|event| event.thread).collect();
            (threads.len() == 1).then(|| threads.first().copied()).flatten()
        };
        let passes = only_thread(|event| event.forward).zip(only_thread(|event| event.backward));
        move |event| match passes {
            Some((forward, backward)) if event.thread == backward => forward,
            _ => event.thread,
        }
    }

    /// Starts and ends of intervals on the host, by time: first the ends, the innermost first, then
    /// the starts, the outermost first. Returns the time, whether it is a start, and the index of
    /// the interval.
    fn boundaries(&self, indexes: impl Iterator<Item = usize>) -> Vec<(i64, bool, usize)> {
        let mut boundaries: Vec<(i64, bool, usize)> = Vec::new();
        for index in indexes {
            let event = &self.recording.host[index];
            // Events are sorted by start, so that an inner interval has a higher index.
            boundaries.extend([(event.ts, true, index), (event.end, false, usize::MAX - index)]);
        }
        boundaries.sort_unstable();
        let decode = |(ts, is_start, key)| (ts, is_start, if is_start { key } else { usize::MAX - key });
        boundaries.into_iter().map(decode).collect()
    }

    fn host_node(&self, index: usize, is_start: bool) -> usize {
        let nodes = self.host_nodes[&index];
        if is_start { nodes.start } else { nodes.end }
    }

    /// The kind of an edge for the own time of an interval on the host.
    fn host_kind(in_loader: bool) -> EdgeKind {
        if in_loader { EdgeKind::Loader } else { EdgeKind::Host }
    }

    /// Adds the edges along each thread.
    fn add_threads(&mut self) {
        let thread_of = self.thread_of();
        let mut threads: BTreeMap<HostThread, Vec<usize>> = BTreeMap::new();
        for index in &self.host {
            threads.entry(thread_of(&self.recording.host[*index])).or_default().push(*index);
        }
        for indexes in threads.into_values() {
            self.add_thread(indexes);
        }
    }

    /// Adds an edge from each start or end of an interval to the next one on the thread.
    fn add_thread(&mut self, indexes: Vec<usize>) {
        let recording = self.recording;
        let role = |index: usize| recording.host[index].role;
        let mut open: Vec<usize> = Vec::new();
        let mut open_loaders = 0_usize;
        let mut last: Option<(usize, bool)> = None;
        for (_, is_start, index) in self.boundaries(indexes.into_iter()) {
            if let Some((last_index, last_is_start)) = last {
                let (source, target) = (self.host_node(last_index, last_is_start), self.host_node(index, is_start));
                let holds_lock = role(last_index) == EventRole::Lock
                    && role(index) == EventRole::Lock
                    && (last_is_start || !is_start);
                let owner = match (last_is_start, is_start) {
                    (true, _) => Some(last_index),
                    (false, false) => Some(index),
                    (false, true) => open.last().copied(),
                };
                let row = recording.host[index].row;
                match owner {
                    // `add_locks` adds the edges of calls that hold the lock.
                    _ if holds_lock => {}
                    None => self.add_untimed(source, target, EdgeKind::Sequence, row),
                    Some(_) if !is_start && role(index) == EventRole::Wait => {
                        self.add_untimed(source, target, EdgeKind::Wait, row);
                    }
                    Some(owner) => {
                        self.add_timed(source, target, Self::host_kind(open_loaders > 0), recording.host[owner].row);
                    }
                }
            }
            let is_loader = usize::from(role(index) == EventRole::Loader);
            if is_start {
                open.push(index);
                open_loaders += is_loader;
                if open_loaders > 0 {
                    self.in_loader.insert(index);
                }
            } else if let Some(position) = open.iter().rposition(|other| *other == index) {
                open.remove(position);
                open_loaders -= is_loader;
            }
            last = Some((index, is_start));
        }
    }

    /// Adds the edges between calls of all threads that hold the lock of the runtime. When calls
    /// overlap, each gets the lock from the call that ended before it. A call that started before
    /// an end waited for that end.
    fn add_locks(&mut self) {
        let recording = self.recording;
        let calls = self.host.iter().copied().filter(|index| recording.host[*index].role == EventRole::Lock);
        let mut waiting: Vec<usize> = Vec::new();
        let mut last_ended: Option<usize> = None;
        for (_, is_start, index) in self.boundaries(calls) {
            if is_start {
                waiting.push(index);
                last_ended = None;
                continue;
            }
            let end = self.host_node(index, false);
            for other in std::mem::take(&mut waiting) {
                let start = self.host_node(other, true);
                let row = recording.host[other].row;
                if other == index {
                    self.add_timed(start, end, Self::host_kind(self.in_loader.contains(&index)), row);
                } else {
                    self.add_untimed(start, end, EdgeKind::Lock, row);
                }
            }
            if let Some(other) = last_ended {
                self.add_untimed(self.host_node(other, false), end, EdgeKind::Lock, recording.host[index].row);
            }
            last_ended = Some(index);
        }
    }

    /// Adds the edges of kernels, copies and fills, and what each waited for: work of another
    /// stream, its launch, or the previous work on its stream.
    fn add_devices(&mut self) {
        let recording = self.recording;
        for index in std::mem::take(&mut self.work) {
            let work = &recording.work[index];
            let IntervalNodes { start, end } = self.work_nodes[&index];
            self.add_timed(start, end, EdgeKind::Work, work.row);
            let mut last_sync: Option<i64> = None;
            for other in recording.stream_waits_of(index) {
                let source = &recording.work[other];
                if let Some(nodes) = self.work_nodes.get(&other).filter(|_| source.stream != work.stream) {
                    self.add_untimed(nodes.end, start, EdgeKind::Sync, work.row);
                    last_sync = last_sync.max(Some(source.end));
                }
            }
            let previous = recording.previous_work[index].map(|index| (&recording.work[index], index));
            let is_idle = |since: i64| {
                previous.is_none_or(|(previous, _)| previous.end < since) && last_sync.is_none_or(|end| end < since)
            };
            if let Some(launch) = recording.launches[index]
                && launch.is_queue_empty
                && is_idle(recording.host[launch.call].ts)
            {
                self.add_timed(self.host_node(launch.call, true), start, EdgeKind::LaunchDelay, work.row);
            } else if let Some((previous, index)) = previous
                && work.ts - previous.end < MAX_KERNEL_DELAY
                && last_sync.is_none_or(|end| end < previous.end)
                && let Some(nodes) = self.work_nodes.get(&index).copied()
            {
                if previous.end <= work.ts {
                    self.add_timed(nodes.end, start, EdgeKind::KernelDelay, work.row);
                } else {
                    // It started while the previous one still ran.
                    self.add_timed(nodes.start, start, EdgeKind::Work, previous.row);
                }
            }
        }
    }

    /// Adds an edge from each work to the call that waited for it.
    fn add_host_waits(&mut self) {
        let recording = self.recording;
        for (call, work) in recording.host_waits_of(&self.host_range) {
            if let (Some(target), Some(source)) =
                (self.host_nodes.get(call).copied(), self.work_nodes.get(work).copied())
            {
                self.add_untimed(source.end, target.end, EdgeKind::Sync, recording.host[*call].row);
            }
        }
    }
}
