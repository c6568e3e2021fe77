//! A statistic of the values of one run, and its confidence interval.

use std::fmt;

use super::student::{NORMAL_DEGREES, student_quantile};

/// A statistic of the values of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statistic {
    /// The value at this fraction of the sorted values, with linear interpolation: 0.5 is the
    /// median.
    Percentile(f64),
    /// The mean.
    Mean,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
    /// The sum. One value is its own sum.
    Sum,
    /// The number of values.
    Count,
}

impl Statistic {
    /// The names that [`Statistic::parse`] accepts, with some percentiles as examples.
    pub const WORDS: [&'static str; 8] = ["p50", "p95", "p99", "mean", "min", "max", "sum", "count"];

    /// Parses a name: mean, min, max, sum, count, or a percentile such as p50, p95 or p99.9.
    ///
    /// ```
    /// use tracelake_model::statistics::Statistic;
    ///
    /// assert_eq!(Statistic::parse("p95"), Some(Statistic::Percentile(0.95)));
    /// assert_eq!(Statistic::parse("p101"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "mean" => Self::Mean,
            "min" => Self::Min,
            "max" => Self::Max,
            "sum" => Self::Sum,
            "count" => Self::Count,
            name => {
                let percent = name.strip_prefix('p')?.parse::<f64>().ok()?;
                Self::Percentile(Some(percent / 100.0).filter(|share| (0.0..=1.0).contains(share))?)
            }
        })
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Percentile(share) => return write!(f, "p{}", (share * 1e8).round() / 1e6),
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sum => "sum",
            Self::Count => "count",
        })
    }
}

/// A statistic of the values of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measurement {
    pub(super) value: f64,
    /// Distances from the logarithm of the value down and up to the ends of its interval, from the
    /// scatter of the values. Infinite if there are too few values.
    pub(super) down: f64,
    pub(super) up: f64,
}

/// Returns the statistic of the finite values; none if there are none.
///
/// Minimum, maximum, sum and count have no interval: the values do not tell their error.
pub(super) fn measure(values: &[f64], statistic: Statistic, confidence: f64) -> Option<Measurement> {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let (min, max) = (*values.first()?, *values.last()?);
    let n = values.len() as f64;
    let exact = |value| Measurement { value, down: 0.0, up: 0.0 };
    Some(match statistic {
        Statistic::Min => exact(min),
        Statistic::Max => exact(max),
        Statistic::Sum => exact(values.iter().sum()),
        Statistic::Count => exact(n),
        Statistic::Mean => {
            let mean = values.iter().sum::<f64>() / n;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let degrees = u32::try_from(values.len() - 1).unwrap_or(NORMAL_DEGREES).min(NORMAL_DEGREES);
            let reach = match degrees {
                0 => f64::INFINITY,
                degrees => student_quantile(confidence, degrees) * (squares / (n - 1.0) / n).sqrt() / mean.abs(),
            };
            Measurement { value: mean, down: reach, up: reach }
        }
        Statistic::Percentile(share) => {
            let value = percentile(&values, share);
            let (low, high) = enclosing_values(&values, share, student_quantile(confidence, NORMAL_DEGREES));
            let reach = |low: f64, high: f64| if low > 0.0 { (high / low).ln() } else { f64::INFINITY };
            Measurement {
                value,
                down: low.map_or(f64::INFINITY, |low| reach(low, value).max(0.0)),
                up: high.map_or(f64::INFINITY, |high| reach(value, high).max(0.0)),
            }
        }
    })
}

/// Returns the value at position `share * (n - 1)` of sorted values, like `percentile_cont`.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() - 1) as f64;
    let value = |position: f64| sorted[index(position, sorted.len())];
    let (low, high) = (value(position.floor()), value(position.ceil()));
    low + (position - position.floor()) * (high - low)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped between 0 and the last index")]
fn index(position: f64, n: usize) -> usize {
    (position.max(0.0) as usize).min(n - 1)
}

/// Returns the order statistics that enclose the true percentile; none if there are too few values
/// for one.
fn enclosing_values(sorted: &[f64], share: f64, z: f64) -> (Option<f64>, Option<f64>) {
    let n = sorted.len() as f64;
    let reach = z * (n * share * (1.0 - share)).sqrt();
    // Ordinals from 1.
    let (low, high) = ((n * share - reach).ceil(), (n * share + reach).ceil());
    let value = |ordinal: f64| (1.0..=n).contains(&ordinal).then(|| sorted[index(ordinal - 1.0, sorted.len())]);
    (value(low), value(high))
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "sums of small whole numbers are exact")]
mod tests {
    use super::*;

    #[test]
    fn order_statistics_match_the_textbook() {
        // n = 20, p = 0.5: 10 +- 1.96 * sqrt(5) = 5.62 and 14.38, up: the 6th and the 15th
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(enclosing_values(&values, 0.5, 1.96), (Some(6.0), Some(15.0)));
        // p = 0.95: 19 +- 1.91 = 17.09 and 20.91, up: the 18th and none
        assert_eq!(enclosing_values(&values, 0.95, 1.96), (Some(18.0), None));
        assert_eq!(enclosing_values(&values[..3], 0.5, 1.96), (None, None));
    }

    #[test]
    fn names_are_parsed_and_formatted() {
        for name in Statistic::WORDS {
            assert_eq!(Statistic::parse(name).unwrap().to_string(), name);
        }
        assert_eq!(Statistic::parse("p99.9").unwrap().to_string(), "p99.9");
        for name in ["", "p", "median", "p-1", "pNaN", "p100.1"] {
            assert_eq!(Statistic::parse(name), None, "{name}");
        }
    }

    #[test]
    fn statistics_match_manual_calculations() {
        let measured = |values: &[f64], name| measure(values, Statistic::parse(name).unwrap(), 0.95);
        let values = [4.0, f64::NAN, 1.0, 2.0];
        let value = |name| measured(&values, name).unwrap().value;
        let all = ["min", "max", "sum", "count", "p50", "mean"].map(value);
        assert_eq!(all, [1.0, 4.0, 7.0, 3.0, 2.0, 7.0 / 3.0]);
        assert!((value("p95") - 3.8).abs() < 1e-12);
        // The standard deviation of 1, 3 is sqrt(2), that of their mean 1; with one degree of freedom 12.706 times that, over 2
        let mean = measured(&[1.0, 3.0], "mean").unwrap();
        assert!((mean.up - 6.353_10).abs() < 1e-4 && mean.up == mean.down, "{}", mean.up);
        assert_eq!(measured(&[5.0], "mean").map(|m| m.up), Some(f64::INFINITY));
        assert_eq!(measured(&[5.0], "sum").map(|m| m.up), Some(0.0));
        assert!(measured(&[f64::INFINITY], "sum").is_none());
    }
}
