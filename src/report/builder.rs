//! Builds a page: sections of text, tables and figures, each with a link to its SQL.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::ReportPage;
use super::markup::{VARIANT, prose, rows_anchor, sql_link};
use super::method;
use super::queries::PageQueries;
use super::rows::{TableOptions, table};
use crate::catalog::Column;
use crate::error::Result;
use crate::figure::{document, library};
use crate::frame::{Frame, escape};
use crate::session::{Session, Value};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page under construction.
pub(super) struct PageBuilder<'a> {
    pub(super) queries: PageQueries<'a>,
    title: String,
    /// Id and title of each section.
    sections: Vec<(String, &'static str)>,
    /// HTML, with [`VARIANT`] in the place of each of `variants`.
    body: String,
    /// HTML of the page, and that of the compact page: a picture for a figure, nothing for SQL.
    variants: Vec<(String, String)>,
    /// Figures and tables of this section that have no rows, and why.
    missing: Vec<(String, String)>,
    /// True if this section has any content.
    has_content: bool,
    /// Queries with a table on the page.
    shown: BTreeSet<String>,
    /// Columns that tables omit, because they are the same on the whole page.
    pub(super) skipped_columns: &'static [&'static str],
    /// Numbers of the runs that table `fleet.runs` lists.
    pub(super) run_numbers: BTreeMap<String, usize>,
}

impl<'a> PageBuilder<'a> {
    pub(super) fn new(session: &'a Session, title: String) -> Self {
        Self {
            queries: PageQueries::new(session),
            title,
            sections: Vec::new(),
            body: String::new(),
            variants: Vec::new(),
            missing: Vec::new(),
            has_content: false,
            shown: BTreeSet::new(),
            skipped_columns: &[],
            run_numbers: BTreeMap::new(),
        }
    }

    /// Begins a section.
    pub(super) fn section(&mut self, id: &str, title: &'static str) {
        self.end_section();
        self.sections.push((id.to_owned(), title));
        let _ = writeln!(self.body, "<section id=\"{id}\"><h2>{title}</h2>");
    }

    /// Ends the section with a line for each reason why something is not shown.
    fn end_section(&mut self) {
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        for (name, reason) in std::mem::take(&mut self.missing) {
            match reasons.iter_mut().find(|(earlier, _)| *earlier == reason) {
                Some((_, names)) => names.push(name),
                None => reasons.push((reason, vec![name])),
            }
        }
        for (reason, names) in reasons {
            let names = names.join(", ");
            let begin =
                if self.has_content { format!("Not shown ({names}): ") } else { "Nothing to show: ".to_owned() };
            let _ = writeln!(self.body, "<p class=\"none\">{}{}.</p>", begin, prose(&reason));
        }
        if !self.sections.is_empty() {
            self.body.push_str("</section>\n");
        }
        self.has_content = false;
    }

    /// Adds HTML, which must be escaped.
    pub(super) fn html(&mut self, html: &str) {
        self.has_content = true;
        self.body.push_str(html);
    }

    /// Adds a figure. If it is empty, adds the reason to the end of the section.
    pub(super) fn figure(&mut self, name: &str, arguments: &[(&str, Value)]) -> Result<()> {
        let drawn = self.queries.figure(name, arguments)?;
        let figure = crate::figure::figure(name);
        if drawn.is_empty() {
            let mut reason = None;
            for frame in drawn.frames() {
                reason = reason.or(frame.why_empty()?);
            }
            let reason = reason.unwrap_or("the rows have no values to draw").to_owned();
            self.missing.push((name.to_owned(), reason));
            return Ok(());
        }
        let doc = figure.map_or("", |figure| figure.doc);
        let links: Vec<String> =
            figure.into_iter().flat_map(|figure| figure.queries).map(|ask| sql_link(ask.query)).collect();
        let caption = format!("<figcaption>{} {}</figcaption>", escape(doc), links.join(" "));
        self.variants.push((drawn.to_html_part().to_owned(), drawn.to_svg()));
        self.html(&format!("<figure>\n{VARIANT}{caption}</figure>\n"));
        Ok(())
    }

    /// Adds the first rows of a query. If there are none, adds the reason to the end of the section.
    pub(super) fn table(&mut self, query: &str, arguments: &[(&str, Value)], max_rows: usize) -> Result<()> {
        let frame = self.queries.query(query, arguments)?;
        self.rows(query, None, &frame, max_rows, None)
    }

    /// Adds the first rows of a result, under a title or the question of the query. With `only`, adds rows with one of
    /// these values in this column.
    pub(super) fn rows(
        &mut self,
        query: &str,
        title: Option<&str>,
        frame: &Frame,
        max_rows: usize,
        only: Option<(&str, &[&str])>,
    ) -> Result<()> {
        let (question, columns) = match self.queries.find(query) {
            Some(query) => (query.header.summary.clone(), query.header.columns.clone()),
            None => (query.to_owned(), Vec::<Column>::new()),
        };
        let is_first = self.shown.insert(query.to_owned());
        let options = TableOptions {
            max_rows,
            only,
            skipped_columns: self.skipped_columns,
            columns: &columns,
            run_numbers: &self.run_numbers,
            lists_runs: query == "fleet.runs",
        };
        let Some(table) = table(frame, &options)? else {
            if is_first {
                let _ = write!(self.body, "<a id=\"{}\"></a>", rows_anchor(query));
            }
            let reason = frame.why_empty()?.filter(|_| only.is_none()).unwrap_or("there are no rows").to_owned();
            self.missing.push((query.to_owned(), reason));
            return Ok(());
        };
        let id = if is_first { format!(" id=\"{}\"", rows_anchor(query)) } else { String::new() };
        let html = format!(
            "<div class=\"answer\"{id}><h3>{}</h3><p class=\"meta\">{} {}</p>\n{}</div>\n",
            escape(title.unwrap_or(&question)),
            table.count,
            sql_link(query),
            table.html
        );
        self.html(&html);
        Ok(())
    }

    /// Returns true if the page has a table of a query.
    pub(super) fn shows(&self, query: &str) -> bool {
        self.shown.contains(query)
    }

    /// Adds the last section, and returns the page.
    pub(super) fn finish(mut self) -> ReportPage {
        self.section("method", "How it was computed");
        let html = method::html(&self.queries, &mut self.variants);
        self.html(&html);
        self.end_section();
        let links = self.sections.iter().map(|(id, title)| format!("<a href=\"#{id}\">{title}</a>"));
        let header = format!(
            "<header><h1 dir=\"auto\">{}</h1><nav>{}</nav></header>\n<main>\n",
            escape(&self.title),
            links.collect::<Vec<_>>().join("\n")
        );
        let page = |library: &str, variants: Vec<&str>| {
            let variants = variants.into_iter().chain([""]);
            let parts = self.body.split(VARIANT).zip(variants).flat_map(|(text, variant)| [text, variant]);
            let body = format!("{header}{}</main>\n<script>{SCRIPT}</script>\n", parts.collect::<String>());
            document(&self.title, STYLE, library, &body)
        };
        let (full, compact) = self.variants.iter().map(|(full, compact)| (full.as_str(), compact.as_str())).unzip();
        ReportPage { html: page(library(), full), compact: page("", compact), title: self.title.clone() }
    }
}
