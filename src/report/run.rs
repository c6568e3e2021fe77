//! The page about one run.

use super::ReportPage;
use super::builder::PageBuilder;
use super::findings;
use super::markup::{sql_anchor, sql_link};
use crate::error::Result;
use crate::frame::{DisplayCell, Frame, escape};
use crate::session::{Session, Value};

/// Maximum number of rows of a table.
const MAX_ROWS: usize = 50;

/// Sections of the page: the title, the figures and the tables, in this order. An anchor is a title in lower case.
const SECTIONS: &[(&str, &[&str], &[&str])] = &[
    ("Overview", &["job_phases"], &["job.overview"]),
    ("Steps", &["step_timeline", "step_histogram"], &["step.duration", "step.outliers"]),
    (
        "Breakdown",
        &["step_breakdown", "temporal_breakdown", "action_breakdown"],
        &["kernel.temporal_breakdown", "function.top"],
    ),
    ("Loader", &["loader_share", "loader_next", "batch_time"], &["loader.share", "loader.next"]),
    ("Utilization", &["utilization_timeline", "utilization_heatmap"], &["utilization.summary"]),
    ("Kernels", &["kernel_top", "idle_breakdown"], &["kernel.summary", "operator.summary"]),
    ("Memory", &["memory_curve"], &["memory.peak"]),
];

/// Key metrics of a run, which are columns of `fleet.runs`, and their labels.
const KEY_METRICS: &[(&str, &str)] = &[
    ("steps", "steps"),
    ("step_p50", "median step"),
    ("step_p95", "95th percentile"),
    ("loader_ratio", "waiting for data"),
    ("gpu_utilization", "GPU utilization"),
    ("gpu_idle_ratio", "GPU time idle"),
    ("ranks", "ranks"),
    ("gpus", "GPUs"),
    ("recorded_s", "recorded"),
    ("framework", "framework"),
];

/// Returns the page.
///
/// # Errors
/// As [`Session::report`].
pub(super) fn page(session: &Session, run: &str) -> Result<ReportPage> {
    let diagnosis = session.diagnose([run], "")?;
    let mut page = PageBuilder::new(session, run.to_owned());
    page.skipped_columns = &["run"];
    page.queries.note("job.verdict");
    let arguments = [("run", Value::from(run))];

    page.section("verdict", "Verdict");
    for verdict in &diagnosis.verdicts {
        page.html(&findings::verdict(verdict, None));
    }
    let key = page.queries.query("fleet.runs", &arguments)?;
    page.html(&tiles(&key, KEY_METRICS, "fleet.runs")?);
    page.section("findings", "Findings");
    findings::findings(&mut page, &diagnosis);
    for (title, figures, tables) in SECTIONS {
        page.section(&title.to_lowercase(), title);
        for figure in *figures {
            page.figure(figure, &arguments)?;
        }
        for table in *tables {
            page.table(table, &arguments, MAX_ROWS)?;
        }
    }
    problems(&mut page, &[run.to_owned()])?;
    findings::evidence(&mut page, &diagnosis, run)?;
    Ok(page.finish())
}

/// Adds the problems of the files of these runs.
pub(super) fn problems(page: &mut PageBuilder<'_>, runs: &[String]) -> Result<()> {
    if runs.is_empty() {
        return Ok(());
    }
    page.section("problems", "Problems in the input");
    let runs = runs.iter().map(|run| Value::from(run.as_str()).to_string()).collect::<Vec<_>>().join(", ");
    let text = format!(
        "select p.run, p.severity, p.kind, p.count, o.url as file, p.byte_offset, p.message\n\
         from problem p left join object o on o.run = p.run and o.object = p.object\n\
         where p.run in ({runs})\norder by p.severity desc, p.count desc, file, p.kind, p.message"
    );
    let frame = page.queries.sql("problem", text)?;
    if frame.len()? == 0 {
        page.html(&format!("<p>None: every entry of every file was read. {}</p>\n", sql_link("problem")));
        return Ok(());
    }
    page.rows("problem", Some("Entries that were corrupt, skipped or guessed"), &frame, MAX_ROWS, None)
}

/// Returns the key metrics of the first row as tiles, each with a link to its SQL. Skips unknown metrics.
pub(super) fn tiles(frame: &Frame, metrics: &[(&str, &str)], query: &str) -> Result<String> {
    let (first, _) = frame.first(1)?;
    let mut html = String::from("<div class=\"tiles\">\n");
    let (columns, cells) = (first.columns(), first.display_columns()?);
    for (name, label) in metrics {
        let Some(index) = columns.iter().position(|column| column.name == *name) else { continue };
        if let Some(Some(DisplayCell { text, .. })) = cells[index].first() {
            html.push_str(&tile(text, label, query));
        }
    }
    html.push_str("</div>\n");
    Ok(html)
}

/// Returns a tile: a number with a label.
pub(super) fn tile(text: &str, label: &str, query: &str) -> String {
    let anchor = sql_anchor(query);
    format!("<a class=\"tile\" href=\"#{anchor}\"><b>{}</b><span>{}</span></a>\n", escape(text), escape(label))
}
