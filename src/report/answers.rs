//! The questions of a page, each asked once.

use crate::catalog::{self, Query};
use crate::error::Result;
use crate::figure::Drawn;
use crate::frame::Frame;
use crate::session::{Session, Value};

/// A question as it was asked.
pub(super) struct Asked {
    /// Name of the canned query, or of the table that SQL of ours reads.
    pub(super) name: String,
    /// What to type for the same rows; none where rows came with the diagnosis.
    pub(super) call: Option<String>,
    frame: Option<Frame>,
}

/// What was asked for a page.
pub(super) struct Answers<'a> {
    pub(super) session: &'a Session,
    pub(super) asked: Vec<Asked>,
    /// The catalog's queries and the user's own.
    queries: Vec<Query>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        Self { session, asked: Vec::new(), queries: session.queries() }
    }

    /// The query of this name: the user's own wins.
    pub(super) fn query_of(&self, name: &str) -> Option<&Query> {
        let own = self.queries.iter().find(|query| query.name == name || query.sql_name() == name);
        own.or_else(|| catalog::queries().iter().find(|query| query.sql_name() == name))
    }

    /// The answer to a canned query; arguments as in [`Session::query`].
    pub(super) fn ask(&mut self, name: &str, given: &[(&str, Value)]) -> Result<Frame> {
        let call = self.call(name, given);
        self.once(name, call, |session, _| session.query(name, given))
    }

    /// The answer to SQL about a table.
    pub(super) fn sql(&mut self, name: &str, text: String) -> Result<Frame> {
        self.once(name, text, Session::sql)
    }

    /// The answer that is there already, or else is asked for now.
    fn once(&mut self, name: &str, call: String, ask: impl FnOnce(&Session, &str) -> Result<Frame>) -> Result<Frame> {
        let known = self.asked.iter().find(|asked| asked.call.as_ref() == Some(&call));
        if let Some(frame) = known.and_then(|asked| asked.frame.clone()) {
            return Ok(frame);
        }
        let frame = ask(self.session, &call)?;
        self.asked.push(Asked { name: name.to_owned(), call: Some(call), frame: Some(frame.clone()) });
        Ok(frame)
    }

    /// Draws a figure; arguments as in [`Session::figure`].
    pub(super) fn figure(&mut self, name: &str, given: &[(&str, Value)]) -> Result<Drawn> {
        let session = self.session;
        session.figure_over(name, given, &mut |query, given| self.ask(query, given))
    }

    /// Notes a query whose rows somebody else asked for, so that its SQL is shown.
    pub(super) fn note(&mut self, name: &str) {
        if !self.asked.iter().any(|asked| asked.name == name) {
            self.asked.push(Asked { name: name.to_owned(), call: None, frame: None });
        }
    }

    /// The question as SQL; a parameter at its default is left out, so that the same question has the same text.
    fn call(&self, name: &str, given: &[(&str, Value)]) -> String {
        let Some(query) = self.query_of(name) else { return name.to_owned() };
        let (mut arguments, mut filter) = (Vec::new(), String::new());
        for (param, value) in given {
            if *param == "run" {
                let runs = match value {
                    Value::List(runs) => runs.iter().map(Value::to_string).collect::<Vec<_>>().join(", "),
                    run => run.to_string(),
                };
                filter = format!("\nwhere run in ({runs})");
                continue;
            }
            let default =
                query.header.params.iter().find(|known| known.name == *param).and_then(|p| p.default.as_ref());
            if !default.is_some_and(|default| *default == value.to_string() || Value::typed(default) == *value) {
                arguments.push(format!("{param} => {value}"));
            }
        }
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let order = if query.header.order.is_empty() {
            String::new()
        } else {
            format!("\norder by {}", query.header.order.join(", "))
        };
        format!("select * from {}{arguments}{filter}{order}", query.sql_name())
    }
}
