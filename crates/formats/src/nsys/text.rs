//! Texts of table `StringIds`, looked up by the ids in columns that tracelake reads.
//!
//! The table also has texts that no such column refers to, such as environments of processes. These never
//! become values or appear in messages.

use std::sync::Arc;

use super::IdMap;
use super::sqlite::PageError;
use super::store::Store;
use crate::secret;
use crate::table::{Rows, Severity};

/// Limit of the cache in bytes; a full cache is cleared.
const MAX_BYTES: usize = 32 << 20;

/// A cache of texts by id.
#[derive(Debug, Default)]
pub(super) struct TextCache {
    texts: IdMap<i64, Arc<str>>,
    bytes: usize,
}

/// The text with credentials masked; reports if there were any, and if bytes that are not UTF-8 were replaced.
pub(super) fn mask_text(text: &str, rows: &mut Rows) -> Arc<str> {
    if text.contains(char::REPLACEMENT_CHARACTER) {
        let text = "a text has the character U+FFFD, which replaces bytes that are not UTF-8";
        rows.repair("not_utf8", None, || text.to_owned());
    }
    let masked = secret::mask(text);
    if matches!(masked, std::borrow::Cow::Owned(_)) {
        report_masked(rows);
    }
    masked.into()
}

/// Reports that a credential was masked.
pub(super) fn report_masked(rows: &mut Rows) {
    rows.problem(Severity::Notice, "masked", None, || "a text that looks like a credential was masked".to_owned());
}

impl TextCache {
    /// The masked text with this id; a placeholder if it cannot be read.
    pub(super) fn get(&mut self, id: i64, store: &mut Store, rows: &mut Rows) -> Arc<str> {
        if let Some(text) = self.texts.get(&id) {
            return Arc::clone(text);
        }
        let text = match store.text(id) {
            Ok(Some(text)) => mask_text(&text, rows),
            missing => {
                rows.repair("no_text", None, || match missing {
                    Err(PageError::Io(error)) => format!("text {id} of table StringIds cannot be read: {error}"),
                    Err(PageError::Malformed { page, why }) => {
                        format!("text {id} of table StringIds cannot be read: page {page}: {why}")
                    }
                    Ok(_) => format!("table StringIds has no text {id}; the name is `[string {id}]`"),
                });
                format!("[string {id}]").into()
            }
        };
        if self.bytes > MAX_BYTES {
            (self.texts, self.bytes) = (IdMap::default(), 0);
        }
        self.bytes += text.len() + 64;
        self.texts.insert(id, Arc::clone(&text));
        text
    }
}

/// The name of a call without the version of the interface: `cudaLaunchKernel` for `cudaLaunchKernel_v7000`.
pub(super) fn strip_version(name: &str) -> &str {
    let Some((call, version)) = name.rsplit_once("_v") else { return name };
    if version.len() >= 4 && version.bytes().all(|byte| byte.is_ascii_digit()) { call } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interface_versions_are_stripped() {
        for (name, call) in [
            ("cudaLaunchKernel_v7000", "cudaLaunchKernel"),
            ("cudaGraphLaunch_v10000", "cudaGraphLaunch"),
            ("cuMemAlloc_v2", "cuMemAlloc_v2"),
            ("cudaMemcpyAsync_ptsz", "cudaMemcpyAsync_ptsz"),
            ("cudaMemcpyAsync_ptsz_v7000", "cudaMemcpyAsync_ptsz"),
            ("a_v12x4", "a_v12x4"),
        ] {
            assert_eq!(strip_version(name), call);
        }
    }
}
