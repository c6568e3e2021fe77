//! tracelake makes the profiles of training jobs answerable.
//!
//! A *source* gives bytes; a *format* decodes them into rows of a few *tables*; the *lake* keeps rows as Parquet; a
//! *session* reads the lake with DataFusion; the *catalog* names the questions; a *frame* is an answer; a *figure* is a
//! picture of answers. Most of these modules are crates of their own, which this crate re-exports.
//!
//! ```
//! # fn main() -> tracelake::Result<()> {
//! use tracelake::{Open, open_with};
//!
//! // A profile: it is read into a lake once, and the session then sees that run. `open` keeps it.
//! let s = open_with("tests/data/first_look/profiler-output", Open { ephemeral: true, ..Open::default() })?;
//!
//! // A canned question, the same as SQL, and as a picture.
//! let steps = s.step().duration().fetch()?;
//! let same = s.sql("select * from step_duration order by run, mode")?;
//! assert_eq!(steps.to_csv()?, same.to_csv()?);
//! assert_eq!(steps.column::<String>("mode")?, [Some("eval".to_owned()), Some("train".to_owned())]);
//! let figure = s.figure("step_timeline", &[("run", "first_look")])?;
//! assert!(figure.to_html_page().starts_with("<!DOCTYPE html>"));
//! # Ok(())
//! # }
//! ```
//!
//! Every call blocks only the thread that makes it; there is no `async` in the interface. SQL is the stable interface:
//! tables and columns are listed in `help_tables` and `help_columns`, questions in `help_queries`.

pub mod catalog;
pub mod cli;
pub mod diagnosis;
mod export;
mod notebook;
pub mod report;
pub mod session;
mod shortcuts;

#[doc(inline)]
pub use tracelake_figure as figure;
#[doc(inline)]
pub use tracelake_formats as format;
#[doc(inline)]
pub use tracelake_lake::{ingest, lake, source};
#[doc(inline)]
pub use tracelake_model::{error, frame, statistics, table, unit};

pub use diagnosis::{Diagnosis, Finding, Outcome, Tree, Verdict};
pub use error::{Error, ErrorKind, Result};
pub use figure::Drawn;
pub use frame::Frame;
pub use ingest::{Report, Request};
pub use session::{
    Follow, Following, Open, Session, Value, create, open, open_all, open_default, open_default_with, open_with,
};
pub use shortcuts::{compare, diagnose, figure, gate, query, report, sql};
pub use source::Traffic;
pub use tracelake_lake::{OwnProfile, own_profile};
pub use unit::{Type, Unit};

// One copy of each crate whose types stand in the interface, for notebooks and for other libraries.
pub use {arrow, datafusion, plotly};
