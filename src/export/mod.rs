//! Writes runs and lakes for other programs: traces for viewers, Parquet, Delta Lake, SQL for DuckDB, and the
//! rule reports of SageMaker.

mod chrome;
mod delta;
mod duckdb;
mod parquet;
mod rule_report;
mod to_file;

pub use self::parquet::write_parquet;
pub use chrome::ExportSummary;
pub use duckdb::DuckdbScript;
pub use rule_report::RuleReport;
pub(crate) use to_file::is_compressed;
pub use to_file::{export_duckdb, export_file};
