//! Time zones for display. Stored and exported times are always UTC.

use chrono::{DateTime, Local};

/// The time zone in which a frame shows its times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Zone {
    /// Coordinated Universal Time: `2020-07-13T17:49:57.737738000Z`.
    #[default]
    Utc,
    /// The time zone of this machine, with its offset at each time:
    /// `2020-07-13T19:49:57.737738000+02:00`.
    Local,
}

impl Zone {
    /// The name of the zone below a table.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Utc => "UTC",
            Self::Local => "local time",
        }
    }

    /// Returns the offset from UTC in seconds at a time in ns since the Unix epoch.
    pub(super) fn offset(self, ns: i64) -> i64 {
        match self {
            Self::Utc => 0,
            Self::Local => {
                i64::from(DateTime::from_timestamp_nanos(ns).with_timezone(&Local).offset().local_minus_utc())
            }
        }
    }
}
