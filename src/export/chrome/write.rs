//! Events and measurements as trace events.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Exported;
use super::args::{Source, allocated, arguments, promoted, without_ts};
use super::event::{Allocation, Allocations, Row, Shape};
use super::flow::{Flow, Flows};
use super::out::{Out, head, integer, metadata, micros, text};
use super::track::Tracks;
use crate::error::{Error, ErrorKind, Result};
use crate::format::add_string;

/// Writes a file.
pub(super) struct Writer<'a> {
    pub(super) out: Out<'a>,
    pub(super) tracks: Tracks,
    pub(super) sources: BTreeMap<i64, Source>,
    pub(super) flows: Flows,
    /// Times count from an unknown start and are written as they were recorded.
    pub(super) times_as_recorded: bool,
    pub(super) told: Exported,
}

impl Writer<'_> {
    /// Names and places of all processes and threads.
    pub(super) fn names(&mut self) -> Result<()> {
        for (place, process) in self.tracks.processes.iter().enumerate() {
            if let Some(name) = &process.name {
                self.out.event(|out| metadata(out, "process_name", process.pid, 0, &quoted(name)))?;
            }
            self.out.event(|out| metadata(out, "process_sort_index", process.pid, 0, &place.to_string()))?;
        }
        for track in 0..self.tracks.tracks.len() {
            self.lane(track, 0)?;
        }
        Ok(())
    }

    /// Name and place of a lane.
    fn lane(&mut self, track: usize, lane: usize) -> Result<()> {
        let (tid, _) = self.tracks.tid(track, lane);
        let Some(track) = self.tracks.tracks.get(track) else { return Ok(()) };
        let pid = self.tracks.processes.get(track.process).map_or(0, |process| process.pid);
        if let Some(name) = track.lane_name(lane) {
            self.out.event(|out| metadata(out, "thread_name", pid, tid, &quoted(&name)))?;
        }
        let place = track.lane_place(lane);
        self.out.event(|out| metadata(out, "thread_sort_index", pid, tid, &place.to_string()))
    }

    /// Writes a row of `event`.
    pub(super) fn event(&mut self, row: &Row<'_>, allocations: &Allocations) -> Result<()> {
        let found = self.tracks.find(row.node, row.rank, row.object, (row.pid, row.tid, row.track));
        let Some(track) = found else {
            let text = format!("cannot export row {} of object {}: its track was not counted", row.row, row.object);
            return Err(Error::new(ErrorKind::Internal, text));
        };
        let source = self.sources.get(&row.object).copied().unwrap_or_default();
        let flow = (row.shape() == Shape::Flow).then(|| Flow::read(row, self.times_as_recorded)).flatten();
        let lane = match (row.shape(), self.tracks.tracks.get_mut(track)) {
            (Shape::Slice, Some(track)) => {
                track.lanes.place(row.ts, row.ts.saturating_add(row.dur.unwrap_or_default()), row.correlation)
            }
            (Shape::Flow, Some(track)) => track.lanes.find(row.ts, row.correlation),
            _ => 0,
        };
        let (tid, new) = self.tracks.tid(track, lane);
        if new {
            self.lane(track, lane)?;
        }
        let (mut pid, mut on_device) = (0, false);
        if let Some(track) = self.tracks.tracks.get(track) {
            on_device = track.on_device;
            pid = self.tracks.processes.get(track.process).map_or(0, |process| process.pid);
        }
        let allocation = allocations.of(row);
        // A time of its own, which the file has again.
        let own = row.args.map(|own| if self.times_as_recorded { without_ts(own) } else { Cow::Borrowed(own) });
        match &flow {
            Some(flow) => {
                self.told.flows += 1;
                let id = self.flows.id(row.correlation, flow.id, source.recording);
                self.out.event(|out| {
                    begin(out, flow.phase, (pid, tid), row, source);
                    if let Some(id) = id {
                        out.push_str(",\"id\":");
                        out.push_str(&id);
                    }
                    if flow.phase == "f" {
                        out.push_str(",\"bp\":\"e\"");
                    }
                    arguments(out, &flow.rest, |args| promoted(args, row, false, source));
                })?;
            }
            None => {
                let slice = row.shape() == Shape::Slice;
                self.told.slices += u64::from(slice);
                self.told.instants += u64::from(!slice);
                self.told.moved += u64::from(lane > 0);
                self.out.event(|out| {
                    begin(out, if slice { "X" } else { "i" }, (pid, tid), row, source);
                    match row.dur.filter(|_| slice) {
                        Some(dur) => {
                            out.push_str(",\"dur\":");
                            micros(out, dur);
                        }
                        None => out.push_str(",\"s\":\"t\""),
                    }
                    arguments(out, own.as_deref().unwrap_or_default(), |args| {
                        promoted(args, row, on_device, source);
                        if let Some(dur) = row.dur.filter(|_| !slice) {
                            args.member("dur", |out| micros(out, dur));
                        }
                        if let Some(allocation) = allocation {
                            allocated(args, allocation);
                        }
                    });
                })?;
            }
        }
        match allocation {
            Some(allocation) => self.memory(row.ts, (pid, tid), allocation),
            None => Ok(()),
        }
    }

    /// What an allocator holds, as a counter.
    fn memory(&mut self, ts: i64, (pid, tid): (i64, i64), allocation: &Allocation) -> Result<()> {
        let values = [("allocated_bytes", allocation.allocated_bytes), ("reserved_bytes", allocation.reserved_bytes)];
        if values.iter().all(|(_, value)| value.is_none()) {
            return Ok(());
        }
        self.told.counters += 1;
        self.out.event(|out| {
            head(out, "C", pid, tid);
            let device = allocation.device.as_deref().unwrap_or("cpu");
            text(out, ",\"name\":", &format!("memory {device}"));
            out.push_str(",\"ts\":");
            micros(out, ts);
            arguments(out, "", |args| {
                for (key, value) in values {
                    if let Some(value) = value {
                        args.member(key, |out| integer(out, value));
                    }
                }
            });
        })
    }

    /// Writes a measurement.
    pub(super) fn counter(&mut self, pid: i64, ts: i64, (name, key): (&str, &str), value: f64) -> Result<()> {
        self.told.counters += 1;
        self.out.event(|out| {
            head(out, "C", pid, 0);
            text(out, ",\"name\":", name);
            out.push_str(",\"ts\":");
            micros(out, ts);
            arguments(out, "", |args| args.member(key, |out| out.push_str(&value.to_string())));
        })
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    add_string(&mut out, text);
    out
}

/// What every event begins with.
fn begin(out: &mut String, phase: &str, (pid, tid): (i64, i64), row: &Row<'_>, source: Source) {
    head(out, phase, pid, tid);
    // Of other profiles the raw category is the kind of file.
    let category = if source.is_trace { row.raw_category } else { row.category };
    if let Some(category) = category {
        text(out, ",\"cat\":", category);
    }
    text(out, ",\"name\":", row.name.unwrap_or_default());
    out.push_str(",\"ts\":");
    micros(out, row.ts);
}
