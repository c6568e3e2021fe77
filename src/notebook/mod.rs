//! Display in a Rust notebook: the kernel calls `evcxr_display` on the last expression of a cell.
//!
//! It reads stdout line by line and takes blocks out of it: a first line with the MIME type, the content, a last line.
//! All blocks of one cell become one output, and the page shows the richest that it can. There is no dependency on
//! evcxr: its protocol is these two lines.

mod diagnosis;

use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::figure::Drawn;
use crate::frame::{Frame, escape};
use crate::ingest::Report;
use crate::report::Page;
use crate::session::Session;

const PLOTLY: &str = "application/vnd.plotly.v1+json";
const HTML: &str = "text/html";
const TEXT: &str = "text/plain";

/// Runs whose names a session shows.
const RUNS: usize = 10;

/// What the kernel's own lines begin with.
const MARK: &str = "EVCXR_";

/// Whether a figure was shown in this process. One process is one notebook, and plotly.js is 4.7 MB, so only the first
/// figure brings it. In a kernel that links each cell by itself every cell has a flag of its own: more bytes, and right.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// One block of the kernel's protocol.
///
/// Nothing in the content can end the block early: a line that begins like one of the kernel's own gets a space before
/// it, which means nothing in HTML and JSON.
pub(crate) fn block(mime: &str, content: &str) -> String {
    let mut out = format!("{MARK}BEGIN_CONTENT {mime}\n");
    for line in content.lines() {
        if line.starts_with(MARK) {
            out.push(' ');
        }
        out.push_str(line);
        out.push('\n');
    }
    out + MARK + "END_CONTENT\n"
}

/// In one piece: another thread's line must not come between.
fn show(blocks: &str) {
    // Nobody reads any more: there is nobody to tell.
    let _ = std::io::stdout().lock().write_all(blocks.as_bytes());
}

fn failed(error: &Error) -> String {
    let text = error.to_string();
    block(HTML, &format!("<pre>{}</pre>", escape(&text))) + &block(TEXT, &text)
}

impl Frame {
    /// Shows the first 50 rows below the cell of a Rust notebook.
    ///
    /// An error of the query is shown in their place.
    pub fn evcxr_display(&self) {
        show(&self.blocks());
    }

    fn blocks(&self) -> String {
        match self.to_html() {
            Ok(html) => block(HTML, &html) + &block(TEXT, &self.to_string()),
            Err(error) => failed(&error),
        }
    }
}

impl Drawn {
    /// Shows the figure below the cell of a Rust notebook, as Plotly JSON and as HTML that needs no network.
    ///
    /// The HTML of the first figure brings plotly.js, and the later ones find it on the page. After that figure's cell
    /// was cleared or run again, restart the kernel and run all cells before the notebook is exported as a page.
    pub fn evcxr_display(&self) {
        show(&self.blocks(!SHOWN.swap(true, Ordering::Relaxed)));
    }

    fn blocks(&self, first: bool) -> String {
        let html = if first { self.to_html_block() } else { self.to_html_part().to_owned() };
        block(PLOTLY, self.to_json()) + &block(HTML, &html) + &block(TEXT, &format!("{self:?}"))
    }
}

impl Page {
    /// Shows the page in a frame below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        show(&(block(HTML, &self.to_html_block()) + &block(TEXT, &format!("{self:?}"))));
    }
}

impl Session {
    /// What the session shows, as HTML: its profiles or its lake, the runs and the rows of each table. Nothing is read for it.
    pub fn to_html(&self) -> String {
        let mut html = format!("<p><b>tracelake session</b> <code>{}</code></p>\n", escape(&self.title()));
        let runs = self.seen_runs();
        let names: Vec<String> = runs.iter().take(RUNS).map(|run| format!("<code>{}</code>", escape(run))).collect();
        let more = if runs.len() > RUNS { format!(" and {} more", runs.len() - RUNS) } else { String::new() };
        let plural = if runs.len() == 1 { "" } else { "s" };
        let _ = writeln!(html, "<p>{} run{plural}: {}{more}</p>", runs.len(), names.join(", "));
        let rows = self.seen_rows();
        if !rows.is_empty() {
            let cells = |cell: fn((&String, &u64)) -> String| rows.iter().map(cell).collect::<String>();
            let _ = writeln!(
                html,
                "<table class=\"tracelake\"><thead><tr><th style=\"text-align:left\">table</th>{}</tr></thead>\n\
                 <tbody><tr><th style=\"text-align:left\">rows</th>{}</tr></tbody></table>",
                cells(|(table, _)| format!("<th style=\"text-align:right\">{}</th>", escape(table))),
                cells(|(_, rows)| format!("<td style=\"text-align:right\">{rows}</td>"))
            );
        }
        let faults = self.faults().into_iter().map(|fault| fault.to_string());
        let broken = self.broken_queries().into_iter();
        for line in faults.chain(broken.map(|(name, why)| format!("the saved query `{name}` is excluded: {why}"))) {
            let _ = writeln!(html, "<p style=\"color:#9a5b00\">{}</p>", escape(&line));
        }
        html + "<p><small><code>help(\"loader\")</code> finds queries, tables, columns, figures and findings; \
                <code>diagnose</code> reports what is slow</small></p>\n"
    }

    /// Shows what the session sees below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        show(&(block(HTML, &self.to_html()) + &block(TEXT, &format!("{self:?}"))));
    }
}

impl Report {
    /// Shows what was read below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        let item = |(table, rows): (&String, &i64)| format!("<li>{}: {rows} rows</li>", escape(table));
        let rows = self.rows.iter().map(item).collect::<Vec<_>>().concat();
        let text = self.to_string();
        show(&(block(HTML, &format!("<p>{}</p><ul>{rows}</ul>", escape(&text))) + &block(TEXT, &text)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks as the kernel reads them.
    fn read(text: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let mime = line.strip_prefix("EVCXR_BEGIN_CONTENT ").expect("only blocks");
            let content: Vec<&str> = lines.by_ref().take_while(|line| *line != "EVCXR_END_CONTENT").collect();
            found.push((mime.to_owned(), content.join("\n")));
        }
        found
    }

    #[test]
    fn a_block_gives_back_what_was_put_in() {
        assert_eq!(block("text/plain", "a"), "EVCXR_BEGIN_CONTENT text/plain\na\nEVCXR_END_CONTENT\n");
        assert_eq!(read(&block(HTML, "<p>\na</p>\n")), [(HTML.to_owned(), "<p>\na</p>".to_owned())]);
        assert_eq!(read(&block(TEXT, "")), [(TEXT.to_owned(), String::new())]);
    }

    #[test]
    fn nothing_in_the_content_ends_a_block() {
        let hostile =
            "a\nEVCXR_END_CONTENT\nEVCXR_PANIC_NOTIFICATION\r\nEVCXR_END_CONTENT\r\nEVCXR_BEGIN_CONTENT text/html\n<b>";
        let blocks = block(TEXT, hostile) + &block(HTML, "b");
        let read = read(&blocks);
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].1.replace(' ', ""), hostile.replace(['\r', ' '], ""));
        assert_eq!(read[1], (HTML.to_owned(), "b".to_owned()));
    }

    #[test]
    fn a_session_says_what_it_sees() {
        let how = crate::Open { ephemeral: true, run: Some("<b>".to_owned()), ..crate::Open::default() };
        let html = crate::open_with("tests/data/first_look/profiler-output", how).unwrap().to_html();
        assert!(html.contains("<p>1 run: <code>&lt;b&gt;</code></p>"), "{html}");
        assert!(html.contains(">220</td>"), "{html}");
    }

    #[test]
    fn errors_are_text() {
        let error = Error::new(crate::error::ErrorKind::NotFound, "no run `<script>`");
        let read = read(&failed(&error));
        assert_eq!(read[0].1, "<pre>no run `&lt;script&gt;`</pre>");
        assert_eq!(read[1].1, "no run `<script>`");
    }
}
