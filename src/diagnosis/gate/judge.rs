//! Compares a measured difference with a limit: the outcome, and a sentence about it.

use super::rule::Limit;
use crate::statistics::Difference;
use crate::unit::Unit;

/// The outcome of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateOutcome {
    /// The value is within the limit; for a relative limit, the whole interval is.
    Pass,
    /// The value is beyond the limit; for a relative limit, the whole interval is.
    Fail,
    /// The interval contains the limit, or there are too few values for an interval.
    Inconclusive,
    /// There is no value.
    NoData,
}

impl GateOutcome {
    /// Returns the word for the outcome.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
            Self::NoData => "no_data",
        }
    }
}

/// Returns the outcome of a limit, and a sentence with the numbers.
pub(super) fn judge(limit: Limit, difference: &Difference, unit: Option<Unit>) -> (GateOutcome, String) {
    let verdict = |holds: bool| if holds { GateOutcome::Pass } else { GateOutcome::Fail };
    let Some(b) = difference.b else { return (GateOutcome::NoData, "the candidate has no such value".to_owned()) };
    if !limit.is_relative() {
        let (holds, bound) = match limit {
            Limit::Min(min) => (b >= min, "at least"),
            _ => (b <= limit.value(), "at most"),
        };
        return (
            verdict(holds),
            format!("{}; {bound} {} allowed", format_value(b, unit), format_value(limit.value(), unit)),
        );
    }
    let Some(a) = difference.a else { return (GateOutcome::NoData, "the baseline has no such value".to_owned()) };
    let allowed = allowed_change(limit);
    let values = format!("{} against {} of the baseline", format_value(b, unit), format_value(a, unit));
    let within = match limit {
        Limit::MinRatio(min) => b >= a * min,
        _ => b <= a * limit.value(),
    };
    let Some(ratio) = difference.ratio else {
        return (verdict(within), format!("{values}; {allowed}"));
    };
    let end = |ratio: Option<f64>| ratio.map_or("unknown".to_owned(), format_change);
    let interval = match (difference.low, difference.high) {
        (None, None) => "too few values for an interval".to_owned(),
        (low, high) => format!("interval {} to {}", end(low), end(high)),
    };
    let sentence = format!("{values}, {} ({interval}); {allowed}", format_change(ratio));
    let end_within = |end: Option<f64>| match (limit, end) {
        (_, None) => None,
        (Limit::MinRatio(min), Some(end)) => Some(end >= min),
        (_, Some(end)) => Some(end <= limit.value()),
    };
    let (best, worst) = match limit {
        Limit::MinRatio(_) => (difference.high, difference.low),
        _ => (difference.low, difference.high),
    };
    match (end_within(best), end_within(worst)) {
        (_, Some(true)) => (GateOutcome::Pass, sentence),
        (Some(false), _) => (GateOutcome::Fail, sentence),
        (None, None) => (GateOutcome::Inconclusive, sentence),
        _ => {
            (GateOutcome::Inconclusive, format!("{sentence}; the interval contains the limit, so more runs are needed"))
        }
    }
}

/// Formats a ratio as a change: 1.02 is +2 %.
fn format_change(ratio: f64) -> String {
    format!("{:+.1} %", (ratio - 1.0) * 100.0)
}

/// Formats a relative limit as the allowed change: `at most +2 % allowed`.
fn allowed_change(limit: Limit) -> String {
    let bound = if matches!(limit, Limit::MinRatio(_)) { "at least" } else { "at most" };
    let change = (limit.value() - 1.0) * 100.0;
    format!("{bound} {}{} % allowed", if change > 0.0 { "+" } else { "" }, (change * 1e6).round() / 1e6)
}

/// Formats a value with its unit, with at least three significant digits.
fn format_value(value: f64, unit: Option<Unit>) -> String {
    let scaled = |steps: &[(f64, &str)]| {
        let (scale, name) = steps.iter().find(|(scale, _)| value.abs() >= *scale).or(steps.last())?;
        Some(format!("{} {name}", format_number(value / scale)))
    };
    match unit {
        Some(Unit::Ns) => scaled(&[(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")]),
        Some(Unit::Bytes) => scaled(&[(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")]),
        Some(Unit::Percent) => Some(format!("{} %", format_number(value))),
        Some(unit @ (Unit::S | Unit::Ms | Unit::Us)) => Some(format!("{} {unit}", format_number(value))),
        _ => None,
    }
    .unwrap_or_else(|| format_number(value))
}

/// Formats a number with at least three significant digits, without zeros at the end.
fn format_number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "the order of a double lies between -324 and 308")]
    let exponent = value.abs().log10().floor() as i32;
    let decimals = usize::try_from((3 - exponent).clamp(0, 12)).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(ratio: f64, low: Option<f64>, high: Option<f64>) -> Difference {
        Difference { a: Some(1e8), b: Some(1e8 * ratio), ratio: Some(ratio), low, high }
    }

    #[test]
    fn the_whole_interval_decides() {
        let outcome = |limit, ratio, low, high| judge(limit, &difference(ratio, low, high), Some(Unit::Ns)).0;
        let max = Limit::MaxRatio(1.02);
        assert_eq!(outcome(max, 1.0, Some(0.99), Some(1.02)), GateOutcome::Pass);
        assert_eq!(outcome(max, 1.0, None, Some(1.02)), GateOutcome::Pass);
        assert_eq!(outcome(max, 1.04, Some(1.03), Some(1.05)), GateOutcome::Fail);
        assert_eq!(outcome(max, 1.04, Some(1.03), None), GateOutcome::Fail);
        assert_eq!(outcome(max, 1.01, Some(0.99), Some(1.03)), GateOutcome::Inconclusive);
        assert_eq!(outcome(max, 1.03, Some(1.01), None), GateOutcome::Inconclusive);
        assert_eq!(outcome(max, 0.9, None, None), GateOutcome::Inconclusive);
        let min = Limit::MinRatio(0.98);
        assert_eq!(outcome(min, 0.99, Some(0.98), Some(1.0)), GateOutcome::Pass);
        assert_eq!(outcome(min, 0.95, Some(0.93), Some(0.97)), GateOutcome::Fail);
        assert_eq!(outcome(min, 0.97, Some(0.95), Some(0.99)), GateOutcome::Inconclusive);
        assert_eq!(outcome(min, 0.98, None, None), GateOutcome::Inconclusive);
    }

    #[test]
    fn absolute_limits_and_baselines_of_zero_have_no_interval() {
        let outcome = |limit, a, b| judge(limit, &Difference { a, b, ..Difference::default() }, None).0;
        assert_eq!(outcome(Limit::Max(0.3), None, Some(0.3)), GateOutcome::Pass);
        assert_eq!(outcome(Limit::Max(0.3), None, Some(0.31)), GateOutcome::Fail);
        assert_eq!(outcome(Limit::Min(3.0), None, Some(2.0)), GateOutcome::Fail);
        assert_eq!(outcome(Limit::Min(3.0), None, None), GateOutcome::NoData);
        assert_eq!(outcome(Limit::MaxRatio(1.1), None, Some(1.0)), GateOutcome::NoData);
        assert_eq!(outcome(Limit::MaxRatio(1.1), Some(0.0), Some(0.0)), GateOutcome::Pass);
        assert_eq!(outcome(Limit::MaxRatio(1.1), Some(0.0), Some(1.0)), GateOutcome::Fail);
    }

    #[test]
    fn sentences_have_numbers_and_units() {
        let (_, sentence) = judge(Limit::MaxRatio(1.02), &difference(1.05, Some(1.03), Some(1.07)), Some(Unit::Ns));
        assert_eq!(
            sentence,
            "105 ms against 100 ms of the baseline, +5.0 % (interval +3.0 % to +7.0 %); at most +2 % allowed"
        );
        let (_, sentence) = judge(Limit::MinRatio(0.98), &difference(1.0, None, Some(1.07)), Some(Unit::Bytes));
        let expected = "+0.0 % (interval unknown to +7.0 %); at least -2 % allowed; the interval contains the limit, so more runs are needed";
        assert!(sentence.ends_with(expected), "{sentence}");
        let share = Difference { b: Some(0.123_456), ..Difference::default() };
        assert_eq!(judge(Limit::Max(0.2), &share, Some(Unit::Ratio)).1, "0.1235; at most 0.2 allowed");
        assert_eq!(format_value(0.0, Some(Unit::Ns)), "0 ns");
        assert_eq!(format_value(123_456.0, None), "123456");
    }
}
