//! The events of one file: times, tracks, categories, and the rows they become.

use std::collections::BTreeSet;

use super::args::{Args, Sort, canonical};
use super::header::{self, Glance, Header};
use super::label::Labels;
use super::name::Name;
use super::overlap::Overlaps;
use super::root::{Owner, Root};
use super::track::{Id, Tracks, Where};
use super::unnumbered::Unnumbered;
use super::vocabulary::{self, Side};
use crate::place::Place;
use crate::secret::{clean, quote};
use crate::table::{Allocation, Category, Event, Loader, Mode, Rows, Severity, Step};
use crate::trace_event::interval::{Intervals, Open};
use crate::trace_event::{self, Damage, Fields, Item, counter};
use crate::{ObjectInfo, json};

/// From here on a time in ns counts from the epoch, and not from a base: it lies in 2001. No profile is
/// older, and nothing that counts from a later start gets there.
const ABSOLUTE: i64 = 1_000_000_000_000_000_000;

/// Members before the events are kept back until it is known whose they are, up to so many bytes.
const MAX_HELD: usize = 32 << 20;

/// Which format the file is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The PyTorch profiler.
    Kineto,
    /// Anything else that writes trace events.
    Chrome,
}

/// The state of one file.
#[derive(Debug)]
pub(super) struct Trace {
    dialect: Dialect,
    header: Header,
    span: i64,
    /// Whether rank and machine are settled.
    begun: bool,
    object: ObjectInfo,
    mode: Option<Mode>,
    root: Root,
    held: Vec<(String, String, Place)>,
    held_bytes: usize,
    tracks: Tracks,
    intervals: Intervals<String>,
    /// An interval began or ended.
    paired: bool,
    overlaps: Overlaps,
    labels: Labels,
    unnumbered: Unnumbered,
    args: Args,
    /// Kind, number and name of the device met last.
    device: ((&'static str, i64), String),
    /// Next `row`.
    row: i64,
    pub(super) found: Found,
}

/// What a file held so far.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Found {
    /// Events and metadata that could be read.
    pub(super) read: u64,
    /// Elements that could not.
    pub(super) bad: u64,
    /// The file ended too early.
    pub(super) truncated: bool,
    /// The root is that of an execution trace.
    pub(super) execution_trace: bool,
}

/// How a row of `event` came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Start and end were recorded.
    Interval,
    /// The end was not.
    Unclosed,
    /// A moment.
    Instant,
    /// An arrow begins or goes on.
    Flow,
    /// An arrow ends.
    FlowEnd,
}

/// The parts of an event that is written, raw.
#[derive(Debug, Clone, Copy)]
struct Parts<'a> {
    name: Option<&'a str>,
    cat: Option<&'a str>,
    pid: Option<&'a str>,
    tid: Option<&'a str>,
    /// `pid` and `tid`, where both showed to be integers when they were read.
    ids: Option<(i64, i64)>,
    ts: Option<&'a str>,
    /// `ts` in ns as it was written.
    relative: Option<i64>,
    dur: Option<i64>,
    shape: Shape,
    place: Place,
}

impl Trace {
    /// A file begins.
    pub(super) fn new(dialect: Dialect, object: &ObjectInfo) -> Self {
        let name = Name::parse(&object.path);
        Self {
            dialect,
            header: Header::default(),
            span: object.recording.unwrap_or(0),
            begun: false,
            mode: name.mode(),
            object: object.clone(),
            root: Root::default(),
            held: Vec::new(),
            held_bytes: 0,
            tracks: Tracks::new(dialect == Dialect::Chrome),
            intervals: Intervals::default(),
            paired: false,
            overlaps: Overlaps::default(),
            labels: Labels::new(object.step_annotation.clone()),
            unnumbered: Unnumbered::default(),
            args: Args::default(),
            device: (("", 0), String::new()),
            row: 0,
            found: Found::default(),
        }
    }

    /// Takes what stands at the end of the file.
    pub(super) fn tail(&mut self, tail: &[u8]) {
        let glance = Glance::tail(tail);
        self.header = glance.header;
        for (pid, tid, name) in glance.threads {
            self.tracks.name_thread(pid, tid, &name);
        }
    }

    /// The state of a section further on in the file, as far as it is known; none before the first event.
    pub(super) fn ahead(&self) -> Option<Self> {
        // Marks without a number are counted in their order.
        if !self.begun || self.object.step_annotation.is_some() {
            return None;
        }
        Some(Self {
            begun: true,
            header: self.header.clone(),
            span: self.span,
            mode: self.mode,
            tracks: self.tracks.few()?,
            overlaps: Overlaps::in_order(),
            ..Self::new(self.dialect, &ObjectInfo::default())
        })
    }

    /// Takes a section of the file that follows here and in which nothing was wrong; gives the number of its first row. None
    /// if it would have been read in another way from here.
    pub(super) fn join(&mut self, ahead: Self) -> Option<i64> {
        if ahead.paired || !self.tracks.join(ahead.tracks) {
            return None;
        }
        ahead.overlaps.replay(|track, ts, dur| self.overlaps.add(track, ts, dur));
        self.found.read += ahead.found.read;
        let first = self.row;
        self.row += ahead.row;
        Some(first)
    }

    /// Settles whose the rows are, before the first one.
    fn begin(&mut self, rows: &mut Rows) {
        if self.begun {
            return;
        }
        self.begun = true;
        let name = Name::parse(&self.object.path);
        self.header.rank = self.header.rank.or(name.rank());
        self.header.host = self.header.host.take().or(name.host().map(str::to_owned));
        self.header.host = self.header.host.take().map(|host| clean(&host, Place::START, rows).into_owned());
        for (key, raw, place) in std::mem::take(&mut self.held) {
            self.member(&key, &raw, place, rows);
        }
    }

    /// The file ended.
    pub(super) fn end(&mut self, rows: &mut Rows) {
        self.begin(rows);
        for open in self.intervals.take() {
            self.unclosed(&open, rows);
        }
        let (node, rank, span) = (self.header.host.as_deref(), self.header.rank, Some(self.span));
        let mode = self.mode.map(Mode::as_str);
        self.unnumbered.write(&Step { node, rank, span, mode, ..Step::default() }, rows);
        let (overlaps, whole) = std::mem::take(&mut self.overlaps).finish();
        for _ in 0..overlaps {
            rows.problem(Severity::Notice, "partial_overlap", None, || {
                let least = if whole { "" } else { "; they were compared in groups, so there may be more" };
                format!("intervals of one track overlap partly: do not sum their durations{least}")
            });
        }
        if self.dialect == Dialect::Kineto {
            rows.framework("pytorch");
        }
    }

    /// Takes what the reader found.
    #[inline]
    pub(super) fn item(&mut self, item: &Item<'_>, rows: &mut Rows) {
        match *item {
            Item::Event(_, Some(fields), place) => self.fields(fields, place, rows),
            Item::Event(text, None, place) => self.event(text, place, rows),
            Item::Entry(key, raw, place) => self.entry(key, raw, place, rows),
            Item::Damage(damage, place) => {
                self.found.truncated |= matches!(damage, Damage::Truncated | Damage::TruncatedEvent);
                self.found.bad += u64::from(matches!(damage, Damage::Event(_)));
                damage.report(place, rows);
            }
        }
    }

    fn entry(&mut self, key: &str, raw: &str, place: Place, rows: &mut Rows) {
        self.found.execution_trace |= header::is_execution_trace(key, raw);
        if self.begun {
            let mut now = self.header.clone();
            now.learn(key, raw);
            if now.base != self.header.base {
                rows.problem(Severity::Warning, "late_base", place.byte(), || {
                    format!("{place}: {} is {}, which was not known when the events were read", quote(key), quote(raw))
                });
            }
            if now.rank != self.header.rank {
                rows.problem(Severity::Warning, "late_rank", place.byte(), || {
                    format!("{place}: {} has a rank that was not known when the events were read", quote(key))
                });
            }
            self.member(key, raw, place, rows);
        } else {
            self.header.learn(key, raw);
            self.held_bytes += key.len() + raw.len();
            self.held.push((key.to_owned(), raw.to_owned(), place));
            if self.held_bytes > MAX_HELD {
                self.begin(rows);
            }
        }
    }

    fn member(&mut self, key: &str, raw: &str, place: Place, rows: &mut Rows) {
        let owner = Owner { node: self.header.host.as_deref(), rank: self.header.rank };
        self.root.member(key, raw, owner, place, rows);
    }

    fn bad(&mut self, rows: &mut Rows, place: Place, why: &str) {
        self.found.bad += 1;
        trace_event::bad(why, place, rows);
    }

    fn event(&mut self, text: &str, place: Place, rows: &mut Rows) {
        // an event that chunks cut is read like any other
        let mut room = Vec::new();
        if let Some(fields) = Fields::plain(text, &mut room) {
            return self.fields(&fields, place, rows);
        }
        let read = trace_event::read(text, place, rows, |fields, rows| self.fields(fields, place, rows));
        if let Err(error) = read {
            self.bad(rows, place, &error.to_string());
        }
    }

    fn fields(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        let phase = fields.phase();
        if phase.is_empty() {
            if fields.is_empty() {
                return rows.problem(Severity::Notice, "empty_object", place.byte(), || {
                    format!("{place}: an empty object instead of an event")
                });
            }
            return self.bad(rows, place, "no ph, the type of the event");
        }
        self.found.read += 1;
        if phase == "M" {
            return self.metadata(fields, place, rows);
        }
        self.begin(rows);
        self.args.clear();
        match phase {
            "X" => {
                if fields.dur.is_none() {
                    rows.repair("no_dur", place.byte(), || format!("{place}: no dur; duration unknown"));
                }
                self.one(fields, Shape::Interval, place, rows);
            }
            "i" | "I" | "n" => self.one(fields, Shape::Instant, place, rows),
            "s" | "t" | "f" => {
                self.args.add_text("ph", phase);
                self.one(fields, if phase == "f" { Shape::FlowEnd } else { Shape::Flow }, place, rows);
            }
            "C" => self.counter(fields, place, rows),
            "B" | "b" | "S" => self.open(fields, phase, place, rows),
            "E" | "e" | "F" => self.close(fields, phase, place, rows),
            other => {
                self.args.add_text("ph", other);
                self.one(fields, Shape::Instant, place, rows);
            }
        }
    }

    /// An event that stands alone.
    fn one(&mut self, fields: &Fields<'_>, shape: Shape, place: Place, rows: &mut Rows) {
        let flow = matches!(shape, Shape::Flow | Shape::FlowEnd);
        let launch = flow && fields.cat.and_then(json::unquote).is_some_and(|cat| vocabulary::is_launch(&cat));
        let mut id = fields.id;
        if launch {
            self.args.correlation = id.and_then(canonical);
            id = id.filter(|_| self.args.correlation.is_none());
        }
        if let Some(raw) = id {
            self.args.add("id", raw);
        }
        for (key, raw) in &fields.extra {
            self.args.add(key, raw);
        }
        let relative = fields.start(place, rows);
        let dur = fields.dur.filter(|_| shape == Shape::Interval);
        let dur = dur.and_then(|raw| {
            let dur = fields.duration(place, rows);
            if dur.is_none() && raw != "null" {
                self.args.add("dur", raw);
            }
            dur
        });
        let Fields { name, cat, pid, tid, ts, numbers, .. } = *fields;
        let ids = numbers.pid.zip(numbers.tid);
        let parts = Parts { name, cat, pid, tid, ids, ts, relative, dur, shape, place };
        self.emit(&parts, rows, |args, sort, rows| match (fields.args, fields.members) {
            (Some(raw), Some(members)) => args.take(raw, members, sort),
            (Some(raw), None) => args.scan(raw, sort, place, rows),
            (None, _) => {}
        });
    }

    /// Nanoseconds since the epoch; what cannot be told stays in the arguments as it was written.
    #[inline]
    fn time(&mut self, relative: Option<i64>, raw: Option<&str>, place: Place, rows: &mut Rows) -> Option<i64> {
        let raw = raw?;
        let Some(relative) = relative else {
            if raw != "null" {
                self.args.add("ts", raw);
            }
            return None;
        };
        if relative >= ABSOLUTE {
            return Some(relative);
        }
        let Some(base) = self.header.base else {
            self.args.add("ts", raw);
            rows.repair("no_offset", place.byte(), || {
                format!("{place}: the base of ts is unknown; ts is stored in args")
            });
            return None;
        };
        let ts = relative.checked_add(base);
        if ts.is_none() {
            self.args.add("ts", raw);
            rows.repair("out_of_range", place.byte(), || {
                format!("{place}: ts is {}, too far from the epoch; it is stored in args", quote(raw))
            });
        }
        ts
    }

    fn metadata(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        let what = fields.name.unwrap_or_default();
        if !matches!(what, "\"process_name\"" | "\"thread_name\"") {
            return;
        }
        let mut name = None;
        let read = json::members(fields.args.unwrap_or("null"), |key, raw| {
            if key == "name" {
                name = json::unquote(raw).map(|name| clean(&name, place, rows).into_owned());
            }
        });
        let Some(name) = name.filter(|_| read.is_ok()) else {
            return rows.repair("bad_metadata", place.byte(), || format!("{place}: {what} without a name"));
        };
        let pid = Id::parse(fields.pid);
        let in_time = if what == "\"thread_name\"" {
            self.tracks.name_thread(pid, Id::parse(fields.tid), &name)
        } else {
            self.tracks.name_process(pid, &name)
        };
        if !in_time {
            rows.problem(Severity::Notice, "late_name", place.byte(), || {
                format!("{place}: the name {name} of a track comes after its events, which have the earlier name")
            });
        }
    }

    /// Every number of a counter is a measurement.
    fn counter(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        let Some(values) = counter::values(fields, place, rows) else {
            return self.bad(rows, place, "a counter without a number in args");
        };
        let relative = fields.start(place, rows);
        let ts = self.time(relative, fields.ts, place, rows);
        let (node, rank) = (self.header.host.as_deref(), self.header.rank);
        counter::samples(fields, &values, node, rank, ts, &mut self.row, place, rows);
    }

    fn open(&mut self, fields: &Fields<'_>, phase: &str, place: Place, rows: &mut Rows) {
        self.paired = true;
        let relative = fields.start(place, rows);
        let open = Open::new(fields, 1, place, relative, None);
        if let Some(oldest) = self.intervals.begin(pairing(fields, phase), open) {
            self.unclosed(&oldest, rows);
        }
    }

    fn close(&mut self, fields: &Fields<'_>, phase: &str, place: Place, rows: &mut Rows) {
        self.paired = true;
        let Some(open) = self.intervals.end(&pairing(fields, phase), None) else {
            return rows.skip("end_without_begin", place.byte(), || {
                format!("{place}: an end ({phase}) without a beginning before it")
            });
        };
        let end = fields.start(place, rows);
        let dur = open.relative.zip(end).and_then(|(from, to)| to.checked_sub(from));
        for (key, raw) in &open.extra {
            if !matches!(key.as_str(), "cat" | "s" | "bp") && !fields.others().any(|(other, _)| other == key) {
                self.args.add(key, raw);
            }
        }
        for (key, raw) in fields.others().filter(|(key, _)| !matches!(*key, "cat" | "s" | "bp")) {
            self.args.add(key, raw);
        }
        let mut overruled = BTreeSet::new();
        if let Some(raw) = fields.args {
            // damage is reported when the members are read below
            let _ = json::members(raw, |key, _| {
                overruled.insert(key.to_owned());
            });
        }
        let cat = open.other("cat").or(fields.cat);
        let parts = Parts {
            name: open.name.as_deref().or(fields.name),
            cat,
            pid: open.pid.as_deref(),
            tid: open.tid.as_deref(),
            ids: None,
            ts: open.ts.as_deref(),
            relative: open.relative,
            dur,
            shape: Shape::Interval,
            place: open.place,
        };
        self.emit(&parts, rows, |args, sort, rows| {
            if let Some(raw) = open.args.as_deref() {
                args.read(raw, |key| overruled.contains(key), sort, open.place, rows);
            }
            if let Some(raw) = fields.args {
                args.read(raw, |_| false, sort, place, rows);
            }
        });
    }

    fn unclosed(&mut self, open: &Open, rows: &mut Rows) {
        self.args.clear();
        let place = open.place;
        for (key, raw) in &open.extra {
            if !matches!(key.as_str(), "cat" | "s" | "bp") {
                self.args.add(key, raw);
            }
        }
        rows.repair("unclosed", place.byte(), || format!("{place}: a beginning without an end; duration unknown"));
        let parts = Parts {
            name: open.name.as_deref(),
            cat: open.other("cat"),
            pid: open.pid.as_deref(),
            tid: open.tid.as_deref(),
            ids: None,
            ts: open.ts.as_deref(),
            relative: open.relative,
            dur: None,
            shape: Shape::Unclosed,
            place,
        };
        self.emit(&parts, rows, |args, sort, rows| {
            if let Some(raw) = open.args.as_deref() {
                args.read(raw, |_| false, sort, place, rows);
            }
        });
    }

    /// Writes the rows of one event; `read` reads its arguments.
    #[inline]
    fn emit(&mut self, parts: &Parts<'_>, rows: &mut Rows, read: impl FnOnce(&mut Args, Sort, &mut Rows)) {
        let Parts { shape, place, .. } = *parts;
        let label = self.labels.take(parts.name, parts.cat, place, rows);
        let (name, cat, side) = (label.name(), label.cat(), label.side());
        let category = match shape {
            Shape::Flow | Shape::FlowEnd => Category::Flow,
            _ => label.category(),
        };
        let sort = match (category, side) {
            (Category::Memory, _) => Sort::Memory,
            (_, Side::Device(_)) => Sort::Device,
            _ => Sort::Host,
        };
        read(&mut self.args, sort, rows);

        let place_of = match (shape, side) {
            (Shape::Flow, _) => Where::Either { else_device: false },
            (Shape::FlowEnd, _) => Where::Either { else_device: vocabulary::is_launch(cat) },
            (_, Side::Device(_)) => Where::Device,
            _ => Where::Host,
        };
        let track = self.tracks.find(parts.pid, parts.tid, parts.ids, place_of);
        let ts = self.time(parts.relative, parts.ts, place, rows);
        if let (Shape::Interval, Some(from), Some(dur)) = (shape, parts.relative, parts.dur) {
            self.overlaps.add(track, from, dur);
        }
        let memory_device;
        let Some(track) = self.tracks.get(track) else { return };
        let (pid, tid) = (track.pid(), track.tid());
        let device = match side {
            _ if category == Category::Memory => {
                memory_device = vocabulary::memory_device(self.args.device_type, self.args.device);
                memory_device.as_deref()
            }
            Side::Device(kind) => self.args.device.or(pid).map(|number| {
                if self.device.0 != (kind, number) {
                    self.device = ((kind, number), format!("{kind}{number}"));
                }
                self.device.1.as_str()
            }),
            Side::Host => Some("cpu"),
            Side::Unknown => None,
        };
        let stream = self.args.stream.or(tid.filter(|_| sort == Sort::Device));
        let marks_step = category == Category::Step;
        let step = label.step().filter(|_| marks_step);
        let loader = (category == Category::Loader).then(|| vocabulary::loader(name)).flatten();
        let mode = self.mode.filter(|_| marks_step).map(Mode::as_str);
        let Args { correlation, external_id, unfinished, address, bytes, allocated_bytes, reserved_bytes, .. } =
            self.args;
        let (node, rank, span) = (self.header.host.as_deref(), self.header.rank, Some(self.span));
        let row = self.row;
        self.row += 1;
        let dur = parts.dur;
        let args = self.args.rest(place, rows);
        rows.event(&Event {
            node,
            rank,
            span,
            category: Some(category.as_str()),
            raw_category: Some(cat).filter(|cat| !cat.is_empty()),
            name: Some(name).filter(|name| !name.is_empty()),
            track: track.name(),
            ts,
            dur,
            step,
            mode,
            pid,
            tid,
            device,
            stream,
            correlation,
            external_id,
            args,
            row,
        });
        if marks_step && shape != Shape::Instant {
            let complete = Some(shape == Shape::Interval && dur.is_some() && !unfinished);
            let step = Step { node, rank, span, step, mode, ts, dur, complete, row };
            match step.step {
                Some(_) => rows.step(&step),
                None => self.unnumbered.push(&step, rows),
            }
        }
        if let Some(loader) = loader {
            rows.loader(&Loader {
                node,
                rank,
                kind: Some(loader.kind),
                ts,
                dur,
                num_workers: loader.num_workers,
                pid,
                loader: Some(loader.class),
                row,
                ..Loader::default()
            });
        }
        if sort == Sort::Memory {
            rows.allocation(&Allocation {
                node,
                rank,
                span,
                ts,
                device,
                address,
                bytes,
                allocated_bytes,
                reserved_bytes,
                row,
            });
        }
        self.labels.keep(label);
    }
}

/// What the two ends of an interval have in common: their thread, or for asynchronous ones their
/// category and id.
fn pairing(fields: &Fields<'_>, phase: &str) -> String {
    let raw = |raw: Option<&str>| raw.unwrap_or_default().to_owned();
    match phase {
        "B" | "E" => format!("{} {}", raw(fields.pid), raw(fields.tid)),
        _ => {
            let id2 = fields.extra.iter().find(|(key, _)| key == "id2").map(|(_, raw)| *raw);
            // an id that says so holds within its process
            let mut local = false;
            if fields.id.is_none() {
                // an id that cannot be read is taken as it is
                let _ = json::members(id2.unwrap_or("{}"), |key, _| local |= key == "local");
            }
            let pid = raw(fields.pid.filter(|_| local));
            let kind = if matches!(phase, "b" | "e") { 'b' } else { 'S' };
            format!("{kind} {} {} {pid}", raw(fields.cat), raw(fields.id.or(id2)))
        }
    }
}
