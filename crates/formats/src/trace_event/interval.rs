//! Intervals that have begun and not ended: a `B` waits here for its `E`.

use std::collections::{BTreeMap, VecDeque};

use super::Fields;
use crate::json;
use crate::place::Place;

/// More intervals than are ever open at once in one row of the timeline; older ones count as unclosed.
const MAX_OPEN: usize = 4096;

/// What open intervals may take over all rows of the timeline, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// A `B`, raw as it was written.
#[derive(Debug)]
pub(crate) struct Open {
    /// Which file of the group it stands in.
    pub(crate) file: u64,
    pub(crate) place: Place,
    pub(crate) pid: Option<String>,
    pub(crate) tid: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) ts: Option<String>,
    pub(crate) args: Option<String>,
    pub(crate) extra: Vec<(String, String)>,
    /// `ts` in ns, and what it counts from.
    pub(crate) relative: Option<i64>,
    pub(crate) offset: Option<i64>,
    thread: Option<i64>,
}

impl Open {
    pub(crate) fn new(
        fields: &Fields<'_>,
        file: u64,
        place: Place,
        relative: Option<i64>,
        offset: Option<i64>,
    ) -> Self {
        let own = |text: Option<&str>| text.map(str::to_owned);
        Self {
            file,
            place,
            pid: own(fields.pid),
            tid: own(fields.tid),
            name: own(fields.name),
            ts: own(fields.ts),
            args: own(fields.args),
            extra: fields.others().map(|(key, raw)| (key.to_owned(), raw.to_owned())).collect(),
            relative,
            offset,
            thread: fields.tid.and_then(|raw| json::number_text(raw).parse().ok()),
        }
    }

    /// Another member, raw.
    pub(crate) fn other(&self, key: &str) -> Option<&str> {
        self.extra.iter().find(|(other, _)| other == key).map(|(_, raw)| raw.as_str())
    }

    fn bytes(&self) -> usize {
        let texts = [&self.pid, &self.tid, &self.name, &self.ts, &self.args];
        let text = texts.iter().map(|text| text.as_ref().map_or(0, String::len)).sum::<usize>();
        let extra = self.extra.iter().map(|(key, raw)| key.len() + raw.len() + 48).sum::<usize>();
        size_of::<Self>() + text + extra
    }
}

/// Open intervals by the row of the timeline that they are paired in, outermost first.
#[derive(Debug)]
pub(crate) struct Intervals<K> {
    open: BTreeMap<K, VecDeque<Open>>,
    bytes: usize,
}

impl<K> Default for Intervals<K> {
    fn default() -> Self {
        Self { open: BTreeMap::new(), bytes: 0 }
    }
}

impl<K: Ord + Clone> Intervals<K> {
    /// An interval begins. Gives back the oldest of its row if there are too many.
    pub(crate) fn begin(&mut self, row: K, open: Open) -> Option<Open> {
        self.bytes += open.bytes();
        let stack = self.open.entry(row.clone()).or_default();
        stack.push_back(open);
        if stack.len() <= MAX_OPEN && self.bytes <= MAX_BYTES {
            return None;
        }
        let oldest = stack.pop_front()?;
        if stack.is_empty() {
            self.open.remove(&row);
        }
        self.bytes -= oldest.bytes();
        Some(oldest)
    }

    /// An interval ends: the innermost of the same row and thread, or where one of both sides does not
    /// know its thread, of the same row.
    pub(crate) fn end(&mut self, row: &K, thread: Option<i64>) -> Option<Open> {
        let stack = self.open.get_mut(row)?;
        let same = stack.iter().rposition(|open| open.thread == thread);
        let at = same.or_else(|| stack.iter().rposition(|open| thread.is_none() || open.thread.is_none()))?;
        let open = stack.remove(at)?;
        if stack.is_empty() {
            self.open.remove(row);
        }
        self.bytes -= open.bytes();
        Some(open)
    }

    /// Everything that never ended.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = Open> + use<K> {
        std::mem::take(self).open.into_values().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(at: i64) -> Open {
        let fields = Fields { pid: Some("1"), ..Fields::default() };
        Open::new(&fields, 1, Place::START, Some(at), None)
    }

    #[test]
    fn what_is_open_is_bounded() {
        let mut intervals = Intervals::default();
        for at in 0..4096 {
            assert!(intervals.begin(1, open(at)).is_none());
        }
        let oldest = intervals.begin(1, open(4096)).unwrap();
        assert_eq!(oldest.relative, Some(0));
        assert_eq!(intervals.end(&1, None).unwrap().relative, Some(4096));
        assert!(intervals.end(&2, None).is_none());
        assert_eq!(intervals.take().count(), 4095);
        assert_eq!(intervals.bytes, 0);
    }
}
