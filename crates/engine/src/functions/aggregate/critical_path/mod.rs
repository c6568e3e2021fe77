//! `critical_path(role, row, ts, dur, pid, tid, device, stream, correlation, record, record_stream,
//! forward, backward)`: the longest path through each window of a recording.
//!
//! The input is the rows of one recording, in any order. `role` is the role of a row in the graph:
//!
//! - `window`: the time of one path, such as a step;
//! - `mark`, `operator`, `loader`, `call`, `lock`, `wait`: an interval on a thread of the host;
//! - `work`: an interval on a stream of a device;
//! - `stream_sync`, `context_sync`, `event_sync`, `stream_wait`: a synchronization.
//!
//! View `path_event` defines the roles of events, and query `step.critical_path` defines the graph.
//!
//! The result is a list of the edges of all paths, by window and in the order of time. Each edge
//! has the number of nodes and edges in the graph of its window. The run time is O(n log n) in the
//! number of rows. The rows stay in memory until the recording is complete.

mod edge;
mod event;
mod graph;
mod longest;
mod recording;

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringArray, StructArray, new_empty_array};
use arrow::compute::concat;
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Accumulator, AggregateUDF, SimpleAggregateUDF, Volatility};

use self::event::{ARGUMENTS, read_events};
use self::graph::{WindowPath, window_path};
use self::recording::RecordingIndex;

/// Memory that a row needs, in bytes, including its nodes and edges.
const ROW_BYTES: usize = 400;

/// The aggregate function.
pub(crate) fn critical_path() -> AggregateUDF {
    let state = |(name, data_type)| Arc::new(Field::new(name, DataType::new_list(data_type, true), true));
    AggregateUDF::from(SimpleAggregateUDF::new(
        "critical_path",
        ARGUMENTS.map(|(_, data_type)| data_type).to_vec(),
        DataType::new_list(DataType::Struct(edge_fields()), true),
        Volatility::Immutable,
        Arc::new(|_| Ok(Box::new(PathAccumulator::default()))),
        ARGUMENTS.map(state).to_vec(),
    ))
}

/// The fields of an edge in the result.
fn edge_fields() -> Fields {
    let names = ["window", "nodes", "edges", "place", "kind", "row", "ts", "dur", "gap"];
    let data_type = |name: &str| if name == "kind" { DataType::Utf8 } else { DataType::Int64 };
    names.map(|name| Field::new(name, data_type(name), true)).to_vec().into()
}

/// The rows of a recording, in the batches in which they arrived.
#[derive(Debug, Default)]
struct PathAccumulator {
    batches: Vec<Vec<ArrayRef>>,
    rows: usize,
}

impl PathAccumulator {
    fn push(&mut self, batch: Vec<ArrayRef>) {
        self.rows += batch.first().map_or(0, Array::len);
        self.batches.push(batch);
    }

    /// All rows, by column.
    fn columns(&self) -> Result<Vec<ArrayRef>> {
        let column = |index: usize| {
            let arrays: Vec<&dyn Array> = self.batches.iter().map(|batch| batch[index].as_ref()).collect();
            if arrays.is_empty() { Ok(new_empty_array(&ARGUMENTS[index].1)) } else { Ok(concat(&arrays)?) }
        };
        (0..ARGUMENTS.len()).map(column).collect()
    }
}

impl Accumulator for PathAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.push(values.to_vec());
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let events = read_events(&self.columns()?)?;
        self.batches.clear();
        let recording = RecordingIndex::new(events);
        let paths: Vec<WindowPath> = recording.windows.iter().map(|window| window_path(&recording, window)).collect();
        Ok(SingleRowListArrayBuilder::new(Arc::new(edge_rows(&paths))).build_list_scalar())
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.rows * ROW_BYTES
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let columns = self.columns()?;
        self.batches.clear();
        Ok(columns.into_iter().map(|column| SingleRowListArrayBuilder::new(column).build_list_scalar()).collect())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for row in 0..states[0].len() {
            self.push(states.iter().map(|state| state.as_list::<i32>().value(row)).collect());
        }
        Ok(())
    }
}

/// One row for each edge of each path.
fn edge_rows(paths: &[WindowPath]) -> StructArray {
    let edges = || {
        paths.iter().flat_map(|path| path.steps.iter().enumerate().map(move |(position, edge)| (path, position, edge)))
    };
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let integers = |values: &mut dyn Iterator<Item = i64>| -> ArrayRef { Arc::new(values.collect::<Int64Array>()) };
    let columns = vec![
        integers(&mut edges().map(|(path, ..)| path.window)),
        integers(&mut edges().map(|(path, ..)| count(path.nodes))),
        integers(&mut edges().map(|(path, ..)| count(path.edges))),
        integers(&mut edges().map(|(_, position, _)| count(position))),
        Arc::new(edges().map(|(.., edge)| Some(edge.kind.name())).collect::<StringArray>()),
        integers(&mut edges().map(|(.., edge)| edge.row)),
        integers(&mut edges().map(|(.., edge)| edge.ts)),
        integers(&mut edges().map(|(.., edge)| edge.weight)),
        integers(&mut edges().map(|(.., edge)| edge.gap)),
    ];
    StructArray::new(edge_fields(), columns, None)
}
