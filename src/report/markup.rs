//! Sentences, links and places of a page as HTML.

use crate::frame::escape;

/// Where the rows of a query stand.
pub(super) fn place(query: &str) -> String {
    format!("rows-{}", harmless(query))
}

/// Where its SQL stands.
pub(super) fn sql_place(query: &str) -> String {
    format!("sql-{}", harmless(query))
}

/// A link to the SQL of a query.
pub(super) fn sql(query: &str) -> String {
    format!("<a class=\"sql\" href=\"#{}\">{}</a>", sql_place(query), escape(query))
}

fn harmless(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// A sentence as HTML: what stands between backticks is code.
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
    fn sentences_have_code_and_no_markup_of_strangers() {
        assert_eq!(prose("use `x<y>` & more"), "use <code>x&lt;y&gt;</code> &amp; more");
        assert_eq!(prose("a ` alone"), "a ` alone");
        assert_eq!(sql("step.duration"), "<a class=\"sql\" href=\"#sql-step_duration\">step.duration</a>");
        assert_eq!(place("a\"><b.c"), "rows-a___b_c");
    }
}
