//! One limit against one difference: whether it holds, in a sentence.

use super::rule::Limit;
use crate::statistics::Difference;
use crate::unit::Unit;

/// What a gate says about a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The value is within the limit, or beyond it by what may be noise.
    Pass,
    /// The value is beyond the limit.
    Fail,
    /// What the limit needs was not recorded, or too little of it.
    NoData,
}

impl Outcome {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NoData => "no_data",
        }
    }
}

/// Judges. A value beyond a relative limit fails when the change is more than noise: when the interval leaves out 1, or, for a
/// limit on the other side of 1 that asks for a change, the limit.
pub(super) fn judge(limit: Limit, found: &Difference, unit: Option<Unit>) -> (Outcome, String) {
    let Some(b) = found.b else { return (Outcome::NoData, "the candidate has no such value".to_owned()) };
    if !limit.is_relative() {
        let (holds, most) = match limit {
            Limit::Min(least) => (b >= least, "at least"),
            _ => (b <= limit.value(), "at most"),
        };
        let outcome = if holds { Outcome::Pass } else { Outcome::Fail };
        return (outcome, format!("{}; {most} {} allowed", shown(b, unit), shown(limit.value(), unit)));
    }
    let Some(a) = found.a else { return (Outcome::NoData, "the baseline has no such value".to_owned()) };
    let allowed = allowed(limit);
    let values = format!("{} against {} of the baseline", shown(b, unit), shown(a, unit));
    let within = match limit {
        Limit::MinRatio(least) => b >= a * least,
        _ => b <= a * limit.value(),
    };
    let Some(ratio) = found.ratio else {
        let outcome = if within { Outcome::Pass } else { Outcome::Fail };
        return (outcome, format!("{values}; {allowed}"));
    };
    let end = |ratio: Option<f64>| ratio.map_or("unknown".to_owned(), percent);
    let interval = match (found.low, found.high) {
        (None, None) => "too few values for an interval".to_owned(),
        (low, high) => format!("interval {} to {}", end(low), end(high)),
    };
    let said = format!("{values}, {} ({interval}); {allowed}", percent(ratio));
    if within {
        return (Outcome::Pass, said);
    }
    let sure = match limit {
        Limit::MinRatio(least) => found.high.map(|high| high < least.max(1.0)),
        _ => found.low.map(|low| low > limit.value().min(1.0)),
    };
    match sure {
        Some(true) => (Outcome::Fail, said),
        Some(false) => (Outcome::Pass, format!("{said}; the difference may be noise")),
        None => (Outcome::NoData, format!("{said}; too few values to distinguish it from noise")),
    }
}

/// A ratio as a change: 1.02 is +2 %.
fn percent(ratio: f64) -> String {
    format!("{:+.1} %", (ratio - 1.0) * 100.0)
}

fn allowed(limit: Limit) -> String {
    let most = if matches!(limit, Limit::MinRatio(_)) { "at least" } else { "at most" };
    let change = (limit.value() - 1.0) * 100.0;
    format!("{most} {}{} % allowed", if change > 0.0 { "+" } else { "" }, (change * 1e6).round() / 1e6)
}

/// A value with its unit, three digits of it.
fn shown(value: f64, unit: Option<Unit>) -> String {
    let scaled = |steps: &[(f64, &str)]| {
        let (scale, name) = steps.iter().find(|(scale, _)| value.abs() >= *scale).or(steps.last())?;
        Some(format!("{} {name}", digits(value / scale)))
    };
    match unit {
        Some(Unit::Ns) => scaled(&[(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")]),
        Some(Unit::Bytes) => scaled(&[(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")]),
        Some(Unit::Percent) => Some(format!("{} %", digits(value))),
        Some(unit @ (Unit::S | Unit::Ms | Unit::Us)) => Some(format!("{} {unit}", digits(value))),
        _ => None,
    }
    .unwrap_or_else(|| digits(value))
}

/// At least three digits of a number, without zeros at the end.
fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "the order of a double lies between -324 and 308")]
    let before = value.abs().log10().floor() as i32;
    let behind = usize::try_from((3 - before).clamp(0, 12)).unwrap_or(0);
    let text = format!("{value:.behind$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(ratio: f64, low: Option<f64>, high: Option<f64>) -> Difference {
        Difference { a: Some(1e8), b: Some(1e8 * ratio), ratio: Some(ratio), low, high }
    }

    #[test]
    fn a_limit_is_broken_by_more_than_noise() {
        let outcome = |limit, ratio, low, high| judge(limit, &found(ratio, low, high), Some(Unit::Ns)).0;
        let most = Limit::MaxRatio(1.02);
        assert_eq!(outcome(most, 1.02, Some(1.01), Some(1.03)), Outcome::Pass);
        assert_eq!(outcome(most, 1.03, Some(1.01), Some(1.05)), Outcome::Fail);
        assert_eq!(outcome(most, 1.03, Some(0.99), Some(1.07)), Outcome::Pass);
        assert_eq!(outcome(most, 1.03, Some(1.01), None), Outcome::Fail);
        assert_eq!(outcome(most, 1.03, None, None), Outcome::NoData);
        assert_eq!(outcome(most, 0.9, None, None), Outcome::Pass);
        // It must become faster by a tenth: as fast as before is no noise of that.
        assert_eq!(outcome(Limit::MaxRatio(0.9), 1.0, Some(0.98), Some(1.02)), Outcome::Fail);
        assert_eq!(outcome(Limit::MaxRatio(0.9), 0.91, Some(0.89), Some(0.93)), Outcome::Pass);
        let least = Limit::MinRatio(0.98);
        assert_eq!(outcome(least, 0.97, Some(0.95), Some(0.99)), Outcome::Fail);
        assert_eq!(outcome(least, 0.97, Some(0.93), Some(1.01)), Outcome::Pass);
        assert_eq!(outcome(least, 0.98, None, None), Outcome::Pass);
    }

    #[test]
    fn absolute_limits_and_zeros_are_held_plainly() {
        let of = |a, b| Difference { a, b, ..Difference::default() };
        let outcome = |limit, a, b| judge(limit, &of(a, b), None).0;
        assert_eq!(outcome(Limit::Max(0.3), None, Some(0.3)), Outcome::Pass);
        assert_eq!(outcome(Limit::Max(0.3), None, Some(0.31)), Outcome::Fail);
        assert_eq!(outcome(Limit::Min(3.0), None, Some(2.0)), Outcome::Fail);
        assert_eq!(outcome(Limit::Min(3.0), None, None), Outcome::NoData);
        assert_eq!(outcome(Limit::MaxRatio(1.1), None, Some(1.0)), Outcome::NoData);
        assert_eq!(outcome(Limit::MaxRatio(1.1), Some(0.0), Some(0.0)), Outcome::Pass);
        assert_eq!(outcome(Limit::MaxRatio(1.1), Some(0.0), Some(1.0)), Outcome::Fail);
    }

    #[test]
    fn sentences_have_numbers_and_units() {
        let (_, said) = judge(Limit::MaxRatio(1.02), &found(1.05, Some(1.03), Some(1.07)), Some(Unit::Ns));
        assert_eq!(
            said,
            "105 ms against 100 ms of the baseline, +5.0 % (interval +3.0 % to +7.0 %); at most +2 % allowed"
        );
        let (_, said) = judge(Limit::MinRatio(0.98), &found(1.0, None, Some(1.07)), Some(Unit::Bytes));
        assert!(said.ends_with("+0.0 % (interval unknown to +7.0 %); at least -2 % allowed"), "{said}");
        let share = Difference { b: Some(0.123_456), ..Difference::default() };
        assert_eq!(judge(Limit::Max(0.2), &share, Some(Unit::Ratio)).1, "0.1235; at most 0.2 allowed");
        assert_eq!(shown(0.0, Some(Unit::Ns)), "0 ns");
        assert_eq!(shown(123_456.0, None), "123456");
    }
}
