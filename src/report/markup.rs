//! Sentences, links and anchors of a page as HTML.

use crate::frame::escape;

/// Stands for HTML that the compact page has in another form. Escaped text has no such character.
pub(super) const VARIANT: char = '\0';

/// Returns the anchor of the rows of a query.
pub(super) fn rows_anchor(query: &str) -> String {
    format!("rows-{}", anchor_name(query))
}

/// Returns the anchor of the SQL of a query.
pub(super) fn sql_anchor(query: &str) -> String {
    format!("sql-{}", anchor_name(query))
}

/// Returns a link to the SQL of a query.
pub(super) fn sql_link(query: &str) -> String {
    format!("<a class=\"sql\" href=\"#{}\">{}</a>", sql_anchor(query), escape(query))
}

/// Replaces all characters except ASCII letters and digits.
fn anchor_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Returns a sentence as HTML, with text between backticks as code.
pub(super) fn prose(text: &str) -> String {
    let escaped = escape(text);
    let parts: Vec<&str> = escaped.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped;
    }
    let part = |(n, part): (usize, &&str)| if n % 2 == 1 { format!("<code>{part}</code>") } else { (*part).to_owned() };
    parts.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_have_code_and_are_escaped() {
        assert_eq!(prose("use `x<y>` & more"), "use <code>x&lt;y&gt;</code> &amp; more");
        assert_eq!(prose("a ` alone"), "a ` alone");
        assert_eq!(sql_link("step.duration"), "<a class=\"sql\" href=\"#sql-step_duration\">step.duration</a>");
        assert_eq!(rows_anchor("a\"><b.c"), "rows-a___b_c");
    }
}
