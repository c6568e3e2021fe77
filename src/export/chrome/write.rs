//! Writes events and measurements as trace events.

use std::collections::BTreeMap;

use super::ExportSummary;
use super::args::{EventSource, write_allocation_columns, write_args, write_event_columns};
use super::event::{Allocation, Allocations, EventKind, EventRow};
use super::flow::{Flow, FlowIds};
use super::out::{TraceOutput, write_head, write_metadata, write_micros, write_text};
use super::track::ExportTracks;
use crate::error::{Error, ErrorKind, Result};
use crate::format::add_string;

/// Writes a trace file.
pub(super) struct ChromeTraceWriter<'a> {
    pub(super) out: TraceOutput<'a>,
    pub(super) tracks: ExportTracks,
    pub(super) sources: BTreeMap<i64, EventSource>,
    pub(super) flow_ids: FlowIds,
    pub(super) summary: ExportSummary,
}

/// The thread that an event is written to.
#[derive(Clone, Copy)]
struct EventThread {
    pid: i64,
    tid: i64,
    lane: usize,
    on_device: bool,
    source: EventSource,
}

impl ChromeTraceWriter<'_> {
    /// Writes the names and the order of all processes and threads.
    pub(super) fn write_names(&mut self) -> Result<()> {
        for (n, process) in self.tracks.processes.iter().enumerate() {
            if let Some(name) = &process.name {
                self.out.event(|out| write_metadata(out, "process_name", process.pid, 0, &quoted(name)))?;
            }
            self.out.event(|out| write_metadata(out, "process_sort_index", process.pid, 0, &n.to_string()))?;
        }
        for track in 0..self.tracks.tracks.len() {
            self.write_lane_name(track, 0)?;
        }
        Ok(())
    }

    /// Writes the name and the position of a lane.
    fn write_lane_name(&mut self, track: usize, lane: usize) -> Result<()> {
        let (tid, _) = self.tracks.tid(track, lane);
        let Some(track) = self.tracks.tracks.get(track) else { return Ok(()) };
        let pid = self.tracks.pid(track);
        if let Some(name) = track.lane_name(lane) {
            self.out.event(|out| write_metadata(out, "thread_name", pid, tid, &quoted(&name)))?;
        }
        let index = track.lane_sort_index(lane);
        self.out.event(|out| write_metadata(out, "thread_sort_index", pid, tid, &index.to_string()))
    }

    /// Writes a row of `event`.
    pub(super) fn write_event(&mut self, row: &EventRow<'_>, allocations: &Allocations) -> Result<()> {
        let thread = self.thread(row)?;
        let allocation = allocations.get(row);
        let flow = if row.kind() == EventKind::Flow { Flow::parse(row) } else { None };
        match flow {
            Some(flow) => self.write_flow(row, &flow, thread)?,
            None => self.write_slice_or_instant(row, allocation, thread)?,
        }
        match allocation {
            Some(allocation) => self.write_memory(row.ts, thread, allocation),
            None => Ok(()),
        }
    }

    /// Returns the thread of an event, and writes the name of a new one.
    fn thread(&mut self, row: &EventRow<'_>) -> Result<EventThread> {
        let index = self.tracks.find(row.node, row.rank, row.object, (row.pid, row.tid, row.track));
        let Some((index, track)) = index.and_then(|index| Some((index, self.tracks.tracks.get_mut(index)?))) else {
            let text = format!("cannot export row {} of object {}: its track was not counted", row.row, row.object);
            return Err(Error::new(ErrorKind::Internal, text));
        };
        let lane = match row.kind() {
            EventKind::Slice => {
                track.lanes.assign(row.ts, row.ts.saturating_add(row.dur.unwrap_or_default()), row.correlation)
            }
            EventKind::Flow => track.lanes.find(row.ts, row.correlation),
            EventKind::Instant => 0,
        };
        let on_device = track.on_device;
        let (tid, is_new) = self.tracks.tid(index, lane);
        if is_new {
            self.write_lane_name(index, lane)?;
        }
        let pid = self.tracks.tracks.get(index).map_or(0, |track| self.tracks.pid(track));
        let source = self.sources.get(&row.object).copied().unwrap_or_default();
        Ok(EventThread { pid, tid, lane, on_device, source })
    }

    fn write_flow(&mut self, row: &EventRow<'_>, flow: &Flow<'_>, thread: EventThread) -> Result<()> {
        self.summary.flows += 1;
        let id = self.flow_ids.id(row.correlation, flow.id, thread.source.recording);
        self.out.event(|out| {
            write_start(out, flow.phase, thread, row);
            if let Some(id) = id {
                out.push_str(",\"id\":");
                out.push_str(&id);
            }
            if flow.phase == "f" {
                out.push_str(",\"bp\":\"e\"");
            }
            write_args(out, &flow.args, |args| write_event_columns(args, row, false, thread.source));
        })
    }

    fn write_slice_or_instant(
        &mut self,
        row: &EventRow<'_>,
        allocation: Option<&Allocation>,
        thread: EventThread,
    ) -> Result<()> {
        let is_slice = row.kind() == EventKind::Slice;
        self.summary.slices += u64::from(is_slice);
        self.summary.instants += u64::from(!is_slice);
        self.summary.extra_lanes += u64::from(thread.lane > 0);
        self.out.event(|out| {
            write_start(out, if is_slice { "X" } else { "i" }, thread, row);
            match row.dur.filter(|_| is_slice) {
                Some(dur) => {
                    out.push_str(",\"dur\":");
                    write_micros(out, dur);
                }
                None => out.push_str(",\"s\":\"t\""),
            }
            write_args(out, row.args.unwrap_or_default(), |args| {
                write_event_columns(args, row, thread.on_device, thread.source);
                if let Some(dur) = row.dur.filter(|_| !is_slice) {
                    args.member("dur", |out| write_micros(out, dur));
                }
                if let Some(allocation) = allocation {
                    write_allocation_columns(args, allocation);
                }
            });
        })
    }

    /// Writes the memory of an allocator as a counter.
    fn write_memory(&mut self, ts: i64, thread: EventThread, allocation: &Allocation) -> Result<()> {
        let values = [("allocated_bytes", allocation.allocated_bytes), ("reserved_bytes", allocation.reserved_bytes)];
        if values.iter().all(|(_, value)| value.is_none()) {
            return Ok(());
        }
        self.summary.counters += 1;
        self.out.event(|out| {
            write_head(out, "C", thread.pid, thread.tid);
            let device = allocation.device.as_deref().unwrap_or("cpu");
            write_text(out, ",\"name\":", &format!("memory {device}"));
            out.push_str(",\"ts\":");
            write_micros(out, ts);
            write_args(out, "", |args| {
                for (key, value) in values {
                    args.integer(key, value);
                }
            });
        })
    }

    /// Writes a measurement as a counter.
    pub(super) fn write_counter(&mut self, pid: i64, ts: i64, (name, key): (&str, &str), value: f64) -> Result<()> {
        self.summary.counters += 1;
        self.out.event(|out| {
            write_head(out, "C", pid, 0);
            write_text(out, ",\"name\":", name);
            out.push_str(",\"ts\":");
            write_micros(out, ts);
            write_args(out, "", |args| args.member(key, |out| out.push_str(&value.to_string())));
        })
    }
}

/// Returns a text as JSON.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::new();
    add_string(&mut out, text);
    out
}

/// Categories that an event has without a category in its file: the name of its process implies them.
const IMPLIED: [&str; 5] = ["kernel", "memcpy", "memset", "operator", "runtime"];

/// Writes the members that flows, slices and instants share.
fn write_start(out: &mut String, phase: &str, thread: EventThread, row: &EventRow<'_>) {
    write_head(out, phase, thread.pid, thread.tid);
    // In profiles that are not traces, the raw category is the kind of file.
    let implied = || row.category.filter(|category| IMPLIED.contains(category));
    let category = if thread.source.is_trace { row.raw_category.or_else(implied) } else { row.category };
    if let Some(category) = category {
        write_text(out, ",\"cat\":", category);
    }
    write_text(out, ",\"name\":", row.name.unwrap_or_default());
    out.push_str(",\"ts\":");
    write_micros(out, row.ts);
}
