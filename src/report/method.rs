//! The section of a page about its method: versions, and the SQL of every query, with the views that it reads.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::markup::{VARIANT, prose, sql_anchor, sql_link};
use super::queries::PageQueries;
use crate::catalog::{Query, VERSION};
use crate::frame::escape;

/// Returns the section, without its heading. The compact page has no SQL.
pub(super) fn html(queries: &PageQueries<'_>, variants: &mut Vec<(String, String)>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for query in &queries.executed {
        if !names.contains(&query.name.as_str()) {
            names.push(&query.name);
        }
    }
    let mut html = format!(
        "<p>tracelake {}, catalog {VERSION}. Each line is a query of this page: its question and its SQL. The SQL runs unchanged in \
         <code>tracelake sql</code>, Python, Rust and notebooks. Tables omit columns without values. Numbers are rounded for display \
         and sorted by their exact values. Times are UTC.</p>\n",
        env!("CARGO_PKG_VERSION")
    );
    for name in &names {
        let executed = queries.executed.iter().filter(|query| query.name == *name);
        let calls: Vec<&str> = executed.filter_map(|query| query.call.as_deref()).collect();
        html.push_str(&details(name, queries.find(name), &calls, queries, variants));
    }
    let views = views(&names, queries);
    if !views.is_empty() {
        html.push_str("<h3>Views that they read</h3>\n");
    }
    for view in views {
        html.push_str(&details(&view.name, Some(view), &[], queries, variants));
    }
    html
}

/// Returns the details of a query: its description, its calls on the page, what it reads, and its SQL.
fn details(
    name: &str,
    query: Option<&Query>,
    calls: &[&str],
    queries: &PageQueries<'_>,
    variants: &mut Vec<(String, String)>,
) -> String {
    let summary = query.map_or("", |query| query.header.summary.as_str());
    let mut html = format!(
        "<details id=\"{}\"><summary><code>{}</code> {}</summary>\n",
        sql_anchor(name),
        escape(name),
        prose(summary)
    );
    for call in calls {
        let _ = writeln!(html, "<pre class=\"call\">{}</pre>", escape(call));
    }
    if let Some(query) = query {
        for paragraph in query.header.detail.split("\n\n").filter(|text| !text.is_empty()) {
            let _ = writeln!(html, "<p>{}</p>", prose(paragraph));
        }
        let link = |need: &String| match view(queries, need) {
            Some(_) => sql_link(need),
            None => format!("<code>{}</code>", escape(need)),
        };
        let reads: Vec<String> = query.header.needs.iter().map(link).collect();
        if !reads.is_empty() {
            let _ = writeln!(html, "<p class=\"meta\">reads {}</p>", reads.join(", "));
        }
        let sql = format!("<pre>{}</pre>\n", escape(query.body.trim()));
        variants.push((sql, "<p class=\"meta\">The SQL is on the saved page.</p>\n".to_owned()));
        html.push(VARIANT);
    }
    html.push_str("</details>\n");
    html
}

/// Returns the view of this name; None for a table or a query.
fn view<'a>(queries: &'a PageQueries<'_>, name: &str) -> Option<&'a Query> {
    queries.find(name).filter(|query| query.family().is_none())
}

/// Returns the views that the queries read, directly or through other views, breadth-first.
fn views<'a>(names: &[&str], queries: &'a PageQueries<'_>) -> Vec<&'a Query> {
    let mut queue: VecDeque<&Query> = names.iter().filter_map(|name| queries.find(name)).collect();
    let (mut visited, mut views) = (BTreeSet::new(), Vec::new());
    while let Some(query) = queue.pop_front() {
        for need in &query.header.needs {
            if let Some(view) = view(queries, need).filter(|view| visited.insert(view.name.as_str())) {
                views.push(view);
                queue.push_back(view);
            }
        }
    }
    views
}
