//! The moment that the times of a file count from.

use crate::table::{MIN_EPOCH_TIME, Rows};

/// The start of a clock, in ns since the Unix epoch, if the user's offset is one. Other offsets correct a clock.
pub(super) fn start_of_clock(clock_offset: i64) -> Option<i64> {
    (clock_offset >= MIN_EPOCH_TIME).then_some(clock_offset)
}

/// The moment that the times of a file count from. All times of a file count from the same one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum TimeBase {
    /// No time was read yet.
    #[default]
    Unknown,
    /// The Unix epoch, after these ns were added.
    Epoch(i64),
    /// The Unix epoch, because the first time is after 2001.
    Absolute,
    /// The start of a clock that is not known. The first time on it, from which `ts` counts.
    FirstEvent(i64),
}

impl TimeBase {
    /// The base of a file that declares `base`. Without one, an offset after 2001 is the start of the clock.
    pub(super) fn new(base: Option<i64>, clock_offset: i64) -> Self {
        base.or(start_of_clock(clock_offset)).map_or(Self::Unknown, Self::Epoch)
    }

    /// Reads a time of the file, which determines the base if it is the first one.
    #[inline]
    pub(super) fn read(&mut self, time: i64, rows: &mut Rows) {
        if *self == Self::Unknown {
            *self = if time >= MIN_EPOCH_TIME {
                Self::Absolute
            } else {
                rows.counts_from(time);
                Self::FirstEvent(time)
            };
        }
    }

    /// Converts a time of the file, in ns, to `ts`. None if it counts from another moment than the times before it,
    /// or is too far from the epoch.
    #[inline]
    pub(super) fn convert(&mut self, time: i64, rows: &mut Rows) -> Option<i64> {
        self.read(time, rows);
        match *self {
            Self::Epoch(base) if time < MIN_EPOCH_TIME => time.checked_add(base),
            Self::FirstEvent(first) if time < MIN_EPOCH_TIME => time.checked_sub(first),
            // The first times can be 0 in a file with times of day.
            Self::FirstEvent(_) => {
                *self = Self::Absolute;
                rows.counts_from_epoch();
                Some(time)
            }
            Self::Epoch(_) | Self::Absolute if time >= MIN_EPOCH_TIME => Some(time),
            _ => None,
        }
    }

    /// Why a time is not converted: kind of the problem, and a text.
    pub(super) fn refusal(self) -> (&'static str, &'static str) {
        match self {
            Self::Epoch(_) => ("out_of_range", "too far from the epoch"),
            _ => ("other_clock", "which does not count from the moment that the times before it count from"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_file_count_from_one_moment() {
        let mut rows = Rows::new("r");
        let mut convert = |base: &mut TimeBase, times: &[i64]| {
            times.iter().map(|time| base.convert(*time, &mut rows)).collect::<Vec<_>>()
        };
        let late = MIN_EPOCH_TIME + 5;
        assert_eq!(convert(&mut TimeBase::new(Some(late), 0), &[3, late]), [Some(late + 3), Some(late)]);
        assert_eq!(convert(&mut TimeBase::new(None, 0), &[7, 9, 4]), [Some(0), Some(2), Some(-3)]);
        assert_eq!(convert(&mut TimeBase::new(None, 0), &[0, late, 5]), [Some(0), Some(late), None]);
        assert_eq!(convert(&mut TimeBase::new(None, 0), &[late, 9]), [Some(late), None]);
        assert_eq!(convert(&mut TimeBase::new(None, late), &[7, 9]), [Some(late + 7), Some(late + 9)]);
        assert_eq!(convert(&mut TimeBase::new(Some(late), late), &[7]), [Some(late + 7)]);
        assert_eq!(convert(&mut TimeBase::new(Some(i64::MAX), 0), &[7]), [None]);
    }

    #[test]
    fn an_unknown_start_is_reported_once() {
        let mut rows = Rows::new("r");
        let mut base = TimeBase::new(None, 1_000);
        base.read(7, &mut rows);
        base.read(3, &mut rows);
        assert_eq!(rows.end().clock_start, Some(7));
    }
}
