//! Writes runs and lakes for other programs: traces for viewers, Parquet, Delta Lake, SQL for DuckDB, pictures, and the
//! rule reports of SageMaker.

mod browser;
mod chrome;
mod delta;
mod duckdb;
pub(crate) mod file;
mod parquet;
pub(crate) mod picture;
mod rule_report;
mod to_file;

pub use self::parquet::write_parquet;
pub use chrome::ExportSummary;
pub use duckdb::DuckdbScript;
pub use file::write_file;
pub use picture::{PictureSize, render_picture, save_figure};
pub use rule_report::RuleReport;
pub(crate) use to_file::is_compressed;
pub use to_file::{export_duckdb, export_file};
