//! Cuts a file that arrives in chunks into lines, which end with a line feed, or all with a carriage return.

use std::borrow::Cow;

use super::line_ends::LineEnds;
use super::position::Position;
use crate::table::Rows;

/// Default maximum length of a line in bytes. A line with a metric has about 120 bytes.
const MAX_LINE: usize = 1 << 20;

/// Cuts chunks into lines. Memory: one line, at most 1 MiB by default.
#[derive(Debug)]
pub(super) struct LineSplitter {
    max: usize,
    ends: LineEnds,
    /// Start of a line that has not ended yet.
    line_start: Vec<u8>,
    /// Where that line starts.
    place: Position,
    /// Number of bytes dropped so far, if the line is too long.
    dropped: Option<u64>,
}

/// One line, without its line feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileLine<'a> {
    /// A line that ended with a line feed.
    Whole(&'a [u8]),
    /// The last line of a file that does not end with a line feed.
    Last(&'a [u8]),
    /// A line longer than the maximum.
    TooLong,
}

impl<'a> FileLine<'a> {
    /// The bytes, and whether they are the last ones of a file that does not end with a line feed. None for a line
    /// that is too long.
    pub(super) fn bytes(self) -> Option<(&'a [u8], bool)> {
        match self {
            Self::Whole(bytes) => Some((bytes, false)),
            Self::Last(bytes) => Some((bytes, true)),
            Self::TooLong => None,
        }
    }
}

/// The text of a line. Reports bytes that are not UTF-8, and replaces them. None if the last line is not UTF-8: a file
/// can end inside a character.
pub(super) fn line_text<'a>(bytes: &'a [u8], is_last: bool, place: Position, rows: &mut Rows) -> Option<Cow<'a, str>> {
    match str::from_utf8(bytes) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) if is_last => None,
        Err(_) => {
            place.repair(rows, "not_utf8", || "bytes that are not UTF-8 were replaced");
            Some(String::from_utf8_lossy(bytes))
        }
    }
}

impl Default for LineSplitter {
    fn default() -> Self {
        Self::with_max_length(MAX_LINE)
    }
}

impl LineSplitter {
    /// Cuts into lines of up to `max` bytes; longer ones are dropped.
    pub(super) fn with_max_length(max: usize) -> Self {
        Self { max, ends: LineEnds::default(), line_start: Vec::new(), place: Position::START, dropped: None }
    }

    /// Takes the next bytes and calls `each` for every line that ends in them.
    pub(super) fn push(&mut self, chunk: &[u8], each: impl FnMut(FileLine<'_>, Position)) {
        let chunk = self.ends.convert(chunk);
        self.cut(&chunk, each);
    }

    fn cut(&mut self, chunk: &[u8], mut each: impl FnMut(FileLine<'_>, Position)) {
        let mut rest = chunk;
        while let Some(end) = find_line_feed(rest) {
            let (line_end, tail) = (&rest[..end], &rest[end + 1..]);
            rest = tail;
            let length = self.line_start.len() + line_end.len();
            if self.dropped.is_some() || length > self.max {
                each(FileLine::TooLong, self.place);
            } else if self.line_start.is_empty() {
                each(FileLine::Whole(line_end), self.place);
            } else {
                self.line_start.extend_from_slice(line_end);
                each(FileLine::Whole(&self.line_start), self.place);
            }
            self.line_start.clear();
            self.place.offset += self.dropped.take().unwrap_or(0) + length as u64 + 1;
            self.place.line += 1;
        }
        let length = self.line_start.len() + rest.len();
        if self.dropped.is_some() || length > self.max {
            *self.dropped.get_or_insert(0) += length as u64;
            self.line_start.clear();
        } else {
            self.line_start.extend_from_slice(rest);
        }
    }

    /// Ends the file: calls `each` for a last line without a line feed.
    pub(super) fn end(&mut self, mut each: impl FnMut(FileLine<'_>, Position)) {
        let rest = self.ends.end();
        self.cut(&rest, &mut each);
        if self.dropped.is_some() {
            each(FileLine::TooLong, self.place);
        } else if !self.line_start.is_empty() {
            each(FileLine::Last(&self.line_start), self.place);
        }
        *self = Self::with_max_length(self.max);
    }
}

fn find_line_feed(bytes: &[u8]) -> Option<usize> {
    // Counts in blocks, without an early exit, so that the compiler uses vector instructions.
    let count = |block: &[u8]| block.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    let skipped = 32 * bytes.chunks_exact(32).take_while(|block| count(block) == 0).count();
    bytes[skipped..].iter().position(|byte| *byte == b'\n').map(|position| skipped + position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &[u8], size: usize) -> Vec<(String, u64, u64)> {
        let mut lines = LineSplitter::default();
        let mut out = Vec::new();
        let mut each = |line: FileLine<'_>, place: Position| {
            let text = match line {
                FileLine::Whole(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                FileLine::Last(bytes) => format!("{}$", String::from_utf8_lossy(bytes)),
                FileLine::TooLong => "too long".to_owned(),
            };
            out.push((text, place.line, place.offset));
        };
        for chunk in text.chunks(size) {
            lines.push(chunk, &mut each);
        }
        lines.end(&mut each);
        out
    }

    #[test]
    fn any_chunking_gives_the_same_lines() {
        let text = "one\n\nthree, which is longer than one block of 32 bytes\nlast".as_bytes();
        let whole = lines_of(text, text.len());
        assert_eq!(whole[1], (String::new(), 2, 4));
        assert_eq!(whole[3], ("last$".to_owned(), 4, 55));
        let with_returns: Vec<u8> = text.iter().map(|byte| if *byte == b'\n' { b'\r' } else { *byte }).collect();
        for size in 1..=text.len() {
            assert_eq!(lines_of(text, size), whole, "{size}");
            assert_eq!(lines_of(&with_returns, size), whole, "{size}");
        }
    }

    #[test]
    fn only_a_line_that_is_too_long_is_dropped() {
        let mut text = vec![b'x'; MAX_LINE + 1];
        text.extend_from_slice(b"\nshort\n");
        for size in [1000, 1 << 19, text.len()] {
            let lines = lines_of(&text, size);
            assert_eq!(lines[0], ("too long".to_owned(), 1, 0));
            assert_eq!(lines[1], ("short".to_owned(), 2, MAX_LINE as u64 + 2));
        }
    }
}
