//! One page about a run, about two sides, or about a lake: answers, figures and findings, written down.
//!
//! A page is one file that needs no network. It asks each question once, whether a table, a figure or a finding wants the answer, and ends
//! with the SQL of all of them, to which everything on it links. The same lake gives the same page.
//!
//! Everything that comes from a profile is text: it goes through `escape`, and what plotly.js gets through `figure::to_json`.

mod answers;
mod cells;
mod comparison;
mod findings;
mod fleet;
mod markup;
mod method;
mod paper;
mod rows;
mod run;

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::frame::escape;
use crate::session::Session;

/// A page about runs; see [`Session::report`].
#[derive(Clone)]
pub struct Page {
    title: String,
    html: String,
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Report({}, {:.1} MB)", self.title, self.html.len() as f64 / 1e6)
    }
}

impl Page {
    /// What the page is about.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The page: HTML that needs no network.
    ///
    /// # Shape
    /// About 5 MB, most of it plotly.js.
    pub fn html(&self) -> &str {
        &self.html
    }

    /// The page as a part of another one, such as a notebook: it keeps its styles, scripts and anchors to itself.
    pub fn to_html_block(&self) -> String {
        format!(
            "<iframe sandbox=\"allow-scripts\" title=\"{}\" style=\"width:100%;height:800px;border:0\" srcdoc=\"{}\"></iframe>",
            escape(&self.title),
            escape(&self.html)
        )
    }
}

impl Session {
    /// A page about one run, a comparison of two sides, or all runs of the lake: as many sides are given. A side is one or more names as
    /// [`Session::group`] takes them; one that stands for several runs is a small fleet. Without a side it is about the run of the
    /// profile that was opened, if one was.
    ///
    /// # Errors
    /// NotFound for a name that stands for no run; Argument for more than two sides.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// let page = s.report(&[&["first_look"]])?;
    /// assert!(page.html().contains("<h1"));
    /// let error = s.report(&[&["first_lock"]]).unwrap_err();
    /// assert_eq!(error.to_string(), "no run or baseline `first_lock`; did you mean `first_look`?");
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn report(&self, sides: &[&[&str]]) -> Result<Page> {
        match sides {
            [] => match self.run() {
                Some(run) => run::page(self, run),
                None => fleet::page(self, None),
            },
            [names] => match self.select(names)?.as_slice() {
                [run] => run::page(self, run),
                runs => fleet::page(self, Some(runs)),
            },
            [a, b] => comparison::page(self, &self.select(a)?, &self.select(b)?),
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
