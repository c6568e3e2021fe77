//! Display of sessions, pages and findings in a Rust notebook. Other crates display frames, figures and reports of an
//! ingest.

mod diagnosis;

use std::fmt::Write as _;

use tracelake_model::notebook::{HTML, TEXT, block, show};

use crate::frame::escape;
use crate::report::ReportPage;
use crate::session::Session;

/// Maximum number of run names in the display of a session.
const MAX_RUNS: usize = 10;

impl ReportPage {
    /// Shows the page in a frame below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        show(&(block(HTML, &self.to_html_block()) + &block(TEXT, &format!("{self:?}"))));
    }
}

impl Session {
    /// Returns the session as HTML: its profiles or its lake, the runs, and the number of rows of each table. Reads no rows.
    pub fn to_html(&self) -> String {
        let mut html = format!("<p><b>tracelake session</b> <code>{}</code></p>\n", escape(&self.title()));
        let runs = self.run_names();
        let names: Vec<String> =
            runs.iter().take(MAX_RUNS).map(|run| format!("<code>{}</code>", escape(run))).collect();
        let more = if runs.len() > MAX_RUNS { format!(" and {} more", runs.len() - MAX_RUNS) } else { String::new() };
        let plural = if runs.len() == 1 { "" } else { "s" };
        let _ = writeln!(html, "<p>{} run{plural}: {}{more}</p>", runs.len(), names.join(", "));
        let rows = self.row_counts();
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

    /// Shows the runs and tables of the session below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        show(&(block(HTML, &self.to_html()) + &block(TEXT, &format!("{self:?}"))));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_session_shows_its_runs_and_rows() {
        let how = crate::OpenOptions { ephemeral: true, run: Some("<b>".to_owned()), ..crate::OpenOptions::default() };
        let html = crate::open_with("tests/data/first_look/profiler-output", how).unwrap().to_html();
        assert!(html.contains("<p>1 run: <code>&lt;b&gt;</code></p>"), "{html}");
        assert!(html.contains(">220</td>"), "{html}");
    }
}
