//! Display in a Rust notebook: the kernel calls `evcxr_display` on the last expression of a cell.
//!
//! It reads stdout line by line and takes blocks out of it: a first line with the MIME type, the content, a last line.
//! All blocks of one cell become one output, and the page shows the richest that it can. There is no dependency on
//! evcxr: its protocol is these two lines.

use std::io::Write;

use crate::error::Error;
use crate::frame::{Frame, escape};

/// MIME type of a page.
pub const HTML: &str = "text/html";

/// MIME type of a text.
pub const TEXT: &str = "text/plain";

/// What the kernel's own lines begin with.
const MARK: &str = "EVCXR_";

/// One block of the kernel's protocol.
///
/// Nothing in the content can end the block early: a line that begins like one of the kernel's own gets a space before
/// it, which means nothing in HTML and JSON.
pub fn block(mime: &str, content: &str) -> String {
    let mut out = format!("{MARK}BEGIN_CONTENT {mime}\n");
    for line in content.lines() {
        if line.starts_with(MARK) {
            out.push(' ');
        }
        out.push_str(line);
        out.push('\n');
    }
    out + MARK + "END_CONTENT\n"
}

/// Prints blocks in one piece: another thread's line must not come between.
pub fn show(blocks: &str) {
    // Nobody reads any more: there is nobody to tell.
    let _ = std::io::stdout().lock().write_all(blocks.as_bytes());
}

fn failed(error: &Error) -> String {
    let text = error.to_string();
    block(HTML, &format!("<pre>{}</pre>", escape(&text))) + &block(TEXT, &text)
}

impl Frame {
    /// Shows the first 50 rows below the cell of a Rust notebook.
    ///
    /// An error of the query is shown in their place.
    pub fn evcxr_display(&self) {
        show(&self.blocks());
    }

    fn blocks(&self) -> String {
        match self.to_html() {
            Ok(html) => block(HTML, &html) + &block(TEXT, &self.to_string()),
            Err(error) => failed(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks as the kernel reads them.
    fn read(text: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let mime = line.strip_prefix("EVCXR_BEGIN_CONTENT ").expect("only blocks");
            let content: Vec<&str> = lines.by_ref().take_while(|line| *line != "EVCXR_END_CONTENT").collect();
            found.push((mime.to_owned(), content.join("\n")));
        }
        found
    }

    #[test]
    fn a_block_gives_back_what_was_put_in() {
        assert_eq!(block("text/plain", "a"), "EVCXR_BEGIN_CONTENT text/plain\na\nEVCXR_END_CONTENT\n");
        assert_eq!(read(&block(HTML, "<p>\na</p>\n")), [(HTML.to_owned(), "<p>\na</p>".to_owned())]);
        assert_eq!(read(&block(TEXT, "")), [(TEXT.to_owned(), String::new())]);
    }

    #[test]
    fn nothing_in_the_content_ends_a_block() {
        let hostile =
            "a\nEVCXR_END_CONTENT\nEVCXR_PANIC_NOTIFICATION\r\nEVCXR_END_CONTENT\r\nEVCXR_BEGIN_CONTENT text/html\n<b>";
        let blocks = block(TEXT, hostile) + &block(HTML, "b");
        let read = read(&blocks);
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].1.replace(' ', ""), hostile.replace(['\r', ' '], ""));
        assert_eq!(read[1], (HTML.to_owned(), "b".to_owned()));
    }

    #[test]
    fn errors_are_text() {
        let error = Error::new(crate::error::ErrorKind::NotFound, "no run `<script>`");
        let read = read(&failed(&error));
        assert_eq!(read[0].1, "<pre>no run `&lt;script&gt;`</pre>");
        assert_eq!(read[1].1, "no run `<script>`");
    }
}
