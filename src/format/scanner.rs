//! One pass over JSON as programs write it: members of objects, borrowed from the text.
//!
//! This is the innermost loop of an ingest. Texts are looked at eight bytes at a time, and names that have fewer than
//! eight bytes are compared as one number. What it cannot read is left to others: see [`Scanner`].

/// The deepest nesting that [`Scanner`] follows.
const MAX_DEPTH: u32 = 32;

/// Reads JSON objects as programs write them, in one pass.
///
/// What it reads is JSON, and each member is what `serde_json` would give. It gives up, without a reason,
/// where a name has escapes, values are nested deeply, or the text is no JSON or not all there.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Next byte to look at.
    at: usize,
    /// Line feeds passed over.
    lines: u64,
}

impl<'a> Scanner<'a> {
    /// Begins at byte `at` of `text`.
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, lines: 0 }
    }

    /// The next byte to look at.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// How many line feeds it has passed over.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Passes over the next byte.
    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    /// Passes over blanks; gives the byte behind them, none at the end.
    #[inline]
    pub(super) fn blank(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.lines += 1;
                    self.at += 1;
                    // indentation, as a rule: the lowest bytes that differ from blanks say how long it is
                    if let Some(word) = eight(bytes, self.at) {
                        self.at += ((word ^ (ONES * u64::from(b' '))).trailing_zeros() / 8) as usize;
                    }
                }
                byte => return Some(byte),
            }
        }
    }

    /// Calls `each` with the name and the raw text of every member of the object that begins here; false
    /// if it gave up, when the members before have been seen.
    pub(super) fn object(&mut self, each: &mut impl FnMut(&'a str, &'a str)) -> bool {
        self.members(0, each).is_some()
    }

    /// Passes over the brace that an object begins with; whether it has members, the first of which is next.
    #[inline]
    pub(super) fn enter(&mut self) -> Option<bool> {
        if self.text.as_bytes().get(self.at) != Some(&b'{') {
            return None;
        }
        self.at += 1;
        if self.blank()? == b'}' {
            self.at += 1;
            return Some(false);
        }
        Some(true)
    }

    /// Reads the name of the next member, up to its value, and says what byte that begins with.
    #[expect(clippy::inline_always, reason = "measured: half of its time was the call")]
    #[inline(always)]
    pub(super) fn name(&mut self) -> Option<(Name<'a>, u8)> {
        let bytes = self.text.as_bytes();
        if bytes.get(self.at) != Some(&b'"') {
            return None;
        }
        let start = self.at + 1;
        let (end, word) = match eight(bytes, start).map(|word| (word, string_ends(word))) {
            Some((word, ends)) if ends != 0 => {
                let bits = ends.trailing_zeros() & !7;
                (start + (bits / 8) as usize, word & ((1 << bits) - 1))
            }
            Some(_) => (start + 8 + plain_string(bytes.get(start + 8..)?), 0),
            None => {
                let rest = bytes.get(start..)?;
                let length = plain_string(rest);
                (start + length, Name::word(&rest[..length]))
            }
        };
        let first = match bytes.get(end..) {
            Some([b'"', b':', b' ', first @ b'!'..=b'~', ..]) => {
                self.at = end + 3;
                *first
            }
            Some([b'"', ..]) => {
                self.at = end + 1;
                if self.blank()? != b':' {
                    return None;
                }
                self.at += 1;
                self.blank()?
            }
            _ => return None,
        };
        Some((Name { text: self.text.get(start..end)?, word }, first))
    }

    /// Passes over the value of a member that begins with the byte `first`, and gives its text.
    #[inline]
    pub(super) fn raw(&mut self, first: u8) -> Option<&'a str> {
        let start = self.at;
        if first == b'"' {
            self.string()?;
        } else if first.is_ascii_digit() {
            match self.short_integer(first) {
                Some(length) => self.at += length,
                None => self.number(first)?,
            }
        } else {
            self.value(first, 1)?;
        }
        self.text.get(start..self.at)
    }

    /// How many digits the integer has that begins here, if that shows at once.
    #[inline]
    fn short_integer(&self, first: u8) -> Option<usize> {
        let word = eight(self.text.as_bytes(), self.at)?;
        let bits = digits_end_in(word).trailing_zeros() & !7;
        // eight digits, or more than one of which the first is 0
        if bits == u64::BITS || first == b'0' && bits > 8 {
            return None;
        }
        let [next, ..] = (word >> bits).to_le_bytes();
        matches!(next, b',' | b'\n' | b' ' | b'}' | b']').then_some((bits / 8) as usize)
    }

    /// Passes over what stands behind a member; whether another one is next.
    #[expect(clippy::inline_always, reason = "measured, as for names")]
    #[inline(always)]
    pub(super) fn more(&mut self) -> Option<bool> {
        let next = self.blank()?;
        self.at += 1;
        match next {
            b',' => {
                self.blank()?;
                Some(true)
            }
            b'}' => Some(false),
            _ => None,
        }
    }

    /// The text from byte `start` to here.
    pub(super) fn since(&self, start: usize) -> Option<&'a str> {
        self.text.get(start..self.at)
    }

    #[inline]
    fn members(&mut self, depth: u32, each: &mut impl FnMut(&'a str, &'a str)) -> Option<()> {
        let mut more = self.enter()?;
        while more {
            let (name, first) = self.name()?;
            let start = self.at;
            if first == b'"' {
                self.string()?;
            } else if first.is_ascii_digit() {
                self.number(first)?;
            } else {
                self.value(first, depth)?;
            }
            each(name.text, self.text.get(start..self.at)?);
            more = self.more()?;
        }
        Some(())
    }

    /// Passes over the value that begins here with the byte `first`.
    fn value(&mut self, first: u8, depth: u32) -> Option<()> {
        match first {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(first),
            b'{' | b'[' if depth == MAX_DEPTH => None,
            b'{' => self.inner_object(depth + 1),
            b'[' => self.list(depth + 1),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            _ => None,
        }
    }

    #[inline(never)]
    fn inner_object(&mut self, depth: u32) -> Option<()> {
        self.members(depth, &mut |_, _| ())
    }

    #[inline(never)]
    fn list(&mut self, depth: u32) -> Option<()> {
        self.at += 1;
        let mut first = self.blank()?;
        if first == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            self.value(first, depth)?;
            let next = self.blank()?;
            self.at += 1;
            match next {
                b',' => first = self.blank()?,
                b']' => return Some(()),
                _ => return None,
            }
        }
    }

    #[inline]
    fn string(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            at += plain_string(&bytes[at..]);
            match bytes.get(at)? {
                b'"' => {
                    self.at = at + 1;
                    return Some(());
                }
                b'\\' => match bytes.get(at + 1)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                    b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => at += 6,
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    #[inline]
    fn number(&mut self, first: u8) -> Option<()> {
        let bytes = self.text.as_bytes();
        let digits = |from: usize| digits_end(bytes, from);
        let start = self.at + usize::from(first == b'-');
        let mut at = digits(start);
        if at == start || (at > start + 1 && bytes[start] == b'0') {
            return None;
        }
        if bytes.get(at) == Some(&b'.') {
            let fraction = at + 1;
            at = digits(fraction);
            if at == fraction {
                return None;
            }
        }
        if let Some(b'e' | b'E') = bytes.get(at) {
            let exponent = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            at = digits(exponent);
            if at == exponent {
                return None;
            }
        }
        self.at = at;
        Some(())
    }

    fn literal(&mut self, word: &str) -> Option<()> {
        let found = self.text.as_bytes().get(self.at..)?.starts_with(word.as_bytes());
        self.at += word.len();
        found.then_some(())
    }
}

/// The name of a member, without escapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    /// The bytes of a name that has fewer than eight, the first in the lowest; else 0.
    pub(super) word: u64,
}

impl Name<'_> {
    /// The word of a short name.
    pub(super) const fn word(name: &[u8]) -> u64 {
        let (mut word, mut at) = (0, name.len());
        while at > 0 && name.len() < 8 {
            at -= 1;
            word = word << 8 | name[at] as u64;
        }
        word
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes from `at` on, the first in the lowest; none where there are fewer.
#[inline]
fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

/// Which of eight bytes cannot stand in a string as they are: a quote, a backslash, a control character. The highest bit of
/// the first one is the lowest that is set; borrows of the subtractions only reach higher bytes.
#[inline]
fn string_ends(word: u64) -> u64 {
    let (quote, slash) = (word ^ (ONES * u64::from(b'"')), word ^ (ONES * u64::from(b'\\')));
    let hits = (quote.wrapping_sub(ONES) & !quote)
        | (slash.wrapping_sub(ONES) & !slash)
        | (word.wrapping_sub(ONES * u64::from(b' ')) & !word);
    hits & HIGHS
}

/// How many bytes at the start can stand in a string as they are: up to a quote, a backslash or a control
/// character.
#[inline]
pub(super) fn plain_string(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(word) = eight(bytes, at) {
        match string_ends(word) {
            0 => at += 8,
            ends => return at + (ends.trailing_zeros() / 8) as usize,
        }
    }
    let rest = bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
    rest.map_or(bytes.len(), |rest| at + rest)
}

/// Which of eight bytes are no digits: the first one is the lowest of which a bit is set.
#[inline]
fn digits_end_in(word: u64) -> u64 {
    let digits = word ^ (ONES * u64::from(b'0'));
    // a byte above 9 has a high half, or gets one when 6 is added; the carry only reaches higher bytes
    (digits | digits.wrapping_add(ONES * 6)) & (ONES * 0xF0)
}

/// Where the digits end that begin at `at`.
#[inline]
fn digits_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = eight(bytes, at) {
        match digits_end_in(word) {
            0 => at += 8,
            ends => return at + (ends.trailing_zeros() / 8) as usize,
        }
    }
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}
