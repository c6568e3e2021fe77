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
#[derive(Debug, Clone, Copy)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Next byte to look at.
    at: usize,
    /// Line feeds passed over.
    lines: u64,
}

// The small steps are inlined whatever their size: a copy of the scanner then lives in registers, which took a third of
// the instructions.
#[expect(clippy::inline_always, reason = "measured: half of the time of a step was its call")]
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

    /// What was not passed over yet.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// So many bytes, from so many before the next one on.
    #[inline(always)]
    pub(super) fn before(&self, back: usize, length: usize) -> Option<&'a [u8]> {
        let start = self.at.checked_sub(back)?;
        self.text.as_bytes().get(start..start + length)
    }

    /// The byte that a value begins with, behind blanks.
    #[inline(always)]
    pub(super) fn first(&mut self) -> Option<u8> {
        match *self.text.as_bytes().get(self.at)? {
            first @ b'!'.. => Some(first),
            _ => self.blank(),
        }
    }

    /// Passes over so many bytes, with so many line feeds among them.
    #[inline(always)]
    pub(super) fn pass(&mut self, bytes: usize, lines: u64) {
        self.at += bytes;
        self.lines += lines;
    }

    /// Passes over blanks; gives the byte behind them, none at the end.
    #[inline(always)]
    pub(super) fn blank(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            if byte > b' ' {
                return Some(byte);
            }
            match byte {
                b'\n' => {
                    self.lines += 1;
                    self.at += 1;
                    // indentation, as a rule: the lowest bytes that differ from blanks say how long it is
                    if let Some(word) = eight(bytes, self.at) {
                        self.at += ((word ^ (ONES * u64::from(b' '))).trailing_zeros() / 8) as usize;
                    }
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
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
    #[inline(always)]
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
            Some((word, _)) => (start + 8 + plain_string(bytes.get(start + 8..)?), word),
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
        Some((Name { bytes: &bytes[start..end], word }, first))
    }

    /// Passes over the value of a member that begins with the byte `first`, and gives it.
    #[inline(always)]
    pub(super) fn value(&mut self, first: u8) -> Option<Value<'a>> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut decimal = Decimal::UNREAD;
        if first == b'"' {
            self.at = string_end(bytes, start)?;
        } else if first.is_ascii_digit() {
            match Decimal::read(bytes, start, first) {
                Some((end, read)) => (self.at, decimal) = (end, read),
                None => self.at = number_end(bytes, start, first)?,
            }
        } else {
            *self = self.behind(first, 1)?;
        }
        Some(Value { text: self.text.get(start..self.at)?, decimal })
    }

    /// Reads the members of the object that begins here.
    #[inline(always)]
    pub(super) fn members_into(&mut self, members: &mut Vec<(Name<'a>, Value<'a>)>) -> Option<()> {
        let mut more = self.enter()?;
        while more {
            let (name, first) = self.name()?;
            members.push((name, self.value(first)?));
            more = self.more()?;
        }
        Some(())
    }

    /// Passes over what stands behind a member; whether another one is next.
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
            *self = self.behind(first, depth)?;
            each(name.text(), self.text.get(start..self.at)?);
            more = self.more()?;
        }
        Some(())
    }

    /// The scanner behind the value that begins here with the byte `first`.
    fn behind(mut self, first: u8, depth: u32) -> Option<Self> {
        let bytes = self.text.as_bytes();
        match first {
            b'"' => self.at = string_end(bytes, self.at)?,
            b'-' | b'0'..=b'9' => self.at = number_end(bytes, self.at, first)?,
            b'{' | b'[' if depth == MAX_DEPTH => return None,
            b'{' => self.members(depth + 1, &mut |_, _| ())?,
            b'[' => return self.behind_list(depth + 1),
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            _ => return None,
        }
        Some(self)
    }

    #[inline(never)]
    fn behind_list(mut self, depth: u32) -> Option<Self> {
        let bytes = self.text.as_bytes();
        self.at += 1;
        let mut first = self.blank()?;
        if first == b']' {
            self.at += 1;
            return Some(self);
        }
        loop {
            match first {
                b'"' => self.at = string_end(bytes, self.at)?,
                b'0'..=b'9' => self.at = number_end(bytes, self.at, first)?,
                _ => self = self.behind(first, depth)?,
            }
            let next = self.blank()?;
            self.at += 1;
            match next {
                b',' => first = self.blank()?,
                b']' => return Some(self),
                _ => return None,
            }
        }
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
    pub(super) bytes: &'a [u8],
    /// Its first eight bytes, or fewer, the first in the lowest. A name with less than eight bytes is told by it alone.
    pub(super) word: u64,
}

impl<'a> Name<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, word: Self::word(bytes) }
    }

    /// The word of a name.
    pub(super) const fn word(name: &[u8]) -> u64 {
        let (mut word, mut at) = (0, if name.len() < 8 { name.len() } else { 8 });
        while at > 0 {
            at -= 1;
            word = word << 8 | name[at] as u64;
        }
        word
    }

    /// The name as text.
    pub(super) fn text(&self) -> &'a str {
        str::from_utf8(self.bytes).unwrap_or_default()
    }
}

/// The value of a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value<'a> {
    /// As it was written.
    pub(super) text: &'a str,
    decimal: Decimal,
}

impl Value<'_> {
    /// The integer that it is, if it is one of few digits, written in the one way that gives the same text back.
    #[inline]
    pub(super) fn integer(&self) -> Option<i64> {
        (self.decimal.places == 0).then_some(self.decimal.digits)
    }

    /// A thousand times the number that it is, if it has few digits, at most three of them behind the point.
    #[inline]
    pub(super) fn thousandfold(&self) -> Option<i64> {
        let left = TENS.get(3_usize.checked_sub(self.decimal.places)?)?;
        self.decimal.digits.checked_mul(*left)
    }
}

/// A number that was read while its end was looked for.
#[derive(Debug, Clone, Copy)]
struct Decimal {
    /// Its digits without the point.
    digits: i64,
    /// How many of them stand behind the point, at most three.
    places: usize,
}

impl Decimal {
    /// No number, or one that is not as simple.
    const UNREAD: Self = Self { digits: 0, places: usize::MAX };

    /// The number that begins at `at` with the digit `first`, and where it ends, if it has at most sixteen digits before the
    /// point and three behind it.
    #[expect(clippy::inline_always, reason = "measured, as for names")]
    #[inline(always)]
    fn read(bytes: &[u8], mut at: usize, first: u8) -> Option<(usize, Self)> {
        let word = eight(bytes, at)?;
        let mut bits = digits_end_in(word).trailing_zeros() & !7;
        let mut digits = digits_in(word, bits);
        let mut next;
        if bits < u64::BITS {
            if first == b'0' && bits > 8 {
                return None;
            }
            at += (bits / 8) as usize;
            [next, ..] = (word >> bits).to_le_bytes();
        } else {
            let word = eight(bytes, at + 8)?;
            bits = digits_end_in(word).trailing_zeros() & !7;
            if bits > 0 {
                digits = digits * TENS[(bits / 8) as usize] + digits_in(word, bits);
            }
            at += 8 + (bits / 8) as usize;
            next = *bytes.get(at)?;
            if first == b'0' {
                return None;
            }
        }
        let mut places = 0;
        if next == b'.' {
            let word = eight(bytes, at + 1)?;
            bits = digits_end_in(word).trailing_zeros() & !7;
            places = (bits / 8) as usize;
            if !(1..=3).contains(&places) {
                return None;
            }
            digits = digits.checked_mul(TENS[places])? + digits_in(word, bits);
            at += 1 + places;
            [next, ..] = (word >> bits).to_le_bytes();
        }
        let ends = matches!(next, b',' | b'\n' | b' ' | b'}' | b']' | b'\r' | b'\t');
        ends.then_some((at, Self { digits, places }))
    }
}

const TENS: [i64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number that the lowest `bits` bits of a word are, a digit in each eight of them, the first in the lowest; at least
/// one.
#[inline]
pub(super) fn digits_in(word: u64, bits: u32) -> i64 {
    let digits = (word ^ (ONES * u64::from(b'0'))) << (u64::BITS - bits);
    // neighbors are joined to numbers of two, four and eight digits
    let pairs = (digits.wrapping_mul(10) + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    i64::try_from((fours.wrapping_mul(10_000) + (fours >> 32)) & 0xFFFF_FFFF).unwrap_or(0)
}

/// Where the string ends whose first quote stands at `at`.
#[expect(clippy::inline_always, reason = "measured, as for names")]
#[inline(always)]
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    while let Some(word) = eight(bytes, at) {
        match string_ends(word) {
            0 => at += 8,
            ends => {
                at += (ends.trailing_zeros() / 8) as usize;
                if bytes.get(at) == Some(&b'"') {
                    return Some(at + 1);
                }
                break;
            }
        }
    }
    escaped_end(bytes, at)
}

/// Where the string ends that goes on at `at`.
#[inline(never)]
fn escaped_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += plain_string(bytes.get(at..)?);
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => match bytes.get(at + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => at += 6,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// Where the number ends that begins at `at` with the byte `first`.
pub(super) fn number_end(bytes: &[u8], at: usize, first: u8) -> Option<usize> {
    let start = at + usize::from(first == b'-');
    let mut at = digits_end(bytes, start);
    if at == start || (at > start + 1 && bytes[start] == b'0') {
        return None;
    }
    if bytes.get(at) == Some(&b'.') {
        let fraction = at + 1;
        at = digits_end(bytes, fraction);
        if at == fraction {
            return None;
        }
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let exponent = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits_end(bytes, exponent);
        if at == exponent {
            return None;
        }
    }
    Some(at)
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
pub(super) fn digits_end_in(word: u64) -> u64 {
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
