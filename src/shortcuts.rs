//! Functions that open the default lake, read profiles given by path, and make one call on a session.
//!
//! Wherever they take a run, they take its name, or the path or URL of a profile, see [`Session::resolve`]. Profiles are stored
//! in the default lake, see [`open_default`](crate::open_default); with `ephemeral` nowhere.

use std::collections::BTreeMap;

use crate::diagnosis::{Compare, Diagnosis, Gate, Rules};
use crate::error::Result;
use crate::figure::Drawn;
use crate::frame::Frame;
use crate::report::Page;
use crate::session::{Open, Session, Value, open_default_with};

/// The session, and the runs for each list of names and paths.
fn opened<const N: usize>(lists: [&[&str]; N], how: Open) -> Result<(Session, [Vec<String>; N])> {
    let session = open_default_with(how)?;
    let mut runs = [const { Vec::new() }; N];
    for (list, runs) in lists.into_iter().zip(&mut runs).filter(|(list, _)| !list.is_empty()) {
        *runs = session.resolve(list)?;
    }
    Ok((session, runs))
}

fn borrowed(runs: &[String]) -> Vec<&str> {
    runs.iter().map(String::as_str).collect()
}

/// Returns the diagnosis of these runs or profiles; of all runs of the lake without any. See [`Session::diagnose`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::diagnose`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::Open;
/// let how = Open { ephemeral: true, ..Open::default() };
/// let diagnosis = tracelake::diagnose(&["tests/data/first_look"], how)?;
/// assert_eq!(diagnosis.verdicts[0].run, "first_look");
/// # Ok(())
/// # }
/// ```
pub fn diagnose(runs: &[&str], how: Open) -> Result<Diagnosis> {
    let (session, [runs]) = opened([runs], how)?;
    session.diagnose(&borrowed(&runs), "")
}

/// Runs a canned query with default parameters for these runs or profiles; for all runs of the lake without any. See
/// [`Session::query_runs`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::query_runs`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::Open;
/// let how = Open { ephemeral: true, ..Open::default() };
/// let steps = tracelake::query("step.duration", &["tests/data/first_look"], how)?;
/// assert_eq!(steps.rows()?, 2);
/// # Ok(())
/// # }
/// ```
pub fn query(name: &str, runs: &[&str], how: Open) -> Result<Frame> {
    let (session, [runs]) = opened([runs], how)?;
    session.query_runs(name, (!runs.is_empty()).then_some(&runs[..]), &BTreeMap::new())
}

/// Runs SQL over the rows of these runs or profiles; over all of the lake without any. See [`Session::sql`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::sql`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::Open;
/// let how = Open { ephemeral: true, ..Open::default() };
/// let count = tracelake::sql("select count(*) as n from step", &["tests/data/first_look"], how)?;
/// assert_eq!(count.value::<i64>(0, "n")?, Some(220));
/// # Ok(())
/// # }
/// ```
pub fn sql(text: &str, runs: &[&str], how: Open) -> Result<Frame> {
    let (session, [resolved]) = opened([runs], how)?;
    if !runs.is_empty() {
        session.limit_to(&borrowed(&resolved))?;
    }
    session.sql(text)
}

/// Draws a figure of these runs or profiles; of all runs of the lake without any. See [`Session::figure`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::figure`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::Open;
/// let how = Open { ephemeral: true, ..Open::default() };
/// let figure = tracelake::figure("step_timeline", &["tests/data/first_look"], how)?;
/// assert!(figure.to_html_page().starts_with("<!DOCTYPE html>"));
/// # Ok(())
/// # }
/// ```
pub fn figure(name: &str, runs: &[&str], how: Open) -> Result<Drawn> {
    let (session, [runs]) = opened([runs], how)?;
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
/// use tracelake::Open;
/// let how = Open { ephemeral: true, ..Open::default() };
/// let changes = tracelake::compare(&["tests/data/first_look"], &["tests/data/pytorch_ddp"], how)?;
/// assert!(changes.rows()? > 0);
/// # Ok(())
/// # }
/// ```
pub fn compare(a: &[&str], b: &[&str], how: Open) -> Result<Frame> {
    let (session, [a, b]) = opened([a, b], how)?;
    session.compare_with(&borrowed(&a), &borrowed(&b), &Compare::default())
}

/// Checks rules for a candidate, compared with a baseline where a rule needs one. See [`Session::gate`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::gate`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::Open;
/// use tracelake::diagnosis::{Rule, Rules};
/// let how = Open { ephemeral: true, ..Open::default() };
/// let rules = Rules { rules: vec![Rule::max_loader_ratio(1.0)], ..Rules::default() };
/// assert!(tracelake::gate(&[], &["tests/data/first_look"], &rules, how)?.passed());
/// # Ok(())
/// # }
/// ```
pub fn gate(baseline: &[&str], candidate: &[&str], rules: &Rules, how: Open) -> Result<Gate> {
    let (session, [baseline, candidate]) = opened([baseline, candidate], how)?;
    session.gate(&borrowed(&baseline), &borrowed(&candidate), rules)
}

/// Makes a page: about all runs of the lake without a side, about one side, or about the differences between two. A side is a
/// list of runs or profiles. See [`Session::report`].
///
/// # Errors
/// As [`Session::resolve`] and [`Session::report`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// use tracelake::Open;
/// let how = Open { ephemeral: true, ..Open::default() };
/// let page = tracelake::report(&[&["tests/data/first_look"]], how)?;
/// assert!(page.html().contains("<h1"));
/// # Ok(())
/// # }
/// ```
pub fn report(sides: &[&[&str]], how: Open) -> Result<Page> {
    let session = open_default_with(how)?;
    let sides = sides.iter().map(|side| session.resolve(side)).collect::<Result<Vec<_>>>()?;
    let sides: Vec<Vec<&str>> = sides.iter().map(|side| borrowed(side)).collect();
    session.report(&sides.iter().map(Vec::as_slice).collect::<Vec<_>>())
}
