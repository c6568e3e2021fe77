//! Times in SQL. In the tables, a time is a bigint, ns since the Unix epoch, with unit `time` in the metadata of its field.
//!
//! - `units` derives the units of computed columns.
//! - `literals` converts texts, timestamps and dates to bigint where SQL compares them with a time.
//! - `functions` lets `date_trunc`, `date_bin`, `date_part` and `to_char` take a bigint.
//! - `operators` does the same for `extract` and for operators with timestamps and intervals.

pub mod functions;
pub mod literals;
pub mod operators;
pub mod units;

use arrow::compute::kernels::cast_utils::string_to_timestamp_nanos;
use arrow::datatypes::{DataType, TimeUnit};
use datafusion::logical_expr::{Expr, cast};

use crate::table::MIN_EPOCH_TIME;

/// The timestamps that a time is converted to.
fn timestamp() -> DataType {
    DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()))
}

/// Returns a timestamp, a date or a text of one as a bigint: ns since the Unix epoch.
fn as_bigint(expr: Expr) -> Expr {
    cast(cast(expr, timestamp()), DataType::Int64)
}

/// Parses a time as people write it: `2026-11-20`, `2026-11-20T10:00`, `2026-11-20 10:00:00.123456789+01:00`, or ns since the
/// Unix epoch. A time without a time zone is UTC. Returns ns since the Unix epoch; None for other text, such as a year or
/// seconds, and for times before 1678 or after 2262.
///
/// ```
/// use tracelake_engine::times::parse_time;
///
/// assert_eq!(parse_time("2020-09-13T12:30"), Some(1_600_000_200_000_000_000));
/// assert_eq!(parse_time("2020-09-13 14:30:00.000000001+02:00"), Some(1_600_000_200_000_000_001));
/// assert_eq!(parse_time("1600000200000000001"), Some(1_600_000_200_000_000_001));
/// assert_eq!(["yesterday", "2026", "1600000200"].map(parse_time), [None; 3]);
/// ```
pub fn parse_time(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(ns) = text.parse::<i64>() {
        return Some(ns).filter(|ns| *ns >= MIN_EPOCH_TIME);
    }
    let ends_with_minutes = text.as_bytes().get(13) == Some(&b':') && !matches!(text.as_bytes().get(16), Some(b':'));
    if ends_with_minutes {
        let (minutes, zone) = text.split_at_checked(16)?;
        return string_to_timestamp_nanos(&format!("{minutes}:00{zone}")).ok();
    }
    string_to_timestamp_nanos(text).ok()
}

/// The forms of [`parse_time`], for messages.
pub const TIME_FORMS: &str =
    "write a form like 2026-11-20, 2026-11-20T10:00 or 2026-11-20 10:00:05.123, in UTC, or ns since 1970";
