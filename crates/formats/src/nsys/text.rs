//! Texts by their id, found in table `StringIds` when a column that is kept points to them.
//!
//! The table also holds what no column points to, such as environments of processes: that becomes no value and stands in no message.

use std::sync::Arc;

use super::Map;
use super::sqlite::Fault;
use super::store::Store;
use crate::secret;
use crate::table::{Rows, Severity};

/// Bytes of texts that are kept; then it is begun anew.
const MOST: usize = 32 << 20;

/// The texts that were asked for.
#[derive(Debug, Default)]
pub(super) struct Texts {
    known: Map<i64, Arc<str>>,
    bytes: usize,
}

/// A text without secrets.
pub(super) fn clean(text: &str, rows: &mut Rows) -> Arc<str> {
    let clean = secret::mask(text);
    if matches!(clean, std::borrow::Cow::Owned(_)) {
        masked(rows);
    }
    clean.into()
}

/// Reports that a secret was found.
pub(super) fn masked(rows: &mut Rows) {
    rows.problem(Severity::Notice, "masked", None, || "a text that looks like a credential was masked".to_owned());
}

impl Texts {
    /// The text with this id; where there is none, what stands for it.
    pub(super) fn get(&mut self, id: i64, store: &mut Store, rows: &mut Rows) -> Arc<str> {
        if let Some(text) = self.known.get(&id) {
            return Arc::clone(text);
        }
        let text = match store.text(id) {
            Ok(Some(text)) => clean(&text, rows),
            Ok(None) => {
                rows.repair("no_text", None, || {
                    format!("table StringIds has no text {id}; the name is `[string {id}]`")
                });
                format!("[string {id}]").into()
            }
            Err(fault) => {
                rows.repair("no_text", None, || match fault {
                    Fault::Io(error) => format!("text {id} of table StringIds cannot be read: {error}"),
                    Fault::Damaged { page, why } => {
                        format!("text {id} of table StringIds cannot be read: page {page}: {why}")
                    }
                });
                format!("[string {id}]").into()
            }
        };
        if self.bytes > MOST {
            (self.known, self.bytes) = (Map::default(), 0);
        }
        self.bytes += text.len() + 64;
        self.known.insert(id, Arc::clone(&text));
        text
    }
}
