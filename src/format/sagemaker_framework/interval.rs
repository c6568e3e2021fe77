//! Intervals that have begun and not ended: a `B` waits here for its `E`.

use std::collections::BTreeMap;

use super::args;
use crate::format::place::Place;
use crate::format::trace_event::Fields;

/// More intervals than are ever open at once in one phase; older ones count as unclosed.
const MAX_OPEN: usize = 4096;

/// What open intervals may take over all phases, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// A `B`, raw as it was written.
#[derive(Debug)]
pub(super) struct Open {
    /// Which file of the group it stands in.
    pub(super) file: u64,
    pub(super) place: Place,
    pub(super) pid: Option<String>,
    pub(super) tid: Option<String>,
    pub(super) name: Option<String>,
    pub(super) ts: Option<String>,
    pub(super) args: Option<String>,
    pub(super) extra: Vec<(String, String)>,
    /// `ts` in ns, and what it counts from.
    pub(super) relative: Option<i64>,
    pub(super) offset: Option<i64>,
    thread: Option<i64>,
}

impl Open {
    pub(super) fn new(
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
            extra: fields.extra.iter().map(|(key, raw)| (key.clone(), (*raw).to_owned())).collect(),
            relative,
            offset,
            thread: fields.tid.and_then(args::integer),
        }
    }

    fn bytes(&self) -> usize {
        let texts = [&self.pid, &self.tid, &self.name, &self.ts, &self.args];
        let text = texts.iter().map(|text| text.as_ref().map_or(0, String::len)).sum::<usize>();
        let extra = self.extra.iter().map(|(key, raw)| key.len() + raw.len() + 48).sum::<usize>();
        size_of::<Self>() + text + extra
    }
}

/// Open intervals by phase, outermost first.
#[derive(Debug, Default)]
pub(super) struct Intervals {
    open: BTreeMap<i64, Vec<Open>>,
    bytes: usize,
}

impl Intervals {
    /// An interval begins. Gives back the oldest of its phase if there are too many.
    pub(super) fn begin(&mut self, open: Open) -> Option<Open> {
        self.bytes += open.bytes();
        let stack = self.open.entry(phase(open.pid.as_deref())).or_default();
        stack.push(open);
        if stack.len() <= MAX_OPEN && self.bytes <= MAX_BYTES {
            return None;
        }
        let oldest = stack.remove(0);
        self.bytes -= oldest.bytes();
        Some(oldest)
    }

    /// An interval ends: the innermost of the same phase and thread, or where one of both sides does not
    /// know its thread, of the same phase.
    pub(super) fn end(&mut self, pid: Option<&str>, tid: Option<&str>) -> Option<Open> {
        let phase = phase(pid);
        let thread = tid.and_then(args::integer);
        let stack = self.open.get_mut(&phase)?;
        let same = stack.iter().rposition(|open| open.thread == thread);
        let at = same.or_else(|| stack.iter().rposition(|open| thread.is_none() || open.thread.is_none()))?;
        let open = stack.remove(at);
        if stack.is_empty() {
            self.open.remove(&phase);
        }
        self.bytes -= open.bytes();
        Some(open)
    }

    /// Everything that never ended.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Open> + use<> {
        std::mem::take(self).open.into_values().flatten()
    }
}

/// The phase an event belongs to; events without one are paired among themselves.
fn phase(raw: Option<&str>) -> i64 {
    raw.and_then(args::integer).unwrap_or(-1)
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
            assert!(intervals.begin(open(at)).is_none());
        }
        let oldest = intervals.begin(open(4096)).unwrap();
        assert_eq!(oldest.relative, Some(0));
        assert_eq!(intervals.end(Some("1"), None).unwrap().relative, Some(4096));
        assert!(intervals.end(Some("2"), None).is_none());
        assert_eq!(intervals.take().count(), 4095);
        assert_eq!(intervals.bytes, 0);
    }
}
