//! One HTML page about a run, about two sides, or about a lake: tables, figures and findings.
//!
//! A page is one file that needs no network. It runs each query once, and shares the result between tables and figures.
//! Its last section has the SQL of all queries, to which tables, figures and findings link. The same lake gives the same
//! page.
//!
//! All text from a profile is escaped: HTML with `escape`, the data of plotly.js with `figure::to_json`.

mod builder;
mod comparison;
mod findings;
mod fleet;
mod markup;
mod method;
mod queries;
mod rows;
mod run;

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::frame::escape;
use crate::session::{Runs, Session};

/// A page about runs; see [`Session::report`].
#[derive(Clone)]
pub struct ReportPage {
    title: String,
    html: String,
    /// The page with pictures instead of plotly.js.
    compact: String,
}

impl fmt::Debug for ReportPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Report({}, {:.1} MB)", self.title, self.html.len() as f64 / 1e6)
    }
}

impl ReportPage {
    /// Returns the title of the page: its runs or its lake.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the page: HTML that needs no network.
    ///
    /// # Shape
    /// About 5 MB, most of it plotly.js.
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Returns the page as an element of another page, such as a notebook: below 1 MB, with pictures as figures. Its styles,
    /// scripts and anchors are isolated.
    pub fn to_html_block(&self) -> String {
        format!(
            "<iframe sandbox=\"allow-scripts\" title=\"{}\" style=\"width:100%;height:800px;border:0\" srcdoc='{}'></iframe>",
            escape(&self.title),
            // Only what an attribute in single quotes needs: the page has many double quotes.
            self.compact.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&#39;")
        )
    }
}

impl Session {
    /// Writes a page: about one run, about the changes between two sides, or about all runs of the lake. A side is one or
    /// more names as in [`Session::group`]. One side with several runs gives a page about these runs. Without a side the
    /// page is about the run of the opened profile, if there is one, else about all runs.
    ///
    /// # Errors
    /// NotFound for a name that matches no run; Argument for more than two sides.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// let page = s.report(&[["first_look"].into()])?;
    /// assert!(page.html().contains("<h1"));
    /// let error = s.report(&[["first_lock"].into()]).unwrap_err();
    /// assert_eq!(error.to_string(), "no run or baseline `first_lock`; did you mean `first_look`?");
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn report(&self, sides: &[Runs]) -> Result<ReportPage> {
        match sides {
            [] => match self.run() {
                Some(run) => run::page(self, run),
                None => fleet::page(self, None),
            },
            [runs] => match self.select(runs.clone())?.as_slice() {
                [run] => run::page(self, run),
                runs => fleet::page(self, Some(runs)),
            },
            [a, b] => comparison::page(self, &self.select(a.clone())?, &self.select(b.clone())?),
            more => {
                let text = format!(
                    "cannot write a report of {} sides: give one side for a run, two sides for a comparison",
                    more.len()
                );
                Err(Error::new(ErrorKind::Argument, text)
                    .with_hint("give all runs as one side for a report of a fleet"))
            }
        }
    }
}
