//! What there is to do: units that nobody has begun, large files that others can help with, rows that others can write.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::team::{Batches, Team, lock};

/// Batches that may wait for a worker to write them: more would only take room.
const HANDED: usize = 1;

/// What a worker does next.
pub(super) enum Job<'a> {
    /// Read this unit of the plan.
    Unit(usize, Busy<'a>),
    /// Help to read a file.
    Help(Arc<Team>),
    /// Write rows that another worker decoded.
    Write(Batches, Free<'a>),
}

/// The work that is left, shared by all workers.
pub(super) struct Board {
    left: Mutex<Left>,
    changed: Condvar,
}

struct Left {
    units: VecDeque<usize>,
    teams: Vec<Arc<Team>>,
    /// Rows to be written.
    handed: VecDeque<Batches>,
    /// Workers that wait for something to do, or write what others handed to them.
    free: usize,
    /// Workers that have a unit: each may still ask for help.
    busy: usize,
}

impl Board {
    /// So many units.
    pub(super) fn new(units: usize) -> Self {
        let left = Left { units: (0..units).collect(), teams: Vec::new(), handed: VecDeque::new(), free: 0, busy: 0 };
        Self { left: Mutex::new(left), changed: Condvar::new() }
    }

    /// The next thing to do; waits while there may be something to help with. None when all is done.
    pub(super) fn next(&self) -> Option<Job<'_>> {
        let idle =
            |left: &mut Left| left.units.is_empty() && left.teams.is_empty() && left.handed.is_empty() && left.busy > 0;
        let mut left = lock(&self.left);
        left.free += 1;
        let mut left = self.changed.wait_while(left, idle).unwrap_or_else(PoisonError::into_inner);
        if let Some(batches) = left.handed.pop_front() {
            return Some(Job::Write(batches, Free(self)));
        }
        left.free -= 1;
        if let Some(unit) = left.units.pop_front() {
            left.busy += 1;
            return Some(Job::Unit(unit, Busy(self)));
        }
        left.teams.last().map(|team| Job::Help(Arc::clone(team)))
    }

    /// Hands rows to the workers that have nothing else to do; gives them back if there are none, or if those cannot keep up.
    pub(super) fn hand(&self, batches: Batches) -> Option<Batches> {
        let mut left = lock(&self.left);
        if left.free == 0 || left.handed.len() >= HANDED {
            return Some(batches);
        }
        left.handed.push_back(batches);
        drop(left);
        self.changed.notify_one();
        None
    }

    /// Asks for help with a file.
    pub(super) fn open(&self, team: &Arc<Team>) {
        lock(&self.left).teams.push(Arc::clone(team));
        self.changed.notify_all();
    }

    /// There is nothing to help with any more.
    pub(super) fn close(&self, team: &Arc<Team>) {
        lock(&self.left).teams.retain(|other| !Arc::ptr_eq(team, other));
    }
}

/// A worker that has a unit, until this is dropped.
pub(super) struct Busy<'a>(&'a Board);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        lock(&self.0.left).busy -= 1;
        self.0.changed.notify_all();
    }
}

/// A worker that writes what others handed to it, until this is dropped.
pub(super) struct Free<'a>(&'a Board);

impl Drop for Free<'_> {
    fn drop(&mut self) {
        lock(&self.0.left).free -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_handed_to_who_is_free_and_not_more_than_have_room() {
        let board = Board::new(1);
        let Some(Job::Unit(0, busy)) = board.next() else { panic!("the unit was not given out") };
        assert!(board.hand(Vec::new()).is_some(), "nobody is there");
        std::thread::scope(|scope| {
            let written = scope.spawn(|| {
                let mut written = 0;
                while let Some(job) = board.next() {
                    let Job::Write(_, free) = job else { panic!("there is nothing to read") };
                    written += 1;
                    drop(free);
                }
                written
            });
            let mut handed = 0;
            while handed < 100 && !written.is_finished() {
                if board.hand(Vec::new()).is_none() {
                    handed += 1;
                }
            }
            drop(busy);
            assert_eq!(written.join().unwrap(), handed);
        });
    }

    #[test]
    fn rows_wait_while_the_other_worker_writes() {
        let board = Board::new(1);
        let Some(Job::Unit(0, _busy)) = board.next() else { panic!("the unit was not given out") };
        lock(&board.left).free = 1;
        assert_eq!([0; HANDED + 1].map(|_| board.hand(Vec::new()).is_none()), [true, false]);
        let Some(Job::Write(_, _free)) = board.next() else { panic!("there is something to write") };
        assert!(board.hand(Vec::new()).is_none());
    }
}
