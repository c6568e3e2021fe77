//! Reads JSON objects as programs write them, in one pass: members borrowed from the text.
//!
//! Input: the text of an object. Output: the names and raw values of its members. This is the innermost
//! loop of an ingest. It looks at eight bytes at a time, and compares names of fewer than eight bytes as one
//! integer. The caller reads what the scanner cannot: see [`Scanner`].

/// Maximum nesting that [`Scanner`] follows.
const MAX_DEPTH: u32 = 32;

/// Reads JSON objects as programs write them, in one pass.
///
/// Everything it accepts is valid JSON, and each member is what `serde_json` would give. It gives up,
/// without a reason, at a name with escapes, at deeply nested values, and at invalid or incomplete JSON.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Position of the next byte.
    pub(super) pos: usize,
    /// Number of line feeds before it.
    pub(super) lines: u64,
}

// The small steps are always inlined. A copy of the scanner then lives in registers, which saved a third of
// the instructions.
#[expect(clippy::inline_always, reason = "measured: half of the time of a step was its call")]
impl<'a> Scanner<'a> {
    /// A scanner that starts at byte `pos` of `text`.
    pub(super) fn new(text: &'a str, pos: usize) -> Self {
        Self { text, pos, lines: 0 }
    }

    /// The bytes from the next one on.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.pos..).unwrap_or_default()
    }

    /// `length` bytes, which start `distance` bytes before the next one.
    #[inline(always)]
    pub(super) fn bytes_before(&self, distance: usize, length: usize) -> Option<&'a [u8]> {
        let start = self.pos.checked_sub(distance)?;
        self.text.as_bytes().get(start..start + length)
    }

    /// The text from byte `start` to the next byte.
    pub(super) fn text_since(&self, start: usize) -> Option<&'a str> {
        self.text.get(start..self.pos)
    }

    /// Skips blanks before a value. Returns the first byte of the value.
    #[inline(always)]
    pub(super) fn value_start(&mut self) -> Option<u8> {
        match *self.text.as_bytes().get(self.pos)? {
            first @ b'!'.. => Some(first),
            _ => self.skip_blanks(),
        }
    }

    /// Skips `bytes` bytes, which include `lines` line feeds.
    #[inline(always)]
    pub(super) fn skip(&mut self, bytes: usize, lines: u64) {
        self.pos += bytes;
        self.lines += lines;
    }

    /// Skips blanks. Returns the byte after them, none at the end.
    #[inline(always)]
    pub(super) fn skip_blanks(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.pos)?;
            if byte > b' ' {
                return Some(byte);
            }
            match byte {
                b'\n' => {
                    self.lines += 1;
                    self.pos += 1;
                    // Usually indentation follows. Its length is the number of low bytes that are spaces.
                    if let Some(word) = load_word(bytes, self.pos) {
                        self.pos += ((word ^ (ONES * u64::from(b' '))).trailing_zeros() / 8) as usize;
                    }
                }
                b' ' | b'\t' | b'\r' => self.pos += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Skips the opening brace of an object. Returns true if a member follows.
    #[inline(always)]
    pub(super) fn enter_object(&mut self) -> Option<bool> {
        if self.text.as_bytes().get(self.pos) != Some(&b'{') {
            return None;
        }
        self.pos += 1;
        let is_empty = self.skip_blanks()? == b'}';
        self.pos += usize::from(is_empty);
        Some(!is_empty)
    }

    /// Reads the name of the next member, up to its value. Also returns the first byte of the value.
    #[inline(always)]
    pub(super) fn read_name(&mut self) -> Option<(MemberName<'a>, u8)> {
        let bytes = self.text.as_bytes();
        if bytes.get(self.pos) != Some(&b'"') {
            return None;
        }
        let start = self.pos + 1;
        let (end, word) = match load_word(bytes, start).map(|word| (word, string_end_bits(word))) {
            Some((word, ends)) if ends != 0 => {
                let bits = ends.trailing_zeros() & !7;
                (start + (bits / 8) as usize, word & ((1 << bits) - 1))
            }
            Some((word, _)) => (start + 8 + plain_length(bytes.get(start + 8..)?), word),
            None => {
                let rest = bytes.get(start..)?;
                let length = plain_length(rest);
                (start + length, MemberName::word(&rest[..length]))
            }
        };
        let first = match bytes.get(end..) {
            Some([b'"', b':', b' ', first @ b'!'..=b'~', ..]) => {
                self.pos = end + 3;
                *first
            }
            Some([b'"', ..]) => {
                self.pos = end + 1;
                if self.skip_blanks()? != b':' {
                    return None;
                }
                self.pos += 1;
                self.skip_blanks()?
            }
            _ => return None,
        };
        Some((MemberName { bytes: &bytes[start..end], word }, first))
    }

    /// Reads the value of a member, which starts with the byte `first`.
    #[inline(always)]
    pub(super) fn read_value(&mut self, first: u8) -> Option<ScannedValue<'a>> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let mut decimal = Decimal::UNREAD;
        if first == b'"' {
            self.pos = string_end(bytes, start)?;
        } else if first.is_ascii_digit() {
            match Decimal::parse(bytes, start, first) {
                Some((end, parsed)) => (self.pos, decimal) = (end, parsed),
                None => self.pos = number_end(bytes, start, first)?,
            }
        } else {
            *self = self.after_value(first, 1)?;
        }
        Some(ScannedValue { text: self.text.get(start..self.pos)?, decimal })
    }

    /// Reads the members of the object that starts here.
    #[inline(always)]
    pub(super) fn read_members(&mut self, members: &mut Vec<(MemberName<'a>, ScannedValue<'a>)>) -> Option<()> {
        let mut more = self.enter_object()?;
        while more {
            let (name, first) = self.read_name()?;
            members.push((name, self.read_value(first)?));
            more = self.end_member()?;
        }
        Some(())
    }

    /// Skips the comma or brace after a member. Returns true if another member follows.
    #[inline(always)]
    pub(super) fn end_member(&mut self) -> Option<bool> {
        let next = self.skip_blanks()?;
        self.pos += 1;
        match next {
            b',' => self.skip_blanks().map(|_| true),
            b'}' => Some(false),
            _ => None,
        }
    }

    /// Calls `each` with the name and the raw text of every member of the object that starts here, at this depth of
    /// nesting. None if it gave up; `each` has then been called for the members before.
    #[inline]
    pub(super) fn read_object(&mut self, depth: u32, each: &mut impl FnMut(&'a str, &'a str)) -> Option<()> {
        let mut more = self.enter_object()?;
        while more {
            let (name, first) = self.read_name()?;
            let start = self.pos;
            *self = self.after_value(first, depth)?;
            each(name.text(), self.text_since(start)?);
            more = self.end_member()?;
        }
        Some(())
    }

    /// The scanner after the value that starts here with the byte `first`.
    fn after_value(mut self, first: u8, depth: u32) -> Option<Self> {
        let bytes = self.text.as_bytes();
        match first {
            b'"' => self.pos = string_end(bytes, self.pos)?,
            b'-' | b'0'..=b'9' => self.pos = number_end(bytes, self.pos, first)?,
            b'{' | b'[' if depth == MAX_DEPTH => return None,
            b'{' => self.read_object(depth + 1, &mut |_, _| ())?,
            b'[' => return self.after_list(depth + 1),
            b't' => self.skip_literal("true")?,
            b'f' => self.skip_literal("false")?,
            b'n' => self.skip_literal("null")?,
            _ => return None,
        }
        Some(self)
    }

    #[inline(never)]
    fn after_list(mut self, depth: u32) -> Option<Self> {
        let bytes = self.text.as_bytes();
        self.pos += 1;
        let mut first = self.skip_blanks()?;
        if first == b']' {
            self.pos += 1;
            return Some(self);
        }
        loop {
            match first {
                b'"' => self.pos = string_end(bytes, self.pos)?,
                b'0'..=b'9' => self.pos = number_end(bytes, self.pos, first)?,
                _ => self = self.after_value(first, depth)?,
            }
            let next = self.skip_blanks()?;
            self.pos += 1;
            match next {
                b',' => first = self.skip_blanks()?,
                b']' => return Some(self),
                _ => return None,
            }
        }
    }

    fn skip_literal(&mut self, word: &str) -> Option<()> {
        self.rest().starts_with(word.as_bytes()).then(|| self.pos += word.len())
    }
}

/// The name of a member, without escapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemberName<'a> {
    pub(super) bytes: &'a [u8],
    /// Up to eight bytes from its start, the first one lowest. The word alone identifies a name of less than
    /// eight bytes.
    pub(super) word: u64,
}

impl<'a> MemberName<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, word: Self::word(bytes) }
    }

    /// The word of a name.
    pub(super) const fn word(name: &[u8]) -> u64 {
        let (mut word, mut i) = (0, if name.len() < 8 { name.len() } else { 8 });
        while i > 0 {
            i -= 1;
            word = word << 8 | name[i] as u64;
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
pub(super) struct ScannedValue<'a> {
    /// The value as written.
    pub(super) text: &'a str,
    decimal: Decimal,
}

impl ScannedValue<'_> {
    /// The value as an integer, if it has few digits and its text is the canonical one of that integer.
    #[inline]
    pub(super) fn integer(&self) -> Option<i64> {
        (self.decimal.places == 0).then_some(self.decimal.digits)
    }

    /// The value times 1000, if it has few digits, at most three of them after the point.
    #[inline]
    pub(super) fn times_thousand(&self) -> Option<i64> {
        let factor = TENS.get(3_usize.checked_sub(self.decimal.places)?)?;
        self.decimal.digits.checked_mul(*factor)
    }
}

/// A number that was parsed while the scanner searched for its end.
#[derive(Debug, Clone, Copy)]
struct Decimal {
    /// Its digits without the point.
    digits: i64,
    /// How many of them follow the point, at most three.
    places: usize,
}

impl Decimal {
    /// Not a number, or not a simple one.
    const UNREAD: Self = Self { digits: 0, places: usize::MAX };

    /// The number that starts at `pos` with the digit `first`, and its end. None if it has more than sixteen
    /// digits before the point or more than three after it.
    #[expect(clippy::inline_always, reason = "measured, as for names")]
    #[inline(always)]
    fn parse(bytes: &[u8], mut pos: usize, first: u8) -> Option<(usize, Self)> {
        let word = load_word(bytes, pos)?;
        let mut bits = digit_bits(word);
        let mut digits = parse_digits(word, bits);
        let mut next;
        if bits < u64::BITS {
            if first == b'0' && bits > 8 {
                return None;
            }
            pos += (bits / 8) as usize;
            [next, ..] = (word >> bits).to_le_bytes();
        } else {
            let word = load_word(bytes, pos + 8)?;
            bits = digit_bits(word);
            if bits > 0 {
                digits = digits * TENS[(bits / 8) as usize] + parse_digits(word, bits);
            }
            pos += 8 + (bits / 8) as usize;
            next = *bytes.get(pos)?;
            if first == b'0' {
                return None;
            }
        }
        let mut places = 0;
        if next == b'.' {
            let word = load_word(bytes, pos + 1)?;
            bits = digit_bits(word);
            places = (bits / 8) as usize;
            if !(1..=3).contains(&places) {
                return None;
            }
            digits = digits.checked_mul(TENS[places])? + parse_digits(word, bits);
            pos += 1 + places;
            [next, ..] = (word >> bits).to_le_bytes();
        }
        let has_ended = matches!(next, b',' | b'\n' | b' ' | b'}' | b']' | b'\r' | b'\t');
        has_ended.then_some((pos, Self { digits, places }))
    }
}

const TENS: [i64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number in the lowest `bits` bits of a word: one digit in each byte, the first one lowest; at least one
/// digit.
#[inline]
pub(super) fn parse_digits(word: u64, bits: u32) -> i64 {
    let digits = (word ^ (ONES * u64::from(b'0'))) << (u64::BITS - bits);
    // Joins neighbors to numbers of two, four and eight digits.
    let pairs = (digits.wrapping_mul(10) + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    i64::try_from((fours.wrapping_mul(10_000) + (fours >> 32)) & 0xFFFF_FFFF).unwrap_or(0)
}

/// End of the string with its opening quote at `start`.
#[expect(clippy::inline_always, reason = "measured, as for names")]
#[inline(always)]
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut pos = start + 1;
    while let Some(word) = load_word(bytes, pos) {
        match string_end_bits(word) {
            0 => pos += 8,
            ends => {
                pos += (ends.trailing_zeros() / 8) as usize;
                if bytes.get(pos) == Some(&b'"') {
                    return Some(pos + 1);
                }
                break;
            }
        }
    }
    escaped_string_end(bytes, pos)
}

/// End of the string that continues at `pos`.
#[inline(never)]
fn escaped_string_end(bytes: &[u8], mut pos: usize) -> Option<usize> {
    loop {
        pos += plain_length(bytes.get(pos..)?);
        match bytes.get(pos)? {
            b'"' => return Some(pos + 1),
            b'\\' => match bytes.get(pos + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => pos += 2,
                b'u' if bytes.get(pos + 2..pos + 6)?.iter().all(u8::is_ascii_hexdigit) => pos += 6,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// End of the number that starts at `pos` with the byte `first`.
pub(super) fn number_end(bytes: &[u8], pos: usize, first: u8) -> Option<usize> {
    let start = pos + usize::from(first == b'-');
    // None if there is no digit.
    let end_of_digits = |start| Some(digits_end(bytes, start)).filter(|end| *end > start);
    let mut pos = end_of_digits(start)?;
    if pos > start + 1 && bytes[start] == b'0' {
        return None;
    }
    if bytes.get(pos) == Some(&b'.') {
        pos = end_of_digits(pos + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(pos) {
        pos = end_of_digits(pos + 1 + usize::from(matches!(bytes.get(pos + 1), Some(b'+' | b'-'))))?;
    }
    Some(pos)
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes from `pos` on, the first one lowest. None if there are fewer.
#[inline]
fn load_word(bytes: &[u8], pos: usize) -> Option<u64> {
    bytes.get(pos..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

/// A mask of the bytes that a string cannot have as they are: a quote, a backslash, a control character. Each
/// such byte has its highest bit set. The lowest set bit is exact, because borrows of the subtractions only
/// reach higher bytes.
#[inline]
fn string_end_bits(word: u64) -> u64 {
    let (quote, slash) = (word ^ (ONES * u64::from(b'"')), word ^ (ONES * u64::from(b'\\')));
    let hits = (quote.wrapping_sub(ONES) & !quote)
        | (slash.wrapping_sub(ONES) & !slash)
        | (word.wrapping_sub(ONES * u64::from(b' ')) & !word);
    hits & HIGHS
}

/// Number of bytes at the start that a string can have as they are: up to a quote, a backslash or a control
/// character.
#[inline]
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let mut pos = 0;
    while let Some(word) = load_word(bytes, pos) {
        match string_end_bits(word) {
            0 => pos += 8,
            ends => return pos + (ends.trailing_zeros() / 8) as usize,
        }
    }
    let rest = bytes[pos..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
    rest.map_or(bytes.len(), |rest| pos + rest)
}

/// Number of bits of the digits that a word starts with: eight for each.
#[inline]
pub(super) fn digit_bits(word: u64) -> u32 {
    let digits = word ^ (ONES * u64::from(b'0'));
    // A byte above 9 has a high half, or gets one when 6 is added. The carry only reaches higher bytes.
    let others = (digits | digits.wrapping_add(ONES * 6)) & (ONES * 0xF0);
    others.trailing_zeros() & !7
}

/// End of the digits that start at `pos`.
#[inline]
fn digits_end(bytes: &[u8], mut pos: usize) -> usize {
    while let Some(word) = load_word(bytes, pos) {
        match digit_bits(word) {
            u64::BITS => pos += 8,
            bits => return pos + (bits / 8) as usize,
        }
    }
    while bytes.get(pos).is_some_and(u8::is_ascii_digit) {
        pos += 1;
    }
    pos
}
