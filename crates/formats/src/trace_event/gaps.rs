//! Recognizes the text between the values of events: names, commas and blanks that recur in each event.
//!
//! A gap is the text from the end of one value to the start of the next one, with the name of the next value:
//! `, "cat": `. The events of one writer have few different gaps, and few gaps follow each gap. So the reader
//! compares the text with the gaps that followed before, as a few words, and does not scan it byte by byte.
//! The scanner parses a new gap, which is then cached.
//!
//! A gap is only compared at the gap after which it was first read. There, the same bytes have the same
//! meaning in JSON.

use crate::scanner::{MemberName, Scanner};

/// Maximum length of a cached gap in bytes.
const MAX_LENGTH: usize = 32;
const WORDS: usize = MAX_LENGTH / 8;

/// Maximum number of gaps that are cached as successors of one gap, one for each type of event that differs
/// there.
const MAX_SUCCESSORS: usize = 8;

/// Maximum number of cached gaps.
const MAX_GAPS: usize = 1 << 10;

/// What follows a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum AfterGap {
    /// The value of this member.
    Value(EventField),
    /// The end of the object.
    #[default]
    End,
}

/// A member of an event that has a field of its own, or another member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventField {
    Ph,
    Name,
    Cat,
    Ts,
    Dur,
    Pid,
    Tid,
    Id,
    Args,
    Other,
}

impl EventField {
    fn from_name(name: MemberName<'_>) -> Self {
        match name.bytes {
            b"ph" => Self::Ph,
            b"name" => Self::Name,
            b"cat" => Self::Cat,
            b"ts" => Self::Ts,
            b"dur" => Self::Dur,
            b"pid" => Self::Pid,
            b"tid" => Self::Tid,
            b"id" => Self::Id,
            b"args" => Self::Args,
            _ => Self::Other,
        }
    }
}

/// Index of the last gap. It determines which gaps can follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GapId(usize);

impl GapId {
    /// Before the brace of an event.
    pub(super) const EVENT: Self = Self(0);
    /// Before the brace of arguments.
    const ARGS: Self = Self(1);
    /// After a value of an event with a gap that is not cached.
    pub(super) const IN_EVENT: Self = Self(2);
    /// After a value of arguments with a gap that is not cached.
    const IN_ARGS: Self = Self(3);
    const FIRST_GAP: usize = 4;
}

/// A gap. The entries of [`GapId`]'s constants stand for the last gap that is not cached.
#[derive(Debug, Clone, Default)]
struct Gap {
    /// Its bytes, and a mask of the bytes that are part of it.
    bytes: [u64; WORDS],
    mask: [u64; WORDS],
    length: usize,
    /// Number of line feeds in it.
    lines: u64,
    after: AfterGap,
    /// Distance of the name's start from the end of the gap, length of the name, and its word.
    name_distance: usize,
    name_length: usize,
    name_word: u64,
    /// The value after the gap is a member of the arguments.
    in_args: bool,
    /// Gaps that followed this one; frequent ones move to the front.
    successors: [u16; MAX_SUCCESSORS],
    successor_count: usize,
}

/// The gaps of one file.
#[derive(Debug)]
pub(super) struct Gaps(Vec<Gap>);

impl Default for Gaps {
    fn default() -> Self {
        Self(vec![Gap::default(); GapId::FIRST_GAP])
    }
}

/// A gap, its length in bytes, and its number of line feeds.
type FoundGap = (GapId, usize, u64);

#[expect(clippy::inline_always, reason = "measured, as for the scanner")]
impl Gaps {
    /// Skips the gap after the value that follows the gap `last`. None if it is not valid JSON.
    #[inline(always)]
    pub(super) fn skip(&mut self, last: GapId, scanner: &mut Scanner<'_>) -> Option<GapId> {
        // The scanner is passed on by value, so that it stays in registers.
        let (gap, length, lines) = match self.find_cached(last, scanner.rest()) {
            Some(gap) => gap,
            None => self.parse(last, *scanner)?,
        };
        scanner.skip(length, lines);
        Some(gap)
    }

    /// What follows this gap.
    #[inline(always)]
    pub(super) fn after(&self, gap: GapId) -> AfterGap {
        self.0.get(gap.0).map_or(AfterGap::End, |gap| gap.after)
    }

    /// The name in this gap. The scanner must be at the end of the gap.
    #[inline(always)]
    pub(super) fn name<'a>(&self, gap: GapId, scanner: &Scanner<'a>) -> Option<MemberName<'a>> {
        let gap = self.0.get(gap.0)?;
        Some(MemberName { bytes: scanner.bytes_before(gap.name_distance, gap.name_length)?, word: gap.name_word })
    }

    #[inline(always)]
    fn find_cached(&mut self, last: GapId, rest: &[u8]) -> Option<FoundGap> {
        let (words, _) = rest.first_chunk::<MAX_LENGTH>()?.as_chunks::<8>();
        let last_gap = self.0.get(last.0)?;
        for (i, successor) in last_gap.successors.iter().take(last_gap.successor_count).enumerate() {
            let successor = usize::from(*successor);
            let gap = self.0.get(successor)?;
            let difference =
                (0..WORDS).fold(0, |bits, n| bits | (u64::from_le_bytes(words[n]) ^ gap.bytes[n]) & gap.mask[n]);
            if difference == 0 {
                let cached = (GapId(successor), gap.length, gap.lines);
                if i > 0 {
                    self.0.get_mut(last.0)?.successors.swap(i - 1, i);
                }
                return Some(cached);
            }
        }
        None
    }

    /// Parses a gap, and caches it.
    #[inline(never)]
    fn parse(&mut self, last: GapId, from: Scanner<'_>) -> Option<FoundGap> {
        let last_gap = self.0.get(last.0)?;
        let (is_opening, in_args) = match last {
            GapId::EVENT => (true, false),
            GapId::ARGS => (true, true),
            GapId::IN_EVENT => (false, false),
            GapId::IN_ARGS => (false, true),
            GapId(_) => {
                let is_opening = last_gap.after == AfterGap::Value(EventField::Args);
                (is_opening, is_opening || last_gap.in_args)
            }
        };
        let is_full = last_gap.successor_count == MAX_SUCCESSORS || self.0.len() == MAX_GAPS;
        let mut scanner = from;
        let more = if is_opening { scanner.enter_object()? } else { scanner.end_member()? };
        let mut gap = Gap { in_args: in_args && more, ..Gap::default() };
        if more {
            let (name, _) = scanner.read_name()?;
            gap.after = AfterGap::Value(if in_args { EventField::Other } else { EventField::from_name(name) });
            let start = (name.bytes.as_ptr() as usize).wrapping_sub(from.rest().as_ptr() as usize);
            gap.name_distance = (scanner.pos - from.pos).checked_sub(start)?;
            (gap.name_length, gap.name_word) = (name.bytes.len(), name.word);
        }
        gap.length = scanner.pos - from.pos;
        gap.lines = scanner.lines - from.lines;
        let (length, lines) = (gap.length, gap.lines);
        if length > MAX_LENGTH || from.rest().len() < MAX_LENGTH || is_full {
            let id = match gap.after {
                AfterGap::Value(EventField::Args) => GapId::ARGS,
                _ if gap.in_args => GapId::IN_ARGS,
                _ => GapId::IN_EVENT,
            };
            let shared = self.0.get_mut(id.0)?;
            (shared.after, shared.name_distance) = (gap.after, gap.name_distance);
            (shared.name_length, shared.name_word) = (gap.name_length, gap.name_word);
            return Some((id, length, lines));
        }
        for (i, byte) in from.rest().iter().take(length).enumerate() {
            gap.bytes[i / 8] |= u64::from(*byte) << (i % 8 * 8);
            gap.mask[i / 8] |= 0xFF << (i % 8 * 8);
        }
        let id = self.0.len();
        self.0.push(gap);
        let last_gap = self.0.get_mut(last.0)?;
        *last_gap.successors.get_mut(last_gap.successor_count)? = u16::try_from(id).ok()?;
        last_gap.successor_count += 1;
        Some((GapId(id), length, lines))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::EventFields;
    use super::*;

    /// The fields of an event, its length and its line feeds.
    fn read(text: &str, gaps: &mut Gaps) -> Option<(String, usize, u64)> {
        let mut members = Vec::new();
        let mut scanner = Scanner::new(text, 0);
        let fields = EventFields::scan(&mut scanner, gaps, &mut members)?;
        Some((format!("{fields:?}"), scanner.pos, scanner.lines))
    }

    fn blank() -> impl Strategy<Value = &'static str> {
        prop_oneof![6 => Just(""), 4 => Just(" "), 1 => Just("\n    "), 1 => Just("\n"), 1 => Just(" \t")]
    }

    fn member_value(args: bool) -> impl Strategy<Value = String> {
        let names = if args { &["External id", "Ev Idx", "args", "x"][..] } else { &["ph", "ts", "cat", "args", "é"] };
        let values =
            ["1", "-2.5e3", "\"X\"", "\"a longer text with \\u00e9\"", "[1, {\"y\": 2}]", "null", "{}", "1x", "\"open"];
        let name = proptest::sample::select(names.to_vec());
        let value = proptest::sample::select(values.to_vec());
        (blank(), name, blank(), blank(), value, blank())
            .prop_map(|(a, name, b, c, value, d)| format!("{a}\"{name}\"{b}:{c}{value}{d}"))
    }

    /// Events of a few members. Some of them are not valid JSON.
    fn event() -> impl Strategy<Value = String> {
        let list = |args| proptest::collection::vec(member_value(args), 0..4).prop_map(|members| members.join(","));
        let args = (blank(), list(true), blank(), prop_oneof![9 => Just("}"), 1 => Just("]")])
            .prop_map(|(blank, list, end, close)| format!("{blank}\"args\": {{{list}{end}{close}"));
        let args = prop_oneof![3 => args, 1 => Just("\"z\":1".to_owned())];
        (list(false), args, list(false), "[ ,}{:x]?").prop_map(|(before, args, after, odd)| {
            let members: Vec<&str> = [&*before, &*args, &*after].into_iter().filter(|part| !part.is_empty()).collect();
            format!("{{{}{odd}}}{}", members.join(","), " ".repeat(40))
        })
    }

    proptest! {
        #[test]
        fn results_do_not_depend_on_cached_gaps(events in proptest::collection::vec(event(), 1..60)) {
            let mut gaps = Gaps::default();
            for event in &events {
                prop_assert_eq!(read(event, &mut gaps), read(event, &mut Gaps::default()), "{}", event);
                // The text ends too early for a comparison with cached gaps.
                let short = event.trim_end();
                prop_assert_eq!(read(short, &mut gaps), read(short, &mut Gaps::default()), "{}", short);
            }
        }
    }

    #[test]
    fn the_second_event_adds_no_gaps() {
        let mut gaps = Gaps::default();
        let event = |ts: u32| {
            format!(
                "{{\n  \"ph\": \"X\", \"ts\": {ts},\n  \"args\": {{\n   \"External id\": 1\n }}\n  }},{}",
                " ".repeat(40)
            )
        };
        read(&event(1), &mut gaps).unwrap();
        let count = gaps.0.len();
        assert_eq!(count, GapId::FIRST_GAP + 6, "ph, ts, args, External id, both ends");
        assert_eq!(read(&event(2), &mut gaps), read(&event(2), &mut Gaps::default()));
        assert_eq!(gaps.0.len(), count);
    }

    #[test]
    fn gaps_are_bounded() {
        let mut gaps = Gaps::default();
        for n in 0..MAX_GAPS * 2 {
            let event =
                format!("{{\"n{}\":1,\"m{n}\":2,\"args\":{{\"k{n}\":3}}}}{}", n % MAX_SUCCESSORS, " ".repeat(40));
            assert_eq!(read(&event, &mut gaps), read(&event, &mut Gaps::default()), "{event}");
        }
        assert!(gaps.0.len() <= MAX_GAPS);
    }

    #[test]
    fn a_brace_can_only_follow_the_name_args() {
        let mut gaps = Gaps::default();
        let pad = " ".repeat(40);
        assert!(read(&format!("{{\"args\": {{\"x\": 1}}}}{pad}"), &mut gaps).is_some());
        assert!(read(&format!("{{\"args\": null}}{pad}"), &mut gaps).is_some());
        for broken in ["{\"args\": null{\"x\": 1}}", "{\"args\": {\"x\": 1}{\"x\": 1}}", "{\"x\": 1{\"x\": 1}}"] {
            assert_eq!(read(&format!("{broken}{pad}"), &mut gaps), None, "{broken}");
        }
    }
}
