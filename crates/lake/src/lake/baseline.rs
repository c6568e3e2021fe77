//! Baselines: named sets of runs to compare other runs with, as `<lake>/_baseline/<name>.json`, a
//! list of names.
//!
//! One file is one put, so a reader sees the old set or the new one. A baseline is not a property
//! of its runs: it changes with one put for any number of runs.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::Lake;
use crate::error::{Error, ErrorKind, Result};

/// The folder in the lake.
const FOLDER: &str = "_baseline";

/// Rejects names that are not valid file names, or that mean something else in arguments that name
/// runs.
fn check_name(name: &str) -> Result<()> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !name.is_empty() && name.len() <= 100 && name.chars().all(is_allowed) && !name.starts_with('.') {
        return Ok(());
    }
    let text =
        format!("cannot use `{name}` as the name of a baseline: expected up to 100 letters, digits, `-`, `_` and `.`");
    Err(Error::new(ErrorKind::Argument, text))
}

impl Lake {
    /// Returns the baselines by name, each with its runs.
    ///
    /// # Errors
    /// Malformed for a file that is not a list of names; Denied, Unreachable.
    pub async fn baselines(&self) -> Result<BTreeMap<String, Vec<String>>> {
        let mut baselines = BTreeMap::new();
        for object in self.location.join(FOLDER).list_or_empty().await? {
            let Some(name) = object.path.strip_suffix(".json") else { continue };
            let runs = serde_json::from_slice(&self.read_bytes(&object.location).await?).map_err(|error| {
                let file = self.location.url_of(&object.location);
                Error::new(ErrorKind::Malformed, format!("cannot read {file}: it is not a list of runs"))
                    .with_source(error)
            })?;
            baselines.insert(name.to_owned(), runs);
        }
        Ok(baselines)
    }

    /// Sets the runs of this baseline, and replaces its previous ones.
    ///
    /// # Errors
    /// Argument for an invalid name; Denied, Unreachable, Exhausted.
    pub async fn put_baseline(&self, name: &str, runs: &[String]) -> Result<()> {
        check_name(name)?;
        let text = serde_json::to_vec(runs)
            .map_err(|error| Error::new(ErrorKind::Internal, "cannot write a baseline").with_source(error))?;
        self.put(&self.location.resolve(&format!("{FOLDER}/{name}.json")), Bytes::from(text)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_file_names() {
        for name in ["main", "release-1.2", "a_b"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "a/b", "..", "a=b", "job-*", ".hidden", "a b", &"x".repeat(101)] {
            assert_eq!(check_name(name).unwrap_err().kind(), ErrorKind::Argument, "{name}");
        }
    }
}
