//! The queries of a page. Each runs once.

use crate::catalog::{self, Query};
use crate::error::Result;
use crate::figure::DrawnFigure;
use crate::frame::Frame;
use crate::session::{Session, Value};

/// A query of the page, and its result.
pub(super) struct ExecutedQuery {
    /// Name of the canned query, or of the table that the SQL reads.
    pub(super) name: String,
    /// SQL that returns the same rows; None if the diagnosis ran the query.
    pub(super) call: Option<String>,
    frame: Option<Frame>,
}

/// The queries that a page has run.
pub(super) struct PageQueries<'a> {
    pub(super) session: &'a Session,
    pub(super) executed: Vec<ExecutedQuery>,
    /// The queries of the catalog and the user's own.
    queries: Vec<Query>,
}

impl<'a> PageQueries<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        Self { session, executed: Vec::new(), queries: session.queries() }
    }

    /// Returns the definition of a query; the user's own takes precedence.
    pub(super) fn find(&self, name: &str) -> Option<&Query> {
        let own = self.queries.iter().find(|query| query.name == name || query.sql_name() == name);
        own.or_else(|| catalog::queries().iter().find(|query| query.sql_name() == name))
    }

    /// Returns the result of a canned query; arguments as in [`Session::query`].
    pub(super) fn query(&mut self, name: &str, arguments: &[(&str, Value)]) -> Result<Frame> {
        let call = self.call(name, arguments);
        self.run_once(name, call, |session, _| session.query(name, arguments))
    }

    /// Returns the result of SQL on a table.
    pub(super) fn sql(&mut self, name: &str, text: String) -> Result<Frame> {
        self.run_once(name, text, Session::sql)
    }

    /// Returns the result of an earlier identical call, or runs it.
    fn run_once(
        &mut self,
        name: &str,
        call: String,
        run: impl FnOnce(&Session, &str) -> Result<Frame>,
    ) -> Result<Frame> {
        let earlier = self.executed.iter().find(|query| query.call.as_ref() == Some(&call));
        if let Some(frame) = earlier.and_then(|query| query.frame.clone()) {
            return Ok(frame);
        }
        let frame = run(self.session, &call)?;
        self.executed.push(ExecutedQuery { name: name.to_owned(), call: Some(call), frame: Some(frame.clone()) });
        Ok(frame)
    }

    /// Draws a figure; arguments as in [`Session::figure`].
    pub(super) fn figure(&mut self, name: &str, arguments: &[(&str, Value)]) -> Result<DrawnFigure> {
        let session = self.session;
        session.figure_over(name, arguments, &mut |query, arguments| self.query(query, arguments))
    }

    /// Adds a query that the diagnosis ran, so that the page shows its SQL.
    pub(super) fn note(&mut self, name: &str) {
        if !self.executed.iter().any(|query| query.name == name) {
            self.executed.push(ExecutedQuery { name: name.to_owned(), call: None, frame: None });
        }
    }

    /// Returns the SQL of a call. Omits parameters at their defaults, so that equal calls have equal texts.
    fn call(&self, name: &str, arguments: &[(&str, Value)]) -> String {
        let Some(query) = self.find(name) else { return name.to_owned() };
        let (mut params, mut filter) = (Vec::new(), String::new());
        for (param, value) in arguments {
            if *param == "run" {
                let runs = match value {
                    Value::List(runs) => runs.iter().map(Value::to_string).collect::<Vec<_>>().join(", "),
                    run => run.to_string(),
                };
                filter = format!("\nwhere run in ({runs})");
                continue;
            }
            let declared = query.header.params.iter().find(|declared| declared.name == *param);
            let default = declared.and_then(|param| param.default.as_ref());
            if !default.is_some_and(|default| *default == value.to_string() || Value::typed(default) == *value) {
                params.push(format!("{param} => {value}"));
            }
        }
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let order = query.header.order.join(", ");
        let order = if order.is_empty() { order } else { format!("\norder by {order}") };
        format!("select * from {}{params}{filter}{order}", query.sql_name())
    }
}
