//! The page about many runs: which there are, how they went, since when something is slower, and what was idle.

use std::collections::BTreeMap;

use super::Page;
use super::cells::amount;
use super::markup::sql;
use super::paper::Paper;
use super::run::{problems, tile};
use crate::error::Result;
use crate::figure::grouped;
use crate::frame::{Frame, escape};
use crate::session::{Session, Value};
use crate::unit::Unit;

/// Runs that are listed.
const RUNS: usize = 1000;
const ROWS: usize = 50;
/// Lakes of more runs keep their problems to the reports of the runs: each would be read.
const LOOKED_AT: usize = 200;

/// The page about these runs, or all.
///
/// # Errors
/// As [`Session::report`].
pub(super) fn page(session: &Session, only: Option<&[String]>) -> Result<Page> {
    let title = only.map_or_else(|| session.url().to_owned(), |runs| format!("{} runs", runs.len()));
    let mut paper = Paper::new(session, title);
    let given: Vec<(&str, Value)> = only.map(|runs| ("run", Value::from(runs.to_vec()))).into_iter().collect();
    let runs = paper.answers.ask("fleet.runs", &given)?;
    let (first, all) = runs.first(RUNS)?;
    let names: Vec<String> = first.column::<String>("run")?.into_iter().flatten().collect();
    paper.runs = names.iter().enumerate().map(|(number, run)| (run.clone(), number + 1)).collect();

    paper.section("verdict", "Verdict");
    let waste = paper.answers.ask("fleet.waste", &given)?;
    let html = headline(&runs, &waste, all)?;
    paper.html(&html);
    paper.section("runs", "Runs");
    paper.rows("fleet.runs", None, &runs, RUNS, None)?;
    paper.section("trend", "Trend");
    for metric in ["step_p50", "loader_ratio"] {
        let mut given = given.clone();
        given.push(("metric", Value::from(metric)));
        paper.figure("fleet_trend", &given)?;
    }
    paper.section("regressions", "Changes of level");
    paper.table("fleet.regressions", &given, ROWS)?;
    paper.section("waste", "Idle GPUs");
    paper.figure("fleet_waste", &given)?;
    paper.rows("fleet.waste", None, &waste, RUNS, None)?;
    if all <= LOOKED_AT {
        problems(&mut paper, &names)?;
    } else {
        paper.section("problems", "Problems in the input");
        paper.html(&format!(
            "<p>Problems are not listed for more than {LOOKED_AT} runs. The report of one run has its problems.</p>\n"
        ));
    }
    Ok(paper.page())
}

/// What binds how many runs, and how much of the GPUs' time was idle.
fn headline(runs: &Frame, waste: &Frame, all: usize) -> Result<String> {
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    for verdict in runs.column::<String>("verdict")? {
        *verdicts.entry(verdict.unwrap_or_else(|| "no_data".to_owned())).or_default() += 1;
    }
    let mut verdicts: Vec<(String, usize)> = verdicts.into_iter().collect();
    verdicts.sort_by_key(|(_, runs)| std::cmp::Reverse(*runs));
    let count = |n: usize| grouped(i64::try_from(n).unwrap_or(i64::MAX));
    let strong = match verdicts.first() {
        Some((verdict, runs)) => format!("{} of {} runs: {verdict}", count(*runs), count(all)),
        None => "no runs".to_owned(),
    };
    let rest: Vec<String> =
        verdicts.iter().skip(1).map(|(verdict, runs)| format!("{} {verdict}", count(*runs))).collect();
    let mut html = format!(
        "<p class=\"verdict\"><strong>{}</strong> {} {}</p>\n<div class=\"tiles\">\n{}",
        escape(&strong),
        escape(&rest.join(", ")),
        sql("fleet.runs"),
        tile(&count(all), "runs", "fleet.runs")
    );
    let gpu: f64 = runs.column::<f64>("gpu_s")?.into_iter().flatten().sum();
    let idle: f64 = waste.column::<f64>("idle_s")?.into_iter().flatten().sum();
    if gpu > 0.0 {
        html.push_str(&tile(&amount(gpu, Some(Unit::S)), "GPU time recorded", "fleet.runs"));
        html.push_str(&tile(&amount(idle, Some(Unit::S)), "GPU time idle", "fleet.waste"));
        html.push_str(&tile(&amount(idle / gpu, Some(Unit::Ratio)), "of it idle", "fleet.waste"));
    }
    html.push_str("</div>\n");
    Ok(html)
}
