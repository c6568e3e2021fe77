//! Functions that open the default lake, read profiles given by path, and make one call on a session.
//!
//! Each run is given by its name, or by the path or URL of a profile, see [`Session::resolve`]. Profiles are stored in
//! the default lake, see [`open_default`](crate::open_default); with `ephemeral` in a temporary lake.

use std::collections::BTreeMap;

use crate::diagnosis::{Compare, Diagnosis, Gate, Rules};
use crate::error::Result;
use crate::figure::DrawnFigure;
use crate::frame::Frame;
use crate::report::ReportPage;
use crate::session::{OpenOptions, Session, Value, open_default_with};

/// Opens the default lake. Returns the session, and the runs for each list of names and paths.
fn open_and_resolve<const N: usize>(lists: [&[&str]; N], options: OpenOptions) -> Result<(Session, [Vec<String>; N])> {
    let session = open_default_with(options)?;
    let mut runs = [const { Vec::new() }; N];
    for (list, runs) in lists.into_iter().zip(&mut runs).filter(|(list, _)| !list.is_empty()) {
        *runs = session.resolve(list)?;
    }
    Ok((session, runs))
}

fn as_strs(runs: &[String]) -> Vec<&str> {
    runs.iter().map(String::as_str).collect()
}

/// Returns the diagnosis of these runs or profiles; without any, of all runs of the lake. See [`Session::diagnose`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::diagnose`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let diagnosis = tracelake::diagnose(&["tests/data/first_look"], options)?;
/// assert_eq!(diagnosis.verdicts[0].run, "first_look");
/// # Ok(())
/// # }
/// ```
pub fn diagnose(runs: &[&str], options: OpenOptions) -> Result<Diagnosis> {
    let (session, [runs]) = open_and_resolve([runs], options)?;
    session.diagnose(&as_strs(&runs), "")
}

/// Runs a canned query with default parameters for these runs or profiles; without any, for all runs of the lake. See
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
/// let steps = tracelake::query("step.duration", &["tests/data/first_look"], options)?;
/// assert_eq!(steps.len()?, 2);
/// # Ok(())
/// # }
/// ```
pub fn query(name: &str, runs: &[&str], options: OpenOptions) -> Result<Frame> {
    let (session, [runs]) = open_and_resolve([runs], options)?;
    session.query_runs(name, (!runs.is_empty()).then_some(&runs[..]), &BTreeMap::new())
}

/// Runs SQL over the rows of these runs or profiles; without any, over the whole lake. See [`Session::sql`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::sql`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let count = tracelake::sql("select count(*) as n from step", &["tests/data/first_look"], options)?;
/// assert_eq!(count.value::<i64>(0, "n")?, Some(220));
/// # Ok(())
/// # }
/// ```
pub fn sql(text: &str, runs: &[&str], options: OpenOptions) -> Result<Frame> {
    let (session, [resolved]) = open_and_resolve([runs], options)?;
    if !runs.is_empty() {
        session.limit_to(&as_strs(&resolved))?;
    }
    session.sql(text)
}

/// Draws a figure of these runs or profiles; without any, of all runs of the lake. See [`Session::figure`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::figure`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::OpenOptions;
/// let options = OpenOptions { ephemeral: true, ..OpenOptions::default() };
/// let figure = tracelake::figure("step_timeline", &["tests/data/first_look"], options)?;
/// assert!(figure.to_html_page().starts_with("<!DOCTYPE html>"));
/// # Ok(())
/// # }
/// ```
pub fn figure(name: &str, runs: &[&str], options: OpenOptions) -> Result<DrawnFigure> {
    let (session, [runs]) = open_and_resolve([runs], options)?;
    let run: Vec<(&str, Value)> = if runs.is_empty() { Vec::new() } else { vec![("run", Value::from(runs))] };
    session.figure(name, &run)
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
/// let changes = tracelake::compare(&["tests/data/first_look"], &["tests/data/pytorch_ddp"], options)?;
/// assert!(changes.len()? > 0);
/// # Ok(())
/// # }
/// ```
pub fn compare(a: &[&str], b: &[&str], options: OpenOptions) -> Result<Frame> {
    let (session, [a, b]) = open_and_resolve([a, b], options)?;
    session.compare_with(&as_strs(&a), &as_strs(&b), &Compare::default())
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
/// assert!(tracelake::gate(&[], &["tests/data/first_look"], &rules, options)?.passed());
/// # Ok(())
/// # }
/// ```
pub fn gate(baseline: &[&str], candidate: &[&str], rules: &Rules, options: OpenOptions) -> Result<Gate> {
    let (session, [baseline, candidate]) = open_and_resolve([baseline, candidate], options)?;
    session.gate(&as_strs(&baseline), &as_strs(&candidate), rules)
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
/// let page = tracelake::report(&[&["tests/data/first_look"]], options)?;
/// assert!(page.html().contains("<h1"));
/// # Ok(())
/// # }
/// ```
pub fn report(sides: &[&[&str]], options: OpenOptions) -> Result<ReportPage> {
    let session = open_default_with(options)?;
    let sides = sides.iter().map(|side| session.resolve(side)).collect::<Result<Vec<_>>>()?;
    let sides: Vec<Vec<&str>> = sides.iter().map(|side| as_strs(side)).collect();
    session.report(&sides.iter().map(Vec::as_slice).collect::<Vec<_>>())
}
