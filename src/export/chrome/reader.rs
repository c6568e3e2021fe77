//! Reads the rows of one run for an export, as one snapshot has them, in time windows.
//!
//! The export needs events in the order of their times, but they are stored in any order. A histogram of fixed size
//! splits time into windows of about [`WINDOW`] events. Each window is read and sorted separately, so memory is bounded
//! for any length of the run. A window is larger only if a single bucket of the histogram is.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{Array, AsArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::execution::SessionState;
use tracelake_engine::plan::depth::plan_sql;
use tracelake_engine::provider::current_snapshot;
use tracelake_engine::query_error;

use super::name::TrackKey;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Batches;
use crate::lake::{Manifest, Snapshot};
use crate::session::execution::batches;
use crate::session::{Session, Value};
use crate::table::MIN_EPOCH_TIME;

/// Events per window. Memory holds two windows: one is written while the next one is read.
const WINDOW: u64 = 100_000;

/// Buckets of the histogram.
const BUCKETS: i64 = 1 << 18;

/// The clock of a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    /// Timestamps since the Unix epoch.
    Absolute,
    /// Timestamps since an unknown start.
    Recorded,
}

impl Clock {
    /// Returns the condition in SQL for rows of this clock.
    fn condition(self) -> String {
        let operator = if self == Self::Absolute { ">=" } else { "<" };
        format!("ts {operator} {MIN_EPOCH_TIME}")
    }
}

/// The first and the last timestamp, and the number of events with a timestamp.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TimeSpan {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) events: u64,
}

impl TimeSpan {
    fn extend(&mut self, other: Self) {
        *self = match (self.events, other.events) {
            (_, 0) => *self,
            (0, _) => other,
            (a, b) => Self { first: self.first.min(other.first), last: self.last.max(other.last), events: a + b },
        };
    }
}

/// Start and end of a window; the end is excluded. None: unbounded.
pub(super) type TimeWindow = (Option<i64>, Option<i64>);

/// Machine and rank of measurements.
pub(super) type NodeRank = (Option<String>, Option<i64>);

/// Reads one run from one snapshot.
pub(super) struct RunReader<'a> {
    session: &'a Session,
    snapshot: Snapshot,
    pub(super) manifest: Arc<Manifest>,
    /// SQL condition on the run.
    run: String,
    state: SessionState,
}

impl<'a> RunReader<'a> {
    pub(super) fn new(session: &'a Session, run: &str) -> Result<Self> {
        let snapshot = current_snapshot(&session.inner.snapshot);
        let Some(manifest) = snapshot.get(run).cloned() else {
            let known: Vec<&str> = snapshot.keys().map(String::as_str).take(20).collect();
            return Err(Error::unknown("run", run, &known));
        };
        let state = session.inner.context.state();
        let run = format!("run = {}", Value::from(run));
        Ok(Self { session, snapshot, manifest, run, state })
    }

    fn query(&self, text: String) -> Result<Batches> {
        let state = self.state.clone();
        let plan = self
            .session
            .inner
            .engine
            .run(async move { plan_sql(&state, &text).await.map_err(|error| query_error(&error)) })?;
        batches(self.session, plan, &self.snapshot)
    }

    /// Returns all tracks sorted by object, the time span of the events with an absolute timestamp, and the number of others.
    pub(super) fn tracks(&self) -> Result<(Vec<TrackKey>, TimeSpan, u64)> {
        let absolute = Clock::Absolute.condition();
        let query = format!(
            "select node, rank, object, pid, tid, track, \
             max(case when category not in ('memory', 'flow') and device <> 'cpu' then device end) as device, \
             min(ts) filter (where {absolute}) as first, max(ts) filter (where {absolute}) as last, \
             count(*) filter (where {absolute}) as timed, count(*) as events \
             from event where {} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6",
            self.run
        );
        let (mut tracks, mut span, mut without_ts) = (Vec::new(), TimeSpan::default(), 0);
        for batch in self.query(query)? {
            let batch = batch?;
            let (node, [track, device]) = (texts(&batch, 0)?, columns(5, |n| texts(&batch, n))?);
            let [rank, object, pid, tid] = columns(1, |n| integers(&batch, n))?;
            for row in 0..batch.num_rows() {
                let owned = |texts: &StringArray| text(texts, row).map(str::to_owned);
                tracks.push(TrackKey {
                    node: owned(&node),
                    rank: integer(&rank, row),
                    object: integer(&object, row).unwrap_or_default(),
                    pid: integer(&pid, row),
                    tid: integer(&tid, row),
                    track: owned(&track),
                    device: owned(&device),
                });
            }
            for (row_span, rows) in spans(&batch, 7)? {
                without_ts += rows - row_span.events;
                span.extend(row_span);
            }
        }
        Ok((tracks, span, without_ts))
    }

    /// Returns the time span of the events without an absolute timestamp.
    pub(super) fn recorded_span(&self) -> Result<TimeSpan> {
        let condition = Clock::Recorded.condition();
        let text =
            format!("select min(ts), max(ts), count(ts), count(*) from event where {} and {condition}", self.run);
        let mut span = TimeSpan::default();
        for batch in self.query(text)? {
            spans(&batch?, 0)?.into_iter().for_each(|(row_span, _)| span.extend(row_span));
        }
        Ok(span)
    }

    /// Returns the machines and ranks of the measurements, the span of their absolute timestamps, and the number of
    /// measurements without a timestamp.
    pub(super) fn sample_owners(&self) -> Result<(Vec<NodeRank>, TimeSpan, u64)> {
        let query = format!(
            "select node, rank, min(ts) filter (where {0}), max(ts) filter (where {0}), count(ts), count(*) from sample \
             where {1} group by 1, 2 order by 1, 2",
            Clock::Absolute.condition(),
            self.run
        );
        let (mut owners, mut span, mut without_ts) = (Vec::new(), TimeSpan::default(), 0);
        for batch in self.query(query)? {
            let batch = batch?;
            let (node, rank) = (texts(&batch, 0)?, integers(&batch, 1)?);
            for (row, (row_span, rows)) in spans(&batch, 2)?.into_iter().enumerate() {
                without_ts += rows - row_span.events;
                if row_span.events > 0 {
                    owners.push((text(&node, row).map(str::to_owned), integer(&rank, row)));
                    span.extend(row_span);
                }
            }
        }
        Ok((owners, span, without_ts))
    }

    /// Returns the windows, each from the end of the previous one. The first one has no start, the last one no end.
    pub(super) fn windows(&self, clock: Clock, span: TimeSpan) -> Result<Vec<TimeWindow>> {
        if span.events <= WINDOW {
            return Ok(vec![(None, None)]);
        }
        let width = (span.last.saturating_sub(span.first) / BUCKETS).saturating_add(1);
        let mut buckets = vec![0_u32; usize::try_from(BUCKETS).unwrap_or_default() + 1];
        let text = format!("select ts from event where {} and {}", self.run, clock.condition());
        for batch in self.query(text)? {
            for time in integers(&batch?, 0)?.iter().flatten() {
                let bucket = usize::try_from(time.saturating_sub(span.first) / width).unwrap_or_default();
                if let Some(events) = buckets.get_mut(bucket) {
                    *events = events.saturating_add(1);
                }
            }
        }
        let mut windows = Vec::new();
        let (mut start, mut window_events, mut bucket_start) = (None, 0, span.first);
        for events in buckets {
            if window_events > 0 && window_events + u64::from(events) > WINDOW {
                windows.push((start, Some(bucket_start)));
                (start, window_events) = (Some(bucket_start), 0);
            }
            window_events += u64::from(events);
            bucket_start = bucket_start.saturating_add(width);
        }
        windows.push((start, None));
        Ok(windows)
    }

    fn window_condition(clock: Clock, (start, end): TimeWindow) -> String {
        let mut text = clock.condition();
        for (bound, operator) in [(start, ">="), (end, "<")] {
            if let Some(bound) = bound {
                // Writing to a String cannot fail.
                let _ = write!(text, " and ts {operator} {bound}");
            }
        }
        text
    }

    /// Returns the events of a window without an order, with the columns of `EventColumns`.
    pub(super) fn events(&self, clock: Clock, window: TimeWindow) -> Result<Batches> {
        self.query(format!(
            "select node, category, raw_category, name, track, mode, device, args, rank, ts, dur, step, pid, tid, \
             stream, correlation, external_id, object, row from event where {} and {}",
            self.run,
            Self::window_condition(clock, window)
        ))
    }

    /// Returns the allocations of a window.
    pub(super) fn allocations(&self, clock: Clock, window: TimeWindow) -> Result<Option<Batches>> {
        if !self.manifest.parts.iter().any(|part| part.table == "allocation") {
            return Ok(None);
        }
        let condition = Self::window_condition(clock, window);
        let text = format!(
            "select device, object, row, address, bytes, allocated_bytes, reserved_bytes from allocation where {} and {condition}",
            self.run
        );
        self.query(text).map(Some)
    }

    /// Returns the measurements that have a timestamp, in order. Timestamps count from `base`; those since an unknown start
    /// are shifted.
    pub(super) fn samples(&self, base: i64, shift: i64) -> Result<Batches> {
        self.query(format!(
            "select node, resource, device, metric, unit, raw_name, raw_dimension, rank, \
             case when {} then ts - {base} else ts + {shift} end as ts, value from sample \
             where {} and ts is not null order by ts, object, row",
            Clock::Absolute.condition(),
            self.run
        ))
    }

    /// Returns the attributes of the recordings: name, value and object, in the order of the files.
    pub(super) fn attributes(&self) -> Result<Batches> {
        self.query(format!("select key, value, object from run_attribute where {} order by object, row", self.run))
    }
}

/// Reads four columns of each row: the first and the last timestamp, the number of rows with a timestamp, and the number of
/// all rows. Returns the time span and the last number.
fn spans(batch: &RecordBatch, column: usize) -> Result<Vec<(TimeSpan, u64)>> {
    let [first, last, timed, all] = columns(column, |n| integers(batch, n))?;
    let count = |counts, row| integer(counts, row).and_then(|n| u64::try_from(n).ok()).unwrap_or_default();
    let span = |row| {
        let (first, last) = (integer(&first, row).unwrap_or_default(), integer(&last, row).unwrap_or_default());
        (TimeSpan { first, last, events: count(&timed, row) }, count(&all, row))
    };
    Ok((0..batch.num_rows()).map(span).collect())
}

/// Reads N columns, beginning with column `first`.
pub(super) fn columns<T, const N: usize>(first: usize, read: impl Fn(usize) -> Result<T>) -> Result<[T; N]> {
    let columns = (first..first + N).map(read).collect::<Result<Vec<T>>>()?;
    columns.try_into().map_err(|_| Error::new(ErrorKind::Internal, "cannot count the columns"))
}

/// Reads a column of texts.
pub(super) fn texts(batch: &RecordBatch, column: usize) -> Result<StringArray> {
    Ok(cast(batch.column(column), &DataType::Utf8).map_err(unexpected_type)?.as_string::<i32>().clone())
}

/// Reads a column of integers.
pub(super) fn integers(batch: &RecordBatch, column: usize) -> Result<Int64Array> {
    Ok(cast(batch.column(column), &DataType::Int64).map_err(unexpected_type)?.as_primitive::<Int64Type>().clone())
}

/// Reads a column of doubles.
pub(super) fn doubles(batch: &RecordBatch, column: usize) -> Result<Float64Array> {
    Ok(cast(batch.column(column), &DataType::Float64).map_err(unexpected_type)?.as_primitive::<Float64Type>().clone())
}

fn unexpected_type(error: arrow::error::ArrowError) -> Error {
    Error::new(ErrorKind::Internal, "cannot read a column of another type").with_source(error)
}

pub(super) fn text(texts: &StringArray, row: usize) -> Option<&str> {
    texts.is_valid(row).then(|| texts.value(row))
}

pub(super) fn integer(integers: &Int64Array, row: usize) -> Option<i64> {
    integers.is_valid(row).then(|| integers.value(row))
}
