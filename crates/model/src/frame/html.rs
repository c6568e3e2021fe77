//! Frames as HTML tables.

use std::fmt::Write as _;

use super::text::{PreviewTexts, is_invisible};
use super::{ColumnInfo, DISPLAY_ROWS, Frame, Zone};
use crate::Result;
use crate::unit::Unit;

/// Numbers are aligned to the right, so that their digits line up. Each cell has its own style:
/// notebooks align cells to the right by default, and remove style sheets.
const NUMBER_STYLE: &str = "text-align:right";

/// All other values are aligned to the left, on one line. Longer texts end in an ellipsis.
const TEXT_STYLE: &str = "text-align:left;white-space:nowrap;max-width:60em;overflow:hidden;text-overflow:ellipsis";

/// Length of a text that may not fit into its cell.
const LONG: usize = 60;

impl Frame {
    /// Returns the first 50 rows as an HTML table. The header has type and unit of each column; a
    /// line below the table has the number of rows, ids that are the same in all rows, and the time
    /// zone. All text is escaped, and texts of more than 500 characters are cut.
    ///
    /// # Errors
    /// The error of the query.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// let names = arrow::array::StringArray::from(vec!["<b>"]);
    /// let html = Frame::from_columns(vec![("name", Unit::Name, std::sync::Arc::new(names))])?.to_html()?;
    /// assert!(html.contains(">&lt;b&gt;</td>") && html.contains("<p>1 row</p>"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_html(&self) -> Result<String> {
        let PreviewTexts { selection, rows, count } = self.preview_texts()?;
        let all = self.columns();
        let columns: Vec<&ColumnInfo> = selection.shown.iter().map(|index| &all[*index]).collect();
        let mut html = self.title().map_or_else(String::new, |title| format!("<p><b>{}</b></p>\n", escape(title)));
        html.push_str("<table class=\"tracelake\">\n<thead><tr>");
        for column in &columns {
            let (name, kind) = (escape(self.label(&column.name)), escape(&type_and_unit(column, self.view.zone)));
            let style = if is_number(column) { NUMBER_STYLE } else { "text-align:left" };
            let _ =
                write!(html, "<th style=\"{style}\">{name}<br><small style=\"font-weight:normal\">{kind}</small></th>");
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            html.push_str("<tr>");
            for (cell, column) in row.iter().zip(&columns) {
                let (style, text) = (if is_number(column) { NUMBER_STYLE } else { TEXT_STYLE }, escape(cell));
                // The page shows the text of the title when the pointer is on the cell.
                let title = if cell.len() > LONG { format!(" title=\"{text}\"") } else { String::new() };
                let _ = write!(html, "<td style=\"{style}\"{title}>{text}</td>");
            }
            html.push_str("</tr>\n");
        }
        let _ = write!(html, "</tbody>\n</table>\n<p>{}</p>\n", escape(&self.summary(DISPLAY_ROWS, count, &selection)));
        Ok(html)
    }
}

fn is_number(column: &ColumnInfo) -> bool {
    column.data_type.is_numeric()
}

/// Type and unit of a column: `bigint, ns`. The unit of a computed column may be unknown.
fn type_and_unit(column: &ColumnInfo, zone: Zone) -> String {
    match column.unit {
        Some(Unit::Time) => format!("time, {}", zone.name()),
        Some(unit) => format!("{}, {unit}", column.sql_type()),
        None => column.sql_type(),
    }
}

/// Escapes text for HTML elements and attributes. Invisible characters that change the text around
/// them are written as escape sequences.
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
            c if c.is_control() || is_invisible(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn names_are_escaped() {
        assert_eq!(escape("<script>\"a\" & 'b'"), "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;");
        assert_eq!(escape("a\nb\u{202e}c\u{1b}\0"), "a\nb\\u{202e}c\\u{1b}\\u{0}");
    }
}
