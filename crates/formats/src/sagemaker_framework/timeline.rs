//! The events of one process in time: phases and threads by name, time base, open intervals.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::args::{self, Args};
use super::known::KnownNames;
use super::name::{self, Kind, Name, Process};
use super::vocabulary::{self, Meaning};
use crate::number::{Number, scaled};
use crate::place::Place;
use crate::table::{Category, Event, Loader, Mode, Rows, RunAttribute, Severity, Step};
use crate::trace_event::interval::{Intervals, Open};
use crate::trace_event::{self, Damage, Fields, Item, counter};
use crate::{ObjectInfo, json, secret};

/// More phases or threads than any timeline has; further ones stay without a name.
const MAX_NAMES: usize = 1 << 17;

/// More distinct attributes than a run has; further ones are not kept.
const MAX_ATTRIBUTES: usize = 4096;

/// The state of one group of files.
#[derive(Debug)]
pub(super) struct Timeline {
    /// How many files of the group have begun.
    file: u64,
    kind: Kind,
    category: String,
    host: Option<String>,
    process: Process,
    names: KnownNames,
    phases: BTreeMap<i64, Phase>,
    threads: HashMap<(i64, i64), String>,
    /// The meaning of events without a phase.
    unknown: Meaning,
    intervals: Intervals<i64>,
    /// Whether the group ended with an interval open.
    left_open: bool,
    /// What `ts` counts from, in ns.
    offset: Option<i64>,
    /// Whether this file has said so itself, or was told off for not doing so.
    offset_known: bool,
    /// Next `row` of this file.
    row: i64,
    attributes: BTreeSet<(&'static str, String)>,
    framework: Option<&'static str>,
    args: Args,
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
}

#[derive(Debug)]
struct Phase {
    /// As written, to tell a repetition from a change.
    raw: String,
    name: String,
    meaning: Meaning,
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
}

impl Default for Timeline {
    fn default() -> Self {
        Self {
            file: 0,
            kind: Kind::Other,
            category: String::new(),
            host: None,
            process: Process { rank: None, pid: None, span: 0 },
            names: KnownNames::default(),
            phases: BTreeMap::new(),
            threads: HashMap::new(),
            unknown: Meaning::unknown(Kind::Other),
            intervals: Intervals::default(),
            left_open: false,
            offset: None,
            offset_known: false,
            row: 0,
            attributes: BTreeSet::new(),
            framework: None,
            args: Args::default(),
            found: Found::default(),
        }
    }
}

impl Timeline {
    /// A file begins.
    pub(super) fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) {
        self.file += 1;
        self.row = 0;
        self.found = Found::default();
        self.offset_known = false;
        if self.file > 1 {
            return;
        }
        if name::is_tensorflow_trace(&object.path) || !name::is_timeline(&object.path) {
            self.begin_trace(object);
        } else {
            let name = Name::parse(object.name());
            if name.host.is_none() {
                rows.problem(Severity::Notice, "bad_name", None, || {
                    let file = object.name();
                    format!("the name {file} is not <end_us>_<number>-<host>_<kind>.json: node unknown")
                });
            }
            self.process = name::process(name.host.as_deref(), name.number, &object.siblings);
            (self.kind, self.category, self.host) = (name.kind, name.category, name.host);
            if self.kind == Kind::Model {
                self.framework = Some("tensorflow");
            }
        }
        self.unknown = Meaning::unknown(self.kind);
    }

    /// A trace of the TensorFlow profiler, or a file recognized by its content.
    fn begin_trace(&mut self, object: &ObjectInfo) {
        let recording = name::recording(&object.path, &object.siblings);
        self.host = recording.host;
        self.process = Process { rank: None, pid: recording.number, span: recording.span };
        if object.path.ends_with(".trace.json.gz") || object.path.ends_with(".trace.json") {
            self.kind = Kind::TensorFlow;
            "tf_trace".clone_into(&mut self.category);
            self.framework = Some("tensorflow");
            let start = recording.start_us.map(|start| scaled(&start, 3));
            self.offset = start.and_then(Number::value);
            self.offset_known = true;
        } else {
            let name = Name::parse(object.name());
            (self.kind, self.category, self.host) = (name.kind, name.category, name.host);
        }
    }

    /// A file ended.
    pub(super) fn end(&mut self, rows: &mut Rows) {
        if let Some(framework) = self.framework {
            rows.framework(framework);
        }
    }

    /// The group ended: what is still open never ends.
    pub(super) fn finish(&mut self, rows: &mut Rows) {
        for open in self.intervals.take() {
            self.left_open = true;
            self.unclosed(&open, rows);
        }
    }

    /// Whether nothing was open at the end, whose `E` may come yet, and names still say the same of the process.
    pub(super) fn goes_on(&self, object: &ObjectInfo) -> bool {
        let name = Name::parse(object.name());
        let process = name::process(name.host.as_deref(), name.number, &object.siblings);
        !self.left_open && self.file > 0 && process == self.process
    }

    /// Takes what the reader found.
    pub(super) fn item(&mut self, item: &Item<'_>, rows: &mut Rows) {
        match *item {
            Item::Event(_, Some(fields), place) => self.fields(fields, place, rows),
            Item::Event(text, None, place) => self.event(text, place, rows),
            Item::Entry(..) => {}
            Item::Damage(damage, place) => {
                self.found.truncated |= matches!(damage, Damage::Truncated | Damage::TruncatedEvent);
                self.found.bad += u64::from(matches!(damage, Damage::Event(_)));
                damage.report(place, rows);
            }
        }
    }

    fn bad(&mut self, rows: &mut Rows, place: Place, why: &str) {
        self.found.bad += 1;
        trace_event::bad(why, place, rows);
    }

    fn event(&mut self, text: &str, place: Place, rows: &mut Rows) {
        let read = trace_event::read(text, place, rows, |fields, rows| self.fields(fields, place, rows));
        if let Err(error) = read {
            self.bad(rows, place, &error.to_string());
        }
    }

    fn fields(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        if fields.is_empty() {
            // the TensorFlow profiler ends its list with `{}`, so that every event has a comma
            if self.kind != Kind::TensorFlow {
                rows.problem(Severity::Notice, "empty_object", place.byte(), || {
                    format!("{place}: an empty object instead of an event")
                });
            }
            return;
        }
        let phase = fields.phase();
        if phase.is_empty() {
            return self.bad(rows, place, "no ph, the type of the event");
        }
        self.found.read += 1;
        self.args.clear();
        if phase == "M" {
            return self.metadata(fields, place, rows);
        }
        if phase == "C" {
            return self.counter(fields, place, rows);
        }
        if !self.offset_known {
            self.offset_known = true;
            if self.offset.is_some() {
                rows.problem(Severity::Notice, "offset_inherited", place.byte(), || {
                    format!("{place}: the file has no base of its times; the base of the previous file is used")
                });
            }
        }
        match phase {
            "B" => return self.open(fields, place, rows),
            "E" => return self.close(fields, place, rows),
            _ => {}
        }
        if let Some(members) = fields.members {
            self.args.take(members, place, rows);
        } else if let Some(raw) = fields.args {
            self.args.read(raw, None, false, place, rows);
        }
        for (key, raw) in fields.others() {
            self.args.add(key, raw);
        }
        let relative = fields.start(place, rows);
        let ts = self.time(relative, fields.ts, place, rows);
        let (dur, shape) = match phase {
            "X" => {
                if fields.dur.is_none() {
                    rows.repair("no_dur", place.byte(), || format!("{place}: no dur; duration unknown"));
                }
                (fields.duration(place, rows), Shape::Interval)
            }
            "i" | "I" => (None, Shape::Instant),
            other => {
                self.args.add_text("ph", other);
                (None, Shape::Instant)
            }
        };
        self.emit(fields.name, fields.pid, fields.tid, ts, dur, shape, place, rows);
    }

    /// Nanoseconds since the epoch; what cannot be told stays in the arguments as it was written.
    fn time(&mut self, relative: Option<i64>, raw: Option<&str>, place: Place, rows: &mut Rows) -> Option<i64> {
        let (relative, raw) = (relative?, raw?);
        let Some(offset) = self.offset else {
            self.args.add("ts", raw);
            rows.repair("no_offset", place.byte(), || {
                format!("{place}: the base of ts is unknown; ts is stored in args")
            });
            return None;
        };
        let ts = relative.checked_add(offset);
        if ts.is_none() {
            self.args.add("ts", raw);
            rows.repair("out_of_range", place.byte(), || {
                format!("{place}: ts is {raw}, too far from the epoch; it is stored in args")
            });
        }
        ts
    }

    fn metadata(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        if let Some(raw) = fields.args {
            self.args.read(raw, None, true, place, rows);
        }
        if let Some(raw) = &self.args.start_us {
            if let Number::Is(offset) = scaled(json::number_text(raw), 3) {
                self.offset = Some(offset);
                self.offset_known = true;
            } else {
                rows.repair("bad_value", place.byte(), || {
                    format!("{place}: start_time_since_epoch_in_micros is {raw}, expected a number")
                });
            }
        }
        let what = fields.name.unwrap_or_default();
        if !matches!(what, "\"process_name\"" | "\"thread_name\"") {
            return;
        }
        let Some(pid) = fields.pid.and_then(args::integer) else {
            return rows.repair("bad_metadata", place.byte(), || format!("{place}: {what} without a pid"));
        };
        // the line with the time base names pid 0 without giving it a name
        let Some(raw) = self.args.name.take() else { return };
        if what == "\"thread_name\"" {
            if let (Some(tid), Some(name)) = (fields.tid.and_then(args::integer), json::unquote(&raw))
                && (self.threads.len() < MAX_NAMES || self.threads.contains_key(&(pid, tid)))
            {
                self.threads.insert((pid, tid), secret::clean(&name, place, rows).into_owned());
            }
        } else if self.phases.get(&pid).is_none_or(|phase| phase.raw != raw) {
            self.declare(pid, raw, place, rows);
        }
    }

    /// Gives a phase its name; some writers repeat it before every event.
    fn declare(&mut self, pid: i64, raw: String, place: Place, rows: &mut Rows) {
        if self.phases.len() >= MAX_NAMES && !self.phases.contains_key(&pid) {
            return;
        }
        let Some(name) = json::unquote(&raw) else { return };
        let clean = secret::clean(&name, place, rows);
        if matches!(&*clean, "cpu_functions" | "DataLoaderIter" | "DataLoaderIterInitialize") {
            self.framework = Some("pytorch");
        }
        let meaning = Meaning::of(&clean, self.kind);
        let name = clean.into_owned();
        self.phases.insert(pid, Phase { raw, name, meaning });
    }

    /// Every number of a counter is a measurement.
    fn counter(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        let Some(values) = counter::values(fields, place, rows) else {
            return self.bad(rows, place, "a counter without a number in args");
        };
        let relative = fields.start(place, rows);
        let ts = self.time(relative, fields.ts, place, rows);
        counter::samples(fields, &values, self.host.as_deref(), self.process.rank, ts, &mut self.row, place, rows);
    }

    fn open(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        let relative = fields.start(place, rows);
        let open = Open::new(fields, self.file, place, relative, self.offset);
        if let Some(oldest) = self.intervals.begin(interval_phase(fields.pid), open) {
            self.unclosed(&oldest, rows);
        }
    }

    fn close(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        let Some(open) = self.intervals.end(&interval_phase(fields.pid), fields.tid.and_then(args::integer)) else {
            return rows.skip("end_without_begin", place.byte(), || format!("{place}: an E without a B before it"));
        };
        let end = fields.start(place, rows);
        let dur = match (open.offset, self.offset) {
            (Some(from), Some(to)) => {
                absolute(open.relative, from).zip(absolute(end, to)).and_then(|(from, to)| to.checked_sub(from))
            }
            (None, None) => open.relative.zip(end).and_then(|(from, to)| to.checked_sub(from)),
            _ => None,
        };
        self.read_pair(&open, fields, place, rows);
        let ts = self.time_of(&open, rows);
        let raw_tid = fields.tid.or(open.tid.as_deref());
        let name = open.name.as_deref();
        let raw_pid = open.pid.as_deref();
        self.emit(name, raw_pid, raw_tid, ts, dur, Shape::Interval, place, rows);
    }

    /// The arguments of both ends; those of the `E` win.
    fn read_pair(&mut self, open: &Open, end: &Fields<'_>, place: Place, rows: &mut Rows) {
        let mut keys = BTreeSet::new();
        if let (Some(_), Some(raw)) = (&open.args, end.args) {
            // damage is reported when the members are read below
            let _ = json::members(raw, |key, _| {
                keys.insert(key.to_owned());
            });
        }
        for raw in [open.args.as_deref(), end.args].into_iter().flatten() {
            self.args.read(raw, Some(&keys), false, place, rows);
            keys.clear();
        }
        for (key, raw) in &open.extra {
            if !end.others().any(|(other, _)| other == key) {
                self.args.add(key, raw);
            }
        }
        for (key, raw) in end.others() {
            self.args.add(key, raw);
        }
    }

    /// When an open interval began, by the time base of its own file.
    fn time_of(&mut self, open: &Open, rows: &mut Rows) -> Option<i64> {
        let now = std::mem::replace(&mut self.offset, open.offset);
        let ts = self.time(open.relative, open.ts.as_deref(), open.place, rows);
        self.offset = now;
        ts
    }

    fn unclosed(&mut self, open: &Open, rows: &mut Rows) {
        self.args.clear();
        if let Some(raw) = &open.args {
            self.args.read(raw, None, false, open.place, rows);
        }
        for (key, raw) in &open.extra {
            self.args.add(key, raw);
        }
        let ts = self.time_of(open, rows);
        // a place in another file would mislead
        let byte = open.place.byte().filter(|_| open.file == self.file);
        rows.repair("unclosed", byte, || format!("{}: a B without an E; duration unknown", open.place));
        let (name, pid, tid) = (open.name.as_deref(), open.pid.as_deref(), open.tid.as_deref());
        self.emit(name, pid, tid, ts, None, Shape::Unclosed, open.place, rows);
    }

    /// Writes the rows of one event; its arguments have been read.
    #[expect(clippy::too_many_arguments, reason = "the parts of one event")]
    fn emit(
        &mut self,
        raw_name: Option<&str>,
        raw_pid: Option<&str>,
        raw_tid: Option<&str>,
        ts: Option<i64>,
        dur: Option<i64>,
        shape: Shape,
        place: Place,
        rows: &mut Rows,
    ) {
        let pid = raw_pid.and_then(args::integer);
        let beside = raw_tid.and_then(args::integer);
        let phase = pid.and_then(|pid| self.phases.get(&pid));
        let meaning = phase.map_or(&self.unknown, |phase| &phase.meaning);
        // a process that is named by text needs no other name
        let text_pid = raw_pid.filter(|_| pid.is_none()).and_then(json::unquote);
        let track = phase.map(|phase| phase.name.as_str()).or(text_pid.as_deref());
        if track.is_none()
            && let Some(raw) = raw_pid
        {
            self.args.add("phase", raw);
        }
        if beside.is_none()
            && let Some(raw) = raw_tid.filter(|raw| *raw != "null")
        {
            self.args.add("tid", raw);
        }
        let mut thread = None;
        if let (Some(pid), Some(tid), false) = (pid, beside, self.threads.is_empty()) {
            thread = self.threads.get(&(pid, tid)).map(String::as_str);
        }
        if let Some(name) = thread {
            self.args.add_text("thread_name", name);
        }
        let tid = self.args.thread(beside);

        let name = raw_name.map_or("", |raw| self.names.text(raw, place, rows));
        let said = Some(name).filter(|name| !name.is_empty());

        let category = vocabulary::category(self.kind, meaning, name, thread);
        let mode = vocabulary::step_mode(name).map(Mode::as_str);
        let loader = vocabulary::loader(meaning, name).filter(|_| shape != Shape::Instant);
        let (node, rank, span) = (self.host.as_deref(), self.process.rank, Some(self.process.span));
        let os_pid = self.args.pid.or(self.process.pid);
        let row = self.row;
        self.row += 1;
        let Args { step, worker, num_workers, pin_memory, bytes, .. } = self.args;
        let device = meaning.device.as_deref();
        let rest = self.args.rest(place, rows);
        rows.event(&Event {
            node,
            rank,
            span,
            category: Some(category.as_str()),
            raw_category: Some(self.category.as_str()).filter(|category| !category.is_empty()),
            name: said,
            track,
            ts,
            dur,
            step,
            mode,
            pid: os_pid,
            tid,
            device,
            args: rest,
            row,
            ..Event::default()
        });
        if category == Category::Step && shape != Shape::Instant {
            let complete = Some(shape == Shape::Interval && dur.is_some());
            rows.step(&Step { node, rank, span, step, mode, ts, dur, complete, row });
        }
        if let Some(kind) = loader {
            let init = kind == vocabulary::Loader::Init;
            rows.loader(&Loader {
                node,
                rank,
                kind: Some(kind.as_str()),
                ts,
                dur,
                step,
                worker,
                num_workers,
                pin_memory,
                bytes,
                pid: os_pid,
                loader: said.filter(|_| init).map(|name| name.strip_suffix(".__init__").unwrap_or(name)),
                row,
                ..Loader::default()
            });
            if init {
                self.attribute("num_workers", num_workers.map(|n| n.to_string()), rows);
                self.attribute("pin_memory", pin_memory.map(|pin| pin.to_string()), rows);
            }
        }
    }

    /// Notes what the profile says about the run, once for each value.
    fn attribute(&mut self, key: &'static str, value: Option<String>, rows: &mut Rows) {
        let Some(value) = value else { return };
        if self.attributes.len() < MAX_ATTRIBUTES && !self.attributes.contains(&(key, value.clone())) {
            rows.run_attribute(&RunAttribute {
                node: self.host.as_deref(),
                rank: self.process.rank,
                key: Some(key),
                value: Some(&value),
                row: i64::try_from(self.attributes.len()).unwrap_or(0),
            });
            self.attributes.insert((key, value));
        }
    }
}

/// The phase whose intervals an event is paired with; those without one are paired among themselves.
fn interval_phase(raw: Option<&str>) -> i64 {
    raw.and_then(args::integer).unwrap_or(-1)
}

fn absolute(relative: Option<i64>, offset: i64) -> Option<i64> {
    relative?.checked_add(offset)
}
