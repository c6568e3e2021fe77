//! The rows of one recording, from which the graph is built.

use std::collections::HashMap;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{Result, exec_err};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as ValueError;

/// The role of a row in the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EventRole {
    /// The time of one path: a step, or an instance of an annotation.
    Window,
    /// An annotation. It is not part of a path, but it can identify the thread of the forward or
    /// the backward pass.
    Mark,
    /// An operator.
    Operator,
    /// A call of a data loader.
    Loader,
    /// A call into the runtime or driver.
    Call,
    /// A call that holds the lock of the runtime.
    Lock,
    /// A call that waits for the device. Its own time does not count.
    Wait,
    /// A kernel, copy or fill.
    Work,
    /// The host waited for a stream.
    StreamSync,
    /// The host waited for all streams.
    ContextSync,
    /// The host waited for an event.
    EventSync,
    /// A stream waited for an event.
    StreamWait,
}

impl EventRole {
    /// Whether the row is an interval on a thread of the host that is part of the graph.
    pub(super) fn is_host(self) -> bool {
        matches!(self, Self::Operator | Self::Loader | Self::Call | Self::Lock | Self::Wait)
    }

    /// Whether the row is a call into the runtime or driver.
    pub(super) fn is_call(self) -> bool {
        matches!(self, Self::Call | Self::Lock | Self::Wait)
    }

    /// Parses the name of a variant in snake case.
    fn parse(text: &str) -> Result<Self, ValueError> {
        Self::deserialize(text.into_deserializer())
    }
}

/// Process and thread.
pub(super) type HostThread = (Option<i64>, Option<i64>);

/// Device and stream. Devices are numbered in the order in which they appear.
pub(super) type DeviceStream = (usize, Option<i64>);

/// One row.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathEvent {
    pub(super) role: EventRole,
    pub(super) row: i64,
    pub(super) ts: i64,
    pub(super) end: i64,
    pub(super) thread: HostThread,
    pub(super) stream: DeviceStream,
    pub(super) correlation: Option<i64>,
    /// Of a wait for an event: correlation of the call that recorded the event.
    pub(super) record: Option<i64>,
    /// Of a wait for an event: the stream on which the event was recorded.
    pub(super) record_stream: Option<i64>,
    pub(super) forward: bool,
    pub(super) backward: bool,
}

/// The arguments of the aggregate, by name and type, in their order.
pub(super) const ARGUMENTS: [(&str, DataType); 13] = [
    ("role", DataType::Utf8View),
    ("row", DataType::Int64),
    ("ts", DataType::Int64),
    ("dur", DataType::Int64),
    ("pid", DataType::Int64),
    ("tid", DataType::Int64),
    ("device", DataType::Utf8View),
    ("stream", DataType::Int64),
    ("correlation", DataType::Int64),
    ("record", DataType::Int64),
    ("record_stream", DataType::Int64),
    ("forward", DataType::Boolean),
    ("backward", DataType::Boolean),
];

/// Reads events from the columns of `ARGUMENTS`. Skips rows without a time, or with a negative
/// duration.
pub(super) fn read_events(columns: &[ArrayRef]) -> Result<Vec<PathEvent>> {
    let integers = |column: usize| columns[column].as_primitive::<Int64Type>();
    let value = |array: &Int64Array, row: usize| array.is_valid(row).then(|| array.value(row));
    let (roles, devices) = (columns[0].as_string_view(), columns[6].as_string_view());
    let (rows, starts, durations) = (integers(1), integers(2), integers(3));
    let (pids, tids, streams, correlations) = (integers(4), integers(5), integers(7), integers(8));
    let (records, record_streams) = (integers(9), integers(10));
    let (forward, backward) = (columns[11].as_boolean(), columns[12].as_boolean());
    let mut device_numbers: HashMap<&str, usize> = HashMap::new();
    let mut events = Vec::with_capacity(roles.len());
    for row in 0..roles.len() {
        let (Some(id), Some(ts), Some(dur)) = (value(rows, row), value(starts, row), value(durations, row)) else {
            continue;
        };
        if dur < 0 || roles.is_null(row) {
            continue;
        }
        let Ok(role) = EventRole::parse(roles.value(row)) else {
            return exec_err!("critical_path: unknown role `{}`", roles.value(row));
        };
        let device = if devices.is_valid(row) { devices.value(row) } else { "" };
        let next = device_numbers.len();
        let device = *device_numbers.entry(device).or_insert(next);
        events.push(PathEvent {
            role,
            row: id,
            ts,
            end: ts.saturating_add(dur),
            thread: (value(pids, row), value(tids, row)),
            stream: (device, value(streams, row)),
            correlation: value(correlations, row),
            record: value(records, row),
            record_stream: value(record_streams, row),
            forward: forward.is_valid(row) && forward.value(row),
            backward: backward.is_valid(row) && backward.value(row),
        });
    }
    Ok(events)
}
