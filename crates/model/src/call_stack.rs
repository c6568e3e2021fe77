//! The open calls of a thread.

/// The calls of a thread that are open at a moment, outermost first. Finds for each interval the call that encloses it.
///
/// Intervals must come in order of their start, then of descending length, so that a call comes before the intervals that
/// it encloses. They are half-open. A call encloses an interval if it starts no later and ends no earlier, and if it is
/// still open when the interval starts. If there are several such calls, it is the last one. A partial overlap does not
/// count, and an empty call encloses nothing.
#[derive(Debug)]
pub struct CallStack<T> {
    /// The end of each call, and the call. The ends decrease.
    open: Vec<(i64, T)>,
}

impl<T> Default for CallStack<T> {
    fn default() -> Self {
        Self { open: Vec::new() }
    }
}

impl<T> CallStack<T> {
    /// Returns the call that encloses an interval. None if it is an outermost one.
    pub fn encloser(&mut self, start: i64, end: i64) -> Option<&mut T> {
        while self.open.last().is_some_and(|(open, _)| *open <= start) {
            self.open.pop();
        }
        // The calls that end no earlier than this interval are first.
        let enclosing = self.open.partition_point(|(open, _)| *open >= end);
        enclosing.checked_sub(1).map(|last| &mut self.open[last].1)
    }

    /// Opens a call with this end: it encloses the intervals that come next.
    pub fn open(&mut self, end: i64, call: T) {
        // It encloses everything that the calls enclose which end no later.
        self.open.truncate(self.open.partition_point(|(open, _)| *open > end));
        self.open.push((end, call));
    }
}
