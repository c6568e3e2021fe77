//! Baselines: named sets of runs to compare other runs with.

use std::collections::BTreeMap;

use tracelake_engine::provider::current_snapshot;

use super::Session;
use crate::error::{Error, ErrorKind, Result};

impl Session {
    /// Returns the current baselines of the lake: the runs of each name.
    ///
    /// # Errors
    /// Malformed, Denied, Unreachable.
    pub fn baselines(&self) -> Result<BTreeMap<String, Vec<String>>> {
        self.on_lake(|lake| async move { lake.baselines().await })
    }

    /// Sets the runs of a baseline, and creates it if it does not exist. Where calls take names of runs, the name of the
    /// baseline stands for its runs.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument for an invalid name, a name that a run has, and for no runs; Denied, Unreachable,
    /// Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// s.set_baseline("main", &["first_look"])?;
    /// assert_eq!(s.group(&["main"])?, ["first_look"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_baseline(&self, name: &str, runs: &[&str]) -> Result<()> {
        let runs: Vec<String> = runs.iter().map(|run| (*run).to_owned()).collect();
        self.filter(Some(&runs))?;
        let refused = |why: &str| Error::new(ErrorKind::Argument, format!("cannot set baseline `{name}`: {why}"));
        if runs.is_empty() {
            return Err(refused("no run is given"));
        }
        if current_snapshot(&self.inner.snapshot).contains_key(name) {
            return Err(refused("a run has this name"));
        }
        let name = name.to_owned();
        self.on_lake(|lake| async move { lake.put_baseline(&name, &runs).await })
    }
}
