//! The events of one process over time: names of phases and threads, the time base, and open intervals.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::args::{LoaderArgs, StepForm, TimelineArgs, parse_integer};
use super::names::NameCache;
use super::path::{self, TimelineKind, TimelineName, TimelineProcess};
use super::vocabulary::{self, PhaseMeaning};
use crate::kineto::step_row;
use crate::number::{ParsedInteger, parse_scaled};
use crate::position::Position;
use crate::table::{Category, Event, Loader, Mode, Rows, RunAttribute, Severity};
use crate::time_base::{TimeBase, start_of_clock};
use crate::trace_event::interval::{OpenInterval, OpenIntervals};
use crate::trace_event::{self, EventFields, FileSummary, TraceItem, counter};
use crate::{ObjectInfo, json, secret};

/// The maximum number of named phases, and of named threads. Further ones stay without a name.
const MAX_NAMES: usize = 1 << 17;

/// The maximum number of distinct attributes. Further ones are not stored.
const MAX_ATTRIBUTES: usize = 4096;

/// The state of one group of files.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    /// The number of files of the group that began.
    file: u64,
    kind: TimelineKind,
    category: String,
    host: Option<String>,
    process: TimelineProcess,
    names: NameCache,
    phases: BTreeMap<i64, TimelinePhase>,
    /// Names of threads by phase and thread.
    threads: HashMap<(i64, i64), String>,
    /// The meaning of events without a phase.
    unknown: PhaseMeaning,
    intervals: OpenIntervals<i64>,
    /// Whether the group ended with an open interval.
    ended_open: bool,
    /// The time that `ts` counts from, in ns since the epoch.
    offset: Option<i64>,
    /// The first time of a process without an offset, from which its times then count.
    first_time: Option<i64>,
    /// Whether the current file has its own offset, or a problem reports that it has none.
    is_offset_known: bool,
    /// The next `row` of the current file.
    row: i64,
    attributes: BTreeSet<(&'static str, String)>,
    framework: Option<&'static str>,
    args: TimelineArgs,
    /// What was read of the current file so far.
    pub(super) summary: FileSummary,
}

#[derive(Debug)]
struct TimelinePhase {
    /// The raw name, to detect repetitions.
    raw: String,
    name: String,
    meaning: PhaseMeaning,
}

/// An event. Its arguments are in `Timeline::args`.
struct TimelineEvent<'a> {
    /// Raw members of the event.
    name: Option<&'a str>,
    pid: Option<&'a str>,
    tid: Option<&'a str>,
    /// Start in ns since the epoch, and duration in ns.
    ts: Option<i64>,
    dur: Option<i64>,
    /// The event is not an interval.
    is_instant: bool,
    place: Position,
}

impl Timeline {
    /// Begins a file.
    pub(super) fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) {
        self.file += 1;
        self.row = 0;
        self.summary = FileSummary::default();
        self.is_offset_known = false;
        if self.file > 1 {
            return;
        }
        if path::is_timeline(&object.path) && !path::is_tensorflow_trace(&object.path) {
            self.begin_timeline(object, rows);
        } else {
            self.begin_trace(object);
        }
        self.offset = self.offset.or(start_of_clock(object.clock_offset));
        self.unknown = PhaseMeaning::new("", self.kind);
    }

    /// Begins a timeline of the hook.
    fn begin_timeline(&mut self, object: &ObjectInfo, rows: &mut Rows) {
        let name = TimelineName::parse(object.name());
        if name.host.is_none() {
            rows.problem(Severity::Notice, "bad_name", None, || {
                let file = object.name();
                format!("the name {file} is not <end_us>_<number>-<host>_<kind>.json: node unknown")
            });
        }
        self.process = path::identify_process(name.host.as_deref(), name.number, &object.siblings);
        (self.kind, self.category, self.host) = (name.kind, name.category, name.host);
        if self.kind == TimelineKind::Model {
            self.framework = Some("tensorflow");
        }
    }

    /// Begins a trace of the TensorFlow profiler, or a file that was recognized by its content.
    fn begin_trace(&mut self, object: &ObjectInfo) {
        let recording = path::find_recording(&object.path, &object.siblings);
        self.process = recording.process;
        if object.path.ends_with(".trace.json.gz") || object.path.ends_with(".trace.json") {
            (self.kind, self.category) = (TimelineKind::TensorFlow, "tf_trace".to_owned());
            self.host = recording.host;
            self.framework = Some("tensorflow");
            self.offset = recording.start_us.and_then(|start| parse_scaled(&start, 3).value());
            self.is_offset_known = true;
        } else {
            let name = TimelineName::parse(object.name());
            (self.kind, self.category, self.host) = (name.kind, name.category, name.host);
        }
    }

    /// Ends a file.
    pub(super) fn end(&mut self, rows: &mut Rows) {
        if let Some(framework) = self.framework {
            rows.framework(framework);
        }
    }

    /// Ends the group. Open intervals stay without an end.
    pub(super) fn finish(&mut self, rows: &mut Rows) {
        for open in self.intervals.take() {
            self.ended_open = true;
            self.write_unclosed(&open, rows);
        }
    }

    /// Whether the group can be continued with another file: no interval waits for its `E`, and the names of all files
    /// still identify the same process.
    pub(super) fn can_continue(&self, object: &ObjectInfo) -> bool {
        let name = TimelineName::parse(object.name());
        let process = path::identify_process(name.host.as_deref(), name.number, &object.siblings);
        !self.ended_open && self.file > 0 && process == self.process
    }

    /// Handles an item of the reader.
    pub(super) fn handle_item(&mut self, item: &TraceItem<'_>, rows: &mut Rows) {
        match *item {
            TraceItem::Event(_, Some(fields), place) => self.handle_event(fields, place, rows),
            TraceItem::Event(text, None, place) => {
                let read = trace_event::read(text, place, rows, |fields, rows| self.handle_event(fields, place, rows));
                if let Err(error) = read {
                    self.summary.skip_event(&error.to_string(), place, rows);
                }
            }
            TraceItem::Entry(..) => {}
            TraceItem::Problem(problem, place) => self.summary.add_problem(problem, place, rows),
        }
    }

    fn handle_event(&mut self, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        // the TensorFlow profiler ends its list with `{}`, so that each event has a comma
        let ends_with_empty = self.kind == TimelineKind::TensorFlow;
        let Some(ph) = self.summary.count_event(fields, ends_with_empty, place, rows) else { return };
        self.args.clear();
        match ph {
            "M" => return self.read_metadata(fields, place, rows),
            "C" => return self.write_counter(fields, place, rows),
            _ => {}
        }
        if !self.is_offset_known {
            self.is_offset_known = true;
            if self.offset.is_some() {
                let why = "the file has no base of its times; the base of the previous file is used";
                place.notice(rows, "offset_inherited", || why);
            }
        }
        match ph {
            "B" => self.open_interval(fields, place, rows),
            "E" => self.close_interval(fields, place, rows),
            _ => self.handle_complete(ph, fields, place, rows),
        }
    }

    /// Writes an event that is complete in itself: an interval with a duration, an instant, or another type.
    fn handle_complete(&mut self, ph: &str, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        if let Some(members) = fields.members {
            self.args.read_members(members, place, rows);
        } else if let Some(raw) = fields.args {
            self.args.read_object(raw, None, false, place, rows);
        }
        for (key, raw) in fields.other_members() {
            self.args.rest.add(key, raw);
        }
        let ts = self.convert_time(fields.start(place, rows), fields.ts, self.offset, place, rows);
        let (dur, is_instant) = match ph {
            "X" => {
                if fields.dur.is_none() {
                    place.repair(rows, "no_dur", || "no dur; duration unknown");
                }
                (fields.duration(place, rows), false)
            }
            "i" | "I" => (None, true),
            other => {
                self.args.rest.add_text("ph", other);
                (None, true)
            }
        };
        let (name, pid, tid) = (fields.name, fields.pid, fields.tid);
        self.write_event(&TimelineEvent { name, pid, tid, ts, dur, is_instant, place }, rows);
    }

    /// Converts a time of the file to `ts`. A time that cannot be converted is stored raw in the arguments.
    fn convert_time(
        &mut self,
        relative: Option<i64>,
        raw: Option<&str>,
        offset: Option<i64>,
        place: Position,
        rows: &mut Rows,
    ) -> Option<i64> {
        let (relative, raw) = (relative?, raw?);
        let offset = offset.unwrap_or_else(|| {
            let first = *self.first_time.get_or_insert(relative);
            rows.counts_from(first);
            first.saturating_neg()
        });
        let ts = relative.checked_add(offset);
        if ts.is_none() {
            self.args.rest.add_time(raw, TimeBase::Epoch(offset).refusal(), place, rows);
        }
        ts
    }

    fn read_metadata(&mut self, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        if let Some(raw) = fields.args {
            self.args.read_object(raw, None, true, place, rows);
        }
        if let Some(raw) = &self.args.start_us {
            if let ParsedInteger::Is(offset) = parse_scaled(json::number_text(raw), 3) {
                self.offset = Some(offset);
                self.is_offset_known = true;
            } else {
                place.repair(rows, "bad_value", || {
                    format!("start_time_since_epoch_in_micros is {raw}, expected a number")
                });
            }
        }
        let kind = fields.name.unwrap_or_default();
        if !matches!(kind, "\"process_name\"" | "\"thread_name\"") {
            return;
        }
        let Some(pid) = fields.pid.and_then(parse_integer) else {
            return place.repair(rows, "bad_metadata", || format!("{kind} without a pid"));
        };
        // the event with the time base has pid 0 and no name
        let Some(raw) = self.args.name.take() else { return };
        if kind == "\"thread_name\"" {
            if let (Some(tid), Some(name)) = (fields.tid.and_then(parse_integer), json::unquote(&raw))
                && (self.threads.len() < MAX_NAMES || self.threads.contains_key(&(pid, tid)))
            {
                self.threads.insert((pid, tid), secret::mask_and_report(&name, place, rows).into_owned());
            }
        } else if self.phases.get(&pid).is_none_or(|phase| phase.raw != raw) {
            self.declare_phase(pid, raw, place, rows);
        }
    }

    /// Adds or renames a phase.
    fn declare_phase(&mut self, pid: i64, raw: String, place: Position, rows: &mut Rows) {
        if self.phases.len() >= MAX_NAMES && !self.phases.contains_key(&pid) {
            return;
        }
        let Some(name) = json::unquote(&raw) else { return };
        let name = secret::mask_and_report(&name, place, rows).into_owned();
        if matches!(name.as_str(), "cpu_functions" | "DataLoaderIter" | "DataLoaderIterInitialize") {
            self.framework = Some("pytorch");
        }
        let meaning = PhaseMeaning::new(&name, self.kind);
        self.phases.insert(pid, TimelinePhase { raw, name, meaning });
    }

    /// Writes each number of a counter as sample.
    fn write_counter(&mut self, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        let Some(values) = counter::values(fields, place, rows) else {
            return self.summary.skip_event("a counter without a number in args", place, rows);
        };
        let ts = self.convert_time(fields.start(place, rows), fields.ts, self.offset, place, rows);
        counter::samples(fields, &values, self.host.as_deref(), self.process.rank, ts, &mut self.row, place, rows);
    }

    fn open_interval(&mut self, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        let start = fields.start(place, rows);
        self.first_time = self.first_time.or(start);
        let open = OpenInterval::new(fields, self.file, place, start, self.offset);
        if let Some(oldest) = self.intervals.begin(interval_phase(fields.pid), open) {
            self.write_unclosed(&oldest, rows);
        }
    }

    fn close_interval(&mut self, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        let Some(open) = self.intervals.end(&interval_phase(fields.pid), fields.tid.and_then(parse_integer)) else {
            return place.skip(rows, "end_without_begin", || "an E without a B before it");
        };
        let end = fields.start(place, rows).and_then(|end| end.checked_add(self.offset.unwrap_or(0)));
        let start = open.relative.and_then(|start| start.checked_add(open.offset.unwrap_or(0)));
        // an end with an offset and a start without one cannot be compared
        let dur = start.zip(end).filter(|_| open.offset.is_some() == self.offset.is_some());
        let dur = dur.and_then(|(start, end)| end.checked_sub(start));
        self.read_pair(&open, fields, place, rows);
        let ts = self.convert_time(open.relative, open.ts.as_deref(), open.offset, open.place, rows);
        let event = TimelineEvent {
            name: open.name.as_deref(),
            pid: open.pid.as_deref(),
            tid: fields.tid.or(open.tid.as_deref()),
            ts,
            dur,
            is_instant: false,
            place,
        };
        self.write_event(&event, rows);
    }

    /// Reads the arguments of both ends of an interval. Those of the `E` take precedence.
    fn read_pair(&mut self, open: &OpenInterval, end: &EventFields<'_>, place: Position, rows: &mut Rows) {
        let mut end_keys = BTreeSet::new();
        if let (Some(_), Some(raw)) = (&open.args, end.args) {
            // errors are reported when the members are read below
            let _ = json::visit_members(raw, |key, _| {
                end_keys.insert(key.to_owned());
            });
        }
        for raw in [open.args.as_deref(), end.args].into_iter().flatten() {
            self.args.read_object(raw, Some(&end_keys), false, place, rows);
            end_keys.clear();
        }
        for (key, raw) in &open.extra {
            if !end.other_members().any(|(other, _)| other == key) {
                self.args.rest.add(key, raw);
            }
        }
        for (key, raw) in end.other_members() {
            self.args.rest.add(key, raw);
        }
    }

    /// Writes an interval that never ended.
    fn write_unclosed(&mut self, open: &OpenInterval, rows: &mut Rows) {
        self.args.clear();
        if let Some(raw) = &open.args {
            self.args.read_object(raw, None, false, open.place, rows);
        }
        for (key, raw) in &open.extra {
            self.args.rest.add(key, raw);
        }
        let ts = self.convert_time(open.relative, open.ts.as_deref(), open.offset, open.place, rows);
        // the problem belongs to the current file, so an offset in an earlier file is not stored
        let byte = open.place.byte().filter(|_| open.file == self.file);
        rows.repair("unclosed", byte, || format!("{}: a B without an E; duration unknown", open.place));
        let (name, pid, tid) = (open.name.as_deref(), open.pid.as_deref(), open.tid.as_deref());
        let event = TimelineEvent { name, pid, tid, ts, dur: None, is_instant: false, place: open.place };
        self.write_event(&event, rows);
    }

    /// Writes the rows of an event.
    fn write_event(&mut self, event: &TimelineEvent<'_>, rows: &mut Rows) {
        let pid = event.pid.and_then(parse_integer);
        let event_tid = event.tid.and_then(parse_integer);
        let phase = pid.and_then(|pid| self.phases.get(&pid));
        let meaning = phase.map_or(&self.unknown, |phase| &phase.meaning);
        // a pid that is a text is the name of its track
        let text_pid = event.pid.filter(|_| pid.is_none()).and_then(json::unquote);
        let track = phase.map(|phase| phase.name.as_str()).or(text_pid.as_deref());
        if track.is_none()
            && let Some(raw) = event.pid
        {
            self.args.rest.add("phase", raw);
        }
        if event_tid.is_none()
            && let Some(raw) = event.tid.filter(|raw| *raw != "null")
        {
            self.args.rest.add("tid", raw);
        }
        let thread = pid.zip(event_tid).filter(|_| !self.threads.is_empty());
        let thread = thread.and_then(|key| self.threads.get(&key)).map(String::as_str);
        if let Some(name) = thread {
            self.args.rest.add_text("thread_name", name);
        }
        let tid = self.args.resolve_tid(event_tid);
        // the hook writes the step as text, but the events of the autograd profiler, which it copies, have a number
        let is_text = self.kind == TimelineKind::Python && !track.is_some_and(vocabulary::is_autograd_phase);
        self.args.keep_unusual_step(if is_text { StepForm::Text } else { StepForm::Number });
        let name = event.name.map_or("", |raw| self.names.text(raw, event.place, rows));
        let category = vocabulary::classify_event(self.kind, meaning, name, thread);
        let loader_kind = vocabulary::loader_kind(meaning, name).filter(|_| !event.is_instant);
        let loader_args = self.args.loader;
        let pid = self.args.pid.or(self.process.pid);
        let process = pid.map(|pid| pid.to_string());
        let row = Event {
            node: self.host.as_deref(),
            rank: self.process.rank,
            span: Some(self.process.span),
            category: Some(category.as_str()),
            raw_category: Some(self.category.as_str()).filter(|category| !category.is_empty()),
            name: Some(name).filter(|name| !name.is_empty()),
            track,
            ts: event.ts,
            dur: event.dur,
            step: self.args.step,
            mode: vocabulary::step_mode(name).map(Mode::as_str),
            pid,
            tid,
            device: meaning.device.as_deref(),
            args: self.args.rest.finish(event.place, rows),
            process: process.as_deref(),
            row: self.row,
            ..Event::default()
        };
        self.row += 1;
        rows.event(&row);
        if category == Category::Step && !event.is_instant {
            rows.step(&step_row(&row, row.dur.is_some()));
        }
        if let Some(kind) = loader_kind {
            write_loader(&row, kind, loader_args, rows);
            if kind == "init" {
                self.write_attribute("num_workers", loader_args.num_workers.map(|number| number.to_string()), rows);
                self.write_attribute("pin_memory", loader_args.pin_memory.map(|is_set| is_set.to_string()), rows);
            }
        }
    }

    /// Writes an attribute of the run, once for each value.
    fn write_attribute(&mut self, key: &'static str, value: Option<String>, rows: &mut Rows) {
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

/// Writes the `loader` row of an event.
fn write_loader(event: &Event<'_>, kind: &str, args: LoaderArgs, rows: &mut Rows) {
    let Event { node, rank, ts, dur, step, pid, row, .. } = *event;
    let LoaderArgs { worker, num_workers, pin_memory, bytes } = args;
    let class = event.name.filter(|_| kind == "init");
    rows.loader(&Loader {
        node,
        rank,
        kind: Some(kind),
        ts,
        dur,
        step,
        worker,
        num_workers,
        pin_memory,
        bytes,
        pid,
        loader: class.map(|name| name.strip_suffix(".__init__").unwrap_or(name)),
        row,
        ..Loader::default()
    });
}

/// The phase in which an event is paired with its other end. Events without a phase share the phase -1.
fn interval_phase(raw: Option<&str>) -> i64 {
    raw.and_then(parse_integer).unwrap_or(-1)
}
