//! The members of one trace event, raw.

use super::gaps::{At, Field, Gaps, Next};
use crate::json;
use crate::scanner::{Name, Scanner, Value};

/// A member of the arguments.
pub(crate) type Member<'a> = (Name<'a>, Value<'a>);

/// What members of an event are as numbers, where that showed on the way; else their texts tell.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Numbers {
    /// Time in ns.
    pub(crate) ts: Option<i64>,
    /// Duration in ns.
    pub(crate) dur: Option<i64>,
    pub(crate) pid: Option<i64>,
    pub(crate) tid: Option<i64>,
}

/// What an event says, as raw JSON borrowed from its text. Of a member that comes twice the last counts.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a> {
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
    /// Process, or what the writer uses as such.
    pub(crate) pid: Option<&'a str>,
    /// Thread.
    pub(crate) tid: Option<&'a str>,
    /// What ties the events of a flow, or the ends of an asynchronous interval.
    pub(crate) id: Option<&'a str>,
    /// How far a viewer draws an instant.
    pub(crate) s: Option<&'a str>,
    /// Which side of an interval a viewer ties a flow to.
    pub(crate) bp: Option<&'a str>,
    /// Arguments, an object as a rule.
    pub(crate) args: Option<&'a str>,
    /// The members of the arguments, if they are an object and were read with the event.
    pub(crate) members: Option<&'a [Member<'a>]>,
    /// Some of the above as numbers.
    pub(crate) numbers: Numbers,
    /// Everything else, by name.
    pub(crate) extra: Vec<(String, &'a str)>,
}

impl<'a> Fields<'a> {
    /// Reads the members of an event.
    pub(crate) fn parse(text: &'a str) -> serde_json::Result<Self> {
        let mut fields = Self::default();
        json::members(text, |key, raw| fields.take(key, raw))?;
        Ok(fields)
    }

    /// Reads the event that the scanner stands at; none if it gives up. `room` is for the members of the arguments.
    #[expect(clippy::inline_always, reason = "measured: what it gives is large, and was copied")]
    #[inline(always)]
    pub(super) fn scan<'b: 'a>(from: &mut Scanner<'b>, gaps: &mut Gaps, room: &'a mut Vec<Member<'b>>) -> Option<Self> {
        let mut fields = Self::default();
        room.clear();
        let mut scanner = *from;
        let mut at = At::EVENT;
        loop {
            at = gaps.pass(at, &mut scanner)?;
            let Next::Value(field) = gaps.next(at) else { break };
            let behind = scanner;
            let first = scanner.first()?;
            if field == Field::Args && first == b'{' {
                // of arguments that come twice the last count
                room.clear();
                let start = scanner.at();
                loop {
                    at = gaps.pass(at, &mut scanner)?;
                    if gaps.next(at) == Next::End {
                        break;
                    }
                    let name = gaps.name(at, &scanner)?;
                    let first = scanner.first()?;
                    room.push((name, scanner.value(first)?));
                }
                fields.args = scanner.since(start);
                continue;
            }
            let value = scanner.value(first)?;
            let raw = Some(value.text);
            match field {
                Field::Ph => fields.ph = raw,
                Field::Name => fields.name = raw,
                Field::Cat => fields.cat = raw,
                Field::Ts => (fields.ts, fields.numbers.ts) = (raw, value.thousandfold()),
                Field::Dur => (fields.dur, fields.numbers.dur) = (raw, value.thousandfold()),
                Field::Pid => (fields.pid, fields.numbers.pid) = (raw, value.integer()),
                Field::Tid => (fields.tid, fields.numbers.tid) = (raw, value.integer()),
                Field::Id => fields.id = raw,
                Field::Args => (fields.args, at) = (raw, At::IN_EVENT),
                Field::Other => fields.take(gaps.name(at, &behind)?.text(), value.text),
            }
        }
        *from = scanner;
        fields.members = fields.args.filter(|args| args.starts_with('{')).map(|_| room.as_slice());
        Some(fields)
    }

    /// Reads an event that is plain JSON and nothing else; its members are parts of the text.
    pub(crate) fn plain(text: &'a str, room: &'a mut Vec<Member<'a>>) -> Option<Self> {
        let mut scanner = Scanner::new(text, 0);
        let fields = Self::scan(&mut scanner, &mut Gaps::default(), room)?;
        scanner.blank().is_none().then_some(fields)
    }

    #[inline]
    fn take(&mut self, key: &str, raw: &'a str) {
        match key {
            "ph" => self.ph = Some(raw),
            "name" => self.name = Some(raw),
            "cat" => self.cat = Some(raw),
            "ts" => self.ts = Some(raw),
            "dur" => self.dur = Some(raw),
            "pid" => self.pid = Some(raw),
            "tid" => self.tid = Some(raw),
            "args" => self.args = Some(raw),
            "id" => self.id = Some(raw),
            "s" => self.s = Some(raw),
            "bp" => self.bp = Some(raw),
            _ => self.extra.push((key.to_owned(), raw)),
        }
    }

    /// Whether the event is the object `{}`, which some writers end their list with.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { ph, name, ts, dur, pid, tid, args, .. } = self;
        [ph, name, ts, dur, pid, tid, args].iter().all(|field| field.is_none()) && self.others().next().is_none()
    }

    /// The members that say neither what, where nor when, by name.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&str, &'a str)> {
        let named = [("cat", self.cat), ("id", self.id), ("s", self.s), ("bp", self.bp)];
        let named = named.into_iter().filter_map(|(key, raw)| Some((key, raw?)));
        named.chain(self.extra.iter().map(|(key, raw)| (key.as_str(), *raw)))
    }

    /// The type of the event, without quotes; empty if it has none.
    pub(crate) fn phase(&self) -> &'a str {
        match self.ph {
            // one letter, as a rule
            Some(raw) if raw.len() == 3 && raw.starts_with('"') && raw.ends_with('"') && &raw[1..2] != "\"" => {
                &raw[1..2]
            }
            Some(raw) => raw.trim_matches('"'),
            None => "",
        }
    }
}
