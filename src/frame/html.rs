//! A frame as an HTML table.

use std::fmt::Write as _;

use super::{Frame, SHOWN};
use crate::Result;

impl Frame {
    /// The first 50 rows as an HTML table. Everything that came from a profile is escaped.
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn to_html(&self) -> Result<String> {
        let (rows, all) = self.strings(SHOWN)?;
        let columns = self.columns();
        let mut html = String::from("<table class=\"tracelake\">\n<thead><tr>");
        for (heading, column) in self.headings().iter().zip(&columns) {
            let unit = column.unit.map_or(String::new(), |unit| format!(" title=\"{unit}\""));
            let _ = write!(html, "<th{unit}>{}</th>", escape(heading));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            html.push_str("<tr>");
            for (cell, column) in row.iter().zip(&columns) {
                let align = if column.data_type.is_numeric() { " style=\"text-align:right\"" } else { "" };
                let _ = write!(html, "<td{align}>{}</td>", escape(cell));
            }
            html.push_str("</tr>\n");
        }
        let _ = write!(html, "</tbody>\n</table>\n<p>{}</p>\n", escape(&self.count(all, SHOWN)));
        Ok(html)
    }
}

/// Text that stands for itself in HTML, in elements and in attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
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
    }
}
