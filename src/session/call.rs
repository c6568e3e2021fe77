//! Calls of canned queries by name, and the methods generated from `sql/**`.

use std::collections::BTreeMap;

use super::{Runs, Session, Value};
use crate::error::Result;
use crate::frame::Frame;

/// A call of a canned query: builds its arguments, and runs it.
#[derive(Debug, Clone)]
pub struct QueryCall<'a> {
    session: &'a Session,
    name: &'static str,
    runs: Runs,
    values: BTreeMap<String, Value>,
}

impl<'a> QueryCall<'a> {
    pub(crate) fn new(session: &'a Session, name: &'static str) -> Self {
        Self { session, name, runs: Runs::default(), values: BTreeMap::new() }
    }

    #[must_use]
    pub(crate) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.values.insert(name.to_owned(), value.into());
        self
    }

    /// Limits the query to this run, or to these runs.
    #[must_use]
    pub fn run(mut self, runs: impl Into<Runs>) -> Self {
        self.runs = runs.into();
        self
    }

    /// Runs the query. Rows come in the order that the query declares.
    ///
    /// # Errors
    /// NotFound for an unknown run. Errors of the execution occur when rows are read.
    pub fn fetch(self) -> Result<Frame> {
        self.session.query_runs(self.name, self.runs, self.values)
    }
}

include!(concat!(env!("OUT_DIR"), "/families.rs"));
