//! The members of one trace event, as raw JSON.

use super::gaps::{AfterGap, EventField, GapId, Gaps};
use crate::json;
use crate::scanner::{MemberName, ScannedValue, Scanner};

/// A member of the arguments.
pub(crate) type ArgMember<'a> = (MemberName<'a>, ScannedValue<'a>);

/// Members of an event as numbers. None if the scanner did not parse them; then their texts count.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct EventNumbers {
    /// Time in ns.
    pub(crate) ts: Option<i64>,
    /// Duration in ns.
    pub(crate) dur: Option<i64>,
    pub(crate) pid: Option<i64>,
    pub(crate) tid: Option<i64>,
}

/// The members of an event, as raw JSON borrowed from its text. If a member occurs twice, the last one
/// counts.
#[derive(Debug, Default)]
pub(crate) struct EventFields<'a> {
    /// Type of the event (`"X"`, `"B"`, ...), in quotes.
    pub(crate) ph: Option<&'a str>,
    /// Name, in quotes.
    pub(crate) name: Option<&'a str>,
    /// Category, in quotes.
    pub(crate) cat: Option<&'a str>,
    /// Time in microseconds.
    pub(crate) ts: Option<&'a str>,
    /// Duration in microseconds.
    pub(crate) dur: Option<&'a str>,
    /// Process, or what the writer uses as one.
    pub(crate) pid: Option<&'a str>,
    /// Thread.
    pub(crate) tid: Option<&'a str>,
    /// Connects the events of a flow, or the ends of an asynchronous interval.
    pub(crate) id: Option<&'a str>,
    /// How far a viewer draws an instant.
    pub(crate) s: Option<&'a str>,
    /// The end of an interval to which a viewer connects a flow.
    pub(crate) bp: Option<&'a str>,
    /// Arguments, usually an object.
    pub(crate) args: Option<&'a str>,
    /// The members of the arguments, if they are an object and were read with the event.
    pub(crate) members: Option<&'a [ArgMember<'a>]>,
    /// Some of the above as numbers.
    pub(crate) numbers: EventNumbers,
    /// All other members, by name.
    pub(crate) extra: Vec<(String, &'a str)>,
}

impl<'a> EventFields<'a> {
    /// Parses any event that is valid JSON.
    pub(crate) fn parse(text: &'a str) -> serde_json::Result<Self> {
        let mut fields = Self::default();
        json::visit_members(text, |key, raw| fields.set(key, raw))?;
        Ok(fields)
    }

    /// Reads the event at the scanner's position, and moves the scanner past it. None if the scanner gives
    /// up.
    /// `args` becomes the storage of the arguments' members.
    #[expect(clippy::inline_always, reason = "measured: the result is large, and was copied")]
    #[inline(always)]
    pub(super) fn scan<'b: 'a>(
        from: &mut Scanner<'b>,
        gaps: &mut Gaps,
        args: &'a mut Vec<ArgMember<'b>>,
    ) -> Option<Self> {
        let mut fields = Self::default();
        args.clear();
        let mut scanner = *from;
        let mut gap = GapId::EVENT;
        loop {
            gap = gaps.skip(gap, &mut scanner)?;
            let AfterGap::Value(field) = gaps.after(gap) else { break };
            let before_value = scanner;
            let first = scanner.value_start()?;
            if field == EventField::Args && first == b'{' {
                // If arguments occur twice, the last ones count.
                args.clear();
                let start = scanner.pos;
                loop {
                    gap = gaps.skip(gap, &mut scanner)?;
                    if gaps.after(gap) == AfterGap::End {
                        break;
                    }
                    let name = gaps.name(gap, &scanner)?;
                    let first = scanner.value_start()?;
                    args.push((name, scanner.read_value(first)?));
                }
                fields.args = scanner.text_since(start);
                continue;
            }
            let value = scanner.read_value(first)?;
            let raw = Some(value.text);
            match field {
                EventField::Ph => fields.ph = raw,
                EventField::Name => fields.name = raw,
                EventField::Cat => fields.cat = raw,
                EventField::Ts => (fields.ts, fields.numbers.ts) = (raw, value.times_thousand()),
                EventField::Dur => (fields.dur, fields.numbers.dur) = (raw, value.times_thousand()),
                EventField::Pid => (fields.pid, fields.numbers.pid) = (raw, value.integer()),
                EventField::Tid => (fields.tid, fields.numbers.tid) = (raw, value.integer()),
                EventField::Id => fields.id = raw,
                EventField::Args => (fields.args, gap) = (raw, GapId::IN_EVENT),
                EventField::Other => fields.set(gaps.name(gap, &before_value)?.text(), value.text),
            }
        }
        *from = scanner;
        fields.members = fields.args.filter(|raw| raw.starts_with('{')).map(|_| args.as_slice());
        Some(fields)
    }

    /// Reads a text that is one event of plain JSON. The members of its arguments are parts of the text.
    pub(crate) fn plain(text: &'a str, members: &'a mut Vec<ArgMember<'a>>) -> Option<Self> {
        let mut scanner = Scanner::new(text, 0);
        let fields = Self::scan(&mut scanner, &mut Gaps::default(), members)?;
        scanner.skip_blanks().is_none().then_some(fields)
    }

    #[inline]
    fn set(&mut self, key: &str, raw: &'a str) {
        let field = match key {
            "ph" => &mut self.ph,
            "name" => &mut self.name,
            "cat" => &mut self.cat,
            "ts" => &mut self.ts,
            "dur" => &mut self.dur,
            "pid" => &mut self.pid,
            "tid" => &mut self.tid,
            "args" => &mut self.args,
            "id" => &mut self.id,
            "s" => &mut self.s,
            "bp" => &mut self.bp,
            _ => return self.extra.push((key.to_owned(), raw)),
        };
        *field = Some(raw);
    }

    /// Returns true for the object `{}`, with which some writers end their list.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { ph, name, ts, dur, pid, tid, args, .. } = self;
        [ph, name, ts, dur, pid, tid, args].iter().all(|field| field.is_none()) && self.other_members().next().is_none()
    }

    /// The category, the id and all members without a meaning for the format, by name.
    pub(crate) fn other_members(&self) -> impl Iterator<Item = (&str, &'a str)> {
        let named = [("cat", self.cat), ("id", self.id), ("s", self.s), ("bp", self.bp)];
        let named = named.into_iter().filter_map(|(key, raw)| Some((key, raw?)));
        named.chain(self.extra.iter().map(|(key, raw)| (key.as_str(), *raw)))
    }

    /// The type of the event, without quotes. Empty if it has none.
    pub(crate) fn phase(&self) -> &'a str {
        let raw = self.ph.unwrap_or_default();
        match raw.as_bytes() {
            // Usually one letter.
            [b'"', letter, b'"'] if *letter != b'"' => &raw[1..2],
            _ => raw.trim_matches('"'),
        }
    }
}
