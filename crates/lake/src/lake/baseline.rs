//! Named sets of runs that others are held against: `<lake>/_baseline/<name>.json`, a list of names.
//!
//! One file is one put, so that a reader sees the old set or the new one. It is no property of the runs: a set moves at once,
//! however many runs are in it.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::Lake;
use crate::error::{Error, ErrorKind, Result};
use crate::source::{Action, store_error};

/// The folder below the lake.
const FOLDER: &str = "_baseline";

/// Refuses names that are no name of a file, or that could be taken for something else where runs are named.
fn check(name: &str) -> Result<()> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !name.is_empty() && name.len() <= 100 && name.chars().all(fits) && !name.starts_with('.') {
        return Ok(());
    }
    let text =
        format!("cannot use `{name}` as the name of a baseline: expected up to 100 letters, digits, `-`, `_` and `.`");
    Err(Error::new(ErrorKind::Argument, text))
}

impl Lake {
    /// The baselines by name, each with its runs.
    ///
    /// # Errors
    /// Malformed for a file that is no list of names; Denied, Unreachable.
    pub async fn baselines(&self) -> Result<BTreeMap<String, Vec<String>>> {
        let mut found = BTreeMap::new();
        for object in self.place().join(FOLDER).list_if_any().await? {
            let Some(name) = object.path.strip_suffix(".json") else { continue };
            let runs = serde_json::from_slice(&self.bytes(&object.location).await?).map_err(|error| {
                let file = self.place().url_of(&object.location);
                Error::new(ErrorKind::Malformed, format!("cannot read {file}: it is not a list of runs"))
                    .with_source(error)
            })?;
            found.insert(name.to_owned(), runs);
        }
        Ok(found)
    }

    /// Makes these runs the baseline of this name, whatever it was before.
    ///
    /// # Errors
    /// Argument for a name that cannot be one; Denied, Unreachable, Exhausted.
    pub async fn put_baseline(&self, name: &str, runs: &[String]) -> Result<()> {
        check(name)?;
        let text = serde_json::to_vec(runs)
            .map_err(|error| Error::new(ErrorKind::Internal, "cannot write a baseline").with_source(error))?;
        let location = self.place().at(&format!("{FOLDER}/{name}.json"));
        let put = self.place().put(&location, Bytes::from(text), false).await;
        put.map_err(|error| store_error(Action::Write, &self.place().url_of(&location), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_of_files() {
        for name in ["main", "release-1.2", "a_b"] {
            assert!(check(name).is_ok(), "{name}");
        }
        for name in ["", "a/b", "..", "a=b", "job-*", ".hidden", "a b", &"x".repeat(101)] {
            assert_eq!(check(name).unwrap_err().kind(), ErrorKind::Argument, "{name}");
        }
    }
}
