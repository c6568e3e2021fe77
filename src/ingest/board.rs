//! What there is to do: units that nobody has begun, and large files that others can help with.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::team::{Team, lock};

/// What a worker does next.
pub(super) enum Job<'a> {
    /// Read this unit of the plan.
    Unit(usize, Busy<'a>),
    /// Help to read a file.
    Help(Arc<Team>),
}

/// The work that is left, shared by all workers.
pub(super) struct Board {
    left: Mutex<Left>,
    changed: Condvar,
}

struct Left {
    units: VecDeque<usize>,
    teams: Vec<Arc<Team>>,
    /// Workers that have a unit: each may still ask for help.
    busy: usize,
}

impl Board {
    /// So many units.
    pub(super) fn new(units: usize) -> Self {
        let left = Left { units: (0..units).collect(), teams: Vec::new(), busy: 0 };
        Self { left: Mutex::new(left), changed: Condvar::new() }
    }

    /// The next thing to do; waits while there may be something to help with. None when all is done.
    pub(super) fn next(&self) -> Option<Job<'_>> {
        let idle = |left: &mut Left| left.units.is_empty() && left.teams.is_empty() && left.busy > 0;
        let mut left = self.changed.wait_while(lock(&self.left), idle).unwrap_or_else(PoisonError::into_inner);
        if let Some(unit) = left.units.pop_front() {
            left.busy += 1;
            return Some(Job::Unit(unit, Busy(self)));
        }
        left.teams.last().map(|team| Job::Help(Arc::clone(team)))
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
