//! Events and measurements as trace events.

use std::collections::BTreeMap;

use super::Exported;
use super::event::{Allocation, Allocations, Row, Shape};
use super::flow::{Flow, Flows};
use super::out::{Out, head, integer, metadata, micros, text};
use super::track::Tracks;
use crate::error::Result;
use crate::format::add_string;

/// What is known of the object of an event.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Source {
    /// It is a trace, so that its raw categories are those of its events, and its arguments can be written as they were.
    pub(super) is_trace: bool,
    /// Which recording it is, from 0.
    pub(super) recording: u64,
}

/// Writes a file.
pub(super) struct Writer<'a> {
    pub(super) out: Out<'a>,
    pub(super) tracks: Tracks,
    pub(super) sources: BTreeMap<i64, Source>,
    pub(super) flows: Flows,
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
        // every row was seen when the tracks were counted
        let Some(track) = found else { return Ok(()) };
        let source = self.sources.get(&row.object).copied().unwrap_or_default();
        let flow = (row.shape() == Shape::Flow).then(|| Flow::read(row)).flatten();
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
                    arguments(out, row.args.unwrap_or_default(), |args| {
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

/// Arguments that are being written.
struct Args<'a> {
    out: &'a mut String,
    first: bool,
    /// Those of the profile.
    own: &'a str,
}

impl Args<'_> {
    fn member(&mut self, key: &str, write: impl FnOnce(&mut String)) {
        self.out.push_str(if self.first { ",\"args\":{\"" } else { ",\"" });
        self.first = false;
        self.out.push_str(key);
        self.out.push_str("\":");
        write(self.out);
    }

    fn integer(&mut self, key: &str, value: Option<i64>) {
        if let Some(value) = value {
            self.member(key, |out| integer(out, value));
        }
    }
}

/// The arguments: those that became columns, and behind them those of the profile, as they are. Nothing if there is none.
fn arguments(out: &mut String, own: &str, columns: impl FnOnce(&mut Args<'_>)) {
    let mut args = Args { out, first: true, own };
    columns(&mut args);
    let first = args.first;
    let own = own.trim();
    let members = own.strip_prefix('{').and_then(|own| own.strip_suffix('}')).map(str::trim_ascii);
    match members {
        Some("") => {}
        Some(members) => {
            out.push_str(if first { ",\"args\":{" } else { "," });
            out.push_str(members);
            return out.push('}');
        }
        None if own.is_empty() => {}
        // no profile that is read has any other
        None => {
            out.push_str(if first { ",\"args\":{" } else { "," });
            text(out, "\"args\":", own);
            return out.push('}');
        }
    }
    if !first {
        out.push('}');
    }
}

/// The arguments that are columns of `event`.
fn promoted(args: &mut Args<'_>, row: &Row<'_>, on_device: bool, source: Source) {
    if !source.is_trace {
        args.integer("step", row.step);
        if let Some(mode) = row.mode {
            args.member("mode", |out| add_string(out, mode));
        }
        return;
    }
    args.integer("External id", row.external_id);
    if row.category != Some("flow") {
        args.integer("correlation", row.correlation);
    }
    // Also of an event that stands on another lane, whose number is not that of the stream.
    args.integer("stream", row.stream.filter(|_| !args.own.contains("\"stream\"")));
    let device = row.device.filter(|_| on_device && !args.own.contains("\"device\""));
    args.integer("device", device.and_then(number));
}

/// The number at the end of a device's name.
fn number(device: &str) -> Option<i64> {
    device.get(device.trim_end_matches(|c: char| c.is_ascii_digit()).len()..)?.parse().ok()
}

/// The arguments that are columns of `allocation`, as PyTorch names them; types of devices are numbered as in c10.
fn allocated(args: &mut Args<'_>, allocation: &Allocation) {
    if let Some(device) = allocation.device.as_deref() {
        let kind = match device.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "cpu" => Some(0),
            "gpu" => Some(1),
            "xla" => Some(9),
            "xpu" => Some(12),
            other => other.strip_prefix("type").and_then(|kind| kind.strip_suffix('_')?.parse().ok()),
        };
        args.integer("Device Type", kind);
        args.integer("Device Id", number(device).or(Some(-1)));
    }
    args.integer("Addr", allocation.address);
    args.integer("Bytes", allocation.bytes);
    args.integer("Total Allocated", allocation.allocated_bytes);
    args.integer("Total Reserved", allocation.reserved_bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(own: &str, integers: &[(&str, i64)]) -> String {
        let mut out = String::new();
        arguments(&mut out, own, |args| integers.iter().for_each(|(key, value)| args.integer(key, Some(*value))));
        out
    }

    #[test]
    fn arguments_are_joined() {
        assert_eq!(written("", &[]), "");
        assert_eq!(written("{ }", &[]), "");
        assert_eq!(written("{\"a\": [1, 2]}", &[]), ",\"args\":{\"a\": [1, 2]}");
        assert_eq!(written("{\"a\": {}}", &[("b", 2)]), ",\"args\":{\"b\":2,\"a\": {}}");
        assert_eq!(written("", &[("b", 2), ("c", -3)]), ",\"args\":{\"b\":2,\"c\":-3}");
        assert_eq!(written("[1]", &[("b", 2)]), ",\"args\":{\"b\":2,\"args\":\"[1]\"}");
    }

    #[test]
    fn devices_have_numbers() {
        assert_eq!(["gpu0", "mtia12", "cpu", "type20_2"].map(number), [Some(0), Some(12), None, Some(2)]);
    }
}
