//! What an export reads: the rows of one run, as one snapshot has them, in windows of time.
//!
//! Events have to be in the order of their times, whatever order they are stored in. Time is cut into windows of about
//! [`WINDOW`] events, by a histogram of fixed size, and each window is read and sorted for itself: memory stays bounded
//! however long the run is. Only thousands of events within one cell of the histogram make a window larger.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{Array, AsArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::execution::{FunctionRegistry, SessionState};
use datafusion::logical_expr::ScalarUDF;
use tracelake_engine::provider::current;
use tracelake_engine::query_error;

use super::name::TrackKey;
use super::recorded::RecordedTs;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Batches;
use crate::lake::{Manifest, Snapshot};
use crate::session::answer::batches;
use crate::session::{Session, Value};

/// Events that are held at a time, twice: while one window is written, the next one is read.
const WINDOW: u64 = 100_000;

/// Cells of the histogram.
const CELLS: i64 = 1 << 18;

/// Which time of an event is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    /// Since the epoch.
    Absolute,
    /// Since an unknown start.
    Recorded,
}

impl Clock {
    fn time(self) -> &'static str {
        match self {
            Self::Absolute => "ts",
            Self::Recorded => "recorded_ts(args)",
        }
    }

    fn holds(self) -> &'static str {
        match self {
            Self::Absolute => "ts is not null",
            Self::Recorded => "ts is null",
        }
    }
}

/// First and last time, and how many events have one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) events: u64,
}

impl Span {
    fn add(&mut self, other: Self) {
        *self = match (self.events, other.events) {
            (_, 0) => *self,
            (0, _) => other,
            (a, b) => Self { first: self.first.min(other.first), last: self.last.max(other.last), events: a + b },
        };
    }
}

/// Machine and rank that something was measured on.
type Owner = (Option<String>, Option<i64>);

/// One run, seen through one snapshot.
pub(super) struct Scan<'a> {
    session: &'a Session,
    snapshot: Snapshot,
    /// The run as the snapshot has it.
    pub(super) manifest: Arc<Manifest>,
    /// Condition on the run.
    run: String,
    state: SessionState,
}

impl<'a> Scan<'a> {
    pub(super) fn new(session: &'a Session, run: &str) -> Result<Self> {
        let snapshot = current(&session.inner.snapshot);
        let Some(manifest) = snapshot.get(run).cloned() else {
            let known: Vec<&str> = snapshot.keys().map(String::as_str).take(20).collect();
            return Err(Error::unknown("run", run, &known));
        };
        let mut state = session.inner.context.state();
        state.register_udf(Arc::new(ScalarUDF::from(RecordedTs::new()))).map_err(|error| query_error(&error))?;
        let run = format!("run = {}", Value::from(run));
        Ok(Self { session, snapshot, manifest, run, state })
    }

    fn rows(&self, text: String) -> Result<Batches> {
        let state = self.state.clone();
        let plan = self
            .session
            .inner
            .engine
            .run(async move { state.create_logical_plan(&text).await.map_err(|error| query_error(&error)) })?;
        batches(self.session, plan, &self.snapshot)
    }

    /// All tracks, by object, and the times of the events that have one; how many have none.
    pub(super) fn tracks(&self) -> Result<(Vec<TrackKey>, Span, u64)> {
        let query = format!(
            "select node, rank, object, pid, tid, track, \
             max(case when category not in ('memory', 'flow') and device <> 'cpu' then device end) as device, \
             min(ts) as first, max(ts) as last, count(ts) as timed, count(*) as events \
             from event where {} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6",
            self.run
        );
        let (mut tracks, mut span, mut untimed) = (Vec::new(), Span::default(), 0);
        for batch in self.rows(query)? {
            let batch = batch?;
            let (node, [track, device]) = (texts(&batch, 0)?, columns(5, |n| texts(&batch, n))?);
            let [rank, object, pid, tid] = columns(1, |n| integers(&batch, n))?;
            let [first, last, timed, events] = columns(7, |n| integers(&batch, n))?;
            for row in 0..batch.num_rows() {
                let own = |texts: &StringArray| text(texts, row).map(str::to_owned);
                tracks.push(TrackKey {
                    node: own(&node),
                    rank: integer(&rank, row),
                    object: integer(&object, row).unwrap_or_default(),
                    pid: integer(&pid, row),
                    tid: integer(&tid, row),
                    track: own(&track),
                    device: own(&device),
                });
                let count = |counts| integer(counts, row).and_then(|n| u64::try_from(n).ok()).unwrap_or_default();
                untimed += count(&events) - count(&timed);
                if let (Some(first), Some(last)) = (integer(&first, row), integer(&last, row)) {
                    span.add(Span { first, last, events: count(&timed) });
                }
            }
        }
        Ok((tracks, span, untimed))
    }

    /// Times of the events that count from an unknown start.
    pub(super) fn recorded(&self) -> Result<Span> {
        let time = Clock::Recorded.time();
        let text = format!(
            "select min({time}), max({time}), count({time}) from event where {} and {}",
            self.run,
            Clock::Recorded.holds()
        );
        self.span(text)
    }

    /// Owners of the measurements, and the times of these; how many have none.
    pub(super) fn measured(&self) -> Result<(Vec<Owner>, Span, u64)> {
        let query = format!(
            "select node, rank, min(ts), max(ts), count(ts), count(*) from sample where {} group by 1, 2 order by 1, 2",
            self.run
        );
        let (mut owners, mut span, mut untimed) = (Vec::new(), Span::default(), 0);
        for batch in self.rows(query)? {
            let batch = batch?;
            let (node, rank) = (texts(&batch, 0)?, integers(&batch, 1)?);
            let [first, last, timed, all] = columns(2, |n| integers(&batch, n))?;
            for row in 0..batch.num_rows() {
                let count = |counts| integer(counts, row).and_then(|n| u64::try_from(n).ok()).unwrap_or_default();
                untimed += count(&all) - count(&timed);
                if let (Some(first), Some(last)) = (integer(&first, row), integer(&last, row)) {
                    owners.push((text(&node, row).map(str::to_owned), integer(&rank, row)));
                    span.add(Span { first, last, events: count(&timed) });
                }
            }
        }
        Ok((owners, span, untimed))
    }

    fn span(&self, text: String) -> Result<Span> {
        let mut span = Span::default();
        for batch in self.rows(text)? {
            let batch = batch?;
            let (first, last, events) = (integers(&batch, 0)?, integers(&batch, 1)?, integers(&batch, 2)?);
            for row in 0..batch.num_rows() {
                if let (Some(first), Some(last), Some(events)) =
                    (integer(&first, row), integer(&last, row), integer(&events, row))
                {
                    span.add(Span { first, last, events: u64::try_from(events).unwrap_or_default() });
                }
            }
        }
        Ok(span)
    }

    /// Where windows begin and end, the last end included; `None` at both ends for all there is.
    pub(super) fn windows(&self, clock: Clock, span: Span) -> Result<Vec<(Option<i64>, Option<i64>)>> {
        if span.events <= WINDOW {
            return Ok(vec![(None, None)]);
        }
        let width = (span.last.saturating_sub(span.first) / CELLS).saturating_add(1);
        let mut cells = vec![0_u32; usize::try_from(CELLS).unwrap_or_default() + 1];
        let text = format!("select {} from event where {} and {}", clock.time(), self.run, clock.holds());
        for batch in self.rows(text)? {
            let batch = batch?;
            for time in integers(&batch, 0)?.iter().flatten() {
                let cell = usize::try_from(time.saturating_sub(span.first) / width).unwrap_or_default();
                if let Some(cell) = cells.get_mut(cell) {
                    *cell = cell.saturating_add(1);
                }
            }
        }
        let mut windows = Vec::new();
        let (mut from, mut held, mut at) = (None, 0, span.first);
        for events in cells {
            if held > 0 && held + u64::from(events) > WINDOW {
                windows.push((from, Some(at)));
                (from, held) = (Some(at), 0);
            }
            held += u64::from(events);
            at = at.saturating_add(width);
        }
        windows.push((from, None));
        Ok(windows)
    }

    fn within(clock: Clock, window: (Option<i64>, Option<i64>)) -> String {
        let mut text = clock.holds().to_owned();
        let time = clock.time();
        if let Some(from) = window.0 {
            // writing to a String cannot fail
            let _ = write!(text, " and {time} >= {from}");
        }
        if let Some(to) = window.1 {
            let _ = write!(text, " and {time} < {to}");
        }
        text
    }

    /// The events of a window, see [`super::event::Columns`], in no order.
    pub(super) fn events(&self, clock: Clock, window: (Option<i64>, Option<i64>)) -> Result<Batches> {
        self.rows(format!(
            "select node, category, raw_category, name, track, mode, device, args, rank, {} as ts, dur, step, pid, tid, \
             stream, correlation, external_id, object, row from event where {} and {}",
            clock.time(),
            self.run,
            Self::within(clock, window)
        ))
    }

    /// The allocations of a window. Without a time since the epoch they have none, so a window holds all of these.
    pub(super) fn allocations(&self, clock: Clock, window: (Option<i64>, Option<i64>)) -> Result<Option<Batches>> {
        if !self.has("allocation") {
            return Ok(None);
        }
        let within = match clock {
            Clock::Absolute => Self::within(clock, window),
            Clock::Recorded => clock.holds().to_owned(),
        };
        let text = format!(
            "select device, object, row, address, bytes, allocated_bytes, reserved_bytes from allocation where {} and {within}",
            self.run
        );
        self.rows(text).map(Some)
    }

    /// The measurements that have a time, in order.
    pub(super) fn samples(&self) -> Result<Batches> {
        self.rows(format!(
            "select node, resource, device, metric, unit, raw_name, raw_dimension, rank, ts, value from sample \
             where {} and ts is not null order by ts, object, row",
            self.run
        ))
    }

    /// Names and values of what the recordings say about themselves, each with its object; in the order of the files.
    pub(super) fn attributes(&self) -> Result<Batches> {
        self.rows(format!("select key, value, object from run_attribute where {} order by object, row", self.run))
    }

    /// Whether the run has rows of a table.
    fn has(&self, table: &str) -> bool {
        self.manifest.parts.iter().any(|part| part.table == table)
    }
}

/// So many columns from this one on.
pub(super) fn columns<T, const N: usize>(from: usize, read: impl Fn(usize) -> Result<T>) -> Result<[T; N]> {
    let columns = (from..from + N).map(read).collect::<Result<Vec<T>>>()?;
    columns.try_into().map_err(|_| Error::new(ErrorKind::Internal, "cannot count the columns"))
}

/// A column of texts.
pub(super) fn texts(batch: &RecordBatch, column: usize) -> Result<StringArray> {
    Ok(cast(batch.column(column), &DataType::Utf8).map_err(unexpected)?.as_string::<i32>().clone())
}

/// A column of integers.
pub(super) fn integers(batch: &RecordBatch, column: usize) -> Result<Int64Array> {
    Ok(cast(batch.column(column), &DataType::Int64).map_err(unexpected)?.as_primitive::<Int64Type>().clone())
}

/// A column of doubles.
pub(super) fn doubles(batch: &RecordBatch, column: usize) -> Result<Float64Array> {
    Ok(cast(batch.column(column), &DataType::Float64).map_err(unexpected)?.as_primitive::<Float64Type>().clone())
}

fn unexpected(error: arrow::error::ArrowError) -> Error {
    Error::new(ErrorKind::Internal, "cannot read a column of another type").with_source(error)
}

pub(super) fn text(texts: &StringArray, row: usize) -> Option<&str> {
    texts.is_valid(row).then(|| texts.value(row))
}

pub(super) fn integer(integers: &Int64Array, row: usize) -> Option<i64> {
    integers.is_valid(row).then(|| integers.value(row))
}
