//! Lines of a file that arrives in chunks.

use super::place::Place;

/// The longest line that is kept; a metric line has about 120 bytes.
const MAX_LINE: usize = 1 << 20;

/// Cuts chunks into lines. Memory: one line, of at most a mebibyte unless more was asked for.
#[derive(Debug)]
pub(super) struct Lines {
    max: usize,
    /// Start of a line that has not ended yet.
    carry: Vec<u8>,
    /// Where that line starts.
    place: Place,
    /// The line was too long: how much of it was dropped so far.
    dropped: Option<u64>,
}

/// One line, without its line feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A line that ended with a line feed.
    Whole(&'a [u8]),
    /// The last line, which the file ended without a line feed.
    Last(&'a [u8]),
    /// A line too long to keep.
    TooLong,
}

impl Default for Lines {
    fn default() -> Self {
        Self::up_to(MAX_LINE)
    }
}

impl Lines {
    /// Keeps lines of up to `max` bytes.
    pub(super) fn up_to(max: usize) -> Self {
        Self { max, carry: Vec::new(), place: Place::START, dropped: None }
    }

    /// Takes the next bytes and calls `each` for every line that ends in them.
    pub(super) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(Line<'_>, Place)) {
        let mut rest = chunk;
        while let Some(end) = find_line_feed(rest) {
            let (head, tail) = (&rest[..end], &rest[end + 1..]);
            rest = tail;
            let length = self.carry.len() + head.len();
            if self.dropped.is_some() || length > self.max {
                each(Line::TooLong, self.place);
            } else if self.carry.is_empty() {
                each(Line::Whole(head), self.place);
            } else {
                self.carry.extend_from_slice(head);
                each(Line::Whole(&self.carry), self.place);
            }
            self.carry.clear();
            self.place.offset += self.dropped.take().unwrap_or(0) + length as u64 + 1;
            self.place.line += 1;
        }
        if self.dropped.is_some() || self.carry.len() + rest.len() > self.max {
            let dropped = self.dropped.get_or_insert(0);
            *dropped += (self.carry.len() + rest.len()) as u64;
            self.carry.clear();
        } else {
            self.carry.extend_from_slice(rest);
        }
    }

    /// The file ended.
    pub(super) fn end(&mut self, mut each: impl FnMut(Line<'_>, Place)) {
        if self.dropped.is_some() {
            each(Line::TooLong, self.place);
        } else if !self.carry.is_empty() {
            each(Line::Last(&self.carry), self.place);
        }
        *self = Self::up_to(self.max);
    }
}

fn find_line_feed(bytes: &[u8]) -> Option<usize> {
    // counting in blocks, which has no early exit, is done with vector instructions
    let feeds = |block: &[u8]| block.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    let skipped = 32 * bytes.chunks_exact(32).take_while(|block| feeds(block) == 0).count();
    bytes[skipped..].iter().position(|byte| *byte == b'\n').map(|at| skipped + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &[u8], size: usize) -> Vec<(String, u64, u64)> {
        let mut lines = Lines::default();
        let mut out = Vec::new();
        let mut each = |line: Line<'_>, place: Place| {
            let text = match line {
                Line::Whole(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Line::Last(bytes) => format!("{}$", String::from_utf8_lossy(bytes)),
                Line::TooLong => "too long".to_owned(),
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
        let whole = cut(text, text.len());
        assert_eq!(whole[1], (String::new(), 2, 4));
        assert_eq!(whole[3], ("last$".to_owned(), 4, 55));
        for size in 1..text.len() {
            assert_eq!(cut(text, size), whole, "{size}");
        }
    }

    #[test]
    fn a_line_too_long_is_dropped_and_the_next_one_is_not() {
        let mut text = vec![b'x'; MAX_LINE + 1];
        text.extend_from_slice(b"\nshort\n");
        for size in [1000, 1 << 19, text.len()] {
            let lines = cut(&text, size);
            assert_eq!(lines[0], ("too long".to_owned(), 1, 0));
            assert_eq!(lines[1], ("short".to_owned(), 2, MAX_LINE as u64 + 2));
        }
    }
}
