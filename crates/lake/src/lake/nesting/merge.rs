//! Merges the sorted intervals of a file, and finds the call around each.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io::Result;

use tracelake_model::call_stack::CallStack;

use super::interval::{BYTES, Interval, NestedCategory, NestingOrder, NestingResult};
use super::interval_store::{CallProcess, IntervalStore, Names, OTHER_NAMES, Sequence};
use super::paths::PathTree;

/// Memory for the blocks of all sequences of a file in bytes.
const BLOCKS: usize = 8 << 20;

/// Maximum size of a block in bytes.
const MAX_BLOCK: usize = 1800 * BYTES;

/// Numbers of names, processes and threads that all stores of an ingest share.
#[derive(Default)]
pub(super) struct SharedNumbers {
    pub(super) names: Names,
    pub(super) processes: Vec<CallProcess>,
    /// For each thread its process, and the number of its stack.
    threads: Vec<(u32, u32)>,
    /// Number of the name of calls that share a name, because there are too many.
    other_name: u32,
    /// SharedNumbers numbers by number, for each store.
    name_numbers: Vec<Vec<u32>>,
    thread_numbers: Vec<Vec<u32>>,
}

impl SharedNumbers {
    pub(super) fn new<'a>(stores: impl Iterator<Item = &'a IntervalStore>) -> Self {
        let mut shared = Self::default();
        shared.other_name = shared.names.number(OTHER_NAMES);
        let (mut processes, mut threads, mut stacks) = (HashMap::new(), HashMap::new(), HashMap::new());
        for store in stores {
            shared.name_numbers.push(store.names.texts().map(|name| shared.names.number(name)).collect());
            let mut numbers = Vec::new();
            for (process, pid, tid) in &store.threads {
                let process = &store.processes[*process as usize];
                let process = *processes.entry(process).or_insert_with(|| {
                    shared.processes.push(process.clone());
                    u32::try_from(shared.processes.len() - 1).unwrap_or(u32::MAX)
                });
                // A thread has one stack, even if the profiler did not write the rank on its first events. Without a
                // process id, only the process separates threads with the same id.
                let next_stack = u32::try_from(stacks.len()).unwrap_or(u32::MAX);
                let stack_key = (pid.is_none().then_some(process), *pid, *tid);
                let stack = *stacks.entry(stack_key).or_insert(next_stack);
                numbers.push(*threads.entry((process, *pid, *tid)).or_insert_with(|| {
                    shared.threads.push((process, stack));
                    u32::try_from(shared.threads.len() - 1).unwrap_or(u32::MAX)
                }));
            }
            shared.thread_numbers.push(numbers);
        }
        shared
    }
}

/// An open call.
struct OpenCall {
    row: i64,
    path: Option<u32>,
    /// Row of the innermost operator of its path.
    operator_row: Option<i64>,
    /// The end of what the calls directly inside cover.
    covered: i64,
}

/// The open calls of a thread.
#[derive(Default)]
struct OpenCalls {
    calls: CallStack<OpenCall>,
    /// Operators and collectives alone: their rows and paths.
    operators: CallStack<(i64, Option<u32>)>,
    functions: CallStack<OpenCall>,
}

/// Nests the intervals of a file. They are in `sequences`, each in the scratch of the store with this number, and are
/// replaced by their nesting.
pub(super) fn nest(
    sequences: &[(usize, Sequence)],
    stores: &mut [&mut IntervalStore],
    shared: &SharedNumbers,
) -> Result<PathTree> {
    let mut paths = PathTree::new(shared.other_name);
    let mut threads: HashMap<u32, OpenCalls> = HashMap::new();
    let mut last: Option<(u32, OpenCalls)> = None;
    merge(sequences, stores, |store, interval| {
        let thread = shared.thread_numbers[store][interval.thread as usize];
        let (process, stack) = shared.threads[thread as usize];
        if last.as_ref().is_none_or(|(same, _)| *same != stack) {
            threads.extend(last.take());
            last = Some((stack, threads.remove(&stack).unwrap_or_default()));
        }
        // It was set above.
        let Some((_, open)) = &mut last else { unreachable!() };
        let name = if interval.category.is_call() { shared.name_numbers[store][interval.name as usize] } else { 0 };
        open.nest(interval, |category, parent| paths.child((process, category.is_function()), parent, name, category))
    })?;
    Ok(paths)
}

impl OpenCalls {
    /// Nests an interval. `child` returns the path that it adds to another one.
    fn nest(
        &mut self,
        interval: &Interval,
        child: impl FnOnce(NestedCategory, Option<u32>) -> Option<u32>,
    ) -> NestingResult {
        let Interval { ts, dur, row, position, category, .. } = *interval;
        let end = ts.saturating_add(dur);
        let function = self.functions.encloser(ts, end);
        let python_path = function.as_ref().and_then(|function| function.path).filter(|_| !category.is_function());
        let around = if category.is_function() { function } else { self.calls.encloser(ts, end) };
        let operator_row = around.as_ref().and_then(|call| call.operator_row);
        // An annotation that overlaps an operator in part does not take launches and allocations from it.
        let operator = self.operators.encloser(ts, end).copied();
        if let Some((row, path)) = operator.filter(|(row, _)| !category.is_call() && operator_row != Some(*row)) {
            return NestingResult { parent_row: Some(row), overlap: 0, call_path: path, python_path, position };
        }
        let (parent_row, parent_path) =
            (around.as_ref().map(|call| call.row), around.as_ref().and_then(|call| call.path));
        let mut overlap = 0;
        if let Some(around) = around.filter(|_| !category.is_memory()) {
            overlap = (around.covered.min(end) - ts).max(0);
            around.covered = around.covered.max(end);
        }
        let mut call_path = parent_path;
        if category.is_call() {
            call_path = child(category, parent_path);
            let operator_row = if category.is_operator() { Some(row) } else { operator_row };
            let stack = if category.is_function() { &mut self.functions } else { &mut self.calls };
            stack.open(end, OpenCall { row, path: call_path, operator_row, covered: ts });
            if category.is_operator() {
                self.operators.open(end, (row, call_path));
            }
        }
        NestingResult { parent_row, overlap, call_path, python_path, position }
    }
}

/// Calls `each` with the intervals of all sequences in their order, and replaces them by its result.
fn merge(
    sequences: &[(usize, Sequence)],
    stores: &mut [&mut IntervalStore],
    mut each: impl FnMut(usize, &Interval) -> NestingResult,
) -> Result<()> {
    let block = (BLOCKS / sequences.len().max(1)).clamp(BYTES, MAX_BLOCK) / BYTES * BYTES;
    let mut waiting: Vec<&(usize, Sequence)> = sequences.iter().collect();
    waiting.sort_by_key(|(_, sequence)| Reverse(sequence.first));
    let mut cursors: Vec<Cursor> = Vec::new();
    let mut heap: BinaryHeap<Reverse<(NestingOrder, usize)>> = BinaryHeap::new();
    loop {
        // A sequence is opened when its first interval may be the next.
        while let Some((store, sequence)) = waiting.last()
            && heap.peek().is_none_or(|Reverse((next, _))| sequence.first <= *next)
        {
            heap.push(Reverse((sequence.first, cursors.len())));
            cursors.push(Cursor::open(*store, *sequence, block, stores)?);
            waiting.pop();
        }
        let Some(Reverse((_, number))) = heap.pop() else { return Ok(()) };
        let cursor = &mut cursors[number];
        // Until another sequence has the next interval.
        let limit = heap.peek().map(|Reverse((next, _))| *next);
        let limit = limit.into_iter().chain(waiting.last().map(|(_, sequence)| sequence.first)).min();
        while let Some(interval) = cursor.interval() {
            let order = interval.order();
            if limit.is_some_and(|limit| order > limit) {
                heap.push(Reverse((order, number)));
                break;
            }
            let nested = each(cursor.store, &interval);
            cursor.replace(&nested, stores)?;
        }
    }
}

/// A sequence that is merged: a block of its intervals. The first ones are replaced already.
struct Cursor {
    store: usize,
    /// Offset of the block.
    offset: u64,
    block: Vec<[u8; BYTES]>,
    /// Place of the next interval in the block.
    next: usize,
    /// Number of intervals after the block.
    rest: usize,
}

impl Cursor {
    fn open(store: usize, sequence: Sequence, block: usize, stores: &mut [&mut IntervalStore]) -> Result<Self> {
        let block = vec![[0; BYTES]; (block / BYTES).min(sequence.count)];
        let mut cursor = Self { store, offset: sequence.offset, block, next: 0, rest: sequence.count };
        cursor.read(stores)?;
        Ok(cursor)
    }

    /// Reads the next block.
    fn read(&mut self, stores: &mut [&mut IntervalStore]) -> Result<()> {
        self.block.truncate(self.rest);
        self.rest -= self.block.len();
        self.next = 0;
        stores[self.store].scratch.read(self.offset, self.block.as_flattened_mut())
    }

    fn interval(&self) -> Option<Interval> {
        self.block.get(self.next).map(Interval::decode)
    }

    /// Replaces the interval, and goes to the next.
    fn replace(&mut self, nested: &NestingResult, stores: &mut [&mut IntervalStore]) -> Result<()> {
        self.block[self.next] = nested.encode();
        self.next += 1;
        if self.next < self.block.len() {
            return Ok(());
        }
        stores[self.store].scratch.replace(self.offset, self.block.as_flattened())?;
        self.offset += self.block.as_flattened().len() as u64;
        self.read(stores)
    }
}
