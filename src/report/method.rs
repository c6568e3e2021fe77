//! How a page was computed: versions, and the SQL of every query, with the views that it reads.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::answers::Answers;
use super::markup::{prose, sql, sql_place};
use crate::catalog::{Query, VERSION};
use crate::frame::escape;

/// The section, without its heading.
pub(super) fn written(answers: &Answers<'_>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for asked in &answers.asked {
        if !names.contains(&asked.name.as_str()) {
            names.push(&asked.name);
        }
    }
    let mut html = format!(
        "<p>tracelake {}, catalog {VERSION}. Each line is a query of this page: its question and its SQL. The SQL runs unchanged in \
         <code>tracelake sql</code>, Python, Rust and notebooks. Tables omit columns without values. Numbers are rounded for display \
         and sorted by their exact values. Times are UTC.</p>\n",
        env!("CARGO_PKG_VERSION")
    );
    for name in &names {
        let calls = answers.asked.iter().filter(|asked| asked.name == *name).filter_map(|asked| asked.call.as_deref());
        let calls: Vec<&str> = calls.collect();
        html.push_str(&details(name, answers.query_of(name), &calls, answers));
    }
    let views = views(&names, answers);
    if !views.is_empty() {
        html.push_str("<h3>Views that they read</h3>\n");
    }
    for view in views {
        html.push_str(&details(&view.name, Some(view), &[], answers));
    }
    html
}

fn details(name: &str, query: Option<&Query>, calls: &[&str], answers: &Answers<'_>) -> String {
    let summary = query.map_or("", |query| query.header.summary.as_str());
    let mut html = format!(
        "<details id=\"{}\"><summary><code>{}</code> {}</summary>\n",
        sql_place(name),
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
        let reads: Vec<String> = query
            .header
            .needs
            .iter()
            .map(
                |need| if view(answers, need).is_some() { sql(need) } else { format!("<code>{}</code>", escape(need)) },
            )
            .collect();
        if !reads.is_empty() {
            let _ = writeln!(html, "<p class=\"meta\">reads {}</p>", reads.join(", "));
        }
        let _ = writeln!(html, "<pre>{}</pre>", escape(query.body.trim()));
    }
    html.push_str("</details>\n");
    html
}

/// The view of this name; what a query reads beside views are tables.
fn view<'a>(answers: &'a Answers<'_>, name: &str) -> Option<&'a Query> {
    answers.query_of(name).filter(|query| query.family().is_none())
}

/// Views that the queries read, and those that these read, in this order.
fn views<'a>(names: &[&str], answers: &'a Answers<'_>) -> Vec<&'a Query> {
    let mut open: VecDeque<&Query> = names.iter().filter_map(|name| answers.query_of(name)).collect();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some(query) = open.pop_front() {
        for need in &query.header.needs {
            if let Some(view) = view(answers, need).filter(|view| seen.insert(view.name.as_str())) {
                found.push(view);
                open.push_back(view);
            }
        }
    }
    found
}
