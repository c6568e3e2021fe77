//! Shared parts of the figures: layout, theme, labels, traces, shapes, and readers of query results.

pub(crate) mod boxes;
pub(crate) mod call_graph;
pub(crate) mod label;
pub(crate) mod lanes;
pub(crate) mod load;
pub(crate) mod loops;
pub(crate) mod nested;
pub(crate) mod origin;
pub(crate) mod panel_axes;
pub(crate) mod read;
pub(crate) mod series;
pub(crate) mod sheet;
pub(crate) mod stack;
pub(crate) mod stepped;
pub(crate) mod sum;
pub(crate) mod theme;
pub(crate) mod trace;

#[cfg(test)]
pub(crate) mod testing;
