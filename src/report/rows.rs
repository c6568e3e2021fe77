//! A frame as an HTML table. A click on a heading sorts it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::catalog::Column;
use crate::error::Result;
use crate::frame::{DisplayCell, Frame, escape};

/// Maximum number of rows that are searched for those to show.
const MAX_SEARCHED: usize = 10_000;

/// Options of a table.
pub(super) struct TableOptions<'a> {
    /// Maximum number of rows to show.
    pub(super) max_rows: usize,
    /// Show only rows with one of these values in this column.
    pub(super) only: Option<(&'a str, &'a [&'a str])>,
    /// Columns to omit.
    pub(super) skipped_columns: &'a [&'a str],
    /// Descriptions of the columns.
    pub(super) columns: &'a [Column],
    /// Numbers of the runs that the page lists, for links to them.
    pub(super) run_numbers: &'a BTreeMap<String, usize>,
    /// True if this table is that list.
    pub(super) lists_runs: bool,
}

/// A table as HTML.
pub(super) struct HtmlTable {
    pub(super) html: String,
    /// `20 rows`, or how many of them are shown.
    pub(super) count: String,
}

/// The name and the cells of a column.
type HtmlColumn<'a> = (&'a str, Vec<Option<DisplayCell>>);

/// Returns the table; None without rows. Omits columns without values.
pub(super) fn table(frame: &Frame, options: &TableOptions<'_>) -> Result<Option<HtmlTable>> {
    let (first, mut total) = frame.first(if options.only.is_some() { MAX_SEARCHED } else { options.max_rows })?;
    let mut rows: Vec<usize> = (0..first.len()?).collect();
    if let Some((column, words)) = options.only {
        let values = first.column::<String>(column)?;
        rows.retain(|row| values[*row].as_deref().is_some_and(|value| words.contains(&value)));
        total = rows.len();
        rows.truncate(options.max_rows);
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let infos = first.columns();
    let mut columns: Vec<HtmlColumn<'_>> = Vec::new();
    for (info, cells) in infos.iter().zip(first.display_columns()?) {
        let is_skipped = options.skipped_columns.contains(&info.name.as_str());
        if !is_skipped && rows.iter().any(|row| cells[*row].is_some()) {
            columns.push((&info.name, cells));
        }
    }
    let mut html = String::from("<div class=\"wide\"><table class=\"sort\">\n<thead><tr>");
    for (name, cells) in &columns {
        let doc = options.columns.iter().find(|column| column.name == *name).map_or("", |column| column.doc.as_str());
        let class = if cells.iter().flatten().any(|cell| cell.order.is_some()) { " class=\"n\"" } else { "" };
        let (name, doc) = (escape(frame.label(name)), escape(doc));
        let _ = write!(html, "<th scope=\"col\"{class} title=\"{doc}\"><button type=\"button\">{name}</button></th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &rows {
        write_row(&mut html, &columns, *row, options);
    }
    html.push_str("</tbody></table></div>\n");
    let count = match (rows.len(), total) {
        (1, 1) => "1 row".to_owned(),
        (shown, total) if shown < total => format!("{shown} of {total} rows shown"),
        (shown, _) => format!("{shown} rows"),
    };
    Ok(Some(HtmlTable { html, count }))
}

/// Writes a row. The number of its run is an anchor in the list of runs, else a link to it.
fn write_row(html: &mut String, columns: &[HtmlColumn<'_>], row: usize, options: &TableOptions<'_>) {
    let run = columns.iter().find(|(name, _)| *name == "run").and_then(|(_, cells)| cells[row].as_ref());
    let number = run.and_then(|run| options.run_numbers.get(&run.text));
    let _ = match number.filter(|_| options.lists_runs) {
        Some(number) => write!(html, "<tr id=\"run-{number}\">"),
        None => html.write_str("<tr>"),
    };
    for (name, cells) in columns {
        let Some(DisplayCell { text, order }) = &cells[row] else {
            html.push_str("<td></td>");
            continue;
        };
        let inner = escape(text);
        let link = number.filter(|_| *name == "run" && !options.lists_runs);
        let _ = match (order, link) {
            (Some(order), _) => write!(html, "<td class=\"n\" data-v=\"{order}\">{inner}</td>"),
            (None, Some(number)) => write!(html, "<td><a href=\"#run-{number}\">{inner}</a></td>"),
            (None, None) if text.len() > 80 => write!(html, "<td><div class=\"long\">{inner}</div></td>"),
            (None, None) => write!(html, "<td>{inner}</td>"),
        };
    }
    html.push_str("</tr>\n");
}
