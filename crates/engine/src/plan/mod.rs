//! How plans are made, changed and kept: views whose rows are cached, rules for small lakes, plans that are executed again.

pub mod cached_view;
pub mod few_rows;
pub mod in_place;
pub mod like;
pub mod plans;
pub mod stages;
