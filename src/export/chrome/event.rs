//! Rows of `event` and `allocation` of one window, and the order in which events are written.

use std::cmp::Reverse;
use std::collections::HashMap;

use arrow::array::{Array, Int64Array, RecordBatch, StringArray};

use super::reader::{columns, integer, integers, text, texts};
use crate::error::Result;
use crate::frame::Batches;

/// The kind of a trace event. Events that begin at the same time are written in this order, because an arrow belongs to an
/// event before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EventKind {
    Slice,
    Instant,
    Flow,
}

/// A row of `event`.
#[derive(Debug, Clone, Copy)]
pub(super) struct EventRow<'a> {
    pub(super) node: Option<&'a str>,
    pub(super) category: Option<&'a str>,
    pub(super) raw_category: Option<&'a str>,
    pub(super) name: Option<&'a str>,
    pub(super) track: Option<&'a str>,
    pub(super) mode: Option<&'a str>,
    pub(super) device: Option<&'a str>,
    pub(super) args: Option<&'a str>,
    pub(super) rank: Option<i64>,
    /// Relative to the start of the file, ns.
    pub(super) ts: i64,
    pub(super) dur: Option<i64>,
    pub(super) step: Option<i64>,
    pub(super) pid: Option<i64>,
    pub(super) tid: Option<i64>,
    pub(super) stream: Option<i64>,
    pub(super) correlation: Option<i64>,
    pub(super) external_id: Option<i64>,
    pub(super) object: i64,
    pub(super) row: i64,
}

impl EventRow<'_> {
    pub(super) fn kind(&self) -> EventKind {
        match (self.category, self.dur) {
            (Some("flow"), _) => EventKind::Flow,
            // Viewers do not accept an interval that ends before its start.
            (_, Some(dur)) if dur >= 0 => EventKind::Slice,
            _ => EventKind::Instant,
        }
    }

    /// Returns true for the end of an arrow. It is written after all starts at the same time, or viewers do not find its start.
    fn is_arrow_end(&self) -> bool {
        self.kind() == EventKind::Flow && self.args.is_some_and(|args| args.starts_with("{\"ph\":\"f\""))
    }
}

/// A batch of rows of `event`.
#[derive(Debug)]
struct EventColumns {
    texts: [StringArray; 8],
    integers: [Int64Array; 11],
    /// Added to all timestamps, ns.
    shift: i64,
}

impl EventColumns {
    fn new(batch: &RecordBatch, shift: i64) -> Result<Self> {
        Ok(Self { texts: columns(0, |n| texts(batch, n))?, integers: columns(8, |n| integers(batch, n))?, shift })
    }

    fn row(&self, row: usize) -> EventRow<'_> {
        let [node, category, raw_category, name, track, mode, device, args] =
            self.texts.each_ref().map(|texts| text(texts, row));
        let [rank, ts, dur, step, pid, tid, stream, correlation, external_id, object, number] =
            self.integers.each_ref().map(|integers| integer(integers, row));
        EventRow {
            node,
            category,
            raw_category,
            name,
            track,
            mode,
            device,
            args,
            rank,
            ts: ts.unwrap_or_default().saturating_add(self.shift),
            dur,
            step,
            pid,
            tid,
            stream,
            correlation,
            external_id,
            object: object.unwrap_or_default(),
            row: number.unwrap_or_default(),
        }
    }

    fn has_ts(&self, row: usize) -> bool {
        integer(&self.integers[1], row).is_some()
    }
}

/// The events of one window.
#[derive(Debug, Default)]
pub(super) struct Events {
    batches: Vec<EventColumns>,
    rows: usize,
}

impl Events {
    /// Adds batches; `shift` is added to their timestamps.
    pub(super) fn read(&mut self, batches: Batches, shift: i64) -> Result<()> {
        for batch in batches {
            let batch = batch?;
            self.rows += batch.num_rows();
            self.batches.push(EventColumns::new(&batch, shift)?);
        }
        Ok(())
    }

    /// Returns the rows that have a timestamp, sorted by it. If timestamps are equal, the longest comes first, so that an
    /// enclosing interval comes before the enclosed ones.
    pub(super) fn sorted(&self) -> impl Iterator<Item = EventRow<'_>> {
        let mut order = Vec::with_capacity(self.rows);
        for (number, batch) in self.batches.iter().enumerate() {
            for n in (0..batch.texts[0].len()).filter(|n| batch.has_ts(*n)) {
                let row = batch.row(n);
                let key = (row.ts, row.kind(), Reverse(row.dur), row.is_arrow_end(), row.object, row.row);
                order.push((key, number, n));
            }
        }
        order.sort_unstable();
        order.into_iter().filter_map(|(_, number, n)| Some(self.batches.get(number)?.row(n)))
    }
}

/// A row of `allocation`.
#[derive(Debug, Clone)]
pub(super) struct Allocation {
    pub(super) device: Option<String>,
    pub(super) address: Option<i64>,
    pub(super) bytes: Option<i64>,
    pub(super) allocated_bytes: Option<i64>,
    pub(super) reserved_bytes: Option<i64>,
}

/// The allocations of one window, by object and row.
#[derive(Debug, Default)]
pub(super) struct Allocations(HashMap<(i64, i64), Allocation>);

impl Allocations {
    pub(super) fn read(&mut self, batches: Batches) -> Result<()> {
        for batch in batches {
            let batch = batch?;
            let device = texts(&batch, 0)?;
            let [object, row, address, bytes, allocated, reserved] = columns(1, |n| integers(&batch, n))?;
            for n in 0..batch.num_rows() {
                let Some(key) = integer(&object, n).zip(integer(&row, n)) else { continue };
                self.0.insert(
                    key,
                    Allocation {
                        device: text(&device, n).map(str::to_owned),
                        address: integer(&address, n),
                        bytes: integer(&bytes, n),
                        allocated_bytes: integer(&allocated, n),
                        reserved_bytes: integer(&reserved, n),
                    },
                );
            }
        }
        Ok(())
    }

    /// Returns the allocation of an event.
    pub(super) fn get(&self, row: &EventRow<'_>) -> Option<&Allocation> {
        self.0.get(&(row.object, row.row))
    }
}
