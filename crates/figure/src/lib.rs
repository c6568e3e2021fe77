//! Figures: pure functions from query results to Plotly plots.
//!
//! A figure lists its queries and gets their results as frames, in the same order. It has no access to a session.
//! SQL reduces the rows to bins with mean, minimum and maximum. A figure states what was reduced and what it excludes.
//! If a frame is empty, the plot says what is missing and why.
//!
//! To add a figure, add a file in `plots` and a line in [`FIGURES`].

mod drawn;
mod kit;
mod notebook;
mod output;
mod picture;
mod plots;
mod svg;

use plotly::Plot;
use tracelake_model::{Frame, Result, error, frame};

pub use drawn::DrawnFigure;
#[doc(hidden)]
pub use kit::label::{amount, group_digits, number};
pub use kit::theme::color;
#[doc(hidden)]
pub use output::document;
pub use output::{content_id, library, to_html_block, to_html_page, to_html_part, to_json};
#[doc(hidden)]
pub use picture::PICTURES;
pub use picture::PictureSize;
pub use svg::to_svg;

/// One query of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FigureQuery {
    /// Name of the canned query.
    pub query: &'static str,
    /// Parameters that differ from the defaults: name, and value as in a shell without quotes.
    pub params: &'static [(&'static str, &'static str)],
}

impl FigureQuery {
    const fn new(query: &'static str) -> Self {
        Self { query, params: &[] }
    }
}

/// A plot of the results of a few queries.
#[derive(Debug)]
pub struct Figure {
    /// Name of the figure, the same in Rust, Python and the shell.
    pub name: &'static str,
    /// One sentence: what the figure shows.
    pub doc: &'static str,
    /// The queries that produce the arguments of `draw`, in this order.
    pub queries: &'static [FigureQuery],
    /// Draws the results.
    ///
    /// # Errors
    /// The errors of the queries, or `NotFound` or `Argument` if a column differs from its declaration.
    pub draw: fn(&[Frame]) -> Result<Plot>,
}

/// All figures, the most telling ones first.
pub static FIGURES: &[&Figure] = &[
    &plots::step_breakdown::FIGURE,
    &plots::step_timeline::FIGURE,
    &plots::utilization_timeline::FIGURE,
    &plots::loader_share::FIGURE,
    &plots::idle_breakdown::FIGURE,
    &plots::kernel_top::FIGURE,
    &plots::comm_overlap::FIGURE,
    &plots::job_phases::FIGURE,
    &plots::step_histogram::FIGURE,
    &plots::utilization_heatmap::FIGURE,
    &plots::utilization_buckets::FIGURE,
    &plots::batch_time::FIGURE,
    &plots::loader_comparison::FIGURE,
    &plots::loader_scaling::FIGURE,
    &plots::optimize_result::FIGURE,
    &plots::loader_next::FIGURE,
    &plots::loader_workers::FIGURE,
    &plots::action_breakdown::FIGURE,
    &plots::worker_timeline::FIGURE,
    &plots::item_time::FIGURE,
    &plots::temporal_breakdown::FIGURE,
    &plots::rank_comparison::FIGURE,
    &plots::queue_length::FIGURE,
    &plots::launch_delay::FIGURE,
    &plots::operator_treemap::FIGURE,
    &plots::function_top::FIGURE,
    &plots::function_flame::FIGURE,
    &plots::roofline::FIGURE,
    &plots::memory_curve::FIGURE,
    &plots::memory_bandwidth::FIGURE,
    &plots::trace_timeline::FIGURE,
    &plots::critical_path::FIGURE,
    &plots::comparison::FIGURE,
    &plots::trace_diff::FIGURE,
    &plots::fleet_trend::FIGURE,
    &plots::fleet_waste::FIGURE,
    &plots::rules_report::FIGURE,
    &plots::rules_usage::FIGURE,
    &plots::rules_gpu::FIGURE,
    &plots::rules_bottleneck::FIGURE,
    &plots::rules_balance::FIGURE,
    &plots::rules_steps::FIGURE,
    &plots::rules_loader::FIGURE,
];

/// The figure of this name.
///
/// # Examples
/// ```
/// assert_eq!(tracelake_figure::figure("step_timeline").unwrap().queries[0].query, "step.over_time");
/// assert!(tracelake_figure::figure("weather").is_none());
/// ```
pub fn figure(name: &str) -> Option<&'static Figure> {
    FIGURES.iter().find(|figure| figure.name == name).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_docs_are_sentences() {
        let names: BTreeSet<&str> = FIGURES.iter().map(|figure| figure.name).collect();
        assert_eq!(names.len(), FIGURES.len());
        for figure in FIGURES {
            assert!(figure.doc.ends_with('.') && !figure.queries.is_empty(), "{}", figure.name);
            assert_eq!(super::figure(figure.name).map(|same| same.name), Some(figure.name));
        }
    }

    #[test]
    fn a_missing_frame_is_an_error() {
        for figure in FIGURES {
            let error = (figure.draw)(&[]).err().unwrap();
            assert_eq!(error.message(), "draw a figure from 0 frames: no frame 0");
        }
    }
}
