//! `critical_path(role, row, ts, dur, pid, tid, device, stream, correlation, record, record_stream, forward, backward)`: the
//! longest path through each window of a recording.
//!
//! An aggregate over the rows of one recording, in any order. `role` says what a row is: `window` for a time to look into; `mark`,
//! `operator`, `loader`, `call`, `lock`, `wait` on threads of the host; `work` on a stream of a device; `stream_sync`,
//! `context_sync`, `event_sync`, `stream_wait` for synchronization. View `path_event` says which events are what, and
//! `step.critical_path` what the graph is. The answer is a list of the edges of all paths, window by window and in the order of
//! time, each with what the window's graph has of nodes and edges. All windows take time as sorting takes; the rows are held
//! in memory until the recording is complete.

mod event;
mod graph;
mod longest;
mod recording;

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, StringArray, StructArray, new_empty_array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::concat;
use arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, Signature, Volatility};

use self::event::{ARGUMENTS, read};
use self::graph::{Path, path};
use self::recording::Recording;

/// Bytes that a row holds until the recording is complete, and while it is looked into.
const ROW_BYTES: usize = 400;

/// The aggregate function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct CriticalPath {
    signature: Signature,
}

impl CriticalPath {
    pub(crate) fn new() -> Self {
        let arguments = ARGUMENTS.map(|(_, data_type)| data_type).to_vec();
        Self { signature: Signature::exact(arguments, Volatility::Immutable) }
    }
}

/// The fields of an edge.
fn edge_fields() -> Fields {
    let integer = |name| Field::new(name, DataType::Int64, true);
    Fields::from(vec![
        integer("window"),
        integer("nodes"),
        integer("edges"),
        integer("place"),
        Field::new("kind", DataType::Utf8, true),
        integer("row"),
        integer("ts"),
        integer("dur"),
        integer("gap"),
    ])
}

fn list_of(data_type: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(data_type, true)))
}

/// A list of one row that holds the values.
fn one_list(values: ArrayRef) -> Result<ScalarValue> {
    let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    Ok(ScalarValue::List(Arc::new(ListArray::try_new(
        field,
        OffsetBuffer::from_lengths([values.len()]),
        values,
        None,
    )?)))
}

impl AggregateUDFImpl for CriticalPath {
    fn name(&self) -> &'static str {
        "critical_path"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(list_of(DataType::Struct(edge_fields())))
    }

    fn accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Rows::default()))
    }

    fn state_fields(&self, _: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let field = |(name, data_type)| Arc::new(Field::new(name, list_of(data_type), true));
        Ok(ARGUMENTS.into_iter().map(field).collect())
    }
}

/// The rows seen so far, as they came.
#[derive(Debug, Default)]
struct Rows {
    batches: Vec<Vec<ArrayRef>>,
    rows: usize,
}

impl Rows {
    fn push(&mut self, batch: Vec<ArrayRef>) {
        self.rows += batch.first().map_or(0, Array::len);
        self.batches.push(batch);
    }

    /// All rows, by column.
    fn columns(&self) -> Result<Vec<ArrayRef>> {
        let column = |place: usize| {
            let parts: Vec<&dyn Array> = self.batches.iter().map(|batch| batch[place].as_ref()).collect();
            if parts.is_empty() { Ok(new_empty_array(&ARGUMENTS[place].1)) } else { Ok(concat(&parts)?) }
        };
        (0..ARGUMENTS.len()).map(column).collect()
    }
}

impl Accumulator for Rows {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.push(values.to_vec());
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let events = read(&self.columns()?)?;
        self.batches.clear();
        let recording = Recording::new(events);
        let paths: Vec<Path> = recording.windows.iter().map(|window| path(&recording, window)).collect();
        one_list(Arc::new(rows(&paths)))
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.rows * ROW_BYTES
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let columns = self.columns()?;
        self.batches.clear();
        columns.into_iter().map(one_list).collect()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for row in 0..states[0].len() {
            let batch: Vec<ArrayRef> = states.iter().map(|state| state.as_list::<i32>().value(row)).collect();
            self.push(batch);
        }
        Ok(())
    }
}

/// The edges of all paths.
fn rows(paths: &[Path]) -> StructArray {
    let edges =
        || paths.iter().flat_map(|path| path.steps.iter().enumerate().map(move |(place, edge)| (path, place, edge)));
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let integers = |values: &mut dyn Iterator<Item = i64>| -> ArrayRef { Arc::new(values.collect::<Int64Array>()) };
    let columns = vec![
        integers(&mut edges().map(|(path, ..)| path.window)),
        integers(&mut edges().map(|(path, ..)| count(path.nodes))),
        integers(&mut edges().map(|(path, ..)| count(path.edges))),
        integers(&mut edges().map(|(_, place, _)| count(place))),
        Arc::new(edges().map(|(.., edge)| Some(edge.kind.name())).collect::<StringArray>()),
        integers(&mut edges().map(|(.., edge)| edge.row)),
        integers(&mut edges().map(|(.., edge)| edge.ts)),
        integers(&mut edges().map(|(.., edge)| edge.weight)),
        integers(&mut edges().map(|(.., edge)| edge.gap)),
    ];
    StructArray::new(edge_fields(), columns, None)
}
