//! Named sets of runs that others are held against.

use std::collections::BTreeMap;

use tracelake_engine::provider::current;

use super::Session;
use crate::error::{Error, ErrorKind, Result};

impl Session {
    /// The baselines of the lake by name, each with its runs, as they are now.
    ///
    /// # Errors
    /// Malformed, Denied, Unreachable.
    pub fn baselines(&self) -> Result<BTreeMap<String, Vec<String>>> {
        let lake = self.inner.lake.clone();
        self.inner.engine.run(async move { lake.baselines().await })
    }

    /// Makes these runs the baseline of this name: where runs are named, the name then stands for them. A baseline that is there
    /// moves at once.
    ///
    /// # Errors
    /// NotFound for a run that is not there; Argument for a name that cannot be one or that a run has, and for no runs; Denied,
    /// Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
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
        if current(&self.inner.snapshot).contains_key(name) {
            return Err(refused("a run has this name"));
        }
        let (lake, name) = (self.inner.lake.clone(), name.to_owned());
        self.inner.engine.run(async move { lake.put_baseline(&name, &runs).await })
    }
}
