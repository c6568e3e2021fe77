//! A frame as a table of the page: its headings sort it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::cells::{Cell, cells};
use crate::catalog::Column;
use crate::error::Result;
use crate::frame::{Frame, escape};

/// Rows that are looked at where only some are shown.
const READ: usize = 10_000;

/// How a frame is shown.
#[derive(Default)]
pub(super) struct How<'a> {
    /// At most so many rows.
    pub(super) rows: usize,
    /// Only rows with one of these words in this column.
    pub(super) only: Option<(&'a str, &'a [&'a str])>,
    /// Columns that are left out, since they are the same all over the page.
    pub(super) without: &'a [&'a str],
    /// What the columns mean.
    pub(super) columns: &'a [Column],
    /// Number of each run that has a place on the page, to lead to.
    pub(super) runs: Option<&'a BTreeMap<String, usize>>,
    /// Whether this table is that place.
    pub(super) home: bool,
}

/// A table that was written.
pub(super) struct Written {
    pub(super) html: String,
    /// `20 rows`, or how many of them are shown.
    pub(super) count: String,
}

/// The rows as a table; none if there are none. Columns without any value are left out.
pub(super) fn table(frame: &Frame, how: &How<'_>) -> Result<Option<Written>> {
    let (first, all) = frame.first(if how.only.is_some() { READ } else { how.rows })?;
    let mut rows: Vec<usize> = (0..first.rows()?).collect();
    let mut all = all;
    if let Some((column, words)) = how.only {
        let found = first.column::<String>(column)?;
        rows.retain(|row| found[*row].as_deref().is_some_and(|word| words.contains(&word)));
        all = rows.len();
        rows.truncate(how.rows);
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let infos = first.columns();
    let units =
        if infos.iter().any(|column| column.name == "unit") { first.column::<String>("unit")? } else { Vec::new() };
    let mut columns: Vec<(&str, Vec<Option<Cell>>)> = Vec::new();
    for info in infos.iter().filter(|info| !how.without.contains(&info.name.as_str())) {
        let cells = cells(&first, info, &units)?;
        if rows.iter().any(|row| cells[*row].is_some()) {
            columns.push((&info.name, cells));
        }
    }
    let mut html = String::from("<div class=\"wide\"><table class=\"sort\">\n<thead><tr>");
    for (name, cells) in &columns {
        let doc = how.columns.iter().find(|column| column.name == *name).map_or("", |column| column.doc.as_str());
        let class = if cells.iter().flatten().any(|cell| cell.order.is_some()) { " class=\"n\"" } else { "" };
        let (name, doc) = (escape(name), escape(doc));
        let _ = write!(html, "<th scope=\"col\"{class} title=\"{doc}\"><button type=\"button\">{name}</button></th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &rows {
        let run = columns.iter().find(|(name, _)| *name == "run").and_then(|(_, cells)| cells[*row].as_ref());
        let number = run.and_then(|run| how.runs?.get(&run.text));
        match number.filter(|_| how.home) {
            Some(number) => {
                let _ = write!(html, "<tr id=\"run-{number}\">");
            }
            None => html.push_str("<tr>"),
        }
        for (name, cells) in &columns {
            let Some(Cell { text, order }) = &cells[*row] else {
                html.push_str("<td></td>");
                continue;
            };
            let inner = escape(text);
            let link = number.filter(|_| *name == "run" && !how.home);
            let _ = match (order, link) {
                (Some(order), _) => write!(html, "<td class=\"n\" data-v=\"{order}\">{inner}</td>"),
                (None, Some(number)) => write!(html, "<td><a href=\"#run-{number}\">{inner}</a></td>"),
                (None, None) if text.len() > 80 => write!(html, "<td><div class=\"long\">{inner}</div></td>"),
                (None, None) => write!(html, "<td>{inner}</td>"),
            };
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    let count = match (rows.len(), all) {
        (1, 1) => "1 row".to_owned(),
        (shown, all) if shown < all => format!("{shown} of {all} rows shown"),
        (shown, _) => format!("{shown} rows"),
    };
    Ok(Some(Written { html, count }))
}
