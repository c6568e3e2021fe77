//! Time zones for display. Stored and exported times are always UTC.

/// The time zone in which a frame shows its times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Zone {
    /// Coordinated Universal Time: `2020-07-13 17:49:57.737`.
    #[default]
    Utc,
    /// The time zone of this machine, with its offset at each time:
    /// `2020-07-13 19:49:57.737+02:00`.
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
}
