//! The page about many runs: a list of them, their trend, changes of level, and idle GPUs.

use std::collections::BTreeMap;

use super::ReportPage;
use super::builder::PageBuilder;
use super::markup::sql_link;
use super::run::{problems, tile};
use crate::error::Result;
use crate::figure::{amount, group_digits};
use crate::frame::{Frame, escape};
use crate::session::{Session, Value};
use crate::unit::Unit;

/// Maximum number of listed runs.
const MAX_RUNS: usize = 1000;
const MAX_ROWS: usize = 50;
/// Maximum number of runs for which problems are listed, because that reads rows of each run.
const MAX_RUNS_WITH_PROBLEMS: usize = 200;

/// Returns the page about these runs, or about all.
///
/// # Errors
/// As [`Session::report`].
pub(super) fn page(session: &Session, runs: Option<&[String]>) -> Result<ReportPage> {
    let title = runs.map_or_else(|| session.url().to_owned(), |runs| format!("{} runs", runs.len()));
    let mut page = PageBuilder::new(session, title);
    let arguments: Vec<(&str, Value)> = runs.map(|runs| ("run", Value::from(runs.to_vec()))).into_iter().collect();
    let list = page.queries.query("fleet.runs", &arguments)?;
    let (first, count) = list.first(MAX_RUNS)?;
    let names: Vec<String> = first.column::<String>("run")?.into_iter().flatten().collect();
    page.run_numbers = names.iter().enumerate().map(|(number, run)| (run.clone(), number + 1)).collect();

    page.section("verdict", "Verdict");
    let waste = page.queries.query("fleet.waste", &arguments)?;
    let html = headline(&list, &waste, count)?;
    page.html(&html);
    page.section("runs", "Runs");
    page.rows("fleet.runs", None, &list, MAX_RUNS, None)?;
    page.section("trend", "Trend");
    for metric in ["step_p50", "loader_ratio"] {
        let mut arguments = arguments.clone();
        arguments.push(("metric", Value::from(metric)));
        page.figure("fleet_trend", &arguments)?;
    }
    page.section("regressions", "Changes of level");
    page.table("fleet.regressions", &arguments, MAX_ROWS)?;
    page.section("waste", "Idle GPUs");
    page.figure("fleet_waste", &arguments)?;
    page.rows("fleet.waste", None, &waste, MAX_RUNS, None)?;
    if count <= MAX_RUNS_WITH_PROBLEMS {
        problems(&mut page, &names)?;
    } else {
        page.section("problems", "Problems in the input");
        page.html(&format!(
            "<p>Problems are not listed for more than {MAX_RUNS_WITH_PROBLEMS} runs. The report of one run has its problems.</p>\n"
        ));
    }
    Ok(page.finish())
}

/// Returns the number of runs with each verdict, and how much GPU time was idle.
fn headline(runs: &Frame, waste: &Frame, total: usize) -> Result<String> {
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    for verdict in runs.column::<String>("verdict")? {
        *verdicts.entry(verdict.unwrap_or_else(|| "no_data".to_owned())).or_default() += 1;
    }
    let mut verdicts: Vec<(String, usize)> = verdicts.into_iter().collect();
    verdicts.sort_by_key(|(_, runs)| std::cmp::Reverse(*runs));
    let count = |n: usize| group_digits(i64::try_from(n).unwrap_or(i64::MAX));
    let strong = match verdicts.first() {
        Some((verdict, runs)) => format!("{} of {} runs: {verdict}", count(*runs), count(total)),
        None => "no runs".to_owned(),
    };
    let rest: Vec<String> =
        verdicts.iter().skip(1).map(|(verdict, runs)| format!("{} {verdict}", count(*runs))).collect();
    let mut html = format!(
        "<p class=\"verdict\"><strong>{}</strong> {} {}</p>\n<div class=\"tiles\">\n{}",
        escape(&strong),
        escape(&rest.join(", ")),
        sql_link("fleet.runs"),
        tile(&count(total), "runs", "fleet.runs")
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
