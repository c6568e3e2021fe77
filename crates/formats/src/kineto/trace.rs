//! Converts the events of one file to rows: times, tracks, categories.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::args::{ArgsColumns, ArgsKind, KinetoArgs, parse_canonical};
use super::header::{self, FilePreview, TraceHeader};
use super::label::{Label, LabelCache};
use super::loader_calls::LoaderCalls;
use super::name::TracePath;
use super::overlap::OverlapCounter;
use super::process::Processes;
use super::root::{RootWriter, RowOwner};
use super::step_marks::StepMarks;
use super::track::{KinetoTracks, TrackId, TrackSide};
use super::vocabulary::{self, WorkSide};
use crate::position::Position;
use crate::process::{span, unique_id, unsigned};
use crate::secret::{mask_and_report, quote_masked};
use crate::table::{Allocation, Category, Event, Mode, Rows, Severity};
use crate::time_base::TimeBase;
use crate::trace_event::interval::{OpenInterval, OpenIntervals};
use crate::trace_event::{self, EventFields, FileSummary, TraceItem, counter};
use crate::{ObjectInfo, json};

/// Maximum size of members before the events, in bytes. They are stored until rank and machine are known.
const MAX_EARLY_MEMBERS: usize = 32 << 20;

/// The format of the file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The PyTorch profiler.
    #[default]
    Kineto,
    /// Any other writer of trace events.
    Chrome,
}

/// Converts the items of one file to rows.
#[derive(Debug, Default)]
pub(super) struct KinetoWriter {
    dialect: Dialect,
    header: TraceHeader,
    recording: i64,
    /// The first event was read, so that rank and machine are final.
    has_begun: bool,
    object: ObjectInfo,
    time_base: TimeBase,
    mode: Option<Mode>,
    root: RootWriter,
    /// Members of the root object before the events.
    early_members: Vec<(String, String, Position)>,
    early_bytes: usize,
    tracks: KinetoTracks,
    processes: Processes,
    intervals: OpenIntervals<String>,
    /// The file has starts or ends of intervals.
    has_pairs: bool,
    overlaps: OverlapCounter,
    labels: LabelCache,
    /// Device work that the last end of a flow announced; the next event describes it.
    launched: Option<LaunchedWork>,
    step_marks: StepMarks,
    loader_calls: LoaderCalls,
    args: KinetoArgs,
    last_device: DeviceName,
    next_row: i64,
    pub(super) summary: FileSummary,
    /// The root is that of an execution trace.
    pub(super) is_execution_trace: bool,
}

/// A cache of the last device's name.
#[derive(Debug, Default)]
struct DeviceName {
    kind: &'static str,
    number: i64,
    name: String,
}

impl DeviceName {
    /// The device of an event. None if it is unknown. Events of an allocator have another one.
    #[inline]
    fn for_side(&mut self, side: WorkSide, number: Option<i64>) -> Option<&str> {
        match side {
            WorkSide::Device(kind) => {
                let number = number?;
                if (self.kind, self.number) != (kind, number) {
                    *self = Self { kind, number, name: format!("{kind}{number}") };
                }
                Some(&self.name)
            }
            WorkSide::Host => Some("cpu"),
            WorkSide::Unknown => None,
        }
    }
}

/// The form of the event behind a row of `event`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EventShape {
    /// Start and end were recorded, or the start only.
    Interval,
    Instant,
    /// The start or a middle of a flow.
    Flow,
    FlowEnd,
    /// The start of a flow in a trace of the old autograd profiler, which has no calls into the runtime.
    Launch,
}

/// Thread, time and correlation of the work at the end of such a flow. The work is the next event.
#[derive(Debug)]
struct LaunchedWork {
    tid: Option<String>,
    ts: Option<String>,
    correlation: Option<i64>,
}

impl EventShape {
    fn category(self, label: &Label) -> Category {
        match self {
            Self::Flow | Self::FlowEnd => Category::Flow,
            Self::Launch => Category::Runtime,
            Self::Interval | Self::Instant => label.category.unwrap_or(Category::Other),
        }
    }

    fn track_side(self, label: &Label) -> TrackSide {
        match (self, label.side) {
            (Self::Flow, _) => TrackSide::Either { else_device: false },
            (Self::FlowEnd, _) => TrackSide::Either { else_device: vocabulary::is_launch(label.cat()) },
            (_, WorkSide::Device(_)) => TrackSide::Device,
            _ => TrackSide::Host,
        }
    }
}

/// The parts of an event to write, raw.
#[derive(Debug, Clone, Copy)]
struct EventParts<'a> {
    name: Option<&'a str>,
    cat: Option<&'a str>,
    pid: Option<&'a str>,
    tid: Option<&'a str>,
    /// `pid` and `tid`, if the scanner parsed both as integers.
    pid_and_tid: Option<(i64, i64)>,
    ts: Option<&'a str>,
    /// `ts` in ns, as written.
    recorded: Option<i64>,
    dur: Option<i64>,
    shape: EventShape,
    place: Position,
}

impl<'a> EventParts<'a> {
    fn from_open(open: &'a OpenInterval, dur: Option<i64>) -> Self {
        Self {
            name: open.name.as_deref(),
            cat: open.extra_member("cat"),
            pid: open.pid.as_deref(),
            tid: open.tid.as_deref(),
            pid_and_tid: None,
            ts: open.ts.as_deref(),
            recorded: open.relative,
            dur,
            shape: EventShape::Interval,
            place: open.place,
        }
    }
}

impl KinetoWriter {
    /// Starts a file.
    pub(super) fn new(dialect: Dialect, object: &ObjectInfo) -> Self {
        Self {
            dialect,
            recording: object.recording.unwrap_or(0),
            mode: TracePath::parse(&object.path).mode(),
            object: object.clone(),
            tracks: KinetoTracks::new(dialect == Dialect::Chrome),
            labels: LabelCache::new(object.step_annotation.clone()),
            ..Self::default()
        }
    }

    /// Reads the header and names of threads from the last bytes of the file.
    pub(super) fn read_tail(&mut self, tail: &[u8]) {
        let preview = FilePreview::of_end(tail);
        self.header = preview.header;
        for (pid, tid, name) in preview.threads {
            self.tracks.name_thread(pid, tid, &name);
        }
    }

    /// A writer for a later section of the file. None before the first time.
    pub(super) fn for_section(&self) -> Option<Self> {
        // Steps without a number are numbered in their order. Times may count from the first one.
        if !self.has_begun || self.time_base == TimeBase::Unknown || self.object.step_annotation.is_some() {
            return None;
        }
        Some(Self {
            has_begun: true,
            header: self.header.clone(),
            recording: self.recording,
            time_base: self.time_base,
            mode: self.mode,
            tracks: self.tracks.copy_for_section()?,
            processes: self.processes.copy_for_section()?,
            overlaps: OverlapCounter::recording(),
            ..Self::new(self.dialect, &ObjectInfo { id: self.object.id, ..ObjectInfo::default() })
        })
    }

    /// Adds the next section of the file, which must not have any problem. Returns the number of its first
    /// row. None if the section may have other rows when it is read from here.
    pub(super) fn merge_section(&mut self, section: Self) -> Option<i64> {
        // The times of an earlier section may have changed the base after this one was copied.
        let has_same_base = self.time_base == section.time_base;
        // The first event of a section may be the work that the last flow before it launched.
        let is_pending = self.launched.is_some();
        let can_merge =
            has_same_base && !is_pending && !section.has_pairs && self.processes.can_merge(&section.processes);
        if !can_merge || !self.tracks.merge(section.tracks) {
            return None;
        }
        self.processes = section.processes;
        self.launched = section.launched;
        section.overlaps.replay(|track, ts, dur| self.overlaps.add(track, ts, dur));
        self.summary.events += section.summary.events;
        let first = self.next_row;
        self.step_marks.append(section.step_marks, first);
        self.loader_calls.append(section.loader_calls, first);
        self.next_row += section.next_row;
        Some(first)
    }

    /// Determines rank and machine before the first row.
    fn begin(&mut self, rows: &mut Rows) {
        if self.has_begun {
            return;
        }
        self.has_begun = true;
        self.time_base = TimeBase::new(self.header.base, self.object.clock_offset);
        let path = TracePath::parse(&self.object.path);
        self.header.rank = self.header.rank.or(path.rank()).or(self.object.numbered_rank);
        let host = self.header.host.take().or(path.host().map(str::to_owned));
        self.header.host = host.map(|host| mask_and_report(&host, Position::START, rows).into_owned());
        for (key, raw, place) in std::mem::take(&mut self.early_members) {
            self.write_member(&key, &raw, place, rows);
        }
    }

    /// Ends the file.
    pub(super) fn end(&mut self, rows: &mut Rows) {
        self.begin(rows);
        for open in self.intervals.take() {
            self.write_unclosed(&open, rows);
        }
        self.step_marks.write(self.header.host.as_deref(), self.mode.map(Mode::as_str), rows);
        self.loader_calls.write(self.header.host.as_deref(), rows);
        let (overlaps, all_compared) = std::mem::take(&mut self.overlaps).finish();
        for _ in 0..overlaps {
            rows.problem(Severity::Notice, "partial_overlap", None, || {
                let limit = if all_compared { "" } else { "; they were compared in groups, so there may be more" };
                format!("intervals of one track overlap partly: do not sum their durations{limit}")
            });
        }
        self.report_processes(rows);
        if self.dialect == Dialect::Kineto {
            rows.framework("pytorch");
        }
    }

    /// Reports that several processes train in one file.
    fn report_processes(&self, rows: &mut Rows) {
        let (processes, unreadable) = (self.processes.training(), self.summary.unreadable);
        if processes < 2 {
            return;
        }
        // Processes that write at the same time break more than one event.
        if unreadable > 1 {
            rows.problem(Severity::Warning, "interleaved", None, || {
                format!(
                    "{processes} processes are in this file, and {unreadable} of its events are corrupt: the processes \
                     probably wrote it at the same time; let each process write a file of its own"
                )
            });
        } else {
            rows.problem(Severity::Notice, "processes", None, || {
                format!("{processes} processes train in this file; column `process` distinguishes them")
            });
        }
    }

    /// Writes the rows of an item.
    #[inline]
    pub(super) fn add_item(&mut self, item: &TraceItem<'_>, rows: &mut Rows) {
        match *item {
            TraceItem::Event(_, Some(fields), place) => self.add_event(fields, place, rows),
            TraceItem::Event(text, None, place) => self.parse_event(text, place, rows),
            TraceItem::Entry(key, raw, place) => self.add_member(key, raw, place, rows),
            TraceItem::Problem(problem, place) => self.summary.add_problem(problem, place, rows),
        }
    }

    /// Writes a member of the root object, or stores it until the first event.
    fn add_member(&mut self, key: &str, raw: &str, place: Position, rows: &mut Rows) {
        self.is_execution_trace |= header::is_execution_trace(key, raw);
        if self.has_begun {
            let mut header = self.header.clone();
            header.set(key, raw);
            if header.base != self.header.base {
                place.warn(rows, "late_base", || {
                    let (key, value) = (quote_masked(key), quote_masked(raw));
                    format!("{key} is {value}, which was not known when the events were read")
                });
            }
            if header.rank != self.header.rank {
                place.warn(rows, "late_rank", || {
                    format!("{} has a rank that was not known when the events were read", quote_masked(key))
                });
            }
            self.write_member(key, raw, place, rows);
        } else {
            self.header.set(key, raw);
            self.early_bytes += key.len() + raw.len();
            self.early_members.push((key.to_owned(), raw.to_owned(), place));
            if self.early_bytes > MAX_EARLY_MEMBERS {
                self.begin(rows);
            }
        }
    }

    fn write_member(&mut self, key: &str, raw: &str, place: Position, rows: &mut Rows) {
        let owner = RowOwner { node: self.header.host.as_deref(), rank: self.header.rank };
        self.root.write_member(key, raw, owner, place, rows);
    }

    /// Parses an event that was split between chunks or is not plain JSON.
    fn parse_event(&mut self, text: &str, place: Position, rows: &mut Rows) {
        let mut members = Vec::new();
        if let Some(fields) = EventFields::plain(text, &mut members) {
            return self.add_event(&fields, place, rows);
        }
        let result = trace_event::read(text, place, rows, |fields, rows| self.add_event(fields, place, rows));
        if let Err(error) = result {
            self.summary.skip_event(&error.to_string(), place, rows);
        }
    }

    fn add_event(&mut self, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        let Some(phase) = self.summary.count_event(fields, false, place, rows) else { return };
        if phase == "M" {
            return self.add_metadata(fields, place, rows);
        }
        self.begin(rows);
        self.args.clear();
        let shape = match phase {
            "X" => {
                if fields.dur.is_none() {
                    place.repair(rows, "no_dur", || "no dur; duration unknown");
                }
                EventShape::Interval
            }
            "i" | "I" | "n" => EventShape::Instant,
            "C" => return self.add_counter(fields, place, rows),
            "B" | "b" | "S" => return self.open_interval(fields, phase, place, rows),
            "E" | "e" | "F" => return self.close_interval(fields, phase, place, rows),
            other => {
                self.args.rest.add_text("ph", other);
                match other {
                    "s" | "t" => EventShape::Flow,
                    "f" => EventShape::FlowEnd,
                    _ => EventShape::Instant,
                }
            }
        };
        self.add_complete_event(fields, shape, place, rows);
    }

    /// Writes an event that has no other end.
    fn add_complete_event(
        &mut self,
        fields: &EventFields<'_>,
        mut shape: EventShape,
        place: Position,
        rows: &mut Rows,
    ) {
        let is_flow = matches!(shape, EventShape::Flow | EventShape::FlowEnd);
        let is_launch = is_flow && fields.cat.and_then(json::unquote).is_some_and(|cat| vocabulary::is_launch(&cat));
        if self.launched.is_some()
            && let Some(work) = self.launched.take()
            && (shape, fields.cat) == (EventShape::Interval, None)
            && (work.tid.as_deref(), work.ts.as_deref()) == (fields.tid, fields.ts)
        {
            self.args.columns.correlation = work.correlation;
        }
        let mut id = fields.id;
        if is_launch {
            self.args.columns.correlation = id.and_then(parse_canonical);
            id = id.filter(|_| self.args.columns.correlation.is_none());
            if fields.cat == Some("\"cpu_to_cuda\"") && self.args.columns.correlation.is_some() {
                if shape == EventShape::Flow {
                    shape = EventShape::Launch;
                } else {
                    self.launched = Some(LaunchedWork {
                        tid: fields.tid.map(str::to_owned),
                        ts: fields.ts.map(str::to_owned),
                        correlation: self.args.columns.correlation,
                    });
                }
            }
        }
        if let Some(raw) = id {
            self.args.rest.add("id", raw);
        }
        for (key, raw) in &fields.extra {
            self.args.rest.add(key, raw);
        }
        let recorded = fields.start(place, rows);
        let dur = fields.dur.filter(|_| shape == EventShape::Interval);
        let dur = dur.and_then(|raw| {
            let dur = fields.duration(place, rows);
            if dur.is_none() && raw != "null" {
                self.args.rest.add("dur", raw);
            }
            dur
        });
        // A launch has no duration in these traces.
        let dur = dur.or((shape == EventShape::Launch).then_some(0));
        let EventFields { name, cat, pid, tid, ts, numbers, .. } = *fields;
        let pid_and_tid = numbers.pid.zip(numbers.tid);
        let parts = EventParts { name, cat, pid, tid, pid_and_tid, ts, recorded, dur, shape, place };
        self.write_event(&parts, rows, |args, kind, rows| match (fields.args, fields.members) {
            (Some(raw), Some(members)) => args.add_members(raw, members, kind),
            (Some(raw), None) => args.add_object(raw, kind, place, rows),
            (None, _) => {}
        });
    }

    /// Converts a time to `ts`. If that is not possible, adds the time as written to the arguments.
    #[inline]
    fn convert_time(
        &mut self,
        recorded: Option<i64>,
        raw: Option<&str>,
        place: Position,
        rows: &mut Rows,
    ) -> Option<i64> {
        let raw = raw?;
        let ts = recorded.and_then(|time| self.time_base.convert(time, rows));
        match (ts, recorded) {
            (Some(_), _) => {}
            (None, None) if raw == "null" => {}
            (None, None) => self.args.rest.add("ts", raw),
            (None, Some(_)) => self.args.rest.add_time(raw, self.time_base.refusal(), place, rows),
        }
        ts
    }

    fn add_metadata(&mut self, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        let kind = fields.name.unwrap_or_default();
        if !matches!(kind, "\"process_name\"" | "\"thread_name\"") {
            return;
        }
        let mut name = None;
        let result = json::visit_members(fields.args.unwrap_or("null"), |key, raw| {
            if key == "name" {
                name = json::unquote(raw).map(|name| mask_and_report(&name, place, rows).into_owned());
            }
        });
        let Some(name) = name.filter(|_| result.is_ok()) else {
            return place.repair(rows, "bad_metadata", || format!("{kind} without a name"));
        };
        let pid = TrackId::parse(fields.pid);
        let is_in_time = if kind == "\"thread_name\"" {
            self.tracks.name_thread(pid, TrackId::parse(fields.tid), &name)
        } else {
            self.tracks.name_process(pid, &name)
        };
        if !is_in_time {
            place.notice(rows, "late_name", || {
                format!("the name {name} of a track comes after its events, which have the earlier name")
            });
        }
    }

    /// Writes every number of a counter as a row of `sample`.
    fn add_counter(&mut self, fields: &EventFields<'_>, place: Position, rows: &mut Rows) {
        let Some(values) = counter::values(fields, place, rows) else {
            return self.summary.skip_event("a counter without a number in args", place, rows);
        };
        let recorded = fields.start(place, rows);
        let ts = self.convert_time(recorded, fields.ts, place, rows);
        let (node, rank) = (self.header.host.as_deref(), self.header.rank);
        counter::samples(fields, &values, node, rank, ts, &mut self.next_row, place, rows);
    }

    fn open_interval(&mut self, fields: &EventFields<'_>, phase: &str, place: Position, rows: &mut Rows) {
        self.has_pairs = true;
        let relative = fields.start(place, rows);
        if let Some(time) = relative {
            self.time_base.read(time, rows);
        }
        let open = OpenInterval::new(fields, 1, place, relative, None);
        if let Some(oldest) = self.intervals.begin(pair_key(fields, phase), open) {
            self.write_unclosed(&oldest, rows);
        }
    }

    fn close_interval(&mut self, fields: &EventFields<'_>, phase: &str, place: Position, rows: &mut Rows) {
        self.has_pairs = true;
        let Some(open) = self.intervals.end(&pair_key(fields, phase), None) else {
            return place.skip(rows, "end_without_begin", || format!("an end ({phase}) without a beginning before it"));
        };
        let end = fields.start(place, rows);
        let dur = open.relative.zip(end).and_then(|(start, end)| end.checked_sub(start));
        let extra = open.extra.iter().map(|(key, raw)| (key.as_str(), raw.as_str()));
        let extra = extra.filter(|(key, _)| !fields.other_members().any(|(other, _)| other == *key));
        self.add_extra_members(extra.chain(fields.other_members()));
        // Arguments of the end have precedence.
        let mut end_args = BTreeSet::new();
        if let Some(raw) = fields.args {
            // An error is reported below.
            let _ = json::visit_members(raw, |key, _| {
                end_args.insert(key.to_owned());
            });
        }
        let parts = EventParts::from_open(&open, dur);
        let parts = EventParts { name: parts.name.or(fields.name), cat: parts.cat.or(fields.cat), ..parts };
        self.write_event(&parts, rows, |args, kind, rows| {
            if let Some(raw) = open.args.as_deref() {
                args.parse(raw, &end_args, kind, open.place, rows);
            }
            if let Some(raw) = fields.args {
                args.parse(raw, &BTreeSet::new(), kind, place, rows);
            }
        });
    }

    fn write_unclosed(&mut self, open: &OpenInterval, rows: &mut Rows) {
        self.args.clear();
        let place = open.place;
        self.add_extra_members(open.extra.iter().map(|(key, raw)| (key.as_str(), raw.as_str())));
        place.repair(rows, "unclosed", || "a beginning without an end; duration unknown");
        let parts = EventParts::from_open(open, None);
        self.write_event(&parts, rows, |args, kind, rows| {
            if let Some(raw) = open.args.as_deref() {
                args.parse(raw, &BTreeSet::new(), kind, place, rows);
            }
        });
    }

    /// Adds the members of an interval that are not columns to the arguments.
    fn add_extra_members<'a>(&mut self, members: impl Iterator<Item = (&'a str, &'a str)>) {
        for (key, raw) in members.filter(|(key, _)| !matches!(*key, "cat" | "s" | "bp")) {
            self.args.rest.add(key, raw);
        }
    }

    /// Writes the rows of one event. `add_args` adds its arguments.
    #[inline]
    fn write_event(
        &mut self,
        parts: &EventParts<'_>,
        rows: &mut Rows,
        add_args: impl FnOnce(&mut KinetoArgs, ArgsKind, &mut Rows),
    ) {
        let EventParts { shape, place, dur, .. } = *parts;
        let implied = if parts.cat.is_none() { self.tracks.implied_category(parts.pid, parts.tid) } else { None };
        let label = self.labels.take(parts.name, parts.cat.or(implied.map(|implied| implied.raw)), place, rows);
        let category = shape.category(&label);
        let args_kind = match (category, label.side) {
            (Category::Memory, _) => ArgsKind::Memory,
            (_, WorkSide::Device(_)) => ArgsKind::Device,
            _ => ArgsKind::Host,
        };
        add_args(&mut self.args, args_kind, rows);

        let thread = self.tracks.find(parts.pid, parts.tid, parts.pid_and_tid, shape.track_side(&label));
        let ts = self.convert_time(parts.recorded, parts.ts, place, rows);
        if let (EventShape::Interval, Some(start), Some(dur)) = (shape, parts.recorded, dur) {
            self.overlaps.add(thread, start, dur);
        }
        let Some(track) = self.tracks.get(thread) else { return };
        let columns = self.args.columns;
        let number = columns.device.or(implied.and_then(|implied| implied.device));
        let device = if category == Category::Memory {
            vocabulary::memory_device(columns.device_type, columns.device).map(Cow::Owned)
        } else {
            self.last_device.for_side(label.side, number.or(track.pid())).map(Cow::Borrowed)
        };
        let is_step = category == Category::Step;
        let (ordinal, process) = if track.is_on_device() {
            self.processes.on_device(number.or(track.pid()), columns.correlation)
        } else {
            self.processes.on_host(track.process(), category, columns.correlation)
        };
        let unique_id = |id| unique_id(id, ordinal);
        let event = Event {
            node: self.header.host.as_deref(),
            // The file has the rank of one process only.
            rank: self.header.rank.filter(|_| ordinal == 0),
            span: Some(span(self.recording, self.object.id, ordinal)),
            process,
            category: Some(category.as_str()),
            raw_category: Some(label.cat()).filter(|cat| !cat.is_empty() && implied.is_none()),
            name: Some(label.name()).filter(|name| !name.is_empty()),
            track: track.name.as_deref(),
            ts,
            dur,
            step: label.step.filter(|_| is_step),
            mode: self.mode.filter(|_| is_step).map(Mode::as_str),
            pid: track.pid().map(unsigned),
            tid: track.tid().map(unsigned),
            device: device.as_deref(),
            // A synchronization with a whole device has the stream -1.
            stream: columns
                .stream
                .or(track.tid().filter(|_| args_kind == ArgsKind::Device))
                .filter(|stream| *stream >= 0),
            correlation: columns.correlation.map(unique_id),
            external_id: columns.external_id.map(unique_id),
            args: self.args.rest.finish(place, rows),
            row: self.next_row,
        };
        self.next_row += 1;
        rows.event(&event);
        if label.is_training
            && let Some(ts) = ts
        {
            self.step_marks.add_training(event.span, ts);
        }
        match category {
            Category::Step if shape != EventShape::Instant => {
                let is_complete = shape == EventShape::Interval && dur.is_some() && !columns.is_unfinished;
                self.step_marks.add(&vocabulary::step_row(&event, is_complete), rows);
            }
            Category::Loader => {
                if let Some(call) = event.name.and_then(vocabulary::loader) {
                    self.loader_calls.add(thread as u64, &call, &event);
                }
            }
            Category::Operator | Category::Runtime | Category::Driver => {
                ts.into_iter().for_each(|ts| self.loader_calls.add_work(thread as u64, ts));
            }
            Category::Memory => write_allocation(&event, &columns, rows),
            _ => {}
        }
        self.labels.put_back(label);
    }
}

/// Writes the row of `allocation` of an allocator's event.
fn write_allocation(event: &Event<'_>, columns: &ArgsColumns, rows: &mut Rows) {
    let Event { node, rank, span, ts, device, row, .. } = *event;
    let ArgsColumns { address, bytes, allocated_bytes, reserved_bytes, .. } = *columns;
    rows.allocation(&Allocation { node, rank, span, ts, device, address, bytes, allocated_bytes, reserved_bytes, row });
}

/// A key that the two ends of an interval have in common: process and thread, or category and id if it is
/// asynchronous.
fn pair_key(fields: &EventFields<'_>, phase: &str) -> String {
    let text = Option::unwrap_or_default;
    match phase {
        "B" | "E" => format!("{} {}", text(fields.pid), text(fields.tid)),
        _ => {
            let id2 = fields.extra.iter().find(|(key, _)| key == "id2").map(|(_, raw)| *raw);
            // A local id is unique only within its process.
            let mut is_local = false;
            if fields.id.is_none() {
                // An id that cannot be parsed is global.
                let _ = json::visit_members(id2.unwrap_or("{}"), |key, _| is_local |= key == "local");
            }
            let pid = text(fields.pid.filter(|_| is_local));
            let kind = if matches!(phase, "b" | "e") { 'b' } else { 'S' };
            format!("{kind} {} {} {pid}", text(fields.cat), text(fields.id.or(id2)))
        }
    }
}
