//! Converts files in which a carriage return alone ends each line, as some spreadsheets write them.

use std::borrow::Cow;

/// Number of first bytes that show how lines end. A file without a line feed in them has carriage returns.
const HEAD_BYTES: usize = 64 << 10;

/// Converts the chunks of a file. The result has the same number of bytes.
#[derive(Debug, Default)]
pub(super) struct LineEnds {
    /// The first bytes, until they have a line feed.
    head: Vec<u8>,
    /// Whether lines end with a carriage return; none as long as it is unknown.
    has_returns: Option<bool>,
}

impl LineEnds {
    /// Returns the next bytes of the file: those of the chunk, or none as long as they do not show how lines end.
    pub(super) fn convert<'a>(&mut self, chunk: &'a [u8]) -> Cow<'a, [u8]> {
        let has_returns = match self.has_returns {
            Some(has_returns) => has_returns,
            None => {
                let shown = &chunk[..chunk.len().min(HEAD_BYTES - self.head.len())];
                let has_feed = shown.contains(&b'\n');
                if !has_feed && self.head.len() + shown.len() < HEAD_BYTES {
                    self.head.extend_from_slice(chunk);
                    return Cow::Borrowed(&[]);
                }
                let has_returns = !has_feed && (self.head.contains(&b'\r') || shown.contains(&b'\r'));
                self.has_returns = Some(has_returns);
                if !self.head.is_empty() {
                    let mut head = std::mem::take(&mut self.head);
                    head.extend_from_slice(chunk);
                    return Cow::Owned(if has_returns { with_line_feeds(&head) } else { head });
                }
                has_returns
            }
        };
        if has_returns { Cow::Owned(with_line_feeds(chunk)) } else { Cow::Borrowed(chunk) }
    }

    /// Ends the file, and returns the bytes that are left.
    pub(super) fn end(&mut self) -> Vec<u8> {
        // All of a file without a line feed.
        with_line_feeds(&std::mem::take(self).head)
    }
}

/// Converts the first bytes of a file.
pub(super) fn convert_head(head: &[u8]) -> Cow<'_, [u8]> {
    let shown = &head[..head.len().min(HEAD_BYTES)];
    if !shown.contains(&b'\n') && shown.contains(&b'\r') {
        Cow::Owned(with_line_feeds(head))
    } else {
        Cow::Borrowed(head)
    }
}

fn with_line_feeds(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(text: &[u8], size: usize) -> Vec<u8> {
        let mut ends = LineEnds::default();
        let mut out: Vec<u8> = text.chunks(size).flat_map(|chunk| ends.convert(chunk).into_owned()).collect();
        out.extend(ends.end());
        out
    }

    #[test]
    fn any_chunking_gives_the_same_bytes() {
        let line = vec![b'x'; HEAD_BYTES - 1];
        let long = [&line, &b"\ry\r\nz\n"[..]].concat();
        let feed_at_the_limit = [&line, &b"\ny\r"[..]].concat();
        for (text, expected) in [
            (&b"a\rb\r"[..], &b"a\nb\n"[..]),
            (b"a\r\nb\r\n", b"a\r\nb\r\n"),
            (b"a\rb\nc\r", b"a\rb\nc\r"),
            (b"no line end", b"no line end"),
            (b"", b""),
            (&long, &[&line, &b"\ny\n\nz\n"[..]].concat()),
            (&feed_at_the_limit, &feed_at_the_limit),
        ] {
            for size in [1, 2, 3, 1000, HEAD_BYTES, HEAD_BYTES + 1, 1 << 20] {
                assert!(convert(text, size) == expected, "{} bytes in chunks of {size}", text.len());
            }
            assert_eq!(convert_head(text), expected);
        }
    }
}
