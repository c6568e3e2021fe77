//! Display of frames in a Rust notebook: the kernel calls `evcxr_display` on the last expression of
//! a cell.
//!
//! The kernel reads stdout line by line. It extracts blocks: a first line with the MIME type, the
//! content, and a last line. All blocks of one cell become one output, and the page shows the
//! richest type that it supports. tracelake does not depend on evcxr: the protocol is these two
//! lines.

use std::io::Write;

use crate::error::Error;
use crate::frame::{Frame, escape};

/// MIME type of HTML.
pub const HTML: &str = "text/html";

/// MIME type of plain text.
pub const TEXT: &str = "text/plain";

/// Prefix of all protocol lines.
const PREFIX: &str = "EVCXR_";

/// Formats one block of the protocol of the kernel.
///
/// Content cannot end the block early: a line that starts like a protocol line gets a space in
/// front, which has no meaning in HTML and JSON.
pub fn block(mime: &str, content: &str) -> String {
    let mut out = format!("{PREFIX}BEGIN_CONTENT {mime}\n");
    for line in content.lines() {
        if line.starts_with(PREFIX) {
            out.push(' ');
        }
        out.push_str(line);
        out.push('\n');
    }
    out + PREFIX + "END_CONTENT\n"
}

/// Prints blocks with one write, so that lines of other threads cannot come in between.
pub fn show(blocks: &str) {
    // If stdout is closed, the error cannot be shown anywhere.
    let _ = std::io::stdout().lock().write_all(blocks.as_bytes());
}

fn error_blocks(error: &Error) -> String {
    let text = error.to_string();
    block(HTML, &format!("<pre>{}</pre>", escape(&text))) + &block(TEXT, &text)
}

impl Frame {
    /// Shows the first 50 rows below the cell of a Rust notebook.
    ///
    /// Shows the error instead if the query fails.
    pub fn evcxr_display(&self) {
        show(&self.blocks());
    }

    fn blocks(&self) -> String {
        match self.to_html() {
            Ok(html) => block(HTML, &html) + &block(TEXT, &self.to_string()),
            Err(error) => error_blocks(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses blocks as the kernel does.
    fn parse_blocks(text: &str) -> Vec<(String, String)> {
        let mut blocks = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let mime = line.strip_prefix("EVCXR_BEGIN_CONTENT ").expect("only blocks");
            let content: Vec<&str> = lines.by_ref().take_while(|line| *line != "EVCXR_END_CONTENT").collect();
            blocks.push((mime.to_owned(), content.join("\n")));
        }
        blocks
    }

    #[test]
    fn a_block_preserves_its_content() {
        assert_eq!(block("text/plain", "a"), "EVCXR_BEGIN_CONTENT text/plain\na\nEVCXR_END_CONTENT\n");
        assert_eq!(parse_blocks(&block(HTML, "<p>\na</p>\n")), [(HTML.to_owned(), "<p>\na</p>".to_owned())]);
        assert_eq!(parse_blocks(&block(TEXT, "")), [(TEXT.to_owned(), String::new())]);
    }

    #[test]
    fn content_cannot_end_a_block() {
        let hostile =
            "a\nEVCXR_END_CONTENT\nEVCXR_PANIC_NOTIFICATION\r\nEVCXR_END_CONTENT\r\nEVCXR_BEGIN_CONTENT text/html\n<b>";
        let read = parse_blocks(&(block(TEXT, hostile) + &block(HTML, "b")));
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].1.replace(' ', ""), hostile.replace(['\r', ' '], ""));
        assert_eq!(read[1], (HTML.to_owned(), "b".to_owned()));
    }

    #[test]
    fn errors_are_shown_as_escaped_text() {
        let error = Error::new(crate::error::ErrorKind::NotFound, "no run `<script>`");
        let read = parse_blocks(&error_blocks(&error));
        assert_eq!(read[0].1, "<pre>no run `&lt;script&gt;`</pre>");
        assert_eq!(read[1].1, "no run `<script>`");
    }
}
