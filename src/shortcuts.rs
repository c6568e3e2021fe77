//! Functions that open the default lake, read profiles given by path, and make one call on a session.
//!
//! Each run is given by its name, or by the path or URL of a profile, see [`Session::resolve`]. Profiles are stored in
//! the default lake, see [`open_default`](crate::open_default); with `ephemeral` in a temporary lake.

use crate::diagnosis::{Diagnosis, Gate, Rules};
use crate::error::Result;
use crate::figure::DrawnFigure;
use crate::frame::Frame;
use crate::report::ReportPage;
use crate::session::{OpenOptions, Runs, Session, open_default_with};

/// Opens the default lake. Returns the session, and for each argument the runs, which are `()` for `()`.
fn open_and_resolve<const N: usize>(arguments: [Runs; N], options: OpenOptions) -> Result<(Session, [Runs; N])> {
    let session = open_default_with(options)?;
    let mut resolved = [const { Runs::all() }; N];
    for (runs, resolved) in arguments.into_iter().zip(&mut resolved).filter(|(runs, _)| runs.selected().is_some()) {
        *resolved = session.resolve(runs)?.into();
    }
    Ok((session, resolved))
}

/// Returns the diagnosis of these runs or profiles; with `()`, of all runs of the lake. See [`Session::diagnose`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::diagnose`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let diagnosis = tracelake::diagnose("tests/data/first_look", options)?;
/// assert_eq!(diagnosis.verdicts[0].run, "first_look");
/// # Ok(())
/// # }
/// ```
pub fn diagnose(runs: impl Into<Runs>, options: OpenOptions) -> Result<Diagnosis> {
    let (session, [runs]) = open_and_resolve([runs.into()], options)?;
    session.diagnose(runs, "")
}

/// Runs a canned query with default parameters for these runs or profiles; with `()`, for all runs of the lake. See
/// [`Session::query_runs`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::query_runs`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let steps = tracelake::query("step.duration", "tests/data/first_look", options)?;
/// assert_eq!(steps.len()?, 2);
/// # Ok(())
/// # }
/// ```
pub fn query(name: &str, runs: impl Into<Runs>, options: OpenOptions) -> Result<Frame> {
    let (session, [runs]) = open_and_resolve([runs.into()], options)?;
    session.query_runs(name, runs, ())
}

/// Runs SQL over the rows of these runs or profiles; with `()`, over the whole lake. See [`Session::sql`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::sql`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let count = tracelake::sql("select count(*) as n from step", "tests/data/first_look", options)?;
/// assert_eq!(count.value::<i64>(0, "n")?, Some(220));
/// # Ok(())
/// # }
/// ```
pub fn sql(text: &str, runs: impl Into<Runs>, options: OpenOptions) -> Result<Frame> {
    let (session, [runs]) = open_and_resolve([runs.into()], options)?;
    if runs.selected().is_some() {
        session.limit_to(runs)?;
    }
    session.sql(text)
}

/// Draws a figure of these runs or profiles; with `()`, of all runs of the lake. See [`Session::figure`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::figure`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let figure = tracelake::figure("step_timeline", "tests/data/first_look", options)?;
/// assert!(figure.to_html_page().starts_with("<!DOCTYPE html>"));
/// # Ok(())
/// # }
/// ```
pub fn figure(name: &str, runs: impl Into<Runs>, options: OpenOptions) -> Result<DrawnFigure> {
    let (session, [runs]) = open_and_resolve([runs.into()], options)?;
    match runs.selected() {
        Some(runs) => session.figure(name, [("run", runs.to_vec())]),
        None => session.figure(name, ()),
    }
}

/// Compares two runs or profiles, or groups of them. See [`Session::compare`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::compare`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let changes = tracelake::compare("tests/data/first_look", "tests/data/pytorch_ddp", options)?;
/// assert!(changes.len()? > 0);
/// # Ok(())
/// # }
/// ```
pub fn compare(a: impl Into<Runs>, b: impl Into<Runs>, options: OpenOptions) -> Result<Frame> {
    let (session, [a, b]) = open_and_resolve([a.into(), b.into()], options)?;
    session.compare(a, b)
}

/// Checks rules for a candidate, compared with a baseline if a rule needs one. See [`Session::gate`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::gate`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// use tracelake::diagnosis::{Rule, Rules};
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let rules = Rules { rules: vec![Rule::max_loader_ratio(1.0)], ..Rules::default() };
/// assert!(tracelake::gate((), "tests/data/first_look", &rules, options)?.passed());
/// # Ok(())
/// # }
/// ```
pub fn gate(
    baseline: impl Into<Runs>,
    candidate: impl Into<Runs>,
    rules: &Rules,
    options: OpenOptions,
) -> Result<Gate> {
    let (session, [baseline, candidate]) = open_and_resolve([baseline.into(), candidate.into()], options)?;
    session.gate(baseline, candidate, rules)
}

/// Writes a report page. Without a side it is about all runs of the lake, with one side about these runs, with two
/// about the changes from the first to the second. A side is a list of runs or profiles. See [`Session::report`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::report`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let page = tracelake::report(&["tests/data/first_look".into()], options)?;
/// assert!(page.html().contains("<h1"));
/// # Ok(())
/// # }
/// ```
pub fn report(sides: &[Runs], options: OpenOptions) -> Result<ReportPage> {
    let session = open_default_with(options)?;
    let sides = sides.iter().map(|side| session.resolve(side.clone()).map(Runs::from)).collect::<Result<Vec<_>>>()?;
    session.report(&sides)
}
