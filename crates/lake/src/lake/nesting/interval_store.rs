//! Stores the intervals of row groups, sorted, until all rows of their files are known.

use std::collections::{BTreeMap, HashMap};
use std::io::Result;
use std::sync::Arc;

use arrow::array::{Array, AsArray, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Int32Type, Int64Type};

use super::interval::{BYTES, Interval, NestedCategory, NestingOrder};
use super::scratch::Scratch;
use crate::lake::order::Order;

/// Maximum number of names. Calls with further names are called [`OTHER_NAMES`] in their path.
const MAX_NAMES: usize = 1 << 17;

/// The name of calls in `call_path` beyond [`MAX_NAMES`].
pub(super) const OTHER_NAMES: &str = "\u{2026}";

/// Intervals of one file in a row group, sorted in the order in which they are nested.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sequence {
    pub(super) object: i64,
    pub(super) offset: u64,
    pub(super) count: usize,
    pub(super) first: NestingOrder,
}

impl Sequence {
    pub(super) fn bytes(&self) -> usize {
        self.count * BYTES
    }
}

/// A process of a file.
pub(super) type CallProcess = (Option<String>, Option<i64>, Option<i64>);

/// A thread: number of its process, process id and thread id.
type CallThread = (u32, Option<i64>, Option<i64>);

/// Distinct names of calls.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// Returns the number of a name.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        if self.texts.len() >= MAX_NAMES && name != OTHER_NAMES {
            return self.number(OTHER_NAMES);
        }
        let (number, text) = (u32::try_from(self.texts.len()).unwrap_or_default(), Arc::from(name));
        self.numbers.insert(Arc::clone(&text), number);
        self.texts.push(text);
        number
    }

    pub(super) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }
}

/// Stores intervals of row groups.
#[derive(Debug, Default)]
pub(super) struct IntervalStore {
    pub(super) scratch: Scratch,
    pub(super) names: Names,
    pub(super) processes: Vec<CallProcess>,
    /// The process of each thread.
    pub(super) threads: Vec<CallThread>,
    known_processes: HashMap<CallProcess, u32>,
    known_threads: HashMap<CallThread, u32>,
}

impl IntervalStore {
    /// Stores the intervals of a row group of batches, which is written in this order.
    pub(super) fn record(&mut self, batches: &[RecordBatch], order: &Order) -> Result<Vec<Sequence>> {
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        let mut positions: Vec<u32> = (0..u32::try_from(rows).unwrap_or(u32::MAX)).collect();
        if let Some(order) = &order.rows {
            for (position, row) in (0..).zip(order) {
                positions[*row as usize] = position;
            }
        }
        let mut intervals: BTreeMap<i64, Vec<Interval>> = BTreeMap::new();
        let mut first = 0;
        for batch in batches {
            let next = first + batch.num_rows();
            self.read(batch, &positions[first..next], &mut intervals);
            first = next;
        }
        let mut sequences = Vec::new();
        for (object, mut intervals) in intervals {
            // Rows of a file come in few sorted sequences, which a stable sort merges.
            intervals.sort_by_key(Interval::order);
            let Some(first) = intervals.first().map(Interval::order) else { continue };
            let mut bytes = Vec::with_capacity(intervals.len() * BYTES);
            intervals.iter().for_each(|interval| bytes.extend_from_slice(&interval.encode()));
            sequences.push(Sequence { object, offset: self.scratch.append(&bytes)?, count: intervals.len(), first });
        }
        Ok(sequences)
    }

    /// Reads the intervals of a batch. Its rows are written at these positions.
    fn read(&mut self, batch: &RecordBatch, positions: &[u32], intervals: &mut BTreeMap<i64, Vec<Interval>>) {
        let Some(columns) = NestingColumns::read(batch) else { return };
        let categories: Vec<Option<NestedCategory>> =
            columns.category.distinct().map(|text| NestedCategory::from_name(text?)).collect();
        let mut names: Vec<Option<u32>> = Vec::new();
        let mut last: Option<(ThreadColumns, u32)> = None;
        let mut collected: Option<(i64, Vec<Interval>)> = None;
        for (row, position) in positions.iter().enumerate() {
            let Some(category) = columns.category.place(row).and_then(|place| categories[place]) else { continue };
            let Some(ts) = value(columns.ts, row) else { continue };
            let dur = match value(columns.dur, row) {
                Some(dur) if dur >= 0 => dur,
                None if category.is_memory() => 0,
                _ => continue,
            };
            if !category.is_memory() && columns.device.get(row).is_some_and(|device| device != "cpu") {
                continue;
            }
            let (Some(object), Some(ordinal)) = (value(columns.object, row), value(columns.row, row)) else { continue };
            let ids = columns.thread(row);
            let thread = match last {
                Some((same, thread)) if same == ids => thread,
                _ => self.thread(columns.node.get(row), &ids),
            };
            last = Some((ids, thread));
            let name = if category.is_call() { self.name(&columns.name, row, &mut names) } else { 0 };
            let interval = Interval { ts, dur, row: ordinal, position: *position, thread, name, category };
            match &mut collected {
                Some((same, rows)) if *same == object => rows.push(interval),
                _ => {
                    if let Some((object, rows)) = collected.take() {
                        intervals.insert(object, rows);
                    }
                    let mut rows = intervals.remove(&object).unwrap_or_default();
                    rows.push(interval);
                    collected = Some((object, rows));
                }
            }
        }
        intervals.extend(collected);
    }

    /// Returns the number of the name of a row; `known` has those of the distinct names of its batch.
    fn name(&mut self, column: &TextColumnView<'_>, row: usize, known: &mut Vec<Option<u32>>) -> u32 {
        let TextColumnView::Keys(..) = column else { return self.names.number(column.get(row).unwrap_or_default()) };
        let Some(place) = column.place(row) else { return self.names.number("") };
        if known.len() <= place {
            known.resize(place + 1, None);
        }
        *known[place].get_or_insert_with(|| self.names.number(column.get(row).unwrap_or_default()))
    }

    /// Returns the number of a thread.
    fn thread(&mut self, node: Option<&str>, ids: &ThreadColumns) -> u32 {
        let process = (node.map(str::to_owned), ids.rank, ids.span);
        let processes = &mut self.processes;
        let process = *self.known_processes.entry(process.clone()).or_insert_with(|| {
            processes.push(process);
            u32::try_from(processes.len() - 1).unwrap_or(u32::MAX)
        });
        let thread = (process, ids.pid, ids.tid);
        let threads = &mut self.threads;
        *self.known_threads.entry(thread).or_insert_with(|| {
            threads.push(thread);
            u32::try_from(threads.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

/// The values of a row that identify its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ThreadColumns {
    /// Place of the machine among the distinct ones.
    node: Option<usize>,
    rank: Option<i64>,
    span: Option<i64>,
    pid: Option<i64>,
    tid: Option<i64>,
}

/// The columns of a batch that nesting reads.
struct NestingColumns<'a> {
    node: TextColumnView<'a>,
    category: TextColumnView<'a>,
    name: TextColumnView<'a>,
    device: TextColumnView<'a>,
    rank: &'a Int64Array,
    span: &'a Int64Array,
    ts: &'a Int64Array,
    dur: &'a Int64Array,
    pid: &'a Int64Array,
    tid: &'a Int64Array,
    object: &'a Int64Array,
    row: &'a Int64Array,
}

impl<'a> NestingColumns<'a> {
    /// None if the batch is not one of table `event`.
    fn read(batch: &'a RecordBatch) -> Option<Self> {
        let texts = |name| TextColumnView::read(batch.column_by_name(name)?.as_ref());
        let integers = |name| batch.column_by_name(name)?.as_primitive_opt::<Int64Type>();
        Some(Self {
            node: texts("node")?,
            category: texts("category")?,
            name: texts("name")?,
            device: texts("device")?,
            rank: integers("rank")?,
            span: integers("span")?,
            ts: integers("ts")?,
            dur: integers("dur")?,
            pid: integers("pid")?,
            tid: integers("tid")?,
            object: integers("object")?,
            row: integers("row")?,
        })
    }

    fn thread(&self, row: usize) -> ThreadColumns {
        let [rank, span, pid, tid] = [self.rank, self.span, self.pid, self.tid].map(|column| value(column, row));
        ThreadColumns { node: self.node.place(row), rank, span, pid, tid }
    }
}

fn value(column: &Int64Array, row: usize) -> Option<i64> {
    column.is_valid(row).then(|| column.value(row))
}

/// A column of texts: keys of distinct texts, or plain.
enum TextColumnView<'a> {
    Keys(&'a Int32Array, &'a StringArray),
    Plain(&'a StringArray),
}

impl<'a> TextColumnView<'a> {
    fn read(array: &'a dyn Array) -> Option<Self> {
        match array.as_dictionary_opt::<Int32Type>() {
            Some(dictionary) => Some(Self::Keys(dictionary.keys(), dictionary.values().as_string_opt()?)),
            None => array.as_string_opt().map(Self::Plain),
        }
    }

    fn get(&self, row: usize) -> Option<&'a str> {
        let place = self.place(row)?;
        match self {
            Self::Keys(_, texts) | Self::Plain(texts) => Some(texts.value(place)),
        }
    }

    /// The place of the text of a row among the distinct ones.
    fn place(&self, row: usize) -> Option<usize> {
        match self {
            Self::Keys(keys, _) => keys.is_valid(row).then(|| usize::try_from(keys.value(row)).ok())?,
            Self::Plain(texts) => texts.is_valid(row).then_some(row),
        }
    }

    /// The distinct texts; of a plain column, those of all rows.
    fn distinct(&self) -> impl Iterator<Item = Option<&'a str>> {
        match self {
            Self::Keys(_, texts) | Self::Plain(texts) => texts.iter(),
        }
    }
}
