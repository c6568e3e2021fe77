//! What several figures use: layout, theme, labels, shapes, and the rows that they read.

pub(crate) mod boxes;
pub(crate) mod call_graph;
pub(crate) mod label;
pub(crate) mod load;
pub(crate) mod loops;
pub(crate) mod nested;
pub(crate) mod read;
pub(crate) mod series;
pub(crate) mod sheet;
pub(crate) mod stack;
pub(crate) mod stepped;
pub(crate) mod theme;
pub(crate) mod whose;

#[cfg(test)]
pub(crate) mod testing;
