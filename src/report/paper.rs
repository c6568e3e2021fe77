//! A page under construction: sections of text, tables and figures, each with the way to its SQL.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Page;
use super::answers::Answers;
use super::markup::{place, prose, sql};
use super::method;
use super::rows::{How, table};
use crate::catalog::Column;
use crate::error::Result;
use crate::figure::document;
use crate::frame::{Frame, escape};
use crate::session::{Session, Value};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Arguments of a question.
pub(super) type Given<'a> = [(&'a str, Value)];

/// The page so far.
pub(super) struct Paper<'a> {
    pub(super) answers: Answers<'a>,
    title: String,
    sections: Vec<(&'static str, &'static str)>,
    body: String,
    /// What could not be shown in this section, and why.
    missing: Vec<(String, String)>,
    /// Whether this section shows something.
    shown: bool,
    /// Queries whose rows have a place on the page.
    places: BTreeSet<String>,
    /// Columns that are the same everywhere.
    pub(super) without: &'static [&'static str],
    /// Numbers of runs that have a place on the page.
    pub(super) runs: BTreeMap<String, usize>,
}

impl<'a> Paper<'a> {
    pub(super) fn new(session: &'a Session, title: String) -> Self {
        Self {
            answers: Answers::new(session),
            title,
            sections: Vec::new(),
            body: String::new(),
            missing: Vec::new(),
            shown: false,
            places: BTreeSet::new(),
            without: &[],
            runs: BTreeMap::new(),
        }
    }

    /// Begins a section.
    pub(super) fn section(&mut self, id: &'static str, title: &'static str) {
        self.end();
        self.sections.push((id, title));
        let _ = writeln!(self.body, "<section id=\"{id}\"><h2>{title}</h2>");
    }

    /// Ends the section: what it does not show is said in a line.
    fn end(&mut self) {
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        for (what, why) in std::mem::take(&mut self.missing) {
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, all)) => all.push(what),
                None => reasons.push((why, vec![what])),
            }
        }
        for (why, what) in reasons {
            let begin =
                if self.shown { format!("Not shown ({}): ", what.join(", ")) } else { "Nothing to show: ".to_owned() };
            let _ = writeln!(self.body, "<p class=\"none\">{}{}.</p>", begin, prose(&why));
        }
        if !self.sections.is_empty() {
            self.body.push_str("</section>\n");
        }
        self.shown = false;
    }

    /// Adds HTML of ours.
    pub(super) fn html(&mut self, html: &str) {
        self.shown = true;
        self.body.push_str(html);
    }

    /// Adds a figure; one with nothing to draw is a line at the end of the section.
    pub(super) fn figure(&mut self, name: &str, given: &Given<'_>) -> Result<()> {
        let drawn = self.answers.figure(name, given)?;
        let known = crate::figure::figure(name);
        if drawn.is_empty() {
            let mut why = None;
            for frame in drawn.frames() {
                why = why.or(frame.why_empty()?);
            }
            let why = why.unwrap_or("the rows have no values to draw").to_owned();
            self.missing.push((name.to_owned(), why));
            return Ok(());
        }
        let doc = known.map_or("", |figure| figure.doc);
        let queries: Vec<String> =
            known.into_iter().flat_map(|figure| figure.queries).map(|ask| sql(ask.query)).collect();
        let caption = format!("<figcaption>{} {}</figcaption>", escape(doc), queries.join(" "));
        self.html(&format!("<figure>\n{}{caption}</figure>\n", drawn.to_html_part()));
        Ok(())
    }

    /// Adds the rows of a query, at most so many; none is a line at the end of the section.
    pub(super) fn table(&mut self, query: &str, given: &Given<'_>, rows: usize) -> Result<()> {
        let frame = self.answers.ask(query, given)?;
        self.rows(query, None, &frame, rows, None)
    }

    /// Adds rows that were asked for, under a title or the question itself.
    pub(super) fn rows(
        &mut self,
        query: &str,
        title: Option<&str>,
        frame: &Frame,
        rows: usize,
        only: Option<(&str, &[&str])>,
    ) -> Result<()> {
        let (question, columns) = match self.answers.query_of(query) {
            Some(query) => (query.header.summary.clone(), query.header.columns.clone()),
            None => (query.to_owned(), Vec::<Column>::new()),
        };
        let new = self.places.insert(query.to_owned());
        let how = How {
            rows,
            only,
            without: self.without,
            columns: &columns,
            runs: Some(&self.runs),
            home: query == "fleet.runs",
        };
        let Some(written) = table(frame, &how)? else {
            if new {
                let _ = write!(self.body, "<a id=\"{}\"></a>", place(query));
            }
            let why = frame.why_empty()?.filter(|_| only.is_none()).unwrap_or("there are no rows").to_owned();
            self.missing.push((query.to_owned(), why));
            return Ok(());
        };
        let id = if new { format!(" id=\"{}\"", place(query)) } else { String::new() };
        let html = format!(
            "<div class=\"answer\"{id}><h3>{}</h3><p class=\"meta\">{} {}</p>\n{}</div>\n",
            escape(title.unwrap_or(&question)),
            written.count,
            sql(query),
            written.html
        );
        self.html(&html);
        Ok(())
    }

    /// Whether the rows of a query have a place on the page already.
    pub(super) fn has(&self, query: &str) -> bool {
        self.places.contains(query)
    }

    /// The whole page.
    pub(super) fn page(mut self) -> Page {
        self.section("method", "How it was computed");
        let html = method::written(&self.answers);
        self.html(&html);
        self.end();
        let links = self.sections.iter().map(|(id, title)| format!("<a href=\"#{id}\">{title}</a>"));
        let body = format!(
            "<header><h1 dir=\"auto\">{}</h1><nav>{}</nav></header>\n<main>\n{}</main>\n<script>{SCRIPT}</script>\n",
            escape(&self.title),
            links.collect::<Vec<_>>().join("\n"),
            self.body
        );
        Page { html: document(&self.title, STYLE, &body), title: self.title }
    }
}
