//! Calls of canned queries by name, and the methods generated from `sql/**`.

use std::collections::BTreeMap;

use super::{Session, Value};
use crate::error::Result;
use crate::frame::Frame;

/// A call of a canned query: builds its arguments, and runs it.
#[derive(Debug, Clone)]
pub struct QueryCall<'a> {
    session: &'a Session,
    name: &'static str,
    runs: Option<Vec<String>>,
    values: BTreeMap<String, Value>,
}

impl<'a> QueryCall<'a> {
    pub(crate) fn new(session: &'a Session, name: &'static str) -> Self {
        Self { session, name, runs: None, values: BTreeMap::new() }
    }

    #[must_use]
    pub(crate) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.values.insert(name.to_owned(), value.into());
        self
    }

    /// Limits the query to this run.
    #[must_use]
    pub fn run(self, run: &str) -> Self {
        self.runs(&[run])
    }

    /// Limits the query to these runs.
    #[must_use]
    pub fn runs(mut self, runs: &[&str]) -> Self {
        self.runs = Some(runs.iter().map(|run| (*run).to_owned()).collect());
        self
    }

    /// Runs the query. Rows come in the order that the query declares.
    ///
    /// # Errors
    /// NotFound for an unknown run. Errors of the execution occur when rows are read.
    pub fn fetch(self) -> Result<Frame> {
        self.session.query_runs(self.name, self.runs.as_deref(), &self.values)
    }
}

include!(concat!(env!("OUT_DIR"), "/families.rs"));
