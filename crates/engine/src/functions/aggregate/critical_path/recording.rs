//! Indexes all events of a recording before the graphs of its windows are built.
//!
//! A work item is a kernel, copy or fill on a stream of a device. The index has the call that
//! launched each work item, and the work items that each synchronization waited for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::event::{DeviceStream, EventRole, HostThread, PathEvent};

/// The launch of a kernel, copy or fill.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch {
    /// Index of the call in `host`.
    pub(super) call: usize,
    /// Whether no other work item was queued on the stream between the launch and the start.
    pub(super) is_queue_empty: bool,
}

/// The events of a recording by role, each in order of time.
#[derive(Debug, Default)]
pub(super) struct RecordingIndex {
    pub(super) windows: Vec<PathEvent>,
    /// Intervals on threads of the host, and marks. An outer interval comes before an inner one.
    pub(super) host: Vec<PathEvent>,
    /// Work items: kernels, copies and fills.
    pub(super) work: Vec<PathEvent>,
    /// The launch of each work item; `None` if the launch was not recorded.
    pub(super) launches: Vec<Option<Launch>>,
    /// For each work item, the index in `work` of the previous item on its stream.
    pub(super) previous_work: Vec<Option<usize>>,
    /// Sorted pairs of indexes in `work`: a work item, and an item that its stream waited for
    /// before it.
    stream_waits: Vec<(usize, usize)>,
    /// Sorted pairs of indexes in `host` and `work`: a call, and a work item that it waited for.
    host_waits: Vec<(usize, usize)>,
    /// Sorted pairs of indexes in `host` and `work`: a call, and a work item that it launched.
    launched_work: Vec<(usize, usize)>,
    /// Indexes of calls in `host`, by correlation ID. The first call with an ID wins.
    calls: HashMap<i64, usize>,
}

impl RecordingIndex {
    pub(super) fn new(events: Vec<PathEvent>) -> Self {
        let mut recording = Self::default();
        let mut syncs = Vec::new();
        for event in events {
            match event.role {
                EventRole::Window => recording.windows.push(event),
                EventRole::Work => recording.work.push(event),
                // Skip empty intervals: they take no time and enclose no other event.
                role if role.is_host() || role == EventRole::Mark => {
                    if event.end > event.ts {
                        recording.host.push(event);
                    }
                }
                _ => syncs.push(event),
            }
        }
        recording.windows.sort_by_key(|event| (event.ts, event.row));
        recording.host.sort_by_key(|event| (event.ts, Reverse(event.end), event.row));
        recording.work.sort_by_key(|event| (event.ts, event.end, event.stream, event.row));
        syncs.sort_by_key(|event| (event.end, event.row));
        for (index, event) in recording.host.iter().enumerate() {
            if let (true, Some(correlation)) = (event.role.is_call(), event.correlation) {
                recording.calls.entry(correlation).or_insert(index);
            }
        }
        let queues = recording.find_launches();
        recording.find_waits(&syncs, &queues);
        recording
    }

    /// Returns the range of indexes in `host` of the events that start in a window.
    pub(super) fn window_range(&self, window: &PathEvent) -> Range<usize> {
        let first_from = |ts: i64| self.host.partition_point(|event| event.ts < ts);
        first_from(window.ts)..first_from(window.end)
    }

    /// Indexes of the work items that these calls launched, in order of time.
    pub(super) fn work_launched_by(&self, calls: &Range<usize>) -> Vec<usize> {
        let mut work: Vec<usize> = pairs_in_range(&self.launched_work, calls).iter().map(|(_, work)| *work).collect();
        work.sort_unstable();
        work
    }

    /// Pairs of one of these calls and a work item that it waited for.
    pub(super) fn host_waits_of(&self, calls: &Range<usize>) -> &[(usize, usize)] {
        pairs_in_range(&self.host_waits, calls)
    }

    /// Indexes of the work items that the stream of a work item waited for before it.
    pub(super) fn stream_waits_of(&self, work: usize) -> impl Iterator<Item = usize> {
        pairs_in_range(&self.stream_waits, &(work..work + 1)).iter().map(|(_, other)| *other)
    }

    /// Finds the call with a correlation ID. Returns its index in `host`.
    fn find_call(&self, correlation: Option<i64>) -> Option<usize> {
        self.calls.get(&correlation?).copied()
    }

    /// Finds the launch of each work item, and whether other work items were queued on its stream
    /// between launch and start.
    ///
    /// The start of a launch adds one to the length of the queue. The start of the first work item
    /// that it launched subtracts one. A CUDA graph launches several work items at once. It counts
    /// as one launch for each stream.
    fn find_launches(&mut self) -> LaunchQueues {
        let mut launches: BTreeSet<(usize, DeviceStream)> = BTreeSet::new();
        // For each stream: the time of a start, whether the work item starts (false: its launch
        // starts), and the index of the work item.
        let mut changes: BTreeMap<DeviceStream, Vec<(i64, bool, usize)>> = BTreeMap::new();
        let mut last: BTreeMap<DeviceStream, usize> = BTreeMap::new();
        for (index, work) in self.work.iter().enumerate() {
            self.previous_work.push(last.insert(work.stream, index));
            let call = self.find_call(work.correlation);
            self.launches.push(call.map(|call| Launch { call, is_queue_empty: false }));
            let Some(call) = call else { continue };
            self.launched_work.push((call, index));
            if launches.insert((call, work.stream)) {
                let changes = changes.entry(work.stream).or_default();
                changes.extend([(self.host[call].ts, false, index), (work.ts, true, index)]);
            }
        }
        self.launched_work.sort_unstable();
        let mut queues = LaunchQueues::default();
        for (stream, mut changes) in changes {
            changes.sort_unstable();
            let mut waiting = 0_i64;
            for (time, is_work_start, work) in changes {
                let Some(launch) = &mut self.launches[work] else { continue };
                if is_work_start {
                    waiting -= 1;
                    launch.is_queue_empty &= waiting == 0;
                } else {
                    waiting += 1;
                    launch.is_queue_empty = waiting == 1;
                    queues.streams.entry(stream).or_default().push((time, work));
                    queues.threads.entry((stream, self.host[launch.call].thread)).or_default().push((time, work));
                }
            }
        }
        queues
    }

    /// Finds the work items that each synchronization waited for. Goes through the starts of work
    /// items and the ends of synchronizations in order of time.
    fn find_waits(&mut self, syncs: &[PathEvent], queues: &LaunchQueues) {
        let mut last_work: BTreeMap<DeviceStream, usize> = BTreeMap::new();
        let mut started = 0;
        for sync in syncs {
            while let Some(work) = self.work.get(started).filter(|work| work.ts < sync.end) {
                last_work.insert(work.stream, started);
                started += 1;
            }
            let Some(call) = self.find_call(sync.correlation) else { continue };
            let (device, _) = sync.stream;
            match sync.role {
                EventRole::StreamSync => {
                    self.host_waits.extend(last_work.get(&sync.stream).map(|work| (call, *work)));
                }
                EventRole::ContextSync => {
                    let device_work = last_work.range((device, None)..(device + 1, None));
                    self.host_waits.extend(device_work.map(|(_, work)| (call, *work)));
                }
                _ => {
                    let record_time = self.find_call(sync.record).map(|record| self.host[record].ts);
                    let stream = (device, sync.record_stream);
                    let Some(source) = record_time.and_then(|ts| queues.last_before(stream, ts)) else { continue };
                    if sync.role == EventRole::EventSync {
                        self.host_waits.push((call, source));
                    } else if let Some(next) = queues.first_after(sync.stream, &self.host[call]) {
                        self.stream_waits.push((next, source));
                    }
                }
            }
        }
        self.host_waits.sort_unstable();
        self.stream_waits.sort_unstable();
    }
}

/// Returns the pairs with a first index in this range. The pairs must be sorted.
fn pairs_in_range<'a>(sorted: &'a [(usize, usize)], range: &Range<usize>) -> &'a [(usize, usize)] {
    let first_from = |index: usize| sorted.partition_point(|(first, _)| *first < index);
    &sorted[first_from(range.start)..first_from(range.end).max(first_from(range.start))]
}

/// The work items that were launched onto each stream, each with the start of its launch, in order
/// of time.
#[derive(Debug, Default)]
struct LaunchQueues {
    streams: HashMap<DeviceStream, Vec<(i64, usize)>>,
    /// The same for each stream and launching thread.
    threads: HashMap<(DeviceStream, HostThread), Vec<(i64, usize)>>,
}

impl LaunchQueues {
    /// The last work item that was launched onto a stream at or before a time.
    fn last_before(&self, stream: DeviceStream, ts: i64) -> Option<usize> {
        let launches = self.streams.get(&stream)?;
        let after = launches.partition_point(|(launch, _)| *launch <= ts);
        Some(launches[after.checked_sub(1)?].1)
    }

    /// The first work item that the thread of a call launched onto a stream at or after the start
    /// of the call.
    fn first_after(&self, stream: DeviceStream, call: &PathEvent) -> Option<usize> {
        let launches = self.threads.get(&(stream, call.thread))?;
        Some(launches.get(launches.partition_point(|(launch, _)| *launch < call.ts))?.1)
    }
}
