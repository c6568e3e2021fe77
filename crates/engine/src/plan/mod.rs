//! Creates, rewrites and caches plans.
//!
//! - `size` refuses SQL with a plan that would be too large.
//! - `stages` runs the analyzer, the logical optimizer and the physical planner.
//! - `few_rows` plans small lakes with fewer rules.
//! - `cached_view` replaces scans of views with cached rows, or with the plans of the views.
//! - `depth` refuses SQL that is nested too deeply.
//! - `empty_tables` removes what reads empty tables.
//! - `like` replaces `LIKE` and `ILIKE` with functions that are faster for texts that repeat.
//! - `null_keys` adds keys to joins on columns that may be null.
//! - `parameters` passes parameters of SQL to table functions.
//! - `plans` caches plans, to execute them again.
//! - `in_place` wraps a table for an engine in another library.

pub mod cached_view;
pub mod depth;
pub mod empty_tables;
pub mod few_rows;
pub mod in_place;
pub mod like;
pub mod null_keys;
mod parameters;
pub mod plans;
mod size;
pub mod stages;
