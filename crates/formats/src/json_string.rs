//! Writes texts as JSON strings.

use std::fmt::Write as _;

/// Adds `text` as a JSON string.
#[doc(hidden)]
pub fn add_string(out: &mut String, text: &str) {
    out.push('"');
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        out.push_str(text);
    } else {
        for char in text.chars() {
            match char {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                char if char < ' ' => add_unicode_escape(out, char as u32),
                char => out.push(char),
            }
        }
    }
    out.push('"');
}

pub(super) fn add_unicode_escape(out: &mut String, code: u32) {
    // Writing to a String cannot fail.
    let _ = write!(out, "\\u{code:04x}");
}
