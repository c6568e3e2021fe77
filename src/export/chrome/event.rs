//! Rows of `event`, and the order in which they are written.

use std::cmp::Reverse;
use std::collections::HashMap;

use arrow::array::{Array, Int64Array, RecordBatch, StringArray};

use super::scan::{columns, integer, integers, text, texts};
use crate::error::Result;
use crate::frame::Batches;

/// What an event becomes, in the order of those that begin together: an arrow belongs to what has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    Slice,
    Instant,
    Flow,
}

/// A row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) node: Option<&'a str>,
    pub(super) category: Option<&'a str>,
    pub(super) raw_category: Option<&'a str>,
    pub(super) name: Option<&'a str>,
    pub(super) track: Option<&'a str>,
    pub(super) mode: Option<&'a str>,
    pub(super) device: Option<&'a str>,
    pub(super) args: Option<&'a str>,
    pub(super) rank: Option<i64>,
    /// Since the start of the file.
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

impl Row<'_> {
    pub(super) fn shape(&self) -> Shape {
        match (self.category, self.dur) {
            (Some("flow"), _) => Shape::Flow,
            // An interval without an end, or with one before its start, is none to a viewer.
            (_, Some(dur)) if dur >= 0 => Shape::Slice,
            _ => Shape::Instant,
        }
    }

    /// An arrow ends here: it stands behind those that begin at the same time, else viewers do not find its beginning.
    fn ends_arrow(&self) -> bool {
        self.shape() == Shape::Flow && self.args.is_some_and(|args| args.starts_with("{\"ph\":\"f\""))
    }
}

/// A batch of rows.
#[derive(Debug)]
struct Columns {
    texts: [StringArray; 8],
    integers: [Int64Array; 11],
    /// What is added to the times.
    shift: i64,
}

impl Columns {
    fn new(batch: &RecordBatch, shift: i64) -> Result<Self> {
        Ok(Self { texts: columns(0, |n| texts(batch, n))?, integers: columns(8, |n| integers(batch, n))?, shift })
    }

    fn row(&self, at: usize) -> Row<'_> {
        let [node, category, raw_category, name, track, mode, device, args] =
            self.texts.each_ref().map(|texts| text(texts, at));
        let [rank, ts, dur, step, pid, tid, stream, correlation, external_id, object, row] =
            self.integers.each_ref().map(|integers| integer(integers, at));
        Row {
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
            row: row.unwrap_or_default(),
        }
    }

    fn has_time(&self, at: usize) -> bool {
        integer(&self.integers[1], at).is_some()
    }
}

/// The events of one window.
#[derive(Debug, Default)]
pub(super) struct Events {
    batches: Vec<Columns>,
    rows: usize,
}

impl Events {
    /// Reads them; `shift` is added to their times.
    pub(super) fn read(&mut self, batches: Batches, shift: i64) -> Result<()> {
        for batch in batches {
            let batch = batch?;
            self.rows += batch.num_rows();
            self.batches.push(Columns::new(&batch, shift)?);
        }
        Ok(())
    }

    /// The rows that have a time, by time; of those that begin together the longest first, so that what encloses stands
    /// before what is enclosed.
    pub(super) fn in_order(&self) -> impl Iterator<Item = Row<'_>> {
        let mut order = Vec::with_capacity(self.rows);
        for (number, batch) in self.batches.iter().enumerate() {
            for at in (0..batch.texts[0].len()).filter(|at| batch.has_time(*at)) {
                let row = batch.row(at);
                let key = (row.ts, row.shape(), Reverse(row.dur), row.ends_arrow(), row.object, row.row);
                order.push((key, number, at));
            }
        }
        order.sort_unstable();
        order.into_iter().filter_map(|(_, number, at)| Some(self.batches.get(number)?.row(at)))
    }
}

/// What an allocator's event says beside the columns of `event`.
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
            for at in 0..batch.num_rows() {
                let Some(key) = integer(&object, at).zip(integer(&row, at)) else { continue };
                self.0.insert(
                    key,
                    Allocation {
                        device: text(&device, at).map(str::to_owned),
                        address: integer(&address, at),
                        bytes: integer(&bytes, at),
                        allocated_bytes: integer(&allocated, at),
                        reserved_bytes: integer(&reserved, at),
                    },
                );
            }
        }
        Ok(())
    }

    pub(super) fn of(&self, row: &Row<'_>) -> Option<&Allocation> {
        self.0.get(&(row.object, row.row))
    }
}
