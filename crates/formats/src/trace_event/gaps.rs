//! What stands between the values of events: the same names, commas and blanks in the same order, event by event.
//!
//! A gap is the text from the end of one value to the start of the next: `, "cat": `, with the name that it gives the
//! next value. A writer's events have few of them, and behind each one few others come, so what stood there before is
//! compared as a few words instead of being taken apart byte by byte. What was not seen before is taken apart by the
//! scanner, and remembered.
//!
//! A gap is only looked for behind the gap that it was found behind: there the same bytes are the same JSON.

use crate::scanner::{Name, Scanner};

/// Longer gaps are not remembered.
const LONGEST: usize = 32;

/// Gaps that are tried behind each other gap: one for each sort of event that differs there.
const WAYS: usize = 8;

/// Gaps that are remembered.
const MOST: usize = 1 << 10;

/// What follows a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Next {
    /// A value of this name.
    Value(Field),
    /// Nothing: the object ends.
    #[default]
    End,
}

/// A member of an event that has a field of its own, or of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
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

impl Field {
    fn of(name: Name<'_>) -> Self {
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

/// The gap that the scanner came through last, on which it depends what may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At(usize);

impl At {
    /// Before the brace of an event.
    pub(super) const EVENT: Self = Self(0);
    /// Before the brace of arguments.
    const ARGS: Self = Self(1);
    /// Behind a value of an event, or of its arguments, whose gap is not remembered.
    pub(super) const IN_EVENT: Self = Self(2);
    const IN_ARGS: Self = Self(3);
    const FIRST_GAP: usize = 4;
}

/// One gap. Those of [`At`]'s constants are no gaps: they stand for the last one that is not remembered.
#[derive(Debug, Clone, Default)]
struct Gap {
    /// Its bytes, and which bits of them count.
    bytes: [u64; LONGEST / 8],
    mask: [u64; LONGEST / 8],
    length: usize,
    /// Line feeds in it.
    lines: u64,
    next: Next,
    /// How far before its end the name stands, how long that is, and its first eight bytes.
    name: usize,
    name_length: usize,
    word: u64,
    /// The value is one of the arguments.
    in_args: bool,
    /// What followed the value, what comes often before the rest.
    ways: [u16; WAYS],
    known_ways: usize,
}

/// The gaps of one file.
#[derive(Debug)]
pub(super) struct Gaps(Vec<Gap>);

impl Default for Gaps {
    fn default() -> Self {
        Self(vec![Gap::default(); At::FIRST_GAP])
    }
}

/// A gap that was passed, its length, and the line feeds in it.
type Passed = (At, usize, u64);

#[expect(clippy::inline_always, reason = "measured, as for the scanner")]
impl Gaps {
    /// Passes over the gap that follows the value at `at`; none if that is no JSON.
    #[inline(always)]
    pub(super) fn pass(&mut self, at: At, scanner: &mut Scanner<'_>) -> Option<At> {
        // The scanner goes no further than here by reference, so that it stays in registers.
        let (to, length, lines) = match self.known(at, scanner.rest()) {
            Some(gap) => gap,
            None => self.learn(at, *scanner)?,
        };
        scanner.pass(length, lines);
        Some(to)
    }

    /// What follows this gap.
    #[inline(always)]
    pub(super) fn next(&self, at: At) -> Next {
        self.0.get(at.0).map_or(Next::End, |gap| gap.next)
    }

    /// The name in this gap, at whose end the scanner stands.
    #[inline(always)]
    pub(super) fn name<'a>(&self, at: At, scanner: &Scanner<'a>) -> Option<Name<'a>> {
        let gap = self.0.get(at.0)?;
        Some(Name { bytes: scanner.before(gap.name, gap.name_length)?, word: gap.word })
    }

    #[inline(always)]
    fn known(&mut self, at: At, rest: &[u8]) -> Option<Passed> {
        let (words, _) = rest.first_chunk::<LONGEST>()?.as_chunks::<8>();
        let before = self.0.get(at.0)?;
        for (nth, way) in before.ways.iter().take(before.known_ways).enumerate() {
            let way = usize::from(*way);
            let gap = self.0.get(way)?;
            let differs = (0..LONGEST / 8)
                .fold(0, |differs, n| differs | (u64::from_le_bytes(words[n]) ^ gap.bytes[n]) & gap.mask[n]);
            if differs == 0 {
                let passed = (At(way), gap.length, gap.lines);
                if nth > 0 {
                    self.0.get_mut(at.0)?.ways.swap(nth - 1, nth);
                }
                return Some(passed);
            }
        }
        None
    }

    /// Takes a gap apart, and remembers it.
    #[inline(never)]
    fn learn(&mut self, at: At, from: Scanner<'_>) -> Option<Passed> {
        let before = self.0.get(at.0)?;
        let (opens, in_args) = match at {
            At::EVENT => (true, false),
            At::ARGS => (true, true),
            At::IN_EVENT => (false, false),
            At::IN_ARGS => (false, true),
            At(_) => {
                let opens = before.next == Next::Value(Field::Args);
                (opens, opens || before.in_args)
            }
        };
        let is_full = before.known_ways == WAYS || self.0.len() == MOST;
        let mut scanner = from;
        let more = if opens { scanner.enter()? } else { scanner.more()? };
        let mut gap = Gap { in_args: in_args && more, ..Gap::default() };
        if more {
            let (name, _) = scanner.name()?;
            gap.next = Next::Value(if in_args { Field::Other } else { Field::of(name) });
            let start = (name.bytes.as_ptr() as usize).wrapping_sub(from.rest().as_ptr() as usize);
            (gap.name, gap.name_length, gap.word) =
                ((scanner.at() - from.at()).checked_sub(start)?, name.bytes.len(), name.word);
        }
        gap.length = scanner.at() - from.at();
        gap.lines = scanner.lines() - from.lines();
        if gap.length > LONGEST || from.rest().len() < LONGEST || is_full {
            let at = match gap.next {
                Next::Value(Field::Args) => At::ARGS,
                _ if gap.in_args => At::IN_ARGS,
                _ => At::IN_EVENT,
            };
            let last = self.0.get_mut(at.0)?;
            (last.next, last.name, last.name_length, last.word) = (gap.next, gap.name, gap.name_length, gap.word);
            return Some((at, gap.length, gap.lines));
        }
        for (n, byte) in from.rest().iter().take(gap.length).enumerate() {
            gap.bytes[n / 8] |= u64::from(*byte) << (n % 8 * 8);
            gap.mask[n / 8] |= 0xFF << (n % 8 * 8);
        }
        let way = self.0.len();
        let passed = (At(way), gap.length, gap.lines);
        self.0.push(gap);
        let before = self.0.get_mut(at.0)?;
        *before.ways.get_mut(before.known_ways)? = u16::try_from(way).ok()?;
        before.known_ways += 1;
        Some(passed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Fields;
    use super::*;

    /// What is read of an event, with these gaps.
    fn read(text: &str, gaps: &mut Gaps) -> Option<(String, usize, u64)> {
        let mut room = Vec::new();
        let mut scanner = Scanner::new(text, 0);
        let fields = Fields::scan(&mut scanner, gaps, &mut room)?;
        Some((format!("{fields:?}"), scanner.at(), scanner.lines()))
    }

    fn blank() -> impl Strategy<Value = &'static str> {
        prop_oneof![6 => Just(""), 4 => Just(" "), 1 => Just("\n    "), 1 => Just("\n"), 1 => Just(" \t")]
    }

    fn member(args: bool) -> impl Strategy<Value = String> {
        let names = if args { &["External id", "Ev Idx", "args", "x"][..] } else { &["ph", "ts", "cat", "args", "é"] };
        let values =
            ["1", "-2.5e3", "\"X\"", "\"a longer text with \\u00e9\"", "[1, {\"y\": 2}]", "null", "{}", "1x", "\"open"];
        let name = proptest::sample::select(names.to_vec());
        let value = proptest::sample::select(values.to_vec());
        (blank(), name, blank(), blank(), value, blank())
            .prop_map(|(a, name, b, c, value, d)| format!("{a}\"{name}\"{b}:{c}{value}{d}"))
    }

    /// Events of a few members, of which some are no JSON.
    fn event() -> impl Strategy<Value = String> {
        let list = |args| proptest::collection::vec(member(args), 0..4).prop_map(|members| members.join(","));
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
        fn what_was_read_before_changes_nothing(events in proptest::collection::vec(event(), 1..60)) {
            let mut gaps = Gaps::default();
            for event in &events {
                prop_assert_eq!(read(event, &mut gaps), read(event, &mut Gaps::default()), "{}", event);
                // the end of the text is closer than gaps are looked for
                let short = event.trim_end();
                prop_assert_eq!(read(short, &mut gaps), read(short, &mut Gaps::default()), "{}", short);
            }
        }
    }

    #[test]
    fn the_second_event_is_read_from_gaps() {
        let mut gaps = Gaps::default();
        let event = |ts: u32| {
            format!(
                "{{\n  \"ph\": \"X\", \"ts\": {ts},\n  \"args\": {{\n   \"External id\": 1\n }}\n  }},{}",
                " ".repeat(40)
            )
        };
        read(&event(1), &mut gaps).unwrap();
        let known = gaps.0.len();
        assert_eq!(known, At::FIRST_GAP + 6, "ph, ts, args, External id, both ends");
        assert_eq!(read(&event(2), &mut gaps), read(&event(2), &mut Gaps::default()));
        assert_eq!(gaps.0.len(), known);
    }

    #[test]
    fn gaps_are_bounded() {
        let mut gaps = Gaps::default();
        for n in 0..MOST * 2 {
            let event = format!("{{\"n{}\":1,\"m{n}\":2,\"args\":{{\"k{n}\":3}}}}{}", n % WAYS, " ".repeat(40));
            assert_eq!(read(&event, &mut gaps), read(&event, &mut Gaps::default()), "{event}");
        }
        assert!(gaps.0.len() <= MOST);
    }

    #[test]
    fn a_brace_belongs_to_arguments_only() {
        let mut gaps = Gaps::default();
        let pad = " ".repeat(40);
        assert!(read(&format!("{{\"args\": {{\"x\": 1}}}}{pad}"), &mut gaps).is_some());
        assert!(read(&format!("{{\"args\": null}}{pad}"), &mut gaps).is_some());
        for broken in ["{\"args\": null{\"x\": 1}}", "{\"args\": {\"x\": 1}{\"x\": 1}}", "{\"x\": 1{\"x\": 1}}"] {
            assert_eq!(read(&format!("{broken}{pad}"), &mut gaps), None, "{broken}");
        }
    }
}
