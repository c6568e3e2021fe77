//! Pairs the start and the end of intervals: stores each `B` event until its `E` event comes.

use std::collections::{BTreeMap, VecDeque};

use super::EventFields;
use crate::json;
use crate::position::Position;

/// Maximum number of open intervals in one row of the timeline. If there are more, the oldest counts as
/// unclosed.
const MAX_OPEN: usize = 4096;

/// Maximum memory of all open intervals in bytes.
const MAX_BYTES: usize = 64 << 20;

/// A `B` event, raw as written.
#[derive(Debug)]
pub(crate) struct OpenInterval {
    /// Number of its file in the group.
    pub(crate) file: u64,
    pub(crate) place: Position,
    pub(crate) pid: Option<String>,
    pub(crate) tid: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) ts: Option<String>,
    pub(crate) args: Option<String>,
    pub(crate) extra: Vec<(String, String)>,
    /// `ts` in ns, and its base.
    pub(crate) relative: Option<i64>,
    pub(crate) offset: Option<i64>,
    thread: Option<i64>,
}

impl OpenInterval {
    pub(crate) fn new(
        fields: &EventFields<'_>,
        file: u64,
        place: Position,
        relative: Option<i64>,
        base: Option<i64>,
    ) -> Self {
        let to_owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            file,
            place,
            pid: to_owned(fields.pid),
            tid: to_owned(fields.tid),
            name: to_owned(fields.name),
            ts: to_owned(fields.ts),
            args: to_owned(fields.args),
            extra: fields.other_members().map(|(key, raw)| (key.to_owned(), raw.to_owned())).collect(),
            relative,
            offset: base,
            thread: fields.tid.and_then(|raw| json::number_text(raw).parse().ok()),
        }
    }

    /// Another member, raw.
    pub(crate) fn extra_member(&self, key: &str) -> Option<&str> {
        self.extra.iter().find(|(other, _)| other == key).map(|(_, raw)| raw.as_str())
    }

    /// Approximate memory in bytes.
    fn size(&self) -> usize {
        let texts = [&self.pid, &self.tid, &self.name, &self.ts, &self.args];
        let texts = texts.into_iter().flatten().map(String::len).sum::<usize>();
        let extra = self.extra.iter().map(|(key, raw)| key.len() + raw.len() + 48).sum::<usize>();
        size_of::<Self>() + texts + extra
    }
}

/// Open intervals, outermost first, by the row of the timeline in which starts and ends are paired.
#[derive(Debug, Default)]
pub(crate) struct OpenIntervals<K> {
    open: BTreeMap<K, VecDeque<OpenInterval>>,
    bytes: usize,
}

impl<K: Ord + Clone + Default> OpenIntervals<K> {
    /// Adds an open interval. Returns the oldest one of its row if there are too many.
    pub(crate) fn begin(&mut self, row: K, open: OpenInterval) -> Option<OpenInterval> {
        self.bytes += open.size();
        let stack = self.open.entry(row.clone()).or_default();
        stack.push_back(open);
        if stack.len() <= MAX_OPEN && self.bytes <= MAX_BYTES {
            return None;
        }
        self.remove(&row, |_| Some(0))
    }

    /// Ends an interval and returns it: the innermost one of the same row and thread. If there is none, it is
    /// the innermost one of the row for which the start or the end has no thread.
    pub(crate) fn end(&mut self, row: &K, thread: Option<i64>) -> Option<OpenInterval> {
        self.remove(row, |stack| {
            let same_thread = stack.iter().rposition(|open| open.thread == thread);
            same_thread.or_else(|| stack.iter().rposition(|open| thread.is_none() || open.thread.is_none()))
        })
    }

    fn remove(&mut self, row: &K, find: impl FnOnce(&VecDeque<OpenInterval>) -> Option<usize>) -> Option<OpenInterval> {
        let stack = self.open.get_mut(row)?;
        let index = find(stack)?;
        let open = stack.remove(index)?;
        if stack.is_empty() {
            self.open.remove(row);
        }
        self.bytes -= open.size();
        Some(open)
    }

    /// Removes and returns all open intervals.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = OpenInterval> + use<K> {
        std::mem::take(self).open.into_values().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(relative: i64) -> OpenInterval {
        let fields = EventFields { pid: Some("1"), ..EventFields::default() };
        OpenInterval::new(&fields, 1, Position::START, Some(relative), None)
    }

    #[test]
    fn the_number_of_open_intervals_is_limited() {
        let mut intervals = OpenIntervals::default();
        for relative in 0..4096 {
            assert!(intervals.begin(1, open(relative)).is_none());
        }
        let oldest = intervals.begin(1, open(4096)).unwrap();
        assert_eq!(oldest.relative, Some(0));
        assert_eq!(intervals.end(&1, None).unwrap().relative, Some(4096));
        assert!(intervals.end(&2, None).is_none());
        assert_eq!(intervals.take().count(), 4095);
        assert_eq!(intervals.bytes, 0);
    }
}
