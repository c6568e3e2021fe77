//! The page about one run.

use super::Page;
use super::cells::{Cell, cells};
use super::findings;
use super::markup::sql;
use super::paper::Paper;
use crate::error::Result;
use crate::frame::{Frame, escape};
use crate::session::{Session, Value};

/// Rows of a table that are shown.
const ROWS: usize = 50;

/// A part of the page: what it shows, in this order.
struct Part {
    id: &'static str,
    title: &'static str,
    figures: &'static [&'static str],
    tables: &'static [&'static str],
}

const PARTS: &[Part] = &[
    Part { id: "overview", title: "Overview", figures: &["job_phases"], tables: &["job.overview"] },
    Part {
        id: "steps",
        title: "Steps",
        figures: &["step_timeline", "step_histogram"],
        tables: &["step.duration", "step.outliers"],
    },
    Part {
        id: "breakdown",
        title: "Breakdown",
        figures: &["step_breakdown", "temporal_breakdown", "action_breakdown"],
        tables: &["kernel.temporal_breakdown", "function.top"],
    },
    Part {
        id: "loader",
        title: "Loader",
        figures: &["loader_share", "loader_next", "batch_time"],
        tables: &["loader.share", "loader.next"],
    },
    Part {
        id: "utilization",
        title: "Utilization",
        figures: &["utilization_timeline", "utilization_heatmap"],
        tables: &["utilization.summary"],
    },
    Part {
        id: "kernels",
        title: "Kernels",
        figures: &["kernel_top", "idle_breakdown"],
        tables: &["kernel.summary", "operator.summary"],
    },
    Part { id: "memory", title: "Memory", figures: &["memory_curve"], tables: &["memory.peak"] },
];

/// Key metrics of a run, and what they are called: columns of `fleet.runs`.
const KEY: &[(&str, &str)] = &[
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

/// The page.
///
/// # Errors
/// As [`Session::report`].
pub(super) fn page(session: &Session, run: &str) -> Result<Page> {
    let diagnosis = session.diagnose(&[run], "")?;
    let mut paper = Paper::new(session, run.to_owned());
    paper.without = &["run"];
    paper.answers.note("job.verdict");
    let given = [("run", Value::from(run))];

    paper.section("verdict", "Verdict");
    for verdict in &diagnosis.verdicts {
        paper.html(&findings::verdict(verdict, None));
    }
    let key = paper.answers.ask("fleet.runs", &given)?;
    paper.html(&tiles(&key, KEY, "fleet.runs")?);
    paper.section("findings", "Findings");
    findings::findings(&mut paper, &diagnosis);
    for part in PARTS {
        paper.section(part.id, part.title);
        for figure in part.figures {
            paper.figure(figure, &given)?;
        }
        for table in part.tables {
            paper.table(table, &given, ROWS)?;
        }
    }
    problems(&mut paper, &[run.to_owned()])?;
    findings::evidence(&mut paper, &diagnosis, run)?;
    Ok(paper.page())
}

/// Damage and notices in the files of these runs.
pub(super) fn problems(paper: &mut Paper<'_>, runs: &[String]) -> Result<()> {
    if runs.is_empty() {
        return Ok(());
    }
    paper.section("problems", "Problems in the input");
    let runs = runs.iter().map(|run| Value::from(run.as_str()).to_string()).collect::<Vec<_>>().join(", ");
    let text = format!(
        "select p.run, p.severity, p.kind, p.count, o.url as file, p.byte_offset, p.message\n\
         from problem p left join object o on o.run = p.run and o.object = p.object\n\
         where p.run in ({runs})\norder by p.severity desc, p.count desc, file, p.kind, p.message"
    );
    let frame = paper.answers.sql("problem", text)?;
    if frame.rows()? == 0 {
        paper.html(&format!("<p>None: every entry of every file was read. {}</p>\n", sql("problem")));
        return Ok(());
    }
    paper.rows("problem", Some("Entries that were corrupt, skipped or guessed"), &frame, ROWS, None)
}

/// Key metrics of the first row, large, each with the way to its SQL; those that are unknown are left out.
pub(super) fn tiles(frame: &Frame, wanted: &[(&str, &str)], query: &str) -> Result<String> {
    let (first, _) = frame.first(1)?;
    let mut html = String::from("<div class=\"tiles\">\n");
    let columns = first.columns();
    for (name, label) in wanted {
        let Some(info) = columns.iter().find(|info| info.name == *name) else { continue };
        if let Some(Some(Cell { text, .. })) = cells(&first, info, &[])?.first() {
            html.push_str(&tile(text, label, query));
        }
    }
    html.push_str("</div>\n");
    Ok(html)
}

/// One number, large.
pub(super) fn tile(text: &str, label: &str, query: &str) -> String {
    let place = super::markup::sql_place(query);
    format!("<a class=\"tile\" href=\"#{place}\"><b>{}</b><span>{}</span></a>\n", escape(text), escape(label))
}
