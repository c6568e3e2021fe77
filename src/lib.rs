//! tracelake reads profiles of training jobs into one set of SQL tables.
//!
//! A *source* reads the bytes of files. A *format* decodes them into rows of a few *tables*. The *lake* stores rows as
//! Parquet. A *session* queries the lake with DataFusion. The *catalog* contains the canned queries. A *frame* is the
//! result of a query, a *figure* a picture of results. Most of these modules are separate crates, which this crate
//! re-exports.
//!
//! ```
//! # fn main() -> tracelake::Result<()> {
//! use tracelake::{OpenOptions, open_with};
//!
//! // The session reads the profile into a lake, and then sees that run. `open` also stores it in the default lake.
//! let s = open_with("tests/data/first_look/profiler-output", OpenOptions { ephemeral: true, ..OpenOptions::default() })?;
//!
//! // A canned query, the same query in SQL, and as a figure.
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
//! tables and columns are listed in `help_tables` and `help_columns`, canned queries in `help_queries`.

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
pub(crate) use tracelake_model::amount;
#[doc(inline)]
pub use tracelake_model::{error, frame, statistics, table, unit};

pub use diagnosis::{DecisionTree, Diagnosis, Finding, Outcome, Verdict};
pub use error::{Error, ErrorKind, Result};
pub use figure::DrawnFigure;
pub use frame::Frame;
pub use ingest::{IngestReport, Request};
pub use session::{
    Arguments, CheckDepth, FollowOptions, Follower, Mode, OpenOptions, Runs, Session, Value, create, open, open_all,
    open_default, open_default_with, open_with,
};
pub use shortcuts::{compare, diagnose, figure, gate, query, report, sql};
pub use source::Traffic;
pub use tracelake_lake::{SelfTrace, self_trace};
pub use unit::{Type, Unit};

// Types of these crates are part of the interface. Notebooks and other libraries use the same version of them.
pub use {arrow, datafusion, plotly};
