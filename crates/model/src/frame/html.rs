//! A frame as an HTML table.

use std::fmt::Write as _;

use super::text::is_unruly;
use super::{ColumnInfo, Frame, SHOWN, Zone};
use crate::Result;
use crate::unit::Unit;

/// Numbers stand right, so that their digits stand below each other. Said for every cell: notebooks align to the right what
/// does not say otherwise, and take style sheets away.
const RIGHT: &str = "text-align:right";

/// All else stands left. Lines of the text stay lines, and a long word is broken.
const LEFT: &str = "text-align:left;white-space:pre-wrap;max-width:40em;overflow-wrap:break-word";

impl Frame {
    /// The first 50 rows as an HTML table: the heading has type and unit of each column, below it stands how many rows there are
    /// and by which clock times are. Everything that came from a profile is escaped, and a text of more than 500 letters cut.
    ///
    /// # Errors
    /// Whatever the query meets.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// let names = arrow::array::StringArray::from(vec!["<b>"]);
    /// let html = Frame::of_columns(vec![("name", Unit::Name, std::sync::Arc::new(names))])?.to_html()?;
    /// assert!(html.contains(">&lt;b&gt;</td>") && html.contains("<p>1 row</p>"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_html(&self) -> Result<String> {
        let (rows, all) = self.strings(SHOWN)?;
        let columns = self.columns();
        let mut html = String::from("<table class=\"tracelake\">\n<thead><tr>");
        for column in &columns {
            let (name, kind) = (escape(&column.name), escape(&kind(column, self.zone)));
            let style = if is_number(column) { RIGHT } else { "text-align:left" };
            let _ =
                write!(html, "<th style=\"{style}\">{name}<br><small style=\"font-weight:normal\">{kind}</small></th>");
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            html.push_str("<tr>");
            for (cell, column) in row.iter().zip(&columns) {
                let style = if is_number(column) { RIGHT } else { LEFT };
                let _ = write!(html, "<td style=\"{style}\">{}</td>", escape(cell));
            }
            html.push_str("</tr>\n");
        }
        let _ = write!(html, "</tbody>\n</table>\n<p>{}</p>\n", escape(&self.count(all, SHOWN)));
        Ok(html)
    }
}

fn is_number(column: &ColumnInfo) -> bool {
    column.data_type.is_numeric() && column.unit != Some(Unit::Time)
}

/// `bigint, ns`; a column that ad-hoc SQL computes has no unit.
fn kind(column: &ColumnInfo, zone: Zone) -> String {
    match column.unit {
        Some(Unit::Time) => format!("time, {}", zone.name()),
        Some(unit) => format!("{}, {unit}", column.sql_type()),
        None => column.sql_type(),
    }
}

/// Text that stands for itself in HTML, in elements and in attributes. A character that would do something unseen to the text
/// around it is written as its escape.
#[doc(hidden)]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || is_unruly(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn names_from_strangers_stay_text() {
        assert_eq!(escape("<script>\"a\" & 'b'"), "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;");
        assert_eq!(escape("a\nb\u{202e}c\u{1b}\0"), "a\nb\\u{202e}c\\u{1b}\\u{0}");
    }
}
