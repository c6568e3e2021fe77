//! What has to be known of a whole recording before one of its windows is looked into.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::event::{Event, Lane, Role, Thread};

/// What launched a kernel, copy or fill.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch {
    /// The call, as a place in `host`.
    pub(super) call: usize,
    /// Whether nothing else waited in the stream from the launch to the start.
    pub(super) alone: bool,
}

/// The rows of a recording by what they are, each in order of time.
#[derive(Debug, Default)]
pub(super) struct Recording {
    pub(super) windows: Vec<Event>,
    /// What is on threads and has a length; marks too. What encloses comes first.
    pub(super) host: Vec<Event>,
    /// Kernels, copies and fills.
    pub(super) work: Vec<Event>,
    /// For each work its launch; none when that was not recorded.
    pub(super) launches: Vec<Option<Launch>>,
    /// For each work the one before it on its stream.
    pub(super) before: Vec<Option<usize>>,
    /// Pairs of a work and another one that its stream waited for.
    stream_waits: Vec<(usize, usize)>,
    /// Pairs of a call and a work that it waited for.
    host_waits: Vec<(usize, usize)>,
    /// Pairs of a call and a work that it launched.
    launched: Vec<(usize, usize)>,
    calls: HashMap<i64, usize>,
}

impl Recording {
    pub(super) fn new(events: Vec<Event>) -> Self {
        let mut recording = Self::default();
        let mut syncs = Vec::new();
        for event in events {
            match event.role {
                Role::Window => recording.windows.push(event),
                Role::Work => recording.work.push(event),
                // what has no length takes no time and encloses nothing
                role if role.is_host() || role == Role::Mark => {
                    if event.end > event.ts {
                        recording.host.push(event);
                    }
                }
                _ => syncs.push(event),
            }
        }
        recording.windows.sort_by_key(|event| (event.ts, event.row));
        recording.host.sort_by_key(|event| (event.ts, Reverse(event.end), event.row));
        recording.work.sort_by_key(|event| (event.ts, event.end, event.lane, event.row));
        syncs.sort_by_key(|event| (event.end, event.row));
        for (place, event) in recording.host.iter().enumerate() {
            if let (true, Some(correlation)) = (event.role.is_call(), event.correlation) {
                recording.calls.entry(correlation).or_insert(place);
            }
        }
        let queues = recording.follow_launches();
        recording.follow_syncs(&syncs, &queues);
        recording
    }

    /// The places in `host` of what starts in a window.
    pub(super) fn host_in(&self, window: &Event) -> Range<usize> {
        let before = |ts: i64| self.host.partition_point(|event| event.ts < ts);
        before(window.ts)..before(window.end)
    }

    /// What some calls launched, in order of time.
    pub(super) fn work_of(&self, calls: &Range<usize>) -> Vec<usize> {
        let mut work: Vec<usize> = pairs(&self.launched, calls).iter().map(|(_, work)| *work).collect();
        work.sort_unstable();
        work
    }

    /// For each of some calls the work that it waited for.
    pub(super) fn waits_of(&self, calls: &Range<usize>) -> &[(usize, usize)] {
        pairs(&self.host_waits, calls)
    }

    /// The work for which the stream of another one waited before it.
    pub(super) fn waits_of_work(&self, work: usize) -> impl Iterator<Item = usize> {
        pairs(&self.stream_waits, &(work..work + 1)).iter().map(|(_, other)| *other)
    }

    fn call(&self, correlation: Option<i64>) -> Option<usize> {
        self.calls.get(&correlation?).copied()
    }

    /// Finds the launch of all work, and what waited meanwhile: a launch lengthens the queue of its stream by one when it begins, the
    /// first work that it brought shortens it when that starts. A graph launches much at once: one launch for each stream.
    fn follow_launches(&mut self) -> Queues {
        let mut first: BTreeSet<(usize, Lane)> = BTreeSet::new();
        let mut marks: BTreeMap<Lane, Vec<(i64, bool, usize)>> = BTreeMap::new();
        let mut last: BTreeMap<Lane, usize> = BTreeMap::new();
        for (place, work) in self.work.iter().enumerate() {
            self.before.push(last.insert(work.lane, place));
            let call = self.call(work.correlation);
            self.launches.push(call.map(|call| Launch { call, alone: false }));
            let Some(call) = call else { continue };
            self.launched.push((call, place));
            if first.insert((call, work.lane)) {
                let marks = marks.entry(work.lane).or_default();
                marks.extend([(self.host[call].ts, false, place), (work.ts, true, place)]);
            }
        }
        self.launched.sort_unstable();
        let mut queues = Queues::default();
        for (lane, mut marks) in marks {
            marks.sort_unstable();
            let mut waiting = 0_i64;
            for (at, starts, work) in marks {
                let Some(launch) = &mut self.launches[work] else { continue };
                if starts {
                    waiting -= 1;
                    launch.alone &= waiting == 0;
                } else {
                    waiting += 1;
                    launch.alone = waiting == 1;
                    queues.streams.entry(lane).or_default().push((at, work));
                    queues.threads.entry((lane, self.host[launch.call].thread)).or_default().push((at, work));
                }
            }
        }
        queues
    }

    /// Finds out who waited for what: goes through work as it starts and synchronization as it ends.
    fn follow_syncs(&mut self, syncs: &[Event], queues: &Queues) {
        let mut last: BTreeMap<Lane, usize> = BTreeMap::new();
        let mut started = 0;
        for sync in syncs {
            while let Some(work) = self.work.get(started).filter(|work| work.ts < sync.end) {
                last.insert(work.lane, started);
                started += 1;
            }
            let Some(call) = self.call(sync.correlation) else { continue };
            let (device, _) = sync.lane;
            match sync.role {
                Role::StreamSync => self.host_waits.extend(last.get(&sync.lane).map(|work| (call, *work))),
                Role::ContextSync => {
                    self.host_waits
                        .extend(last.range((device, None)..(device + 1, None)).map(|(_, work)| (call, *work)));
                }
                _ => {
                    let recorded = self.call(sync.record).map(|record| self.host[record].ts);
                    let lane = (device, sync.record_stream);
                    let Some(source) = recorded.and_then(|ts| queues.before(lane, ts)) else { continue };
                    if sync.role == Role::EventSync {
                        self.host_waits.push((call, source));
                    } else if let Some(next) = queues.after(sync.lane, &self.host[call]) {
                        self.stream_waits.push((next, source));
                    }
                }
            }
        }
        self.host_waits.sort_unstable();
        self.stream_waits.sort_unstable();
    }
}

/// Those of sorted pairs that begin with one of these.
fn pairs<'a>(sorted: &'a [(usize, usize)], of: &Range<usize>) -> &'a [(usize, usize)] {
    let before = |place: usize| sorted.partition_point(|(first, _)| *first < place);
    &sorted[before(of.start)..before(of.end).max(before(of.start))]
}

/// What was launched onto each stream, by all threads and by each: starts of the calls in order, and the work.
#[derive(Debug, Default)]
struct Queues {
    streams: HashMap<Lane, Vec<(i64, usize)>>,
    threads: HashMap<(Lane, Thread), Vec<(i64, usize)>>,
}

impl Queues {
    /// The last work that was launched onto a stream before a time.
    fn before(&self, lane: Lane, ts: i64) -> Option<usize> {
        let launches = self.streams.get(&lane)?;
        let after = launches.partition_point(|(launch, _)| *launch <= ts);
        Some(launches[after.checked_sub(1)?].1)
    }

    /// The first work that the thread of a call launched onto a stream after it.
    fn after(&self, lane: Lane, call: &Event) -> Option<usize> {
        let launches = self.threads.get(&(lane, call.thread))?;
        Some(launches.get(launches.partition_point(|(launch, _)| *launch < call.ts))?.1)
    }
}
