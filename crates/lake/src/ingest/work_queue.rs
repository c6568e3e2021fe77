//! The work queue: tasks that no worker has started, large files that several workers can read, and
//! rows that an idle worker can write.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

use super::parallel_read::{ParallelRead, TableBatches};

/// Maximum number of queued groups of rows: more would only take memory.
const MAX_QUEUED: usize = 1;

/// The next work of a worker.
pub(super) enum WorkItem<'a> {
    /// Decode this task of the plan.
    Decode(usize, BusyGuard<'a>),
    /// Read sections of a shared file.
    Help(Arc<ParallelRead>),
    /// Write rows that another worker decoded.
    Write(TableBatches, IdleGuard<'a>),
}

/// The remaining work, shared by all workers.
pub(super) struct WorkQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    tasks: VecDeque<usize>,
    shared: Vec<Arc<ParallelRead>>,
    /// Rows that wait for a writer.
    rows: VecDeque<TableBatches>,
    /// Workers that are idle, or that write rows of other workers.
    idle: usize,
    /// Workers that decode a task: each may still share a file.
    busy: usize,
}

impl WorkQueue {
    /// Creates a queue with this number of tasks.
    pub(super) fn new(tasks: usize) -> Self {
        let state =
            QueueState { tasks: (0..tasks).collect(), shared: Vec::new(), rows: VecDeque::new(), idle: 0, busy: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Returns the next work; waits while there may be more. None when all work is done.
    pub(super) fn next(&self) -> Option<WorkItem<'_>> {
        let is_waiting = |state: &mut QueueState| {
            state.tasks.is_empty() && state.shared.is_empty() && state.rows.is_empty() && state.busy > 0
        };
        let mut state = self.state.lock();
        state.idle += 1;
        self.changed.wait_while(&mut state, is_waiting);
        if let Some(batches) = state.rows.pop_front() {
            return Some(WorkItem::Write(batches, IdleGuard(self)));
        }
        state.idle -= 1;
        if let Some(task) = state.tasks.pop_front() {
            state.busy += 1;
            return Some(WorkItem::Decode(task, BusyGuard(self)));
        }
        state.shared.last().map(|read| WorkItem::Help(Arc::clone(read)))
    }

    /// Queues rows for idle workers. Returns them if no worker is idle, or if the queue is full.
    pub(super) fn offer(&self, batches: TableBatches) -> Option<TableBatches> {
        let mut state = self.state.lock();
        if state.idle == 0 || state.rows.len() >= MAX_QUEUED {
            return Some(batches);
        }
        state.rows.push_back(batches);
        drop(state);
        self.changed.notify_one();
        None
    }

    /// Adds a shared file.
    pub(super) fn add_shared(&self, read: &Arc<ParallelRead>) {
        self.state.lock().shared.push(Arc::clone(read));
        self.changed.notify_all();
    }

    /// Removes a shared file, because it has no more sections to read.
    pub(super) fn remove_shared(&self, read: &Arc<ParallelRead>) {
        self.state.lock().shared.retain(|other| !Arc::ptr_eq(read, other));
    }
}

/// Counts a worker as busy with a task until this is dropped.
pub(super) struct BusyGuard<'a>(&'a WorkQueue);

impl Drop for BusyGuard<'_> {
    fn drop(&mut self) {
        self.0.state.lock().busy -= 1;
        self.0.changed.notify_all();
    }
}

/// Counts a worker as a writer of queued rows until this is dropped.
pub(super) struct IdleGuard<'a>(&'a WorkQueue);

impl Drop for IdleGuard<'_> {
    fn drop(&mut self) {
        self.0.state.lock().idle -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_queued_only_for_idle_workers() {
        let queue = WorkQueue::new(1);
        let Some(WorkItem::Decode(0, busy)) = queue.next() else { panic!("the task was not returned") };
        assert!(queue.offer(Vec::new()).is_some(), "there is no idle worker");
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut count = 0;
                while let Some(item) = queue.next() {
                    let WorkItem::Write(_, idle) = item else { panic!("there is nothing to read") };
                    count += 1;
                    drop(idle);
                }
                count
            });
            let mut rows = 0;
            while rows < 100 && !writer.is_finished() {
                if queue.offer(Vec::new()).is_none() {
                    rows += 1;
                }
            }
            drop(busy);
            assert_eq!(writer.join().unwrap(), rows);
        });
    }

    #[test]
    fn the_queue_of_rows_is_bounded() {
        let queue = WorkQueue::new(1);
        let Some(WorkItem::Decode(0, _busy)) = queue.next() else { panic!("the task was not returned") };
        queue.state.lock().idle = 1;
        assert_eq!([0; MAX_QUEUED + 1].map(|_| queue.offer(Vec::new()).is_none()), [true, false]);
        let Some(WorkItem::Write(_, _idle)) = queue.next() else { panic!("there is something to write") };
        assert!(queue.offer(Vec::new()).is_none());
    }
}
