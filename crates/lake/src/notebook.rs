//! Display of ingest reports in a Rust notebook.

use tracelake_model::frame::escape;
use tracelake_model::notebook::{HTML, TEXT, block, show};

use crate::ingest::IngestReport;

impl IngestReport {
    /// Shows the report below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        let item = |(table, rows): (&String, &i64)| format!("<li>{}: {rows} rows</li>", escape(table));
        let rows = self.rows.iter().map(item).collect::<Vec<_>>().concat();
        let text = self.to_string();
        show(&(block(HTML, &format!("<p>{}</p><ul>{rows}</ul>", escape(&text))) + &block(TEXT, &text)));
    }
}
