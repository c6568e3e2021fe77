//! Figures: pure functions from query results to plots.
//!
//! A figure lists its queries and gets their results as frames, in the same order. It has no access to a session.
//! SQL reduces the rows (bins with mean, minimum and maximum). A figure states what was reduced and what it excludes.
//! If a frame is empty, the plot says what is missing and why.
//!
//! To add a figure, add a file and a line in [`FIGURES`].

mod action_breakdown;
mod batch_time;
mod boxes;
mod call_graph;
mod comm_overlap;
mod comparison;
mod critical_path;
mod drawn;
mod fleet_trend;
mod fleet_waste;
mod function_flame;
mod function_top;
mod idle_breakdown;
mod item_time;
mod job_phases;
mod kernel_top;
mod label;
mod launch_delay;
mod load;
mod loader_comparison;
mod loader_next;
mod loader_scaling;
mod loader_share;
mod loader_workers;
mod loops;
mod memory_bandwidth;
mod memory_curve;
mod nested;
mod notebook;
mod operator_treemap;
mod optimize_result;
mod output;
mod queue_length;
mod rank_comparison;
mod read;
mod rules_balance;
mod rules_bottleneck;
mod rules_gpu;
mod rules_loader;
mod rules_report;
mod rules_steps;
mod rules_usage;
mod series;
mod sheet;
mod stack;
mod step_breakdown;
mod step_histogram;
mod step_timeline;
mod stepped;
mod temporal_breakdown;
mod theme;
mod trace_diff;
mod trace_timeline;
mod utilization_buckets;
mod utilization_heatmap;
mod utilization_timeline;
mod whose;
mod worker_timeline;

#[cfg(test)]
mod made;

use plotly::Plot;
use tracelake_model::{Frame, Result, error, frame};

pub use drawn::Drawn;
#[doc(hidden)]
pub use label::{Scale, duration, grouped, number};
#[doc(hidden)]
pub use output::{PICTURE_FAILED, PICTURE_HERE, document, to_picture_page};
pub use output::{content_id, library, to_html_block, to_html_page, to_html_part, to_json};
pub use theme::color;

/// One query of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// Name of the canned query.
    pub query: &'static str,
    /// Parameters that differ from the defaults: the name, and the value as in a shell, without quotes.
    pub params: &'static [(&'static str, &'static str)],
}

impl Ask {
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
    pub queries: &'static [Ask],
    /// Draws the results.
    ///
    /// # Errors
    /// The errors of the queries of the frames; `NotFound` or Argument if a column differs from its declaration.
    pub draw: fn(&[Frame]) -> Result<Plot>,
}

/// All figures, in the order in which a report shows them.
pub static FIGURES: &[&Figure] = &[
    &job_phases::FIGURE,
    &step_timeline::FIGURE,
    &step_histogram::FIGURE,
    &utilization_timeline::FIGURE,
    &utilization_heatmap::FIGURE,
    &utilization_buckets::FIGURE,
    &loader_share::FIGURE,
    &batch_time::FIGURE,
    &loader_comparison::FIGURE,
    &loader_scaling::FIGURE,
    &optimize_result::FIGURE,
    &loader_next::FIGURE,
    &loader_workers::FIGURE,
    &action_breakdown::FIGURE,
    &worker_timeline::FIGURE,
    &item_time::FIGURE,
    &step_breakdown::FIGURE,
    &temporal_breakdown::FIGURE,
    &kernel_top::FIGURE,
    &comm_overlap::FIGURE,
    &rank_comparison::FIGURE,
    &idle_breakdown::FIGURE,
    &queue_length::FIGURE,
    &launch_delay::FIGURE,
    &operator_treemap::FIGURE,
    &function_top::FIGURE,
    &function_flame::FIGURE,
    &memory_curve::FIGURE,
    &memory_bandwidth::FIGURE,
    &trace_timeline::FIGURE,
    &critical_path::FIGURE,
    &comparison::FIGURE,
    &trace_diff::FIGURE,
    &fleet_trend::FIGURE,
    &fleet_waste::FIGURE,
    &rules_report::FIGURE,
    &rules_usage::FIGURE,
    &rules_gpu::FIGURE,
    &rules_bottleneck::FIGURE,
    &rules_balance::FIGURE,
    &rules_steps::FIGURE,
    &rules_loader::FIGURE,
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
    fn every_figure_has_its_own_name_and_a_sentence() {
        let names: BTreeSet<&str> = FIGURES.iter().map(|figure| figure.name).collect();
        assert_eq!(names.len(), FIGURES.len());
        for figure in FIGURES {
            assert!(figure.doc.ends_with('.') && !figure.queries.is_empty(), "{}", figure.name);
            assert_eq!(super::figure(figure.name).map(|found| found.name), Some(figure.name));
        }
    }

    #[test]
    fn a_frame_too_few_is_told() {
        for figure in FIGURES {
            let error = (figure.draw)(&[]).err().unwrap();
            assert_eq!(error.message(), "draw a figure from 0 frames: no frame 0");
        }
    }
}
